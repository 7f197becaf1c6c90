/* libtfrc: tests of which of the last packets have arrived, and of what a report says of them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrivals.h"

#include "receiver/recent-arrivals.h"

static TfrcRecentArrivals arrivals;

static void
begin (uint64_t seq)
{
  arrivals = (TfrcRecentArrivals) {0};
  tfrc_recent_arrivals_add (&arrivals, seq);
  arrivals.named = seq;
}

static uint32_t
get_before (uint64_t named)
{
  arrivals.named = named;
  return tfrc_recent_arrivals_get (&arrivals);
}

TEST (before_the_first_packet_nothing_has_arrived)
{
  begin (100000);
  CHECK_INT (tfrc_recent_arrivals_get (&arrivals), 0);
  begin (1);
  CHECK_INT (tfrc_recent_arrivals_get (&arrivals), 0);
}

TEST (bit_i_is_the_packet_1_plus_i_before_the_named_one)
{
  begin (1000);
  tfrc_recent_arrivals_add (&arrivals, 1001);
  tfrc_recent_arrivals_add (&arrivals, 1004);
  CHECK_INT (get_before (1004), 1u << 2 | 1u << 3);
  CHECK_INT (get_before (1001), 1u << 0);
  CHECK_INT (get_before (1000), 0);
}

TEST (a_late_packet_and_a_second_one_count_once)
{
  begin (1000);
  tfrc_recent_arrivals_add (&arrivals, 1003);
  tfrc_recent_arrivals_add (&arrivals, 1001);
  tfrc_recent_arrivals_add (&arrivals, 1001);
  tfrc_recent_arrivals_add (&arrivals, 900);
  CHECK_INT (get_before (1003), 1u << 1 | 1u << 2);
}

TEST (a_report_reaches_back_by_32_packets)
{
  begin (1000);
  for (uint64_t seq = 1001; seq <= 1032; seq++)
    tfrc_recent_arrivals_add (&arrivals, seq);
  CHECK_INT (get_before (1032), UINT32_MAX);
  CHECK_INT (get_before (1001), 1);
  tfrc_recent_arrivals_add (&arrivals, 1033);
  CHECK_INT (get_before (1033), UINT32_MAX);
}

TEST (a_long_gap_leaves_nothing)
{
  for (uint64_t gap = 32; gap <= 70; gap++) {
    begin (1000);
    tfrc_recent_arrivals_add (&arrivals, 1000 + gap);
    CHECK_INT (get_before (1000 + gap), gap == 32 ? 1u << 31 : 0);
  }
  begin (1000);
  tfrc_recent_arrivals_add (&arrivals, 1064);
  CHECK_INT (get_before (1001), 0);
}

TEST (a_report_lists_what_arrived_before_the_packet_that_it_names)
{
  start (TFRC_MODE_TFRC);
  receive_at (65534, false, 2 * TFRC_SEC);
  receive_at (0, false, 2 * TFRC_SEC + MS);
  receive_at (2, false, 2 * TFRC_SEC + 2 * MS);
  CHECK (make_report ());
  CHECK_INT (flow.report.arrivals, 1u << 1 | 1u << 3);
  CHECK (!flow.report.lists_arrivals);
}

/* A packet without a stamp is not the one that the report names. */
TEST (packets_behind_the_named_one_are_not_listed)
{
  TfrcPacket packet = { .seq = 12, .size = 160 };

  start (TFRC_MODE_TFRC);
  receive_at (10, false, 2 * TFRC_SEC);
  receive_at (11, false, 2 * TFRC_SEC + MS);
  tfrc_receiver_on_packet (flow.receiver, &packet, 2 * TFRC_SEC + MS);
  CHECK (make_report ());
  CHECK_INT (flow.report.arrivals, 1);
}

TEST (a_source_that_begins_anew_has_no_arrivals_before)
{
  start (TFRC_MODE_TFRC);
  receive_at (40000, false, 2 * TFRC_SEC);
  receive_at (40001, false, 2 * TFRC_SEC + MS);
  tfrc_receiver_restart (flow.receiver, 2 * TFRC_SEC + MS);
  receive_at (40002, false, 2 * TFRC_SEC + 2 * MS);
  CHECK (make_report ());
  CHECK_INT (flow.report.arrivals, 0);
}
