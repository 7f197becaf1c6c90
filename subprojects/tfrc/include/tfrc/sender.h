/* libtfrc: the sender, which computes the allowed rate X from the receiver's reports and says
 * when each packet may depart (RFC 5348 4, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Before a packet departs, the caller asks tfrc_sender_next_departure() for its time and waits
 * until then; as it departs, tfrc_sender_on_departure() gives the stamp that it has to carry.
 * The caller hands every report to tfrc_sender_on_report(), calls tfrc_sender_on_timer() when
 * tfrc_sender_next_timer() has come, and sets its encoder to the bit rate that
 * tfrc_allowance_get_bitrate() computes from what tfrc_sender_get_allowance() returns. */
#ifndef TFRC_SENDER_H
#define TFRC_SENDER_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef struct _TfrcSender TfrcSender;

/* What a call changed. */
typedef enum
{
  TFRC_SENDER_RATE = 1 << 0,    /* the rate changed: ask for next_departure and the allowance */
  TFRC_SENDER_TIMER = 1 << 1,   /* the nofeedback timer was set: ask for next_timer */
  TFRC_SENDER_LOSS = 1 << 2,    /* the report shows a new loss event */
  TFRC_SENDER_EXPIRED = 1 << 3, /* the nofeedback timer expired */
  TFRC_SENDER_REJECTED = 1 << 4,        /* the report was refused and changed nothing */
  TFRC_SENDER_REGAINED = 1 << 5 /* the path was away, and X begins anew */
} TfrcSenderBits;

/* Why a report was refused; the index into TfrcSenderStats.rejected. */
typedef enum
{
  TFRC_REJECT_UNKNOWN_T_I,      /* its t_i is not the send time of a packet that is remembered */
  TFRC_REJECT_OLD,              /* it names no newer packet than the last report and undoes no loss event:
                                 * it is a copy, or was overtaken */
  TFRC_REJECT_T_DELAY,          /* its t_delay is longer than the time since t_i */
  TFRC_REJECT_RTT,              /* its round-trip time is 0, or longer than 16.777 s */
  TFRC_REJECT_FLOOD,            /* more than four reports came within one round-trip time; more than eight
                                 * with feedbacks_per_rtt 3 or 4 */
  TFRC_N_REJECTS
} TfrcReject;

/* "unknown-t-i", "old", "t-delay", "rtt", "flood". */
const char *tfrc_reject_get_name (TfrcReject reject);

typedef struct
{
  double X;                     /* bytes/s, the allowed rate */
  double X_inst;                /* bytes/s, X with less oscillation (RFC 5348 4.5) */
  double X_Bps;                 /* bytes/s by the throughput equation; 0 while p is 0 */
  double X_recv;                /* bytes/s, as the last report said */
  double recv_limit;            /* bytes/s, the limit that the receive rate sets to X (RFC 5348 4.3);
                                 * may be INFINITY */
  double G;                     /* bytes/s at which packets depart: max (g, X_inst) (gTFRC) */
  double p;                     /* loss event rate, 0 to 1 */
  double R, t_RTO;              /* s; 0: unknown */
  double R_sqmean;              /* s^(1/2), mean of the roots of round-trip times (RFC 5348 4.5) */
  double s, s_max;              /* bytes, mean and largest segment */
  double T_report;              /* s, mean time between reports, without times in which no data arrived;
                                 * 0: unknown */
  uint64_t packets, bytes;      /* departed */
  uint64_t reports;             /* accepted */
  uint64_t rejected[TFRC_N_REJECTS];    /* refused, by reason */
  uint64_t limited_x_recv;      /* reports accepted with an X_recv higher than what was sent: lowered */
  uint64_t limited_p;           /* reports accepted with a p that fell too fast: raised */
  uint64_t limited_t_delay;     /* reports accepted with a t_delay that seems too long: R_sample raised */
  uint64_t expiries;            /* of the nofeedback timer */
  uint64_t regained;            /* times that the path was away and X began anew */
  uint64_t loss_reports;        /* reports accepted that show a new loss event */
  uint64_t data_limited_reports;        /* reports accepted about a data-limited interval */
  uint64_t clock_steps;         /* times that `now` was earlier than before */
  bool data_limited;            /* the last report was about a data-limited interval (RFC 5348 8.2.1) */
  bool slow_start;              /* there was no loss event yet: p is 0 */
} TfrcSenderStats;

/* The allowance: what an encoder may use at this moment. X alone does not say that, because X
 * counts no headers below RTP and holds for the present segment size (docs/using.md). */
typedef struct
{
  double X;                     /* bytes/s of segments, at the present segment size s */
  double X_wire;                /* bytes/s of segments and H bytes more for each: under TFRC-SP this
                                 * rate stays the same when the packet size changes (RFC 4828 6) */
  double max_packet_rate;       /* packets/s: 100 under TFRC-SP, else INFINITY */
  double s;                     /* bytes, mean segment */
  double p;                     /* loss event rate, 0 to 1 */
  double R;                     /* s, mean round-trip time; 0: unknown */
  double R_sample;              /* s, the last round-trip time measured; 0: none */
  double X_Bps;                 /* bytes/s by the throughput equation; 0 while p is 0. X may be lower
                                 * only because the flow did not use what it had (RFC 5348 4.3) */
  double X_recv;                /* bytes/s, as the last report said; 0: none came */
  bool slow_start;              /* p is 0 */
  bool timed;                   /* the last report named the transit time of its packet */
  double transit;               /* s, that time with an arbitrary origin: its changes are those of the one-way
                                 * delay to the receiver, and of the two clocks */
} TfrcAllowance;

