/* gst-tfrc: drives the data flow sender of rtptfrcsend by clock, departure scheduler and RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriver.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowdriver", "TFRC data sender in a pipeline");

/* Packets that may depart at the same time are pushed as a list of at most so many. */
#define LIST_MAX 64

void
gst_tfrc_flow_driver_init (GstTfrcFlowDriver * driver, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer)
{
  driver->owner = owner;
  gst_tfrc_timebase_init (&driver->time);
  gst_tfrc_timer_init (&driver->timer, owner, on_timer);
  gst_tfrc_data_flow_sender_init (&driver->flow, settings, NULL, 0);
  driver->flow.notifier.notify = gst_tfrc_allowance_properties_notify;
}

void
gst_tfrc_flow_driver_clear (GstTfrcFlowDriver * driver)
{
  g_clear_pointer (&driver->rtcp, gst_tfrc_attached_session_unref);
  gst_tfrc_data_flow_sender_clear (&driver->flow);
  g_clear_pointer (&driver->name, g_free);
  gst_tfrc_timebase_clear (&driver->time);
}

/* `state` is what a function of base/remoteconnection.h returned. */
static void
post_connection (GstTfrcFlowDriver * driver, const gchar * state)
{
  if (gst_tfrc_remote_connection_queue_change (&driver->connection, state,
          &driver->flow.messages))
    GST_INFO_OBJECT (driver->owner, "connection %s", state);
}

void
gst_tfrc_flow_driver_start (GstTfrcFlowDriver * driver,
    const TfrcConfig * config, GstTfrcDataSenderRtcp * rtcp)
{
  g_free (driver->name);
  driver->flow.name = driver->name =
      gst_object_get_name (GST_OBJECT (driver->owner));
  gst_tfrc_data_flow_sender_start (&driver->flow, config,
      gst_tfrc_flow_driver_get_now (driver));
  gst_tfrc_remote_connection_init (&driver->connection,
      gst_tfrc_flow_driver_get_now (driver));
  post_connection (driver,
      gst_tfrc_remote_connection_state_get_nick (driver->connection.state));
  driver->has_ssrc = FALSE;
  driver->cross_check = (GstTfrcLossCrossCheck) {FALSE};
  driver->ssrc_changes = driver->doubted = 0;
  g_clear_pointer (&driver->rtcp, gst_tfrc_attached_session_unref);
  driver->rtcp = rtcp;
}

TfrcTime
gst_tfrc_flow_driver_get_now (const GstTfrcFlowDriver * driver)
{
  return gst_tfrc_timebase_now (&driver->time);
}

/* --- timer and scheduler --- */

static void
arm_timer (GstTfrcFlowDriver * driver)
{
  gst_tfrc_timer_arm (&driver->timer, &driver->time,
      MIN (gst_tfrc_data_flow_sender_next_timer (&driver->flow),
          gst_tfrc_remote_connection_next_time (&driver->connection)));
}

static void
arm_departures (GstTfrcFlowDriver * driver, TfrcTime time)
{
  if (driver->joined && time != TFRC_TIME_NONE)
    gst_tfrc_scheduler_entry_arm (&driver->departures,
        gst_tfrc_timebase_to_clock (&driver->time, time));
}

void
gst_tfrc_flow_driver_arm (GstTfrcFlowDriver * driver)
{
  arm_timer (driver);
  if (!gst_tfrc_data_flow_sender_is_empty (&driver->flow))
    arm_departures (driver, gst_tfrc_flow_driver_get_now (driver));
}

/* The engine was given something at `now`. When X has changed, the thread of the scheduler asks
 * again when the first packet may depart. */
static void
arm_again (GstTfrcFlowDriver * driver, TfrcTime now)
{
  arm_timer (driver);
  if (driver->flow.rate_set == now && !driver->departing
      && !gst_tfrc_data_flow_sender_is_empty (&driver->flow))
    arm_departures (driver, now);
}

void
gst_tfrc_flow_driver_on_timer (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  post_connection (driver,
      gst_tfrc_remote_connection_on_time (&driver->connection, now));
  gst_tfrc_data_flow_sender_on_timer (&driver->flow, now);
  arm_again (driver, now);
}

