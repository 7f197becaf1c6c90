/* gst-tfrc: how a sound would have gone on
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/extrapolate.h"

#include <math.h>

/* In frames at 48 kHz: voices have 66 to 400 Hz, and what is compared is a half of
 * the longest period or more. */
#define PERIOD_MIN 120
#define PERIOD_MAX 720
#define COMPARED 360

/* No sound repeats itself exactly: over so many frames the difference goes away. */
#define BEND 96

/* How alike the end is to what was `period` before, -1 to 1, by the first channel. */
static gdouble
get_likeness (const gint16 * past, guint frames, guint channels, guint period)
{
  gdouble product = 0, now = 1, before = 1;
  guint i;

  for (i = frames - COMPARED; i < frames; i++) {
    gdouble a = past[i * channels], b = past[(i - period) * channels];

    product += a * b;
    now += a * a;
    before += b * b;
  }
  return product / sqrt (now * before);
}

static guint
find_period (const gint16 * past, guint frames, guint channels)
{
  guint period, best = PERIOD_MIN;
  gdouble most = -2;

  for (period = PERIOD_MIN; period <= PERIOD_MAX; period++) {
    gdouble likeness = get_likeness (past, frames, channels, period);

    if (likeness > most) {
      most = likeness;
      best = period;
    }
  }
  return best;
}

/* The last of a period and what it stands for now: `out` begins from the latter. */
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
gst_tfrc_extrapolate (const gint16 * past, guint frames, guint channels,
    gint16 * out, guint n)
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
