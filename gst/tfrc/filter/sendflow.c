/* gst-tfrc: the packets of a data sender: engine, pacing queue, allowance of the encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/sendflow.h"

#include <string.h>

#include "filter/flowstats.h"

GST_DEBUG_CATEGORY_STATIC (tfrcflow_debug);
#define GST_CAT_DEFAULT tfrcflow_debug

/* Packets that may depart at the same time are pushed as a list of at most so many. */
#define LIST_MAX 64

/* After EOS, packets wait for a report for four round-trip times, as the nofeedback timer of
 * RFC 5348 4.3 does, within these bounds. The lower bound is the time that tfrcsink grants to the
 * BYE. The upper bound keeps a false round-trip time from delaying EOS. */
#define DRAIN_RTTS 4
#define DRAIN_MIN (500 * GST_MSECOND)
#define DRAIN_MAX (4 * GST_SECOND)

void
gst_tfrc_send_flow_init (GstTfrcSendFlow * flow, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (tfrcflow_debug, "tfrcflow", 0, "TFRC data sender");
    g_once_init_leave (&once, 1);
  }
  flow->owner = owner;
  flow->settings = settings;
  gst_tfrc_timebase_init (&flow->time);
  gst_tfrc_timer_init (&flow->timer, owner, on_timer);
  gst_tfrc_pacing_queue_init (&flow->queue);
  gst_tfrc_send_flow_reset (flow);
}

void
gst_tfrc_send_flow_clear (GstTfrcSendFlow * flow)
{
  g_clear_pointer (&flow->rtcp, gst_tfrc_data_sender_rtcp_unref);
  gst_tfrc_pacing_queue_free (&flow->queue);
  g_free (flow->sender);
  gst_tfrc_timebase_clear (&flow->time);
}

void
gst_tfrc_send_flow_reset (GstTfrcSendFlow * flow)
{
  gst_tfrc_pacing_queue_reset (&flow->queue);
  flow->has_ssrc = FALSE;
  flow->drain_until = TFRC_TIME_NONE;
  flow->rate_set = 0;
  memset (&flow->meter, 0, sizeof flow->meter);
  gst_tfrc_encoder_allowance_init (&flow->encoder);
  gst_tfrc_notifier_init (&flow->notifier,
      gst_tfrc_allowance_properties_notify);
  memset (&flow->cross_check, 0, sizeof flow->cross_check);
  flow->ssrc_changes = flow->doubted = 0;
}

void
gst_tfrc_send_flow_start (GstTfrcSendFlow * flow, const TfrcConfig * config,
    GstTfrcDataSenderRtcp * rtcp)
{
  gst_tfrc_send_flow_reset (flow);
  flow->config = *config;
  g_clear_pointer (&flow->rtcp, gst_tfrc_data_sender_rtcp_unref);
  flow->rtcp = rtcp;
  g_free (flow->sender);
  flow->sender = tfrc_sender_init (g_malloc0 (tfrc_sender_size (config)),
      config, gst_tfrc_send_flow_get_now (flow));
}

TfrcTime
gst_tfrc_send_flow_get_now (const GstTfrcSendFlow * flow)
{
  return gst_tfrc_timebase_now (&flow->time);
}

/* --- the allowance of the encoder --- */

void
gst_tfrc_send_flow_get_rate (GstTfrcSendFlow * flow, GstTfrcRate * rate,
    TfrcTime now)
{
  TfrcAllowance allowance;

  *rate = (GstTfrcRate) {
      .loss = -1.0};
  if (flow->sender == NULL)
    return;
  tfrc_sender_get_allowance (flow->sender, &allowance);
  gst_tfrc_encoder_allowance_make (&flow->encoder, &allowance, &flow->config,
      flow->settings, gst_tfrc_meter_get_packet_rate (&flow->meter), rate);
  rate->dropped = gst_tfrc_pacing_queue_get_dropped (&flow->queue);
  rate->loss = gst_tfrc_data_sender_rtcp_get_loss (flow->rtcp);
  rate->queue_delay = gst_tfrc_pacing_queue_get_delay (&flow->queue, now);
  rate->ssrc = flow->ssrc;
}

