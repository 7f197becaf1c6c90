/* gst-tfrc tests: whose reports are taken, in what size they leave and how far apart
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <tfrc/wire.h>

#include "rtcp/acceptedreceiver.h"
#include "rtcp/reportinterval.h"
#include "rtcp/compoundinterval.h"
#include "leaks.h"

#define MEDIA 0x22222222u
#define PEER 0x11111111u
#define OTHER 0x33333333u
#define T0 (1000 * GST_SECOND)
#define H 40

/* --- whose --- */

GST_START_TEST (a_data_sender_that_hears_nothing_sends_signs_of_life)
{
  const GstClockTime s = GST_SECOND, t = 1000 * s;
  GstTfrcCompoundInterval life;

  gst_tfrc_compound_interval_init (&life, FALSE, t);
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life, t),
      600 * GST_MSECOND);
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life,
          t + 62 * s - 1), 600 * GST_MSECOND);
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life,
          t + 62 * s), 1900 * GST_MSECOND);
  fail_unless (gst_tfrc_compound_interval_on_heard (&life, t + 70 * s));
  fail_if (gst_tfrc_compound_interval_on_heard (&life, t + 71 * s));
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life,
          t + 73 * s - 1), 2 * s);
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life,
          t + 73 * s), 600 * GST_MSECOND);
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life,
          t + 133 * s), 1900 * GST_MSECOND);
  fail_unless (gst_tfrc_compound_interval_on_heard (&life, t + 73 * s));
}

GST_END_TEST;

GST_START_TEST (a_data_receiver_answers_what_ends_a_silence)
{
  const GstClockTime t = 1000 * GST_SECOND;
  GstTfrcCompoundInterval life;

  gst_tfrc_compound_interval_init (&life, TRUE, t);
  fail_unless_equals_uint64 (gst_tfrc_compound_interval_get (&life, t),
      2 * GST_SECOND);
  fail_unless (gst_tfrc_compound_interval_on_heard (&life, t));
  fail_if (gst_tfrc_compound_interval_on_heard (&life, t + 3199 * GST_MSECOND));
  fail_unless (gst_tfrc_compound_interval_on_heard (&life,
          t + 6399 * GST_MSECOND));
}

GST_END_TEST;

GST_START_TEST (one_receiver_is_listened_to_until_it_is_silent)
{
  GstTfrcAcceptedReceiver peer = { 0 };
  GstClockTime silent = T0 + 2 * GST_SECOND;

  fail_if (gst_tfrc_accepted_receiver_check (&peer, PEER, MEDIA, T0));
  fail_unless (gst_tfrc_accepted_receiver_set_media_ssrc (&peer, MEDIA));
  fail_if (gst_tfrc_accepted_receiver_set_media_ssrc (&peer, MEDIA));
  fail_unless (gst_tfrc_accepted_receiver_check (&peer, PEER, MEDIA, T0));
  fail_unless (gst_tfrc_accepted_receiver_bind (&peer, PEER, T0));
  fail_if (gst_tfrc_accepted_receiver_bind (&peer, PEER, T0));
  fail_if (gst_tfrc_accepted_receiver_check (&peer, PEER, OTHER, T0));
  fail_if (gst_tfrc_accepted_receiver_check (&peer, OTHER, MEDIA, silent));
  fail_unless (gst_tfrc_accepted_receiver_check (&peer, PEER, MEDIA, silent));
  fail_unless (gst_tfrc_accepted_receiver_check (&peer, OTHER, MEDIA,
          silent + 1));
  fail_unless_equals_uint64 (peer.wrong_media_ssrc, 2);
  fail_unless_equals_uint64 (peer.wrong_sender_ssrc, 1);
  fail_unless_equals_uint64 (peer.rebinds, 0);
  fail_unless (gst_tfrc_accepted_receiver_bind (&peer, OTHER, silent + 1));
  fail_unless_equals_uint64 (peer.rebinds, 1);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_left_is_replaced_at_once)
{
  GstTfrcAcceptedReceiver peer = { 0 };

  gst_tfrc_accepted_receiver_set_media_ssrc (&peer, MEDIA);
  gst_tfrc_accepted_receiver_bind (&peer, PEER, T0);
  gst_tfrc_accepted_receiver_leave (&peer, OTHER);
  fail_if (gst_tfrc_accepted_receiver_check (&peer, OTHER, MEDIA, T0));
  gst_tfrc_accepted_receiver_leave (&peer, PEER);
  fail_unless (gst_tfrc_accepted_receiver_check (&peer, OTHER, MEDIA, T0));
}

