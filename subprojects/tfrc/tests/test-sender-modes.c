/* libtfrc: tests of the sender: TFRC-SP, and a guaranteed rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"
#include "vectors.h"

#include <tfrc/equation.h>

#include "sender/sender-private.h"

/* --- TFRC-SP -------------------------------------------------------------------- */

TEST (in_tfrc_sp_the_equation_has_the_nominal_segment_and_the_header_factor)
{
  static const struct
  {
    uint32_t mss;
    double X_eq;
  } cases[] = {
    {1460, 25843.49033575333}, {1200, 21241.22}, {500, 8850.51},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    for (uint32_t s = 40; s <= 320; s += 40) {
      TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
      Flow flow;

      config.mss = cases[i].mss;
      flow = make_flow (&config, 0);
      exchange (&flow, s, MS (100), 0, 0.1, MS (1000));
      NOTE ("mss %u, s %u", config.mss, s);
      CHECK_REL (stats_of (&flow).X_Bps, cases[i].X_eq * s / (s + 40.0), 1e-6);
      CHECK_REL (allowance_of (&flow).X_wire, cases[i].X_eq, 1e-6);
      free_flow (&flow);
    }
}

/* A flow that changes to TFRC-SP has the rate of a flow that began so, and the other way round. */
TEST (a_change_of_mode_changes_s_headers_and_distance)
{
  TfrcMode modes[] = { TFRC_MODE_TFRC, TFRC_MODE_TFRC_SP };

  for (unsigned i = 0; i < 2; i++) {
    TfrcConfig config = make_config (modes[i]), other =
        make_config (modes[1 - i]);
    Flow flow = make_flow (&config, 0), like = make_flow (&other, 0);
    TfrcTime now = MS (1000);

    NOTE ("from mode %u", modes[i]);
    exchange (&flow, 80, MS (100), 0, 0.01, now);
    exchange (&like, 80, MS (100), 0, 0.01, now);
    CHECK (tfrc_sender_set_mode (flow.sender, modes[i], now) == 0);
    CHECK (tfrc_sender_set_mode (flow.sender, modes[1 - i],
            now) & TFRC_SENDER_RATE);
    now += MS (1000);
    exchange (&flow, 80, MS (100), 0, 0.1, now);
    exchange (&like, 80, MS (100), 0, 0.1, now);
    CHECK_REL (stats_of (&flow).X_Bps, stats_of (&like).X_Bps, 1e-9);
    CHECK_REL (allowance_of (&flow).X_wire, allowance_of (&like).X_wire, 1e-9);
    CHECK (allowance_of (&flow).max_packet_rate ==
        allowance_of (&like).max_packet_rate);
    free_flow (&flow);
    free_flow (&like);
  }
}

TEST (the_header_factor_is_that_of_rfc_4828)
{
  for (size_t i = 0; i < N_OF (v_header_factor); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    uint32_t s = (uint32_t) v_header_factor[i].s_true;
    Flow flow;

    NOTE ("vector %zu", i);
    config.H = (uint32_t) v_header_factor[i].H;
    flow = make_flow (&config, 0);
    exchange (&flow, s, MS (100), 0, 0.1, MS (1000));
    CHECK_REL (stats_of (&flow).X_Bps, tfrc_equation_rate (1460, 0.1, 0.4,
            tfrc_report_decode_p (tfrc_report_encode_p (0.1))) *
        v_header_factor[i].factor, 1e-12);
    free_flow (&flow);
  }
}

TEST (the_header_factor_does_not_slow_the_start)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = MS (1000);

  config.H = 40;
  exchange (&flow, 40, MS (25), 0, 0, now);
  CHECK_REL (stats_of (&flow).X, 6400, 1e-9);
  /* four doublings; each time as much arrives as X lets leave in one R */
  for (unsigned i = 0; i < 8; i++) {
    double X = stats_of (&flow).X;

    now += MS (100);
    for (unsigned j = 0; j < X * 0.025 / 40 - 0.5; j++)
      depart (&flow, 40, true, now);
    report (&flow, flow.stamp.t_i_us, 0, X, 0, now + MS (25));
    if (i == 3)
      CHECK_REL (stats_of (&flow).X, 102400, 1e-9);
  }
  free_flow (&flow);
}

/* Packets a second when the queue is never empty. */
static double
measure_packet_rate (Flow * flow, uint32_t size, TfrcTime now)
{
  TfrcTime first;

  for (unsigned i = 0; i < 1000; i++)   /* the credit goes first */
    now = depart_when_due (flow, size, true, now);
  first = now;
  for (unsigned i = 0; i < 100; i++)
    now = depart_when_due (flow, size, true, now);
  return 100 * 1e9 / (double) (now - first);
}

