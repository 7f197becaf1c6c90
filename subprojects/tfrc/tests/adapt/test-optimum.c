/* tfrcadapt: tests of the offline optimum of calls in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "optimum.h"

#define SHORT 32                /* s */
#define POINT(BITRATE, MS, COPIES) {TFRC_ADAPT_CODEC_OPUS, BITRATE, MS * 1000, 1, COPIES, false, false}

static const TfrcAdaptPoint cheap = POINT (12000, 60, 0), good =
POINT (24000, 40, 0);

static void
record_anything (void)
{
  memset (&record, 0, sizeof record);
  record.ticks = SHORT * 100;
  record.first_frame = BEGIN + 5 * TFRC_MSEC;
  for (unsigned i = 0; i < record.ticks; i++) {
    record.R[i] = 0.1;
    record.slack[i] = 1e-9 * (double) latency;
  }
  random_state = 1;
  call = calls;
  now = BEGIN;
}

/* The path carries anything, and loses that share of the packets. */
static void
set_record (double loss)
{
  set_path (1e6, 0.3, loss);
  record_anything ();
  record.loss = loss;
  record.packets = FRAMES;
  for (unsigned i = 0; i < FRAMES; i++)
    record.lost[i] = draw () < loss;
}

/* The allowance, in bytes/s, from a second on. */
static void
allow (double X, unsigned from)
{
  for (unsigned i = from * 100; i < record.ticks; i++)
    record.allowed[i + 1] = record.allowed[i] + X * TICK_S;
}

/* What a point needs, with something to spare for what is made in the first moment. */
static double
get_room_for (const TfrcAdaptPoint * point)
{
  return 1.005 * tfrc_adapt_point_get_wire_rate (point, RTP, TFRC_SP_H);
}

static double
replay_fixed (const TfrcAdaptPoint * point)
{
  Schedule fixed = { .distance = TFRC_ADAPT_COPY_DISTANCE };

  points[0] = *point;
  replay (&fixed, SHORT);
  call = calls;
  return fixed.score;
}

/* The point of the ladder with the best rating among those that fit. */
static TfrcAdaptPoint
find_best_that_fits (double X)
{
  TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX], best = cheap;
  TfrcAdaptLadderLimits limits;
  double score = 0;
  unsigned n;

  tfrc_adapt_ladder_limits_init (&limits);
  n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, &limits);
  for (unsigned i = 0; i < n; i++) {
    double rating = tfrc_adapt_quality_get_rating (&ladder[i],
        &(TfrcAdaptListening) {.burst = 1});

    if (tfrc_adapt_point_get_wire_rate (&ladder[i], RTP, TFRC_SP_H) <= X
        && rating > score) {
      score = rating;
      best = ladder[i];
    }
  }
  return best;
}

/* Without losses the codec's own error correction makes no difference. */
static bool
is_point (const TfrcAdaptPoint * a, const TfrcAdaptPoint * b)
{
  return a->bitrate == b->bitrate && a->frame_us == b->frame_us
      && a->redundancy == b->redundancy;
}

/* Seconds of a part of the schedule that have the point. */
static unsigned
count (const Schedule * schedule, const TfrcAdaptPoint * point, unsigned from,
    unsigned to)
{
  unsigned n = 0;

  for (unsigned s = from; s < to; s++)
    n += is_point (&points[schedule->point[s]], point);
  return n;
}

TEST (under_an_allowance_that_does_not_vary_the_optimum_is_the_best_point_that_fits)
{
  const TfrcAdaptPoint *fits[] = { &cheap, &good };

  for (unsigned i = 0; i < N_OF (fits); i++) {
    double X = get_room_for (fits[i]);
    TfrcAdaptPoint best = find_best_that_fits (X);
    Schedule optimum;

    NOTE ("%u bit/s", fits[i]->bitrate);
    set_record (0);
    allow (X, 0);
    optimum = find_optimum (SHORT);
    CHECK_INT (count (&optimum, &best, 0, SHORT), SHORT);
    CHECK_NEAR (optimum.score, replay_fixed (&best), 0.01);
  }
}

/* Packets wait up to 400 ms, so that a second beside the step may have another point, and the last ones, whose packets
 * may wait beyond the end. */
TEST (where_the_allowance_has_a_step_the_optimum_changes_once)
{
  TfrcAdaptPoint before = find_best_that_fits (get_room_for (&good)), after =
      find_best_that_fits (get_room_for (&cheap));
  Schedule optimum;

  set_record (0);
  allow (get_room_for (&good), 0);
  allow (get_room_for (&cheap), 16);
  optimum = find_optimum (SHORT);
  CHECK_INT (count (&optimum, &before, 0, 15), 15);
  CHECK_INT (count (&optimum, &after, 17, 27), 10);
}

