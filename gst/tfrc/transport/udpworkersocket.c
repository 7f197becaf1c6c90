/* gst-tfrc: a UDP socket that a worker serves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsocketsetup.h"
#include "transport/udpworkerprivate.h"

#include <errno.h>
#include <string.h>

/* Bundles read from one socket before others have their turn. */
#define BUNDLES_PER_ROUND 4
/* Errors that wait for the owner, and that are read from the system at once. */
#define MAX_ERRORS 16
/* A socket that fails so often in a row and brings nothing is left alone for a while. */
#define MAX_FAILURES 8
#define REST (100 * GST_MSECOND)

struct _GstTfrcUdpWorkerSocket
{
  gint refs;                    /* the owner, and callbacks that run */
  gint closed;                  /* atomic */
  gint queued;                  /* runs of its datagrams in workers, atomic */
  GstTfrcUdpWorker *worker;     /* home */
  GSocket *socket;
  gint fd;
  gint family;                  /* AF_INET, AF_INET6 */
  GstTfrcUdpWorkerSocketCallbacks callbacks;
  gpointer data;
  GstTfrcUdpTimer error_timer, rest_timer;

  GMutex lock;                  /* for what follows up to the empty line */
  GCond cond;                   /* `queued` is 0 */
  GstTfrcUdpWorkerSocketStats stats;
  GstTfrcUdpError errors[MAX_ERRORS];   /* that wait for `on_error` */
  guint n_errors;

  /* of the home worker's thread alone */
  guint32 overflow;             /* the system's count */
  guint failures;               /* in a row */
};

static void
socket_unref (GstTfrcUdpWorkerSocket * socket)
{
  if (!g_atomic_int_dec_and_test (&socket->refs))
    return;
  g_object_unref (socket->socket);
  g_mutex_clear (&socket->lock);
  g_cond_clear (&socket->cond);
  g_free (socket);
}

/* Errors. */

static guint64 *
get_error_counter (GstTfrcUdpWorkerSocketStats * stats, gint code)
{
  switch (code) {
    case EAGAIN:
      return &stats->full;
    case ENOBUFS:
    case ENOMEM:
      return &stats->no_buffers;
    case EMSGSIZE:
      return &stats->too_big;
    case ECONNREFUSED:
      return &stats->refused;
    case EHOSTUNREACH:
    case ENETUNREACH:
#ifdef EHOSTDOWN
    case EHOSTDOWN:
#endif
    case ENETDOWN:
      return &stats->unreachable;
    default:
      return &stats->other_errors;
  }
}

/* Counts it and keeps it for its owner. With the socket's lock. */
static void
note_error (GstTfrcUdpWorkerSocket * socket, const GstTfrcUdpError * error)
{
  (*get_error_counter (&socket->stats, error->code))++;
  socket->stats.from_path += error->from_path;
  if (socket->n_errors < MAX_ERRORS)
    socket->errors[socket->n_errors++] = *error;
}

/* Makes the home worker call `on_error`. Called without a lock. */
static void
report_errors_soon (GstTfrcUdpWorkerSocket * socket)
{
  if (socket->callbacks.on_error != NULL)
    gst_tfrc_udp_timer_set (&socket->error_timer, 0);
}

static void
on_error_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  GstTfrcUdpWorkerSocket *socket = data;
  GstTfrcUdpError errors[MAX_ERRORS];
  guint i, n;

  g_mutex_lock (&socket->lock);
  n = socket->n_errors;
  memcpy (errors, socket->errors, n * sizeof (errors[0]));
  socket->n_errors = 0;
  g_mutex_unlock (&socket->lock);
  g_atomic_int_inc (&socket->refs);
  for (i = 0; i < n && !g_atomic_int_get (&socket->closed); i++)
    socket->callbacks.on_error (socket, &errors[i], socket->data);
  socket_unref (socket);
}

