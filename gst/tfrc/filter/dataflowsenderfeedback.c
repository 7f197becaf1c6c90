/* gst-tfrc: what remotes tell a data flow sender: TFRC reports, or feedback that knows nothing of TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/dataflowsenderprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdataflowsenderfeedback",
    "feedback to TFRC data senders");

/* The round-trip time that a flow with report blocks alone begins with, which is the least that such a flow may have: W_init
 * in that time is 80 packets a second, and carries a voice until the first block. */
#define ASSUMED_RTT (50 * TFRC_MSEC)

/* RFC 3550 6.2: the least interval between the RTCP packets of a data receiver that has no other feedback. */
#define BLOCK_INTERVAL (5 * TFRC_SEC)

/* --- the rate of a flow by its feedback --- */

static gboolean
waits_for_blocks (const GstTfrcDataFlowSender * flow)
{
  return flow->settings->feedback != GST_TFRC_FEEDBACK_TFRC
      && gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow->feedback);
}

void
gst_tfrc_data_flow_sender_set_report_interval (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  tfrc_sender_set_report_interval (flow->sender,
      waits_for_blocks (flow) ? BLOCK_INTERVAL : 0, now);
}

/* Report blocks are seconds apart. A flow that has no better feedback begins with a round-trip time that is assumed, and
 * waits for each of them. */
void
gst_tfrc_data_flow_sender_start_rate (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  gst_tfrc_data_flow_sender_set_report_interval (flow, now);
  if (flow->feedback.kind == GST_TFRC_FEEDBACK_RR)
    gst_tfrc_data_flow_sender_on_bits (flow, tfrc_sender_on_rtt (flow->sender,
            ASSUMED_RTT, now), GST_TFRC_RATE_RESTART, now);
}

/* --- TFRC reports --- */

void
gst_tfrc_data_flow_sender_follow_report (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  gst_tfrc_flow_sender_side_receiver_on_report (&flow->feedback, now);
  gst_tfrc_data_flow_sender_set_report_interval (flow, now);
}

gboolean
gst_tfrc_data_flow_sender_on_report (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now)
{
  gboolean accepted = gst_tfrc_data_flow_sender_take_report (flow, report, now);

  if (accepted)
    gst_tfrc_data_flow_sender_follow_report (flow, now);
  return accepted;
}

/* --- feedback of receivers that know nothing of TFRC --- */

void
gst_tfrc_data_flow_sender_set_feedback (GstTfrcDataFlowSender * flow,
    GstTfrcFeedback kind, TfrcTime now)
{
  if (!gst_tfrc_flow_sender_side_receiver_set_kind (&flow->feedback, kind, now))
    return;
  GST_INFO_ID (flow->name, "the data receiver's feedback is %s",
      gst_tfrc_feedback_get_nick (kind));
  gst_tfrc_data_flow_sender_start_rate (flow, now);
}

gboolean
gst_tfrc_data_flow_sender_on_arrivals (GstTfrcDataFlowSender * flow,
    GstTfrcArrivals * arrivals, TfrcTime now)
{
  TfrcReport report;
  unsigned bits =
      gst_tfrc_flow_sender_side_receiver_on_arrivals (&flow->feedback, arrivals,
      flow->ssrc, &report, now);

  if (bits & TFRC_SENDER_SIDE_RTT)
    tfrc_sender_on_rtt_sample (flow->sender, &report, now);
  return (bits & TFRC_SENDER_SIDE_REPORT)
      && gst_tfrc_data_flow_sender_take_report (flow, &report, now);
}

static guint64
count_reports (const GstTfrcDataFlowSender * flow)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (flow->sender, &stats);
  return stats.reports;
}

void
gst_tfrc_data_flow_sender_forget_remote (GstTfrcDataFlowSender * flow,
    TfrcTime now)
{
  flow->playout = 0;
  gst_tfrc_data_flow_sender_forget_arrivals (flow);
  gst_tfrc_flow_sender_side_receiver_forget_remote (&flow->feedback,
      count_reports (flow), now);
}

void
gst_tfrc_data_flow_sender_on_new_remote (GstTfrcDataFlowSender * flow)
{
  flow->playout = 0;
  gst_tfrc_data_flow_sender_forget_arrivals (flow);
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow->feedback,
      count_reports (flow));
}

/* Report blocks take the place of feedback that does not come. Slow start begins again where that feedback has come
 * before, because the nofeedback timer has ended the rate since, on a path on which packets arrive. */
static void
fall_back (GstTfrcDataFlowSender * flow, guint64 reports, TfrcTime now)
{
  GST_INFO_ID (flow->name, "no feedback of the kind %s comes: receiver "
      "reports take its place",
      gst_tfrc_feedback_get_nick (flow->feedback.kind));
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow->feedback, now);
  if (reports > 0)
    gst_tfrc_data_flow_sender_restart (flow, now);
  else
    gst_tfrc_data_flow_sender_start_rate (flow, now);
}

/* Packets have arrived at a remote that may know nothing of TFRC: what it allows lasts until the next report block. The
 * first TFRC report may come in the packet of the first block, and its R starts the rate. */
static void
wait_for_next_block (GstTfrcDataFlowSender * flow, TfrcTime rtt, TfrcTime now)
{
  gst_tfrc_data_flow_sender_set_report_interval (flow, now);
  if (rtt == 0 && flow->feedback.unanswered > 1)
    gst_tfrc_data_flow_sender_set_initial_rtt (flow, ASSUMED_RTT, now);
}

void
gst_tfrc_data_flow_sender_on_losses (GstTfrcDataFlowSender * flow, gint lost,
    guint32 highest, TfrcTime rtt, TfrcTime now)
{
  guint64 reports = count_reports (flow);
  guint unanswered = flow->feedback.unanswered;
  TfrcReport report;

  if (gst_tfrc_flow_sender_side_receiver_is_missing (&flow->feedback, reports,
          highest, now)
      && flow->settings->feedback != GST_TFRC_FEEDBACK_TFRC)
    fall_back (flow, reports, now);
  else if (flow->feedback.kind == GST_TFRC_FEEDBACK_TFRC
      && flow->feedback.unanswered > unanswered && waits_for_blocks (flow))
    wait_for_next_block (flow, rtt, now);
  if (gst_tfrc_flow_sender_side_receiver_on_block (&flow->feedback, lost,
          highest, rtt, &report, now))
    gst_tfrc_data_flow_sender_take_report (flow, &report, now);
}
