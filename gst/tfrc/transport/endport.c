/* gst-tfrc: the UDP port, or the two ports, of tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/endport.h"

#include "base/debugcategory.h"
#include "transport/datagramkind.h"
#include "transport/senderchoice.h"
#include "transport/udpworkerprivate.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcendport",
    "the UDP ports of tfrcsink and tfrcsrc");

struct _GstTfrcEndPort
{
  GstTfrcEndPortSettings settings;      /* without sockets and context */
  gboolean receives;            /* data */
  GstTfrcUdpWorker *worker;
  GstTfrcUdpSocket *sockets[2]; /* the second is NULL when RTP and RTCP share one */
  GstTfrcPeer *peer;
  GstTfrcUdpTimer timer;

  /* of the worker's thread */
  gboolean begun;
  GstTfrcSenderChoice choice;
  GstTfrcUdpAddress rtcp_from;  /* where RTCP of the remote end came from; not set: nowhere yet */
  guint64 malformed, unexpected, foreign;
};

/* --- how the peer reaches the port --- */

static gboolean
is_flushed (GstTfrcEndPort * port)
{
  return gst_tfrc_udp_socket_is_flushed (port->sockets[0]) &&
      (port->sockets[1] == NULL
      || gst_tfrc_udp_socket_is_flushed (port->sockets[1]));
}

/* Behind what the peer has sent in its worker's round only what is sent there may leave. */
static gboolean
may_send (GstTfrcPeer * peer, gpointer io_data)
{
  GstTfrcEndPort *port = io_data;

  return gst_tfrc_udp_worker_is_current (port->worker) ||
      (gst_tfrc_udp_worker_get_current () == NULL &&
      !gst_tfrc_udp_worker_is_pausing (port->worker) && is_flushed (port));
}

static void
send_datagram (GstTfrcPeer * peer, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer io_data)
{
  GstTfrcEndPort *port = io_data;
  gboolean rtcp = data[1] >= 192 && data[1] <= 223;

  gst_tfrc_udp_socket_send (port->sockets[rtcp && port->sockets[1] != NULL],
      data, size, route);
}

static void
set_timer (GstTfrcPeer * peer, GstClockTime time, gpointer io_data)
{
  GstTfrcEndPort *port = io_data;

  gst_tfrc_udp_timer_set (&port->timer, time);
}

static void
on_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  GstTfrcEndPort *port = data;

  if (port->begun)
    gst_tfrc_peer_on_timer (port->peer, now);
}

/* --- whose a datagram is --- */

/* Whether RTCP from there is of the host that `remote` is at. */
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

/* Where a NAT is in between, RTCP comes from a port that nobody can guess. Without keys the first
 * packet of the host tells it, with keys each authentic one. */
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

