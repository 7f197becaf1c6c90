/* tfrcadapt: how long a data receiver waits before it plays the sound of a packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/playout-delay.h>

#include <math.h>

#include "codec-impairment.h"

#define MS ((TfrcTime) 1000000)
#define S (1000 * MS)

/* The weight of sound falls to 1/e in so many s, which are 500 packets of 20 ms: enough to see that one
 * packet in a hundred is late. */
#define MEMORY 10.0

/* The choice is made anew so often. */
#define PERIOD (200 * MS)

/* The delay until so many packets have come. It is nearer to what a path with much jitter needs, because
 * a call that begins with missing sound is worse than one that begins 80 ms late. */
#define FIRST (80 * MS)
#define ENOUGH 10.0

/* G.107 has no price for a delay of less than 100 ms. Rating points for each s, so that a delay
 * which saves nothing is not taken: less than the loss of one packet in a thousand for 10 ms. */
#define PRICE 20.0

/* Sound that is in time by less than this may miss the sink, which needs time to take it. */
#define MARGIN (8 * MS)

static TfrcTime
get_width (const TfrcAdaptPlayoutDelay * delay)
{
  TfrcTime width = delay->max / TFRC_ADAPT_PLAYOUT_BINS;

  return width > 0 ? width : 1;
}

/* The delay with which all sound of a bin is in time. */
static TfrcTime
get_bin_delay (const TfrcAdaptPlayoutDelay * delay, unsigned bin)
{
  return (TfrcTime) (bin + 1) * get_width (delay);
}

static void
add (TfrcAdaptPlayoutDelay * delay, int64_t lateness, float weight)
{
  TfrcTime bin = ((lateness > 0 ? (TfrcTime) lateness : 0) + MARGIN) /
      get_width (delay);

  if (bin < TFRC_ADAPT_PLAYOUT_BINS)
    delay->weight[bin] += weight;
  else
    delay->late += weight;
}

static void
forget (TfrcAdaptPlayoutDelay * delay, TfrcTime passed)
{
  float keep = (float) exp (-(double) passed / (MEMORY * (double) S));
  unsigned i;

  for (i = 0; i < TFRC_ADAPT_PLAYOUT_BINS; i++)
    delay->weight[i] *= keep;
  delay->late *= keep;
}

/* What a listener loses of the rating with a delay, when the share `late` of the sound comes too late for
 * it. */
static double
get_cost (const TfrcAdaptPlayoutDelay * delay, TfrcTime chosen, double late,
    const TfrcAdaptImpairment * impairment)
{
  double Ta = (double) (delay->path + chosen) / (double) S;

  return tfrc_adapt_quality_get_delay_impairment (Ta)
      + tfrc_adapt_impairment_get (impairment, late, 1.0)
      + PRICE * (double) chosen / (double) S;
}

static TfrcTime
limit (const TfrcAdaptPlayoutDelay * delay, TfrcTime chosen)
{
  chosen = chosen < delay->max ? chosen : delay->max;
  return chosen > delay->min ? chosen : delay->min;
}

static void
judge (TfrcAdaptPlayoutDelay * delay)
{
  /* Any point will do: what is compared is one point with itself. */
  static const TfrcAdaptPoint point = {
    .codec = TFRC_ADAPT_CODEC_OPUS,
    .bitrate = 24000,
    .frame_us = 20000,
    .channels = 1
  };
  TfrcAdaptImpairment impairment;
  double sum = (double) delay->late, late, best = HUGE_VAL;
  unsigned i;

  tfrc_adapt_impairment_init (&impairment, &point);
  for (i = 0; i < TFRC_ADAPT_PLAYOUT_BINS; i++)
    sum += (double) delay->weight[i];
  if (sum < ENOUGH)
    return;
  late = sum;
  for (i = 0; i < TFRC_ADAPT_PLAYOUT_BINS; i++) {
    TfrcTime chosen = limit (delay, get_bin_delay (delay, i));
    double cost;

    late -= (double) delay->weight[i];
    if (get_bin_delay (delay, i) < delay->min
        || (double) delay->weight[i] < 1e-6 * sum)
      continue;
    cost = get_cost (delay, chosen, fmax (late / sum, 0.0), &impairment);
    if (cost < best) {
      best = cost;
      delay->chosen = chosen;
    }
  }
  if (best == HUGE_VAL)
    delay->chosen = delay->min;
}

void
tfrc_adapt_playout_delay_init (TfrcAdaptPlayoutDelay * delay, TfrcTime min,
    TfrcTime max)
{
  *delay = (TfrcAdaptPlayoutDelay) {
      .min = min,
      .max = max > min ? max : min,
      .last = TFRC_TIME_NONE,
      .judged = TFRC_TIME_NONE
  };
  delay->chosen = limit (delay, FIRST);
}

void
tfrc_adapt_playout_delay_set_path (TfrcAdaptPlayoutDelay * delay, TfrcTime path)
{
  delay->path = path;
}

void
tfrc_adapt_playout_delay_on_sound (TfrcAdaptPlayoutDelay * delay,
    int64_t lateness, TfrcTime now)
{
  if (delay->last == TFRC_TIME_NONE)
    delay->last = delay->judged = now;
  add (delay, lateness, 1.0f);
  if (now < delay->judged + PERIOD)
    return;
  forget (delay, now - delay->last);
  delay->last = delay->judged = now;
  judge (delay);
}

TfrcTime
tfrc_adapt_playout_delay_get (const TfrcAdaptPlayoutDelay * delay)
{
  return delay->chosen;
}
