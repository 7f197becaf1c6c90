/* tfrcadapt: the choice of the best operating point, by the E-model, among those that fit
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapt-private.h"

#include <math.h>

#include "packet-rate-gain.h"

/* Rating points that a doubling of the rate on the wire has to bring. Where more bytes hardly improve
 * the sound, they are left to competing traffic. */
#define WORTH_OF_A_DOUBLING 2.0

/* s: in a full queue of competing traffic what follows a lost packet is lost more often than others are, which fades by 1/e in this time.
 * Seven real calls beside CUBIC (tests/bench/voice.sh) lost 11.5 % of their packets, and 30, 22, 17 and 14 % of what came 40, 60, 80 and
 * 120 ms behind a lost one. With 0, 20, 40 and 60 ms calls beside CUBIC have 3.97, 4.06, 4.07 and 3.64 for 4.10, and calls beside Reno 4.18,
 * 4.19, 4.21 and 3.96 for 4.21 (tests/bench/paths.sh, seeds 1 to 30). */
#define LOST_TOGETHER 0.028

/* An encoder with its own error correction gets a loss to expect of at least 1 %, and spends bits on that
 * whether or not packets are lost. */
#define FEC_LOSS 0.01

double
tfrc_adapt_get_loss (const TfrcAdapt * adapt)
{
  double loss = adapt->conditions.loss >=
      0.0 ? adapt->conditions.loss : adapt->conditions.allowance.p;

  return fmax (loss, tfrc_adapt_get_beginning_loss (adapt));
}

static double
get_wire_rate (const TfrcAdapt * adapt, const TfrcAdaptPoint * point)
{
  double headers = (double) adapt->conditions.overhead + adapt->conditions.H;
  TfrcAdaptPoint bare = *point;
  double size, copies;

  bare.redundancy = 0;
  size = tfrc_adapt_point_get_payload_size (&bare);
  copies = tfrc_adapt_point_get_payload_size (point) - size;
  if (point->redundancy > 0)
    size +=
        copies * tfrc_adapt_get_sent_copies (adapt, point) / point->redundancy;
  return (size * fmax (adapt->excess, 1.0) + headers)
      * tfrc_adapt_point_get_packet_rate (point);
}

double
tfrc_adapt_get_need (const TfrcAdapt * adapt, unsigned i)
{
  return get_wire_rate (adapt, &adapt->rungs[i].point);
}

double
tfrc_adapt_get_bare_need (const TfrcAdapt * adapt, unsigned i)
{
  TfrcAdaptPoint point = adapt->rungs[i].point;

  point.redundancy = 0;
  return get_wire_rate (adapt, &point);
}

/* Whether losses are those of a full queue of competing traffic. */
static bool
is_lost_in_runs (const TfrcAdapt * adapt)
{
  return adapt->last_now < adapt->others_until;
}

/* The probability that what is sent `gap` seconds after a lost packet is lost as well. */
static double
get_lost_too (const TfrcAdapt * adapt, double gap)
{
  double loss = tfrc_adapt_get_loss (adapt);

  return is_lost_in_runs (adapt) ? loss + (1.0 - loss) * exp (-gap /
      LOST_TOGETHER) : loss;
}

/* The random loss L of a codec with error correction of its own at which as many frames are missing as with redundant copies.
 * That error correction is in the next packet, and leaves L^2 of the frames of random losses. Where a copy is in the next packet
 * as well, the two are lost together. */
static double
get_loss_with_fec (const TfrcAdapt * adapt, unsigned i)
{
  const TfrcAdaptPoint *point = &adapt->rungs[i].point;
  double left = tfrc_adapt_get_residual (adapt, i);

  if (point->redundancy > 0 && tfrc_adapt_get_copies (adapt, point).first == 1)
    return sqrt (left);
  return sqrt (left * get_lost_too (adapt, 1e-6 * point->frame_us));
}

/* The loss by which a point is rated. Redundant copies only count when packets are lost. */
static double
get_expected_loss (const TfrcAdapt * adapt, unsigned i)
{
  bool fec = adapt->rungs[i].point.fec;

  if (tfrc_adapt_get_loss (adapt) >= LOSS_EXPECTED)
    return fec ? get_loss_with_fec (adapt,
        i) : tfrc_adapt_get_residual (adapt, i);
  return fec ? FEC_LOSS : LOSS_EXPECTED;
}

static double
rate_with_loss (const TfrcAdapt * adapt, unsigned i, double loss)
{
  const TfrcAdaptConditions *c = &adapt->conditions;
  TfrcAdaptPoint point = adapt->rungs[i].point;
  TfrcAdaptListening listening = {
    .loss = loss,
    .burst = 1.0,
    .delay = c->allowance.R / 2.0 + c->queue + adapt->config.buffer_delay,
  };

  /* The loss is already that after recovery by redundant copies. */
  point.redundancy = 0;
  return tfrc_adapt_impairment_get_rating (&adapt->rungs[i].impairment, &point,
      &listening);
}

