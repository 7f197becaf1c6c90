/* tfrcadapt: tests of the standing queue of a flow, and of one built by competing traffic
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "standing-queue.h"

#define BEGIN (1000 * TFRC_SEC)
#define STEP 0.1                /* s from sample to sample */
#define OWN 0.1                 /* s of round-trip time without a queue */
#define PACKET 0.02             /* s from packet to packet */

static TfrcAdaptStanding standing;
static TfrcTime now;
static double link_queue, foreign, capacity;
static double back;             /* s that reports wait on their way */
static double clock_offset;     /* s, of the receiver's clock */
static bool timed;              /* reports name the transit time */
static double sent[2];          /* of the last steps: what is sent now shows in two */

static void
start (double bytes_per_second)
{
  now = BEGIN;
  timed = false;
  back = clock_offset = 0;
  link_queue = foreign = sent[0] = sent[1] = 0;
  capacity = bytes_per_second;
  tfrc_adapt_standing_init (&standing, now);
}

/* One sample of a link whose queue holds what was too much, and what others put in. */
static void
step (double used)
{
  double arrived = sent[0] > 0 ? sent[0] : used;

  sent[0] = sent[1];
  sent[1] = used;
  link_queue = fmax (0, link_queue + STEP * (arrived / capacity - 1));
  now += (TfrcTime) (STEP * 1e9);
  tfrc_adapt_standing_on_transit (&standing, timed,
      OWN / 2 + link_queue + foreign + clock_offset);
  tfrc_adapt_standing_on_rtt (&standing, OWN + link_queue + foreign + back,
      link_queue > 0 ? capacity : arrived, used, used, PACKET, now);
}

static void
use (double used, double seconds)
{
  for (double t = 0; t < seconds - 1e-9; t += STEP)
    step (used);
}

/* s until the state is `state`, the flow within its limit and at most `wanted`. */
static double
measure (TfrcAdaptStandingState state, double wanted)
{
  for (unsigned n = 1; n < 1000; n++) {
    step (fmin (standing.limit, wanted));
    if (standing.state == state)
      return n * STEP;
  }
  FAIL ("state %d for ever", standing.state);
}

TEST (without_a_queue_there_is_no_limit)
{
  start (5000);
  use (4000, 20);
  CHECK_INT (standing.state, STANDING_NONE);
  CHECK (isinf (standing.limit));
  CHECK_NEAR (standing.path.R.low, OWN, 1e-9);
  CHECK_NEAR (tfrc_adapt_standing_get_return (&standing, now), 0, 0);
}

/* 40 ms and the time of a packet. */
TEST (jitter_is_no_queue)
{
  start (5000);
  use (4000, 2);
  foreign = 0.059;
  use (4000, 5);
  CHECK_INT (standing.state, STANDING_NONE);
  foreign = 0.061;
  step (4400);                  /* more than was proven */
  CHECK_INT (standing.state, STANDING_DRAIN);
}

/* A burst of others, as of reports and keep-alive packets, on a thin path. */
TEST (at_a_proven_rate_only_a_queue_that_stands_is_drained)
{
  start (5000);
  use (4000, 2);
  for (unsigned i = 0; i < 3; i++) {
    foreign = 0.1;
    use (4000, 1.9);
    CHECK_INT (standing.state, STANDING_NONE);
    foreign = 0.05;
    step (4000);
  }
  foreign = 0.1;
  use (4000, 2);
  CHECK_INT (standing.state, STANDING_DRAIN);
}

TEST (a_queue_that_is_twice_as_long_is_drained_at_once)
{
  start (5000);
  use (4000, 2);
  foreign = 0.119;
  step (4000);
  CHECK_INT (standing.state, STANDING_NONE);
  foreign = 0.121;
  step (4000);
  CHECK_INT (standing.state, STANDING_DRAIN);
}

/* The queue of the path is that of video which shares the rate, and keeps it short. */
TEST (a_queue_that_others_keep_short_is_no_reason_to_send_less)
{
  start (5000);
  use (4000, 2);
  tfrc_adapt_standing_set_yielded (&standing, true);
  foreign = 0.2;
  use (4000, 30);
  CHECK (isinf (standing.limit));
  CHECK (tfrc_adapt_standing_is_proven (&standing, 8000));
  foreign = 0;
  tfrc_adapt_standing_set_yielded (&standing, false);
  use (4000, 20);
  CHECK_INT (standing.state, STANDING_NONE);
  foreign = 0.2;
  use (4000, 0.2);
  CHECK_INT (standing.state, STANDING_DRAIN);
}

