/* libtfrc: the allowed transmit rate X, as reports and the nofeedback timer change it (RFC 5348 4.2,
 * 4.3 step 4, 4.4)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_TRANSMIT_RATE_H
#define TFRC_TRANSMIT_RATE_H

#include "x-recv-set.h"

#define TFRC_T_MBI 64.0         /* s, the longest interval between packets (RFC 5348 4.3) */

/* The flow and its path at this moment, as far as X depends on them. */
typedef struct
{
  double s;                     /* bytes, mean segment */
  double X_eq;                  /* bytes/s by the throughput equation; 0 while p is 0 */
  double initial_rate;          /* bytes/s, W_init / R; 0 while R is unknown */
  TfrcTime R;                   /* ns, round-trip time; 0: unknown */
} TfrcPath;

/* A report, after the report screen has checked and limited it. */
typedef struct
{
  double X_recv;                /* bytes/s */
  double p;                     /* loss event rate */
  bool loss;                    /* there was a new loss event */
  bool healed;                  /* it undoes the last loss event */
  bool data_limited;            /* the interval that it covers was data-limited */
} TfrcFeedback;

typedef struct
{
  double X;                     /* bytes/s, the allowed rate */
  double X_Bps;                 /* bytes/s by the throughput equation; 0 while p is 0 */
  double recv_limit;            /* bytes/s, the limit by the receive rate; INFINITY: none */
  double p;                     /* loss event rate of the last report */
  TfrcTime tld;                 /* "time last doubled": when X was last doubled */
  bool started;                 /* R is known: X is no longer one packet a second */
  bool fed;                     /* a report came */
  TfrcXRecvSet X_recv_set;
  double X_recv_before_loss;    /* bytes/s, the highest entry of the set before a loss event halved it; 0:
                                 * none */
} TfrcTransmitRate;

void tfrc_transmit_rate_init (TfrcTransmitRate * rate, double s);

/* The first round-trip time is known (RFC 5348 4.2). */
void tfrc_transmit_rate_start (TfrcTransmitRate * rate, const TfrcPath * path, TfrcTime now);

/* A report came (RFC 5348 4.3 step 4). */
void tfrc_transmit_rate_on_feedback (TfrcTransmitRate * rate, const TfrcPath * path,
    const TfrcFeedback * feedback, TfrcTime now);

/* The nofeedback timer expired (RFC 5348 4.4). `idle`: nothing was sent since it was set. */
void tfrc_transmit_rate_on_expiry (TfrcTransmitRate * rate, const TfrcPath * path, bool idle, TfrcTime now);

#endif
