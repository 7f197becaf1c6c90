/* gst-tfrc: the packets of a data flow sender: how they wait, get their numbers, and depart
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/dataflowsenderprivate.h"

#include "base/debugcategory.h"
#include "base/redpacket.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdataflowsenderpackets",
    "packets of TFRC data senders");

/* After EOS, packets wait for a report for four round-trip times, as the nofeedback timer of
 * RFC 5348 4.3 does, within these bounds. The lower bound is the time that tfrcsink grants to the
 * BYE. The upper bound keeps a false round-trip time from delaying EOS. */
#define DRAIN_RTTS 4
#define DRAIN_MIN (500 * TFRC_MSEC)
#define DRAIN_MAX (4 * TFRC_SEC)

/* How long the packets behind an urgent one may have to wait for it longer than they would. An urgent packet departs without
 * regard to X, and X is kept by those behind it; where X is so low that they would wait longer, it waits too. */
#define URGENT_DEBT (1 * TFRC_SEC)

static void
extend_drain (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender, &allowance);
  flow->drain_until = now + CLAMP (DRAIN_RTTS * allowance.R * TFRC_SEC,
      DRAIN_MIN, DRAIN_MAX);
  flow->answered = FALSE;
}

void
gst_tfrc_data_flow_sender_drain (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  if (flow->drain_until != TFRC_TIME_NONE)
    return;
  extend_drain (flow, now);
  GST_INFO_ID (flow->name, "EOS waits for %u packets", flow->queue.packets);
}

void
gst_tfrc_data_flow_sender_flush (GstTfrcDataFlowSender * flow)
{
  gst_tfrc_pacing_queue_flush (&flow->queue);
  flow->drain_until = TFRC_TIME_NONE;
}

gboolean
gst_tfrc_data_flow_sender_is_empty (const GstTfrcDataFlowSender * flow)
{
  return flow->queue.packets == 0;
}

guint64
gst_tfrc_data_flow_sender_get_queue_time (const GstTfrcDataFlowSender * flow)
{
  return gst_tfrc_filter_settings_get_queue_time (flow->settings,
      flow->config.mode, flow->encoder.queue_time);
}

/* An expired packet has no sequence number yet. */
void
gst_tfrc_data_flow_sender_drop_expired (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  guint64 most = gst_tfrc_data_flow_sender_get_queue_time (flow);

  if (now > flow->drain_until && flow->queue.packets > 0) {
    GST_INFO_ID (flow->name, "no reports since EOS, dropping the last %u "
        "packets", flow->queue.packets);
    gst_tfrc_pacing_queue_drop_all (&flow->queue);
  }
  while (gst_tfrc_pacing_queue_peek_expired (&flow->queue, most,
          flow->settings->max_queue_packets, now) != NULL)
    gst_tfrc_pacing_queue_drop_packet (&flow->queue);
}

static gboolean
is_urgent (const GstTfrcDataFlowSender * flow, guint8 marker_and_type)
{
  return (marker_and_type & 0x7f) == flow->urgent_type;
}

static gboolean
has_payload_type (GstBuffer * buffer, guint type)
{
  guint8 marker_and_type;

  return gst_buffer_extract (buffer, 1, &marker_and_type, 1) == 1
      && (marker_and_type & 0x7f) == type;
}

/* Most flows have no urgent packets, whose buffers need not be mapped. */
static gboolean
is_buffer_urgent (const GstTfrcDataFlowSender * flow, GstBuffer * buffer)
{
  return flow->urgent_type >= 0 && has_payload_type (buffer, flow->urgent_type);
}

/* A packet has redundant copies where the encoder says that packets of its payload type have them. */
static void
count_copies (const GstTfrcDataFlowSender * flow, GstTfrcItem * item,
    GstBuffer * buffer)
{
  guint32 timestamps[GST_TFRC_RED_BLOCKS];

  item->is_red = flow->encoder.redundant
      && has_payload_type (buffer, flow->encoder.redundant_type);
  if (item->is_red)
    item->copies = gst_tfrc_red_get_copies (buffer, timestamps);
}

static GstTfrcNumbering *
find_repair (const GstTfrcDataFlowSender * flow, guint32 ssrc)
{
  guint i;

  for (i = 0; i < flow->n_repairs; i++)
    if (flow->repairs[i].ssrc == ssrc)
      return (GstTfrcNumbering *) & flow->repairs[i];
  return NULL;
}

static void
set_repair (GstTfrcItem * item, const GstTfrcNumbering * repair)
{
  item->repair = repair != NULL;
  item->retransmission = repair != NULL && repair->is_rtx;
}

/* A packet has come. */
static void
count_arrival (GstTfrcDataFlowSender * flow, guint size, TfrcTime now)
{
  gst_tfrc_meter_add (&flow->meter, size, now);
  gst_tfrc_data_flow_sender_count_packet (flow, now);
  gst_tfrc_data_flow_sender_follow_group (flow, now);
}

