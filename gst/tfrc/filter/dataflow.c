/* gst-tfrc: the data sender of one flow without clock, timer, session or socket
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/dataflow.h"


/* After EOS, packets wait for a report for four round-trip times, as the nofeedback timer of
 * RFC 5348 4.3 does, within these bounds. The upper one keeps a receiver from delaying EOS by a
 * false round-trip time. */
#define DRAIN_RTTS 4
#define DRAIN_MIN (500 * TFRC_MSEC)
#define DRAIN_MAX (4 * TFRC_SEC)

void
gst_tfrc_data_flow_init (GstTfrcDataFlow * flow,
    const GstTfrcFilterSettings * settings, const TfrcConfig * config,
    TfrcTime now)
{
  *flow = (GstTfrcDataFlow) {
      .settings = settings,
      .config = *config,
      .drain_until = TFRC_TIME_NONE};
  gst_tfrc_pacing_queue_init (&flow->queue);
  gst_tfrc_encoder_allowance_init (&flow->allowance);
  gst_tfrc_notifier_init (&flow->notifier, NULL);
  flow->sender = tfrc_sender_init (g_malloc0 (tfrc_sender_size (config)),
      config, now);
}

void
gst_tfrc_data_flow_clear (GstTfrcDataFlow * flow)
{
  gst_tfrc_pacing_queue_free (&flow->queue);
  g_clear_pointer (&flow->sender, g_free);
}

/* --- what the encoder may use --- */

void
gst_tfrc_data_flow_note_rate (GstTfrcDataFlow * flow, GstTfrcRateReason reason,
    TfrcTime now)
{
  TfrcAllowance allowance;
  GstTfrcRate rate = { .loss = -1.0 };

  tfrc_sender_get_allowance (flow->sender, &allowance);
  if (allowance.R == 0 && reason == GST_TFRC_RATE_REPORT)
    return;                     /* nothing is known but that the flow begins */
  gst_tfrc_encoder_allowance_make (&flow->allowance, &allowance, &flow->config,
      flow->settings, gst_tfrc_meter_get_packet_rate (&flow->meter), &rate);
  rate.dropped = gst_tfrc_pacing_queue_get_dropped (&flow->queue);
  rate.queue_delay = gst_tfrc_pacing_queue_get_delay (&flow->queue, now);
  gst_tfrc_encoder_allowance_set_reason (&flow->allowance, &rate, reason);
  gst_tfrc_notifier_note (&flow->notifier, &rate, now);
}

gboolean
gst_tfrc_data_flow_take_rate (GstTfrcDataFlow * flow, GstTfrcRate * rate)
{
  gboolean pending = flow->notifier.pending;

  flow->notifier.pending = FALSE;
  if (pending)
    *rate = flow->notifier.next;
  return pending;
}

/* --- the engine --- */

static GstTfrcRateReason
get_reason (unsigned bits)
{
  if (bits & TFRC_SENDER_LOSS)
    return GST_TFRC_RATE_LOSS;
  if (bits & TFRC_SENDER_EXPIRED)
    return GST_TFRC_RATE_NOFEEDBACK;
  return GST_TFRC_RATE_REPORT;
}

static void
on_bits (GstTfrcDataFlow * flow, unsigned bits, GstTfrcRateReason reason,
    TfrcTime now)
{
  if (bits & TFRC_SENDER_RATE)
    flow->rate_set = now;
  if (bits & (TFRC_SENDER_RATE | TFRC_SENDER_LOSS | TFRC_SENDER_EXPIRED))
    gst_tfrc_data_flow_note_rate (flow, reason, now);
}

gboolean
gst_tfrc_data_flow_on_report (GstTfrcDataFlow * flow, const TfrcReport * report,
    TfrcTime now)
{
  unsigned bits = tfrc_sender_on_report (flow->sender, report, now);

  if (bits & TFRC_SENDER_REJECTED)
    return FALSE;
  flow->answered = flow->allowance.reported = TRUE;
  if (bits & TFRC_SENDER_RATE)
    flow->rate_set = now;
  /* the flow's packet rate may have changed, if not X */
  gst_tfrc_data_flow_note_rate (flow, get_reason (bits), now);
  return TRUE;
}

void
gst_tfrc_data_flow_on_rtt (GstTfrcDataFlow * flow, TfrcTime rtt, TfrcTime now)
{
  on_bits (flow, tfrc_sender_on_rtt (flow->sender, rtt, now),
      GST_TFRC_RATE_REPORT, now);
}

void
gst_tfrc_data_flow_on_timer (GstTfrcDataFlow * flow, TfrcTime now)
{
  unsigned bits;

  if (now < tfrc_sender_next_timer (flow->sender))
    return;
  bits = tfrc_sender_on_timer (flow->sender, now);
  on_bits (flow, bits, get_reason (bits), now);
}

void
gst_tfrc_data_flow_restart (GstTfrcDataFlow * flow, TfrcTime now)
{
  on_bits (flow, tfrc_sender_restart (flow->sender, now),
      GST_TFRC_RATE_RESTART, now);
}

/* --- departures --- */

