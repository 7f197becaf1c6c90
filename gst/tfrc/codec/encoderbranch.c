/* gst-tfrc: the elements of tfrcencodebin for one codec, and the latest audio for those of the next codec
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encoderbranch.h"

#include <gst/rtp/rtp.h>
#include <tfrc/wire.h>

#include "base/debugcategory.h"
#include "base/pads.h"
#include "base/messages.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcencoderbranch", "TFRC encoders of a codec");

#define N_ELEMENTS GST_TFRC_ENCODER_BRANCH_ELEMENTS

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
  gchar *setup = g_strdup_printf ("caps=audio/x-raw,rate=%d,channels=%u",
      codec->rate, codec->channels);
  GstElement *filter = gst_tfrc_codec_make ("capsfilter", setup);

  g_free (setup);
  return filter;
}

/* The payloader reserves the bytes of the stamp, and its caps carry the id (0: there is no stamp). */
static void
reserve_stamp (GstElement * payloader, guint id)
{
  GstRTPHeaderExtension *ext;

  if (id == 0)
    return;
  ext = gst_rtp_header_extension_create_from_uri (TFRC_STAMP_URI);
  if (ext == NULL) {
    GST_WARNING_OBJECT (payloader, "no %s: rtptfrcsend must insert it",
        TFRC_STAMP_URI);
    return;
  }
  gst_rtp_header_extension_set_id (ext, id);
  g_signal_emit_by_name (payloader, "add-extension", ext);
  gst_object_unref (ext);
}

static void
set_up (GstTfrcEncoderBranch * branch,
    const GstTfrcEncoderBranchConfig * config)
{
  const GstTfrcCodec *codec = branch->codec;
  gboolean is_opus = codec->id == TFRC_ADAPT_CODEC_OPUS;

  branch->entry = gst_tfrc_encoder_entry_find (branch->encoder);
  branch->restarts = branch->entry != NULL && branch->entry->restart;
  branch->red_pt = is_opus ? config->red_pt :
      gst_tfrc_codec_get_red_pt (codec->clock_rate);
  if (is_opus)
    g_object_set (branch->encoder, "music",
        config->content == GST_TFRC_CONTENT_MUSIC, NULL);
  g_object_set (branch->payloader,
      "pt", is_opus && codec->channels == 1 ? config->pt : codec->pt,
      "ssrc", config->ssrc, "timestamp-offset", config->timestamp,
      "seqnum-offset", (gint) config->seqnum, NULL);
  reserve_stamp (branch->payloader, config->extension_id);
}

/* Every element is added, and so owned by the bin, whether or not it can be linked. */
static gboolean
add_elements (GstTfrcEncoderBranch * branch, GstBin * bin)
{
  GstElement *const *elements = branch->elements;
  gboolean ok = TRUE;
  guint i;

  for (i = 0; i < N_ELEMENTS; i++) {
    gst_bin_add (bin, elements[i]);
    ok = ok && (i == 0 || gst_tfrc_bin_pads_link_elements (GST_ELEMENT (bin),
            elements[i - 1], elements[i]));
  }
  return ok;
}

GstTfrcEncoderBranch *
gst_tfrc_encoder_branch_new (GstBin * bin, const GstTfrcCodec * codec,
    const GstTfrcEncoderBranchConfig * config)
{
  GstTfrcEncoderBranch *branch = g_new0 (GstTfrcEncoderBranch, 1);
  GstElement **elements = branch->elements;

  branch->codec = codec;
  elements[0] = gst_element_factory_make ("audioconvert", NULL);
  elements[1] = gst_element_factory_make ("audioresample", NULL);
  elements[2] = make_capsfilter (codec);
  elements[3] = gst_tfrc_codec_make (codec->encoder, codec->encoder_setup);
  elements[4] = gst_tfrc_codec_make (codec->payloader, NULL);
  branch->encoder = elements[3];
  branch->payloader = elements[4];
  GST_DEBUG_OBJECT (bin, "%s and %s, payload type %u, RED payload type %u",
      codec->encoder, codec->payloader, codec->pt, config->red_pt);
  set_up (branch, config);
  if (add_elements (branch, bin))
    return branch;
  gst_tfrc_encoder_branch_free (branch, bin);
  return NULL;
}

