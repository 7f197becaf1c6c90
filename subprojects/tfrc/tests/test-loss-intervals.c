/* libtfrc: tests of loss events and loss intervals
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "receiver/loss-intervals.h"

#include <tfrc/equation.h>

#define MS TFRC_MSEC

static TfrcConfig config;
static TfrcIntervals intervals;
static TfrcInterval room[TFRC_INTERVALS_MAX];
static TfrcFirstInterval first;
static TfrcContext context;
static uint64_t lost;           /* packets, as the test lost them */

static void
start (TfrcMode mode)
{
  tfrc_config_init (&config, mode);
  tfrc_intervals_init (&intervals, room, TFRC_INTERVALS_MAX);
  first = (TfrcFirstInterval) {.I = 0.0};
  context = (TfrcContext) {.R = 100 * MS, .s = 1460.0};
  lost = 0;
}

/* Packets [seq, seq + count) are lost, `spacing` apart; the first would have come
 * at T. */
static void
lose_run (uint64_t seq, uint32_t count, TfrcTime T, TfrcTime spacing)
{
  TfrcSequenceGap gap = { .size = 1460, .context = context };

  tfrc_sequence_gap_open (&gap, seq - 1, T - spacing, seq + count,
      T + count * spacing);
  gap.units = seq - 1 - lost;
  lost += count;
  tfrc_intervals_add (&intervals, &config, &first, &gap);
}

static void
lose (uint64_t seq, TfrcTime T)
{
  lose_run (seq, 1, T, MS);
}

/* I_i, the i-th newest closed interval */
static const TfrcInterval *
closed (unsigned i)
{
  return tfrc_intervals_get_closed (&intervals, i);
}

/* The loss event rate when `seq` is the highest packet that arrived. */
static TfrcLossRate
get_rate (uint64_t seq, TfrcTime now)
{
  return tfrc_intervals_get_rate (&intervals, &config, &context, seq, now);
}

static void
push_all (const double *I, const double *DF, size_t n)
{
  tfrc_intervals_init (&intervals, room, TFRC_INTERVALS_MAX);
  for (size_t i = n - 1; i > 0; i--) {
    tfrc_intervals_push (&intervals, I[i]);
    intervals.closed[intervals.newest].DF = DF ? DF[i] : 1.0;
  }
  tfrc_intervals_sum (&intervals, 8);
}

TEST (the_weights_are_those_of_rfc_5348_5_4)
{
  for (size_t i = 0; i < N_OF (v_weights); i++) {
    double sum = 0.0;

    for (unsigned j = 0; j < v_weights[i].n_w; j++) {
      NOTE ("n %g, w_%u", v_weights[i].n, j);
      CHECK_NEAR (tfrc_intervals_get_weight (j, (unsigned) v_weights[i].n),
          v_weights[i].w[j], 1e-15);
      sum += tfrc_intervals_get_weight (j, (unsigned) v_weights[i].n);
    }
    CHECK_NEAR (sum, v_weights[i].sum, 1e-12);
  }
}

TEST (the_mean_interval_is_the_larger_with_or_without_the_open_one)
{
  for (size_t i = 0; i < N_OF (v_imean_standard); i++) {
    const struct v_imean_standard *v = &v_imean_standard[i];

    NOTE ("%s", v->name);
    push_all (v->I, NULL, v->n_I);
    CHECK_NEAR (tfrc_intervals_get_mean (&intervals, v->I[0], false), v->I_mean,
        1e-9);
  }
}

TEST (the_open_interval_of_tfrc_sp_is_left_out_while_short)
{
  for (size_t i = 0; i < N_OF (v_imean_sp); i++) {
    const struct v_imean_sp *v = &v_imean_sp[i];
    size_t n = v->n_effective;
    double I_0 = v->intervals[0].short_ ? -1.0 : v->effective[0];

    NOTE ("%s", v->name);
    CHECK (v->I0_included_allowed == !v->intervals[0].short_);
    push_all (v->effective, NULL, n);
    CHECK_NEAR (tfrc_intervals_get_mean (&intervals, I_0, false), v->I_mean,
        1e-9);
  }
}

