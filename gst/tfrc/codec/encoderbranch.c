/* gst-tfrc: one codec of tfrcencodebin, from raw audio to RTP
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encoderbranch.h"

#include <gst/rtp/rtp.h>
#include <tfrc/wire.h>

#include "base/missingelements.h"
#include "base/binpads.h"

/* Shorter than what the router remembers, a packet in the making counted. */
#define WARM_UP (120 * GST_MSECOND)

gboolean
gst_tfrc_encoder_branch_check (GstElement * bin, const GstTfrcCodec * codec)
{
  const gchar *const factories[] = { "audioconvert", "audioresample",
    codec->encoder, codec->payloader, NULL
  };
  const gchar *missing = gst_tfrc_missing_find (factories);

  if (missing == NULL)
    return TRUE;
  gst_tfrc_missing_error (bin, missing, " Or leave its codec out of the "
      "properties \"codecs\" and \"ladder\".");
  return FALSE;
}

static GstElement *
make_capsfilter (const GstTfrcCodec * codec)
{
  GstElement *filter = gst_element_factory_make ("capsfilter", NULL);
  GstCaps *caps = gst_caps_new_simple ("audio/x-raw",
      "rate", G_TYPE_INT, codec->rate,
      "channels", G_TYPE_INT, (gint) codec->channels, NULL);

  g_object_set (filter, "caps", caps, NULL);
  gst_caps_unref (caps);
  return filter;
}

/* The payloader reserves the stamp's bytes, and its caps say under which id. */
static void
reserve_stamp (GstElement * payloader, guint id)
{
  GstRTPHeaderExtension *ext =
      gst_rtp_header_extension_create_from_uri (TFRC_STAMP_URI);

  if (ext == NULL) {
    GST_WARNING_OBJECT (payloader, "no %s: rtptfrcsend must insert it",
        TFRC_STAMP_URI);
    return;
  }
  gst_rtp_header_extension_set_id (ext, id);
  g_signal_emit_by_name (payloader, "add-extension", ext);
  gst_object_unref (ext);
}

static gboolean
add (GstTfrcEncoderBranch * branch, GstBin * bin, GstElement * element)
{
  guint n = branch->elements->len;

  gst_bin_add (bin, element);
  g_ptr_array_add (branch->elements, element);
  return n == 0 || gst_tfrc_bin_pads_link_elements (GST_ELEMENT (bin),
      branch->elements->pdata[n - 1], element);
}

static guint
get_pt (const GstTfrcCodec * codec, const GstTfrcEncodeSettings * settings)
{
  return codec == gst_tfrc_codec_get (TFRC_ADAPT_CODEC_OPUS, 1) ? settings->pt :
      codec->pt;
}

/* Every element is added, and so owned by the bin, whether or not it can be linked. */
static gboolean
add_elements (GstTfrcEncoderBranch * branch, GstBin * bin)
{
  gboolean ok =
      add (branch, bin, gst_element_factory_make ("audioconvert", NULL));

  ok &= add (branch, bin, gst_element_factory_make ("audioresample", NULL));
  ok &= add (branch, bin, make_capsfilter (branch->codec));
  ok &= add (branch, bin, branch->encoder);
  return add (branch, bin, branch->payloader) && ok;
}

gboolean
gst_tfrc_encoder_branch_init (GstTfrcEncoderBranch * branch, GstBin * bin,
    const GstTfrcCodec * codec, const GstTfrcEncodeSettings * settings,
    guint32 ssrc, guint32 timestamp)
{
  *branch = (GstTfrcEncoderBranch) {
  .codec = codec,.elements = g_ptr_array_new ()};
  branch->encoder = gst_tfrc_codec_make (codec->encoder, codec->encoder_setup);
  branch->payloader = gst_tfrc_codec_make (codec->payloader, NULL);
  if (codec->id == TFRC_ADAPT_CODEC_OPUS)
    gst_util_set_object_arg (G_OBJECT (branch->encoder), "audio-type",
        settings->content == GST_TFRC_CONTENT_MUSIC ? "generic" : "voice");
  g_object_set (branch->payloader, "pt", get_pt (codec, settings), "ssrc", ssrc,
      "timestamp-offset", timestamp, NULL);
  reserve_stamp (branch->payloader, settings->extension_id);
  return add_elements (branch, bin);
}

void
gst_tfrc_encoder_branch_clear (GstTfrcEncoderBranch * branch, GstBin * bin)
{
  guint i;

  for (i = 0; i < branch->elements->len; i++) {
    gst_element_set_state (branch->elements->pdata[i], GST_STATE_NULL);
    gst_bin_remove (bin, branch->elements->pdata[i]);
  }
  g_ptr_array_unref (branch->elements);
}

static gboolean
send_sticky (GstPad * feeder, GstEvent ** event, gpointer pad)
{
  if (GST_EVENT_TYPE (*event) < GST_EVENT_SEGMENT)
    gst_pad_send_event (pad, gst_event_ref (*event));
  return TRUE;
}

/* What is in front of it goes on; the segment comes with the flush. */
void
gst_tfrc_encoder_branch_restart (GstTfrcEncoderBranch * branch)
{
  GstPad *pad, *feeder;

  if (branch->codec->lookahead > 0)
    return;                     /* it is warmed up instead */
  gst_element_set_state (branch->encoder, GST_STATE_READY);
  gst_element_set_state (branch->payloader, GST_STATE_READY);
  gst_element_sync_state_with_parent (branch->payloader);
  gst_element_sync_state_with_parent (branch->encoder);
  pad = gst_element_get_static_pad (branch->encoder, "sink");
  feeder = gst_pad_get_peer (pad);
  gst_pad_sticky_events_foreach (feeder, send_sticky, pad);
  gst_object_unref (feeder);
  gst_object_unref (pad);
}

GstPad *
gst_tfrc_encoder_branch_get_head (const GstTfrcEncoderBranch * branch)
{
  return gst_element_get_static_pad (branch->elements->pdata[0], "sink");
}

GstPad *
gst_tfrc_encoder_branch_get_tail (const GstTfrcEncoderBranch * branch)
{
  return gst_element_get_static_pad (branch->payloader, "src");
}

guint
gst_tfrc_encoder_branch_get_red_pt (const GstTfrcEncoderBranch * branch,
    const GstTfrcEncodeSettings * settings)
{
  return branch->codec->id == TFRC_ADAPT_CODEC_OPUS ? settings->red_pt :
      gst_tfrc_codec_get_red_pt (branch->codec->clock_rate);
}

/* Two bytes: opus_encode() in libopus' documentation. */
guint
gst_tfrc_encoder_branch_set_dtx (GstTfrcEncoderBranch * branch, gboolean dtx)
{
  if (branch->codec->id != TFRC_ADAPT_CODEC_OPUS)
    return 0;
  g_object_set (branch->encoder, "dtx", dtx, NULL);
  return dtx ? 2 : 0;
}

GstClockTime
gst_tfrc_encoder_branch_get_warm_up (const GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point)
{
  GstClockTime frame = point->frame_us * GST_USECOND;
  guint frames = MAX (1, WARM_UP / frame);

  return branch->codec->lookahead > 0 ?
      frames * frame - branch->codec->lookahead : 0;
}
