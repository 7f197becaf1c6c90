/* libtfrc: the flow state exchange, which couples the flows of one path to the rate of one flow (RFC 8699 5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/coupling.h>

#include <math.h>

#include "../core/minmax.h"

/* RFC 5348 5.4: p is the mean of so many loss intervals. */
#define INTERVALS 8
/* One congestion event halves S_CR at most, as it halves the window of TCP: the few packets of a slow flow may all be
 * lost in it. */
#define REDUCTION_MIN 0.5

/* --- sums over the flows, in bytes/s of nominal segments -------------------------- */

typedef double (*FlowRate) (const TfrcCoupledFlow * flow);

static double
get_X_recv (const TfrcCoupledFlow * flow)
{
  return flow->state.X_recv * flow->state.scale;
}

/* What the flow would send alone. */
static double
get_X (const TfrcCoupledFlow * flow)
{
  return flow->state.X * flow->state.scale;
}

static double
get_rate (const TfrcCoupledFlow * flow)
{
  return flow->rate;
}

static double
sum (const TfrcCoupling * coupling, FlowRate get)
{
  double total = 0.0;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    if (coupling->flows[i].used)
      total += get (&coupling->flows[i]);
  return total;
}

/* --- S_CR ---------------------------------------------------------------------- */

/* The first loss event of the flow. Its receiver makes the first loss interval as long as X_recv of the flow asks for
 * (RFC 5348 6.3.1), where the path carried X_recv of all flows (RFC 8699 6.2, receiver-side calculations). */
static void
begin_estimate (const TfrcCoupling * coupling, TfrcCoupledFlow * flow)
{
  double X_recv = get_X_recv (flow);

  flow->first_loss = flow->state.losses;
  flow->first_scale =
      X_recv > 0.0 ? tfrc_max (sum (coupling, get_X_recv) / X_recv, 1.0) : 1.0;
}

/* S_CR as the losses of the flow give it, in bytes/s of nominal segments; 0: no loss yet. What the first interval is
 * too short goes with its weight in the mean. */
static double
get_estimate (const TfrcCoupling * coupling, TfrcCoupledFlow * flow)
{
  double X = flow->state.X_Bps * flow->state.scale;
  uint64_t events;

  if (!(X > 0.0))
    return 0.0;
  if (!(flow->estimate > 0.0))
    begin_estimate (coupling, flow);
  events = flow->state.losses - flow->first_loss;
  if (events >= INTERVALS)
    return X;
  return X * (1.0 + (flow->first_scale - 1.0) * (double) (INTERVALS -
          events) / INTERVALS);
}

static void
reduce (TfrcCoupling * coupling, const TfrcCoupledFlow * flow, double S_CR)
{
  coupling->S_CR = S_CR;
  coupling->timer = coupling->now + 2 * flow->state.R;
  coupling->reductions++;
}

/* RFC 8699 5.3.2 (a). `estimate` is what the flow would have alone. Its portion w of that is CC_R(f), and its portion
 * of S_CR is FSE_R(f), so that DELTA is w (estimate - S_CR). Differs from RFC 8699: S_CR is reduced by the factor by
 * which the loss event has lowered the estimate of the flow, and a lower estimate without a loss event counts with
 * its portion, as a higher one does. */
static void
update_S_CR (TfrcCoupling * coupling, const TfrcCoupledFlow * flow,
    double estimate)
{
  double rates = sum (coupling, get_rate), S_CR = coupling->S_CR;

  if (coupling->n == 1)
    coupling->S_CR = estimate;
  else if (!coupling->estimated)
    reduce (coupling, flow, estimate);
  else if (coupling->now < coupling->timer)
    return;
  else if (estimate < S_CR && estimate < flow->estimate)
    reduce (coupling, flow, tfrc_max (estimate,
            S_CR * tfrc_max (estimate / flow->estimate, REDUCTION_MIN)));
  else if (rates > 0.0)
    coupling->S_CR += flow->rate / rates * (estimate - S_CR);
}

static bool
has_estimate (const TfrcCoupling * coupling)
{
  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    if (coupling->flows[i].used && coupling->flows[i].estimate > 0.0)
      return true;
  return false;
}

