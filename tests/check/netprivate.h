/* gst-tfrc tests: the state of the network of net.h, as its files share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * net.c has packets and time, netelements.c the elements that stand in for those of GStreamer's
 * plugin udp, netsystem.c the system calls of the workers of tfrcbin. */
#ifndef NETPRIVATE_H
#define NETPRIVATE_H

#include <sys/epoll.h>

#include "net.h"

G_BEGIN_DECLS

#define NET_OPTIONS 32

/* A bound socket, or a port that the test has itself. */
typedef struct
{
  GSocket *socket;              /* NULL: the test's own */
  guint port;
  GSocketAddress *local;
  GstElement *ear;              /* an element udpsrc, or NULL */
  GQueue inbox;                 /* GstBuffers that nobody has taken */
  gint options[NET_OPTIONS][3]; /* level, option, value */
  guint n_options;

  gint fd;                      /* an eventfd in the place of the socket's; -1: none */
  epoll_data_t watcher;         /* what epoll_wait() tells of `fd` */
  GQueue errors;                /* NetPathError that nobody has read */
  guint32 overflow;             /* datagrams that the system has dropped */
  gint receive_error;           /* errno with which receiving fails; 0: it does not */
} NetPort;

/* An error that the path has reported about a datagram. */
typedef struct
{
  gint code;                    /* errno */
  guint mtu;
  gboolean from_path;
  GSocketAddress *remote;       /* where the datagram was to go */
} NetPathError;

/* For all that follows. */
extern GRecMutex net_lock;
extern GHashTable *net_ports;   /* NetPort by number; NULL: there is no network */

/* All with the lock, apart from net_post() and net_new_packet(). */
NetPort *net_get_port (guint port);
NetPort *net_find_port (GSocket * socket);
NetPort *net_find_fd (gint fd);
void net_note_option (NetPort * port, gint level, gint option, gint value);
/* The port is signalled as soon as time passes. */
void net_signal_soon (guint port);

/* A packet has an address of its sender (GstNetAddressMeta), and an address where it goes to, a
 * TOS byte and a time of arrival as qdata. */
GstBuffer *net_new_packet (gconstpointer data, gsize size,
    GSocketAddress * from, GSocketAddress * to, guint tos);
GSocketAddress *net_packet_get_destination (GstBuffer * packet);
guint net_packet_get_tos (GstBuffer * packet);
GstClockTime net_packet_get_arrival (GstBuffer * packet);
/* Takes the packet. FALSE: the system refuses to send it. */
gboolean net_post (guint to, GstBuffer * packet);

/* netelements.c */
GType net_src_get_type (void);
GType net_sink_get_type (void);
void net_src_push (GstElement * ear, GstBuffer * packet);

/* netsystem.c: the socket of a port can be read by system calls from now on. */
void net_system_attach (NetPort * port);
/* With the lock: something waits in the port. */
void net_system_signal (NetPort * port);
/* Waits of workers: the next one that ends, and the end of those that are due. */
GstClockTime net_system_get_next (void);
gboolean net_system_wake (GstClockTime now);
void net_system_reset (void);

G_END_DECLS

#endif
