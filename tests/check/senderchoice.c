/* gst-tfrc tests: the data sender that tfrcsrc follows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "base/followedssrc.h"
#include "transport/senderchoice.h"

#define MS GST_MSECOND

static GstTfrcSenderChoice choice;
static TfrcTime now;

static void
set_up (void)
{
  memset (&choice, 0, sizeof choice);
  now = 100 * TFRC_SEC;
}

/* Each host has an address of its own. */
static GstTfrcUdpAddress
make_address (guint host, guint port)
{
  GstTfrcUdpAddress address = { .ip = {192, 0, 2, host}, .port = port };

  return address;
}

static GstTfrcSenderVerdict
arrive (guint host, guint32 ssrc, guint16 seq)
{
  GstTfrcUdpAddress address = make_address (host, 5004);

  return gst_tfrc_sender_choice_on_packet (&choice, &address, ssrc, seq, FALSE,
      now);
}

static GstTfrcSenderVerdict
arrive_authentic (guint host, guint32 ssrc)
{
  GstTfrcUdpAddress address = make_address (host, 5004);

  return gst_tfrc_sender_choice_on_packet (&choice, &address, ssrc, 0, TRUE,
      now);
}

#define expect(verdict, name) fail_unless_equals_int (verdict, \
    GST_TFRC_SENDER_##name)

GST_START_TEST (one_sender_is_followed_until_it_is_silent)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  expect (arrive (2, 0x22, 0), OTHER);
  now += GST_TFRC_SSRC_SILENCE - 1;
  expect (arrive (2, 0x22, 1), OTHER);
  expect (arrive (1, 0x11, 1), SAME);
  now += GST_TFRC_SSRC_SILENCE - 1;
  expect (arrive (2, 0x22, 2), OTHER);
  fail_unless_equals_uint64 (choice.changes, 0);
  now += 1;
  expect (arrive (2, 0x22, 3), TAKEN);
  fail_unless_equals_uint64 (choice.changes, 1);
  fail_unless_equals_uint64 (choice.others, 3);
  fail_unless_equals_int (choice.followed.ssrc, 0x22);
}

GST_END_TEST;

/* RFC 3550 A.1: after a silence, packets in sequence are needed. */
GST_START_TEST (a_new_sender_needs_packets_in_sequence)
{
  guint i;

  expect (arrive (1, 0x11, 0), TAKEN);
  now += TFRC_SEC;
  for (i = 0; i < 100; i++) {
    expect (arrive (2, 0x22, 2 * i), OTHER);
    expect (arrive (2, 0x1000 + i, 2 * i + 1), OTHER);
  }
  expect (arrive (2, 0x22, 7), OTHER);
  expect (arrive (3, 0x22, 8), OTHER);
  expect (arrive (3, 0x22, 9), TAKEN);
}

GST_END_TEST;

/* Of the packets in sequence the last alone has to come after the silence, and all after the last one that was
 * followed. */
GST_START_TEST (what_a_new_sender_sends_before_the_silence_counts)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  expect (arrive (2, 0x22, 0), OTHER);
  now += TFRC_SEC;
  expect (arrive (2, 0x22, 1), TAKEN);
  expect (arrive (3, 0x33, 0), OTHER);
  expect (arrive (2, 0x22, 2), SAME);
  now += TFRC_SEC;
  expect (arrive (3, 0x33, 1), OTHER);
  expect (arrive (3, 0x33, 2), TAKEN);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_begins_anew_at_its_address_needs_none)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  expect (arrive (1, 0x12, 0), OTHER);
  now += GST_TFRC_SSRC_SILENCE;
  expect (arrive (1, 0x12, 7), TAKEN);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_paused_takes_its_place_back_at_once)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  now += 600 * MS;
  expect (arrive (2, 0x22, 0), OTHER);
  expect (arrive (2, 0x22, 1), TAKEN);
  now += 20 * MS;
  expect (arrive (1, 0x11, 30), TAKEN);
  expect (arrive (2, 0x22, 2), OTHER);
  fail_unless_equals_uint64 (choice.changes, 2);
  /* and again */
  now += 600 * MS;
  expect (arrive (2, 0x22, 3), TAKEN);
  expect (arrive (1, 0x11, 31), TAKEN);
}

GST_END_TEST;

/* Two of them do not displace it for good. */
GST_START_TEST (the_first_of_those_who_lost_their_place_may_come_back)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  now += 600 * MS;
  arrive (2, 0x22, 0);
  expect (arrive (2, 0x22, 1), TAKEN);
  now += 600 * MS;
  arrive (3, 0x33, 0);
  expect (arrive (3, 0x33, 1), TAKEN);
  expect (arrive (2, 0x22, 2), OTHER);
  expect (arrive (1, 0x11, 60), TAKEN);
}

GST_END_TEST;

GST_START_TEST (after_a_minute_nobody_comes_back)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  now += TFRC_SEC;
  arrive (2, 0x22, 0);
  expect (arrive (2, 0x22, 1), TAKEN);
  now += 59 * TFRC_SEC;
  expect (arrive (2, 0x22, 2), SAME);
  expect (arrive (1, 0x11, 60), OTHER);
}

GST_END_TEST;

GST_START_TEST (a_bye_makes_way_at_once)
{
  gst_tfrc_sender_choice_on_bye (&choice, now);
  fail_if (choice.left);
  expect (arrive (1, 0x11, 0), TAKEN);
  gst_tfrc_sender_choice_on_bye (&choice, now);
  expect (arrive (2, 0x22, 0), TAKEN);
  expect (arrive (1, 0x11, 1), OTHER);
}