/* Reads the errors that the path has reported. Errors of this machine are in the queue, too, and were
 * counted when the datagram could not be sent. */
static void
read_path_errors (GstTfrcUdpWorkerSocket * socket)
{
  GstTfrcUdpError error;
  gint pending;
  socklen_t size = sizeof (pending);
  guint left = MAX_ERRORS;

  g_mutex_lock (&socket->lock);
  while (left-- > 0 && gst_tfrc_udp_receiver_get_error (socket->fd, &error))
    if (error.from_path)
      note_error (socket, &error);
  g_mutex_unlock (&socket->lock);
  /* Reading it is what clears it. */
  (void) getsockopt (socket->fd, SOL_SOCKET, SO_ERROR, (gpointer) & pending,
      &size);
  report_errors_soon (socket);
}

/* Receiving. */

static void
on_rest_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  GstTfrcUdpWorkerSocket *socket = data;

  gst_tfrc_udp_poll_set_active (socket->worker->poll, socket->fd, socket, TRUE);
}

/* A socket that can be read and cannot must not keep the thread awake. */
static void
on_failure (GstTfrcUdpWorkerSocket * socket, gint code)
{
  GstTfrcUdpError error = { .code = code };

  if (code == EAGAIN || code == EWOULDBLOCK) {
    socket->failures = 0;
    return;
  }
  if (++socket->failures < MAX_FAILURES)
    return;
  gst_tfrc_udp_poll_set_active (socket->worker->poll, socket->fd, socket,
      FALSE);
  gst_tfrc_udp_timer_set (&socket->rest_timer,
      gst_util_get_timestamp () + REST);
  g_mutex_lock (&socket->lock);
  note_error (socket, &error);
  g_mutex_unlock (&socket->lock);
  report_errors_soon (socket);
}

static void
count_received (GstTfrcUdpWorkerSocket * socket,
    const GstTfrcUdpDatagram * datagrams, guint n, guint32 overflow)
{
  guint i;

  g_mutex_lock (&socket->lock);
  socket->stats.receive_calls++;
  socket->stats.received += n;
  for (i = 0; i < n; i++)
    socket->stats.received_bytes += datagrams[i].size;
  socket->stats.overflowed += overflow - socket->overflow;
  g_mutex_unlock (&socket->lock);
  socket->overflow = overflow;
}

/* TRUE: there may be more. */
static gboolean
receive_bundle (GstTfrcUdpWorkerSocket * socket)
{
  GstTfrcUdpWorker *worker = socket->worker;
  GstTfrcUdpDatagram *datagrams;
  guint32 overflow = socket->overflow;
  gint n = gst_tfrc_udp_receiver_receive (worker->receiver, socket->fd,
      &worker->clock, &datagrams, &overflow);

  if (n < 0) {
    on_failure (socket, errno);
    return FALSE;
  }
  socket->failures = 0;
  count_received (socket, datagrams, n, overflow);
  socket->callbacks.on_datagrams (socket, datagrams, n, socket->data);
  return n == GST_TFRC_UDP_BATCH && !g_atomic_int_get (&socket->closed);
}

gboolean
gst_tfrc_udp_worker_socket_serve (GstTfrcUdpWorkerSocket * socket,
    gboolean has_error)
{
  guint left = BUNDLES_PER_ROUND;
  gboolean more = TRUE;

  g_atomic_int_inc (&socket->refs);
  if (has_error)
    read_path_errors (socket);
  while (left-- > 0 && more)
    more = receive_bundle (socket);
  socket_unref (socket);
  return more;
}

/* Sending. */

static void
count_sent (GstTfrcUdpWorkerSocket * socket, const GstTfrcUdpMessage * messages,
    guint n)
{
  gboolean failed = FALSE;
  guint i;

  g_mutex_lock (&socket->lock);
  socket->stats.send_calls++;
  for (i = 0; i < n; i++) {
    GstTfrcUdpError error = { .code = messages[i].error };

    if (error.code == 0) {
      socket->stats.sent++;
      socket->stats.sent_bytes += messages[i].size;
      continue;
    }
    failed = TRUE;
    error.remote = messages[i].route->remote;
    note_error (socket, &error);
  }
  g_mutex_unlock (&socket->lock);
  if (failed)
    report_errors_soon (socket);
}

