/* gst-tfrc: a GstStructure as JSON
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/json.h"

#include <math.h>

static void write_value (GString * json, const GValue * value);

/* RFC 8259 7: quotation mark, backslash and control characters are escaped. JSON is UTF-8 (8.1). */
static void
write_string (GString * json, const gchar * text)
{
  gchar *valid = g_utf8_make_valid (text, -1);
  const gchar *c;

  g_string_append_c (json, '"');
  for (c = valid; *c != 0; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (json, "\\%c", *c);
    else if ((guchar) * c < 0x20)
      g_string_append_printf (json, "\\u%04x", *c);
    else
      g_string_append_c (json, *c);
  g_string_append_c (json, '"');
  g_free (valid);
}

/* RFC 8259 6 has no infinity and no NaN. */
static void
write_double (GString * json, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, isfinite (value) ?
      g_ascii_dtostr (text, sizeof text, value) : "null");
}

static gboolean
write_field (GQuark name, const GValue * value, gpointer data)
{
  GString *json = data;

  if (json->str[json->len - 1] != '{')
    g_string_append_c (json, ',');
  write_string (json, g_quark_to_string (name));
  g_string_append_c (json, ':');
  write_value (json, value);
  return TRUE;
}

static void
write_structure (GString * json, const GstStructure * structure)
{
  g_string_append_c (json, '{');
  gst_structure_foreach (structure, write_field, json);
  g_string_append_c (json, '}');
}

typedef const GValue *(*GetItem) (const GValue * value, guint i);

static void
write_items (GString * json, const GValue * value, guint n, GetItem get)
{
  guint i;

  g_string_append_c (json, '[');
  for (i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    write_value (json, get (value, i));
  }
  g_string_append_c (json, ']');
}

/* A type that is neither a number nor a container: as GStreamer writes it. */
static void
write_other (GString * json, const GValue * value)
{
  gchar *text = gst_value_serialize (value);

  if (text != NULL)
    write_string (json, text);
  else
    g_string_append (json, "null");
  g_free (text);
}

static void
write_text (GString * json, const gchar * text)
{
  if (text != NULL)
    write_string (json, text);
  else
    g_string_append (json, "null");
}

static void
write_value (GString * json, const GValue * value)
{
  if (G_VALUE_HOLDS_BOOLEAN (value))
    g_string_append (json, g_value_get_boolean (value) ? "true" : "false");
  else if (G_VALUE_HOLDS_INT (value))
    g_string_append_printf (json, "%d", g_value_get_int (value));
  else if (G_VALUE_HOLDS_UINT (value))
    g_string_append_printf (json, "%u", g_value_get_uint (value));
  else if (G_VALUE_HOLDS_INT64 (value))
    g_string_append_printf (json, "%" G_GINT64_FORMAT,
        g_value_get_int64 (value));
  else if (G_VALUE_HOLDS_UINT64 (value))
    g_string_append_printf (json, "%" G_GUINT64_FORMAT,
        g_value_get_uint64 (value));
  else if (G_VALUE_HOLDS_DOUBLE (value))
    write_double (json, g_value_get_double (value));
  else if (G_VALUE_HOLDS_STRING (value))
    write_text (json, g_value_get_string (value));
  else if (GST_VALUE_HOLDS_STRUCTURE (value))
    write_structure (json, gst_value_get_structure (value));
  else if (GST_VALUE_HOLDS_ARRAY (value))
    write_items (json, value, gst_value_array_get_size (value),
        gst_value_array_get_value);
  else if (GST_VALUE_HOLDS_LIST (value))
    write_items (json, value, gst_value_list_get_size (value),
        gst_value_list_get_value);
  else
    write_other (json, value);
}

gchar *
gst_tfrc_json_from_structure (const GstStructure * structure)
{
  GString *json = g_string_new (NULL);

  write_structure (json, structure);
  return g_string_free (json, FALSE);
}

void
gst_tfrc_json_install (GObjectClass * klass, guint id)
{
  /**
   * GstTfrcBin:stats-json:
   *
   * The property `stats` as JSON (RFC 8259). Structures are objects, arrays are arrays, and a
   * number that is not finite is null.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, id,
      g_param_spec_string ("stats-json", "Statistics as JSON",
          "The property `stats` as JSON (RFC 8259)", NULL,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_tfrc_json_get_stats (GObject * object, GValue * value)
{
  GstStructure *stats = NULL;

  g_object_get (object, "stats", &stats, NULL);
  if (stats == NULL)
    return;
  g_value_take_string (value, gst_tfrc_json_from_structure (stats));
  gst_structure_free (stats);
}
