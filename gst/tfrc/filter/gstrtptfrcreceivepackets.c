/* gst-tfrc: what rtptfrcreceive measures of the packets that arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/gstrtptfrcreceiveprivate.h"

#include "base/debugcategory.h"
#include "base/enums.h"
#include "filter/stampedpacket.h"
#include "rtcp/rtpsession.h"

GST_TFRC_DEFINE_CATEGORY ("rtptfrcreceivepackets",
    "packets that TFRC receivers measure");

/* The filter looks for a session again after so many packets. */
#define ATTACH_PACKETS 50

TfrcTime
gst_rtp_tfrc_receive_get_period (GstRtpTfrcReceive * self,
    const GstTfrcMeasuredFlow * flow)
{
  return MAX (self->interval, MIN (flow->rtt_us * TFRC_USEC, TFRC_SEC));
}

/* Arriving packets cause most reports. The timer is for the time in which no packet arrives. It is
 * armed one period late, so that it need not be armed again for each report. */
void
gst_rtp_tfrc_receive_arm_timer (GstRtpTfrcReceive * self)
{
  TfrcTime time = gst_tfrc_remote_liveness_next_time (&self->connection);
  guint i;

  for (i = 0; i < self->flows.n; i++) {
    TfrcTime next = tfrc_receiver_next_timer (self->flows.flows[i]->receiver);

    if (next != TFRC_TIME_NONE)
      time =
          MIN (time, next + gst_rtp_tfrc_receive_get_period (self,
              self->flows.flows[i]));
  }
  gst_tfrc_timer_arm (&self->timer, &self->time, time);
}

guint
gst_rtp_tfrc_receive_note_connection (GstRtpTfrcReceive * self,
    const gchar * state)
{
  if (!gst_tfrc_remote_liveness_queue_change (&self->connection, state,
          &self->messages))
    return 0;
  GST_INFO_OBJECT (self, "connection %s", state);
  gst_rtp_tfrc_receive_arm_timer (self);
  return ACT_POST;
}

guint
gst_rtp_tfrc_receive_hear (GstRtpTfrcReceive * self, TfrcTime now)
{
  return gst_rtp_tfrc_receive_note_connection (self,
      gst_tfrc_remote_liveness_on_heard (&self->connection, now));
}

guint
gst_rtp_tfrc_receive_on_bits (GstRtpTfrcReceive * self,
    GstTfrcMeasuredFlow * flow, unsigned bits, TfrcTime now)
{
  guint actions = 0;

  if (bits & TFRC_RECEIVER_TIMER)
    gst_rtp_tfrc_receive_arm_timer (self);
  if (bits & TFRC_RECEIVER_RTT)
    actions |= ACT_PATH;
  if (bits & TFRC_RECEIVER_LOSS)
    GST_DEBUG_OBJECT (self, "a loss event of SSRC %08x begins", flow->ssrc);
  if (bits & TFRC_RECEIVER_RESTARTED)
    GST_DEBUG_OBJECT (self, "history of SSRC %08x begins again", flow->ssrc);
  /* A request that the session refused is made again after a while. */
  if (bits & TFRC_RECEIVER_REPORT ||
      (tfrc_receiver_wants_report (flow->receiver) &&
          now - flow->asked > gst_rtp_tfrc_receive_get_period (self, flow))) {
    flow->asked = now;
    actions |= ACT_REQUEST;
  }
  return actions;
}

void
gst_rtp_tfrc_receive_set_mode (GstRtpTfrcReceive * self,
    GstTfrcMeasuredFlow * flow, TfrcMode mode)
{
  if (mode == flow->mode)
    return;
  GST_INFO_OBJECT (self, "measures SSRC %08x in mode %s", flow->ssrc,
      gst_tfrc_mode_get_nick (mode));
  flow->mode = mode;
  tfrc_receiver_set_mode (flow->receiver, mode);
}

/* The mode of a flow whose data sender has not said it yet: the one that a data sender chooses by the same caps. */
static TfrcMode
guess_mode (GstRtpTfrcReceive * self, const GstTfrcPayloadRole * role)
{
  gint mode = role->known ? role->mode : self->caps_mode;

  return mode >= 0 ? mode : TFRC_MODE_TFRC;
}

/* A packet with a stamp has an SSRC that is not measured yet. Returns NULL when there are too many. */
static GstTfrcMeasuredFlow *
begin_flow (GstRtpTfrcReceive * self, guint32 ssrc,
    const GstTfrcPayloadRole * role, TfrcTime now)
{
  guint32 replaced;
  GstTfrcMeasuredFlow *flow =
      gst_tfrc_measured_flows_add (&self->flows, ssrc, &replaced, now);

  if (flow == NULL)
    return NULL;
  GST_INFO_OBJECT (self, "measures SSRC %08x", ssrc);
  if (replaced != 0)
    gst_tfrc_data_receiver_rtcp_remove_media (self->rtcp, replaced);
  gst_tfrc_data_receiver_rtcp_add_media (self->rtcp, ssrc);
  tfrc_receiver_set_report_interval (flow->receiver, self->interval, now);
  if (self->chooses_mode) {
    gst_rtp_tfrc_receive_set_mode (self, flow, guess_mode (self, role));
    gst_tfrc_data_receiver_rtcp_set_mode (self->rtcp, flow->mode);
  }
  return flow;
}