static void
extend_drain (GstTfrcDataFlow * flow, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender, &allowance);
  flow->drain_until = now + CLAMP (DRAIN_RTTS * allowance.R * TFRC_SEC,
      DRAIN_MIN, DRAIN_MAX);
  flow->answered = FALSE;
}

void
gst_tfrc_data_flow_drain (GstTfrcDataFlow * flow, TfrcTime now)
{
  if (flow->drain_until == TFRC_TIME_NONE)
    extend_drain (flow, now);
}

gboolean
gst_tfrc_data_flow_is_empty (const GstTfrcDataFlow * flow)
{
  return flow->queue.packets == 0;
}

static guint64
get_queue_time (const GstTfrcDataFlow * flow)
{
  return gst_tfrc_filter_settings_get_queue_time (flow->settings,
      flow->config.mode);
}

/* The oldest packets are dropped before they have a sequence number. */
static void
drop_expired (GstTfrcDataFlow * flow, TfrcTime now)
{
  if (now > flow->drain_until)
    gst_tfrc_pacing_queue_drop_all (&flow->queue);
  while (gst_tfrc_pacing_queue_peek_expired (&flow->queue,
          get_queue_time (flow), flow->settings->max_queue_packets, now))
    gst_tfrc_pacing_queue_drop_packet (&flow->queue);
}

gboolean
gst_tfrc_data_flow_add (GstTfrcDataFlow * flow, GstBuffer * buffer, guint id,
    TfrcTime now)
{
  GstTfrcItem item = { .queued = now };

  if (!gst_tfrc_stamped_packet_parse (&item.packet, buffer, id)) {
    flow->not_rtp++;
    gst_buffer_unref (buffer);
    return FALSE;
  }
  if (item.packet.stamp_offset == 0)
    buffer = gst_tfrc_stamped_packet_reserve (&item.packet, buffer, id);
  flow->unstamped += item.packet.stamp_offset == 0;
  item.object = GST_MINI_OBJECT_CAST (buffer);
  gst_tfrc_meter_add (&flow->meter, item.packet.size, now);
  gst_tfrc_pacing_queue_push (&flow->queue, &item);
  /* a packet that is alone has just come, and is not too many */
  if (flow->queue.packets > 1)
    drop_expired (flow, now);
  return TRUE;
}

/* The packet departs. A report alone does not extend the time after EOS. */
static void
depart (GstTfrcDataFlow * flow, GstTfrcDeparture * departure, TfrcTime allowed,
    TfrcTime now)
{
  GstTfrcItem item = gst_tfrc_pacing_queue_pop (&flow->queue);
  unsigned bits;

  gst_tfrc_pacing_queue_measure (&flow->queue, &item,
      MAX (allowed, flow->rate_set), now);
  if (flow->drain_until != TFRC_TIME_NONE && flow->answered)
    extend_drain (flow, now);
  if (!flow->has_seq)
    flow->seq = item.packet.seq - 1;
  flow->has_seq = TRUE;
  flow->allowance.overhead = item.packet.header_size;
  departure->buffer = GST_BUFFER_CAST (item.object);
  departure->packet = item.packet;
  departure->seq = ++flow->seq;
  bits = tfrc_sender_on_departure (flow->sender, item.packet.size,
      flow->queue.packets > 0, &departure->stamp, now);
  on_bits (flow, bits, GST_TFRC_RATE_REPORT, now);
}

gboolean
gst_tfrc_data_flow_take (GstTfrcDataFlow * flow, GstTfrcDeparture * departure,
    TfrcTime now)
{
  const GstTfrcItem *item;
  TfrcTime allowed;

  drop_expired (flow, now);
  item = gst_tfrc_pacing_queue_peek (&flow->queue);
  if (item == NULL)
    return FALSE;
  allowed = tfrc_sender_next_departure (flow->sender, item->packet.size);
  if (allowed > now) {
    tfrc_sender_on_limited (flow->sender, now);
    return FALSE;
  }
  depart (flow, departure, allowed, now);
  return TRUE;
}

TfrcTime
gst_tfrc_data_flow_next_time (const GstTfrcDataFlow * flow)
{
  const GstTfrcItem *item = gst_tfrc_pacing_queue_peek (&flow->queue);
  TfrcTime time = tfrc_sender_next_timer (flow->sender);
  guint64 most = get_queue_time (flow);

  if (item == NULL)
    return time;
  time = MIN (time, tfrc_sender_next_departure (flow->sender,
          item->packet.size));
  /* the packet may have expired by then */
  if (most > 0)
    time = MIN (time, item->queued + most + 1);
  if (flow->drain_until != TFRC_TIME_NONE)
    time = MIN (time, flow->drain_until + 1);
  return time;
}

void
gst_tfrc_data_flow_add_stats (const GstTfrcDataFlow * flow,
    GstStructure * stats, TfrcTime now)
{
  TfrcSenderStats s;

  tfrc_sender_get_stats (flow->sender, &s);
  gst_tfrc_engine_stats_add_sender (stats, &s);
  gst_tfrc_pacing_queue_add_stats (&flow->queue, now, stats);
  gst_structure_set (stats, "not-rtp", G_TYPE_UINT64, flow->not_rtp,
      "unstamped", G_TYPE_UINT64, flow->unstamped, NULL);
}