void
gst_tfrc_send_flow_note_rate (GstTfrcSendFlow * flow, GstTfrcRateReason reason,
    TfrcTime now)
{
  GstTfrcRate rate;

  gst_tfrc_send_flow_get_rate (flow, &rate, now);
  if (rate.allowance.R == 0 && reason == GST_TFRC_RATE_REPORT)
    return;                     /* the start of the flow was notified already */
  gst_tfrc_encoder_allowance_set_reason (&flow->encoder, &rate, reason);
  gst_tfrc_notifier_note (&flow->notifier, &rate, now);
}

/* --- the engine --- */

static void
arm_timer (GstTfrcSendFlow * flow)
{
  gst_tfrc_timer_arm (&flow->timer, &flow->time,
      tfrc_sender_next_timer (flow->sender));
}

static void
arm_departures (GstTfrcSendFlow * flow, TfrcTime time)
{
  if (flow->joined)
    gst_tfrc_scheduler_entry_arm (&flow->departures,
        gst_tfrc_timebase_to_clock (&flow->time, time));
}

void
gst_tfrc_send_flow_arm (GstTfrcSendFlow * flow)
{
  arm_timer (flow);
  if (flow->queue.packets > 0)
    arm_departures (flow, gst_tfrc_send_flow_get_now (flow));
}

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
arm_for_bits (GstTfrcSendFlow * flow, unsigned bits, TfrcTime now)
{
  if (bits & TFRC_SENDER_TIMER)
    arm_timer (flow);
  if (bits & TFRC_SENDER_RATE) {
    flow->rate_set = now;
    /* the thread of the scheduler asks again when the first packet may depart */
    if (flow->queue.packets > 0 && !flow->departing)
      arm_departures (flow, now);
  }
}

static void
on_bits (GstTfrcSendFlow * flow, unsigned bits, GstTfrcRateReason reason,
    TfrcTime now)
{
  arm_for_bits (flow, bits, now);
  if (bits & (TFRC_SENDER_RATE | TFRC_SENDER_LOSS | TFRC_SENDER_EXPIRED))
    gst_tfrc_send_flow_note_rate (flow, reason, now);
}

gboolean
gst_tfrc_send_flow_on_report (GstTfrcSendFlow * flow, const TfrcReport * report,
    gboolean is_new_receiver)
{
  TfrcTime now = gst_tfrc_send_flow_get_now (flow);
  unsigned bits = tfrc_sender_on_report (flow->sender, report, now);
  gboolean accepted;

  if (is_new_receiver && !(bits & TFRC_SENDER_REJECTED)) {
    /* the path to the new data receiver is unknown, so that the rate begins again */
    bits = tfrc_sender_restart (flow->sender, now);
    bits |= tfrc_sender_on_report (flow->sender, report, now);
  }
  accepted = !(bits & TFRC_SENDER_REJECTED);
  GST_DEBUG_OBJECT (flow->owner, "report %s",
      accepted ? "accepted" : "rejected");
  flow->answered |= accepted;
  flow->encoder.reported |= accepted;
  arm_for_bits (flow, bits, now);
  /* the packet rate of the flow may have changed even when X has not */
  if (accepted)
    gst_tfrc_send_flow_note_rate (flow,
        is_new_receiver ? GST_TFRC_RATE_RESTART : get_reason (bits), now);
  return accepted;
}

/* Compares the loss event rate of the TFRC reports with the losses of the receiver reports. */
static void
check_receiver (GstTfrcSendFlow * flow, gint lost, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender, &allowance);
  if (!gst_tfrc_loss_cross_check_check (&flow->cross_check, lost, allowance.p,
          allowance.R * GST_SECOND, now))
    return;
  flow->doubted++;
  GST_WARNING_OBJECT (flow->owner,
      "%d packets are lost by RTCP receiver reports, none by TFRC reports",
      lost);
}

void
gst_tfrc_send_flow_on_receiver_report (GstTfrcSendFlow * flow, TfrcTime rtt,
    gint lost)
{
  TfrcTime now = gst_tfrc_send_flow_get_now (flow);

  if (rtt != 0)
    on_bits (flow, tfrc_sender_on_rtt (flow->sender, rtt, now),
        GST_TFRC_RATE_REPORT, now);
  check_receiver (flow, lost, now);
}

