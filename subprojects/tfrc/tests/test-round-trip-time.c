/* libtfrc: tests of the round-trip time's filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "sender/round-trip-time.h"

TEST (the_filter_of_R_is_that_of_rfc_5348_4_3)
{
  for (size_t i = 0; i < N_OF (v_rtt_filter); i++) {
    TfrcRtt rtt;

    tfrc_rtt_init (&rtt, v_rtt_filter[i].q);
    CHECK_NEAR (rtt.R, 0, 0);
    for (size_t j = 0; j < v_rtt_filter[i].n_samples_ms; j++) {
      NOTE ("vector %zu, sample %zu", i, j);
      tfrc_rtt_add_sample (&rtt, v_rtt_filter[i].samples_ms[j] * 1e-3);
      CHECK_REL (rtt.R * 1e3, v_rtt_filter[i].R_ms[j], 1e-12);
    }
  }
}

TEST (the_X_inst_is_that_of_rfc_5348_4_5)
{
  for (size_t i = 0; i < N_OF (v_oscillation); i++) {
    TfrcRtt rtt;

    tfrc_rtt_init (&rtt, 0.9);
    CHECK_NEAR (tfrc_rtt_get_inst_factor (&rtt), 1.0, 0);
    for (size_t j = 0; j < v_oscillation[i].n_steps; j++) {
      NOTE ("vector %zu, sample %zu", i, j);
      tfrc_rtt_add_sample (&rtt, v_oscillation[i].steps[j].R_sample);
      CHECK_REL (rtt.R_sqmean, v_oscillation[i].steps[j].R_sqmean, 1e-9);
      CHECK_REL (v_oscillation[i].X * tfrc_rtt_get_inst_factor (&rtt),
          v_oscillation[i].steps[j].X_inst, 1e-9);
    }
  }
}

TEST (the_weight_of_R_mean_is_not_that_of_R)
{
  TfrcRtt rtt;

  tfrc_rtt_init (&rtt, 0.5);
  tfrc_rtt_add_sample (&rtt, 0.1);
  tfrc_rtt_add_sample (&rtt, 0.2);
  CHECK_REL (rtt.R, 0.15, 1e-12);
  CHECK_REL (rtt.R_sqmean, 0.9 * sqrt (0.1) + 0.1 * sqrt (0.2), 1e-12);
}

TEST (an_R_from_elsewhere_counts_until_the_first_sample)
{
  TfrcRtt rtt;

  tfrc_rtt_init (&rtt, 0.9);
  tfrc_rtt_start (&rtt, 0.05);
  CHECK_NEAR (rtt.R, 0.05, 0);
  CHECK_NEAR (tfrc_rtt_get_inst_factor (&rtt), 1.0, 0);
  tfrc_rtt_add_sample (&rtt, 0.2);
  CHECK_NEAR (rtt.R, 0.2, 0);
  tfrc_rtt_start (&rtt, 0.05);
  CHECK_NEAR (rtt.R, 0.2, 0);
}

TEST (the_least_rtt_is_the_least_that_was_measured)
{
  TfrcRtt rtt;

  tfrc_rtt_init (&rtt, 0.9);
  tfrc_rtt_add_bound (&rtt, 0.1);
  CHECK_NEAR (rtt.R_min, 0.1, 0);
  tfrc_rtt_add_bound (&rtt, 0.2);
  CHECK_NEAR (rtt.R_min, 0.1, 0);
  tfrc_rtt_add_bound (&rtt, 0.08);
  CHECK_NEAR (rtt.R_min, 0.08, 0);
}

TEST (jitter_is_the_mean_distance_from_R)
{
  TfrcRtt rtt;

  tfrc_rtt_init (&rtt, 0.9);
  for (unsigned i = 0; i < 1000; i++)
    tfrc_rtt_add_sample (&rtt, i % 2 ? 0.11 : 0.09);
  CHECK_BETWEEN (rtt.jitter, 0.009, 0.0115);
  for (unsigned i = 0; i < 1000; i++)
    tfrc_rtt_add_sample (&rtt, 0.1);
  CHECK_BETWEEN (rtt.jitter, 0.0, 1e-6);
}
