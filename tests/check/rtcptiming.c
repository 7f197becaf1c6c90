/* gst-tfrc tests: when the RTCP packets of a unicast session leave
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "rtcp/rtcptiming.h"

#define SIZE 100                /* bytes of each packet, H left out */
#define H 40
#define BANDWIDTH 16000.0       /* bit/s */
#define T_D (140 * TFRC_MSEC)   /* 8 x 2 x 140 bytes / 16 kbit/s */
#define START (1000 * TFRC_SEC)

static GstTfrcRtcpTiming
begin (TfrcTime trr_int, guint64 seed)
{
  GstTfrcRtcpTiming timing;

  gst_tfrc_rtcp_timing_init (&timing, BANDWIDTH, trr_int, H, seed, START);
  return timing;
}

/* A compound packet leaves when it is due, and one of the remote end's arrives. */
static TfrcTime
answered_step (GstTfrcRtcpTiming * timing)
{
  TfrcTime time = gst_tfrc_rtcp_timing_next_compound (timing);

  gst_tfrc_rtcp_timing_on_sent (timing, SIZE, TRUE, time);
  gst_tfrc_rtcp_timing_on_heard (timing, SIZE, time);
  return time;
}

typedef struct
{
  TfrcTime least, most, mean;
} Intervals;

static Intervals
run_answered (GstTfrcRtcpTiming * timing, guint n)
{
  Intervals intervals = { TFRC_TIME_NONE, 0, 0 };
  TfrcTime first, last, time;

  /* the answer to the first packet heard is no regular one */
  answered_step (timing);
  answered_step (timing);
  first = last = answered_step (timing);
  for (guint i = 0; i < n; i++, last = time) {
    time = answered_step (timing);
    intervals.least = MIN (intervals.least, time - last);
    intervals.most = MAX (intervals.most, time - last);
  }
  intervals.mean = (last - first) / n;
  return intervals;
}

#define fail_unless_between(value, least, most) G_STMT_START { \
  gdouble v_ = (value); \
  if (!(v_ >= (least) && v_ <= (most))) \
    fail ("%s is %g, not within %g and %g", #value, v_, (gdouble) (least), (gdouble) (most)); \
} G_STMT_END

/* RFC 3550 6.3.1 with T_min = 0. */
GST_START_TEST
    (intervals_are_half_to_one_and_a_half_of_what_the_bandwidth_gives) {
  GstTfrcRtcpTiming timing = begin (0, 1);
  Intervals intervals = run_answered (&timing, 10000);

  fail_unless_between (timing.avg_rtcp_size, 139.99, 140.01);
  fail_unless_equals_uint64 (gst_tfrc_rtcp_timing_get_interval (&timing,
          0) / TFRC_MSEC * TFRC_MSEC, T_D);
  fail_unless_between (intervals.least, 0.5 * T_D, 0.505 * T_D);
  fail_unless_between (intervals.most, 1.495 * T_D, 1.5 * T_D);
  fail_unless_between (intervals.mean, 0.99 * T_D, 1.01 * T_D);
}

GST_END_TEST;

GST_START_TEST (the_two_ends_take_the_bandwidth_that_they_are_given)
{
  GstTfrcRtcpTiming timing = begin (0, 2);
  TfrcTime first = answered_step (&timing), last = first;
  gdouble bits = 0;

  while (last < first + 1000 * TFRC_SEC) {
    last = answered_step (&timing);
    bits += 2 * 8 * (SIZE + H); /* this end's and as much of the remote end's */
  }
  fail_unless_between (bits * TFRC_SEC / (last - first), 0.98 * BANDWIDTH,
      1.02 * BANDWIDTH);
}

GST_END_TEST;

GST_START_TEST (compound_packets_are_t_rr_interval_apart)
{
  GstTfrcRtcpTiming timing = begin (TFRC_SEC, 3);
  Intervals intervals = run_answered (&timing, 10000);

  fail_unless_between (intervals.least, 0.5 * TFRC_SEC, 0.505 * TFRC_SEC);
  fail_unless_between (intervals.most, 1.495 * TFRC_SEC, 1.5 * TFRC_SEC);
  fail_unless_between (intervals.mean, 0.99 * TFRC_SEC, 1.01 * TFRC_SEC);
}

GST_END_TEST;

GST_START_TEST (equal_seeds_give_equal_intervals)
{
  GstTfrcRtcpTiming a = begin (0, 4), b = begin (0, 4), c = begin (0, 5);
  guint equal = 0;

  for (guint i = 0; i < 100; i++) {
    TfrcTime time = answered_step (&a);

    fail_unless_equals_uint64 (time, answered_step (&b));
    equal += time == answered_step (&c);
  }
  fail_unless (equal <= 3);     /* the first ones do not depend on it */
}

