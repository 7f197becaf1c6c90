/* libtfrc: tests of what a loss interval is measured in
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "core/loss-interval-measure.h"

#define MS TFRC_MSEC

static TfrcConfig config;
static TfrcContext context;

static void
start (TfrcMode mode, TfrcMeasure measure)
{
  tfrc_config_init (&config, mode);
  config.measure = measure;
  config.S = 1000;
  config.seed = 4711;
  CHECK (tfrc_config_check (&config) == NULL);
  context = (TfrcContext) {.R = 100 * MS, .s = 100.0};
}

static double
get_length (uint64_t units, uint64_t K, TfrcTime duration)
{
  TfrcSpan span = { .units = units, .K = K, .duration = duration };

  return tfrc_loss_measure_get_length (&config, &context, &span);
}

TEST (standard_tfrc_counts_packets_however_many_were_lost)
{
  start (TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  CHECK_NEAR (get_length (12, 3, 150 * MS), 12.0, 0.0);
  CHECK_NEAR (get_length (12, 3, 0), 12.0, 0.0);
  CHECK (!tfrc_loss_measure_leaves_out (&config, &context, 0));
  CHECK_INT (tfrc_loss_measure_get_n (&config, &context), 8);
  CHECK_INT (tfrc_loss_measure_get_threshold (&config), 1);
  CHECK_INT (tfrc_loss_measure_get_period (&config, &context), 100 * MS);
}

TEST (a_short_interval_is_N_over_K_in_tfrc_sp)
{
  start (TFRC_MODE_TFRC_SP, TFRC_MEASURE_RFC);
  CHECK_NEAR (get_length (12, 3, 150 * MS), 4.0, 1e-12);
  CHECK_NEAR (get_length (10, 3, 150 * MS), 10.0 / 3.0, 1e-12);
  CHECK_NEAR (get_length (7, 2, 150 * MS), 3.5, 1e-12);
  CHECK_NEAR (get_length (8, 8, 0), 1.0, 1e-12);
}

TEST (two_round_trip_times_are_short_and_more_are_not)
{
  start (TFRC_MODE_TFRC_SP, TFRC_MEASURE_RFC);
  CHECK_NEAR (get_length (40, 2, 200 * MS), 20.0, 1e-12);
  CHECK_NEAR (get_length (40, 2, 200 * MS + 1), 40.0, 1e-12);
  CHECK (tfrc_loss_measure_leaves_out (&config, &context, 200 * MS));
  CHECK (!tfrc_loss_measure_leaves_out (&config, &context, 200 * MS + 1));
}

TEST (the_gradual_rule_takes_fewer_losses_the_longer_the_interval)
{
  start (TFRC_MODE_TFRC_SP, TFRC_MEASURE_GRADUAL);
  CHECK_NEAR (get_length (360, 9, 50 * MS), 40.0, 1e-9);
  CHECK_NEAR (get_length (360, 9, 100 * MS), 40.0, 1e-9);
  CHECK_NEAR (get_length (360, 9, 200 * MS), 60.0, 1e-9);
  CHECK_NEAR (get_length (360, 9, 300 * MS), 120.0, 1e-9);
  CHECK_NEAR (get_length (360, 9, 400 * MS), 360.0, 1e-9);
  CHECK_NEAR (get_length (360, 9, 500 * MS), 360.0, 1e-9);
  /* in between, in between */
  CHECK_NEAR (get_length (360, 9, 150 * MS), 360.0 / 7.5, 1e-9);
  /* one loss always counts */
  CHECK_NEAR (get_length (360, 2, 300 * MS), 360.0, 1e-9);
  CHECK (tfrc_loss_measure_leaves_out (&config, &context, 399 * MS));
  CHECK (!tfrc_loss_measure_leaves_out (&config, &context, 400 * MS));
}

/* N eta packets arrive in each round-trip time. */
static double
get_unbiased (uint64_t units, double N_eta)
{
  return get_length (units, 1, (TfrcTime) llround (units / N_eta * 100.0 * MS));
}

