/* tfrcadapt: how long a packet may wait in the pacing queue
 *
 * Where the allowance varies by chance, a packet that waits over a dip of it is heard, and one that is dropped is not.
 * The wait is no delay for the listener as long as the packet arrives before it is played: the jitter buffer of the
 * data receiver holds all packets for as long as it does anyway, and one that follows the path weighs the delay against
 * the loss by itself (choose-playout-delay.c). A packet that arrives later is lost and has used up allowance, so that the wait
 * ends where the delay that the receiver is known to have does.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapt-private.h"

#include <math.h>

/* A packet may always wait for this long. */
#define LEAST (100 * TFRC_MSEC)

/* The time is a multiple of this, so that it does not change with each report. */
#define STEP (20 * TFRC_MSEC)

/* s for which a packet may wait while neither the round-trip time nor the playout of the data receiver is known. It is longer
 * than most round-trip times, so that the packets of the beginning are still there when the time becomes known. */
#define FIRST_WAIT 0.5

/* s of the data receiver's playout that a packet leaves to the jitter of the path and of both ends. */
#define JITTER 0.01

/* s from a packet to its last copy. Where copies wait until it is known whether they are needed, few packets need one. A packet that
 * waits too long for its copies to be of use is heard all the same when it arrives, which one that is dropped is not. */
static double
get_distance (const TfrcAdapt * adapt)
{
  const TfrcAdaptCopies *copies = &adapt->copies;
  unsigned packets = adapt->copies_wait && copies->n > 0 ? copies->spacing
      : tfrc_adapt_copies_get_age (copies, copies->n);

  return packets * adapt->rungs[adapt->current].point.frame_us * 1e-6;
}

/* s that the time to fill a packet, the path, its queue, and the distance of the copies leave of a delay from capture to
 * playout. Before the first report, for which packets wait (RFC 5348 4.2), the path is not known and counts as 0. */
static double
get_rest_of_delay (const TfrcAdapt * adapt)
{
  const TfrcAdaptStanding *standing = &adapt->budget.standing;

  return adapt->config.max_delay -
      adapt->rungs[adapt->current].point.frame_us * 1e-6 - get_distance (adapt)
      - standing->path.R.low / 2.0 - standing->queue;
}

/* s that the queue of the path and the distance of the copies leave of the playout of the data receiver, which begins when a
 * packet has arrived by the shortest way. */
static double
get_rest_of_playout (const TfrcAdapt * adapt)
{
  return adapt->conditions.playout - JITTER - get_distance (adapt) -
      adapt->budget.standing.queue;
}

static double
get_rest (const TfrcAdapt * adapt)
{
  if (adapt->config.max_delay > 0.0)
    return get_rest_of_delay (adapt);
  if (adapt->conditions.playout > 0.0)
    return get_rest_of_playout (adapt);
  return adapt->conditions.allowance.R > 0.0 ? 0.0 : FIRST_WAIT;
}

/* Whether what is left of the delay can be counted on. A queue of competing traffic becomes longer by some 100 ms within
 * a second, and takes it. */
static bool
is_steady (const TfrcAdapt * adapt)
{
  return !tfrc_adapt_budget_is_queueing (&adapt->budget);
}

TfrcTime
tfrc_adapt_get_queue_time (const TfrcAdapt * adapt)
{
  TfrcTime time = (TfrcTime) (fmax (0.0, get_rest (adapt)) * 1e9) / STEP * STEP;

  return time > LEAST && is_steady (adapt) ? time : LEAST;
}
