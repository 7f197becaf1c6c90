/* gst-tfrc tests: ECN of elements tfrcbin, on paths that mark, spoil marks or drop what has them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callend.h"
#include "settle.h"

#define PEER_OF(port) "peer=127.0.0.1:" G_STRINGIFY (port) " "
#define CE 3

static CallEnd a, b;

/* Ends on ports 6000 and 6002. */
static void
begin_call (const gchar * of_a, const gchar * of_b)
{
  gchar *lines[2] = { g_strconcat ("mode=tfrc-sp ", of_a, NULL),
    g_strconcat ("mode=tfrc-sp ", of_b, NULL)
  };

  call_start_pair (&a, &b, lines[0], lines[1]);
  g_free (lines[0]);
  g_free (lines[1]);
}

static void
end_call (void)
{
  call_stop_pair (&a, &b);
}

static gdouble
get (CallEnd * end, const gchar * part, const gchar * name)
{
  return call_end_get_peer_stat (end, 0, part, name);
}

static void
expect_ecn (CallEnd * end, guint id, const gchar * state, const gchar * failure)
{
  GstStructure *stats = call_end_get_peer_stats (end, id), *part = NULL;

  fail_unless (gst_structure_get (stats, "ecn", GST_TYPE_STRUCTURE, &part,
          NULL));
  fail_unless_equals_string (gst_structure_get_string (part, "state"), state);
  fail_unless_equals_string (gst_structure_get_string (part, "failure"),
      failure);
  gst_structure_free (part);
  gst_structure_free (stats);
}

/* ECN-capable packets that were sent to the port; RTCP never is. */
static guint
count_capable (guint port)
{
  NetCounts counts = net_get_counts (port);

  fail_unless_equals_int (counts.capable_rtcp, 0);
  return counts.capable;
}

/* --- paths that leave marks alone --- */

