/* libtfrc: tests of the flow state exchange: the algorithm of RFC 8699 5.3.2 and the laws that hold for any flows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include <tfrc/coupling.h>

#define SECOND TFRC_SEC
#define RTT (TFRC_SEC / 10)

static TfrcCoupling coupling;
static TfrcTime now;
static uint64_t seed;

static double
draw (void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double) (seed >> 11) * 0x1p-53;
}

static void
start (void)
{
  now = SECOND;
  seed = 1;
  tfrc_coupling_init (&coupling, now);
}

static TfrcFlowDemand
want (double priority, double min, double max)
{
  return (TfrcFlowDemand) {priority, min, max};
}

/* A flow that uses all it gets, with p > 0 when `X_Bps` is more than 0. */
static TfrcFlowState
make_state (double X, double X_Bps)
{
  static uint64_t reports;

  return (TfrcFlowState) {
      .X = X,
      .X_Bps = X_Bps,
      .X_recv = X,
      .X_used = (double) INFINITY,
      .X_max = (double) INFINITY,
      .scale = 1.0,
      .R = RTT,
      .reports = ++reports,
      .losses = X_Bps > 0.0 ? 100 : 0,
  };
}

static unsigned
add (TfrcFlowDemand demand, double X, double X_Bps)
{
  TfrcFlowState state = make_state (X, X_Bps);
  int flow = tfrc_coupling_add (&coupling, &demand, &state, now);

  CHECK (flow >= 0);
  return (unsigned) flow;
}

static unsigned
add_greedy (double X, double X_Bps)
{
  return add (want (1.0, 0.0, INFINITY), X, X_Bps);
}

static unsigned
update (unsigned flow, double X, double X_Bps)
{
  TfrcFlowState state = make_state (X, X_Bps);

  return tfrc_coupling_update (&coupling, flow, &state, now);
}

static double
rate (unsigned flow)
{
  return tfrc_coupling_get_rate (&coupling, flow);
}

static double
sum (void)
{
  double total = 0.0;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++)
    if (coupling.flows[i].used)
      total += coupling.flows[i].rate;
  return total;
}

/* Two flows of 1000 bytes/s each by their losses, of which the coupling makes one. */
static void
start_two (unsigned *a, unsigned *b)
{
  start ();
  *a = add_greedy (1000, 1000);
  *b = add_greedy (1000, 1000);
}

/* --- S_CR ---------------------------------------------------------------------- */

TEST (flows_in_slow_start_have_the_rates_that_they_have_alone)
{
  unsigned a, b;

  start ();
  a = add_greedy (1000, 0);
  b = add_greedy (300, 0);
  CHECK_NEAR (rate (a), 1000, 0);
  CHECK_NEAR (rate (b), 300, 0);
  CHECK (update (a, 2000, 0) & TFRC_COUPLING_RATES);
  CHECK_NEAR (rate (a), 2000, 0);
  CHECK_NEAR (rate (b), 300, 0);
  CHECK_INT (update (a, 2000, 0), 0);
}

TEST (two_flows_have_the_rate_of_one)
{
  unsigned a, b;

  start_two (&a, &b);
  CHECK_REL (coupling.S_CR, 1000, 1e-9);
  CHECK_REL (rate (a), 500, 1e-9);
  CHECK_REL (rate (b), 500, 1e-9);
}

TEST (one_flow_has_the_rate_that_it_has_alone)
{
  unsigned a;

  start ();
  a = add_greedy (1000, 0);
  for (unsigned i = 0; i < 1000; i++) {
    double X = 100 + 1000 * draw ();

    now += RTT / 2;
    update (a, X, i < 20 ? 0 : X * (1 + draw ()));
    CHECK (isinf (rate (a)));
    CHECK_NEAR (coupling.flows[a].rate, X, 0);
  }
}

