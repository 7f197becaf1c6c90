/* gst-tfrc tests: whose reports are taken, in what size they leave and how far apart
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <tfrc/wire.h>

#include "rtcp/remotereceiver.h"
#include "rtcp/reportschedule.h"

#define MEDIA 0x22222222u
#define PEER 0x11111111u
#define OTHER 0x33333333u
#define T0 (1000 * GST_SECOND)
#define H 40

/* --- whose --- */

GST_START_TEST (one_receiver_is_listened_to_until_it_is_silent)
{
  GstTfrcRemoteReceiver peer = { 0 };
  GstClockTime silent = T0 + 2 * GST_SECOND;

  fail_if (gst_tfrc_remote_receiver_check (&peer, PEER, MEDIA, T0));
  fail_unless (gst_tfrc_remote_receiver_set_media_ssrc (&peer, MEDIA));
  fail_if (gst_tfrc_remote_receiver_set_media_ssrc (&peer, MEDIA));
  fail_unless (gst_tfrc_remote_receiver_check (&peer, PEER, MEDIA, T0));
  fail_unless (gst_tfrc_remote_receiver_bind (&peer, PEER, T0));
  fail_if (gst_tfrc_remote_receiver_bind (&peer, PEER, T0));
  fail_if (gst_tfrc_remote_receiver_check (&peer, PEER, OTHER, T0));
  fail_if (gst_tfrc_remote_receiver_check (&peer, OTHER, MEDIA, silent));
  fail_unless (gst_tfrc_remote_receiver_check (&peer, PEER, MEDIA, silent));
  fail_unless (gst_tfrc_remote_receiver_check (&peer, OTHER, MEDIA, silent + 1));
  fail_unless_equals_uint64 (peer.wrong_media_ssrc, 2);
  fail_unless_equals_uint64 (peer.wrong_sender_ssrc, 1);
  fail_unless_equals_uint64 (peer.rebinds, 0);
  fail_unless (gst_tfrc_remote_receiver_bind (&peer, OTHER, silent + 1));
  fail_unless_equals_uint64 (peer.rebinds, 1);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_left_is_replaced_at_once)
{
  GstTfrcRemoteReceiver peer = { 0 };

  gst_tfrc_remote_receiver_set_media_ssrc (&peer, MEDIA);
  gst_tfrc_remote_receiver_bind (&peer, PEER, T0);
  gst_tfrc_remote_receiver_leave (&peer, OTHER);
  fail_if (gst_tfrc_remote_receiver_check (&peer, OTHER, MEDIA, T0));
  gst_tfrc_remote_receiver_leave (&peer, PEER);
  fail_unless (gst_tfrc_remote_receiver_check (&peer, OTHER, MEDIA, T0));
}

GST_END_TEST;

GST_START_TEST (the_session_is_told_of_one_report_in_two_seconds)
{
  GstTfrcRemoteReceiver peer = {.session_saw = T0 };
  GstClockTime end = T0 + 2 * GST_SECOND;

  gst_tfrc_remote_receiver_set_media_ssrc (&peer, MEDIA);
  fail_if (gst_tfrc_remote_receiver_may_pass_session (&peer, PEER, MEDIA, T0));
  gst_tfrc_remote_receiver_bind (&peer, PEER, T0);
  fail_unless (gst_tfrc_remote_receiver_may_pass_session (&peer, PEER, MEDIA, end - 1));
  fail_if (gst_tfrc_remote_receiver_may_pass_session (&peer, PEER, MEDIA, end));
  fail_if (gst_tfrc_remote_receiver_may_pass_session (&peer, OTHER, MEDIA, T0));
  fail_if (gst_tfrc_remote_receiver_may_pass_session (&peer, PEER, OTHER, T0));
  gst_tfrc_remote_receiver_leave (&peer, PEER);
  fail_if (gst_tfrc_remote_receiver_may_pass_session (&peer, PEER, MEDIA, T0));
}

