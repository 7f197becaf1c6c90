/* libtfrc: the RTP circuit breaker (RFC 8083), which stops a flow that congestion control fails to stop
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The breaker watches a flow of RTP packets from outside: what departs, and what RTCP sender and receiver
 * reports say of the flow. It knows nothing of TFRC. A voice flow that keeps to the rate of TFRC does not
 * trip it; docs/rfc-map.md, L7, names the exception. The breaker trips
 *
 *  - when no RTCP came for three RTCP intervals after packets were sent (RTCP timeout, RFC 8083 4.1),
 *  - when several reports in a row, five at least and over five seconds at least, do not raise the highest
 *    sequence number although at least 32 packets were sent before them (media timeout, 4.2),
 *  - when the flow sends ten times what TCP would at the loss that is reported, by the mean of several
 *    reports (congestion, 4.3),
 *  - when the mean loss of several reports is higher than the application can use, if the application has
 *    set such a limit (media usability, 4.4).
 *
 * A timeout pauses the flow until RTCP comes. Congestion reduces the rate to a tenth at first; when the
 * breaker trips again, and when media are of no use, the flow stops until the application restarts it.
 *
 * The contract of tfrc/tfrc.h holds: the caller owns the memory, `now` is the last argument, and the
 * functions that change the object return bits. */
#ifndef TFRC_CIRCUIT_BREAKER_H
#define TFRC_CIRCUIT_BREAKER_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef enum
{
  TFRC_BREAKER_CLOSED,          /* the flow may send */
  TFRC_BREAKER_REDUCED,         /* at most a tenth of the rate at which the breaker tripped */
  TFRC_BREAKER_PAUSED,          /* nothing may be sent until RTCP comes */
  TFRC_BREAKER_STOPPED          /* nothing may be sent until tfrc_breaker_restart() */
} TfrcBreakerState;

/* Why the breaker tripped last. */
typedef enum
{
  TFRC_TRIP_NONE,
  TFRC_TRIP_RTCP_TIMEOUT,
  TFRC_TRIP_MEDIA_TIMEOUT,
  TFRC_TRIP_CONGESTION,
  TFRC_TRIP_USABILITY,
  TFRC_N_TRIPS
} TfrcTrip;

/* "closed", "reduced", "paused" or "stopped". */
const char *tfrc_breaker_state_get_name (TfrcBreakerState state);

/* "none", "rtcp-timeout", "media-timeout", "congestion" or "usability". */
const char *tfrc_trip_get_name (TfrcTrip trip);

/* What a call changed. */
typedef enum
{
  TFRC_BREAKER_CHANGED = 1 << 0,        /* the state or the rate limit: ask for both */
  TFRC_BREAKER_TIMER = 1 << 1   /* ask for next_timer */
} TfrcBreakerBits;

#define TFRC_BREAKER_REPORTS 64 /* reports that are remembered; CB_INTERVAL is this at most */
#define TFRC_BREAKER_T_D (5 * TFRC_SEC) /* RFC 8083 4.1: T_d with a minimum of 5 s */

/* A report: one block or several, and what was sent since the report before. */
typedef struct
{
  double seconds;               /* since the report before */
  double lost;                  /* fraction lost, 0 to 1 */
  double marked;                /* fraction with the ECN mark CE, 0 to 1 */
  double bytes, packets;        /* sent */
} TfrcBreakerReport;

