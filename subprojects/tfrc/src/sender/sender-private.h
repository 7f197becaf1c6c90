/* libtfrc: the state of the sender, for the files of this folder (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SENDER_PRIVATE_H
#define TFRC_SENDER_PRIVATE_H

#include <tfrc/sender.h>

#include "path-away.h"
#include "path-capacity.h"
#include "rate-limited-times.h"
#include "pacer.h"
#include "transmit-rate.h"
#include "round-trip-time.h"
#include "report-screen.h"
#include "segment-size.h"
#include "send-history.h"
#include "../core/minmax.h"

struct _TfrcSender
{
  TfrcConfig config;
  uint32_t overhead;            /* bytes of headers of each packet that X does not count: H in TFRC-SP */

  TfrcTime now;                 /* latest time seen */
  TfrcTime t_nofeedback;        /* when the nofeedback timer expires */
  double report_interval;       /* s, that the data receiver is known to need; 0: nothing is known */
  bool idle;                    /* nothing was sent since the nofeedback timer was set */
  bool halved;                  /* the nofeedback timer expired before the first report */
  bool g_suspended;             /* the nofeedback timer expired, and no report came since: g does not hold */
  bool unused;                  /* the nofeedback timer expired, and nothing was sent since it was set before */
  bool data_limited;            /* the last report was about a data-limited interval */

  double s;                     /* bytes, mean segment that X was computed with */
  double X_coupled;             /* bytes/s of a coupled flow; INFINITY: it is not coupled */
  double X_max;                 /* bytes/s, for a coupled flow since the nofeedback timer expired; INFINITY: it did not */
  double X_inst;                /* bytes/s, X with less oscillation (RFC 5348 4.5) */
  double X_paced;               /* bytes/s at which packets depart: X_inst, or g if that is more */
  double X_recv;                /* bytes/s, of the last report */
  bool timed;                   /* the last report named a transit time */
  uint32_t transit_us;          /* that time, modulo 2^32 us */
  double transit;               /* s, the same less that of the first report that named one */
  uint32_t R_us;                /* us, R as stamps have it */

  TfrcRtt rtt;
  TfrcTransmitRate rate;
  TfrcPacer pacer;
  TfrcSegment segment;
  TfrcRateLimitedTimes limited;
  TfrcScreen screen;
  TfrcPathAway away;
  TfrcPathCapacity capacity;
  TfrcSendHistory history;

  uint64_t bytes, expiries, loss_reports, reports, data_limited_reports, clock_steps, regained;

  TfrcSent ring[];
};

#define SECONDS_MAX 1e9         /* s, longer than any time here */

static inline TfrcTime
to_time (double seconds)
{
  return (TfrcTime) (int64_t) (tfrc_min (seconds,
          SECONDS_MAX) * (double) TFRC_SEC + 0.5);
}

/* sender-rtt.c */

/* Time goes on to `now`. Returns the latest time seen. */
TfrcTime tfrc_sender_advance (TfrcSender * sender, TfrcTime now);

/* R has changed: the stamps and the times of rate-limited departures follow. */
void tfrc_sender_follow_rtt (TfrcSender * sender);

/* RFC 5348 4.2: the round-trip time `R` in seconds is known before the first report. */
void tfrc_sender_start_rtt (TfrcSender * sender, double R, TfrcTime now);

/* sender-rate.c */

/* s, X_eq with the loss event rate `p`, the initial rate and R as they are at present. */
TfrcPath tfrc_sender_get_path (TfrcSender * sender, double p);

/* X, or the rate of a coupled flow (RFC 8699). */
double tfrc_sender_get_X (const TfrcSender * sender);

/* The same for X_Bps. */
double tfrc_sender_get_X_Bps (const TfrcSender * sender);

/* Whether the guaranteed rate g holds at present (gTFRC). */
bool tfrc_sender_is_guaranteed (const TfrcSender * sender);

/* Makes X_inst and the rate of the pacer from X (RFC 5348 4.3 step 5, 4.5). Returns TFRC_SENDER_RATE when the rate
 * of the pacer has changed. */
unsigned tfrc_sender_apply_rate (TfrcSender * sender, TfrcTime now);

#endif
