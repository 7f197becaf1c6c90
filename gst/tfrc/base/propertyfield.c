/* gst-tfrc: copies a property's value to and from the field of a struct that keeps it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/propertyfield.h"

void
gst_tfrc_property_field_set (gpointer base, gsize offset, const GValue * value)
{
  gpointer field = G_STRUCT_MEMBER_P (base, offset);

  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
    case G_TYPE_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    case G_TYPE_ENUM:
      *(gint *) field = g_value_get_enum (value);
      break;
    case G_TYPE_INT:
      *(gint *) field = g_value_get_int (value);
      break;
    case G_TYPE_UINT:
      *(guint *) field = g_value_get_uint (value);
      break;
    case G_TYPE_UINT64:
      *(guint64 *) field = g_value_get_uint64 (value);
      break;
    case G_TYPE_DOUBLE:
      *(gdouble *) field = g_value_get_double (value);
      break;
    case G_TYPE_STRING:
      g_free (*(gchar **) field);
      *(gchar **) field = g_value_dup_string (value);
      break;
    case G_TYPE_BOXED:
      if (*(gpointer *) field != NULL)
        g_boxed_free (G_VALUE_TYPE (value), *(gpointer *) field);
      *(gpointer *) field = g_value_dup_boxed (value);
      break;
    case G_TYPE_OBJECT:
      g_set_object ((GObject **) field, g_value_get_object (value));
      break;
    default:
      g_return_if_reached ();
  }
}

void
gst_tfrc_property_field_get (gconstpointer base, gsize offset, GValue * value)
{
  gconstpointer field = (const guint8 *) base + offset;

  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) field);
      break;
    case G_TYPE_ENUM:
      g_value_set_enum (value, *(const gint *) field);
      break;
    case G_TYPE_INT:
      g_value_set_int (value, *(const gint *) field);
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, *(const guint *) field);
      break;
    case G_TYPE_UINT64:
      g_value_set_uint64 (value, *(const guint64 *) field);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, *(const gdouble *) field);
      break;
    case G_TYPE_STRING:
      g_value_set_string (value, *(const gchar * const *) field);
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, *(const gconstpointer *) field);
      break;
    case G_TYPE_OBJECT:
      g_value_set_object (value, *(gpointer const *) field);
      break;
    default:
      g_return_if_reached ();
  }
}
