/* gst-tfrc: elements of other plugins that are not there
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_MISSINGELEMENTS_H
#define GST_TFRC_MISSINGELEMENTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Tells of `factory` on the bus: GStreamer's own message for installers, and an
 * error, or a warning, that names its package; `more` ends it, "" for nothing. */
void gst_tfrc_missing_error (GstElement * element, const gchar * factory,
    const gchar * more);
void gst_tfrc_missing_warning (GstElement * element, const gchar * factory,
    const gchar * more);

/* The first of the factories, up to a NULL, that is missing or whose plugin cannot be loaded; or
 * NULL. The plugins are loaded then, so that elements can be made without delay. */
const gchar *gst_tfrc_missing_find (const gchar * const *factories);

G_END_DECLS

#endif
