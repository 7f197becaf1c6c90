/* gst-tfrc: packets that go from one peer to others without a pad
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerforward",
    "packets that go from one peer of tfrcbin to others");

/* Guards the arrays of all peers, since peers that forward to each other may be served by different threads.
 * Forwarding takes the lock for reading. */
static GRWLock forwarding;

static void
ensure_arrays (GstTfrcPeer * peer)
{
  if (peer->targets != NULL)
    return;
  peer->targets =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_tfrc_peer_unref);
  peer->sources = g_ptr_array_new ();
}

/* With the lock, as the next two functions. */
static gboolean
start_forwarding (GstTfrcPeer * peer, GstTfrcPeer * target)
{
  ensure_arrays (peer);
  ensure_arrays (target);
  if (g_ptr_array_find (peer->targets, target, NULL))
    return FALSE;
  GST_INFO ("what peer %u sends is forwarded to peer %u", peer->id, target->id);
  g_ptr_array_add (peer->targets, gst_tfrc_peer_ref (target));
  g_ptr_array_add (target->sources, peer);
  g_atomic_int_inc (&peer->n_targets);
  g_atomic_int_inc (&target->n_sources);
  return TRUE;
}

static gboolean
stop_forwarding (GstTfrcPeer * peer, GstTfrcPeer * target)
{
  if (peer->targets == NULL || target->sources == NULL ||
      !g_ptr_array_remove (target->sources, peer))
    return FALSE;
  GST_INFO ("what peer %u sends is no longer forwarded to peer %u", peer->id,
      target->id);
  g_atomic_int_add (&target->n_sources, -1);
  g_atomic_int_add (&peer->n_targets, -1);
  g_ptr_array_remove (peer->targets, target);
  return TRUE;
}

static void
stop_all (GstTfrcPeer * peer)
{
  while (peer->targets->len > 0)
    stop_forwarding (peer, g_ptr_array_index (peer->targets, 0));
  while (peer->sources->len > 0)
    stop_forwarding (g_ptr_array_index (peer->sources, 0), peer);
}

gboolean
gst_tfrc_peer_forward (GstTfrcPeer * peer, GstTfrcPeer * target)
{
  gboolean changed;

  g_rw_lock_writer_lock (&forwarding);
  changed = start_forwarding (peer, target);
  g_rw_lock_writer_unlock (&forwarding);
  return changed;
}

gboolean
gst_tfrc_peer_stop_forwarding (GstTfrcPeer * peer, GstTfrcPeer * target)
{
  gboolean changed;

  g_rw_lock_writer_lock (&forwarding);
  changed = stop_forwarding (peer, target);
  g_rw_lock_writer_unlock (&forwarding);
  return changed;
}

void
gst_tfrc_peer_isolate (GstTfrcPeer * peer)
{
  g_rw_lock_writer_lock (&forwarding);
  if (peer->targets != NULL)
    stop_all (peer);
  g_rw_lock_writer_unlock (&forwarding);
}

/* The target writes sequence number, SSRC and stamp into a copy of its own, so that all targets
 * share one buffer. Takes the packet. */
static void
forward_packet (GstTfrcPeer * peer, GstBuffer * packet)
{
  guint i, n;

  g_rw_lock_reader_lock (&forwarding);
  n = peer->targets->len;
  for (i = 0; i < n; i++)
    gst_tfrc_peer_enqueue_forwarded (g_ptr_array_index (peer->targets, i),
        i < n - 1 ? gst_buffer_ref (packet) : packet, peer->receive_clock_rate);
  g_rw_lock_reader_unlock (&forwarding);
  if (n == 0)
    gst_buffer_unref (packet);
}

/* The same of a packet that has no buffer. */
static void
forward_datagram (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram,
    GstClockTime pts)
{
  guint i;

  g_rw_lock_reader_lock (&forwarding);
  for (i = 0; i < peer->targets->len; i++)
    gst_tfrc_peer_pass_forwarded (g_ptr_array_index (peer->targets, i),
        datagram, pts, peer->receive_clock_rate);
  g_rw_lock_reader_unlock (&forwarding);
}

