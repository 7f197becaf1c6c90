/* gst-tfrc: drives the flows of rtptfrcsend by clock, departure scheduler and RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriver.h"

#include "base/debugcategory.h"
#include "base/rtpheader.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowdriver", "TFRC data sender in a pipeline");

/* Packets that may depart at the same time are pushed as a list of at most so many. */
#define LIST_MAX 64

/* Offset of the original sequence number in the payload of a retransmission (RFC 4588 4), bytes. */
#define OSN_SIZE 2

void
gst_tfrc_flow_driver_init (GstTfrcFlowDriver * driver, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer)
{
  driver->owner = owner;
  driver->settings = settings;
  gst_tfrc_timebase_init (&driver->time);
  gst_tfrc_timer_init (&driver->timer, owner, on_timer);
  gst_tfrc_flow_table_init (&driver->table, settings);
  gst_tfrc_pacing_queue_init (&driver->passing);
  g_queue_init (&driver->messages);
}

static void
forget_events (GstTfrcFlowDriver * driver)
{
  gst_clear_event (&driver->caps_in);
  gst_clear_event (&driver->segment_in);
  gst_clear_event (&driver->caps_out);
  gst_clear_event (&driver->segment_out);
  gst_clear_event (&driver->eos);
  gst_clear_mini_object (&driver->held);
  gst_clear_caps (&driver->caps);
}

void
gst_tfrc_flow_driver_clear (GstTfrcFlowDriver * driver)
{
  g_clear_pointer (&driver->rtcp, gst_tfrc_attached_session_unref);
  gst_tfrc_flow_table_clear (&driver->table);
  gst_tfrc_pacing_queue_free (&driver->passing);
  g_queue_clear_full (&driver->messages, (GDestroyNotify) gst_structure_free);
  forget_events (driver);
  g_clear_pointer (&driver->name, g_free);
  gst_tfrc_timebase_clear (&driver->time);
}

/* `state` is what a function of base/remoteconnection.h returned. */
static void
post_connection (GstTfrcFlowDriver * driver, const gchar * state)
{
  if (gst_tfrc_remote_connection_queue_change (&driver->connection, state,
          &driver->messages))
    GST_INFO_OBJECT (driver->owner, "connection %s", state);
}

TfrcTime
gst_tfrc_flow_driver_get_now (const GstTfrcFlowDriver * driver)
{
  return gst_tfrc_timebase_now (&driver->time);
}

GstTfrcDataFlowSender *
gst_tfrc_flow_driver_get_main (const GstTfrcFlowDriver * driver)
{
  return &gst_tfrc_flow_table_get_main (&driver->table)->sender;
}

/* --- timer and scheduler --- */

static TfrcTime
get_next_timer (const GstTfrcFlowDriver * driver)
{
  TfrcTime time = gst_tfrc_remote_connection_next_time (&driver->connection);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    time = MIN (time,
        gst_tfrc_data_flow_sender_next_timer (&driver->table.flows[i]->sender));
  return time;
}

static void
arm_timer (GstTfrcFlowDriver * driver)
{
  gst_tfrc_timer_arm (&driver->timer, &driver->time, get_next_timer (driver));
}

static void
arm_departures (GstTfrcFlowDriver * driver, TfrcTime time)
{
  if (driver->joined && time != TFRC_TIME_NONE)
    gst_tfrc_scheduler_entry_arm (&driver->departures,
        gst_tfrc_timebase_to_clock (&driver->time, time));
}

static gboolean
is_empty (const GstTfrcFlowDriver * driver)
{
  guint i;

  for (i = 0; i < driver->table.n; i++)
    if (gst_tfrc_pacing_queue_peek (&driver->table.flows[i]->sender.queue) !=
        NULL)
      return FALSE;
  return gst_tfrc_pacing_queue_peek (&driver->passing) == NULL;
}

gboolean
gst_tfrc_flow_driver_is_busy (const GstTfrcFlowDriver * driver)
{
  return driver->departing || !is_empty (driver);
}

