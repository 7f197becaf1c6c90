/* gst-tfrc: finds, reserves, writes and removes the stamp of an RTP packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_STAMPEDPACKET_H
#define GST_TFRC_STAMPEDPACKET_H

#include <gst/gst.h>
#include <tfrc/wire.h>

G_BEGIN_DECLS

/* An RTP packet with the header extension urn:ietf:params:rtp-hdrext:rtt-sendts, which carries the
 * stamp: the round-trip time and the send time of the packet (docs/wire-format.md). The struct has
 * what was parsed from a buffer and owns nothing; it is for that buffer alone. The functions hold
 * no state. */
typedef struct
{
  guint16 seq;
  guint32 ssrc;
  guint32 rtptime;              /* RTP timestamp: that of all packets of one video frame */
  guint32 size;                 /* bytes of the whole packet */
  guint32 header_size;          /* bytes of RTP header and extension */
  guint stamp_offset;           /* of the seven data bytes; 0: the packet has no stamp */
  TfrcParse parse;              /* why the packet has no stamp, when stamp_offset is 0 */
  TfrcStamp stamp;              /* the parsed stamp, when stamp_offset is not 0 */
} GstTfrcStampedPacket;

/* Parses a buffer; `id` is the ID of the header extension. Returns FALSE when the buffer is no RTP
 * packet. A packet without a stamp has a stamp_offset of 0 afterwards. */
gboolean gst_tfrc_stamped_packet_parse (GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id);

/* The same for a packet of `size` bytes that is in one piece. */
gboolean gst_tfrc_stamped_packet_parse_data (GstTfrcStampedPacket * packet,
    const guint8 * data, gsize size, guint id);

/* Adds room for a stamp to a packet that has none, in the form (RFC 8285) of the extension block
 * that the packet has. Takes `buffer`, returns the new buffer and parses it into `packet`. A packet
 * whose extension has another profile stays as it is. */
GstBuffer *gst_tfrc_stamped_packet_reserve (GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id);

/* Writes the sequence number and, where there is room for it, the stamp. Takes `buffer` and returns
 * the buffer that departs. */
GstBuffer *gst_tfrc_stamped_packet_depart (const GstTfrcStampedPacket * packet, GstBuffer * buffer,
    guint16 seq, const TfrcStamp * stamp);

/* Removes the stamp of a packet that has one, and the extension block when that has nothing else.
 * Takes `buffer` and returns one without the stamp; memory that has other owners is copied. */
GstBuffer *gst_tfrc_stamped_packet_strip (const GstTfrcStampedPacket * packet, GstBuffer * buffer);

/* The same where the packet is. Returns the offset at which it begins from now on. */
gsize gst_tfrc_stamped_packet_strip_data (const GstTfrcStampedPacket * packet, guint8 * data);

G_END_DECLS

#endif
