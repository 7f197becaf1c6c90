/* gst-tfrc: which data sender tfrcsrc follows, of all whose packets arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A data sender is an address and an SSRC. One is followed at a time:
 *
 *  - The first one that sends what can be used is followed at once.
 *  - Another one takes its place when the followed one has sent a BYE, or has been silent for half a
 *    second (base/followedssrc.h). After a silence, one from another address has to send packets in
 *    sequence first (RFC 3550 A.1), unless its packets are authentic.
 *  - Whoever lost the place by silence takes it back with the first packet, for a minute.
 *  - With keys, the followed SSRC may come from another address, to which it moves, twice a second at most; without,
 *    it may after a silence and packets in sequence.
 *
 * The choice is plain state of fixed size, zero to begin with, of the thread that receives. The work
 * for a packet does not grow with what arrived before. Times are ns of any clock that never
 * decreases. */
#ifndef GST_TFRC_SENDERCHOICE_H
#define GST_TFRC_SENDERCHOICE_H

#include <tfrc/tfrc.h>

#include "transport/udpaddress.h"

G_BEGIN_DECLS

typedef struct
{
  GstTfrcUdpAddress address;
  guint32 ssrc;
  TfrcTime heard;               /* when a packet of it arrived last */
} GstTfrcDataSource;

typedef struct
{
  gboolean following;           /* there is a followed one */
  gboolean left;                /* it has sent a BYE, */
  TfrcTime left_at;             /* at this time */
  GstTfrcDataSource followed;
  TfrcTime moved_at;            /* when it came to its address; 0: with its first packet */
  gboolean has_former;
  GstTfrcDataSource former;     /* lost its place by silence */
  GstTfrcDataSource candidate;  /* in probation while `in_sequence` is above 0 */
  guint16 next_seq;             /* that the candidate's next packet should have */
  guint in_sequence;            /* its packets in sequence */
  guint64 changes;              /* times that another SSRC took the place */
  guint64 others;               /* packets of data senders that were not followed */
} GstTfrcSenderChoice;

typedef enum
{
  GST_TFRC_SENDER_SAME,         /* the followed one */
  GST_TFRC_SENDER_MOVED,        /* the followed one, at another address from now on */
  GST_TFRC_SENDER_TAKEN,        /* another one, which is followed from now on */
  GST_TFRC_SENDER_OTHER         /* not followed; the packet is counted */
} GstTfrcSenderVerdict;

/* An RTP packet that can be used arrived. */
GstTfrcSenderVerdict gst_tfrc_sender_choice_on_packet (GstTfrcSenderChoice *
    choice, const GstTfrcUdpAddress * address, guint32 ssrc, guint16 seq,
    gboolean authentic, TfrcTime now);

/* An RTP packet that cannot be used arrived. The data sender that is followed does not count as silent when it is
 * the sender of it. */
void gst_tfrc_sender_choice_on_useless (GstTfrcSenderChoice * choice,
    const GstTfrcUdpAddress * address, guint32 ssrc, TfrcTime now);

/* The followed one has sent a BYE, so that anybody may take its place. A packet of it that follows half a second later
 * shows that the BYE was forged; the BYE may have overtaken packets that come before. */
void gst_tfrc_sender_choice_on_bye (GstTfrcSenderChoice * choice, TfrcTime now);

G_END_DECLS

#endif