void
gst_tfrc_send_flow_on_timer (GstTfrcSendFlow * flow)
{
  TfrcTime now = gst_tfrc_send_flow_get_now (flow);

  if (now >= tfrc_sender_next_timer (flow->sender)) {
    unsigned bits = tfrc_sender_on_timer (flow->sender, now);

    on_bits (flow, bits, get_reason (bits), now);
  }
  arm_timer (flow);
}

static void
change_ssrc (GstTfrcSendFlow * flow, const GstTfrcStampedPacket * packet,
    TfrcTime now)
{
  gboolean restart = flow->has_ssrc;

  flow->has_ssrc = TRUE;
  flow->ssrc = packet->ssrc;
  flow->seq = packet->seq - 1;
  gst_tfrc_data_sender_rtcp_set_media_ssrc (flow->rtcp, packet->ssrc);
  if (!restart)
    return;
  GST_INFO_OBJECT (flow->owner, "SSRC is now %08x, slow start begins again",
      packet->ssrc);
  flow->ssrc_changes++;
  on_bits (flow, tfrc_sender_restart (flow->sender, now),
      GST_TFRC_RATE_RESTART, now);
}

/* --- departures --- */

guint64
gst_tfrc_send_flow_get_queue_time (const GstTfrcSendFlow * flow)
{
  return gst_tfrc_filter_settings_get_queue_time (flow->settings,
      flow->config.mode);
}

static void
extend_drain (GstTfrcSendFlow * flow, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender, &allowance);
  flow->drain_until = now + CLAMP (DRAIN_RTTS * allowance.R * GST_SECOND,
      DRAIN_MIN, DRAIN_MAX);
  flow->answered = FALSE;
}

void
gst_tfrc_send_flow_drain (GstTfrcSendFlow * flow)
{
  if (flow->drain_until == TFRC_TIME_NONE)
    extend_drain (flow, gst_tfrc_send_flow_get_now (flow));
}

void
gst_tfrc_send_flow_end_drain (GstTfrcSendFlow * flow)
{
  flow->drain_until = TFRC_TIME_NONE;
}

/* A packet departs. After EOS this extends the time that the other packets have, when a report was
 * accepted meanwhile; no packets are added after EOS, so that this comes to an end. */
static void
note_progress (GstTfrcSendFlow * flow, TfrcTime now)
{
  if (flow->drain_until != TFRC_TIME_NONE && flow->answered)
    extend_drain (flow, now);
}

/* Drops expired packets, which have no sequence number yet, the oldest first. */
static void
drop_packets (GstTfrcSendFlow * flow, TfrcTime now)
{
  guint64 most = gst_tfrc_send_flow_get_queue_time (flow);
  const GstTfrcItem *item;

  if (now > flow->drain_until && flow->queue.packets > 0) {
    GST_INFO_OBJECT (flow->owner, "no reports since EOS, dropping the last %u "
        "packets", flow->queue.packets);
    gst_tfrc_pacing_queue_drop_all (&flow->queue);
  }
  while ((item = gst_tfrc_pacing_queue_peek_expired (&flow->queue, most,
              flow->settings->max_queue_packets, now)) != NULL) {
    GST_LOG_OBJECT (flow->owner, "dropping #%u, which waited %" GST_TIME_FORMAT,
        item->packet.seq, GST_TIME_ARGS (now - item->queued));
    gst_tfrc_pacing_queue_drop_packet (&flow->queue);
  }
}

void
gst_tfrc_send_flow_add (GstTfrcSendFlow * flow, const GstTfrcItem * item)
{
  gst_tfrc_meter_add (&flow->meter, item->packet.size, item->queued);
  gst_tfrc_pacing_queue_push (&flow->queue, item);
  /* a packet that is alone has just arrived and cannot have expired */
  if (flow->queue.packets > 1)
    drop_packets (flow, item->queued);
}

static void
wait_for_departure (GstTfrcSendFlow * flow, const GstTfrcItem * item,
    TfrcTime time, TfrcTime now)
{
  guint64 most = gst_tfrc_send_flow_get_queue_time (flow);

  tfrc_sender_on_limited (flow->sender, now);
  if (flow->config.pacing == TFRC_PACING_FLUID)
    tfrc_sender_set_waiting (flow->sender, flow->queue.packets);
  /* the packet may expire before `time` */
  if (most > 0)
    time = MIN (time, item->queued + most + 1);
  if (flow->drain_until != TFRC_TIME_NONE)
    time = MIN (time, flow->drain_until + 1);
  arm_departures (flow, time);
}

