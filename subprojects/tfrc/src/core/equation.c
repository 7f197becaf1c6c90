/* libtfrc: the TCP throughput equation and its inverse
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/equation.h>

#include <math.h>

#include "minmax.h"

/* The lowest loss event rate other than 0 that a report can carry: 2^-32. */
#define P_MIN 0x1p-32

/* bytes/s: the highest rate that is returned, which no path reaches. A round-trip time of 0 gives this
 * rate, and never infinity or NaN. */
#define X_MAX 1e18

/* Geometric bisection of the range from 2^-32 to 1, which is 32 octaves: after 5 + 44 halvings the ratio
 * of the bounds is 1 + 2^-44. One more step is for the rounding of the square root. */
#define BISECTION_STEPS 50

static double
limit_p (double p)
{
  if (!(p < 1.0))               /* also NaN, for which the lowest rate is the safe result */
    return 1.0;
  return p > P_MIN ? p : P_MIN;
}

double
tfrc_equation_rate (double s, double R, double t_RTO, double p)
{
  double seconds;               /* from one segment to the next */

  p = limit_p (p);
  /* RFC 5348 3.1 with b = 1. The TCP model that it comes from, RFC 3714 (1), has min (1, 3 sqrt (3 b p /
   * 8)) instead of 3 sqrt (3 b p / 8). */
  seconds = R * sqrt (2.0 * p / 3.0)
      + t_RTO * (3.0 * sqrt (3.0 * p / 8.0) * p * (1.0 + 32.0 * p * p));

  if (!(s > 0.0))
    return 0.0;
  return s < seconds * X_MAX ? s / seconds : X_MAX;
}

double
tfrc_equation_loss (double s, double R, double t_RTO, double X)
{
  double low = P_MIN, high = 1.0;

  /* The rate falls strictly with p. So one bound moves to the other for every X, also for NaN and for a
   * rate that no p gives. */
  for (unsigned i = 0; i < BISECTION_STEPS; i++) {
    double p = sqrt (low * high);

    if (tfrc_equation_rate (s, R, t_RTO, p) > X)
      low = p;
    else
      high = p;
  }
  return high;
}

double
tfrc_equation_t_RTO (const TfrcConfig * config, double R)
{
  /* RFC 5348 3.1: t_RTO = 4 R, or max (4 R, 1 s). */
  return tfrc_max (config->t_RTO_R * R,
      (double) config->t_RTO_min / (double) TFRC_SEC);
}

double
tfrc_equation_header_factor (double s, double H)
{
  return s > 0.0 ? s / (s + H) : 0.0;
}
