/* gst-tfrc: the DTLS handshakes of a peer, which give its keys of SRTP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerdtlsprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerdtls", "DTLS of the peers of tfrcbin");

/* A client begins anew this long after a handshake that failed, or after the remote has closed. */
#define RETRY (2 * TFRC_SEC)

/* A client whose remote has the keys and is not heard begins anew this long after a handshake. Every RTP session sends
 * RTCP within that time (RFC 3550 6.2). */
#define NEXT_HANDSHAKE (5 * TFRC_SEC)

void
gst_tfrc_peer_init_dtls (GstTfrcPeer * peer)
{
  if (peer->settings->dtls == NULL)
    return;
  peer->dtls = g_new0 (GstTfrcPeerDtls, 1);
  peer->dtls->refused = TFRC_TIME_NONE;
  peer->dtls->retry = gst_tfrc_peer_begins_dtls (peer) ? 0 : TFRC_TIME_NONE;
}

void
gst_tfrc_peer_clear_handshake (GstTfrcPeer * peer)
{
  g_clear_pointer (&peer->dtls->pending, gst_tfrc_dtls_session_free);
  peer->dtls->caller = (GstTfrcUdpRoute) {.tos = 0};
}

void
gst_tfrc_peer_close_dtls (GstTfrcPeer * peer)
{
  if (peer->dtls == NULL)
    return;
  gst_tfrc_peer_clear_handshake (peer);
  if (peer->dtls->current != NULL)
    gst_tfrc_dtls_session_close (peer->dtls->current);
  g_clear_pointer (&peer->dtls->current, gst_tfrc_dtls_session_free);
}

void
gst_tfrc_peer_clear_dtls (GstTfrcPeer * peer)
{
  gst_tfrc_peer_close_dtls (peer);
  g_clear_pointer (&peer->dtls, g_free);
}

void
gst_tfrc_peer_send_dtls (const guint8 * data, gsize size, gpointer user_data)
{
  GstTfrcPeer *peer = user_data;
  GstTfrcUdpRoute *caller = &peer->dtls->caller;
  GstTfrcUdpRoute *route =
      gst_tfrc_udp_address_is_set (&caller->remote) ? caller : &peer->route;

  route->tos = peer->settings->tos;
  peer->io.send (peer, data, size, route, peer->io.data);
}

GstTfrcDtlsSession *
gst_tfrc_peer_new_dtls_session (GstTfrcPeer * peer,
    const GstTfrcDtlsHello * hello, const GstTfrcUdpAddress * caller,
    TfrcTime now)
{
  const GstTfrcPeerSettings *settings = peer->settings;
  GstTfrcDtlsSessionConfig config = { settings->dtls, settings->fingerprints,
    settings->srtp_auth, hello, caller, gst_tfrc_peer_send_dtls, peer
  };

  GST_DEBUG ("peer %u: a handshake begins, this end is the %s", peer->id,
      hello == NULL ? "client" : "server");
  return gst_tfrc_dtls_session_new (&config, now);
}

/* --- results of a handshake --- */

static void
warn (GstTfrcPeer * peer, GError * error)
{
  GstElement *element = peer->settings->element;

  if (gst_tfrc_warning_note (&peer->dtls->warning, element) > 0)
    gst_tfrc_pad_queue_add (peer->queue, GST_MINI_OBJECT_CAST
        (gst_message_new_warning (GST_OBJECT (element), error, NULL)));
  g_error_free (error);
}

static void
warn_refused (GstTfrcPeer * peer)
{
  const gchar *list = peer->settings->fingerprints;

  warn (peer, g_error_new (GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NOT_AUTHORIZED,
          "The certificate of peer %u has the fingerprint %s, and "
          "\"peer-fingerprint\" is %s. The peer is not connected. If it is who "
          "it should be, set \"peer-fingerprint\" to the \"fingerprint\" of "
          "the other end.", peer->id,
          gst_tfrc_dtls_session_get_remote_fingerprint (peer->dtls->pending),
          list != NULL ? list : "not set"));
}

/* An attacker who can send from the peer's address can cause this warning, and nothing else. */
static void
warn_failed (GstTfrcPeer * peer)
{
  warn (peer, g_error_new (GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
          "The DTLS handshake with peer %u failed: %s. The fingerprint of this "
          "end, which \"peer-fingerprint\" of the other end must have, is %s.",
          peer->id, gst_tfrc_dtls_session_get_error (peer->dtls->pending),
          gst_tfrc_dtls_context_get_fingerprint (peer->settings->dtls)));
}