void
gst_tfrc_flow_driver_arm (GstTfrcFlowDriver * driver)
{
  arm_timer (driver);
  if (!is_empty (driver))
    arm_departures (driver, gst_tfrc_flow_driver_get_now (driver));
}

/* The engine of the flow was given something at `now`. When X has changed, the thread of the scheduler asks
 * again when the first packet may depart. */
static void
arm_flow (GstTfrcFlowDriver * driver, const GstTfrcSsrcFlow * flow,
    TfrcTime now)
{
  if (flow->sender.rate_set == now && !driver->departing
      && !gst_tfrc_data_flow_sender_is_empty (&flow->sender))
    arm_departures (driver, now);
}

void
gst_tfrc_flow_driver_on_timer (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  post_connection (driver,
      gst_tfrc_remote_connection_on_time (&driver->connection, now));
  for (i = 0; i < driver->table.n; i++) {
    gst_tfrc_data_flow_sender_on_timer (&driver->table.flows[i]->sender, now);
    arm_flow (driver, driver->table.flows[i], now);
  }
  arm_timer (driver);
}

/* --- reports --- */

/* RTCP of the data receiver arrived. */
static void
hear (GstTfrcFlowDriver * driver, TfrcTime now)
{
  guint i;

  post_connection (driver,
      gst_tfrc_remote_connection_on_heard (&driver->connection, now));
  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_on_rtcp (&driver->table.flows[i]->sender, now);
}

static void
arm_all (GstTfrcFlowDriver * driver, TfrcTime now)
{
  guint i;

  arm_timer (driver);
  for (i = 0; i < driver->table.n; i++)
    arm_flow (driver, driver->table.flows[i], now);
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
  arm_all (driver, now);
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
  flow->sender.loss =
      gst_tfrc_data_sender_rtcp_get_loss (driver->rtcp, report->media_ssrc);
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
  arm_all (driver, now);
}

/* --- feedback of receivers that know nothing of TFRC --- */

void
gst_tfrc_flow_driver_set_feedback (GstTfrcFlowDriver * driver,
    GstTfrcFeedback kind)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  driver->feedback = kind;
  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_set_feedback (&driver->table.flows[i]->sender,
        kind, now);
}

void
gst_tfrc_flow_driver_on_arrivals (GstTfrcFlowDriver * driver, guint fmt,
    const guint8 * data, gsize size, gboolean is_new_receiver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  hear (driver, now);
  for (i = 0; i < driver->table.n; i++) {
    GstTfrcDataFlowSender *sender = &driver->table.flows[i]->sender;

    if (is_new_receiver)
      gst_tfrc_data_flow_sender_restart (sender, now);
    gst_tfrc_data_flow_sender_on_arrivals (sender, fmt, data, size, now);
  }
  arm_all (driver, now);
}

void
gst_tfrc_flow_driver_on_number (GstTfrcFlowDriver * driver,
    const GstTfrcTransportNumber * number)
{
  GstTfrcSsrcFlow *flow =
      gst_tfrc_flow_table_find (&driver->table, number->ssrc);

  if (flow != NULL && flow->sender.ssrc == number->ssrc)
    gst_tfrc_flow_feedback_on_number (&flow->sender.feedback, number->seq,
        number->number, gst_tfrc_flow_driver_get_now (driver));
}

/* --- flows that begin --- */

/* The properties of the owner are those of the main flow. */
static void
notify_main (GstTfrcFlowDriver * driver)
{
  GstTfrcSsrcFlow *main = gst_tfrc_flow_table_get_main (&driver->table);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    driver->table.flows[i]->sender.notifier.notify =
        driver->table.flows[i] == main ? gst_tfrc_allowance_properties_notify :
        NULL;
}

static void
set_ssrc (GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow, guint32 ssrc)
{
  gst_tfrc_ssrc_flow_set_ssrc (flow, driver->name, ssrc);
  gst_tfrc_data_sender_rtcp_add_media (driver->rtcp, ssrc);
  flow->sender.loss = gst_tfrc_data_sender_rtcp_get_loss (driver->rtcp, ssrc);
}

