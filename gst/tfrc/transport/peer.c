/* gst-tfrc: one remote end of tfrcbin: its RTP session, both directions of data, its state
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include <string.h>

#include "base/debugcategory.h"
#include "base/tfrccaps.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeer", "peers of tfrcbin");

/* A remote end that was silent for so long is taken to have left without a BYE. A shorter outage of the path
 * only pauses the call. */
#define ABSENCE (60 * TFRC_SEC)

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
  config.settings =
      (GstTfrcApp) {settings->config.mode, settings->config.measure,
      settings->config.H, FALSE, TRUE, settings->ecn != GST_TFRC_ECN_OFF};
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
  g_mutex_init (&peer->lock);
  init_session (peer);
  tfrc_ecn_path_init (&peer->ecn);
  gst_tfrc_peer_restart_ecn (peer, peer->now);
  gst_tfrc_peer_init_srtp (peer);
  gst_tfrc_peer_init_dtls (peer);
  gst_tfrc_data_flow_sender_init (&peer->flow, &settings->filter,
      &settings->config, peer->now);
  gst_tfrc_report_interval_init (&peer->interval, settings->config.H);
  peer->playout = gst_tfrc_playout_buffer_new (settings->latency);
  peer->queue = gst_tfrc_pad_queue_new (serve_object, peer);
  gst_tfrc_remote_connection_init (&peer->connection, peer->now);
  peer->arrived = gst_queue_array_new (FIRST_ARRIVED);
  return peer;
}

GstTfrcPeer *
gst_tfrc_peer_ref (GstTfrcPeer * peer)
{
  g_atomic_int_inc (&peer->refs);
  return peer;
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

static void
clear_recent (GstTfrcPeer * peer)
{
  guint i;

  for (i = 0; peer->recent != NULL && i < GST_TFRC_PEER_RECENT; i++)
    gst_clear_buffer (&peer->recent[i]);
  g_clear_pointer (&peer->recent, g_free);
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
  clear_recent (peer);
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
  g_mutex_unlock (&peer->lock);
}

/* --- the state --- */

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
  if (state == NULL)
    return;
  GST_DEBUG ("peer %u: connection %s, silence %" GST_TIME_FORMAT, peer->id,
      state, GST_TIME_ARGS (peer->connection.silence));
  gst_tfrc_peer_post (peer,
      gst_tfrc_remote_connection_make_structure (&peer->connection, state));
}

static void
check_silence (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcRemoteConnection *connection = &peer->connection;

  gst_tfrc_peer_post_connection (peer,
      gst_tfrc_remote_connection_on_time (connection, now));
  if ((connection->state == GST_TFRC_REMOTE_CONNECTION_LOST
          && now > connection->heard + ABSENCE)
      || (connection->state == GST_TFRC_REMOTE_CONNECTION_WAITING
          && now > peer->expected))
    gst_tfrc_peer_post_connection (peer,
        gst_tfrc_remote_connection_on_gone (connection, now));
}

/* --- what is due --- */

static void
set_timer (GstTfrcPeer * peer, TfrcTime time)
{
  peer->timer = time;
  peer->io.set_timer (peer, time, peer->io.data);
}

void
gst_tfrc_peer_wake_send (GstTfrcPeer * peer)
{
  peer->send_time = 0;
  if (!peer->left)
    set_timer (peer, 0);
}

/* The inward direction or RTCP has changed: makes the worker run what is due of them. */
void
gst_tfrc_peer_wake_receive (GstTfrcPeer * peer)
{
  peer->receive_time = 0;
  if (!peer->left)
    set_timer (peer, 0);
}

TfrcTime
gst_tfrc_peer_advance (GstTfrcPeer * peer, TfrcTime now)
{
  peer->now = MAX (peer->now, now);
  return peer->now;
}

/* Notifies the encoder of its allowance. There is no encoder before the sink pad has caps. */
static void
tell_rate (GstTfrcPeer * peer)
{
  GstTfrcRate rate;

  if (!peer->has_caps
      || !gst_tfrc_data_flow_sender_take_rate (&peer->flow, &rate))
    return;
  rate.ssrc = peer->session.ssrc;
  if (peer->session.block.arrival != 0)
    rate.loss = peer->session.block.fraction / 256.0;
  GST_DEBUG ("peer %u: %s: %u bit/s, X %g p %g", peer->id,
      gst_tfrc_rate_reason_get_name (rate.reason), rate.bitrate,
      rate.allowance.X, rate.allowance.p);
  gst_tfrc_pad_queue_add (peer->queue,
      GST_MINI_OBJECT_CAST (gst_tfrc_rate_event_new (&rate)));
}

static void
post_messages (GstTfrcPeer * peer)
{
  GstStructure *message;

  while ((message = g_queue_pop_head (&peer->flow.messages)) != NULL)
    gst_tfrc_peer_post (peer, message);
}