static void
give_up (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;

  dtls->failures++;
  GST_DEBUG ("peer %u: the handshake failed: %s", peer->id,
      gst_tfrc_dtls_session_get_error (dtls->pending));
  if (gst_tfrc_dtls_session_get_state (dtls->pending) == GST_TFRC_DTLS_REFUSED)
    warn_refused (peer);
  else
    warn_failed (peer);
  gst_tfrc_peer_clear_handshake (peer);
  dtls->retry = gst_tfrc_peer_begins_dtls (peer) ? now + RETRY : TFRC_TIME_NONE;
  /* a peer that has called is gone when its first handshake has failed */
  if (dtls->current == NULL && peer->expected != TFRC_TIME_NONE)
    gst_tfrc_peer_post_connection (peer,
        gst_tfrc_remote_liveness_on_gone (&peer->connection, now));
}

static void
post_encrypted (GstTfrcPeer * peer)
{
  gst_tfrc_peer_post (peer, gst_structure_new (GST_TFRC_PEER_MESSAGE,
          "state", G_TYPE_STRING, "encrypted",
          "fingerprint", G_TYPE_STRING,
          gst_tfrc_dtls_session_get_remote_fingerprint (peer->dtls->current),
          NULL));
}

/* The caller has shown that its certificate has the fingerprint: the remote is where it called from. */
static void
move_to_caller (GstTfrcPeer * peer)
{
  GstTfrcUdpRoute *caller = &peer->dtls->caller;

  if (!gst_tfrc_udp_address_is_set (&caller->remote))
    return;
  peer->route = *caller;
  *caller = (GstTfrcUdpRoute) {.tos = 0};
  gst_tfrc_peer_post_state (peer, "moved");
}

/* The keys of the handshake replace those that were in use. */
static void
adopt (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;
  gboolean first = peer->outbound == NULL;
  GstTfrcSrtpKeys keys;

  gst_tfrc_dtls_session_get_keys (dtls->pending, &keys);
  gst_tfrc_peer_set_keys (peer, &keys);
  gst_tfrc_srtp_keys_wipe (&keys);
  g_clear_pointer (&dtls->current, gst_tfrc_dtls_session_free);
  dtls->current = g_steal_pointer (&dtls->pending);
  dtls->retry = gst_tfrc_peer_begins_dtls (peer) ? now + NEXT_HANDSHAKE :
      TFRC_TIME_NONE;
  dtls->asked = FALSE;
  dtls->handshakes++;
  move_to_caller (peer);
  GST_DEBUG ("peer %u: encrypted, fingerprint %s", peer->id,
      gst_tfrc_dtls_session_get_remote_fingerprint (dtls->current));
  if (first) {
    gst_tfrc_data_flow_sender_restart (&peer->flow, now);
    gst_tfrc_data_flow_sender_set_initial_rtt (&peer->flow,
        gst_tfrc_dtls_session_get_rtt (dtls->current), now);
  }
  peer->send_time = peer->receive_time = 0;
  post_encrypted (peer);
}

/* The remote has ended the association. What waits to be sent has no keys any more. */
static void
end_association (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;

  GST_DEBUG ("peer %u: the remote has closed the association", peer->id);
  g_clear_pointer (&dtls->current, gst_tfrc_dtls_session_free);
  gst_tfrc_peer_clear_srtp (peer);
  peer->counts.not_encrypted += peer->flow.queue.packets;
  gst_tfrc_pacing_queue_flush (&peer->flow.queue);
  dtls->retry = gst_tfrc_peer_begins_dtls (peer) ? now + RETRY : TFRC_TIME_NONE;
  peer->send_time = peer->receive_time = 0;
  gst_tfrc_peer_post_connection (peer,
      gst_tfrc_remote_liveness_on_gone (&peer->connection, now));
}

/* Acts on the state of the sessions after one of them has run. */
static void
look_at_sessions (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;

  if (dtls->current != NULL &&
      gst_tfrc_dtls_session_get_state (dtls->current) == GST_TFRC_DTLS_CLOSED)
    end_association (peer, now);
  if (dtls->pending == NULL)
    return;
  switch (gst_tfrc_dtls_session_get_state (dtls->pending)) {
    case GST_TFRC_DTLS_HANDSHAKE:
      break;
    case GST_TFRC_DTLS_OPEN:
      adopt (peer, now);
      break;
    default:
      give_up (peer, now);
      break;
  }
}

void
gst_tfrc_peer_take_dtls (GstTfrcPeer * peer, GstTfrcDtlsSession * session,
    const GstTfrcUdpDatagram * datagram, TfrcTime now)
{
  if (!gst_tfrc_dtls_session_on_datagram (session, datagram->data,
          datagram->size, now))
    peer->dtls->malformed++;
}

/* --- called by the peer --- */

/* The association that a datagram from `from` is of; NULL: none. */
static GstTfrcDtlsSession *
find_session (const GstTfrcPeer * peer, const GstTfrcUdpAddress * from)
{
  const GstTfrcPeerDtls *dtls = peer->dtls;

  if (dtls->pending != NULL)
    return gst_tfrc_peer_is_dtls_of (peer, &dtls->caller.remote,
        from) ? dtls->pending : NULL;
  return gst_tfrc_peer_is_dtls_of (peer, &peer->route.remote,
      from) ? dtls->current : NULL;
}

