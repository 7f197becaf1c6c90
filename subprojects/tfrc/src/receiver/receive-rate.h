/* libtfrc: the receive rate X_recv, RFC 5348 6.2
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVE_RATE_H
#define TFRC_RECEIVE_RATE_H

#include <tfrc/tfrc.h>

#define TFRC_RECVRATE_SLOTS 64

/* What arrived in a slice of time. */
typedef struct
{
  TfrcTime T, T_last;           /* its first and its last packet */
  uint64_t before, with;        /* bytes received before that packet, and with it */
} TfrcRecvSlot;

typedef struct
{
  uint64_t bytes;
  uint32_t size;                /* bytes of the last packet */
  TfrcTime width;               /* ns, the least time between two slots */
  TfrcTime T_mark;              /* the feedback timer's last expiry, and the bytes until then */
  uint64_t bytes_mark;
  unsigned newest, n;
  TfrcRecvSlot slots[TFRC_RECVRATE_SLOTS];
} TfrcRecvRate;

void tfrc_recvrate_init (TfrcRecvRate * rate);
void tfrc_recvrate_set_rtt (TfrcRecvRate * rate, TfrcTime R);
void tfrc_recvrate_on_packet (TfrcRecvRate * rate, uint32_t size, TfrcTime now);

/* The feedback timer expires: the next rate goes back to here if that is R at
 * least. What arrives in the same ns arrives after it. */
void tfrc_recvrate_mark (TfrcRecvRate * rate, TfrcTime now);

/* Bytes/s since the mark if that is R ago, else over the R that end now; no less
 * than one packet in R. */
double tfrc_recvrate_get (const TfrcRecvRate * rate, TfrcTime R, TfrcTime now);

#endif