/* --- the rates of the flows ------------------------------------------------------ */

/* Up to what a flow takes part when S_CR is divided. Each level divides what the one before leaves. */
typedef enum
{
  LEVEL_USED,                   /* what the application can use at most; where that is not known, what it uses at
                                 * present */
  LEVEL_WANTED,                 /* what it can use at most */
  LEVEL_ALONE                   /* what the flow would have alone */
} Level;

/* DR(f) of RFC 8699 */
static double
get_desired_rate (const TfrcCoupledFlow * flow, Level level)
{
  double rate = flow->demand.max;

  if (level == LEVEL_USED && !(rate < (double) INFINITY))
    rate = flow->state.X_used;
  if (level == LEVEL_ALONE)
    rate = flow->state.X;
  return tfrc_min (rate, flow->state.X_max) * flow->state.scale;
}

static bool
is_open (const TfrcCoupledFlow * flow, Level level)
{
  return flow->used && flow->rate < get_desired_rate (flow, level);
}

static double
sum_priorities (const TfrcCoupling * coupling, Level level)
{
  double S_P = 0.0;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    if (is_open (&coupling->flows[i], level))
      S_P += coupling->flows[i].demand.priority;
  return S_P;
}

/* Gives their desired rate to the flows whose portion of `TLO` is not less. Returns how much that is. */
static double
fill_flows (TfrcCoupling * coupling, Level level, double TLO, double S_P)
{
  double given = 0.0;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++) {
    TfrcCoupledFlow *flow = &coupling->flows[i];
    double DR = get_desired_rate (flow, level);

    if (!is_open (flow, level)
        || TLO * flow->demand.priority / S_P < DR - flow->rate)
      continue;
    given += DR - flow->rate;
    flow->rate = DR;
  }
  return given;
}

/* RFC 8699 5.3.1 (c): divides `TLO` by priority, so that no flow has more than its desired rate. Returns what is left
 * over. */
static double
divide (TfrcCoupling * coupling, Level level, double TLO)
{
  double S_P, given;

  do {
    S_P = sum_priorities (coupling, level);
    if (!(TLO > 0.0) || !(S_P > 0.0))
      return tfrc_max (TLO, 0.0);
    given = fill_flows (coupling, level, TLO, S_P);
    TLO -= given;
  } while (given > 0.0);
  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    if (is_open (&coupling->flows[i], level))
      coupling->flows[i].rate += TLO * coupling->flows[i].demand.priority / S_P;
  return 0.0;
}

/* The flow of the highest priority without its minimum; NULL: there is none. */
static TfrcCoupledFlow *
find_next_minimum (TfrcCoupling * coupling, const bool * done)
{
  TfrcCoupledFlow *best = NULL;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++) {
    TfrcCoupledFlow *flow = &coupling->flows[i];

    if (flow->used && !done[i] && flow->demand.min > 0.0
        && (best == NULL || flow->demand.priority > best->demand.priority))
      best = flow;
  }
  return best;
}

/* Gives the flows their minimum, in the order of their priority. Returns what is left of `TLO`. */
static double
give_minimums (TfrcCoupling * coupling, double TLO)
{
  bool done[TFRC_COUPLING_FLOWS] = { false };
  TfrcCoupledFlow *flow;

  while ((flow = find_next_minimum (coupling, done)) != NULL) {
    double min = tfrc_min (flow->demand.min * flow->state.scale,
        get_desired_rate (flow, LEVEL_WANTED));

    flow->rate = tfrc_min (min, TLO);
    TLO -= flow->rate;
    done[flow - coupling->flows] = true;
  }
  return TLO;
}

/* As long as no flow had a loss event, each has the X of its own slow start (RFC 8699 5.3.1 (1)). */
static void
follow_slow_start (TfrcCoupling * coupling)
{
  coupling->S_CR = sum (coupling, get_X);
  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    coupling->flows[i].rate = get_X (&coupling->flows[i]);
}

