/* gst-tfrc: properties of a bin that live on an element inside it
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_CHILDPROPERTIES_H
#define GST_TFRC_CHILDPROPERTIES_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Gives `klass` a copy, text and ranges included, of each property of the
 * element `factory` that `names` (NULL-terminated) lists, with the ids from
 * `first_id` on. Returns the first id that is free after them. */
guint gst_tfrc_child_properties_install (GObjectClass * klass, guint first_id,
    const gchar * factory, const gchar * const *names);

/* Notifies `bin` of what `child` notifies, for the properties of the same name
 * that can only be read. */
void gst_tfrc_child_properties_notify (GObject * bin, GObject * child);

G_END_DECLS

#endif
