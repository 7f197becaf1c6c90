/* gst-tfrc: finds the address of a peer by its name
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/hostlookup.h"

#include <gio/gio.h>

#include "transport/gsocketsetup.h"

gboolean
gst_tfrc_host_port_parse (GstElement * element, const gchar * text,
    guint default_port, GstTfrcUdpAddress * address)
{
  GError *error = NULL;
  GSocketConnectable *name = g_network_address_parse (text, default_port,
      &error);
  GSocketAddress *object;

  if (name == NULL) {
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
        ("The property \"peer\" is \"%s\", which is no address. Set it to "
            "HOST:PORT.", text), ("%s", error->message));
    g_clear_error (&error);
    return FALSE;
  }
  object = gst_tfrc_gsocket_resolve (element, "peer",
      g_network_address_get_hostname (G_NETWORK_ADDRESS (name)),
      g_network_address_get_port (G_NETWORK_ADDRESS (name)));
  g_object_unref (name);
  if (object == NULL)
    return FALSE;
  gst_tfrc_udp_address_from_object (address, object);
  g_object_unref (object);
  return TRUE;
}

gboolean
gst_tfrc_host_port_resolve (const gchar * host, guint port,
    GstTfrcUdpAddress * address)
{
  GSocketConnectable *name = g_network_address_new (host, port);
  GSocketAddressEnumerator *addresses = g_socket_connectable_enumerate (name);
  GSocketAddress *object = g_socket_address_enumerator_next (addresses, NULL,
      NULL);
  gboolean found = object != NULL &&
      gst_tfrc_udp_address_from_object (address, object);

  g_clear_object (&object);
  g_object_unref (addresses);
  g_object_unref (name);
  return found;
}
