/* tfrcadapt: tests of when the operating point changes
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"
#include "vectors.h"

#include <tfrcadapt/adapt.h>
#include <tfrc/equation.h>

static union
{
  max_align_t align;
  unsigned char bytes[256 * 1024];
} block;
static TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX];
static TfrcAdaptConfig config;
static TfrcAdaptConditions conditions;
static TfrcAdapt *adapt;
static TfrcAdaptChoice choice;
static TfrcTime now;
static unsigned switches, suspensions, resumptions;

static void
start_with (const TfrcAdaptLadderLimits * limits)
{
  unsigned n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, limits);

  CHECK (n > 0 && tfrc_adapt_size (n) <= sizeof (block));
  tfrc_adapt_config_init (&config);
  now = 1000 * TFRC_SEC;
  adapt = tfrc_adapt_init (block.bytes, &config, ladder, n, now);
  conditions = (TfrcAdaptConditions) {
      .mode = TFRC_MODE_TFRC_SP,
      .H = 40,
      .overhead = 24,
      .loss = -1,
      .allowance = { .max_packet_rate = 100, .R = 0.1, .X_wire = 1e6, .X = 1e6 }
  };
  switches = suspensions = resumptions = 0;
  tfrc_adapt_get_choice (adapt, &choice);
}

static void
start (void)
{
  TfrcAdaptLadderLimits limits;

  tfrc_adapt_ladder_limits_init (&limits);
  start_with (&limits);
}

static void
count (unsigned bits)
{
  switches += (bits & TFRC_ADAPT_POINT) != 0;
  suspensions += (bits & TFRC_ADAPT_SUSPENDED) != 0;
  resumptions += (bits & TFRC_ADAPT_RESUMED) != 0;
  tfrc_adapt_get_choice (adapt, &choice);
}

static void
give_conditions (void)
{
  count (tfrc_adapt_on_conditions (adapt, &conditions, now));
}

/* Reports once per round-trip time for `seconds`, and timers when they are due. */
static void
run (double seconds)
{
  TfrcTime end = now + (TfrcTime) (seconds * 1e9 + 0.5);
  TfrcTime step = (TfrcTime) (conditions.allowance.R * 1e9);

  while (now < end) {
    TfrcTime report = now + step < end ? now + step : end;
    TfrcTime timer;

    while ((timer = tfrc_adapt_next_timer (adapt)) < report) {
      now = timer > now ? timer : now;
      count (tfrc_adapt_on_timer (adapt, now));
      if (tfrc_adapt_next_timer (adapt) <= now)
        FAIL ("a timer that stays due");
    }
    now = report;
    give_conditions ();
  }
}

static double
get_need (void)
{
  return tfrc_adapt_point_get_wire_rate (&choice.point, conditions.overhead,
      conditions.H);
}

/* A flow that has settled where `X_wire` is all it may use. */
static void
settle (double X_wire)
{
  conditions.allowance.X_wire = X_wire;
  run (40.0);
  CHECK (choice.need * config.down <= X_wire);
  switches = 0;
}

/* A choice between error correction with one copy, and two copies of a lower bit rate; `distance` us behind each other. */
static void
start_with_fec_or_copies (uint32_t distance)
{
  start ();
  config.copy_distance = distance;
  ladder[0] =
      (TfrcAdaptPoint) {TFRC_ADAPT_CODEC_OPUS, 32000, 20000, 1, 1, true,
      false};
  ladder[1] =
      (TfrcAdaptPoint) {TFRC_ADAPT_CODEC_OPUS, 12000, 20000, 1, 2, false,
      false};
  adapt = tfrc_adapt_init (block.bytes, &config, ladder, 2, now);
  conditions.allowance.p = conditions.loss = 0.2;
}

TEST (a_copy_in_the_next_packet_makes_the_codecs_own_error_correction_useless)
{
  start_with_fec_or_copies (TFRC_ADAPT_COPY_DISTANCE);
  run (20.0);
  CHECK (choice.copies.spacing > 1);
  CHECK (choice.point.fec);

  start_with_fec_or_copies (20000);
  run (20.0);
  CHECK_INT (choice.copies.spacing, 1);
  CHECK (!choice.point.fec);
}

