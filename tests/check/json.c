/* gst-tfrc tests: statistics as JSON
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "base/json.h"
#include "leaks.h"

static void
expect_json (GstStructure * structure, const gchar * expected)
{
  gchar *json = gst_tfrc_json_from_structure (structure);

  fail_unless_equals_string (json, expected);
  g_free (json);
  gst_structure_free (structure);
}

GST_START_TEST (numbers_are_numbers)
{
  expect_json (gst_structure_new_empty ("s"), "{}");
  expect_json (gst_structure_new ("s", "a", G_TYPE_INT, -7,
          "b", G_TYPE_UINT, G_MAXUINT, "c", G_TYPE_INT64, G_MININT64,
          "d", G_TYPE_UINT64, G_MAXUINT64, "e", G_TYPE_BOOLEAN, TRUE,
          "f", G_TYPE_BOOLEAN, FALSE, NULL),
      "{\"a\":-7,\"b\":4294967295,\"c\":-9223372036854775808,"
      "\"d\":18446744073709551615,\"e\":true,\"f\":false}");
}

GST_END_TEST;

/* RFC 8259 6: the decimal point is a point in each language, and there is no infinity. */
GST_START_TEST (doubles_are_finite)
{
  expect_json (gst_structure_new ("s", "a", G_TYPE_DOUBLE, 0.25,
          "b", G_TYPE_DOUBLE, -1e300, "c", G_TYPE_DOUBLE, INFINITY,
          "d", G_TYPE_DOUBLE, -INFINITY, "e", G_TYPE_DOUBLE, NAN, NULL),
      "{\"a\":0.25,\"b\":-1.0000000000000001e+300,"
      "\"c\":null,\"d\":null,\"e\":null}");
}

GST_END_TEST;

GST_START_TEST (strings_are_escaped)
{
  expect_json (gst_structure_new ("s", "a", G_TYPE_STRING, "\"\\\n\x01/é",
          "b", G_TYPE_STRING, NULL, NULL),
      "{\"a\":\"\\\"\\\\\\u000a\\u0001/é\",\"b\":null}");
  /* a byte that is not UTF-8 is replaced */
  expect_json (gst_structure_new ("s", "a", G_TYPE_STRING, "x", "b",
          GST_TYPE_STATE, GST_STATE_PLAYING, NULL),
      "{\"a\":\"x\",\"b\":\"playing\"}");
}

GST_END_TEST;

GST_START_TEST (structures_and_arrays_are_nested)
{
  GstStructure *inner = gst_structure_new ("inner", "n", G_TYPE_INT, 1, NULL);
  GstStructure *outer = gst_structure_new ("outer", "part", GST_TYPE_STRUCTURE,
      inner, NULL);
  GValue array = G_VALUE_INIT, list = G_VALUE_INIT, item = G_VALUE_INIT;

  gst_value_array_init (&array, 2);
  for (guint i = 0; i < 2; i++) {
    g_value_init (&item, GST_TYPE_STRUCTURE);
    gst_value_set_structure (&item, inner);
    gst_value_array_append_and_take_value (&array, &item);
    item = (GValue) G_VALUE_INIT;
  }
  gst_structure_take_value (outer, "peers", &array);
  g_value_init (&list, GST_TYPE_LIST);
  gst_structure_take_value (outer, "none", &list);
  gst_structure_free (inner);
  expect_json (outer,
      "{\"part\":{\"n\":1},\"peers\":[{\"n\":1},{\"n\":1}],\"none\":[]}");
}

GST_END_TEST;

static Suite *
json_suite (void)
{
  Suite *suite = suite_create ("statistics as JSON");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, numbers_are_numbers);
  tcase_add_test (tcase, doubles_are_finite);
  tcase_add_test (tcase, strings_are_escaped);
  tcase_add_test (tcase, structures_and_arrays_are_nested);
  return suite;
}

GST_CHECK_MAIN (json);
