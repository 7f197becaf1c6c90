/* gst-tfrc: one remote end of tfrcbin: its RTP session, both directions of data, its state
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include <string.h>

#include "base/debugcategory.h"
#include "base/tfrccaps.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeer", "peers of tfrcbin");

/* A remote end that has called has to be heard again within this time. RTCP comes every five seconds at least. */
#define FIRST_WORD (10 * TFRC_SEC)

/* Half a second, after which another SSRC may take a sender's place as well. */
#define MOVE_SILENCE (500 * TFRC_MSEC)

/* From 1900 to 1970, s. */
#define NTP_OFFSET G_GUINT64_CONSTANT (2208988800)

/* The first size of the queue of packets that are handed out in one go. */
#define FIRST_ARRIVED 2

/* --- a peer --- */

static void
serve_object (GstMiniObject * object, gpointer data)
{
  GstTfrcPeer *peer = data;

  peer->serve (peer, object, peer->serve_data);
}

guint
gst_tfrc_peer_get_playout_ms (const GstTfrcPeer * peer, GstClockTime latency)
{
  if (peer->settings->adaptive)
    return 0;
  return MIN (latency / GST_MSECOND, G_MAXUINT16);
}

static void
init_session (GstTfrcPeer * peer)
{
  const GstTfrcPeerSettings *settings = peer->settings;
  GstTfrcUnicastSessionConfig config;

  gst_tfrc_unicast_session_config_init (&config);
  g_strlcpy (config.cname, settings->cname, sizeof config.cname);
  config.H = settings->config.H;
  config.fmt = settings->filter.feedback_fmt;
  config.ssrc = gst_tfrc_peer_draw_ssrc (peer);
  config.settings = (GstTfrcApp) {
      .mode = settings->config.mode,
      .measure = settings->config.measure,
      .H = settings->config.H,
      .takes_reduced = TRUE,
      .takes_timed = TRUE,
      .follows = settings->chooses_mode,
      .playout_ms = gst_tfrc_peer_get_playout_ms (peer, settings->latency),
      .ecn = settings->ecn != GST_TFRC_ECN_OFF
  };
  config.sends = !settings->only_receives;
  config.receives = !settings->only_sends;
  config.waits = settings->alone;
  if (settings->sdes != NULL) {
    gsize size;

    config.sdes = g_bytes_get_data (settings->sdes, &size);
    config.sdes_size = size;
  }
  /* The port has decided already whose packets are accepted. Probation of two packets would cost a second,
   * because until its first report comes a data sender sends one packet a second (RFC 5348 4.2). */
  config.probation = 1;
  config.ntp = g_get_real_time () * 1000 + NTP_OFFSET * GST_SECOND;
  config.seed = (guint64) g_random_int () << 32 | g_random_int ();
  gst_tfrc_unicast_session_init (&peer->session, &config, peer->now);
}

GstTfrcPeer *
gst_tfrc_peer_new (guint id, const gchar * label,
    const GstTfrcUdpAddress * address, GstTfrcPeerSettings * settings,
    const GstTfrcPeerIo * io, GstTfrcPeerServeFunc serve, gpointer data)
{
  GstTfrcPeer *peer = g_new0 (GstTfrcPeer, 1);

  peer->refs = 1;
  peer->id = id;
  peer->label = g_strdup (label);
  peer->settings = settings;
  peer->io = *io;
  peer->serve = serve;
  peer->serve_data = data;
  peer->now = peer->io.get_time ();
  peer->expected = TFRC_TIME_NONE;
  peer->route.remote = *address;
  peer->send_id = settings->extension_id;
  peer->receive_mode = settings->config.mode;
  g_mutex_init (&peer->lock);
  init_session (peer);
  tfrc_adapt_loss_share_init (&peer->loss);
  tfrc_ecn_path_init (&peer->ecn);
  gst_tfrc_peer_restart_ecn (peer, peer->now);
  gst_tfrc_peer_init_srtp (peer);
  gst_tfrc_peer_init_dtls (peer);
  gst_tfrc_data_flow_sender_init (&peer->flow, &settings->filter,
      &settings->config, peer->now);
  gst_tfrc_peer_set_feedback (peer, NULL);
  gst_tfrc_report_interval_init (&peer->interval, settings->config.H);
  peer->playout = gst_tfrc_playout_buffer_new (settings->latency);
  if (settings->adaptive)
    gst_tfrc_playout_buffer_adapt (peer->playout, settings->least_delay);
  peer->queue = gst_tfrc_pad_queue_new (serve_object, peer);
  gst_tfrc_remote_liveness_init (&peer->connection, peer->now);
  peer->arrived = gst_queue_array_new (FIRST_ARRIVED);
  return peer;
}

GstTfrcPeer *
gst_tfrc_peer_ref (GstTfrcPeer * peer)
{
  g_atomic_int_inc (&peer->refs);
  return peer;
}

void
gst_tfrc_peer_end (GstTfrcPeer * peer)
{
  gst_tfrc_pad_queue_end (peer->queue,
      GST_MINI_OBJECT_CAST (gst_event_new_eos ()));
}

