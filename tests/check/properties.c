/* gst-tfrc tests: each property of each element alone: it can be read, and changes no other
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "leaks.h"
#include "net.h"

static const gchar *const elements[] = { "rtptfrcsend", "rtptfrcreceive",
  "tfrcencodebin", "tfrcdecodebin", "tfrcencodercontrol"
};

static gboolean
is_ours (GParamSpec * spec)
{
  return spec->owner_type != GST_TYPE_OBJECT && spec->owner_type !=
      GST_TYPE_BIN;
}

/* What the property holds, in words. */
static gchar *
read_property (GstElement * element, GParamSpec * spec)
{
  GValue value = G_VALUE_INIT;
  gchar *text;

  g_value_init (&value, spec->value_type);
  g_object_get_property (G_OBJECT (element), spec->name, &value);
  if (!G_VALUE_HOLDS_BOXED (&value))
    text = g_strdup_value_contents (&value);
  else
    text = g_value_get_boxed (&value) != NULL ? gst_value_serialize (&value) :
        g_strdup ("none");
  g_value_unset (&value);
  return text;
}

/* Sets the property to another value than its default. FALSE: it is of no kind that can be. */
static gboolean
write_property (GstElement * element, GParamSpec * spec)
{
  GObject *object = G_OBJECT (element), *other;

  if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_object_set (object, spec->name,
        !G_PARAM_SPEC_BOOLEAN (spec)->default_value, NULL);
  else if (G_IS_PARAM_SPEC_UINT (spec))
    g_object_set (object, spec->name, G_PARAM_SPEC_UINT (spec)->default_value !=
        G_PARAM_SPEC_UINT (spec)->maximum ? G_PARAM_SPEC_UINT (spec)->maximum :
        G_PARAM_SPEC_UINT (spec)->minimum, NULL);
  else if (G_IS_PARAM_SPEC_INT (spec))
    g_object_set (object, spec->name, G_PARAM_SPEC_INT (spec)->maximum, NULL);
  else if (G_IS_PARAM_SPEC_UINT64 (spec))
    g_object_set (object, spec->name, (guint64) 12345, NULL);
  else if (G_IS_PARAM_SPEC_DOUBLE (spec))
    g_object_set (object, spec->name, 0.5, NULL);
  else if (G_IS_PARAM_SPEC_ENUM (spec))
    g_object_set (object, spec->name, !G_PARAM_SPEC_ENUM (spec)->default_value,
        NULL);
  else if (G_IS_PARAM_SPEC_STRING (spec))
    g_object_set (object, spec->name, "PCMU", NULL);
  else if (spec->value_type == GST_TYPE_STRUCTURE)
    gst_util_set_object_arg (object, spec->name, "experimental,pacing=fluid");
  else if (spec->value_type == GST_TYPE_CAPS)
    gst_util_set_object_arg (object, spec->name, "application/x-rtp");
  else if (G_IS_PARAM_SPEC_OBJECT (spec)) {
    other = G_OBJECT (gst_object_ref_sink (gst_element_factory_make ("opusenc",
                NULL)));
    g_object_set (object, spec->name, other, NULL);
    g_object_unref (other);
  } else
    return FALSE;
  return TRUE;
}

static void
check_others (GstElement * element, GParamSpec ** specs, guint n,
    GParamSpec * written)
{
  GstElement *fresh =
      gst_element_factory_make (GST_OBJECT_NAME (gst_element_get_factory
          (element)), GST_OBJECT_NAME (element));

  for (guint i = 0; i < n; i++) {
    gchar *before, *now;

    if (!is_ours (specs[i]))
      continue;
    before = read_property (fresh, specs[i]);
    now = read_property (element, specs[i]);
    if (specs[i] == written)
      fail_if (g_str_equal (before, now), "%s stays %s", written->name, now);
    else
      fail_unless_equals_string (now, before);
    g_free (before);
    g_free (now);
  }
  gst_object_unref (fresh);
}

GST_START_TEST (a_property_changes_no_other)
{
  GstElement *element = gst_element_factory_make (elements[__i__], NULL);
  guint n, written = 0;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
  const GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_LEVEL_WARNING |
      G_LOG_LEVEL_CRITICAL);

  for (guint i = 0; i < n; i++) {
    GstElement *one = gst_element_factory_make (elements[__i__], NULL);

    /* the content decides over the bit rates that were not set */
    if (is_ours (specs[i]) && (specs[i]->flags & G_PARAM_WRITABLE)
        && !g_str_equal (specs[i]->name, "content")) {
      fail_unless (write_property (one, specs[i]), "%s", specs[i]->name);
      check_others (one, specs, n, specs[i]);
      written++;
    }
    gst_object_unref (one);
  }
  fail_unless (written >= 2);
  g_log_set_always_fatal (fatal);
  g_free (specs);
  gst_object_unref (element);
}

GST_END_TEST;