/* RFC 8699 5.3.1 (b) and (c). All flows together have no more than they would have alone. */
static void
divide_S_CR (TfrcCoupling * coupling)
{
  double TLO = tfrc_min (coupling->S_CR, sum (coupling, get_X));

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    coupling->flows[i].rate = 0.0;
  TLO = give_minimums (coupling, TLO);
  TLO = divide (coupling, LEVEL_USED, TLO);
  TLO = divide (coupling, LEVEL_WANTED, TLO);
  divide (coupling, LEVEL_ALONE, TLO);
}

/* Gives each flow its rate. Returns the bits. */
static unsigned
distribute (TfrcCoupling * coupling)
{
  double before[TFRC_COUPLING_FLOWS];
  unsigned bits = 0;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    before[i] = coupling->flows[i].rate;
  coupling->estimated = has_estimate (coupling);
  if (coupling->estimated)
    divide_S_CR (coupling);
  else
    follow_slow_start (coupling);
  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    if (coupling->flows[i].rate != before[i])
      bits = TFRC_COUPLING_RATES;
  return bits;
}

/* --- the flows ------------------------------------------------------------------- */

static void
advance (TfrcCoupling * coupling, TfrcTime now)
{
  if (now > coupling->now)
    coupling->now = now;
}

/* `reported`: the state is that after a report. */
static unsigned
take_state (TfrcCoupling * coupling, TfrcCoupledFlow * flow,
    const TfrcFlowState * state, bool reported)
{
  double estimate;

  flow->state = *state;
  estimate = get_estimate (coupling, flow);
  if (estimate > 0.0 && reported)
    update_S_CR (coupling, flow, estimate);
  flow->estimate = estimate;
  return distribute (coupling);
}

void
tfrc_coupling_init (TfrcCoupling * coupling, TfrcTime now)
{
  *coupling = (TfrcCoupling) {.now = now};
}

/* RFC 8699 5.3.1 (1). Differs from it: once S_CR is the rate of one flow, a flow that begins adds nothing to it. */
int
tfrc_coupling_add (TfrcCoupling * coupling, const TfrcFlowDemand * demand,
    const TfrcFlowState * state, TfrcTime now)
{
  unsigned i = 0;

  while (i < TFRC_COUPLING_FLOWS && coupling->flows[i].used)
    i++;
  if (i == TFRC_COUPLING_FLOWS)
    return -1;
  coupling->flows[i] = (TfrcCoupledFlow) {
      .used = true,
      .demand = *demand,
      .estimate = state->X_Bps * state->scale,
      .first_scale = 1.0,
  };
  coupling->n++;
  advance (coupling, now);
  take_state (coupling, &coupling->flows[i], state, true);
  return (int) i;
}

unsigned
tfrc_coupling_remove (TfrcCoupling * coupling, unsigned flow, TfrcTime now)
{
  advance (coupling, now);
  if (!coupling->flows[flow].used)
    return 0;
  coupling->flows[flow] = (TfrcCoupledFlow) {.used = false};
  coupling->n--;
  distribute (coupling);
  return TFRC_COUPLING_RATES;
}

unsigned
tfrc_coupling_set_demand (TfrcCoupling * coupling, unsigned flow,
    const TfrcFlowDemand * demand, TfrcTime now)
{
  advance (coupling, now);
  coupling->flows[flow].demand = *demand;
  return distribute (coupling);
}

unsigned
tfrc_coupling_update (TfrcCoupling * coupling, unsigned flow,
    const TfrcFlowState * state, TfrcTime now)
{
  advance (coupling, now);
  return take_state (coupling, &coupling->flows[flow], state,
      state->reports != coupling->flows[flow].state.reports);
}

double
tfrc_coupling_get_rate (const TfrcCoupling * coupling, unsigned flow)
{
  if (coupling->n < 2)
    return (double) INFINITY;
  return coupling->flows[flow].rate / coupling->flows[flow].state.scale;
}

double
tfrc_coupling_get_portion (const TfrcCoupling * coupling, unsigned flow)
{
  double rates = sum (coupling, get_rate);

  return rates > 0.0 ? coupling->flows[flow].rate / rates : 0.0;
}
