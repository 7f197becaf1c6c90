/* gst-tfrc: packets that are to be sent to a peer, from any thread
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

static gboolean
is_urgent_first (const GstTfrcPeer * peer)
{
  const GstTfrcItem *item = gst_tfrc_pacing_queue_peek (&peer->flow.queue);

  return item != NULL && item->urgent;
}

/* With the lock, after a packet came. */
static void
check_mode (GstTfrcPeer * peer, TfrcTime now)
{
  if (gst_tfrc_data_flow_sender_check_mode (&peer->flow, now))
    gst_tfrc_peer_announce_modes (peer, now);
}

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
  if (gst_tfrc_data_flow_sender_add (&peer->flow, buffer, peer->send_id, now))
    check_mode (peer, now);
  /* the timer is set already when another packet waits, but for an urgent one */
  if ((first || is_urgent_first (peer))
      && !gst_tfrc_peer_run_send_here (peer, now))
    gst_tfrc_peer_wake_send (peer);
  return GST_FLOW_OK;
}

/* With the lock, which is released. An application with many peers knows what it sends. */
static void
unlock_and_warn (GstTfrcPeer * peer)
{
  guint warnings = gst_tfrc_send_warnings_take (&peer->send_warnings);

  g_mutex_unlock (&peer->lock);
  if (peer->settings->alone)
    gst_tfrc_send_warnings_post (warnings, peer->settings->element);
}

GstFlowReturn
gst_tfrc_peer_enqueue (GstTfrcPeer * peer, GstBuffer * buffer)
{
  GstFlowReturn ret;

  g_mutex_lock (&peer->lock);
  ret = add_packet (peer, buffer);
  if (ret == GST_FLOW_OK)
    gst_tfrc_send_warnings_check_size (&peer->send_warnings, &peer->flow);
  unlock_and_warn (peer);
  return ret;
}

/* With the lock. */
static void
follow_clock_rate (GstTfrcPeer * peer, guint32 clock_rate)
{
  if (clock_rate == peer->send_clock_rate)
    return;
  peer->send_clock_rate = clock_rate;
  gst_tfrc_unicast_session_set_clock_rates (&peer->session, clock_rate,
      peer->receive_clock_rate);
}

void
gst_tfrc_peer_enqueue_forwarded (GstTfrcPeer * peer, GstBuffer * buffer,
    guint32 clock_rate)
{
  guint8 header[2];

  g_mutex_lock (&peer->lock);
  follow_clock_rate (peer, clock_rate);
  if (gst_buffer_extract (buffer, 0, header, sizeof header) == sizeof header)
    gst_tfrc_peer_choose_mode_of_type (peer, header[1] & 0x7f, peer->now);
  add_packet (peer, buffer);
  g_mutex_unlock (&peer->lock);
}

/* With the lock. FALSE: the packet has to be added. */
static gboolean
pass (GstTfrcPeer * peer, const GstTfrcUdpDatagram * datagram,
    GstClockTime captured)
{
  TfrcTime now = gst_tfrc_peer_advance (peer, peer->io.get_time ());

  if (!peer->begun || peer->left || now >= peer->send_time ||
      peer->flow.drain_until != TFRC_TIME_NONE ||
      !gst_tfrc_peer_is_ready (peer) ||
      !peer->io.may_send (peer, peer->io.data) ||
      !gst_tfrc_peer_pass_data (peer, datagram, captured, now))
    return FALSE;
  check_mode (peer, now);
  gst_tfrc_peer_run_send_here (peer, now);
  return TRUE;
}

void
gst_tfrc_peer_pass_forwarded (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram, GstClockTime captured, guint32 clock_rate)
{
  g_mutex_lock (&peer->lock);
  follow_clock_rate (peer, clock_rate);
  gst_tfrc_peer_choose_mode_of_type (peer, datagram->data[1] & 0x7f, peer->now);
  if (!pass (peer, datagram, captured)) {
    GstBuffer *buffer = peer->io.take_buffer (datagram);

    GST_BUFFER_PTS (buffer) = captured;
    add_packet (peer, buffer);
  }
  g_mutex_unlock (&peer->lock);
}

