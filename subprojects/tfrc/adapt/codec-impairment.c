/* tfrcadapt: the measured impairment of speech by each codec, bit rate and packet loss
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec-impairment.h"

#include <math.h>

typedef struct
{
  TfrcAdaptCodec codec;
  uint32_t bitrate, frame_ms;
  bool fec;
  TfrcAdaptImpairment impairment;
} Row;

/* The packet losses at which the table has a value. */
static const double losses[TFRC_ADAPT_IMPAIRMENT_LOSSES] =
    { 0.0, 0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3 };

/* The impairment at which nothing of speech can be understood. */
#define IE_MAX 125.0

/* Ordered by codec, packet time, forward error correction, and rising bit rate. */
static const Row rows[] = {
#include "codec-impairment-table.h"
};

#define N_ROWS (sizeof (rows) / sizeof (rows[0]))

/* How far the packet time of a row is from that of the point. */
static double
distance (const Row * row, const TfrcAdaptPoint * point)
{
  return fabs (log ((double) row->frame_ms * 1000.0 / point->frame_us));
}

/* Whether `row` describes the point better than `best` does, whatever its bit rate: first the codec
 * has to be the same, then the error correction, then the packet time has to be nearer. */
static bool
is_nearer (const Row * row, const Row * best, const TfrcAdaptPoint * point)
{
  if (row->codec != point->codec)
    return false;
  if (best == NULL)
    return true;
  if (row->fec != best->fec)
    return row->fec == point->fec;
  return distance (row, point) < distance (best, point);
}

/* The impairment is taken to be linear in the logarithm of the bit rate. */
static void
interpolate (TfrcAdaptImpairment * impairment, const Row * low,
    const Row * high, uint32_t bitrate)
{
  double weight = low == high ? 0.0
      : log ((double) bitrate / low->bitrate) / log ((double) high->bitrate /
      low->bitrate);
  unsigned i;

  for (i = 0; i < TFRC_ADAPT_IMPAIRMENT_LOSSES; i++)
    impairment->Ie[i] =
        low->impairment.Ie[i] + (high->impairment.Ie[i] -
        low->impairment.Ie[i]) * weight;
}

static double
get_slope (const TfrcAdaptImpairment * impairment, unsigned i)
{
  return (impairment->Ie[i] - impairment->Ie[i - 1]) / (losses[i] - losses[i -
          1]);
}

/* The curve for random losses. Beyond its last point it goes on with the slope of its end, or with a steeper one that
 * brings it to IE_MAX where everything is lost. */
static double
get_random_impairment (const TfrcAdaptImpairment * impairment, double loss)
{
  const unsigned last = TFRC_ADAPT_IMPAIRMENT_LOSSES - 1;
  unsigned i = 1;

  if (loss > losses[last])
    return fmin (IE_MAX,
        impairment->Ie[last] + (loss - losses[last]) * fmax (get_slope
            (impairment, last),
            (IE_MAX - impairment->Ie[last]) / (1.0 - losses[last])));
  while (loss > losses[i])
    i++;
  return impairment->Ie[i - 1] + get_slope (impairment,
      i) * (loss - losses[i - 1]);
}

double
tfrc_adapt_impairment_get (const TfrcAdaptImpairment * impairment, double loss,
    double burst)
{
  double clean = impairment->Ie[0];

  /* G.107.1 7.5 has Ppl / (Ppl / BurstR + Bpl), which is BurstR f (Ppl / BurstR) with
   * f (P) = P / (P + Bpl) for random losses. Here the measured curve is f. */
  return fmin (IE_MAX, clean + burst * (get_random_impairment (impairment,
              loss / burst) - clean));
}

/* Impairment of music at 64 kbit/s, and what each doubling of the bit rate takes from it. The E-model
 * does not judge music, and PESQ, which measured the table, does not either. These numbers come
 * from two published blind tests with a scale that ends at 5 (transparent), which is mapped to the
 * 4.5 of the E-model: Opus had a score of 4.00 at 64 kbit/s
 * (listening-tests.hydrogenaud.io/igorc/results.html, 2011) and of 4.65 at 96 kbit/s
 * (listening-test.coresv.net, 2014, as reported). The score is taken to be linear in the logarithm of
 * the bit rate, for mono and stereo alike. */
#define IE_MUSIC_64 37.6
#define IE_MUSIC_DOUBLING 30.8

/* Replaces the impairment without losses by that of music. Losses add to it what they add for
 * speech. */
static void
judge_music (TfrcAdaptImpairment * impairment, uint32_t bitrate)
{
  double clean =
      fmax (0.0, IE_MUSIC_64 - IE_MUSIC_DOUBLING * log2 (bitrate / 64000.0));
  double voice = impairment->Ie[0];
  unsigned i;

  for (i = 0; i < TFRC_ADAPT_IMPAIRMENT_LOSSES; i++)
    impairment->Ie[i] = fmin (IE_MAX, clean + impairment->Ie[i] - voice);
}

void
tfrc_adapt_impairment_init (TfrcAdaptImpairment * impairment,
    const TfrcAdaptPoint * point)
{
  const Row *near = NULL, *low, *high;
  size_t i;

  for (i = 0; i < N_ROWS; i++) {
    if (is_nearer (&rows[i], near, point))
      near = &rows[i];
  }
  if (near == NULL) {
    /* A codec that was never measured gets the worst rating. */
    for (i = 0; i < TFRC_ADAPT_IMPAIRMENT_LOSSES; i++)
      impairment->Ie[i] = IE_MAX;
    return;
  }

  /* `near` is the first of the rows that differ in bit rate only. */
  low = high = near;
  for (i = (size_t) (near - rows); i < N_ROWS && rows[i].codec == near->codec
      && rows[i].frame_ms == near->frame_ms && rows[i].fec == near->fec; i++) {
    high = &rows[i];
    if (high->bitrate >= point->bitrate)
      break;
    low = high;
  }
  /* A bit rate above the last row or below the first one is not extrapolated. */
  if (high->bitrate < point->bitrate)
    low = high;
  else if (low->bitrate > point->bitrate)
    high = low;
  interpolate (impairment, low, high, point->bitrate);
  if (point->music)
    judge_music (impairment, point->bitrate);
}