/* Nobody is followed yet: whoever asks is answered. */
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
      GST_TFRC_REMOTE_CONNECTION_GONE)
    gst_tfrc_sender_choice_on_bye (&port->choice);
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

  gst_tfrc_udp_socket_send (answer->port->sockets[0], data, size,
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

/* The data sender calls, and is answered by the host that it has called alone. */
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

static void
on_datagrams (GstTfrcUdpSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n_datagrams, gpointer data)
{
  GstTfrcEndPort *port = data;
  guint i;

  for (i = 0; i < n_datagrams && port->begun; i++)
    take_datagram (port, &datagrams[i], socket == port->sockets[1]);
}

/* What the path tells may be forged, and that nobody listens there yet is no fault. */
static void
on_error (GstTfrcUdpSocket * socket, const GstTfrcUdpError * error,
    gpointer data)
{
  GstTfrcEndPort *port = data;

  if (!error->from_path)
    port->settings.on_error (error, port->settings.data);
}

/* --- open and closed --- */

/* What the user has set goes before what a worker's socket asks for. */
static void
set_buffers (GSocket * socket, gint size)
{
  if (size == 0)
    return;
  g_socket_set_option (socket, SOL_SOCKET, SO_RCVBUF, size, NULL);
  g_socket_set_option (socket, SOL_SOCKET, SO_SNDBUF, size, NULL);
}

static gboolean
open_sockets (GstTfrcEndPort * port, const GstTfrcEndPortSettings * settings,
    GError ** error)
{
  static const GstTfrcUdpSocketCallbacks callbacks = { on_datagrams, on_error };
  guint i;

  for (i = 0; i < 2 && settings->sockets[i] != NULL; i++) {
    port->sockets[i] = gst_tfrc_udp_socket_new (port->worker,
        settings->sockets[i], &callbacks, port, error);
    if (port->sockets[i] == NULL)
      return FALSE;
    set_buffers (settings->sockets[i], settings->buffer_size);
  }
  return TRUE;
}

static void
close_sockets (GstTfrcEndPort * port)
{
  guint i;

  for (i = 0; i < 2; i++)
    if (port->sockets[i] != NULL)
      gst_tfrc_udp_socket_close (port->sockets[i]);
  gst_tfrc_udp_worker_leave (port->worker);
}

GstTfrcEndPort *
gst_tfrc_end_port_open (const GstTfrcEndPortSettings * settings,
    GError ** error)
{
  GstTfrcEndPort *port = g_new0 (GstTfrcEndPort, 1);

  port->settings = *settings;
  port->receives = !gst_tfrc_udp_address_is_set (&settings->remote);
  port->worker = gst_tfrc_udp_worker_join (settings->context, 1, error);
  if (port->worker != NULL && open_sockets (port, settings, error))
    return port;
  if (port->worker != NULL)
    close_sockets (port);
  g_free (port);
  return NULL;
}

void
gst_tfrc_end_port_close (GstTfrcEndPort * port)
{
  close_sockets (port);
  g_free (port);
}

/* --- the peer --- */

GstTfrcPeer *
gst_tfrc_end_port_add_peer (GstTfrcEndPort * port,
    GstTfrcPeerSettings * settings, GstTfrcPeerServeFunc serve, gpointer data)
{
  GstTfrcPeerIo io =
      { may_send, send_datagram, set_timer, gst_util_get_timestamp,
    gst_tfrc_udp_datagram_take_buffer, port
  };

  port->choice = (GstTfrcSenderChoice) {FALSE};
  port->rtcp_from = (GstTfrcUdpAddress) { {
      0}};
  gst_tfrc_udp_timer_init (&port->timer, port->worker, on_timer, port);
  port->peer = gst_tfrc_peer_new (0, NULL, &port->settings.remote, settings,
      &io, serve, data);
  if (gst_tfrc_udp_address_is_set (&port->settings.rtcp_remote))
    gst_tfrc_peer_set_rtcp_address (port->peer, &port->settings.rtcp_remote);
  return gst_tfrc_peer_ref (port->peer);
}

static void
begin (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcEndPort *port = data;

  port->begun = TRUE;
  gst_tfrc_udp_timer_set (&port->timer, 0);
}

void
gst_tfrc_end_port_begin (GstTfrcEndPort * port)
{
  gst_tfrc_udp_worker_call (port->worker, begin, port);
}

static void
flush (GstTfrcUdpWorker * worker, gpointer data)
{
  gst_tfrc_udp_worker_flush (worker);
}

void
gst_tfrc_end_port_flush (GstTfrcEndPort * port)
{
  gst_tfrc_udp_worker_call (port->worker, flush, NULL);
}

static void
end (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcEndPort *port = data;

  port->begun = FALSE;
  gst_tfrc_peer_say_bye (port->peer, gst_util_get_timestamp ());
  gst_tfrc_udp_timer_close (&port->timer);
}

void
gst_tfrc_end_port_remove_peer (GstTfrcEndPort * port)
{
  if (port->peer == NULL)
    return;
  gst_tfrc_udp_worker_call (port->worker, end, port);
  g_clear_pointer (&port->peer, gst_tfrc_peer_unref);
}

/* --- statistics --- */

typedef struct
{
  GstTfrcEndPort *port;
  GstTfrcEndPortStats *stats;
} Question;

static void
fill_stats (GstTfrcUdpWorker * worker, gpointer data)
{
  Question *question = data;
  const GstTfrcEndPort *port = question->port;

  *question->stats = (GstTfrcEndPortStats) {
      .malformed = port->malformed,
      .unexpected = port->unexpected,
      .foreign = port->foreign,
      .ssrc = port->choice.followed.ssrc,
      .changes = port->choice.changes,
      .others = port->choice.others};
}

void
gst_tfrc_end_port_get_stats (GstTfrcEndPort * port, GstTfrcEndPortStats * stats)
{
  Question question = { port, stats };
  GstTfrcUdpSocketStats s;
  guint i;

  gst_tfrc_udp_worker_call (port->worker, fill_stats, &question);
  for (i = 0; i < 2 && port->sockets[i] != NULL; i++) {
    gst_tfrc_udp_socket_get_stats (port->sockets[i], &s);
    stats->send_errors += s.full + s.no_buffers + s.too_big + s.refused +
        s.unreachable + s.other_errors - s.from_path;
  }
}
