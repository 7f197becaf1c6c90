/* libtfrc: the RTP circuit breaker (RFC 8083), which stops a flow that congestion control fails to stop
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The breaker watches a flow of RTP packets: what departs, and what the report blocks of RTCP sender and
 * receiver reports say of the flow. It does not use the state of the TfrcSender. A voice flow that keeps to
 * the rate of TFRC does not trip it; standard TFRC with small packets at a round-trip time of a second can,
 * because RFC 8083 counts lost packets where TFRC counts loss events. The breaker trips
 *
 *  - when no RTCP came for three RTCP intervals after packets were sent (RTCP timeout, RFC 8083 4.1),
 *  - when at least five report blocks in a row, over at least five seconds, have the same highest sequence
 *    number, although at least 32 packets were sent in that time (media timeout, 4.2),
 *  - when the flow sends more than ten times what TCP would at the loss that is reported, in the mean of
 *    CB_INTERVAL (congestion, 4.3),
 *  - when the fraction lost, in the mean of CB_INTERVAL, is higher than the application can use, if the
 *    application has set such a limit (media usability, 4.4).
 *
 * A timeout pauses the flow until RTCP comes. Congestion reduces the rate to a tenth, until a whole CB_INTERVAL
 * has passed in which the breaker would not trip. When congestion trips the breaker again within three times
 * CB_INTERVAL after a reduction, and when media are of no use, the flow stops until the application restarts it.
 *
 * The contract of tfrc/tfrc.h holds. A caller may read `state`, `trip`, `limit` and `trips` of TfrcBreaker. */
#ifndef TFRC_CIRCUIT_BREAKER_H
#define TFRC_CIRCUIT_BREAKER_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef enum
{
  TFRC_BREAKER_CLOSED,          /* the flow may send */
  TFRC_BREAKER_REDUCED,         /* at most a tenth of the rate at which the breaker tripped, for CB_INTERVAL at least */
  TFRC_BREAKER_PAUSED,          /* nothing may be sent until RTCP comes; after a media timeout, no sooner than the span
                                 * of the blocks that caused it (RFC 8083 4.5) */
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
  TFRC_BREAKER_CHANGED = 1 << 0,        /* the state or the limit: ask for get_limit and next_departure */
  TFRC_BREAKER_TIMER = 1 << 1   /* ask for next_timer */
} TfrcBreakerBits;

#define TFRC_BREAKER_REPORTS 64 /* reports that are kept: the longest CB_INTERVAL (RFC 8083 4.3) */
#define TFRC_BREAKER_T_D (5 * TFRC_SEC) /* T_d of RFC 8083 4.1, taken at its minimum of 5 s */

/* A report as the breaker counts them: the report block of one RTCP packet or those of several that came soon after
 * each other, and what was sent since the report before. */
typedef struct
{
  double seconds;               /* since the report before */
  double lost;                  /* fraction lost, 0 to 1 */
  double marked;                /* fraction CE-marked, 0 to 1 */
  double bytes, packets;        /* sent */
} TfrcBreakerReport;

/* A report as it is kept, in single precision: a flow keeps many. */
typedef struct
{
  float seconds, lost, marked, bytes, packets;
} TfrcBreakerKept;

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
  TfrcTime tripped;             /* ns: how long the report blocks that caused the trip took to come; 0:
                                 * no blocks caused it (RTCP timeout) */
  TfrcTime reduced;             /* when the rate was last reduced; TFRC_TIME_NONE: never */
  double limit;                 /* bytes/s while reduced */

  TfrcTime departed;            /* last departure; TFRC_TIME_NONE: none */
  double s;                     /* bytes, mean size of about the last four packets */
  double T_f;                   /* s, mean time between packets */
  double T_r;                   /* s, round-trip time; 0: unknown */
  TfrcBreakerReport pending;    /* sums since `counted` that are not a report yet */
  TfrcTime counted;             /* when the last report was made of blocks */

  bool has_block;
  bool rising;                  /* a block since `counted` raised `highest` */
  uint32_t highest;             /* extended highest sequence number of the last block */
  unsigned stuck;               /* blocks in a row that did not raise it, although packets were sent */
  double stuck_packets;         /* sent before these blocks */
  double stuck_seconds;         /* s, time span of these blocks */
  TfrcTime block;               /* when the last block came */
  TfrcBreakerKept reports[TFRC_BREAKER_REPORTS];
  unsigned n_reports;           /* since `changed`, at most as many as are remembered */
  unsigned next_report;
  uint64_t trips[TFRC_N_TRIPS];
} TfrcBreaker;

/* `config` is that of the flow. `T_dr` in ns: the interval at which the receiver sends SR or RR, not less
 * than T_rr_interval (RFC 8083 4.3); less than 0.2 s is raised to that. `loss_max`: see TfrcBreaker. */
void tfrc_breaker_init (TfrcBreaker * breaker, const TfrcConfig * config, TfrcTime T_dr,
    double loss_max, TfrcTime now);

/* The flow runs in this mode from now on. */
void tfrc_breaker_set_mode (TfrcBreaker * breaker, TfrcMode mode);

/* A packet departs whose segment has `size` bytes (RFC 8083 4.3). */
unsigned tfrc_breaker_on_departure (TfrcBreaker * breaker, uint32_t size, TfrcTime now);

/* RTCP came that the caller accepts as the receiver's, with SR or RR or without (RFC 8083 4.1). */
unsigned tfrc_breaker_on_rtcp (TfrcBreaker * breaker, TfrcTime now);

/* A report block about the flow came in an SR or RR: the fraction lost, 0 to 1, and the extended highest
 * sequence number received (RFC 3550 6.4.1). `marked`, 0 to 1, is the fraction that arrived CE-marked, 0
 * where ECN is not in use (RFC 8083 7). Blocks in early RTCP, less than half of T_dr apart, count as one.
 * The caller calls tfrc_breaker_on_rtcp() first, for the same packet. */
unsigned tfrc_breaker_on_block (TfrcBreaker * breaker, double lost, double marked, uint32_t highest,
    TfrcTime now);

/* A round-trip time in ns, such as that of LSR and DLSR (RFC 8083 4.3). */
void tfrc_breaker_on_rtt (TfrcBreaker * breaker, TfrcTime rtt);

/* When the RTCP timeout expires, unless RTCP comes before (RFC 8083 4.1); TFRC_TIME_NONE: never. */
TfrcTime tfrc_breaker_next_timer (const TfrcBreaker * breaker);

/* The time that tfrc_breaker_next_timer() gave has come. A call that is early changes nothing. */
unsigned tfrc_breaker_on_timer (TfrcBreaker * breaker, TfrcTime now);

/* When a packet of `size` bytes may depart. 0: at any time; TFRC_TIME_NONE: not before the state
 * changes. */
TfrcTime tfrc_breaker_next_departure (const TfrcBreaker * breaker, uint32_t size);

/* bytes/s of segments that the flow may send; INFINITY: no limit, 0: nothing. */
double tfrc_breaker_get_limit (const TfrcBreaker * breaker);

/* The application starts a flow that was stopped. Returns true when the flow may send, so that the state and
 * the timer have changed. Returns false, and changes nothing, when the flow is not stopped, or has been for less
 * time than the report blocks took that tripped the breaker (RFC 8083 4.5). */
bool tfrc_breaker_restart (TfrcBreaker * breaker, TfrcTime now);

TFRC_END_DECLS
#endif
