/* tfrcadapt: tests of the suspension of a flow that cannot send less
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"
#include "vectors.h"

#include "suspend.h"

static TfrcAdaptConfig config;
static TfrcAdaptSuspend suspend;
static TfrcTime now;
static double on, off;          /* s */

static void
start (uint64_t seed)
{
  tfrc_adapt_config_init (&config);
  config.seed = seed;
  now = 7 * TFRC_SEC;
  tfrc_adapt_suspend_init (&suspend, &config, now);
  on = off = 0.0;
}

static void
run (double seconds, double need, double allowed)
{
  TfrcTime end = now + (TfrcTime) (seconds * 1e9);

  for (; now < end; now += 20 * TFRC_MSEC) {
    tfrc_adapt_suspend_update (&suspend, &config, need, allowed, now);
    *(suspend.suspended ? &off : &on) += 0.02;
  }
}

TEST (the_loss_rate_at_which_tcp_gets_no_more)
{
  for (size_t i = 0; i < v_rfc3714.n_cases; i++) {
    const struct v_rfc3714_cases *v = &v_rfc3714.cases[i];

    NOTE ("case %zu", i);
    CHECK_NEAR (v->N_data_Bps + 40.0 * v->M_pps, v->B_wire_Bps, 1e-9);
    CHECK_REL (v->B_wire_Bps * v->R / 1500.0, v->ppr, 1e-9);
    CHECK_REL (tfrc_adapt_suspend_get_loss_rate (v->B_wire_Bps, v->R),
        v->p_threshold_tfrc_eq_K4, 1e-6);
  }
}

TEST (off_for_as_long_as_brings_the_average_down_to_the_allowed_rate)
{
  start (1);
  run (120.0, 10000.0, 2500.0);
  /* A quarter of the need is allowed: three quarters of the time off. */
  CHECK_BETWEEN (off / (on + off), 0.72, 0.80);
}

/* s from the beginning of a shortage until the flow is suspended */
static double
measure_patience (uint64_t seed)
{
  start (seed);
  while (!suspend.suspended && on < 60.0)
    run (0.02, 10000.0, 2500.0);
  return on;
}

TEST (a_shortage_must_last_five_seconds_and_significantly)
{
  double least = HUGE_VAL, most = 0.0;

  for (uint64_t seed = 1; seed <= 200; seed++) {
    least = fmin (least, measure_patience (seed));
    most = fmax (most, on);
  }
  CHECK_BETWEEN (least, 4.99, 5.1);
  CHECK_BETWEEN (most, 7.4, 7.53);

  start (1);
  run (60.0, 10000.0, 9100.0);
  CHECK (!suspend.suspended);
  CHECK_NEAR (off, 0.0, 1e-9);
  run (10.0, 10000.0, 8900.0);
  CHECK (off > 0.0);
}

TEST (one_good_moment_starts_the_time_anew)
{
  start (1);
  for (unsigned i = 0; i < 10; i++) {
    run (4.0, 10000.0, 2500.0);
    run (0.1, 10000.0, 10000.0);
  }
  CHECK_NEAR (off, 0.0, 1e-9);
}

TEST (enough_again_ends_a_suspension_before_its_time)
{
  start (1);
  run (7.6, 10000.0, 2500.0);
  CHECK (suspend.suspended);
  run (0.1, 10000.0, 10900.0);
  CHECK (suspend.suspended);
  run (0.1, 10000.0, 11000.0);
  CHECK (!suspend.suspended);
}

TEST (a_suspension_has_a_longest_time)
{
  start (1);
  run (7.6, 10000.0, 0.0);
  CHECK (suspend.suspended);
  run (31.0, 10000.0, 0.0);
  CHECK (!suspend.suspended);
}

TEST (flows_with_other_seeds_wait_differently)
{
  TfrcTime first;

  start (1);
  first = suspend.patience;
  start (2);
  CHECK (suspend.patience != first);
  for (uint64_t seed = 0; seed < 100; seed++) {
    start (seed);
    CHECK_BETWEEN (suspend.patience, 5e9, 7.5e9);
  }
}

TEST (what_the_sender_forbids_stays_forbidden_until_it_allows)
{
  start (1);
  CHECK (tfrc_adapt_suspend_force (&suspend, &config, true, now));
  CHECK (!tfrc_adapt_suspend_force (&suspend, &config, true, now + TFRC_SEC));
  CHECK (suspend.suspended
      && tfrc_adapt_suspend_next_timer (&suspend) == TFRC_TIME_NONE);
  CHECK (tfrc_adapt_suspend_force (&suspend, &config, false,
          now + 2 * TFRC_SEC));
  CHECK (!suspend.suspended);
}
