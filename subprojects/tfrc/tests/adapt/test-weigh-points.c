/* tfrcadapt: tests of what an operating point is worth on the mean, and of when a change pays
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "adapt-private.h"

#define THIN 0                  /* the points of the ladder */
#define MEDIUM 1
#define WIDE 2
#define STEP 0.1                /* s from report to report */
#define HALF_BARE 0.23          /* of the need of MEDIUM, where packets without copies take 0.46 */

static union
{
  max_align_t align;
  unsigned char bytes[1 << 16];
} block;
static TfrcAdapt *adapt;

static void
start_with (const TfrcAdaptPoint * ladder, unsigned n)
{
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  CHECK (tfrc_adapt_size (n) <= sizeof block);
  adapt = tfrc_adapt_init (block.bytes, &config, ladder, n, TFRC_SEC);
  adapt->conditions.loss = 0.1;
  adapt->conditions.allowance.R = 0.1;
  adapt->current = n / 2;
  adapt->budget.loss = true;
  adapt->budget.noise = 0.5;
}

/* A flow with 10 % of loss. */
static void
start (void)
{
  static const TfrcAdaptPoint ladder[] = {
    {TFRC_ADAPT_CODEC_OPUS, 8000, 60000, 1, 2, false, false},
    {TFRC_ADAPT_CODEC_OPUS, 16000, 40000, 1, 2, false, false},
    {TFRC_ADAPT_CODEC_OPUS, 32000, 20000, 1, 2, false, false},
  };

  start_with (ladder, N_OF (ladder));
}

/* May send `share` times what the current point needs. Returns the point to change to. */
static unsigned
allow (double share, double seconds)
{
  unsigned point = adapt->current;

  adapt->budget.now = share * tfrc_adapt_get_need (adapt, adapt->current);
  for (double t = 0; t < seconds - 1e-9 && point == adapt->current; t += STEP) {
    tfrc_adapt_weigh_update (adapt, STEP);
    point = tfrc_adapt_weigh_down (adapt, STEP);
  }
  return point;
}

/* s until a cheaper point is taken; at most 100. */
static double
get_time_to_change (double share)
{
  double t = 0;

  start ();
  while (t < 100 && allow (share, STEP) == MEDIUM)
    t += STEP;
  return t;
}

TEST (what_is_allowed_on_the_whole_drops_nothing)
{
  start ();
  for (unsigned n = 0; n < 100; n++) {
    allow (0.6, 0.2);
    allow (1.5, 0.2);
  }
  CHECK_NEAR (adapt->rungs[MEDIUM].dropped + adapt->rungs[MEDIUM].bare, 0,
      1e-12);
  CHECK_NEAR (adapt->rungs[THIN].dropped + adapt->rungs[THIN].bare, 0, 1e-12);
  CHECK_NEAR (adapt->rungs[WIDE].dropped, 0, 1e-12);
  CHECK_BETWEEN (adapt->rungs[WIDE].bare, 0.1, 0.9);
}

/* What is allowed later is no use to packets that were dropped. */
TEST (a_dip_beyond_what_a_packet_waits_drops_the_rest)
{
  start ();
  allow (10.0, 10.0);
  allow (HALF_BARE, 0.2);
  CHECK_NEAR (adapt->rungs[MEDIUM].dropped, 0, 1e-5);
  allow (HALF_BARE, 0.4);
  CHECK_BETWEEN (adapt->rungs[MEDIUM].dropped, 0.01, 0.015);
  allow (10.0, 8.0);
  CHECK_BETWEEN (adapt->rungs[MEDIUM].dropped, 0.005, 0.009);
}

/* Of ten packets with copies 4 bare ones leave room for the other 6 where 7.8 would fit. */
TEST (packets_shed_their_copies_before_any_is_dropped)
{
  start ();
  allow (0.784, 10.0);
  CHECK_BETWEEN (adapt->rungs[MEDIUM].bare, 0.15, 0.21);
  CHECK_NEAR (adapt->rungs[MEDIUM].dropped, 0, 1e-12);
}

TEST (a_point_without_copies_has_none_to_shed)
{
  static const TfrcAdaptPoint ladder[] = {
    {TFRC_ADAPT_CODEC_OPUS, 16000, 40000, 1, 0, false, false},
  };

  start_with (ladder, N_OF (ladder));
  allow (0.5, 10.0);
  CHECK_NEAR (adapt->rungs[0].bare, 0, 0);
  CHECK_BETWEEN (adapt->rungs[0].dropped, 0.2, 0.25);
}

/* A lost packet of which no copy was sent is missing as one that was dropped is. */
TEST (what_is_lost_of_packets_without_copies_is_missing)
{
  double dropped;

  start ();
  adapt->rungs[MEDIUM].dropped = 0.05 * (0.1 - 0.001);
  dropped = tfrc_adapt_get_worth (adapt, MEDIUM, true);
  adapt->rungs[MEDIUM].dropped = 0;
  adapt->rungs[MEDIUM].bare = 0.05;
  CHECK_NEAR (tfrc_adapt_get_worth (adapt, MEDIUM, true), dropped, 1e-9);
  CHECK (tfrc_adapt_get_worth (adapt, MEDIUM, false) > dropped);
}

TEST (a_change_comes_the_sooner_the_more_it_brings)
{
  double slight = get_time_to_change (0.5), deep = get_time_to_change (0.2);

  CHECK_NEAR (get_time_to_change (1.0), 100, STEP + 1e-9);
  CHECK_BETWEEN (deep, 6.0, 10.0);
  CHECK_BETWEEN (slight, 2.0 * deep, 40.0);
  start ();
  CHECK_INT (allow (0.2, 10), THIN);
}

