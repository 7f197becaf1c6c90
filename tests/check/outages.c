/* gst-tfrc tests: how soon a call begins when the receiver comes late, and goes on after an outage
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "ends.h"
#include "settle.h"

static const guint outages[] = { 2, 5, 20, 60, 90 };

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof ends);
}

static void
set_cut (gboolean cut)
{
  NetRules rules = { .block = cut };

  net_set_rules (ends.port, &rules);
  net_set_rules (ends_get_port (ends.sink), &rules);
}

/* Data arrive within the time that is granted after `seconds` in which nobody was heard, and then at
 * their full rate. */
static void
check_return (guint seconds)
{
  guint64 heard = ends_get_stat (ends.src, "packets");
  GstClockTime begin = net_get_time ();

  while (ends_get_stat (ends.src, "packets") == heard) {
    ends_play (&ends, ENDS_FRAME);
    fail_unless (net_get_time () - begin <= 60 * GST_SECOND);
  }
  fail_unless (net_get_time () - begin <=
      (seconds > 60 ? 3500 : 1500) * GST_MSECOND,
      "after %u s: %" GST_TIME_FORMAT, seconds,
      GST_TIME_ARGS (net_get_time () - begin));
  ends_play (&ends, 2 * GST_SECOND);
  heard = ends_get_stat (ends.src, "packets");
  ends_play (&ends, 1 * GST_SECOND);
  fail_unless (ends_get_stat (ends.src, "packets") - heard >= 48);
}

/* The filters beside rtpsession, with ports that both know. */

#define SOURCE "audiotestsrc is-live=true samplesperbuffer=960 ! " \
    "audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=32000 ! rtpopuspay ! valve name=valve ! "
#define TO(port) "udpsink host=127.0.0.1 sync=false async=false port=" port " "
#define SENDER "rtpsession name=a " SOURCE "rtptfrcsend name=tx mode=tfrc-sp ! " \
    "a.send_rtp_sink a.send_rtp_src ! " TO ("6000") "a.send_rtcp_src ! " \
    TO ("6001") "udpsrc port=6003 ! a.recv_rtcp_sink"
#define RECEIVER "rtpsession name=b udpsrc port=6000 " \
    "caps=application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS," \
    "payload=96 ! b.recv_rtp_sink b.recv_rtp_src ! " \
    "rtptfrcreceive name=rx mode=tfrc-sp ! fakesink sync=false async=false " \
    "udpsrc port=6001 ! b.recv_rtcp_sink b.send_rtcp_src ! " TO ("6003")

static GstElement *
start_filters (const gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);
  GstClock *clock = gst_system_clock_obtain ();

  g_assert_no_error (error);
  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_object_unref (clock);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  settle ();
  return pipeline;
}

static void
stop_filters (GstElement * pipeline)
{
  GstMessage *message = ends_pop (pipeline, GST_MESSAGE_ERROR);

  fail_unless (message == NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_object_set_data (G_OBJECT (pipeline), "messages", NULL);
  gst_object_unref (pipeline);
}

/* The next element message of this name has the state. */
static void
expect_state (GstElement * pipeline, const gchar * name, const gchar * state)
{
  GstMessage *message;
  const GstStructure *s;

  do {
    message = ends_pop (pipeline, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL, "no message with state %s", state);
    s = gst_message_get_structure (message);
    if (gst_structure_has_name (s, name))
      break;
    gst_message_unref (message);
  } while (TRUE);
  fail_unless_equals_string (gst_structure_get_string (s, "state"), state);
  gst_message_unref (message);
}

GST_START_TEST (the_application_hears_of_connection_and_breaker)
{
  static const gchar connection[] = "application/x-tfrc-connection";
  static const gchar breaker[] = "application/x-tfrc-circuit-breaker";
  GstElement *sender = start_filters (SENDER), *receiver;

  net_run (GST_SECOND);
  expect_state (sender, connection, "waiting");
  receiver = start_filters (RECEIVER);
  net_run (5 * GST_SECOND);
  expect_state (sender, connection, "connected");
  net_set_rules (6003, &(NetRules) {.block = TRUE});
  net_run (22 * GST_SECOND);
  expect_state (sender, connection, "lost");
  expect_state (sender, breaker, "paused");
  net_set_rules (6003, &(NetRules) {.block = FALSE});
  net_run (2 * GST_SECOND);
  expect_state (sender, connection, "regained");
  expect_state (sender, breaker, "closed");
  stop_filters (sender);
  stop_filters (receiver);
}

GST_END_TEST;

/* What the property `connection` of the element and its statistics say. */
static void
expect_connection (GstElement * pipeline, const gchar * name,
    const gchar * state)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GEnumClass *type;
  GstStructure *stats;
  gint value;

  g_object_get (element, "connection", &value, "stats", &stats, NULL);
  type = g_type_class_ref (g_type_from_name ("GstTfrcConnection"));
  fail_unless_equals_string (g_enum_get_value (type, value)->value_nick, state);
  fail_unless_equals_string (gst_structure_get_string (stats, "connection"),
      state);
  g_type_class_unref (type);
  gst_structure_free (stats);
  gst_object_unref (element);
}

