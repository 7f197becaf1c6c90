/* lab-vt: the engine over loss models, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   lab-vt KEY=VALUE...
 *
 * Prints lines of FLOW METRIC VALUE; docs/lab.md lists the keys. */
#include "flow.h"
#include "loss.h"
#include "options.h"
#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tfrc/equation.h>

static void
print_metric (const char *metric, double value)
{
  printf ("flow %s %.9g\n", metric, value);
}

static double
cov (double n, double sum, double squares)
{
  double mean = n > 0 ? sum / n : 0;
  return mean > 0 ? sqrt (fmax (0, squares / n - mean * mean)) / mean : NAN;
}

/* The standard error of the mean of n values; 0 where one value gives none. */
static double
standard_error (double n, double sum, double squares)
{
  double mean = sum / n;
  return n > 1 ? sqrt (fmax (0, squares / n - mean * mean) / (n - 1)) : 0;
}

static void
add (LabFlowResult * sum, const LabFlowResult * one)
{
  double *to = (double *) sum;
  const double *from = (const double *) one;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += from[i];
}

/* The options of the flow i of n. */
static LabOptions
spread_rtt (const LabOptions * options, double i, double n)
{
  LabOptions one = *options;
  if (options->rtt_max > options->rtt && n > 1)
    one.rtt += (options->rtt_max - options->rtt) * i / (n - 1);
  return one;
}

static int
run_flow (const LabOptions * options, TfrcConfig * config)
{
  LabFlowResult sum = { 0 };
  double n = options->flows, seconds =
      options->duration - options->from, X_cov = 0, p_cov = 0, bytes2 = 0;
  for (unsigned i = 0; i < n; i++) {
    uint64_t seed = (uint64_t) options->seed * 1000 + i;
    config->seed = seed;
    LabOptions own = spread_rtt (options, i, n);
    LabFlowResult one = lab_flow_run (&own, config, seed);
    X_cov += cov (one.samples, one.X, one.X2) / n;
    p_cov += cov (one.samples, one.p, one.p2) / n;
    bytes2 += one.bytes * one.bytes;
    add (&sum, &one);
  }
  print_metric ("send_rate_kbps", sum.bytes * 8e-3 / seconds / n);
  print_metric ("send_rate_kbps_se",
      standard_error (n, sum.bytes, bytes2) * 8e-3 / seconds);
  print_metric ("packets_per_s", sum.packets / seconds / n);
  print_metric ("drop_rate", sum.packets > 0 ? sum.lost / sum.packets : 0);
  print_metric ("p", sum.p / sum.samples);
  print_metric ("p_cov", p_cov);
  print_metric ("X_cov", X_cov);
  print_metric ("theta_mean", sum.theta / sum.intervals);
  print_metric ("theta_cov", cov (sum.intervals, sum.theta, sum.theta2));
  print_metric ("expiries", sum.expiries / n);
  return 0;
}

/* The loss model alone, for packets of `size` bytes. */
static int
run_loss (const LabOptions * options)
{
  LabLoss loss;
  unsigned n = 1000000, lost = 0;
  lab_loss_init (&loss, options, (uint64_t) options->seed);
  for (unsigned i = 0; i < n; i++)
    lost += lab_loss_drops (&loss, options->size, i * 1e-3);
  print_metric ("drop_rate", lost / (double) n);
  return 0;
}

/* RFC 4828 4.1: the response function, at most `pps` packets of `size` bytes. */
static int
run_equation (const LabOptions * options)
{
  double X = tfrc_equation_rate (options->s, options->rtt,
      options->t_RTO_R * options->rtt, options->p);
  if (options->pps > 0)
    X = fmin (X, options->pps * options->size);
  print_metric ("rate_KBps", X * 1e-3);
  return 0;
}

int
main (int argc, char **argv)
{
  LabOptions options;
  TfrcConfig config;
  LabLoss loss;
  const char *wrong = lab_options_parse (&options, argc, argv);
  if (!wrong)
    wrong = lab_options_get_config (&options, &config);
  if (!wrong && !lab_loss_init (&loss, &options, 0))
    wrong = "no such loss model";
  if (wrong) {
    fprintf (stderr, "lab-vt: %s\n", wrong);
    return 2;
  }
  if (strcmp (options.run, "equation") == 0)
    return run_equation (&options);
  if (strcmp (options.run, "loss") == 0)
    return run_loss (&options);
  if (strcmp (options.run, "replay") == 0)
    return lab_replay_run (&options, &config);
  return run_flow (&options, &config);
}
