/* tfrcadapt: tests of how long a better operating point must fit before it is taken
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "rise-timing.h"

#define BEGIN (1000 * TFRC_SEC)

static TfrcAdaptConfig config;
static TfrcAdaptRise rise;
static TfrcTime now;

static void
start (void)
{
  tfrc_adapt_config_init (&config);
  tfrc_adapt_rise_init (&rise, &config);
  now = BEGIN;
}

/* s until a rise of this kind may be taken, in steps of 50 ms. */
static double
measure (TfrcAdaptRiseKind kind, bool noisy)
{
  TfrcTime from = now;

  tfrc_adapt_rise_reset (&rise);
  while (!tfrc_adapt_rise_may (&rise, &config, kind, noisy, now))
    now += 50 * TFRC_MSEC;
  return (double) (now - from) * 1e-9;
}

TEST (each_kind_of_rise_has_its_wait)
{
  start ();
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 5.0, 1e-9);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_SAFE, false), 1.0, 1e-9);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_PROTECT, false), 0.0, 1e-9);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_RETURN, false), 0.0, 1e-9);
}

TEST (a_rise_follows_a_rise_after_a_second)
{
  start ();
  tfrc_adapt_rise_on_up (&rise, now);
  now += 1900 * TFRC_MSEC;
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 1.0, 1e-9);
  start ();
  tfrc_adapt_rise_on_up (&rise, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, true), 5.0, 1e-9);
  start ();
  tfrc_adapt_rise_on_up (&rise, now);
  now += 3 * TFRC_SEC;
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 5.0, 1e-9);
}

TEST (the_start_is_a_rise_and_there_is_one_start)
{
  start ();
  tfrc_adapt_rise_start (&rise, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 1.0, 1e-9);
  now += 10 * TFRC_SEC;
  tfrc_adapt_rise_start (&rise, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 5.0, 1e-9);
}

TEST (a_reduction_behind_the_start_takes_no_rise_back)
{
  start ();
  tfrc_adapt_rise_start (&rise, now);
  tfrc_adapt_rise_on_down (&rise, true, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 5.0, 1e-9);
  tfrc_adapt_rise_on_up (&rise, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 1.0, 1e-9);
  tfrc_adapt_rise_on_down (&rise, true, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 10.0, 1e-9);
  /* nor does the next one */
  tfrc_adapt_rise_on_down (&rise, true, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 10.0, 1e-9);
}

TEST (room_that_goes_away_starts_the_wait_anew)
{
  start ();
  CHECK (!tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_MORE, false,
          now));
  CHECK_INT (tfrc_adapt_rise_next_timer (&rise), BEGIN + 5 * TFRC_SEC);
  now += 4 * TFRC_SEC;
  CHECK (!tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_MORE, false,
          now));
  tfrc_adapt_rise_reset (&rise);
  CHECK_INT (tfrc_adapt_rise_next_timer (&rise), TFRC_TIME_NONE);
  now += 2 * TFRC_SEC;
  CHECK (!tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_MORE, false,
          now));
}

TEST (a_wait_once_begun_gets_shorter_and_never_longer)
{
  start ();
  CHECK (!tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_MORE, false,
          now));
  now += TFRC_SEC;
  CHECK (tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_SAFE, false,
          now));
  tfrc_adapt_rise_reset (&rise);
  CHECK (!tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_SAFE, false,
          now));
  now += TFRC_SEC;
  CHECK (tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_MORE, false,
          now));
}

TEST (what_did_not_fit_is_tried_again_a_tenth_of_a_second_later)
{
  start ();
  measure (TFRC_ADAPT_RISE_PROTECT, false);
  tfrc_adapt_rise_retry (&rise, now);
  CHECK_INT (tfrc_adapt_rise_next_timer (&rise), now + 100 * TFRC_MSEC);
  CHECK (!tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_PROTECT, false,
          now + 99 * TFRC_MSEC));
  CHECK (tfrc_adapt_rise_may (&rise, &config, TFRC_ADAPT_RISE_PROTECT, false,
          now + 100 * TFRC_MSEC));
}

static double
regret_after (double seconds, bool own)
{
  tfrc_adapt_rise_on_up (&rise, now);
  now += (TfrcTime) (seconds * 1e9);
  tfrc_adapt_rise_on_down (&rise, own, now);
  return measure (TFRC_ADAPT_RISE_MORE, false);
}

TEST (a_rise_taken_back_makes_the_next_wait_twice_as_long)
{
  start ();
  CHECK_NEAR (regret_after (19.9, true), 10.0, 1e-9);
  CHECK_NEAR (regret_after (1.0, true), 20.0, 1e-9);
  CHECK_NEAR (regret_after (1.0, true), 20.0, 1e-9);
  start ();
  CHECK_NEAR (regret_after (20.1, true), 5.0, 1e-9);
  CHECK_NEAR (regret_after (1.0, false), 5.0, 1e-9);
  /* only the first reduction after a rise takes it back */
  CHECK_NEAR (regret_after (1.0, true), 10.0, 1e-9);
  tfrc_adapt_rise_on_down (&rise, true, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 10.0, 1e-9);
}

TEST (after_a_minute_without_a_reduction_regrets_are_forgotten)
{
  start ();
  regret_after (1.0, true);
  now = rise.last_down + 60 * TFRC_SEC;
  tfrc_adapt_rise_forget (&rise, &config, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 10.0, 1e-9);
  tfrc_adapt_rise_forget (&rise, &config, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_MORE, false), 5.0, 1e-9);
}

TEST (protection_that_was_reduced_just_now_waits_like_any_rise)
{
  start ();
  tfrc_adapt_rise_on_down (&rise, false, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_PROTECT, true), 0.0, 1e-9);
  start ();
  tfrc_adapt_rise_on_down (&rise, false, now);
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_PROTECT, false), 5.0, 1e-9);
  start ();
  tfrc_adapt_rise_on_down (&rise, false, now);
  now += 8 * TFRC_SEC;
  CHECK_NEAR (measure (TFRC_ADAPT_RISE_PROTECT, false), 0.0, 1e-9);
}
