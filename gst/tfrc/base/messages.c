/* gst-tfrc: messages on the bus: bounded warnings, streams that begin, and elements that are not installed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/messages.h"

#include <gst/pbutils/missing-plugins.h>

#include "base/debugcategory.h"

/* --- warnings that received packets cause --- */

GST_TFRC_DEFINE_CATEGORY ("tfrcwarnings", "TFRC warnings that are not posted");

#define INTERVAL (10 * GST_SECOND)

#define COUNT "count"

/* A time before the last post, of a clock that was set back or is another one, begins a new
 * interval. */
guint64
gst_tfrc_warning_count (GstTfrcWarning * warning, GstClockTime now)
{
  guint64 count = ++warning->count;

  if (warning->posted && now >= warning->last && now - warning->last < INTERVAL)
    return 0;
  *warning = (GstTfrcWarning) {TRUE, now, 0};
  return count;
}

static void
log_held_back (gpointer object, const gchar * text)
{

  GST_LOG_OBJECT (object, "not posted, since one was posted within 10 s: %s",
      text);
}

static GstClockTime
get_time (GstElement * element)
{
  GstClock *clock = gst_element_get_clock (element);
  GstClockTime now = clock != NULL ? gst_clock_get_time (clock) :
      gst_util_get_timestamp ();

  gst_clear_object (&clock);
  return now;
}

guint64
gst_tfrc_warning_note (GstTfrcWarning * warning, GstElement * element)
{
  GstClockTime now = get_time (element);
  guint64 count;

  GST_OBJECT_LOCK (element);
  count = gst_tfrc_warning_count (warning, now);
  GST_OBJECT_UNLOCK (element);
  return count;
}

static gchar *
add_count (const gchar * text, guint64 count)
{
  if (count == 1)
    return g_strdup (text);
  return g_strdup_printf ("%s (%" G_GUINT64_FORMAT " times since the last such "
      "warning)", text, count);
}

static GstStructure *
make_details (guint64 count)
{
  return gst_structure_new ("warning-details", COUNT, G_TYPE_UINT64, count,
      NULL);
}

void
gst_tfrc_warning_post (GstTfrcWarning * warning, GstElement * element,
    GQuark domain, gint code, const gchar * format, ...)
{
  guint64 count = gst_tfrc_warning_note (warning, element);
  gchar *text;
  va_list args;

  if (count == 0) {
    log_held_back (element, format);
    return;
  }
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  gst_element_message_full_with_details (element, GST_MESSAGE_WARNING, domain,
      code, add_count (text, count), NULL, __FILE__, GST_FUNCTION, __LINE__,
      make_details (count));
  g_free (text);
}

/* Whether the element that posted the warning has counted it, as the elements of this plugin do. */
static gboolean
is_counted (GstMessage * message)
{
  const GstStructure *details = NULL;

  gst_message_parse_warning_details (message, &details);
  return details != NULL && gst_structure_has_field (details, COUNT);
}

static gchar *
get_name (GstObject * src, const GError * error)
{
  return g_strdup_printf ("%s %s %d", G_OBJECT_TYPE_NAME (src),
      g_quark_to_string (error->domain), error->code);
}

/* Called with the object lock of the bin. Takes the name. */
static GstTfrcWarning *
get_kind (GstTfrcChildWarnings * warnings, gchar * name)
{
  GstTfrcWarning *kind;

  if (warnings->kinds == NULL)
    warnings->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
        g_free);
  kind = g_hash_table_lookup (warnings->kinds, name);
  if (kind != NULL) {
    g_free (name);
    return kind;
  }
  kind = g_new0 (GstTfrcWarning, 1);
  g_hash_table_insert (warnings->kinds, name, kind);
  return kind;
}

