/* libtfrc: the TCP throughput equation and its inverse
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/equation.h>

#include <math.h>

#include "minmax.h"

/* The smallest loss event rate that a report can carry: one unit of 2^-32. */
#define P_MIN 0x1p-32

/* A rate that no path reaches: what a round-trip time of zero saturates at, so
 * that no infinity and no NaN leaves this file. */
#define X_MAX 1e18

/* Geometric bisection of [2^-32, 1]: the ratio of the bounds is 1 + 2^-44 after
 * 5 + 44 halvings of its 32 octaves; one more for the rounding of the root. */
#define BISECTION_STEPS 50

static double
limit_p (double p)
{
  if (!(p < 1.0))               /* NaN too: the lowest rate is the safe reading */
    return 1.0;
  return p > P_MIN ? p : P_MIN;
}

double
tfrc_equation_rate (double s, double R, double t_RTO, double p)
{
  double seconds;               /* that the equation gives to one segment */

  p = limit_p (p);
  /* RFC 5348 3.1, b = 1. The min (1, 3 sqrt (3 b p / 8)) of the TCP model it
   * comes from, RFC 3714 (1), is not part of it. */
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

  /* The rate falls strictly with p, so whatever X is, NaN and what no p gives
   * included, one of the bounds closes in on the other. */
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
  /* RFC 5348 3.1: t_RTO = 4 R, or with a floor of one second. */
  return tfrc_max (config->t_RTO_R * R, (double) config->t_RTO_min / (double) TFRC_SEC);
}

double
tfrc_equation_header_factor (double s, double H)
{
  return s > 0.0 ? s / (s + H) : 0.0;
}
