/* gst-tfrc tests: sockets on the loopback interface, served by a worker
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "udprig.h"

#include <netinet/in.h>

GSocket *
udp_bind (const gchar * host)
{
  gboolean any = *host == '\0';
  GSocketAddress *address =
      g_inet_socket_address_new_from_string (any ? "::" : host, 0);
  GSocket *socket = g_socket_new (g_socket_address_get_family (address),
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  GError *error = NULL;

  if (any)
    g_socket_set_option (socket, IPPROTO_IPV6, IPV6_V6ONLY, 0, NULL);
  fail_unless (g_socket_bind (socket, address, FALSE, &error), "%s: %s", host,
      error != NULL ? error->message : "");
  g_object_unref (address);
  return socket;
}

GstTfrcUdpAddress
udp_address (const gchar * ip, guint port)
{
  GSocketAddress *object = g_inet_socket_address_new_from_string (ip, port);
  GstTfrcUdpAddress address;

  fail_unless (gst_tfrc_udp_address_from_object (&address, object));
  g_object_unref (object);
  return address;
}

static void
on_datagrams (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
  UdpEnd *end = data;
  guint i;

  g_mutex_lock (&end->lock);
  end->received += n;
  for (i = 0; i < n && end->keep; i++) {
    g_array_append_val (end->datagrams, datagrams[i]);
    g_ptr_array_add (end->buffers,
        gst_tfrc_udp_datagram_take_buffer (&datagrams[i]));
  }
  g_cond_signal (&end->cond);
  g_mutex_unlock (&end->lock);
}

static void
on_error (GstTfrcUdpWorkerSocket * socket, const GstTfrcUdpError * error,
    gpointer data)
{
  UdpEnd *end = data;

  g_mutex_lock (&end->lock);
  g_array_append_vals (end->errors, error, 1);
  g_cond_signal (&end->cond);
  g_mutex_unlock (&end->lock);
}

const GstTfrcUdpWorkerSocketCallbacks udp_end_callbacks =
    { on_datagrams, on_error };

void
udp_end_open (UdpEnd * end, const gchar * context, const gchar * host)
{
  GSocket *socket = udp_bind (host);

  memset (end, 0, sizeof (*end));
  g_mutex_init (&end->lock);
  g_cond_init (&end->cond);
  end->buffers =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  end->datagrams = g_array_new (FALSE, FALSE, sizeof (GstTfrcUdpDatagram));
  end->errors = g_array_new (FALSE, FALSE, sizeof (GstTfrcUdpError));
  end->keep = TRUE;
  end->worker = gst_tfrc_udp_worker_join (context, 1, NULL);
  end->socket = gst_tfrc_udp_worker_socket_new (end->worker, socket,
      &udp_end_callbacks, end, NULL);
  fail_unless (end->socket != NULL);
  end->address = udp_address (*host == '\0' ? "127.0.0.1" : host,
      gst_tfrc_udp_worker_socket_get_port (end->socket));
  g_object_unref (socket);
}

void
udp_end_close (UdpEnd * end)
{
  gst_tfrc_udp_worker_socket_close (end->socket);
  gst_tfrc_udp_worker_leave (end->worker);
  g_ptr_array_unref (end->buffers);
  g_array_unref (end->datagrams);
  g_array_unref (end->errors);
  g_mutex_clear (&end->lock);
  g_cond_clear (&end->cond);
}

void
udp_end_wait (UdpEnd * end, guint received)
{
  g_mutex_lock (&end->lock);
  while (end->received < received)
    g_cond_wait (&end->cond, &end->lock);
  g_mutex_unlock (&end->lock);
}

void
udp_end_wait_errors (UdpEnd * end, guint errors)
{
  g_mutex_lock (&end->lock);
  while (end->errors->len < errors)
    g_cond_wait (&end->cond, &end->lock);
  g_mutex_unlock (&end->lock);
}

GstTfrcUdpDatagram *
udp_end_get (UdpEnd * end, guint i)
{
  return &g_array_index (end->datagrams, GstTfrcUdpDatagram, i);
}

typedef struct
{
  UdpEnd *end;
  const GstTfrcUdpRoute *route;
  gsize size;
  guint first, n;
} Sending;

static void
send_many (GstTfrcUdpWorker * worker, gpointer data)
{
  Sending *sending = data;
  guint8 *bytes = g_malloc0 (MAX (sending->size, 4));
  guint i;

  for (i = 0; i < sending->n; i++) {
    GST_WRITE_UINT32_BE (bytes, sending->first + i);
    gst_tfrc_udp_worker_socket_send (sending->end->socket, bytes, sending->size,
        sending->route);
  }
  g_free (bytes);
}

void
udp_end_send_many (UdpEnd * end, const GstTfrcUdpRoute * route, gsize size,
    guint first, guint n)
{
  Sending sending = { end, route, size, first, n };

  gst_tfrc_udp_worker_call (end->worker, send_many, &sending);
}

void
udp_end_send (UdpEnd * end, const GstTfrcUdpAddress * to, gsize size,
    guint first, guint n)
{
  GstTfrcUdpRoute route = { .remote = *to };

  udp_end_send_many (end, &route, size, first, n);
}

static void
nothing (GstTfrcUdpWorker * worker, gpointer data)
{
}

/* A call is answered in the round after that of the call before, which has sent and counted
 * all of its own by then. */
GstTfrcUdpWorkerSocketStats
udp_end_get_stats (UdpEnd * end)
{
  GstTfrcUdpWorkerSocketStats stats;

  gst_tfrc_udp_worker_call (end->worker, nothing, NULL);
  gst_tfrc_udp_worker_socket_get_stats (end->socket, &stats);
  return stats;
}