GST_END_TEST;

GST_START_TEST (the_session_sees_one_report_in_two_seconds)
{
  GstTfrcAcceptedReceiver peer = { .session_saw = T0 };
  GstClockTime end = T0 + 2 * GST_SECOND;

  gst_tfrc_accepted_receiver_set_media_ssrc (&peer, MEDIA);
  fail_if (gst_tfrc_accepted_receiver_may_pass_session (&peer, PEER, MEDIA,
          T0));
  gst_tfrc_accepted_receiver_bind (&peer, PEER, T0);
  fail_unless (gst_tfrc_accepted_receiver_may_pass_session (&peer, PEER, MEDIA,
          end - 1));
  fail_if (gst_tfrc_accepted_receiver_may_pass_session (&peer, PEER, MEDIA,
          end));
  fail_if (gst_tfrc_accepted_receiver_may_pass_session (&peer, OTHER, MEDIA,
          T0));
  fail_if (gst_tfrc_accepted_receiver_may_pass_session (&peer, PEER, OTHER,
          T0));
  gst_tfrc_accepted_receiver_leave (&peer, PEER);
  fail_if (gst_tfrc_accepted_receiver_may_pass_session (&peer, PEER, MEDIA,
          T0));
}

GST_END_TEST;

/* --- in what size --- */

#define RATE 5000u              /* of the data, bytes/s */
#define SPACING (100 * GST_MSECOND)

typedef struct
{
  GstTfrcReducedSize state;
  GstClockTime now;
  guint64 received;
  guint32 R;                    /* us, in the stamps */
} Reduced;

/* Data at `rate` arrive and `n` reports leave, while R does not move. Whether that changed how
 * reports leave. */
static gboolean
send_reports (Reduced * reduced, gboolean compound, guint n, guint rate)
{
  gboolean was_on = reduced->state.on;

  while (n-- > 0) {
    reduced->now += SPACING;
    reduced->received += rate / 10;
    gst_tfrc_reduced_size_choose (&reduced->state, compound, reduced->received,
        reduced->now);
  }
  return reduced->state.on != was_on;
}

static Reduced
begin_reduced (void)
{
  Reduced reduced = { .now = T0 };

  gst_tfrc_reduced_size_init (&reduced.state);
  reduced.state.remote_takes = TRUE;
  fail_unless (send_reports (&reduced, TRUE, 1, RATE));
  return reduced;
}

/* A report has moved R by so many us. */
static void
move_R (Reduced * reduced, gint us)
{
  reduced->R += us;
  gst_tfrc_reduced_size_confirm (&reduced->state, reduced->R);
}

/* The rate falls to less than half. */
static void
fail_reports (Reduced * reduced, gboolean compound)
{
  fail_if (send_reports (reduced, compound, 5, RATE));
  fail_if (send_reports (reduced, compound, 3, RATE / 3));
  fail_unless (send_reports (reduced, compound, 1, RATE / 3));
}

GST_START_TEST (reduced_size_is_tried_again_after_30_s_and_then_twice_as_long)
{
  Reduced reduced = begin_reduced ();
  guint wait;

  for (wait = 300; wait <= 2400; wait *= 2) {
    fail_reports (&reduced, FALSE);
    fail_if (send_reports (&reduced, TRUE, wait - 1, RATE));
    fail_unless (send_reports (&reduced, TRUE, 1, RATE));
  }
  fail_unless_equals_uint64 (reduced.state.fallbacks, 4);
}

