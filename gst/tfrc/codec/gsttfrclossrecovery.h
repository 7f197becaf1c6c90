/* gst-tfrc: recovers lost packets from redundant copies, and announces the others
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first element of tfrcdecodebin. Its sink pad gets RTP packets of all payload types, RED (RFC
 * 2198) among them, in the order of a jitter buffer. Its source pad pushes packets of one codec at
 * a time, with media time (codec/decodertimeline.h): primary data, and redundant copies in the
 * place of lost packets. A loss that no copy recovers is announced to the decoder by the event
 * GstRTPPacketLost, which the jitter buffer has sent.
 *
 * The bin that owns the element calls the functions. */
#ifndef GST_TFRC_LOSSRECOVERY_H
#define GST_TFRC_LOSSRECOVERY_H

#include <gst/gst.h>

#include "codec/decodertimeline.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_LOSS_RECOVERY (gst_tfrc_loss_recovery_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcLossRecovery, gst_tfrc_loss_recovery, GST, TFRC_LOSS_RECOVERY, GstElement)

typedef enum
{
  GST_TFRC_DECODER_NONE,        /* no decoder fits, and a warning was posted */
  GST_TFRC_DECODER_REFUSED,     /* too soon for another decoder: the last one stays linked */
  GST_TFRC_DECODER_SAME,        /* the decoder was linked before */
  GST_TFRC_DECODER_NEW          /* the decoder has been linked now */
} GstTfrcDecoder;

/* Links a decoder for `caps`, which the function may complete, to the source pad. The first
 * packet for the decoder has media time `pts`. Called on the streaming thread. */
typedef GstTfrcDecoder (*GstTfrcLinkDecoder) (GstCaps * caps, GstClockTime pts,
    gpointer user_data);

GstElement *gst_tfrc_loss_recovery_new (GstTfrcDecoderTimeline * timeline,
    GstTfrcLinkDecoder link_decoder, gpointer user_data);

/* Sets the payload types that may arrive: those in `caps`, one structure for each, and those that
 * tfrcencodebin sends by default. For one payload type the caps of the stream take precedence over
 * `caps`, and `caps` over the defaults. `caps` may be NULL. Called below PAUSED. */
void gst_tfrc_loss_recovery_set_caps (GstTfrcLossRecovery * recovery,
    const GstCaps * caps);

/* The decoder has failed at the packet that is being pushed: the packet counts as malformed, and the
 * stream goes on. Called on the streaming thread. */
void gst_tfrc_loss_recovery_note_decoder_error (GstTfrcLossRecovery * recovery);

/* The property "stats" of tfrcdecodebin, for the caller to free. */
GstStructure *gst_tfrc_loss_recovery_get_stats (GstTfrcLossRecovery * recovery);

G_END_DECLS

#endif
