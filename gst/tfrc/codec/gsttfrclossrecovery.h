/* gst-tfrc: recovers lost packets from redundant copies, and announces the others
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first element of tfrcdecodebin. RTP packets of all payload types come in, in the
 * order of a jitter buffer, RED (RFC 2198) among them. Packets of one codec at a time come
 * out: primary data, and redundant copies in the place of lost packets. A loss that no copy
 * recovers is announced to the decoder, as the jitter buffer has announced it here.
 *
 * What comes out has media time (codec/decodertimeline.h).
 *
 * Functions are called by the bin that owns the element. */
#ifndef GST_TFRC_LOSSRECOVERY_H
#define GST_TFRC_LOSSRECOVERY_H

#include <gst/gst.h>

#include "codec/decodertimeline.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_LOSS_RECOVERY (gst_tfrc_loss_recovery_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcLossRecovery, gst_tfrc_loss_recovery, GST, TFRC_LOSS_RECOVERY, GstElement)

typedef enum
{
  GST_TFRC_DECODER_NONE,        /* there is none, and a warning was posted */
  GST_TFRC_DECODER_SAME,        /* it was linked before */
  GST_TFRC_DECODER_NEW          /* it has been linked now */
} GstTfrcDecoder;

/* Links a decoder for `caps`, which the function may complete, to the source pad. The first
 * packet for the decoder has media time `pts`. Called on the streaming thread. */
typedef GstTfrcDecoder (*GstTfrcLinkDecoder) (GstCaps * caps, GstClockTime pts,
    gpointer user_data);

GstElement *gst_tfrc_loss_recovery_new (GstTfrcDecoderTimeline * timeline,
    GstTfrcLinkDecoder link_decoder, gpointer user_data);

/* Which payload types may come beside those of tfrcencodebin: one structure for each in `caps`,
 * which may be NULL and counts more than these. The caps of the stream count most. Called below
 * PAUSED. */
void gst_tfrc_loss_recovery_set_caps (GstTfrcLossRecovery * recovery,
    const GstCaps * caps);

/* The property "stats" of tfrcdecodebin, for the caller to free. */
GstStructure *gst_tfrc_loss_recovery_get_stats (GstTfrcLossRecovery * recovery);

G_END_DECLS

#endif