void
gst_tfrc_encoder_branch_free (GstTfrcEncoderBranch * branch, GstBin * bin)
{
  gst_tfrc_bin_pads_remove_elements (bin, branch->elements, N_ELEMENTS);
  g_free (branch);
}

void
gst_tfrc_encoder_branch_sync_state (GstTfrcEncoderBranch * branch)
{
  guint i;

  for (i = N_ELEMENTS; i > 0; i--)
    gst_element_sync_state_with_parent (branch->elements[i - 1]);
}

static void
apply_opus (GstElement * encoder, const TfrcAdaptPoint * point,
    guint loss_percent, gboolean dtx)
{
  g_object_set (encoder, "frame-size", (gint) (point->frame_us / 1000),
      "inband-fec", (gboolean) point->fec,
      "packet-loss-percentage", (gint) MIN (loss_percent, 100),
      "dtx", dtx, NULL);
}

guint
gst_tfrc_encoder_branch_apply (const GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point, guint loss_percent, gboolean dtx)
{
  gint64 ptime = point->frame_us * GST_USECOND;
  gboolean is_opus = branch->codec->id == TFRC_ADAPT_CODEC_OPUS;

  if (branch->entry != NULL)
    gst_tfrc_encoder_entry_set (branch->entry, branch->encoder, point->bitrate);
  if (is_opus)
    apply_opus (branch->encoder, point, loss_percent, dtx);
  if (branch->codec->packs)
    g_object_set (branch->payloader, "min-ptime", ptime, "max-ptime", ptime,
        NULL);
  GST_DEBUG_OBJECT (branch->encoder, "%u bit/s, %u us in a packet, FEC %d, "
      "loss %u %%, DTX %d", point->bitrate, point->frame_us, point->fec,
      loss_percent, dtx);
  /* Two bytes: opus_encode() in libopus' documentation. */
  return is_opus && dtx ? 2 : 0;
}

GstClockTime
gst_tfrc_encoder_branch_get_warm_up (const GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point)
{
  return branch->codec->lookahead > 0 ?
      point->frame_us * GST_USECOND - branch->codec->lookahead : 0;
}

/* --- the audio that a new branch is given again --- */

static GstClockTime
get_end (GstBuffer * piece)
{
  return GST_BUFFER_PTS (piece) + GST_BUFFER_DURATION (piece);
}

void
gst_tfrc_audio_history_init (GstTfrcAudioHistory * history)
{
  gst_audio_info_init (&history->info);
  g_queue_init (&history->pieces);
}

void
gst_tfrc_audio_history_clear (GstTfrcAudioHistory * history)
{
  g_queue_clear_full (&history->pieces, (GDestroyNotify) gst_buffer_unref);
}

void
gst_tfrc_audio_history_set_caps (GstTfrcAudioHistory * history,
    const GstCaps * caps)
{
  gst_tfrc_audio_history_clear (history);
  if (!gst_audio_info_from_caps (&history->info, caps))
    gst_audio_info_init (&history->info);
}

void
gst_tfrc_audio_history_add (GstTfrcAudioHistory * history, GstBuffer * piece)
{
  GstBuffer *oldest;

  if (!GST_BUFFER_PTS_IS_VALID (piece) || !GST_BUFFER_DURATION_IS_VALID (piece))
    return;
  g_queue_push_tail (&history->pieces, gst_buffer_ref (piece));
  while ((oldest = g_queue_peek_head (&history->pieces)) != NULL
      && get_end (oldest) + GST_TFRC_AUDIO_HISTORY < get_end (piece))
    gst_buffer_unref (g_queue_pop_head (&history->pieces));
}

GstBufferList *
gst_tfrc_audio_history_copy (const GstTfrcAudioHistory * history,
    GstClockTime from)
{
  GstBufferList *list = gst_buffer_list_new ();
  GstSegment segment;
  GList *l;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = from;
  for (l = history->pieces.head; l != NULL; l = l->next) {
    GstBuffer *piece = gst_audio_buffer_clip (gst_buffer_copy (l->data),
        &segment, GST_AUDIO_INFO_RATE (&history->info),
        GST_AUDIO_INFO_BPF (&history->info));

    if (piece == NULL)
      continue;
    if (gst_buffer_list_length (list) == 0)
      GST_BUFFER_FLAG_SET (piece, GST_BUFFER_FLAG_DISCONT);
    gst_buffer_list_add (list, piece);
  }
  return list;
}
