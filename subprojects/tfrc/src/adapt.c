/* libtfrc: the adaptive application of RFC 4828 6: which operating point, and when
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/adapt.h>

#include <math.h>
#include <string.h>
#include <tfrc/quality.h>

#include "budget.h"
#include "impairment.h"
#include "suspend.h"

/* Rating points that a doubling of the rate must bring: where sound no longer
 * gains, bytes are left to others. */
#define WORTH_OF_A_DOUBLING 2.0

/* A path without any loss is one that was not watched for long enough: frame
 * lengths are judged as if one packet in 200 were lost. */
#define LOSS_EXPECTED 0.005

/* A rise taken back this soon was a mistake, and the next waits twice as long,
 * but no longer than 20 s. After a minute without a reduction all is forgotten. */
#define REGRET (20 * TFRC_SEC)
#define HOLD_UP_MAX (20 * TFRC_SEC)
#define FORGET (60 * TFRC_SEC)

/* A rise takes no more than this of what is used now: what the path really has
 * shows only when it is used. */
#define RISE_MAX 1.5

/* A rise that does not fit at its moment is tried again after this. */
#define RETRY (100 * TFRC_MSEC)

/* A rise this soon after the last follows it. */
#define RISING (3 * TFRC_SEC)

/* More protection against a loss that is there already need not wait like a rise. */
#define HOLD_PROTECT (1 * TFRC_SEC)

/* s of encoded sound over which an encoder that exceeds its bitrate is judged, and
 * the most that is believed of it. */
#define EXCESS_MEMORY 4.0
#define EXCESS_MAX 2.0

/* Mean distance of the allowance from its mean above which only the mean counts. */
#define NOISY 0.1

/* The encoder is told another loss rate when it is off by this many percent. */
#define LOSS_STEP 2.0

typedef struct
{
  TfrcPoint point;
  TfrcSound sound;
} Rung;

struct _TfrcAdapt
{
  TfrcAdaptConfig config;
  TfrcConditions conditions;
  TfrcBudget budget;
  TfrcSuspend suspend;
  TfrcTime last_now;

  unsigned current;             /* index into rungs */
  double excess;                /* what the encoder makes over what it was told, mean */
  double loss_told;             /* percent */
  TfrcTime squeezed_since;      /* the allowance is below the need; TFRC_TIME_NONE */
  TfrcTime better_since;        /* there is room for a better point */
  TfrcTime better_hold;         /* for how long there must be */
  TfrcTime last_up, last_down;
  TfrcTime hold_up;             /* grows with each regretted rise */

  unsigned n_rungs;
  Rung rungs[];
};

void
tfrc_adapt_config_init (TfrcAdaptConfig * config)
{
  *config = (TfrcAdaptConfig) {
    .hold_down_min = 200 * TFRC_MSEC,
    .hold_up = 5 * TFRC_SEC,
    .hold_up_next = TFRC_SEC,
    .down = 0.95,
    .at_once = 0.5,
    .up = 1.10,
    .margin = 2.0,
    .persist = 5 * TFRC_SEC,
    .max_off = 30 * TFRC_SEC,
    .buffer_delay = 0.2,
    .start_bitrate = 16000,
    .mss = 1460,
  };
}

double
tfrc_adapt_get_packet_size (double X_wire, double packet_rate, double H)
{
  return fmax (0.0, X_wire / packet_rate - H);
}

static double
get_loss (const TfrcConditions * conditions)
{
  return conditions->loss >= 0.0 ? conditions->loss : conditions->p;
}

static double
get_need (const TfrcAdapt * adapt, unsigned i)
{
  const TfrcPoint *point = &adapt->rungs[i].point;
  double headers = (double) adapt->conditions.overhead + adapt->conditions.H;

  return (tfrc_point_get_payload (point) * fmax (adapt->excess, 1.0) + headers)
      * tfrc_point_get_packet_rate (point);
}

static double
get_rating (const TfrcAdapt * adapt, unsigned i)
{
  const TfrcConditions *c = &adapt->conditions;
  TfrcListening listening = {
    .loss = fmax (get_loss (c), LOSS_EXPECTED),
    .burst = 1.0,
    .delay = c->R / 2.0 + c->queue + adapt->config.buffer_delay,
  };

  TfrcPoint point = adapt->rungs[i].point;

  /* Copies are for a loss that is there. */
  if (get_loss (c) < LOSS_EXPECTED)
    point.redundancy = 0;
  return tfrc_sound_get_rating (&adapt->rungs[i].sound, &point, &listening);
}

/* Whether rung `i` fits `allowed` bytes/s of wire with `spare` to multiply its
 * need by. */
