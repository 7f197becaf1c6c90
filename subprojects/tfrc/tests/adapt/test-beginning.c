/* tfrcadapt: tests of the first seconds, in which a wide path is told from a thin one
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "adapt-private.h"

static union
{
  max_align_t align;
  unsigned char bytes[256 * 1024];
} block;
static TfrcAdaptConfig config;
static TfrcAdaptConditions conditions;
static TfrcAdapt *adapt;
static TfrcAdaptChoice choice, first;
static TfrcTime now;

/* A call over a path of 100 ms. TFRC allows 120 kbit/s. */
static void
start (unsigned copies)
{
  TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX];
  TfrcAdaptLadderLimits limits;
  unsigned n;

  tfrc_adapt_ladder_limits_init (&limits);
  limits.max_redundancy = copies;
  n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, &limits);
  CHECK (n > 0 && tfrc_adapt_size (n) <= sizeof (block));
  tfrc_adapt_config_init (&config);
  now = 1000 * TFRC_SEC;
  adapt = tfrc_adapt_init (block.bytes, &config, ladder, n, now);
  conditions = (TfrcAdaptConditions) {
      .mode = TFRC_MODE_TFRC_SP,
      .H = 40,
      .overhead = 24,
      .loss = -1,
      .allowance = {
        .max_packet_rate = 100,
        .X_wire = 15000,
        .X = 12000
      }
  };
  tfrc_adapt_get_choice (adapt, &first);
  choice = first;
}

static void
report (double R, double capacity)
{
  conditions.allowance.R = conditions.allowance.R_sample = R;
  conditions.allowance.capacity = capacity;
  tfrc_adapt_on_conditions (adapt, &conditions, now);
  tfrc_adapt_get_choice (adapt, &choice);
}

static void
set_allowed (double X)
{
  conditions.allowance.X = conditions.allowance.X_wire =
      conditions.allowance.X_Bps = X;
}

/* Until `at` seconds behind the beginning, with timers as they are due. */
static void
wait_until (double at)
{
  TfrcTime end = 1000 * TFRC_SEC + (TfrcTime) (at * 1e9);

  while (tfrc_adapt_next_timer (adapt) <= end) {
    now =
        tfrc_adapt_next_timer (adapt) >
        now ? tfrc_adapt_next_timer (adapt) : now;
    tfrc_adapt_on_timer (adapt, now);
  }
  now = end;
  tfrc_adapt_get_choice (adapt, &choice);
}

TEST (two_packets_of_the_beginning_carry_a_copy)
{
  start (2);
  CHECK_INT (first.point.redundancy, 0);
  wait_until (0.1);
  CHECK_INT (choice.index, first.index);
  report (0.1, 0);
  CHECK_INT (choice.point.redundancy, 1);
  CHECK_INT (choice.point.bitrate, first.point.bitrate);
  CHECK_INT (choice.point.frame_us, first.point.frame_us);
  wait_until (0.2);
  report (0.1, 0);              /* the dearer packets of the probe are no reason to rise */
  CHECK_INT (choice.point.redundancy, 1);
  wait_until (0.1 + 0.119);
  CHECK_INT (choice.point.redundancy, 1);
  wait_until (0.1 + 0.121);
  CHECK_INT (choice.index, first.index);
}

/* What the call then sends is within what TFRC allows, and no more than three quarters of what the path carries. */
TEST (a_wide_path_gets_what_tfrc_allows_at_once_and_copies_until_losses_had_time)
{
  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 12499);
  CHECK_INT (choice.index, first.index);
  report (0.1, 12500);
  CHECK (choice.point.redundancy > 0
      && choice.point.bitrate >= first.point.bitrate);
  CHECK_BETWEEN (choice.need, 2 * first.need, 0.75 * 12500);
  CHECK_INT (choice.loss_percent, 0);
  wait_until (4.2);
  report (0.1, 12500);
  CHECK (choice.point.redundancy > 0);
  for (double at = 4.4; at < 12; at += 0.1) {
    wait_until (at);
    report (0.1, 0);
  }
  CHECK_INT (choice.point.redundancy, 0);
}

TEST (others_have_their_part_of_a_wide_path)
{
  start (2);
  conditions.allowance.X = conditions.allowance.X_wire = 1e6;
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 19000);
  CHECK_BETWEEN (choice.need, 10000, 0.75 * 19000);
}

/* TCP fills the queue of a path that the call alone could not fill. */
TEST (a_queue_of_a_wide_path_is_that_of_others)
{
  TfrcAdaptChoice wide;

  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 30000);
  wide = choice;
  conditions.allowance.X_recv = 8000;
  for (double at = 0.5; at < 3; at += 0.25) {
    wait_until (at);
    report (0.4, 0);
    CHECK_INT (choice.index, wide.index);
  }
}