TEST (a_short_dip_reduces_nothing_and_a_longer_one_once)
{
  start ();
  settle (5000.0);
  conditions.allowance.X_wire = 0.9 * choice.need;
  run (0.3);
  CHECK_INT (switches, 0);
  conditions.allowance.X_wire = 5000.0;
  run (1.0);
  CHECK_INT (switches, 0);

  conditions.allowance.X_wire = 0.9 * choice.need;
  run (0.55);
  CHECK_INT (switches, 1);
  CHECK (choice.need <= conditions.allowance.X_wire);
}

/* 4 R would be 80 ms. */
TEST (on_a_short_path_a_dip_must_last_a_fifth_of_a_second)
{
  start ();
  conditions.allowance.R = 0.02;
  settle (5000.0);
  conditions.allowance.X_wire = 0.9 * choice.need;
  run (0.18);
  CHECK_INT (switches, 0);
  run (0.3);
  CHECK_INT (switches, 1);
}

TEST (what_a_short_and_deep_dip_took_is_taken_back_when_it_is_over)
{
  double before;

  start ();
  conditions.allowance.p = 0.02;
  settle (6000.0);
  before = choice.need;
  conditions.allowance.X_wire = 0.4 * before;
  run (0.5);
  CHECK_INT (switches, 1);
  conditions.allowance.X_wire = 6000.0;
  run (2.5);
  CHECK_NEAR (choice.need, before, 1e-9);
}

/* Some encoders make more than their bit rate. */
TEST (an_encoder_that_makes_half_more_is_given_less)
{
  double before;

  start ();
  settle (5000.0);
  before = get_need ();
  for (unsigned i = 0; i < 1000; i++) {
    TfrcAdaptPoint point = choice.point;

    point.redundancy = 0;
    tfrc_adapt_on_encoded (adapt,
        tfrc_adapt_point_get_payload_size (&point) * 3 / 2, now);
    run (0.02);
  }
  CHECK (get_need () < 0.95 * before);
  CHECK (choice.need > 1.2 * get_need ());
  CHECK (choice.need * config.down <= 5000.0);
}

/* A switch that nobody hears is none. */
TEST (a_rise_must_be_worth_two_points)
{
  double least = 100;
  unsigned rises = 0;

  start ();
  settle (2500.0);
  for (; conditions.allowance.X_wire < 20000;
      conditions.allowance.X_wire *= 1.01) {
    for (unsigned i = 0; i < 10; i++) {
      double rating = choice.rating;

      now += TFRC_SEC / 10;
      give_conditions ();
      if (choice.rating != rating) {
        least = fmin (least, choice.rating - rating);
        rises++;
      }
    }
  }
  CHECK (rises >= 4);
  CHECK (least >= 2.0);
}

TEST (no_more_packets_are_made_than_may_be_sent)
{
  start ();
  conditions.allowance.max_packet_rate = 30;
  settle (20000.0);
  CHECK (choice.point.frame_us >= 40000);
}

/* RFC 5348 4.1: X at size s is X / s packets a second, and small ones are no more. */
TEST (standard_tfrc_is_held_to_packets)
{
  start ();
  conditions.mode = TFRC_MODE_TFRC;
  conditions.allowance.p = 0.05;
  conditions.allowance.s = 150;
  conditions.allowance.X = 30 * conditions.allowance.s;
  conditions.allowance.X_wire = conditions.allowance.X_Bps = 8000;
  run (40.0);
  CHECK (choice.point.frame_us >= 40000);
}

TEST (without_a_loss_few_bits_go_to_error_correction_and_none_to_copies)
{
  for (double X = 3500; X < 6200; X += 500) {
    NOTE ("X_wire %g", X);
    start ();
    settle (X);
    CHECK (!choice.point.fec);
    CHECK_INT (choice.point.redundancy, 0);
  }
}

/* One event can lose many packets: copies are for packets. */
TEST (the_share_of_packets_lost_decides_and_not_the_events)
{
  start ();
  conditions.allowance.p = 0.1;
  conditions.loss = 0.0;
  settle (20000.0);
  CHECK_INT (choice.point.redundancy, 0);
  start ();
  conditions.allowance.p = 0.004;
  conditions.loss = 0.2;
  settle (20000.0);
  CHECK (choice.point.redundancy > 0);
  /* and the encoder gets no second time the loss that copies make good */
  CHECK (choice.loss_percent < 10);
}

