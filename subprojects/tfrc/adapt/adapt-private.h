/* tfrcadapt: the state of a TfrcAdapt, and the choice among its operating points (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_PRIVATE_H
#define TFRC_ADAPT_PRIVATE_H

#include <tfrcadapt/adapt.h>
#include <tfrcadapt/quality.h>

#include "beginning.h"
#include "wire-rate-budget.h"
#include "codec-impairment.h"
#include "rise-timing.h"
#include "copy-distance.h"
#include "suspend.h"

/* The share of packets lost that points are rated with on a path without losses, on which every long
 * frame would be rated as harmless. */
#define LOSS_EXPECTED 0.005

/* A point of the ladder, and what became of its packets if it were in use. */
typedef struct
{
  TfrcAdaptPoint point;
  TfrcAdaptImpairment impairment;
  double queue, bare_queue;     /* s for which a packet would wait for its departure, and if no packet had redundant copies */
  double bare;                  /* share of its packets that would shed their redundant copies */
  double dropped;               /* share of its packets that the sender would drop */
} Rung;

struct _TfrcAdapt
{
  TfrcAdaptConfig config;
  TfrcAdaptConditions conditions;
  TfrcAdaptBudget budget;
  TfrcAdaptSuspend suspend;
  TfrcAdaptRise rise;
  TfrcAdaptCopyDistance spread;
  TfrcAdaptBeginning beginning;
  TfrcTime last_now;
  TfrcTime weighed;             /* when the points were last weighed */
  double advantage;             /* rating points times s: what a better point would have brought */

  unsigned current;             /* index of the chosen point in rungs */
  double encoded;               /* s of sound that the encoder has made since the last conditions, at the size that its
                                 * bit rate says; silence that DTX leaves out is less */
  double excess;                /* mean size of the encoder's packets over what its bit rate says */
  double loss_noted;             /* percent of loss that the encoder was set up for */
  TfrcTime queue_until;         /* until when a queue in the path that makes reports late is expected */
  TfrcTime others_until;        /* until when a full queue of competing traffic, which takes packets in runs, is expected */
  bool copies_wait;             /* copies are sent so late that most often it is known whether they are needed */
  TfrcAdaptCopies copies;       /* of the chosen point */
  double dip_need;              /* need of the point, in bytes/s on the wire, that was in use when the
                                 * allowance last fell below half of it; 0: it never did */
  TfrcTime dip_at;              /* when that was */
  TfrcTime squeezed_since;      /* since when the allowance is below the need; TFRC_TIME_NONE: it is not */

  unsigned n_rungs;
  Rung rungs[];
};

/* What a point may take, in bytes/s on the wire. */
typedef struct
{
  double allowed;               /* by the throughput equation, which depends on the packet rate */
  double limit;                 /* by what the path carries, which does not */
  double packet_rate;           /* most packets/s; 0: any */
  bool bare;                    /* it is for packets without their redundant copies */
} TfrcAdaptRoom;

/* For packets of any length, with their redundant copies. */
static inline TfrcAdaptRoom
tfrc_adapt_room (double allowed, double limit)
{
  return (TfrcAdaptRoom) {.allowed = allowed,.limit = limit };
}

/* The share of packets lost, or p where that is unknown; and the share that is still lost after
 * recovery by the redundant copies of a rung. */
double tfrc_adapt_get_loss (const TfrcAdapt * adapt);
double tfrc_adapt_get_residual (const TfrcAdapt * adapt, unsigned rung);

/* s from a copy of a packet of the point, or from the packet itself (0), to a later copy. */
double tfrc_adapt_copies_get_delay (const TfrcAdaptCopies * copies, const TfrcAdaptPoint * point, unsigned earlier,
    unsigned later);

/* How long a packet may wait in the pacing queue, a multiple of 20 ms. */
TfrcTime tfrc_adapt_get_queue_time (const TfrcAdapt * adapt);

/* The redundant copies of a packet of the point, and how many of them are sent on the mean. */
TfrcAdaptCopies tfrc_adapt_get_copies (const TfrcAdapt * adapt, const TfrcAdaptPoint * point);
double tfrc_adapt_get_sent_copies (const TfrcAdapt * adapt, const TfrcAdaptPoint * point);

/* Follows what the reports of the data receiver tell of arrivals, and whose queue the path has. */
void tfrc_adapt_update_copies_wait (TfrcAdapt * adapt);

