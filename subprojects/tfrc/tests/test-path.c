/* libtfrc: tests of a whole call, sender and receiver over a path in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path.h"

/* 64 kbit/s of voice: 160 bytes of payload and 24 of RTP header and extension each
 * 20 ms. */
#define SIZE 184u
#define RATE (SIZE * 50.0)

static const double rtts[] = { 0.02, 0.1, 0.3 };

static Path *
make_voice (TfrcMode mode, double R)
{
  TfrcConfig config = make_config (mode);

  return make_path (&config, SIZE, MS (20), MS (R * 500));
}

/* RFC 5348 4.3: X is at most twice the largest rate that was received, or the
 * initial rate, while nothing is lost and the flow is limited by its data. */
TEST (a_call_on_a_clean_path_is_neither_held_up_nor_given_ever_more)
{
  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (rtts); i++) {
      Path *path =
          make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, rtts[i]);
      double X_recv = 0, early = 0;
      TfrcSenderStats stats;

      NOTE ("mode %u, R %g", mode, rtts[i]);
      for (TfrcTime t = MS (10); t <= MS (60000); t += MS (10)) {
        path_run (path, t);
        stats = stats_of (&path->flow);
        X_recv = fmax (X_recv, stats.X_recv);
        /* without a limit for two round-trip times: the initial rate doubles twice */
        CHECK (stats.R == 0
            || stats.X <= fmax (2 * X_recv,
                16.0 * SIZE / stats.R) * (1 + 1e-9));
        CHECK (t < MS (3000) || stats.X >= RATE);
        if (t == MS (3000)) {
          path->longest_wait = path->dropped_waiting = 0;
          early = stats.X;
        }
      }
      /* what it received at most was the frames of its first second, held up then */
      CHECK (stats.X <= 4 * RATE + 4 * SIZE / rtts[i]);
      CHECK (stats.X <= 1.05 * early);
      CHECK (path->longest_wait <= MS (1));
      CHECK_INT (path->dropped_waiting, 0);
      CHECK_INT (path->expiries, 0);
      CHECK_REL (stats.R, rtts[i], 0.01);
      CHECK (stats.data_limited && stats.slow_start);
      CHECK_BETWEEN (stats.reports, 45 / (rtts[i] + 0.02), 61 / rtts[i]);
      CHECK_INT (stats.limited_p + stats.limited_t_delay, 0);
      CHECK (stats.limited_x_recv <= 2);        /* when the first R is not yet known there */
      for (unsigned j = 0; j < TFRC_N_REJECTS; j++)
        CHECK_INT (stats.rejected[j], 0);
      free_path (path);
    }
}

/* On one machine R is a hundredth of the time between two packets, and RTCP carries a
 * report in a hundred of them. RFC 5348 6.2 has no X_recv below one packet in an R,
 * which is then far above what the flow sends; nothing else may come of it. */
TEST (a_round_trip_far_below_the_packet_interval_disturbs_nothing)
{
  static const TfrcTime intervals[] = { 0, MS (20), MS (100) };
  double R = 0.0002;

  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (intervals); i++) {
      Path *path = make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, R);
      TfrcSenderStats stats;

      NOTE ("mode %u, %g s between reports", mode,
          (double) intervals[i] * 1e-9);
      path->delay = (TfrcTime) (R * 5e8);
      tfrc_receiver_set_report_interval (path->receiver, intervals[i], 0);
      path_run (path, MS (2500));
      path->longest_wait = path->dropped_waiting = 0;
      for (TfrcTime t = MS (3000); t <= MS (60000); t += MS (500)) {
        path_run (path, t);
        stats = stats_of (&path->flow);
        CHECK_BETWEEN (stats.X, RATE, 16 * SIZE / R);
        CHECK_REL (stats.X_recv, SIZE / R, 0.01);
      }
      CHECK_INT (path->expiries, 0);
      CHECK (path->longest_wait <= MS (1));
      CHECK_INT (path->dropped_waiting, 0);
      CHECK_REL (stats.R, R, 0.01);
      CHECK (stats.data_limited && stats.slow_start);
      CHECK_INT (stats.limited_p + stats.limited_t_delay, 0);
      for (unsigned j = 0; j < TFRC_N_REJECTS; j++)
        CHECK_INT (stats.rejected[j], 0);
      free_path (path);
    }
}

/* Seconds until 48 of the last 50 frames left without waiting longer than 20 ms. */
static double
measure_recovery (Path * path, double limit)
{
  TfrcTime from = path->now;

  while (path->now - from < (TfrcTime) (limit * 1e9)) {
    uint64_t sent = path->sent;

    path->longest_wait = 0;
    path_run (path, path->now + MS (1000));
    if (path->sent - sent >= 49 && path->longest_wait <= MS (20))
      return (double) (path->now - from) * 1e-9 - 1.0;
  }
  return limit;
}

