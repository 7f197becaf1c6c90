/* libtfrc: the sender, which computes the allowed rate X from the receiver's reports and says
 * when each packet may depart (RFC 5348 4, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Before a packet departs, the caller asks tfrc_sender_next_departure() for its time and waits
 * until then; as it departs, tfrc_sender_on_departure() gives the stamp that it has to carry.
 * The caller hands every report to tfrc_sender_on_report(), calls tfrc_sender_on_timer() when
 * tfrc_sender_next_timer() has come, and sets its encoder to the bit rate that
 * tfrc_allowance_get_bitrate() computes from what tfrc_sender_get_allowance() fills in. */
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
  TFRC_SENDER_REGAINED = 1 << 5 /* RTCP came after a silence, and X starts anew: tfrc_sender_on_rtcp() */
} TfrcSenderBits;

/* Why a report was refused; the index into TfrcSenderStats.rejected. */
typedef enum
{
  TFRC_REJECT_UNKNOWN_T_I,      /* its t_i is not the send time of a packet in the send history */
  TFRC_REJECT_OLD,              /* its t_i is not newer than that of the last report, and it undoes no loss:
                                 * it is a copy, or was overtaken */
  TFRC_REJECT_T_DELAY,          /* its t_delay is longer than the time since t_i */
  TFRC_REJECT_RTT,              /* its round-trip time is 0, or longer than 16.777 s */
  TFRC_REJECT_FLOOD,            /* more than four reports came within one round-trip time; more than eight
                                 * with feedbacks_per_rtt 3 or 4 */
  TFRC_N_REJECTS
} TfrcReject;

/* "unknown-t-i", "old", "t-delay", "rtt" or "flood"; "none" for any other value. */
const char *tfrc_reject_get_name (TfrcReject reject);

/* Statistics. The counters never fall, also not at a restart. */
typedef struct
{
  double X;                     /* bytes/s, the allowed rate */
  double X_inst;                /* bytes/s, X with less oscillation (RFC 5348 4.5) */
  double X_Bps;                 /* bytes/s by the throughput equation; 0 while p is 0 */
  double X_recv;                /* bytes/s, of the last report, lowered to what was sent; 0: none came */
  double recv_limit;            /* bytes/s, recv_limit of RFC 5348 4.3: the upper bound of X that follows
                                 * from X_recv; may be INFINITY */
  double G;                     /* bytes/s at which packets depart: max (g, X_inst) (gTFRC) */
  double p;                     /* loss event rate, 0 to 1 */
  double R, t_RTO;              /* s; 0: unknown */
  double R_sqmean;              /* s^(1/2), mean of the roots of round-trip times (RFC 5348 4.5) */
  double s, s_max;              /* bytes, mean and largest segment */
  double T_report;              /* s, mean time between reports while data arrived; 0: unknown */
  uint64_t packets, bytes;      /* departed */
  uint64_t reports;             /* accepted */
  uint64_t rejected[TFRC_N_REJECTS];    /* refused, by reason */
  uint64_t limited_x_recv;      /* accepted reports whose X_recv was lowered to what was sent */
  uint64_t limited_p;           /* accepted reports whose p was raised, because it had fallen too fast */
  uint64_t limited_t_delay;     /* accepted reports whose R_sample was raised, because t_delay seemed too long */
  uint64_t expiries;            /* of the nofeedback timer */
  uint64_t regained;            /* times that RTCP came after a silence and X started anew */
  uint64_t loss_reports;        /* accepted reports that show a new loss event */
  uint64_t data_limited_reports;        /* accepted reports that cover a data-limited interval */
  uint64_t clock_steps;         /* times that `now` was earlier than before */
  bool data_limited;            /* the last report covers a data-limited interval (RFC 5348 8.2.1) */
  bool slow_start;              /* there was no loss event yet: p is 0 */
} TfrcSenderStats;

/* The allowance: what an encoder may use at this moment. X alone is not enough for an encoder, because
 * X counts no headers below RTP and is for the present segment size. */
