/* gst-tfrc: what a filter that counts samples need not know of the times
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A jitter buffer's times follow the far end's clock, and so wander from the count of
 * samples. audioresample bears 1/32 s of it and then starts anew without the sound that
 * it had, which is a click. It is shown times that go with the samples; what comes out
 * of it gets the wander back. */
#include "codec/clockdrift.h"

#include <gst/audio/audio.h>

/* A difference of more at once is a jump of the stream, which is for the filter. */
#define JUMP (30 * GST_MSECOND)

typedef struct
{
  gint rate, bpf;               /* of what goes in; 0: not known */
  GstClockTime start;           /* GST_CLOCK_TIME_NONE: the next buffer's */
  guint64 frames;               /* since then */
  GstClockTimeDiff wander;
} Wander;

static void
begin (Wander * wander, GstClockTime start)
{
  wander->start = start;
  wander->frames = 0;
  wander->wander = 0;
}

static void
on_event (Wander * wander, GstEvent * event)
{
  GstAudioInfo info;
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    begin (wander, GST_CLOCK_TIME_NONE);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    begin (wander, GST_CLOCK_TIME_NONE);
    wander->rate = 0;
    if (gst_audio_info_from_caps (&info, caps)) {
      wander->rate = GST_AUDIO_INFO_RATE (&info);
      wander->bpf = GST_AUDIO_INFO_BPF (&info);
    }
  }
}

static GstBuffer *
hide (Wander * wander, GstBuffer * buffer)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer), due;
  GstClockTimeDiff off;

  if (!GST_CLOCK_TIME_IS_VALID (pts) || wander->rate == 0)
    return buffer;
  if (!GST_CLOCK_TIME_IS_VALID (wander->start)
      || GST_BUFFER_IS_DISCONT (buffer))
    begin (wander, pts);
  due = wander->start + gst_util_uint64_scale_int (wander->frames, GST_SECOND,
      wander->rate);
  off = GST_CLOCK_DIFF (due, pts);
  if (ABS (off - wander->wander) > (GstClockTimeDiff) JUMP) {
    begin (wander, pts);
    due = pts;
    off = 0;
  }
  wander->wander = off;
  wander->frames += gst_buffer_get_size (buffer) / wander->bpf;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = due;
  return buffer;
}

static GstPadProbeReturn
on_input (GstPad * pad, GstPadProbeInfo * info, gpointer wander)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    GST_PAD_PROBE_INFO_DATA (info) =
        hide (wander, GST_PAD_PROBE_INFO_BUFFER (info));
  else
    on_event (wander, GST_PAD_PROBE_INFO_EVENT (info));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_output (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Wander *wander = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (!GST_BUFFER_PTS_IS_VALID (buffer)
      || (wander->wander < 0
          && GST_BUFFER_PTS (buffer) < (GstClockTime) - wander->wander))
    return GST_PAD_PROBE_OK;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) += wander->wander;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

void
gst_tfrc_clock_drift_hide (GstElement * filter)
{
  Wander *wander = g_atomic_rc_box_new0 (Wander);
  GstPad *in = gst_element_get_static_pad (filter, "sink");
  GstPad *out = gst_element_get_static_pad (filter, "src");

  wander->start = GST_CLOCK_TIME_NONE;
  gst_pad_add_probe (in, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_input, wander, g_atomic_rc_box_release);
  gst_pad_add_probe (out, GST_PAD_PROBE_TYPE_BUFFER, on_output,
      g_atomic_rc_box_acquire (wander), g_atomic_rc_box_release);
  gst_object_unref (in);
  gst_object_unref (out);
}
