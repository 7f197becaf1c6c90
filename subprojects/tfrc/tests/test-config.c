/* libtfrc: tests of the configuration
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include <tfrc/equation.h>

static TfrcConfig config;

static void
start (TfrcMode mode)
{
  tfrc_config_init (&config, mode);
}

/* The configuration is refused by a sentence about `setting` that names a remedy. */
static void
check_refused (const char *setting)
{
  const char *reason = tfrc_config_check (&config);

  CHECK (reason != NULL);
  if (strncmp (reason, setting, strlen (setting)) != 0
      || reason[strlen (setting)] != ':')
    FAIL ("refused for another reason: %s", reason);
  CHECK (strlen (reason) > strlen (setting) + 20);
  CHECK (strpbrk (reason + strlen (setting), "0123456789;") != NULL);
}

/* FIELD at BAD is refused, at GOOD accepted. */
#define CHECK_LIMIT(FIELD, GOOD, BAD) do {                                      \
    TfrcConfig saved_ = config;                                                 \
    NOTE ("%s = %s", #FIELD, #GOOD);                                            \
    config.FIELD = (GOOD);                                                      \
    if (tfrc_config_check (&config))                                            \
      FAIL ("refused: %s", tfrc_config_check (&config));                        \
    NOTE ("%s = %s", #FIELD, #BAD);                                             \
    config.FIELD = (BAD);                                                       \
    check_refused (#FIELD);                                                     \
    config = saved_;                                                            \
  } while (0)

TEST (the_defaults_are_those_of_the_rfcs_in_both_modes)
{
  for (int mode = TFRC_MODE_TFRC; mode <= TFRC_MODE_TFRC_SP; mode++) {
    start ((TfrcMode) mode);
    CHECK (tfrc_config_check (&config) == NULL);
    CHECK_INT (config.mode, mode);
    CHECK_INT (config.measure, TFRC_MEASURE_RFC);
    CHECK_INT (config.pacing, TFRC_PACING_RFC);
    CHECK_INT (config.H, 40);
    CHECK_INT (config.mss, 1460);
    CHECK_INT (config.feedbacks_per_rtt, 1);
    CHECK_INT (config.t_RTO_min, 0);
    CHECK_INT (config.initial_rtt, 0);
    CHECK (config.t_RTO_R == 4.0 && config.q == 0.9 && config.g == 0.0);
    CHECK (config.oscillation_reduction && config.history_discounting
        && !config.dscp_set);
  }
}

TEST (the_nominal_size_is_1460_or_a_smaller_mss)
{
  static const struct
  {
    uint32_t mss, s;
    double X;
  } cases[] = {
    {9000, 1460, 25843.49}, {1460, 1460, 25843.49}, {1459, 1459, 25825.79},
    {1200, 1200, 21241.22}, {536, 536, 9487.75}, {535, 535, 9470.04}, {500, 500,
        8850.51},
  };

  start (TFRC_MODE_TFRC_SP);
  for (size_t i = 0; i < N_OF (cases); i++) {
    NOTE ("mss %u", cases[i].mss);
    config.mss = cases[i].mss;
    CHECK_INT (tfrc_config_get_nominal_size (&config), cases[i].s);
    CHECK_REL (tfrc_equation_rate (tfrc_config_get_equation_size (&config, 160),
            0.1, 0.4, 0.1), cases[i].X, 1e-6);
  }
}

TEST (the_payload_size_moves_the_equation_of_standard_tfrc_alone)
{
  start (TFRC_MODE_TFRC);
  CHECK (tfrc_config_get_equation_size (&config, 160) == 160);
  CHECK (tfrc_config_get_equation_size (&config, 1200) == 1200);
  start (TFRC_MODE_TFRC_SP);
  CHECK (tfrc_config_get_equation_size (&config, 160) == 1460);
  CHECK (tfrc_config_get_equation_size (&config, 1200) == 1460);
  config.max_packet_size = 400;
  CHECK (tfrc_config_get_equation_size (&config, 160) == 1460);
}

TEST (a_wbl04_measure_puts_its_reference_packet_into_the_equation)
{
  for (int measure = TFRC_MEASURE_RFC; measure <= TFRC_MEASURE_GRADUAL;
      measure++) {
    bool wbl04 = measure != TFRC_MEASURE_RFC && measure != TFRC_MEASURE_GRADUAL;

    NOTE ("measure %d", measure);
    start (TFRC_MODE_TFRC_SP);
    config.measure = (TfrcMeasure) measure;
    config.S = 1000;
    CHECK (tfrc_config_check (&config) == NULL);
    CHECK (tfrc_config_get_equation_size (&config,
            100) == (wbl04 ? 1000 : 1460));
  }
}

TEST (each_setting_is_refused_outside_its_range_with_its_name)
{
  start (TFRC_MODE_TFRC);
  CHECK_LIMIT (mode, TFRC_MODE_TFRC_SP, (TfrcMode) 2);
  CHECK_LIMIT (measure, TFRC_MEASURE_LIP_SCALE, (TfrcMeasure) 9);
  CHECK_LIMIT (pacing, TFRC_PACING_FLUID, (TfrcPacing) 2);
  CHECK_LIMIT (mss, 28, 27);
  CHECK_LIMIT (mss, 65527, 65528);
  CHECK_LIMIT (max_packet_size, 1460, 1461);
  CHECK_LIMIT (H, 0, 1501);
  CHECK_LIMIT (H, 1500, UINT32_MAX);
  CHECK_LIMIT (t_RTO_R, 1e-3, 0.0);
  CHECK_LIMIT (t_RTO_R, 64.0, 64.1);
  CHECK_LIMIT (t_RTO_R, 4.0, (double) NAN);
  CHECK_LIMIT (t_RTO_min, 64 * TFRC_SEC, 64 * TFRC_SEC + 1);
  CHECK_LIMIT (t_gran, TFRC_SEC, TFRC_SEC + 1);
  CHECK_LIMIT (t_gran, 0, TFRC_TIME_NONE);
  CHECK_LIMIT (initial_rtt, 16777214 * TFRC_USEC, 16777215 * TFRC_USEC);
  CHECK_LIMIT (q, 0.0, -0.001);
  CHECK_LIMIT (q, 0.999, 1.0);
  CHECK_LIMIT (q, 0.9, (double) NAN);
  CHECK_LIMIT (feedbacks_per_rtt, 1, 0);
  CHECK_LIMIT (feedbacks_per_rtt, 4, 5);
  CHECK_LIMIT (history_packets, 64, 63);
  CHECK_LIMIT (history_packets, 64, 32);
  CHECK_LIMIT (history_packets, 1u << 20, 1u << 21);
  CHECK_LIMIT (history_packets, 4096, 4097);
  CHECK_LIMIT (history_packets, 0, 3000);
}

TEST (small_packet_mode_is_refused_for_packets_over_1500_bytes)
{
  start (TFRC_MODE_TFRC_SP);
  config.mss = 8960;
  CHECK_LIMIT (max_packet_size, 1460, 1461);
  CHECK_LIMIT (max_packet_size, 160, 1600);
  config.mode = TFRC_MODE_TFRC;
  CHECK_LIMIT (max_packet_size, 1600, 8961);
}

TEST (small_packet_mode_is_refused_without_knowledge_of_the_mtu)
{
  start (TFRC_MODE_TFRC_SP);
  CHECK_LIMIT (mss, 536, 0);
}

TEST (a_guaranteed_rate_needs_an_explicit_dscp)
{
  start (TFRC_MODE_TFRC);
  CHECK_LIMIT (g, 0.0, 1e5);
  config.dscp_set = true;
  CHECK_LIMIT (g, 1e5, -1.0);
  CHECK_LIMIT (g, 1e12, 1.1e12);
  CHECK_LIMIT (g, 0.0, (double) NAN);
  CHECK_LIMIT (g, 0.0, INFINITY);
}

TEST (the_drop_tail_factor_is_for_virtual_packets_in_byte_mode_alone)
{
  for (int measure = TFRC_MEASURE_RFC; measure <= TFRC_MEASURE_GRADUAL;
      measure++) {
    start (TFRC_MODE_TFRC_SP);
    config.measure = (TfrcMeasure) measure;
    NOTE ("measure %d", measure);
    CHECK (tfrc_config_check (&config) == NULL);
    if (measure == TFRC_MEASURE_VIRTUAL_BYTE)
      CHECK_LIMIT (byte_mode_factor, 2.0, 2.01);
    else
      CHECK_LIMIT (byte_mode_factor, 1.0, 2.0);
    CHECK_LIMIT (byte_mode_factor, 1.0, 0.99);
    CHECK_LIMIT (byte_mode_factor, 1.0, (double) NAN);
  }
}

TEST (scaling_the_insensitive_period_has_no_byte_mode)
{
  start (TFRC_MODE_TFRC);
  config.measure = TFRC_MEASURE_LIP_SCALE;
  config.byte_mode_factor = 2.0;
  check_refused ("byte_mode_factor");
  CHECK (strstr (tfrc_config_check (&config), "no byte mode") != NULL);
}

TEST (the_reference_packet_fits_the_path_and_holds_the_flows_packets)
{
  start (TFRC_MODE_TFRC);
  config.measure = TFRC_MEASURE_VIRTUAL_PACKET;
  CHECK_LIMIT (S, 1460, 1461);
  CHECK_LIMIT (S, 28, 27);
  config.S = 1000;
  CHECK_LIMIT (max_packet_size, 1000, 1001);
  config.measure = TFRC_MEASURE_RFC;
  CHECK_LIMIT (max_packet_size, 1001, 1461);
}

TEST (the_gradual_rule_is_for_small_packet_mode_alone)
{
  start (TFRC_MODE_TFRC_SP);
  CHECK_LIMIT (measure, TFRC_MEASURE_GRADUAL, (TfrcMeasure) - 1);
  start (TFRC_MODE_TFRC);
  CHECK_LIMIT (measure, TFRC_MEASURE_RFC, TFRC_MEASURE_GRADUAL);
}

TEST (a_limit_of_waiting_packets_needs_fluid_pacing)
{
  start (TFRC_MODE_TFRC);
  CHECK_LIMIT (mppn, 0, 1);
  config.pacing = TFRC_PACING_FLUID;
  CHECK (tfrc_config_check (&config) == NULL);
  config.mppn = 2;
  CHECK (tfrc_config_check (&config) == NULL);
}