gboolean
gst_tfrc_peer_wait (GstTfrcPeer * peer, gint64 until)
{
  return gst_tfrc_pad_queue_wait (peer->queue, until);
}

gboolean
gst_tfrc_peer_finish (GstTfrcPeer * peer, GstClockTime patience)
{
  return gst_tfrc_pad_queue_finish (peer->queue,
      GST_MINI_OBJECT_CAST (gst_event_new_eos ()), patience);
}

void
gst_tfrc_peer_stop (GstTfrcPeer * peer)
{
  gst_tfrc_pad_queue_stop (peer->queue);
}

void
gst_tfrc_peer_unref (GstTfrcPeer * peer)
{
  if (!g_atomic_int_dec_and_test (&peer->refs))
    return;
  gst_tfrc_pad_queue_free (peer->queue);
  gst_queue_array_free (peer->arrived);
  g_clear_pointer (&peer->targets, g_ptr_array_unref);
  g_clear_pointer (&peer->sources, g_ptr_array_unref);
  gst_tfrc_playout_buffer_free (peer->playout);
  gst_tfrc_peer_clear_recent (peer);
  gst_tfrc_data_flow_sender_clear (&peer->flow);
  g_free (peer->receiver);
  gst_tfrc_peer_clear_dtls (peer);
  gst_tfrc_peer_clear_srtp (peer);
  if (peer->settings->free != NULL)
    peer->settings->free (peer->settings);
  g_mutex_clear (&peer->lock);
  g_free (peer->label);
  g_free (peer);
}

guint
gst_tfrc_peer_get_id (const GstTfrcPeer * peer)
{
  return peer->id;
}

const GstTfrcPeerSettings *
gst_tfrc_peer_get_settings (const GstTfrcPeer * peer)
{
  return peer->settings;
}

gpointer
gst_tfrc_peer_get_io_data (const GstTfrcPeer * peer)
{
  return peer->io.data;
}

void
gst_tfrc_peer_expect (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  peer->expected = peer->now + FIRST_WORD;
  gst_tfrc_peer_wake_receive (peer);
  g_mutex_unlock (&peer->lock);
}

/* --- messages --- */

void
gst_tfrc_peer_post (GstTfrcPeer * peer, GstStructure * s)
{
  gchar *address = gst_tfrc_udp_address_to_string (&peer->route.remote);

  if (!peer->settings->alone)
    gst_structure_set (s, "id", G_TYPE_UINT, peer->id,
        "address", G_TYPE_STRING, address,
        "label", G_TYPE_STRING, peer->label, NULL);
  gst_tfrc_peer_post_message (peer, gst_message_new_element (GST_OBJECT
          (peer->settings->element), s));
  g_free (address);
}

void
gst_tfrc_peer_post_message (GstTfrcPeer * peer, GstMessage * message)
{
  gst_tfrc_pad_queue_add (peer->queue, GST_MINI_OBJECT_CAST (message));
}

void
gst_tfrc_peer_serve (GstTfrcPeer * peer, GstMiniObject * object)
{
  gst_tfrc_pad_queue_add (peer->queue, object);
}

void
gst_tfrc_peer_post_state (GstTfrcPeer * peer, const gchar * state)
{
  gchar *address = gst_tfrc_udp_address_to_string (&peer->route.remote);

  gst_tfrc_peer_post (peer, gst_structure_new (GST_TFRC_PEER_MESSAGE,
          "state", G_TYPE_STRING, state,
          "address", G_TYPE_STRING, address, NULL));
  g_free (address);
}

void
gst_tfrc_peer_post_connection (GstTfrcPeer * peer, const gchar * state)
{
  gchar *address;

  if (state == NULL)
    return;
  address = gst_tfrc_udp_address_to_string (&peer->route.remote);
  GST_DEBUG ("peer %u at %s: connection %s, silence %" GST_TIME_FORMAT,
      peer->id, address, state, GST_TIME_ARGS (peer->connection.silence));
  g_free (address);
  gst_tfrc_peer_post (peer,
      gst_tfrc_remote_liveness_make_structure (&peer->connection, state));
}

/* --- from any thread --- */

gboolean
gst_tfrc_peer_has_ssrc (GstTfrcPeer * peer, guint32 ssrc)
{
  const GstTfrcUnicastSession *session = &peer->session;
  gboolean has;

  g_mutex_lock (&peer->lock);
  has = (session->has_data && session->data.ssrc == ssrc) ||
      (session->has_reporter && session->reporter == ssrc) ||
      gst_tfrc_unicast_session_trusts (session, ssrc);
  g_mutex_unlock (&peer->lock);
  return has;
}

gboolean
gst_tfrc_peer_is_silent (GstTfrcPeer * peer, GstClockTime now)
{
  gboolean silent;

  g_mutex_lock (&peer->lock);
  silent = gst_tfrc_peer_is_new (peer)
      || now > peer->connection.heard + MOVE_SILENCE;
  g_mutex_unlock (&peer->lock);
  return silent;
}

void
gst_tfrc_peer_request_key_frame (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_unicast_session_request_key_frame (&peer->session, peer->now);
  gst_tfrc_peer_wake_receive (peer);
  g_mutex_unlock (&peer->lock);
}