GST_END_TEST;

GST_START_TEST (reduced_size_stays_as_long_as_the_rate_holds)
{
  Reduced reduced = begin_reduced ();

  fail_if (send_reports (&reduced, FALSE, 100, RATE));
  fail_if (send_reports (&reduced, FALSE, 100, RATE / 2 + 10));
  /* the highest rate of long ago is not what is compared with */
  fail_if (send_reports (&reduced, FALSE, 100, RATE / 3));
  fail_unless (send_reports (&reduced, FALSE, 12, RATE / 8));
}

GST_END_TEST;

GST_START_TEST (a_rate_that_falls_while_R_moves_is_the_applications)
{
  Reduced reduced = begin_reduced ();
  guint i;

  for (i = 1; i < 20; i++) {
    fail_if (send_reports (&reduced, FALSE, 5, RATE / (i * i)));
    move_R (&reduced, 1000);
  }
}

GST_END_TEST;

/* The compound packets arrive and keep up the rate. */
GST_START_TEST
    (reduced_size_is_given_up_when_R_moves_for_compound_packets_alone) {
  Reduced reduced = begin_reduced ();

  fail_if (send_reports (&reduced, FALSE, 6, RATE));
  fail_if (send_reports (&reduced, TRUE, 1, RATE));
  fail_if (send_reports (&reduced, FALSE, 1, RATE));
  move_R (&reduced, 1000);
  fail_if (send_reports (&reduced, FALSE, 5, RATE));
  fail_unless (send_reports (&reduced, FALSE, 1, RATE));
}

GST_END_TEST;

/* The time that the path takes changes once, just when a compound packet has left. */
GST_START_TEST (reduced_size_stays_when_R_moves_for_other_packets_too)
{
  Reduced reduced = begin_reduced ();

  fail_if (send_reports (&reduced, FALSE, 20, RATE));
  fail_if (send_reports (&reduced, TRUE, 1, RATE));
  move_R (&reduced, 1000);
  fail_if (send_reports (&reduced, FALSE, 2, RATE));
  move_R (&reduced, 1000);
  fail_if (send_reports (&reduced, FALSE, 20, RATE));
}

GST_END_TEST;

/* A compound packet leaves between two data packets, and its t_delay is rounded, where that of the
 * others is 0: on a path that takes the same time for each packet this alone moves R. */
GST_START_TEST (reduced_size_stays_when_rounding_moves_R)
{
  Reduced reduced = begin_reduced ();
  gint i;

  move_R (&reduced, 34000);
  for (i = 0; i < 10; i++) {
    fail_if (send_reports (&reduced, FALSE, 19, RATE));
    fail_if (send_reports (&reduced, TRUE, 1, RATE));
    move_R (&reduced, i % 2 == 0 ? -3 : 3);
  }
  /* and it does not make up for what was seen before */
  move_R (&reduced, 1000);
  fail_if (send_reports (&reduced, FALSE, 19, RATE));
  fail_if (send_reports (&reduced, TRUE, 1, RATE));
  move_R (&reduced, 4);
  fail_if (send_reports (&reduced, FALSE, 1, RATE));
  move_R (&reduced, -1);
  fail_if (send_reports (&reduced, FALSE, 4, RATE));
  fail_unless (send_reports (&reduced, FALSE, 2, RATE));
}

GST_END_TEST;

GST_START_TEST (reduced_size_is_tried_at_once_when_compound_packets_fail_too)
{
  Reduced reduced = begin_reduced ();

  fail_reports (&reduced, FALSE);
  /* not before a second has passed, so that a dead path makes little noise */
  fail_if (send_reports (&reduced, TRUE, 5, RATE));
  fail_if (send_reports (&reduced, TRUE, 4, RATE / 3));
  fail_unless (send_reports (&reduced, TRUE, 1, RATE / 3));
  fail_unless (reduced.state.on);
}

GST_END_TEST;

