/* What passes a pad of RTP packets: codec, frame, bit rate, losses
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"

#include <gst/rtp/gstrtpbuffer.h>

#define MAX_GAP 1000            /* packets; a longer one is a new start */

static void
flow_count_gap (Flow * flow, guint16 seq, guint32 timestamp)
{
  guint16 ahead = seq - flow->seq;

  if (flow->started && ahead > 1 && ahead < MAX_GAP)
    flow->lost += ahead - 1;
  if (flow->started && ahead == 1 && flow->clock_rate > 0)
    flow->frame = (timestamp - flow->timestamp) * 1e3 / flow->clock_rate;
}

static void
flow_count (Flow * flow, GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return;
  g_mutex_lock (&flow->lock);
  flow_count_gap (flow, gst_rtp_buffer_get_seq (&rtp),
      gst_rtp_buffer_get_timestamp (&rtp));
  flow->seq = gst_rtp_buffer_get_seq (&rtp);
  flow->timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  flow->started = TRUE;
  flow->packets++;
  flow->bytes += gst_rtp_buffer_get_payload_len (&rtp);
  g_mutex_unlock (&flow->lock);
  gst_rtp_buffer_unmap (&rtp);
}

static gboolean
flow_count_each (GstBuffer ** buffer, guint index, gpointer user_data)
{
  flow_count (user_data, *buffer);
  return TRUE;
}

static void
flow_set_caps (Flow * flow, GstEvent * event)
{
  GstCaps *caps;
  GstStructure *s;
  const gchar *codec;

  gst_event_parse_caps (event, &caps);
  s = gst_caps_get_structure (caps, 0);
  codec = gst_structure_get_string (s, "encoding-name");
  g_mutex_lock (&flow->lock);
  g_strlcpy (flow->codec, codec ? codec : "?", sizeof flow->codec);
  gst_structure_get_int (s, "clock-rate", &flow->clock_rate);
  g_mutex_unlock (&flow->lock);
}

static GstPadProbeReturn
on_data (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    flow_count (user_data, GST_PAD_PROBE_INFO_BUFFER (info));
  else if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)
    gst_buffer_list_foreach (GST_PAD_PROBE_INFO_BUFFER_LIST (info),
        flow_count_each, user_data);
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    flow_set_caps (user_data, GST_PAD_PROBE_INFO_EVENT (info));
  return GST_PAD_PROBE_OK;
}

void
flow_watch (Flow * flow, GstElement * element, const gchar * pad)
{
  g_mutex_init (&flow->lock);
  flow->pad = gst_element_get_static_pad (element, pad);
  flow->probe = gst_pad_add_probe (flow->pad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_BUFFER_LIST | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      on_data, flow, NULL);
}

void
flow_unwatch (Flow * flow)
{
  if (!flow->pad)
    return;
  gst_pad_remove_probe (flow->pad, flow->probe);
  gst_clear_object (&flow->pad);
  g_mutex_clear (&flow->lock);
}

void
flow_take (Flow * flow, FlowCounts * counts)
{
  *counts = (FlowCounts) {.codec = "-"};
  if (!flow->pad)
    return;
  g_mutex_lock (&flow->lock);
  counts->packets = flow->packets;
  counts->lost = flow->lost;
  counts->bytes = flow->bytes;
  counts->frame = flow->frame;
  if (flow->started)
    g_strlcpy (counts->codec, flow->codec, sizeof counts->codec);
  flow->packets = flow->lost = 0;
  flow->bytes = 0;
  g_mutex_unlock (&flow->lock);
}
