/* libtfrc: loss events and loss intervals, RFC 5348 5.2 to 5.5
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_LOSS_INTERVALS_H
#define TFRC_LOSS_INTERVALS_H

#include <tfrc/tfrc.h>
#include "../core/loss-measure.h"

/* One closed interval. */
typedef struct
{
  double I;                     /* packets */
  double DF;                    /* discount factor, RFC 5348 5.5 */
} TfrcInterval;

/* What the closed intervals add to the two means of RFC 5348 5.4 and 5.5. */
typedef struct
{
  double I_tot1, W_tot1;        /* I_1 to I_k with w_0 to w_(k-1) */
  double I_tot0, W_tot0;        /* I_1 to I_(k-1) with w_1 to w_(k-1) */
} TfrcIntervalSums;

/* Lost packets go in by their sequence numbers; the same gaps always make the
 * same intervals, so that a copy from before can be brought up to date when a
 * late packet changes one. */
typedef struct
{
  uint64_t events;              /* loss events so far */
  uint64_t K;                   /* packets lost or marked in the open interval */
  uint64_t lost;                /* units of all lost packets */
  uint64_t pending;             /* units lost since the loss-insensitive period that made no event */
  uint64_t position;            /* units up to the loss that starts the open interval, with it */
  TfrcTime T_start;             /* when that was lost or marked */
  TfrcIntervalSums sums;        /* of the closed intervals: they change with events only */
  unsigned n, newest;           /* closed intervals kept, and where the last one is */
  TfrcInterval closed[TFRC_INTERVALS_MAX];
} TfrcIntervals;

/* The first interval for a context: that costs a search, so it is kept. */
typedef struct
{
  TfrcContext context;
  double I;
} TfrcFirstInterval;

typedef struct
{
  double p, I_mean, I_0;        /* 0 while there is no loss event */
} TfrcLossRate;

void tfrc_intervals_init (TfrcIntervals * intervals);

/* Appends a closed interval; sum those that make the mean, at most n, when done. */
void tfrc_intervals_push (TfrcIntervals * intervals, double I);
void tfrc_intervals_sum (TfrcIntervals * intervals, unsigned n);

/* Takes a gap in. Gaps come in order of their sequence numbers. */
void tfrc_intervals_add (TfrcIntervals * intervals, const TfrcConfig * config,
    TfrcFirstInterval * first, const TfrcGap * gap);

/* The loss event rate when `units` units, lost ones included, are behind us. */
TfrcLossRate tfrc_intervals_get_rate (const TfrcIntervals * intervals, const TfrcConfig * config,
    const TfrcContext * context, uint64_t units, TfrcTime now);

/* w_i for a history of n intervals, RFC 5348 5.4. */
double tfrc_intervals_get_weight (unsigned i, unsigned n);

/* I_mean of the closed intervals and, unless it is negative, the open one of
 * length I_0, discounting the closed ones if asked to. */
double tfrc_intervals_get_mean (const TfrcIntervals * intervals, double I_0, bool discounting);

/* The first interval, RFC 5348 6.3.1. */
double tfrc_intervals_get_first (const TfrcConfig * config, const TfrcContext * context);

#endif
