/* gst-tfrc tests: a playout delay that follows the path, in a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ends.h"

#define MS GST_MSECOND

static Ends ends;

static GstClockTime
get_latency (void)
{
  GstQuery *query = gst_query_new_latency ();
  GstPad *src = gst_element_get_static_pad (ends.src, "src");
  GstClockTime latency;

  fail_unless (gst_pad_query (src, query));
  gst_query_parse_latency (query, NULL, &latency, NULL);
  gst_query_unref (query);
  gst_object_unref (src);
  return latency;
}

/* Packets take up to `jitter` more than the fastest. */
static void
play (guint seconds, GstClockTime jitter)
{
  NetRules rules = { 0 };
  guint n;

  for (n = 0; n < seconds * 50; n++) {
    rules.delay = jitter * (n * 7 % 10) / 9;
    net_set_rules (ends.port, &rules);
    ends_play (&ends, 20 * MS);
  }
}

static guint64
get_delay (void)
{
  return ends_get_stat (ends.src, "playout-delay");
}

GST_START_TEST (the_delay_follows_the_path_and_the_latency_stays)
{
  guint64 late;

  ends_start_call (&ends, "mode=tfrc-sp max-latency=400", "mode=tfrc-sp");
  play (20, 0);
  fail_unless (get_delay () >= 10 * MS && get_delay () <= 30 * MS);
  fail_unless_equals_uint64 (get_latency (), 400 * MS);
  play (20, 100 * MS);
  fail_unless (get_delay () >= 95 * MS && get_delay () <= 130 * MS,
      "%" GST_TIME_FORMAT, GST_TIME_ARGS (get_delay ()));
  late = ends_get_stat (ends.src, "playout-late");
  play (10, 100 * MS);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "playout-late"), late);
  fail_unless_equals_uint64 (get_latency (), 400 * MS);

  /* It cannot be changed by the property that has no say. */
  g_object_set (ends.src, "latency", 50, NULL);
  fail_unless_equals_uint64 (get_latency (), 400 * MS);
  fail_unless_equals_int (ends.earlier, 0);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (the_least_latency_is_kept)
{
  ends_start_call (&ends, "mode=tfrc-sp min-latency=60 max-latency=200",
      "mode=tfrc-sp");
  play (20, 0);
  fail_unless_equals_uint64 (get_delay (), 60 * MS);
  play (20, 300 * MS);
  fail_unless (get_delay () <= 200 * MS);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (without_it_the_delay_is_the_latency)
{
  ends_start_call (&ends, "mode=tfrc-sp latency=120", "mode=tfrc-sp");
  play (5, 50 * MS);
  fail_unless_equals_uint64 (get_delay (), 120 * MS);
  fail_unless_equals_uint64 (get_latency (), 120 * MS);
  ends_stop (&ends);
}

GST_END_TEST;

static Suite *
latency_suite (void)
{
  Suite *s = suite_create ("latency");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, the_delay_follows_the_path_and_the_latency_stays);
  tcase_add_test (tc, the_least_latency_is_kept);
  tcase_add_test (tc, without_it_the_delay_is_the_latency);
  return s;
}

GST_CHECK_MAIN (latency);
