/* tfrcadapt: weighs the operating points while the allowance varies by chance
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The allowance follows the last eight loss intervals (RFC 5348 5.4). Where many packets are lost these are short and
 * few of them are alike, so that the allowance varies although the path does not. No point fits all the time then,
 * and each loses a share of its packets to the sender, or of their redundant copies. These shares are found by playing the
 * allowance through two pacing queues of each point, which are what the pacing queue would have been with that point, and without
 * any copies. */
#include "adapt-private.h"

#include <math.h>

/* s of waiting with which the points are weighed: what a packet may always wait (queue-time-limit.c). More is a reserve. With
 * a delay of 1.2 s, calls at 25 % of loss have 2.82 with 0.1 s here, and 2.71 with 0.8 s (seeds 1 to 30). */
#define PATIENCE 0.1

/* s over which the drops are averaged, and rating points times seconds that a cheaper point must have brought before it
 * is taken: the more it brings, the sooner. With 8 s and 70, calls at 25 % of loss have 2.62 and change 6.1 times a
 * minute, with 16 s and 50 they have 2.70 and 5.6 (seeds 1 to 30). */
#define MEMORY 16.0
#define COST_OF_A_CHANGE 50.0

/* The share of packets lost from which on the best point is taken at once, whether or not its copies fit, and s over which the drops are
 * averaged then. Calls at 30, 40 and 50 % of loss have 2.68, 1.64 and 1.19 without that, and 2.68, 1.67 and 1.22 with it; 2.63, 1.69 and
 * 1.22 where it begins at 30 %, 2.67, 1.70 and 1.21 with 16 s (tests/bench/paths.sh, seeds 1 to 100). */
#define MANY_LOST 0.35
#define MEMORY_MANY_LOST 6.0

/* The share of the sound of the last `dt` seconds that did not fit into a queue; the allowance is `ratio` times the need. */
static double
play (double *queue, double ratio, double dt)
{
  double over;

  *queue = fmax (0.0, *queue + dt * (1.0 - ratio));
  over = fmax (0.0, *queue - PATIENCE);
  *queue -= over;
  return fmin (over / dt, 1.0);
}

bool
tfrc_adapt_loses_many (const TfrcAdapt * adapt)
{
  return tfrc_adapt_get_loss (adapt) > MANY_LOST
      && tfrc_adapt_budget_is_noisy (&adapt->budget)
      && !tfrc_adapt_budget_is_queueing (&adapt->budget);
}

/* The allowance of the last `dt` seconds was X. As many packets shed their copies as have to for the others to fit; what does not
 * fit without any copies is dropped. */
static void
weigh (Rung * rung, double X, double need, double bare_need, double dt,
    double memory)
{
  double bare = bare_need / need, share = fmin (1.0, dt / memory);
  double over = play (&rung->queue, X / need, dt);
  double dropped = play (&rung->bare_queue, X / bare_need, dt);
  double shed =
      bare < 1.0 ? fmax (0.0, over - bare * dropped) / (1.0 - bare) : 0.0;

  rung->bare += share * (fmin (shed, 1.0) - rung->bare);
  rung->dropped += share * (dropped - rung->dropped);
}

void
tfrc_adapt_weigh_update (TfrcAdapt * adapt, double dt)
{
  double memory = tfrc_adapt_loses_many (adapt) ? MEMORY_MANY_LOST : MEMORY;
  unsigned i;

  if (!tfrc_adapt_budget_is_noisy (&adapt->budget)) {
    tfrc_adapt_weigh_reset (adapt);
    return;
  }
  if (!(dt > 0.0))
    return;
  for (i = 0; i < adapt->n_rungs; i++) {
    Rung *rung = &adapt->rungs[i];
    double X = adapt->budget.now * tfrc_adapt_get_gain (adapt,
        tfrc_adapt_point_get_packet_rate (&rung->point));

    weigh (rung, X, tfrc_adapt_get_need (adapt, i),
        tfrc_adapt_get_bare_need (adapt, i), dt, memory);
  }
}

void
tfrc_adapt_weigh_reset (TfrcAdapt * adapt)
{
  unsigned i;

  adapt->advantage = 0.0;
  for (i = 0; i < adapt->n_rungs; i++) {
    Rung *rung = &adapt->rungs[i];

    rung->queue = rung->bare_queue = rung->bare = rung->dropped = 0.0;
  }
}

static double
get_worth (const TfrcAdapt * adapt, unsigned i)
{
  return tfrc_adapt_get_worth (adapt, i, true);
}

static unsigned
find_best (const TfrcAdapt * adapt)
{
  TfrcAdaptRoom room =
      tfrc_adapt_room (HUGE_VAL, tfrc_adapt_get_need (adapt, adapt->current));
  unsigned i, best = adapt->current;

  for (i = 0; i < adapt->n_rungs; i++) {
    if (tfrc_adapt_fits (adapt, i, room, 1.0)
        && get_worth (adapt, i) > get_worth (adapt, best))
      best = i;
  }
  return best;
}

unsigned
tfrc_adapt_weigh_down (TfrcAdapt * adapt, double dt)
{
  unsigned best = find_best (adapt);

  if (best == adapt->current)
    adapt->advantage = 0.0;
  else
    adapt->advantage +=
        dt * (get_worth (adapt, best) - get_worth (adapt, adapt->current));
  return adapt->advantage < COST_OF_A_CHANGE ? adapt->current : best;
}