TEST (tfrc_sp_sends_at_the_rate_of_rfc_4828_3)
{
  for (size_t i = 0; i < N_OF (v_sp_rate_literal); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    uint32_t s = (uint32_t) v_sp_rate_literal[i].s_true;
    Flow flow = make_flow (&config, 0);
    double pps;

    NOTE ("p %g, s %u", v_sp_rate_literal[i].p, s);
    exchange (&flow, s, MS (v_sp_rate_literal[i].R * 1e3), 0,
        v_sp_rate_literal[i].p, MS (1000));
    CHECK_REL (stats_of (&flow).X, v_sp_rate_literal[i].after_header_factor,
        WIRE * 10);
    CHECK_REL (allowance_of (&flow).max_packet_rate * s,
        v_sp_rate_literal[i].cap_100pps, 1e-12);
    pps = measure_packet_rate (&flow, s, MS (2000));
    CHECK_REL (pps, v_sp_rate_literal[i].pps, 1e-6);
    CHECK_REL (pps * s, v_sp_rate_literal[i].X_data_Bps, 1e-6);
    CHECK_REL (pps * (s + 40), v_sp_rate_literal[i].wire_Bps, 1e-6);
    free_flow (&flow);
  }
}

TEST (in_tfrc_sp_a_change_of_size_does_not_change_the_wire_rate)
{
  static const uint32_t sizes[] = { 40, 160, 1000 };

  for (size_t i = 0; i < N_OF (sizes); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    Flow flow = make_flow (&config, 0);

    NOTE ("size %u", sizes[i]);
    exchange (&flow, 160, MS (100), 0, 0.2, MS (1000));
    /* the mean knows nothing yet of the new size */
    CHECK_REL (measure_packet_rate (&flow, sizes[i],
            MS (1200)) * (sizes[i] + 40), 7833.81, 1e-5);
    free_flow (&flow);
  }
}

TEST (s_in_timers_and_floors_of_tfrc_sp_is_the_true_one)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);

  depart (&flow, 160, true, MS (10));
  CHECK_NEAR (stats_of (&flow).X, 160, 0);
  tfrc_sender_on_timer (flow.sender, MS (2010));
  CHECK_NEAR (stats_of (&flow).X, 80, 0);
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (2010) + MS (4000));
  for (unsigned i = 0; i < 10; i++) {
    depart (&flow, 160, true, tfrc_sender_next_timer (flow.sender) - 1);
    tfrc_sender_on_timer (flow.sender, tfrc_sender_next_timer (flow.sender));
  }
  CHECK_NEAR (stats_of (&flow).X, 2.5, 0);
  free_flow (&flow);

  flow = make_flow (&config, 0);
  exchange (&flow, 160, MS (100), 0, 0, MS (10));
  CHECK_REL (stats_of (&flow).X, 6400, 1e-9);
  free_flow (&flow);
}

TEST (without_small_packets_tfrc_sp_is_tfrc)
{
  double X[2];

  for (unsigned mode = 0; mode < 2; mode++) {
    TfrcConfig config = make_config (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
    Flow flow;

    config.H = 0;
    flow = make_flow (&config, 0);
    for (unsigned i = 0; i < 30; i++)
      exchange (&flow, 1460, MS (100 + i), 14600, i > 5 ? 0.2 / i : 0,
          MS (300) * i);
    X[mode] = stats_of (&flow).X;
    free_flow (&flow);
  }
  CHECK_REL (X[0], X[1], 0);
}

TEST (the_header_factor_moves_gradually_when_the_size_changes)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  double before = 0.8, factor = 0.8;

  for (unsigned i = 0; i < 60; i++) {
    TfrcSenderStats stats;

    for (unsigned j = 0; j < 10; j++)
      depart (&flow, i < 20 ? 160 : 80, false, MS (1000) * i + MS (20) * j);
    exchange (&flow, i < 20 ? 160 : 80, MS (100), 8000, 0.1 + 0.001 * (i % 2),
        MS (1000) * i + MS (500));
    stats = stats_of (&flow);
    factor =
        stats.X_Bps / tfrc_equation_rate (1460, stats.R, 4 * stats.R, stats.p);
    CHECK (factor <= before + 1e-9 && before - factor < 0.05);
    before = factor;
  }
  CHECK_REL (factor, 80.0 / 120.0, 1e-9);
  free_flow (&flow);
}

