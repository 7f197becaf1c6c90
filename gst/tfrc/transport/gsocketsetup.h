/* gst-tfrc: finds addresses, and opens UDP sockets and sets them up
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The functions hold no state and may be called from any thread. */
#ifndef GST_TFRC_GSOCKETSETUP_H
#define GST_TFRC_GSOCKETSETUP_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* When one of the first two functions returns NULL or FALSE it has posted an error on
 * `element`. The error names the remedy, and in it the properties of `element` that have the
 * host and the port: `host_name` and `port_name`. */

/* Returns the first address of `host`, which must be neither NULL nor empty. */
GSocketAddress *gst_tfrc_gsocket_resolve (GstElement * element,
    const gchar * host_name, const gchar * host, guint port);

/* Opens the socket for RTP in sockets[0] and, with `pair`, the socket for RTCP on the next port
 * in sockets[1]. `address` NULL or empty: every address of this machine that is of `family`,
 * or of both families with G_SOCKET_FAMILY_INVALID. `port` 0: any port that is free. */
gboolean gst_tfrc_gsocket_open (GstElement * element,
    const gchar * host_name, const gchar * address, GSocketFamily family,
    const gchar * port_name, guint port, gboolean pair, GSocket * sockets[2]);

/* Returns the port that `socket` is bound to. */
guint gst_tfrc_gsocket_get_port (GSocket * socket);

/* Whether datagrams to every address of this machine arrive at the socket. */
gboolean gst_tfrc_gsocket_is_bound_to_any (GSocket * socket);

/* Enlarges the buffers of a socket that serves many calls, as far as the system permits, and
 * sets `receive_buffer` and `send_buffer` to the bytes that it granted. */
void gst_tfrc_gsocket_enlarge_buffers (GSocket * socket,
    guint * receive_buffer, guint * send_buffer);

G_END_DECLS

#endif
