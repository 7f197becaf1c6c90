/* libtfrc: tests of the throughput equation
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include <tfrc/equation.h>

/* The tests below use t_RTO = 4 R unless they say otherwise. */
static double
rate (double s, double R, double p)
{
  return tfrc_equation_rate (s, R, 4.0 * R, p);
}

TEST (the_rate_is_that_of_rfc_5348_3_1)
{
  for (size_t i = 0; i < N_OF (v_throughput_equation); i++) {
    NOTE ("vector %zu, p %g", i, v_throughput_equation[i].p);
    CHECK_REL (rate (v_throughput_equation[i].s, v_throughput_equation[i].R,
            v_throughput_equation[i].p), v_throughput_equation[i].X_Bps, 1e-12);
  }
}

TEST (the_rate_follows_a_floor_of_one_second_under_t_RTO)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.t_RTO_min = TFRC_SEC;
  for (size_t i = 0; i < N_OF (v_throughput_equation_rto_min_1s); i++) {
    double R = v_throughput_equation_rto_min_1s[i].R;

    NOTE ("vector %zu", i);
    CHECK_REL (tfrc_equation_t_RTO (&config, R),
        v_throughput_equation_rto_min_1s[i].t_RTO, 1e-15);
    CHECK_REL (tfrc_equation_rate (v_throughput_equation_rto_min_1s[i].s, R,
            tfrc_equation_t_RTO (&config, R),
            v_throughput_equation_rto_min_1s[i].p),
        v_throughput_equation_rto_min_1s[i].X_Bps, 1e-12);
  }
}

TEST (t_RTO_is_four_round_trip_times_unless_configured)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  CHECK_REL (tfrc_equation_t_RTO (&config, 0.1), 0.4, 1e-15);
  CHECK_REL (tfrc_equation_t_RTO (&config, 0.001), 0.004, 1e-15);
  config.t_RTO_R = 2.0;
  CHECK_REL (tfrc_equation_t_RTO (&config, 0.1), 0.2, 1e-15);
  config.t_RTO_min = TFRC_SEC;
  CHECK_REL (tfrc_equation_t_RTO (&config, 0.1), 1.0, 1e-15);
  CHECK_REL (tfrc_equation_t_RTO (&config, 0.6), 1.2, 1e-15);
}

TEST (the_simplified_form_gives_the_same_rate)
{
  static const double p[] = { 0.01, 0.1, 1.0 };
  static const double f[] = { 0.0890216424, 0.564939171, 243.315981 };

  for (size_t i = 0; i < N_OF (p); i++)
    CHECK_REL (rate (1460, 0.1, p[i]), 1460 / (0.1 * f[i]), 1e-8);
}

TEST (the_rate_is_linear_in_the_segment_and_in_one_over_R)
{
  for (double p = 1e-6; p <= 1.0; p *= 3.0) {
    CHECK_REL (rate (160, 0.1, p), rate (1460, 0.1, p) * 160 / 1460, 1e-14);
    CHECK_REL (rate (1460, 0.2, p), rate (1460, 0.1, p) / 2, 1e-14);
  }
}

TEST (p_is_limited_to_one_above_and_to_the_wire_unit_below)
{
  CHECK_REL (rate (1460, 0.1, 1.0), 60.004, 1e-5);
  CHECK (rate (1460, 0.1, 1.5) == rate (1460, 0.1, 1.0));
  CHECK (rate (1460, 0.1, INFINITY) == rate (1460, 0.1, 1.0));
  CHECK (rate (1460, 0.1, (double) NAN) == rate (1460, 0.1, 1.0));
  CHECK (rate (1460, 0.1, 0.0) == rate (1460, 0.1, 0x1p-32));
  CHECK (rate (1460, 0.1, -1.0) == rate (1460, 0.1, 0x1p-32));
  CHECK (rate (1460, 0.1, 0x1p-32) > rate (1460, 0.1, 0x1p-31));
}

TEST (there_is_no_clamp_above_eight_twentysevenths)
{
  CHECK_REL (rate (1460, 0.1, 0.5), 609.348, 1e-5);
  CHECK_REL (rate (1460, 0.1, 0.9), 86.046, 1e-5);
  CHECK_REL (rate (1460, 0.1, 0.01), 164005.062, 1e-8);
}

TEST (the_rate_falls_strictly_with_p)
{
  double last = INFINITY;

  for (double p = 1e-8; p <= 1.0; p *= 1.01) {
    CHECK (rate (1460, 0.1, p) < last);
    last = rate (1460, 0.1, p);
  }
}

TEST (the_rate_saturates_and_never_is_infinite)
{
  CHECK_REL (rate (1460, 1e-4, 1e-8), 1.788127e11, 1e-6);
  CHECK_REL (tfrc_equation_rate (1460, 0, 0, 0.1), 1e18, 1e-12);
  CHECK_REL (tfrc_equation_rate (1460, 1e-300, 1e-300, 1e-9), 1e18, 1e-12);
  CHECK (tfrc_equation_rate (0, 0.1, 0.4, 0.1) == 0.0);
  CHECK (tfrc_equation_rate (0, 0, 0, 0.1) == 0.0);
  CHECK (tfrc_equation_rate (-1, 0.1, 0.4, 0.1) == 0.0);
  CHECK (tfrc_equation_rate ((double) NAN, 0.1, 0.4, 0.1) == 0.0);
}

