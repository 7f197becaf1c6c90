/* libtfrc: X_recv_set, the set of the last receive rates, which limit X (RFC 5348 4.3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "x-recv-set.h"

#include <math.h>

#include "../core/minmax.h"

/* RFC 5348 4.3: the set begins as {Infinity}. `now` is the time of the first report. From then on there
 * is no limit for two round-trip times; with an earlier time the second report, which is about one
 * packet in a round-trip time, would reduce the initial rate. */
void
tfrc_x_recv_set_init (TfrcXRecvSet * set, TfrcTime now)
{
  tfrc_x_recv_set_replace (set, (double) INFINITY, now);
}

void
tfrc_x_recv_set_replace (TfrcXRecvSet * set, double X_recv, TfrcTime now)
{
  set->X_recv[0] = X_recv;
  set->at[0] = now;
  set->n = 1;
}

static void
remove_entry (TfrcXRecvSet * set, unsigned i)
{
  set->n--;
  for (; i < set->n; i++) {
    set->X_recv[i] = set->X_recv[i + 1];
    set->at[i] = set->at[i + 1];
  }
}

static unsigned
find_smallest (const TfrcXRecvSet * set)
{
  unsigned smallest = 0;

  for (unsigned i = 1; i < set->n; i++)
    if (set->X_recv[i] < set->X_recv[smallest])
      smallest = i;
  return smallest;
}

/* RFC 5348 4.3, Update X_recv_set (): add X_recv, remove entries that are older than two round-trip
 * times. When the set is full, the lowest entry is removed, since it cannot be the maximum. */
void
tfrc_x_recv_set_update (TfrcXRecvSet * set, double X_recv, TfrcTime R,
    TfrcTime now)
{
  for (unsigned i = set->n; i-- > 0;)
    if (now - set->at[i] > 2 * R)
      remove_entry (set, i);
  if (set->n == TFRC_X_RECV_SET_SIZE)
    remove_entry (set, find_smallest (set));
  set->X_recv[set->n] = X_recv;
  set->at[set->n] = now;
  set->n++;
}

/* RFC 5348 4.3, Maximize X_recv_set (): add X_recv, remove Infinity, keep the highest entry only, with
 * the present time. */
void
tfrc_x_recv_set_maximize (TfrcXRecvSet * set, double X_recv, TfrcTime now)
{
  for (unsigned i = 0; i < set->n; i++)
    if (!isinf (set->X_recv[i]))
      X_recv = tfrc_max (X_recv, set->X_recv[i]);
  tfrc_x_recv_set_replace (set, X_recv, now);
}

void
tfrc_x_recv_set_halve (TfrcXRecvSet * set)
{
  for (unsigned i = 0; i < set->n; i++)
    set->X_recv[i] /= 2.0;
}

double
tfrc_x_recv_set_get_max (const TfrcXRecvSet * set)
{
  double max = 0.0;

  for (unsigned i = 0; i < set->n; i++)
    max = tfrc_max (max, set->X_recv[i]);
  return max;
}