TEST (a_call_recovers_from_a_path_that_was_dead_for_ten_seconds)
{
  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (rtts); i++) {
      Path *path =
          make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, rtts[i]);
      uint64_t before;

      NOTE ("mode %u, R %g", mode, rtts[i]);
      path_run (path, MS (10000));
      path->cut_data = path->cut_reports = true;
      before = path->expiries;
      path_run (path, MS (20000));
      CHECK (path->expiries > before);
      CHECK (stats_of (&path->flow).X < RATE / 8);
      path->cut_data = path->cut_reports = false;
      /* RFC 5348 counts the packets of the dead path as several loss events; standard
       * TFRC gives packets so small and an R so long little until they are old. */
      CHECK_BETWEEN (measure_recovery (path, 30), 0, mode == 0
          && rtts[i] > 0.2 ? 25 : 8);
      CHECK_BETWEEN (stats_of (&path->flow).X, RATE, 40 * RATE);
      free_path (path);
    }
}

TEST (a_call_recovers_from_reports_that_were_blocked_for_thirty_seconds)
{
  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (rtts); i++) {
      Path *path =
          make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, rtts[i]);

      NOTE ("mode %u, R %g", mode, rtts[i]);
      path_run (path, MS (10000));
      path->cut_reports = true;
      path_run (path, MS (40000));
      CHECK (stats_of (&path->flow).X < RATE / 50);
      path->cut_reports = false;
      /* Each 2 s / X of silence halve X: after 30 s of them the next packet, the first
       * that is answered, is at most 15 s off. Then slow start. */
      CHECK_BETWEEN (measure_recovery (path, 60), 0, 15 + 3);
      free_path (path);
    }
}

TEST (a_paused_call_resumes_without_losing_a_frame)
{
  Path *path = make_voice (TFRC_MODE_TFRC_SP, 0.1);

  path_run (path, MS (10000));
  path->next_frame = MS (20000);
  path->dropped_waiting = 0;
  path_run (path, MS (20000) - 1);
  /* 4.4: idle, X falls to the initial rate and no further */
  CHECK_BETWEEN (stats_of (&path->flow).X, 4 * SIZE / 0.1 * 0.99,
      4 * SIZE / 0.1 * 2);
  path->longest_wait = 0;
  path_run (path, MS (30000));
  CHECK (path->longest_wait <= MS (60));
  CHECK_INT (path->dropped_waiting, 0);
  free_path (path);
}

typedef struct
{
  Path *path;
  TfrcTime at[200000];
  double X[200000];             /* largest so far in force, at each departure */
  unsigned n;
} Trace;

static void
record (void *user, TfrcTime now)
{
  Trace *trace = user;

  trace->at[trace->n] = now;
  trace->X[trace->n++] = stats_of (&trace->path->flow).X_inst;
}

/* The encoder hands out four times what the path carries and obeys nothing. */
TEST (an_encoder_that_ignores_its_orders_stays_within_X)
{
  static Trace trace;
  Path *path = make_voice (TFRC_MODE_TFRC_SP, 0.1);

  trace = (Trace) {.path = path};
  path->on_departure = record;
  path->user = &trace;
  path->capacity = 6000;
  path->frame = MS (10);
  path_run (path, MS (120000));
  CHECK (path->dropped_waiting > 1000);
  for (unsigned i = 0, j = 0; i < trace.n; i++) {
    double X = 0;

    while (trace.at[i] - trace.at[j] > TFRC_SEC)
      j++;
    for (unsigned k = j > 0 ? j - 1 : 0; k <= i; k++)
      X = fmax (X, trace.X[k]);
    NOTE ("at %g s", (double) trace.at[i] * 1e-9);
    if (trace.at[i] > MS (20000))
      CHECK ((i - j + 1) * SIZE <= X + SIZE + 1);
    CHECK (i == 0 || trace.at[i] - trace.at[i - 1] >= MS (10));
  }
  free_path (path);
}

/* Bytes/s with headers that left from now on. */
static double
measure_wire_rate (Path * path, double seconds)
{
  uint64_t sent = path->sent;

  path_run (path, path->now + (TfrcTime) (seconds * 1e9));
  return (double) (path->sent - sent) * (path->size + path->headers) / seconds;
}

TEST (a_flow_follows_the_capacity_down_and_up)
{
  Path *path = make_voice (TFRC_MODE_TFRC, 0.1);

  path->capacity = 20000;
  path_run (path, MS (30000));
  CHECK_REL (measure_wire_rate (path, 10), 11200, 0.01);        /* all that the encoder has */
  path->capacity = 6000;
  path_run (path, path->now + MS (2000));
  CHECK (measure_wire_rate (path, 3) < 1.1 * 6000);
  CHECK_BETWEEN (measure_wire_rate (path, 60), 0.85 * 6000, 1.03 * 6000);
  path->capacity = 20000;
  path_run (path, path->now + MS (20000));
  CHECK (measure_wire_rate (path, 10) > 0.95 * 11200);
  free_path (path);
}