TEST (a_loss_event_reduces_all_flows_in_proportion)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 1000, 900);
  CHECK_REL (coupling.S_CR, 900, 1e-9);
  CHECK_REL (rate (a), 450, 1e-9);
  CHECK_REL (rate (b), 450, 1e-9);
  CHECK_INT (coupling.reductions, 1);
}

/* After the first loss event S_CR is between the estimates; the second lowers that of its flow by a tenth. */
TEST (a_loss_event_reduces_the_sum_by_the_factor_of_its_flow_at_most)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 1000, 600);
  CHECK_REL (coupling.S_CR, 600, 1e-9);
  now += SECOND;
  update (b, 1000, 1000);
  CHECK_REL (coupling.S_CR, 800, 1e-9);
  now += SECOND;
  update (a, 1000, 540);
  CHECK_REL (coupling.S_CR, 720, 1e-9);
}

TEST (a_loss_event_halves_the_sum_at_most)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 1000, 100);
  CHECK_REL (coupling.S_CR, 500, 1e-9);
  CHECK_REL (rate (b), 250, 1e-9);
}

TEST (a_loss_event_of_a_flow_that_would_have_more_alone_reduces_nothing)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 3000, 3000);
  CHECK_REL (coupling.S_CR, 2000, 1e-9);
  update (a, 3000, 2500);
  CHECK_REL (coupling.S_CR, 2250, 1e-9);
  CHECK_INT (coupling.reductions, 0);
}

TEST (for_two_round_trips_after_a_reduction_nothing_changes_the_sum)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 1000, 800);
  now += 2 * RTT - 1;
  update (b, 1000, 700);
  CHECK_REL (coupling.S_CR, 800, 1e-9);
  update (b, 2000, 2000);
  CHECK_REL (coupling.S_CR, 800, 1e-9);
  now += 1;
  update (b, 2000, 2000);
  CHECK_REL (coupling.S_CR, 800 + 0.5 * (2000 - 800), 1e-9);
}

TEST (a_flow_raises_the_sum_by_its_portion)
{
  unsigned a, b;

  start ();
  a = add (want (3.0, 0.0, INFINITY), 1000, 1000);
  b = add_greedy (1000, 1000);
  CHECK_REL (rate (a), 750, 1e-9);
  now += SECOND;
  update (b, 2000, 2000);
  CHECK_REL (coupling.S_CR, 1250, 1e-9);
  update (a, 2000, 2000);
  CHECK_REL (coupling.S_CR, 1250 + 0.75 * 750, 1e-9);
}

/* An estimate that stays lower than the sum, without new losses, is no congestion event. */
TEST (a_lower_estimate_without_a_loss_event_counts_with_its_portion)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 1000, 600);
  now += SECOND;
  update (b, 1000, 1000);
  CHECK_REL (coupling.S_CR, 800, 1e-9);
  update (a, 1000, 600);
  CHECK_REL (coupling.S_CR, 700, 1e-9);
  CHECK_INT (coupling.reductions, 1);
}

TEST (an_expiry_of_the_nofeedback_timer_leaves_the_sum_and_limits_its_flow)
{
  TfrcFlowState state;
  unsigned a, b;

  start_two (&a, &b);
  state = coupling.flows[a].state;
  state.X_max = 100;
  state.X_Bps = 700;
  CHECK (tfrc_coupling_update (&coupling, a, &state,
          now) & TFRC_COUPLING_RATES);
  CHECK_REL (coupling.S_CR, 1000, 1e-9);
  CHECK_REL (rate (a), 100, 1e-9);
  CHECK_REL (rate (b), 900, 1e-9);
}

TEST (the_flows_together_have_no_more_than_they_would_have_alone)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 100, 1000);
  update (b, 200, 1000);
  CHECK_REL (coupling.S_CR, 1000, 1e-9);
  CHECK_REL (rate (a), 150, 1e-9);
  CHECK_REL (rate (b), 150, 1e-9);
}

