/* gst-tfrc: joins the sound of one decoder to that of the next
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The decoders of a call are linked to one pad, one after another. The times of two decoders differ
 * by some milliseconds, since the look-ahead of their codecs differs, and their samples do not meet
 * at one value, which would be heard as a click. The object therefore gives the sound of a new
 * decoder the time at which the sound of the old decoder ended, and crossfades it with an
 * extrapolation of the sound of the old decoder. A buffer of one decoder that does not begin where
 * the last buffer ended is moved there too, unless the stream has jumped. The crossfade reports to the
 * timeline (codec/decodertimeline.h) by how much the sound was moved.
 *
 * Where the timeline says that sound is played too early or too late, the object makes it longer or shorter
 * by a period of its pitch (codec/soundstretch.h), by at most 3 % in all.
 *
 * The object is counted by references. Only the streaming thread uses it. */
#ifndef GST_TFRC_DECODERCROSSFADE_H
#define GST_TFRC_DECODERCROSSFADE_H

#include <gst/gst.h>

#include "codec/decodertimeline.h"

G_BEGIN_DECLS

typedef struct _GstTfrcDecoderCrossfade GstTfrcDecoderCrossfade;

/* Works on the buffers that arrive at `sinkpad`: S16 of one rate, one or two channels. Returns a
 * reference for the caller; the pad holds another one. */
GstTfrcDecoderCrossfade *gst_tfrc_decoder_crossfade_new (GstPad * sinkpad,
    GstTfrcDecoderTimeline * timeline);
void gst_tfrc_decoder_crossfade_unref (gpointer crossfade);

/* Forgets all sound: the next buffer is neither moved nor crossfaded. */
void gst_tfrc_decoder_crossfade_reset (GstTfrcDecoderCrossfade * crossfade);

/* The decoder is about to be drained. Sound from the media time `until` on is dropped, because no packet
 * has it: the decoder conceals a gap there. */
void gst_tfrc_decoder_crossfade_drain (GstTfrcDecoderCrossfade * crossfade, GstClockTime until);

/* The next buffers have what is left in the resampler behind the decoder, which fades to zero. Their
 * sound is replaced by an extrapolation of the sound before them. */
void gst_tfrc_decoder_crossfade_drain_resampler (GstTfrcDecoderCrossfade * crossfade);

/* The next buffers are from another decoder. */
void gst_tfrc_decoder_crossfade_switch (GstTfrcDecoderCrossfade * crossfade);

/* The sound that is extrapolated: 25 ms, in sample frames of 48 kHz. The period of every voice can be
 * found in it. */
#define GST_TFRC_DECODER_CROSSFADE_PAST 1200

G_END_DECLS

#endif