GST_START_TEST (reduced_size_begins_behind_a_compound_report_that_came_through)
{
  Reduced reduced = { .now = T0 };

  gst_tfrc_reduced_size_init (&reduced.state);
  fail_if (send_reports (&reduced, TRUE, 1, RATE));
  gst_tfrc_reduced_size_init (&reduced.state);
  reduced.state.remote_takes = TRUE;
  fail_if (send_reports (&reduced, FALSE, 1, RATE));
  fail_if (send_reports (&reduced, TRUE, 1, RATE));
  move_R (&reduced, 1000);
  fail_unless (send_reports (&reduced, TRUE, 1, RATE));
  fail_unless (reduced.state.on);
}

GST_END_TEST;

/* --- how far apart --- */

#define SHARE(s, R, wire_rate) \
  gst_tfrc_report_interval_get_share (s, (R) * GST_MSECOND, wire_rate)

/* 28 bytes and what is below, in 8.5 percent of what the data take. */
GST_START_TEST (reports_take_their_share_and_no_more)
{
  GstTfrcReportInterval s;
  guint64 share;

  gst_tfrc_report_interval_init (&s, H);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 199 * GST_MSECOND && share <= 201 * GST_MSECOND);
  /* and at most a hundred a second, at least one */
  fail_unless_equals_uint64 (SHARE (&s, 50, 1e6), 10 * GST_MSECOND);
  fail_unless_equals_uint64 (SHARE (&s, 50, 100), GST_SECOND);
  /* a tenth of a second until anything is known */
  fail_unless_equals_uint64 (SHARE (&s, 0, 0), 100 * GST_MSECOND);
  fail_unless_equals_uint64 (SHARE (&s, 0, 1e6), 100 * GST_MSECOND);
  fail_unless_equals_uint64 (SHARE (&s, 50, 0), 100 * GST_MSECOND);
}

GST_END_TEST;

