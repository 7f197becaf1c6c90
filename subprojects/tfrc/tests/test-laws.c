/* libtfrc: tests of the laws that hold whatever came before: how soon a flow that loses
 * nothing has its rate back, what one late packet costs, how soon silence is noticed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path.h"

#include <tfrc/equation.h>

#define SIZE 184u
#define FRAME 0.02              /* s */

static const double rtts[] = { 0.1, 0.2, 0.3 };

static Path *
make_voice (TfrcMode mode, double R)
{
  TfrcConfig config = make_config (mode);

  return make_path (&config, SIZE, MS (1e3 * FRAME), MS (R * 500));
}

/* --- 10/p* packets without loss -------------------------------------------------- */

static void
come_from_nothing (Path * path)
{
  path_run (path, MS (10000));
}

/* One report with p = 1, which names a packet that was sent. */
static void
come_from_a_forged_report (Path * path)
{
  path_run (path, MS (10000));
  report (&path->flow, path->flow.stamp.t_i_us, 0, 0, 1.0, path->now + MS (1));
}

static void
come_from_a_late_packet (Path * path)
{
  path_run (path, MS (10000));
  path->late = MS (75);
  path_run (path, MS (10500));
}

static void
come_from_heavy_loss (Path * path)
{
  path_run (path, MS (2000));
  path->loss = 0.9;
  path_run (path, MS (60000));
  path->loss = 0;
}

static void
come_from_a_dead_path (Path * path)
{
  path_run (path, MS (5000));
  path->cut_data = path->cut_reports = true;
  path_run (path, MS (65000));
  path->cut_data = path->cut_reports = false;
}

/* The receiver begins anew, and with it p, right after heavy loss. */
static void
come_from_a_receiver_that_forgot (Path * path)
{
  come_from_heavy_loss (path);
  tfrc_receiver_restart (path->receiver, path->now);
}

static void (*const pasts[]) (Path * path) = {
  come_from_nothing,
  come_from_a_forged_report,
  come_from_a_late_packet,
  come_from_heavy_loss,
  come_from_a_dead_path,
  come_from_a_receiver_that_forgot,
};

/* The packets that the law grants: ten loss intervals of the rate X. */
static unsigned
count_granted (const Path * path, double X)
{
  const TfrcConfig *config = &path->flow.config;
  double R = stats_of (&path->flow).R;
  double factor =
      config->mode == TFRC_MODE_TFRC_SP ? tfrc_equation_header_factor (SIZE,
      config->H) : 1.0;

  return (unsigned) ceil (10.0 /
      tfrc_equation_loss (tfrc_config_get_equation_size (config, SIZE), R,
          tfrc_equation_t_RTO (config, R), X / factor));
}

TEST (ten_loss_intervals_without_loss_bring_half_of_a_fresh_flows_rate)
{
  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (rtts); i++) {
      Path *fresh =
          make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, rtts[i]);
      double X;

      path_run (fresh, MS (10000));
      X = stats_of (&fresh->flow).X;
      for (size_t j = 0; j < N_OF (pasts); j++) {
        Path *path =
            make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, rtts[i]);
        uint64_t arrived;

        NOTE ("mode %u, R %g, past %zu", mode, rtts[i], j);
        pasts[j] (path);
        arrived = path->arrived;
        while (path->arrived < arrived + count_granted (fresh, X))
          path_run (path, path->now + MS (100));
        CHECK_BETWEEN (stats_of (&path->flow).X, 0.5 * X, 4.0 * X);
        free_path (path);
      }
      free_path (fresh);
    }
}

/* --- one late packet ------------------------------------------------------------- */

/* A flow with one packet that was late, and the same flow without it. */
typedef struct
{
  Path *late, *even;
  TfrcSenderStats loss, last;   /* of `late`: the last with its highest p; at the last report */
} Twins;

static Twins
make_twins (TfrcMode mode, double R, TfrcTime at, TfrcTime late)
{
  Twins twins = { .late = make_voice (mode, R), .even = make_voice (mode, R) };

  path_run (twins.late, at);
  path_run (twins.even, at);
  twins.late->late = late;
  return twins;
}

/* Runs both flows to `until`. */
static void
run_twins (Twins * twins, TfrcTime until)
{
  while (twins->late->now < until) {
    TfrcSenderStats stats;

    path_run (twins->late, twins->late->now + MS (1));
    stats = stats_of (&twins->late->flow);
    if (stats.reports != twins->last.reports)
      twins->last = stats;
    if (stats.p >= twins->loss.p)
      twins->loss = stats;
  }
  path_run (twins->even, until);
}

static void
free_twins (Twins * twins)
{
  CHECK_INT (stats_of (&twins->late->flow).rejected[TFRC_REJECT_OLD], 0);
  free_path (twins->late);
  free_path (twins->even);
}

