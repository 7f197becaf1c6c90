/* gst-tfrc: the data sender of one flow without clock, timer, session or socket
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/dataflowsenderprivate.h"

#include "base/debugcategory.h"
#include "base/enums.h"
#include "filter/engineconfig.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdataflowsender", "TFRC data sender");

/* A longer playout of a data receiver is cut to this one, because somebody else may have said it. */
#define PLAYOUT_MAX GST_SECOND

/* A data receiver that is there has reported of the first packet after this time. */
#define UNANSWERED (500 * TFRC_MSEC)

/* Everything but settings, name and engine is as in a new flow. */
static void
reset (GstTfrcDataFlowSender * flow)
{
  gst_tfrc_pacing_queue_reset (&flow->queue);
  flow->meter = (GstTfrcMeter) {.n = 0};
  gst_tfrc_encoder_allowance_init (&flow->allowance);
  gst_tfrc_notifier_init (&flow->notifier, flow->notifier.notify);
  flow->numbering.begun = FALSE;
  flow->n_repairs = 0;
  flow->has_t_i = flow->is_heard = FALSE;
  flow->rate_set = 0;
  flow->drain_until = TFRC_TIME_NONE;
  flow->not_rtp = flow->unstamped = 0;
  flow->begun = flow->departed = flow->jitter = 0;
  flow->loss = -1.0;
  gst_tfrc_data_flow_sender_forget_arrivals (flow);
  g_queue_clear_full (&flow->messages, (GDestroyNotify) gst_structure_free);
}

void
gst_tfrc_data_flow_sender_init (GstTfrcDataFlowSender * flow,
    const GstTfrcFilterSettings * settings, const TfrcConfig * config,
    TfrcTime now)
{
  flow->settings = settings;
  flow->urgent_type = -1;
  gst_tfrc_pacing_queue_init (&flow->queue);
  g_queue_init (&flow->messages);
  if (config != NULL)
    gst_tfrc_data_flow_sender_start (flow, config, now);
  else
    reset (flow);
}

/* The engine takes no size above S, so that a larger one is cut to S. */
static void
set_largest_packet (GstTfrcDataFlowSender * flow)
{
  flow->config.max_packet_size = MIN (flow->encoder.largest, flow->config.S);
}

void
gst_tfrc_data_flow_sender_start (GstTfrcDataFlowSender * flow,
    const TfrcConfig * config, TfrcTime now)
{
  gst_tfrc_data_flow_sender_set_group (flow, NULL, now);
  flow->coupling.wants = (GstTfrcFlowWants) {0};
  reset (flow);
  flow->config = *config;
  set_largest_packet (flow);
  flow->chooses_mode =
      gst_tfrc_engine_config_chooses_mode (flow->settings, config);
  flow->has_mode = flow->keeps_mode = FALSE;
  gst_tfrc_data_flow_sender_follow_media (flow);
  g_free (flow->sender);
  gst_tfrc_flow_sender_side_receiver_start (&flow->feedback, config);
  flow->sender = tfrc_sender_init (g_malloc0 (tfrc_sender_size (config)),
      &flow->config, now);
  gst_tfrc_flow_breaker_init (&flow->breaker, flow->settings->circuit_breaker,
      flow->settings->max_loss, config, now);
  GST_INFO_ID (flow->name, "set to mode %s, measure %s, segments of up to %u "
      "bytes, H %u; packets wait for %" GST_TIME_FORMAT " at most",
      gst_tfrc_mode_get_nick (config->mode),
      gst_tfrc_measure_get_nick (config->measure), config->mss, config->H,
      GST_TIME_ARGS (gst_tfrc_data_flow_sender_get_queue_time (flow)));
}

void
gst_tfrc_data_flow_sender_clear (GstTfrcDataFlowSender * flow)
{
  gst_tfrc_pacing_queue_free (&flow->queue);
  gst_tfrc_flow_sender_side_receiver_clear (&flow->feedback);
  gst_tfrc_data_flow_sender_set_group (flow, NULL, 0);
  g_clear_pointer (&flow->sender, g_free);
  g_clear_pointer (&flow->arrivals, g_free);
  g_queue_clear_full (&flow->messages, (GDestroyNotify) gst_structure_free);
}