/* --- reports --- */

/* RTCP of the data receiver arrived. */
static void
hear (GstTfrcFlowDriver * driver, TfrcTime now)
{
  post_connection (driver,
      gst_tfrc_remote_connection_on_heard (&driver->connection, now));
  gst_tfrc_data_flow_sender_on_rtcp (&driver->flow, now);
}

gboolean
gst_tfrc_flow_driver_on_report (GstTfrcFlowDriver * driver,
    const TfrcReport * report, gboolean is_new_receiver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  gboolean accepted;

  hear (driver, now);
  accepted = is_new_receiver ?
      gst_tfrc_data_flow_sender_on_first_report (&driver->flow, report, now) :
      gst_tfrc_data_flow_sender_on_report (&driver->flow, report, now);
  arm_again (driver, now);
  return accepted;
}

/* Compares the loss event rate of the TFRC reports with the losses of the receiver reports. */
static void
check_receiver (GstTfrcFlowDriver * driver, gint lost, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (driver->flow.sender, &allowance);
  if (!gst_tfrc_loss_cross_check_check (&driver->cross_check, lost, allowance.p,
          allowance.R * GST_SECOND, now))
    return;
  driver->doubted++;
  GST_WARNING_OBJECT (driver->owner,
      "%d packets are lost by RTCP receiver reports, none by TFRC reports",
      lost);
}

/* A report block about the data. */
static void
take_block (GstTfrcFlowDriver * driver, const GstTfrcReceiverReport * report,
    TfrcTime now)
{
  driver->flow.loss = gst_tfrc_data_sender_rtcp_get_loss (driver->rtcp);
  if (report->rtt != 0)
    gst_tfrc_data_flow_sender_on_rtt (&driver->flow, report->rtt, now);
  gst_tfrc_data_flow_sender_on_block (&driver->flow, report->fraction,
      0.0, report->highest, now);
  gst_tfrc_data_flow_sender_on_losses (&driver->flow, report->lost,
      report->highest, report->rtt, now);
  check_receiver (driver, report->lost, now);
}

void
gst_tfrc_flow_driver_on_receiver_report (GstTfrcFlowDriver * driver,
    const GstTfrcReceiverReport * report)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  hear (driver, now);
  if (report->has_block)
    take_block (driver, report, now);
  arm_again (driver, now);
}

/* --- feedback of receivers that know nothing of TFRC --- */

void
gst_tfrc_flow_driver_set_feedback (GstTfrcFlowDriver * driver,
    GstTfrcFeedback kind)
{
  gst_tfrc_data_flow_sender_set_feedback (&driver->flow, kind,
      gst_tfrc_flow_driver_get_now (driver));
}

void
gst_tfrc_flow_driver_on_arrivals (GstTfrcFlowDriver * driver, guint fmt,
    const guint8 * data, gsize size, gboolean is_new_receiver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  hear (driver, now);
  if (is_new_receiver)
    gst_tfrc_data_flow_sender_restart (&driver->flow, now);
  gst_tfrc_data_flow_sender_on_arrivals (&driver->flow, fmt, data, size, now);
  arm_again (driver, now);
}

void
gst_tfrc_flow_driver_on_number (GstTfrcFlowDriver * driver,
    const GstTfrcTransportNumber * number)
{
  if (number->ssrc == driver->flow.ssrc)
    gst_tfrc_flow_feedback_on_number (&driver->flow.feedback, number->seq,
        number->number, gst_tfrc_flow_driver_get_now (driver));
}

/* --- departures --- */

/* The next packet has another SSRC than the packet before. */
static void
change_ssrc (GstTfrcFlowDriver * driver, guint32 ssrc, TfrcTime now)
{
  gboolean restart = driver->has_ssrc;

  driver->has_ssrc = TRUE;
  driver->flow.ssrc = ssrc;
  driver->flow.has_seq = FALSE;
  gst_tfrc_data_sender_rtcp_set_media_ssrc (driver->rtcp, ssrc);
  driver->flow.loss = gst_tfrc_data_sender_rtcp_get_loss (driver->rtcp);
  GST_INFO_OBJECT (driver->owner, "the data has SSRC %08x", ssrc);
  if (!restart)
    return;
  driver->ssrc_changes++;
  gst_tfrc_data_flow_sender_restart (&driver->flow, now);
}

