/* gst-tfrc: a GstStructure as JSON
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The property `stats-json` of the elements is their `stats` as JSON (RFC 8259), for applications that hand
 * statistics on to a log, a browser or a database. GStreamer has no serializer of this format. */
#ifndef GST_TFRC_JSON_H
#define GST_TFRC_JSON_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* An object with a member for each field of `structure`: structures become objects, arrays and lists arrays, strings,
 * enumerations and other types strings. A double that is not finite becomes null, because JSON has no such number. The
 * name of the structure is left out. Free the text with g_free(). */
gchar *gst_tfrc_json_from_structure (const GstStructure * structure);

/* Installs the property `stats-json` as number `id`. The owner reads it by gst_tfrc_json_get_stats(). */
void gst_tfrc_json_install (GObjectClass * klass, guint id);

/* Sets `value`, of a string, to the property `stats` of `object` as JSON. */
void gst_tfrc_json_get_stats (GObject * object, GValue * value);

G_END_DECLS

#endif
