/* tfrcadapt: the budget, which is the rate that the encoder may use on the wire
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-rate-budget.h"

#include <math.h>

/* s over which `slow` is averaged: a few loss intervals of a voice flow, and the more, by
 * SLOW_BY_NOISE, the more these differ. */
#define SLOW 2.0
#define SLOW_BY_NOISE 4.0

/* `slow` is averaged over no more than this share of the time since the first loss event. The first loss interval is
 * a guess (RFC 5348 6.3.1), and with each further one the allowance comes nearer to what the path gives. */
#define SINCE_LOSS 0.5

/* With more than this, in s, of queue in the path, the allowance goes up and down with that queue, and its mean is over
 * the usual time. */
#define QUEUE_SEEN 0.06

/* `slow` is at most this many times `now`: an allowance below half of its mean is a collapse and not
 * the usual variation, unless it varies much all the time. */
#define COLLAPSE 2.0
#define COLLAPSE_BY_NOISE 6.0

/* Only the mean counts while `noise` is above this. Before the first loss event the allowance changes
 * for other reasons than the losses drawn by chance. */
#define NOISY 0.1

/* s over which `noise` is averaged, several losses, and s over which X and the wait in the pacing
 * queue are, a few round-trip times. */
#define NOISE_MEMORY 4.0
#define ENFORCED_MEMORY 1.0

/* s of mean wait in the pacing queue above which the budget is not higher than X. */
#define QUEUE_TOO_LONG 0.06

/* s of mean wait above which the rate at which the sender paces is the limit, because packets are
 * late or expire. */
#define QUEUE_BLOCKED 0.07

void
tfrc_adapt_budget_init (TfrcAdaptBudget * budget, TfrcTime now)
{
  *budget = (TfrcAdaptBudget) {.now = HUGE_VAL, .slow = HUGE_VAL, .at = now};
  tfrc_adapt_standing_init (&budget->standing, now);
}

static void
follow (double *mean, double value, double dt, double memory)
{
  if (isinf (*mean))
    *mean = value;
  else
    *mean += fmin (1.0, dt / memory) * (value - *mean);
}

/* RFC 5348 4.3 step 4 limits a flow that did not use X to the rate that arrived, and to less at each
 * loss. Such an X shows what the flow sent and not what the path carries, and it rises within two
 * round-trip times when the flow sends more. Therefore the rate of the throughput equation is
 * planned with. */
static double
get_planned (const TfrcAdaptBudget * budget, const TfrcAdaptConditions * c)
{
  const TfrcAllowance *a = &c->allowance;
  double X = a->X_wire;

  if (a->p > 0.0 && a->X_Bps > a->X && a->X > 0.0 && !c->expired)
    X = a->X_Bps * a->X_wire / a->X;
  /* The plan was too high, since packets wait. */
  if (budget->queue > QUEUE_TOO_LONG)
    X = fmin (X, budget->X_slow);
  return X;
}

/* s over which `slow` is averaged. */
static double
get_memory (const TfrcAdaptBudget * budget)
{
  if (!budget->loss)
    return SLOW;
  return fmin (SLOW * (1.0 + SLOW_BY_NOISE * budget->noise),
      SINCE_LOSS * budget->since_loss);
}

/* Counts the time since the first loss event. */
static void
note_loss (TfrcAdaptBudget * budget, double p, double dt)
{
  budget->loss = p > 0.0;
  if (budget->standing.queue > QUEUE_SEEN)
    budget->since_loss = HUGE_VAL;
  else
    budget->since_loss = budget->loss ? budget->since_loss + dt : 0.0;
}

void
tfrc_adapt_budget_update (TfrcAdaptBudget * budget,
    const TfrcAdaptConditions * c, double need, double packet_time,
    double encoded, TfrcTime now)
{
  const TfrcAllowance *a = &c->allowance;
  double dt = (double) (now - budget->at) * 1e-9;
  double arrived = a->X > 0.0 ? a->X_recv * a->X_wire / a->X : 0.0;
  double sounding = dt > 0.0 ? encoded / dt : 0.0;

  budget->at = now;
  /* Before the first report X is one packet a second and says nothing about the path (RFC 5348
   * 4.2). */
  if (!(a->R > 0.0))
    return;

  if (isinf (budget->now))
    budget->X_slow = a->X_wire;
  follow (&budget->X_slow, a->X_wire, dt, ENFORCED_MEMORY);
  follow (&budget->queue, c->queue, dt, ENFORCED_MEMORY);
  tfrc_adapt_standing_set_yielded (&budget->standing, c->yielded);
  tfrc_adapt_standing_on_transit (&budget->standing, a->timed, a->transit);
  tfrc_adapt_standing_on_rtt (&budget->standing,
      a->R_sample > 0.0 ? a->R_sample : a->R, arrived > 0.0 ? arrived : need,
      need, sounding * fmin (need, budget->X_slow), packet_time, now);
  note_loss (budget, a->p, dt);

  budget->now = get_planned (budget, c);
  /* Before the first loss event X follows the receive rate: its changes are no noise. */
  follow (&budget->slow, budget->now, dt, get_memory (budget));
  budget->slow =
      fmin (budget->slow,
      COLLAPSE * (1.0 + COLLAPSE_BY_NOISE * budget->noise) * budget->now);
  budget->noise += fmin (1.0, dt / NOISE_MEMORY)
      * (fmin (1.0, fabs (budget->now / budget->slow - 1.0)) - budget->noise);
}

double
tfrc_adapt_budget_get_limit (const TfrcAdaptBudget * budget)
{
  return budget->standing.limit;
}

bool
tfrc_adapt_budget_is_cautious (const TfrcAdaptBudget * budget)
{
  return budget->standing.state == STANDING_CAUTIOUS;
}

bool
tfrc_adapt_budget_is_draining (const TfrcAdaptBudget * budget)
{
  return budget->standing.state == STANDING_DRAIN;
}

bool
tfrc_adapt_budget_is_queueing (const TfrcAdaptBudget * budget)
{
  return tfrc_adapt_budget_is_draining (budget)
      || budget->standing.state == STANDING_COMPETING;
}

bool
tfrc_adapt_budget_is_noisy (const TfrcAdaptBudget * budget)
{
  return budget->loss && budget->noise > NOISY;
}

bool
tfrc_adapt_budget_is_proven (const TfrcAdaptBudget * budget, double need)
{
  return budget->loss
      || tfrc_adapt_standing_is_proven (&budget->standing, need);
}

double
tfrc_adapt_budget_get_return (const TfrcAdaptBudget * budget)
{
  return tfrc_adapt_standing_get_return (&budget->standing, budget->at);
}

double
tfrc_adapt_budget_get_enforced (const TfrcAdaptBudget * budget)
{
  return budget->queue > QUEUE_BLOCKED ? budget->X_slow : HUGE_VAL;
}
