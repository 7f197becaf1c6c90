/* gst-tfrc: begins the flows of rtptfrcsend, and finds the flow that a packet is of
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriverprivate.h"

#include "base/tfrccaps.h"

void
gst_tfrc_flow_driver_notify_main (GstTfrcFlowDriver * driver)
{
  GstTfrcSsrcFlow *main = gst_tfrc_flow_table_get_main (&driver->table);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    driver->table.flows[i]->sender.notifier.notify =
        driver->table.flows[i] == main ? gst_tfrc_allowance_properties_notify :
        NULL;
}

void
gst_tfrc_flow_driver_announce_mode (GstTfrcFlowDriver * driver,
    const GstTfrcSsrcFlow * flow)
{
  if (flow->has_ssrc)
    gst_tfrc_data_sender_rtcp_set_mode (driver->rtcp, flow->sender.ssrc,
        flow->sender.config.mode);
}

/* The mode is that of the payload type, where the session knows that, else that of the caps of the pad. */
static void
choose_mode (GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow,
    const GstTfrcPayloadRole * role, TfrcTime now)
{
  gboolean agreed;
  gint mode = gst_tfrc_caps_get_mode (driver->caps, &agreed);

  if (role != NULL && role->known) {
    mode = role->mode;
    agreed = role->mode_agreed;
  }
  gst_tfrc_data_flow_sender_set_mode (&flow->sender, mode, agreed, now);
  gst_tfrc_flow_driver_announce_mode (driver, flow);
}

static void
set_ssrc (GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow, guint32 ssrc)
{
  gst_tfrc_ssrc_flow_set_ssrc (flow, driver->name, ssrc);
  gst_tfrc_data_sender_rtcp_add_media (driver->rtcp, ssrc);
  flow->sender.loss = gst_tfrc_data_sender_rtcp_get_loss (driver->rtcp, ssrc);
}

/* The caps of the pad say the ID of the header extension and the clock rate. */
static void
follow_caps (const GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow)
{
  gint clock_rate = 0;

  flow->id =
      gst_tfrc_filter_settings_get_extension_id (driver->settings,
      driver->caps);
  if (driver->caps != NULL) {
    const GstStructure *caps = gst_caps_get_structure (driver->caps, 0);
    GstTfrcFlowWants wants;

    gst_structure_get_int (caps, "clock-rate", &clock_rate);
    gst_tfrc_flow_wants_read (&wants, caps);
    gst_tfrc_data_flow_sender_set_wants (&flow->sender, &wants);
  }
  flow->sender.clock_rate = MAX (clock_rate, 0);
}

GstTfrcSsrcFlow *
gst_tfrc_flow_driver_add_flow (GstTfrcFlowDriver * driver, TfrcTime now)
{
  guint32 replaced;
  GstTfrcSsrcFlow *flow = gst_tfrc_flow_table_add (&driver->table,
      &driver->config, &replaced, now);

  if (flow == NULL)
    return NULL;
  if (replaced != 0)
    gst_tfrc_data_sender_rtcp_remove_media (driver->rtcp, replaced);
  if (driver->last == &flow->sender.queue)
    driver->last = NULL;
  follow_caps (driver, flow);
  gst_tfrc_data_flow_sender_set_group (&flow->sender, driver->group, now);
  gst_tfrc_data_flow_sender_set_feedback (&flow->sender, driver->feedback, now);
  gst_tfrc_data_flow_sender_set_encoder (&flow->sender, &driver->encoder, now);
  gst_tfrc_flow_driver_notify_main (driver);
  return flow;
}

/* The flow that has begun with caps that do not name its SSRC, or a new flow. */
static GstTfrcSsrcFlow *
begin_flow (GstTfrcFlowDriver * driver, guint32 ssrc, TfrcTime now)
{
  GstTfrcSsrcFlow *flow = NULL;
  gboolean is_new;
  guint i;

  for (i = 0; i < driver->table.n; i++)
    if (!driver->table.flows[i]->has_ssrc)
      flow = driver->table.flows[i];
  is_new = flow == NULL;
  if (is_new)
    flow = gst_tfrc_flow_driver_add_flow (driver, now);
  if (flow == NULL)
    return NULL;
  set_ssrc (driver, flow, ssrc);
  if (is_new)
    gst_tfrc_data_flow_sender_note_rate (&flow->sender, GST_TFRC_RATE_START,
        now);
  return flow;
}

