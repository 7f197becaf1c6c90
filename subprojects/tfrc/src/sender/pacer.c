/* libtfrc: when the next packet may leave (RFC 5348 4.6, RFC 4828 3)
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Differs from RFC 5348 4.6: t_ipi = s / X_inst spaces packets as if each had the
 * mean size. Here each packet waits for its own bytes, size / X_inst, or
 * (size + H) / X_wire_inst under TFRC-SP, which is the same when all sizes are s
 * and keeps the rate within X when they are not, or when an encoder ignores what
 * it was told.
 *
 * t_nominal trails `now` by what the flow has not used. The trail is worth at
 * most R, so no burst is larger than X R bytes or one packet. */
#include "pacer.h"

#include "../core/minmax.h"

#define LONG_AGO (INT64_MIN / 4)
#define COST_MAX 1e13           /* ns: no packet waits longer; s / X is at most 64 s */

/* t_ipi in ns of a packet of `size` bytes. */
static int64_t
get_cost (const TfrcPacerRate * rate, double size)
{
  return (int64_t) (tfrc_min (rate->t_packet + rate->t_byte * size, COST_MAX) + 0.5);
}

/* Half of a duration. It is never negative, which spares the rounding towards zero. */
static int64_t
halve (int64_t t)
{
  return (int64_t) ((uint64_t) t / 2);
}

/* What t_delta of RFC 5348 8.3 has to be below whatever t_ipi is. */
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
tfrc_pacer_init (TfrcPacer * pacer, TfrcTime t_gran, TfrcTime t_min, unsigned mppn)
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

/* The nominal time `t` when packets that cost `cost` come to cost `ratio` as much. The
 * pending departure is computed anew from the last nominal time, but a rise of X
 * makes no credit out of the time before it: what was not used at the old rate, or
 * used too early, keeps its bytes. */
static int64_t
rescale (int64_t t, int64_t R, int64_t cost, double ratio, int64_t new_cost, int64_t now)
{
  int64_t lag = now - t;

  if (t <= LONG_AGO / 2)
    return t;
  if (lag < 0)
    return now + (int64_t) tfrc_min (-(double) lag * ratio, COST_MAX);
  if (ratio >= 1.0)
    return t;
  lag = tfrc_min_i64 (lag, tfrc_max_i64 (R, cost + halve (cost)));
  return now - tfrc_min_i64 (lag, tfrc_max_i64 ((int64_t) ((double) lag * ratio), new_cost));
}

void
tfrc_pacer_set_rate (TfrcPacer * pacer, const TfrcPacerRate * rate, TfrcTime now)
{
  int64_t R = pacer->rate.R, cost = get_cost (&pacer->rate, rate->s), new_cost = get_cost (rate, rate->s);
  double ratio = cost > 0 ? (double) new_cost / (double) cost : 1.0;

  pacer->t_nominal = rescale (pacer->t_nominal, R, cost, ratio, new_cost, (int64_t) now);
  pacer->t_strict = rescale (pacer->t_strict, R, cost, ratio, new_cost, (int64_t) now);
  pacer->rate = *rate;
  pacer->t_delta_limit = get_t_delta_limit (pacer->t_gran, rate->R);
}

void
tfrc_pacer_set_waiting (TfrcPacer * pacer, unsigned packets)
{
  /* Nothing makes the first packet wait. */
  pacer->waiting = pacer->t_last > LONG_AGO ? packets : 0;
}

/* When X alone lets it leave: t_(i+1) = t_i + t_ipi, up to t_delta earlier. What
 * late wake-ups cost is made up for beyond the credit, but in no burst: at least half
 * an interval after the last packet. */
static int64_t
get_due (const TfrcPacer * pacer, int64_t cost)
{
  int64_t t_ipi = cost - get_t_delta (cost, pacer->t_delta_limit);

  return tfrc_max_i64 (pacer->t_nominal + t_ipi,
      tfrc_min_i64 (pacer->t_strict + t_ipi, pacer->t_last + halve (cost)));
}

/* FTCP draft 3.1.1: SEND_DATE; MPPN waiting packets send the oldest at once. */
static int64_t
get_fluid_date (const TfrcPacer * pacer)
{
  if (pacer->rate.t_fluid == 0 || (pacer->mppn > 0 && pacer->waiting >= pacer->mppn))
    return LONG_AGO;
  return pacer->t_date + pacer->rate.t_fluid;
}

TfrcTime
tfrc_pacer_next (const TfrcPacer * pacer, uint32_t size)
{
  int64_t cost = get_cost (&pacer->rate, size);
  int64_t t = tfrc_max_i64 (get_due (pacer, cost), get_fluid_date (pacer));

  /* RFC 4828 3: from the departure itself; neither credit nor t_delta shortens it. */
  t = tfrc_max_i64 (t, pacer->t_last + pacer->t_min);
  return t > 0 ? (TfrcTime) t : 0;
}

/* RFC 5348 8.2.1: X limits what leaves as soon as it may. */
bool
tfrc_pacer_is_limiting (const TfrcPacer * pacer, uint32_t size, TfrcTime now)
{
  return pacer->t_nominal + get_cost (&pacer->rate, size) + pacer->t_gran >= (int64_t) now;
}

/* How far the schedule, which is at `t`, goes on for a packet that costs less than the
 * least interval. That makes slots no nearer to each other: those that X would have in
 * between were never the flow's, and are no credit for when X falls; nor are those
 * that a late wake-up missed. */
static int64_t
get_slot (const TfrcPacer * pacer, int64_t t, int64_t now)
{
  return pacer->waiting == 0 ? pacer->t_min
      : tfrc_max_i64 (pacer->t_min, tfrc_min_i64 (now - pacer->t_last, now - t));
}

bool
tfrc_pacer_on_departure (TfrcPacer * pacer, uint32_t size, bool backlogged, TfrcTime now_)
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
  /* RFC 5348 4.6: at most one R worth of unused send times is kept, t_j >= t_now - R
   * (the text's inequality reads the other way round and would keep only those that
   * are older), and always enough for this one packet. A packet that had waited
   * keeps its place in the schedule although the wake-up came late. */
  pacer->t_nominal = tfrc_max_i64 (pacer->t_nominal,
      now - tfrc_max_i64 (rate->R, was_waiting ? slot + halve (slot) : slot)) + slot;
  pacer->t_strict = tfrc_max_i64 (pacer->t_strict, now - tfrc_max_i64 (rate->R, strict)) + strict;
  /* FTCP draft 3.1.1: LAST_TO_SEND is the date of what waited, else the departure. */
  if (was_waiting && now - pacer->t_date < 2 * rate->t_fluid)
    pacer->t_date = tfrc_min_i64 (pacer->t_date + rate->t_fluid, now);
  else
    pacer->t_date = now;
  pacer->t_last = now;
  pacer->waiting = backlogged ? (pacer->waiting > 1 ? pacer->waiting - 1 : 1) : 0;
  return limited;
}