gboolean
gst_tfrc_data_flow_sender_add (GstTfrcDataFlowSender * flow, GstBuffer * buffer,
    guint id, TfrcTime now)
{
  GstTfrcItem item = { .queued = now };
  gboolean stamps =
      gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow->feedback);

  if (!stamps)
    id = 0;
  if (!gst_tfrc_stamped_packet_parse (&item.packet, buffer, id)) {
    GST_DEBUG_ID (flow->name, "dropping a buffer that is no RTP packet");
    flow->not_rtp++;
    gst_buffer_unref (buffer);
    return FALSE;
  }
  if (stamps && item.packet.stamp_offset == 0)
    buffer = gst_tfrc_stamped_packet_reserve (&item.packet, buffer, id);
  flow->unstamped += stamps && item.packet.stamp_offset == 0;
  GST_LOG_ID (flow->name, "#%u arrives, %u bytes", item.packet.seq,
      item.packet.size);
  item.urgent = is_buffer_urgent (flow, buffer);
  set_repair (&item, find_repair (flow, item.packet.ssrc));
  count_copies (flow, &item, buffer);
  item.object = GST_MINI_OBJECT_CAST (buffer);
  item.caps = flow->caps != NULL ? gst_event_ref (flow->caps) : NULL;
  item.segment = flow->segment != NULL ? gst_event_ref (flow->segment) : NULL;
  count_arrival (flow, item.packet.size, now);
  gst_tfrc_pacing_queue_push (&flow->queue, &item);
  /* a packet that is alone has just arrived and cannot have expired */
  if (flow->queue.packets > 1)
    gst_tfrc_data_flow_sender_drop_expired (flow, now);
  return TRUE;
}

gboolean
gst_tfrc_data_flow_sender_is_repair (const GstTfrcDataFlowSender * flow,
    guint32 ssrc)
{
  return find_repair (flow, ssrc) != NULL;
}

gboolean
gst_tfrc_data_flow_sender_add_repair (GstTfrcDataFlowSender * flow,
    guint32 ssrc, gboolean is_rtx)
{
  if (flow->n_repairs == GST_TFRC_REPAIRS_MAX)
    return FALSE;
  flow->repairs[flow->n_repairs++] = (GstTfrcNumbering) {
      .ssrc = ssrc,
      .is_rtx = is_rtx};
  GST_INFO_ID (flow->name, "SSRC %08x repairs the flow", ssrc);
  return TRUE;
}

/* The next number of the packet's SSRC. The first packet keeps its own. */
static guint16
take_number (GstTfrcDataFlowSender * flow,
    const GstTfrcStampedPacket * packet, const GstTfrcNumbering ** repair)
{
  GstTfrcNumbering *numbering = find_repair (flow, packet->ssrc);

  *repair = numbering;
  if (numbering == NULL)
    numbering = &flow->numbering;
  if (!numbering->begun)
    numbering->seq = packet->seq - 1;
  numbering->begun = TRUE;
  return ++numbering->seq;
}

/* A packet departs, which has left the queue. After EOS this extends the time that the other packets have, when a
 * report was accepted meanwhile; no packets are added after EOS, so that this comes to an end. */
static void
depart (GstTfrcDataFlowSender * flow, const GstTfrcItem * item,
    GstTfrcDeparture * departure, TfrcTime allowed, TfrcTime now)
{
  unsigned bits;

  gst_tfrc_pacing_queue_measure (&flow->queue, item,
      MAX (allowed, flow->rate_set), now);
  if (flow->drain_until != TFRC_TIME_NONE && flow->answered)
    extend_drain (flow, now);
  flow->allowance.overhead = item->packet.header_size;
  if (flow->begun == 0)
    flow->begun = now;
  flow->departed = now;
  if (flow->n_repairs > 0)
    gst_tfrc_encoder_allowance_count (&flow->allowance, item->packet.size,
        item->repair, now);
  departure->packet = item->packet;
  departure->queued = item->queued;
  departure->seq = take_number (flow, &item->packet, &departure->repair);
  bits = tfrc_sender_on_departure (flow->sender, item->packet.size,
      flow->queue.packets > 0, &departure->stamp, now);
  gst_tfrc_data_flow_sender_note_frames (flow, item, departure, now);
  if (departure->repair == NULL && item->packet.stamp_offset != 0) {
    flow->has_t_i = TRUE;
    flow->t_i_us = departure->stamp.t_i_us;
  }
  if (departure->repair == NULL)
    gst_tfrc_flow_sender_side_receiver_on_departure (&flow->feedback,
        departure->seq, item->packet.size, &departure->stamp, now);
  else
    gst_tfrc_flow_sender_side_receiver_on_repair (&flow->feedback,
        item->packet.ssrc, departure->seq, item->packet.size,
        &departure->stamp);
  gst_tfrc_flow_breaker_on_departure (&flow->breaker, item->packet.size, now);
  gst_tfrc_data_flow_sender_on_bits (flow, bits, GST_TFRC_RATE_REPORT, now);
  GST_LOG_ID (flow->name, "#%u departs, %u bytes", departure->seq,
      item->packet.size);
}

