/* gst-tfrc: continues the sound of a decoder by an extrapolation
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/soundextrapolation.h"

#include "codec/soundcorrelation.h"

/* Frames of 48 kHz. Voices have 66 to 400 Hz; the piece that is compared has half of the
 * longest period. */
#define PERIOD_MIN 120
#define PERIOD_MAX 720
#define COMPARED 360

/* Frames over which the step between the end of the past and its repetition is spread, since
 * no sound repeats itself exactly. */
#define BEND 96

/* The correlation, -1 to 1, of the end of the past with the piece that is `period` frames
 * before it, in the first channel. */
static gdouble
get_correlation (const gint16 * past, guint frames, guint channels,
    guint period)
{
  const gint16 *end = past + (frames - COMPARED) * channels;

  return gst_tfrc_sound_correlate (end, end - period * channels, COMPARED,
      channels);
}

static guint
find_period (const gint16 * past, guint frames, guint channels)
{
  guint period, best = PERIOD_MIN;
  gdouble most = -2;

  for (period = PERIOD_MIN; period <= PERIOD_MAX; period++) {
    gdouble correlation = get_correlation (past, frames, channels, period);

    if (correlation > most) {
      most = correlation;
      best = period;
    }
  }
  return best;
}

/* Moves the beginning of `out`, which continues the frame `before`, so that it continues the
 * frame `now`. */
static void
bend (const gint16 * before, const gint16 * now, guint channels, gint16 * out,
    guint n)
{
  guint i, c;

  for (i = 0; i < n; i++) {
    for (c = 0; c < channels; c++) {
      gint value = out[i * channels + c]
          + (now[c] - before[c]) * (gint) (BEND - i) / BEND;

      out[i * channels + c] = CLAMP (value, G_MININT16, G_MAXINT16);
    }
  }
}

void
gst_tfrc_sound_extrapolate (const gint16 * past, guint frames,
    guint channels, gint16 * out, guint n)
{
  guint period = frames >= PERIOD_MAX + COMPARED ?
      find_period (past, frames, channels) : 1;
  gint16 *o = out;
  guint i, c;

  for (i = 0; i < n; i++) {
    for (c = 0; c < channels; c++)
      *o++ = frames == 0 ? 0 :
          past[(frames - MIN (period, frames) + i % period) * channels + c];
  }
  if (frames > period)
    bend (past + (frames - 1 - period) * channels,
        past + (frames - 1) * channels, channels, out, MIN (n, BEND));
}