/* The same from losses: each interval is lost packet by packet. */
TEST (tfrc_sp_measures_the_intervals_that_it_is_given)
{
  for (size_t i = 0; i < N_OF (v_imean_sp); i++) {
    const struct v_imean_sp *v = &v_imean_sp[i];
    uint64_t seq = 100000, N;
    TfrcTime T = TFRC_SEC;

    if (strstr (v->name, "synthetic"))
      continue;
    start (TFRC_MODE_TFRC_SP);
    config.history_discounting = false;
    context.R = 1000 * MS;
    for (size_t j = v->n_intervals; j-- > 0;) {
      N = (uint64_t) v->intervals[j].N;
      for (uint64_t k = 0; k < (uint64_t) v->intervals[j].K; k++)
        lose (seq + k, T + k * 10 * MS);
      if (j > 0) {
        seq += N;
        T += v->intervals[j].short_ ? 2 * context.R : 2 * context.R + 1;
      }
    }
    /* the first interval is the one before the losses: it goes */
    intervals.n--;
    tfrc_intervals_sum (&intervals, 8);
    NOTE ("%s", v->name);
    CHECK_INT (intervals.n, v->n_intervals - 1);
    for (unsigned j = 1; j < v->n_intervals; j++)
      CHECK_NEAR (closed (j)->I, v->effective[j], 1e-9);
    N = (uint64_t) v->intervals[0].N;
    T += v->intervals[0].short_ ? 2 * context.R : 2 * context.R + 1;
    CHECK_NEAR (get_rate (seq + N - 1, T).I_mean, v->I_mean, 1e-9);
    CHECK_NEAR (get_rate (seq + N - 1, T).p, v->p, 1e-12);
  }
}

TEST (long_silence_discounts_the_closed_intervals)
{
  for (size_t i = 0; i < N_OF (v_imean_history_discounting); i++) {
    const struct v_imean_history_discounting *v =
        &v_imean_history_discounting[i];

    NOTE ("%s", v->name);
    push_all (v->I, v->DF_i, v->n_I);
    CHECK_NEAR (tfrc_intervals_get_mean (&intervals, -1.0, true), v->I_mean_1_n,
        1e-9);
    CHECK_NEAR (tfrc_intervals_get_mean (&intervals, v->I[0], true),
        v->I_mean_effective, 1e-9);
    CHECK_NEAR (1.0 / tfrc_intervals_get_mean (&intervals, v->I[0], true), v->p,
        1e-12);
  }
}

TEST (a_new_event_makes_the_discount_lasting)
{
  uint64_t seq = 100000;
  TfrcTime T = TFRC_SEC;

  start (TFRC_MODE_TFRC);
  for (unsigned i = 0; i <= 8; i++, seq += 100, T += TFRC_SEC)
    lose (seq, T);
  seq += 700;                   /* 800 after the ninth */
  lose (seq, T + 7 * TFRC_SEC);
  CHECK_NEAR (closed (1)->I, 800.0, 0.0);
  CHECK_NEAR (closed (1)->DF, 1.0, 0.0);
  for (unsigned i = 2; i <= 9; i++)
    CHECK_NEAR (closed (i)->DF, 0.25, 0.0);
  CHECK_NEAR (get_rate (seq + 99, T + 8 * TFRC_SEC).I_0, 100.0, 0.0);
  CHECK_NEAR (get_rate (seq + 99, T + 8 * TFRC_SEC).I_mean, 3700.0 / 9.0, 1e-9);
  /* and the next one discounts nothing more */
  lose (seq + 100, T + 8 * TFRC_SEC);
  CHECK_NEAR (closed (2)->DF, 1.0, 0.0);
  CHECK_NEAR (closed (3)->DF, 0.25, 0.0);
}

