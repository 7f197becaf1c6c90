/* tfrcadapt: when the operating point of an adaptive application changes (RFC 4828 6)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapt-private.h"

#include <math.h>
#include <string.h>

/* s of sound over which the excess of an encoder's packets is averaged, and the highest excess of a
 * packet that counts. */
#define EXCESS_MEMORY 4.0
#define EXCESS_MAX 2.0

/* The encoder gets another loss to expect when the loss has changed by this many percent points. */
#define LOSS_STEP 2.0

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
      .copy_distance = TFRC_ADAPT_COPY_DISTANCE,
      .start_bitrate = 16000,
  };
}

double
tfrc_adapt_get_packet_size (double X_wire, double packet_rate, double H)
{
  return fmax (0.0, X_wire / packet_rate - H);
}

uint32_t
tfrc_adapt_get_longest_frame_us (const TfrcAdapt * adapt)
{
  uint32_t longest = 0;

  for (unsigned i = 0; i < adapt->n_rungs; i++) {
    if (adapt->rungs[i].point.frame_us > longest)
      longest = adapt->rungs[i].point.frame_us;
  }
  return longest;
}

static unsigned
choose_start (const TfrcAdapt * adapt)
{
  TfrcAdaptPoint point = { TFRC_ADAPT_CODEC_OPUS, adapt->config.start_bitrate,
    tfrc_adapt_get_longest_frame_us (adapt), 1, 0, false, false
  };

  /* The limit is what the start bit rate takes in the longest frames. On a thin link a higher rate
   * would build a queue of a second; on a wide one the first rises come soon. */
  return tfrc_adapt_choose (adapt, tfrc_adapt_room (HUGE_VAL,
          tfrc_adapt_point_get_wire_rate (&point, adapt->conditions.overhead,
              adapt->conditions.H)));
}

unsigned
tfrc_adapt_switch_to (TfrcAdapt * adapt, unsigned point)
{
  adapt->squeezed_since = TFRC_TIME_NONE;
  tfrc_adapt_rise_reset (&adapt->rise);
  if (point == adapt->current)
    return 0;
  adapt->advantage = 0.0;
  adapt->current = point;
  return TFRC_ADAPT_POINT;
}

/* The initial rate of RFC 5348 4.2, in bytes/s on the wire, for packets of the cheapest point. Sending
 * resumes with no more than that. */
static double
get_initial_rate (const TfrcAdapt * adapt)
{
  const TfrcAdaptConditions *c = &adapt->conditions;
  double size =
      tfrc_adapt_point_get_payload_size (&adapt->rungs[tfrc_adapt_get_cheapest
          (adapt)].point) + c->overhead;
  double W_init = fmin (4.0 * size, fmax (2.0 * size, 4380.0));

  return c->allowance.R >
      0.0 ? W_init * (size + c->H) / size / c->allowance.R : HUGE_VAL;
}

static unsigned
on_suspend_changed (TfrcAdapt * adapt)
{
  if (adapt->suspend.suspended)
    return TFRC_ADAPT_SUSPENDED;
  return TFRC_ADAPT_RESUMED | tfrc_adapt_switch_to (adapt,
      tfrc_adapt_choose (adapt, tfrc_adapt_room (fmin (adapt->budget.now,
                  get_initial_rate (adapt)),
              tfrc_adapt_budget_get_limit (&adapt->budget))));
}

static unsigned
consider_suspend (TfrcAdapt * adapt, double allowed, TfrcTime now)
{
  double need = tfrc_adapt_get_need (adapt, tfrc_adapt_get_cheapest (adapt));
  bool forced = adapt->conditions.suspend;

  if (tfrc_adapt_suspend_force (&adapt->suspend, &adapt->config, forced, now))
    return on_suspend_changed (adapt);
  if (!forced
      && tfrc_adapt_suspend_update (&adapt->suspend, &adapt->config, need,
          allowed, now))
    return on_suspend_changed (adapt);
  return 0;
}

/* The encoder's own error correction need not protect against losses that redundant copies recover. */
static unsigned
consider_loss (TfrcAdapt * adapt)
{
  double percent =
      100.0 * fmin (1.0, tfrc_adapt_get_residual (adapt, adapt->current));

  if (fabs (percent - adapt->loss_noted) < LOSS_STEP && !(percent == 0.0
          && adapt->loss_noted > 0.0))
    return 0;
  adapt->loss_noted = percent;
  return TFRC_ADAPT_LOSS;
}

