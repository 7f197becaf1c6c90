/* gst-tfrc: which datagrams that arrive at tfrcsink or tfrcsrc are for the peer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/endportprivate.h"

#include "base/debugcategory.h"
#include "transport/datagramkind.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcendportreceive",
    "what arrives at the ports of tfrcsink and tfrcsrc");

/* --- RTP and RTCP --- */

/* Whether RTCP from `from` is of the remote end at `remote`; without rtcp-mux from any port of that host. */
static gboolean
is_of_remote (GstTfrcEndPort * port, const GstTfrcUdpAddress * from,
    const GstTfrcUdpAddress * remote)
{
  return port->sockets[1] == NULL ? gst_tfrc_udp_address_equal (from, remote) :
      gst_tfrc_udp_address_same_host (from, remote);
}

/* Without rtcp-mux: RTCP goes to where RTCP of that host came from, else to the next port. */
static void
guess_rtcp_address (GstTfrcEndPort * port, const GstTfrcUdpAddress * media)
{
  GstTfrcUdpAddress rtcp = *media;

  if (port->sockets[1] == NULL)
    return;
  if (gst_tfrc_udp_address_same_host (&port->rtcp_from, media))
    rtcp = port->rtcp_from;
  else
    rtcp.port = MIN (rtcp.port + 1, G_MAXUINT16);
  gst_tfrc_peer_set_rtcp_address (port->peer, &rtcp);
}

/* Behind a NAT, RTCP comes from a port that cannot be guessed. Without keys the first RTCP packet of the host
 * decides where RTCP goes, with keys the latest authentic one. */
static void
note_rtcp_address (GstTfrcEndPort * port, const GstTfrcUdpAddress * from)
{
  if (port->sockets[1] == NULL
      || gst_tfrc_udp_address_equal (&port->rtcp_from, from))
    return;
  if (gst_tfrc_udp_address_same_host (&port->rtcp_from, from) &&
      !gst_tfrc_peer_is_encrypted (port->peer))
    return;
  port->rtcp_from = *from;
  gst_tfrc_peer_set_rtcp_address (port->peer, from);
}

/* No data sender is followed yet: RTCP is answered at the address that it came from. */
static void
answer_stranger (GstTfrcEndPort * port, const GstTfrcUdpAddress * from)
{
  port->rtcp_from = (GstTfrcUdpAddress) { {
      0}};
  gst_tfrc_peer_expect_remote (port->peer, from);
}

static gboolean
admits_rtcp (GstTfrcEndPort * port, const GstTfrcUdpAddress * from)
{
  if (!port->receives)
    return is_of_remote (port, from, &port->settings.remote);
  if (port->choice.following)
    return gst_tfrc_peer_is_encrypted (port->peer)
        || is_of_remote (port, from, &port->choice.followed.address);
  if (!gst_tfrc_udp_address_equal (&port->rtcp_from, from))
    answer_stranger (port, from);
  return TRUE;
}

static void
take_rtcp (GstTfrcEndPort * port, GstTfrcUdpDatagram * datagram)
{
  if (port->receives && !gst_tfrc_peer_authenticate (port->peer, datagram))
    return;
  if (!admits_rtcp (port, &datagram->remote)) {
    GST_LOG ("RTCP of somebody else is dropped");
    port->foreign++;
    return;
  }
  if (!port->receives) {
    gst_tfrc_peer_on_datagram (port->peer, datagram);
    return;
  }
  note_rtcp_address (port, &datagram->remote);
  if (!port->choice.following)
    port->rtcp_from = datagram->remote;
  gst_tfrc_peer_on_authentic (port->peer, datagram);
  if (gst_tfrc_peer_get_connection (port->peer) ==
      GST_TFRC_REMOTE_LIVENESS_GONE)
    gst_tfrc_sender_choice_on_bye (&port->choice, datagram->arrival);
}

