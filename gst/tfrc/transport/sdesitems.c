/* gst-tfrc: the items of SDES that an application sets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/sdesitems.h"

#include <gst/rtp/rtp.h>
#include <string.h>

/* Bytes: all items go into each compound packet, which has to fit into a packet of any path. */
#define ITEMS_SIZE_MAX 600
#define TEXT_SIZE_MAX 255       /* RFC 3550 6.5 */

typedef struct
{
  gchar *cname;
  gsize cname_size;
  GByteArray *items;
  gchar *error;
} Reading;

/* Adds an item. A name that RFC 3550 has no item for is the prefix of a private one. */
static gboolean
add_item (Reading * reading, const gchar * name, const gchar * text)
{
  GstRTCPSDESType type = gst_rtcp_sdes_name_to_type (name);
  gboolean is_private = type == GST_RTCP_SDES_INVALID;
  gsize prefix = is_private ? strlen (name) : 0, length = strlen (text);
  gsize size = (is_private ? 1 + prefix : 0) + length;
  guint8 head[3] = { is_private ? GST_RTCP_SDES_PRIV : type, size, prefix };

  if (size > TEXT_SIZE_MAX || reading->items->len + 2 + size > ITEMS_SIZE_MAX)
    return FALSE;
  g_byte_array_append (reading->items, head, is_private ? 3 : 2);
  g_byte_array_append (reading->items, (const guint8 *) name, prefix);
  g_byte_array_append (reading->items, (const guint8 *) text, length);
  return TRUE;
}

static gboolean
read_field (GQuark quark, const GValue * value, gpointer user_data)
{
  Reading *reading = user_data;
  const gchar *name = g_quark_to_string (quark), *text;
  gboolean fits;

  text = G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
  if (text == NULL || *text == '\0')
    return TRUE;
  fits = g_utf8_validate (text, -1, NULL);
  if (g_str_equal (name, "cname"))
    fits = fits && g_strlcpy (reading->cname, text, reading->cname_size) <
        reading->cname_size;
  else
    fits = fits && add_item (reading, name, text);
  if (!fits)
    reading->error = g_strdup_printf ("The field \"%s\" of the property "
        "\"sdes\" cannot be used. Set it to a text in UTF-8; \"cname\" has at "
        "most %u bytes, all others together %u.", name,
        (guint) reading->cname_size - 1, ITEMS_SIZE_MAX);
  return fits;
}

gchar *
gst_tfrc_sdes_items_read (const GstStructure * sdes, gchar * cname,
    gsize cname_size, GBytes ** items)
{
  Reading reading = { cname, cname_size, g_byte_array_new (), NULL };

  *items = NULL;
  if (sdes != NULL)
    gst_structure_foreach (sdes, read_field, &reading);
  if (reading.error == NULL && reading.items->len > 0)
    *items = g_byte_array_free_to_bytes (reading.items);
  else
    g_byte_array_unref (reading.items);
  return reading.error;
}