/* Each second without copies is a second of holes. */
TEST (the_report_of_a_loss_brings_the_copies)
{
  start ();
  settle (20000.0);
  CHECK_INT (choice.point.redundancy, 0);
  now += TFRC_SEC / 10;
  conditions.allowance.p = 0.02;
  conditions.loss = 0.1;
  give_conditions ();
  CHECK (choice.point.redundancy > 0);
}

/* A queue takes of the remote jitter buffer what copies would need of it. */
TEST (copies_travel_far_behind_but_where_a_queue_makes_them_late)
{
  unsigned bits = 0;

  start ();
  conditions.allowance.p = 0.02;
  conditions.loss = 0.1;
  settle (20000.0);
  CHECK (choice.point.redundancy > 0);
  CHECK_INT (choice.copies.spacing,
      tfrc_adapt_point_get_copy_spacing (&choice.point,
          TFRC_ADAPT_COPY_DISTANCE));
  CHECK (choice.copies.spacing > 1);
  conditions.queue = 0.18;
  now += TFRC_SEC / 10;
  bits = tfrc_adapt_on_conditions (adapt, &conditions, now);
  tfrc_adapt_get_choice (adapt, &choice);
  CHECK (bits & TFRC_ADAPT_COPIES);
  CHECK_INT (choice.copies.spacing, 1);
  /* a change once */
  now += TFRC_SEC / 10;
  bits = tfrc_adapt_on_conditions (adapt, &conditions, now);
  CHECK (!(bits & TFRC_ADAPT_COPIES));
  conditions.queue = 0;
  run (12.0);
  CHECK (choice.copies.spacing > 1);
}

TEST (without_copies_their_spacing_is_no_change)
{
  start ();
  settle (20000.0);
  CHECK_INT (choice.point.redundancy, 0);
  conditions.queue = 0.18;
  now += TFRC_SEC / 10;
  CHECK (!(tfrc_adapt_on_conditions (adapt, &conditions,
              now) & TFRC_ADAPT_COPIES));
}

TEST (below_half_the_need_it_reduces_at_once)
{
  start ();
  settle (7000.0);
  conditions.allowance.X_wire = 0.4 * choice.need;
  give_conditions ();
  CHECK_INT (switches, 1);
  CHECK (choice.need <= conditions.allowance.X_wire);
}

TEST (an_allowance_within_a_twentieth_of_the_need_changes_nothing)
{
  start ();
  settle (5000.0);
  conditions.allowance.X_wire = 0.96 * choice.need;
  run (20.0);
  CHECK_INT (switches, 0);
}

TEST (room_is_used_after_five_seconds_and_not_before)
{
  double before;

  start ();
  settle (10000.0);
  conditions.allowance.X_wire = 3000.0;
  run (10.0);
  switches = 0;
  before = choice.need;
  conditions.allowance.X_wire = 10000.0;
  run (4.9);
  CHECK_INT (switches, 0);
  run (0.4);
  CHECK_INT (switches, 1);
  CHECK (choice.need > before);
  CHECK (1.10 * choice.need <= conditions.allowance.X_wire);
}

/* M4: p wobbles by 5 % about the threshold of the present point. */
TEST (a_wobble_of_five_percent_around_a_threshold_switches_at_most_once_a_minute)
{
  double p;
  unsigned i;

  for (i = 0; i < 20; i++) {
    double X = 2000.0 + 500.0 * i;

    NOTE ("X_wire %g", X);
    start ();
    conditions.allowance.R = 0.1;
    conditions.allowance.p = tfrc_equation_loss (1460, 0.1, 0.4, X);
    settle (X);
    p = tfrc_equation_loss (1460, 0.1, 0.4, choice.need);
    for (unsigned t = 0; t < 60; t++) {
      conditions.allowance.p = p * (t % 2 ? 1.05 : 0.95);
      conditions.allowance.X_wire =
          tfrc_equation_rate (1460, 0.1, 0.4, conditions.allowance.p);
      run (1.0);
    }
    CHECK_BETWEEN (switches, 0, 1);
  }
}

