/* gst-tfrc: the elements behind each codec of the ladder
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsttfrccodec.h"

#include <gst/gstutils.h>

/* opusenc takes each of these while it plays, but the frame length only between
 * two buffers: it asserts that what its base class collected is one frame. */
static void
apply_opus (GstElement * encoder, GstElement * payloader,
    const TfrcPoint * point, guint loss_percent)
{
  g_object_set (encoder, "bitrate", (gint) point->bitrate,
      "frame-size", (gint) (point->frame_us / 1000),
      "inband-fec", (gboolean) point->fec,
      "packet-loss-percentage", (gint) MIN (loss_percent, 100), NULL);
}

/* bandwidth=auto: opusenc's default forces full band at every bit rate, which at
 * 8 kbit/s costs more than a whole point of the mean opinion score. */
static const GstTfrcCodec codecs[] = {
  {TFRC_CODEC_OPUS, "opusenc", "rtpopuspay", "rtpopusdepay", "opusdec",
        "encoding-name=(string)OPUS, clock-rate=(int)48000", 48000,
        "bandwidth=auto audio-type=voice", "plc=true use-inband-fec=true", apply_opus},
};

const GstTfrcCodec *
gst_tfrc_codec_get (TfrcCodec id)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codecs); i++) {
    if (codecs[i].id == id)
      return &codecs[i];
  }
  return NULL;
}

static const gchar *
get_missing (const gchar * first, const gchar * second)
{
  const gchar *names[] = { first, second };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElementFactory *factory = gst_element_factory_find (names[i]);

    if (factory == NULL)
      return names[i];
    gst_object_unref (factory);
  }
  return NULL;
}

const gchar *
gst_tfrc_codec_get_missing_encoder (const GstTfrcCodec * codec)
{
  return get_missing (codec->encoder, codec->payloader);
}

const gchar *
gst_tfrc_codec_get_missing_decoder (const GstTfrcCodec * codec)
{
  return get_missing (codec->depayloader, codec->decoder);
}

GstElement *
gst_tfrc_codec_make (const gchar * factory, const gchar * setup)
{
  GstElement *element = gst_element_factory_make (factory, NULL);
  gchar **fields, **f;

  if (element == NULL || setup == NULL)
    return element;
  fields = g_strsplit (setup, " ", -1);
  for (f = fields; *f != NULL; f++) {
    gchar *value = strchr (*f, '=');

    *value++ = '\0';
    gst_util_set_object_arg (G_OBJECT (element), *f, value);
  }
  g_strfreev (fields);
  return element;
}