/* A flow of 23 kbit/s and TCP that begins: if the queue were the flow's own, the path would carry less than any call. */
TEST (a_queue_that_grows_faster_than_the_flow_can_build_it_is_of_others)
{
  for (unsigned i = 0; i < 3; i++) {
    start (40000);
    tfrc_adapt_standing_set_least (&standing, i == 2 ? 0 : 1800);
    use (2900, 2);
    for (unsigned n = 0; n < 10 && standing.state == STANDING_NONE; n++) {
      foreign += i == 0 ? 0.07 : 0.05;
      step (2900);
    }
    CHECK_INT (standing.state, i == 0 ? STANDING_COMPETING : STANDING_DRAIN);
  }
}

/* The next cut would be below what the flow can send. */
TEST (a_queue_that_grows_beside_the_least_rate_is_of_others)
{
  for (unsigned i = 0; i < 2; i++) {
    double t = 0;

    start (40000);
    tfrc_adapt_standing_set_least (&standing, i == 0 ? 2500 : 0);
    use (2900, 2);
    for (; t < 3 && standing.state != STANDING_COMPETING; t += STEP) {
      foreign += 0.008;
      step (fmin (2900, fmax (standing.limit, 2500)));
    }
    if (i == 0)
      CHECK_BETWEEN (t, 1.0, 2.5);
    else
      CHECK (t >= 3);
  }
}

TEST (a_queue_of_our_own_is_drained_by_a_quarter_below_what_the_path_carries)
{
  start (5000);
  use (4000, 2);
  CHECK_BETWEEN (measure (STANDING_DRAIN, 6000), 0.3, 0.8);
  CHECK_NEAR (standing.limit, 0.75 * standing.capacity, 1);
  /* the mean of a second knows less of what has just begun to arrive */
  CHECK_BETWEEN (standing.capacity, 4200, 5050);
  CHECK_BETWEEN (measure (STANDING_CAUTIOUS, 6000), 0.2, 1.0);
}

TEST (a_longer_queue_is_drained_faster_and_something_is_left_for_the_call)
{
  start (5000);
  use (4000, 2);
  link_queue = 0.32;
  step (4000);
  CHECK_NEAR (standing.limit, (1 - standing.queue) * standing.capacity, 1);
  CHECK_BETWEEN (standing.limit / standing.capacity, 0.6, 0.75);
  start (5000);
  use (4000, 2);
  link_queue = 1.5;
  step (4000);
  CHECK_NEAR (standing.limit, 0.6 * standing.capacity, 1);
}

/* A report that comes late covers time in which the queue was gone and the flow sent less than the path carries. */
TEST (what_arrives_when_the_queue_is_gone_is_not_what_the_path_carries)
{
  double carried;

  start (5000);
  use (4000, 2);
  link_queue = 0.3;
  step (6000);
  CHECK_INT (standing.state, STANDING_DRAIN);
  for (unsigned n = 0; n < 6; n++)
    step (standing.limit);
  CHECK_INT (standing.state, STANDING_DRAIN);
  carried = standing.carried;
  now += TFRC_SEC;
  tfrc_adapt_standing_on_rtt (&standing, OWN, 0.5 * capacity, standing.limit,
      standing.limit, PACKET, now);
  CHECK_INT (standing.state, STANDING_CAUTIOUS);
  CHECK_NEAR (standing.limit, 0.97 * carried, 1e-9);
}

TEST (after_a_drain_the_flow_returns_at_once_to_what_was_proven)
{
  start (5000);
  use (4900, 2);
  CHECK_NEAR (standing.proven, 4900, 0);
  measure (STANDING_DRAIN, 7000);
  CHECK_NEAR (standing.proven, 4900, 0);
  measure (STANDING_CAUTIOUS, 7000);
  CHECK (standing.limit >= 4900);
  CHECK_BETWEEN (standing.limit, 4900, 5000);
  CHECK_NEAR (tfrc_adapt_standing_get_return (&standing, now), 4900, 0);
  now += 6 * TFRC_SEC;
  CHECK_NEAR (tfrc_adapt_standing_get_return (&standing, now), 0, 0);
}