/* Where a packet has no copies, their distance makes no difference. */
static bool
is_other (const TfrcAdaptCopies * a, const TfrcAdaptCopies * b)
{
  return a->n != b->n || (a->n > 0 && (a->first != b->first
          || a->spacing != b->spacing));
}

static unsigned
consider_copies (TfrcAdapt * adapt)
{
  TfrcAdaptCopies before = adapt->copies;

  adapt->copies =
      tfrc_adapt_get_copies (adapt, &adapt->rungs[adapt->current].point);
  return is_other (&adapt->copies, &before) ? TFRC_ADAPT_COPIES : 0;
}

static unsigned
consider (TfrcAdapt * adapt, TfrcTime now)
{
  double dt = 1e-9 * (double) (now - adapt->weighed);
  unsigned bits =
      consider_suspend (adapt, adapt->budget.slow, now) | consider_loss (adapt);

  adapt->weighed = now;
  tfrc_adapt_weigh_update (adapt, dt);
  if (adapt->suspend.suspended || (bits & TFRC_ADAPT_RESUMED))
    return bits | consider_copies (adapt);
  tfrc_adapt_rise_forget (&adapt->rise, &adapt->config, now);
  bits |= tfrc_adapt_consider_beginning (adapt, now);
  bits |= tfrc_adapt_consider_down (adapt, dt, now);
  if (!(bits & TFRC_ADAPT_POINT) && adapt->conditions.allowance.R > 0.0
      && adapt->beginning.state != BEGINNING_PROBE)
    bits |= tfrc_adapt_consider_up (adapt, now);
  return bits | consider_copies (adapt);
}

size_t
tfrc_adapt_size (unsigned n_points)
{
  return sizeof (TfrcAdapt) + n_points * sizeof (Rung);
}

TfrcAdapt *
tfrc_adapt_init (void *block, const TfrcAdaptConfig * config,
    const TfrcAdaptPoint * ladder, unsigned n_points, TfrcTime now)
{
  TfrcAdapt *adapt = block;
  unsigned i;

  memset (adapt, 0, sizeof (*adapt));
  adapt->config = *config;
  adapt->conditions = (TfrcAdaptConditions) {
      .mode = TFRC_MODE_TFRC_SP,
      .H = 40,
      .overhead = 24,
      .loss = -1.0};
  tfrc_adapt_budget_init (&adapt->budget, now);
  tfrc_adapt_suspend_init (&adapt->suspend, config, now);
  adapt->last_now = adapt->weighed = now;
  tfrc_adapt_rise_init (&adapt->rise, config);
  tfrc_adapt_copy_distance_init (&adapt->spread, now);
  adapt->squeezed_since = TFRC_TIME_NONE;
  adapt->excess = 1.0;
  adapt->n_rungs = n_points;
  for (i = 0; i < n_points; i++) {
    adapt->rungs[i].point = ladder[i];
    tfrc_adapt_impairment_init (&adapt->rungs[i].impairment, &ladder[i]);
  }
  tfrc_adapt_weigh_reset (adapt);
  adapt->current = choose_start (adapt);
  consider_copies (adapt);
  return adapt;
}

static TfrcTime
advance (TfrcAdapt * adapt, TfrcTime now)
{
  if (now > adapt->last_now)
    adapt->last_now = now;
  return adapt->last_now;
}

/* The sender has begun anew, mostly after a silence, and nothing is known of the path any more. A suspended flow
 * resumes, because it would send nothing that a report could be about. */
static unsigned
restart (TfrcAdapt * adapt, TfrcTime now)
{
  unsigned bits = tfrc_adapt_suspend_forgive (&adapt->suspend,
      &adapt->config) ? TFRC_ADAPT_RESUMED : 0;

  tfrc_adapt_budget_init (&adapt->budget, now);
  tfrc_adapt_rise_init (&adapt->rise, &adapt->config);
  tfrc_adapt_copy_distance_init (&adapt->spread, now);
  adapt->beginning = (TfrcAdaptBeginning) {.state = BEGINNING_UNKNOWN};
  tfrc_adapt_weigh_reset (adapt);
  return bits | tfrc_adapt_switch_to (adapt, choose_start (adapt));
}