/* A list of arrivals is of use where copies are sent for losses. */
GST_START_TEST (lists_of_arrivals_have_twice_the_share_where_much_is_lost)
{
  GstTfrcReportInterval s;
  guint64 share;

  gst_tfrc_report_interval_init (&s, H);
  gst_tfrc_report_interval_set_losses (&s, 0.06, TRUE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 99 * GST_MSECOND && share <= 101 * GST_MSECOND);
  gst_tfrc_report_interval_set_losses (&s, 0.04, TRUE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 199 * GST_MSECOND && share <= 201 * GST_MSECOND);
  gst_tfrc_report_interval_set_losses (&s, 0.06, FALSE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 199 * GST_MSECOND && share <= 201 * GST_MSECOND);
  /* and eight times where most is lost */
  gst_tfrc_report_interval_set_losses (&s, 0.14, TRUE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 99 * GST_MSECOND && share <= 101 * GST_MSECOND);
  gst_tfrc_report_interval_set_losses (&s, 0.16, TRUE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 24 * GST_MSECOND && share <= 26 * GST_MSECOND);
  share = SHARE (&s, 260, 4000);
  fail_unless (share >= 99 * GST_MSECOND && share <= 101 * GST_MSECOND);
  gst_tfrc_report_interval_set_losses (&s, 0.16, FALSE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 199 * GST_MSECOND && share <= 201 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (the_share_follows_the_size_in_which_reports_leave)
{
  GstTfrcReportInterval s;
  guint64 share;
  guint i;

  gst_tfrc_report_interval_init (&s, H);
  for (i = 0; i < 100; i++)
    gst_tfrc_report_interval_add (&s, 130, TRUE, T0);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 499 * GST_MSECOND && share <= 501 * GST_MSECOND);
  gst_tfrc_report_interval_set_reduced (&s, TRUE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 199 * GST_MSECOND && share <= 201 * GST_MSECOND);
  gst_tfrc_report_interval_set_reduced (&s, FALSE);
  share = SHARE (&s, 50, 4000);
  fail_unless (share >= 499 * GST_MSECOND && share <= 501 * GST_MSECOND);
}

GST_END_TEST;

#define COMPOUND(s, wire_rate) gst_tfrc_report_interval_get_compound (s, wire_rate)

/* 1/8 of the share of RTCP, which is 8.5 percent of what the data take */
GST_START_TEST (compound_packets_are_rarer_where_the_rate_is_low)
{
  GstTfrcReportInterval s;
  guint64 interval;

  gst_tfrc_report_interval_init (&s, H);
  fail_unless_equals_uint64 (COMPOUND (&s, 3000), GST_SECOND);
  gst_tfrc_report_interval_add (&s, 170 - H, TRUE, T0);
  gst_tfrc_report_interval_add (&s, 28, FALSE, T0);
  interval = COMPOUND (&s, 8000);
  fail_unless (interval >= 1990 * GST_MSECOND
      && interval <= 2010 * GST_MSECOND);
  /* 3 s at most, at least one */
  fail_unless_equals_uint64 (COMPOUND (&s, 3000), 3 * GST_SECOND);
  fail_unless_equals_uint64 (COMPOUND (&s, 1), 3 * GST_SECOND);
  fail_unless_equals_uint64 (COMPOUND (&s, 16500), GST_SECOND);
  fail_unless_equals_uint64 (COMPOUND (&s, 0), GST_SECOND);
}

GST_END_TEST;

/* RFC 4585 3.5.2 and RFC 3550 6.3.1: T_rr is at most 1.5 / (e - 1.5) of the
 * interval that the bandwidth allows the members. */
GST_START_TEST (the_session_does_not_delay_a_report)
{
  guint members;

  for (members = 2; members < 10; members++) {
    gdouble rate =
        gst_tfrc_report_interval_get_rtcp_rate (100 * GST_MSECOND, members);
    gdouble T_rr = 1.5 / 1.21828 * 8 * 100 * members / rate;

    fail_unless (T_rr < 0.063 && T_rr > 0.03, "%g s", T_rr);
  }
}

GST_END_TEST;

GST_START_TEST (the_bandwidth_is_set_anew_for_a_change_by_a_quarter)
{
  GstTfrcReportInterval s;

  gst_tfrc_report_interval_init (&s, H);
  fail_unless_equals_int (gst_tfrc_report_interval_set (&s, GST_SECOND, 1000),
      GST_TFRC_REPORT_INTERVAL_FASTER);
  fail_unless_equals_int (gst_tfrc_report_interval_set (&s, GST_SECOND, 1240),
      GST_TFRC_REPORT_INTERVAL_SAME);
  fail_unless_equals_int (gst_tfrc_report_interval_set (&s, GST_SECOND, 1260),
      GST_TFRC_REPORT_INTERVAL_FASTER);
  fail_unless_equals_int (gst_tfrc_report_interval_set (&s, GST_SECOND, 1020),
      GST_TFRC_REPORT_INTERVAL_SAME);
  fail_unless_equals_int (gst_tfrc_report_interval_set (&s, GST_SECOND, 1000),
      GST_TFRC_REPORT_INTERVAL_SLOWER);
}

GST_END_TEST;

GST_START_TEST (reports_keep_half_their_interval_apart)
{
  GstTfrcReportInterval s;

  gst_tfrc_report_interval_init (&s, H);
  gst_tfrc_report_interval_set (&s, 200 * GST_MSECOND, 1000);
  gst_tfrc_report_interval_add (&s, TFRC_REPORT_SIZE, FALSE, T0);
  fail_unless (gst_tfrc_report_interval_has_just_left (&s,
          T0 + 99 * GST_MSECOND));
  fail_if (gst_tfrc_report_interval_has_just_left (&s, T0 + 100 * GST_MSECOND));
}

GST_END_TEST;

/* A receiver that hides losses. */

GST_START_TEST (a_receiver_that_counts_losses_and_reports_none_is_doubted)
{
  GstTfrcLossCrossCheck audit = { FALSE, };
  const GstClockTime R = 100 * GST_MSECOND;
  GstClockTime now = GST_SECOND;
  guint i;

  fail_if (gst_tfrc_loss_cross_check_check (&audit, 10, 0, R, now));
  /* Ten more in the next second; a second later p is still 0. */
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R,
          now + 500 * GST_MSECOND));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R, now +=
          GST_SECOND));
  fail_unless (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R, now +=
          GST_SECOND));
  /* No new ones: nothing to hold against it. */
  for (i = 0; i < 5; i++)
    fail_if (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R, now +=
            GST_SECOND));
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_reports_its_losses_is_believed)
{
  GstTfrcLossCrossCheck audit = { FALSE, };
  const GstClockTime R = 100 * GST_MSECOND;
  GstClockTime now = GST_SECOND;
  guint i;

  /* The report of the first loss comes after that of RTCP. */
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 0, 0, R, now));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now +=
          GST_SECOND));
  for (i = 2; i < 20; i++)
    fail_if (gst_tfrc_loss_cross_check_check (&audit, 5 * i, 0.05, R,
            now += GST_SECOND));
  /* Two late packets are not lost ones. */
  audit.running = audit.suspicious = FALSE;
  for (i = 0; i < 5; i++)
    fail_if (gst_tfrc_loss_cross_check_check (&audit, 2 * i, 0, R,
            now += GST_SECOND));
}

