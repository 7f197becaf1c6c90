/* gst-tfrc: the functions of a flow driver that its files share
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWDRIVERPRIVATE_H
#define GST_TFRC_FLOWDRIVERPRIVATE_H

#include "filter/flowdriver.h"

G_BEGIN_DECLS

/* Offset of the original sequence number in the payload of a retransmission (RFC 4588 4), bytes. */
#define OSN_SIZE 2

/* What the RTP header of a packet says of its flow. */
typedef struct
{
  guint32 ssrc;
  guint pt;
} GstTfrcFlowPacket;

/* All are called with the lock of the owner, as those of flowdriver.h. */

/* flowdriver.c. Queues the message about a new state of the connection; `state` is what a function of
 * base/remoteliveness.h returned. */
void gst_tfrc_flow_driver_post_connection (GstTfrcFlowDriver * driver, const gchar * state);

/* Arms the timer for what is due next of all flows and of the connection. */
void gst_tfrc_flow_driver_arm_timer (GstTfrcFlowDriver * driver);

/* Arms the scheduler for a departure at `time`; TFRC_TIME_NONE: none. */
void gst_tfrc_flow_driver_arm_departures (GstTfrcFlowDriver * driver, TfrcTime time);

/* Arms timer and scheduler after the engines of the flows were given something at `now`. */
void gst_tfrc_flow_driver_arm_flows (GstTfrcFlowDriver * driver, TfrcTime now);

/* Whether the queues of the flows and of the passing packets have neither packet nor event. */
gboolean gst_tfrc_flow_driver_is_empty (const GstTfrcFlowDriver * driver);

/* flowdriverreports.c. Whether caps of the pad are about the packets of the flow. Caps with an SSRC are about the flow
 * of that SSRC, caps with a payload type about the flows that send it, or about the flow when it is the only one. Other
 * caps are about flows whose payload types the session does not know. NULL is about every flow. */
gboolean gst_tfrc_flow_driver_caps_are_about (const GstTfrcFlowDriver * driver, const GstCaps * caps,
    const GstTfrcSsrcFlow * flow);

/* flowdriverflows.c. The data receiver of the flow is told the mode of the flow. */
void gst_tfrc_flow_driver_announce_mode (GstTfrcFlowDriver * driver, const GstTfrcSsrcFlow * flow);

/* flowdriverflows.c. A flow without SSRC; NULL: there are too many. */
GstTfrcSsrcFlow *gst_tfrc_flow_driver_add_flow (GstTfrcFlowDriver * driver, TfrcTime now);

/* The flow of a packet whose SSRC no flow has yet; NULL: there is none. `passes` is set to whether the packet
 * passes without a flow. */
GstTfrcSsrcFlow *gst_tfrc_flow_driver_find_flow (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    const GstTfrcFlowPacket * packet, gboolean * passes, TfrcTime now);

/* The properties of the owner are those of the main flow. */
void gst_tfrc_flow_driver_notify_main (GstTfrcFlowDriver * driver);

G_END_DECLS

#endif