/* The bytes/s that a rung takes on the wire, and without its redundant copies. */
double tfrc_adapt_get_need (const TfrcAdapt * adapt, unsigned rung);
double tfrc_adapt_get_bare_need (const TfrcAdapt * adapt, unsigned rung);

/* The factor by which the allowance changes with the packet rate. */
double tfrc_adapt_get_gain (const TfrcAdapt * adapt, double packet_rate);

/* What a rung is worth: the rating, less what its rate is worth to competing traffic. With `by_chance`, packets that are dropped or
 * that shed their redundant copies count. */
double tfrc_adapt_get_worth (const TfrcAdapt * adapt, unsigned rung, bool by_chance);

/* The same, with what the allowance's variation costs where that is by chance. */
double tfrc_adapt_get_worth_now (const TfrcAdapt * adapt, unsigned rung);

/* The rating, which is less than 0 where more is missing than the scale has room for. */
double tfrc_adapt_get_rating (const TfrcAdapt * adapt, unsigned rung);

/* Whether the allowance varies by chance, and so many packets are lost that no point with redundant copies fits on the mean. */
bool tfrc_adapt_loses_many (const TfrcAdapt * adapt);

/* The frame length of the point with the longest frames, in us. */
uint32_t tfrc_adapt_get_longest_frame_us (const TfrcAdapt * adapt);

unsigned tfrc_adapt_get_cheapest (const TfrcAdapt * adapt);

/* Whether `spare` times the need of a rung fits into the room. */
bool tfrc_adapt_fits (const TfrcAdapt * adapt, unsigned rung, TfrcAdaptRoom room, double spare);

/* The best rung that fits; the cheapest one when none does. */
unsigned tfrc_adapt_choose (const TfrcAdapt * adapt, TfrcAdaptRoom room);

/* Plays the allowance of the last `dt` seconds through the pacing queue of each rung, as long as it varies by chance. */
void tfrc_adapt_weigh_update (TfrcAdapt * adapt, double dt);

/* What the queues of the rungs have shown holds no more. */
void tfrc_adapt_weigh_reset (TfrcAdapt * adapt);

/* The rung to change to, which needs no more than the current one, or the current one. `dt` seconds have passed
 * since the last call. */
unsigned tfrc_adapt_weigh_down (TfrcAdapt * adapt, double dt);

/* Takes `point`; returns TFRC_ADAPT_POINT, or 0 when it is the current one. */
unsigned tfrc_adapt_switch_to (TfrcAdapt * adapt, unsigned point);

/* What the first seconds have to do: probes the path, and takes a point that suits a wide one. Returns TFRC_ADAPT_POINT, or 0. */
unsigned tfrc_adapt_consider_beginning (TfrcAdapt * adapt, TfrcTime now);

/* Whether losses are expected because there was no time for them to show. */
bool tfrc_adapt_expects_loss (const TfrcAdapt * adapt);

/* The share of packets that is expected to be lost although no report says so. */
double tfrc_adapt_get_beginning_loss (const TfrcAdapt * adapt);

/* What the path carries, in bytes/s on the wire and with a margin, as far as the first seconds have shown; 0: not known. */
double tfrc_adapt_get_known_capacity (const TfrcAdapt * adapt);

/* What of a room counts when the point falls, and when it rises. In the first seconds of a path that is known to be wide X is that of
 * a few loss intervals, and one point is held. */
TfrcAdaptRoom tfrc_adapt_hold_fall (const TfrcAdapt * adapt, TfrcAdaptRoom room);
TfrcAdaptRoom tfrc_adapt_hold_rise (const TfrcAdapt * adapt, TfrcAdaptRoom room);

/* When the packets that probe the path end; TFRC_TIME_NONE: none do. */
TfrcTime tfrc_adapt_beginning_next_timer (const TfrcAdapt * adapt);

/* Takes a cheaper point when the current one does not fit. `dt` seconds have passed since the last call. Returns TFRC_ADAPT_POINT, or
 * 0. */
unsigned tfrc_adapt_consider_down (TfrcAdapt * adapt, double dt, TfrcTime now);

/* For how long a point must not fit before it is left, where its need is not far above the allowance. */
TfrcTime tfrc_adapt_get_hold_down (const TfrcAdapt * adapt);

/* Takes a point that is better than the current one when there is room and the time for it has come. Returns
 * TFRC_ADAPT_POINT, or 0. */
unsigned tfrc_adapt_consider_up (TfrcAdapt * adapt, TfrcTime now);

#endif