GST_END_TEST;

/* RFC 3550 6.3.3 */
GST_START_TEST (the_mean_size_counts_both_ways_and_what_is_below)
{
  GstTfrcRtcpTiming timing = begin (0, 6);

  fail_unless_between (timing.avg_rtcp_size, 140, 140);
  gst_tfrc_rtcp_timing_on_sent (&timing, 300, TRUE, START);
  fail_unless_between (timing.avg_rtcp_size, 152.49, 152.51);   /* 140 + 200 / 16 */
  gst_tfrc_rtcp_timing_on_heard (&timing, 28, START);
  fail_unless_between (timing.avg_rtcp_size, 147.21, 147.23);   /* 152.5 + (68 - 152.5) / 16 */
  /* no packet of a liar counts for more than an MTU */
  gst_tfrc_rtcp_timing_on_heard (&timing, 65535, START);
  fail_unless_between (timing.avg_rtcp_size, 234.2, 234.3);
}

GST_END_TEST;

/* RFC 4585 3.5.2, 3.5.3: one early packet, and then none before t_p + 2 T_rr. */
GST_START_TEST (feedback_leaves_early_once)
{
  GstTfrcRtcpTiming timing = begin (TFRC_SEC, 7);
  TfrcTime now, T_rr, end;

  answered_step (&timing);
  answered_step (&timing);      /* the answer to the first packet heard */
  now = answered_step (&timing);
  T_rr = timing.T_rr;
  fail_unless_between (T_rr, 0.5 * T_D, 1.5 * T_D);
  fail_unless (gst_tfrc_rtcp_timing_next_feedback (&timing) <= now);
  gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, FALSE, now + TFRC_MSEC);
  end = now + T_rr + timing.T_rr;
  fail_unless_equals_uint64 (gst_tfrc_rtcp_timing_next_feedback (&timing), end);
  /* on time: the next may be early again */
  gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, FALSE, end);
  fail_unless_equals_uint64 (gst_tfrc_rtcp_timing_next_feedback (&timing), end);
}

GST_END_TEST;

/* A TFRC receiver that always has something to say. */
GST_START_TEST (feedback_all_the_time_takes_no_more_than_its_share)
{
  GstTfrcRtcpTiming timing = begin (TFRC_SEC, 8);
  TfrcTime now = START, compound, feedback;
  guint packets = 0;

  while (now < START + 1000 * TFRC_SEC) {
    compound = gst_tfrc_rtcp_timing_next_compound (&timing);
    feedback = MAX (now, gst_tfrc_rtcp_timing_next_feedback (&timing));
    now = MIN (compound, feedback);
    gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, now == compound, now);
    gst_tfrc_rtcp_timing_on_heard (&timing, SIZE, now);
    packets++;
  }
  fail_unless_between (packets, 0.97 * 1000 * TFRC_SEC / T_D,
      1.03 * 1000 * TFRC_SEC / T_D);
}

GST_END_TEST;

/* The bandwidth of gst_tfrc_report_interval_get_rtcp_rate() for a report each 100 ms: 8 x 100
 * bytes x 2 / (0.5 x 0.1 s). */
GST_START_TEST (a_report_each_round_trip_time_is_never_held_up)
{
  GstTfrcRtcpTiming timing;
  TfrcTime now = START;

  gst_tfrc_rtcp_timing_init (&timing, 32000, TFRC_SEC, H, 9, START);
  for (guint i = 0; i < 10000; i++) {
    if (now >= gst_tfrc_rtcp_timing_next_compound (&timing))
      gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, TRUE, now);
    else
      gst_tfrc_rtcp_timing_on_sent (&timing, 28, FALSE, now);
    gst_tfrc_rtcp_timing_on_heard (&timing, 28, now);
    now += 100 * TFRC_MSEC;
    fail_unless (gst_tfrc_rtcp_timing_next_feedback (&timing) <= now);
  }
}

GST_END_TEST;

static guint
count_signs (GstTfrcRtcpTiming * timing, TfrcTime until, TfrcTime * last,
    Intervals * intervals)
{
  guint n = 0;

  *intervals = (Intervals) {TFRC_TIME_NONE, 0, 0};
  for (TfrcTime time;
      (time = gst_tfrc_rtcp_timing_next_compound (timing)) < until; n++) {
    gst_tfrc_rtcp_timing_on_sent (timing, SIZE, TRUE, time);
    if (*last > 0) {
      intervals->least = MIN (intervals->least, time - *last);
      intervals->most = MAX (intervals->most, time - *last);
    }
    *last = time;
  }
  return n;
}