/* The state of a flow for the flow state exchange (tfrc/coupling.h). Rates are in bytes/s of segments. */
typedef struct
{
  double X;                     /* allowed rate of the flow alone, without tfrc_sender_set_coupled_rate() */
  double X_Bps;                 /* by the throughput equation; 0 while p is 0 */
  double X_recv;                /* as the last report said */
  double X_used;                /* a little more than what a data-limited flow sends; INFINITY: it is not data-limited */
  double X_max;                 /* half of the rate that the flow had, for each time that the nofeedback timer expired
                                 * since the last report; INFINITY: it did not expire */
  double scale;                 /* X_Bps of a flow of nominal segments divided by X_Bps of this flow. Rates that were
                                 * multiplied by it compare, whatever the segments and modes of the flows are
                                 * (RFC 5348 4.1, RFC 4828 3) */
  TfrcTime R;                   /* ns; 0: unknown */
  bool idle;                    /* the nofeedback timer expired, and nothing was sent since it was set before */
  uint64_t reports;             /* accepted */
  uint64_t losses;              /* accepted reports that show a new loss event */
} TfrcFlowState;

/* The bytes of a sender of this configuration. */
size_t tfrc_sender_size (const TfrcConfig * config);

/* `config` must have passed tfrc_config_check(). It is copied. */
TfrcSender *tfrc_sender_init (void *block, const TfrcConfig * config, TfrcTime now);

/* Starts anew because the path or the receiver is another one: slow start, no R, no p. The
 * counters of the statistics stay. */
unsigned tfrc_sender_restart (TfrcSender * sender, TfrcTime now);

/* When the next packet, of `size` bytes, may depart. A time in the past means at once. */
TfrcTime tfrc_sender_next_departure (const TfrcSender * sender, uint32_t size);

/* A packet of `size` bytes departs; `stamp` is filled in with what it has to carry. `backlogged`:
 * whether another packet waits behind it. */
unsigned tfrc_sender_on_departure (TfrcSender * sender, uint32_t size,
    bool backlogged, TfrcStamp * stamp, TfrcTime now);

/* A packet was made and has to wait for its departure: the flow is not data-limited
 * (RFC 5348 8.2.1). */
void tfrc_sender_on_limited (TfrcSender * sender, TfrcTime now);

/* How many packets wait, the next to depart among them. Only fluid pacing with mppn needs it. */
void tfrc_sender_set_waiting (TfrcSender * sender, unsigned packets);

/* The flow runs in this mode from now on: s, the headers that count, and the least time between departures are those
 * of the mode. X, R and p stay until the next report. The send history keeps the size that it was given. */
unsigned tfrc_sender_set_mode (TfrcSender * sender, TfrcMode mode, TfrcTime now);

/* A report came (RFC 5348 4.3). */
unsigned tfrc_sender_on_report (TfrcSender * sender, const TfrcReport * report, TfrcTime now);

/* RTCP of the receiver came, with a report or without one; to be called before the report in it is
 * handed over. After a silence of three seconds in which data were sent that no report answered, the path
 * counts as a new one: X begins anew, as after tfrc_sender_restart(). A caller without RTCP has the nofeedback
 * timer of RFC 5348 alone. */
unsigned tfrc_sender_on_rtcp (TfrcSender * sender, TfrcTime now);

/* The data receiver reports about once in `interval`, ns (0: as the reports show), from now on. The nofeedback timer
 * waits for four of these intervals, also for the first report. It is for receivers that are known to report seldom,
 * such as those that send RTCP receiver reports alone (RFC 3550 6.2). */
unsigned tfrc_sender_set_report_interval (TfrcSender * sender, TfrcTime interval, TfrcTime now);

/* A round-trip time in ns that was not measured by a report, but for example by RTCP sender and
 * receiver reports. Before the first report it is taken for R (RFC 5348 4.2). Later it is one of the
 * round-trip times that are certain: an overstated t_delay cannot push R_sample below half of the
 * shortest of these. */
unsigned tfrc_sender_on_rtt (TfrcSender * sender, TfrcTime rtt, TfrcTime now);

/* When the nofeedback timer expires (RFC 5348 4.4); TFRC_TIME_NONE: never. */
TfrcTime tfrc_sender_next_timer (const TfrcSender * sender);

/* The time that tfrc_sender_next_timer() gave has come. A call that is early changes nothing. */
unsigned tfrc_sender_on_timer (TfrcSender * sender, TfrcTime now);

/* Fills in `stats`, as it is after the last call. */
void tfrc_sender_get_stats (const TfrcSender * sender, TfrcSenderStats * stats);

/* Fills in `allowance`: what an encoder may use from now on. */
void tfrc_sender_get_allowance (const TfrcSender * sender, TfrcAllowance * allowance);

/* Fills in `state` for tfrc_coupling_update(). */
void tfrc_sender_get_flow_state (const TfrcSender * sender, TfrcFlowState * state);

/* The flow is coupled with others, and sends `rate` bytes/s of segments in place of X, though never less than a segment
 * in 64 s; INFINITY: the flow is not coupled, as it is after a restart. X and X_Bps of statistics and allowance are this rate. */
unsigned tfrc_sender_set_coupled_rate (TfrcSender * sender, double rate, TfrcTime now);

/* The bit/s of payload that `allowance` leaves for `packet_rate` packets/s. `overhead` is the bytes
 * of RTP header, header extension and payload header in each segment, `H` those below the
 * segment. 0 when the headers alone use the allowance up. */
double tfrc_allowance_get_bitrate (const TfrcAllowance * allowance, TfrcMode mode,
    uint32_t H, double packet_rate, uint32_t overhead);

TFRC_END_DECLS
#endif
