/* libtfrc: tests of a sender whose flow is coupled with others
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"

#include <tfrc/equation.h>

#define RTT MS (100)

/* A flow after thirty reports, a tenth of a second apart, with loss event rate p and an X_recv of 8 packets in this
 * time. With `busy` packets depart as soon as they may, else they are 8 in this time. */
static Flow
run_flow (TfrcMode mode, uint32_t size, double p, bool busy)
{
  TfrcConfig config = make_config (mode);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = MS (1000);

  for (unsigned i = 0; i < 30; i++) {
    TfrcTime next = now + RTT, t = depart_when_due (&flow, size, busy, now);

    if (!busy)
      for (unsigned j = 1; j < 8; j++)
        depart (&flow, size, false, now + j * RTT / 8);
    while (busy && t < next)
      t = depart_when_due (&flow, size, true, t);
    now = next > t ? next : t;
    report (&flow, flow.stamp.t_i_us, 0, i > 0 ? 80.0 * size : 0, i > 0 ? p : 0,
        now + RTT);
    now += RTT;
  }
  return flow;
}

static TfrcFlowState
state_of (const Flow * flow)
{
  TfrcFlowState state;

  tfrc_sender_get_flow_state (flow->sender, &state);
  return state;
}

TEST (a_coupled_flow_sends_at_its_rate)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);
  TfrcSenderStats before = stats_of (&flow);
  TfrcTime now = MS (20000);

  CHECK (before.X > 20000);
  CHECK (tfrc_sender_set_coupled_rate (flow.sender, 10000,
          now) & TFRC_SENDER_RATE);
  CHECK_NEAR (stats_of (&flow).X, 10000, 0);
  CHECK_NEAR (stats_of (&flow).X_Bps, 10000, 0);
  CHECK_NEAR (allowance_of (&flow).X, 10000, 0);
  CHECK_NEAR (allowance_of (&flow).X_Bps, 10000, 0);
  CHECK_NEAR (state_of (&flow).X, before.X, 0);
  CHECK_NEAR (state_of (&flow).X_Bps, before.X_Bps, 0);
  now = depart_when_due (&flow, 1000, true, now);
  now = depart_when_due (&flow, 1000, true, now);
  CHECK_NEAR (depart_when_due (&flow, 1000, true, now) - now, 1e8, 2e6);
  tfrc_sender_set_coupled_rate (flow.sender, 2 * before.X, now);
  CHECK_NEAR (stats_of (&flow).X, 2 * before.X, 0);
  tfrc_sender_set_coupled_rate (flow.sender, INFINITY, now);
  CHECK_NEAR (stats_of (&flow).X, before.X, 0);
  CHECK_INT (tfrc_sender_set_coupled_rate (flow.sender, INFINITY, now), 0);
  free_flow (&flow);
}

TEST (a_flow_that_begins_anew_is_not_coupled)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);

  tfrc_sender_set_coupled_rate (flow.sender, 100000, MS (20000));
  tfrc_sender_restart (flow.sender, MS (20001));
  CHECK_NEAR (stats_of (&flow).X, 1000, 0);
  free_flow (&flow);
}

TEST (a_part_of_nothing_leaves_a_segment_in_64_seconds)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);

  tfrc_sender_set_coupled_rate (flow.sender, 0, MS (20000));
  CHECK_REL (stats_of (&flow).X, 1000 / 64.0, 1e-9);
  free_flow (&flow);
}

/* RFC 5348 4.3 step 3: two packets at the rate at which they depart. */
TEST (the_nofeedback_timer_waits_for_two_packets_at_the_coupled_rate)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);
  TfrcTime now = MS (20000);

  tfrc_sender_set_coupled_rate (flow.sender, 500, now);
  exchange (&flow, 1000, RTT, 500, 0.01, now);
  CHECK_NEAR (tfrc_sender_next_timer (flow.sender), now + RTT + MS (4000), 1e6);
  free_flow (&flow);
}

TEST (each_expiry_halves_the_rate_until_a_report_comes)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);
  TfrcTime now = tfrc_sender_next_timer (flow.sender);
  uint32_t t_i = depart (&flow, 1000, true, now);

  CHECK (isinf (state_of (&flow).X_max));
  tfrc_sender_set_coupled_rate (flow.sender, 8000, now);
  tfrc_sender_on_timer (flow.sender, now);
  CHECK_NEAR (state_of (&flow).X_max, 4000, 0);
  tfrc_sender_set_coupled_rate (flow.sender, 4000, now);
  t_i = depart (&flow, 1000, true, now);
  now = tfrc_sender_next_timer (flow.sender);
  tfrc_sender_on_timer (flow.sender, now);
  CHECK_NEAR (state_of (&flow).X_max, 2000, 0);
  report (&flow, t_i, 0, 4000, 0.01, now + MS (1));
  CHECK (isinf (state_of (&flow).X_max));
  free_flow (&flow);
}

TEST (the_scale_makes_flows_of_one_loss_rate_equal)
{
  static const uint32_t sizes[] = { 100, 172, 500, 1200 };

  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (sizes); i++) {
      Flow flow =
          run_flow (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, sizes[i], 0.02,
          true);
      TfrcFlowState state = state_of (&flow);
      double R = stats_of (&flow).R;

      NOTE ("mode %u, %u bytes", mode, sizes[i]);
      CHECK_REL (state.X_Bps * state.scale, tfrc_equation_rate (1460, R, 4 * R,
              stats_of (&flow).p), 1e-9);
      free_flow (&flow);
    }
}

TEST (a_flow_that_is_limited_by_its_rate_can_use_any)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);

  CHECK (isinf (state_of (&flow).X_used));
  free_flow (&flow);
}

TEST (a_data_limited_flow_uses_a_quarter_more_than_arrives)
{
  Flow flow = run_flow (TFRC_MODE_TFRC_SP, 172, 0.001, false);

  CHECK (stats_of (&flow).data_limited);
  CHECK_REL (state_of (&flow).X_used, 1.25 * stats_of (&flow).recv_limit / 2,
      1e-9);
  CHECK_BETWEEN (state_of (&flow).X_used, 1.25 * stats_of (&flow).X_recv,
      1.27 * stats_of (&flow).X_recv);
  free_flow (&flow);
}

TEST (an_idle_flow_may_send_one_packet_in_four_round_trips)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);
  TfrcTime now = tfrc_sender_next_timer (flow.sender);

  depart (&flow, 1000, false, now);
  tfrc_sender_on_timer (flow.sender, now);      /* packets were sent since it was set */
  CHECK (isinf (state_of (&flow).X_used));
  now = tfrc_sender_next_timer (flow.sender);
  tfrc_sender_on_timer (flow.sender, now);
  CHECK_REL (state_of (&flow).X_used, 1000 / 0.4, 1e-6);
  CHECK (state_of (&flow).idle);
  depart (&flow, 1000, false, now);
  CHECK (isinf (state_of (&flow).X_used));
  free_flow (&flow);
}

TEST (a_state_counts_reports_and_loss_events)
{
  Flow flow = run_flow (TFRC_MODE_TFRC, 1000, 0.01, true);

  CHECK_INT (state_of (&flow).reports, 30);
  CHECK_INT (state_of (&flow).losses, 1);
  CHECK_NEAR (state_of (&flow).R, 1e8, 1e5);
  CHECK_NEAR (state_of (&flow).X_recv, stats_of (&flow).X_recv, 0);
  free_flow (&flow);
}