/* A receiver synthesizes the first loss interval from X_recv of its own flow, here a tenth of that of both. The
 * interval counts less with each loss event, and not at all after eight. */
TEST (the_first_loss_interval_stands_for_the_receive_rate_of_all_flows)
{
  TfrcFlowState audio;
  unsigned a, b;

  start ();
  a = add_greedy (100, 0);
  b = add_greedy (900, 0);
  audio = make_state (100, 50);
  audio.losses = 1;
  tfrc_coupling_update (&coupling, a, &audio, now);
  CHECK_REL (coupling.S_CR, 500, 1e-9);
  for (unsigned i = 1; i <= 9; i++) {
    now += SECOND;
    audio.losses++;
    audio.reports++;
    tfrc_coupling_update (&coupling, a, &audio, now);
    CHECK_REL (coupling.flows[a].estimate,
        i < 8 ? 50 * (1 + 9 * (8 - i) / 8.0) : 50, 1e-9);
  }
  CHECK (rate (b) > 0);
}

/* --- the rates of the flows -------------------------------------------------------- */

TEST (rates_follow_the_priorities)
{
  unsigned a, b, c;

  start ();
  a = add (want (TFRC_PRIORITY_HIGH, 0, INFINITY), 7000, 7000);
  b = add (want (TFRC_PRIORITY_MEDIUM, 0, INFINITY), 7000, 7000);
  c = add (want (TFRC_PRIORITY_LOW, 0, INFINITY), 7000, 7000);
  CHECK_REL (rate (a), 4000, 1e-9);
  CHECK_REL (rate (b), 2000, 1e-9);
  CHECK_REL (rate (c), 1000, 1e-9);
}

TEST (what_a_flow_does_not_want_is_divided_among_the_others)
{
  unsigned a, b, c;

  start ();
  a = add (want (8, 0, 1500), 7000, 7000);
  b = add (want (4, 0, INFINITY), 7000, 7000);
  c = add (want (2, 0, 1600), 7000, 7000);
  CHECK_REL (rate (a), 1500, 1e-9);
  CHECK_REL (rate (c), 1600, 1e-9);
  CHECK_REL (rate (b), 3900, 1e-9);
}

TEST (what_a_data_limited_flow_does_not_use_is_for_the_others)
{
  TfrcFlowState state;
  unsigned a, b;

  start_two (&a, &b);
  state = make_state (1000, 1000);
  state.X_used = 100;
  tfrc_coupling_update (&coupling, a, &state, now);
  CHECK_REL (rate (a), 100, 1e-9);
  CHECK_REL (rate (b), 900, 1e-9);
}

TEST (what_no_flow_uses_goes_to_those_that_may_want_it_and_then_to_all)
{
  TfrcFlowDemand demand = want (1, 0, 200);
  TfrcFlowState state;
  unsigned a, b;

  start_two (&a, &b);
  tfrc_coupling_set_demand (&coupling, b, &demand, now);
  state = make_state (1000, 1000);
  state.X_used = 100;
  tfrc_coupling_update (&coupling, a, &state, now);
  CHECK_REL (rate (b), 200, 1e-9);
  CHECK_REL (rate (a), 800, 1e-9);
  demand.max = 300;
  tfrc_coupling_set_demand (&coupling, a, &demand, now);
  CHECK_REL (rate (b), 450, 1e-9);
  CHECK_REL (rate (a), 550, 1e-9);
}

TEST (a_flow_whose_wants_are_known_keeps_them_while_it_uses_less)
{
  TfrcFlowDemand demand = want (8, 0, 300);
  TfrcFlowState state;
  unsigned a, b;

  start_two (&a, &b);
  state = make_state (1000, 1000);
  state.X_used = 100;
  tfrc_coupling_update (&coupling, a, &state, now);
  CHECK (tfrc_coupling_set_demand (&coupling, a, &demand,
          now) & TFRC_COUPLING_RATES);
  CHECK_REL (rate (a), 300, 1e-9);
  CHECK_REL (rate (b), 700, 1e-9);
}

