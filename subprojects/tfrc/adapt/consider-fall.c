/* tfrcadapt: whether a cheaper operating point is taken
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapt-private.h"

#include <math.h>

/* The most by which the usual variation of the allowance lowers the thresholds of a reduction. */
#define TOLERANCE 0.3

static unsigned
fall_into (TfrcAdapt * adapt, TfrcAdaptRoom room, TfrcTime now)
{
  unsigned bits = tfrc_adapt_switch_to (adapt, tfrc_adapt_choose (adapt, room));

  if (bits != 0)
    tfrc_adapt_rise_on_down (&adapt->rise,
        isinf (tfrc_adapt_budget_get_limit (&adapt->budget)), now);
  return bits;
}

static unsigned
step_down (TfrcAdapt * adapt, TfrcAdaptRoom room, TfrcTime now)
{
  return fall_into (adapt, tfrc_adapt_hold_fall (adapt, room), now);
}

/* Beside competing traffic packets shed their redundant copies while the allowance is low, and the point stays. When packets do not fit
 * without any copies, the sender drops some, and fewer packets in a round-trip time make p higher and the allowance lower still. */
static unsigned
consider_bare (TfrcAdapt * adapt, double enforced, TfrcTime now)
{
  TfrcAdaptRoom room = { .allowed = enforced, .limit = HUGE_VAL, .bare = true };

  if (!tfrc_adapt_budget_is_queueing (&adapt->budget)
      || tfrc_adapt_fits (adapt, adapt->current, room, 1.0))
    return 0;
  return fall_into (adapt, room, now);
}

/* No point fits all the time: what the points are worth on the mean decides. */
static unsigned
consider_cheaper (TfrcAdapt * adapt, double dt, TfrcTime now)
{
  unsigned point = tfrc_adapt_weigh_down (adapt, dt);

  adapt->squeezed_since = TFRC_TIME_NONE;
  if (point == adapt->current)
    return 0;
  tfrc_adapt_rise_on_down (&adapt->rise, true, now);
  return tfrc_adapt_switch_to (adapt, point);
}

TfrcTime
tfrc_adapt_get_hold_down (const TfrcAdapt * adapt)
{
  TfrcTime hold = (TfrcTime) (4e9 * adapt->conditions.allowance.R);

  return hold >
      adapt->config.hold_down_min ? hold : adapt->config.hold_down_min;
}

/* When the allowance varies much, only a fall that is deeper than the usual ones counts. */
static double
get_tolerance (const TfrcAdapt * adapt, double share)
{
  return share - fmin (adapt->budget.noise, TOLERANCE);
}

/* RFC 4828 6: wait for some time before a reduction, and do not reduce before
 * the allowance is significantly below the present rate. */
unsigned
tfrc_adapt_consider_down (TfrcAdapt * adapt, double dt, TfrcTime now)
{
  const TfrcAdaptBudget *budget = &adapt->budget;
  double down = adapt->config.down, limit =
      tfrc_adapt_budget_get_limit (budget);
  TfrcAdaptRoom room = tfrc_adapt_room (budget->now, HUGE_VAL);
  TfrcAdaptRoom slow = tfrc_adapt_room (budget->slow, HUGE_VAL);
  TfrcAdaptRoom queue = tfrc_adapt_room (HUGE_VAL, limit);
  TfrcAdaptRoom enforced =
      tfrc_adapt_room (tfrc_adapt_budget_get_enforced (budget), HUGE_VAL);
  unsigned bits = consider_bare (adapt, enforced.allowed, now);

  if (bits != 0)
    return bits;
  /* There is no hold for a standing queue, which would grow meanwhile. */
  if (!tfrc_adapt_fits (adapt, adapt->current, queue,
          tfrc_adapt_budget_is_draining (budget) ? 1.0 : down))
    return step_down (adapt, tfrc_adapt_room (budget->now, limit), now);
  if (tfrc_adapt_budget_is_noisy (budget))
    return consider_cheaper (adapt, dt, now);
  adapt->advantage = 0.0;
  if (!tfrc_adapt_fits (adapt, adapt->current, room, get_tolerance (adapt,
              adapt->config.at_once))) {
    adapt->dip_need = tfrc_adapt_get_need (adapt, adapt->current);
    adapt->dip_at = now;
    return step_down (adapt, room, now);
  }

  if (tfrc_adapt_fits (adapt, adapt->current, room, get_tolerance (adapt, down))
      && tfrc_adapt_fits (adapt, adapt->current, enforced, 1.0)
      && tfrc_adapt_fits (adapt, adapt->current, slow, down)) {
    adapt->squeezed_since = TFRC_TIME_NONE;
    return 0;
  }
  if (adapt->squeezed_since == TFRC_TIME_NONE)
    adapt->squeezed_since = now;
  if (now - adapt->squeezed_since < tfrc_adapt_get_hold_down (adapt))
    return 0;
  return step_down (adapt, tfrc_adapt_room (fmin (enforced.allowed,
              budget->now), limit), now);
}
