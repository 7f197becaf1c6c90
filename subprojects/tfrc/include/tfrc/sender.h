/* libtfrc: the sender, RFC 5348 4 and RFC 4828 3
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SENDER_H
#define TFRC_SENDER_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _TfrcSender TfrcSender;

/* What a call changed: bits to act upon. */
typedef enum
{
  TFRC_SENDER_RATE = 1 << 0,    /* X or X_inst changed: ask for next_departure and the allowance */
  TFRC_SENDER_TIMER = 1 << 1,   /* ask for next_timer */
  TFRC_SENDER_LOSS = 1 << 2,    /* the report told of a new loss event */
  TFRC_SENDER_EXPIRED = 1 << 3, /* the nofeedback timer expired */
  TFRC_SENDER_REJECTED = 1 << 4 /* the report was refused, nothing else changed */
} TfrcSenderBits;

/* Why a report was refused (or had a field limited); the index into
 * TfrcSenderStats.rejected. */
typedef enum
{
  TFRC_REJECT_UNKNOWN_T_I,      /* no packet was sent with that timestamp in the time remembered */
  TFRC_REJECT_OLD,              /* older than the newest report accepted */
  TFRC_REJECT_T_DELAY,          /* t_delay longer than the time since t_i */
  TFRC_REJECT_RTT,              /* R_sample zero or over 16.777 s */
  TFRC_REJECT_FLOOD,            /* more than four a round-trip time */
  TFRC_N_REJECTS
} TfrcReject;

const char *tfrc_reject_get_name (TfrcReject reject);   /* "unknown-t-i", ... */

typedef struct
{
  double X, X_inst, X_Bps, X_recv, recv_limit;  /* bytes/s; X_Bps 0 while p is 0;
                                                 * recv_limit may be INFINITY */
  double G;                     /* bytes/s, what departures are paced by: max (g, X_inst) (gTFRC) */
  double p, R, t_RTO, R_sqmean; /* R, t_RTO in s, 0: unknown */
  double s, s_max;              /* mean and largest segment, bytes */
  double T_report;              /* s, time between reports as measured; 0: unknown */
  uint64_t packets, bytes;      /* departed */
  uint64_t reports;             /* accepted */
  uint64_t rejected[TFRC_N_REJECTS];
  uint64_t limited_x_recv, limited_p, limited_t_delay;  /* fields taken at a limit, K3-4 to K3-6 */
  uint64_t expiries;            /* of the nofeedback timer */
  uint64_t loss_reports;        /* reports with a new loss event */
  uint64_t data_limited_reports;
  uint64_t clock_steps;         /* `now` went backwards */
  bool data_limited;            /* the last report's interval */
  bool slow_start;              /* p is 0 */
} TfrcSenderStats;

/* What the encoder may use now. Decision: never X alone (docs/using.md). */
typedef struct
{
  double X;                     /* bytes/s of segments, at the present segment size s */
  double X_wire;                /* bytes/s with H per packet: what a change of packet size leaves
                                 * unchanged under TFRC-SP (RFC 4828 6) */
  double max_packet_rate;       /* packets/s: 100 in TFRC-SP, else INFINITY */
  double s, p, R;               /* bytes, ratio, seconds */
  double R_sample;              /* s, the latest sample, R being their mean; 0: none */
  double X_Bps;                 /* bytes/s by the equation; 0 while p is 0. X may be below it only because
                                 * the flow did not use what it had (RFC 5348 4.3) */
  double X_recv;                /* bytes/s, as the last report said; 0: none */
  bool slow_start;
} TfrcAllowance;

size_t tfrc_sender_size (const TfrcConfig * config);
/* `config` must have passed tfrc_config_check(). It is copied. */
TfrcSender *tfrc_sender_init (void *block, const TfrcConfig * config, TfrcTime now);

/* Forgets the path (new receiver, far end restarted): slow start anew, R kept out. */
unsigned tfrc_sender_restart (TfrcSender * sender, TfrcTime now);

/* When the next packet of `size` bytes may leave; a time in the past means now. */
TfrcTime tfrc_sender_next_departure (const TfrcSender * sender, uint32_t size);

/* A packet of `size` bytes leaves now; `stamp` is what it carries. `backlogged`:
 * another packet waits behind it. */
unsigned tfrc_sender_on_departure (TfrcSender * sender, uint32_t size,
    bool backlogged, TfrcStamp * stamp, TfrcTime now);

/* A packet must wait: the flow is limited by X, not by its data (RFC 5348 8.2.1). */
void tfrc_sender_on_limited (TfrcSender * sender, TfrcTime now);

/* So many packets wait, the next one included: only for fluid pacing's mppn. */
void tfrc_sender_set_waiting (TfrcSender * sender, unsigned packets);

unsigned tfrc_sender_on_report (TfrcSender * sender, const TfrcReport * report, TfrcTime now);

/* A round-trip time measured elsewhere (RTCP LSR/DLSR): a start for R before the
 * first report, and a bound on what t_delay may hide after it. */
unsigned tfrc_sender_on_rtt (TfrcSender * sender, TfrcTime rtt, TfrcTime now);

/* The nofeedback timer. Call on_timer at or after next_timer. */
TfrcTime tfrc_sender_next_timer (const TfrcSender * sender);
unsigned tfrc_sender_on_timer (TfrcSender * sender, TfrcTime now);

void tfrc_sender_get_stats (const TfrcSender * sender, TfrcSenderStats * stats);
void tfrc_sender_get_allowance (const TfrcSender * sender, TfrcAllowance * allowance);

/* Payload bit/s that `allowance` leaves at `packet_rate` packets/s when each
 * packet has `overhead` bytes of RTP header, extension and payload header within
 * the segment and H below it; 0 when the headers alone use it up. */
double tfrc_allowance_get_bitrate (const TfrcAllowance * allowance, TfrcMode mode,
    uint32_t H, double packet_rate, uint32_t overhead);

#ifdef __cplusplus
}
#endif
#endif
