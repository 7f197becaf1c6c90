/* gst-tfrc: how each stock encoder takes its bit rate
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encodertable.h"

#include "codec/codectable.h"

/* The first entry that matches is used. */
static const GstTfrcEncoderEntry entries[] = {
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

  for (i = 0; i < G_N_ELEMENTS (entries); i++) {
    if (g_pattern_match_simple (entries[i].factory, name))
      return &entries[i];
  }
  return NULL;
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
  gst_tfrc_codec_set_up (encoder, entry->setup);
  if (G_IS_PARAM_SPEC_ENUM (pspec))
    g_object_set (encoder, pspec->name,
        gst_tfrc_codec_get_amr_wb_mode (bitrate), NULL);
  else
    set_number (encoder, pspec, MAX (1, bitrate / entry->unit));
  return TRUE;
}
