/* tfrcadapt: the wideband E-model (ITU-T G.107.1, and G.107 where that refers to it)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/quality.h>

#include <math.h>

#include "codec-impairment.h"

/* Ro of G.107.1 7.1: the rating of a wideband connection without impairments. */
#define RO_WB 129.0

/* G.107.1 annex A: the wideband scale is the narrowband scale times 1.29. */
#define SCALE_WB 1.29

static double
clamp (double value, double low, double high)
{
  return value > low ? (value < high ? value : high) : low;
}

double
tfrc_adapt_quality_get_mos (double rating)
{
  double R = rating / SCALE_WB;

  /* G.107 annex B */
  if (!(R > 0.0))
    return 1.0;
  if (R >= 100.0)
    return 4.5;
  /* Below R = 6.5 the cubic is less than 1, which no score is. */
  return clamp (1.0 + 0.035 * R + R * (R - 60.0) * (100.0 - R) * 7e-6, 1.0,
      4.5);
}

/* Bisection of the range in which the score rises, 6.5 to 100. After 24 halvings the error is far
 * below what a score can show. */
double
tfrc_adapt_quality_get_rating_of_mos (double mos)
{
  double low = 6.5 * SCALE_WB, high = 100.0 * SCALE_WB;
  unsigned i;

  for (i = 0; i < 24; i++) {
    double middle = (low + high) / 2.0;

    if (tfrc_adapt_quality_get_mos (middle) < mos)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2.0;
}

double
tfrc_adapt_quality_get_delay_impairment (double Ta)
{
  double x;

  /* G.107 7.4 with sT = 1 and mT = 100 ms */
  if (!(Ta > 0.1))
    return 0.0;
  x = log2 (fmin (Ta, 60.0) / 0.1);
  return 25.0 * (pow (1.0 + pow (x, 6.0), 1.0 / 6.0)
      - 3.0 * pow (1.0 + pow (x / 3.0, 6.0), 1.0 / 6.0) + 2.0);
}

/* A copy is lost with the probability that another loss follows a loss, which is that of runs with a
 * mean length of burst / (1 - loss) packets. */
double
tfrc_adapt_quality_get_residual_loss (double loss, double burst,
    unsigned redundancy)
{
  double again = 1.0 - (1.0 - loss) / fmax (burst, 1.0);
  unsigned i;

  for (i = 0; i < redundancy; i++)
    loss *= again;
  return loss;
}

double
tfrc_adapt_impairment_get_rating (const TfrcAdaptImpairment * impairment,
    const TfrcAdaptPoint * point, const TfrcAdaptListening * listening)
{
  /* A packet can depart when its frame is full. Redundant copies and the codec's own error correction
   * come in later packets, but within the delay of the jitter buffer. */
  double Ta = listening->delay + point->frame_us * 1e-6;
  double burst = fmax (listening->burst, 1.0);
  double loss =
      tfrc_adapt_quality_get_residual_loss (clamp (listening->loss, 0.0, 1.0),
      burst,
      point->redundancy);

  return RO_WB - tfrc_adapt_quality_get_delay_impairment (Ta)
      - tfrc_adapt_impairment_get (impairment, loss, burst);
}

double
tfrc_adapt_quality_get_rating (const TfrcAdaptPoint * point,
    const TfrcAdaptListening * listening)
{
  TfrcAdaptImpairment impairment;

  tfrc_adapt_impairment_init (&impairment, point);
  return fmax (tfrc_adapt_impairment_get_rating (&impairment, point,
          listening), 0.0);
}