/* Two reports, 0.2 s apart, of an allowance that varies. */
static void
report_twice (double *at, double R, double X, double Y)
{
  double rates[] = { X, Y };

  for (unsigned i = 0; i < 2; i++, *at += 0.2) {
    wait_until (*at);
    set_allowed (rates[i]);
    report (R, 0);
  }
}

/* What the allowance brings on the mean decides while it varies, as beside any losses. */
TEST (a_point_falls_beside_a_tcp_flow_that_begins_when_that_pays)
{
  double at = 0.5;
  unsigned wide;

  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 30000);
  report_twice (&at, 0.4, 28000, 28000);
  wide = choice.index;
  CHECK (choice.need > 10000);
  CHECK (tfrc_adapt_get_loss (adapt) >= 0.15);
  conditions.allowance.p = 0.15;
  conditions.allowance.X_recv = 4000;
  while (at < 2.5)
    report_twice (&at, 0.4, 7800, 5500);
  CHECK_INT (choice.index, wide);
  while (at < 18)
    report_twice (&at, 0.4, 7800, 5500);
  CHECK (choice.need < 7800);
}

/* Packets of 60 ms, since TCP may begin any time. */
static void
begin_wide (void)
{
  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 30000);
  CHECK_INT (choice.point.frame_us, 60000);
  CHECK_BETWEEN (choice.need, 10000, 12500);
  wait_until (1.5);
  report (0.1, 30000);
  CHECK_INT (choice.point.frame_us, 60000);
}

TEST (a_wide_path_gets_long_packets_until_losses_without_a_queue_show)
{
  begin_wide ();
  conditions.loss = conditions.allowance.p = 0.03;
  report (0.1, 30000);
  CHECK (choice.point.frame_us < 60000);
  begin_wide ();
  conditions.loss = conditions.allowance.p = 0.03;
  report (0.4, 30000);
  CHECK_INT (choice.point.frame_us, 60000);
  wait_until (2);
  report (0.4, 30000);
  CHECK_INT (choice.point.frame_us, 60000);
}

TEST (a_wide_path_without_losses_gets_short_packets_after_eight_seconds)
{
  begin_wide ();
  for (double at = 1.6; at < 8.2; at += 0.1) {
    wait_until (at);
    report (0.1, 30000);
    CHECK_INT (choice.point.frame_us, 60000);
  }
  for (double at = 8.5; at < 20; at += 0.1) {
    wait_until (at);
    report (0.1, 30000);
  }
  CHECK (choice.point.frame_us < 60000);
}

/* What the path carries may have changed since. */
TEST (a_later_queue_may_be_of_the_call_itself)
{
  unsigned before;

  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 30000);
  for (double at = 0.5; at < 9; at += 0.25) {
    wait_until (at);
    report (0.1, 0);
  }
  before = choice.index;
  for (double at = 9; at < 10; at += 0.1) {
    wait_until (at);
    report (0.1 + 0.2 * (at - 9), 0);
  }
  CHECK (choice.index != before);
}

TEST (losses_that_show_count_for_more_than_those_that_are_expected)
{
  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 20000);
  conditions.loss = 0.3;
  report (0.1, 20000);
  CHECK_INT (choice.loss_percent, 3);   /* 0.3^3: two copies do not restore all */
}

/* A queue of 0.14 s that grew while the call used its first rate. */
TEST (a_queue_that_shows_before_the_capacity_decides)
{
  start (2);
  report (0.1, 0);
  wait_until (0.3);
  conditions.allowance.X_recv = 2000;
  for (double at = 0.4; at < 0.9; at += 0.1) {
    wait_until (at);
    report (0.24, 0);
  }
  CHECK (choice.need < first.need);
  report (0.24, 20000);
  CHECK (choice.need < first.need);
  CHECK_INT (adapt->beginning.state, BEGINNING_QUEUE);
  wait_until (3.4);
  report (0.24, 0);
  CHECK_INT (adapt->beginning.state, BEGINNING_OVER);
}

TEST (a_capacity_that_shows_late_is_of_other_packets)
{
  start (2);
  report (0.1, 0);
  wait_until (3.5);
  report (0.1, 0);
  report (0.1, 20000);
  CHECK (choice.need < 2 * first.need);
}

/* The rate that a loss leaves is kept when the probe ends. */
TEST (the_end_of_the_probe_takes_no_reduction_back)
{
  start (2);
  report (0.1, 0);
  conditions.allowance.p = 0.3;
  conditions.allowance.X_wire = conditions.allowance.X =
      conditions.allowance.X_Bps = 1900;
  report (0.1, 0);
  CHECK (choice.need < first.need);
  wait_until (0.2);
  CHECK (choice.need < first.need);
}

