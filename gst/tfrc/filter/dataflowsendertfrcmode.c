/* gst-tfrc: the TFRC mode of a data flow sender, by what is negotiated and by its packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/dataflowsenderprivate.h"

#include "base/debugcategory.h"
#include "base/enums.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdataflowsendertfrcmode",
    "mode of TFRC data senders");

/* RFC 4828 1: TFRC-SP is not for packets that are larger. */
#define SP_PACKET_MAX 1500
/* RFC 4828 3: TFRC-SP sends at most 100 packets per second. A measured rate that is above by this
 * factor is no measuring error. */
#define SP_RATE_MAX (100 * 1.1)
/* Two such periods, one after the other, have too many packets before the packets are too many: a start hands out at
 * once what has waited for it. */
#define PERIOD (2 * TFRC_SEC)
/* Bytes of an RTP packet that is small where the caps do not say what the media are: a packet of speech, with
 * redundant copies. */
#define SMALL_MAX 400

gboolean
gst_tfrc_data_flow_sender_is_too_large (const GstTfrcDataFlowSender * flow)
{
  return gst_tfrc_meter_get_last_size (&flow->meter) + flow->config.H >
      SP_PACKET_MAX;
}

void
gst_tfrc_data_flow_sender_count_packet (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  GstTfrcPeriod *period = &flow->period;
  gboolean above;

  if (period->begin == 0)
    period->begin = now;
  period->packets++;
  if (now - period->begin < PERIOD)
    return;
  above = period->packets >
      SP_RATE_MAX * (gdouble) (now - period->begin) / TFRC_SEC;
  *period = (GstTfrcPeriod) {now, 0, above, above && period->above};
}

gboolean
gst_tfrc_data_flow_sender_is_too_fast (const GstTfrcDataFlowSender * flow)
{
  return flow->period.too_fast;
}

/* Before the first departure the engine begins anew, since its send history has the size of the mode. The new engine
 * gets all that the old one was told: the round-trip time and the interval between reports. No report has come yet, so
 * that the flow is coupled with no other; the circuit breaker keeps its limit outside of the engine. */
static void
remake_engine (GstTfrcDataFlowSender * flow, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender, &allowance);
  g_free (flow->sender);
  flow->sender = tfrc_sender_init (g_malloc0 (tfrc_sender_size (&flow->config)),
      &flow->config, now);
  if (allowance.R > 0)
    tfrc_sender_on_rtt (flow->sender, allowance.R * TFRC_SEC, now);
  gst_tfrc_data_flow_sender_set_report_interval (flow, now);
}

void
gst_tfrc_data_flow_sender_follow_media (GstTfrcDataFlowSender * flow)
{
  flow->queue.whole_frames = flow->config.mode == TFRC_MODE_TFRC
      && !flow->coupling.wants.audio;
}

void
gst_tfrc_data_flow_sender_set_wants (GstTfrcDataFlowSender * flow,
    const GstTfrcFlowWants * wants)
{
  flow->coupling.wants = *wants;
  gst_tfrc_data_flow_sender_follow_media (flow);
}

static void
change_mode (GstTfrcDataFlowSender * flow, TfrcMode mode, const gchar * why,
    TfrcTime now)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (flow->sender, &stats);
  GST_INFO_ID (flow->name, "mode %s, %s", gst_tfrc_mode_get_nick (mode), why);
  flow->config.mode = mode;
  gst_tfrc_data_flow_sender_follow_media (flow);
  if (stats.packets == 0)
    remake_engine (flow, now);
  else
    tfrc_sender_set_mode (flow->sender, mode, now);
  gst_tfrc_flow_sender_side_receiver_set_mode (&flow->feedback, mode);
  gst_tfrc_flow_breaker_set_mode (&flow->breaker, mode);
  flow->rate_set = now;
  gst_tfrc_data_flow_sender_note_rate (flow, GST_TFRC_RATE_START, now);
}

void
gst_tfrc_data_flow_sender_set_mode (GstTfrcDataFlowSender * flow, gint mode,
    gboolean agreed, TfrcTime now)
{
  if (!flow->chooses_mode || (mode < 0 && flow->has_mode)
      || (flow->keeps_mode && !agreed))
    return;
  flow->has_mode = mode >= 0;
  flow->keeps_mode = agreed;
  if (mode < 0)
    mode = TFRC_MODE_TFRC;
  if ((TfrcMode) mode != flow->config.mode)
    change_mode (flow, mode, agreed ? "as was negotiated" :
        "as the media are", now);
}

/* Packets of retransmission are among those that the meter counts. */
static gboolean
is_none_of_sp (const GstTfrcDataFlowSender * flow)
{
  return gst_tfrc_data_flow_sender_is_too_large (flow) || (flow->n_repairs == 0
      && gst_tfrc_data_flow_sender_is_too_fast (flow));
}

/* Many small packets at a time may be what has waited for the start, so that the next ones decide. */
static gboolean
is_of_sp (GstTfrcDataFlowSender * flow)
{
  gboolean small = gst_tfrc_meter_get_largest_size (&flow->meter) <= SMALL_MAX;
  gdouble rate = gst_tfrc_meter_get_packet_rate (&flow->meter);
  gboolean rare = rate > 0 && rate <= SP_RATE_MAX;

  flow->has_mode = !small || rare;
  return small && rare;
}

gboolean
gst_tfrc_data_flow_sender_check_mode (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  if (!flow->chooses_mode || flow->keeps_mode)
    return FALSE;
  if (flow->config.mode == TFRC_MODE_TFRC_SP) {
    if (!is_none_of_sp (flow))
      return FALSE;
    flow->has_mode = flow->keeps_mode = TRUE;
    change_mode (flow, TFRC_MODE_TFRC, "because of large or many packets", now);
    return TRUE;
  }
  if (flow->has_mode || !gst_tfrc_meter_is_refilled (&flow->meter))
    return FALSE;
  if (!is_of_sp (flow))
    return FALSE;
  change_mode (flow, TFRC_MODE_TFRC_SP, "because of small and rare packets",
      now);
  return TRUE;
}
