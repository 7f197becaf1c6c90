/* libtfrc: a TFRC receiver that runs at the data sender, for remotes that know nothing of TFRC
 * (RFC 5348 7)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A remote that lists which packets arrived, and when (tfrc/arrival-feedback.h), need not compute a loss
 * event rate. The data sender can do so: this object remembers the departures, and hands each packet that the
 * feedback says arrived to a TfrcReceiver inside, in the order and with the times of arrival. Loss events, loss
 * intervals, X_recv and p are computed by the same code as at a remote that has TFRC, and the reports go
 * into the TfrcSender as reports from a remote do:
 *
 *   tfrc_sender_on_departure (sender, size, backlogged, &stamp, now);
 *   tfrc_sender_side_on_departure (side, seq, size, &stamp, now);
 *   ...
 *   if (tfrc_arrival_feedback_parse_twcc (&feedback, fci, fci_size) == TFRC_PARSE_OK)
 *     bits = tfrc_sender_side_on_feedback (side, &feedback, &report, now);
 *   if (bits & TFRC_SENDER_SIDE_REPORT)
 *     tfrc_sender_on_report (sender, &report, now);
 *   if (bits & TFRC_SENDER_SIDE_RTT)
 *     tfrc_sender_on_rtt_sample (sender, &report, now);
 *
 * There is a report as often as the TfrcReceiver asks for one: once in a round-trip time, and for a new
 * loss event (RFC 5348 6). Feedback in between gives a sample of the round-trip time and nothing else. Without
 * feedback the nofeedback timer of the TfrcSender expires as usual.
 *
 * A packet that no feedback mentions, because the RTCP packet that did was lost, is unknown: it counts neither
 * as received nor as lost, and X_recv is measured as though its time had not passed. Where report blocks come as
 * well (RFC 3550 6.4.1), the losses that they count and the feedback does not are losses of unknown packets.
 * When feedback says that a packet is missing and later feedback says that it arrived, its loss is undone, as by
 * a late packet.
 *
 * The object belongs to one flow. Transport-wide sequence numbers count the packets of all flows of a
 * transport: a gap between the numbers of this flow is no loss. The contract of tfrc/tfrc.h holds. */
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
  TFRC_SENDER_SIDE_REPORT = 1 << 0,     /* `report` was filled in: hand it to tfrc_sender_on_report() */
  TFRC_SENDER_SIDE_RTT = 1 << 1 /* `report` has t_i and t_delay alone: for tfrc_sender_on_rtt_sample() */
} TfrcSenderSideBits;

/* Statistics. The counters never fall, also not at a restart. */
typedef struct
{
  TfrcReceiverStats receiver;   /* of the TfrcReceiver that runs here */
  uint64_t feedbacks;           /* feedback and report blocks that said something new of a packet of this flow */
  uint64_t idle_feedbacks;      /* those that did not: they came twice, too late, or are about packets
                                 * that were never sent, or of other flows */
  uint64_t unknown;             /* packets that no feedback mentioned before it mentioned newer ones */
  uint64_t unknown_lost;        /* of these, those that report blocks count as lost */
  uint64_t remote_clock_steps;  /* times that the clock of the remote jumped by more than a second
                                 * against `now`, in either direction */
  uint64_t clock_steps;         /* times that `now` was earlier than before */
} TfrcSenderSideStats;

/* How many bytes an object of this configuration takes. */
size_t tfrc_sender_side_size (const TfrcConfig * config);

/* Makes `block` an object and returns it. `config` must have passed tfrc_config_check(), and be that of the
 * TfrcSender. It is copied. */
TfrcSenderSideReceiver *tfrc_sender_side_init (void *block, const TfrcConfig * config, TfrcTime now);

/* To be called when the path or the remote is another one: clears the loss history and forgets the clock of the
 * remote. Packets without feedback so far become unknown. */
void tfrc_sender_side_restart (TfrcSenderSideReceiver * side, TfrcTime now);

/* The TfrcSender runs in this mode from now on. As many departures are remembered as before. */
void tfrc_sender_side_set_mode (TfrcSenderSideReceiver * side, TfrcMode mode);

/* A packet departs: `seq` is the sequence number by which feedback mentions it, `size` and `stamp` are those
 * of tfrc_sender_on_departure(), whether or not the packet carries the stamp. Sequence numbers increase,
 * modulo 2^16, by 1 or more. */
void tfrc_sender_side_on_departure (TfrcSenderSideReceiver * side, uint16_t seq, uint32_t size,
    const TfrcStamp * stamp, TfrcTime now);

/* Feedback came. Returns TFRC_SENDER_SIDE_REPORT, TFRC_SENDER_SIDE_RTT when no report is due, or 0 when the feedback says
 * nothing new. */
unsigned tfrc_sender_side_on_feedback (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, TfrcReport * report, TfrcTime now);

/* A report block came (RFC 3550 6.4.1), from a remote that has no better feedback. Of the packets after the
 * block before, up to sequence number `highest`, `lost` packets did not arrive, and the others did. `rtt`
 * is the round-trip time in ns that LSR and DLSR give, 0 if they do not. Returns as
 * tfrc_sender_side_on_feedback() does. */
unsigned tfrc_sender_side_on_block (TfrcSenderSideReceiver * side, uint16_t highest,
    uint32_t lost, TfrcTime rtt, TfrcReport * report, TfrcTime now);

/* A report block came from a remote that lists arrivals as well; `lost` is its cumulative number of packets lost
 * (RFC 3550 6.4.1), and not, as above, that since the block before. The growth of this number since the first block
 * is compared with the losses that the feedback has shown since then. What the number has more are losses of unknown
 * packets, at most of as many as became unknown since the block before. */
void tfrc_sender_side_on_lost (TfrcSenderSideReceiver * side, int32_t lost);

/* Fills in `stats`, as it is after the last call. */
void tfrc_sender_side_get_stats (const TfrcSenderSideReceiver * side, TfrcSenderSideStats * stats);

TFRC_END_DECLS
#endif
