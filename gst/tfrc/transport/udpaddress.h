/* gst-tfrc: the address and port of a UDP endpoint, as a plain value
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A GSocketAddress is an object: one for each datagram would be an allocation and a
 * reference count per packet. This value is copied and compared by its bytes. */
#ifndef GST_TFRC_UDPADDRESS_H
#define GST_TFRC_UDPADDRESS_H

#include <gio/gio.h>
#include <gio/gnetworking.h>

G_BEGIN_DECLS

/* An IPv4 address is kept in its IPv4-mapped form (RFC 4291 2.5.5.2), so that a host is
 * the same whether a dual-stack or an IPv4 socket heard it. All fields zero: no address. */
typedef struct
{
  guint8 ip[16];                /* network byte order */
  guint32 scope;                /* interface of a link-local IPv6 address, else 0 */
  guint16 port;                 /* host byte order */
  guint16 zero;                 /* padding, always 0: the value is compared by its bytes */
} GstTfrcUdpAddress;

/* FALSE, and an address of zeros, when `sockaddr` is neither IPv4 nor IPv6. */
gboolean gst_tfrc_udp_address_from_sockaddr (GstTfrcUdpAddress * address,
    const struct sockaddr *sockaddr, gsize size);

/* Fills in `sockaddr` for a socket of `family` (AF_INET or AF_INET6) and returns its
 * size; 0 when a socket of that family cannot reach the address. */
gsize gst_tfrc_udp_address_to_sockaddr (const GstTfrcUdpAddress * address,
    gint family, struct sockaddr_storage *sockaddr);

/* FALSE, and an address of zeros, when `object` is no GInetSocketAddress. */
gboolean gst_tfrc_udp_address_from_object (GstTfrcUdpAddress * address,
    GSocketAddress * object);

/* A new GInetSocketAddress; NULL when there is no address. */
GSocketAddress *gst_tfrc_udp_address_to_object (const GstTfrcUdpAddress *
    address);

gboolean gst_tfrc_udp_address_is_set (const GstTfrcUdpAddress * address);
gboolean gst_tfrc_udp_address_is_ipv4 (const GstTfrcUdpAddress * address);
gboolean gst_tfrc_udp_address_is_multicast (const GstTfrcUdpAddress * address);

/* The same host, interface and port. */
gboolean gst_tfrc_udp_address_equal (const GstTfrcUdpAddress * a,
    const GstTfrcUdpAddress * b);

/* The same host and interface, on any port. */
gboolean gst_tfrc_udp_address_same_host (const GstTfrcUdpAddress * a,
    const GstTfrcUdpAddress * b);

/* The same network, which whoever has one address of it may have all of: /24 of IPv4, /64 of IPv6. */
gboolean gst_tfrc_udp_address_same_network (const GstTfrcUdpAddress * a,
    const GstTfrcUdpAddress * b);

/* "192.0.2.1:5004", "[2001:db8::1]:5004", "none"; a new string. */
gchar *gst_tfrc_udp_address_to_string (const GstTfrcUdpAddress * address);

G_END_DECLS

#endif
