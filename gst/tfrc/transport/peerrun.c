/* gst-tfrc: what a peer has to do now, and when it has to do more
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerrun",
    "timers and rates of peers of tfrcbin");

/* A remote end that was silent for so long is taken to have left without a BYE. A shorter outage of the path
 * only pauses the call. */
#define ABSENCE (60 * TFRC_SEC)

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

/* --- what is sent --- */

/* Notifies the encoder of its allowance. There is no encoder before the sink pad has caps. */
static void
tell_rate (GstTfrcPeer * peer)
{
  GstTfrcRate rate;

  if (!peer->has_caps
      || !gst_tfrc_data_flow_sender_take_rate (&peer->flow, &rate))
    return;
  rate.ssrc = peer->session.ssrc;
  rate.loss = tfrc_adapt_loss_share_get (&peer->loss);
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

/* --- what arrives --- */

/* When check_silence() has to look again. A peer without keys has no other timer that would. */
static TfrcTime
get_next_check (const GstTfrcPeer * peer)
{
  const GstTfrcRemoteLiveness *connection = &peer->connection;

  if (connection->state == GST_TFRC_REMOTE_LIVENESS_LOST)
    return connection->heard + ABSENCE + 1;
  if (connection->state == GST_TFRC_REMOTE_LIVENESS_WAITING)
    return peer->expected != TFRC_TIME_NONE ? peer->expected + 1 :
        TFRC_TIME_NONE;
  return gst_tfrc_remote_liveness_next_time (connection);
}

static void
check_silence (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcRemoteLiveness *connection = &peer->connection;

  gst_tfrc_peer_post_connection (peer,
      gst_tfrc_remote_liveness_on_time (connection, now));
  if ((connection->state == GST_TFRC_REMOTE_LIVENESS_LOST
          && now > connection->heard + ABSENCE)
      || (connection->state == GST_TFRC_REMOTE_LIVENESS_WAITING
          && now > peer->expected))
    gst_tfrc_peer_post_connection (peer,
        gst_tfrc_remote_liveness_on_gone (connection, now));
}

/* When the feedback timer is served. Packets that arrive ask for reports, so that the timer is for the time in which
 * none arrives. It is served an interval late, so that it does not wake the worker for each report. */
static TfrcTime
get_feedback_time (const GstTfrcPeer * peer)
{
  TfrcTime time = tfrc_receiver_next_timer (peer->receiver);

  return time == TFRC_TIME_NONE ? time : time + peer->interval.interval;
}

/* Runs what is due of the inward direction and of RTCP. */
static void
run_receive (GstTfrcPeer * peer, TfrcTime now)
{
  TfrcTime time = TFRC_TIME_NONE;

  if (peer->receiver != NULL) {
    if (now >= get_feedback_time (peer))
      tfrc_receiver_on_timer (peer->receiver, now);
    time = get_feedback_time (peer);
  }
  time = MIN (time, gst_tfrc_peer_send_rtcp (peer, now));
  gst_tfrc_peer_play (peer, now);
  check_silence (peer, now);
  time = MIN (time, get_next_check (peer));
  peer->receive_time =
      MIN (time, gst_tfrc_playout_buffer_next_time (peer->playout));
}

/* --- both --- */

/* Posts the state "waiting" when the peer runs for the first time, unless the remote end was heard already. */
static void
begin (GstTfrcPeer * peer)
{
  if (!peer->begun
      && peer->connection.state == GST_TFRC_REMOTE_LIVENESS_WAITING)
    gst_tfrc_peer_post_connection (peer,
        gst_tfrc_remote_liveness_state_get_nick (peer->connection.state));
  peer->begun = TRUE;
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
  gst_tfrc_peer_unlock_and_hand_out (peer);
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