TEST (a_rate_is_proven_after_the_better_part_of_a_second)
{
  start (5000);
  use (3000, 1);
  CHECK_NEAR (standing.proven, 3000, 0);
  use (4000, 0.8);
  CHECK_NEAR (standing.proven, 3000, 0);
  use (4000, 0.3);
  CHECK_NEAR (standing.proven, 4000, 0);
  /* less proves nothing new and takes nothing back */
  use (2000, 3);
  CHECK_NEAR (standing.proven, 4000, 0);
}

/* A little more than the path carries shows late: the queue is not long yet. */
TEST (a_rate_under_which_a_queue_begins_is_not_proven)
{
  start (5000);
  use (4000, 2);
  use (5300, 1);
  CHECK_INT (standing.state, STANDING_NONE);
  CHECK_BETWEEN (standing.queue, 0.035, 0.06);
  CHECK_NEAR (standing.proven, 4000, 0);
}

TEST (a_little_more_or_less_from_packet_to_packet_is_the_same_rate)
{
  start (5000);
  for (unsigned n = 0; n < 12; n++)
    step (n % 2 ? 4000 : 4080);
  CHECK_NEAR (standing.proven, 4000, 81);
  CHECK (tfrc_adapt_standing_is_proven (&standing, 4100));
  CHECK (!tfrc_adapt_standing_is_proven (&standing, 4300));
  start (5000);
  for (unsigned n = 0; n < 12; n++)
    step (n % 2 ? 4000 : 4400);
  CHECK_NEAR (standing.proven, 0, 0);
}

TEST (a_queue_at_a_proven_rate_means_that_the_path_has_changed)
{
  start (5000);
  use (4000, 5);
  capacity = 2500;
  measure (STANDING_DRAIN, 4000);
  CHECK_NEAR (standing.proven, 0, 0);
  CHECK_INT (standing.changed, now);
  measure (STANDING_CAUTIOUS, 4000);
  CHECK_BETWEEN (standing.limit, 0.8 * 2500, 1.02 * 2500);
}

TEST (a_limit_under_which_the_queue_grows_is_lowered)
{
  start (10000);
  use (9000, 5);
  capacity = 4000;
  measure (STANDING_DRAIN, 9000);
  CHECK (standing.limit > 4000);
  for (unsigned n = 0; n < 19; n++) {
    step (standing.limit);
    CHECK_INT (standing.state, STANDING_DRAIN);
  }
  CHECK_BETWEEN (standing.limit, 0.6 * 4000, 0.95 * 4000);
}

/* s that a flow which always wants twice what there is stays within the limit. */
static double
measure_wait (void)
{
  measure (STANDING_DRAIN, 10000);
  measure (STANDING_CAUTIOUS, 10000);
  return measure (STANDING_NONE, standing.limit);
}

TEST (a_path_of_which_no_change_was_seen_is_tried_again_after_twenty_seconds)
{
  start (5000);
  use (4900, 2);
  CHECK_BETWEEN (measure_wait (), 20, 26);
  /* 20 s older, half of that longer */
  CHECK_BETWEEN (measure_wait (), 30, 40);
  measure_wait ();
  measure_wait ();
  CHECK_BETWEEN (measure_wait (), 60, 64);
}

TEST (a_path_that_has_just_changed_is_tried_again_after_eight)
{
  start (10000);
  use (9000, 5);
  capacity = 5000;
  measure (STANDING_DRAIN, 9000);
  measure (STANDING_CAUTIOUS, 9000);
  CHECK_BETWEEN (measure (STANDING_NONE, standing.limit), 7.9, 8.3);
  CHECK_BETWEEN (measure_wait (), 7.9, 9.5);
}

TEST (between_what_is_proven_and_what_failed_the_middle_is_tried_first)
{
  start (5000);
  use (3000, 2);
  measure (STANDING_DRAIN, 6000);
  measure (STANDING_CAUTIOUS, 6000);
  use (3000, 23.5);
  CHECK_INT (standing.state, STANDING_CAUTIOUS);
  CHECK_BETWEEN (standing.limit, sqrt (3000 * 6000) - 1, 5000);
  use (3000, 3);
  CHECK_INT (standing.state, STANDING_NONE);
}