/* --- gTFRC ------------------------------------------------------------------------ */

static Flow
make_guaranteed_flow (double g, TfrcMode mode)
{
  TfrcConfig config = make_config (mode);

  config.g = g;
  config.dscp_set = true;
  return make_flow (&config, 0);
}

TEST (a_guaranteed_rate_is_a_floor_under_X)
{
  for (size_t i = 0; i < N_OF (v_gtfrc); i++) {
    Flow flow = make_guaranteed_flow (v_gtfrc[i].g, TFRC_MODE_TFRC);

    exchange (&flow, 1460, MS (100), 0, 0.01, MS (1000));
    flow.sender->rate.X_recv_set.X_recv[0] = v_gtfrc[i].X / 2;
    flow.sender->rate.X_recv_set.at[0] = MS (1000);
    exchange (&flow, 1460, MS (100), 1, 0.01, MS (1101));
    NOTE ("vector %zu", i);
    CHECK_REL (stats_of (&flow).X, fmax (v_gtfrc[i].X, 22.8125), 1e-9);
    CHECK_REL (stats_of (&flow).G, fmax (v_gtfrc[i].G, 22.8125), 1e-9);
    CHECK_REL (allowance_of (&flow).X, stats_of (&flow).G, 1e-12);
    CHECK_REL (measure_packet_rate (&flow, 1460, MS (1300)) * 1460,
        stats_of (&flow).G, 1e-6);
    free_flow (&flow);
  }
}

TEST (no_guaranteed_rate_is_plain_tfrc_bit_for_bit)
{
  static TfrcSenderStats plain[200], zero[200];
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0), marked =
      make_guaranteed_flow (0, TFRC_MODE_TFRC);

  run_lossy (&flow, plain, 200);
  run_lossy (&marked, zero, 200);
  for (unsigned i = 0; i < 200; i++)
    CHECK (is_same (&plain[i], &zero[i]));
  CHECK_INT (tfrc_sender_next_departure (flow.sender, 1000),
      tfrc_sender_next_departure (marked.sender, 1000));
  free_flow (&flow);
  free_flow (&marked);
}

TEST (a_guaranteed_rate_leaves_X_p_and_R_as_they_are)
{
  static TfrcSenderStats plain[200], floored[200];
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0), other =
      make_guaranteed_flow (1e6, TFRC_MODE_TFRC);

  run_lossy (&flow, plain, 200);
  run_lossy (&other, floored, 200);
  for (unsigned i = 0; i < 200; i++) {
    NOTE ("report %u", i);
    CHECK_REL (floored[i].X, plain[i].X, 0);
    CHECK_REL (floored[i].p, plain[i].p, 0);
    CHECK_REL (floored[i].R, plain[i].R, 0);
    CHECK_REL (floored[i].G, 1e6, 0);
  }
  free_flow (&flow);
  free_flow (&other);
}

TEST (the_guarantee_rests_from_an_expiry_to_the_next_report)
{
  Flow flow = make_guaranteed_flow (1e5, TFRC_MODE_TFRC);

  CHECK_REL (stats_of (&flow).G, 1460, 1e-12);  /* not before there is an R */
  exchange (&flow, 1460, MS (100), 0, 0, MS (1000));
  CHECK_REL (stats_of (&flow).G, 1e5, 1e-12);
  depart (&flow, 1460, true, MS (1200));
  CHECK (tfrc_sender_on_timer (flow.sender,
          tfrc_sender_next_timer (flow.sender))
      & TFRC_SENDER_RATE);
  CHECK_REL (stats_of (&flow).G, stats_of (&flow).X, 1e-12);
  CHECK_REL (allowance_of (&flow).X, stats_of (&flow).X, 1e-12);
  CHECK (stats_of (&flow).X < 1e5);
  exchange (&flow, 1460, MS (100), 14600, 0, MS (5000));
  CHECK_REL (stats_of (&flow).G, 1e5, 1e-12);
  free_flow (&flow);
}

TEST (the_guarantee_does_not_shorten_the_min_interval)
{
  Flow flow = make_guaranteed_flow (1e6, TFRC_MODE_TFRC_SP);
  TfrcTime now = MS (2000);

  exchange (&flow, 160, MS (100), 0, 0.3, MS (1000));
  for (unsigned i = 0; i < 100; i++) {
    TfrcTime t = depart_when_due (&flow, 160, true, now);

    CHECK (i == 0 || t == now + MS (10));
    now = t;
  }
  free_flow (&flow);
}
