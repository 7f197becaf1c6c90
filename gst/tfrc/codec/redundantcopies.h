/* gst-tfrc: copies of packets that did not come
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REDUNDANTCOPIES_H
#define GST_TFRC_REDUNDANTCOPIES_H

#include <gst/gst.h>

#include "codec/redpacket.h"

G_BEGIN_DECLS

/* GstTfrcRedBlock, the oldest first, none twice. */
GArray *gst_tfrc_copies_new (void);

/* Adds those of `n` blocks that lie between two RTP timestamps, with references of their
 * own. */
void gst_tfrc_copies_add (GArray * copies, const GstTfrcRedBlock * blocks,
    guint n, guint32 after, guint32 before);

/* The same of the copies that `packets` behind `before` carry: those of its sender, of
 * payload type `red_pt`, of what has payload type `pt`. */
void gst_tfrc_copies_add_ahead (GArray * copies, GstBufferList * packets,
    guint32 ssrc, guint red_pt, guint pt, guint32 after, guint32 before);

G_END_DECLS

#endif
