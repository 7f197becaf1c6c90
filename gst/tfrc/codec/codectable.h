/* gst-tfrc: the elements and RTP parameters of each codec, and how stock encoders take their bit rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_CODECTABLE_H
#define GST_TFRC_CODECTABLE_H

#include <gst/gst.h>
#include <tfrcadapt/operating-point.h>

G_BEGIN_DECLS

/* A codec, with the number of its channels, as tfrcencodebin sends it and tfrcdecodebin receives
 * it. The table of codecs is constant; codecs are compared by their address. */
typedef struct _GstTfrcCodec GstTfrcCodec;

struct _GstTfrcCodec
{
  TfrcAdaptCodec id;
  guint channels;
  const gchar *encoder, *payloader;     /* factories */
  const gchar *depayloader, *decoder;   /* factories; a depayloader of NULL is in this folder */
  const gchar *encoder_setup, *decoder_setup;   /* "property=value ..." or NULL */
  gboolean conceals;            /* the decoder conceals losses; otherwise spanplc does, after it */
  const gchar *rtp_fields;      /* "field=value ..." of the RTP caps of this codec alone, or NULL */
  guint pt;                     /* RTP payload type, that of RFC 3551 where there is one */
  gint clock_rate;              /* Hz, of the RTP timestamp */
  gint rate;                    /* Hz, of the raw audio */
  GstClockTime lookahead;       /* ns by which the first packet of the encoder is shorter */
  gboolean packs;               /* the payloader packs as much as min-ptime and max-ptime say */
};

/* The names that gst_tfrc_codec_find() knows, for messages. */
#define GST_TFRC_CODEC_NAMES "OPUS, G722, PCMU, PCMA, GSM, AMR-WB, SPEEX"

/* The codec `id` with `channels` channels; without such an entry, that with the channels that it has. */
const GstTfrcCodec *gst_tfrc_codec_get (TfrcAdaptCodec id, guint channels);

/* The mono codec of an RTP encoding name, in capitals or not; NULL when there is none. */
const GstTfrcCodec *gst_tfrc_codec_find (const gchar * encoding_name);

/* The codec of RTP caps; NULL when there is none. */
const GstTfrcCodec *gst_tfrc_codec_find_caps (const GstStructure * s);

/* Returns NULL when the depayloader is not installed. */
GstElement *gst_tfrc_codec_make_depayloader (const GstTfrcCodec * codec);

/* Returns an element with the "property=value ..." of `setup`, which may be NULL; or NULL when the
 * factory is not installed. */
GstElement *gst_tfrc_codec_make (const gchar * factory, const gchar * setup);

/* The payload type of RED packets of a clock rate: RFC 2198 mixes no clock rates. */
guint gst_tfrc_codec_get_red_pt (gint clock_rate);

/* Adds the encoding name and the fields that the depayloader needs to RTP caps. */
void gst_tfrc_codec_complete (const GstTfrcCodec * codec, GstStructure * s);

/* Returns all payload types that tfrcencodebin sends by default, one structure each. */
GstCaps *gst_tfrc_codec_get_default_caps (void);

/* An entry says how the encoders of one factory take their bit rate. The table is constant. */
typedef struct
{
  const gchar *factory;         /* name, or a pattern with '*' */
  const gchar *property;        /* NULL: the bit rate of the encoder is fixed */
  guint unit;                   /* of the property, in bit/s */
  gboolean restart;             /* the encoder takes another bit rate only when it starts */
  const gchar *setup;           /* "property=value" that the encoder needs as well, or NULL */
} GstTfrcEncoderEntry;

/* NULL for an encoder that is not in the table. */
const GstTfrcEncoderEntry *gst_tfrc_encoder_entry_find (GstElement * encoder);

/* Sets the property of `entry` to `bitrate` in bit/s, converted to its type and unit and rounded
 * down. Returns FALSE when the encoder has no such property. */
gboolean gst_tfrc_encoder_entry_set (const GstTfrcEncoderEntry * entry,
    GstElement * encoder, guint bitrate);

G_END_DECLS

#endif