TEST (discounts_multiply)
{
  uint64_t seq = 100000;
  TfrcTime T = TFRC_SEC;

  start (TFRC_MODE_TFRC);
  for (unsigned i = 0; i <= 8; i++, seq += 100, T += TFRC_SEC)
    lose (seq, T);
  lose (seq += 300, T += 4 * TFRC_SEC); /* 400: DF 0.5 */
  CHECK_NEAR (closed (2)->DF, 0.5, 1e-12);
  /* mean now (400 + 0.5 * 500) / (1 + 0.5 * 5) */
  lose (seq += 1000, T += 10 * TFRC_SEC);
  CHECK_NEAR (closed (2)->DF, 2.0 * (650.0 / 3.5) / 1000.0, 1e-12);
  CHECK_NEAR (closed (3)->DF, 0.5 * 2.0 * (650.0 / 3.5) / 1000.0, 1e-12);
}

TEST (without_discounting_old_intervals_keep_their_weight)
{
  uint64_t seq = 100000;
  TfrcTime T = TFRC_SEC;

  start (TFRC_MODE_TFRC);
  config.history_discounting = false;
  for (unsigned i = 0; i <= 8; i++, seq += 100, T += TFRC_SEC)
    lose (seq, T);
  lose (seq + 700, T + 7 * TFRC_SEC);
  for (unsigned i = 1; i <= 9; i++)
    CHECK_NEAR (closed (i)->DF, 1.0, 0.0);
  CHECK_NEAR (get_rate (seq + 800 - 1, T).I_mean, 1300.0 / 6.0, 1e-9);
}