/* --- the allowance of the encoder --- */

void
gst_tfrc_data_flow_sender_get_rate (const GstTfrcDataFlowSender * flow,
    GstTfrcRate * rate, TfrcTime now)
{
  TfrcAllowance allowance;

  *rate = (GstTfrcRate) {
      .loss = -1.0};
  if (flow->sender == NULL)
    return;
  tfrc_sender_get_allowance (flow->sender, &allowance);
  gst_tfrc_flow_breaker_limit (&flow->breaker, &allowance);
  gst_tfrc_encoder_allowance_make (&flow->allowance, &allowance, &flow->config,
      flow->settings, gst_tfrc_meter_get_packet_rate (&flow->meter), rate);
  rate->dropped = gst_tfrc_pacing_queue_get_dropped_data (&flow->queue);
  rate->queue_delay = gst_tfrc_pacing_queue_get_delay (&flow->queue, now);
  rate->ssrc = flow->ssrc;
  rate->loss = flow->loss;
  rate->playout = flow->playout;
  if (flow->arrivals != NULL)
    rate->known_after =
        tfrc_adapt_frame_arrivals_get_delay (flow->arrivals) * GST_SECOND;
  rate->coupled = flow->coupling.part;
}

void
gst_tfrc_data_flow_sender_note_rate (GstTfrcDataFlowSender * flow,
    GstTfrcRateReason reason, TfrcTime now)
{
  GstTfrcRate rate;

  gst_tfrc_data_flow_sender_get_rate (flow, &rate, now);
  if (rate.allowance.R == 0 && reason == GST_TFRC_RATE_REPORT)
    return;                     /* the start of the flow was notified already */
  gst_tfrc_encoder_allowance_set_reason (&flow->allowance, &rate, reason);
  gst_tfrc_notifier_note (&flow->notifier, &rate, now);
}

gboolean
gst_tfrc_data_flow_sender_take_rate (GstTfrcDataFlowSender * flow,
    GstTfrcRate * rate)
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

void
gst_tfrc_data_flow_sender_on_bits (GstTfrcDataFlowSender * flow, unsigned bits,
    GstTfrcRateReason reason, TfrcTime now)
{
  if (bits & TFRC_SENDER_RATE)
    flow->rate_set = now;
  if (bits & (TFRC_SENDER_RATE | TFRC_SENDER_LOSS | TFRC_SENDER_EXPIRED))
    gst_tfrc_data_flow_sender_note_rate (flow, reason, now);
}

/* --- the flows that share one rate --- */

/* A report or the nofeedback timer has changed the state of the engine. Returns the engine's bits. */
static unsigned
update_group (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  return gst_tfrc_flow_coupling_update (&flow->coupling, flow->sender,
      gst_tfrc_meter_get_packet_rate (&flow->meter),
      flow->allowance.overhead, now);
}

void
gst_tfrc_data_flow_sender_set_group (GstTfrcDataFlowSender * flow,
    GstTfrcCouplingGroup * group, TfrcTime now)
{
  gst_tfrc_flow_coupling_set_group (&flow->coupling, group, flow->sender, now);
}

void
gst_tfrc_data_flow_sender_follow_group (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  gst_tfrc_data_flow_sender_on_bits (flow,
      gst_tfrc_flow_coupling_follow (&flow->coupling, flow->sender, now),
      GST_TFRC_RATE_REPORT, now);
}

/* `bits` are those of an accepted report. The packet rate of the flow may have changed even when X
 * has not, so that the allowance is always computed. */
static void
accept_report (GstTfrcDataFlowSender * flow, unsigned bits,
    GstTfrcRateReason reason, TfrcTime now)
{
  flow->answered = flow->allowance.reported = TRUE;
  bits |= update_group (flow, now);
  if (bits & TFRC_SENDER_RATE)
    flow->rate_set = now;
  gst_tfrc_data_flow_sender_note_rate (flow, reason, now);
}