/* A flow without SSRC; NULL: there are too many. */
static GstTfrcSsrcFlow *
add_flow (GstTfrcFlowDriver * driver, TfrcTime now)
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
  flow->id =
      gst_tfrc_filter_settings_get_extension_id (driver->settings,
      driver->caps);
  gst_tfrc_data_flow_sender_set_feedback (&flow->sender, driver->feedback, now);
  notify_main (driver);
  return flow;
}

void
gst_tfrc_flow_driver_start (GstTfrcFlowDriver * driver,
    const TfrcConfig * config, GstTfrcDataSenderRtcp * rtcp)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  g_free (driver->name);
  driver->name = gst_object_get_name (GST_OBJECT (driver->owner));
  driver->config = *config;
  gst_tfrc_flow_table_reset (&driver->table, driver->name);
  gst_tfrc_pacing_queue_reset (&driver->passing);
  driver->roles = (GstTfrcPayloadRoles) { { {
      0,}}};
  driver->last = NULL;
  driver->turn = 0;
  forget_events (driver);
  g_queue_clear_full (&driver->messages, (GDestroyNotify) gst_structure_free);
  gst_tfrc_remote_connection_init (&driver->connection, now);
  post_connection (driver,
      gst_tfrc_remote_connection_state_get_nick (driver->connection.state));
  driver->not_rtp = driver->passed = driver->refused = 0;
  g_clear_pointer (&driver->rtcp, gst_tfrc_attached_session_unref);
  driver->rtcp = rtcp;
  driver->feedback = GST_TFRC_FEEDBACK_TFRC;
  add_flow (driver, now);
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
    flow = add_flow (driver, now);
  if (flow == NULL)
    return NULL;
  set_ssrc (driver, flow, ssrc);
  if (is_new)
    gst_tfrc_data_flow_sender_note_rate (&flow->sender, GST_TFRC_RATE_START,
        now);
  return flow;
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
  flow->id = gst_tfrc_filter_settings_get_extension_id (driver->settings, caps);
  gst_tfrc_data_flow_sender_note_rate (&flow->sender, GST_TFRC_RATE_START, now);
}

/* --- packets that arrive --- */

typedef struct
{
  guint32 ssrc;
  guint pt;
} Header;

static gboolean
parse_header (GstBuffer * buffer, Header * packet)
{
  GstTfrcRtpHeader header;
  gboolean parsed;

  gst_tfrc_rtp_header_map (&header, buffer);
  parsed = header.size >= 12 && header.data[0] >> 6 == 2;
  if (parsed) {
    packet->pt = header.data[1] & 0x7f;
    packet->ssrc = GST_READ_UINT32_BE (header.data + 8);
  }
  gst_tfrc_rtp_header_unmap (&header);
  return parsed;
}

gboolean
gst_tfrc_flow_driver_wants_caps (GstTfrcFlowDriver * driver,
    GstBuffer * buffer, guint * pt)
{
  Header packet;

  if (!parse_header (buffer, &packet)
      || gst_tfrc_flow_table_find (&driver->table, packet.ssrc) != NULL)
    return FALSE;
  *pt = packet.pt;
  return gst_tfrc_payload_roles_wants_caps (&driver->roles, packet.pt);
}

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
    const Header * packet, const GstTfrcPayloadRole * role)
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

/* The flow of a packet with an unknown SSRC. `passes` is set when the packet passes without one. */
static GstTfrcSsrcFlow *
find_flow (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    const Header * packet, gboolean * passes, TfrcTime now)
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
  if (flow != NULL && driver->settings->extension_id == 0 && role.id != 0)
    flow->id = role.id;
  if (flow != NULL && role.known
      && driver->settings->feedback == GST_TFRC_FEEDBACK_AUTO)
    gst_tfrc_data_flow_sender_set_feedback (&flow->sender, role.feedback, now);
  return flow;
}