static bool
fits (const TfrcAdapt * adapt, unsigned i, double allowed, double spare)
{
  const TfrcConditions *c = &adapt->conditions;
  double packet_rate = tfrc_point_get_packet_rate (&adapt->rungs[i].point);

  if (c->max_packet_rate > 0.0 && packet_rate > c->max_packet_rate)
    return false;
  if (get_need (adapt, i) * spare > allowed)
    return false;
  /* RFC 5348 4.1: what standard TFRC really allows is packets a second, for X
   * falls with s. */
  return c->mode == TFRC_MODE_TFRC_SP || !(c->R > 0.0) || !(c->p > 0.0) || !(c->s > 0.0)
      || packet_rate * spare <= c->X / c->s;
}

static unsigned
get_cheapest (const TfrcAdapt * adapt)
{
  unsigned i, cheapest = 0;

  for (i = 1; i < adapt->n_rungs; i++) {
    if (get_need (adapt, i) < get_need (adapt, cheapest))
      cheapest = i;
  }
  return cheapest;
}

static double
get_score (const TfrcAdapt * adapt, unsigned i)
{
  return get_rating (adapt, i) - WORTH_OF_A_DOUBLING * log2 (get_need (adapt, i));
}

/* The best point that fits, or the cheapest of all. */
static unsigned
choose (const TfrcAdapt * adapt, double allowed, double spare)
{
  unsigned i, best = get_cheapest (adapt);
  double best_score = get_score (adapt, best);

  for (i = 0; i < adapt->n_rungs; i++) {
    double score;

    if (!fits (adapt, i, allowed, spare))
      continue;
    score = get_score (adapt, i);
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

static unsigned
choose_start (const TfrcAdapt * adapt)
{
  TfrcPoint point = { TFRC_CODEC_OPUS, adapt->config.start_bitrate, 0, 1, 0, false, false };
  unsigned i;

  /* What the start bitrate costs at its cheapest: on a thin link a bold start is
   * a second of queue, on a wide one the first rises come soon. */
  for (i = 0; i < adapt->n_rungs; i++) {
    if (adapt->rungs[i].point.frame_us > point.frame_us)
      point.frame_us = adapt->rungs[i].point.frame_us;
  }
  return choose (adapt, tfrc_point_get_wire (&point, adapt->conditions.overhead,
          adapt->conditions.H), 1.0);
}

static unsigned
switch_to (TfrcAdapt * adapt, unsigned point)
{
  adapt->squeezed_since = adapt->better_since = TFRC_TIME_NONE;
  if (point == adapt->current)
    return 0;
  adapt->current = point;
  return TFRC_ADAPT_POINT;
}

static unsigned
step_down (TfrcAdapt * adapt, double allowed, TfrcTime now)
{
  unsigned bits = switch_to (adapt, choose (adapt, allowed, 1.0));

  if (bits == 0)
    return 0;
  if (adapt->last_up != TFRC_TIME_NONE && now - adapt->last_up < REGRET
      && adapt->budget.noise < NOISY && isinf (tfrc_budget_get_limit (&adapt->budget)))
    adapt->hold_up = adapt->hold_up * 2 < HOLD_UP_MAX ? adapt->hold_up * 2 : HOLD_UP_MAX;
  adapt->last_down = now;
  adapt->last_up = TFRC_TIME_NONE;
  return bits;
}

static TfrcTime
get_hold_down (const TfrcAdapt * adapt)
{
  TfrcTime hold = (TfrcTime) (4e9 * adapt->conditions.R);

  return hold > adapt->config.hold_down_min ? hold : adapt->config.hold_down_min;
}

/* A noisy allowance is judged by its mean: a dip counts only when it is deeper
 * than the dips before it. */
static double
get_tolerance (const TfrcAdapt * adapt, double share)
{
  return share - fmin (adapt->budget.noise, 0.3);
}

/* RFC 4828 6: wait for some time before a reduction, and do not reduce before
 * the allowance is significantly below the present rate. */
static unsigned
consider_down (TfrcAdapt * adapt, TfrcTime now)
{
  const TfrcBudget *budget = &adapt->budget;
  double down = adapt->config.down, limit = tfrc_budget_get_limit (budget);

  /* A queue of our own grows while we wait. */
  if (!fits (adapt, adapt->current, limit, tfrc_budget_is_draining (budget) ? 1.0 : down))
    return step_down (adapt, fmin (budget->now, limit), now);
  if (!fits (adapt, adapt->current, budget->now, get_tolerance (adapt, adapt->config.at_once)))
    return step_down (adapt, budget->now, now);

  if (fits (adapt, adapt->current, budget->now, get_tolerance (adapt, down))
      && fits (adapt, adapt->current, budget->slow, down)) {
    adapt->squeezed_since = TFRC_TIME_NONE;
    return 0;
  }
  if (adapt->squeezed_since == TFRC_TIME_NONE)
    adapt->squeezed_since = now;
  if (now - adapt->squeezed_since < get_hold_down (adapt))
    return 0;
  return step_down (adapt, fmin (limit, budget->noise > NOISY ? budget->slow : budget->now), now);
}

static bool
is_rising (const TfrcAdapt * adapt, TfrcTime now)
{
  return adapt->last_up != TFRC_TIME_NONE && now - adapt->last_up < RISING
      && adapt->hold_up == adapt->config.hold_up && adapt->budget.noise < NOISY;
}

/* How long room for something better must have lasted; `more`: it costs more. */
static TfrcTime
get_hold_up (const TfrcAdapt * adapt, bool more, TfrcTime now)
{
  if (!more)
    return HOLD_PROTECT;
  if (tfrc_budget_is_cautious (&adapt->budget) || is_rising (adapt, now))
    return adapt->config.hold_up_next;
  return adapt->hold_up;
}

static unsigned
consider_up (TfrcAdapt * adapt, TfrcTime now)
{
  double allowed = fmin (fmin (
          adapt->budget.slow / (adapt->config.up + adapt->budget.noise),
          tfrc_budget_get_limit (&adapt->budget)), RISE_MAX * get_need (adapt, adapt->current));
  unsigned better = choose (adapt, allowed, 1.0);
  bool more = get_need (adapt, better) > get_need (adapt, adapt->current);
  bool started = adapt->better_since == TFRC_TIME_NONE;

  if (get_rating (adapt, better) < get_rating (adapt, adapt->current) + adapt->config.margin) {
    adapt->better_since = TFRC_TIME_NONE;
    return 0;
  }
  if (started) {
    adapt->better_since = now;
    /* Once begun the wait does not get longer. */
    adapt->better_hold = get_hold_up (adapt, more, now);
  }
  if (now - adapt->better_since < adapt->better_hold)
    return 0;
  if (!fits (adapt, better, adapt->budget.now, 1.0)) {
    adapt->better_hold = now - adapt->better_since + RETRY;
    return 0;
  }
  if (more)
    adapt->last_up = now;
  return switch_to (adapt, better);
}

/* RFC 5348 4.2 for packets as large as the cheapest point's: sending resumes at
 * no more than the initial rate. */
static double
get_initial_rate (const TfrcAdapt * adapt)
{
  const TfrcConditions *c = &adapt->conditions;
  double size = tfrc_point_get_payload (&adapt->rungs[get_cheapest (adapt)].point) + c->overhead;
  double W_init = fmin (4.0 * size, fmax (2.0 * size, 4380.0));

  return c->R > 0.0 ? W_init * (size + c->H) / size / c->R : HUGE_VAL;
}

static unsigned
on_suspend_changed (TfrcAdapt * adapt)
{
  if (adapt->suspend.suspended)
    return TFRC_ADAPT_SUSPENDED;
  return TFRC_ADAPT_RESUMED
      | switch_to (adapt, choose (adapt, fmin (fmin (adapt->budget.now, tfrc_budget_get_limit (&adapt->budget)),
              get_initial_rate (adapt)), 1.0));
}

static unsigned
consider_suspend (TfrcAdapt * adapt, double allowed, TfrcTime now)
{
  double need = get_need (adapt, get_cheapest (adapt));
  bool forced = adapt->conditions.suspend;

  if (tfrc_suspend_force (&adapt->suspend, &adapt->config, forced, now))
    return on_suspend_changed (adapt);
  if (!forced && tfrc_suspend_update (&adapt->suspend, &adapt->config, need, allowed, now))
    return on_suspend_changed (adapt);
  return 0;
}

static unsigned
consider_loss (TfrcAdapt * adapt)
{
  double percent = 100.0 * fmin (1.0, get_loss (&adapt->conditions));

  if (fabs (percent - adapt->loss_told) < LOSS_STEP && !(percent == 0.0 && adapt->loss_told > 0.0))
    return 0;
  adapt->loss_told = percent;
  return TFRC_ADAPT_LOSS;
}

static unsigned
consider (TfrcAdapt * adapt, TfrcTime now)
{
  unsigned bits = consider_suspend (adapt, adapt->budget.slow, now) | consider_loss (adapt);

  if (adapt->suspend.suspended || (bits & TFRC_ADAPT_RESUMED))
    return bits;
  if (adapt->last_down != TFRC_TIME_NONE && now - adapt->last_down > FORGET)
    adapt->hold_up = adapt->config.hold_up;

  bits |= consider_down (adapt, now);
  if (!(bits & TFRC_ADAPT_POINT) && adapt->conditions.R > 0.0)
    bits |= consider_up (adapt, now);
  return bits;
}

size_t
tfrc_adapt_size (unsigned n_points)
{
  return sizeof (TfrcAdapt) + n_points * sizeof (Rung);
}

TfrcAdapt *
tfrc_adapt_init (void *block, const TfrcAdaptConfig * config,
    const TfrcPoint * ladder, unsigned n_points, TfrcTime now)
{
  TfrcAdapt *adapt = block;
  unsigned i;

  memset (adapt, 0, sizeof (*adapt));
  adapt->config = *config;
  adapt->conditions = (TfrcConditions) {.mode = TFRC_MODE_TFRC_SP,.H = 40,.overhead = 24,.loss = -1.0};
  tfrc_budget_init (&adapt->budget, now);
  tfrc_suspend_init (&adapt->suspend, config, now);
  adapt->last_now = now;
  adapt->squeezed_since = adapt->better_since = TFRC_TIME_NONE;
  adapt->last_up = now;         /* the start is a rise: others may follow soon */
  adapt->last_down = TFRC_TIME_NONE;
  adapt->hold_up = config->hold_up;
  adapt->excess = 1.0;
  adapt->n_rungs = n_points;
  for (i = 0; i < n_points; i++) {
    adapt->rungs[i].point = ladder[i];
    tfrc_sound_init (&adapt->rungs[i].sound, &ladder[i]);
  }
  adapt->current = choose_start (adapt);
  return adapt;
}

static TfrcTime
advance (TfrcAdapt * adapt, TfrcTime now)
{
  if (now > adapt->last_now)
    adapt->last_now = now;
  return adapt->last_now;
}

unsigned
tfrc_adapt_on_conditions (TfrcAdapt * adapt, const TfrcConditions * conditions, TfrcTime now)
{
  now = advance (adapt, now);
  adapt->conditions = *conditions;
  tfrc_budget_update (&adapt->budget, conditions, get_need (adapt, adapt->current),
      adapt->rungs[adapt->current].point.frame_us * 1e-6, now);
  return consider (adapt, now);
}

void
tfrc_adapt_on_encoded (TfrcAdapt * adapt, uint32_t payload, TfrcTime now)
{
  TfrcPoint point = adapt->rungs[adapt->current].point;
  double weight = point.frame_us * 1e-6 / EXCESS_MEMORY;
  double excess;

  advance (adapt, now);
  point.redundancy = 0;
  excess = fmin (payload / (double) tfrc_point_get_payload (&point), EXCESS_MAX);
  adapt->excess += weight * (excess - adapt->excess);
}

static TfrcTime
earlier (TfrcTime a, TfrcTime b)
{
  return a < b ? a : b;
}

TfrcTime
tfrc_adapt_next_timer (const TfrcAdapt * adapt)
{
  TfrcTime next = tfrc_suspend_next_timer (&adapt->suspend);

  if (adapt->suspend.suspended)
    return next;
  if (adapt->squeezed_since != TFRC_TIME_NONE)
    next = earlier (next, adapt->squeezed_since + get_hold_down (adapt));
  if (adapt->better_since != TFRC_TIME_NONE)
    next = earlier (next, adapt->better_since + adapt->better_hold);
  return next;
}

unsigned
tfrc_adapt_on_timer (TfrcAdapt * adapt, TfrcTime now)
{
  return consider (adapt, advance (adapt, now));
}

/* An encoder that is to protect and is told of no loss would not. */
static uint32_t
get_loss_percent (const TfrcAdapt * adapt)
{
  uint32_t percent = (uint32_t) (adapt->loss_told + 0.5);

  return percent == 0 && adapt->rungs[adapt->current].point.fec ? 1 : percent;
}

void
tfrc_adapt_get_choice (const TfrcAdapt * adapt, TfrcChoice * choice)
{
  double rating = get_rating (adapt, adapt->current);

  *choice = (TfrcChoice) {
    .point = adapt->rungs[adapt->current].point,
    .index = adapt->current,
    .suspended = adapt->suspend.suspended,
    .loss_percent = get_loss_percent (adapt),
    .rating = rating,
    .mos = tfrc_quality_get_mos (rating),
    .need = get_need (adapt, adapt->current),
    .allowed = fmin (adapt->budget.now, tfrc_budget_get_limit (&adapt->budget)),
  };
}