TEST (a_delay_that_passes_before_the_cut_can_show_changes_nothing)
{
  TfrcTime changed;

  start (40000);
  use (4000, 5);
  changed = standing.changed;
  foreign = 0.15;
  step (4000);
  CHECK_INT (standing.state, STANDING_DRAIN);
  foreign = 0;
  step (3000);
  CHECK_INT (standing.state, STANDING_NONE);
  CHECK_NEAR (standing.proven, 4000, 0);
  CHECK_INT (standing.changed, changed);
  CHECK_NEAR (tfrc_adapt_standing_get_return (&standing, now), 4000, 0);
  /* once; if it comes back it is no accident */
  use (4000, 2);
  foreign = 0.15;
  step (4000);
  foreign = 0;
  step (3000);
  CHECK_INT (standing.state, STANDING_CAUTIOUS);
}

/* A TCP flow in its slow start fills the queue while the flow begins, and no rate is proven yet. */
TEST (a_queue_that_grows_under_the_first_limit_is_of_others)
{
  double t = 0;

  start (40000);
  use (4000, 0.3);
  for (; t < 5 && standing.state != STANDING_COMPETING; t += STEP) {
    foreign += 0.02;
    step (fmin (standing.limit, 4000));
  }
  CHECK_BETWEEN (t, 0.8, 1.5);
  CHECK (isinf (standing.limit));
  /* where a rate is proven, the path may carry less now */
  start (40000);
  use (4000, 5);
  for (t = 0; t < 2; t += STEP) {
    foreign += 0.02;
    step (fmin (standing.limit, 4000));
  }
  CHECK_INT (standing.state, STANDING_DRAIN);
}

TEST (a_queue_that_does_not_shrink_under_a_limit_is_of_others)
{
  start (40000);
  use (4000, 5);
  foreign = 0.25;
  CHECK_BETWEEN (measure (STANDING_DRAIN, 4000), 0, 0.2);
  CHECK (!tfrc_adapt_standing_is_proven (&standing, 8000));
  CHECK_BETWEEN (measure (STANDING_COMPETING, 4000), 0.5, 3.0);
  CHECK (isinf (standing.limit));
  CHECK (tfrc_adapt_standing_is_proven (&standing, 8000));
  CHECK_NEAR (tfrc_adapt_standing_get_return (&standing, now), 4000, 0);
  use (4000, 4);
  CHECK (tfrc_adapt_standing_get_return (&standing, now) > 0);
  use (4000, 2);
  CHECK_NEAR (tfrc_adapt_standing_get_return (&standing, now), 0, 0);
}

/* Packets of others that come now and then hold up a drain. */
TEST (where_a_queue_has_drained_before_one_of_others_must_last_twice_as_long)
{
  double first;

  start (5000);
  use (4000, 2);
  foreign = 0.25;
  measure (STANDING_DRAIN, 4000);
  first = measure (STANDING_COMPETING, 4000);

  start (5000);
  use (4000, 2);
  measure (STANDING_DRAIN, 6000);
  measure (STANDING_CAUTIOUS, 6000);
  measure (STANDING_NONE, 4000);
  use (4000, 2);
  foreign = 0.25;
  measure (STANDING_DRAIN, 4000);
  CHECK_BETWEEN (measure (STANDING_COMPETING, 4000), first + 0.4, first + 0.8);
}

/* A sawtooth that falls just while we look. */
/* What was sent before the cut still arrives: the queue is judged from its top. */
TEST (a_queue_that_first_grows_and_then_shrinks_is_ours)
{
  start (40000);
  use (4000, 5);
  foreign = 0.12;
  step (4000);
  CHECK_INT (standing.state, STANDING_DRAIN);
  for (foreign = 0.3; foreign > 0.001; foreign -= 0.02)
    step (3000);
  foreign = 0;
  step (3000);
  CHECK_INT (standing.state, STANDING_CAUTIOUS);
}

TEST (a_queue_that_shrank_and_is_not_gone_when_it_should_be_is_of_others)
{
  start (40000);
  use (4000, 5);
  foreign = 0.25;
  step (4000);
  for (unsigned n = 0; n < 40 && standing.state == STANDING_DRAIN; n++) {
    foreign = fmax (0.08, foreign - 0.05);
    step (3000);
  }
  CHECK_INT (standing.state, STANDING_COMPETING);
}

/* A queue that TCP empties now and then. Returns the s for which it is left alone. */
static double
measure_beside_tcp (void)
{
  TfrcTime since = now;

  while (standing.state == STANDING_COMPETING && now < since + 200 * TFRC_SEC) {
    foreign = (now - since) % (20 * TFRC_SEC) > 18 * TFRC_SEC ? 0 : 0.3;
    step (4000);
  }
  return (double) (now - since) * 1e-9;
}