static GstTfrcSenderVerdict
choose (GstTfrcEndPort * port, const GstTfrcUdpDatagram * datagram)
{
  GstTfrcSenderVerdict verdict =
      gst_tfrc_sender_choice_on_packet (&port->choice, &datagram->remote,
      GST_READ_UINT32_BE (datagram->data + 8),
      GST_READ_UINT16_BE (datagram->data + 2),
      gst_tfrc_peer_is_encrypted (port->peer), datagram->arrival);

  if (verdict == GST_TFRC_SENDER_TAKEN)
    gst_tfrc_peer_expect_remote (port->peer, &datagram->remote);
  if (verdict == GST_TFRC_SENDER_MOVED)
    gst_tfrc_peer_set_address (port->peer, &datagram->remote,
        datagram->arrival);
  if (verdict == GST_TFRC_SENDER_TAKEN || verdict == GST_TFRC_SENDER_MOVED)
    guess_rtcp_address (port, &datagram->remote);
  return verdict;
}

static void
take_rtp (GstTfrcEndPort * port, GstTfrcUdpDatagram * datagram)
{
  if (!gst_tfrc_peer_authenticate (port->peer, datagram))
    return;
  if (!gst_tfrc_peer_takes_payload (port->peer, datagram->data[1] & 0x7f))
    gst_tfrc_sender_choice_on_useless (&port->choice, &datagram->remote,
        GST_READ_UINT32_BE (datagram->data + 8), datagram->arrival);
  else if (choose (port, datagram) != GST_TFRC_SENDER_OTHER)
    gst_tfrc_peer_on_authentic (port->peer, datagram);
}

/* --- DTLS --- */

typedef struct
{
  GstTfrcEndPort *port;
  GstTfrcUdpRoute route;
} Answer;

static void
send_answer (const guint8 * data, gsize size, gpointer user_data)
{
  Answer *answer = user_data;

  gst_tfrc_udp_worker_socket_send (answer->port->sockets[0], data, size,
      &answer->route);
}

/* Anybody may call a data receiver, and has to show first that it receives what is sent to its address: a
 * ClientHello without a cookie is answered and leaves nothing behind. */
static gboolean
admits_hello (GstTfrcEndPort * port, const GstTfrcUdpDatagram * datagram)
{
  Answer answer = { port, {
          .remote = datagram->remote,
      .local = datagram->local}
  };
  GstTfrcDtlsHello hello;

  return gst_tfrc_dtls_context_check_hello (gst_tfrc_peer_get_settings
      (port->peer)->dtls, &datagram->remote, datagram->data, datagram->size,
      &hello, send_answer, &answer, datagram->arrival);
}

/* A data sender, which calls, takes DTLS of the host that it has called and of no other. A data receiver takes it
 * from any host. */
static void
take_dtls (GstTfrcEndPort * port, GstTfrcUdpDatagram * datagram)
{
  if (!port->receives && !is_of_remote (port, &datagram->remote,
          &port->settings.remote))
    port->unexpected++;
  else if (!port->receives ||
      gst_tfrc_dtls_find_hello (datagram->data, datagram->size) == NULL ||
      admits_hello (port, datagram))
    gst_tfrc_peer_on_datagram (port->peer, datagram);
}

static gboolean
is_dtls (GstTfrcEndPort * port, const GstTfrcUdpDatagram * datagram)
{
  return gst_tfrc_peer_get_settings (port->peer)->dtls != NULL &&
      gst_tfrc_dtls_is_record (datagram->data, datagram->size);
}

/* --- both --- */

static void
take_datagram (GstTfrcEndPort * port, GstTfrcUdpDatagram * datagram,
    gboolean on_rtcp_socket)
{
  gboolean apart = port->sockets[1] != NULL;

  if (is_dtls (port, datagram)) {
    take_dtls (port, datagram);
    return;
  }
  switch (gst_tfrc_datagram_find_kind (datagram->data, datagram->size)) {
    case GST_TFRC_DATAGRAM_NEITHER:
      port->malformed++;
      return;
    case GST_TFRC_DATAGRAM_RTP:
      if (port->receives && !on_rtcp_socket)
        take_rtp (port, datagram);
      else
        port->unexpected++;
      return;
    case GST_TFRC_DATAGRAM_RTCP:
      if (!apart || on_rtcp_socket)
        take_rtcp (port, datagram);
      else
        port->unexpected++;
      return;
  }
}

void
gst_tfrc_end_port_on_datagrams (GstTfrcUdpWorkerSocket * socket,
    GstTfrcUdpDatagram * datagrams, guint n_datagrams, gpointer data)
{
  GstTfrcEndPort *port = data;
  guint i;

  for (i = 0; i < n_datagrams && port->begun; i++)
    take_datagram (port, &datagrams[i], socket == port->sockets[1]);
}