/* The first one is sent twice within half a second. */
GST_START_TEST (a_sign_of_life_leaves_each_second_and_after_a_minute_each_3_s)
{
  static const gdouble bandwidths[] = { 1, 400, 16000, 1e6 };

  for (guint i = 0; i < G_N_ELEMENTS (bandwidths); i++) {
    GstTfrcRtcpTiming timing;
    Intervals intervals;
    TfrcTime last = 0;

    gst_tfrc_rtcp_timing_init (&timing, bandwidths[i], TFRC_SEC, H, i, START);
    /* the first leaves at once */
    fail_unless_equals_uint64 (gst_tfrc_rtcp_timing_next_compound (&timing),
        START);
    fail_unless_between (count_signs (&timing, START + 501 * TFRC_MSEC, &last,
            &intervals), 2, 2);
    fail_unless_between (intervals.least, 0.4 * TFRC_SEC, 0.5 * TFRC_SEC);
    fail_unless_between (count_signs (&timing, START + 62 * TFRC_SEC, &last,
            &intervals), 62, 78);
    fail_unless_between (intervals.least, 0.8 * TFRC_SEC, 0.85 * TFRC_SEC);
    fail_unless_between (intervals.most, 0.95 * TFRC_SEC, TFRC_SEC);
    last = 0;
    fail_unless_between (count_signs (&timing, START + 662 * TFRC_SEC, &last,
            &intervals), 200, 250);
    fail_unless_between (intervals.least, 2.4 * TFRC_SEC, 2.5 * TFRC_SEC);
    fail_unless_between (intervals.most, 2.9 * TFRC_SEC, 3 * TFRC_SEC);
  }
}

GST_END_TEST;

GST_START_TEST (the_first_rtcp_is_answered_at_once)
{
  GstTfrcRtcpTiming timing = begin (TFRC_SEC, 10);
  Intervals intervals;
  TfrcTime last = 0, now = START + 90 * TFRC_SEC;

  count_signs (&timing, now, &last, &intervals);
  now = last + 500 * TFRC_MSEC;
  fail_unless (gst_tfrc_rtcp_timing_next_compound (&timing) > now);
  fail_unless (gst_tfrc_rtcp_timing_on_heard (&timing, SIZE, now));
  fail_unless (gst_tfrc_rtcp_timing_next_compound (&timing) <= now);
  gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, TRUE, now);
  fail_if (gst_tfrc_rtcp_timing_on_heard (&timing, SIZE, now + TFRC_MSEC));
  fail_unless (gst_tfrc_rtcp_timing_next_compound (&timing) >=
      now + 500 * TFRC_MSEC);
}

GST_END_TEST;

/* Whoever makes the remote end's SSRC change all the time gets ten answers a second. */
GST_START_TEST (answers_are_a_tenth_of_a_second_apart)
{
  GstTfrcRtcpTiming timing = begin (TFRC_SEC, 11);
  guint answers = 0;

  for (TfrcTime now = START; now < START + 10 * TFRC_SEC; now += TFRC_MSEC) {
    gst_tfrc_rtcp_timing_answer (&timing);
    if (gst_tfrc_rtcp_timing_next_compound (&timing) <= now) {
      gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, TRUE, now);
      answers++;
    }
  }
  fail_unless_equals_int (answers, 100);
}

GST_END_TEST;

/* Three intervals of compound packets, within 1 and 5 s. */
GST_START_TEST (silence_begins_after_three_intervals)
{
  static const struct
  {
    gdouble bandwidth;
    TfrcTime trr_int, silence;
  } cases[] = {
    {16000, 0, TFRC_SEC},       /* 3 x 0.14 s is too short */
    {2240, 0, 3 * TFRC_SEC},    /* 3 x 1 s */
    {16000, 1200 * TFRC_MSEC, 3600 * TFRC_MSEC},
    {100, 0, 5 * TFRC_SEC}      /* 3 x 22.4 s is too long */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstTfrcRtcpTiming timing;
    TfrcTime now = START + 10 * TFRC_SEC, time;

    gst_tfrc_rtcp_timing_init (&timing, cases[i].bandwidth, cases[i].trr_int, H,
        i, START);
    gst_tfrc_rtcp_timing_on_heard (&timing, SIZE, now);
    gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, TRUE, now);
    fail_unless_equals_uint64 (gst_tfrc_rtcp_timing_get_silence (&timing) - now,
        cases[i].silence);
    /* in silence the signs of life begin, however slow regular packets are */
    for (time = now; time < now + cases[i].silence;
        time = gst_tfrc_rtcp_timing_next_compound (&timing))
      gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, TRUE, time);
    fail_unless (time <= now + cases[i].silence + TFRC_SEC);
    gst_tfrc_rtcp_timing_on_sent (&timing, SIZE, TRUE, time);
    fail_unless_between (gst_tfrc_rtcp_timing_next_compound (&timing) - time,
        0.8 * TFRC_SEC, TFRC_SEC);
    fail_if (gst_tfrc_rtcp_timing_on_heard (&timing, SIZE,
            now + cases[i].silence - 1));
    now = gst_tfrc_rtcp_timing_get_silence (&timing);
    fail_unless (gst_tfrc_rtcp_timing_on_heard (&timing, SIZE, now));
  }
}

