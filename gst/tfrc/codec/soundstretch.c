/* gst-tfrc: makes a piece of sound longer or shorter by a period of its pitch
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/soundstretch.h"

#include <string.h>

#include "codec/soundcorrelation.h"

/* Frames of 48 kHz: voices have 66 to 400 Hz. */
#define PERIOD_MIN 120
#define PERIOD_MAX (GST_TFRC_SOUND_STRETCH_LONGEST / 2)

/* Neighbouring periods are alike from this correlation on: that of voiced speech. */
#define ALIKE 0.8

/* Mean square of a sample below which all sound is taken as silence: -50 dB of full scale. */
#define SILENCE (100.0 * 100.0)

/* The correlation, -1 to 1, of the first `period` frames with those behind them, in the first channel. Every
 * other frame is enough: speech has little above 12 kHz. */
static gdouble
get_correlation (const gint16 * in, guint channels, guint period)
{
  return gst_tfrc_sound_correlate (in, in + period * channels,
      (period + 1) / 2, 2 * channels);
}

static gboolean
is_silent (const gint16 * in, guint samples)
{
  gdouble sum = 0;
  guint i;

  for (i = 0; i < samples; i++)
    sum += (gdouble) in[i] * in[i];
  return sum < SILENCE * samples;
}

/* Returns 0 when no two neighbouring periods are alike. */
static guint
find_period (const gint16 * in, guint frames, guint channels)
{
  guint longest = MIN (frames / 2, PERIOD_MAX), period, best = 0;
  gdouble most = ALIKE;

  if (longest >= PERIOD_MIN && is_silent (in, 2 * longest * channels))
    return longest;
  for (period = PERIOD_MIN; period <= longest; period++) {
    gdouble correlation = get_correlation (in, channels, period);

    if (correlation > most) {
      most = correlation;
      best = period;
    }
  }
  return best;
}

/* Writes `frames` frames that turn from `from` into `to`. */
static void
fade (const gint16 * from, const gint16 * to, guint frames, guint channels,
    gint16 * out)
{
  guint i, c;

  for (i = 0; i < frames; i++) {
    for (c = 0; c < channels; c++, from++, to++)
      *out++ = (*from * (gint) (frames - i) + *to * (gint) i) / (gint) frames;
  }
}

guint
gst_tfrc_sound_stretch (const gint16 * in, guint frames, guint channels,
    gboolean longer, gint16 * out)
{
  guint period = find_period (in, frames, channels);
  guint samples = period * channels;
  const gint16 *rest = in + (longer ? samples : 2 * samples);

  if (period == 0)
    return 0;
  if (longer) {
    memcpy (out, in, samples * sizeof *out);
    out += samples;
    fade (in + samples, in, period, channels, out);
  } else {
    fade (in, in + samples, period, channels, out);
  }
  memcpy (out + samples, rest, (in + frames * channels - rest) * sizeof *out);
  return period;
}
