/* gst-tfrc: URIs of the form tfrc://host:port?property=value
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sets the properties of tfrcsink and tfrcsrc from a URI, and writes a URI of them. The functions
 * hold no state. */
#ifndef GST_TFRC_TFRCURI_H
#define GST_TFRC_TFRCURI_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_URI_SCHEME "tfrc"

/* Sets the host (property `host_name`), the port (property "port") and, from the query of the
 * URI, any other property of `object` by its name. When any part of the URI is wrong, the
 * function sets nothing, returns FALSE and sets `error`. */
gboolean gst_tfrc_uri_apply (GObject * object, const gchar * host_name,
    const gchar * uri, GError ** error);

/* Returns a URI with the host, the port and the mode of `object`. */
gchar *gst_tfrc_uri_from (GObject * object, const gchar * host_name);

G_END_DECLS

#endif