typedef struct
{
  double X;                     /* bytes/s of segments, at the present segment size s */
  double X_wire;                /* bytes/s, X and H bytes more for each segment: under TFRC-SP this rate
                                 * stays the same when the packet size changes (RFC 4828 6) */
  double max_packet_rate;       /* packets/s: 100 under TFRC-SP, else INFINITY */
  double s;                     /* bytes, mean segment */
  double p;                     /* loss event rate, 0 to 1 */
  double R;                     /* s, mean round-trip time; 0: unknown */
  double R_sample;              /* s, the last round-trip time measured; 0: none */
  double X_Bps;                 /* bytes/s by the throughput equation; 0 while p is 0. X can be lower for
                                 * the sole reason that the flow was data-limited (RFC 5348 4.3) */
  double X_recv;                /* as in TfrcSenderStats */
  bool slow_start;              /* p is 0 */
  bool timed;                   /* the last report carried the transit time of its packet */
  double transit;               /* s, that time plus an unknown constant: only its changes mean something,
                                 * which are those of the one-way delay to the receiver, and of the drift
                                 * of the two clocks */
  double capacity;              /* bytes/s at which the path transmits packets, by how much longer larger ones took in the last
                                 * 5 s; 0: not known, as where all packets are alike. More than 60 bytes in 1 ms are
                                 * not told from any more */
} TfrcAllowance;

/* The state of a flow for the flow state exchange (tfrc/coupling.h). Rates are in bytes/s of segments. */
typedef struct
{
  double X;                     /* allowed rate of the flow alone, without tfrc_sender_set_coupled_rate() */
  double X_Bps;                 /* by the throughput equation; 0 while p is 0 */
  double X_recv;                /* as in TfrcSenderStats */
  double X_used;                /* a quarter more than what a data-limited flow sends; INFINITY: the flow is not data-limited */
  double X_max;                 /* the rate that the flow had, halved at each expiry of the nofeedback timer since the
                                 * last report; INFINITY: the timer did not expire */
  double scale;                 /* X_Bps of a flow of nominal segments divided by X_Bps of this flow. Rates of flows with
                                 * different segments or modes can be compared after each is multiplied by its
                                 * scale (RFC 5348 4.1, RFC 4828 3) */
  TfrcTime R;                   /* ns; 0: unknown */
  bool idle;                    /* the nofeedback timer expired, and nothing departed between its last two settings */
  uint64_t reports;             /* accepted */
  uint64_t losses;              /* accepted reports that show a new loss event */
} TfrcFlowState;

/* How many bytes a sender of this configuration takes. */
size_t tfrc_sender_size (const TfrcConfig * config);

/* Makes `block` a sender and returns it. `config` must have passed tfrc_config_check(). It is copied. */
TfrcSender *tfrc_sender_init (void *block, const TfrcConfig * config, TfrcTime now);

/* To be called when the path or the receiver is another one: the sender starts anew, in slow start,
 * without R and p. Returns TFRC_SENDER_RATE and TFRC_SENDER_TIMER. */
unsigned tfrc_sender_restart (TfrcSender * sender, TfrcTime now);

/* When the next packet, of `size` bytes, may depart: at once, when that time has passed. */
TfrcTime tfrc_sender_next_departure (const TfrcSender * sender, uint32_t size);

/* A packet of `size` bytes departs; `stamp` is filled in with what it has to carry. `backlogged`:
 * whether another packet of the flow waits behind it. Until the first report, X follows the sizes of the
 * packets (TFRC_SENDER_RATE), and the first packet sets the timer (TFRC_SENDER_TIMER). */
unsigned tfrc_sender_on_departure (TfrcSender * sender, uint32_t size,
    bool backlogged, TfrcStamp * stamp, TfrcTime now);

/* To be called when a new packet has to wait for its departure, which shows that the flow is not
 * data-limited (RFC 5348 8.2.1). */
void tfrc_sender_on_limited (TfrcSender * sender, TfrcTime now);

/* How many packets wait, that which departs next included. Only fluid pacing with mppn needs it. */
void tfrc_sender_set_waiting (TfrcSender * sender, unsigned packets);

/* TfrcConfig::max_packet_size is `size` from now on: the application knows how large its packets will be. X follows until
 * the first report. A size that tfrc_config_check() would refuse is ignored. Returns TFRC_SENDER_RATE, or 0. */
unsigned tfrc_sender_set_max_packet_size (TfrcSender * sender, uint32_t size, TfrcTime now);

/* The flow runs in this mode from now on: s, the headers that count, and the least time between departures are those
 * of the mode. X, R and p stay until the next report. The send history keeps the size that it was given. Returns
 * TFRC_SENDER_RATE when the mode was another one, else 0. */
unsigned tfrc_sender_set_mode (TfrcSender * sender, TfrcMode mode, TfrcTime now);

/* A report came: it is checked, and X is computed from it (RFC 5348 4.3). Returns TFRC_SENDER_REJECTED alone
 * when the report was refused; else TFRC_SENDER_TIMER, and TFRC_SENDER_RATE and TFRC_SENDER_LOSS as they apply. */
