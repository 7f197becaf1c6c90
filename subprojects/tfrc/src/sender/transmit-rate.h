/* libtfrc: the allowed rate X (RFC 5348 4.2, 4.3 step 4, 4.4)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_TRANSMIT_RATE_H
#define TFRC_TRANSMIT_RATE_H

#include "x-recv-set.h"

#define TFRC_T_MBI 64.0         /* s, the longest interval between packets (RFC 5348 4.3) */

/* What the law needs to know of the flow and its path at this moment. */
typedef struct
{
  double s;                     /* bytes, mean segment */
  double X_eq;                  /* bytes/s that the equation gives to p and R; 0 while p is 0 */
  double initial_rate;          /* W_init / R, bytes/s; 0: R unknown */
  TfrcTime R;                   /* 0: unknown */
} TfrcPath;

/* What a report says, after it was checked. */
typedef struct
{
  double X_recv;                /* bytes/s */
  double p;
  bool loss;                    /* the receiver's p rose */
  bool healed;                  /* the receiver takes back its last loss event */
  bool data_limited;            /* in all of the interval that it covers */
} TfrcFeedback;

typedef struct
{
  double X;                     /* bytes/s */
  double X_Bps;                 /* bytes/s; 0 while p is 0 */
  double recv_limit;            /* bytes/s */
  double p;
  TfrcTime tld;                 /* when X was doubled last */
  bool started;                 /* an R came: X is no longer one packet a second */
  bool fed;                     /* a report came */
  TfrcXRecvSet X_recv_set;
  double X_recv_before_loss;    /* bytes/s, the set's largest before it was halved; 0: none */
} TfrcRate;

void tfrc_rate_init (TfrcRate * rate, double s);
/* The first round-trip time. RFC 5348 4.2 */
void tfrc_rate_start (TfrcRate * rate, const TfrcPath * path, TfrcTime now);
void tfrc_rate_on_feedback (TfrcRate * rate, const TfrcPath * path,
    const TfrcFeedback * feedback, TfrcTime now);
/* The nofeedback timer expired; `idle`: nothing was sent since it was set. */
void tfrc_rate_on_expiry (TfrcRate * rate, const TfrcPath * path, bool idle, TfrcTime now);

#endif