/* Under TFRC-SP an equal share is that of a flow of 1460-byte packets. */
TEST (a_flow_of_small_packets_shares_by_bytes)
{
  Path *path = make_voice (TFRC_MODE_TFRC_SP, 0.1);

  path->size = 1000;
  path->frame = MS (10);
  path->capacity = 60000;
  path_run (path, MS (60000));
  CHECK_BETWEEN (measure_wire_rate (path, 60), 0.9 * 60000, 1.05 * 60000);
  free_path (path);
}

TEST (random_loss_brings_the_rate_of_the_equation)
{
  Path *path = make_voice (TFRC_MODE_TFRC, 0.1);
  TfrcSenderStats stats;
  double rate;

  path->size = 1000;
  path->frame = MS (1);
  path->loss = 0.02;
  path_run (path, MS (30000));
  rate = measure_wire_rate (path, 200) * 1000 / 1040;
  stats = stats_of (&path->flow);
  CHECK_BETWEEN (stats.p, 0.008, 0.035);
  CHECK_BETWEEN (rate / (1000.0 / 1460 * 101600), 0.75, 1.35);  /* X (1460, 0.1, 0.02) */
  free_path (path);
}

typedef struct
{
  double p, X, queue;           /* mean of p and X, bytes/s; s in the queue */
  double lost, marked, events;  /* packets and loss events, per second */
} Congestion;

/* 1,000 bytes each millisecond over 125 packets a second, or 2 % of the packets picked at random. */
static Congestion
measure_congestion (double capacity, bool mark)
{
  Path *path = make_voice (TFRC_MODE_TFRC, 0.1);
  Congestion seen = { 0 };
  TfrcReceiverStats before, after;
  unsigned n = 0;

  path->size = 1000;
  path->frame = MS (1);
  path->mark = mark;
  path->capacity = capacity;
  if (capacity > 0)
    path->aqm = 0.05;
  else
    path->loss = 0.02;
  path_run (path, MS (30000));
  tfrc_receiver_get_stats (path->receiver, &before);
  for (; path->now < MS (230000); n++) {
    TfrcSenderStats stats;

    path_run (path, path->now + MS (100));
    stats = stats_of (&path->flow);
    seen.p += stats.p;
    seen.X += stats.X;
    seen.queue += stats.R - 0.1;
  }
  tfrc_receiver_get_stats (path->receiver, &after);
  seen.lost = (double) (after.lost - before.lost) / 200;
  seen.marked = (double) (after.marked - before.marked) / 200;
  seen.events = (double) (after.loss_events - before.loss_events) / 200;
  seen.p /= n;
  seen.X /= n;
  seen.queue /= n;
  free_path (path);
  return seen;
}

/* RFC 5348 5.1, RFC 3168: a mark is a loss event as a loss is, and nothing is lost. */
TEST (a_queue_that_marks_gives_the_p_and_the_rate_of_one_that_drops)
{
  static const double capacities[] = { 0.0, 125 * 1040.0 };

  for (size_t i = 0; i < N_OF (capacities); i++) {
    Congestion drops = measure_congestion (capacities[i], false);
    Congestion marks = measure_congestion (capacities[i], true);

    NOTE ("capacity %g", capacities[i]);
    CHECK_NEAR (drops.marked, 0, 0);
    CHECK_NEAR (marks.lost, 0, 0);
    CHECK_BETWEEN (marks.marked / drops.lost, 0.9, 1.1);
    CHECK_BETWEEN (marks.events / drops.events, 0.9, 1.1);
    CHECK_BETWEEN (marks.p / drops.p, 0.95, 1.05);
    CHECK_BETWEEN (marks.X / drops.X, 0.97, 1.03);
    if (capacities[i] > 0) {
      CHECK_BETWEEN (marks.X, 0.95 * 125000, 1.05 * 125000);
      CHECK_BETWEEN (marks.queue, 0.01, 0.05);
      CHECK_BETWEEN (marks.queue / drops.queue, 0.85, 1.15);
    } else {
      CHECK_BETWEEN (marks.p, 0.016, 0.024);
    }
  }
}

TEST (slow_start_fills_the_path_in_a_few_rtts)
{
  Path *path = make_voice (TFRC_MODE_TFRC, 0.1);

  path->size = 1000;
  path->frame = MS (1);
  path->capacity = 125000;
  path_run (path, MS (400));
  CHECK_BETWEEN (stats_of (&path->flow).X, 70000, 150000);
  path_run (path, MS (800));
  CHECK (stats_of (&path->flow).X > 125000);
  path_run (path, MS (20000));
  CHECK_BETWEEN (measure_wire_rate (path, 30), 90000, 135000);
  free_path (path);
}
