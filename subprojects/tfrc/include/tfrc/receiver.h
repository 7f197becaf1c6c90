/* libtfrc: the receiver, which measures the loss event rate and the receive rate of the packets
 * that arrive and makes the reports for the sender (RFC 5348 5 and 6, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The caller hands every data packet to tfrc_receiver_on_packet() as it arrives, before any
 * jitter buffer, and calls tfrc_receiver_on_timer() when tfrc_receiver_next_timer() has come.
 * When one of them returns TFRC_RECEIVER_REPORT, the caller makes a report with
 * tfrc_receiver_make_report() and sends it. */
#ifndef TFRC_RECEIVER_H
#define TFRC_RECEIVER_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef struct _TfrcReceiver TfrcReceiver;

/* What a call changed. */
typedef enum
{
  TFRC_RECEIVER_REPORT = 1 << 0,        /* a report is due: make and send it at once */
  TFRC_RECEIVER_TIMER = 1 << 1,         /* the feedback timer was set: ask for next_timer */
  TFRC_RECEIVER_LOSS = 1 << 2,          /* there was a new loss event */
  TFRC_RECEIVER_RESTARTED = 1 << 3,     /* the sequence numbers have jumped to a new start, or there was a
                                         * restart: the loss history is empty */
  TFRC_RECEIVER_DUPLICATE = 1 << 4,     /* the packet was not counted: it is a duplicate, or comes too late
                                         * to know whether it is one */
  TFRC_RECEIVER_RTT = 1 << 5            /* R changed by more than an eighth: there are more reports in a
                                         * second, or fewer, which matters to the RTCP bandwidth */
} TfrcReceiverBits;

/* One data packet as it arrived. */
typedef struct
{
  uint16_t seq;                 /* RTP sequence number */
  uint32_t size;                /* bytes of the segment: RTP header, extension and payload */
  bool stamped;                 /* the packet had the header extension: `stamp` is what was parsed */
  bool ce;                      /* the packet arrived CE-marked (RFC 3168) */
  TfrcStamp stamp;
} TfrcPacket;

/* Statistics. The counters never fall, also not at a restart. */
typedef struct
{
  double p;                     /* loss event rate, 0 to 1 */
  double X_recv;                /* bytes/s, of the last report that was made */
  double R;                     /* s, as the sender's stamps say; 0: unknown */
  double I_mean, I_0;           /* mean loss interval and open loss interval (RFC 5348 5.4), in packets or
                                 * what the measure counts; 0 while there is no loss event */
  double I_1;                   /* the last closed loss interval, in the same unit; 0: none */
  unsigned intervals;           /* closed loss intervals that make the mean */
  uint64_t packets, bytes;      /* arrived; without duplicates */
  uint64_t lost;                /* packets declared lost that have not arrived later */
  uint64_t healed;              /* packets declared lost that arrived later, so that the loss was undone */
  uint64_t loss_events;
  uint64_t duplicates;          /* packets that had arrived before */
  uint64_t reordered;           /* packets that arrived after one with a higher sequence number */
  uint64_t marked;              /* CE-marked packets */
  uint64_t too_late;            /* packets older than the loss history reaches; not counted as arrived */
  uint64_t unstamped;           /* packets without a stamp */
  uint64_t bad_stamps;          /* stamps with an R or a send time that is not possible; they were ignored */
  uint64_t jumps;               /* packets too far off the sequence to be taken (RFC 3550 A.1) */
  uint64_t restarts;            /* times that the loss history was cleared */
  uint64_t reports;             /* reports made */
  uint64_t empty_expiries;      /* expiries of the feedback timer without data since the last report */
  uint64_t clock_steps;         /* times that `now` was earlier than before */
} TfrcReceiverStats;

/* How many bytes a receiver of this configuration takes. */
size_t tfrc_receiver_size (const TfrcConfig * config);

/* Makes `block` a receiver and returns it. `config` must have passed tfrc_config_check(). It is copied. */
TfrcReceiver *tfrc_receiver_init (void *block, const TfrcConfig * config, TfrcTime now);

/* To be called when another source sends: clears the loss history, the receive rate and R. Returns
 * TFRC_RECEIVER_TIMER and TFRC_RECEIVER_RESTARTED. */
unsigned tfrc_receiver_restart (TfrcReceiver * receiver, TfrcTime now);

/* The sender runs in this mode: loss intervals that end from now on are measured as the mode has it (RFC 4828 3). */
void tfrc_receiver_set_mode (TfrcReceiver * receiver, TfrcMode mode);

/* A data packet arrived. Returns 0 for one whose sequence number is too far off (`jumps` of the
 * statistics), else the bits that apply. */
unsigned tfrc_receiver_on_packet (TfrcReceiver * receiver, const TfrcPacket * packet, TfrcTime now);

/* A packet of `size` bytes arrived that repairs data, such as a retransmission (RFC 4588), and has sequence
 * numbers of its own. It counts in X_recv, because the sender has spent a part of X on it. Losses of such
 * packets do not count: p is the loss event rate of the data. */
void tfrc_receiver_on_repair (TfrcReceiver * receiver, uint32_t size, TfrcTime now);

/* When the feedback timer expires (RFC 5348 6.2), or, if that is earlier, when a new loss event counts that
 * reordering may have caused, unless the missing packet has arrived by then; TFRC_TIME_NONE: never. */
TfrcTime tfrc_receiver_next_timer (const TfrcReceiver * receiver);

/* The time that tfrc_receiver_next_timer() gave has come. A call that is early changes nothing. */
unsigned tfrc_receiver_on_timer (TfrcReceiver * receiver, TfrcTime now);

/* Sets the least time between two reports, ns, as the RTCP bandwidth permits it: the feedback timer
 * then expires after max (R / k, interval), where k is feedbacks_per_rtt. 0: no such limit. Returns
 * TFRC_RECEIVER_TIMER when the timer changed. */
unsigned tfrc_receiver_set_report_interval (TfrcReceiver * receiver, TfrcTime interval, TfrcTime now);

/* Whether a report is due and has not been made yet. */
bool tfrc_receiver_wants_report (const TfrcReceiver * receiver);

/* Fills in `report` as it should be at the moment `now` at which it is sent, and sets the feedback timer
 * anew. Returns false, and changes neither the receiver nor `report`, when no data arrived since the last
 * report (RFC 5348 6.2), or when no stamp has come yet. A report may be made at any time, so that every
 * RTCP packet that is sent for another reason can carry one. */
bool tfrc_receiver_make_report (TfrcReceiver * receiver, TfrcReport * report, TfrcTime now);

/* Fills in `stats`, as it is after the last call. */
void tfrc_receiver_get_stats (const TfrcReceiver * receiver, TfrcReceiverStats * stats);

TFRC_END_DECLS
#endif