TEST (the_inverse_is_the_p_of_the_rate)
{
  for (size_t i = 0; i < N_OF (v_inverse_equation); i++) {
    double s = v_inverse_equation[i].s, R = v_inverse_equation[i].R;
    double X = v_inverse_equation[i].X_target, p =
        tfrc_equation_loss (s, R, 4 * R, X);

    NOTE ("vector %zu, X %g", i, X);
    CHECK_REL (p, v_inverse_equation[i].p, 2e-12);
    if (v_inverse_equation[i].saturated_at_p1)
      CHECK (p == 1.0);
    else
      CHECK_REL (rate (s, R, p), X, 1e-9);
  }
}

TEST (the_inverse_ends_and_saturates_for_every_target)
{
  static const double low[] = { 60, 30, 1, 0, -5, -INFINITY };
  static const double high[] = { 1e15, 1e18, 1e300, INFINITY };

  for (size_t i = 0; i < N_OF (low); i++)
    CHECK (tfrc_equation_loss (1460, 0.1, 0.4, low[i]) == 1.0);
  for (size_t i = 0; i < N_OF (high); i++)
    CHECK_REL (tfrc_equation_loss (1460, 0.1, 0.4, high[i]), 0x1p-32, 1e-11);
  CHECK_BETWEEN (tfrc_equation_loss (1460, 0.1, 0.4, (double) NAN), 0x1p-32,
      1.0);
  CHECK_BETWEEN (tfrc_equation_loss (0, 0, 0, 1000), 0x1p-32, 1.0);
}

TEST (the_first_interval_comes_from_the_highest_receive_rate)
{
  for (size_t i = 0; i < v_first_loss_interval.n_cases; i++) {
    const struct v_first_loss_interval_cases *v =
        &v_first_loss_interval.cases[i];

    NOTE ("vector %zu", i);
    CHECK_REL (tfrc_equation_loss (v->s, v->R, 4 * v->R, v->X_target), v->p,
        2e-12);
  }
  CHECK_REL (tfrc_equation_loss (1460, 0.1, 0.4, 1460 * 0.5 / 0.1),
      v_first_loss_interval.null_interval_min.p, 2e-12);
}

TEST (the_header_factor_is_s_over_s_plus_H)
{
  for (size_t i = 0; i < N_OF (v_header_factor); i++) {
    NOTE ("vector %zu", i);
    CHECK_REL (tfrc_equation_header_factor (v_header_factor[i].s_true,
            v_header_factor[i].H), v_header_factor[i].factor, 1e-12);
    CHECK_REL (v_header_factor[i].X_in *
        tfrc_equation_header_factor (v_header_factor[i].s_true,
            v_header_factor[i].H), v_header_factor[i].X_out, 1e-12);
  }
  CHECK (tfrc_equation_header_factor (1460, 0) == 1.0);
  CHECK (tfrc_equation_header_factor (0, 0) == 0.0);
  CHECK (tfrc_equation_header_factor (0, 40) == 0.0);
}

/* RFC 4828's printed tables; rates in KB/s on the wire, K = 1000. The tables'
 * own constants are rounded: 0.2 % and half of the last printed digit. */
TEST (the_response_functions_are_those_that_rfc_4828_prints)
{
  unsigned seen[5] = { 0 };

  for (size_t i = 0; i < v_response_function_tables.n_rows; i++) {
    const struct v_response_function_tables_rows *v =
        &v_response_function_tables.rows[i];
    bool sp = v->table == 2 || v->table == 4;
    double wire;

    NOTE ("table %g, segment %g, p %g", v->table, v->segment,
        v->packet_drop_rate);
    wire = rate (sp ? 1500 : v->segment + 40, 0.1, v->packet_drop_rate) / 1000;
    if (sp && wire > 100 * (v->segment + 40) / 1000)
      wire = 100 * (v->segment + 40) / 1000;    /* one packet in 10 ms */
    CHECK_NEAR (wire, v->printed_KBps, v->printed_KBps * 0.002 + 0.005);
    CHECK_REL (wire, v->exact_KBps, 1e-12);
    seen[(unsigned) v->table]++;
  }
  for (unsigned table = 1; table <= 4; table++)
    CHECK (seen[table] > 30);
}

TEST (the_rate_of_small_packets_is_the_nominal_one_less_its_headers)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  for (size_t i = 0; i < N_OF (v_sp_rate_literal); i++) {
    double X = rate (tfrc_config_get_equation_size (&config,
            v_sp_rate_literal[i].s_true),
        v_sp_rate_literal[i].R, v_sp_rate_literal[i].p);

    NOTE ("vector %zu", i);
    CHECK_REL (X, v_sp_rate_literal[i].X_Bps_1460, 1e-12);
    X *= tfrc_equation_header_factor (v_sp_rate_literal[i].s_true, config.H);
    CHECK_REL (X, v_sp_rate_literal[i].after_header_factor, 1e-12);
  }
}

TEST (a_larger_payload_raises_no_wire_rate)
{
  double X = rate (1460, 0.1, 0.2);

  CHECK_REL (X, 7833.806, 1e-6);
  for (double s = 14; s <= 1460; s += 97)
    CHECK_REL (X * tfrc_equation_header_factor (s, 40) * (s + 40) / s, X,
        1e-14);
}

TEST (switching_to_standard_tfrc_changes_the_rate_at_once)
{
  CHECK_REL (rate (100, 0.1, 0.01), 11233.2, 1e-5);
  CHECK_REL (rate (100, 0.1, 0.05), 3685.9, 1e-4);
  CHECK_REL (rate (100, 0.1, 0.1), 1770.1, 1e-4);
}
