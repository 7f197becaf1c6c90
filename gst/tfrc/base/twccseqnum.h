/* gst-tfrc: the transport-wide sequence number in the header extension of an RTP packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_TWCCSEQNUM_H
#define GST_TFRC_TWCCSEQNUM_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* What a packet says (draft-holmer-rmcat-transport-wide-cc-extensions-01 2). */
typedef struct
{
  guint32 ssrc;
  guint16 seq;                  /* sequence number of RTP */
  guint16 number;               /* transport-wide sequence number */
} GstTfrcTwccSeqnum;

/* `id` is the ID of the header extension. Returns FALSE when the buffer is no RTP packet with that extension. */
gboolean gst_tfrc_twcc_seqnum_read (GstBuffer * buffer, guint id,
    GstTfrcTwccSeqnum * number);

/* Makes room for the number in an RTP packet that has none. Takes `buffer`. */
GstBuffer *gst_tfrc_twcc_seqnum_reserve (GstBuffer * buffer, guint id);

G_END_DECLS

#endif