/* The receiving filter hears packets and RTCP of the data sender. */
GST_START_TEST (the_data_receiver_hears_whether_there_is_a_data_sender)
{
  static const gchar connection[] = "application/x-tfrc-connection";
  GstElement *sender, *receiver = start_filters (RECEIVER), *valve;

  net_run (20 * GST_SECOND);
  expect_state (receiver, connection, "waiting");
  expect_connection (receiver, "rx", "waiting");
  sender = start_filters (SENDER);
  net_run (5 * GST_SECOND);
  expect_state (receiver, connection, "connected");
  expect_connection (receiver, "rx", "connected");
  expect_connection (sender, "tx", "connected");
  /* a data sender that pauses its packets sends RTCP */
  valve = gst_bin_get_by_name (GST_BIN (sender), "valve");
  g_object_set (valve, "drop", TRUE, NULL);
  net_run (20 * GST_SECOND);
  expect_connection (receiver, "rx", "connected");
  net_set_rules (6001, &(NetRules) {.block = TRUE});
  net_run (10 * GST_SECOND);
  expect_state (receiver, connection, "lost");
  expect_connection (receiver, "rx", "lost");
  net_set_rules (6001, &(NetRules) {.block = FALSE});
  g_object_set (valve, "drop", FALSE, NULL);
  gst_object_unref (valve);
  net_run (2 * GST_SECOND);
  expect_state (receiver, connection, "regained");
  expect_connection (receiver, "rx", "connected");
  stop_filters (sender);
  stop_filters (receiver);
}

GST_END_TEST;

GST_START_TEST (voice_is_back_soon_after_an_outage)
{
  ends_start_receiver (&ends, "mode=tfrc-sp");
  ends_start_sender (&ends, "host=127.0.0.1 mode=tfrc-sp");
  ends_play (&ends, 5 * GST_SECOND);
  set_cut (TRUE);
  ends_play (&ends, outages[__i__] * GST_SECOND);
  set_cut (FALSE);
  check_return (outages[__i__]);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (voice_begins_soon_after_a_receiver_appears)
{
  GstElement *sender = start_filters (SENDER), *receiver, *rx;
  guint seconds = outages[__i__];
  GstClockTime begin;
  guint64 heard;

  net_run (seconds * GST_SECOND);
  receiver = start_filters (RECEIVER);
  rx = gst_bin_get_by_name (GST_BIN (receiver), "rx");
  begin = net_get_time ();
  while (ends_get_stat (rx, "packets") == 0) {
    net_run (10 * GST_MSECOND);
    fail_unless (net_get_time () - begin <=
        (seconds > 60 ? 3500 : 1500) * GST_MSECOND, "after %u s", seconds);
  }
  net_run (2 * GST_SECOND);
  heard = ends_get_stat (rx, "packets");
  net_run (1 * GST_SECOND);
  fail_unless (ends_get_stat (rx, "packets") - heard >= 48);
  gst_object_unref (rx);
  stop_filters (sender);
  stop_filters (receiver);
}

GST_END_TEST;

static Suite *
outages_suite (void)
{
  Suite *s = suite_create ("outages");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, net_stop);
  tcase_add_loop_test (tc, voice_is_back_soon_after_an_outage, 0,
      G_N_ELEMENTS (outages));
  tcase_add_test (tc, the_application_hears_of_connection_and_breaker);
  tcase_add_test (tc, the_data_receiver_hears_whether_there_is_a_data_sender);
  tcase_add_loop_test (tc, voice_begins_soon_after_a_receiver_appears, 0,
      G_N_ELEMENTS (outages));
  return s;
}

GST_CHECK_MAIN (outages);
