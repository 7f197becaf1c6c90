/* gst-tfrc: finds addresses, and opens UDP sockets and sets them up
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsocketsetup.h"

#include <gio/gnetworking.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcgsocket", "UDP sockets of tfrcsink and tfrcsrc");

/* How many ports that the system chooses are tried until the port after one is free as well. */
#define PAIR_ATTEMPTS 32

/* Bytes of buffer asked of the system. A packet of voice takes some 800 bytes of it, and a machine
 * that stalls for 50 ms must not lose those of 1,000 calls. */
#define RECEIVE_BUFFER (4 << 20)
#define SEND_BUFFER (1 << 20)

#ifndef SO_RCVBUFFORCE
#define SO_RCVBUFFORCE -1
#define SO_SNDBUFFORCE -1
#endif

/* Returns the number of the interface of an IPv6 address, or 0 when it has none. */
static guint32
get_scope (GSocketAddress * address)
{
  return g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6 ?
      g_inet_socket_address_get_scope_id (G_INET_SOCKET_ADDRESS (address)) : 0;
}

/* Whether the address is link-local and names no interface. The same link-local address can
 * exist on every link. */
static gboolean
lacks_interface (GSocketAddress * address)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (address);

  return g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6 &&
      get_scope (address) == 0 && g_inet_address_get_is_link_local
      (g_inet_socket_address_get_address (inet));
}

GSocketAddress *
gst_tfrc_gsocket_resolve (GstElement * element, const gchar * host_name,
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
  if (address != NULL && lacks_interface (address)) {
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
        ("%s is a link-local address, which needs an interface. Set the "
            "property \"%s\" to %s%%eth0, with the name of yours.", host,
            host_name, host), (NULL));
    g_clear_object (&address);
  }
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

static GSocketAddress *
new_any (GSocketFamily family)
{
  GInetAddress *any = g_inet_address_new_any (family);
  GSocketAddress *address = g_inet_socket_address_new (any, 0);

  g_object_unref (any);
  return address;
}

/* Returns one IPv6 socket that also receives IPv4. */
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

/* An address of the same host and interface with another port. */
static GSocketAddress *
address_with_port (GSocketAddress * address, guint port)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (address);

  return g_object_new (G_TYPE_INET_SOCKET_ADDRESS,
      "address", g_inet_socket_address_get_address (inet), "port", port,
      "scope-id", get_scope (address), NULL);
}

static GSocket *
bind_one (GSocketAddress * address, guint port, GError ** error)
{
  GSocket *socket = g_socket_new (g_socket_address_get_family (address),
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, error);
  GSocketAddress *local;

  if (socket == NULL)
    return NULL;
  local = address_with_port (address, port);
  /* FALSE: the port cannot be shared, because each packet would reach only one of the sockets. */
  if (!g_socket_bind (socket, local, FALSE, error))
    g_clear_object (&socket);
  g_object_unref (local);
  return socket;
}

/* `address` NULL: all addresses of this machine, of both families if it has IPv6. */
static GSocket *
bind_socket (GSocketAddress * address, guint port, GError ** error)
{
  GSocket *socket;
  GSocketAddress *any;

  if (address != NULL)
    return bind_one (address, port, error);
  socket = bind_both_families (port, error);
  if (socket != NULL || g_error_matches (*error, G_IO_ERROR,
          G_IO_ERROR_ADDRESS_IN_USE))
    return socket;
  g_clear_error (error);
  any = new_any (G_SOCKET_FAMILY_IPV4);
  socket = bind_one (any, port, error);
  g_object_unref (any);
  return socket;
}

static gboolean
open_pair (GSocketAddress * address, guint port, GSocket * sockets[2],
    guint * failed_port, GError ** error)
{
  guint attempts = port == 0 ? PAIR_ATTEMPTS : 1;

  for (; attempts > 0; attempts--) {
    g_clear_error (error);
    sockets[0] = bind_socket (address, port, error);
    *failed_port = port;
    if (sockets[0] == NULL)
      return FALSE;
    *failed_port = gst_tfrc_gsocket_get_port (sockets[0]) + 1;
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

/* Reads the local address. Returns FALSE after an error when `text` names no address of
 * `family`. */
static gboolean
parse_local (GstElement * element, const gchar * name, const gchar * text,
    GSocketFamily family, GSocketAddress ** address)
{
  *address = NULL;
  if (text == NULL || *text == '\0') {
    if (family != G_SOCKET_FAMILY_INVALID)
      *address = new_any (family);
    return TRUE;
  }
  *address = gst_tfrc_gsocket_resolve (element, name, text, 0);
  if (*address == NULL)
    return FALSE;
  if (family != G_SOCKET_FAMILY_INVALID &&
      g_socket_address_get_family (*address) != family) {
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
        ("The local address %s and the remote address are not of one family: "
            "one is IPv4, the other IPv6. Change the property \"%s\" or leave "
            "it unset.", text, name), (NULL));
    g_clear_object (address);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_tfrc_gsocket_open (GstElement * element, const gchar * host_name,
    const gchar * address, GSocketFamily family, const gchar * port_name,
    guint port, gboolean pair, GSocket * sockets[2])
{
  GSocketAddress *local;
  GError *error = NULL;
  guint failed_port = port;
  gboolean opened;

  sockets[0] = sockets[1] = NULL;
  if (!parse_local (element, host_name, address, family, &local))
    return FALSE;
  if (local != NULL &&
      g_inet_address_get_is_multicast (g_inet_socket_address_get_address
          (G_INET_SOCKET_ADDRESS (local)))) {
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
  else
    GST_INFO_OBJECT (element, "bound UDP port %u%s",
        gst_tfrc_gsocket_get_port (sockets[0]),
        pair ? " and the next one" : "");
  g_clear_error (&error);
  g_clear_object (&local);
  return opened;
}

guint
gst_tfrc_gsocket_get_port (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  guint port = 0;

  if (address != NULL)
    port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_clear_object (&address);
  return port;
}

gboolean
gst_tfrc_gsocket_is_bound_to_any (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  gboolean any = G_IS_INET_SOCKET_ADDRESS (address) &&
      g_inet_address_get_is_any (g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (address)));

  g_clear_object (&address);
  return any;
}

/* `force_option` takes a privilege; the system cuts what `option` asks for at
 * net.core.rmem_max or wmem_max. */
static guint
set_buffer (gint fd, gint option, gint force_option, gint bytes)
{
  gint granted = 0;
  socklen_t size = sizeof (granted);

  if (force_option < 0 || setsockopt (fd, SOL_SOCKET, force_option,
          (gpointer) & bytes, sizeof (bytes)) != 0)
    (void) setsockopt (fd, SOL_SOCKET, option, (gpointer) & bytes,
        sizeof (bytes));
  (void) getsockopt (fd, SOL_SOCKET, option, (gpointer) & granted, &size);
  return granted;
}

void
gst_tfrc_gsocket_enlarge_buffers (GSocket * socket, guint * receive_buffer,
    guint * send_buffer)
{
  gint fd = g_socket_get_fd (socket);

  *receive_buffer = set_buffer (fd, SO_RCVBUF, SO_RCVBUFFORCE, RECEIVE_BUFFER);
  *send_buffer = set_buffer (fd, SO_SNDBUF, SO_SNDBUFFORCE, SEND_BUFFER);
}
