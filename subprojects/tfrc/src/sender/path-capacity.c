/* libtfrc: what the path carries, by how much longer a larger packet takes
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path-capacity.h"

#include "../core/minmax.h"

/* Bytes: large packets are larger than the first one by that at least, which is less than a redundant copy of speech and takes 5 ms
 * at 100 kbit/s. Small packets are larger than the first one by less than half of that. */
#define APART 60

/* A path changes: packets are compared that were reported within this time. */
#define WINDOW (5 * TFRC_SEC)

/* s: a shorter difference is not told from none. */
#define LEAST_DIFFERENCE 0.001

void
tfrc_path_capacity_init (TfrcPathCapacity * capacity)
{
  *capacity = (TfrcPathCapacity) {.since = 0};
}

static void
take (TfrcTransitOfSize * shortest, uint32_t size, double transit)
{
  if (shortest->size == 0 || transit < shortest->transit)
    *shortest = (TfrcTransitOfSize) {size, transit};
}

void
tfrc_path_capacity_on_transit (TfrcPathCapacity * capacity, uint32_t size,
    double transit, TfrcTime now)
{
  if (capacity->first == 0 || now - capacity->since > WINDOW
      || size + APART <= capacity->first)
    *capacity = (TfrcPathCapacity) {.first = size, .since = now};
  if (size >= capacity->first + APART)
    take (&capacity->large, size, transit);
  else if (size < capacity->first + APART / 2)
    take (&capacity->small, size, transit);
}

double
tfrc_path_capacity_get (const TfrcPathCapacity * capacity)
{
  const TfrcTransitOfSize *small = &capacity->small, *large = &capacity->large;

  if (large->size == 0)
    return 0.0;
  return (large->size - small->size)
      / tfrc_max (large->transit - small->transit, LEAST_DIFFERENCE);
}