TEST (unbiasing_subtracts_what_small_packets_add)
{
  for (size_t i = 0; i < N_OF (v_wbl04_expectations); i++) {
    const struct v_wbl04_expectations *v = &v_wbl04_expectations[i];
    double theta = floor (v->packet_mode.measured), rest =
        v->packet_mode.measured - theta;

    NOTE ("vector %zu", i);
    start (TFRC_MODE_TFRC, TFRC_MEASURE_UNBIAS_PACKET);
    context.s = 1000.0 / v->eta;
    /* the vector's lengths are expectations, an interval is a whole number */
    CHECK_NEAR (get_unbiased ((uint64_t) theta,
            v->N_large_packets_per_RTT * v->eta) + rest,
        v->packet_mode.unbiased, 1e-6);
    theta = floor (v->byte_mode.measured);
    rest = v->byte_mode.measured - theta;
    start (TFRC_MODE_TFRC, TFRC_MEASURE_UNBIAS_BYTE);
    context.s = 1000.0 / v->eta;
    CHECK_NEAR (get_length ((uint64_t) theta, 1, TFRC_SEC) + rest / v->eta,
        v->byte_mode.unbiased, 1e-9);
  }
}

TEST (unbiasing_leaves_at_least_one_packet)
{
  start (TFRC_MODE_TFRC, TFRC_MEASURE_UNBIAS_PACKET);
  /* all within the period: packets of S */
  CHECK_NEAR (get_length (50, 1, 50 * MS), 5.0, 1e-12);
  CHECK_NEAR (get_length (50, 1, 100 * MS), 5.0, 1e-12);
  CHECK_NEAR (get_length (5, 1, 100 * MS), 1.0, 0.0);
  start (TFRC_MODE_TFRC, TFRC_MEASURE_UNBIAS_BYTE);
  CHECK_NEAR (get_length (3, 1, TFRC_SEC), 1.0, 0.0);
}

TEST (virtual_packets_count_bytes_of_every_packet_as_it_is)
{
  uint64_t bytes = 0, want = 0;

  for (TfrcMeasure measure = TFRC_MEASURE_VIRTUAL_PACKET;
      measure <= TFRC_MEASURE_VIRTUAL_BYTE; measure++) {
    start (TFRC_MODE_TFRC, measure);
    bytes = want = 0;
    for (uint32_t size = 50; size <= 350; size++) {
      bytes += tfrc_loss_measure_count_received (&config, size, size);
      bytes += tfrc_loss_measure_count_lost (&config, size, size);
      want += 2 * size;
    }
    CHECK_INT (bytes, want);
    CHECK_NEAR (get_length (39000, 3, TFRC_SEC), 39.0, 1e-12);
    CHECK_NEAR (get_length (1100, 3, TFRC_SEC), 1.1, 1e-12);
    CHECK_INT (tfrc_loss_measure_get_unit (&config, &context), 100);
    CHECK_INT (tfrc_loss_measure_get_period (&config, &context), 100 * MS);
  }
}

TEST (an_event_of_virtual_packets_is_S_bytes_lost_in_packet_mode_and_any_loss_in_byte_mode)
{
  start (TFRC_MODE_TFRC, TFRC_MEASURE_VIRTUAL_PACKET);
  CHECK_INT (tfrc_loss_measure_get_threshold (&config), 1000);
  start (TFRC_MODE_TFRC, TFRC_MEASURE_VIRTUAL_BYTE);
  CHECK_INT (tfrc_loss_measure_get_threshold (&config), 1);
}

TEST (behind_a_drop_tail_queue_in_bytes_what_comes_after_the_period_counts_half)
{
  start (TFRC_MODE_TFRC, TFRC_MEASURE_VIRTUAL_BYTE);
  config.byte_mode_factor = 2.0;
  CHECK (tfrc_config_check (&config) == NULL);
  /* 1 s at 40 packets of S in a second, 100 ms of it within the period */
  CHECK_NEAR (get_length (40000, 1, TFRC_SEC), 4.0 + 18.0, 1e-9);
  CHECK_NEAR (get_length (40000, 1, 50 * MS), 40.0, 1e-9);
}

TEST (the_sample_holds_a_packet_with_probability_s_over_S)
{
  start (TFRC_MODE_TFRC, TFRC_MEASURE_SAMPLE_PACKET);
  for (uint32_t size = 100; size <= 1200; size += 100) {
    double share = size < 1000 ? size / 1000.0 : 1.0;
    uint64_t received = 0, lost = 0;

    for (uint64_t seq = 70000; seq < 1070000; seq++) {
      received += tfrc_loss_measure_count_received (&config, seq, size);
      lost += tfrc_loss_measure_count_lost (&config, seq, size);
    }
    NOTE ("size %u", size);
    /* four standard deviations */
    CHECK_NEAR (received, share * 1e6,
        4.0 * sqrt (share * (1.0 - share) * 1e6));
    CHECK_INT (lost, received);
  }
}

