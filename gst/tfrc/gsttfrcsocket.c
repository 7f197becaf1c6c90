/* gst-tfrc: the UDP sockets of the bins
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsttfrcsocket.h"

#include <netinet/in.h>

GST_DEBUG_CATEGORY_EXTERN (tfrcbin_debug);
#define GST_CAT_DEFAULT tfrcbin_debug

/* How often a pair of neighbouring free ports is sought before giving up. */
#define PAIR_ATTEMPTS 32

GSocketAddress *
gst_tfrc_socket_resolve (GstElement * element, const gchar * host_name,
    const gchar * host, guint port)
{
  GSocketConnectable *name;
  GSocketAddressEnumerator *addresses;
  GSocketAddress *address;
  GError *error = NULL;

  if (host == NULL || *host == '\0') {
    GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
        ("No host to send to. Set the property \"%s\".", host_name), (NULL));
    return NULL;
  }
  name = g_network_address_new (host, port);
  addresses = g_socket_connectable_enumerate (name);
  address = g_socket_address_enumerator_next (addresses, NULL, &error);
  if (address == NULL)
    GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
        ("The host \"%s\" cannot be found. Set the property \"%s\" to an IP "
            "address or to a name that this machine can resolve.", host,
            host_name), ("%s", error != NULL ? error->message : "no address"));
  g_clear_error (&error);
  g_object_unref (addresses);
  g_object_unref (name);
  return address;
}

static void
post_open_error (GstElement * element, const gchar * host_name,
    const gchar * address, const gchar * port_name, guint port, GError * error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
    GST_ELEMENT_ERROR (element, RESOURCE, BUSY,
        ("UDP port %u is in use. End the other program or choose another port "
            "with the property \"%s\".", port, port_name),
        ("%s", error->message));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    GST_ELEMENT_ERROR (element, RESOURCE, NOT_AUTHORIZED,
        ("UDP port %u may not be used by this user. Choose a port above 1023 "
            "with the property \"%s\".", port, port_name),
        ("%s", error->message));
  else
    GST_ELEMENT_ERROR (element, RESOURCE, OPEN_READ_WRITE,
        ("No socket could be opened on %s, port %u. Set the property \"%s\" to "
            "an address of this machine, or leave it unset.",
            address != NULL && *address != '\0' ? address : "any address",
            port, host_name), ("%s", error->message));
}

/* One socket that hears IPv4 as well. */
static GSocket *
bind_both_families (guint port, GError ** error)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV6,
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  GInetAddress *any;
  GSocketAddress *local;
  gboolean bound;

  if (socket == NULL || !g_socket_set_option (socket, IPPROTO_IPV6,
          IPV6_V6ONLY, 0, NULL)) {
    g_clear_object (&socket);
    return NULL;
  }
  any = g_inet_address_new_any (G_SOCKET_FAMILY_IPV6);
  local = g_inet_socket_address_new (any, port);
  bound = g_socket_bind (socket, local, FALSE, error);
  g_object_unref (local);
  g_object_unref (any);
  if (!bound)
    g_clear_object (&socket);
  return socket;
}

static GSocket *
bind_one (GInetAddress * address, guint port, GError ** error)
{
  GSocket *socket = g_socket_new (g_inet_address_get_family (address),
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, error);
  GSocketAddress *local;

  if (socket == NULL)
    return NULL;
  local = g_inet_socket_address_new (address, port);
  /* Not to be shared: two receivers on one port would rob each other. */
  if (!g_socket_bind (socket, local, FALSE, error))
    g_clear_object (&socket);
  g_object_unref (local);
  return socket;
}

/* `address` NULL: any address of both families, if the machine has IPv6. */
static GSocket *
bind_socket (GInetAddress * address, guint port, GError ** error)
{
  GSocket *socket;
  GInetAddress *any;

  if (address != NULL)
    return bind_one (address, port, error);
  socket = bind_both_families (port, error);
  if (socket != NULL || g_error_matches (*error, G_IO_ERROR,
          G_IO_ERROR_ADDRESS_IN_USE))
    return socket;
  g_clear_error (error);
  any = g_inet_address_new_any (G_SOCKET_FAMILY_IPV4);
  socket = bind_one (any, port, error);
  g_object_unref (any);
  return socket;
}

