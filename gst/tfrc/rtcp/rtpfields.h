/* gst-tfrc: the fields of an RTP packet's fixed header
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPFIELDS_H
#define GST_TFRC_RTPFIELDS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* GstTfrcRtpFields:
 * @ssrc: the synchronization source; contributing sources are not read
 * @rtptime: the RTP timestamp
 * @seq: the sequence number
 * @payload_type: 0 to 127
 * @marker: the marker bit
 * @payload_size: bytes behind header, CSRCs and header extension, padding left out
 *
 * What an RTP session reads of an RTP packet, RFC 3550 5.1. */
typedef struct
{
  guint32 ssrc, rtptime;
  guint16 seq;
  guint8 payload_type;
  gboolean marker;
  guint32 payload_size;
} GstTfrcRtpFields;

/* gst_tfrc_rtp_fields_parse:
 * @fields: (out): the fields; untouched when the packet is malformed
 * @data: the whole packet, @size bytes
 *
 * Returns: FALSE when the packet is malformed: another version than 2, or CSRCs, header
 * extension or padding that do not fit into the packet (RFC 3550 A.1). */
gboolean gst_tfrc_rtp_fields_parse (GstTfrcRtpFields * fields, const guint8 * data, gsize size);

G_END_DECLS

#endif
