/* gst-tfrc: reads and writes RTP packets with redundant audio data (RFC 2198)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REDPACKET_H
#define GST_TFRC_REDPACKET_H

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

/* A RED packet consists of blocks: redundant copies of earlier packets, and last its own block.
 * Packets may come from anybody: a packet that is malformed, or has more blocks than
 * GST_TFRC_RED_BLOCKS, is taken as one without blocks. */
#define GST_TFRC_RED_BLOCKS 8

typedef struct
{
  guint8 pt;
  guint32 timestamp;            /* RTP */
  GstBuffer *payload;           /* owned, or NULL */
} GstTfrcRedBlock;

void gst_tfrc_red_block_clear (GstTfrcRedBlock * block);

/* Fill `block` with payload type, RTP timestamp and payload of an RTP packet; `rtp` is mapped. */
void gst_tfrc_red_block_from_rtp (GstTfrcRedBlock * block, GstRTPBuffer * rtp);
gboolean gst_tfrc_red_block_from_packet (GstTfrcRedBlock * block,
    GstBuffer * packet);

/* Takes `packet`. Returns it as a RED packet of payload type `red_pt`, with redundant copies of
 * the `n` blocks `copies` before its own block. Blocks that are too large or too old for RFC 2198
 * section 3 are left out. */
GstBuffer *gst_tfrc_red_wrap (GstBuffer * packet, guint8 red_pt,
    const GstTfrcRedBlock * copies, guint n);

/* Takes the RED packet `packet`. Returns it with the `left` latest of its redundant copies, or as it was where it
 * has no more than that or is malformed. */
GstBuffer *gst_tfrc_red_shed (GstBuffer * packet, guint left);

/* Takes the RED packet `packet`. Returns it without those redundant copies, in the order of gst_tfrc_red_get_copies(), whose bit is
 * set in `needless`: bit 0 is the first one. */
GstBuffer *gst_tfrc_red_leave_out (GstBuffer * packet, guint needless);

/* Fills `blocks` with the blocks of a RED packet, its own last, for the caller to clear. Returns
 * how many there are; 0 for a malformed packet. */
guint gst_tfrc_red_parse (GstBuffer * packet,
    GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS]);

/* Fills `timestamps` with the RTP timestamps of the redundant copies in a RED packet. Returns how many
 * there are. */
guint gst_tfrc_red_get_copies (GstBuffer * packet,
    guint32 timestamps[GST_TFRC_RED_BLOCKS]);

/* Fills `frames` with a number for each frame in an RTP packet, which `is_red` or not: of its redundant copies, in the order of
 * gst_tfrc_red_get_copies(), and then its own. The same sound of another codec has another number. Returns how many
 * there are; 0 for a malformed packet. */
guint gst_tfrc_red_get_frames (GstBuffer * packet, gboolean is_red,
    guint64 frames[GST_TFRC_RED_BLOCKS]);

/* Returns an RTP packet of one block, with the header, time and metas of the RED packet. A copy of
 * an earlier packet has neither the marker nor the flag DISCONT of the RED packet. */
GstBuffer *gst_tfrc_red_unwrap (GstBuffer * packet,
    const GstTfrcRedBlock * block);

/* The copies of lost packets: a GArray of GstTfrcRedBlock, the oldest first, without two of one RTP
 * timestamp. The array has references of its own to the payloads. */
GArray *gst_tfrc_copies_new (void);

/* Adds those of `n` blocks that lie between the RTP timestamps `after` and `before`. */
void gst_tfrc_copies_add (GArray * copies, const GstTfrcRedBlock * blocks,
    guint n, guint32 after, guint32 before);

/* Adds copies from `packets`, which may be of any sender and time: of the RED packets of sender `ssrc`
 * and payload type `red_pt` whose RTP timestamp is behind `before`, the blocks of payload type `pt` whose
 * RTP timestamps lie between `after` and `before`. */
void gst_tfrc_copies_add_stored (GArray * copies, GstBufferList * packets,
    guint32 ssrc, guint red_pt, guint pt, guint32 after, guint32 before);

G_END_DECLS

#endif