static void
add_passing (GstTfrcFlowDriver * driver, GstBuffer * buffer, TfrcTime now)
{
  GstTfrcItem item = {
    .object = GST_MINI_OBJECT_CAST (buffer),
    .queued = now,
    .caps = driver->caps_in != NULL ? gst_event_ref (driver->caps_in) : NULL,
    .segment =
        driver->segment_in != NULL ? gst_event_ref (driver->segment_in) : NULL,
  };

  driver->passed++;
  gst_tfrc_pacing_queue_push (&driver->passing, &item);
  driver->last = &driver->passing;
  /* packets wait here only while a thread is blocked in a push */
  while (gst_tfrc_pacing_queue_peek_expired (&driver->passing, 0,
          driver->settings->max_queue_packets, now) != NULL)
    gst_tfrc_pacing_queue_drop_packet (&driver->passing);
}

static void
drop (GstTfrcFlowDriver * driver, GstBuffer * buffer, guint64 * counter)
{
  GST_DEBUG_OBJECT (driver->owner, "dropping %" GST_PTR_FORMAT, buffer);
  (*counter)++;
  gst_buffer_unref (buffer);
}

GstTfrcDataFlowSender *
gst_tfrc_flow_driver_add (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    TfrcTime now)
{
  GstTfrcSsrcFlow *flow;
  gboolean passes = FALSE;
  Header packet;

  if (!parse_header (buffer, &packet)) {
    drop (driver, buffer, &driver->not_rtp);
    return NULL;
  }
  flow = gst_tfrc_flow_table_find (&driver->table, packet.ssrc);
  if (flow == NULL)
    flow = find_flow (driver, buffer, &packet, &passes, now);
  if (flow == NULL) {
    if (passes)
      add_passing (driver, buffer, now);
    else
      drop (driver, buffer, &driver->refused);
    return NULL;
  }
  flow->sender.caps = driver->caps_in;
  flow->sender.segment = driver->segment_in;
  driver->last = &flow->sender.queue;
  if (!gst_tfrc_data_flow_sender_add (&flow->sender, buffer, flow->id, now)) {
    driver->not_rtp++;
    return NULL;
  }
  if (packet.ssrc == flow->sender.ssrc
      && gst_tfrc_flow_table_note (&driver->table, flow, packet.pt, now))
    notify_main (driver);
  return &flow->sender;
}

/* --- events --- */

static gboolean
is_same (GstEvent * a, GstEvent * b)
{
  const GstSegment *segment_a, *segment_b;
  GstCaps *caps_a, *caps_b;

  if (a == NULL || b == NULL)
    return a == b;
  if (GST_EVENT_TYPE (a) == GST_EVENT_CAPS) {
    gst_event_parse_caps (a, &caps_a);
    gst_event_parse_caps (b, &caps_b);
    return gst_caps_is_equal (caps_a, caps_b);
  }
  gst_event_parse_segment (a, &segment_a);
  gst_event_parse_segment (b, &segment_b);
  return gst_segment_is_equal (segment_a, segment_b);
}

/* Caps or a segment: packets that arrive from now on depart behind them. */
static gboolean
set_sticky (GstEvent ** in, GstEvent ** out, GstEvent * event, gboolean busy)
{
  if (!is_same (*in, event))
    gst_event_replace (in, event);
  if (busy)
    gst_event_unref (event);
  else
    gst_event_replace (out, *in);
  return busy;
}

gboolean
gst_tfrc_flow_driver_add_event (GstTfrcFlowDriver * driver, GstEvent * event)
{
  gboolean busy = gst_tfrc_flow_driver_is_busy (driver);
  GstTfrcItem item = { .object = GST_MINI_OBJECT_CAST (event) };

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      return set_sticky (&driver->caps_in, &driver->caps_out, event, busy);
    case GST_EVENT_SEGMENT:
      return set_sticky (&driver->segment_in, &driver->segment_out, event,
          busy);
    case GST_EVENT_EOS:
      if (busy)
        gst_event_take (&driver->eos, event);
      return busy;
    default:
      if (busy)
        gst_tfrc_pacing_queue_push (driver->last != NULL ? driver->last :
            &driver->passing, &item);
      return busy;
  }
}

