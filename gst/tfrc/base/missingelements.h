/* gst-tfrc: tells the application which elements are not installed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_MISSINGELEMENTS_H
#define GST_TFRC_MISSINGELEMENTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Posts two messages for `element`, which needs an element of the factory `factory`: the
 * missing-plugin message of GStreamer, which installers understand, and an error or a warning
 * that names the Debian package. `more` is added to its text; "" adds nothing. */
void gst_tfrc_missing_error (GstElement * element, const gchar * factory,
    const gchar * more);
void gst_tfrc_missing_warning (GstElement * element, const gchar * factory,
    const gchar * more);

/* The first of the factories, an array that ends with NULL, that is not installed or whose plugin
 * cannot be loaded; NULL: all can. Loads the plugins, so that elements can be made without
 * delay. */
const gchar *gst_tfrc_missing_find (const gchar * const *factories);

G_END_DECLS

#endif
