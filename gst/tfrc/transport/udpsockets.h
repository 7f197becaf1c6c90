/* gst-tfrc: the UDP sockets of the bins
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UDPSOCKETS_H
#define GST_TFRC_UDPSOCKETS_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* Each of these posts an error that names the remedy on `element`, whose
 * properties are called `host_name` and `port_name`, when it returns NULL or
 * FALSE. */

/* The first address of `host`; NULL or an empty string is no host at all. */
GSocketAddress *gst_tfrc_socket_resolve (GstElement * element,
    const gchar * host_name, const gchar * host, guint port);

/* Opens the socket of RTP in sockets[0] and, when `pair` is wanted, that of
 * RTCP on the next port in sockets[1]. `address` NULL or empty: every address of
 * this machine, of `family` or, with G_SOCKET_FAMILY_INVALID, of both families.
 * `port` 0: any that is free. */
gboolean gst_tfrc_socket_open (GstElement * element,
    const gchar * host_name, const gchar * address, GSocketFamily family,
    const gchar * port_name, guint port, gboolean pair, GSocket * sockets[2]);

/* What is sent to `peer`, a link-local address of IPv6, leaves by its interface. */
void gst_tfrc_socket_set_scope (GSocket * socket, GSocketAddress * peer);

/* The port that `socket` is bound to. */
guint gst_tfrc_socket_get_port (GSocket * socket);

/* Throws away what waits in the socket. */
void gst_tfrc_socket_drain (GSocket * socket);

/* TRUE when both are the same host, and the same port if that counts. */
gboolean gst_tfrc_socket_address_equal (GSocketAddress * a,
    GSocketAddress * b, gboolean with_port);

/* The same host and interface. */
GSocketAddress *gst_tfrc_socket_address_with_port (GSocketAddress * address,
    guint port);

/* "192.0.2.1:5004", "[2001:db8::1]:5004" */
gchar *gst_tfrc_socket_address_to_string (GSocketAddress * address);

G_END_DECLS

#endif