unsigned tfrc_sender_on_report (TfrcSender * sender, const TfrcReport * report, TfrcTime now);

/* Feedback came between two reports, and gives a sample of the round-trip time: t_i and t_delay of `times`, of which
 * nothing else is read. R follows it (RFC 5348 4.3 steps 1 and 2); X does so with the next report. Feedback before the first
 * report, or with impossible times, changes nothing. */
void tfrc_sender_on_rtt_sample (TfrcSender * sender, const TfrcReport * times, TfrcTime now);

/* To be called for each RTCP packet of the receiver, with a report in it or without, before
 * tfrc_sender_on_report(). The path counts as a new one when the receiver was silent for three seconds, and the
 * nofeedback timer has expired twice without a report while data were sent; one such expiry is enough at the first
 * RTCP packet. Then X starts anew, as after tfrc_sender_restart(), and TFRC_SENDER_REGAINED is among the bits. A
 * caller that has no RTCP relies on the nofeedback timer of RFC 5348 alone. */
unsigned tfrc_sender_on_rtcp (TfrcSender * sender, TfrcTime now);

/* The data receiver reports about once in `interval` ns from now on, at most once in 60 s; 0: the interval
 * is estimated from the reports. Returns TFRC_SENDER_TIMER. The nofeedback timer waits for four of these
 * intervals, also for the first report; a shorter interval than before shortens what is left of the wait. It is
 * for receivers that are known to report seldom, such as those that send RTCP receiver reports alone (RFC 3550
 * 6.2). */
unsigned tfrc_sender_set_report_interval (TfrcSender * sender, TfrcTime interval, TfrcTime now);

/* A round-trip time in ns that was not measured by a TFRC report, but for example by LSR and DLSR of
 * RTCP (RFC 3550 6.4.1). Before the first report it becomes R (RFC 5348 4.2). Half of the shortest of these
 * times is a lower bound of R_sample, so that an overstated t_delay cannot make R_sample shorter. A time of 0 or
 * of more than 16.777 s is ignored. */
unsigned tfrc_sender_on_rtt (TfrcSender * sender, TfrcTime rtt, TfrcTime now);

/* R before the first report (RFC 5348 4.2), in ns: what another exchange with the remote, such as a handshake, or an
 * earlier connection has shown. It may be longer than the path's, since nothing but the initial rate follows from it,
 * and it is ignored when R is known, when it is 0, or when it is more than 16.777 s. Returns TFRC_SENDER_RATE, or 0. */
unsigned tfrc_sender_set_initial_rtt (TfrcSender * sender, TfrcTime rtt, TfrcTime now);

/* When the nofeedback timer expires (RFC 5348 4.4); TFRC_TIME_NONE: never. */
TfrcTime tfrc_sender_next_timer (const TfrcSender * sender);

/* The time that tfrc_sender_next_timer() gave has come. A call that is early changes nothing. Returns
 * TFRC_SENDER_TIMER, TFRC_SENDER_RATE as it applies, and TFRC_SENDER_EXPIRED when the timer expired after
 * data were sent or has changed X. */
unsigned tfrc_sender_on_timer (TfrcSender * sender, TfrcTime now);

/* Fills in `stats`, as it is after the last call. */
void tfrc_sender_get_stats (const TfrcSender * sender, TfrcSenderStats * stats);

/* Fills in `allowance`: what an encoder may use from now on. */
void tfrc_sender_get_allowance (const TfrcSender * sender, TfrcAllowance * allowance);

/* Fills in `state` for tfrc_coupling_update(). */
void tfrc_sender_get_flow_state (const TfrcSender * sender, TfrcFlowState * state);

/* The flow is coupled with others (RFC 8699), and sends `rate` bytes/s of segments in place of X, though
 * never less than a segment in 64 s; INFINITY: the flow is not coupled, as it is after a restart. X and
 * X_Bps of statistics and allowance become this rate; X of TfrcFlowState does not. */
unsigned tfrc_sender_set_coupled_rate (TfrcSender * sender, double rate, TfrcTime now);

/* The bit/s of payload that `allowance` leaves for `packet_rate` packets/s. `overhead` is the bytes
 * of RTP header, header extension and payload header in each segment, `H` those below the
 * segment. 0 when the headers alone use the allowance up. Under TFRC the headers of at most X / s packets/s
 * count (RFC 5348 1), under TFRC-SP those below the segment count too (RFC 4828 6). */
double tfrc_allowance_get_bitrate (const TfrcAllowance * allowance, TfrcMode mode,
    uint32_t H, double packet_rate, uint32_t overhead);

TFRC_END_DECLS
#endif