GstMessage *
gst_tfrc_child_warnings_filter (GstTfrcChildWarnings * warnings, GstBin * bin,
    const gchar * kind, GstMessage * message)
{
  GstClockTime now = get_time (GST_ELEMENT (bin));
  GstMessage *counted = NULL;
  GError *error = NULL;
  gchar *debug = NULL;
  guint64 count;

  if (is_counted (message) && kind == NULL)
    return message;
  gst_message_parse_warning (message, &error, &debug);
  GST_OBJECT_LOCK (bin);
  count = gst_tfrc_warning_count (get_kind (warnings, kind != NULL ?
          g_strdup (kind) : get_name (GST_MESSAGE_SRC (message), error)), now);
  GST_OBJECT_UNLOCK (bin);
  if (count > 0 && is_counted (message)) {
    counted = gst_message_ref (message);
  } else if (count > 0) {
    gchar *text = error->message;

    error->message = add_count (text, count);
    g_free (text);
    counted = gst_message_new_warning_with_details (GST_MESSAGE_SRC (message),
        error, debug, make_details (count));
  } else {
    log_held_back (GST_MESSAGE_SRC (message), error->message);
  }
  g_error_free (error);
  g_free (debug);
  gst_message_unref (message);
  return counted;
}

void
gst_tfrc_child_warnings_clear (GstTfrcChildWarnings * warnings)
{
  g_clear_pointer (&warnings->kinds, g_hash_table_unref);
}

/* --- element messages --- */

void
gst_tfrc_structures_post (GQueue * structures, GstElement * element)
{
  GstStructure *structure;

  while ((structure = g_queue_pop_head (structures)) != NULL)
    gst_element_post_message (element,
        gst_message_new_element (GST_OBJECT (element), structure));
}

/* --- streams that begin --- */

void
gst_tfrc_stream_start_post (GstElement * element, guint32 seqnum,
    const guint * group_id)
{
  GstMessage *message = gst_message_new_stream_start (GST_OBJECT (element));

  gst_message_set_seqnum (message, seqnum);
  if (group_id != NULL)
    gst_message_set_group_id (message, *group_id);
  gst_element_post_message (element, message);
}

/* --- elements that are not installed --- */

/* Debian packages by the beginning of the factory name. The first entry that fits is used. */
static const struct
{
  const gchar *beginning, *package;
} packages[] = {
  {"srtp", "gstreamer1.0-plugins-bad"},
  {"spanplc", "gstreamer1.0-plugins-bad"},
  {"voamrwb", "gstreamer1.0-plugins-bad"},
  {"gsm", "gstreamer1.0-plugins-bad"},
  {"amrwbdec", "gstreamer1.0-plugins-ugly"},
  {"av", "gstreamer1.0-libav"},
  {"opus", "gstreamer1.0-plugins-base"},
  {"audiobuffersplit", "gstreamer1.0-plugins-bad"},
  {"audio", "gstreamer1.0-plugins-base"},
};

static const gchar *
get_package (const gchar * factory)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packages); i++) {
    if (g_str_has_prefix (factory, packages[i].beginning))
      return packages[i].package;
  }
  return "gstreamer1.0-plugins-good";
}

static void
report (GstElement * element, GstMessageType type, const gchar * factory,
    const gchar * more)
{
  gchar *text = g_strdup_printf ("The element \"%s\" is missing. Install the "
      "Debian package %s, or the package of your system that has it.%s",
      factory, get_package (factory), more);

  gst_element_post_message (element,
      gst_missing_element_message_new (element, factory));
  gst_element_message_full (element, type, GST_CORE_ERROR,
      GST_CORE_ERROR_MISSING_PLUGIN, text, NULL, __FILE__, GST_FUNCTION,
      __LINE__);
}

void
gst_tfrc_missing_error (GstElement * element, const gchar * factory,
    const gchar * more)
{
  report (element, GST_MESSAGE_ERROR, factory, more);
}

void
gst_tfrc_missing_warning (GstElement * element, const gchar * factory,
    const gchar * more)
{
  report (element, GST_MESSAGE_WARNING, factory, more);
}

const gchar *
gst_tfrc_missing_find (const gchar * const *factories)
{
  for (; *factories != NULL; factories++) {
    GstElementFactory *factory = gst_element_factory_find (*factories);
    GstPluginFeature *loaded = factory == NULL ? NULL :
        gst_plugin_feature_load (GST_PLUGIN_FEATURE (factory));

    gst_clear_object (&factory);
    if (loaded == NULL)
      return *factories;
    gst_object_unref (loaded);
  }
  return NULL;
}
