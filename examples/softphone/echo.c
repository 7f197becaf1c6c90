/* Echo cancelling behind a jitter buffer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * webrtcdsp is shown what will be played some time after what was recorded: its delay. For that
 * webrtcechoprobe takes the latency of all that is upstream of it. But what has come to the
 * probe is ahead of the loudspeaker by the latency downstream and no more: with 100 ms of
 * jitter buffer the probe waits for what it threw away, gives silence, and no echo is
 * cancelled. So the latency that the probe alone gets is half of what is
 * downstream: then neither a late packet nor a microphone that reads early leaves it without.
 */
#include "echo.h"

typedef struct
{
  GThread *asks;                /* in which the probe got the latency of the pipeline, or NULL */
  GstClockTime latency;         /* of the pipeline */
} Delay;

/* The probe gets the latency of the pipeline, and queries its own upstream... */
static GstPadProbeReturn
on_told (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  Delay *delay = user_data;

  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY) {
    gst_event_parse_latency (event, &delay->latency);
    g_atomic_pointer_set (&delay->asks, g_thread_self ());
  }
  return GST_PAD_PROBE_OK;
}

/* ...which is changed on its way back... */
static GstPadProbeReturn
on_answered (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  Delay *delay = user_data;
  GstClockTime upstream;
  gboolean live;

  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY
      && g_atomic_pointer_get (&delay->asks) == g_thread_self ()) {
    gst_query_parse_latency (query, &live, &upstream, NULL);
    gst_query_set_latency (query, live,
        delay->latency > upstream ? (delay->latency - upstream) / 2 : 0,
        GST_CLOCK_TIME_NONE);
  }
  return GST_PAD_PROBE_OK;
}

/* ...before it passes the event on. */
static GstPadProbeReturn
on_passed (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Delay *delay = user_data;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_LATENCY)
    g_atomic_pointer_set (&delay->asks, NULL);
  return GST_PAD_PROBE_OK;
}

void
echo_set_delay (GstElement * probe)
{
  GstPad *sink = gst_element_get_static_pad (probe, "sink");
  GstPad *src = gst_element_get_static_pad (probe, "src");
  Delay *delay = g_new0 (Delay, 1);

  g_object_set_data_full (G_OBJECT (probe), "delay", delay, g_free);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_told, delay,
      NULL);
  gst_pad_add_probe (sink,
      GST_PAD_PROBE_TYPE_QUERY_UPSTREAM | GST_PAD_PROBE_TYPE_PULL, on_answered,
      delay, NULL);
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_passed, delay,
      NULL);
  gst_object_unref (src);
  gst_object_unref (sink);
}