/* Returns the first packet when it may depart now; otherwise arms the scheduler for it. */
static GstBuffer *
take_packet (GstTfrcFlowDriver * driver, TfrcTime now)
{
  const GstTfrcItem *first;
  GstTfrcDeparture departure;
  gboolean departs;

  gst_tfrc_data_flow_sender_drop_expired (&driver->flow, now);
  first = gst_tfrc_pacing_queue_peek (&driver->flow.queue);
  if (first == NULL || !GST_IS_BUFFER (first->object))
    return NULL;
  if (!driver->has_ssrc || first->packet.ssrc != driver->flow.ssrc)
    change_ssrc (driver, first->packet.ssrc, now);
  departs = gst_tfrc_data_flow_sender_take (&driver->flow, &departure, now);
  arm_timer (driver);
  if (departs)
    return gst_tfrc_stamped_packet_depart (&departure.packet, departure.buffer,
        departure.seq, &departure.stamp);
  arm_departures (driver,
      gst_tfrc_data_flow_sender_next_departure (&driver->flow));
  return NULL;
}

/* Returns the first item when it is an event. */
static GstMiniObject *
take_event (GstTfrcFlowDriver * driver)
{
  GstTfrcPacingQueue *queue = &driver->flow.queue;
  const GstTfrcItem *first = gst_tfrc_pacing_queue_peek (queue);

  return first != NULL && !GST_IS_BUFFER (first->object) ?
      gst_tfrc_pacing_queue_pop (queue).object : NULL;
}

/* Returns `buffer`, or a list of it and the packets that may depart with it. */
static GstMiniObject *
take_more (GstTfrcFlowDriver * driver, GstBuffer * buffer, TfrcTime now)
{
  GstBufferList *list;
  GstBuffer *next;

  if (gst_tfrc_data_flow_sender_is_empty (&driver->flow)
      || (next = take_packet (driver, now)) == NULL)
    return GST_MINI_OBJECT_CAST (buffer);
  list = gst_buffer_list_new ();
  gst_buffer_list_add (list, buffer);
  do {
    gst_buffer_list_add (list, next);
  } while (gst_buffer_list_length (list) < LIST_MAX &&
      (next = take_packet (driver, now)) != NULL);
  return GST_MINI_OBJECT_CAST (list);
}

GstMiniObject *
gst_tfrc_flow_driver_take (GstTfrcFlowDriver * driver, TfrcTime now)
{
  GstMiniObject *event = take_event (driver);
  GstBuffer *buffer;

  if (event != NULL || gst_tfrc_data_flow_sender_is_empty (&driver->flow))
    return event;
  if (now == TFRC_TIME_NONE)
    now = gst_tfrc_flow_driver_get_now (driver);
  buffer = take_packet (driver, now);
  if (buffer == NULL)           /* an event may be first after packets were dropped */
    return take_event (driver);
  return take_more (driver, buffer, now);
}

void
gst_tfrc_flow_driver_add_stats (GstTfrcFlowDriver * driver,
    GstStructure * stats)
{
  gst_tfrc_data_flow_sender_add_stats (&driver->flow, stats,
      gst_tfrc_flow_driver_get_now (driver));
  gst_structure_set (stats,
      "ssrc", G_TYPE_UINT, driver->flow.ssrc,
      "connection", G_TYPE_STRING,
      gst_tfrc_remote_connection_state_get_nick (driver->connection.state),
      "ssrc-changes", G_TYPE_UINT64, driver->ssrc_changes,
      "reports-doubted", G_TYPE_UINT64, driver->doubted, NULL);
  if (driver->rtcp != NULL)
    gst_tfrc_data_sender_rtcp_add_stats (driver->rtcp, stats);
}
