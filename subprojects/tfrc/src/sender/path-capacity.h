/* libtfrc: what the path carries, by how much longer a larger packet takes (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A link transmits a packet in the time that it takes for its bytes, so that on the same path a larger packet arrives later by
 * the additional bytes divided by the capacity of the path. (V. Jacobson measured links by this with pathchar; the links of a
 * path add up, so that what is found is at most the capacity of the slowest one.) The transit times that reports name
 * (tfrc/tfrc.h) show it within one round-trip time, long before a queue or a loss does. A queue or jitter can only
 * lengthen a transit time, therefore the shortest one of each size counts. */
#ifndef TFRC_PATH_CAPACITY_H
#define TFRC_PATH_CAPACITY_H

#include <tfrc/tfrc.h>

typedef struct
{
  uint32_t size;                /* bytes; 0: no packet yet */
  double transit;               /* s plus a constant, the shortest of such packets */
} TfrcTransitOfSize;

typedef struct
{
  uint32_t first;               /* bytes of the first packet; 0: there was none */
  TfrcTime since;               /* when that one was reported */
  TfrcTransitOfSize small;      /* of about that size */
  TfrcTransitOfSize large;      /* larger by about a redundant copy of speech, or more */
} TfrcPathCapacity;

void tfrc_path_capacity_init (TfrcPathCapacity * capacity);

/* A report names a packet of `size` bytes that took `transit` seconds, plus a constant. */
void tfrc_path_capacity_on_transit (TfrcPathCapacity * capacity, uint32_t size, double transit, TfrcTime now);

/* bytes/s; 0: not known. */
double tfrc_path_capacity_get (const TfrcPathCapacity * capacity);

#endif
