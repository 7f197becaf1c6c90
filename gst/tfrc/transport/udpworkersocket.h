/* gst-tfrc: a UDP socket that a worker serves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UDPWORKERSOCKET_H
#define GST_TFRC_UDPWORKERSOCKET_H

#include <gio/gio.h>

#include "transport/udpreceive.h"
#include "transport/udpsend.h"
#include "transport/udpworker.h"

G_BEGIN_DECLS

typedef struct _GstTfrcUdpWorkerSocket GstTfrcUdpWorkerSocket;

/* Both run in the thread of the socket's home worker, and may close the socket. */
typedef struct
{
  /* Up to GST_TFRC_UDP_BATCH datagrams in their order of arrival. A call of nothing but
   * strangers costs no more than the look at them: buffers that are not taken are filled
   * again. */
  void (*on_datagrams) (GstTfrcUdpWorkerSocket * socket,
      GstTfrcUdpDatagram * datagrams, guint n_datagrams, gpointer data);
  /* An error of one datagram, none of which is fatal; may be NULL. Errors of more than 16
   * datagrams between two rounds are counted and not reported. Those that the path reports
   * are as true as any datagram that comes without a key. */
  void (*on_error) (GstTfrcUdpWorkerSocket * socket, const GstTfrcUdpError * error,
      gpointer data);
} GstTfrcUdpWorkerSocketCallbacks;

typedef struct
{
  guint64 received, received_bytes;     /* datagrams, and bytes of payload */
  guint64 receive_calls;        /* that brought them */
  guint64 overflowed;           /* dropped by the system as its receive buffer was full */
  guint64 sent, sent_bytes;
  guint64 send_calls;           /* bundles that they left in */
  guint64 full;                 /* not sent: the socket's buffer was full (EAGAIN) */
  guint64 no_buffers;           /* not sent: ENOBUFS, ENOMEM */
  guint64 too_big;              /* not sent, or the path said so: EMSGSIZE */
  guint64 refused;              /* nobody listens there: ECONNREFUSED */
  guint64 unreachable;          /* EHOSTUNREACH, ENETUNREACH and the like */
  guint64 other_errors;
  guint64 from_path;            /* of the errors above, those that the path told */
  guint receive_buffer, send_buffer;    /* bytes that the system gave */
} GstTfrcUdpWorkerSocketStats;

/* Serves `socket`, which is bound (gst_tfrc_gsocket_open() opens one for both families) and
 * of which a reference is taken; nobody else may read it any more. Callbacks may run before
 * this returns. Its buffers are enlarged as far as the system permits. NULL and an error
 * when it cannot be watched. The worker outlives the socket. */
GstTfrcUdpWorkerSocket *gst_tfrc_udp_worker_socket_new (GstTfrcUdpWorker * worker,
    GSocket * socket, const GstTfrcUdpWorkerSocketCallbacks * callbacks,
    gpointer data, GError ** error);

/* Sends what was submitted, closes the descriptor and frees the socket: when this returns
 * no callback runs and the port is free. Nobody submits any more by then. */
void gst_tfrc_udp_worker_socket_close (GstTfrcUdpWorkerSocket * socket);

/* Sends a datagram. In a callback of the home worker or of another worker the bytes are copied, and
 * the datagram leaves when that worker's round ends, or sooner when GST_TFRC_UDP_BATCH wait; in any
 * other thread it leaves at once, before those that wait in workers. Datagrams of one thread to one
 * socket leave in their order. Errors are counted, and `on_error` is called with them. */
void gst_tfrc_udp_worker_socket_send (GstTfrcUdpWorkerSocket * socket, const guint8 * data,
    gsize size, const GstTfrcUdpRoute * route);

/* No datagram that was submitted before waits in a worker: one that is sent in any thread now leaves
 * after them. From any thread. */
gboolean gst_tfrc_udp_worker_socket_is_flushed (GstTfrcUdpWorkerSocket * socket);

/* As gst_tfrc_udp_worker_socket_send() in a callback, without a copy: returns GST_TFRC_UDP_ROOM bytes for the next datagram, to be
 * written and, after that and before any other function of a socket is called, submitted
 * with gst_tfrc_udp_worker_socket_submit(). What is not submitted was never there. */
guint8 *gst_tfrc_udp_worker_socket_prepare (GstTfrcUdpWorkerSocket * socket);
void gst_tfrc_udp_worker_socket_submit (GstTfrcUdpWorkerSocket * socket, gsize size,
    const GstTfrcUdpRoute * route);

/* From any thread. */
void gst_tfrc_udp_worker_socket_get_stats (GstTfrcUdpWorkerSocket * socket,
    GstTfrcUdpWorkerSocketStats * stats);

/* The port that it is bound to. */
guint gst_tfrc_udp_worker_socket_get_port (GstTfrcUdpWorkerSocket * socket);

G_END_DECLS

#endif
