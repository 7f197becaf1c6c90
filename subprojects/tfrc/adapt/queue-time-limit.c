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

/* s from the capture of the first sample of a packet to the arrival of its last copy, if none of its packets waits: the
 * time to fill it, the distance of the copies, the path, and the queue in it. Before the first report, for which packets
 * wait (RFC 5348 4.2), the path is not known and counts as 0. */
static double
get_delay_without_wait (const TfrcAdapt * adapt)
{
  const TfrcAdaptStanding *standing = &adapt->budget.standing;
  const TfrcAdaptPoint *point = &adapt->rungs[adapt->current].point;
  unsigned packets = 1 + point->redundancy * adapt->copy_spacing;

  return packets * point->frame_us * 1e-6 + standing->path.R.low / 2.0 +
      standing->queue;
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
  double left = adapt->config.max_delay - get_delay_without_wait (adapt);
  TfrcTime time = (TfrcTime) (fmax (0.0, left) * 1e9) / STEP * STEP;

  return time > LEAST && is_steady (adapt) ? time : LEAST;
}