GST_START_TEST (test_a_clean_path_is_verified_by_default)
{
  guint capable, i;

  begin_call ("", "");
  call_run (500 * GST_MSECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "probing", "none");
  fail_unless (count_capable (6002) <= 3);
  call_run (5 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  expect_ecn (&b, 0, "on", "none");
  capable = count_capable (6002);
  for (i = 0; i < 50; i++)
    call_run (CALL_FRAME, &a, NULL);
  fail_unless_equals_int (count_capable (6002) - capable, 50);
  fail_unless (get (&a, "ecn", "packets-marked") == count_capable (6002));
  fail_unless (get (&b, "ecn", "ect0") + 1 >= count_capable (6002));
  fail_unless (get (&b, "ecn", "ect1") + get (&b, "ecn", "ce") == 0);
  fail_unless (get (&b, "ecn", "not-ect") > 20);
  fail_unless (get (&a, "data-sender", "p") == 0);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_ecn_goes_with_the_code_point_and_with_ipv6)
{
  call_end_start (&a, "port=6000 dscp=46 peer=[::1]:6002 address=::1");
  call_end_start (&b, "port=6002 peer=[::1]:6000 address=::1");
  call_end_feed (&a, 0);
  call_end_feed (&b, 0);
  call_run (5 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  expect_ecn (&b, 0, "on", "none");
  call_end_push (&a, 0);
  net_run (GST_MSECOND);
  fail_unless_equals_int (net_get_last (6002).tos, 46 << 2 | 2);
  end_call ();
}

GST_END_TEST;

/* The round-trip time is so long that the rate is less than the application's. */
#define LONG_DELAY (500 * GST_MSECOND)

/* The mean rate that is allowed where the path to port 6002 has these rules. */
static gdouble
measure_rate (const NetRules * rules, gdouble * lost, gdouble * p)
{
  gdouble sum = 0;
  guint i;

  net_set_rules (6002, &(NetRules) {.delay = LONG_DELAY});
  begin_call ("", "");
  call_run (8 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  net_set_rules (6002, rules);
  call_run (60 * GST_SECOND, &a, &b, NULL);
  for (i = 0; i < 60; i++) {
    call_run (GST_SECOND, &a, &b, NULL);
    sum += get (&a, "data-sender", "X") / 60;
  }
  *lost = get (&b, "data-receiver", "lost");
  *p = get (&a, "data-sender", "p");
  expect_ecn (&a, 0, "on", "none");
  end_call ();
  return sum;
}

/* RFC 3168 5: a mark is to have the effect of a drop, without the loss. */
GST_START_TEST (test_a_queue_that_marks_gives_the_rate_of_one_that_drops)
{
  gdouble lost[2], p[2], rates[2];

  rates[0] = measure_rate (&(NetRules) {
          .delay = LONG_DELAY,
          .mark_every = 10}, &lost[0], &p[0]);
  net_stop ();
  net_start ();
  rates[1] = measure_rate (&(NetRules) {
          .delay = LONG_DELAY,
          .drop_every = 10}, &lost[1], &p[1]);
  fail_unless_equals_float (lost[0], 0);
  fail_unless (lost[1] > 150);
  fail_unless (p[0] > 0.05 && p[0] < 0.12, "p %g", p[0]);
  fail_unless (rates[0] < 0.9 * 50 * (CALL_PAYLOAD + 24));
  fail_unless (ABS (p[0] / p[1] - 1) < 0.05, "p %g and %g", p[0], p[1]);
  fail_unless (ABS (rates[0] / rates[1] - 1) < 0.05, "rates %g and %g",
      rates[0], rates[1]);
}

GST_END_TEST;

/* --- paths that do not --- */

static const struct
{
  NetRules rules;
  const gchar *failure;
} bad_paths[] = {
  {{.clear = 3}, "bleached"},
  {{.mark = CE}, "mangled"},
  {{.mark_every = 1}, "mangled"},
  {{.drop_capable = TRUE}, "dropped"},
};

/* The initiation finds it; the call does not suffer. */
GST_START_TEST (test_a_path_that_spoils_marks_leads_to_off)
{
  guint capable, n;

  net_set_rules (6002, &bad_paths[__i__].rules);
  begin_call ("", "");
  call_run (6 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", bad_paths[__i__].failure);
  expect_ecn (&b, 0, "on", "none");     /* the other direction */
  capable = count_capable (6002);
  fail_unless (capable <= 30, "%u", capable);
  n = call_end_count_packets (&b, 0);
  call_run (10 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (count_capable (6002), capable);
  fail_unless (call_end_count_packets (&b, 0) >= n + 490);
  if (!bad_paths[__i__].rules.drop_capable)
    fail_unless (get (&a, "data-sender", "p") == 0);
  end_call ();
}

GST_END_TEST;

/* The same when the route changes later: marks count no more once the remote end was told. */
GST_START_TEST (test_a_path_that_begins_to_spoil_marks_leads_to_off)
{
  guint n;

  begin_call ("", "");
  call_run (6 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  net_set_rules (6002, &bad_paths[__i__].rules);
  call_run (20 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", bad_paths[__i__].failure);
  n = get (&b, "data-receiver", "marked");
  call_run (40 * GST_SECOND, &a, &b, NULL);
  fail_unless (get (&b, "data-receiver", "marked") == n);
  n = call_end_count_packets (&b, 0);
  call_run (2 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) >= n + 95);
  end_call ();
}

GST_END_TEST;

/* --- remote ends --- */

GST_START_TEST (test_nothing_is_marked_for_an_end_that_does_not_report)
{
  begin_call ("", "ecn=off");
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "off", "none");
  expect_ecn (&b, 0, "off", "none");
  fail_unless_equals_int (count_capable (6000) + count_capable (6002), 0);
  end_call ();

  /* without the announcement, four probes are enough */
  begin_call ("ecn=ect0", "ecn=off");
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", "not-reported");
  fail_unless (count_capable (6002) >= 4);
  fail_unless (count_capable (6002) <= 16, "%u", count_capable (6002));
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_nothing_is_marked_for_a_plain_phone)
{
  net_open (7000);
  call_end_start (&a, "port=6000 " PEER_OF (7000));
  call_end_feed (&a, 0);
  phone_send_rtcp ("127.0.0.1", 7000, 6000, 0x1234, FALSE);
  call_run (10 * GST_SECOND, &a, NULL);
  phone_send_rtcp ("127.0.0.1", 7000, 6000, 0x1234, FALSE);
  call_run (1 * GST_SECOND, &a, NULL);
  fail_unless (net_get_counts (7000).packets > 5);
  fail_unless_equals_int (count_capable (7000), 0);
  expect_ecn (&a, 0, "off", "none");
  call_end_stop (&a);
}

GST_END_TEST;

/* With ect0 nothing needs to be announced: this hides the announcement. */
static void
hide_ecn (guint8 * data, gsize size)
{
  gsize i;

  for (i = 0; i + 20 <= size; i += 4)
    if (memcmp (data + i + 8, "TFRC", 4) == 0)
      data[i + 19] &= ~4;
}

GST_START_TEST (test_an_end_that_reports_and_does_not_say_so)
{
  NetRules hide = { .edit = hide_ecn };

  net_set_rules (6000, &hide);
  begin_call ("", "");
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "off", "none");
  fail_unless_equals_int (count_capable (6002), 0);
  end_call ();
  net_stop ();
  net_start ();
  net_set_rules (6000, &hide);
  begin_call ("ecn=ect0", "");
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  end_call ();
}

GST_END_TEST;

/* Counts of marks are replaced by what grows wildly. */
static void
lie (guint8 * data, gsize size)
{
  static guint32 number;
  gsize i, j;

  for (i = 0; i + 32 <= size; i += 4)
    if (GST_READ_UINT32_BE (data + i) == 0x88CD0007)
      for (j = 16; j < 32; j += 4)
        GST_WRITE_UINT32_BE (data + i + j, number += 0x01234567);
}

GST_START_TEST (test_counts_that_lie_lead_to_off)
{
  NetRules rules = { .edit = lie };
  guint n;

  net_set_rules (6000, &rules);
  begin_call ("", "");
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", "inconsistent");
  fail_unless (get (&a, "ecn", "inconsistent-reports") >= 3);
  fail_unless (get (&a, "data-sender", "p") == 0);
  n = call_end_count_packets (&b, 0);
  call_run (2 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) >= n + 95);
  end_call ();
}

GST_END_TEST;

/* The BYE of the remote end has a report block, and counts beside it. */
GST_START_TEST (test_a_remote_end_that_leaves_has_reported)
{
  begin_call ("", "");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  call_run (500 * GST_MSECOND, &a, NULL);
  call_end_stop (&b);
  call_run (100 * GST_MSECOND, &a, NULL);
  expect_ecn (&a, 0, "on", "none");
  call_end_stop (&a);
}

GST_END_TEST;

GST_START_TEST (test_a_new_remote_end_is_verified_anew)
{
  begin_call ("", "");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  call_end_stop (&b);
  call_end_start (&b, "port=6002 mode=tfrc-sp ecn=off " PEER_OF (6000));
  call_end_feed (&b, 0);
  call_run (5 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "off", "none");
  call_end_stop (&b);
  call_end_start (&b, "port=6002 mode=tfrc-sp " PEER_OF (6000));
  call_end_feed (&b, 0);
  call_run (8 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  end_call ();
}

GST_END_TEST;

/* After an outage the route may be another one. */
GST_START_TEST (test_a_path_that_failed_is_tried_again_after_an_outage)
{
  NetRules cut = { .block = TRUE }, clean = { FALSE };

  net_set_rules (6002, &bad_paths[__i__].rules);
  begin_call ("", "");
  call_run (6 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", bad_paths[__i__].failure);
  net_set_rules (6000, &cut);
  net_set_rules (6002, &cut);
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", bad_paths[__i__].failure);
  net_set_rules (6000, &clean);
  net_set_rules (6002, &clean);
  call_run (8 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  expect_ecn (&b, 0, "on", "none");
  /* and when it still spoils marks, it is found out again */
  net_set_rules (6000, &cut);
  net_set_rules (6002, &cut);
  call_run (10 * GST_SECOND, &a, &b, NULL);
  net_set_rules (6000, &clean);
  net_set_rules (6002, &bad_paths[__i__].rules);
  call_run (10 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "failed", bad_paths[__i__].failure);
  end_call ();
}

GST_END_TEST;

/* --- options --- */

GST_START_TEST (test_a_peer_may_have_another_setting)
{
  GstStructure *options = gst_structure_from_string ("options,ecn=off", NULL);
  guint id = 0;

  call_end_start (&a, "port=6000 mode=tfrc-sp " PEER_OF (6002));
  call_end_start (&b, "port=6002 mode=tfrc-sp " PEER_OF (6000));
  g_signal_emit_by_name (a.call, "add-peer", "127.0.0.1", 6004, options, &id);
  settle ();
  gst_structure_free (options);
  call_end_feed (&a, 0);
  call_end_feed (&a, id);
  call_end_feed (&b, 0);
  net_open (6004);
  call_run (5 * GST_SECOND, &a, &b, NULL);
  expect_ecn (&a, 0, "on", "none");
  expect_ecn (&a, id, "off", "none");
  fail_unless_equals_int (count_capable (6004), 0);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_the_property_has_its_values)
{
  static const gchar *const nicks[] = { "off", "ect0", "auto" };
  GValue value = G_VALUE_INIT;
  gchar *text;
  guint i;

  call_end_init (&a, "");
  for (i = 0; i < G_N_ELEMENTS (nicks); i++) {
    gst_util_set_object_arg (G_OBJECT (a.call), "ecn", nicks[i]);
    g_value_init (&value, g_object_class_find_property (G_OBJECT_GET_CLASS
            (a.call), "ecn")->value_type);
    g_object_get_property (G_OBJECT (a.call), "ecn", &value);
    text = gst_value_serialize (&value);
    fail_unless_equals_string (text, nicks[i]);
    g_free (text);
    g_value_unset (&value);
  }
  call_end_stop (&a);
}

GST_END_TEST;

static Suite *
ecn_suite (void)
{
  Suite *s = suite_create ("ecn");
  TCase *tc = tcase_create ("general");

  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, test_a_clean_path_is_verified_by_default);
  tcase_add_test (tc, test_ecn_goes_with_the_code_point_and_with_ipv6);
  tcase_add_test (tc, test_a_queue_that_marks_gives_the_rate_of_one_that_drops);
  tcase_add_loop_test (tc, test_a_path_that_spoils_marks_leads_to_off, 0,
      G_N_ELEMENTS (bad_paths));
  tcase_add_loop_test (tc,
      test_a_path_that_failed_is_tried_again_after_an_outage, 0,
      G_N_ELEMENTS (bad_paths));
  tcase_add_loop_test (tc, test_a_path_that_begins_to_spoil_marks_leads_to_off,
      0, G_N_ELEMENTS (bad_paths));
  tcase_add_test (tc, test_nothing_is_marked_for_an_end_that_does_not_report);
  tcase_add_test (tc, test_nothing_is_marked_for_a_plain_phone);
  tcase_add_test (tc, test_an_end_that_reports_and_does_not_say_so);
  tcase_add_test (tc, test_counts_that_lie_lead_to_off);
  tcase_add_test (tc, test_a_remote_end_that_leaves_has_reported);
  tcase_add_test (tc, test_a_new_remote_end_is_verified_anew);
  tcase_add_test (tc, test_a_peer_may_have_another_setting);
  tcase_add_test (tc, test_the_property_has_its_values);
  suite_add_tcase (s, tc);
  return s;
}

GST_CHECK_MAIN (ecn);
