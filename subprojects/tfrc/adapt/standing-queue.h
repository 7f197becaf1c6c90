/* tfrcadapt: the standing queue, which a flow builds in the path when it sends more than the path
 * carries, and the limit on the rate that drains it (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_STANDING_QUEUE_H
#define TFRC_ADAPT_STANDING_QUEUE_H

#include <tfrc/tfrc.h>

#include "path-queue.h"

typedef enum
{
  STANDING_NONE,                /* no limit */
  STANDING_DRAIN,               /* the limit is below what the path carries until the queue is gone */
  STANDING_CAUTIOUS,            /* the queue is gone: the limit is near what the path carries */
  STANDING_COMPETING            /* the queue is of competing traffic, since sending less did not drain
                                 * it: no limit */
} TfrcAdaptStandingState;

/* Rates are in bytes/s on the wire. */
typedef struct
{
  TfrcAdaptPathQueue path;
  TfrcTime updated;             /* when the last report came */
  double queue;                 /* s by which the way to the receiver is longer than it was at its
                                 * shortest */
  TfrcTime short_at;            /* when the queue was last not full */
  double queue_short;           /* s of queue then */
  double slope;                 /* s of queue per s, mean */
  double carried;               /* rate that arrives, mean */
  double packet_time;           /* s from packet to packet */

  bool yielded;                 /* others keep the queue short, and it says nothing of this flow */
  TfrcAdaptStandingState state;
  TfrcTime since;               /* when the state began */
  double limit;                 /* rate; INFINITY: none */
  double capacity;              /* rate that the path was seen to carry */
  double before;                /* rate that was used when the queue was found */
  double queue_max;             /* s, longest queue since it was found */

  TfrcTime cut_at;              /* when the limit was last lowered */
  double R_at_cut;              /* s, round-trip time then */
  double queue_at_cut;          /* s, longest queue until that showed */
  double expected;              /* s of queue that should have drained since */

  double least;                 /* the least rate that the path can be thought to carry; 0: not known */
  double used;                  /* rate that the flow uses */
  TfrcTime used_since;          /* since when it uses about that rate */
  double proven;                /* highest rate that was used for a while without a queue */
  double failed;                /* rate that was used when the last queue was found */
  TfrcTime changed;             /* when a proven rate last brought a queue: the path carries less now */
  double proven_before;         /* `proven` and `changed` as they were before the queue was found */
  TfrcTime changed_before;
  TfrcTime passed;              /* when a delay was last found to have passed by itself */

  TfrcTime wait;                /* how long STANDING_CAUTIOUS lasts */
  bool drained;                 /* a queue has drained because the flow sent less */
  bool halved;                  /* a rate between `proven` and `failed` is being tried */
  TfrcTime competing_for;       /* how long STANDING_COMPETING lasts */
  TfrcTime empty_since;         /* since when the queue is empty in that state */
  double arrives, sent;         /* rates, means over some s */
  TfrcTime overrun_since;       /* since when far less arrives than is sent */
  TfrcTime trusted_until;       /* until when that says nothing of the queue */
} TfrcAdaptStanding;

void tfrc_adapt_standing_init (TfrcAdaptStanding * standing, TfrcTime now);

/* Takes the transit time that a report named, in s with an arbitrary origin; tfrc_adapt_standing_on_rtt()
 * has to follow. A report without one is told by `timed`. */
void tfrc_adapt_standing_on_transit (TfrcAdaptStanding * standing, bool timed, double transit);

/* Whether flows that share the rate with this one keep the queue short, so that there is no limit. */
void tfrc_adapt_standing_set_yielded (TfrcAdaptStanding * standing, bool yielded);

/* The least rate that the flow can use, or what the path is known to carry if that is more. A path that seems to carry less than
 * that carries the traffic of others. */
void tfrc_adapt_standing_set_least (TfrcAdaptStanding * standing, double least);

/* Takes a sample of the round-trip time, `R` in seconds, and updates the limit. `carried` is the
 * rate of the flow that arrives, `need` the rate that it uses, and `sent` what of that the sender lets depart; its packets
 * are `packet_time` seconds apart. */
void tfrc_adapt_standing_on_rtt (TfrcAdaptStanding * standing, double R, double carried, double need,
    double sent, double packet_time, TfrcTime now);

/* The rate to which the flow may return without a hold: the one that was in use before the queue
 * was found, or the proven one. 0: none. */
double tfrc_adapt_standing_get_return (const TfrcAdaptStanding * standing, TfrcTime now);

/* Whether the rate `need` is proven, give or take what encoders vary. Beside competing traffic every rate
 * counts as proven: the queue that this traffic keeps hides whether the path carries the rate. */
bool tfrc_adapt_standing_is_proven (const TfrcAdaptStanding * standing, double need);

#endif
