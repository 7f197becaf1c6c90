/* gst-tfrc: decodes the deep redundancy (DRED) of an Opus packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/dreddecoder.h"

#ifdef OPUS_SET_DRED_DURATION

/* A description consists of pieces of 40 ms, and ends up to as much before the packet. */
#define MARGIN (2 * 48000 / 25)

struct _GstTfrcDredDecoder
{
  OpusDREDDecoder *decoder;
  OpusDRED *state;              /* of the packet that was parsed */
};

static gboolean
probe (void)
{
  OpusEncoder *encoder =
      opus_encoder_create (48000, 1, OPUS_APPLICATION_VOIP, NULL);
  gboolean available = encoder != NULL
      && opus_encoder_ctl (encoder, OPUS_SET_DRED_DURATION (10)) == OPUS_OK;

  if (encoder != NULL)
    opus_encoder_destroy (encoder);
  return available;
}

gboolean
gst_tfrc_dred_decoder_is_available (void)
{
  static gsize known = 0;

  if (g_once_init_enter (&known))
    g_once_init_leave (&known, probe ()? 1 : 2);
  return known == 1;
}

GstTfrcDredDecoder *
gst_tfrc_dred_decoder_new (void)
{
  GstTfrcDredDecoder *redundancy;

  if (!gst_tfrc_dred_decoder_is_available ())
    return NULL;
  redundancy = g_new0 (GstTfrcDredDecoder, 1);
  redundancy->decoder = opus_dred_decoder_create (NULL);
  redundancy->state = opus_dred_alloc (NULL);
  if (redundancy->decoder != NULL && redundancy->state != NULL)
    return redundancy;
  gst_tfrc_dred_decoder_free (redundancy);
  return NULL;
}

void
gst_tfrc_dred_decoder_free (GstTfrcDredDecoder * redundancy)
{
  if (redundancy == NULL)
    return;
  if (redundancy->decoder != NULL)
    opus_dred_decoder_destroy (redundancy->decoder);
  if (redundancy->state != NULL)
    opus_dred_free (redundancy->state);
  g_free (redundancy);
}

gint
gst_tfrc_dred_decoder_parse (GstTfrcDredDecoder * redundancy,
    const guint8 * data, gsize size, gint samples)
{
  gint end, begin = opus_dred_parse (redundancy->decoder, redundancy->state,
      data, size, samples + MARGIN, 48000, &end, FALSE);

  return MAX (begin, 0);
}

gint
gst_tfrc_dred_decoder_decode (GstTfrcDredDecoder * redundancy,
    OpusDecoder * decoder, gint offset, gint16 * pcm, gint samples)
{
  return opus_decoder_dred_decode (decoder, redundancy->state, offset, pcm,
      samples);
}

#else /* before libopus 1.5 */

gboolean
gst_tfrc_dred_decoder_is_available (void)
{
  return FALSE;
}

GstTfrcDredDecoder *
gst_tfrc_dred_decoder_new (void)
{
  return NULL;
}

void
gst_tfrc_dred_decoder_free (GstTfrcDredDecoder * redundancy)
{
}

gint
gst_tfrc_dred_decoder_parse (GstTfrcDredDecoder * redundancy,
    const guint8 * data, gsize size, gint samples)
{
  return 0;
}

gint
gst_tfrc_dred_decoder_decode (GstTfrcDredDecoder * redundancy,
    OpusDecoder * decoder, gint offset, gint16 * pcm, gint samples)
{
  return OPUS_UNIMPLEMENTED;
}

#endif
