/* tfrcadapt: how long after a packet its redundant copies may be sent (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_COPY_DISTANCE_H
#define TFRC_ADAPT_COPY_DISTANCE_H

#include <tfrc/tfrc.h>

typedef struct
{
  double late;                  /* s by which packets arrive later than on an empty path: a maximum that
                                 * decays */
  TfrcTime at;                  /* when it was last updated */
} TfrcAdaptCopyDistance;

void tfrc_adapt_copy_distance_init (TfrcAdaptCopyDistance * spread, TfrcTime now);

/* A packet waits `wait` seconds in the pacing queue and `queue` seconds in queues of the path. */
void tfrc_adapt_copy_distance_update (TfrcAdaptCopyDistance * spread, double queue, double wait, TfrcTime now);

/* The time in us from a packet to its first copy, and from each copy to the next: as long as a
 * jitter buffer of `buffer` seconds at the remote end permits, but not less than 40 ms, and at most `most`. */
uint32_t tfrc_adapt_copy_distance_get_distance (const TfrcAdaptCopyDistance * spread, double buffer, uint32_t most);

#endif