static void
send_messages (GstTfrcUdpWorker * worker, GstTfrcUdpWorkerSocket * socket,
    GstTfrcUdpMessage * messages, guint n)
{
  gst_tfrc_udp_sender_send (worker->sender, socket->fd, socket->family,
      messages, n);
  count_sent (socket, messages, n);
}

/* A run of its datagrams has left: whoever closes the socket may go on. */
static void
release_runs (GstTfrcUdpWorkerSocket * socket, gint n)
{
  g_mutex_lock (&socket->lock);
  if (g_atomic_int_add (&socket->queued, -n) == n &&
      g_atomic_int_get (&socket->closed))
    g_cond_broadcast (&socket->cond);
  g_mutex_unlock (&socket->lock);
}

/* All datagrams of the socket of the first one at `from`, in their order. */
static void
flush_one_socket (GstTfrcUdpWorker * worker, guint from)
{
  GstTfrcUdpWorkerSocket *socket = worker->outgoing[from].socket;
  GstTfrcUdpMessage messages[GST_TFRC_UDP_BATCH];
  guint i, n = 0, runs = 0;

  for (i = from; i < worker->n_outgoing; i++) {
    GstTfrcUdpOutgoing *outgoing = &worker->outgoing[i];

    if (outgoing->socket != socket)
      continue;
    messages[n++] =
        (GstTfrcUdpMessage) {outgoing->data, outgoing->size,
        &outgoing->route, 0};
    outgoing->socket = NULL;
    runs += outgoing->begins_run;
  }
  send_messages (worker, socket, messages, n);
  release_runs (socket, runs);
}

void
gst_tfrc_udp_worker_flush (GstTfrcUdpWorker * worker)
{
  guint i;

  for (i = 0; i < worker->n_outgoing; i++)
    if (worker->outgoing[i].socket != NULL)
      flush_one_socket (worker, i);
  worker->n_outgoing = 0;
  worker->used = 0;
}

gboolean
gst_tfrc_udp_worker_socket_is_flushed (GstTfrcUdpWorkerSocket * socket)
{
  return g_atomic_int_get (&socket->queued) == 0;
}

guint8 *
gst_tfrc_udp_worker_socket_prepare (GstTfrcUdpWorkerSocket * socket)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_get_current ();

  g_return_val_if_fail (worker != NULL, NULL);
  if (worker->n_outgoing == GST_TFRC_UDP_BATCH)
    gst_tfrc_udp_worker_flush (worker);
  return worker->bytes + worker->used;
}

void
gst_tfrc_udp_worker_socket_submit (GstTfrcUdpWorkerSocket * socket, gsize size,
    const GstTfrcUdpRoute * route)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_get_current ();
  GstTfrcUdpOutgoing *outgoing;

  g_return_if_fail (worker != NULL && size <= GST_TFRC_UDP_ROOM);
  outgoing = &worker->outgoing[worker->n_outgoing++];
  outgoing->begins_run = outgoing == worker->outgoing ||
      outgoing[-1].socket != socket;
  outgoing->socket = socket;
  outgoing->data = worker->bytes + worker->used;
  outgoing->size = size;
  worker->used += GST_ROUND_UP_64 (size);
  outgoing->route = *route;
  if (outgoing->begins_run)
    g_atomic_int_inc (&socket->queued);
}

