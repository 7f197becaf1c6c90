/* tfrcadapt: how far behind a packet its redundant copies are sent, and how many of them are left out
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A copy of a frame that is known to have arrived is left out (frame-arrivals.h). It takes a round-trip time, and the time to the
 * next report, until that is known. Copies that are sent later than that cost little: at a loss of L the first one is
 * needed by the share L of the packets, the second one by L^2, and the third one by L^3. */
#include "adapt-private.h"

#include <math.h>

/* s of queue in the path with which reports come too late, and for how long a queue is expected to come again. */
#define QUEUE_LATE 0.06
#define QUEUE_MEMORY (8 * TFRC_SEC)

/* s of the playout of the data receiver that copies leave to the pacing queue and to the jitter of the path. */
#define RESERVE 0.04

/* s: the age of a copy is at most 341 ms (RFC 2198 3, at 48 kHz). */
#define OLDEST 0.341

/* s for which a first copy waits at most. Two others that are 80 ms apart have to follow it. With 0.14, 0.16, 0.2 and 0.22 calls at
 * 25 % of loss have 3.32, 3.41, 3.36 and 3.34 for 3.40 (tests/bench/paths.sh, seeds 1 to 100, with a point held for 6 s). */
#define KNOWN_MAX 0.18

/* Share of the packets that are known by then to have arrived, from which on copies wait for that, and down to which they do. */
#define KNOWN_MOSTLY 0.3
#define KNOWN_STILL 0.1

/* Whether copies that a report makes needless count as left out. Beside a queue reports come late, and all copies are sent. */
static bool
leaves_out_copies (const TfrcAdapt * adapt)
{
  return adapt->conditions.known_after > 0.0
      && tfrc_adapt_get_loss (adapt) >= LOSS_EXPECTED
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

/* Packets from a packet to its last copy at most: so many as the playout of the data receiver is long enough for. */
static unsigned
get_room (const TfrcAdapt * adapt, const TfrcAdaptPoint * point)
{
  double room = fmin (OLDEST,
      adapt->conditions.playout - adapt->budget.standing.queue - RESERVE);

  return (unsigned) (1e6 * fmax (room, 0.0)) / point->frame_us;
}

/* The first copy comes so late that most often it is known whether the packet has arrived. Copies are then so cheap that a packet that
 * may have the most has one more. */
static TfrcAdaptCopies
wait_to_know (const TfrcAdapt * adapt, const TfrcAdaptPoint * point,
    TfrcAdaptCopies copies)
{
  unsigned room = get_room (adapt, point), others, latest;

  if (copies.n == TFRC_ADAPT_REDUNDANCY_MAX
      && (copies.n + 1) * copies.spacing <= room)
    copies.n++;
  others = (copies.n - 1) * copies.spacing;
  latest = (unsigned) (1e6 * KNOWN_MAX) / point->frame_us;
  if (latest + others > room)
    latest = room > others ? room - others : 0;
  if (latest > copies.first)
    copies.first = latest;
  return copies;
}

TfrcAdaptCopies
tfrc_adapt_get_copies (const TfrcAdapt * adapt, const TfrcAdaptPoint * point)
{
  unsigned soon = tfrc_adapt_point_get_copy_spacing (point,
      tfrc_adapt_copy_distance_get_distance (&adapt->spread,
          adapt->config.buffer_delay, adapt->config.copy_distance));
  TfrcAdaptCopies copies = { point->redundancy, soon, soon };

  return adapt->copies_wait
      && copies.n > 0 ? wait_to_know (adapt, point, copies) : copies;
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
  if (adapt->budget.standing.state == STANDING_COMPETING)
    adapt->others_until = adapt->last_now + QUEUE_MEMORY;
  known = leaves_out_copies (adapt) && may_wait (adapt) ? get_known (adapt,
      KNOWN_MAX) : 0.0;
  adapt->copies_wait =
      known > (adapt->copies_wait ? KNOWN_STILL : KNOWN_MOSTLY);
}

unsigned
tfrc_adapt_copies_get_age (const TfrcAdaptCopies * copies, unsigned copy)
{
  return copy == 0 ? 0 : copies->first + (copy - 1) * copies->spacing;
}

double
tfrc_adapt_copies_get_delay (const TfrcAdaptCopies * copies,
    const TfrcAdaptPoint * point, unsigned earlier, unsigned later)
{
  return 1e-6 * point->frame_us * (tfrc_adapt_copies_get_age (copies,
          later) - tfrc_adapt_copies_get_age (copies, earlier));
}

/* One is left out when an earlier copy, or the packet itself, is known to have arrived. */
double
tfrc_adapt_get_sent_copies (const TfrcAdapt * adapt,
    const TfrcAdaptPoint * point)
{
  double arrives = 1.0 - tfrc_adapt_get_loss (adapt), sum = 0.0;
  TfrcAdaptCopies copies;
  unsigned copy, earlier;

  if (!leaves_out_copies (adapt))
    return point->redundancy;
  copies = tfrc_adapt_get_copies (adapt, point);
  for (copy = 1; copy <= copies.n; copy++) {
    double sent = 1.0;

    for (earlier = 0; earlier < copy; earlier++)
      sent *=
          1.0 - arrives * get_known (adapt,
          tfrc_adapt_copies_get_delay (&copies, point, earlier, copy));
    sum += sent;
  }
  return sum;
}
