/* gst-tfrc tests: nothing that GStreamer counts references of is left over
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#define GST_USE_UNSTABLE_API
#include "leaks.h"

#include <gst/check/gstcheck.h>

#include "settle.h"

static GObject *tracer;
static GHashTable *before;      /* addresses that were in use before */
static guint depth;             /* calls of leaks_begin() without that of leaks_end() */

static GObject *
get_tracer (void)
{
  GstPluginFeature *feature, *loaded;

  if (tracer != NULL)
    return tracer;
  feature = gst_registry_find_feature (gst_registry_get (), "leaks",
      GST_TYPE_TRACER_FACTORY);
  fail_unless (feature != NULL, "GStreamer's tracer \"leaks\" is missing");
  loaded = gst_plugin_feature_load (feature);
  tracer = g_object_new (gst_tracer_factory_get_tracer_type
      (GST_TRACER_FACTORY (loaded)), NULL);
  gst_object_unref (feature);
  gst_object_unref (loaded);
  return tracer;
}

/* Loading a plugin leaves objects that stay. */
static gboolean
stays (gpointer object, GType type)
{
  return g_type_is_a (type, GST_TYPE_PLUGIN)
      || g_type_is_a (type, GST_TYPE_PLUGIN_FEATURE);
}

/* GStreamer 1.22 gives out references in the list that it does not have: the object has as many
 * references as it had before the list was made. */
static void
keep (gpointer object, gboolean is_object, const GstStructure * info)
{
  guint count = 0;

  gst_structure_get_uint (info, "ref-count", &count);
  if (is_object && G_OBJECT (object)->ref_count == count)
    g_object_ref (object);
  else if (!is_object && GST_MINI_OBJECT_REFCOUNT_VALUE (object) == count)
    gst_mini_object_ref (object);
}

/* Calls `func` for each live object. */
static void
foreach_live (void (*func) (gpointer object, const GstStructure * info,
        GString * text), GString * text)
{
  GstStructure *live = NULL;
  const GValue *list;
  guint i;

  g_signal_emit_by_name (get_tracer (), "get-live-objects", &live);
  list = gst_structure_get_value (live, "live-objects-list");
  for (i = 0; i < gst_value_list_get_size (list); i++) {
    const GstStructure *info =
        gst_value_get_structure (gst_value_list_get_value (list, i));
    const GValue *value = gst_structure_get_value (info, "object");
    gpointer object = g_value_peek_pointer (value);

    keep (object, G_VALUE_HOLDS_OBJECT (value), info);
    if (!stays (object, G_VALUE_TYPE (value)))
      func (object, info, text);
  }
  gst_structure_free (live);
}

static void
remember (gpointer object, const GstStructure * info, GString * text)
{
  g_hash_table_add (before, object);
}

static void
tell (gpointer object, const GstStructure * info, GString * text)
{
  gchar *said;

  if (g_hash_table_contains (before, object))
    return;
  said = gst_structure_to_string (info);
  g_string_append_printf (text, "\n%s", said);
  g_free (said);
}

void
leaks_begin (void)
{
  if (depth++ > 0)
    return;
  g_clear_pointer (&before, g_hash_table_unref);
  before = g_hash_table_new (NULL, NULL);
  foreach_live (remember, NULL);
}

void
leaks_end (void)
{
  GString *text;

  if (--depth > 0)
    return;
  settle ();
  text = g_string_new (NULL);
  foreach_live (tell, text);
  fail_unless (text->len == 0, "still alive:%s", text->str);
  g_string_free (text, TRUE);
}
