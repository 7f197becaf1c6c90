/* gst-tfrc tests: bounded warnings, and elements that are not installed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element.h"

#include <string.h>

#include "base/messages.h"

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

  fail_unless (gst_tfrc_missing_find (all) == NULL);
  fail_unless_equals_string (gst_tfrc_missing_find (some), "no-such-element");
}

GST_END_TEST;

static Suite *
messages_suite (void)
{
  Suite *suite = suite_create ("messages");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, a_missing_element_is_named_with_its_package, 0,
      9);
  tcase_add_test (tcase, the_first_that_is_missing_is_found);
  return suite;
}

GST_CHECK_MAIN (messages);
