/* libtfrc: the pacer, which says when the next packet may depart (RFC 5348 4.6, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_PACER_H
#define TFRC_PACER_H

#include <tfrc/tfrc.h>

/* What depends on the allowed rate. A packet of `size` bytes takes t_packet + t_byte * size of the
 * schedule, which is called its cost. */
typedef struct
{
  double t_packet;              /* ns for each packet: s / X while R is unknown, later the headers that
                                 * TFRC-SP counts */
  double t_byte;                /* ns for each byte: 1 / X_inst */
  double s;                     /* bytes, mean segment */
  int64_t R;                    /* ns, round-trip time; 0: unknown */
  int64_t t_fluid;              /* ns from packet to packet in fluid pacing, R / F; 0: off */
} TfrcPacerRate;

typedef struct
{
  TfrcPacerRate rate;
  int64_t t_gran;               /* ns, granularity of the caller's timer */
  int64_t t_delta_limit;        /* ns, twice the highest t_delta */
  int64_t t_min;                /* ns, least time from one departure to the next; 0: none */
  unsigned mppn;                /* packets that may wait in fluid pacing; 0: no limit */

  int64_t t_nominal;            /* t_i of RFC 5348 4.6: when the last packet should have departed */
  int64_t t_strict;             /* the same, but a late wake-up of the caller moves it on */
  int64_t t_last;               /* when the last packet departed */
  int64_t t_date;               /* SEND_DATE of the last packet, for fluid pacing */
  unsigned waiting;             /* packets that wait for their departure */
} TfrcPacer;

void tfrc_pacer_init (TfrcPacer * pacer, TfrcTime t_gran, TfrcTime t_min, unsigned mppn);

/* Starts as if no packet had departed: the next one may depart at once. */
void tfrc_pacer_restart (TfrcPacer * pacer);
void tfrc_pacer_set_rate (TfrcPacer * pacer, const TfrcPacerRate * rate, TfrcTime now);
/* The least time from one departure to the next, ns; 0: none. */
void tfrc_pacer_set_min_interval (TfrcPacer * pacer, TfrcTime t_min);
void tfrc_pacer_set_waiting (TfrcPacer * pacer, unsigned packets);

/* When the next packet, of `size` bytes, may depart. */
TfrcTime tfrc_pacer_next (const TfrcPacer * pacer, uint32_t size);

/* Whether X is what a waiting packet of `size` bytes waits for: the flow has used all that X allows. */
bool tfrc_pacer_is_limiting (const TfrcPacer * pacer, uint32_t size, TfrcTime now);

/* A packet departs, and another one waits if `backlogged`. Returns whether X was what the packet waited
 * for. */
bool tfrc_pacer_on_departure (TfrcPacer * pacer, uint32_t size, bool backlogged, TfrcTime now);

/* t_delta of RFC 5348 8.3 in ns: by how much a packet may depart before its time. */
int64_t tfrc_pacer_get_t_delta (int64_t t_ipi, int64_t t_gran, int64_t R);

#endif
