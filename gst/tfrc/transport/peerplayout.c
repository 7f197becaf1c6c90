/* gst-tfrc: what arrived from a peer, until it is handed out
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

static GstCaps *
get_ntp_caps (void)
{
  static GstCaps *caps = NULL;

  if (g_once_init_enter (&caps)) {
    GstCaps *ntp = gst_caps_new_empty_simple ("timestamp/x-ntp");

    GST_MINI_OBJECT_FLAG_SET (ntp, GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
    g_once_init_leave (&caps, ntp);
  }
  return caps;
}

/* Adds the time of capture, by the clock of the remote end, if RTCP has told how that clock runs. */
void
gst_tfrc_peer_add_sender_time (GstTfrcPeer * peer, GstBuffer * buffer,
    guint32 rtptime)
{
  guint64 time;

  if (gst_tfrc_unicast_session_get_sender_time (&peer->session, rtptime, &time))
    gst_buffer_add_reference_timestamp_meta (buffer, get_ntp_caps (), time,
        GST_CLOCK_TIME_NONE);
}

static GstMiniObject *
make_packet (GstTfrcPeer * peer, const GstTfrcPlayoutItem * item)
{
  GstBuffer *buffer = gst_buffer_make_writable (item->buffer);

  GST_BUFFER_PTS (buffer) = item->pts;
  if (item->discont || peer->discont)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  peer->discont = FALSE;
  return GST_MINI_OBJECT_CAST (buffer);
}

/* Announces a loss as rtpjitterbuffer does. */
static GstMiniObject *
make_loss (const GstTfrcPlayoutItem * item)
{
  return GST_MINI_OBJECT_CAST (gst_event_new_custom
      (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new ("GstRTPPacketLost",
              "seqnum", G_TYPE_UINT, (guint) item->seq,
              "timestamp", G_TYPE_UINT64, item->pts,
              "duration", G_TYPE_UINT64, item->duration,
              "retry", G_TYPE_UINT, 0, NULL)));
}

void
gst_tfrc_peer_play (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPlayoutItem item;

  while (gst_tfrc_playout_buffer_take (peer->playout, &item, now) !=
      GST_TFRC_PLAYOUT_NOTHING) {
    GstMiniObject *object = item.kind == GST_TFRC_PLAYOUT_PACKET ?
        make_packet (peer, &item) : make_loss (&item);

    gst_queue_array_push_tail (peer->arrived, object);
  }
}

void
gst_tfrc_peer_set_playing (GstTfrcPeer * peer, gboolean playing)
{
  g_mutex_lock (&peer->lock);
  if (peer->playing && !playing)
    gst_tfrc_playout_buffer_flush (peer->playout);
  peer->discont = TRUE;
  peer->playing = playing;
  g_mutex_unlock (&peer->lock);
}

/* --- the last packets --- */

/* Keeps a packet for gst_tfrc_peer_get_recent(). The redundant copies of a lost packet are asked for when the loss
 * is handed out, and the packet that has them may have left the playout buffer before. */
void
gst_tfrc_peer_keep_recent (GstTfrcPeer * peer, GstBuffer * buffer)
{
  if (peer->recent == NULL)
    return;
  gst_buffer_replace (&peer->recent[peer->next_recent], buffer);
  peer->next_recent = (peer->next_recent + 1) % GST_TFRC_PEER_RECENT;
}

void
gst_tfrc_peer_clear_recent (GstTfrcPeer * peer)
{
  guint i;

  for (i = 0; peer->recent != NULL && i < GST_TFRC_PEER_RECENT; i++)
    gst_clear_buffer (&peer->recent[i]);
  g_clear_pointer (&peer->recent, g_free);
}

static void
add_recent (GstTfrcPeer * peer, GstBufferList * list)
{
  guint i;

  for (i = 0; i < GST_TFRC_PEER_RECENT; i++) {
    GstBuffer *buffer =
        peer->recent[(peer->next_recent + i) % GST_TFRC_PEER_RECENT];

    if (buffer != NULL)
      gst_buffer_list_add (list, gst_buffer_ref (buffer));
  }
}

void
gst_tfrc_peer_get_recent (GstTfrcPeer * peer, GstBufferList * list)
{
  g_mutex_lock (&peer->lock);
  if (peer->recent != NULL) {
    add_recent (peer, list);
  } else {
    peer->recent = g_new0 (GstBuffer *, GST_TFRC_PEER_RECENT);
    gst_tfrc_playout_buffer_get_waiting (peer->playout, list);
  }
  g_mutex_unlock (&peer->lock);
}
