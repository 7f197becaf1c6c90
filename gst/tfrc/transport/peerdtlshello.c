/* gst-tfrc: which DTLS handshakes a peer answers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerdtlsprivate.h"

#include <string.h>

#include "base/followedssrc.h"

/* The least time between two ClientHellos that begin a handshake. A ClientHello costs a signature, and its
 * sender has only shown that it receives at the peer's address. */
#define HELLO_GAP (100 * TFRC_MSEC)

/* A handshake that a data receiver has begun to answer keeps other callers out for this time. A handshake takes
 * three round trips. */
#define TURN (1 * TFRC_SEC)

/* Both ends have sent a ClientHello. The one with the lower random bytes stays client; both ends come to
 * the same, since a ClientHello that is sent again, with a cookie too, has the same bytes. */
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

/* It is the ClientHello of the handshake that is going on. */
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

static void
begin_server (GstTfrcPeer * peer, const GstTfrcDtlsHello * hello,
    const GstTfrcUdpDatagram * datagram, TfrcTime now)
{
  GstTfrcPeerDtls *dtls = peer->dtls;
  GstTfrcDtlsSession *session;

  if (dtls->answered != 0 && now < dtls->answered + HELLO_GAP)
    return;
  session = gst_tfrc_peer_new_dtls_session (peer, hello, now);
  if (session == NULL)
    return;
  gst_tfrc_peer_clear_handshake (peer);
  dtls->pending = session;
  dtls->answered = now;
  if (gst_tfrc_peer_has_callers (peer)) {
    dtls->caller.remote = datagram->remote;
    dtls->caller.local = datagram->local;
  }
}

/* Whether who is at `from` may begin a handshake: at any time where the data sender is, and somebody else
 * when no data sender is heard and no other caller has its turn. */
static gboolean
admits_caller (const GstTfrcPeer * peer, const GstTfrcUdpAddress * from,
    TfrcTime now)
{
  const GstTfrcPeerDtls *dtls = peer->dtls;

  if (!gst_tfrc_peer_has_callers (peer))
    return TRUE;
  if (dtls->pending != NULL && now < dtls->answered + TURN)
    return gst_tfrc_udp_address_equal (&dtls->caller.remote, from);
  return dtls->current == NULL ||
      gst_tfrc_udp_address_equal (&peer->route.remote, from) ||
      peer->connection.state != GST_TFRC_REMOTE_CONNECTION_CONNECTED ||
      gst_tfrc_ssrc_is_silent (peer->connection.heard, now);
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
    gst_tfrc_dtls_session_on_datagram (dtls->pending, datagram->data,
        datagram->size, now);
}
