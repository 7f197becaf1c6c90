/* gst-tfrc: the last raw audio that the encoder was given
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/audiohistory.h"

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
