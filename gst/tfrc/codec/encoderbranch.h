/* gst-tfrc: one codec of tfrcencodebin, from raw audio to RTP
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERBRANCH_H
#define GST_TFRC_ENCODERBRANCH_H

#include <gst/gst.h>

#include "codec/codectable.h"
#include "codec/encodesettings.h"

G_BEGIN_DECLS

/* convert ! resample ! capsfilter ! encoder ! payloader */
typedef struct
{
  const GstTfrcCodec *codec;
  GPtrArray *elements;          /* in the order of the flow, owned by the bin */
  GstElement *encoder, *payloader;
  gboolean used;                /* sound went through */
} GstTfrcEncoderBranch;

/* Posts an error and returns FALSE when something is not installed. */
gboolean gst_tfrc_encoder_branch_check (GstElement * bin, const GstTfrcCodec * codec);

/* `ssrc` and `timestamp`: the stream goes on when another branch takes over. FALSE after
 * an error was posted; the branch is to be cleared then, too. */
gboolean gst_tfrc_encoder_branch_init (GstTfrcEncoderBranch * branch, GstBin * bin,
    const GstTfrcCodec * codec, const GstTfrcEncodeSettings * settings,
    guint32 ssrc, guint32 timestamp);
void gst_tfrc_encoder_branch_clear (GstTfrcEncoderBranch * branch, GstBin * bin);

/* Where sound comes in and packets go out, owned by the caller. */
GstPad *gst_tfrc_encoder_branch_get_head (const GstTfrcEncoderBranch * branch);
GstPad *gst_tfrc_encoder_branch_get_tail (const GstTfrcEncoderBranch * branch);

/* Payload type of packets with copies. */
guint gst_tfrc_encoder_branch_get_red_pt (const GstTfrcEncoderBranch * branch,
    const GstTfrcEncodeSettings * settings);

/* Before the branch is used again: encoders that predict from what they coded must
 * forget it, for the decoder that follows begins anew. Streaming thread. */
void gst_tfrc_encoder_branch_restart (GstTfrcEncoderBranch * branch);

/* Not every encoder can fall silent by itself. Returns how large, in bytes, the
 * packets are that then need not be sent. */
guint gst_tfrc_encoder_branch_set_dtx (GstTfrcEncoderBranch * branch, gboolean dtx);

/* How long before a packet of `point` must begin the encoder has to begin. The
 * frames before, of which only copies are sent, warm it and its decoder: a cold
 * Opus is too quiet for its first tenth of a second. Other codecs start cold at
 * both ends, which have to agree in what they predict from. */
GstClockTime gst_tfrc_encoder_branch_get_warm_up (const GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point);

G_END_DECLS

#endif
