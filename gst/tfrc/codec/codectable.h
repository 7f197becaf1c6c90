/* gst-tfrc: the elements behind each codec of the ladder
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_CODECTABLE_H
#define GST_TFRC_CODECTABLE_H

#include <gst/gst.h>
#include <tfrcadapt/operating-point.h>

G_BEGIN_DECLS

typedef struct _GstTfrcCodec GstTfrcCodec;

struct _GstTfrcCodec
{
  TfrcAdaptCodec id;
  guint channels;
  const gchar *encoder, *payloader, *depayloader, *decoder;     /* factories; no depayloader: ours */
  const gchar *encoder_setup, *decoder_setup;   /* "property=value ..." or NULL */
  gboolean conceals;            /* the decoder does it; else spanplc after it */
  const gchar *rtp_fields;      /* of the caps beside the usual ones, or NULL */
  guint pt;                     /* payload type; of RFC 3551 where it has one */
  gint clock_rate;              /* Hz of the RTP timestamp */
  gint rate;                    /* Hz of the raw audio */
  GstClockTime lookahead;       /* the encoder's first packet is that much shorter */

  gboolean restarts;            /* the encoder takes another bit rate only then */

  /* Between two buffers of the streaming thread. */
  void (*apply) (GstElement * encoder, GstElement * payloader,
      const TfrcAdaptPoint * point, guint loss_percent);
};

/* Those of gst_tfrc_codec_find(), for messages. */
#define GST_TFRC_CODEC_NAMES "OPUS, G722, PCMU, PCMA, GSM, AMR-WB, SPEEX"

/* With so many channels, or with what it has. */
const GstTfrcCodec *gst_tfrc_codec_get (TfrcAdaptCodec id, guint channels);

/* By RTP encoding name, whatever its case, mono; NULL: none of ours. */
const GstTfrcCodec *gst_tfrc_codec_find (const gchar * encoding_name);

/* By what RTP caps say. */
const GstTfrcCodec *gst_tfrc_codec_find_caps (const GstStructure * s);

/* NULL when it is not installed. */
GstElement *gst_tfrc_codec_make_depayloader (const GstTfrcCodec * codec);

/* An element with a "property=value ..." setup; NULL when it is not installed. */
GstElement *gst_tfrc_codec_make (const gchar * factory, const gchar * setup);

/* The highest mode of AMR-WB (RFC 4867) that `bitrate` allows, or the lowest. */
guint gst_tfrc_codec_get_amr_wb_mode (guint bitrate);

/* Payload type of RED packets, by clock rate: RFC 2198 mixes no clock rates. */
guint gst_tfrc_codec_get_red_pt (gint clock_rate);

/* Writes what names the codec and what its depayloader needs into `s`. */
void gst_tfrc_codec_complete (const GstTfrcCodec * codec, GstStructure * s);

/* All payload types that tfrcencodebin may send, one structure each. */
GstCaps *gst_tfrc_codec_get_default_caps (void);

G_END_DECLS

#endif
