/* libtfrc: makes loss events and loss intervals of lost packets, and the loss event rate of these
 * (RFC 5348 5.2 to 5.5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_LOSS_INTERVALS_H
#define TFRC_LOSS_INTERVALS_H

#include <tfrc/tfrc.h>
#include "../core/loss-interval-measure.h"

/* One closed loss interval. */
typedef struct
{
  double I;                     /* its length in packets, or what the loss measure takes for it */
  double DF;                    /* discount factor, RFC 5348 5.5 */
} TfrcInterval;

/* The sums over the closed intervals that the two means of RFC 5348 5.4 and 5.5 need. */
typedef struct
{
  double I_tot1, W_tot1;        /* I_1 to I_k with w_0 to w_(k-1) */
  double I_tot0, W_tot0;        /* I_1 to I_(k-1) with w_1 to w_(k-1) */
} TfrcIntervalSums;

/* Gaps are added in the order of their sequence numbers. The same gaps always make the same intervals,
 * so that an earlier copy can be brought up to date when a late packet changes a gap. */
typedef struct
{
  uint64_t events;              /* loss events so far */
  uint64_t K;                   /* packets lost or marked in the open interval */
  uint64_t lost;                /* units of all lost packets */
  uint64_t pending;             /* units lost after the loss-insensitive period that are too few for a
                                 * loss event yet */
  uint64_t position;            /* units of all packets up to the loss that starts the open interval, which
                                 * is included */
  TfrcTime T_start;             /* when that packet was lost or marked */
  TfrcIntervalSums sums;        /* of the closed intervals: they only change with loss events */
  unsigned n, newest;           /* number of closed intervals kept, and the index of the last one */
  unsigned max;                 /* number of closed intervals that there is room for */
  TfrcInterval *closed;         /* a ring; memory of the owner */
} TfrcIntervals;

/* The first interval for a context. It is kept because a search computes it. */
typedef struct
{
  TfrcContext context;
  double I;
} TfrcFirstInterval;

typedef struct
{
  double p, I_mean, I_0;        /* 0 while there is no loss event */
} TfrcLossRate;

/* `closed` is memory for `max` closed intervals, tfrc_loss_measure_get_most() of them at least. */
void tfrc_intervals_init (TfrcIntervals * intervals, TfrcInterval * closed, unsigned max);

/* Makes `intervals` equal to `from`, in its own memory of the same size. */
void tfrc_intervals_copy (TfrcIntervals * intervals, const TfrcIntervals * from);

/* I_i, from 1 for the closed interval that is the newest. */
const TfrcInterval *tfrc_intervals_get_closed (const TfrcIntervals * intervals, unsigned i);

/* Appends a closed interval. After the last one, sum those that make the mean, at most `n`. */
void tfrc_intervals_push (TfrcIntervals * intervals, double I);
void tfrc_intervals_sum (TfrcIntervals * intervals, unsigned n);

/* Adds a gap. Gaps have to be added in the order of their sequence numbers. */
void tfrc_intervals_add (TfrcIntervals * intervals, const TfrcConfig * config,
    TfrcFirstInterval * first, const TfrcSequenceGap * gap);

/* The loss event rate after `units` units of all packets, lost ones included. */
TfrcLossRate tfrc_intervals_get_rate (const TfrcIntervals * intervals, const TfrcConfig * config,
    const TfrcContext * context, uint64_t units, TfrcTime now);

/* The weight w_i in a history of `n` intervals (RFC 5348 5.4). */
double tfrc_intervals_get_weight (unsigned i, unsigned n);

/* I_mean of the closed intervals and of the open one, whose length is `I_0`. A negative I_0 leaves the
 * open interval out. `discounting` discounts the closed intervals (RFC 5348 5.5). */
double tfrc_intervals_get_mean (const TfrcIntervals * intervals, double I_0, bool discounting);

/* The length of the first interval, in packets (RFC 5348 6.3.1). */
double tfrc_intervals_get_first (const TfrcConfig * config, const TfrcContext * context);

#endif