/* The first packet, or NULL when the queue is empty or an event is in front. */
static const GstTfrcItem *
peek_packet (const GstTfrcDataFlowSender * flow)
{
  const GstTfrcItem *item = gst_tfrc_pacing_queue_peek (&flow->queue);

  return item != NULL && GST_IS_BUFFER (item->object) ? item : NULL;
}

/* When the engine and the breaker let a packet depart. */
static TfrcTime
get_allowed (const GstTfrcDataFlowSender * flow, const GstTfrcItem * item)
{
  guint size = item->packet.size;
  TfrcTime paced = tfrc_sender_next_departure (flow->sender, size);

  if (item->urgent && paced != TFRC_TIME_NONE)
    paced = paced > URGENT_DEBT ? paced - URGENT_DEBT : 0;
  return MAX (paced, gst_tfrc_flow_breaker_next_departure (&flow->breaker,
          size));
}

/* Sheds redundant copies of the first packet when it has waited too long for them, and returns whether it may depart then. */
static gboolean
may_depart_with_less (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  return gst_tfrc_pacing_queue_shed (&flow->queue,
      gst_tfrc_data_flow_sender_get_queue_time (flow), now)
      && get_allowed (flow, peek_packet (flow)) <= now;
}

gboolean
gst_tfrc_data_flow_sender_may_depart (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  const GstTfrcItem *item = peek_packet (flow);

  if (item == NULL)
    return FALSE;
  gst_tfrc_data_flow_sender_leave_out_copies (flow, item);
  if (get_allowed (flow, item) <= now || may_depart_with_less (flow, now))
    return TRUE;
  tfrc_sender_on_limited (flow->sender, now);
  if (flow->config.pacing == TFRC_PACING_FLUID)
    tfrc_sender_set_waiting (flow->sender, flow->queue.packets);
  return FALSE;
}

gboolean
gst_tfrc_data_flow_sender_take (GstTfrcDataFlowSender * flow,
    GstTfrcDeparture * departure, TfrcTime now)
{
  GstTfrcItem item;

  if (gst_tfrc_data_flow_sender_is_empty (flow))
    return FALSE;
  gst_tfrc_data_flow_sender_drop_expired (flow, now);
  if (!gst_tfrc_data_flow_sender_may_depart (flow, now))
    return FALSE;
  item = gst_tfrc_pacing_queue_pop (&flow->queue);
  departure->buffer = GST_BUFFER_CAST (item.object);
  gst_clear_event (&item.caps);
  gst_clear_event (&item.segment);
  depart (flow, &item, departure, get_allowed (flow, &item), now);
  return TRUE;
}

gboolean
gst_tfrc_data_flow_sender_pass (GstTfrcDataFlowSender * flow,
    const guint8 * data, gsize size, guint id, GstTfrcDeparture * departure,
    TfrcTime now)
{
  GstTfrcItem item = { .queued = now };
  gboolean stamps =
      gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow->feedback);
  TfrcTime allowed;

  if (gst_tfrc_pacing_queue_peek (&flow->queue) != NULL ||
      !gst_tfrc_stamped_packet_parse_data (&item.packet, data, size,
          stamps ? id : 0) || (stamps && item.packet.stamp_offset == 0))
    return FALSE;
  item.urgent = is_urgent (flow, data[1]);
  set_repair (&item, find_repair (flow, item.packet.ssrc));
  allowed = get_allowed (flow, &item);
  if (allowed > now)
    return FALSE;
  count_arrival (flow, item.packet.size, now);
  departure->buffer = NULL;
  depart (flow, &item, departure, allowed, now);
  return TRUE;
}

TfrcTime
gst_tfrc_data_flow_sender_next_departure (const GstTfrcDataFlowSender * flow)
{
  const GstTfrcItem *item = peek_packet (flow);
  guint64 most = gst_tfrc_data_flow_sender_get_queue_time (flow);
  TfrcTime time, expiry;

  if (item == NULL)
    return TFRC_TIME_NONE;
  time = MIN (get_allowed (flow, item),
      gst_tfrc_pacing_queue_get_shedding (&flow->queue, most));
  /* the packet may expire before `time` */
  expiry = gst_tfrc_pacing_queue_get_expiry (&flow->queue, most);
  if (expiry != TFRC_TIME_NONE)
    time = MIN (time, expiry + 1);
  if (flow->drain_until != TFRC_TIME_NONE)
    time = MIN (time, flow->drain_until + 1);
  return time;
}
