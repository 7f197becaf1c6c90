/* gst-tfrc: copies a property's value to and from the field of a struct that keeps it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PROPERTYFIELD_H
#define GST_TFRC_PROPERTYFIELD_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Both functions work on the field at `offset` of the struct at `base`, which has the C type of
 * the property: gboolean, gint also for an enumeration, guint, guint64, gdouble, gchar *, or a pointer to a
 * boxed type or an object. The struct owns strings, boxed values and objects. The caller holds
 * the lock that protects the struct. */
void gst_tfrc_property_field_set (gpointer base, gsize offset,
    const GValue * value);
void gst_tfrc_property_field_get (gconstpointer base, gsize offset,
    GValue * value);

G_END_DECLS

#endif
