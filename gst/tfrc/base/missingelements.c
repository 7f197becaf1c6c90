/* gst-tfrc: tells the application which elements are not installed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/missingelements.h"

#include <gst/pbutils/missing-plugins.h>

/* Debian packages by the beginning of a factory's name. The first entry that fits counts. */
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
