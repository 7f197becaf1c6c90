/* libtfrc: measures the receive rate X_recv over the last round-trip time (RFC 5348 6.2)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVE_RATE_H
#define TFRC_RECEIVE_RATE_H

#include <tfrc/tfrc.h>

#define TFRC_RECEIVE_RATE_SLOTS 64

/* The packets that arrived in one slice of time. */
typedef struct
{
  TfrcTime T, T_last;           /* arrival of the first and of the last of them */
  uint64_t before, with;        /* bytes of all packets received before the first of them, and with it */
} TfrcReceiveSlot;

typedef struct
{
  uint64_t bytes;               /* of all packets received */
  uint32_t size;                /* bytes of the last packet */
  TfrcTime width;               /* ns, the least time from one slot to the next */
  TfrcTime T_mark;              /* when the feedback timer last expired */
  uint64_t bytes_mark;          /* bytes of all packets received until then */
  unsigned newest, n;           /* the slots are a ring: index of the newest, and how many there are */
  TfrcReceiveSlot slots[TFRC_RECEIVE_RATE_SLOTS];
} TfrcReceiveRate;

void tfrc_receive_rate_init (TfrcReceiveRate * rate);

/* The round-trip time is `R` ns from now on. */
void tfrc_receive_rate_set_rtt (TfrcReceiveRate * rate, TfrcTime R);
void tfrc_receive_rate_on_packet (TfrcReceiveRate * rate, uint32_t size, TfrcTime now);

/* The feedback timer expires: the next rate is measured since now, if that is at least R ago. A packet
 * that arrives in the same nanosecond counts as later. */
void tfrc_receive_rate_mark (TfrcReceiveRate * rate, TfrcTime now);

/* Leaves `span` ns that pass before the next packet out of the measure. */
void tfrc_receive_rate_leave_out (TfrcReceiveRate * rate, TfrcTime span);

/* X_recv in bytes/s, since the mark if that is at least `R` ago, else over the last `R`; at least one
 * packet in R. */
double tfrc_receive_rate_get (const TfrcReceiveRate * rate, TfrcTime R, TfrcTime now);

#endif
