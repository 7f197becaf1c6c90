/* gst-tfrc: the elements and RTP parameters of each codec, and how stock encoders take their bit rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/codectable.h"

#include <string.h>

#include "codec/gsttfrcspeexdepay.h"

static const GstTfrcCodec codecs[] = {
  {TFRC_ADAPT_CODEC_OPUS, 1, "tfrcopusenc", "rtpopuspay", "rtpopusdepay",
        "tfrcopusdec", NULL, NULL, TRUE,
        /* RFC 7587 6.1: without this field the receiver takes it to be 0, mono */
        "sprop-stereo=0",
      96, 48000, 48000, 6500 * GST_USECOND, FALSE},
  {TFRC_ADAPT_CODEC_OPUS, 2, "tfrcopusenc", "rtpopuspay", "rtpopusdepay",
        "tfrcopusdec", NULL, NULL, TRUE,
        "sprop-stereo=1",
      98, 48000, 48000, 6500 * GST_USECOND, FALSE},
  {TFRC_ADAPT_CODEC_G722, 1, "avenc_g722", "rtpg722pay", "rtpg722depay",
        "avdec_g722",
      NULL, NULL, FALSE, NULL, 9, 8000, 16000, 0, TRUE},
  {TFRC_ADAPT_CODEC_PCMU, 1, "mulawenc", "rtppcmupay", "rtppcmudepay",
        "mulawdec",
      NULL, NULL, FALSE, NULL, 0, 8000, 8000, 0, TRUE},
  {TFRC_ADAPT_CODEC_PCMA, 1, "alawenc", "rtppcmapay", "rtppcmadepay", "alawdec",
      NULL, NULL, FALSE, NULL, 8, 8000, 8000, 0, TRUE},
  {TFRC_ADAPT_CODEC_GSM, 1, "gsmenc", "rtpgsmpay", "rtpgsmdepay", "gsmdec",
      NULL, NULL, FALSE, NULL, 3, 8000, 8000, 0, FALSE},
  {TFRC_ADAPT_CODEC_AMR_WB, 1, "voamrwbenc", "rtpamrpay", "rtpamrdepay",
        "amrwbdec",
        NULL, NULL, FALSE, "octet-align=1 encoding-params=1",
      99, 16000, 16000, 0, FALSE},
  {TFRC_ADAPT_CODEC_SPEEX, 1, "speexenc", "rtpspeexpay", NULL, "speexdec",
      "mode=wb", NULL, FALSE, NULL, 102, 16000, 16000, 0, FALSE},
};

static const struct
{
  gint clock_rate;
  guint pt;
} reds[] = { {48000, 97}, {8000, 100}, {16000, 101} };

const GstTfrcCodec *
gst_tfrc_codec_get (TfrcAdaptCodec id, guint channels)
{
  const GstTfrcCodec *found = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codecs); i++) {
    if (codecs[i].id == id && (found == NULL || codecs[i].channels == channels))
      found = &codecs[i];
  }
  return found;
}

const GstTfrcCodec *
gst_tfrc_codec_find (const gchar * encoding_name)
{
  guint i;

  for (i = 0; encoding_name != NULL && i < G_N_ELEMENTS (codecs); i++) {
    if (g_ascii_strcasecmp (tfrc_adapt_codec_get_name (codecs[i].id),
            encoding_name) == 0)
      return &codecs[i];
  }
  return NULL;
}

const GstTfrcCodec *
gst_tfrc_codec_find_caps (const GstStructure * s)
{
  const GstTfrcCodec *codec =
      gst_tfrc_codec_find (gst_structure_get_string (s, "encoding-name"));

  if (codec != NULL
      && g_strcmp0 (gst_structure_get_string (s, "sprop-stereo"), "1") == 0)
    codec = gst_tfrc_codec_get (codec->id, 2);
  return codec;
}

guint
gst_tfrc_codec_get_red_pt (gint clock_rate)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (reds); i++) {
    if (reds[i].clock_rate == clock_rate)
      return reds[i].pt;
  }
  g_return_val_if_reached (reds[0].pt);
}

/* Calls `func` for each "name=value" of `text`, which may be NULL. */
static void
foreach_field (const gchar * text, void (*func) (gpointer user_data,
        const gchar * name, const gchar * value), gpointer user_data)
{
  gchar **fields = g_strsplit (text != NULL ? text : "", " ", -1), **f;

  for (f = fields; *f != NULL; f++) {
    gchar *value = strchr (*f, '=');

    *value++ = '\0';
    func (user_data, *f, value);
  }
  g_strfreev (fields);
}

static void
set_object_arg (gpointer object, const gchar * name, const gchar * value)
{
  gst_util_set_object_arg (object, name, value);
}

static void
set_missing_field (gpointer s, const gchar * name, const gchar * value)
{
  if (!gst_structure_has_field (s, name))
    gst_structure_set (s, name, G_TYPE_STRING, value, NULL);
}

void
gst_tfrc_codec_complete (const GstTfrcCodec * codec, GstStructure * s)
{
  gst_structure_set (s, "encoding-name", G_TYPE_STRING,
      tfrc_adapt_codec_get_name (codec->id), NULL);
  foreach_field (codec->rtp_fields, set_missing_field, s);
}