typedef struct
{
  TfrcMode mode;
  uint32_t nominal, H;          /* bytes: nominal segment of TFRC-SP, headers below RTP */
  TfrcBreakerState state;
  TfrcTrip trip;                /* why the breaker tripped last */
  TfrcTime T_d;                 /* deterministic RTCP interval, at least 5 s */
  TfrcTime T_dr;                /* interval at which the receiver sends report blocks */
  double loss_max;              /* usability: the highest fraction lost that is of use; 0: no limit */
  TfrcTime now;                 /* latest time seen */

  TfrcTime heard;               /* when RTCP of the receiver came last; at first, when the flow began */
  TfrcTime sent_since;          /* first departure after `heard`; TFRC_TIME_NONE: none */
  TfrcTime changed;             /* when `state` was set */
  TfrcTime tripped;             /* ns: time span of the report blocks that caused the trip; 0: no blocks
                                 * did (RTCP timeout) */
  TfrcTime reduced;             /* when the rate was last reduced; TFRC_TIME_NONE: never */
  double limit;                 /* bytes/s while reduced */

  TfrcTime departed;            /* last departure; TFRC_TIME_NONE: none */
  double s;                     /* bytes, mean size of about the last four packets */
  double T_f;                   /* s, mean time between packets */
  double T_r;                   /* s, round-trip time; 0: unknown */
  TfrcBreakerReport pending;    /* blocks closer than half of T_dr, and what was sent, since `counted` */
  TfrcTime counted;             /* when the last report was made of blocks */

  bool has_block;
  bool rising;                  /* a block since `counted` raised `highest` */
  uint32_t highest;             /* extended highest sequence number of the last block */
  unsigned stuck;               /* blocks in a row that did not raise it, although packets were sent */
  double stuck_packets;         /* sent before these blocks */
  double stuck_seconds;         /* s, time span of these blocks */
  TfrcTime block;               /* when the last block came */
  TfrcBreakerReport reports[TFRC_BREAKER_REPORTS];
  unsigned n_reports;           /* since `changed`, at most as many as are remembered */
  unsigned next_report;
  uint64_t trips[TFRC_N_TRIPS];
} TfrcBreaker;

/* `config` is that of the flow. `T_dr` in ns: the interval at which the receiver
 * sends SR or RR, T_rr_interval at least (RFC 8083 4.3), at least 0.2 s. `loss_max`: see TfrcBreaker. */
void tfrc_breaker_init (TfrcBreaker * breaker, const TfrcConfig * config, TfrcTime T_dr,
    double loss_max, TfrcTime now);

/* The flow runs in this mode from now on. */
void tfrc_breaker_set_mode (TfrcBreaker * breaker, TfrcMode mode);

/* A packet of `size` bytes departs. */
unsigned tfrc_breaker_on_departure (TfrcBreaker * breaker, uint32_t size, TfrcTime now);

/* RTCP of the receiver came that is taken as true, with SR or RR or without (RFC 8083 5). */
unsigned tfrc_breaker_on_rtcp (TfrcBreaker * breaker, TfrcTime now);

/* A report block about the flow came in an SR or RR: the fraction lost, 0 to 1, and the extended highest
 * sequence number received (RFC 3550 6.4.1). `marked`, 0 to 1, is the fraction that arrived with the ECN mark
 * CE, 0 where ECN is not in use (RFC 8083 7). Blocks in early RTCP, less than half of T_dr apart, count as one.
 * tfrc_breaker_on_rtcp() was called before. */
unsigned tfrc_breaker_on_block (TfrcBreaker * breaker, double lost, double marked, uint32_t highest,
    TfrcTime now);

/* A round-trip time in ns. */
void tfrc_breaker_on_rtt (TfrcBreaker * breaker, TfrcTime rtt);

/* When the RTCP timeout may be over; TFRC_TIME_NONE: never. */
TfrcTime tfrc_breaker_next_timer (const TfrcBreaker * breaker);

/* The time that tfrc_breaker_next_timer() gave has come. A call that is early changes nothing. */
unsigned tfrc_breaker_on_timer (TfrcBreaker * breaker, TfrcTime now);

/* When a packet of `size` bytes may depart. 0: at any time; TFRC_TIME_NONE: not before the state
 * changes. */
TfrcTime tfrc_breaker_next_departure (const TfrcBreaker * breaker, uint32_t size);

/* bytes/s that the flow may send; INFINITY: no limit, 0: nothing. */
double tfrc_breaker_get_limit (const TfrcBreaker * breaker);

/* The application starts a flow that was stopped. Returns false, and changes nothing, as long as the flow
 * has not been stopped for as long as it took to trip the breaker (RFC 8083 4.5). */
bool tfrc_breaker_restart (TfrcBreaker * breaker, TfrcTime now);

TFRC_END_DECLS
#endif
