/* libtfrc: tests of the round-trip time by which losses are grouped to loss events
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrivals.h"

#include "receiver/present-rtt.h"

#define RTT (80 * MS)
#define WINDOW (8 * TFRC_SEC)

static TfrcPresentRtt present;
static uint32_t sent_us;

static void
begin (uint32_t t_i_us)
{
  tfrc_present_rtt_init (&present);
  sent_us = t_i_us;
  flow.now = TFRC_SEC;
}

/* A packet leaves 20 ms after the last one, and needs `one_way`. The arrivals begin at 1 s. */
static void
hear (TfrcTime r, TfrcTime one_way)
{
  sent_us += 20000;
  flow.now += 20 * MS;
  tfrc_present_rtt_on_packet (&present, sent_us, r, flow.now + one_way);
}

static void
hear_for (TfrcTime time, TfrcTime r, TfrcTime one_way)
{
  for (TfrcTime t = 0; t < time; t += 20 * MS)
    hear (r, one_way);
}

TEST (on_a_path_without_a_queue_R_is_that_of_the_stamps)
{
  begin (1);
  CHECK_INT (present.R, 0);
  hear (RTT, 40 * MS);
  CHECK_INT (present.R, RTT);
  for (unsigned i = 0; i < 100; i++) {
    hear (RTT, (40 + i % 4 * 20) * MS);
    CHECK_INT (present.R, RTT);
  }
}

TEST (a_queue_that_R_does_not_know_of_yet_is_added)
{
  begin (1);
  hear_for (TFRC_SEC, RTT, 40 * MS);
  hear (RTT, 119 * MS);
  CHECK_INT (present.R, RTT);
  hear (RTT, 121 * MS);
  CHECK_INT (present.R, 161 * MS);
  hear (RTT, 1040 * MS);
  CHECK_INT (present.R, 1080 * MS);
  hear (RTT, 40 * MS);
  CHECK_INT (present.R, RTT);
}

/* R of the stamps is 500 ms, which the queue has a part in: what the packet met is that of the path without it, and the
 * queue. */
TEST (a_queue_that_is_part_of_R_is_not_added_again)
{
  begin (1);
  hear_for (TFRC_SEC, RTT, 40 * MS);
  hear (500 * MS, 940 * MS);
  CHECK_INT (present.R, 500 * MS);
  hear (500 * MS, 1040 * MS);
  CHECK_INT (present.R, 1080 * MS);
}

/* The sender has a new path, or its clock drifts. */
TEST (a_delay_that_stays_is_no_queue_after_two_windows)
{
  begin (1);
  hear_for (TFRC_SEC, RTT, 40 * MS);
  hear_for (WINDOW - 2 * TFRC_SEC, RTT, 240 * MS);
  CHECK_INT (present.R, 280 * MS);
  hear_for (WINDOW, RTT, 240 * MS);
  CHECK_INT (present.R, 280 * MS);
  hear_for (2 * TFRC_SEC, RTT, 240 * MS);
  CHECK_INT (present.R, RTT);
}

/* A packet is slow, and all of the next window are. */
TEST (a_window_is_compared_with_the_one_before)
{
  begin (1);
  hear_for (WINDOW - TFRC_SEC, RTT, 40 * MS);
  hear_for (TFRC_SEC + 40 * MS, RTT, 340 * MS);
  CHECK_INT (present.R, 380 * MS);
  hear_for (WINDOW - TFRC_SEC, RTT, 540 * MS);
  CHECK_INT (present.R, 580 * MS);
}

/* A long path becomes a short one: what R was is forgotten, too. */
TEST (the_least_R_is_that_of_two_windows)
{
  begin (1);
  hear (RTT, 40 * MS);
  hear_for (TFRC_SEC, RTT / 2, 40 * MS);
  hear (RTT, 200 * MS);
  CHECK_INT (present.R, RTT / 2 + 160 * MS);
  hear_for (2 * WINDOW + TFRC_SEC, RTT, 40 * MS);
  hear (RTT, 200 * MS);
  CHECK_INT (present.R, RTT + 160 * MS);
}

TEST (send_times_may_wrap)
{
  begin ((uint32_t) - 30000);
  hear_for (TFRC_SEC, RTT, 40 * MS);
  CHECK_INT (present.R, RTT);
  hear (RTT, 1040 * MS);
  CHECK_INT (present.R, 1080 * MS);
}

TEST (a_clock_that_began_anew_is_followed)
{
  begin (3000000000u);
  hear_for (TFRC_SEC, RTT, 40 * MS);
  sent_us = 2000000000u;
  hear (RTT, 40 * MS);
  CHECK_INT (present.R, RTT);
  hear (RTT, 340 * MS);
  CHECK_INT (present.R, RTT + 300 * MS);
}

/* A send time of the far future makes all that follow seem late. */
TEST (no_send_time_makes_R_longer_than_a_stamp_can_say)
{
  begin (1);
  hear (RTT, 40 * MS);
  sent_us += 1000000000u;
  hear (RTT, 40 * MS);
  CHECK_INT (present.R, RTT);
  flow.now += 1000 * TFRC_SEC;
  hear (RTT, 40 * MS);
  CHECK_INT (present.R, TFRC_RTT_MAX * TFRC_USEC);
  hear (30 * TFRC_SEC, 40 * MS);
  CHECK_INT (present.R, 30 * TFRC_SEC);
}

/* TCP fills a queue of a second, and the call loses 25 packets of 20 ms in a row, and half of the next 25. The round-trip time of
 * the stamps was 80 ms. */
static void
lose_a_window (TfrcMode mode)
{
  start (mode);
  flow.rtt_us = 80000;
  receive_run (1, 101, 20 * MS, 0);
  flow.one_way = 1050 * MS;
  flow.now += TFRC_SEC;
  receive_run (101, 111, 20 * MS, 0);
  flow.now += 25 * 20 * MS;
  receive_run (136, 161, 20 * MS, 2);
}

TEST (what_one_window_loses_behind_a_new_queue_is_one_loss_event)
{
  lose_a_window (TFRC_MODE_TFRC_SP);
  CHECK_INT (get_stats ()->loss_events, 1);
  CHECK (flow.report.p_q32 < UINT32_MAX / 20);
}

TEST (in_standard_tfrc_R_of_the_stamps_groups_losses)
{
  lose_a_window (TFRC_MODE_TFRC);
  CHECK (get_stats ()->loss_events > 5);
}
