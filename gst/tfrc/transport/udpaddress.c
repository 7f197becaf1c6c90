/* gst-tfrc: the address and port of a UDP endpoint, as a plain value
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/udpaddress.h"

#include <gio/gnetworking.h>
#include <string.h>

/* ::ffff:0:0/96, RFC 4291 2.5.5.2 */
static const guint8 ipv4_prefix[12] =
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static const GstTfrcUdpAddress no_address;

gboolean
gst_tfrc_udp_address_from_sockaddr (GstTfrcUdpAddress * address,
    const struct sockaddr *sockaddr, gsize size)
{
  *address = no_address;
  if (size >= sizeof (struct sockaddr_in) && sockaddr->sa_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *) sockaddr;

    memcpy (address->ip, ipv4_prefix, 12);
    memcpy (address->ip + 12, &v4->sin_addr, 4);
    address->port = g_ntohs (v4->sin_port);
    return TRUE;
  }
  if (size >= sizeof (struct sockaddr_in6) && sockaddr->sa_family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *) sockaddr;

    memcpy (address->ip, &v6->sin6_addr, 16);
    if (IN6_IS_ADDR_LINKLOCAL (&v6->sin6_addr))
      address->scope = v6->sin6_scope_id;
    address->port = g_ntohs (v6->sin6_port);
    return TRUE;
  }
  return FALSE;
}

gsize
gst_tfrc_udp_address_to_sockaddr (const GstTfrcUdpAddress * address,
    gint family, struct sockaddr_storage *sockaddr)
{
  if (family == AF_INET && gst_tfrc_udp_address_is_ipv4 (address)) {
    struct sockaddr_in *v4 = (struct sockaddr_in *) sockaddr;

    memset (v4, 0, sizeof (*v4));
    v4->sin_family = AF_INET;
    memcpy (&v4->sin_addr, address->ip + 12, 4);
    v4->sin_port = g_htons (address->port);
    return sizeof (*v4);
  }
  if (family == AF_INET6) {
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *) sockaddr;

    memset (v6, 0, sizeof (*v6));
    v6->sin6_family = AF_INET6;
    memcpy (&v6->sin6_addr, address->ip, 16);
    v6->sin6_scope_id = address->scope;
    v6->sin6_port = g_htons (address->port);
    return sizeof (*v6);
  }
  return 0;
}

gboolean
gst_tfrc_udp_address_from_object (GstTfrcUdpAddress * address,
    GSocketAddress * object)
{
  struct sockaddr_storage storage;

  *address = no_address;
  return G_IS_INET_SOCKET_ADDRESS (object) &&
      g_socket_address_to_native (object, &storage, sizeof (storage), NULL) &&
      gst_tfrc_udp_address_from_sockaddr (address,
      (struct sockaddr *) &storage, sizeof (storage));
}

GSocketAddress *
gst_tfrc_udp_address_to_object (const GstTfrcUdpAddress * address)
{
  struct sockaddr_storage storage;
  gsize size;

  if (!gst_tfrc_udp_address_is_set (address))
    return NULL;
  size = gst_tfrc_udp_address_to_sockaddr (address,
      gst_tfrc_udp_address_is_ipv4 (address) ? AF_INET : AF_INET6, &storage);
  return g_socket_address_new_from_native (&storage, size);
}

gboolean
gst_tfrc_udp_address_is_set (const GstTfrcUdpAddress * address)
{
  return memcmp (address, &no_address, sizeof (*address)) != 0;
}

gboolean
gst_tfrc_udp_address_is_ipv4 (const GstTfrcUdpAddress * address)
{
  return memcmp (address->ip, ipv4_prefix, sizeof (ipv4_prefix)) == 0;
}

/* RFC 5771 4: 224.0.0.0/4; RFC 4291 2.7: ff00::/8 */
gboolean
gst_tfrc_udp_address_is_multicast (const GstTfrcUdpAddress * address)
{
  return gst_tfrc_udp_address_is_ipv4 (address) ?
      (address->ip[12] & 0xf0) == 0xe0 : address->ip[0] == 0xff;
}

gboolean
gst_tfrc_udp_address_equal (const GstTfrcUdpAddress * a,
    const GstTfrcUdpAddress * b)
{
  return memcmp (a, b, sizeof (*a)) == 0;
}

gboolean
gst_tfrc_udp_address_same_host (const GstTfrcUdpAddress * a,
    const GstTfrcUdpAddress * b)
{
  return memcmp (a->ip, b->ip, sizeof (a->ip)) == 0 && a->scope == b->scope;
}

gboolean
gst_tfrc_udp_address_same_network (const GstTfrcUdpAddress * a,
    const GstTfrcUdpAddress * b)
{
  gboolean is_ipv4 = gst_tfrc_udp_address_is_ipv4 (a);

  return is_ipv4 == gst_tfrc_udp_address_is_ipv4 (b)
      && memcmp (a->ip, b->ip, is_ipv4 ? 15 : 8) == 0 && a->scope == b->scope;
}

gchar *
gst_tfrc_udp_address_to_string (const GstTfrcUdpAddress * address)
{
  GSocketAddress *object = gst_tfrc_udp_address_to_object (address);
  gchar *text;

  if (object == NULL)
    return g_strdup ("none");
  text = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (object));
  g_object_unref (object);
  return text;
}