TEST (no_probe_where_it_would_show_nothing)
{
  start (0);
  report (0.1, 0);
  CHECK_INT (choice.index, first.index);
  start (2);
  report (0.26, 0);
  CHECK_INT (choice.index, first.index);
  report (0.26, 20000);
  CHECK_INT (choice.index, first.index);
}

TEST (a_call_that_begins_anew_probes_anew)
{
  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.1, 20000);
  report (0, 0);
  CHECK_INT (choice.index, first.index);
  wait_until (0.4);
  report (0.1, 0);
  CHECK_INT (choice.point.redundancy, 1);
  wait_until (0.6);
  CHECK_INT (choice.index, first.index);
}

/* A loss that shows at `at` s, beside a round-trip time of `R` s that was `low` s before. TFRC allows 24 kbit/s. */
static void
lose (double at, double low, double R)
{
  start (2);
  report (low, 0);
  wait_until (at - 0.05);
  report (R, 0);
  wait_until (at);
  conditions.allowance.p = 0.2;
  set_allowed (3000);
  report (R, 0);
}

/* A queue that grows by 0.3 s in 0.35 s. */
TEST (a_loss_beside_a_queue_that_grew_too_fast_is_one_of_others)
{
  lose (0.35, 0.1, 0.4);
  CHECK (tfrc_adapt_expects_loss (adapt));
  CHECK_BETWEEN (choice.need, 1.2 * first.need, 6000);
  CHECK_INT (choice.point.redundancy, 2);
  CHECK_NEAR (tfrc_adapt_get_known_capacity (adapt), 6000, 0);
}

TEST (a_queue_that_the_call_may_have_filled_is_none_of_others)
{
  lose (0.35, 0.1, 0.14);       /* shorter */
  CHECK (!tfrc_adapt_expects_loss (adapt));
  lose (1.5, 0.1, 0.4);         /* slower */
  CHECK (!tfrc_adapt_expects_loss (adapt));
  CHECK_NEAR (tfrc_adapt_get_known_capacity (adapt), 0, 0);
}

/* The queue was there before, and is gone as its loss shows. */
TEST (a_queue_of_others_is_remembered)
{
  start (2);
  report (0.1, 0);
  wait_until (0.3);
  report (0.4, 0);
  wait_until (0.6);
  report (0.1, 0);
  CHECK (!tfrc_adapt_expects_loss (adapt));
  conditions.allowance.p = 0.2;
  report (0.1, 0);
  CHECK (tfrc_adapt_expects_loss (adapt));
}

TEST (a_loss_without_a_queue_waits_for_the_capacity)
{
  lose (0.35, 0.1, 0.1);
  CHECK_INT (adapt->beginning.state, BEGINNING_WAIT);
  report (0.1, 20000);
  CHECK (tfrc_adapt_expects_loss (adapt));
}

/* Where the round-trip time is too long for the probe, nothing else tells. */
TEST (a_loss_without_a_queue_on_a_long_path_is_one_of_others)
{
  lose (0.9, 0.4, 0.42);
  CHECK (tfrc_adapt_expects_loss (adapt));
  CHECK_INT (choice.point.redundancy, 2);
  lose (0.9, 0.4, 0.5);
  CHECK (!tfrc_adapt_expects_loss (adapt));
}

TEST (a_late_loss_is_no_matter_of_the_beginning)
{
  lose (4, 0.4, 0.4);
  CHECK (!tfrc_adapt_expects_loss (adapt));
}

/* A rate of `X` bytes/s is allowed from `from` to `to` s. */
static void
allow (double from, double to, double X)
{
  set_allowed (X);
  for (double at = from; at < to; at += 0.1) {
    wait_until (at);
    report (0.4, 0);
  }
}

TEST (the_first_loss_intervals_change_nothing)
{
  unsigned held;

  lose (0.9, 0.4, 0.4);
  held = choice.index;
  CHECK (choice.need > 3000);
  allow (1, 3, 2000);
  CHECK_INT (choice.index, held);
  allow (3, 8.5, 30000);
  CHECK (choice.need <= 6000);
  allow (8.5, 20, 30000);
  CHECK (choice.need > 6000);
}

/* What fits nowhere in the end is not sent for longer. */
TEST (a_point_is_held_for_eight_seconds)
{
  lose (0.9, 0.4, 0.4);
  allow (1, 8.8, 2000);
  CHECK (choice.need > 3000);
  allow (8.8, 14, 2000);
  CHECK (choice.need < 3000);
}

TEST (what_is_held_is_no_reason_to_send_more)
{
  lose (0.9, 0.4, 0.4);
  adapt->current = tfrc_adapt_get_cheapest (adapt);
  allow (1, 3, 1500);
  CHECK_INT (choice.index, tfrc_adapt_get_cheapest (adapt));
}
