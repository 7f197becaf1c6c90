/* gst-tfrc: tfrc://host:port?property=value
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_TFRCURI_H
#define GST_TFRC_TFRCURI_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_URI_SCHEME "tfrc"

/* Sets the host (property `host_name`), the port (property "port") and, from the
 * query part, any other property of `object` by its name. Sets nothing when
 * something of it is wrong. */
gboolean gst_tfrc_uri_apply (GObject * object, const gchar * host_name,
    const gchar * uri, GError ** error);

/* The URI of what is set, with the mode. */
gchar *gst_tfrc_uri_from (GObject * object, const gchar * host_name);

G_END_DECLS

#endif