void
gst_tfrc_flow_driver_drain (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_drain (&driver->table.flows[i]->sender, now);
}

void
gst_tfrc_flow_driver_flush (GstTfrcFlowDriver * driver)
{
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_flush (&driver->table.flows[i]->sender);
  gst_tfrc_pacing_queue_flush (&driver->passing);
  gst_clear_event (&driver->eos);
  gst_clear_mini_object (&driver->held);
  gst_clear_event (&driver->segment_in);
  gst_clear_event (&driver->segment_out);
}

/* --- departures --- */

/* A retransmission names the packet by the number with which it departed. */
static GstBuffer *
rewrite_osn (const GstTfrcSsrcFlow * flow, const GstTfrcDeparture * departure,
    GstBuffer * buffer)
{
  guint8 osn[OSN_SIZE];
  guint16 departed;

  if (gst_buffer_extract (buffer, departure->packet.header_size, osn,
          sizeof osn) != sizeof osn
      || !gst_tfrc_sequence_map_get_departed (&flow->map,
          GST_READ_UINT16_BE (osn), &departed)
      || departed == GST_READ_UINT16_BE (osn))
    return buffer;
  GST_WRITE_UINT16_BE (osn, departed);
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_fill (buffer, departure->packet.header_size, osn, sizeof osn);
  return buffer;
}

static GstBuffer *
finish_departure (GstTfrcSsrcFlow * flow, const GstTfrcDeparture * departure)
{
  GstBuffer *buffer = gst_tfrc_stamped_packet_depart (&departure->packet,
      departure->buffer, departure->seq, &departure->stamp);

  if (departure->repair == NULL)
    gst_tfrc_sequence_map_add (&flow->map, departure->packet.seq,
        departure->seq);
  else if (departure->repair->is_rtx)
    buffer = rewrite_osn (flow, departure, buffer);
  return buffer;
}

gboolean
gst_tfrc_flow_driver_get_original (GstTfrcFlowDriver * driver, guint32 ssrc,
    guint16 * seq)
{
  GstTfrcSsrcFlow *flow = gst_tfrc_flow_table_find (&driver->table, ssrc);

  return flow != NULL && flow->sender.ssrc == ssrc
      && gst_tfrc_sequence_map_get_original (&flow->map, *seq, seq);
}

/* Returns caps or a segment that `item` needs in front of it; NULL: it may follow the packet before. */
static GstMiniObject *
take_sticky (GstTfrcFlowDriver * driver, GstEvent * caps, GstEvent * segment)
{
  if (caps != NULL && caps != driver->caps_out) {
    gst_event_replace (&driver->caps_out, caps);
    return GST_MINI_OBJECT_CAST (gst_event_ref (caps));
  }
  if (segment != NULL && segment != driver->segment_out) {
    gst_event_replace (&driver->segment_out, segment);
    return GST_MINI_OBJECT_CAST (gst_event_ref (segment));
  }
  return NULL;
}

/* Returns the first item of the queue when it is an event. */
static GstMiniObject *
take_event (GstTfrcFlowDriver * driver, GstTfrcPacingQueue * queue)
{
  const GstTfrcItem *first = gst_tfrc_pacing_queue_peek (queue);

  if (first != NULL && !GST_IS_BUFFER (first->object))
    return gst_tfrc_pacing_queue_pop (queue).object;
  return NULL;
}

