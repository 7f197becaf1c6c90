/* tfrcadapt: how long after a packet its redundant copies may be sent
 *
 * Losses come in bursts, and a copy that is sent right after a packet is often lost with it. A later
 * copy adds no delay as long as it arrives before the jitter buffer at the remote end gives the
 * packet up. Time that packets spend in queues is lost to the copies, but for that of the shortest bursts.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "copy-distance.h"

#include <math.h>
#include <tfrcadapt/operating-point.h>

/* s in which the maximum decays: a queue that TCP fills and empties is full again after a few. */
#define MEMORY 4.0

/* us: even where queues leave no time, since a queue that is full takes what comes within so long. With 0, 60 and 80 ms calls beside
 * Reno have 4.00, 4.03 and 3.95 for 4.06, and calls beside CUBIC 3.85, 3.79 and 3.73 for 3.87 (tests/bench/paths.sh, seeds 1 to 60,
 * with three copies). */
#define LEAST 40000.0

void
tfrc_adapt_copy_distance_init (TfrcAdaptCopyDistance * spread, TfrcTime now)
{
  *spread = (TfrcAdaptCopyDistance) {.at = now};
}

void
tfrc_adapt_copy_distance_update (TfrcAdaptCopyDistance * spread, double queue,
    double wait, TfrcTime now)
{
  double faded = fmin (1.0, (double) (now - spread->at) * 1e-9 / MEMORY);

  spread->at = now;
  spread->late = fmax (queue + wait, spread->late * (1.0 - faded));
}

uint32_t
tfrc_adapt_copy_distance_get_distance (const TfrcAdaptCopyDistance * spread,
    double buffer, uint32_t most)
{
  double left = fmax (0.0, buffer - spread->late) / TFRC_ADAPT_REDUNDANCY_MAX;

  return (uint32_t) fmin (fmax (left * 1e6, LEAST), most);
}
