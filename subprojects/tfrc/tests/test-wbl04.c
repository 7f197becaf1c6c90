/* libtfrc: the measures of WBL04 under the losses for which the paper has formulas
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Packets leave evenly, each is lost with probability p of its own, and the
 * loss-insensitive period lasts as many packets as the paper counts in it.
 * E and Var of the loss interval are then known (WBL04 2.2 and 3). */
#include "test.h"
#include "vectors.h"

#include "receiver/loss-history.h"

#define S_REF 1000
#define SPACING TFRC_MSEC
#define PACKETS 1000000u

typedef struct
{
  double n, mean, variance;
} Sample;

static TfrcConfig config;
static TfrcLossHistory history;
static TfrcInterval room[2 * TFRC_INTERVALS_MAX];
static double byte_mode_factor = 1.0;

static double
draw (uint64_t * state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double) (*state >> 11) * 0x1p-53;
}

static void
add (Sample * sample, double I)
{
  double delta = I - sample->mean;

  sample->n++;
  sample->mean += delta / sample->n;
  sample->variance += delta * (I - sample->mean);
}

/* The loss intervals of a flow of packets of S / eta, whose period lasts `period`
 * packets. */
static Sample
measure (TfrcMeasure kind, double eta, double period, double p,
    unsigned packets)
{
  TfrcContext context = {
    .R = (TfrcTime) (period * SPACING),
    .s = S_REF / eta
  };
  TfrcArrival arrival = { .seq = 1 << 17, .size = (uint32_t) (S_REF / eta) };
  TfrcArrivalKind arrival_kind;
  TfrcTime now = TFRC_SEC;
  uint64_t seed = 88172645463325252u, events = 1;
  Sample sample = { 0 };

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.measure = kind;
  config.S = S_REF;
  config.seed = 20260721;
  config.byte_mode_factor = byte_mode_factor;
  CHECK (tfrc_config_check (&config) == NULL);
  tfrc_loss_history_init (&history, &config, room, &arrival, now);
  for (unsigned i = 0; i < packets; i++, arrival.seq++, now += SPACING) {
    if (i > 0 && draw (&seed) < p)
      continue;
    arrival.units =
        tfrc_loss_measure_count_received (&config, arrival.seq, arrival.size);
    tfrc_loss_history_on_packet (&history, &config, &arrival, &context,
        &arrival_kind, now);
    for (; events < history.current.events; events++) {
      unsigned age = (unsigned) (history.current.events - events - 1);

      add (&sample, tfrc_intervals_get_closed (&history.current, age + 1)->I);
    }
  }
  sample.variance /= sample.n - 1.0;
  return sample;
}

/* Four standard errors on either side. */
static void
check (const char *what, size_t vector, Sample sample, double mean,
    double variance)
{
  NOTE ("%s, vector %zu, %g intervals", what, vector, sample.n);
  CHECK (sample.n > 500);
  CHECK_NEAR (sample.mean, mean, 4.0 * sqrt (variance / sample.n));
  CHECK_REL (sample.variance, variance, 4.0 * sqrt (8.0 / sample.n));
}

#define FOR_EACH_VECTOR(i, v)                                                   \
  for (size_t i = 0; i < N_OF (v_wbl04_expectations); i++)                      \
    for (const struct v_wbl04_expectations *v = &v_wbl04_expectations[i]; v; v = NULL)

TEST (a_flow_of_large_packets_sees_the_reference_interval)
{
  FOR_EACH_VECTOR (i, v)
      check ("reference", i, measure (TFRC_MEASURE_RFC, 1.0,
          v->N_large_packets_per_RTT - 1.0, v->p, PACKETS), v->theta_reference,
      v->variance.tfrc_or_lip_scaling);
}

TEST (small_packets_without_a_remedy_see_longer_intervals)
{
  FOR_EACH_VECTOR (i, v) {
    double lip = v->N_large_packets_per_RTT * v->eta - 1.0;

    check ("packet mode", i, measure (TFRC_MEASURE_RFC, v->eta, lip, v->p,
            PACKETS), v->packet_mode.measured, v->variance.tfrc_or_lip_scaling);
    check ("byte mode", i, measure (TFRC_MEASURE_RFC, v->eta, lip,
            v->byte_mode.p_s, PACKETS), v->byte_mode.measured,
        (1.0 - v->byte_mode.p_s) / (v->byte_mode.p_s * v->byte_mode.p_s));
  }
}

