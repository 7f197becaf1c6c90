/* gst-tfrc: decodes the deep redundancy (DRED) of an Opus packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DREDDECODER_H
#define GST_TFRC_DREDDECODER_H

#include <glib.h>
#include <opus.h>

G_BEGIN_DECLS

/* The padding of an Opus packet may describe up to one second of the sound before the packet, from
 * which a decoder makes that sound again (draft-ietf-mlcodec-opus-dred). libopus can do so from
 * version 1.5 on when it was built with DRED. Without it gst_tfrc_dred_decoder_new() returns NULL.
 *
 * One thread at a time uses an object. Lengths are in samples of 48 kHz. */
typedef struct _GstTfrcDredDecoder GstTfrcDredDecoder;

/* Whether libopus encodes and decodes DRED. The answer comes from an encoder that is asked for it,
 * since a library that was built without DRED has the functions all the same. */
gboolean gst_tfrc_dred_decoder_is_available (void);

GstTfrcDredDecoder *gst_tfrc_dred_decoder_new (void);
void gst_tfrc_dred_decoder_free (GstTfrcDredDecoder * redundancy);

/* Reads the redundancy of the packet `data`, as far as it describes the last `samples` samples before
 * the packet. Returns how many samples before the packet the description begins; 0 when the
 * packet has none or cannot be read. */
gint gst_tfrc_dred_decoder_parse (GstTfrcDredDecoder * redundancy, const guint8 * data,
    gsize size, gint samples);

/* Writes `samples` samples, the first of which is `offset` samples before the packet that was parsed.
 * Returns how many samples there are, or a negative error code of libopus. */
gint gst_tfrc_dred_decoder_decode (GstTfrcDredDecoder * redundancy, OpusDecoder * decoder,
    gint offset, gint16 * pcm, gint samples);

G_END_DECLS

#endif