/* The allowance and the losses differ from second to second. */
TEST (no_fixed_point_is_better_than_the_optimum)
{
  TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX];
  TfrcAdaptLadderLimits limits;
  Schedule optimum;
  double best = 0;
  unsigned n;

  set_record (0.2);
  for (unsigned s = 0; s < SHORT; s++)
    allow (2000 + 8000 * draw (), s);
  optimum = find_optimum (SHORT);
  tfrc_adapt_ladder_limits_init (&limits);
  n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, &limits);
  for (unsigned i = 0; i < n; i++)
    best = fmax (best, replay_fixed (&ladder[i]));
  CHECK_BETWEEN (best, 1.5, 4.0);
  CHECK_BETWEEN (optimum.score, best + 0.1, best + 1.0);
}

/* For 300 ms nothing is allowed, and else a little more than what is needed. The jitter buffer holds 400 ms, and then
 * 200 ms, so that packets are dropped for 100 ms and all others are in time. */
TEST (packets_wait_over_a_dip_of_the_allowance_for_as_long_as_the_jitter_buffer_holds)
{
  double X = 1.1 * get_room_for (&good);
  TfrcTime then = latency;
  double kept, lost;

  set_record (0);
  allow (X, 0);
  for (unsigned i = 1600; i < record.ticks; i++)
    record.allowed[i + 1] = record.allowed[i] + (i < 1630 ? 0 : X * TICK_S);
  latency = 400 * TFRC_MSEC;
  patience = 0.4;
  kept = replay_fixed (&good);
  latency = 200 * TFRC_MSEC;
  patience = 0.2;
  lost = replay_fixed (&good);
  latency = then;
  CHECK_NEAR (kept, tfrc_adapt_quality_get_mos (129 - get_Ie (&good,
              &(Missed) {.burst = 1})), 0.01);
  CHECK_BETWEEN (kept - lost, 0.01, 0.2);
}

/* Of the 400 packets of a window each fourth is lost, where half of what the path draws is. */
TEST (the_packets_that_are_lost_are_those_that_the_call_lost)
{
  static const TfrcAdaptPoint point = POINT (24000, 20, 0);

  set_record (0.5);
  allow (20000, 0);
  for (unsigned i = 0; i < FRAMES; i++)
    record.lost[i] = i % 4 == 0;
  patience = 0.4;
  replay_fixed (&point);
  call = &calls[1];
  CHECK_NEAR (get_missed (BEGIN, BEGIN + 8 * TFRC_SEC).loss, 0.25, 1e-9);
  CHECK_NEAR (get_missed (BEGIN, BEGIN + 8 * TFRC_SEC).burst, 1, 1e-9);
  call = calls;
}

/* Else two copies would make packets of three frames of it, by dropping two in three. */
TEST (copies_do_not_restore_what_the_sender_drops)
{
  static const TfrcAdaptPoint copied = POINT (12000, 60, 2);

  set_record (0);
  allow (0.5 * get_room_for (&copied), 0);
  patience = 0.4;
  CHECK_BETWEEN (replay_fixed (&copied), 1.0, 1.5);
}

#define REPLAYS 10

/* A call with one point, whose packets the allowance in use lets depart, is heard as its replay is, which sends all copies. */
TEST (the_replay_of_a_call_is_heard_as_the_call_was)
{
  static const TfrcAdaptPoint point = POINT (12000, 40, 2);
  static const struct
  {
    double bits, loss;
  } cases[] = { {1e6, 0.1}, {1e6, 0.25}, {60e3, 0.02} };

  latency = 400 * TFRC_MSEC;
  patience = 0.4;
  only = &point;
  for (unsigned i = 0; i < N_OF (cases); i++) {
    double scores[SECONDS], call_score = 0, replay_score = 0;

    NOTE ("a share of %.2f lost", cases[i].loss);
    for (call_seed = 1; call_seed <= REPLAYS; call_seed++) {
      set_path (cases[i].bits, 0.3, cases[i].loss);
      path.unlisted = true;
      start ();
      start_record ();
      run (SHORT + 2);
      end_record ();
      call_score += get_score (SHORT, scores) / REPLAYS;
      replay_score += replay_fixed (&point) / REPLAYS;
    }
    CHECK_BETWEEN (call_score, 2.0, 4.2);
    CHECK_NEAR (replay_score, call_score, 0.15);
  }
  call_seed = 1;
  only = NULL;
}

TEST (the_forecast_gives_longer_packets_less)
{
  static const TfrcAdaptPoint rare = POINT (12000, 60, 2), often =
      POINT (12000, 20, 2);

  set_record (0.25);
  for (unsigned i = 0; i < record.ticks; i++) {
    record.p[i] = 0.2;
    record.packet_rate[i] = 25;
  }
  forecast = true;
  CHECK_BETWEEN (get_cost (&rare, 0) / get_bytes (&rare), 1.1, 1.4);
  CHECK_BETWEEN (get_cost (&often, 0) / get_bytes (&often), 1 / 1.41, 0.9);
  forecast = false;
  CHECK_NEAR (get_cost (&rare, 0) / get_bytes (&rare), 1, 1e-12);
}