/* The default that gst-inspect-1.0 prints is the value that a new element has. */
GST_START_TEST (an_element_begins_with_its_defaults)
{
  GstElement *element = gst_element_factory_make (elements[__i__], NULL);
  guint n;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (!is_ours (specs[i]) || g_str_has_prefix (specs[i]->name, "stats"))
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (G_OBJECT (element), specs[i]->name, &value);
    fail_unless (g_param_value_defaults (specs[i], &value), "%s",
        specs[i]->name);
    g_value_unset (&value);
  }
  g_free (specs);
  gst_object_unref (element);
}

GST_END_TEST;

/* The content sets the bit rates, but for those that the application has set. */
GST_START_TEST (the_content_sets_the_bit_rates)
{
  static const guint expected[4][3] = {
    {64000, 32000, 160000}, {20000, 32000, 160000}, {64000, 7000, 160000},
    {64000, 32000, 90000}
  };
  static const gchar *const names[] = { "bitrate", "min-bitrate",
    "max-bitrate"
  };
  static const guint set[] = { 20000, 7000, 90000 };
  static const guint voice[] = { 16000, 6000, 64000 };
  GstElement *bin = gst_element_factory_make ("tfrcencodebin", NULL);
  guint got;

  if (__i__ > 0)
    g_object_set (bin, names[__i__ - 1], set[__i__ - 1], NULL);
  for (guint round = 0; round < 2; round++) {
    gst_util_set_object_arg (G_OBJECT (bin), "content", round == 0 ? "music" :
        "voice");
    for (guint i = 0; i < 3; i++) {
      g_object_get (bin, names[i], &got, NULL);
      fail_unless_equals_int (got, round == 0 ? expected[__i__][i] :
          (int) i == __i__ - 1 ? set[i] : voice[i]);
    }
  }
  gst_object_unref (bin);
}

GST_END_TEST;

/* --- in which states --- */

static guint
count_warnings (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    gst_message_unref (message);
    n++;
  }
  return n;
}

/* What cannot take effect is refused: the property keeps its value, and there is a warning. */
static guint
check_refused (GstElement * element, GstBus * bus, GstState state)
{
  guint n, refused = 0;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    gboolean ready = (specs[i]->flags & GST_PARAM_MUTABLE_READY) != 0;
    gchar *before = NULL, *now;

    if (strstr (g_type_name (specs[i]->owner_type), "Tfrc") == NULL
        || !(specs[i]->flags & G_PARAM_WRITABLE)
        || (specs[i]->flags & GST_PARAM_MUTABLE_PLAYING)
        || (ready && state == GST_STATE_READY))
      continue;
    if (specs[i]->flags & G_PARAM_READABLE)
      before = read_property (element, specs[i]);
    fail_unless (write_property (element, specs[i]), "%s", specs[i]->name);
    fail_unless_equals_int (count_warnings (bus), 1);
    refused++;
    if (before == NULL)
      continue;
    now = read_property (element, specs[i]);
    fail_unless_equals_string (now, before);
    g_free (now);
    g_free (before);
  }
  g_free (specs);
  return refused;
}

/* Of how many properties of each element a change in READY, and in PAUSED, is refused, at least: those that are added
 * later are checked as well. */
static const struct
{
  const gchar *name;
  guint in_ready, in_paused;
} late[] = {
  {"rtptfrcreceive", 0, 6},
  {"rtptfrcsend", 0, 14},
  {"tfrcbin", 0, 35},
  {"tfrcdecodebin", 0, 2},
  {"tfrcencodebin", 0, 6},
  {"tfrcencodercontrol", 0, 0},
  {"tfrcopusdec", 0, 0},
  {"tfrcopusenc", 0, 1},
  {"tfrcsink", 6, 25},
  {"tfrcsrc", 6, 25}
};

GST_START_TEST (a_change_that_comes_too_late_is_refused)
{
  GstElement *element = gst_element_factory_make (late[__i__].name, NULL);
  GstBus *bus = gst_bus_new ();

  net_start ();
  gst_element_set_bus (element, bus);
  fail_if (gst_element_set_state (element, GST_STATE_READY) ==
      GST_STATE_CHANGE_FAILURE);
  fail_unless (check_refused (element, bus, GST_STATE_READY) >=
      late[__i__].in_ready);
  fail_if (gst_element_set_state (element, GST_STATE_PAUSED) ==
      GST_STATE_CHANGE_FAILURE);
  fail_unless (check_refused (element, bus, GST_STATE_PAUSED) >=
      late[__i__].in_paused);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
  net_stop ();
}

GST_END_TEST;

static Suite *
properties_suite (void)
{
  Suite *suite = suite_create ("properties");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_loop_test (tcase, a_property_changes_no_other, 0,
      G_N_ELEMENTS (elements));
  tcase_add_loop_test (tcase, an_element_begins_with_its_defaults, 0,
      G_N_ELEMENTS (elements));
  tcase_add_loop_test (tcase, the_content_sets_the_bit_rates, 0, 4);
  tcase_add_loop_test (tcase, a_change_that_comes_too_late_is_refused, 0,
      G_N_ELEMENTS (late));
  return suite;
}

GST_CHECK_MAIN (properties);
