/* gst-tfrc: the downstream event by which an encoder says what its packets are like
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The encoder knows how large its packets may be, by which the sender chooses its initial window (RFC 5348 4.2). Where it
 * knows by when they have to arrive, and what the path and the redundant copies take of that time, the rest is for the
 * pacing queue. That queue sheds redundant copies before it drops packets, for which it has to know which packets have them. The
 * event is sticky, so that a sender that is linked later has it too. It is a structure
 * "application/x-tfrc-packets" with the fields "largest" (guint, bytes of RTP), "queue-time" (guint64, ns) and "redundant-type"
 * (guint, RTP payload type), each of which may be missing. */
#ifndef GST_TFRC_ENCODERPACKETSEVENT_H
#define GST_TFRC_ENCODERPACKETSEVENT_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* What an encoder says of its packets:
 * @largest: bytes of RTP that a packet of the first seconds may have; 0: not known
 * @queue_time: ns that a packet may wait for its departure; 0: the encoder does not know
 * @redundant: whether packets may have redundant copies of earlier ones (RFC 2198)
 * @redundant_type: with `redundant`, the payload type of those packets
 */
typedef struct
{
  guint largest;
  GstClockTime queue_time;
  gboolean redundant;
  guint redundant_type;
} GstTfrcEncoderPackets;

GstEvent *gst_tfrc_encoder_packets_event_new (const GstTfrcEncoderPackets * packets);

/* Returns FALSE, and leaves `packets`, when `event` is another event. */
gboolean gst_tfrc_encoder_packets_event_parse (GstEvent * event,
    GstTfrcEncoderPackets * packets);

/* What the last event said that came to the pad; nothing is known when none came. */
GstTfrcEncoderPackets gst_tfrc_encoder_packets_event_get_last (GstPad * pad);

G_END_DECLS

#endif
