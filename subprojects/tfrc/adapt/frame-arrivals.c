/* tfrcadapt: which frames are known to have arrived, so that their redundant copies need not be sent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/frame-arrivals.h>

#include <math.h>
#include <string.h>

/* Weight of a packet in the mean delay, and mean deviations above the mean that most packets keep to. */
#define GAIN (1.0 / 64.0)
#define DEVIATIONS 2.0

#define LISTED 32u              /* packets that a report lists */

void
tfrc_adapt_frame_arrivals_init (TfrcAdaptFrameArrivals * arrivals)
{
  memset (arrivals, 0, sizeof (*arrivals));
}

static unsigned
get_length (const TfrcAdaptFrameArrivals * arrivals)
{
  return arrivals->n <
      TFRC_ADAPT_DEPARTED_MAX ? arrivals->n : TFRC_ADAPT_DEPARTED_MAX;
}

void
tfrc_adapt_frame_arrivals_on_departure (TfrcAdaptFrameArrivals * arrivals,
    uint32_t t_i_us, uint16_t seq, const uint64_t * frames, unsigned n,
    TfrcTime now)
{
  TfrcAdaptDeparted *packet =
      &arrivals->packets[arrivals->n++ % TFRC_ADAPT_DEPARTED_MAX];

  if (n > TFRC_ADAPT_DEPARTED_FRAMES)
    n = TFRC_ADAPT_DEPARTED_FRAMES;
  *packet = (TfrcAdaptDeparted) {
      .at = now,
      .t_i_us = t_i_us,
      .seq = seq,
      .n_frames = (uint8_t) n};
  memcpy (packet->frames, frames, n * sizeof (*frames));
}

/* The packet with this send time; NULL: it is not remembered. */
static const TfrcAdaptDeparted *
find_named (const TfrcAdaptFrameArrivals * arrivals, uint32_t t_i_us)
{
  for (unsigned i = 0; i < get_length (arrivals); i++)
    if (arrivals->packets[i].t_i_us == t_i_us)
      return &arrivals->packets[i];
  return NULL;
}

static void
measure (TfrcAdaptFrameArrivals * arrivals, double delay)
{
  double error = delay - arrivals->delay;

  if (!(arrivals->delay > 0.0)) {
    arrivals->delay = delay;
    arrivals->deviation = delay / 4.0;
    return;
  }
  arrivals->delay += GAIN * error;
  arrivals->deviation += GAIN * (fabs (error) - arrivals->deviation);
}

/* Whether a report says that the packet has arrived. `before` is by how many packets it is before the one that the report
 * names. */
static bool
is_listed (const TfrcReport * report, uint16_t before)
{
  return before == 0 || (before <= LISTED
      && report->arrivals >> (before - 1) & 1);
}

void
tfrc_adapt_frame_arrivals_on_report (TfrcAdaptFrameArrivals * arrivals,
    const TfrcReport * report, TfrcTime now)
{
  const TfrcAdaptDeparted *named = find_named (arrivals, report->t_i_us);
  uint16_t seq;

  if (!report->lists_arrivals)
    arrivals->delay = 0.0;
  if (!report->lists_arrivals || named == NULL)
    return;
  seq = named->seq;
  for (unsigned i = 0; i < get_length (arrivals); i++) {
    TfrcAdaptDeparted *packet = &arrivals->packets[i];

    if (packet->arrived || !is_listed (report, (uint16_t) (seq - packet->seq)))
      continue;
    packet->arrived = true;
    measure (arrivals, 1e-9 * (double) (now - packet->at));
  }
}

static bool
has_frame (const TfrcAdaptDeparted * packet, uint64_t frame)
{
  for (unsigned i = 0; i < packet->n_frames; i++)
    if (packet->frames[i] == frame)
      return true;
  return false;
}

bool
tfrc_adapt_frame_arrivals_has (const TfrcAdaptFrameArrivals * arrivals,
    uint64_t frame)
{
  for (unsigned i = 0; i < get_length (arrivals); i++)
    if (arrivals->packets[i].arrived && has_frame (&arrivals->packets[i],
            frame))
      return true;
  return false;
}

double
tfrc_adapt_frame_arrivals_get_delay (const TfrcAdaptFrameArrivals * arrivals)
{
  return arrivals->delay > 0.0 ? arrivals->delay +
      DEVIATIONS * arrivals->deviation : 0.0;
}
