/* gst-tfrc: the DTLS associations of a peer, as the files of its DTLS share them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PEERDTLSPRIVATE_H
#define GST_TFRC_PEERDTLSPRIVATE_H

#include "transport/dtlssession.h"
#include "transport/peerprivate.h"

G_BEGIN_DECLS

/* A peer has one association whose keys are in use and one handshake that may replace it. Until that
 * handshake is done and the fingerprint matches, nothing changes, so that nobody can end a call by a
 * ClientHello. */
struct _GstTfrcPeerDtls
{
  GstTfrcDtlsSession *current;  /* whose keys are in use; NULL: there are none */
  GstTfrcDtlsSession *pending;  /* a handshake; NULL: none */
  GstTfrcUdpRoute caller;       /* of `pending`, when anybody may call; not set: the peer's address */
  TfrcTime answered;            /* when a ClientHello last began a handshake or was refused one */
  GstTfrcUdpAddress host;       /* that had the last turn, when anybody may call */
  TfrcTime turn;                /* when that turn began */
  TfrcTime refused;             /* when another host was last refused in it; NONE: none was */
  TfrcTime retry;               /* when a client begins without `pending`; NONE: never */
  gboolean asked;               /* something was sent with the keys in use, which the remote would have answered */
  guint64 handshakes, failures;
  guint64 malformed;            /* datagrams that an association has dropped */
  GstTfrcWarning warning;
};

static inline gboolean
gst_tfrc_peer_begins_dtls (const GstTfrcPeer * peer)
{
  return peer->settings->dtls_setup != GST_TFRC_DTLS_PASSIVE;
}

static inline gboolean
gst_tfrc_peer_answers_dtls (const GstTfrcPeer * peer)
{
  return peer->settings->dtls_setup != GST_TFRC_DTLS_ACTIVE;
}

/* tfrcsrc does not know where its data sender is: the caller whose certificate has the fingerprint is. */
static inline gboolean
gst_tfrc_peer_has_callers (const GstTfrcPeer * peer)
{
  return peer->settings->alone && peer->settings->only_receives;
}

static inline gboolean
gst_tfrc_peer_is_dtls_server (const GstTfrcPeerDtls * dtls)
{
  return dtls->pending != NULL &&
      !gst_tfrc_dtls_session_is_client (dtls->pending);
}

/* Whether a datagram from `from` is of the other end of an association, which is at `remote`. */
static inline gboolean
gst_tfrc_peer_is_dtls_of (const GstTfrcPeer * peer, const GstTfrcUdpAddress * remote,
    const GstTfrcUdpAddress * from)
{
  return !gst_tfrc_peer_has_callers (peer) || gst_tfrc_udp_address_equal (remote, from);
}

/* All with the lock of the peer. */

/* peerdtls.c: a handshake of the peer; a client's without `hello` and `caller`. NULL: as gst_tfrc_dtls_session_new() returns it. */
GstTfrcDtlsSession *gst_tfrc_peer_new_dtls_session (GstTfrcPeer * peer,
    const GstTfrcDtlsHello * hello, const GstTfrcUdpAddress * caller, TfrcTime now);
/* Gives up the handshake that is going on, if there is one. */
void gst_tfrc_peer_clear_handshake (GstTfrcPeer * peer);
/* A datagram came for an association of the peer. */
void gst_tfrc_peer_take_dtls (GstTfrcPeer * peer, GstTfrcDtlsSession * session,
    const GstTfrcUdpDatagram * datagram, TfrcTime now);
/* Sends a datagram of DTLS; `user_data` is the peer. */
void gst_tfrc_peer_send_dtls (const guint8 * data, gsize size,
    gpointer user_data);

/* peerdtlsaccept.c: a ClientHello with these random bytes came. */
void gst_tfrc_peer_on_hello (GstTfrcPeer * peer, const guint8 * random,
    const GstTfrcUdpDatagram * datagram, TfrcTime now);

G_END_DECLS

#endif