GST_END_TEST;

GST_START_TEST (a_long_path_has_four_round_trips_to_report)
{
  GstTfrcLossCrossCheck audit = { FALSE, };
  const GstClockTime R = GST_SECOND;
  GstClockTime now = GST_SECOND;

  fail_if (gst_tfrc_loss_cross_check_check (&audit, 0, 0, R, now));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now + 4 * R));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now + 8 * R - 1));
  fail_unless (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now + 8 * R));
}

GST_END_TEST;

static Suite *
reports_suite (void)
{
  Suite *s = suite_create ("reports");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_test (tc, one_receiver_is_listened_to_until_it_is_silent);
  tcase_add_test (tc,
      a_receiver_that_counts_losses_and_reports_none_is_doubted);
  tcase_add_test (tc, a_receiver_that_reports_its_losses_is_believed);
  tcase_add_test (tc, a_long_path_has_four_round_trips_to_report);
  tcase_add_test (tc, a_data_sender_that_hears_nothing_sends_signs_of_life);
  tcase_add_test (tc, a_data_receiver_answers_what_ends_a_silence);
  tcase_add_test (tc, a_receiver_that_left_is_replaced_at_once);
  tcase_add_test (tc, the_session_sees_one_report_in_two_seconds);
  tcase_add_test (tc,
      reduced_size_is_tried_again_after_30_s_and_then_twice_as_long);
  tcase_add_test (tc,
      reduced_size_begins_behind_a_compound_report_that_came_through);
  tcase_add_test (tc, reduced_size_stays_as_long_as_the_rate_holds);
  tcase_add_test (tc, a_rate_that_falls_while_R_moves_is_the_applications);
  tcase_add_test (tc,
      reduced_size_is_given_up_when_R_moves_for_compound_packets_alone);
  tcase_add_test (tc, reduced_size_stays_when_R_moves_for_other_packets_too);
  tcase_add_test (tc, reduced_size_stays_when_rounding_moves_R);
  tcase_add_test (tc,
      reduced_size_is_tried_at_once_when_compound_packets_fail_too);
  tcase_add_test (tc, reports_take_their_share_and_no_more);
  tcase_add_test (tc, the_share_follows_the_size_in_which_reports_leave);
  tcase_add_test (tc,
      lists_of_arrivals_have_twice_the_share_where_much_is_lost);
  tcase_add_test (tc, compound_packets_are_rarer_where_the_rate_is_low);
  tcase_add_test (tc, the_session_does_not_delay_a_report);
  tcase_add_test (tc, the_bandwidth_is_set_anew_for_a_change_by_a_quarter);
  tcase_add_test (tc, reports_keep_half_their_interval_apart);
  return s;
}

GST_CHECK_MAIN (reports);
