/* libtfrc: what was heard of each operating point, and what lies between
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec-impairment.h"

#include <math.h>

typedef struct
{
  TfrcAdaptCodec codec;
  uint32_t bitrate, frame_ms;
  bool fec;
  TfrcAdaptImpairment sound;
} Row;

static const double losses[TFRC_ADAPT_IMPAIRMENT_LOSSES] = { 0.0, 0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3 };

/* Nothing is left of speech. */
#define IE_MAX 125.0

/* Ordered by codec, frame, FEC, and rising bitrate. */
static const Row rows[] = {
#include "codec-impairment-table.h"
};

#define N_ROWS (sizeof (rows) / sizeof (rows[0]))

static double
distance (const Row * row, const TfrcAdaptPoint * point)
{
  return fabs (log ((double) row->frame_ms * 1000.0 / point->frame_us));
}

/* Whether `row` describes the point but for its bitrate, better than `best`
 * does: the codec is the same, then FEC, then the frame length is nearest. */
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

/* Sound gains with the logarithm of the bitrate. */
static void
interpolate (TfrcAdaptImpairment * sound, const Row * low, const Row * high, uint32_t bitrate)
{
  double weight = low == high ? 0.0
      : log ((double) bitrate / low->bitrate) / log ((double) high->bitrate / low->bitrate);
  unsigned i;

  for (i = 0; i < TFRC_ADAPT_IMPAIRMENT_LOSSES; i++)
    sound->Ie[i] = low->sound.Ie[i] + (high->sound.Ie[i] - low->sound.Ie[i]) * weight;
}

/* The curve for random loss; beyond its end it goes on as steeply as it ended. */
static double
get_random_impairment (const TfrcAdaptImpairment * sound, double loss)
{
  unsigned i = 1;
  double slope;

  while (i < TFRC_ADAPT_IMPAIRMENT_LOSSES - 1 && loss > losses[i])
    i++;
  slope = (sound->Ie[i] - sound->Ie[i - 1]) / (losses[i] - losses[i - 1]);
  return fmin (IE_MAX, sound->Ie[i - 1] + slope * (loss - losses[i - 1]));
}

double
tfrc_adapt_impairment_get (const TfrcAdaptImpairment * sound, double loss, double burst)
{
  double clean = sound->Ie[0];

  /* G.107.1 7.5 divides Ppl by BurstR in one of its two places:
   * Ppl / (Ppl / BurstR + Bpl) = BurstR f (Ppl / BurstR), f (P) = P / (P + Bpl)
   * being random loss. The same with the measured curve for f. */
  return fmin (IE_MAX, clean + burst * (get_random_impairment (sound, loss / burst) - clean));
}

/* The E-model does not judge music and PESQ does not measure it. These are not calibrated here: two published blind tests, on a scale up to 5
 * (transparent) that is drawn onto the model's 4.5. Opus of 64 kbit/s scored 4.00
 * (listening-tests.hydrogenaud.io/igorc/results.html, 2011), of 96 kbit/s 4.65
 * (listening-test.coresv.net, 2014, as reported). Between and beside them the score
 * is taken to go with the logarithm of the bit rate, be it mono or stereo. */
#define IE_MUSIC_64 37.6
#define IE_MUSIC_DOUBLING 30.8

/* A loss costs what it costs a voice. */
static void
judge_music (TfrcAdaptImpairment * sound, uint32_t bitrate)
{
  double clean = fmax (0.0, IE_MUSIC_64 - IE_MUSIC_DOUBLING * log2 (bitrate / 64000.0));
  double voice = sound->Ie[0];
  unsigned i;

  for (i = 0; i < TFRC_ADAPT_IMPAIRMENT_LOSSES; i++)
    sound->Ie[i] = fmin (IE_MAX, clean + sound->Ie[i] - voice);
}

void
tfrc_adapt_impairment_init (TfrcAdaptImpairment * sound, const TfrcAdaptPoint * point)
{
  const Row *near = NULL, *low, *high;
  size_t i;

  for (i = 0; i < N_ROWS; i++) {
    if (is_nearer (&rows[i], near, point))
      near = &rows[i];
  }
  if (near == NULL) {
    /* A codec that was never measured: as good as nothing. */
    for (i = 0; i < TFRC_ADAPT_IMPAIRMENT_LOSSES; i++)
      sound->Ie[i] = IE_MAX;
    return;
  }

  low = high = near;            /* the first row of its run */
  for (i = (size_t) (near - rows); i < N_ROWS && rows[i].codec == near->codec
      && rows[i].frame_ms == near->frame_ms && rows[i].fec == near->fec; i++) {
    high = &rows[i];
    if (high->bitrate >= point->bitrate)
      break;
    low = high;
  }
  /* Above the last row, or below the first, that row stands. */
  if (high->bitrate < point->bitrate)
    low = high;
  else if (low->bitrate > point->bitrate)
    high = low;
  interpolate (sound, low, high, point->bitrate);
  if (point->music)
    judge_music (sound, point->bitrate);
}