/* The breaker has changed its state if there is a `message`, which this function takes. */
static void
on_breaker (GstTfrcDataFlowSender * flow, GstStructure * message, TfrcTime now)
{
  if (message == NULL)
    return;
  GST_INFO_ID (flow->name, "circuit breaker: %" GST_PTR_FORMAT, message);
  g_queue_push_tail (&flow->messages, message);
  flow->rate_set = now;
  gst_tfrc_data_flow_sender_note_rate (flow, GST_TFRC_RATE_RESTART, now);
}

/* The data receiver is heard for the first time, and none of the packets so far has found it there. Before the first
 * report one packet departs in a second (RFC 5348 4.2); the next one need not wait for its second. */
static gboolean
appears (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  gboolean is_first = !flow->is_heard;

  flow->is_heard = TRUE;
  return is_first && flow->feedback.kind == GST_TFRC_FEEDBACK_TFRC &&
      !flow->allowance.reported && flow->begun != 0
      && now >= flow->begun + UNANSWERED;
}

gboolean
gst_tfrc_data_flow_sender_on_rtcp (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  gboolean resumed;
  GstStructure *message =
      gst_tfrc_flow_breaker_on_rtcp (&flow->breaker, &resumed, now);
  unsigned bits = resumed ? tfrc_sender_restart (flow->sender, now) :
      tfrc_sender_on_rtcp (flow->sender, now);
  gboolean is_new_path = resumed || (bits & TFRC_SENDER_REGAINED);

  if (appears (flow, now) && !is_new_path)
    bits |= tfrc_sender_restart (flow->sender, now);
  if (is_new_path)
    flow->allowance.reported = FALSE;
  if (is_new_path)
    gst_tfrc_flow_coupling_leave (&flow->coupling, flow->sender, now);
  gst_tfrc_data_flow_sender_on_bits (flow, bits, GST_TFRC_RATE_RESTART, now);
  on_breaker (flow, message, now);
  return is_new_path;
}

void
gst_tfrc_data_flow_sender_on_block (GstTfrcDataFlowSender * flow,
    guint8 fraction, gdouble marked, guint32 highest, TfrcTime now)
{
  on_breaker (flow, gst_tfrc_flow_breaker_on_block (&flow->breaker, fraction,
          marked, highest, now), now);
}

gboolean
gst_tfrc_data_flow_sender_take_report (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now)
{
  unsigned bits = tfrc_sender_on_report (flow->sender, report, now);
  gboolean accepted = !(bits & TFRC_SENDER_REJECTED);

  GST_DEBUG_ID (flow->name, "report %s", accepted ? "accepted" : "rejected");
  if (!accepted)
    return FALSE;
  gst_tfrc_data_flow_sender_take_arrivals (flow, report, now);
  accept_report (flow, bits, get_reason (bits), now);
  return TRUE;
}

gboolean
gst_tfrc_data_flow_sender_on_first_report (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now)
{
  unsigned bits = tfrc_sender_on_report (flow->sender, report, now);

  if (bits & TFRC_SENDER_REJECTED) {
    GST_DEBUG_ID (flow->name, "first report of a data receiver rejected");
    return FALSE;
  }
  GST_INFO_ID (flow->name, "another data receiver, slow start begins again");
  gst_tfrc_flow_coupling_leave (&flow->coupling, flow->sender, now);
  gst_tfrc_data_flow_sender_forget_arrivals (flow);
  bits = tfrc_sender_restart (flow->sender, now);
  bits |= tfrc_sender_on_report (flow->sender, report, now);
  if (bits & TFRC_SENDER_REJECTED)
    return FALSE;
  accept_report (flow, bits, GST_TFRC_RATE_RESTART, now);
  gst_tfrc_data_flow_sender_follow_report (flow, now);
  return TRUE;
}

void
gst_tfrc_data_flow_sender_on_rtt (GstTfrcDataFlowSender * flow, TfrcTime rtt,
    TfrcTime now)
{
  gst_tfrc_flow_breaker_on_rtt (&flow->breaker, rtt);
  gst_tfrc_data_flow_sender_on_bits (flow, tfrc_sender_on_rtt (flow->sender,
          rtt, now), GST_TFRC_RATE_REPORT, now);
}

