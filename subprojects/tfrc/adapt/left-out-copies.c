/* tfrcadapt: how far behind a packet its redundant copies are sent, and how many of them are left out
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A copy of a frame that is known to have arrived is left out (frame-arrivals.h). It takes a round-trip time, and the time to the
 * next report, until that is known. Copies that are sent later than that cost little: at a loss of L the first one is
 * needed by the share L of the packets, and the second one by L^2. */
#include "adapt-private.h"

#include <math.h>

/* s of queue in the path with which reports come too late, and for how long such a queue is expected to come again. */
#define QUEUE_LATE 0.06
#define QUEUE_MEMORY (8 * TFRC_SEC)

/* s of the playout of the data receiver that copies leave to the pacing queue and to the jitter of the path. */
#define RESERVE 0.04

/* s: the age of a second copy is at most 341 ms (RFC 2198 3, at 48 kHz). */
#define KNOWN_MAX 0.17

/* Share of the packets that are known by then to have arrived, from which on copies wait for that, and down to which they do. */
#define KNOWN_MOSTLY 0.5
#define KNOWN_STILL 0.2

/* Whether copies that a report makes needless count as left out. Beside a queue reports come late, and all copies are sent. */
static bool
leaves_out_copies (const TfrcAdapt * adapt)
{
  return adapt->conditions.known_after > 0.0
      && tfrc_adapt_get_loss (adapt) >= LOSS_EXPECTED
      && !tfrc_adapt_expects_loss (adapt)
      && adapt->last_now >= adapt->queue_until;
}

/* The share of packets of which it is known after `delay` s whether they have arrived. Reports come regularly, so
 * that it takes between half of the time within which most are known and that time. */
static double
get_known (const TfrcAdapt * adapt, double delay)
{
  return fmin (fmax (2.0 * delay / adapt->conditions.known_after - 1.0, 0.0),
      1.0);
}

/* us from a packet to its first copy, and from each copy to the next: so long that most often it is known whether the packet has
 * arrived, where the playout of the data receiver is long enough for that. */
static uint32_t
get_copy_distance (const TfrcAdapt * adapt, const TfrcAdaptPoint * point)
{
  double room = adapt->conditions.playout - adapt->budget.standing.queue -
      RESERVE;
  double most = fmin (room / fmax (1.0, point->redundancy), KNOWN_MAX);
  double soon = 1e-6 * tfrc_adapt_copy_distance_get_distance (&adapt->spread,
      adapt->config.buffer_delay, adapt->config.copy_distance);

  return (uint32_t) (1e6 * (adapt->copies_wait ? fmax (most, soon) : soon));
}

unsigned
tfrc_adapt_get_spacing (const TfrcAdapt * adapt, const TfrcAdaptPoint * point)
{
  return tfrc_adapt_point_get_copy_spacing (point, get_copy_distance (adapt,
          point));
}

/* An application that wants copies to come soon has a remote that cannot use later ones. */
static bool
may_wait (const TfrcAdapt * adapt)
{
  return adapt->config.copy_distance >= TFRC_ADAPT_COPY_DISTANCE;
}

void
tfrc_adapt_update_copies_wait (TfrcAdapt * adapt)
{
  double queue = adapt->budget.standing.queue, known;

  if (adapt->conditions.known_after > 0.0 && queue > QUEUE_LATE)
    adapt->queue_until = adapt->last_now + QUEUE_MEMORY;
  known = leaves_out_copies (adapt) && may_wait (adapt) ? get_known (adapt,
      KNOWN_MAX) : 0.0;
  adapt->copies_wait =
      known > (adapt->copies_wait ? KNOWN_STILL : KNOWN_MOSTLY);
}

/* How many copies a packet has on the mean: one is left out when an earlier copy, or the packet itself, is known to have
 * arrived. */
double
tfrc_adapt_get_copies (const TfrcAdapt * adapt, const TfrcAdaptPoint * point)
{
  double arrives = 1.0 - tfrc_adapt_get_loss (adapt), sum = 0.0, distance;
  unsigned copy, earlier;

  if (!leaves_out_copies (adapt))
    return point->redundancy;
  distance = tfrc_adapt_get_spacing (adapt, point) * point->frame_us * 1e-6;
  for (copy = 1; copy <= point->redundancy; copy++) {
    double sent = 1.0;

    for (earlier = 0; earlier < copy; earlier++)
      sent *= 1.0 - arrives * get_known (adapt, (copy - earlier) * distance);
    sum += sent;
  }
  return sum;
}