/* Its two points cost more than RISE_MAX times one another. */
TEST (a_ladder_of_few_points_is_climbed)
{
  static const TfrcAdaptPoint few[] = {
    {TFRC_ADAPT_CODEC_OPUS, 9000, 60000, 1, 0, false, false},
    {TFRC_ADAPT_CODEC_OPUS, 33000, 20000, 1, 0, false, false}
  };

  start ();
  config.start_bitrate = 9000;
  adapt = tfrc_adapt_init (block.bytes, &config, few, N_OF (few), now);
  give_conditions ();
  CHECK_INT (choice.point.bitrate, 9000);
  run (20);
  CHECK_INT (choice.point.bitrate, 33000);
}

/* Ten to thirty percent more than its bit rate, never twice the same. */
TEST (an_encoder_that_makes_more_than_its_bit_rate_still_rises)
{
  uint32_t start_bitrate;

  start ();
  start_bitrate = choice.point.bitrate;
  for (unsigned i = 0; i < 600; i++) {
    double more = 1.1 + 0.02 * (i * 7 % 11);

    tfrc_adapt_on_encoded (adapt,
        (uint32_t) (more * tfrc_adapt_point_get_payload_size (&choice.point)),
        now);
    run (0.1);
  }
  CHECK (choice.point.bitrate > 2 * start_bitrate);
}

/* The same over a thin link: what exceeds it waits in its queue, and R shows it. */
TEST (a_wobble_over_a_thin_link_switches_no_more)
{
  static const double capacities[] = { 3000, 4500, 6000 };      /* bytes/s of wire */

  for (unsigned i = 0; i < N_OF (capacities); i++) {
    double queue = 0, p, X = 0.9 * capacities[i];
    unsigned before = 0;

    NOTE ("capacity %g", capacities[i]);
    start ();
    conditions.allowance.R = 0.1;
    for (unsigned t = 0; t < 2000; t++) {
      if (t == 1400)
        before = switches;
      p = tfrc_equation_loss (1460, 0.1, 0.4, X);
      conditions.allowance.p = p * (t / 10 % 2 ? 1.05 : 0.95);
      conditions.allowance.X_wire = conditions.allowance.X_Bps =
          tfrc_equation_rate (1460, 0.1, 0.4, conditions.allowance.p);
      conditions.allowance.X = conditions.allowance.X_wire;
      queue = fmax (0, queue + 0.1 * (choice.need / capacities[i] - 1));
      conditions.allowance.R_sample = 0.1 + queue;
      conditions.allowance.X_recv = fmin (choice.need, capacities[i]);
      now += TFRC_SEC / 10;
      give_conditions ();
    }
    CHECK (choice.need <= capacities[i] && queue < 0.1);
    CHECK_BETWEEN (switches - before, 0, 1);
  }
}

TEST (before_the_first_report_the_start_rate_stands)
{
  start ();
  CHECK_BETWEEN (choice.point.bitrate, 14000, 20000);
  conditions.allowance.R = 0;
  conditions.allowance.X_wire = conditions.allowance.X = 24.0;
  for (unsigned i = 0; i < 100; i++, now += TFRC_SEC / 10)
    give_conditions ();
  CHECK_INT (switches, 0);
  CHECK_INT (suspensions, 0);
}

/* 60 ms at 16 kbit/s and two copies, as soon as a loss shows; without copies 120 bytes; and a codec of one rate has
 * but its own. */
TEST (the_largest_packet_of_the_beginning_has_copies)
{
  const TfrcAdaptPoint twice =
      { TFRC_ADAPT_CODEC_OPUS, 16000, 60000, 1, 2, false, false };
  const TfrcAdaptPoint once =
      { TFRC_ADAPT_CODEC_PCMU, 64000, 10000, 1, 0, false, false };
  TfrcAdaptLadderLimits limits;

  start ();
  CHECK_INT (choice.largest_packet,
      tfrc_adapt_point_get_payload_size (&twice) + 24);
  CHECK (choice.largest_packet > 3 * 120);
  tfrc_adapt_ladder_limits_init (&limits);
  limits.max_redundancy = 0;
  start_with (&limits);
  CHECK_INT (choice.largest_packet, 120 + 24);
  adapt = tfrc_adapt_init (block.bytes, &config, &once, 1, now);
  tfrc_adapt_get_choice (adapt, &choice);
  CHECK_INT (choice.largest_packet, 80 + 24);
}