void
gst_tfrc_data_flow_sender_set_playout (GstTfrcDataFlowSender * flow,
    GstClockTime playout)
{
  flow->playout = MIN (playout, PLAYOUT_MAX);
}

void
gst_tfrc_data_flow_sender_set_encoder (GstTfrcDataFlowSender * flow,
    const GstTfrcEncoderPackets * packets, TfrcTime now)
{
  flow->encoder = *packets;
  gst_tfrc_data_flow_sender_follow_copies (flow);
  set_largest_packet (flow);
  gst_tfrc_data_flow_sender_on_bits (flow,
      tfrc_sender_set_max_packet_size (flow->sender,
          flow->config.max_packet_size, now), GST_TFRC_RATE_RESTART, now);
}

void
gst_tfrc_data_flow_sender_set_initial_rtt (GstTfrcDataFlowSender * flow,
    TfrcTime rtt, TfrcTime now)
{
  gst_tfrc_data_flow_sender_on_bits (flow,
      tfrc_sender_set_initial_rtt (flow->sender, rtt, now),
      GST_TFRC_RATE_RESTART, now);
}

void
gst_tfrc_data_flow_sender_on_timer (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  unsigned bits;

  on_breaker (flow, gst_tfrc_flow_breaker_on_timer (&flow->breaker, now), now);
  if (now < tfrc_sender_next_timer (flow->sender))
    return;
  bits = tfrc_sender_on_timer (flow->sender, now);
  bits |= update_group (flow, now);
  gst_tfrc_data_flow_sender_on_bits (flow, bits, get_reason (bits), now);
}

void
gst_tfrc_data_flow_sender_restart (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  GST_INFO_ID (flow->name, "slow start begins again");
  flow->allowance.reported = FALSE;
  gst_tfrc_flow_coupling_leave (&flow->coupling, flow->sender, now);
  gst_tfrc_flow_sender_side_receiver_restart (&flow->feedback, now);
  gst_tfrc_data_flow_sender_on_bits (flow, tfrc_sender_restart (flow->sender,
          now), GST_TFRC_RATE_RESTART, now);
  gst_tfrc_data_flow_sender_start_rate (flow, now);
}

/* --- times --- */

TfrcTime
gst_tfrc_data_flow_sender_next_timer (const GstTfrcDataFlowSender * flow)
{
  return MIN (tfrc_sender_next_timer (flow->sender),
      gst_tfrc_flow_breaker_next_timer (&flow->breaker));
}

TfrcTime
gst_tfrc_data_flow_sender_next_time (const GstTfrcDataFlowSender * flow)
{
  TfrcTime timer = gst_tfrc_data_flow_sender_next_timer (flow);
  TfrcTime departure = gst_tfrc_data_flow_sender_next_departure (flow);

  return MIN (timer, departure);
}

/* --- statistics --- */

void
gst_tfrc_data_flow_sender_add_stats (const GstTfrcDataFlowSender * flow,
    GstStructure * stats, TfrcTime now)
{
  TfrcSenderStats s = { 0 };

  if (flow->sender != NULL)
    tfrc_sender_get_stats (flow->sender, &s);
  gst_tfrc_engine_stats_add_sender (stats, &s);
  gst_tfrc_pacing_queue_add_stats (&flow->queue, now, stats);
  gst_tfrc_flow_breaker_add_stats (&flow->breaker, stats);
  gst_tfrc_flow_sender_side_receiver_add_stats (&flow->feedback, stats);
  gst_tfrc_flow_coupling_add_stats (&flow->coupling, stats);
  gst_structure_set (stats, "mode", G_TYPE_STRING,
      gst_tfrc_mode_get_nick (flow->config.mode),
      "not-rtp", G_TYPE_UINT64, flow->not_rtp,
      "unstamped", G_TYPE_UINT64, flow->unstamped,
      "duration", G_TYPE_UINT64, flow->departed - flow->begun,
      "jitter", G_TYPE_UINT64, flow->jitter, NULL);
}