TEST (unbiasing_gives_the_reference_interval_in_packet_mode)
{
  /* A whole round-trip time holds one packet more than the N eta - 1 of the paper,
   * and one of S more than its N - 1. */
  FOR_EACH_VECTOR (i, v)
      check ("unbiasing", i, measure (TFRC_MEASURE_UNBIAS_PACKET, v->eta,
          v->N_large_packets_per_RTT * v->eta, v->p, PACKETS),
      v->packet_mode.unbiased + 1.0, v->variance.tfrc_or_lip_scaling);
}

TEST (unbiasing_gives_the_reference_interval_in_byte_mode)
{
  FOR_EACH_VECTOR (i, v) {
    double p_s = v->byte_mode.p_s;
    /* the least that is measured, N eta, makes N - 1 + 1 / eta: below one, the
     * floor would show */
    if (v->N_large_packets_per_RTT > 1.0)
      check ("unbiasing", i, measure (TFRC_MEASURE_UNBIAS_BYTE, v->eta,
              v->N_large_packets_per_RTT * v->eta - 1.0, p_s, 2 * PACKETS),
          v->byte_mode.unbiased, (1.0 - p_s) / (p_s * p_s) / (v->eta * v->eta));
  }
}

TEST (virtual_packets_give_the_reference_interval_with_less_variance)
{
  FOR_EACH_VECTOR (i, v)
      check ("virtual packets", i, measure (TFRC_MEASURE_VIRTUAL_PACKET, v->eta,
          v->lip_packets_small, v->p, 2 * PACKETS),
      v->theta_reference, v->variance.virtual_packets);
}

TEST (virtual_packets_in_byte_mode_give_the_reference_interval)
{
  FOR_EACH_VECTOR (i, v) {
    double p_s = v->byte_mode.p_s;

    check ("virtual packets", i, measure (TFRC_MEASURE_VIRTUAL_BYTE, v->eta,
            v->lip_packets_small, p_s, 2 * PACKETS),
        v->theta_reference, (1.0 - p_s) / (p_s * p_s) / (v->eta * v->eta));
  }
}

TEST (random_sampling_gives_the_reference_interval)
{
  FOR_EACH_VECTOR (i, v)
      check ("random sampling", i, measure (TFRC_MEASURE_SAMPLE_PACKET, v->eta,
          v->lip_packets_small, v->p, 2 * PACKETS),
      v->theta_reference, v->variance.random_sampling_derived);
}

TEST (random_sampling_of_ten_million_packets_is_within_three_percent)
{
  Sample sample =
      measure (TFRC_MEASURE_SAMPLE_PACKET, 10.0, 90.0, 0.02, 10 * PACKETS);

  CHECK_NEAR (sample.n, 17000.0, 1000.0);
  CHECK_REL (sample.mean, 59.0, 0.03);
  CHECK_REL (sample.variance, 2458.1, 0.1);
  sample = measure (TFRC_MEASURE_SAMPLE_BYTE, 10.0, 90.0, 0.002, 10 * PACKETS);
  CHECK_REL (sample.mean, 59.0, 0.03);
}

TEST (random_sampling_in_byte_mode_gives_the_reference_interval_with_more_variance)
{
  FOR_EACH_VECTOR (i, v) {
    double p_s = v->byte_mode.p_s, eta = v->eta;
    Sample sample =
        measure (TFRC_MEASURE_SAMPLE_BYTE, eta, v->lip_packets_small, p_s,
        2 * PACKETS);
    /* Arrivals are drawn, the loss that ends the interval is counted whole, and
     * so are those within the period: both add 1 - 1 / eta for each. */
    double extra = (1.0 - 1.0 / eta) * (1.0 + v->lip_packets_small * p_s);

    NOTE ("vector %zu, %g intervals", i, sample.n);
    CHECK_NEAR (sample.mean, v->theta_reference + extra,
        4.0 * sqrt ((1.0 - p_s) / (p_s * p_s) / (eta * eta) / sample.n +
            1.0 / sample.n));
    CHECK (sample.variance > 0.8 * (1.0 - p_s) / (p_s * p_s) / (eta * eta));
  }
}

