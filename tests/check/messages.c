/* gst-tfrc tests: bounded warnings, and elements that are not installed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element.h"

#include <string.h>

#include "base/messages.h"
#include "leaks.h"

/* --- missing elements --- */

GST_START_TEST (a_missing_element_is_named_with_its_package)
{
  static const gchar *const packages[][2] = {
    {"srtpenc", "gstreamer1.0-plugins-bad"}, {"spanplc",
        "gstreamer1.0-plugins-bad"},
    {"voamrwbenc", "gstreamer1.0-plugins-bad"}, {"gsmenc",
        "gstreamer1.0-plugins-bad"},
    {"amrwbdec", "gstreamer1.0-plugins-ugly"}, {"avenc_g722",
        "gstreamer1.0-libav"},
    {"opusenc", "gstreamer1.0-plugins-base"}, {"audioconvert",
        "gstreamer1.0-plugins-base"},
    {"speexenc", "gstreamer1.0-plugins-good"},
  };
  const gchar *factory = packages[__i__][0], *package = packages[__i__][1];
  GstBus *bus;
  GstElement *element = element_new (&bus);
  GstMessage *message;

  gst_tfrc_missing_error (element, factory, " Or do without.");
  message = gst_bus_pop (bus);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_ELEMENT);
  fail_unless (gst_message_has_name (message, "missing-plugin"));
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure
          (message), "detail"), factory);
  gst_message_unref (message);
  element_expect_message (bus, GST_MESSAGE_ERROR, package);
  gst_tfrc_missing_warning (element, factory, " Or do without.");
  gst_message_unref (gst_bus_pop (bus));
  element_expect_message (bus, GST_MESSAGE_WARNING, "has it. Or do without.");
  element_expect_message (bus, 0, NULL);
  element_free (element, bus);
}

GST_END_TEST;

GST_START_TEST (the_first_that_is_missing_is_found)
{
  const gchar *const all[] = { "fakesrc", "fakesink", NULL };
  const gchar *const some[] =
      { "fakesrc", "no-such-element", "nor-such", NULL };

  GstElementFactory *factory = gst_element_factory_find ("fakesink");
  gint references;

  /* when its plugin has been loaded */
  gst_object_unref (gst_object_ref_sink (gst_element_factory_create (factory,
              NULL)));
  gst_object_unref (factory);
  factory = gst_element_factory_find ("fakesink");
  references = G_OBJECT (factory)->ref_count;
  fail_unless (gst_tfrc_missing_find (all) == NULL);
  fail_unless_equals_int (G_OBJECT (factory)->ref_count, references);
  gst_object_unref (factory);
  fail_unless_equals_string (gst_tfrc_missing_find (some), "no-such-element");
}

GST_END_TEST;

/* --- warnings that are held back --- */

static guint held_back;         /* lines of the log */

static void
on_log (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer user_data)
{
  if (level == GST_LEVEL_LOG
      && strstr (gst_debug_category_get_name (category), "tfrc") != NULL)
    held_back += g_str_has_prefix (gst_debug_message_get (message),
        "not posted, ");
}

static GstMessage *
filter_warning (GstTfrcChildWarnings * warnings, GstElement * bin)
{
  GError *error = g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, "no");
  GstMessage *message = gst_message_new_warning (GST_OBJECT (bin), error, "d");

  g_error_free (error);
  return gst_tfrc_child_warnings_filter (warnings, GST_BIN (bin), NULL,
      message);
}

/* They are counted on the bus, and told one by one in the log of level 6. */
GST_START_TEST (warnings_that_are_held_back_are_logged)
{
  GstTfrcChildWarnings warnings = { NULL };
  GstTfrcWarning warning = { 0 };
  GstMessage *message;
  GstBus *bus;
  GstElement *bin = element_new (&bus);
  guint i;

  gst_debug_set_active (TRUE);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (on_log, NULL, NULL);
  gst_debug_set_threshold_for_name ("*tfrc*", GST_LEVEL_LOG);
  for (i = 0; i < 3; i++)
    gst_tfrc_warning_post (&warning, bin, GST_STREAM_ERROR,
        GST_STREAM_ERROR_FAILED, "no");
  fail_unless_equals_int (held_back, 2);
  element_expect_message (bus, GST_MESSAGE_WARNING, "no");
  element_expect_message (bus, 0, NULL);
  message = filter_warning (&warnings, bin);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (filter_warning (&warnings, bin) == NULL);
  fail_unless_equals_int (held_back, 3);
  gst_tfrc_child_warnings_clear (&warnings);
  gst_debug_remove_log_function (on_log);
  element_free (bin, bus);
}

GST_END_TEST;

static Suite *
messages_suite (void)
{
  Suite *suite = suite_create ("messages");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_loop_test (tcase, a_missing_element_is_named_with_its_package, 0,
      9);
  tcase_add_test (tcase, the_first_that_is_missing_is_found);
  tcase_add_test (tcase, warnings_that_are_held_back_are_logged);
  return suite;
}

GST_CHECK_MAIN (messages);
