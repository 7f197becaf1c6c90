/* libtfrc: tests of the receive rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "receiver/receive-rate.h"

#define MS TFRC_MSEC

static TfrcReceiveRate rate;

static void
start (TfrcTime R)
{
  tfrc_receive_rate_init (&rate);
  tfrc_receive_rate_set_rtt (&rate, R);
}

/* Packets of `size` every `period` from `from` up to and with `to`. */
static void
receive (uint32_t size, TfrcTime period, TfrcTime from, TfrcTime to)
{
  for (TfrcTime T = from; T <= to; T += period)
    tfrc_receive_rate_on_packet (&rate, size, T);
}

TEST (the_rate_covers_the_last_round_trip_time)
{
  start (100 * MS);
  receive (160, 20 * MS, 1000 * MS, 2000 * MS);
  /* 1920, 1940, ..., 2000 ms: the packet of 1900 ms is just out */
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2000 * MS), 8000.0, 1e-6);
  /* between packets, and with the packet of 1920 ms just out */
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2010 * MS), 8000.0, 1e-6);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2020 * MS), 6400.0, 1e-6);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2019 * MS), 8000.0, 1e-6);
}

TEST (an_early_report_covers_a_round_trip_time_too)
{
  start (100 * MS);
  receive (160, 20 * MS, 1000 * MS, 2020 * MS);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2000 * MS + 20 * MS),
      8000.0, 1e-6);
}

TEST (a_rate_goes_back_to_the_mark_if_that_is_a_round_trip_time_ago)
{
  start (100 * MS);
  receive (160, 20 * MS, 1000 * MS, 2000 * MS);
  tfrc_receive_rate_mark (&rate, 2005 * MS);
  receive (160, 20 * MS, 2020 * MS, 2020 * MS);
  /* 20 ms on: the window of 100 ms */
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2025 * MS), 8000.0, 1e-6);
  receive (160, 20 * MS, 2040 * MS, 2300 * MS);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2305 * MS), 8000.0, 1e-6);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2605 * MS), 4000.0, 1e-6);
}

TEST (a_packet_in_the_instant_of_the_mark_came_after_it)
{
  start (100 * MS);
  receive (160, 20 * MS, 1000 * MS, 1980 * MS);
  tfrc_receive_rate_mark (&rate, 2000 * MS);
  receive (160, 20 * MS, 2000 * MS, 2080 * MS);
  /* 2000, 2020, ..., 2080 ms */
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2100 * MS), 8000.0, 1e-6);
  tfrc_receive_rate_mark (&rate, 2050 * MS);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 2100 * MS), 8000.0, 1e-6);
}

TEST (the_rate_is_at_least_one_packet_in_a_round_trip_time)
{
  start (100 * MS);
  receive (160, 5 * TFRC_SEC, TFRC_SEC, 11 * TFRC_SEC);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 11 * TFRC_SEC), 1600.0,
      1e-6);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 12 * TFRC_SEC), 1600.0,
      1e-6);
}

TEST (before_a_round_trip_time_has_passed_all_bytes_are_taken_over_it)
{
  start (100 * MS);
  receive (1000, 10 * MS, 1000 * MS, 1020 * MS);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 1030 * MS), 30000.0,
      1e-6);
}

TEST (many_packets_share_a_slot_without_losing_bytes)
{
  start (100 * MS);
  /* 100 us apart: 62 or 63 in a slot, 1000 in the window */
  receive (1000, MS / 10, TFRC_SEC, 3 * TFRC_SEC);
  CHECK_REL (tfrc_receive_rate_get (&rate, 100 * MS, 3 * TFRC_SEC), 1e7, 2e-3);
  for (TfrcTime late = 0; late < 100 * MS; late += MS / 3)
    CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 3 * TFRC_SEC + late),
        1e7 * (1.0 - (double) late / (100.0 * MS)), 20000.0);
}

TEST (bursts_count_where_they_arrived)
{
  start (100 * MS);
  for (TfrcTime T = TFRC_SEC; T <= 2 * TFRC_SEC; T += 33 * MS)
    for (unsigned i = 0; i < 10; i++)
      tfrc_receive_rate_on_packet (&rate, 1000, T);
  /* the last bursts are at 1990, 1957, 1924 and 1891 ms */
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 1995 * MS), 300000.0,
      1.0);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 105 * MS, 1995 * MS), 4e4 / 0.105,
      1.0);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 90 * MS, 2000 * MS), 3e4 / 0.09,
      1.0);
}

TEST (a_longer_round_trip_time_is_covered_as_far_back_as_is_known)
{
  start (10 * MS);
  receive (160, MS, TFRC_SEC, 3 * TFRC_SEC);
  /* 64 slots of one packet: 64 ms are remembered */
  CHECK_REL (tfrc_receive_rate_get (&rate, 500 * MS, 3 * TFRC_SEC), 160000.0,
      0.02);
}

TEST (nothing_received_is_no_rate)
{
  start (100 * MS);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, TFRC_SEC), 0.0, 0.0);
  receive (160, 20 * MS, TFRC_SEC, TFRC_SEC);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 0, TFRC_SEC), 0.0, 0.0);
}

TEST (rates_of_gigabytes_do_not_wrap)
{
  start (100 * MS);
  for (TfrcTime T = TFRC_SEC; T < 2 * TFRC_SEC; T += MS / 100)
    tfrc_receive_rate_on_packet (&rate, UINT32_MAX, T);
  CHECK_REL (tfrc_receive_rate_get (&rate, 100 * MS, 2 * TFRC_SEC),
      UINT32_MAX * 1e5, 1e-2);
}

/* Without a round-trip time a slot has no width. */
TEST (packets_of_one_instant_have_a_rate)
{
  start (0);
  for (unsigned i = 0; i < 200; i++)
    tfrc_receive_rate_on_packet (&rate, 100, 1000 * MS);
  tfrc_receive_rate_on_packet (&rate, 100, 1001 * MS);
  CHECK_NEAR (tfrc_receive_rate_get (&rate, 100 * MS, 1001 * MS), 201000.0,
      1e-6);
}