TEST (a_scaled_period_gives_the_reference_interval_in_packet_mode)
{
  FOR_EACH_VECTOR (i, v)
      check ("scaled period", i, measure (TFRC_MEASURE_LIP_SCALE, v->eta,
          (v->N_large_packets_per_RTT - 1.0) * v->eta, v->p, PACKETS),
      v->theta_reference, v->variance.tfrc_or_lip_scaling);
}

/* WBL04 4.3: the measure of the other kind of bottleneck. */
TEST (a_packet_mode_measure_is_wrong_by_eta_on_a_bottleneck_in_bytes)
{
  double eta = 10.0, p_S = 0.02, p_s = p_S / eta;
  Sample right =
      measure (TFRC_MEASURE_VIRTUAL_BYTE, eta, 0.0, p_s, 2 * PACKETS);
  Sample wrong =
      measure (TFRC_MEASURE_VIRTUAL_PACKET, eta, 0.0, p_s, 2 * PACKETS);
  Sample slow = measure (TFRC_MEASURE_VIRTUAL_BYTE, eta, 0.0, p_S, 2 * PACKETS);

  CHECK_REL (right.mean, 1.0 / p_S, 0.1);
  CHECK_REL (wrong.mean, eta / p_S, 0.1);
  CHECK_REL (slow.mean, 1.0 / p_S / eta, 0.1);
}

TEST (behind_a_drop_tail_queue_in_bytes_a_factor_of_two_gives_the_reference_interval)
{
  double eta = 10.0, p_S = 0.02, p_s = p_S / (2.0 * eta), N = 10.0;
  Sample sample =
      measure (TFRC_MEASURE_VIRTUAL_BYTE, eta, N * eta - eta, p_s, 4 * PACKETS);

  CHECK_REL (sample.mean, N - 1.0 + 2.0 / p_S, 0.08);
  byte_mode_factor = 2.0;
  sample =
      measure (TFRC_MEASURE_VIRTUAL_BYTE, eta, N * eta - eta, p_s, 4 * PACKETS);
  byte_mode_factor = 1.0;
  CHECK_REL (sample.mean, N - 1.0 + 1.0 / p_S, 0.08);
}

TEST (packets_of_mixed_sizes_make_the_same_intervals_of_virtual_packets)
{
  TfrcContext context = { .R = 90 * SPACING, .s = 200.0 };
  TfrcArrival arrival = { .seq = 1 << 17 };
  TfrcArrivalKind kind;
  TfrcTime now = TFRC_SEC;
  uint64_t seed = 99, sizes = 7, events = 1, bytes = 0;
  Sample sample = { 0 };

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.measure = TFRC_MEASURE_VIRTUAL_PACKET;
  config.S = S_REF;
  tfrc_loss_history_init (&history, &config, room, &arrival, now);
  for (unsigned i = 0; i < 2 * PACKETS; i++, arrival.seq++, now += SPACING) {
    arrival.size = 50 + (uint32_t) (draw (&sizes) * 301.0);
    bytes += arrival.size;
    if (i > 0 && draw (&seed) < 0.02)
      continue;
    arrival.units =
        tfrc_loss_measure_count_received (&config, arrival.seq, arrival.size);
    tfrc_loss_history_on_packet (&history, &config, &arrival, &context, &kind,
        now);
    for (; events < history.current.events; events++)
      add (&sample, tfrc_intervals_get_closed (&history.current,
              (unsigned) (history.current.events - events))->I);
  }
  /* What arrived is counted to the byte, what was lost as its neighbours. */
  CHECK_REL (history.detector.units + history.current.lost, bytes, 1e-3);
  /* A period of 90 packets and, at 2 %, S bytes: some more, as the last one
   * overshoots by half of its size-weighted mean. */
  CHECK_REL (sample.mean,
      90 * 0.2 + (1000.0 + 0.5 * (200.0 + 7550.0 / 200.0)) / 200.0 / 0.02 * 0.2,
      0.02);
}
