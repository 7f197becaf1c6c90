/* libtfrc: the queue that our own flow keeps standing in the path (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_STANDING_H
#define TFRC_STANDING_H

#include <tfrc/tfrc.h>

typedef enum
{
  STANDING_NONE,
  STANDING_DRAIN,               /* limited below what the path carries until the queue is gone */
  STANDING_CAUTIOUS,            /* gone: limit near what it carries, rising */
  STANDING_FOREIGN              /* sending less did not help: the queue is others' */
} TfrcStandingState;

typedef struct
{
  double R_floor, R_floor_next; /* s; lowest of this window and of the next, 0: none */
  TfrcTime window_end;
  double R_last;                /* s */
  TfrcTime R_last_at;
  double slope;                 /* s of queue per s, smoothed */
  double carried;               /* bytes/s of wire that arrive, smoothed */
  TfrcStandingState state;
  TfrcTime since;               /* of the state */
  TfrcTime cut_at;              /* when the limit was last lowered */
  TfrcTime wait;                /* before the limit rises again; longer each time it was too early */
  double capacity;              /* bytes/s of wire that the path was seen to carry */
  double queue_at_start;        /* s when the queue was found to be others' */
  double limit;                 /* bytes/s on the wire; INFINITY: none */
  double queue;                 /* s above the floor */
  double packet_time;           /* s from packet to packet */
} TfrcStanding;

void tfrc_standing_init (TfrcStanding * standing, TfrcTime now);

/* One more sample of the round-trip time, R in seconds, and what arrives of the
 * flow, in bytes/s of wire and packets `packet_time` seconds apart. Updates the
 * limit. */
void tfrc_standing_on_rtt (TfrcStanding * standing, double R, double carried,
    double packet_time, TfrcTime now);

#endif
