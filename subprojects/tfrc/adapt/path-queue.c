/* tfrcadapt: the queue of the path, by the times that reports tell
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path-queue.h"

#include <math.h>

void
tfrc_adapt_path_queue_init (TfrcAdaptPathQueue * queue, TfrcTime window,
    TfrcTime now)
{
  *queue = (TfrcAdaptPathQueue) {
      .window = window,
      .window_end = now + window};
}

static void
add_to_floor (TfrcAdaptFloor * lowest, double value)
{
  if (!lowest->known)
    lowest->low = lowest->low_next = value;
  lowest->known = true;
  lowest->last = value;
  lowest->low = fmin (lowest->low, value);
  lowest->low_next = fmin (lowest->low_next, value);
}

static void
begin_window (TfrcAdaptFloor * lowest)
{
  lowest->low = lowest->low_next;
  lowest->low_next = lowest->last;
}

void
tfrc_adapt_path_queue_on_transit (TfrcAdaptPathQueue * queue, bool timed,
    double transit)
{
  queue->transit.known &= timed;
  if (timed)
    add_to_floor (&queue->transit, transit);
}

void
tfrc_adapt_path_queue_on_rtt (TfrcAdaptPathQueue * queue, double R)
{
  add_to_floor (&queue->R, R);
}

void
tfrc_adapt_path_queue_slide (TfrcAdaptPathQueue * queue, TfrcTime now)
{
  if (now < queue->window_end)
    return;
  begin_window (&queue->R);
  begin_window (&queue->transit);
  tfrc_adapt_path_queue_hold (queue, now);
}

void
tfrc_adapt_path_queue_hold (TfrcAdaptPathQueue * queue, TfrcTime now)
{
  queue->window_end = now + queue->window;
}

double
tfrc_adapt_path_queue_get (const TfrcAdaptPathQueue * queue)
{
  double above = queue->R.last - queue->R.low;

  if (queue->transit.known)
    above = fmin (above, queue->transit.last - queue->transit.low);
  return above;
}