static gboolean
open_pair (GInetAddress * address, guint port, GSocket * sockets[2],
    guint * failed_port, GError ** error)
{
  guint attempts = port == 0 ? PAIR_ATTEMPTS : 1;

  for (; attempts > 0; attempts--) {
    g_clear_error (error);
    sockets[0] = bind_socket (address, port, error);
    *failed_port = port;
    if (sockets[0] == NULL)
      return FALSE;
    *failed_port = gst_tfrc_socket_get_port (sockets[0]) + 1;
    if (*failed_port <= G_MAXUINT16)
      sockets[1] = bind_socket (address, *failed_port, error);
    if (sockets[1] != NULL)
      return TRUE;
    g_clear_object (&sockets[0]);
  }
  if (*error == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE,
        "RTCP needs the port after that of RTP");
  return FALSE;
}

/* FALSE and an error when `text` names no address of `family`. */
static gboolean
parse_local (GstElement * element, const gchar * name, const gchar * text,
    GSocketFamily family, GInetAddress ** address)
{
  GSocketAddress *resolved;

  *address = NULL;
  if (text == NULL || *text == '\0') {
    if (family != G_SOCKET_FAMILY_INVALID)
      *address = g_inet_address_new_any (family);
    return TRUE;
  }
  resolved = gst_tfrc_socket_resolve (element, name, text, 0);
  if (resolved == NULL)
    return FALSE;
  if (family != G_SOCKET_FAMILY_INVALID &&
      g_socket_address_get_family (resolved) != family) {
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
        ("The local address %s and the far end are not of one family: one is "
            "IPv4, the other IPv6. Change the property \"%s\" or leave it "
            "unset.", text, name), (NULL));
    g_object_unref (resolved);
    return FALSE;
  }
  *address = g_object_ref (g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (resolved)));
  g_object_unref (resolved);
  return TRUE;
}

gboolean
gst_tfrc_socket_open (GstElement * element, const gchar * host_name,
    const gchar * address, GSocketFamily family, const gchar * port_name,
    guint port, gboolean pair, GSocket * sockets[2])
{
  GInetAddress *local;
  GError *error = NULL;
  guint failed_port = port;
  gboolean opened;

  sockets[0] = sockets[1] = NULL;
  if (!parse_local (element, host_name, address, family, &local))
    return FALSE;
  if (local != NULL && g_inet_address_get_is_multicast (local)) {
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
        ("%s is a multicast address; TFRC controls flows from one sender to "
            "one receiver. Set the property \"%s\" to a unicast address.",
            address, host_name), (NULL));
    g_object_unref (local);
    return FALSE;
  }
  if (pair)
    opened = open_pair (local, port, sockets, &failed_port, &error);
  else
    opened = (sockets[0] = bind_socket (local, port, &error)) != NULL;
  if (!opened)
    post_open_error (element, host_name, address, port_name, failed_port,
        error);
  g_clear_error (&error);
  g_clear_object (&local);
  return opened;
}

guint
gst_tfrc_socket_get_port (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  guint port = 0;

  if (address != NULL)
    port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_clear_object (&address);
  return port;
}

void
gst_tfrc_socket_drain (GSocket * socket)
{
  gchar byte;
  guint packets = 0;
  GError *error = NULL;

  while (packets < 10000 &&
      g_socket_receive_with_blocking (socket, &byte, 1, FALSE, NULL,
          &error) >= 0)
    packets++;
  g_clear_error (&error);
  GST_DEBUG ("dropped %u packets that came while paused", packets);
}

gboolean
gst_tfrc_socket_address_equal (GSocketAddress * a, GSocketAddress * b,
    gboolean with_port)
{
  GInetSocketAddress *x, *y;

  /* A GSocket tells the same sender by the same object. */
  if (a == b)
    return TRUE;
  if (!G_IS_INET_SOCKET_ADDRESS (a) || !G_IS_INET_SOCKET_ADDRESS (b))
    return FALSE;
  x = G_INET_SOCKET_ADDRESS (a);
  y = G_INET_SOCKET_ADDRESS (b);
  return (!with_port || g_inet_socket_address_get_port (x) ==
      g_inet_socket_address_get_port (y)) &&
      g_inet_address_equal (g_inet_socket_address_get_address (x),
      g_inet_socket_address_get_address (y));
}

gchar *
gst_tfrc_socket_address_to_string (GSocketAddress * address)
{
  return g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (address));
}