TEST (the_first_interval_gives_the_highest_receive_rate_so_far)
{
  for (size_t i = 0; i < v_first_loss_interval.n_cases; i++) {
    const struct v_first_loss_interval_cases *v =
        &v_first_loss_interval.cases[i];
    bool sp = v->s == 1460.0 && v->X_target <= 8000.0;  /* voice, of 160-byte packets */

    NOTE ("vector %zu", i);
    start (sp ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
    context.R = (TfrcTime) llround (v->R * 1e9);
    context.s = sp ? 160.0 : v->s;
    context.X_target = v->max_X_recv;
    lose (100000, TFRC_SEC);
    CHECK_REL (closed (1)->I, v->interval, 1e-9);
    CHECK_BETWEEN (closed (1)->I, v->interval_lo5, v->interval_hi5);
    CHECK_INT (intervals.n, 1);
    CHECK_NEAR (get_rate (100003, TFRC_SEC).p, v->p, 1e-9);
  }
}

TEST (each_first_event_has_its_own_first_interval)
{
  static const double X[] = { 87600.0, 175200.0, 175200.0, 43800.0 };
  static const double I[] =
      { 37.3073783745, 112.0791340417, 112.0791340417, 15.9981820981 };

  start (TFRC_MODE_TFRC);
  for (unsigned i = 0; i < N_OF (X); i++) {
    tfrc_intervals_init (&intervals, room, TFRC_INTERVALS_MAX); /* a late packet undid the event */
    context.X_target = X[i];
    lose (100000, TFRC_SEC);
    CHECK_NEAR (closed (1)->I, I[i], 1e-6);
  }
  tfrc_intervals_init (&intervals, room, TFRC_INTERVALS_MAX);
  context.R = 200 * MS;
  lose (100000, TFRC_SEC);
  CHECK_NEAR (closed (1)->I, 37.3073783745, 1e-6);
  tfrc_intervals_init (&intervals, room, TFRC_INTERVALS_MAX);
  context.s = 730.0;
  lose (100000, TFRC_SEC);
  CHECK_NEAR (closed (1)->I, 112.0791340417, 1e-6);
}

TEST (the_first_interval_is_at_least_half_a_packet_in_a_round_trip_time)
{
  start (TFRC_MODE_TFRC);
  context.s = 160.0;
  context.X_target = 0.0;
  CHECK_REL (tfrc_intervals_get_first (&config, &context),
      v_first_loss_interval.null_interval_min.interval, 1e-9);
  context.X_target = 0.51 * 160.0 / 0.1;
  CHECK (tfrc_intervals_get_first (&config, &context) > 4.85);
}

TEST (tfrc_sp_inverts_the_equation_for_its_nominal_segment)
{
  start (TFRC_MODE_TFRC_SP);
  context.s = 160.0;
  context.X_target = 8000.0;
  CHECK_NEAR (tfrc_intervals_get_first (&config, &context), 5.048, 5e-4);
  config.mode = TFRC_MODE_TFRC;
  CHECK_NEAR (tfrc_intervals_get_first (&config, &context), 29.088, 5e-4);
}

TEST (packets_in_a_second_do_as_well_as_bytes)
{
  start (TFRC_MODE_TFRC);
  context.s = 160.0;
  context.X_target = 300.0 * 160.0;
  CHECK_REL (1.0 / tfrc_intervals_get_first (&config, &context),
      tfrc_equation_loss (1.0, 0.1, 0.4, 300.0), 1e-9);
}

TEST (the_synthetic_interval_is_never_short)
{
  start (TFRC_MODE_TFRC_SP);
  context.X_target = 87600.0;
  lose (100000, TFRC_SEC);
  lose (100001, TFRC_SEC + 10 * MS);
  lose (100020, TFRC_SEC + 150 * MS);
  CHECK_INT (intervals.n, 2);
  CHECK_NEAR (closed (2)->I, 37.3073783745, 1e-6);
  CHECK_NEAR (closed (1)->I, 10.0, 1e-12);
}

TEST (losses_within_a_round_trip_time_of_the_first_are_one_event)
{
  for (size_t i = 0; i < N_OF (v_loss_event_grouping); i++) {
    const struct v_loss_event_grouping *v = &v_loss_event_grouping[i];
    unsigned event = 0, member = 0;

    start (TFRC_MODE_TFRC);
    context.R = (TfrcTime) llround (v->R * 1e9);
    for (unsigned j = 0; j < v->n_lost; j++) {
      TfrcTime T = TFRC_SEC + (TfrcTime) llround (v->lost[j].T * 1e9);

      NOTE ("vector %zu, loss %u", i, j);
      lose (100000 + (uint64_t) v->lost[j].seq, T);
      if (member == v->events[event].n_members) {
        event++;
        member = 0;
      }
      CHECK_INT (intervals.events, event + 1);
      CHECK_INT (intervals.position,
          100000 + (uint64_t) v->events[event].first_seq);
      CHECK_NEAR ((double) (intervals.T_start - TFRC_SEC) / 1e9,
          v->events[event].T, 1e-9);
      CHECK_INT (intervals.K, ++member);
    }
    CHECK_INT (intervals.events, v->n_events);
  }
}

TEST (two_losses_exactly_a_round_trip_time_apart_are_one_event)
{
  start (TFRC_MODE_TFRC);
  lose (100010, TFRC_SEC);
  lose (100020, TFRC_SEC + 100 * MS);
  CHECK_INT (intervals.events, 1);
  start (TFRC_MODE_TFRC);
  lose (100010, TFRC_SEC);
  lose (100020, TFRC_SEC + 100 * MS + 1);
  CHECK_INT (intervals.events, 2);
}

TEST (a_change_of_R_groups_later_losses_only)
{
  start (TFRC_MODE_TFRC);
  lose (100000, TFRC_SEC);
  lose (100009, TFRC_SEC + 90 * MS);
  CHECK_INT (intervals.events, 1);
  context.R = 50 * MS;
  CHECK_INT (intervals.events, 1);
  lose (100014, TFRC_SEC + 140 * MS);
  CHECK_INT (intervals.events, 2);
  lose (100019, TFRC_SEC + 190 * MS);
  CHECK_INT (intervals.events, 2);
}

TEST (an_interval_is_the_distance_between_its_first_losses)
{
  for (size_t i = 0; i < N_OF (v_loss_interval_sizes); i++) {
    const struct v_loss_interval_sizes *v = &v_loss_interval_sizes[i];
    uint64_t seq = 0, origin = 1 << 17;
    TfrcTime T = TFRC_SEC;

    NOTE ("vector %zu", i);
    start (TFRC_MODE_TFRC);
    for (unsigned j = 0; j < v->n_event_starts; j++, T += TFRC_SEC) {
      /* 16-bit numbers, extended */
      seq = j == 0 ? origin + (uint64_t) v->event_starts[0]
          : seq + (uint16_t) (v->event_starts[j] - v->event_starts[j - 1]);
      lose (seq, T);
    }
    CHECK_INT (intervals.n, v->n_closed + 1);
    for (unsigned j = 0; j < v->n_closed; j++)
      CHECK_NEAR (closed ((unsigned) v->n_closed - j)->I, v->closed[j], 0.0);
    seq +=
        (uint16_t) (v->highest_received - v->event_starts[v->n_event_starts -
            1]);
    CHECK_NEAR (get_rate (seq, T).I_0, v->I0, 0.0);
  }
}

TEST (a_gap_of_25_packets_10_ms_apart_is_three_events_at_100_ms)
{
  start (TFRC_MODE_TFRC);
  lose_run (100000, 25, TFRC_SEC, 10 * MS);
  CHECK_INT (intervals.events, 3);
  CHECK_INT (intervals.position, 100022);
  CHECK_INT (intervals.T_start, TFRC_SEC + 220 * MS);
  CHECK_INT (intervals.K, 3);
  CHECK_NEAR (closed (1)->I, 11.0, 0.0);
  CHECK_NEAR (closed (2)->I, 11.0, 0.0);
}

/* Every packet of a gap as a gap of its own. */
static void
lose_one_by_one (uint64_t seq, uint32_t count, TfrcTime T, TfrcTime spacing)
{
  TfrcSequenceGap gap = { .size = 1460, .context = context }, one;

  tfrc_sequence_gap_open (&gap, seq - 1, T - spacing, seq + count,
      T + count * spacing);
  for (uint32_t k = 0; k < count; k++) {
    one = gap;
    tfrc_sequence_gap_cut (&one, seq + k, 1);
    one.units = seq - 1 - lost;
    tfrc_intervals_add (&intervals, &config, &first, &one);
  }
  lost += count;
}

static void
check_a_gap_counts_like_its_packets (TfrcMeasure measure)
{
  TfrcIntervals whole;

  for (unsigned count = 1; count < 300; count++)
    for (TfrcTime spacing = 7 * MS; spacing < 120 * MS; spacing += 13 * MS) {
      start (TFRC_MODE_TFRC);
      config.measure = measure;
      context.s = 300.0;
      lose (100000, TFRC_SEC);
      lose_run (100020, count, TFRC_SEC + 50 * MS, spacing);
      whole = intervals;

      start (TFRC_MODE_TFRC);
      config.measure = measure;
      context.s = 300.0;
      lose (100000, TFRC_SEC);
      lose_one_by_one (100020, count, TFRC_SEC + 50 * MS, spacing);
      NOTE ("count %u, spacing %" PRIu64, count, spacing);
      CHECK_INT (intervals.events, whole.events);
      CHECK_INT (intervals.K, whole.K);
      CHECK_INT (intervals.T_start, whole.T_start);
      CHECK_INT (intervals.pending, whole.pending);
      CHECK_INT (intervals.lost, whole.lost);
    }
}

TEST (a_gap_counts_like_its_packets_one_by_one)
{
  check_a_gap_counts_like_its_packets (TFRC_MEASURE_RFC);
  check_a_gap_counts_like_its_packets (TFRC_MEASURE_VIRTUAL_PACKET);
  check_a_gap_counts_like_its_packets (TFRC_MEASURE_SAMPLE_PACKET);
  check_a_gap_counts_like_its_packets (TFRC_MEASURE_LIP_SCALE);
}

TEST (nine_intervals_of_one_packet_are_a_rate_of_one)
{
  start (TFRC_MODE_TFRC);
  for (unsigned i = 0; i <= 9; i++)
    lose (100000 + i, TFRC_SEC + i * TFRC_SEC);
  CHECK_NEAR (get_rate (100009, 11 * TFRC_SEC).p, 1.0, 0.0);
}

TEST (a_rate_is_never_above_one)
{
  start (TFRC_MODE_TFRC);
  config.measure = TFRC_MEASURE_VIRTUAL_BYTE;
  context.s = 10.0;
  for (unsigned i = 0; i <= 9; i++) {
    TfrcSequenceGap gap = { .size = 10, .context = context };

    tfrc_sequence_gap_open (&gap, 99999 + i, (1 + i) * TFRC_SEC, 100001 + i,
        (1 + i) * TFRC_SEC + MS);
    tfrc_intervals_add (&intervals, &config, &first, &gap);
  }
  CHECK (closed (1)->I < 0.1);
  CHECK_NEAR (get_rate (intervals.lost, 11 * TFRC_SEC).p, 1.0, 0.0);
}

TEST (no_loss_is_no_rate)
{
  start (TFRC_MODE_TFRC);
  CHECK_NEAR (get_rate (1000000, TFRC_SEC).p, 0.0, 0.0);
  CHECK_NEAR (get_rate (1000000, TFRC_SEC).I_mean, 0.0, 0.0);
}

TEST (the_open_interval_counts_from_its_first_loss_with_it)
{
  start (TFRC_MODE_TFRC);
  lose (100000, TFRC_SEC);
  CHECK_NEAR (get_rate (100003, TFRC_SEC).I_0, 4.0, 0.0);
  CHECK_NEAR (get_rate (100000, TFRC_SEC).I_0, 1.0, 0.0);
}

/* WBL04: positions count from the end of the loss-insensitive period, in which
 * lip_packets arrive, one each millisecond. */
static void
check_virtual_packets (const struct v_wbl04_virtual_packets *v)
{
  static const uint32_t mixed[] = { 400, 400, 300 };
  bool is_mixed = isnan (v->s);
  uint64_t bytes = 0, lost_bytes = 0;
  TfrcTime T_A = TFRC_SEC;

  start (TFRC_MODE_TFRC);
  config.measure = strcmp (v->mode, "byte") == 0 ? TFRC_MEASURE_VIRTUAL_BYTE
      : TFRC_MEASURE_VIRTUAL_PACKET;
  config.S = (uint32_t) v->S;
  context.R = (TfrcTime) v->lip_packets *MS;
  context.s = is_mixed ? 400.0 : v->s;
  /* an event: S bytes lost at once */
  intervals.events = 1;
  intervals.K = 1;
  intervals.T_start = T_A;
  tfrc_intervals_push (&intervals, 50.0);

  for (unsigned i = 0; i < v->n_losses_after_lip_positions; i++) {
    uint64_t place =
        (uint64_t) v->lip_packets + (uint64_t) v->losses_after_lip_positions[i];
    uint32_t size = is_mixed ? mixed[i] : (uint32_t) v->s;
    TfrcSequenceGap gap = { .size = size, .context = context };

    tfrc_sequence_gap_open (&gap, 100000 + place - 1, T_A + (place - 1) * MS,
        100000 + place + 1, T_A + (place + 1) * MS);
    if (!is_mixed)
      bytes = (place - 1) * size - lost_bytes;
    gap.units = bytes;
    lost_bytes += size;
    CHECK_INT (intervals.events, 1);
    tfrc_intervals_add (&intervals, &config, &first, &gap);
    if (v->losses_after_lip_positions[i] == v->loss_event_at) {
      CHECK_INT (intervals.events, 2);
      CHECK_NEAR (closed (1)->I, v->theta, 1e-9);
      return;
    }
  }
  CHECK (isnan (v->loss_event_at));
  CHECK_INT (intervals.events, 1);
}

TEST (virtual_packets_are_lost_when_their_bytes_are)
{
  for (size_t i = 0; i < N_OF (v_wbl04_virtual_packets); i++) {
    NOTE ("vector %zu", i);
    check_virtual_packets (&v_wbl04_virtual_packets[i]);
  }
}
