/* gst-tfrc: drives the flows of rtptfrcsend by clock, departure scheduler and RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriverprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowdriver", "TFRC data sender in a pipeline");

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
gst_tfrc_flow_driver_uncouple (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_set_group (&driver->table.flows[i]->sender, NULL,
        now);
  g_clear_pointer (&driver->group, gst_tfrc_coupling_group_unref);
}

void
gst_tfrc_flow_driver_clear (GstTfrcFlowDriver * driver)
{
  gst_tfrc_flow_driver_uncouple (driver);
  g_clear_pointer (&driver->rtcp, gst_tfrc_attached_session_unref);
  gst_tfrc_flow_table_clear (&driver->table);
  gst_tfrc_arrivals_clear (&driver->arrivals);
  gst_tfrc_pacing_queue_free (&driver->passing);
  g_queue_clear_full (&driver->messages, (GDestroyNotify) gst_structure_free);
  forget_events (driver);
  g_clear_pointer (&driver->name, g_free);
  gst_tfrc_timebase_clear (&driver->time);
}

void
gst_tfrc_flow_driver_post_connection (GstTfrcFlowDriver * driver,
    const gchar * state)
{
  if (gst_tfrc_remote_liveness_queue_change (&driver->connection, state,
          &driver->messages))
    GST_INFO_OBJECT (driver->owner, "connection %s", state);
}

void
gst_tfrc_flow_driver_start (GstTfrcFlowDriver * driver,
    const TfrcConfig * config, GstTfrcDataSenderRtcp * rtcp)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);

  g_free (driver->name);
  driver->name = gst_object_get_name (GST_OBJECT (driver->owner));
  driver->config = *config;
  gst_tfrc_flow_driver_uncouple (driver);
  if (driver->settings->coupling == GST_TFRC_COUPLING_TRANSPORT)
    driver->group =
        gst_tfrc_coupling_group_get (driver->settings->coupling_group);
  gst_tfrc_flow_table_reset (&driver->table, driver->name);
  gst_tfrc_pacing_queue_reset (&driver->passing);
  driver->roles = (GstTfrcPayloadRoles) { { {
      0,}
      }
  };
  driver->last = NULL;
  driver->turn = 0;
  forget_events (driver);
  g_queue_clear_full (&driver->messages, (GDestroyNotify) gst_structure_free);
  gst_tfrc_remote_liveness_init (&driver->connection, now);
  gst_tfrc_flow_driver_post_connection (driver,
      gst_tfrc_remote_liveness_state_get_nick (driver->connection.state));
  driver->not_rtp = driver->passed = driver->refused = 0;
  g_clear_pointer (&driver->rtcp, gst_tfrc_attached_session_unref);
  driver->rtcp = rtcp;
  driver->feedback = GST_TFRC_FEEDBACK_TFRC;
  gst_tfrc_flow_driver_add_flow (driver, now);
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
  TfrcTime time = gst_tfrc_remote_liveness_next_time (&driver->connection);
  guint i;

  for (i = 0; i < driver->table.n; i++)
    time = MIN (time,
        gst_tfrc_data_flow_sender_next_timer (&driver->table.flows[i]->sender));
  return time;
}

void
gst_tfrc_flow_driver_arm_timer (GstTfrcFlowDriver * driver)
{
  gst_tfrc_timer_arm (&driver->timer, &driver->time, get_next_timer (driver));
}

void
gst_tfrc_flow_driver_arm_departures (GstTfrcFlowDriver * driver, TfrcTime time)
{
  if (driver->joined && time != TFRC_TIME_NONE)
    gst_tfrc_scheduler_entry_arm (&driver->departures,
        gst_tfrc_timebase_to_clock (&driver->time, time));
}

gboolean
gst_tfrc_flow_driver_is_empty (const GstTfrcFlowDriver * driver)
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
  return driver->departing || !gst_tfrc_flow_driver_is_empty (driver);
}

void
gst_tfrc_flow_driver_arm (GstTfrcFlowDriver * driver)
{
  gst_tfrc_flow_driver_arm_timer (driver);
  if (!gst_tfrc_flow_driver_is_empty (driver))
    gst_tfrc_flow_driver_arm_departures (driver,
        gst_tfrc_flow_driver_get_now (driver));
}

/* The engine of the flow was given something at `now`. When X has changed, the thread of the scheduler asks
 * again when the first packet may depart. */
static void
arm_flow (GstTfrcFlowDriver * driver, const GstTfrcSsrcFlow * flow,
    TfrcTime now)
{
  if (flow->sender.rate_set == now && !driver->departing
      && !gst_tfrc_data_flow_sender_is_empty (&flow->sender))
    gst_tfrc_flow_driver_arm_departures (driver, now);
}

void
gst_tfrc_flow_driver_on_timer (GstTfrcFlowDriver * driver)
{
  TfrcTime now = gst_tfrc_flow_driver_get_now (driver);
  guint i;

  gst_tfrc_flow_driver_post_connection (driver,
      gst_tfrc_remote_liveness_on_time (&driver->connection, now));
  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_on_timer (&driver->table.flows[i]->sender, now);
  gst_tfrc_flow_driver_arm_flows (driver, now);
}

void
gst_tfrc_flow_driver_arm_flows (GstTfrcFlowDriver * driver, TfrcTime now)
{
  guint i;

  for (i = 0; i < driver->table.n; i++)
    gst_tfrc_data_flow_sender_follow_group (&driver->table.flows[i]->sender,
        now);
  gst_tfrc_flow_driver_arm_timer (driver);
  for (i = 0; i < driver->table.n; i++)
    arm_flow (driver, driver->table.flows[i], now);
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
      gst_tfrc_remote_liveness_state_get_nick (driver->connection.state),
      "ssrc-changes", G_TYPE_UINT64, driver->table.main.changes, NULL);
  if (driver->rtcp != NULL)
    gst_tfrc_data_sender_rtcp_add_stats (driver->rtcp, stats);
}
