/* libtfrc: the receiver, RFC 5348 5 and 6, RFC 4828 3
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVER_H
#define TFRC_RECEIVER_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _TfrcReceiver TfrcReceiver;

typedef enum
{
  TFRC_RECEIVER_REPORT = 1 << 0,        /* a report should leave as soon as it can */
  TFRC_RECEIVER_TIMER = 1 << 1,         /* ask for next_timer */
  TFRC_RECEIVER_LOSS = 1 << 2,          /* a new loss event */
  TFRC_RECEIVER_RESTARTED = 1 << 3,     /* the sequence jumped, history started anew */
  TFRC_RECEIVER_DUPLICATE = 1 << 4,     /* that packet had come before; not counted */
  TFRC_RECEIVER_RTT = 1 << 5            /* R changed noticeably: the feedback's bandwidth depends on it */
} TfrcReceiverBits;

/* One data packet as it arrived. */
typedef struct
{
  uint16_t seq;                 /* RTP sequence number */
  uint32_t size;                /* bytes of the segment: RTP header, extension, payload */
  bool stamped;                 /* the header extension was there and well-formed */
  bool ce;                      /* ECN congestion experienced */
  TfrcStamp stamp;
} TfrcPacket;

typedef struct
{
  double p, X_recv, R;          /* ratio, bytes/s, s (0: unknown) */
  double I_mean, I_0;           /* packets; 0 while there is no loss event */
  double I_1;                   /* packets as measured: the newest closed interval; 0: none */
  unsigned intervals;           /* closed intervals in the history */
  uint64_t packets, bytes;      /* arrived, duplicates not counted */
  uint64_t lost;                /* declared lost and not healed */
  uint64_t healed;              /* declared lost, then arrived */
  uint64_t loss_events;
  uint64_t duplicates, reordered, marked;
  uint64_t too_late;            /* older than the history that could take them */
  uint64_t unstamped, bad_stamps;       /* without extension; with values that cannot be */
  uint64_t jumps;               /* so far off the sequence that they were not taken, unless confirmed */
  uint64_t restarts;
  uint64_t reports, empty_expiries;     /* made; timer expiries without data */
  uint64_t clock_steps;
} TfrcReceiverStats;

size_t tfrc_receiver_size (const TfrcConfig * config);
TfrcReceiver *tfrc_receiver_init (void *block, const TfrcConfig * config, TfrcTime now);

/* Forgets everything: the source changed. */
unsigned tfrc_receiver_restart (TfrcReceiver * receiver, TfrcTime now);

unsigned tfrc_receiver_on_packet (TfrcReceiver * receiver, const TfrcPacket * packet, TfrcTime now);

/* The feedback timer, RFC 5348 6. */
TfrcTime tfrc_receiver_next_timer (const TfrcReceiver * receiver);
unsigned tfrc_receiver_on_timer (TfrcReceiver * receiver, TfrcTime now);

/* The feedback path cannot carry more than one report in `interval`: the timer
 * runs at max (R / k, interval). 0: no such limit. */
unsigned tfrc_receiver_set_report_interval (TfrcReceiver * receiver, TfrcTime interval, TfrcTime now);

/* A report waits to be made. */
bool tfrc_receiver_wants_report (const TfrcReceiver * receiver);

/* Fills `report` for the moment it leaves and restarts the timer. Returns false,
 * and changes nothing, when no data came since the last one (RFC 5348 6.2). A
 * report may be made at any time, asked for or not: a regular RTCP packet carries
 * a fresh one for nothing. */
bool tfrc_receiver_make_report (TfrcReceiver * receiver, TfrcReport * report, TfrcTime now);

void tfrc_receiver_get_stats (const TfrcReceiver * receiver, TfrcReceiverStats * stats);

#ifdef __cplusplus
}
#endif
#endif
