/* gst-tfrc: puts the packets and events that arrive at rtptfrcsend into the queues of the flows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriverprivate.h"

#include "base/debugcategory.h"
#include "base/rtpheader.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowdriverenqueue",
    "packets that a TFRC filter takes in");

/* --- packets --- */

static gboolean
parse_header (GstBuffer * buffer, GstTfrcFlowPacket * packet)
{
  GstTfrcRtpHeader header;
  gboolean parsed;

  gst_tfrc_rtp_header_map (&header, buffer);
  parsed = header.size >= 12 && header.data[0] >> 6 == 2;
  if (parsed) {
    packet->pt = header.data[1] & 0x7f;
    packet->ssrc = GST_READ_UINT32_BE (header.data + 8);
  }
  gst_tfrc_rtp_header_unmap (&header);
  return parsed;
}

gboolean
gst_tfrc_flow_driver_wants_caps (GstTfrcFlowDriver * driver,
    GstBuffer * buffer, guint * pt)
{
  GstTfrcFlowPacket packet;

  if (!parse_header (buffer, &packet)
      || gst_tfrc_flow_table_find (&driver->table, packet.ssrc) != NULL)
    return FALSE;
  *pt = packet.pt;
  return gst_tfrc_payload_roles_wants_caps (&driver->roles, packet.pt);
}

static void
add_passing (GstTfrcFlowDriver * driver, GstBuffer * buffer, TfrcTime now)
{
  GstTfrcItem item = {
    .object = GST_MINI_OBJECT_CAST (buffer),
    .queued = now,
    .caps = driver->caps_in != NULL ? gst_event_ref (driver->caps_in) : NULL,
    .segment =
        driver->segment_in != NULL ? gst_event_ref (driver->segment_in) : NULL,
  };

  driver->passed++;
  gst_tfrc_pacing_queue_push (&driver->passing, &item);
  driver->last = &driver->passing;
  /* packets wait here only while a thread is blocked in a push */
  while (gst_tfrc_pacing_queue_peek_expired (&driver->passing, 0,
          driver->settings->max_queue_packets, now) != NULL)
    gst_tfrc_pacing_queue_drop_packet (&driver->passing);
}

static void
drop (GstTfrcFlowDriver * driver, GstBuffer * buffer, guint64 * counter)
{
  GST_DEBUG_OBJECT (driver->owner, "dropping %" GST_PTR_FORMAT, buffer);
  (*counter)++;
  gst_buffer_unref (buffer);
}

GstTfrcDataFlowSender *
gst_tfrc_flow_driver_add (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    TfrcTime now)
{
  GstTfrcSsrcFlow *flow;
  gboolean passes = FALSE;
  GstTfrcFlowPacket packet;

  if (!parse_header (buffer, &packet)) {
    drop (driver, buffer, &driver->not_rtp);
    return NULL;
  }
  flow = gst_tfrc_flow_table_find (&driver->table, packet.ssrc);
  if (flow == NULL)
    flow =
        gst_tfrc_flow_driver_find_flow (driver, buffer, &packet, &passes, now);
  if (flow == NULL) {
    if (passes)
      add_passing (driver, buffer, now);
    else
      drop (driver, buffer, &driver->refused);
    return NULL;
  }
  flow->sender.caps = driver->caps_in;
  flow->sender.segment = driver->segment_in;
  driver->last = &flow->sender.queue;
  if (!gst_tfrc_data_flow_sender_add (&flow->sender, buffer, flow->id, now)) {
    driver->not_rtp++;
    return NULL;
  }
  if (packet.ssrc == flow->sender.ssrc
      && gst_tfrc_flow_table_note (&driver->table, flow, packet.pt, now))
    gst_tfrc_flow_driver_notify_main (driver);
  if (packet.ssrc == flow->sender.ssrc
      && gst_tfrc_data_flow_sender_check_mode (&flow->sender, now))
    gst_tfrc_flow_driver_announce_mode (driver, flow);
  return &flow->sender;
}

/* --- events --- */

static gboolean
is_same (GstEvent * a, GstEvent * b)
{
  const GstSegment *segment_a, *segment_b;
  GstCaps *caps_a, *caps_b;

  if (a == NULL || b == NULL)
    return a == b;
  if (GST_EVENT_TYPE (a) == GST_EVENT_CAPS) {
    gst_event_parse_caps (a, &caps_a);
    gst_event_parse_caps (b, &caps_b);
    return gst_caps_is_equal (caps_a, caps_b);
  }
  gst_event_parse_segment (a, &segment_a);
  gst_event_parse_segment (b, &segment_b);
  return gst_segment_is_equal (segment_a, segment_b);
}

/* Caps or a segment: packets that arrive from now on depart behind them. */
static gboolean
set_sticky (GstEvent ** in, GstEvent ** out, GstEvent * event, gboolean busy)
{
  if (!is_same (*in, event))
    gst_event_replace (in, event);
  if (busy)
    gst_event_unref (event);
  else
    gst_event_replace (out, *in);
  return busy;
}

gboolean
gst_tfrc_flow_driver_add_event (GstTfrcFlowDriver * driver, GstEvent * event)
{
  gboolean busy = gst_tfrc_flow_driver_is_busy (driver);
  GstTfrcItem item = { .object = GST_MINI_OBJECT_CAST (event) };

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      return set_sticky (&driver->caps_in, &driver->caps_out, event, busy);
    case GST_EVENT_SEGMENT:
      return set_sticky (&driver->segment_in, &driver->segment_out, event,
          busy);
    case GST_EVENT_EOS:
      if (busy)
        gst_event_take (&driver->eos, event);
      return busy;
    default:
      if (busy)
        gst_tfrc_pacing_queue_push (driver->last != NULL ? driver->last :
            &driver->passing, &item);
      return busy;
  }
}

void
gst_tfrc_flow_driver_drain (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_drain (&driver->table.flows[i]->sender, now);
}

void
gst_tfrc_flow_driver_flush (GstTfrcFlowDriver * driver)
{
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_flush (&driver->table.flows[i]->sender);
  gst_tfrc_pacing_queue_flush (&driver->passing);
  gst_clear_event (&driver->eos);
  gst_clear_mini_object (&driver->held);
  gst_clear_event (&driver->segment_in);
  gst_clear_event (&driver->segment_out);
}
