/* libtfrc: what the encoder may spend on the wire, from what the sender says
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "budget.h"

#include <math.h>

/* s over which means are taken: a few loss intervals of a voice flow, and more of
 * them the further the single ones are apart. */
#define SLOW 2.0
#define SLOW_BY_NOISE 4.0

/* Half of the mean is no noise but a collapse, unless it is noisy all the time. */
#define COLLAPSE 2.0
#define COLLAPSE_BY_NOISE 6.0

/* Mean distance of the allowance from its mean above which only the mean counts. Without
 * a loss it changes for better reasons. */
#define NOISY 0.1

/* s over which noise is judged, several dips long, and what the sender enforces, a few
 * round-trip times. */
#define NOISE_MEMORY 4.0
#define ENFORCED_MEMORY 1.0

/* s that packets wait for their departure, on the mean, before X is taken at its
 * word. */
#define QUEUE_TOO_LONG 0.06

/* The same, before only what is enforced counts: packets are late or dropped. */
#define QUEUE_BLOCKED 0.07

void
tfrc_adapt_budget_init (TfrcAdaptBudget * budget, TfrcTime now)
{
  *budget = (TfrcAdaptBudget) {.now = HUGE_VAL,.slow = HUGE_VAL,.at = now };
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

/* RFC 5348 4.3 step 4 holds a flow that did not use X to what arrived of it, and
 * to less with each loss. Such an X says what the flow did, not what the path
 * carries: it follows within two round-trip times when the flow asks for more.
 * The equation's rate is what to plan with. */
static double
get_planned (const TfrcAdaptBudget * budget, const TfrcAdaptConditions * c)
{
  double X = c->X_wire;

  if (c->p > 0.0 && c->X_Bps > c->X && c->X > 0.0 && !c->expired)
    X = c->X_Bps * c->X_wire / c->X;
  /* Planned too high after all: packets wait. */
  if (budget->queue > QUEUE_TOO_LONG)
    X = fmin (X, budget->X_slow);
  return X;
}

void
tfrc_adapt_budget_update (TfrcAdaptBudget * budget, const TfrcAdaptConditions * c, double need,
    double packet_time, TfrcTime now)
{
  double dt = (double) (now - budget->at) * 1e-9;
  double arrived = c->X > 0.0 ? c->X_recv * c->X_wire / c->X : 0.0;

  budget->at = now;
  budget->loss = c->p > 0.0;
  /* Before the first report X is one packet a second and says nothing of the
   * path (RFC 5348 4.2). */
  if (!(c->R > 0.0))
    return;

  if (isinf (budget->now))
    budget->X_slow = c->X_wire;
  follow (&budget->X_slow, c->X_wire, dt, ENFORCED_MEMORY);
  follow (&budget->queue, c->queue, dt, ENFORCED_MEMORY);
  tfrc_adapt_standing_on_rtt (&budget->standing, c->R_sample > 0.0 ? c->R_sample : c->R,
      arrived > 0.0 ? arrived : need, need, packet_time, now);

  budget->now = get_planned (budget, c);
  /* Without a loss X follows what arrives, and is not noisy but changes. */
  follow (&budget->slow, budget->now, dt,
      SLOW * (c->p > 0.0 ? 1.0 + SLOW_BY_NOISE * budget->noise : 1.0));
  budget->slow = fmin (budget->slow, COLLAPSE * (1.0 + COLLAPSE_BY_NOISE * budget->noise) * budget->now);
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
tfrc_adapt_budget_is_noisy (const TfrcAdaptBudget * budget)
{
  return budget->loss && budget->noise > NOISY;
}

bool
tfrc_adapt_budget_is_proven (const TfrcAdaptBudget * budget, double need)
{
  return budget->loss || tfrc_adapt_standing_is_proven (&budget->standing, need);
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
