/* libtfrc: the pacer, which says when the next packet may depart (RFC 5348 4.6, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Differs from RFC 5348 4.6: there, t_ipi = s / X_inst spaces packets as if each had the mean size.
 * Here a packet waits for its own bytes: size / X_inst, or (size + H) / X_wire_inst under TFRC-SP.
 * That is the same when all packets have the size s. It keeps the rate within X when they differ, or
 * when an encoder exceeds the bit rate that was set.
 *
 * t_nominal is behind `now` by the time that the flow did not use, its credit. The credit is at most
 * R, so that no burst has more than X R bytes or one packet. */
#include "pacer.h"

#include "../core/minmax.h"

#define LONG_AGO (INT64_MIN / 4)
#define COST_MAX 1e13           /* ns, the longest cost; s / X is at most 64 s */

/* The cost in ns of a packet of `size` bytes: its t_ipi. */
static int64_t
get_cost (const TfrcPacerRate * rate, double size)
{
  return (int64_t) (tfrc_min (rate->t_packet + rate->t_byte * size,
          COST_MAX) + 0.5);
}

/* Half of a duration, which is not negative: a shift is enough. */
static int64_t
halve (int64_t t)
{
  return (int64_t) ((uint64_t) t / 2);
}

/* Twice the highest t_delta of RFC 5348 8.3 for any t_ipi. */
static int64_t
get_t_delta_limit (int64_t t_gran, int64_t R)
{
  return R > 0 ? tfrc_min_i64 (t_gran, R) : t_gran;
}

static int64_t
get_t_delta (int64_t t_ipi, int64_t limit)
{
  return halve (tfrc_min_i64 (t_ipi, limit));
}

int64_t
tfrc_pacer_get_t_delta (int64_t t_ipi, int64_t t_gran, int64_t R)
{
  return get_t_delta (t_ipi, get_t_delta_limit (t_gran, R));
}

void
tfrc_pacer_init (TfrcPacer * pacer, TfrcTime t_gran, TfrcTime t_min,
    unsigned mppn)
{
  *pacer = (TfrcPacer) {
      .t_gran = (int64_t) t_gran,
      .t_delta_limit = (int64_t) t_gran,
      .t_min = (int64_t) t_min,
      .mppn = mppn,
  };
  tfrc_pacer_restart (pacer);
}

void
tfrc_pacer_restart (TfrcPacer * pacer)
{
  pacer->t_nominal = pacer->t_strict = pacer->t_last = pacer->t_date = LONG_AGO;
  pacer->waiting = 0;
}

/* The nominal time `t` after the rate has changed, by which the cost of a mean packet became `new_cost`,
 * `ratio` times the old one, `cost`. The next departure is computed anew from the last nominal time.
 * But when X rises, the credit keeps its bytes and not its time, and so does what was sent early. */
static int64_t
rescale (int64_t t, int64_t R, int64_t cost, double ratio, int64_t new_cost,
    int64_t now)
{
  int64_t lag = now - t;

  if (t <= LONG_AGO / 2)
    return t;
  if (lag < 0)
    return now + (int64_t) tfrc_min (-(double) lag * ratio, COST_MAX);
  if (ratio >= 1.0)
    return t;
  lag = tfrc_min_i64 (lag, tfrc_max_i64 (R, cost + halve (cost)));
  return now - tfrc_min_i64 (lag,
      tfrc_max_i64 ((int64_t) ((double) lag * ratio), new_cost));
}

void
tfrc_pacer_set_rate (TfrcPacer * pacer, const TfrcPacerRate * rate,
    TfrcTime now)
{
  int64_t R = pacer->rate.R, cost = get_cost (&pacer->rate, rate->s), new_cost =
      get_cost (rate, rate->s);
  double ratio = cost > 0 ? (double) new_cost / (double) cost : 1.0;

  pacer->t_nominal =
      rescale (pacer->t_nominal, R, cost, ratio, new_cost, (int64_t) now);
  pacer->t_strict =
      rescale (pacer->t_strict, R, cost, ratio, new_cost, (int64_t) now);
  pacer->rate = *rate;
  pacer->t_delta_limit = get_t_delta_limit (pacer->t_gran, rate->R);
}

void
tfrc_pacer_set_waiting (TfrcPacer * pacer, unsigned packets)
{
  /* The first packet never waits. */
  pacer->waiting = pacer->t_last > LONG_AGO ? packets : 0;
}

