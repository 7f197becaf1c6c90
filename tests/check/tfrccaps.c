/* gst-tfrc tests: what caps, and SDP through caps, negotiate of TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element.h"

#include "base/tfrccaps.h"
#include "leaks.h"

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"

#define CAPS "application/x-rtp,payload=96"
#define EXTENSION ",extmap-3=" STAMP_URI

GST_START_TEST (the_id_of_the_extension_is_found)
{
  static const struct
  {
    const gchar *caps;
    guint id;
  } table[] = {
    {CAPS ",extmap-1=" STAMP_URI, 1},
    {CAPS ",extmap-255=" STAMP_URI, 255},
    {CAPS ",extmap-256=" STAMP_URI, 0},
    {CAPS ",extmap-0=" STAMP_URI, 0},
    {CAPS ",extmap-x=" STAMP_URI, 0},
    {CAPS ",othermap-4=" STAMP_URI, 0},
    {CAPS ",extmap-4=urn:other,extmap-5=" STAMP_URI, 5},
    {CAPS ",extmap-6=<sendonly," STAMP_URI ",fast>", 6},
    {CAPS ",extmap-7=<recvonly," STAMP_URI ">", 7},
    {CAPS ",extmap-8=<" STAMP_URI ">", 0},
    {CAPS ",extmap-9=(int)9", 0},
    {CAPS, 0},
    {"EMPTY", 0},
  };

  fail_unless_equals_int (gst_tfrc_caps_find_extension_id (NULL), 0);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    GstCaps *caps = gst_caps_from_string (table[i].caps);

    fail_unless (caps != NULL, "%s", table[i].caps);
    fail_unless (gst_tfrc_caps_find_extension_id (caps) == table[i].id,
        "%s", table[i].caps);
    gst_caps_unref (caps);
  }
}

GST_END_TEST;

static const struct
{
  const gchar *caps;
  GstTfrcCapsVerdict verdict;   /* of an end in the mode tfrc-sp */
  const gchar *error, *warning; /* at a receiver: words of it, or NULL */
} verdicts[] = {
  {CAPS, GST_TFRC_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION, GST_TFRC_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION ",rtcp-fb-tfrc=true", GST_TFRC_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION ",rtcp-fb-nack=true,tfrc-mode=tfrc-sp",
      GST_TFRC_CAPS_GOOD, NULL, NULL},
  {CAPS ",rtcp-fb-nack=true", GST_TFRC_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION ",rtcp-fb-nack=true", GST_TFRC_CAPS_NO_FEEDBACK, NULL,
      "half of TFRC"},
  {CAPS EXTENSION ",rtcp-fb-tfrc=false", GST_TFRC_CAPS_NO_FEEDBACK, NULL,
      "half of TFRC"},
  {CAPS ",rtcp-fb-tfrc=true", GST_TFRC_CAPS_NO_EXTENSION, NULL,
      "half of TFRC"},
  {CAPS ",tfrc-mode=tfrc-sp", GST_TFRC_CAPS_NO_EXTENSION, NULL,
      "half of TFRC"},
  {CAPS EXTENSION ",tfrc-mode=tfrc", GST_TFRC_CAPS_OTHER_MODE,
      "Set mode=tfrc here", NULL},
};

GST_START_TEST (caps_are_judged_by_what_they_say_of_tfrc)
{
  GstCaps *caps = gst_caps_from_string (verdicts[__i__].caps);
  GstTfrcCapsVerdict verdict = verdicts[__i__].verdict;
  gboolean sends = verdict == GST_TFRC_CAPS_GOOD
      || verdict == GST_TFRC_CAPS_NO_EXTENSION;
  GstTfrcWarning warning = { 0 };
  GstBus *bus;
  GstElement *element = element_new (&bus);

  fail_unless_equals_int (gst_tfrc_caps_check (caps, TFRC_MODE_TFRC_SP),
      verdict);
  fail_unless_equals_int (gst_tfrc_caps_judge (caps, TFRC_MODE_TFRC_SP,
          element), sends);
  element_expect_message (bus, GST_MESSAGE_ERROR,
      sends ? NULL : verdict ==
      GST_TFRC_CAPS_OTHER_MODE ? verdicts[__i__].error : "will not report");
  fail_unless_equals_int (gst_tfrc_caps_judge_received (caps,
          TFRC_MODE_TFRC_SP, element, &warning), verdict == GST_TFRC_CAPS_GOOD);
  if (verdicts[__i__].error != NULL)
    element_expect_message (bus, GST_MESSAGE_ERROR, verdicts[__i__].error);
  else
    element_expect_message (bus, GST_MESSAGE_WARNING, verdicts[__i__].warning);
  element_expect_message (bus, 0, NULL);
  element_free (element, bus);
  gst_caps_unref (caps);
}

GST_END_TEST;

static void
expect_completed (const gchar * before, guint id, const gchar * after)
{
  GstCaps *caps = gst_caps_from_string (before), *expected =
      gst_caps_from_string (after), *got;
  GstEvent *event = gst_tfrc_caps_complete (gst_event_new_caps (caps), id,
      TFRC_MODE_TFRC_SP);

  gst_event_parse_caps (event, &got);
  fail_unless (gst_caps_is_equal (got, expected), "%" GST_PTR_FORMAT, got);
  gst_event_unref (event);
  ASSERT_CAPS_REFCOUNT (caps, "caps", 1);
  gst_caps_unref (caps);
  gst_caps_unref (expected);
}

GST_START_TEST (caps_are_completed)
{
#define ADDED ",rtcp-fb-tfrc=true,tfrc-mode=tfrc-sp"
  expect_completed (CAPS, 3, CAPS EXTENSION ADDED);
  expect_completed (CAPS EXTENSION, 3, CAPS EXTENSION ADDED);
  /* what was agreed on stays as it is, attributes included */
  expect_completed (CAPS ",extmap-3=<sendonly," STAMP_URI ",fast>", 3,
      CAPS ",extmap-3=<sendonly," STAMP_URI ",fast>" ADDED);
}

GST_END_TEST;

static Suite *
tfrccaps_suite (void)
{
  Suite *suite = suite_create ("tfrccaps");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, the_id_of_the_extension_is_found);
  tcase_add_loop_test (tcase, caps_are_judged_by_what_they_say_of_tfrc, 0,
      G_N_ELEMENTS (verdicts));
  tcase_add_test (tcase, caps_are_completed);
  return suite;
}

GST_CHECK_MAIN (tfrccaps);