TEST (minimums_come_first_and_the_rest_goes_by_priority)
{
  unsigned audio, video;

  start ();
  audio = add (want (1, 400, 600), 1000, 1000);
  video = add (want (1, 0, INFINITY), 1000, 1000);
  CHECK_REL (rate (audio), 600, 1e-9);
  CHECK_REL (rate (video), 400, 1e-9);
  for (double S_CR = 950; S_CR > 50; S_CR -= 50) {
    now += SECOND;
    update (video, 1000, S_CR);
    NOTE ("S_CR %g", S_CR);
    CHECK_REL (coupling.S_CR, S_CR, 1e-9);
    CHECK_REL (rate (audio), fmin (S_CR, 400) + fmin (200, fmax (0,
                S_CR - 400) / 2), 1e-9);
    CHECK_REL (rate (audio) + rate (video), S_CR, 1e-9);
  }
}

TEST (when_the_minimums_do_not_fit_the_higher_priority_has_its_own)
{
  unsigned a, b;

  start ();
  a = add (want (1, 800, INFINITY), 1000, 1000);
  b = add (want (2, 700, INFINITY), 1000, 1000);
  CHECK_REL (rate (b), 700, 1e-9);
  CHECK_REL (rate (a), 300, 1e-9);
}

/* A segment of the first flow counts as ten of its bytes. */
TEST (rates_compare_by_the_scale_of_their_flow)
{
  TfrcFlowState small = make_state (100, 100);
  TfrcFlowDemand greedy = want (1, 0, INFINITY);
  unsigned a, b;

  start ();
  small.scale = 10;
  a = (unsigned) tfrc_coupling_add (&coupling, &greedy, &small, now);
  b = add_greedy (1000, 1000);
  CHECK_REL (coupling.S_CR, 1000, 1e-9);
  CHECK_REL (rate (a), 50, 1e-9);
  CHECK_REL (rate (b), 500, 1e-9);
}

/* --- flows come and go --------------------------------------------------------------- */

TEST (a_flow_that_comes_takes_its_part_and_adds_nothing)
{
  unsigned a, b, c;

  start_two (&a, &b);
  c = add_greedy (1000, 0);
  CHECK_REL (coupling.S_CR, 1000, 1e-9);
  CHECK_REL (rate (c), 1000 / 3.0, 1e-9);
  CHECK_REL (rate (a), 1000 / 3.0, 1e-9);
  CHECK_REL (rate (b), 1000 / 3.0, 1e-9);
}

TEST (a_flow_that_leaves_leaves_its_part_to_the_others)
{
  unsigned a, b;

  start_two (&a, &b);
  CHECK (tfrc_coupling_remove (&coupling, a, now) & TFRC_COUPLING_RATES);
  CHECK_REL (coupling.flows[b].rate, 1000, 1e-9);
  CHECK (isinf (rate (b)));
  CHECK_INT (tfrc_coupling_remove (&coupling, a, now), 0);
  CHECK_INT (coupling.n, 1);
}

TEST (slow_start_is_back_when_no_flow_is_left_that_had_a_loss_event)
{
  unsigned a, b;

  start ();
  a = add_greedy (1000, 1000);
  b = add_greedy (5000, 0);
  CHECK_REL (rate (b), 500, 1e-9);
  CHECK_REL (rate (a), 500, 1e-9);
  tfrc_coupling_remove (&coupling, a, now);
  CHECK_REL (coupling.flows[b].rate, 5000, 1e-9);
}