static void
end_drain (GstTfrcPeer * peer)
{
  if (!peer->draining || !gst_tfrc_data_flow_sender_is_empty (&peer->flow))
    return;
  peer->draining = FALSE;
  if (peer->settings->alone)
    gst_tfrc_peer_send_bye (peer, peer->now);
  peer->ended = peer->settings->alone;
  gst_tfrc_peer_post_state (peer, "drained");
}

/* Posts the state "waiting" when the peer runs for the first time, unless the remote end was heard already. */
static void
begin (GstTfrcPeer * peer)
{
  if (!peer->begun
      && peer->connection.state == GST_TFRC_REMOTE_CONNECTION_WAITING)
    gst_tfrc_peer_post_connection (peer,
        gst_tfrc_remote_connection_state_get_nick (peer->connection.state));
  peer->begun = TRUE;
}

/* Runs what is due of the outward direction. */
static void
run_send (GstTfrcPeer * peer, TfrcTime now)
{
  if (!gst_tfrc_peer_is_ready (peer)) {
    end_drain (peer);
    peer->send_time = TFRC_TIME_NONE;
    return;
  }
  gst_tfrc_data_flow_sender_on_timer (&peer->flow, now);
  gst_tfrc_peer_send_data (peer, now);
  end_drain (peer);
  tell_rate (peer);
  peer->send_time = gst_tfrc_data_flow_sender_next_time (&peer->flow);
}

/* Runs what is due of the outward direction in the calling thread. A timer that comes too early does no
 * harm, and one that is set wakes the worker. */
gboolean
gst_tfrc_peer_run_send_here (GstTfrcPeer * peer, TfrcTime now)
{
  if (!peer->begun || !peer->io.may_send (peer, peer->io.data))
    return FALSE;
  run_send (peer, now);
  post_messages (peer);
  if (peer->send_time < peer->timer)
    set_timer (peer, peer->send_time);
  return TRUE;
}

/* Runs what is due of the inward direction and of RTCP. */
static void
run_receive (GstTfrcPeer * peer, TfrcTime now)
{
  TfrcTime time = TFRC_TIME_NONE;

  if (peer->receiver != NULL) {
    if (now >= tfrc_receiver_next_timer (peer->receiver))
      tfrc_receiver_on_timer (peer->receiver, now);
    time = tfrc_receiver_next_timer (peer->receiver);
  }
  time = MIN (time, gst_tfrc_peer_send_rtcp (peer, now));
  gst_tfrc_peer_play (peer, now);
  check_silence (peer, now);
  time = MIN (time, gst_tfrc_remote_connection_next_time (&peer->connection));
  peer->receive_time =
      MIN (time, gst_tfrc_playout_buffer_next_time (peer->playout));
}

void
gst_tfrc_peer_run (GstTfrcPeer * peer, TfrcTime now)
{
  TfrcTime time;

  if (peer->left)
    return;
  begin (peer);
  time = gst_tfrc_peer_run_dtls (peer, now);
  if (now >= peer->send_time)
    run_send (peer, now);
  if (now >= peer->receive_time)
    run_receive (peer, now);
  post_messages (peer);
  set_timer (peer, MIN (time, MIN (peer->send_time, peer->receive_time)));
}

void
gst_tfrc_peer_on_timer (GstTfrcPeer * peer, GstClockTime now)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_peer_run (peer, gst_tfrc_peer_advance (peer, now));
  g_mutex_unlock (&peer->lock);
  gst_tfrc_peer_hand_out (peer);
}

gboolean
gst_tfrc_peer_has_ssrc (GstTfrcPeer * peer, guint32 ssrc)
{
  const GstTfrcUnicastSession *session = &peer->session;
  gboolean has;

  g_mutex_lock (&peer->lock);
  has = (session->has_data && session->data.ssrc == ssrc) ||
      (session->has_reporter && session->reporter == ssrc);
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
gst_tfrc_peer_say_bye (GstTfrcPeer * peer, GstClockTime now)
{
  g_mutex_lock (&peer->lock);
  now = gst_tfrc_peer_advance (peer, now);
  if (!peer->left)
    gst_tfrc_peer_send_bye (peer, now);
  gst_tfrc_peer_close_dtls (peer);
  peer->left = TRUE;
  set_timer (peer, TFRC_TIME_NONE);
  g_mutex_unlock (&peer->lock);
}

/* --- from any thread --- */

void
gst_tfrc_peer_request_key_frame (GstTfrcPeer * peer)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_unicast_session_request_key_frame (&peer->session, peer->now);
  gst_tfrc_peer_wake_receive (peer);
  g_mutex_unlock (&peer->lock);
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
