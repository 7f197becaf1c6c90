/* libtfrc: which of the last packets have arrived, for the data sender to know
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECENT_ARRIVALS_H
#define TFRC_RECENT_ARRIVALS_H

#include <stdint.h>

/* Sequence numbers are extended ones. All members are 0 before the first packet. */
typedef struct
{
  uint64_t highest;             /* of all packets that have arrived */
  uint64_t bits;                /* bit i: the packet `highest` - i has arrived */
  uint64_t named;               /* of the packet whose send time t_i a report names */
} TfrcRecentArrivals;

/* The packet `seq` has arrived, which may be late or have arrived before. */
void tfrc_recent_arrivals_add (TfrcRecentArrivals * arrivals, uint64_t seq);

/* Of the 32 packets before the named one, those that have arrived: bit i is the packet `named` - 1 - i. */
uint32_t tfrc_recent_arrivals_get (const TfrcRecentArrivals * arrivals);

#endif