void
gst_tfrc_peer_on_dtls (GstTfrcPeer * peer, const GstTfrcUdpDatagram * datagram,
    TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;
  const guint8 *random = gst_tfrc_dtls_find_hello (datagram->data,
      datagram->size);
  GstTfrcDtlsSession *session = find_session (peer, &datagram->remote);

  if (peer->left)
    return;
  if (random != NULL)
    gst_tfrc_peer_on_hello (peer, random, datagram, now);
  else if (session == NULL)
    peer->counts.refused++;
  else if (gst_tfrc_peer_is_dtls_server (dtls) ||
      !gst_tfrc_dtls_is_rest_of_hello (datagram->data, datagram->size))
    gst_tfrc_peer_take_dtls (peer, session, datagram, now);
  look_at_sessions (peer, now);
}

/* A remote that is not heard may have begun anew and lost its keys: a client begins a handshake, at once when it is
 * lost, and else when its first word does not come. The keys of this end stay in use until there are new ones. */
static void
renew (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;
  gboolean heard = peer->connection.state == GST_TFRC_REMOTE_LIVENESS_CONNECTED;
  gboolean waiting = peer->connection.state == GST_TFRC_REMOTE_LIVENESS_WAITING;

  if (dtls->current == NULL || waiting)
    return;
  if (!heard && dtls->pending == NULL && dtls->retry == TFRC_TIME_NONE &&
      gst_tfrc_peer_begins_dtls (peer))
    dtls->retry = now;
  if (heard && dtls->pending != NULL
      && !gst_tfrc_dtls_session_is_answered (dtls->pending))
    gst_tfrc_peer_clear_handshake (peer);
  if (heard)
    dtls->retry = TFRC_TIME_NONE;
}

/* Whether the next handshake may begin. A remote that has keys and was never heard since may have nothing to say as long
 * as nothing was sent to it. */
static gboolean
may_begin (GstTfrcPeer * peer, TfrcTime now)
{
  const GstTfrcUnicastSession *session = &peer->session;
  GstTfrcPeerDtls *dtls = peer->dtls;

  if (dtls->pending != NULL || now < dtls->retry)
    return FALSE;
  if (dtls->current == NULL || dtls->asked || !gst_tfrc_peer_is_new (peer))
    return TRUE;
  dtls->asked = session->packets_sent > 0 || session->counts.rtcp_sent > 0;
  dtls->retry = now + NEXT_HANDSHAKE;
  return FALSE;
}

TfrcTime
gst_tfrc_peer_run_dtls (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;

  if (dtls == NULL)
    return TFRC_TIME_NONE;
  renew (peer, now);
  if (may_begin (peer, now)) {
    dtls->pending = gst_tfrc_peer_new_dtls_session (peer, NULL, NULL, now);
    dtls->retry = dtls->pending != NULL ? TFRC_TIME_NONE : now + RETRY;
  }
  if (dtls->pending == NULL)
    return dtls->retry;
  gst_tfrc_dtls_session_on_time (dtls->pending, now);
  look_at_sessions (peer, now);
  return dtls->pending != NULL ?
      gst_tfrc_dtls_session_next_time (dtls->pending) : dtls->retry;
}

void
gst_tfrc_peer_redial_dtls (GstTfrcPeer * peer, TfrcTime now)
{
  if (peer->dtls == NULL)
    return;
  gst_tfrc_peer_clear_handshake (peer);
  peer->dtls->retry = gst_tfrc_peer_begins_dtls (peer) ? now : TFRC_TIME_NONE;
  peer->dtls->asked = TRUE;
}

gboolean
gst_tfrc_peer_awaits_hello (GstTfrcPeer * peer, GstClockTime now)
{
  gboolean awaits;

  g_mutex_lock (&peer->lock);
  awaits = peer->dtls != NULL && gst_tfrc_peer_answers_dtls (peer) &&
      peer->connection.state != GST_TFRC_REMOTE_LIVENESS_CONNECTED;
  g_mutex_unlock (&peer->lock);
  return awaits;
}

void
gst_tfrc_peer_add_dtls_stats (const GstTfrcPeer * peer, GstStructure * stats)
{
  const GstTfrcPeerDtls *dtls = peer->dtls;

  if (dtls == NULL)
    return;
  gst_structure_set (stats,
      "handshakes", G_TYPE_UINT64, dtls->handshakes,
      "handshakes-failed", G_TYPE_UINT64, dtls->failures,
      "dtls-malformed", G_TYPE_UINT64, dtls->malformed, NULL);
  if (dtls->current != NULL)
    gst_structure_set (stats, "fingerprint", G_TYPE_STRING,
        gst_tfrc_dtls_session_get_remote_fingerprint (dtls->current), NULL);
}
