/* gst-tfrc: redundant audio data in RTP packets (RFC 2198)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REDPACKET_H
#define GST_TFRC_REDPACKET_H

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_TFRC_RED_BLOCKS 8   /* most that are read of a packet */

/* One block of a packet: a copy of an earlier one, or, the last, its own. */
typedef struct
{
  guint8 pt;
  guint32 timestamp;            /* RTP */
  GstBuffer *payload;           /* owned */
} GstTfrcRedBlock;

void gst_tfrc_red_block_clear (GstTfrcRedBlock * block);

/* The block that `packet` would be; `rtp` is a packet that is mapped already. */
void gst_tfrc_red_block_from_rtp (GstTfrcRedBlock * block, GstRTPBuffer * rtp);
gboolean gst_tfrc_red_block_from_packet (GstTfrcRedBlock * block,
    GstBuffer * packet);

/* `packet` (taken) as RED with copies of `n` blocks before its own; those too
 * large or too old for RFC 2198 are left out. */
GstBuffer *gst_tfrc_red_wrap (GstBuffer * packet, guint8 red_pt,
    const GstTfrcRedBlock * copies, guint n);

/* The blocks of a RED packet, its own last. 0: malformed. */
guint gst_tfrc_red_parse (GstBuffer * packet,
    GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS]);

/* An RTP packet of one block with the header, time and metas of `packet`. */
GstBuffer *gst_tfrc_red_unwrap (GstBuffer * packet,
    const GstTfrcRedBlock * block);

G_END_DECLS

#endif