TEST (a_late_packet_is_forgotten_after_twenty_round_trips)
{
  for (size_t i = 0; i < N_OF (rtts); i++)
    for (TfrcTime at = MS (3000); at <= MS (12000); at += MS (4500))
      for (TfrcTime late = MS (20); late <= MS (400); late += MS (19)) {
        Twins twins = make_twins (TFRC_MODE_TFRC_SP, rtts[i], at, late);

        NOTE ("R %g, %g s late after %g s", rtts[i], (double) late * 1e-9,
            (double) at * 1e-9);
        run_twins (&twins, at + MS (1e3 * rtts[i]) * 20);
        CHECK_REL (stats_of (&twins.late->flow).X,
            stats_of (&twins.even->flow).X, 0.1);
        free_twins (&twins);
      }
}

/* Standard TFRC cannot keep that law while 1/p grows by at most the packets sent and one for each
 * report. With R = 0.3 s, X is 29,440 bytes/s. The loss event makes 1/p 402 packets; for nine tenths
 * of X it has to be 1,260. In 20 R only 300 packets are sent. A sender that forgets the loss event
 * sooner has to let p fall to 0, or 1/p grow almost three times as fast, on the word of the receiver
 * alone. Here X is as high as the growth of 1/p permits, and the flow sends each packet that it
 * sends without the late one. */
TEST (a_late_packet_costs_standard_tfrc_what_the_growth_of_1_p_takes_and_no_packet)
{
  static const unsigned enough[N_OF (rtts)] = { 22, 39, 57 };   /* R until 0.9 X */

  for (size_t i = 0; i < N_OF (rtts); i++)
    for (TfrcTime at = MS (3000); at <= MS (12000); at += MS (4500)) {
      double slowest = 1.0;

      for (TfrcTime late = MS (20); late <= MS (400); late += MS (19)) {
        double R = rtts[i];
        Twins twins = make_twins (TFRC_MODE_TFRC, R, at, late);
        TfrcSenderStats even, stats;
        double granted, highest, share;

        NOTE ("R %g, %g s late after %g s", R, (double) late * 1e-9,
            (double) at * 1e-9);
        run_twins (&twins, at + MS (1e3 * R) * 20);
        even = stats_of (&twins.even->flow);
        stats = stats_of (&twins.late->flow);
        share = stats.X / even.X;
        if (twins.loss.p > 0.0) {
          granted = (double) (twins.last.packets - twins.loss.packets)
              + (double) (twins.last.reports - twins.loss.reports);
          highest =
              tfrc_equation_rate (stats.s, stats.R, stats.t_RTO,
              1.0 / (1.0 / twins.loss.p + granted));
          CHECK_REL (stats.X, fmin (highest, even.X), 0.02);
          CHECK (share >= 0.9 || highest < 0.9 * even.X);
        }
        slowest = fmin (slowest, share);
        run_twins (&twins, at + MS (1e3 * R) * enough[i]);
        CHECK_REL (stats_of (&twins.late->flow).X,
            stats_of (&twins.even->flow).X, 0.1);
        CHECK_INT (twins.late->sent, twins.even->sent);
        CHECK_INT (twins.late->dropped_waiting, twins.even->dropped_waiting);
        free_twins (&twins);
      }
      CHECK_BETWEEN (slowest, 0.6, 0.9);
    }
}

/* --- silence --------------------------------------------------------------------- */

/* No more reports come. The seconds that the nofeedback timer ran before it halved X;
 * `limit` is what the law grants it. */
static double
measure_silence (Path * path, double *limit)
{
  uint64_t before;
  double R;

  path->cut_reports = true;
  path_run (path, path->now + path->delay);     /* those on their way */
  R = stats_of (&path->flow).R;
  for (before = path->expiries; path->expiries == before;)
    path_run (path, path->now + MS (1));
  *limit =
      fmax (4.0 * R, 2.0 * stats_of (&path->flow).s / path->X_ran) + R + FRAME;
  return (double) path->timer_ran *1e-9;
}

TEST (silence_halves_X_in_time_however_much_of_the_data_was_lost)
{
  static const struct
  {
    double loss;
    unsigned keep;
  } losses[] =
      { {0, 0}, {0.1, 0}, {0.3, 0}, {0.5, 0}, {0.7, 0}, {0.85, 0}, {0.91, 0},
  {0, 2}, {0, 5}, {0, 10}, {0, 50}
  };

  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (rtts); i++)
      for (size_t j = 0; j < N_OF (losses); j++)
        for (unsigned seconds = 8; seconds <= 40; seconds += 4) {
          Path *path =
              make_voice (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC, rtts[i]);
          double silence, limit;

          NOTE ("mode %u, R %g, loss %g, keep %u, %u s", mode, rtts[i],
              losses[j].loss, losses[j].keep, seconds);
          path_run (path, MS (2000));
          path->loss = losses[j].loss;
          path->keep = losses[j].keep;
          path_run (path, MS (2000) + MS (1000) * seconds);
          silence = measure_silence (path, &limit);
          CHECK_BETWEEN (silence, 0, limit);
          free_path (path);
        }
}
