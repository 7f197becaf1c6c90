/* gst-tfrc: the last raw audio that the encoder was given
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_AUDIOHISTORY_H
#define GST_TFRC_AUDIOHISTORY_H

#include <gst/audio/audio.h>

G_BEGIN_DECLS

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