/* Returns the flow that the packet is measured with, or NULL. Only a packet with a stamp begins a flow. */
static GstTfrcMeasuredFlow *
find_flow (GstRtpTfrcReceive * self, const GstTfrcStampedPacket * packet,
    guint payload_type, gboolean * is_repair, TfrcTime now)
{
  GstTfrcMeasuredFlow *flow =
      gst_tfrc_measured_flows_find (&self->flows, packet->ssrc);
  GstTfrcPayloadRole role;

  *is_repair = flow == NULL;
  if (flow != NULL)
    return flow;
  flow =
      gst_tfrc_measured_flows_find_repaired (&self->flows, packet->ssrc, now);
  if (flow != NULL)
    return flow;
  GST_OBJECT_LOCK (self);
  role = gst_tfrc_payload_roles_get (&self->roles, &self->settings,
      payload_type);
  flow = gst_tfrc_measured_flows_learn_repaired (&self->flows, packet->ssrc,
      &role, &self->settings, now);
  GST_OBJECT_UNLOCK (self);
  if (flow != NULL || packet->stamp_offset == 0
      || role.kind == GST_TFRC_PAYLOAD_FEC)
    return flow;
  *is_repair = FALSE;
  return begin_flow (self, packet->ssrc, &role, now);
}

static guint
note_stamp (GstRtpTfrcReceive * self, GstTfrcMeasuredFlow * flow,
    const GstTfrcStampedPacket * packet, TfrcTime now)
{
  if (packet->stamp_offset == 0)
    return 0;
  gst_tfrc_measured_flow_note_stamp (flow, &packet->stamp, now);
  gst_tfrc_stamp_memory_add (&flow->stamps, packet->stamp.t_i_us);
  if (packet->stamp.rtt_us == flow->rtt_us)
    return 0;
  /* the R of a path that takes the same time for each packet does not move */
  flow->rtt_us = packet->stamp.rtt_us;
  return flow == gst_tfrc_measured_flows_get_main (&self->flows) ?
      ACT_CONFIRM : 0;
}

static guint
measure (GstRtpTfrcReceive * self, const GstTfrcStampedPacket * packet,
    guint payload_type, TfrcTime now)
{
  TfrcPacket arrival = {
    .seq = packet->seq,
    .size = packet->size,
    .stamped = packet->stamp_offset != 0,
    .stamp = packet->stamp,
  };
  GstTfrcMeasuredFlow *flow;
  gboolean is_repair;
  guint actions = 0;

  if (packet->parse == TFRC_PARSE_SIZE)
    self->bad_extensions++;
  flow = find_flow (self, packet, payload_type, &is_repair, now);
  if (flow == NULL) {
    self->flows.others++;
    GST_LOG_OBJECT (self, "#%u of SSRC %08x is not measured", packet->seq,
        packet->ssrc);
    return 0;
  }
  GST_LOG_OBJECT (self, "#%u of %08x, %u bytes, %s", packet->seq, packet->ssrc,
      packet->size, packet->stamp_offset != 0 ? "stamped" : "not stamped");
  actions |= gst_rtp_tfrc_receive_hear (self, now);
  if (gst_tfrc_measured_flows_note (&self->flows, flow, packet->size,
          payload_type, is_repair, now))
    GST_INFO_OBJECT (self, "the properties are about SSRC %08x from now on",
        flow->ssrc);
  if (is_repair) {
    tfrc_receiver_on_repair (flow->receiver, packet->size, now);
    return actions;
  }
  actions |= note_stamp (self, flow, packet, now);
  actions |=
      gst_rtp_tfrc_receive_on_bits (self, flow,
      tfrc_receiver_on_packet (flow->receiver, &arrival, now), now);
  return actions;
}

/* The payload type of a packet, of any buffer. */
static guint
get_payload_type (GstBuffer * buffer)
{
  guint8 data[2] = { 0 };

  gst_buffer_extract (buffer, 0, data, sizeof data);
  return data[1] & 0x7f;
}

/* Asks the session what a payload type is for that has not come yet. Called with the lock, which is released
 * meanwhile. */
static void
learn_payload_type (GstRtpTfrcReceive * self, guint pt)
{
  GObject *session = NULL;
  GstCaps *caps;

  if (!gst_tfrc_payload_roles_wants_caps (&self->roles, pt))
    return;
  g_mutex_unlock (&self->lock);
  GST_OBJECT_LOCK (self);
  if (self->settings.rtp_session != NULL)
    session = g_object_ref (self->settings.rtp_session);
  GST_OBJECT_UNLOCK (self);
  caps = gst_tfrc_rtp_session_request_caps (session, self->sinkpad, pt);
  if (caps == NULL)
    caps = gst_tfrc_rtp_session_request_caps (session, self->srcpad, pt);
  g_clear_object (&session);
  g_mutex_lock (&self->lock);
  gst_tfrc_payload_roles_set_caps (&self->roles, pt, caps);
  gst_clear_caps (&caps);
}

/* The ID of the header extension in packets of the payload type. */
static guint
get_extension_id (GstRtpTfrcReceive * self, guint pt)
{
  const GstTfrcPayloadRole *role = &self->roles.roles[pt];

  return self->by_caps && role->known && role->id != 0 ? role->id : self->id;
}

guint
gst_rtp_tfrc_receive_take_buffer (GstRtpTfrcReceive * self, GstBuffer ** buffer,
    TfrcTime now)
{
  GstTfrcStampedPacket packet;
  guint pt, actions = 0;

  if (self->off)
    return 0;
  if (!self->attached && self->attach_in-- == 0) {
    self->attach_in = ATTACH_PACKETS;
    actions |= ACT_ATTACH;
  }
  pt = get_payload_type (*buffer);
  learn_payload_type (self, pt);
  if (!gst_tfrc_stamped_packet_parse (&packet, *buffer,
          get_extension_id (self, pt))) {
    self->not_rtp++;
    return actions;
  }
  if (packet.stamp_offset != 0)
    *buffer = gst_tfrc_stamped_packet_strip (&packet, *buffer);
  return actions | measure (self, &packet, pt, now);
}
