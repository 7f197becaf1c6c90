/* libtfrc: the queue that our own flow keeps standing in the path (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_STANDING_QUEUE_H
#define TFRC_ADAPT_STANDING_QUEUE_H

#include <tfrc/tfrc.h>

typedef enum
{
  STANDING_NONE,
  STANDING_DRAIN,               /* limited below what the path carries until the queue is gone */
  STANDING_CAUTIOUS,            /* gone: limit near what it carries, rising */
  STANDING_FOREIGN              /* sending less did not help: the queue is others' */
} TfrcAdaptStandingState;

typedef struct
{
  double R_floor, R_floor_next; /* s; lowest of this window and of the next, 0: none */
  TfrcTime window_end;
  double R_last;                /* s */
  TfrcTime R_last_at;
  double slope;                 /* s of queue per s, smoothed */
  double carried;               /* bytes/s of wire that arrive, smoothed */
  TfrcAdaptStandingState state;
  TfrcTime since;               /* of the state */
  TfrcTime cut_at;              /* when the limit was last lowered */
  double R_at_cut;              /* s */
  TfrcTime wait;                /* before more than the limit is tried again */
  TfrcTime changed;             /* when the path was last seen to carry less than it did */
  double proven_before;         /* as they were when the queue was found */
  TfrcTime changed_before;
  TfrcTime passed;              /* when a delay was last found to have passed by itself */
  TfrcTime foreign_for;         /* before a queue of others is judged again */
  TfrcTime empty_since;         /* while it is others' */
  double used, proven, failed;  /* bytes/s of wire: what is used; the most that brought no queue; what did */
  bool halved;                  /* the middle between those two is being tried */
  TfrcTime used_since;
  double before;                /* bytes/s of wire: what was used when the queue was found */
  double queue_at_cut, expected;        /* s; what should be gone of it since */
  double capacity;              /* bytes/s of wire that the path was seen to carry */
  double queue_max;             /* s, longest while it was judged */
  double limit;                 /* bytes/s on the wire; INFINITY: none */
  double queue;                 /* s above the floor */
  double packet_time;           /* s from packet to packet */
} TfrcAdaptStanding;

void tfrc_adapt_standing_init (TfrcAdaptStanding * standing, TfrcTime now);

/* One more sample of the round-trip time, R in seconds, and what arrives of the
 * flow, in bytes/s of wire and packets `packet_time` seconds apart. Updates the
 * limit. */
void tfrc_adapt_standing_on_rtt (TfrcAdaptStanding * standing, double R, double carried, double need,
    double packet_time, TfrcTime now);

/* Bytes/s of wire that was in use before the queue was looked at, or was proven, and
 * to which the flow may return at once; 0: none. */
double tfrc_adapt_standing_get_return (const TfrcAdaptStanding * standing, TfrcTime now);

/* Whether the path was seen to carry a flow that uses `need`. */
bool tfrc_adapt_standing_is_proven (const TfrcAdaptStanding * standing, double need);

#endif
