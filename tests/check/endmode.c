/* gst-tfrc tests: tfrcsink and tfrcsrc whose property mode is auto
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ends.h"
#include "leaks.h"
#include "net.h"

#define VIDEO "application/x-rtp, media=(string)video, clock-rate=(int)90000, " \
    "encoding-name=(string)VP8, payload=(int)96"

static Ends ends;

static void
expect_mode (GstElement * end, const gchar * mode)
{
  GstStructure *stats;

  g_object_get (end, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "mode"), mode);
  gst_structure_free (stats);
}

static void
check_call (const gchar * caps, const gchar * receiver, const gchar * sender,
    const gchar * mode)
{
  ends = (Ends) {.caps = caps};
  ends_start_receiver (&ends, receiver);
  ends_start_sender (&ends, sender);
  fail_unless (ends_play (&ends, 3 * GST_SECOND) > 0);
  expect_mode (ends.sink, mode);
  expect_mode (ends.src, mode);
  /* which fails when an error was on a bus */
  ends_stop (&ends);
}

GST_START_TEST (both_ends_have_the_mode_of_the_media)
{
  check_call (NULL, "", "", "tfrc-sp");
}

GST_END_TEST;

/* The receiver knows payload type 96 as audio, and is told another mode. */
GST_START_TEST (the_receiver_follows_the_sender_of_video)
{
  check_call (VIDEO, "", "", "tfrc");
}

GST_END_TEST;

GST_START_TEST (the_receiver_follows_a_sender_whose_mode_was_set)
{
  check_call (NULL, "", "mode=tfrc", "tfrc");
}

GST_END_TEST;

GST_START_TEST (a_receiver_whose_mode_was_set_agrees_with_a_sender_of_that_mode)
{
  check_call (NULL, "mode=tfrc-sp", "", "tfrc-sp");
}

GST_END_TEST;

static Suite *
end_mode_suite (void)
{
  Suite *s = suite_create ("endmode");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, both_ends_have_the_mode_of_the_media);
  tcase_add_test (tc, the_receiver_follows_the_sender_of_video);
  tcase_add_test (tc, the_receiver_follows_a_sender_whose_mode_was_set);
  tcase_add_test (tc,
      a_receiver_whose_mode_was_set_agrees_with_a_sender_of_that_mode);
  return s;
}

GST_CHECK_MAIN (end_mode);