TEST (the_largest_payload_at_a_fixed_packet_rate)
{
  for (size_t i = 0; i < N_OF (v_adaptive_packet_size); i++) {
    const struct v_adaptive_packet_size *v = &v_adaptive_packet_size[i];

    NOTE ("case %zu", i);
    CHECK_NEAR (tfrc_adapt_get_packet_size (v->X_wire_Bps, v->pps, v->H),
        v->max_payload, 1e-9 * v->X_wire_Bps);
    CHECK_NEAR (8 * v->pps * tfrc_adapt_get_packet_size (v->X_wire_Bps, v->pps,
            v->H), v->max_codec_bps, 1e-6);
  }
}

TEST (what_is_chosen_fits_wherever_the_cheapest_point_does)
{
  double floor;

  start ();
  floor = 6000 * 0.06 / 8 + 24 + 40;
  floor /= 0.06;
  for (double X = floor; X < 20000; X *= 1.05) {
    NOTE ("X_wire %g", X);
    start ();
    conditions.allowance.X_wire = X;
    run (10.0);
    CHECK (choice.need * config.down <= X);
    CHECK (!choice.suspended);
    CHECK_NEAR (get_need (), choice.need, 1e-9);
  }
}

TEST (too_little_for_the_cheapest_point_suspends_and_the_flow_resumes_slowly)
{
  double cheapest;

  start ();
  settle (1900.0);
  cheapest = choice.need;
  conditions.allowance.X_wire = 0.3 * cheapest;
  run (4.5);
  CHECK_INT (suspensions, 0);
  run (5.0);
  CHECK_INT (suspensions, 1);
  CHECK (choice.suspended);
  /* RFC 5348 4.2 for these packets: four of them a round-trip time */
  conditions.allowance.X_wire = 1e6;
  run (30.0);
  CHECK_INT (resumptions, 1);

  start ();
  settle (1900.0);
  conditions.allowance.X_wire = 0.3 * cheapest;
  run (10.0);
  CHECK (choice.suspended);
  conditions.allowance.X_wire = 1e6;
  while (choice.suspended)
    run (0.1);
  CHECK (choice.need <=
      4 * (tfrc_adapt_point_get_payload_size (&ladder[0]) + 24 + 40 +
          30) / conditions.allowance.R);
}

TEST (a_suspension_by_the_sender_is_obeyed_at_once)
{
  start ();
  settle (5000.0);
  conditions.suspend = true;
  give_conditions ();
  CHECK (choice.suspended);
  run (60.0);
  CHECK (choice.suspended);
  conditions.suspend = false;
  give_conditions ();
  CHECK (!choice.suspended);
  CHECK_INT (suspensions, 1);
  CHECK_INT (resumptions, 1);
}

/* After a silence the sender begins anew, and knows no round-trip time. */
TEST (a_flow_that_begins_anew_begins_as_a_call_does)
{
  unsigned first;

  start ();
  first = choice.index;
  settle (1900.0);
  conditions.allowance.X_wire = 1.0;
  conditions.expired = true;
  run (12.0);
  CHECK (choice.suspended);
  conditions.allowance = (TfrcAllowance) {
      .max_packet_rate = 100,
      .X_wire = 145,
      .X = 145};
  conditions.expired = false;
  give_conditions ();
  CHECK (!choice.suspended);
  CHECK_INT (resumptions, 1);
  CHECK_INT (choice.index, first);
  /* One packet a second is allowed until the first report, and says nothing of the path. */
  for (unsigned i = 0; i < 100; i++, now += 100 * TFRC_MSEC)
    give_conditions ();
  CHECK (!choice.suspended);
  conditions.allowance = (TfrcAllowance) {
      .max_packet_rate = 100,
      .R = 0.1,
      .X_wire = 1e6,
      .X = 1e6};
  run (1.0);
  CHECK (!choice.suspended);
  CHECK_INT (choice.index, first);
  CHECK_INT (suspensions, 1);
}

/* Not so what the sender forbids. */
TEST (a_flow_that_begins_anew_stays_as_silent_as_the_sender_wants)
{
  start ();
  settle (5000.0);
  conditions.suspend = true;
  give_conditions ();
  conditions.allowance.R = 0.0;
  give_conditions ();
  CHECK (choice.suspended);
  CHECK_INT (resumptions, 0);
  conditions.suspend = false;
  give_conditions ();
  CHECK (!choice.suspended);
}
