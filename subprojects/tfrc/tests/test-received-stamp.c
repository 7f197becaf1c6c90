/* libtfrc: tests of what is taken from the sender's stamps
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "receiver/received-stamp.h"

#define MS TFRC_MSEC

static TfrcReceivedStamp received;

static void
start (void)
{
  received = (TfrcReceivedStamp) {0};
  tfrc_received_stamp_init (&received, 0);
}

static void
hear (uint32_t rtt_us, uint32_t t_i_us, TfrcTime now)
{
  TfrcStamp stamp = { .rtt_us = rtt_us, .t_i_us = t_i_us };

  tfrc_received_stamp_on_packet (&received, &stamp, now);
}

TEST (the_round_trip_time_is_the_senders)
{
  start ();
  CHECK_INT (received.R_known, 0);
  hear (100000, 1, MS);
  CHECK_INT (received.R, 100 * MS);
  CHECK_INT (received.R_known, 100 * MS);
  hear (50000, 2, 2 * MS);
  CHECK_INT (received.R, 50 * MS);
  hear (1, 3, 3 * MS);
  CHECK (received.R > 0);
}

TEST (without_a_number_half_a_second_stands_for_it)
{
  start ();
  hear (TFRC_RTT_UNKNOWN, 1, MS);
  CHECK_INT (received.R, 500 * MS);
  CHECK_INT (received.R_known, 0);
  hear (TFRC_RTT_OVER, 2, 400 * MS);
  CHECK_INT (received.R, 500 * MS);
  CHECK_INT (received.R_known, 0);
}

TEST (a_packet_without_a_number_keeps_the_old_one)
{
  start ();
  hear (100000, 1, MS);
  hear (TFRC_RTT_UNKNOWN, 2, 50 * MS);
  CHECK_INT (received.R, 100 * MS);
  hear (TFRC_RTT_OVER, 3, 101 * MS);
  CHECK_INT (received.R, 100 * MS);
  CHECK_INT (received.R_known, 100 * MS);
  CHECK_INT (received.bad, 0);
}

TEST (without_numbers_for_longer_than_itself_it_doubles_up_to_64_seconds)
{
  TfrcTime now = MS;

  start ();
  hear (100000, 1, now);
  hear (TFRC_RTT_UNKNOWN, 2, now += 101 * MS);
  CHECK_INT (received.R, 200 * MS);
  hear (TFRC_RTT_UNKNOWN, 3, now += 200 * MS);
  CHECK_INT (received.R, 200 * MS);
  hear (TFRC_RTT_UNKNOWN, 3, now += MS);
  CHECK_INT (received.R, 400 * MS);
  for (unsigned i = 0; i < 20; i++)
    hear (TFRC_RTT_UNKNOWN, 4, now += 100 * TFRC_SEC);
  CHECK_INT (received.R, 64 * TFRC_SEC);
  /* the number comes back: at once, and no jump */
  hear (100000, 5, now += MS);
  CHECK_INT (received.R, 100 * MS);
  CHECK_INT (received.bad, 0);
}

TEST (a_number_eight_times_as_large_is_taken_and_a_larger_one_in_steps)
{
  start ();
  hear (10000, 1, MS);
  hear (80000, 2, 2 * MS);
  CHECK_INT (received.R, 80 * MS);
  CHECK_INT (received.bad, 0);
  hear (800000, 3, 3 * MS);
  CHECK_INT (received.R, 160 * MS);
  CHECK_INT (received.bad, 1);
  hear (800000, 4, 4 * MS);
  CHECK_INT (received.R, 800 * MS);
  CHECK_INT (received.bad, 1);
}

TEST (a_number_eight_times_as_small_is_taken_and_a_smaller_one_in_steps)
{
  start ();
  hear (800000, 1, MS);
  hear (100000, 2, 2 * MS);
  CHECK_INT (received.R, 100 * MS);
  hear (10000, 3, 3 * MS);
  CHECK_INT (received.R, 50 * MS);
  CHECK_INT (received.bad, 1);
  hear (10000, 4, 4 * MS);
  CHECK_INT (received.R, 10 * MS);
}

TEST (one_wrong_number_does_little)
{
  start ();
  hear (100000, 1, MS);
  hear (TFRC_RTT_MAX, 2, 2 * MS);
  CHECK_INT (received.R, 200 * MS);
  hear (100000, 3, 3 * MS);
  CHECK_INT (received.R, 100 * MS);
}

TEST (the_number_stays_fresh_while_it_is_repeated)
{
  start ();
  for (unsigned i = 0; i < 100; i++)
    hear (100000, i, i * 90 * MS);
  hear (TFRC_RTT_UNKNOWN, 100, 100 * 90 * MS);
  CHECK_INT (received.R, 100 * MS);
}

TEST (a_send_time_never_goes_back)
{
  start ();
  hear (100000, 1000, MS);
  hear (100000, 900, 2 * MS);
  CHECK_INT (received.t_i_us, 1000);
  CHECK_INT (received.T_i, MS);
  CHECK_INT (received.bad, 1);
  hear (100000, 1000, 3 * MS);
  CHECK_INT (received.T_i, 3 * MS);
  hear (100000, 1100, 4 * MS);
  CHECK_INT (received.t_i_us, 1100);
  CHECK_INT (received.bad, 1);
}

TEST (a_send_time_goes_on_across_the_wrap)
{
  start ();
  hear (100000, 0xFFFFFF00u, MS);
  hear (100000, 100, 2 * MS);
  CHECK_INT (received.t_i_us, 100);
  CHECK_INT (received.bad, 0);
}

TEST (a_clock_that_began_anew_is_followed_after_three_packets)
{
  start ();
  hear (100000, 0x70000000u, MS);
  hear (100000, 10, 2 * MS);
  hear (100000, 20, 3 * MS);
  CHECK_INT (received.t_i_us, 0x70000000u);
  hear (100000, 30, 4 * MS);
  CHECK_INT (received.t_i_us, 30);
  CHECK_INT (received.T_i, 4 * MS);
  CHECK_INT (received.bad, 2);
}

TEST (a_packet_without_stamp_is_counted_and_has_no_number)
{
  start ();
  tfrc_received_stamp_on_packet (&received, NULL, MS);
  CHECK_INT (received.unstamped, 1);
  CHECK (!received.has_t_i);
  hear (100000, 1, 2 * MS);
  tfrc_received_stamp_on_packet (&received, NULL, 3 * MS);
  CHECK (received.has_t_i);
  CHECK_INT (received.T_i, 2 * MS);
  CHECK_INT (received.R, 100 * MS);
}
