/* gst-tfrc: which DTLS handshakes a peer answers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerdtlsprivate.h"

#include <string.h>

#include "base/followedssrc.h"

/* The least time between two ClientHellos that begin a handshake or are refused one. A handshake costs a
 * signature, and the sender of a ClientHello has only shown that it receives at the peer's address. */
#define HELLO_GAP (100 * TFRC_MSEC)

/* A handshake that a data receiver has begun to answer keeps other callers out for this time. A handshake takes
 * three round trips. */
#define TURN (1 * TFRC_SEC)

/* A host that was refused in the turn of another calls again within this time: RTO_PATIENT of dtlssession.c, and
 * what a slow path adds. */
#define CALLS_AGAIN (4 * TFRC_SEC)

/* Whether this end gives up its own handshake, because both ends have sent a ClientHello. The end with the lower random
 * bytes stays client. Both ends decide alike, since a ClientHello that is sent again, with a cookie too, has the same bytes. */
static gboolean
yields (GstTfrcPeer * peer, const guint8 * random)
{
  GstTfrcDtlsSession *pending = peer->dtls->pending;
  guint8 own[GST_TFRC_DTLS_RANDOM_SIZE];

  if (pending == NULL || !gst_tfrc_dtls_session_is_client (pending))
    return TRUE;
  gst_tfrc_dtls_session_get_random (pending, own);
  return memcmp (own, random, sizeof own) >= 0;
}

/* Whether `random` is of the ClientHello of the handshake that is going on. */
static gboolean
is_repeated (GstTfrcPeer * peer, const guint8 * random)
{
  GstTfrcDtlsSession *pending = peer->dtls->pending;
  guint8 known[GST_TFRC_DTLS_RANDOM_SIZE];

  if (pending == NULL || gst_tfrc_dtls_session_is_client (pending))
    return FALSE;
  gst_tfrc_dtls_session_get_random (pending, known);
  return memcmp (known, random, sizeof known) == 0;
}

/* The handshake of a caller begins: it has a turn from now on, or goes on with the one that it has. */
static void
take_turn (GstTfrcPeerDtls * dtls, const GstTfrcUdpAddress * from, TfrcTime now)
{
  if (gst_tfrc_udp_address_same_host (&dtls->host, from)
      && now < dtls->turn + TURN)
    return;
  dtls->host = *from;
  dtls->turn = now;
  dtls->refused = TFRC_TIME_NONE;
}

static void
begin_server (GstTfrcPeer * peer, const GstTfrcDtlsHello * hello,
    const GstTfrcUdpDatagram * datagram, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;
  GstTfrcDtlsSession *session;

  if (dtls->answered != 0 && now < dtls->answered + HELLO_GAP)
    return;
  dtls->answered = now;
  session = gst_tfrc_peer_new_dtls_session (peer, hello, &datagram->remote,
      now);
  if (session == NULL)
    return;
  gst_tfrc_peer_clear_handshake (peer);
  dtls->pending = session;
  if (gst_tfrc_peer_has_callers (peer)) {
    take_turn (dtls, &datagram->remote, now);
    dtls->caller.remote = datagram->remote;
    dtls->caller.local = datagram->local;
  }
}

/* Whether who is at `from` may call: at any time where the data sender is, and somebody else when no data sender is
 * heard. */
static gboolean
may_call (const GstTfrcPeer * peer, const GstTfrcUdpAddress * from,
    TfrcTime now)
{
  return peer->dtls->current == NULL ||
      gst_tfrc_udp_address_equal (&peer->route.remote, from) ||
      peer->connection.state != GST_TFRC_REMOTE_LIVENESS_CONNECTED ||
      gst_tfrc_ssrc_is_silent (peer->connection.heard, now);
}

/* Whether a caller has its turn. Calling again does not make a turn longer, and a host has no second one in a row
 * while another waits, so that nobody is kept out by who calls again and again. */
static gboolean
has_turn (GstTfrcPeerDtls * dtls, const GstTfrcUdpAddress * from, TfrcTime now)
{
  gboolean same_host = gst_tfrc_udp_address_same_host (&dtls->host, from);

  if (dtls->pending == NULL || now >= dtls->turn + TURN)
    return !same_host || dtls->refused == TFRC_TIME_NONE ||
        now >= dtls->refused + CALLS_AGAIN;
  if (!same_host)
    dtls->refused = now;
  return gst_tfrc_udp_address_equal (&dtls->caller.remote, from);
}

/* Whether who is at `from` may begin a handshake. */
static gboolean
admits_caller (const GstTfrcPeer * peer, const GstTfrcUdpAddress * from,
    TfrcTime now)
{
  return !gst_tfrc_peer_has_callers (peer) ||
      (may_call (peer, from, now) && has_turn (peer->dtls, from, now));
}

void
gst_tfrc_peer_on_hello (GstTfrcPeer * peer, const guint8 * random,
    const GstTfrcUdpDatagram * datagram, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;
  const GstTfrcUdpAddress *from =
      gst_tfrc_peer_has_callers (peer) ? &datagram->remote :
      &peer->route.remote;
  GstTfrcDtlsHello hello;

  if (!gst_tfrc_peer_answers_dtls (peer) || !yields (peer, random) ||
      !admits_caller (peer, from, now) ||
      !gst_tfrc_dtls_context_check_hello (peer->settings->dtls, from,
          datagram->data, datagram->size, &hello, gst_tfrc_peer_send_dtls, peer,
          now))
    return;
  if (!is_repeated (peer, random))
    begin_server (peer, &hello, datagram, now);
  if (gst_tfrc_peer_is_dtls_server (dtls)
      && gst_tfrc_peer_is_dtls_of (peer, &dtls->caller.remote, from))
    gst_tfrc_peer_take_dtls (peer, dtls->pending, datagram, now);
}