void
gst_tfrc_flow_driver_set_encoder (GstTfrcFlowDriver * driver,
    const GstTfrcEncoderPackets * packets)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  driver->encoder = *packets;
  for (guint i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_set_encoder (&driver->table.flows[i]->sender,
        packets, now);
}

void
gst_tfrc_flow_driver_set_caps (GstTfrcFlowDriver * driver, GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  GstTfrcSsrcFlow *flow = NULL;
  guint ssrc;

  gst_caps_replace (&driver->caps, caps);
  driver->roles = (GstTfrcPayloadRoles) { { {
      0,}}};
  if (gst_structure_get_uint (structure, "ssrc", &ssrc)) {
    flow = gst_tfrc_flow_table_find (&driver->table, ssrc);
    if (flow == NULL)
      flow = begin_flow (driver, ssrc, now);
    /* the first packet of the new SSRC makes its flow the main one */
    if (driver->table.main.ssrc != ssrc)
      gst_tfrc_followed_ssrc_bye (&driver->table.main, driver->table.main.ssrc);
  } else {
    flow = gst_tfrc_flow_table_get_main (&driver->table);
  }
  if (flow == NULL)
    return;
  if (gst_tfrc_flow_driver_caps_are_about (driver, caps, flow)) {
    follow_caps (driver, flow);
    choose_mode (driver, flow, NULL, now);
  }
  gst_tfrc_data_flow_sender_note_rate (&flow->sender, GST_TFRC_RATE_START, now);
}

/* --- the flow of a packet --- */

/* The original sequence number in a retransmission; -1: the packet is too short. */
static gint
read_osn (GstBuffer * buffer)
{
  GstTfrcStampedPacket packet;
  guint8 osn[OSN_SIZE];

  if (!gst_tfrc_stamped_packet_parse (&packet, buffer, 0) ||
      gst_buffer_extract (buffer, packet.header_size, osn, sizeof osn) !=
      sizeof osn)
    return -1;
  return GST_READ_UINT16_BE (osn);
}

/* The flow that a packet of an unknown SSRC repairs; NULL: there is none yet. */
static GstTfrcSsrcFlow *
find_repaired (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    const GstTfrcFlowPacket * packet, const GstTfrcPayloadRole * role)
{
  GstTfrcSsrcFlow *flow;
  guint32 repaired;

  if (gst_tfrc_repaired_ssrc_find (driver->settings, driver->caps,
          packet->ssrc, &repaired))
    flow = gst_tfrc_flow_table_find (&driver->table, repaired);
  else
    flow = gst_tfrc_flow_table_find_repaired (&driver->table, role->repairs,
        role->kind == GST_TFRC_PAYLOAD_RTX ? read_osn (buffer) : -1);
  if (flow != NULL && !gst_tfrc_data_flow_sender_add_repair (&flow->sender,
          packet->ssrc, role->kind != GST_TFRC_PAYLOAD_FEC))
    flow = NULL;
  return flow;
}

GstTfrcSsrcFlow *
gst_tfrc_flow_driver_find_flow (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    const GstTfrcFlowPacket * packet, gboolean * passes, TfrcTime now)
{
  GstTfrcPayloadRole role = gst_tfrc_payload_roles_get (&driver->roles,
      driver->settings, packet->pt);
  GstTfrcSsrcFlow *flow;
  guint32 repaired;

  *passes = TRUE;
  if (role.kind == GST_TFRC_PAYLOAD_RTX || role.kind == GST_TFRC_PAYLOAD_FEC
      || gst_tfrc_repaired_ssrc_find (driver->settings, driver->caps,
          packet->ssrc, &repaired))
    return find_repaired (driver, buffer, packet, &role);
  if (role.kind == GST_TFRC_PAYLOAD_PASSED
      && driver->feedback != GST_TFRC_FEEDBACK_RR)
    return NULL;
  *passes = FALSE;
  flow = begin_flow (driver, packet->ssrc, now);
  if (flow != NULL && role.known)
    gst_tfrc_data_flow_sender_set_wants (&flow->sender, &role.wants);
  if (flow != NULL && driver->settings->extension_id == 0 && role.id != 0)
    flow->id = role.id;
  if (flow != NULL) {
    flow->has_role = role.known;
    choose_mode (driver, flow, &role, now);
  }
  if (flow != NULL && role.known
      && driver->settings->feedback == GST_TFRC_FEEDBACK_AUTO)
    gst_tfrc_data_flow_sender_set_feedback (&flow->sender, role.feedback, now);
  return flow;
}