GST_END_TEST;

/* --- in what size --- */

/* Reduced-size reports that none of the data confirm, until that ends it. */
static void
fail_reduced (GstTfrcReducedSize * reduced, GstClockTime now)
{
  guint i;

  fail_unless (reduced->on);
  for (i = 0; i < 5; i++)
    fail_if (gst_tfrc_reduced_size_choose (reduced, FALSE, now));
  fail_unless (gst_tfrc_reduced_size_choose (reduced, FALSE, now));
  fail_if (reduced->on);
  gst_tfrc_reduced_size_confirm (reduced);
}

GST_START_TEST (reduced_size_is_tried_again_after_30_s_and_then_twice_as_long)
{
  GstTfrcReducedSize reduced;
  GstClockTime now = T0, wait;

  gst_tfrc_reduced_size_init (&reduced);
  reduced.remote_takes = TRUE;
  fail_unless (gst_tfrc_reduced_size_choose (&reduced, TRUE, now));
  for (wait = 30 * GST_SECOND; wait <= 240 * GST_SECOND; wait *= 2) {
    fail_reduced (&reduced, now);
    fail_if (gst_tfrc_reduced_size_choose (&reduced, TRUE, now + wait - 1));
    now += wait;
    fail_unless (gst_tfrc_reduced_size_choose (&reduced, TRUE, now));
  }
  fail_unless_equals_uint64 (reduced.fallbacks, 4);
}

GST_END_TEST;

GST_START_TEST (reduced_size_begins_behind_a_compound_report_that_came_through)
{
  GstTfrcReducedSize reduced;

  gst_tfrc_reduced_size_init (&reduced);
  fail_if (gst_tfrc_reduced_size_choose (&reduced, TRUE, T0));
  gst_tfrc_reduced_size_init (&reduced);
  reduced.remote_takes = TRUE;
  fail_if (gst_tfrc_reduced_size_choose (&reduced, FALSE, T0));
  fail_if (gst_tfrc_reduced_size_choose (&reduced, TRUE, T0));
  gst_tfrc_reduced_size_confirm (&reduced);
  fail_unless (gst_tfrc_reduced_size_choose (&reduced, TRUE, T0));
  fail_unless (reduced.on);
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

/* RFC 4585 3.5.2 and RFC 3550 6.3.1: T_rr is at most 1.5 / (e - 1.5) of the
 * interval that the bandwidth allows the members. */
GST_START_TEST (the_session_does_not_delay_a_report)
{
  guint members;

  for (members = 2; members < 10; members++) {
    gdouble rate = gst_tfrc_report_interval_get_rtcp_rate (100 * GST_MSECOND, members);
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
  fail_unless (gst_tfrc_report_interval_has_just_left (&s, T0 + 99 * GST_MSECOND));
  fail_if (gst_tfrc_report_interval_has_just_left (&s, T0 + 100 * GST_MSECOND));
}

GST_END_TEST;

static Suite *
reports_suite (void)
{
  Suite *s = suite_create ("reports");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, one_receiver_is_listened_to_until_it_is_silent);
  tcase_add_test (tc, a_receiver_that_left_is_replaced_at_once);
  tcase_add_test (tc, the_session_is_told_of_one_report_in_two_seconds);
  tcase_add_test (tc,
      reduced_size_is_tried_again_after_30_s_and_then_twice_as_long);
  tcase_add_test (tc,
      reduced_size_begins_behind_a_compound_report_that_came_through);
  tcase_add_test (tc, reports_take_their_share_and_no_more);
  tcase_add_test (tc, the_share_follows_the_size_in_which_reports_leave);
  tcase_add_test (tc, the_session_does_not_delay_a_report);
  tcase_add_test (tc, the_bandwidth_is_set_anew_for_a_change_by_a_quarter);
  tcase_add_test (tc, reports_keep_half_their_interval_apart);
  return s;
}

GST_CHECK_MAIN (reports);