static void
forward_key_frame (GstTfrcPeer * peer)
{
  guint i;

  g_rw_lock_reader_lock (&forwarding);
  for (i = 0; peer->sources != NULL && i < peer->sources->len; i++)
    gst_tfrc_peer_request_key_frame (g_ptr_array_index (peer->sources, i));
  g_rw_lock_reader_unlock (&forwarding);
}

/* --- packets that are forwarded from where they were received, without a buffer --- */

gboolean
gst_tfrc_peer_may_pass_on (GstTfrcPeer * peer)
{
  return gst_tfrc_peer_is_forwarded (peer) && peer->recent == NULL &&
      gst_tfrc_playout_buffer_get_delay (peer->playout) == NULL &&
      gst_queue_array_is_empty (peer->arrived);
}

typedef struct
{
  GstTfrcPeer *peer;
  GstTfrcUdpDatagram *datagram;
} Arrived;

static GstBuffer *
make_buffer (gpointer data)
{
  Arrived *arrived = data;

  return arrived->peer->io.take_buffer (arrived->datagram);
}

void
gst_tfrc_peer_pass_on (GstTfrcPeer * peer, const GstTfrcRtpFields * fields,
    guint32 clock_rate, GstTfrcUdpDatagram * datagram)
{
  GstTfrcPlayoutPacket packet = { fields->seq, fields->rtptime, clock_rate,
    datagram->arrival
  };
  Arrived arrived = { peer, datagram };
  GstTfrcPlayoutItem item;

  if (!gst_tfrc_playout_buffer_pass (peer->playout, &packet, make_buffer,
          &arrived, &item))
    return;
  peer->passing = datagram;
  peer->passing_pts = item.pts;
}

void
gst_tfrc_peer_keep_passing (GstTfrcPeer * peer)
{
  GstBuffer *buffer;

  if (peer->passing == NULL)
    return;
  buffer = peer->io.take_buffer (peer->passing);
  GST_BUFFER_PTS (buffer) = peer->passing_pts;
  gst_queue_array_push_tail (peer->arrived, buffer);
  peer->passing = NULL;
}

/* --- handing out --- */

static void
hand_to_pad (GstTfrcPeer * peer, GstMiniObject * object)
{
  if (gst_tfrc_pad_queue_add (peer->queue, object))
    return;
  g_mutex_lock (&peer->lock);
  peer->discont = TRUE;
  g_mutex_unlock (&peer->lock);
}

/* Losses are those of the peer's path, and are not forwarded. */
static void
hand_object_out (GstTfrcPeer * peer, GstMiniObject * object)
{
  if (!gst_tfrc_peer_is_forwarded (peer))
    hand_to_pad (peer, object);
  else if (GST_IS_BUFFER (object))
    forward_packet (peer, GST_BUFFER_CAST (object));
  else
    gst_mini_object_unref (object);
}

/* With the lock. Hands out the packet that is passed on and the first object that has arrived. Returns whether there
 * is more: mostly there is one packet or none, and the lock is not taken again. */
static gboolean
unlock_and_hand_one_out (GstTfrcPeer * peer)
{
  gboolean wants_key_frame = peer->wants_key_frame, more;
  GstTfrcUdpDatagram *passing = g_steal_pointer (&peer->passing);
  GstClockTime pts = peer->passing_pts;
  GstMiniObject *object = gst_queue_array_pop_head (peer->arrived);

  peer->wants_key_frame = FALSE;
  more = !gst_queue_array_is_empty (peer->arrived);
  g_mutex_unlock (&peer->lock);
  if (passing != NULL)
    forward_datagram (peer, passing, pts);
  if (object != NULL)
    hand_object_out (peer, object);
  if (wants_key_frame)
    forward_key_frame (peer);
  return more;
}

void
gst_tfrc_peer_unlock_and_hand_out (GstTfrcPeer * peer)
{
  while (unlock_and_hand_one_out (peer))
    g_mutex_lock (&peer->lock);
}

void
gst_tfrc_peer_hand_out (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_peer_unlock_and_hand_out (peer);
}