unsigned
tfrc_adapt_on_conditions (TfrcAdapt * adapt,
    const TfrcAdaptConditions * conditions, TfrcTime now)
{
  bool anew = adapt->conditions.allowance.R > 0.0
      && !(conditions->allowance.R > 0.0);
  unsigned bits = 0;

  now = advance (adapt, now);
  adapt->conditions = *conditions;
  if (anew)
    bits = restart (adapt, now);
  if (conditions->allowance.R > 0.0)
    tfrc_adapt_rise_start (&adapt->rise, now);
  tfrc_adapt_standing_set_least (&adapt->budget.standing,
      fmax (tfrc_adapt_get_need (adapt, tfrc_adapt_get_cheapest (adapt)),
          tfrc_adapt_get_known_capacity (adapt)));
  tfrc_adapt_budget_update (&adapt->budget, conditions,
      tfrc_adapt_get_need (adapt, adapt->current),
      adapt->rungs[adapt->current].point.frame_us * 1e-6, adapt->encoded, now);
  adapt->encoded = 0.0;
  tfrc_adapt_copy_distance_update (&adapt->spread, adapt->budget.standing.queue,
      conditions->queue, now);
  tfrc_adapt_update_copies_wait (adapt);
  return bits | consider (adapt, now);
}

void
tfrc_adapt_on_encoded (TfrcAdapt * adapt, uint32_t payload, TfrcTime now)
{
  TfrcAdaptPoint point = adapt->rungs[adapt->current].point;
  double weight = point.frame_us * 1e-6 / EXCESS_MEMORY;
  double excess;

  advance (adapt, now);
  point.redundancy = 0;
  excess =
      fmin (payload / (double) tfrc_adapt_point_get_payload_size (&point),
      EXCESS_MAX);
  adapt->excess += weight * (excess - adapt->excess);
  adapt->encoded += fmin (excess, 1.0) * point.frame_us * 1e-6;
}

static TfrcTime
earlier (TfrcTime a, TfrcTime b)
{
  return a < b ? a : b;
}

TfrcTime
tfrc_adapt_next_timer (const TfrcAdapt * adapt)
{
  TfrcTime next = tfrc_adapt_suspend_next_timer (&adapt->suspend);

  if (adapt->suspend.suspended)
    return next;
  if (adapt->squeezed_since != TFRC_TIME_NONE)
    next =
        earlier (next,
        adapt->squeezed_since + tfrc_adapt_get_hold_down (adapt));
  next = earlier (next, tfrc_adapt_beginning_next_timer (adapt));
  return earlier (next, tfrc_adapt_rise_next_timer (&adapt->rise));
}

unsigned
tfrc_adapt_on_timer (TfrcAdapt * adapt, TfrcTime now)
{
  return consider (adapt, advance (adapt, now));
}

/* Copies may be chosen as soon as a loss shows, within the first round-trip time. */
static uint32_t
get_largest_packet (const TfrcAdapt * adapt)
{
  uint32_t largest =
      tfrc_adapt_point_get_payload_size (&adapt->rungs[tfrc_adapt_get_cheapest
          (adapt)].point);

  for (unsigned i = 0; i < adapt->n_rungs; i++) {
    uint32_t payload =
        tfrc_adapt_point_get_payload_size (&adapt->rungs[i].point);

    if (adapt->rungs[i].point.bitrate <= adapt->config.start_bitrate
        && payload > largest)
      largest = payload;
  }
  return largest + adapt->conditions.overhead;
}

/* An encoder that expects no loss would not use its error correction. */
static uint32_t
get_loss_percent (const TfrcAdapt * adapt)
{
  uint32_t percent = (uint32_t) (adapt->loss_noted + 0.5);

  return percent == 0 && adapt->rungs[adapt->current].point.fec ? 1 : percent;
}

void
tfrc_adapt_get_choice (const TfrcAdapt * adapt, TfrcAdaptChoice * choice)
{
  double rating = fmax (tfrc_adapt_get_rating (adapt, adapt->current), 0.0);

  *choice = (TfrcAdaptChoice) {
      .point = adapt->rungs[adapt->current].point,
      .index = adapt->current,
      .suspended = adapt->suspend.suspended,
      .copies = adapt->copies,
      .queue_time = tfrc_adapt_get_queue_time (adapt),
      .largest_packet = get_largest_packet (adapt),
      .loss_percent = get_loss_percent (adapt),
      .rating = rating,
      .mos = tfrc_adapt_quality_get_mos (rating),
      .need = tfrc_adapt_get_need (adapt, adapt->current),
      .allowed = fmin (adapt->budget.now, tfrc_adapt_budget_get_limit (&adapt->budget)),
  };
}