/* When X lets a packet depart: t_(i+1) = t_i + t_ipi, less t_delta. Time that was lost to late wake-ups
 * of the caller is made up for even if it is more than the credit, but not in a burst: a packet departs
 * at least half its cost after the last one. */
static int64_t
get_due (const TfrcPacer * pacer, int64_t cost)
{
  int64_t t_ipi = cost - get_t_delta (cost, pacer->t_delta_limit);

  return tfrc_max_i64 (pacer->t_nominal + t_ipi,
      tfrc_min_i64 (pacer->t_strict + t_ipi, pacer->t_last + halve (cost)));
}

/* FTCP draft 3.1.1: SEND_DATE. When MPPN packets wait, the oldest departs at once. */
static int64_t
get_fluid_date (const TfrcPacer * pacer)
{
  if (pacer->rate.t_fluid == 0 || (pacer->mppn > 0
          && pacer->waiting >= pacer->mppn))
    return LONG_AGO;
  return pacer->t_date + pacer->rate.t_fluid;
}

void
tfrc_pacer_set_min_interval (TfrcPacer * pacer, TfrcTime t_min)
{
  pacer->t_min = (int64_t) t_min;
}

TfrcTime
tfrc_pacer_next (const TfrcPacer * pacer, uint32_t size)
{
  int64_t cost = get_cost (&pacer->rate, size);
  int64_t t = tfrc_max_i64 (get_due (pacer, cost), get_fluid_date (pacer));

  /* RFC 4828 3: Min Interval. It counts from the last departure, and neither credit nor t_delta shortens
   * it. */
  t = tfrc_max_i64 (t, pacer->t_last + pacer->t_min);
  return t > 0 ? (TfrcTime) t : 0;
}

/* RFC 5348 8.2.1: X is the limit when a packet would depart as soon as X lets it. */
bool
tfrc_pacer_is_limiting (const TfrcPacer * pacer, uint32_t size, TfrcTime now)
{
  return pacer->t_nominal + get_cost (&pacer->rate,
      size) + pacer->t_gran >= (int64_t) now;
}

/* By how much the schedule, which is at `t`, moves on for a packet whose cost is less than t_min. Packets
 * cannot depart more often than that, so time which X alone would have left between them is no credit
 * for when X falls, nor is time that was lost to a late wake-up. */
static int64_t
get_slot (const TfrcPacer * pacer, int64_t t, int64_t now)
{
  return pacer->waiting == 0 ? pacer->t_min
      : tfrc_max_i64 (pacer->t_min, tfrc_min_i64 (now - pacer->t_last,
          now - t));
}

bool
tfrc_pacer_on_departure (TfrcPacer * pacer, uint32_t size, bool backlogged,
    TfrcTime now_)
{
  const TfrcPacerRate *rate = &pacer->rate;
  int64_t now = (int64_t) now_, cost = get_cost (rate, size);
  int64_t slot = cost, strict = cost;
  bool was_waiting = pacer->waiting > 0;
  bool limited = pacer->t_nominal + cost + pacer->t_gran >= now;

  if (cost < pacer->t_min) {
    slot = get_slot (pacer, pacer->t_nominal, now);
    strict = get_slot (pacer, pacer->t_strict, now);
  }
  /* RFC 5348 4.6: the credit is at most one R, t_j >= t_now - R, and always enough for this packet. (The
   * inequality of the text is reversed, which would keep only older send times.) A packet that waited
   * keeps its place in the schedule when the wake-up was late. */
  pacer->t_nominal = tfrc_max_i64 (pacer->t_nominal,
      now - tfrc_max_i64 (rate->R,
          was_waiting ? slot + halve (slot) : slot)) + slot;
  pacer->t_strict =
      tfrc_max_i64 (pacer->t_strict, now - tfrc_max_i64 (rate->R,
          strict)) + strict;
  /* FTCP draft 3.1.1: LAST_TO_SEND is the date of a packet that waited, else its departure. */
  if (was_waiting && now - pacer->t_date < 2 * rate->t_fluid)
    pacer->t_date = tfrc_min_i64 (pacer->t_date + rate->t_fluid, now);
  else
    pacer->t_date = now;
  pacer->t_last = now;
  pacer->waiting =
      backlogged ? (pacer->waiting > 1 ? pacer->waiting - 1 : 1) : 0;
  return limited;
}
