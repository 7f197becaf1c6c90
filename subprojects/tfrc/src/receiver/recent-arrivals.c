/* libtfrc: which of the last packets have arrived, for the data sender to know
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recent-arrivals.h"

#define N_BITS 64u

/* Shifts that would leave nothing are not defined in C. */
static uint64_t
shift_left (uint64_t bits, uint64_t by)
{
  return by < N_BITS ? bits << by : 0;
}

static uint64_t
shift_right (uint64_t bits, uint64_t by)
{
  return by < N_BITS ? bits >> by : 0;
}

void
tfrc_recent_arrivals_add (TfrcRecentArrivals * arrivals, uint64_t seq)
{
  if (seq > arrivals->highest) {
    arrivals->bits = shift_left (arrivals->bits, seq - arrivals->highest);
    arrivals->highest = seq;
  }
  arrivals->bits |= shift_left (1, arrivals->highest - seq);
}

uint32_t
tfrc_recent_arrivals_get (const TfrcRecentArrivals * arrivals)
{
  return (uint32_t) shift_right (arrivals->bits,
      arrivals->highest - arrivals->named + 1);
}
