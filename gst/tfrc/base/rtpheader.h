/* gst-tfrc: the first bytes of a packet, where they lie
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPHEADER_H
#define GST_TFRC_RTPHEADER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* RTP's fixed header, 15 CSRCs and an extension of 51 words. */
#define GST_TFRC_RTP_HEADER_SIZE 280

typedef struct
{
  const guint8 *data;
  gsize size;                   /* of the whole packet, or GST_TFRC_RTP_HEADER_SIZE at least */
  GstMemory *memory;            /* NULL: `data` is a copy */
  GstMapInfo map;
  guint8 copy[GST_TFRC_RTP_HEADER_SIZE];
} GstTfrcRtpHeader;

/* Cheaper than a map of the buffer, which packets pay for several times on their way. */
void gst_tfrc_rtp_header_map (GstTfrcRtpHeader * head, GstBuffer * buffer);
void gst_tfrc_rtp_header_unmap (GstTfrcRtpHeader * head);

G_END_DECLS

#endif
