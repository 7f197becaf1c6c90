/* gst-tfrc: the peers at the UDP port of tfrcbin: their workers, how they come, and how they leave
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/tfrcbinportprivate.h"

/* --- how peers reach the port --- */

/* TRUE: a datagram that is sent in this thread leaves after all that the peer has sent in its worker's round. */
static gboolean
may_send (GstTfrcPeer * peer, gpointer io_data)
{
  GstTfrcPlace *place = io_data;

  return gst_tfrc_udp_worker_is_current (place->worker) ||
      (gst_tfrc_udp_worker_get_current () == NULL &&
      !gst_tfrc_udp_worker_is_pausing (place->worker) &&
      gst_tfrc_udp_worker_socket_is_flushed (place->port->socket));
}

static void
send_datagram (GstTfrcPeer * peer, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer io_data)
{
  GstTfrcPlace *place = io_data;

  gst_tfrc_udp_worker_socket_send (place->port->socket, data, size, route);
}

static void
set_timer (GstTfrcPeer * peer, GstClockTime time, gpointer io_data)
{
  GstTfrcPlace *place = io_data;

  gst_tfrc_udp_timer_set (&place->timer, time);
}

static void
on_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  GstTfrcPlace *place = data;

  gst_tfrc_peer_on_timer (place->peer, now);
}

static void
on_inbox_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  GstTfrcPlace *place = data;
  GstTfrcUdpDatagram *datagram;
  guint left = GST_TFRC_DATAGRAM_INBOX_MAX;

  while (left-- > 0 &&
      (datagram = gst_tfrc_datagram_inbox_take (&place->inbox)) != NULL) {
    gst_tfrc_peer_on_datagram (place->peer, datagram);
    g_free (datagram);
  }
}

void
gst_tfrc_place_deliver (GstTfrcPlace * place, GstTfrcUdpDatagram * datagram)
{
  if (place->worker == place->port->worker)
    gst_tfrc_peer_on_datagram (place->peer, datagram);
  else if (gst_tfrc_datagram_inbox_add (&place->inbox, datagram))
    gst_tfrc_udp_timer_set (&place->inbox_timer, 0);
}

/* --- peers --- */

void
gst_tfrc_place_take_rtcp (GstTfrcPlace * place)
{
  place->rtcp_taken = gst_tfrc_udp_address_is_set (&place->rtcp_address)
      && gst_tfrc_admission_table_add_second (place->port->table,
      &place->rtcp_address, place);
}

void
gst_tfrc_place_give_rtcp_up (GstTfrcPlace * place)
{
  if (place->rtcp_taken)
    gst_tfrc_admission_table_remove (place->port->table, &place->rtcp_address);
  place->rtcp_taken = FALSE;
}

static void
take_place (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcPlace *place = data;
  GstTfrcBinPort *port = place->port;

  place->taken =
      gst_tfrc_admission_table_add (port->table, &place->address, place);
  if (!place->taken)
    return;
  g_ptr_array_add (port->places, place);
  gst_tfrc_place_take_rtcp (place);
}

/* In the worker of the port: no datagram comes to the peer any more. */
static void
give_place_up (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcPlace *place = data;
  GstTfrcBinPort *port = place->port;

  port->inbox_dropped += gst_tfrc_datagram_inbox_get_dropped (&place->inbox);
  if (place->taken)
    gst_tfrc_admission_table_remove (port->table, &place->address);
  gst_tfrc_place_give_rtcp_up (place);
  g_ptr_array_remove_fast (port->places, place);
}

/* In the worker of the peer. */
static void
end_peer (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcPlace *place = data;

  gst_tfrc_peer_isolate (place->peer);
  gst_tfrc_peer_say_bye (place->peer, gst_util_get_timestamp ());
  gst_tfrc_udp_timer_close (&place->inbox_timer);
  gst_tfrc_udp_timer_close (&place->timer);
}