TEST (in_byte_mode_every_loss_is_in_the_sample)
{
  uint64_t received = 0, lost = 0;

  start (TFRC_MODE_TFRC, TFRC_MEASURE_SAMPLE_BYTE);
  for (uint64_t seq = 70000; seq < 80000; seq++) {
    received += tfrc_loss_measure_count_received (&config, seq, 100);
    lost += tfrc_loss_measure_count_lost (&config, seq, 100);
  }
  CHECK_INT (lost, 10000);
  CHECK_NEAR (received, 1000.0, 120.0);
}

TEST (a_sample_is_drawn_by_the_seed_and_the_number_alone)
{
  unsigned same = 0;
  TfrcConfig other;

  start (TFRC_MODE_TFRC, TFRC_MEASURE_SAMPLE_PACKET);
  other = config;
  other.seed++;
  for (uint64_t seq = 70000; seq < 80000; seq++) {
    uint64_t one = tfrc_loss_measure_count_received (&config, seq, 500);

    CHECK_INT (tfrc_loss_measure_count_received (&config, seq, 500), one);
    same += tfrc_loss_measure_count_received (&other, seq, 500) == one;
  }
  CHECK_NEAR (same, 5000.0, 200.0);
}

TEST (a_gap_counts_as_much_as_its_packets)
{
  static const TfrcMeasure measures[] = {
    TFRC_MEASURE_RFC, TFRC_MEASURE_VIRTUAL_PACKET, TFRC_MEASURE_SAMPLE_PACKET,
    TFRC_MEASURE_SAMPLE_BYTE
  };

  for (unsigned i = 0; i < N_OF (measures); i++) {
    TfrcSequenceGap gap;
    uint64_t units = 0;

    start (TFRC_MODE_TFRC, measures[i]);
    tfrc_sequence_gap_open (&gap, 70000, 1, 70501, 2);
    gap.size = 300;
    for (uint64_t seq = 70001; seq < 70501; seq++)
      units += tfrc_loss_measure_count_lost (&config, seq, 300);
    NOTE ("measure %u", i);
    CHECK_INT (tfrc_loss_measure_count_gap (&config, &gap), units);
  }
}

TEST (a_scaled_period_and_history_are_those_of_packets_of_S)
{
  for (size_t i = 0; i < N_OF (v_wbl04_expectations); i++) {
    const struct v_wbl04_expectations *v = &v_wbl04_expectations[i];

    NOTE ("vector %zu", i);
    start (TFRC_MODE_TFRC, TFRC_MEASURE_LIP_SCALE);
    context.s = 1000.0 / v->eta;
    CHECK_NEAR ((double) tfrc_loss_measure_get_period (&config,
            &context) / (100.0 * MS), v->lip_scaling_factor, 1e-8);
    CHECK_INT (tfrc_loss_measure_get_n (&config, &context),
        v->history_scaled_from_8);
    CHECK_NEAR (get_length (59, 3, 0), 59.0, 0.0);
  }
}

TEST (a_packet_larger_than_S_scales_nothing)
{
  start (TFRC_MODE_TFRC, TFRC_MEASURE_LIP_SCALE);
  context.s = 1400.0;
  CHECK_INT (tfrc_loss_measure_get_period (&config, &context), 100 * MS);
  CHECK_INT (tfrc_loss_measure_get_n (&config, &context), 8);
  context.s = 0.0;
  CHECK_INT (tfrc_loss_measure_get_n (&config, &context), 8);
  context.s = 1.0;
  CHECK_INT (tfrc_loss_measure_get_n (&config, &context), TFRC_INTERVALS_MAX);
}

TEST (a_measure_of_wbl04_takes_the_place_of_the_short_interval_rule)
{
  start (TFRC_MODE_TFRC_SP, TFRC_MEASURE_VIRTUAL_PACKET);
  CHECK_NEAR (get_length (12000, 3, 150 * MS), 12.0, 1e-12);
  CHECK (!tfrc_loss_measure_leaves_out (&config, &context, 0));
}

TEST (the_measure_is_that_of_the_rfc_unless_asked_for)
{
  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  CHECK_INT (config.measure, TFRC_MEASURE_RFC);
  tfrc_config_init (&config, TFRC_MODE_TFRC);
  CHECK_INT (config.measure, TFRC_MEASURE_RFC);
}
