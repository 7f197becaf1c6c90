/* gst-tfrc: what data receivers tell of the flows of rtptfrcsend
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriverprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowdriverreports",
    "TFRC reports about the flows of a filter");

/* RTCP of the data receiver arrived. */
static void
hear (GstTfrcFlowDriver * driver, TfrcTime now)
{
  guint i;

  gst_tfrc_flow_driver_post_connection (driver,
      gst_tfrc_remote_liveness_on_heard (&driver->connection, now));
  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_on_rtcp (&driver->table.flows[i]->sender, now);
}

gboolean
gst_tfrc_flow_driver_on_report (GstTfrcFlowDriver * driver, guint32 ssrc,
    const TfrcReport * report, gboolean is_new_receiver)
{
  GstTfrcSsrcFlow *flow = gst_tfrc_flow_table_find (&driver->table, ssrc);
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  gboolean accepted;

  if (flow == NULL)
    return FALSE;
  hear (driver, now);
  accepted = is_new_receiver ?
      gst_tfrc_data_flow_sender_on_first_report (&flow->sender, report, now) :
      gst_tfrc_data_flow_sender_on_report (&flow->sender, report, now);
  gst_tfrc_flow_driver_arm_flows (driver, now);
  return accepted;
}

/* Compares the loss event rate of the TFRC reports with the losses of the receiver reports. */
static void
check_receiver (GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow, gint lost,
    TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender.sender, &allowance);
  if (!gst_tfrc_loss_cross_check_check (&flow->cross_check, lost, allowance.p,
          allowance.R * GST_SECOND, now))
    return;
  flow->doubted++;
  GST_WARNING_OBJECT (driver->owner,
      "%d packets are lost by RTCP receiver reports, none by TFRC reports",
      lost);
}

/* A report block about the data. */
static void
take_block (GstTfrcFlowDriver * driver, const GstTfrcReceiverReport * report,
    TfrcTime now)
{
  GstTfrcSsrcFlow *flow =
      gst_tfrc_flow_table_find (&driver->table, report->media_ssrc);

  if (flow == NULL || flow->sender.ssrc != report->media_ssrc)
    return;
  if (report->is_new_receiver)
    gst_tfrc_data_flow_sender_on_new_remote (&flow->sender);
  flow->sender.loss =
      gst_tfrc_data_sender_rtcp_get_loss (driver->rtcp, report->media_ssrc);
  if (flow->sender.clock_rate > 0)
    flow->sender.jitter = gst_util_uint64_scale (report->jitter, GST_SECOND,
        flow->sender.clock_rate);
  if (report->rtt != 0)
    gst_tfrc_data_flow_sender_on_rtt (&flow->sender, report->rtt, now);
  gst_tfrc_data_flow_sender_on_block (&flow->sender, report->fraction,
      0.0, report->highest, now);
  gst_tfrc_data_flow_sender_on_losses (&flow->sender, report->lost,
      report->highest, report->rtt, now);
  check_receiver (driver, flow, report->lost, now);
}

void
gst_tfrc_flow_driver_on_receiver_report (GstTfrcFlowDriver * driver,
    const GstTfrcReceiverReport * report)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  hear (driver, now);
  if (report->has_block)
    take_block (driver, report, now);
  gst_tfrc_flow_driver_arm_flows (driver, now);
}

/* --- feedback of receivers that know nothing of TFRC --- */

gboolean
gst_tfrc_flow_driver_caps_are_about (const GstTfrcFlowDriver * driver,
    const GstCaps * caps, const GstTfrcSsrcFlow * flow)
{
  const GstStructure *structure;
  gint payload_type;
  guint ssrc;

  if (caps == NULL || !flow->has_ssrc)
    return TRUE;
  structure = gst_caps_get_structure (caps, 0);
  if (gst_structure_get_uint (structure, "ssrc", &ssrc))
    return ssrc == flow->sender.ssrc;
  if (gst_structure_get_int (structure, "payload", &payload_type))
    return driver->table.n == 1
        || gst_tfrc_ssrc_flow_has_payload_type (flow, payload_type);
  return !flow->has_role;
}

void
gst_tfrc_flow_driver_set_feedback (GstTfrcFlowDriver * driver,
    GstTfrcFeedback kind, const GstCaps * caps)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  driver->feedback = kind;
  for (i = 0; i < driver->table.n; i++)
    if (gst_tfrc_flow_driver_caps_are_about (driver, caps,
            driver->table.flows[i]))
      gst_tfrc_data_flow_sender_set_feedback (&driver->table.flows[i]->sender,
          kind, now);
}

gboolean
gst_tfrc_flow_driver_listens_to (const GstTfrcFlowDriver * driver, guint fmt)
{
  guint i;

  for (i = 0; i < driver->table.n; i++)
    if (gst_tfrc_flow_sender_side_receiver_listens_to (&driver->table.flows
            [i]->sender.feedback, fmt))
      return TRUE;
  return FALSE;
}

/* Another data receiver sends the feedback that some flows listen to. */
static void
restart_flows (GstTfrcFlowDriver * driver, guint fmt, TfrcTime now)
{
  guint i;

  for (i = 0; i < driver->table.n; i++)
    if (gst_tfrc_flow_sender_side_receiver_listens_to (&driver->table.flows
            [i]->sender.feedback, fmt))
      gst_tfrc_data_flow_sender_restart (&driver->table.flows[i]->sender, now);
}

gboolean
gst_tfrc_flow_driver_on_arrivals (GstTfrcFlowDriver * driver, guint fmt,
    const guint8 * data, gsize size, gboolean is_new_receiver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  gboolean accepted = FALSE;
  guint i;

  if (!gst_tfrc_flow_driver_listens_to (driver, fmt))
    return FALSE;
  hear (driver, now);
  gst_tfrc_arrivals_set (&driver->arrivals, fmt, data, size);
  for (i = 0; i < driver->table.n; i++)
    accepted |=
        gst_tfrc_data_flow_sender_on_arrivals (&driver->table.flows[i]->sender,
        &driver->arrivals, now);
  if (accepted && is_new_receiver)
    restart_flows (driver, fmt, now);
  gst_tfrc_flow_driver_arm_flows (driver, now);
  return accepted;
}

void
gst_tfrc_flow_driver_on_number (GstTfrcFlowDriver * driver,
    const GstTfrcTwccSeqnum * number)
{
  GstTfrcSsrcFlow *flow =
      gst_tfrc_flow_table_find (&driver->table, number->ssrc);

  if (flow != NULL)
    gst_tfrc_flow_sender_side_receiver_on_number (&flow->sender.feedback,
        flow->sender.ssrc == number->ssrc ? 0 : number->ssrc, number->seq,
        number->number, gst_tfrc_flow_driver_get_now (driver));
}
