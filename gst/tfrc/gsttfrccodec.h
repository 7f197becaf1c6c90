/* gst-tfrc: the elements behind each codec of the ladder
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_CODEC_H
#define GST_TFRC_CODEC_H

#include <gst/gst.h>
#include <tfrc/point.h>

G_BEGIN_DECLS

typedef struct _GstTfrcCodec GstTfrcCodec;

struct _GstTfrcCodec
{
  TfrcCodec id;
  const gchar *encoder, *payloader, *depayloader, *decoder;     /* factories */
  const gchar *rtp_caps;        /* fields of application/x-rtp that tell it from others */
  gint rate;                    /* Hz of the raw audio */
  const gchar *encoder_setup, *decoder_setup;   /* "property=value ..." or NULL */

  /* Between two buffers of the streaming thread. */
  void (*apply) (GstElement * encoder, GstElement * payloader,
      const TfrcPoint * point, guint loss_percent);
};

const GstTfrcCodec *gst_tfrc_codec_get (TfrcCodec id);

/* The first factory that is not installed, or NULL. */
const gchar *gst_tfrc_codec_get_missing_encoder (const GstTfrcCodec * codec);
const gchar *gst_tfrc_codec_get_missing_decoder (const GstTfrcCodec * codec);

/* An element with a "property=value ..." setup; NULL when it is not installed. */
GstElement *gst_tfrc_codec_make (const gchar * factory, const gchar * setup);

G_END_DECLS

#endif