void
gst_tfrc_udp_worker_socket_send (GstTfrcUdpWorkerSocket * socket,
    const guint8 * data, gsize size, const GstTfrcUdpRoute * route)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_get_current ();
  GstTfrcUdpMessage message = { data, size, route, 0 };

  if (worker == NULL) {
    gst_tfrc_udp_send_one (socket->fd, socket->family, &message);
    count_sent (socket, &message, 1);
    return;
  }
  if (size <= GST_TFRC_UDP_ROOM) {
    memcpy (gst_tfrc_udp_worker_socket_prepare (socket), data, size);
    gst_tfrc_udp_worker_socket_submit (socket, size, route);
    return;
  }
  /* The datagram is too large for the bundle, so it leaves at once, behind those that were submitted before. */
  gst_tfrc_udp_worker_flush (worker);
  send_messages (worker, socket, &message, 1);
}

/* Opening and closing. */

GstTfrcUdpWorkerSocket *
gst_tfrc_udp_worker_socket_new (GstTfrcUdpWorker * worker, GSocket * gsocket,
    const GstTfrcUdpWorkerSocketCallbacks * callbacks, gpointer data,
    GError ** error)
{
  GstTfrcUdpWorkerSocket *socket = g_new0 (GstTfrcUdpWorkerSocket, 1);

  socket->refs = 1;
  socket->worker = worker;
  socket->socket = g_object_ref (gsocket);
  socket->fd = g_socket_get_fd (gsocket);
  socket->family = g_socket_get_family (gsocket);
  socket->callbacks = *callbacks;
  socket->data = data;
  g_mutex_init (&socket->lock);
  g_cond_init (&socket->cond);
  gst_tfrc_udp_timer_init (&socket->error_timer, worker, on_error_timer,
      socket);
  gst_tfrc_udp_timer_init (&socket->rest_timer, worker, on_rest_timer, socket);
  gst_tfrc_udp_receiver_set_up_socket (socket->fd,
      gst_tfrc_gsocket_is_bound_to_any (gsocket));
  gst_tfrc_gsocket_enlarge_buffers (gsocket, &socket->stats.receive_buffer,
      &socket->stats.send_buffer);
  if (gst_tfrc_udp_poll_add (worker->poll, socket->fd, socket, error))
    return socket;
  socket_unref (socket);
  return NULL;
}

/* In the thread of the home worker. */
static void
stop_callbacks (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcUdpWorkerSocket *socket = data;
  guint i;

  g_atomic_int_set (&socket->closed, TRUE);
  gst_tfrc_udp_poll_remove (worker->poll, socket->fd);
  for (i = 0; i < worker->n_ready; i++)
    if (worker->ready[i].data == socket)
      worker->ready[i].data = NULL;
  gst_tfrc_udp_timer_unset (&socket->rest_timer);
}

void
gst_tfrc_udp_worker_socket_close (GstTfrcUdpWorkerSocket * socket)
{
  GstTfrcUdpWorker *current = gst_tfrc_udp_worker_get_current ();

  /* Two workers that close at one time each wait for what the other has to send: neither
   * does before it has sent its own. */
  if (current != NULL)
    gst_tfrc_udp_worker_flush (current);
  gst_tfrc_udp_worker_call (socket->worker, stop_callbacks, socket);
  g_mutex_lock (&socket->lock);
  while (g_atomic_int_get (&socket->queued) > 0)
    g_cond_wait (&socket->cond, &socket->lock);
  g_mutex_unlock (&socket->lock);
  /* The last datagrams may have failed. */
  gst_tfrc_udp_timer_close (&socket->error_timer);
  g_socket_close (socket->socket, NULL);
  socket_unref (socket);
}

void
gst_tfrc_udp_worker_socket_get_stats (GstTfrcUdpWorkerSocket * socket,
    GstTfrcUdpWorkerSocketStats * stats)
{
  g_mutex_lock (&socket->lock);
  *stats = socket->stats;
  g_mutex_unlock (&socket->lock);
}

guint
gst_tfrc_udp_worker_socket_get_port (GstTfrcUdpWorkerSocket * socket)
{
  return gst_tfrc_gsocket_get_port (socket->socket);
}
