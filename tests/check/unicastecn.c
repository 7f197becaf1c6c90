/* gst-tfrc tests: marks of ECN in an RTP session with one remote end: counted, reported and read
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unicastbytes.h"

#include "rtcp/rtcppackets.h"

/* RFC 6679 5.1: FMT 8, five words of counters. */
GST_START_TEST (counts_of_marks_are_read)
{
  unicast_begin ();
  fail_unless (READ (0x88CD0007, REMOTE, OWN, 0x10002, 3, 4, 0x00050006,
          0x00070008) & GST_TFRC_SESSION_ECN);
  fail_unless_equals_int (input.ecn.highest, 0x10002);
  fail_unless_equals_int (input.ecn.ect0, 3);
  fail_unless_equals_int (input.ecn.ect1, 4);
  fail_unless_equals_int (input.ecn.ce, 5);
  fail_unless_equals_int (input.ecn.not_ect, 6);
  fail_unless_equals_int (input.ecn.lost, 7);
  fail_unless_equals_int (input.ecn.duplicates, 8);
  /* about another stream, of another sender */
  fail_if (READ (0x88CD0007, REMOTE, OWN + 1, 2, 3, 4, 5,
          6) & GST_TFRC_SESSION_ECN);
  fail_unless_equals_uint64 (session.counts.ignored, 1);
  fail_if (READ (0x88CD0007, REMOTE + 1, OWN, 2, 3, 4, 5,
          6) & GST_TFRC_SESSION_ECN);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
  /* too short, too long */
  fail_if (READ (0x88CD0006, REMOTE, OWN, 2, 3, 4, 5) & GST_TFRC_SESSION_ECN);
  fail_if (READ (0x88CD0008, REMOTE, OWN, 2, 3, 4, 5, 6,
          7) & GST_TFRC_SESSION_ECN);
  fail_unless_equals_uint64 (session.counts.malformed, 2);
  fail_unless_equals_uint64 (session.counts.reports_received, 0);
}

GST_END_TEST;

/* Reports that have the same FMT are told by their size. */
GST_START_TEST (reports_may_have_the_fmt_of_marks)
{
  unicast_begin ();
  session.fmt = GST_TFRC_ECN_FMT;
  fail_unless (READ (0x88CD0007, REMOTE, OWN, 2, 3, 4, 5,
          6) & GST_TFRC_SESSION_ECN);
  fail_unless (READ (0x88CD0006, REMOTE, OWN, 2, 3, 4,
          5) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_uint64 (session.counts.reports_received, 1);
}

GST_END_TEST;

/* The words of the ECN feedback packet in the compound packet that is due; FALSE: there is none. */
static gboolean
take_marks (guint32 words[UNICAST_WORDS])
{
  guint n = unicast_take_packet (GST_RTCP_TYPE_RTPFB, words, session.now);

  fail_unless (n == 0 || n == 8);
  return n > 0;
}

static void
arrive_marked (guint16 seq, TfrcEcn mark, gboolean duplicate)
{
  unicast_arrive (seq, session.now);
  gst_tfrc_unicast_session_on_mark (&session, seq, mark, duplicate);
}

static gboolean
take_marks_later (guint32 words[UNICAST_WORDS])
{
  session.now += 5 * TFRC_SEC;
  return take_marks (words);
}

GST_START_TEST (marks_are_counted_and_reported)
{
  guint32 words[UNICAST_WORDS];

  unicast_begin ();
  session.settings.ecn = TRUE;
  READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 4);
  arrive_marked (7, TFRC_ECN_ECT0, FALSE);
  arrive_marked (8, TFRC_ECN_CE, FALSE);
  arrive_marked (8, TFRC_ECN_CE, TRUE);
  arrive_marked (9, TFRC_ECN_NOT_ECT, FALSE);
  arrive_marked (12, TFRC_ECN_ECT0, FALSE);
  arrive_marked (13, TFRC_ECN_ECT1, FALSE);
  fail_unless (take_marks (words));
  fail_unless_equals_int_hex (words[0], 0x88CD0007);
  fail_unless_equals_int_hex (words[1], OWN);
  fail_unless_equals_int_hex (words[2], REMOTE);
  fail_unless_equals_int (words[3], 13);
  fail_unless_equals_int (words[4], 2);
  fail_unless_equals_int (words[5], 1);
  fail_unless_equals_int_hex (words[6], 2 << 16 | 1);
  fail_unless_equals_int_hex (words[7], 2 << 16 | 1);
  /* another sequence begins: so do the counts */
  session.now += 5 * TFRC_SEC;
  unicast_arrive (40000, session.now);
  arrive_marked (40001, TFRC_ECN_ECT0, FALSE);
  fail_unless (take_marks (words));
  fail_unless_equals_int (words[3], 40001);
  fail_unless_equals_int (words[4], 1);
}

