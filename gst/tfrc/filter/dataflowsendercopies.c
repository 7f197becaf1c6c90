/* gst-tfrc: leaves out the redundant copies of what the data receiver is known to have
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/dataflowsenderprivate.h"

#include "base/redpacket.h"

/* A flow without redundant copies needs no memory for them. */
void
gst_tfrc_data_flow_sender_follow_copies (GstTfrcDataFlowSender * flow)
{
  if (!flow->encoder.redundant || flow->arrivals != NULL)
    return;
  flow->arrivals = g_new (TfrcAdaptFrameArrivals, 1);
  tfrc_adapt_frame_arrivals_init (flow->arrivals);
}

void
gst_tfrc_data_flow_sender_forget_arrivals (GstTfrcDataFlowSender * flow)
{
  if (flow->arrivals != NULL)
    tfrc_adapt_frame_arrivals_init (flow->arrivals);
}

void
gst_tfrc_data_flow_sender_take_arrivals (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now)
{
  if (flow->arrivals != NULL)
    tfrc_adapt_frame_arrivals_on_report (flow->arrivals, report, now);
}

void
gst_tfrc_data_flow_sender_note_frames (GstTfrcDataFlowSender * flow,
    const GstTfrcItem * item, const GstTfrcDeparture * departure, TfrcTime now)
{
  guint64 frames[GST_TFRC_RED_BLOCKS];
  guint n;

  if (flow->arrivals == NULL || departure->repair != NULL
      || departure->buffer == NULL || item->packet.stamp_offset == 0)
    return;
  n = gst_tfrc_red_get_frames (departure->buffer, item->is_red, frames);
  tfrc_adapt_frame_arrivals_on_departure (flow->arrivals,
      departure->stamp.t_i_us, departure->seq, frames, n, now);
}

void
gst_tfrc_data_flow_sender_leave_out_copies (GstTfrcDataFlowSender * flow,
    const GstTfrcItem * item)
{
  guint64 frames[GST_TFRC_RED_BLOCKS];
  guint i, n, needless = 0;

  if (flow->arrivals == NULL || item->copies == 0)
    return;
  n = gst_tfrc_red_get_frames (GST_BUFFER_CAST (item->object), TRUE, frames);
  for (i = 0; i + 1 < n; i++)
    if (tfrc_adapt_frame_arrivals_has (flow->arrivals, frames[i]))
      needless |= 1u << i;
  if (needless != 0)
    gst_tfrc_pacing_queue_leave_out (&flow->queue, needless);
}
