/* libtfrc: makes loss events and loss intervals of lost packets (RFC 5348 5.2 to 5.5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loss-intervals.h"

#include <string.h>
#include <tfrc/equation.h>

/* RFC 5348 5.5: the lowest discount factor. */
#define THRESHOLD 0.25

/* A lost packet of a gap. */
typedef struct
{
  uint32_t k;                   /* its index in the gap */
  uint64_t units;               /* units lost in the gap up to this packet, which is included */
} Loss;

void
tfrc_intervals_init (TfrcIntervals * intervals, TfrcInterval * closed,
    unsigned max)
{
  *intervals = (TfrcIntervals) {.closed = closed, .max = max};
  memset (closed, 0, max * sizeof *closed);
}

void
tfrc_intervals_copy (TfrcIntervals * intervals, const TfrcIntervals * from)
{
  TfrcInterval *closed = intervals->closed;

  *intervals = *from;
  intervals->closed = closed;
  memcpy (closed, from->closed, from->max * sizeof *closed);
}

const TfrcInterval *
tfrc_intervals_get_closed (const TfrcIntervals * intervals, unsigned i)
{
  /* I_1 is the newest. */
  return &intervals->closed[(intervals->newest + intervals->max - (i - 1))
      % intervals->max];
}

void
tfrc_intervals_push (TfrcIntervals * intervals, double I)
{
  intervals->newest = (intervals->newest + 1) % intervals->max;
  intervals->closed[intervals->newest] = (TfrcInterval) {.I = I, .DF = 1.0};
  if (intervals->n < intervals->max)
    intervals->n++;
}

double
tfrc_intervals_get_weight (unsigned i, unsigned n)
{
  /* RFC 5348 5.4. The usual weights are a table, because each loss event needs them. */
  static const double w[TFRC_INTERVALS_N] =
      { 1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2 };

  if (n == TFRC_INTERVALS_N)
    return w[i];
  return 2 * i < n ? 1.0 : 2.0 * (n - i) / (n + 2);
}

/* The factor by which an open interval of length `I_0` discounts the closed ones, whose mean is
 * `I_mean` (RFC 5348 5.5). */
static double
get_discount (double I_0, double I_mean)
{
  double DF;

  if (!(I_0 > 2.0 * I_mean))
    return 1.0;
  DF = 2.0 * I_mean / I_0;
  return DF > THRESHOLD ? DF : THRESHOLD;
}

void
tfrc_intervals_sum (TfrcIntervals * intervals, unsigned n)
{
  unsigned k = intervals->n < n ? intervals->n : n;
  TfrcIntervalSums sums = { 0 };

  /* RFC 5348 5.5. When all DF_i are 1, these are the sums of 5.4. */
  for (unsigned i = 1; i <= k; i++) {
    const TfrcInterval *closed = tfrc_intervals_get_closed (intervals, i);
    double w1 = tfrc_intervals_get_weight (i - 1, n) * closed->DF;
    double w0 = i < k ? tfrc_intervals_get_weight (i, n) * closed->DF : 0.0;

    sums.I_tot1 += w1 * closed->I;
    sums.W_tot1 += w1;
    sums.I_tot0 += w0 * closed->I;
    sums.W_tot0 += w0;
  }
  intervals->sums = sums;
}

double
tfrc_intervals_get_mean (const TfrcIntervals * intervals, double I_0,
    bool discounting)
{
  const TfrcIntervalSums *sums = &intervals->sums;
  double closed = sums->I_tot1 / sums->W_tot1, open, DF;

  if (I_0 < 0.0)
    return closed;
  DF = discounting ? get_discount (I_0, closed) : 1.0;
  open = (I_0 + DF * sums->I_tot0) / (1.0 + DF * sums->W_tot0);
  return open > closed ? open : closed;
}

double
tfrc_intervals_get_first (const TfrcConfig * config,
    const TfrcContext * context)
{
  double R = (double) context->R / (double) TFRC_SEC;
  double s = tfrc_config_get_equation_size (config, context->s);
  double X_target = context->X_target;

  /* RFC 5348 6.3.1: at least half a packet in a round-trip time. */
  if (!(X_target > 0.5 * s / R))
    X_target = 0.5 * s / R;
  return 1.0 / tfrc_equation_loss (s, R, tfrc_equation_t_RTO (config, R),
      X_target);
}

static double
get_first (const TfrcConfig * config, TfrcFirstInterval * first,
    const TfrcContext * context)
{
  const TfrcContext *kept = &first->context;

  if (!(first->I > 0.0) || kept->R != context->R || kept->s != context->s
      || kept->X_target != context->X_target) {
    first->context = *context;
    first->I = tfrc_intervals_get_first (config, context);
  }
  return first->I;
}

static TfrcTime
get_elapsed (TfrcTime from, TfrcTime to)
{
  /* A late packet can carry a mark, whose time is later than that of the next packets. */
  return to > from ? to - from : 0;
}

/* RFC 5348 5.5: the discount by the interval that a loss event closes, whose length is `I_0`, becomes
 * permanent. */
static void
discount (TfrcIntervals * intervals, double I_0)
{
  double DF =
      get_discount (I_0, intervals->sums.I_tot1 / intervals->sums.W_tot1);

  if (DF == 1.0)
    return;
  for (unsigned i = 0; i < intervals->max; i++)
    intervals->closed[i].DF *= DF;
}