GST_END_TEST;

/* Counts go to a remote end that says that its data may have marks, or of which marks have come. */
GST_START_TEST (marks_are_reported_to_who_has_a_use_for_them)
{
  guint32 words[UNICAST_WORDS];

  unicast_begin ();
  session.settings.ecn = TRUE;
  arrive_marked (7, TFRC_ECN_NOT_ECT, FALSE);
  fail_if (take_marks (words)); /* it says nothing */
  arrive_marked (8, TFRC_ECN_ECT0, FALSE);
  fail_unless (take_marks_later (words));
  READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 2);
  fail_if (take_marks_later (words));   /* it says no */
  READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 6);
  arrive_marked (9, TFRC_ECN_NOT_ECT, FALSE);
  fail_unless (take_marks_later (words));

  unicast_begin ();             /* this end does not read marks */
  READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 4);
  arrive_marked (7, TFRC_ECN_ECT0, FALSE);
  fail_if (take_marks (words));
}

GST_END_TEST;

/* CE means congestion once ECT has come, unless the remote end says that it does not use ECN. */
GST_START_TEST (ce_is_taken_of_ecn_capable_data)
{
  unicast_begin ();
  session.settings.ecn = TRUE;
  arrive_marked (7, TFRC_ECN_CE, FALSE);
  fail_if (gst_tfrc_unicast_session_takes_ce (&session));
  arrive_marked (8, TFRC_ECN_ECT0, FALSE);
  fail_unless (gst_tfrc_unicast_session_takes_ce (&session));
  READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 0);
  fail_if (gst_tfrc_unicast_session_takes_ce (&session));
  READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 4);
  fail_unless (gst_tfrc_unicast_session_takes_ce (&session));
  session.settings.ecn = FALSE;
  fail_if (gst_tfrc_unicast_session_takes_ce (&session));
}

GST_END_TEST;

/* The flags in the APP packets of the compound packet that is due, of both roles. A data sender takes
 * transit times too, 8. */
static void
expect_flags (guint32 as_sender, guint32 as_receiver)
{
  GstBuffer *buffer;
  GstMapInfo map;
  guint n = 0;

  session.now += 5 * TFRC_SEC;
  buffer = gst_tfrc_unicast_session_make_rtcp (&session, NULL, session.now);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  for (gsize i = 0; i + 20 <= map.size; i += 4)
    if (GST_READ_UINT32_BE (map.data + i + 8) == APP_NAME)
      fail_unless_equals_int_hex (GST_READ_UINT32_BE (map.data + i + 16),
          n++ == 0 ? as_sender | 8 : as_receiver);
  fail_unless_equals_int (n, 2);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

GST_START_TEST (the_remote_end_is_told_when_nothing_is_marked_any_more)
{
  unicast_begin ();
  expect_flags (2, 3);
  session.settings.ecn = TRUE;
  session.sends_ecn = TRUE;
  expect_flags (6, 7);
  for (guint i = 0; i < 3; i++)
    expect_flags (6, 7);
  fail_unless_equals_int (session.app_left, 0);
  gst_tfrc_unicast_session_set_ecn (&session, FALSE, session.now);
  for (guint i = 0; i < 5; i++)
    expect_flags (2, 7);
  gst_tfrc_unicast_session_set_ecn (&session, FALSE, session.now);
  fail_unless_equals_int (session.app_left, 0);
}

GST_END_TEST;

static Suite *
unicastecn_suite (void)
{
  Suite *suite = suite_create ("unicastecn");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, counts_of_marks_are_read);
  tcase_add_test (tcase, reports_may_have_the_fmt_of_marks);
  tcase_add_test (tcase, marks_are_counted_and_reported);
  tcase_add_test (tcase, marks_are_reported_to_who_has_a_use_for_them);
  tcase_add_test (tcase, ce_is_taken_of_ecn_capable_data);
  tcase_add_test (tcase,
      the_remote_end_is_told_when_nothing_is_marked_any_more);
  return suite;
}

GST_CHECK_MAIN (unicastecn);