/* The session reads TFRC reports and report blocks; a remote that negotiated other feedback sends
 * report blocks as well. */
void
gst_tfrc_peer_set_feedback (GstTfrcPeer * peer, const GstCaps * caps)
{
  GstTfrcFeedback kind =
      gst_tfrc_filter_settings_get_feedback (&peer->settings->filter, caps);

  gst_tfrc_data_flow_sender_set_feedback (&peer->flow,
      kind == GST_TFRC_FEEDBACK_TFRC ? kind : GST_TFRC_FEEDBACK_RR, peer->now);
}

/* Telephone events (RFC 4733) come between the packets of a voice, whose caps still hold. They depart at once. */
static void
set_event_caps (GstTfrcPeer * peer, const GstStructure * s)
{
  gint payload = -1;

  gst_structure_get_int (s, "payload", &payload);
  g_mutex_lock (&peer->lock);
  peer->flow.urgent_type = payload;
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_set_send_caps (GstTfrcPeer * peer, const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  gint clock_rate = 0, payload;
  guint ssrc;

  if (g_strcmp0 (gst_structure_get_string (s, "encoding-name"),
          "TELEPHONE-EVENT") == 0) {
    set_event_caps (peer, s);
    return;
  }
  gst_structure_get_int (s, "clock-rate", &clock_rate);
  g_mutex_lock (&peer->lock);
  peer->has_caps = TRUE;
  if (peer->settings->alone && !peer->has_media_ssrc &&
      !gst_tfrc_peer_is_encrypted (peer) &&
      gst_structure_get_uint (s, "ssrc", &ssrc))
    gst_tfrc_unicast_session_set_ssrc (&peer->session, ssrc);
  peer->send_clock_rate = MAX (clock_rate, 0);
  peer->send_id =
      gst_tfrc_filter_settings_get_extension_id (&peer->settings->filter, caps);
  gst_tfrc_unicast_session_set_clock_rates (&peer->session,
      peer->send_clock_rate, peer->receive_clock_rate);
  gst_tfrc_peer_set_feedback (peer, caps);
  gst_tfrc_peer_choose_mode (peer, caps, peer->now);
  gst_tfrc_data_flow_sender_note_rate (&peer->flow, GST_TFRC_RATE_START,
      peer->now);
  gst_tfrc_peer_wake_send (peer);
  /* RFC 5761 4 */
  if (gst_structure_get_int (s, "payload", &payload) && payload >= 64 &&
      payload <= 95)
    gst_tfrc_send_warnings_note (&peer->send_warnings, GST_TFRC_WARN_PAYLOAD);
  unlock_and_warn (peer);
}

void
gst_tfrc_peer_set_encoder (GstTfrcPeer * peer,
    const GstTfrcEncoderPackets * packets)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_unicast_session_set_redundant (&peer->session, packets->redundant);
  gst_tfrc_data_flow_sender_set_encoder (&peer->flow, packets,
      gst_tfrc_peer_advance (peer, peer->io.get_time ()));
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

/* After a BYE: what comes now is another stream. */
static void
begin_again (GstTfrcPeer * peer)
{
  peer->ended = FALSE;
  peer->has_media_ssrc = FALSE;
  gst_tfrc_unicast_session_rejoin (&peer->session,
      gst_tfrc_peer_is_encrypted (peer) ? gst_tfrc_srtp_draw_ssrc () :
      g_random_int ());
  gst_tfrc_peer_count_ssrc_change (peer);
}

void
gst_tfrc_peer_flush (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_pacing_queue_flush (&peer->flow.queue);
  peer->flow.drain_until = TFRC_TIME_NONE;
  peer->draining = FALSE;
  if (peer->ended)
    begin_again (peer);
  g_mutex_unlock (&peer->lock);
}
