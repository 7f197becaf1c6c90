/* tfrcadapt: whether a dearer or better operating point is taken
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapt-private.h"

#include <math.h>

/* A rise goes to at most this many times the rate in use, because what the path carries shows only
 * when it is used. */
#define RISE_MAX 1.5

/* The same where the throughput equation gives a rate that is far higher. */
#define RISE_AMPLE 2.5

/* When the throughput equation gives more than this many times the need of a point, the choice of that
 * point will not flap. */
#define AMPLE 2.0

/* The rate that was in use before the allowance fell below half may be taken again after the short
 * hold when the fall was over within this time. */
#define DIP_OVER (8 * TFRC_SEC)

/* A point protects more than another when it leaves less than this share of the other's loss. */
#define PROTECTS 0.5

/* The bytes/s on the wire that were in use before the allowance fell below half a short time ago; 0:
 * it did not. */
static double
get_dip (const TfrcAdapt * adapt, TfrcTime now)
{
  return adapt->dip_need > 0.0
      && now - adapt->dip_at < DIP_OVER ? adapt->dip_need : 0.0;
}

static TfrcAdaptRiseKind
get_kind (const TfrcAdapt * adapt, unsigned better, TfrcTime now)
{
  double need = tfrc_adapt_get_need (adapt, better);
  bool protects = tfrc_adapt_get_loss (adapt) >= LOSS_EXPECTED
      && tfrc_adapt_get_residual (adapt,
      better) < PROTECTS * tfrc_adapt_get_residual (adapt, adapt->current);

  if (need <= tfrc_adapt_budget_get_return (&adapt->budget))
    return TFRC_ADAPT_RISE_RETURN;
  if (protects || need <= tfrc_adapt_get_need (adapt, adapt->current))
    return TFRC_ADAPT_RISE_PROTECT;
  if (tfrc_adapt_budget_is_cautious (&adapt->budget)
      || need <= get_dip (adapt, now)
      || (adapt->conditions.allowance.p > 0.0
          && AMPLE * need < adapt->budget.slow))
    return TFRC_ADAPT_RISE_SAFE;
  return TFRC_ADAPT_RISE_MORE;
}

/* The need of the next dearer point. In a ladder of few points it may be more than RISE_MAX higher. */
static double
get_next_need (const TfrcAdapt * adapt, double need)
{
  double next = HUGE_VAL;
  unsigned i;

  for (i = 0; i < adapt->n_rungs; i++) {
    if (tfrc_adapt_get_need (adapt, i) > need)
      next = fmin (next, tfrc_adapt_get_need (adapt, i));
  }
  return next < HUGE_VAL ? next : need;
}

/* The room for a rise. No higher rate is tried while the present one is not proven. */
static TfrcAdaptRoom
get_room_above (const TfrcAdapt * adapt, TfrcTime now)
{
  const TfrcAdaptBudget *budget = &adapt->budget;
  double need = tfrc_adapt_get_need (adapt, adapt->current), dip =
      get_dip (adapt, now);
  double allowed = budget->slow / (adapt->config.up + budget->noise);
  double above = fmax (RISE_MAX * need, get_next_need (adapt, need));
  double most = tfrc_adapt_budget_is_proven (budget, need) ? above : need;

  if (adapt->conditions.allowance.p > 0.0)
    most = fmax (most, fmin (RISE_AMPLE * need, budget->slow / AMPLE));
  return tfrc_adapt_hold_rise (adapt, tfrc_adapt_room (fmax (allowed,
              fmin (budget->now / adapt->config.up, dip)),
          fmin (tfrc_adapt_budget_get_limit (budget), fmax (most,
                  fmax (tfrc_adapt_budget_get_return (budget), dip)))));
}

/* Where many packets are lost no point fits on the mean. Packets shed the redundant copies that do not fit, and what the points are worth
 * with that decides. */
static TfrcAdaptRoom
get_room_with_many_lost (const TfrcAdapt * adapt)
{
  return (TfrcAdaptRoom) {
      .allowed = adapt->budget.slow,
      .limit = tfrc_adapt_budget_get_limit (&adapt->budget),
      .bare = true};
}

static double
get_advantage (const TfrcAdapt * adapt, unsigned better, bool many)
{
  if (many)
    return tfrc_adapt_get_worth_now (adapt,
        better) - tfrc_adapt_get_worth_now (adapt, adapt->current);
  return tfrc_adapt_get_rating (adapt, better) - tfrc_adapt_get_rating (adapt,
      adapt->current);
}

unsigned
tfrc_adapt_consider_up (TfrcAdapt * adapt, TfrcTime now)
{
  bool many = tfrc_adapt_loses_many (adapt);
  unsigned better = tfrc_adapt_choose (adapt,
      many ? get_room_with_many_lost (adapt) : get_room_above (adapt, now));
  TfrcAdaptRiseKind kind = get_kind (adapt, better, now);
  TfrcAdaptRoom present = {
    .allowed = adapt->budget.now,
    .limit = HUGE_VAL,
    .bare = many
  };

  if (get_advantage (adapt, better, many) < adapt->config.margin) {
    tfrc_adapt_rise_reset (&adapt->rise);
    return 0;
  }
  if (!tfrc_adapt_rise_may (&adapt->rise, &adapt->config, kind,
          tfrc_adapt_budget_is_noisy (&adapt->budget), now))
    return 0;
  if (!tfrc_adapt_fits (adapt, better, present, 1.0)) {
    tfrc_adapt_rise_retry (&adapt->rise, now);
    return 0;
  }
  if (tfrc_adapt_get_need (adapt, better) > tfrc_adapt_get_need (adapt,
          adapt->current))
    tfrc_adapt_rise_on_up (&adapt->rise, now);
  return tfrc_adapt_switch_to (adapt, better);
}