/* Returns the first packet of the flow when it may depart now, or what has to be pushed in front of it. */
static GstMiniObject *
take_of_flow (GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow, TfrcTime now)
{
  GstTfrcDeparture departure;
  GstMiniObject *event;
  const GstTfrcItem *first;

  gst_tfrc_data_flow_sender_drop_expired (&flow->sender, now);
  event = take_event (driver, &flow->sender.queue);
  first = gst_tfrc_pacing_queue_peek (&flow->sender.queue);
  if (event != NULL || first == NULL)
    return event;
  if (!gst_tfrc_data_flow_sender_may_depart (&flow->sender, now))
    return NULL;
  event = take_sticky (driver, first->caps, first->segment);
  if (event != NULL || !gst_tfrc_data_flow_sender_take (&flow->sender,
          &departure, now))
    return event;
  return GST_MINI_OBJECT_CAST (finish_departure (flow, &departure));
}

static GstMiniObject *
take_passing (GstTfrcFlowDriver * driver)
{
  const GstTfrcItem *first = gst_tfrc_pacing_queue_peek (&driver->passing);
  GstMiniObject *event;
  GstTfrcItem item;

  if (first == NULL)
    return NULL;
  event = take_event (driver, &driver->passing);
  if (event == NULL)
    event = take_sticky (driver, first->caps, first->segment);
  if (event != NULL)
    return event;
  item = gst_tfrc_pacing_queue_pop (&driver->passing);
  gst_clear_event (&item.caps);
  gst_clear_event (&item.segment);
  return item.object;
}

/* Returns the next packet that may depart now, or an event in front of it. */
static GstMiniObject *
take_next (GstTfrcFlowDriver * driver, TfrcTime now)
{
  GstMiniObject *object = take_passing (driver);
  guint i, at;

  for (i = 0; i < driver->table.n && object == NULL; i++) {
    at = (driver->turn + i) % driver->table.n;
    object = take_of_flow (driver, driver->table.flows[at], now);
    if (object != NULL)
      driver->turn = at + 1;
  }
  return object;
}

/* Returns EOS, and what is due in front of it, when no packet waits. */
static GstMiniObject *
take_eos (GstTfrcFlowDriver * driver)
{
  GstMiniObject *event = NULL;

  if (driver->eos == NULL || !is_empty (driver))
    return NULL;
  event = take_sticky (driver, driver->caps_in, driver->segment_in);
  return event != NULL ? event :
      GST_MINI_OBJECT_CAST (g_steal_pointer (&driver->eos));
}

static void
arm_next (GstTfrcFlowDriver * driver)
{
  TfrcTime time = TFRC_TIME_NONE;
  guint i;

  for (i = 0; i < driver->table.n; i++)
    time = MIN (time, gst_tfrc_data_flow_sender_next_departure
        (&driver->table.flows[i]->sender));
  arm_departures (driver, time);
  arm_timer (driver);
}

/* Returns `object`, or a list of this buffer and the packets that may depart with it. An event that ends the list is
 * held. */
static GstMiniObject *
take_more (GstTfrcFlowDriver * driver, GstMiniObject * object, TfrcTime now)
{
  GstBufferList *list = NULL;
  GstMiniObject *next;

  while (driver->held == NULL && (list == NULL
          || gst_buffer_list_length (list) < LIST_MAX)
      && (next = take_next (driver, now)) != NULL) {
    if (!GST_IS_BUFFER (next)) {
      driver->held = next;
      break;
    }
    if (list == NULL) {
      list = gst_buffer_list_new ();
      gst_buffer_list_add (list, GST_BUFFER_CAST (object));
    }
    gst_buffer_list_add (list, GST_BUFFER_CAST (next));
  }
  return list != NULL ? GST_MINI_OBJECT_CAST (list) : object;
}

GstMiniObject *
gst_tfrc_flow_driver_take (GstTfrcFlowDriver * driver, TfrcTime now)
{
  GstMiniObject *object = g_steal_pointer (&driver->held);

  if (object != NULL)
    return object;
  if (is_empty (driver))
    return take_eos (driver);
  if (now == TFRC_TIME_NONE)
    now = gst_tfrc_flow_driver_get_now (driver);
  object = take_next (driver, now);
  if (object == NULL) {
    object = take_eos (driver);
    arm_next (driver);
  } else if (GST_IS_BUFFER (object)) {
    object = take_more (driver, object, now);
    arm_timer (driver);
  }
  return object;
}

