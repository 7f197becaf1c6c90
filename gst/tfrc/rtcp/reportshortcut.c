/* gst-tfrc: takes reports off the RTCP on its way to the session
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/reportshortcut.h"

#include <tfrc/wire.h>

typedef struct
{
  guint fmt;
  GstTfrcReportShortcutFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Watch;

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  watch->destroy (watch->data);
  g_free (watch);
}

/* Nothing but one report, without padding: all else is the session's. */
static gboolean
parse_lone_report (GstBuffer * buffer, guint fmt, guint32 * sender_ssrc,
    guint32 * media_ssrc, TfrcReport * report)
{
  guint8 data[TFRC_REPORT_SIZE];

  if (gst_buffer_get_size (buffer) != sizeof data)
    return FALSE;
  gst_buffer_extract (buffer, 0, data, sizeof data);
  return tfrc_report_parse (report, fmt, sender_ssrc, media_ssrc, data,
      sizeof data) == TFRC_PARSE_OK;
}

static GstPadProbeReturn
on_rtcp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  const Watch *watch = data;
  guint32 sender_ssrc, media_ssrc;
  TfrcReport report;

  if (!parse_lone_report (GST_PAD_PROBE_INFO_BUFFER (info), watch->fmt,
          &sender_ssrc, &media_ssrc, &report) ||
      !watch->func (watch->data, sender_ssrc, media_ssrc, &report))
    return GST_PAD_PROBE_OK;
  return GST_PAD_PROBE_DROP;
}

void
gst_tfrc_report_shortcut_open (GstTfrcReportShortcut * shortcut, GstPad * pad,
    guint fmt, GstTfrcReportShortcutFunc func, gpointer data,
    GDestroyNotify destroy)
{
  Watch *watch = g_new (Watch, 1);

  *watch = (Watch) {
  fmt, func, data, destroy};
  shortcut->pad = gst_object_ref (pad);
  shortcut->probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_rtcp,
      watch, watch_free);
}

void
gst_tfrc_report_shortcut_close (GstTfrcReportShortcut * shortcut)
{
  if (shortcut->pad == NULL)
    return;
  gst_pad_remove_probe (shortcut->pad, shortcut->probe);
  gst_clear_object (&shortcut->pad);
}
