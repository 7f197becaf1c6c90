/* gst-tfrc: the functions of a data flow sender that its files share
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DATAFLOWSENDERPRIVATE_H
#define GST_TFRC_DATAFLOWSENDERPRIVATE_H

#include "filter/dataflowsender.h"

G_BEGIN_DECLS

/* dataflowsender.c. A function of the engine has returned `bits`. Where they say that the allowance has changed,
 * the notifier gets it with `reason`. */
void gst_tfrc_data_flow_sender_on_bits (GstTfrcDataFlowSender * flow, unsigned bits,
    GstTfrcRateReason reason, TfrcTime now);

/* dataflowsender.c. The engine gets a report that is of the remote, or that was made here of its other feedback. Returns
 * whether the engine accepted it. */
gboolean gst_tfrc_data_flow_sender_take_report (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now);

/* dataflowsenderfeedback.c. Tells the engine how seldom feedback of the present kind comes. */
void gst_tfrc_data_flow_sender_set_report_interval (GstTfrcDataFlowSender * flow, TfrcTime now);

/* dataflowsenderfeedback.c. The rate begins as feedback of the present kind wants it. */
void gst_tfrc_data_flow_sender_start_rate (GstTfrcDataFlowSender * flow, TfrcTime now);

/* dataflowsenderfeedback.c. A TFRC report of the remote was accepted, and may be the first one after report blocks. */
void gst_tfrc_data_flow_sender_follow_report (GstTfrcDataFlowSender * flow, TfrcTime now);

/* dataflowsendercopies.c. The encoder has said whether packets may have redundant copies (RFC 2198). */
void gst_tfrc_data_flow_sender_follow_copies (GstTfrcDataFlowSender * flow);

/* dataflowsendercopies.c. The data receiver is another one, which may have nothing of what has departed. */
void gst_tfrc_data_flow_sender_forget_arrivals (GstTfrcDataFlowSender * flow);

/* dataflowsendercopies.c. The engine has accepted a report. */
void gst_tfrc_data_flow_sender_take_arrivals (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now);

/* dataflowsendercopies.c. A packet that has left the queue departs, with its stamp. */
void gst_tfrc_data_flow_sender_note_frames (GstTfrcDataFlowSender * flow,
    const GstTfrcItem * item, const GstTfrcDeparture * departure, TfrcTime now);

/* dataflowsendercopies.c. Takes the redundant copies out of the first packet, `item`, that are known to have arrived. */
void gst_tfrc_data_flow_sender_leave_out_copies (GstTfrcDataFlowSender * flow,
    const GstTfrcItem * item);

/* dataflowsendertfrcmode.c. A packet of the data was added. */
void gst_tfrc_data_flow_sender_count_packet (GstTfrcDataFlowSender * flow, TfrcTime now);

/* The mode or the media are others. Audio has no video frames, and neither has mode tfrc-sp: it is for voice, where an
 * event of RFC 4733 has one timestamp in all of its packets. */
void gst_tfrc_data_flow_sender_follow_media (GstTfrcDataFlowSender * flow);

G_END_DECLS

#endif