static void
place_free (GstTfrcPlace * place)
{
  gst_tfrc_udp_worker_leave (place->worker);
  gst_tfrc_datagram_inbox_clear (&place->inbox);
  gst_tfrc_peer_unref (place->peer);
  g_free (place);
}

/* Handshakes of DTLS have state that all peers of a port share without a lock, so that their peers stay
 * with the worker of the port. NULL and an error as of gst_tfrc_udp_worker_join(). */
static GstTfrcUdpWorker *
join_worker (GstTfrcBinPort * port, GError ** error)
{
  if (port->settings.dtls != NULL)
    return gst_tfrc_udp_worker_share (port->worker);
  return gst_tfrc_udp_worker_join (gst_tfrc_udp_worker_get_context
      (port->worker), port->settings.threads, error);
}

/* A process that has no thread left for the peer has it served by the port's. */
static void
settle_place (GstTfrcBinPort * port, GstTfrcPlace * place)
{
  place->worker = join_worker (port, NULL);
  if (place->worker == NULL)
    place->worker = gst_tfrc_udp_worker_share (port->worker);
  gst_tfrc_datagram_inbox_init (&place->inbox);
  gst_tfrc_udp_timer_init (&place->timer, place->worker, on_timer, place);
  gst_tfrc_udp_timer_init (&place->inbox_timer, place->worker, on_inbox_timer,
      place);
}

GstTfrcPeer *
gst_tfrc_bin_port_add (GstTfrcBinPort * port, guint id,
    const gchar * label, const GstTfrcUdpAddress * address,
    GstTfrcPeerSettings * settings, GstTfrcPeerServeFunc serve, gpointer data)
{
  GstTfrcPlace *place = g_new0 (GstTfrcPlace, 1);
  GstTfrcPeerIo io =
      { may_send, send_datagram, set_timer, gst_util_get_timestamp,
    gst_tfrc_udp_datagram_take_buffer, place
  };

  place->port = port;
  place->address = *address;
  place->peer = gst_tfrc_peer_new (id, label, address, settings, &io, serve,
      data);
  if (settings->rtcp_port != 0) {
    place->rtcp_address = *address;
    place->rtcp_address.port = settings->rtcp_port;
    gst_tfrc_peer_set_rtcp_address (place->peer, &place->rtcp_address);
  }
  settle_place (port, place);
  gst_tfrc_udp_worker_call (port->worker, take_place, place);
  if (!place->taken) {
    gst_tfrc_udp_timer_close (&place->inbox_timer);
    gst_tfrc_udp_timer_close (&place->timer);
    gst_tfrc_peer_stop (place->peer);
    place_free (place);
    return NULL;
  }
  gst_tfrc_udp_timer_set (&place->timer, 0);
  return gst_tfrc_peer_ref (place->peer);
}

void
gst_tfrc_bin_port_remove (GstTfrcBinPort * port, GstTfrcPeer * peer)
{
  GstTfrcPlace *place = gst_tfrc_peer_get_io_data (peer);

  gst_tfrc_udp_worker_call (port->worker, give_place_up, place);
  gst_tfrc_udp_worker_call (place->worker, end_peer, place);
  place_free (place);
}

/* --- forwarding --- */

typedef struct
{
  GstTfrcPeer *peer, *target;
  gboolean forward, changed;
} Forwarding;

/* In the port's worker, so that one change is made at a time. */
static void
set_forwarding (GstTfrcUdpWorker * worker, gpointer data)
{
  Forwarding *wish = data;

  wish->changed = wish->forward ?
      gst_tfrc_peer_forward (wish->peer, wish->target) :
      gst_tfrc_peer_stop_forwarding (wish->peer, wish->target);
}

gboolean
gst_tfrc_bin_port_forward (GstTfrcBinPort * port, GstTfrcPeer * peer,
    GstTfrcPeer * target, gboolean forward)
{
  Forwarding wish = { peer, target, forward, FALSE };

  gst_tfrc_udp_worker_call (port->worker, set_forwarding, &wish);
  return wish.changed;
}
