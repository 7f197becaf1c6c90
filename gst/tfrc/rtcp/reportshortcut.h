/* gst-tfrc: takes reports off the RTCP on its way to the session
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REPORTSHORTCUT_H
#define GST_TFRC_REPORTSHORTCUT_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* A report that is an RTCP packet of its own came. FALSE: the session is to have it. */
typedef gboolean (*GstTfrcReportShortcutFunc) (gpointer data, guint32 sender_ssrc,
    guint32 media_ssrc, const TfrcReport * report);

typedef struct
{
  GstPad *pad;                  /* NULL: there is none */
  gulong probe;
} GstTfrcReportShortcut;

/* From now on `func` sees the reports with this format that come to the pad. `destroy`
 * is called with `data` when it sees no more. */
void gst_tfrc_report_shortcut_open (GstTfrcReportShortcut * shortcut, GstPad * pad, guint fmt,
    GstTfrcReportShortcutFunc func, gpointer data, GDestroyNotify destroy);
void gst_tfrc_report_shortcut_close (GstTfrcReportShortcut * shortcut);

G_END_DECLS

#endif
