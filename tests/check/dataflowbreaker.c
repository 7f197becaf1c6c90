/* gst-tfrc tests: the circuit breaker of a flow (RFC 8083), in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dataflow.h"

/* The message that waits has this state and reason, and no other waits. */
static void
expect_breaker (const gchar * state, const gchar * reason)
{
  GstStructure *message = g_queue_pop_head (&flow.messages);

  fail_unless (message != NULL, "no message %s", state);
  fail_unless (gst_structure_has_name (message,
          "application/x-tfrc-circuit-breaker"));
  fail_unless_equals_string (gst_structure_get_string (message, "state"),
      state);
  fail_unless_equals_string (gst_structure_get_string (message, "reason"),
      reason);
  gst_structure_free (message);
  fail_unless (g_queue_is_empty (&flow.messages));
}

GST_START_TEST (without_rtcp_the_flow_is_paused_and_rtcp_resumes_it)
{
  TfrcTime now = START, end = START + 15 * GST_SECOND;
  GstTfrcRate rate;

  data_flow_start ();
  data_flow_open_path (now, RTT);
  for (now += RTT; now < end; now += 20 * MS) {
    data_flow_add (now);
    gst_tfrc_data_flow_sender_on_timer (&flow, now);
    data_flow_take_all (now);
    fail_unless (g_queue_is_empty (&flow.messages));
  }
  fail_unless (gst_tfrc_data_flow_sender_next_timer (&flow) <= end);
  gst_tfrc_data_flow_sender_on_timer (&flow, end);
  expect_breaker ("paused", "rtcp-timeout");
  fail_unless (gst_tfrc_data_flow_sender_take_rate (&flow, &rate));
  fail_unless_equals_int (rate.bitrate, 0);
  for (; now < end + 60 * GST_SECOND; now += 20 * MS) {
    data_flow_add (now);
    gst_tfrc_data_flow_sender_on_timer (&flow, now);
    data_flow_expect_none (now);
  }
  gst_tfrc_data_flow_sender_on_rtcp (&flow, now);
  expect_breaker ("closed", "rtcp-timeout");
  rate = data_flow_expect_rate (GST_TFRC_RATE_RESTART);
  data_flow_add (now);
  fail_unless (data_flow_take_all (now) >= 1);
  fail_unless_equals_float (data_flow_get_stat ("breaker-trips", now), 1);
}

GST_END_TEST;

/* Reports that hide all losses, which the receiver reports count. */
static TfrcTime
run_lie (TfrcTime now, guint seconds, guint * sent)
{
  TfrcTime end = now + seconds * GST_SECOND;
  TfrcStamp stamp;
  guint n;

  for (*sent = 0; now < end; now += 10 * MS) {
    GstTfrcDeparture departure;

    for (n = 0; n < 100; n++)
      data_flow_add (now);
    gst_tfrc_data_flow_sender_on_timer (&flow, now);
    for (n = 0; gst_tfrc_data_flow_sender_take (&flow, &departure, now); n++) {
      stamp = departure.stamp;
      gst_buffer_unref (departure.buffer);
    }
    *sent += n;
    if (n > 0)
      data_flow_report (&stamp, 4000000, 0, now + MS);
    if (now % GST_SECOND == 0) {
      gst_tfrc_data_flow_sender_on_rtcp (&flow, now);
      gst_tfrc_data_flow_sender_on_rtt (&flow, RTT, now);
      gst_tfrc_data_flow_sender_on_block (&flow, 250, 0.0,
          1000 + now / GST_SECOND, now);
    }
  }
  return now;
}

static void
begin_lie (void)
{
  settings.mode = TFRC_MODE_TFRC;
  data_flow_start ();
  data_flow_open_path (START, MS);
}

GST_START_TEST (a_flow_that_is_far_too_fast_is_cut_and_stopped)
{
  TfrcTime now;
  guint before, after, seconds = 0;

  begin_lie ();
  now = run_lie (START + GST_SECOND, 1, &before);
  while (g_queue_is_empty (&flow.messages)) {
    now = run_lie (now, 1, &before);
    fail_unless (++seconds < 12);
  }
  expect_breaker ("reduced", "congestion");
  now = run_lie (now, 1, &after);
  fail_unless (after > 0);
  fail_unless (after * SIZE <= 1.1 * flow.breaker.breaker.limit, "%u", after);
  now = run_lie (now, 20, &after);
  fail_unless_equals_float (data_flow_get_stat ("breaker-trips", now),
      g_queue_get_length (&flow.messages) > 1 ? 2 : 1);
}

GST_END_TEST;

GST_START_TEST (a_flow_without_a_breaker_is_not_cut)
{
  guint sent;

  settings.circuit_breaker = FALSE;
  begin_lie ();
  run_lie (START + GST_SECOND, 20, &sent);
  fail_unless (g_queue_is_empty (&flow.messages));
  fail_unless_equals_float (data_flow_get_stat ("breaker-trips", START), 0);
}

GST_END_TEST;

GST_START_TEST (a_flow_whose_media_are_of_no_use_is_stopped)
{
  TfrcTime now = START;

  settings.max_loss = 0.2;
  data_flow_start ();
  data_flow_open_path (now, RTT);
  for (guint i = 0; i < 20 && g_queue_is_empty (&flow.messages); i++) {
    now += GST_SECOND;
    data_flow_add (now);
    data_flow_take_all (now);
    gst_tfrc_data_flow_sender_on_rtcp (&flow, now);
    gst_tfrc_data_flow_sender_on_block (&flow, i < 5 ? 51 : 60, 0.0, i, now);
  }
  expect_breaker ("stopped", "usability");
  fail_unless (now >= START + 6 * GST_SECOND);
  for (guint i = 0; i < 100; i++) {
    now += GST_SECOND;
    data_flow_add (now);
    gst_tfrc_data_flow_sender_on_rtcp (&flow, now);
    data_flow_expect_none (now);
  }
}

GST_END_TEST;

static Suite *
dataflowbreaker_suite (void)
{
  Suite *suite = suite_create ("circuit breaker of a flow");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, data_flow_set_up, data_flow_tear_down);
  tcase_add_test (tcase, without_rtcp_the_flow_is_paused_and_rtcp_resumes_it);
  tcase_add_test (tcase, a_flow_that_is_far_too_fast_is_cut_and_stopped);
  tcase_add_test (tcase, a_flow_without_a_breaker_is_not_cut);
  tcase_add_test (tcase, a_flow_whose_media_are_of_no_use_is_stopped);
  return suite;
}

GST_CHECK_MAIN (dataflowbreaker);
