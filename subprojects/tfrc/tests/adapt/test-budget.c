/* tfrcadapt: tests of the budget, the rate that the encoder may use
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "wire-rate-budget.h"

#define BEGIN (1000 * TFRC_SEC)

static TfrcAdaptBudget budget;
static TfrcAdaptConditions conditions;
static TfrcTime now;

static void
start (double X_wire)
{
  now = BEGIN;
  tfrc_adapt_budget_init (&budget, now);
  conditions = (TfrcAdaptConditions) {
      .mode = TFRC_MODE_TFRC_SP,
      .H = 40,
      .overhead = 24,
      .loss = -1,
      .allowance = {
        .R = 0.1,
        .X = X_wire / 2,
        .X_wire = X_wire,
        .X_recv = 1000
      }};
}

/* The encoder makes `sounding` of the sound, and leaves out the rest as silence. */
static void
run_sounding (double seconds, double sounding)
{
  for (double t = 0; t < seconds - 1e-9; t += 0.1) {
    now += TFRC_SEC / 10;
    tfrc_adapt_budget_update (&budget, &conditions, 2000, 0.02, 0.1 * sounding,
        now);
  }
}

static void
run (double seconds)
{
  run_sounding (seconds, 1);
}

TEST (before_the_first_report_nothing_is_known)
{
  start (24);
  conditions.allowance.R = 0;
  run (3);
  CHECK (isinf (budget.now) && isinf (budget.slow));
}

TEST (without_a_loss_the_allowance_is_X)
{
  start (5000);
  run (1);
  CHECK_NEAR (budget.now, 5000, 0);
  CHECK_NEAR (budget.slow, 5000, 1e-9);
  CHECK_NEAR (budget.noise, 0, 1e-12);
  CHECK (!tfrc_adapt_budget_is_noisy (&budget));
}

/* In a silence little arrives because little is sent: the queue of the path says nothing then. */
TEST (what_an_encoder_leaves_out_is_not_taken_for_sent)
{
  start (5000);
  run (20);
  CHECK_NEAR (budget.standing.sent, 2000, 20);
  run_sounding (20, 0.1);
  CHECK_NEAR (budget.standing.sent, 200, 5);
}

/* RFC 5348 4.3 step 4 holds a flow that is limited by its data to what arrived. */
TEST (a_flow_that_uses_little_plans_with_the_rate_of_the_equation)
{
  start (2000);
  conditions.allowance.p = 0.01;
  conditions.allowance.X_Bps = 4 * conditions.allowance.X;
  run (1);
  CHECK_NEAR (budget.now, 8000, 1e-6);
  /* not while the timer holds it down */
  conditions.expired = true;
  run (0.1);
  CHECK_NEAR (budget.now, 2000, 1e-6);
}

TEST (packets_that_wait_mean_that_X_is_meant)
{
  start (2000);
  conditions.allowance.p = 0.01;
  conditions.allowance.X_Bps = 4 * conditions.allowance.X;
  conditions.queue = 0.065;
  run (5);
  CHECK_NEAR (budget.now, 2000, 20);
  CHECK (isinf (tfrc_adapt_budget_get_enforced (&budget)));
  conditions.queue = 0.085;
  run (5);
  CHECK_NEAR (tfrc_adapt_budget_get_enforced (&budget), 2000, 20);
}

TEST (the_mean_is_of_two_seconds)
{
  start (4000);
  run (1);
  conditions.allowance.X_wire = 6000;
  run (2);
  CHECK_BETWEEN (budget.slow, 4000 + 2000 * 0.60, 4000 + 2000 * 0.68);
}

TEST (a_collapse_is_believed_at_once)
{
  start (8000);
  run (5);
  conditions.allowance.X_wire = 1000;
  run (0.1);
  CHECK_BETWEEN (budget.slow, 1900, 2500);
}

/* The first loss event at 5 s leaves little, and a second later the path turns out to allow more than before. */
static void
lose_for_the_first_time (double R_sample)
{
  start (4000);
  conditions.allowance.R_sample = conditions.allowance.R;
  run (4);
  conditions.allowance.R_sample = R_sample;
  run (1);
  conditions.allowance.p = 0.2;
  conditions.allowance.X_wire = 2000;
  run (1);
  conditions.allowance.X_wire = 5000;
  run (1);
}

TEST (what_the_first_loss_event_left_is_soon_forgotten)
{
  lose_for_the_first_time (conditions.allowance.R);
  CHECK_BETWEEN (budget.slow, 4100, 4400);
  /* later the mean is of the usual time */
  run (20);
  conditions.allowance.X_wire = 2500;
  run (2);
  CHECK_BETWEEN (budget.slow, 3300, 3900);
}

/* A queue moves the allowance up and down. */
TEST (what_the_first_loss_event_left_beside_a_queue_is_remembered)
{
  lose_for_the_first_time (0.25);
  CHECK_BETWEEN (budget.slow, 3700, 3900);
}

static void
wobble (double share, double seconds)
{
  double mean = conditions.allowance.X_wire;

  for (unsigned n = 0; n < seconds * 10; n++) {
    conditions.allowance.X_wire =
        n % 2 ? mean * (1 + share) : mean * (1 - share);
    run (0.1);
  }
  conditions.allowance.X_wire = mean;
}

TEST (what_moves_by_a_tenth_and_more_is_noisy_where_there_are_losses)
{
  start (5000);
  wobble (0.2, 30);
  CHECK (!tfrc_adapt_budget_is_noisy (&budget));
  start (5000);
  conditions.allowance.p = 0.1;
  wobble (0.05, 30);
  CHECK (!tfrc_adapt_budget_is_noisy (&budget));
  CHECK_BETWEEN (budget.noise, 0.04, 0.06);
  wobble (0.2, 30);
  CHECK (tfrc_adapt_budget_is_noisy (&budget));
  CHECK_BETWEEN (budget.noise, 0.17, 0.23);
}

TEST (noise_makes_the_mean_slower_where_there_are_losses_and_a_dip_no_collapse)
{
  double slow;

  start (5000);
  conditions.allowance.p = 0.1;
  wobble (0.3, 30);
  slow = budget.slow;
  conditions.allowance.X_wire = 1500;
  run (0.1);
  CHECK_BETWEEN (budget.slow / slow, 0.9, 1.0);
  run (1.9);
  CHECK (budget.slow > 0.37 * 5000 + 0.63 * 1500);
}

TEST (losses_or_use_prove_a_rate)
{
  start (5000);
  run (0.5);
  CHECK (!tfrc_adapt_budget_is_proven (&budget, 2000));
  run (1);
  CHECK (tfrc_adapt_budget_is_proven (&budget, 2000));
  CHECK (!tfrc_adapt_budget_is_proven (&budget, 3000));
  conditions.allowance.p = 0.01;
  conditions.allowance.X_Bps = conditions.allowance.X;
  run (0.1);
  CHECK (tfrc_adapt_budget_is_proven (&budget, 3000));
}
