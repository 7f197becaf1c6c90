/* gst-tfrc: the redundant copies of lost packets
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A GArray of GstTfrcRedBlock, the oldest first, without two of one RTP timestamp. The array
 * has references of its own to the payloads. */
#ifndef GST_TFRC_REDUNDANTCOPIES_H
#define GST_TFRC_REDUNDANTCOPIES_H

#include <gst/gst.h>

#include "codec/redpacket.h"

G_BEGIN_DECLS

GArray *gst_tfrc_copies_new (void);

/* Adds those of `n` blocks that lie between the RTP timestamps `after` and `before`. */
void gst_tfrc_copies_add (GArray * copies, const GstTfrcRedBlock * blocks,
    guint n, guint32 after, guint32 before);

/* Adds the copies in `packets`, which may be of any sender and time: from RED packets of
 * sender `ssrc` and payload type `red_pt` behind the RTP timestamp `before`, the copies of
 * payload type `pt` between `after` and `before`. */
void gst_tfrc_copies_add_stored (GArray * copies, GstBufferList * packets,
    guint32 ssrc, guint red_pt, guint pt, guint32 after, guint32 before);

G_END_DECLS

#endif