static void
close_interval (TfrcIntervals * intervals, const TfrcConfig * config,
    const TfrcContext * context, uint64_t position, TfrcTime T)
{
  TfrcSpan span = {
    .units = position - intervals->position,
    .K = intervals->K,
    .duration = get_elapsed (intervals->T_start, T),
  };
  double I = tfrc_loss_measure_get_length (config, context, &span);

  if (config->history_discounting
      && !tfrc_loss_measure_leaves_out (config, context, span.duration))
    discount (intervals, I);
  tfrc_intervals_push (intervals, I);
}

static void
start_event (TfrcIntervals * intervals, const TfrcConfig * config,
    TfrcFirstInterval * first, const TfrcSequenceGap * gap, Loss loss)
{
  uint64_t position = gap->units + intervals->lost + loss.units;
  TfrcTime T = tfrc_sequence_gap_get_time (gap, loss.k);

  if (intervals->events == 0)
    tfrc_intervals_push (intervals, get_first (config, first, &gap->context));
  else
    close_interval (intervals, config, &gap->context, position, T);
  tfrc_intervals_sum (intervals, tfrc_loss_measure_get_n (config,
          &gap->context));
  intervals->events++;
  intervals->K = 1;
  intervals->pending = 0;
  intervals->position = position;
  intervals->T_start = T;
}

/* The first packet of a gap, from its packet `from` on, that is after the loss-insensitive period. RFC
 * 5348 5.2: a loss is another loss event if and only if T_loss > T_start + R. */
static uint32_t
find_sensitive (const TfrcIntervals * intervals, const TfrcConfig * config,
    const TfrcSequenceGap * gap, uint32_t from)
{
  if (intervals->events == 0)
    return from;
  return tfrc_sequence_gap_find_after (gap, from,
      intervals->T_start + tfrc_loss_measure_get_period (config,
          &gap->context));
}

/* The next loss that starts a loss event; its k is the gap's count if there is none. All packets of the
 * gap count the same, so that the work depends on the number of loss events and not of packets. */
static Loss
find_event (TfrcIntervals * intervals, const TfrcConfig * config,
    const TfrcSequenceGap * gap, uint32_t from)
{
  uint64_t each = tfrc_loss_measure_count_lost (config, gap->first, gap->size);
  uint64_t threshold = tfrc_loss_measure_get_threshold (config), missing;
  uint32_t k = find_sensitive (intervals, config, gap, from);

  if (k < gap->count) {
    /* How many more packets have to be lost until their units reach the threshold. */
    missing = intervals->pending + each < threshold && each > 0
        ? (threshold - intervals->pending + each - 1) / each - 1 : 0;
    if (missing >= gap->count - k || each == 0) {
      intervals->pending += (gap->count - k) * each;
      k = gap->count;
    } else {
      k += (uint32_t) missing;
    }
  }
  intervals->K += k - from;
  return (Loss) {.k = k, .units = (k + (uint64_t) (k < gap->count)) * each};
}

/* The same when only some of the lost packets are in the sample. `before` is the number of sampled
 * losses in the gap up to the last loss event. */
static Loss
find_sampled_event (TfrcIntervals * intervals, const TfrcConfig * config,
    const TfrcSequenceGap * gap, uint32_t from, uint64_t before)
{
  uint32_t sensitive = find_sensitive (intervals, config, gap, from), k;

  for (k = from; k < gap->count; k++) {
    if (tfrc_loss_measure_count_lost (config, gap->first + k, gap->size) == 0)
      continue;
    before++;
    if (k >= sensitive)
      break;
    intervals->K++;
  }
  return (Loss) {.k = k, .units = before};
}

void
tfrc_intervals_add (TfrcIntervals * intervals, const TfrcConfig * config,
    TfrcFirstInterval * first, const TfrcSequenceGap * gap)
{
  bool sampled = tfrc_loss_measure_samples_losses (config);
  Loss loss = { 0 };

  for (uint32_t from = 0; from < gap->count; from = loss.k + 1) {
    loss =
        sampled ? find_sampled_event (intervals, config, gap, from, loss.units)
        : find_event (intervals, config, gap, from);
    if (loss.k < gap->count)
      start_event (intervals, config, first, gap, loss);
  }
  /* A marked packet was received, so that it is not counted as lost. */
  if (!tfrc_sequence_gap_is_marked (gap))
    intervals->lost +=
        sampled ? loss.units : tfrc_loss_measure_count_gap (config, gap);
}

TfrcLossRate
tfrc_intervals_get_rate (const TfrcIntervals * intervals,
    const TfrcConfig * config, const TfrcContext * context, uint64_t units,
    TfrcTime now)
{
  TfrcTime age = get_elapsed (intervals->T_start, now);
  TfrcSpan span = { .K = 1, .duration = age };
  TfrcLossRate rate = { 0 };
  bool left_out;

  if (intervals->events == 0)
    return rate;
  /* RFC 5348 5.3: S_C - S_A + 1 */
  span.units =
      units - intervals->position + tfrc_loss_measure_get_unit (config,
      context);
  left_out = tfrc_loss_measure_leaves_out (config, context, age);
  rate.I_0 = tfrc_loss_measure_get_length (config, context, &span);
  rate.I_mean = tfrc_intervals_get_mean (intervals, left_out ? -1.0 : rate.I_0,
      config->history_discounting);
  /* RFC 5348 5.4 */
  rate.p = rate.I_mean > 1.0 ? 1.0 / rate.I_mean : 1.0;
  return rate;
}
