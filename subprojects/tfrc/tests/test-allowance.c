/* libtfrc: tests of what an encoder may use
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"
#include "vectors.h"

TEST (the_payload_left_is_that_of_rfc_4828_6)
{
  for (size_t i = 0; i < N_OF (v_adaptive_packet_size); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    double pps = v_adaptive_packet_size[i].pps, bitrate;
    TfrcAllowance allowance;
    Flow flow;

    NOTE ("p %g, %g packets/s", v_adaptive_packet_size[i].p, pps);
    config.H = (uint32_t) v_adaptive_packet_size[i].H;
    flow = make_flow (&config, 0);
    exchange (&flow, 160, MS (v_adaptive_packet_size[i].R * 1e3), 0,
        v_adaptive_packet_size[i].p, MS (1000));
    allowance = allowance_of (&flow);
    CHECK_REL (allowance.X_wire, v_adaptive_packet_size[i].X_wire_Bps, 1e-7);
    /* exact but for the 32 bits of p */
    allowance.X_wire = v_adaptive_packet_size[i].X_wire_Bps;
    bitrate =
        tfrc_allowance_get_bitrate (&allowance, config.mode, config.H, pps, 0);
    CHECK_REL (bitrate, v_adaptive_packet_size[i].max_codec_bps, 1e-9);
    CHECK_REL (bitrate / 8 / pps, v_adaptive_packet_size[i].max_payload, 1e-9);
    free_flow (&flow);
  }
}

TEST (eight_thousand_bytes_a_second_of_payload_are_64_kbit)
{
  TfrcAllowance allowance = {
    .X = 8000 + 50 * 24,
    .X_wire = 8000 + 50 * (24 + 40)
  };

  CHECK_REL (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC, 40, 50,
          24), 64000, 1e-12);
  CHECK_REL (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC_SP, 40, 50,
          24), 64000, 1e-12);
}

TEST (headers_that_use_up_all_leave_nothing)
{
  TfrcAllowance allowance = { .X = 1000, .X_wire = 3000 };

  CHECK_NEAR (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC, 40, 50,
          24), 0, 0);
  CHECK_NEAR (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC_SP, 40, 50,
          24), 0, 0);
}

/* Video: 300 packets/s of 1024 bytes are made where 25 a second are allowed. */
TEST (packets_beyond_the_allowance_cost_no_headers)
{
  TfrcAllowance allowance = { .X = 25 * 1024, .s = 1024 };

  CHECK_REL (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC, 40, 300,
          24), 25 * 8000, 1e-12);
  CHECK_REL (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC, 40, 20,
          24), 8 * (25 * 1024 - 20 * 24), 1e-12);
}

TEST (longer_packets_leave_more_for_the_payload)
{
  TfrcAllowance allowance = { .X_wire = 7833.81 };

  CHECK_REL (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC_SP, 40, 50,
          0), 46670, 1e-4);
  CHECK_REL (tfrc_allowance_get_bitrate (&allowance, TFRC_MODE_TFRC_SP, 40,
          100 / 6.0, 0), 57337, 1e-4);
}

TEST (the_allowance_names_what_it_was_computed_for)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcAllowance allowance;

  CHECK_NEAR (allowance_of (&flow).R, 0, 0);
  exchange (&flow, 160, MS (100), 0, 0.1, MS (1000));
  allowance = allowance_of (&flow);
  CHECK_NEAR (allowance.s, 160, 0);
  CHECK_REL (allowance.p, 0.1, 1e-7);
  CHECK_REL (allowance.R, 0.1, 1e-9);
  CHECK_NEAR (allowance.max_packet_rate, 100, 1e-9);
  CHECK (!allowance.slow_start);
  CHECK_REL (allowance.X, stats_of (&flow).X, 0);
  free_flow (&flow);

  config = make_config (TFRC_MODE_TFRC);
  flow = make_flow (&config, 0);
  CHECK (isinf (allowance_of (&flow).max_packet_rate));
  CHECK (allowance_of (&flow).slow_start);
  free_flow (&flow);
}
