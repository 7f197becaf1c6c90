/* gst-tfrc: the elements of tfrcencodebin for one codec, and the latest audio for those of the next codec
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERBRANCH_H
#define GST_TFRC_ENCODERBRANCH_H

#include <gst/audio/audio.h>

#include "codec/codectable.h"
#include "codec/encodebinproperties.h"

G_BEGIN_DECLS

#define GST_TFRC_ENCODER_BRANCH_ELEMENTS 5

/* A branch is audioconvert ! audioresample ! capsfilter ! encoder ! payloader. The bin owns the
 * elements and has one branch at a time: another codec takes over with a new branch, so that
 * encoder and payloader of every branch begin anew, as the remote decoder does. */
typedef struct
{
  const GstTfrcCodec *codec;
  GstElement *elements[GST_TFRC_ENCODER_BRANCH_ELEMENTS];       /* in the order of the flow */
  GstElement *encoder, *payloader;      /* two of `elements` */
  const GstTfrcEncoderEntry *entry;     /* of `encoder`; NULL: its bit rate is fixed */
  gboolean restarts;            /* the encoder takes another bit rate only when it starts */
  guint red_pt;                 /* payload type of packets with redundant copies */
} GstTfrcEncoderBranch;

/* What the branches of one RTP stream have in common. */
typedef struct
{
  GstTfrcContent content;
  guint pt, red_pt;             /* payload types of Opus, mono, alone and with redundant copies */
  guint extension_id;           /* of TFRC's stamp */
  guint ssrc, timestamp, seqnum;        /* where the stream begins */
} GstTfrcEncoderBranchConfig;

/* Returns FALSE, after an error was posted on the bus of `bin`, when an element that the branch
 * needs is not installed. Loads the plugins, so that a branch can be made without delay. */
gboolean gst_tfrc_encoder_branch_check (GstElement * bin, const GstTfrcCodec * codec);

/* Adds the elements to `bin` and links them to each other, in the state NULL. Returns NULL after
 * an error was posted. */
GstTfrcEncoderBranch *gst_tfrc_encoder_branch_new (GstBin * bin, const GstTfrcCodec * codec,
    const GstTfrcEncoderBranchConfig * config);

/* Removes the elements from `bin`. */
void gst_tfrc_encoder_branch_free (GstTfrcEncoderBranch * branch, GstBin * bin);

/* Brings the elements to the state of the bin. */
void gst_tfrc_encoder_branch_sync_state (GstTfrcEncoderBranch * branch);

/* Sets up encoder and payloader for `point`; `dtx`: discontinuous transmission, which only Opus
 * has. Returns the size in bytes of the largest payload that means that nobody speaks; 0: there is
 * none. For the streaming thread, between two buffers. */
guint gst_tfrc_encoder_branch_apply (const GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point, guint loss_percent, gboolean dtx);

/* Returns how long before the first packet that is sent the encoder has to begin, in ns. The first
 * packet of an Opus encoder lacks the sound of the look-ahead. One packet of audio that was sent
 * already is therefore encoded again, and only a redundant copy of that packet is sent. The remote
 * decoder needs the copy, because later packets describe how the sound differs from the first one:
 * a decoder without it is too quiet for a tenth of a second. For other codecs the time is 0, since
 * encoder and decoder have to begin with the same packet. */
GstClockTime gst_tfrc_encoder_branch_get_warm_up (const GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point);

/* --- the audio that a new branch is given again --- */

/* When another encoder takes over, its first packet must begin where the last packet of the old
 * encoder ends. That time is in the past, because the old encoder has collected a part of its
 * next frame. The history keeps the last pieces of audio, so that the new encoder can be given
 * them too.
 *
 * A history belongs to the streaming thread of the raw audio. Times are buffer times in ns. */
typedef struct
{
  GstAudioInfo info;            /* of the pieces */
  GQueue pieces;                /* GstBuffer, owned; the oldest first */
} GstTfrcAudioHistory;

/* How much audio a history keeps. */
#define GST_TFRC_AUDIO_HISTORY (200 * GST_MSECOND)

void gst_tfrc_audio_history_init (GstTfrcAudioHistory * history);

/* Forgets all pieces. */
void gst_tfrc_audio_history_clear (GstTfrcAudioHistory * history);

/* Pieces that are added from now on have the format `caps`. */
void gst_tfrc_audio_history_set_caps (GstTfrcAudioHistory * history, const GstCaps * caps);

/* Keeps a reference to `piece`. A piece without a time is not kept. */
void gst_tfrc_audio_history_add (GstTfrcAudioHistory * history, GstBuffer * piece);

/* The audio from `from` on, as new buffers of which the first has the flag DISCONT. */
GstBufferList *gst_tfrc_audio_history_copy (const GstTfrcAudioHistory * history, GstClockTime from);

G_END_DECLS

#endif