GST_END_TEST;

GST_START_TEST (a_bye_that_is_not_true_changes_nothing)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  gst_tfrc_sender_choice_on_bye (&choice, now);
  now += GST_TFRC_SSRC_SILENCE;
  expect (arrive (1, 0x11, 1), SAME);
  expect (arrive (2, 0x22, 0), OTHER);
}

GST_END_TEST;

GST_START_TEST (a_packet_that_a_bye_has_overtaken_does_not_undo_it)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  gst_tfrc_sender_choice_on_bye (&choice, now);
  now += GST_TFRC_SSRC_SILENCE - 1;
  expect (arrive (1, 0x11, 1), SAME);
  gst_tfrc_sender_choice_on_bye (&choice, now);
  expect (arrive (2, 0x22, 0), TAKEN);
  expect (arrive (3, 0x33, 0), OTHER);
}

GST_END_TEST;

/* Whoever knows the SSRC does not get the stream from elsewhere, but a NAT that forgot the address
 * of a sender gives it another one. */
GST_START_TEST (the_ssrc_alone_is_no_proof)
{
  expect (arrive (1, 0x11, 0), TAKEN);
  expect (arrive (2, 0x11, 1), OTHER);
  now += GST_TFRC_SSRC_SILENCE;
  expect (arrive (2, 0x11, 3), OTHER);
  expect (arrive (2, 0x11, 4), MOVED);
  expect (arrive (2, 0x11, 5), SAME);
  fail_unless_equals_uint64 (choice.changes, 0);
}

GST_END_TEST;

GST_START_TEST (what_is_authentic_may_come_from_anywhere)
{
  expect (arrive_authentic (1, 0x11), TAKEN);
  expect (arrive_authentic (2, 0x11), MOVED);
  expect (arrive_authentic (2, 0x11), SAME);
  expect (arrive_authentic (3, 0x33), OTHER);
  now += GST_TFRC_SSRC_SILENCE;
  expect (arrive_authentic (3, 0x33), TAKEN);
  expect (arrive_authentic (4, 0x11), TAKEN);
}

GST_END_TEST;

GST_START_TEST (what_cannot_be_used_keeps_the_place_and_takes_none)
{
  GstTfrcUdpAddress first = make_address (1, 5004);
  GstTfrcUdpAddress other = make_address (2, 5004);

  gst_tfrc_sender_choice_on_useless (&choice, &first, 0x11, now);
  fail_if (choice.following);
  expect (arrive (1, 0x11, 0), TAKEN);
  now += 400 * MS;
  gst_tfrc_sender_choice_on_useless (&choice, &first, 0x11, now);
  now += 400 * MS;
  gst_tfrc_sender_choice_on_useless (&choice, &other, 0x11, now);
  arrive (2, 0x22, 0);
  expect (arrive (2, 0x22, 1), OTHER);
  now += 100 * MS;
  expect (arrive (2, 0x22, 2), TAKEN);
}

GST_END_TEST;

/* Packets that come by two ways, or with addresses that somebody on the path changes: all are the followed sender's, and
 * it does not move with each. */
GST_START_TEST (a_sender_at_two_addresses_moves_twice_a_second)
{
  guint i, moves = 0;

  expect (arrive_authentic (1, 0x11), TAKEN);
  expect (arrive_authentic (2, 0x11), MOVED);
  fail_unless_equals_int (choice.followed.address.ip[3], 2);
  for (i = 0; i < 1000; i++) {
    GstTfrcSenderVerdict verdict;

    now += 10 * MS;
    verdict = arrive_authentic (1 + i % 2, 0x11);
    fail_unless (verdict == GST_TFRC_SENDER_SAME
        || verdict == GST_TFRC_SENDER_MOVED);
    moves += verdict == GST_TFRC_SENDER_MOVED;
  }
  fail_unless (moves <= 20, "%u", moves);
  fail_unless_equals_uint64 (choice.others, 0);
  now += GST_TFRC_SSRC_SILENCE;
  expect (arrive_authentic (3, 0x11), MOVED);
}

GST_END_TEST;

static Suite *
senderchoice_suite (void)
{
  Suite *suite = suite_create ("senderchoice");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, set_up, NULL);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, one_sender_is_followed_until_it_is_silent);
  tcase_add_test (tcase, a_new_sender_needs_packets_in_sequence);
  tcase_add_test (tcase, what_a_new_sender_sends_before_the_silence_counts);
  tcase_add_test (tcase, a_sender_that_begins_anew_at_its_address_needs_none);
  tcase_add_test (tcase, a_sender_that_paused_takes_its_place_back_at_once);
  tcase_add_test (tcase, the_first_of_those_who_lost_their_place_may_come_back);
  tcase_add_test (tcase, after_a_minute_nobody_comes_back);
  tcase_add_test (tcase, a_bye_makes_way_at_once);
  tcase_add_test (tcase, a_bye_that_is_not_true_changes_nothing);
  tcase_add_test (tcase, a_packet_that_a_bye_has_overtaken_does_not_undo_it);
  tcase_add_test (tcase, the_ssrc_alone_is_no_proof);
  tcase_add_test (tcase, what_is_authentic_may_come_from_anywhere);
  tcase_add_test (tcase, a_sender_at_two_addresses_moves_twice_a_second);
  tcase_add_test (tcase, what_cannot_be_used_keeps_the_place_and_takes_none);
  return suite;
}

GST_CHECK_MAIN (senderchoice);