GST_END_TEST;

GST_START_TEST (a_change_of_the_bandwidth_changes_the_interval_under_way)
{
  GstTfrcRtcpTiming timing = begin (0, 12);
  TfrcTime now, T, T_rr;

  answered_step (&timing);
  now = answered_step (&timing);
  T = timing.T;
  T_rr = timing.T_rr;
  gst_tfrc_rtcp_timing_set (&timing, 2 * BANDWIDTH, timing.trr_int);
  fail_unless_between ((gdouble) timing.T, 0.499 * T, 0.501 * T);
  fail_unless_between ((gdouble) timing.T_rr, 0.499 * T_rr, 0.501 * T_rr);
  fail_unless_equals_uint64 (gst_tfrc_rtcp_timing_next_compound (&timing),
      now + timing.T);
  gst_tfrc_rtcp_timing_set (&timing, BANDWIDTH / 2, timing.trr_int);
  fail_unless_between ((gdouble) timing.T, 1.99 * T, 2.01 * T);
  /* but not where T_rr_interval is the longer */
  timing = begin (TFRC_SEC, 13);
  answered_step (&timing);
  answered_step (&timing);
  T = timing.T;
  T_rr = timing.T_rr;
  gst_tfrc_rtcp_timing_set (&timing, 2 * BANDWIDTH, timing.trr_int);
  fail_unless_equals_uint64 (timing.T, T);
  fail_unless_between ((gdouble) timing.T_rr, 0.499 * T_rr, 0.501 * T_rr);
  /* T_D becomes 14 s: 14 times T_rr_interval */
  gst_tfrc_rtcp_timing_set (&timing, BANDWIDTH / 100, timing.trr_int);
  fail_unless_between ((gdouble) timing.T, 13.9 * T, 14.1 * T);
  /* or T_rr_interval itself changes */
  timing = begin (TFRC_SEC, 13);
  answered_step (&timing);
  answered_step (&timing);
  gst_tfrc_rtcp_timing_set (&timing, BANDWIDTH, 3 * TFRC_SEC);
  fail_unless_between ((gdouble) timing.T, 2.99 * T, 3.01 * T);
  fail_unless_equals_uint64 (timing.T_rr, T_rr);
}

GST_END_TEST;

static Suite *
rtcptiming_suite (void)
{
  Suite *suite = suite_create ("rtcptiming");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase,
      intervals_are_half_to_one_and_a_half_of_what_the_bandwidth_gives);
  tcase_add_test (tcase, the_two_ends_take_the_bandwidth_that_they_are_given);
  tcase_add_test (tcase, compound_packets_are_t_rr_interval_apart);
  tcase_add_test (tcase, equal_seeds_give_equal_intervals);
  tcase_add_test (tcase, the_mean_size_counts_both_ways_and_what_is_below);
  tcase_add_test (tcase, feedback_leaves_early_once);
  tcase_add_test (tcase, feedback_all_the_time_takes_no_more_than_its_share);
  tcase_add_test (tcase, a_report_each_round_trip_time_is_never_held_up);
  tcase_add_test (tcase,
      a_sign_of_life_leaves_each_second_and_after_a_minute_each_3_s);
  tcase_add_test (tcase, the_first_rtcp_is_answered_at_once);
  tcase_add_test (tcase, answers_are_a_tenth_of_a_second_apart);
  tcase_add_test (tcase, silence_begins_after_three_intervals);
  tcase_add_test (tcase,
      a_change_of_the_bandwidth_changes_the_interval_under_way);
  return suite;
}

GST_CHECK_MAIN (rtcptiming);
