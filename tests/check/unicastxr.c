/* gst-tfrc tests: the extended reports by which the ends of a session know the round-trip time before any data arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unicastbytes.h"

#include "rtcp/unicastsessionprivate.h"

/* The words of the extended report that the session sends at `now`; 0: it sends none. */
static guint
make_extended (guint32 words[UNICAST_WORDS], TfrcTime now)
{
  return unicast_take_packet (GST_RTCP_TYPE_XR, words, now);
}

/* The time that a session names comes back with the delay of the remote end, before any data have arrived there. */
GST_START_TEST (a_reference_time_gives_the_round_trip_time)
{
  guint32 words[UNICAST_WORDS], reference;

  unicast_begin ();
  fail_unless_equals_int (make_extended (words, START), 5);
  fail_unless_equals_int (words[0], 0x80CF0004);
  fail_unless_equals_int (words[1], OWN);
  fail_unless_equals_int (words[2], 0x04000002);
  fail_unless_equals_int (words[3], 0xED003780);
  fail_unless_equals_int (words[4], 0x80000000);
  reference = words[3] << 16 | words[4] >> 16;
  /* of somebody else; then of this session: 250 ms later, of which the remote end took 50 */
  gst_tfrc_unicast_session_clamp (&session, START + 250 * TFRC_MSEC);
  fail_if (READ (0x80CF0005, REMOTE, 0x05000003, REMOTE, reference,
          3277) & GST_TFRC_SESSION_RTT);
  fail_unless (READ (0x80CF0008, REMOTE, 0x05000006, REMOTE, 1, 2, OWN,
          reference, 3277) & GST_TFRC_SESSION_RTT);
  fail_unless (ABS ((gint64) (input.rtt - 200 * TFRC_MSEC)) <
      20 * (gint64) TFRC_USEC);
  /* it asks no more */
  fail_unless_equals_int (make_extended (words, START + 2 * TFRC_SEC), 0);
}

GST_END_TEST;

GST_START_TEST (a_reference_time_is_answered_once)
{
  guint32 words[UNICAST_WORDS];

  unicast_begin ();
  session.sends = FALSE;
  fail_unless_equals_int (make_extended (words, START), 0);
  fail_unless (READ (0x80CF0004, REMOTE, 0x04000002, 0x00012345,
          0x6789ABCD) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless_equals_int (make_extended (words, START + 500 * TFRC_MSEC), 6);
  fail_unless_equals_int (words[0], 0x80CF0005);
  fail_unless_equals_int (words[1], OWN);
  fail_unless_equals_int (words[2], 0x05000003);
  fail_unless_equals_int (words[3], REMOTE);
  fail_unless_equals_int (words[4], 0x23456789);
  fail_unless_equals_int (words[5], 32768);
  fail_unless_equals_int (make_extended (words, START + 3 * TFRC_SEC), 0);
}

GST_END_TEST;

/* Who names a reference time mostly does not know the round-trip time, and sends next to nothing until it does. That the
 * first answer was lost shows by a second one. */
GST_START_TEST (the_first_reference_times_are_answered_at_once)
{
  guint32 words[UNICAST_WORDS];
  TfrcTime now = START + 300 * TFRC_MSEC;

  unicast_begin ();
  for (guint i = 0; i < 5; i++, now += 300 * TFRC_MSEC) {
    gst_tfrc_unicast_session_clamp (&session, now);
    READ (0x80CF0004, REMOTE, 0x04000002, 0x00012345, 0x6789ABCD);
    fail_unless (gst_tfrc_unicast_session_next_rtcp (&session, FALSE) <= now);
    fail_unless (make_extended (words, now) >= 6);
  }
  gst_tfrc_unicast_session_clamp (&session, now);
  READ (0x80CF0004, REMOTE, 0x04000002, 0x00012345, 0x6789ABCD);
  fail_if (gst_tfrc_unicast_session_next_rtcp (&session, FALSE) <= now);
}

GST_END_TEST;

GST_START_TEST (an_extended_report_that_lies_is_malformed)
{
  unicast_begin ();
  READ (0x80CF0000);
  fail_unless_equals_uint64 (session.counts.malformed, 1);
  READ (0x80CF0002, REMOTE, 0x04000002);
  fail_unless_equals_uint64 (session.counts.malformed, 2);
  READ (0x80CF0003, REMOTE, 0x0400FFFF, 1);
  fail_unless_equals_uint64 (session.counts.malformed, 3);
  /* too short for what they are, and of a type that is not known */
  READ (0x80CF0006, REMOTE, 0x04000001, 1, 0x05000001, OWN, 0x01000000);
  fail_unless_equals_uint64 (session.counts.malformed, 3);
  /* a time that was never named */
  fail_if (READ (0x80CF0005, REMOTE, 0x05000003, OWN, 1,
          0) & GST_TFRC_SESSION_RTT);
  fail_unless_equals_uint64 (session.counts.malformed, 4);
  fail_unless_equals_int (session.reference_ssrc, 0);
  /* of a stranger */
  READ (0x80CF0004, REMOTE + 1, 0x04000002, 1, 2);
  fail_unless_equals_int (session.reference_ssrc, 0);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
}

GST_END_TEST;

static Suite *
unicastxr_suite (void)
{
  Suite *suite = suite_create ("unicastxr");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, a_reference_time_gives_the_round_trip_time);
  tcase_add_test (tcase, a_reference_time_is_answered_once);
  tcase_add_test (tcase, the_first_reference_times_are_answered_at_once);
  tcase_add_test (tcase, an_extended_report_that_lies_is_malformed);
  return suite;
}

GST_CHECK_MAIN (unicastxr);