TEST (a_queue_of_others_is_left_alone_for_a_minute)
{
  start (40000);
  use (4000, 5);
  foreign = 0.25;
  measure (STANDING_COMPETING, 4000);
  CHECK_BETWEEN (measure_beside_tcp (), 60, 61);
  CHECK_INT (standing.state, STANDING_NONE);
  /* and then for two */
  measure (STANDING_COMPETING, 4000);
  CHECK_BETWEEN (measure_beside_tcp (), 120, 121);
}

TEST (when_it_is_gone_for_good_it_is_forgotten)
{
  start (40000);
  use (4000, 5);
  foreign = 0.25;
  measure (STANDING_COMPETING, 4000);
  foreign = 0;
  CHECK_BETWEEN (measure (STANDING_NONE, 4000), 5, 5.5);
  foreign = 0.25;
  measure (STANDING_COMPETING, 4000);
  CHECK_BETWEEN (measure_beside_tcp (), 60, 61);
}

/* A queue is taken for one of others and the flow sends `used` into a drop-tail queue of 0.2 s. Returns the s for which
 * that stays so; at most 20. */
static double
overrun_again (double used)
{
  double t = 0;

  foreign = 0.25;
  measure (STANDING_COMPETING, 4000);
  foreign = 0;
  for (; t < 20 && standing.state == STANDING_COMPETING; t += STEP) {
    step (used);
    link_queue = fmin (link_queue, 0.2);
  }
  return t;
}

static double
overrun (double used)
{
  start (5000);
  use (4000, 5);
  return overrun_again (used);
}

/* As on a busy machine, where delays come and go. */
TEST (when_far_less_arrives_than_is_sent_it_is_ours_after_all)
{
  CHECK_BETWEEN (overrun (10000), 2, 5);
  CHECK_NEAR (overrun (5000 / 0.8), 20, 2 * STEP);
}

/* TCP takes many packets at times. */
TEST (what_does_not_arrive_judges_a_queue_once_a_minute)
{
  CHECK_BETWEEN (overrun (10000), 2, 5);
  CHECK_NEAR (overrun_again (10000), 20, 2 * STEP);
}

TEST (when_it_gets_much_longer_it_may_be_ours_after_all)
{
  start (40000);
  use (4000, 5);
  foreign = 0.25;
  measure (STANDING_COMPETING, 4000);
  foreign = 0.39;
  use (4000, 2);
  CHECK_INT (standing.state, STANDING_COMPETING);
  foreign = 0.41;
  step (4000);
  CHECK_INT (standing.state, STANDING_DRAIN);
}

TEST (a_floor_is_forgotten_after_one_to_two_windows)
{
  start (40000);
  use (4000, 5);
  foreign = 0.04;               /* another route, 40 ms longer */
  use (4000, 20);
  CHECK_NEAR (standing.path.R.low, OWN, 1e-9);
  use (4000, 40);
  CHECK_NEAR (standing.path.R.low, OWN + 0.04, 1e-9);
}

TEST (a_queue_on_the_way_back_is_none_of_the_flow)
{
  for (unsigned i = 0; i < 2; i++) {
    start (40000);
    timed = i;
    use (4000, 5);
    back = 0.25;
    use (4000, 1);
    CHECK_INT (standing.state, timed ? STANDING_NONE : STANDING_DRAIN);
  }
}

TEST (a_queue_on_the_way_there_is_found_beside_one_on_the_way_back)
{
  start (5000);
  timed = true;
  use (4000, 5);
  back = 0.25;
  use (4000, 1);
  use (6000, 2);
  CHECK_INT (standing.state, STANDING_DRAIN);
}

/* The clock of the receiver may step, and a receiver that lies may say anything. */
TEST (a_transit_time_makes_no_queue_that_the_round_trip_time_lacks)
{
  static const double steps[] = { 0.5, -0.5, 1e6, -1e6 };

  for (unsigned i = 0; i < N_OF (steps); i++) {
    start (40000);
    timed = true;
    use (4000, 5);
    clock_offset = steps[i];
    use (4000, 10);
    CHECK_INT (standing.state, STANDING_NONE);
  }
}

TEST (a_report_without_a_transit_time_leaves_the_round_trip_time)
{
  start (40000);
  timed = true;
  use (4000, 5);
  timed = false;
  foreign = 0.25;
  use (4000, 1);
  CHECK_INT (standing.state, STANDING_DRAIN);
  CHECK_NEAR (standing.queue, 0.25, 1e-9);
}