/* A dip of an allowance that is steady otherwise is no matter of chance. */
TEST (only_an_allowance_that_varies_is_weighed)
{
  start ();
  allow (0.2, 4.0);
  CHECK (adapt->rungs[MEDIUM].dropped > 0);
  adapt->budget.noise = 0.05;
  allow (0.2, 2.0);
  CHECK_NEAR (adapt->rungs[MEDIUM].dropped + adapt->rungs[MEDIUM].queue, 0, 0);
  CHECK_NEAR (adapt->advantage, 0, 0);
}

/* Else the call would go back at once to what has just been found to drop packets. */
TEST (a_rise_does_not_forget_what_was_weighed)
{
  start ();
  allow (0.3, 1.0);
  adapt->current = THIN;
  adapt->conditions.allowance = (TfrcAllowance) {.R = 0.1, .p = 0.1};
  adapt->budget.now = adapt->budget.slow =
      100 * tfrc_adapt_get_need (adapt, WIDE);
  tfrc_adapt_rise_start (&adapt->rise, TFRC_SEC);
  for (TfrcTime now = TFRC_SEC; now < 20 * TFRC_SEC && adapt->current == THIN;
      now += TFRC_SEC / 10)
    tfrc_adapt_consider_up (adapt, now);
  CHECK (adapt->current != THIN);
  CHECK (adapt->rungs[MEDIUM].dropped > 0.001);
}

TEST (what_comes_and_goes_brings_no_change)
{
  start ();
  for (unsigned n = 0; n < 20; n++) {
    CHECK_INT (allow (0.5, 1.5), MEDIUM);
    CHECK_INT (allow (4.0, 20.0), MEDIUM);
  }
  for (unsigned n = 0; n < 20; n++) {
    CHECK_INT (allow (0.2, 3.5), MEDIUM);
    CHECK_INT (allow (4.0, 60.0), MEDIUM);
  }
}

TEST (another_point_is_weighed_from_then_on)
{
  start ();
  allow (0.2, 6.0);
  CHECK (adapt->advantage > 0);
  tfrc_adapt_weigh_reset (adapt);
  CHECK_NEAR (adapt->advantage, 0, 0);
  CHECK_NEAR (adapt->rungs[MEDIUM].dropped + adapt->rungs[MEDIUM].queue, 0, 0);
}

/* The sender drops several packets in a row. */
TEST (error_correction_does_not_recover_what_the_sender_drops)
{
  static const TfrcAdaptPoint ladder[] = {
    {TFRC_ADAPT_CODEC_OPUS, 24000, 20000, 1, 0, true, false},
  };
  double whole, holes;

  start_with (ladder, N_OF (ladder));
  adapt->conditions.loss = 0.0;
  adapt->rungs[0].dropped = 0.04;
  whole = tfrc_adapt_get_worth (adapt, 0, false);
  holes = tfrc_adapt_get_worth (adapt, 0, true);
  adapt->conditions.loss = 0.2;
  CHECK_NEAR (whole - holes, whole - tfrc_adapt_get_worth (adapt, 0, false), 2);
}

static unsigned
choose_of_all (void)
{
  return tfrc_adapt_choose (adapt, (TfrcAdaptRoom) {HUGE_VAL, HUGE_VAL});
}

/* What it drops on the mean is known from its queue. Beside a queue of TCP the allowance does not vary by chance. */
TEST (a_point_that_fits_now_and_drops_packets_later_is_not_chosen)
{
  start ();
  adapt->rungs[WIDE].dropped = 0.2;
  adapt->budget.noise = 0.0;
  CHECK_INT (choose_of_all (), WIDE);
  adapt->budget.noise = 0.2;
  CHECK_INT (choose_of_all (), MEDIUM);
  adapt->budget.standing.state = STANDING_COMPETING;
  CHECK_INT (choose_of_all (), WIDE);
}

/* 43 and 50 % of the frames are missing, which no rating above zero tells apart with a second of delay. */
TEST (points_are_told_apart_where_no_rating_is_above_zero)
{
  TfrcAdaptChoice choice;

  start ();
  adapt->conditions.loss = 0.75;
  adapt->conditions.queue = 1.0;
  CHECK_BETWEEN (tfrc_adapt_get_worth (adapt, WIDE, false), -150,
      tfrc_adapt_get_worth (adapt, THIN, false));
  adapt->rungs[THIN].dropped = 0.07;
  CHECK_BETWEEN (tfrc_adapt_get_worth (adapt, THIN,
          false) - tfrc_adapt_get_worth (adapt, THIN, true), 1, 10);
  CHECK_BETWEEN (tfrc_adapt_get_rating (adapt, MEDIUM), -100, -1);
  tfrc_adapt_get_choice (adapt, &choice);
  CHECK_NEAR (choice.rating, 0, 0);
  CHECK_NEAR (choice.mos, 1, 0);
}

/* Beside a queue of TCP the allowance does not vary by chance. */
TEST (many_packets_are_lost_from_35_percent_on)
{
  start ();
  adapt->conditions.loss = 0.34;
  CHECK (!tfrc_adapt_loses_many (adapt));
  adapt->conditions.loss = 0.36;
  CHECK (tfrc_adapt_loses_many (adapt));
  adapt->budget.noise = 0.0;
  CHECK (!tfrc_adapt_loses_many (adapt));
  adapt->budget.noise = 0.5;
  adapt->budget.standing.state = STANDING_COMPETING;
  CHECK (!tfrc_adapt_loses_many (adapt));
}
