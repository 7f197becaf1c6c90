/* gst-tfrc: SRTP of a peer: what leaves is encrypted, and what arrives has to be authentic
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include <string.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeersrtp", "SRTP of the peers of tfrcbin");

/* The warning is posted when so many packets arrived and none was authentic. A few may be packets
 * of an earlier call. */
#define WARNING_PACKETS 5

void
gst_tfrc_peer_init_srtp (GstTfrcPeer * peer)
{
  const GstTfrcSrtpKeys *keys = peer->settings->keys;

  if (keys == NULL)
    return;
  gst_tfrc_peer_set_keys (peer, keys);
}

void
gst_tfrc_peer_set_keys (GstTfrcPeer * peer, const GstTfrcSrtpKeys * keys)
{
  GST_DEBUG ("peer %u: SRTP with %s", peer->id,
      gst_tfrc_srtp_cipher_get_name (keys->cipher));
  gst_tfrc_peer_clear_srtp (peer);
  peer->outbound = gst_tfrc_srtp_session_new (keys, TRUE);
  peer->inbound = gst_tfrc_srtp_session_new (keys, FALSE);
  peer->authenticated = peer->wrapped = FALSE;
}

void
gst_tfrc_peer_clear_srtp (GstTfrcPeer * peer)
{
  g_clear_pointer (&peer->outbound, gst_tfrc_srtp_session_free);
  g_clear_pointer (&peer->inbound, gst_tfrc_srtp_session_free);
}

gboolean
gst_tfrc_peer_is_encrypted (GstTfrcPeer * peer)
{
  return peer->dtls != NULL || peer->inbound != NULL;
}

/* --- what arrives --- */

static void
warn_key (GstTfrcPeer * peer)
{
  GstElement *element = peer->settings->element;
  GError *error;

  if (gst_tfrc_warning_note (&peer->key_warning, element) == 0)
    return;
  error = g_error_new (GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED,
      "%" G_GUINT64_FORMAT " packets of peer %u arrived and none is authentic "
      "with its key. Set \"srtp-remote-key\" to the \"srtp-key\" of the other "
      "end, and \"srtp-cipher\" and \"srtp-auth\" to the same values at both "
      "ends.", peer->counts.srtp_failures, peer->id);
  gst_tfrc_pad_queue_add (peer->queue, GST_MINI_OBJECT_CAST
      (gst_message_new_warning (GST_OBJECT (element), error, NULL)));
  g_error_free (error);
}

gboolean
gst_tfrc_peer_decrypt (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram)
{
  if (peer->inbound == NULL && peer->dtls == NULL)
    return TRUE;
  if (peer->inbound != NULL && datagram->size >= 2
      && gst_tfrc_srtp_session_unprotect (peer->inbound, datagram->data,
          &datagram->size, gst_tfrc_peer_is_rtcp (datagram->data))) {
    peer->authenticated = TRUE;
    return TRUE;
  }
  peer->counts.srtp_failures++;
  if (peer->dtls == NULL && !peer->authenticated
      && peer->counts.srtp_failures >= WARNING_PACKETS)
    warn_key (peer);
  return FALSE;
}

/* --- what leaves --- */

/* The route of RTP or RTCP, which the second byte of a datagram tells apart; NULL: the address of the peer is not
 * known yet. */
static GstTfrcUdpRoute *
get_route (GstTfrcPeer * peer, const guint8 * data)
{
  GstTfrcUdpRoute *route = &peer->route;

  if (gst_tfrc_peer_is_rtcp (data) &&
      gst_tfrc_udp_address_is_set (&peer->rtcp_route.remote))
    route = &peer->rtcp_route;
  return gst_tfrc_udp_address_is_set (&route->remote) ? route : NULL;
}

static void
protect_and_send (GstTfrcPeer * peer, guint8 * data, gsize size,
    const GstTfrcUdpRoute * route)
{
  if (gst_tfrc_srtp_session_protect (peer->outbound, data, &size,
          gst_tfrc_peer_is_rtcp (data))) {
    peer->io.send (peer, data, size, route, peer->io.data);
    return;
  }
  peer->counts.not_encrypted++;
  GST_DEBUG ("peer %u: a packet could not be encrypted", peer->id);
}

void
gst_tfrc_peer_send_datagram (GstTfrcPeer * peer, const guint8 * data,
    gsize size, TfrcEcn mark)
{
  GstTfrcUdpRoute *route = get_route (peer, data);
  guint8 room[GST_TFRC_UDP_ROOM], *copy = room;

  if (route == NULL)
    return;
  if (!gst_tfrc_peer_is_ready (peer)) {
    peer->counts.not_encrypted++;
    return;
  }
  route->tos = peer->settings->tos | mark;
  if (peer->outbound == NULL) {
    peer->io.send (peer, data, size, route, peer->io.data);
    return;
  }
  if (size + GST_TFRC_SRTP_GROWTH > sizeof room)
    copy = g_malloc (size + GST_TFRC_SRTP_GROWTH);
  memcpy (copy, data, size);
  protect_and_send (peer, copy, size, route);
  if (copy != room)
    g_free (copy);
}

guint32
gst_tfrc_peer_draw_ssrc (const GstTfrcPeer * peer)
{
  return peer->settings->keys != NULL
      || peer->settings->dtls != NULL ? gst_tfrc_srtp_draw_ssrc () : 0;
}