/* --- for the owner --- */

static void
move_messages (GQueue * to, GQueue * from, guint ssrc)
{
  GstStructure *message;

  while ((message = g_queue_pop_head (from)) != NULL) {
    if (ssrc != 0)
      gst_structure_set (message, "ssrc", G_TYPE_UINT, ssrc, NULL);
    g_queue_push_tail (to, message);
  }
}

void
gst_tfrc_flow_driver_take_messages (GstTfrcFlowDriver * driver,
    GQueue * messages)
{
  guint i;

  move_messages (messages, &driver->messages, 0);
  for (i = 0; i < driver->table.n; i++)
    move_messages (messages, &driver->table.flows[i]->sender.messages,
        driver->table.flows[i]->sender.ssrc);
}

gboolean
gst_tfrc_flow_driver_has_news (const GstTfrcFlowDriver * driver)
{
  guint i;

  for (i = 0; i < driver->table.n; i++) {
    const GstTfrcDataFlowSender *sender = &driver->table.flows[i]->sender;

    if (sender->notifier.pending || sender->messages.length > 0)
      return TRUE;
  }
  return driver->messages.length > 0;
}

void
gst_tfrc_flow_driver_note_rates (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_note_rate (&driver->table.flows[i]->sender,
        GST_TFRC_RATE_REPORT, now);
}

guint
gst_tfrc_flow_driver_get_pending (GstTfrcFlowDriver * driver,
    GstTfrcNotifier * notifiers[GST_TFRC_FLOWS_MAX])
{
  guint i, n = 0;

  for (i = 0; i < driver->table.n; i++)
    if (driver->table.flows[i]->sender.notifier.pending)
      notifiers[n++] = &driver->table.flows[i]->sender.notifier;
  return n;
}

static void
add_flow_stats (const GstTfrcSsrcFlow * flow, GstStructure * stats,
    TfrcTime now)
{
  gst_tfrc_data_flow_sender_add_stats (&flow->sender, stats, now);
  gst_structure_set (stats,
      "ssrc", G_TYPE_UINT, flow->sender.ssrc,
      "repair-ssrcs", G_TYPE_UINT, flow->sender.n_repairs,
      "reports-doubted", G_TYPE_UINT64, flow->doubted, NULL);
}

static void
add_flows (const GstTfrcFlowDriver * driver, GstStructure * stats, TfrcTime now)
{
  GValue flows = G_VALUE_INIT;
  guint i;

  gst_value_array_init (&flows, driver->table.n);
  for (i = 0; i < driver->table.n; i++) {
    GstStructure *flow = gst_structure_new_empty ("application/x-tfrc-flow");
    GValue value = G_VALUE_INIT;

    add_flow_stats (driver->table.flows[i], flow, now);
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, flow);
    gst_value_array_append_and_take_value (&flows, &value);
  }
  gst_structure_take_value (stats, "flows", &flows);
}

void
gst_tfrc_flow_driver_add_stats (GstTfrcFlowDriver * driver,
    GstStructure * stats)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  add_flow_stats (gst_tfrc_flow_table_get_main (&driver->table), stats, now);
  add_flows (driver, stats, now);
  gst_structure_set (stats,
      "not-rtp", G_TYPE_UINT64, driver->not_rtp,
      "passed", G_TYPE_UINT64, driver->passed,
      "refused", G_TYPE_UINT64, driver->refused,
      "connection", G_TYPE_STRING,
      gst_tfrc_remote_connection_state_get_nick (driver->connection.state),
      "ssrc-changes", G_TYPE_UINT64, driver->table.main.changes, NULL);
  if (driver->rtcp != NULL)
    gst_tfrc_data_sender_rtcp_add_stats (driver->rtcp, stats);
}
