/* gst-tfrc: packets that are to be sent to a peer, from any thread
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

/* With the lock. Takes the buffer. */
static GstFlowReturn
add_packet (GstTfrcPeer * peer, GstBuffer * buffer)
{
  TfrcTime now = gst_tfrc_peer_advance (peer, peer->io.get_time ());
  gboolean first;

  if (peer->left || peer->flow.drain_until != TFRC_TIME_NONE) {
    gst_buffer_unref (buffer);
    return GST_FLOW_EOS;
  }
  if (!gst_tfrc_peer_is_ready (peer)) {
    peer->counts.not_encrypted++;
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  first = gst_tfrc_data_flow_sender_is_empty (&peer->flow);
  gst_tfrc_data_flow_sender_add (&peer->flow, buffer, peer->send_id, now);
  /* the timer is set already when another packet waits */
  if (first && !gst_tfrc_peer_run_send_here (peer, now))
    gst_tfrc_peer_wake_send (peer);
  return GST_FLOW_OK;
}

GstFlowReturn
gst_tfrc_peer_enqueue (GstTfrcPeer * peer, GstBuffer * buffer)
{
  GstFlowReturn ret;

  g_mutex_lock (&peer->lock);
  ret = add_packet (peer, buffer);
  g_mutex_unlock (&peer->lock);
  return ret;
}

void
gst_tfrc_peer_enqueue_forwarded (GstTfrcPeer * peer, GstBuffer * buffer,
    guint32 clock_rate)
{
  g_mutex_lock (&peer->lock);
  if (clock_rate != peer->send_clock_rate) {
    peer->send_clock_rate = clock_rate;
    gst_tfrc_unicast_session_set_clock_rates (&peer->session, clock_rate,
        peer->receive_clock_rate);
  }
  add_packet (peer, buffer);
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_set_send_caps (GstTfrcPeer * peer, const GstCaps * caps)
{
  gint clock_rate = 0;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate",
      &clock_rate);
  g_mutex_lock (&peer->lock);
  peer->has_caps = TRUE;
  peer->send_clock_rate = MAX (clock_rate, 0);
  peer->send_id =
      gst_tfrc_filter_settings_get_extension_id (&peer->settings->filter, caps);
  gst_tfrc_unicast_session_set_clock_rates (&peer->session,
      peer->send_clock_rate, peer->receive_clock_rate);
  gst_tfrc_data_flow_sender_note_rate (&peer->flow, GST_TFRC_RATE_START,
      peer->now);
  gst_tfrc_peer_wake_send (peer);
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_drain (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_data_flow_sender_drain (&peer->flow, gst_tfrc_peer_advance (peer,
          peer->io.get_time ()));
  peer->draining = TRUE;
  gst_tfrc_peer_wake_send (peer);
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_flush (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_pacing_queue_flush (&peer->flow.queue);
  peer->flow.drain_until = TFRC_TIME_NONE;
  peer->draining = FALSE;
  g_mutex_unlock (&peer->lock);
}
