/* gst-tfrc: finds the address of a peer by its name
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_HOSTLOOKUP_H
#define GST_TFRC_HOSTLOOKUP_H

#include <gst/gst.h>

#include "transport/udpaddress.h"

G_BEGIN_DECLS

/* Reads the property "peer", HOST:PORT or a host for the default port. FALSE: an error was posted
 * on `element`. */
gboolean gst_tfrc_host_port_parse (GstElement * element, const gchar * text,
    guint default_port, GstTfrcUdpAddress * address);

/* Finds a host. FALSE: it cannot be found. */
gboolean gst_tfrc_host_port_resolve (const gchar * host, guint port,
    GstTfrcUdpAddress * address);

G_END_DECLS

#endif
