/* gst-tfrc: joins the sound of one decoder to that of the next
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decoders are linked to one pad, one after another. A decoder that takes over is placed
 * where the sound of the last decoder ended, since the look-ahead of two codecs differs by
 * some milliseconds, and is crossfaded from what the last decoder would have gone on with:
 * two codecs never meet at the same value, and a step is a click. Sound of one decoder that
 * is not where its last buffer ended is placed there as well, unless the stream has jumped.
 * GstTfrcDecoderTimeline learns by how much sound was moved.
 *
 * Counted reference; the streaming thread alone uses it. */
#ifndef GST_TFRC_DECODERJOIN_H
#define GST_TFRC_DECODERJOIN_H

#include <gst/gst.h>

#include "codec/decodertimeline.h"

G_BEGIN_DECLS

typedef struct _GstTfrcDecoderJoin GstTfrcDecoderJoin;

/* Works on what comes to `sinkpad`: S16 of one rate, one or two channels. The reference
 * that is returned is the caller's, the pad has one of its own. */
GstTfrcDecoderJoin *gst_tfrc_decoder_join_new (GstPad * sinkpad,
    GstTfrcDecoderTimeline * timeline);
void gst_tfrc_decoder_join_unref (gpointer join);

/* The next sound follows on nothing. */
void gst_tfrc_decoder_join_reset (GstTfrcDecoderJoin * join);

/* The decoder is about to be drained: its sound from media time `until` on is made up and
 * is dropped. */
void gst_tfrc_decoder_join_drain (GstTfrcDecoderJoin * join, GstClockTime until);

/* What comes now is the rest in the decoder's resampler, bent towards zero; the sound
 * is extrapolated in its place. */
void gst_tfrc_decoder_join_drain_resampler (GstTfrcDecoderJoin * join);

/* What comes now is from another decoder. */
void gst_tfrc_decoder_join_switch (GstTfrcDecoderJoin * join);

/* Sample frames of 48 kHz, 25 ms, in which the period of every voice can be found. */
#define GST_TFRC_DECODER_JOIN_PAST 1200

/* Writes `n` frames of `channels` samples to `out`, in continuation of the `frames` frames
 * in `past`, at 48 kHz. Repeats the last period of `past`, as ITU-T G.711 appendix I fills a
 * gap, or the last sample when `past` is too short to find a period in. */
void gst_tfrc_decoder_join_extrapolate (const gint16 * past, guint frames, guint channels,
    gint16 * out, guint n);

G_END_DECLS

#endif
