/* libtfrc: a TFRC receiver that runs at the data sender, for remotes that know nothing of TFRC
 * (RFC 5348 7)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A remote that lists which packets arrived, and when (tfrc/arrival-feedback.h), need not compute a loss
 * event rate. The data sender can do so: it keeps what departed, and gives each packet that the feedback
 * says arrived to a TfrcReceiver of its own, in the order and at the time of its arrival. Loss events, loss
 * intervals, X_recv and p are computed by the same code as at a remote that has TFRC, and the reports go
 * into the TfrcSender as reports from a remote do:
 *
 *   tfrc_sender_on_departure (sender, size, backlogged, &stamp, now);
 *   tfrc_sender_side_on_departure (side, seq, size, &stamp, now);
 *   ...
 *   if (tfrc_arrival_feedback_parse_twcc (&feedback, fci, fci_size) == TFRC_PARSE_OK
 *       && tfrc_sender_side_on_feedback (side, &feedback, &report, now) & TFRC_SENDER_SIDE_REPORT)
 *     tfrc_sender_on_report (sender, &report, now);
 *
 * There is a report as often as the TfrcReceiver asks for one: once in a round-trip time, and for a new
 * loss event (RFC 5348 6). Without feedback the nofeedback timer of the TfrcSender expires as usual.
 *
 * Packets that no feedback ever mentions, because the RTCP packet that did was lost, are unknown: they count
 * neither as received nor as lost, and X_recv is measured as though the time that they took had not passed. Where
 * report blocks come as well, the losses that only they count are losses of unknown packets.
 * A packet that was said to be missing and is said to have arrived later undoes its loss, as a late packet
 * does.
 *
 * The object belongs to one flow. Where the sequence numbers of the feedback are those of a whole transport,
 * the flow has only some of them. The contract of tfrc/tfrc.h holds. */
#ifndef TFRC_SENDER_SIDE_RECEIVER_H
#define TFRC_SENDER_SIDE_RECEIVER_H

#include <tfrc/arrival-feedback.h>
#include <tfrc/receiver.h>
#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef struct _TfrcSenderSideReceiver TfrcSenderSideReceiver;

/* What a call changed. */
typedef enum
{
  TFRC_SENDER_SIDE_REPORT = 1 << 0      /* there is a report, which the TfrcSender has to be given */
} TfrcSenderSideBits;

typedef struct
{
  TfrcReceiverStats receiver;   /* of the TfrcReceiver that runs here */
  uint64_t feedbacks;           /* feedback that said something new of a packet of this flow */
  uint64_t idle_feedbacks;      /* feedback that did not: it came twice, too late, or is about packets
                                 * that were never sent, or of other flows */
  uint64_t unknown;             /* packets that no feedback mentioned before newer ones */
  uint64_t unknown_lost;        /* of these, those that report blocks count as lost */
  uint64_t remote_clock_steps;  /* times that the clock of the remote went back, or forward faster than
                                 * ours, by more than a second */
  uint64_t clock_steps;         /* times that `now` was earlier than before */
} TfrcSenderSideStats;

/* The bytes of an object of this configuration. */
size_t tfrc_sender_side_size (const TfrcConfig * config);

/* `config` must have passed tfrc_config_check(), and be that of the TfrcSender. It is copied. */
TfrcSenderSideReceiver *tfrc_sender_side_init (void *block, const TfrcConfig * config, TfrcTime now);

/* Forgets the loss history and the clock of the remote, because the path or the remote is another one. What
 * is on its way becomes unknown. The counters of the statistics stay. */
void tfrc_sender_side_restart (TfrcSenderSideReceiver * side, TfrcTime now);

/* The TfrcSender runs in this mode from now on. The ring of departures keeps its size. */
void tfrc_sender_side_set_mode (TfrcSenderSideReceiver * side, TfrcMode mode);

/* A packet departs: `seq` is the sequence number by which feedback mentions it, `size` and `stamp` are those
 * of tfrc_sender_on_departure(), whether or not the packet carries the stamp. Sequence numbers increase,
 * modulo 2^16. */
void tfrc_sender_side_on_departure (TfrcSenderSideReceiver * side, uint16_t seq, uint32_t size,
    const TfrcStamp * stamp, TfrcTime now);

/* Feedback came. When TFRC_SENDER_SIDE_REPORT is returned, `report` has been filled in. */
unsigned tfrc_sender_side_on_feedback (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, TfrcReport * report, TfrcTime now);

/* A report block came (RFC 3550 6.4.1), from a remote that has no better feedback: packets up to sequence number
 * `highest` arrived, but for `lost` of those since the block before. `rtt` is the round-trip time in ns that LSR
 * and DLSR give, 0 if they do not. When TFRC_SENDER_SIDE_REPORT is returned, `report` has been filled in. */
unsigned tfrc_sender_side_on_block (TfrcSenderSideReceiver * side, uint16_t highest,
    uint32_t lost, TfrcTime rtt, TfrcReport * report, TfrcTime now);

/* A report block came from a remote that lists arrivals as well, and counts `lost` packets lost in all. What the count has
 * grown since the first block is compared with the losses that feedback told since then. What is above them is taken
 * for losses of unknown packets, as many as became unknown since the block before at most. */
void tfrc_sender_side_on_lost (TfrcSenderSideReceiver * side, int32_t lost);

/* Fills in `stats`, as it is after the last call. */
void tfrc_sender_side_get_stats (const TfrcSenderSideReceiver * side, TfrcSenderSideStats * stats);

TFRC_END_DECLS
#endif