/* The packet departs now. Takes the buffer of `item`. */
static GstBuffer *
depart_packet (GstTfrcSendFlow * flow, const GstTfrcItem * item,
    TfrcTime allowed, TfrcTime now)
{
  TfrcStamp stamp;
  unsigned bits;

  gst_tfrc_pacing_queue_measure (&flow->queue, item, MAX (allowed,
          flow->rate_set), now);
  note_progress (flow, now);
  flow->encoder.overhead = item->packet.header_size;
  bits = tfrc_sender_on_departure (flow->sender, item->packet.size,
      flow->queue.packets > 0, &stamp, now);
  on_bits (flow, bits, GST_TFRC_RATE_REPORT, now);
  flow->seq++;
  GST_LOG_OBJECT (flow->owner, "#%u departs, %u bytes", flow->seq,
      item->packet.size);
  return gst_tfrc_stamped_packet_depart (&item->packet,
      GST_BUFFER_CAST (item->object), flow->seq, &stamp);
}

/* Returns the first packet when it may depart now; otherwise arms the scheduler for it. */
static GstBuffer *
take_packet (GstTfrcSendFlow * flow, TfrcTime now)
{
  const GstTfrcItem *first;
  GstTfrcItem item;
  TfrcTime allowed;

  drop_packets (flow, now);
  first = gst_tfrc_pacing_queue_peek (&flow->queue);
  if (first == NULL || !GST_IS_BUFFER (first->object))
    return NULL;
  if (!flow->has_ssrc || first->packet.ssrc != flow->ssrc)
    change_ssrc (flow, &first->packet, now);
  allowed = tfrc_sender_next_departure (flow->sender, first->packet.size);
  if (allowed > now) {
    wait_for_departure (flow, first, allowed, now);
    return NULL;
  }
  item = gst_tfrc_pacing_queue_pop (&flow->queue);
  return depart_packet (flow, &item, allowed, now);
}

/* Returns the first item when it is an event. */
static GstMiniObject *
take_event (GstTfrcSendFlow * flow)
{
  const GstTfrcItem *first = gst_tfrc_pacing_queue_peek (&flow->queue);

  return first != NULL && !GST_IS_BUFFER (first->object) ?
      gst_tfrc_pacing_queue_pop (&flow->queue).object : NULL;
}

GstMiniObject *
gst_tfrc_send_flow_take (GstTfrcSendFlow * flow, TfrcTime now)
{
  GstMiniObject *event = take_event (flow);
  GstBuffer *buffer, *next;
  GstBufferList *list;

  if (event != NULL || flow->queue.packets == 0)
    return event;
  if (now == TFRC_TIME_NONE)
    now = gst_tfrc_send_flow_get_now (flow);
  buffer = take_packet (flow, now);
  if (buffer == NULL)           /* an event may be first after packets were dropped */
    return take_event (flow);
  if (flow->queue.packets == 0 || (next = take_packet (flow, now)) == NULL)
    return GST_MINI_OBJECT_CAST (buffer);

  list = gst_buffer_list_new ();
  gst_buffer_list_add (list, buffer);
  do {
    gst_buffer_list_add (list, next);
  } while (gst_buffer_list_length (list) < LIST_MAX &&
      (next = take_packet (flow, now)) != NULL);
  return GST_MINI_OBJECT_CAST (list);
}

void
gst_tfrc_send_flow_add_stats (GstTfrcSendFlow * flow, GstStructure * stats)
{
  TfrcSenderStats s = { 0 };

  if (flow->sender != NULL)
    tfrc_sender_get_stats (flow->sender, &s);
  gst_tfrc_engine_stats_add_sender (stats, &s);
  gst_structure_set (stats,
      "ssrc", G_TYPE_UINT, flow->ssrc,
      "ssrc-changes", G_TYPE_UINT64, flow->ssrc_changes,
      "reports-doubted", G_TYPE_UINT64, flow->doubted, NULL);
  gst_tfrc_pacing_queue_add_stats (&flow->queue,
      gst_tfrc_send_flow_get_now (flow), stats);
  if (flow->rtcp != NULL)
    gst_tfrc_data_sender_rtcp_add_stats (flow->rtcp, stats);
}
