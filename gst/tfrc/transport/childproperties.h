/* gst-tfrc: properties of a bin that belong to an element inside it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A bin installs properties with the names, texts and ranges of those of an element inside it.
 * The bin itself gets and sets them on that element. */
#ifndef GST_TFRC_CHILDPROPERTIES_H
#define GST_TFRC_CHILDPROPERTIES_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Installs on `klass` a copy of each property of the element `factory` that `names`
 * (NULL-terminated) lists, with the ids from `first_id` on. Returns the next free id. */
guint gst_tfrc_child_properties_install (GObjectClass * klass, guint first_id,
    const gchar * factory, const gchar * const *names);

/* From now on `bin` notifies its read-only properties when `child` notifies one of the same
 * name. */
void gst_tfrc_child_properties_notify (GObject * bin, GObject * child);

G_END_DECLS

#endif
