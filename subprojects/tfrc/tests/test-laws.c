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

/* X so many round-trip times after the packet of `at` was so late. */
static double
get_X_after_late (TfrcMode mode, double R, TfrcTime at, TfrcTime late,
    unsigned round_trips)
{
  Path *path = make_voice (mode, R);
  double X;

  path_run (path, at);
  path->late = late;
  path_run (path, at + MS (1e3 * R) * round_trips);
  X = stats_of (&path->flow).X;
  CHECK_INT (stats_of (&path->flow).rejected[TFRC_REJECT_OLD], 0);
  free_path (path);
  return X;
}

/* 1/p grows by one a packet. That is slow for standard TFRC, whose loss interval at
 * this rate and a round-trip time of 0.3 s is 400 packets. */
TEST (a_late_packet_is_forgotten_after_twenty_round_trips)
{
  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (rtts); i++)
      for (TfrcTime at = MS (3000); at <= MS (12000); at += MS (4500)) {
        unsigned round_trips = mode ? 20 : 100;
        TfrcMode m = mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC;
        double X = get_X_after_late (m, rtts[i], at, 0, round_trips);

        for (TfrcTime late = MS (20); late <= MS (400); late += MS (19)) {
          NOTE ("mode %u, R %g, %g s late after %g s", mode, rtts[i],
              (double) late * 1e-9, (double) at * 1e-9);
          CHECK_REL (get_X_after_late (m, rtts[i], at, late, round_trips), X,
              0.1);
        }
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
