/* tfrcadapt: the queue of the path, by the times that reports tell
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The queue is the time by which the way to the receiver is longer than it was at its shortest in the last one to two
 * windows, because routes change. What the round-trip time is above its shortest may be a queue of the way back, in
 * which the reports wait. The transit time leaves that out, but a receiver whose clock steps makes it jump, and the
 * round-trip time bounds what that can do: the lower one of both counts. */
#ifndef TFRC_ADAPT_PATH_QUEUE_H
#define TFRC_ADAPT_PATH_QUEUE_H

#include <tfrc/tfrc.h>

/* A time, and the lowest one of a window, in s. */
typedef struct
{
  double last;                  /* value of the last report */
  double low;                   /* lowest value of this window */
  double low_next;              /* lowest value for the next window */
  bool known;                   /* there was a value */
} TfrcAdaptFloor;

typedef struct
{
  TfrcAdaptFloor R;             /* round-trip time */
  TfrcAdaptFloor transit;       /* one-way delay to the receiver, with an arbitrary origin; not known when
                                 * the last report did not name it */
  TfrcTime window;              /* ns, length of a window */
  TfrcTime window_end;          /* when the next window begins */
} TfrcAdaptPathQueue;

void tfrc_adapt_path_queue_init (TfrcAdaptPathQueue * queue, TfrcTime window, TfrcTime now);

/* A report named the transit time `transit` in s, or none, when it is not `timed`. Its round-trip time has to follow. */
void tfrc_adapt_path_queue_on_transit (TfrcAdaptPathQueue * queue, bool timed, double transit);

/* A report gave the round-trip time `R` in s. */
void tfrc_adapt_path_queue_on_rtt (TfrcAdaptPathQueue * queue, double R);

/* The next window begins when the present one is over. */
void tfrc_adapt_path_queue_slide (TfrcAdaptPathQueue * queue, TfrcTime now);

/* The present window begins anew, so that its lowest times stay. */
void tfrc_adapt_path_queue_hold (TfrcAdaptPathQueue * queue, TfrcTime now);

/* s of queue at the last report. */
double tfrc_adapt_path_queue_get (const TfrcAdaptPathQueue * queue);

#endif