static GstStructure *
append_caps (GstCaps * caps, const gchar * name, guint pt, gint clock_rate)
{
  GstStructure *s = gst_structure_new ("application/x-rtp",
      "media", G_TYPE_STRING, "audio",
      "encoding-name", G_TYPE_STRING, name,
      "clock-rate", G_TYPE_INT, clock_rate,
      "payload", G_TYPE_INT, (gint) pt, NULL);

  gst_caps_append_structure (caps, s);
  return s;
}

GstCaps *
gst_tfrc_codec_get_default_caps (void)
{
  GstCaps *caps = gst_caps_new_empty ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codecs); i++)
    gst_tfrc_codec_complete (&codecs[i], append_caps (caps,
            tfrc_adapt_codec_get_name (codecs[i].id), codecs[i].pt,
            codecs[i].clock_rate));
  for (i = 0; i < G_N_ELEMENTS (reds); i++)
    append_caps (caps, "RED", reds[i].pt, reds[i].clock_rate);
  return caps;
}

GstElement *
gst_tfrc_codec_make_depayloader (const GstTfrcCodec * codec)
{
  return codec->depayloader != NULL ? gst_tfrc_codec_make (codec->depayloader,
      NULL) : g_object_new (GST_TYPE_TFRC_SPEEX_DEPAY, NULL);
}

static void
set_up (GstElement * element, const gchar * setup)
{
  foreach_field (setup, set_object_arg, element);
}

GstElement *
gst_tfrc_codec_make (const gchar * factory, const gchar * setup)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element != NULL)
    set_up (element, setup);
  return element;
}

/* --- bit rates of encoders --- */

/* The first entry that matches is used. */
static const GstTfrcEncoderEntry encoders[] = {
  {"x264enc", "bitrate", 1000, FALSE, NULL},
  {"x265enc", "bitrate", 1000, FALSE, NULL},
  {"openh264enc", "bitrate", 1, FALSE, NULL},
  {"vp8enc", "target-bitrate", 1, FALSE, NULL},
  {"vp9enc", "target-bitrate", 1, FALSE, NULL},
  {"av1enc", "target-bitrate", 1000, FALSE, NULL},
  {"svtav1enc", "target-bitrate", 1000, FALSE, NULL},
  {"rav1enc", "bitrate", 1, FALSE, NULL},
  {"theoraenc", "bitrate", 1000, FALSE, NULL},
  {"va*enc", "bitrate", 1000, FALSE, NULL},
  {"vaapi*", "bitrate", 1000, FALSE, NULL},
  {"nvh26*", "bitrate", 1000, FALSE, NULL},
  {"opusenc", "bitrate", 1, FALSE, NULL},
  {"tfrcopusenc", "bitrate", 1, FALSE, NULL},
  {"voamrwbenc", "band-mode", 1, FALSE, NULL},
  {"speexenc", "bitrate", 1, TRUE, NULL},
  {"voaacenc", "bitrate", 1, TRUE, NULL},
  {"fdkaacenc", "bitrate", 1, TRUE, NULL},
  {"lamemp3enc", "bitrate", 1000, TRUE, "target=bitrate"},
  {"avenc_g722", NULL, 1, FALSE, NULL},
  {"avenc_adpcm*", NULL, 1, FALSE, NULL},
  {"avenc_pcm*", NULL, 1, FALSE, NULL},
  {"avenc_*", "bitrate", 1, TRUE, NULL},
};

const GstTfrcEncoderEntry *
gst_tfrc_encoder_entry_find (GstElement * encoder)
{
  GstElementFactory *factory = gst_element_get_factory (encoder);
  const gchar *name = factory ? GST_OBJECT_NAME (factory) : "";
  guint i;

  for (i = 0; i < G_N_ELEMENTS (encoders); i++) {
    if (g_pattern_match_simple (encoders[i].factory, name))
      return &encoders[i];
  }
  return NULL;
}

/* The highest mode of AMR-WB (RFC 4867) that `bitrate` in bit/s allows, or the lowest. The names
 * in the enumeration of voamrwbenc are one mode too low from 14.25 kbit/s on; the numbers are the
 * modes of the codec. */
static guint
get_amr_wb_mode (guint bitrate)
{
  static const guint modes[] = { 6600, 8850, 12650, 14250, 15850, 18250, 19850,
    23050, 23850
  };
  guint mode = G_N_ELEMENTS (modes) - 1;

  while (mode > 0 && modes[mode] > bitrate)
    mode--;
  return mode;
}

/* In the property's own type. */
static void
set_number (GstElement * encoder, GParamSpec * pspec, guint number)
{
  GValue plain = G_VALUE_INIT, value = G_VALUE_INIT;

  g_value_init (&plain, G_TYPE_UINT);
  g_value_set_uint (&plain, number);
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  if (g_value_transform (&plain, &value)) {
    g_param_value_validate (pspec, &value);
    g_object_set_property (G_OBJECT (encoder), pspec->name, &value);
  }
  g_value_unset (&value);
  g_value_unset (&plain);
}

gboolean
gst_tfrc_encoder_entry_set (const GstTfrcEncoderEntry * entry,
    GstElement * encoder, guint bitrate)
{
  GParamSpec *pspec = entry->property == NULL ? NULL :
      g_object_class_find_property (G_OBJECT_GET_CLASS (encoder),
      entry->property);

  if (pspec == NULL)
    return FALSE;
  set_up (encoder, entry->setup);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    g_object_set (encoder, pspec->name, get_amr_wb_mode (bitrate), NULL);
  else
    set_number (encoder, pspec, MAX (1, bitrate / entry->unit));
  return TRUE;
}