double
tfrc_adapt_get_rating (const TfrcAdapt * adapt, unsigned i)
{
  return rate_with_loss (adapt, i, get_expected_loss (adapt, i));
}

double
tfrc_adapt_get_gain (const TfrcAdapt * adapt, double packet_rate)
{
  const TfrcAdaptConditions *c = &adapt->conditions;

  return c->mode == TFRC_MODE_TFRC_SP
      && c->allowance.p > 0.0 ? tfrc_adapt_packet_rate_gain (c->loss,
      c->allowance.R,
      tfrc_adapt_point_get_packet_rate (&adapt->rungs[adapt->current].point),
      packet_rate) : 1.0;
}

bool
tfrc_adapt_fits (const TfrcAdapt * adapt, unsigned i, TfrcAdaptRoom room,
    double spare)
{
  const TfrcAdaptConditions *c = &adapt->conditions;
  const TfrcAllowance *a = &c->allowance;
  double packet_rate =
      tfrc_adapt_point_get_packet_rate (&adapt->rungs[i].point);
  double need = room.bare ? tfrc_adapt_get_bare_need (adapt, i)
      : tfrc_adapt_get_need (adapt, i);

  if (a->max_packet_rate > 0.0 && packet_rate > a->max_packet_rate)
    return false;
  if (room.packet_rate > 0.0 && packet_rate > room.packet_rate)
    return false;
  if (need * spare
      > fmin (room.limit, room.allowed * tfrc_adapt_get_gain (adapt,
              packet_rate)))
    return false;
  /* RFC 5348 4.1: in TFRC, X is proportional to the segment size, so what it allows is a number of
   * packets in a second. */
  return c->mode == TFRC_MODE_TFRC_SP || !(a->R > 0.0) || !(a->p > 0.0)
      || !(a->s > 0.0)
      || packet_rate * spare <= a->X / a->s;
}

unsigned
tfrc_adapt_get_cheapest (const TfrcAdapt * adapt)
{
  unsigned i, cheapest = 0;

  for (i = 1; i < adapt->n_rungs; i++) {
    if (tfrc_adapt_get_need (adapt, i) < tfrc_adapt_get_need (adapt, cheapest))
      cheapest = i;
  }
  return cheapest;
}

/* The share of frames that are missing because the allowance varies: those of packets that are dropped, and of lost ones of which
 * no copy was sent. */
static double
get_missing_by_chance (const TfrcAdapt * adapt, unsigned i)
{
  const Rung *rung = &adapt->rungs[i];

  return rung->dropped + rung->bare * (tfrc_adapt_get_loss (adapt) -
      tfrc_adapt_get_residual (adapt, i));
}

/* The sender drops packets in a row, which the error correction in the next packet does not recover. At the loss L it
 * leaves about the share L^2 of the frames. */
double
tfrc_adapt_get_worth (const TfrcAdapt * adapt, unsigned i, bool by_chance)
{
  double loss = get_expected_loss (adapt, i);
  double more = by_chance ? get_missing_by_chance (adapt, i) : 0.0;

  loss = adapt->rungs[i].point.fec ? sqrt (loss * loss + more) : loss + more;
  return rate_with_loss (adapt, i, fmin (loss, 1.0))
      - WORTH_OF_A_DOUBLING * log2 (tfrc_adapt_get_need (adapt, i));
}

/* While the allowance varies by chance, a point that fits now would still lose a share of its packets later, which is
 * known (weigh-points.c). Beside a standing queue the allowance varies with that queue. */
double
tfrc_adapt_get_worth_now (const TfrcAdapt * adapt, unsigned i)
{
  bool by_chance = tfrc_adapt_budget_is_noisy (&adapt->budget)
      && !tfrc_adapt_budget_is_queueing (&adapt->budget);

  return tfrc_adapt_get_worth (adapt, i, by_chance);
}

unsigned
tfrc_adapt_choose (const TfrcAdapt * adapt, TfrcAdaptRoom room)
{
  unsigned i, best = tfrc_adapt_get_cheapest (adapt);
  double best_score = tfrc_adapt_get_worth_now (adapt, best);

  for (i = 0; i < adapt->n_rungs; i++) {
    double score;

    if (!tfrc_adapt_fits (adapt, i, room, 1.0))
      continue;
    score = tfrc_adapt_get_worth_now (adapt, i);
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

double
tfrc_adapt_get_residual (const TfrcAdapt * adapt, unsigned i)
{
  const TfrcAdaptPoint *point = &adapt->rungs[i].point;
  TfrcAdaptCopies copies = tfrc_adapt_get_copies (adapt, point);
  double left = tfrc_adapt_get_loss (adapt);
  unsigned copy;

  for (copy = 1; copy <= copies.n; copy++)
    left *= get_lost_too (adapt, tfrc_adapt_copies_get_delay (&copies, point,
            copy - 1, copy));
  return left;
}
