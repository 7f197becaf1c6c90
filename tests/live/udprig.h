/* gst-tfrc tests: sockets on the loopback interface, served by a worker
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UDPRIG_H
#define UDPRIG_H

#include <gst/check/gstcheck.h>

#include "transport/udpworkersocket.h"

/* One end: a socket and what arrived at it. */
typedef struct
{
  GstTfrcUdpWorker *worker;
  GstTfrcUdpWorkerSocket *socket;
  GstTfrcUdpAddress address;    /* to reach it on loopback */

  GMutex lock;                  /* for all that follows */
  GCond cond;
  GPtrArray *buffers;           /* taken */
  GArray *datagrams;            /* GstTfrcUdpDatagram without the bytes */
  GArray *errors;               /* GstTfrcUdpError */
  guint received;
  gboolean keep;                /* take buffers */
} UdpEnd;

/* Opens a socket on `host` and any free port; "" is all addresses of both families. */
GSocket *udp_bind (const gchar * host);
GstTfrcUdpAddress udp_address (const gchar * ip, guint port);

/* Their data is a UdpEnd. */
extern const GstTfrcUdpWorkerSocketCallbacks udp_end_callbacks;

void udp_end_open (UdpEnd * end, const gchar * context, const gchar * host);
void udp_end_close (UdpEnd * end);

/* Waits until so many datagrams or errors have come; the test times out otherwise. */
void udp_end_wait (UdpEnd * end, guint received);
void udp_end_wait_errors (UdpEnd * end, guint errors);

GstTfrcUdpDatagram *udp_end_get (UdpEnd * end, guint i);

/* Sends `n` datagrams of `size` bytes from the worker's thread in one call; the first four
 * bytes count from `first`. */
void udp_end_send_many (UdpEnd * end, const GstTfrcUdpRoute * route, gsize size,
    guint first, guint n);
void udp_end_send (UdpEnd * end, const GstTfrcUdpAddress * to, gsize size,
    guint first, guint n);

/* Once all that udp_end_send() sent before is counted. */
GstTfrcUdpWorkerSocketStats udp_end_get_stats (UdpEnd * end);

#endif