TEST (there_is_room_for_so_many_flows)
{
  TfrcFlowDemand demand = want (1, 0, INFINITY);
  TfrcFlowState state = make_state (1000, 1000);

  start ();
  for (int i = 0; i < TFRC_COUPLING_FLOWS; i++)
    CHECK_INT (tfrc_coupling_add (&coupling, &demand, &state, now), i);
  CHECK_INT (tfrc_coupling_add (&coupling, &demand, &state, now), -1);
  tfrc_coupling_remove (&coupling, 7, now);
  CHECK_INT (tfrc_coupling_add (&coupling, &demand, &state, now), 7);
}

/* --- laws ------------------------------------------------------------------------------ */

static void
check_laws (void)
{
  double X_sum = 0.0, highest = 0.0, rates = 0.0;

  for (unsigned i = 0; i < TFRC_COUPLING_FLOWS; i++) {
    const TfrcCoupledFlow *flow = &coupling.flows[i];

    if (!flow->used)
      continue;
    CHECK_BETWEEN (flow->rate / flow->state.scale, 0.0,
        coupling.estimated ? flow->state.X_max * (1 + 1e-9) : INFINITY);
    X_sum += flow->state.X * flow->state.scale;
    rates += flow->rate;
    if (flow->estimate > highest)
      highest = flow->estimate;
  }
  CHECK (rates <= X_sum * (1 + 1e-9));
  CHECK (rates <= coupling.S_CR * (1 + 1e-9));
  CHECK (coupling.S_CR > 0.0 || coupling.n == 0);
}

static TfrcFlowState
draw_state (const TfrcFlowState * last)
{
  TfrcFlowState state =
      make_state (10 + 1e4 * draw (), draw () < 0.3 ? 0 : 10 + 1e4 * draw ());

  state.X_recv = state.X * draw ();
  state.scale = 1 + 9 * draw ();
  state.losses = last->losses + (draw () < 0.3);
  if (draw () < 0.5)
    state.X_used = state.X * 2 * draw ();
  if (draw () < 0.1)
    state.X_max = state.X * draw ();
  if (draw () < 0.2)
    state.reports = last->reports;
  return state;
}

TEST (all_flows_have_no_more_than_S_CR_and_no_more_than_alone)
{
  start ();
  for (unsigned i = 0; i < 200000; i++) {
    unsigned flow = (unsigned) (draw () * 12);
    TfrcFlowState state = draw_state (&coupling.flows[flow].state);
    TfrcFlowDemand demand =
        want (0.5 + 8 * draw (), draw () < 0.5 ? 0 : 1e3 * draw (),
        draw () < 0.5 ? INFINITY : 1e4 * draw ());

    now += (TfrcTime) (draw () * 2 * RTT);
    if (!coupling.flows[flow].used)
      tfrc_coupling_add (&coupling, &demand, &state, now);
    else if (draw () < 0.05)
      tfrc_coupling_remove (&coupling, flow, now);
    else if (draw () < 0.05)
      tfrc_coupling_set_demand (&coupling, flow, &demand, now);
    else
      tfrc_coupling_update (&coupling, flow, &state, now);
    check_laws ();
  }
}

/* Independent estimates of one rate, as those of flows with random losses are. */
TEST (the_sum_stays_at_the_rate_of_one_flow_for_any_number_of_flows)
{
  for (unsigned n = 1; n <= 8; n++) {
    double total = 0.0;

    start ();
    for (unsigned i = 0; i < n; i++)
      add_greedy (1000, 1000);
    for (unsigned i = 0; i < 20000; i++) {
      double X = 1000 * (0.8 + 0.4 * draw ());

      now += RTT / n;
      update (i % n, X, X);
      total += sum () / 20000;
    }
    NOTE ("%u flows", n);
    CHECK_BETWEEN (total, 850, 1010);
  }
}

TEST (a_time_before_the_last_is_the_last)
{
  unsigned a, b;

  start_two (&a, &b);
  update (a, 1000, 900);
  now -= SECOND / 2;
  update (b, 1000, 2000);
  CHECK_REL (coupling.S_CR, 900, 1e-9);
  CHECK_INT (coupling.now, SECOND);
}
