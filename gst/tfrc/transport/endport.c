/* gst-tfrc: the UDP port, or the two ports, of tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/endportprivate.h"

/* --- how the peer reaches the port --- */

static gboolean
is_flushed (GstTfrcEndPort * port)
{
  return gst_tfrc_udp_worker_socket_is_flushed (port->sockets[0]) &&
      (port->sockets[1] == NULL
      || gst_tfrc_udp_worker_socket_is_flushed (port->sockets[1]));
}

/* TRUE: a datagram that is sent in this thread leaves after all that the peer has sent in its worker's round. */
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

  gst_tfrc_udp_worker_socket_send (port->sockets[rtcp
          && port->sockets[1] != NULL], data, size, route);
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

/* Errors that the path reports (ICMP) are passed over: they may be forged, and the remote end may not have opened
 * its port yet. */
static void
on_error (GstTfrcUdpWorkerSocket * socket, const GstTfrcUdpError * error,
    gpointer data)
{
  GstTfrcEndPort *port = data;

  if (!error->from_path)
    port->settings.on_error (error, port->settings.data);
}

/* --- open and closed --- */

/* The property buffer-size replaces the size that gst_tfrc_udp_worker_socket_new() has asked for. */
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
  static const GstTfrcUdpWorkerSocketCallbacks callbacks =
      { gst_tfrc_end_port_on_datagrams, on_error };
  guint i;

  for (i = 0; i < 2 && settings->sockets[i] != NULL; i++) {
    port->sockets[i] = gst_tfrc_udp_worker_socket_new (port->worker,
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
      gst_tfrc_udp_worker_socket_close (port->sockets[i]);
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

typedef struct
{
  GstTfrcEndPort *port;
  GstTfrcUdpAddress remote, rtcp_remote;
} Move;

static void
move (GstTfrcUdpWorker * worker, gpointer data)
{
  Move *move = data;
  GstTfrcEndPort *port = move->port;

  port->settings.remote = move->remote;
  port->settings.rtcp_remote = move->rtcp_remote;
  if (port->peer != NULL)
    gst_tfrc_peer_move (port->peer, &move->remote, &move->rtcp_remote,
        gst_util_get_timestamp ());
}

gboolean
gst_tfrc_end_port_move (GstTfrcEndPort * port, const GstTfrcUdpAddress * remote,
    const GstTfrcUdpAddress * rtcp_remote)
{
  Move to = { port, *remote, *rtcp_remote };

  if (gst_tfrc_udp_address_is_ipv4 (remote) !=
      gst_tfrc_udp_address_is_ipv4 (&port->settings.remote))
    return FALSE;
  gst_tfrc_udp_worker_call (port->worker, move, &to);
  return TRUE;
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
  GstTfrcUdpWorkerSocketStats s;
  guint i;

  gst_tfrc_udp_worker_call (port->worker, fill_stats, &question);
  for (i = 0; i < 2 && port->sockets[i] != NULL; i++) {
    gst_tfrc_udp_worker_socket_get_stats (port->sockets[i], &s);
    stats->send_errors += s.full + s.no_buffers + s.too_big + s.refused +
        s.unreachable + s.other_errors - s.from_path;
  }
}
