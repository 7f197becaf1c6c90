/* gst-tfrc tests: running time against the system's monotonic clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gsttestclock.h>

#include "time/monotonictime.h"

static GstElement *element;
static GstTfrcMonotonicTime times;

static void
set_up (void)
{
  element = gst_element_factory_make ("identity", NULL);
  gst_tfrc_monotonic_time_init (&times, element);
}

static void
tear_down (void)
{
  gst_tfrc_monotonic_time_clear (&times);
  gst_object_unref (element);
}

static void
take_clock (GstClock * clock, GstClockTime base)
{
  gst_element_set_clock (element, clock);
  gst_element_set_base_time (element, base);
  gst_object_unref (clock);
}

GST_START_TEST (test_without_a_clock_there_is_no_running_time)
{
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_to_running (&times,
          GST_SECOND), GST_CLOCK_TIME_NONE);
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_from_running (&times,
          GST_SECOND), GST_CLOCK_TIME_NONE);
}

GST_END_TEST;

GST_START_TEST (test_the_system_clock_is_the_monotonic_clock)
{
  take_clock (gst_system_clock_obtain (), 100 * GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_to_running (&times,
          103 * GST_SECOND), 3 * GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_from_running (&times,
          3 * GST_SECOND), 103 * GST_SECOND);
  /* before the element was started */
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_to_running (&times,
          99 * GST_SECOND), 0);
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_from_running (&times,
          GST_CLOCK_TIME_NONE), GST_CLOCK_TIME_NONE);
}

GST_END_TEST;

/* A clock that stands at 50 s shows, as it is read, the monotonic time of that moment. */
GST_START_TEST (test_another_clock_is_read)
{
  GstClockTime before, after, running;
  GstClock *clock = gst_test_clock_new_with_start_time (50 * GST_SECOND);

  take_clock (clock, 40 * GST_SECOND);
  before = gst_util_get_timestamp ();
  running = gst_tfrc_monotonic_time_to_running (&times, before);
  after = gst_util_get_timestamp ();
  fail_unless (running <= 10 * GST_SECOND);
  fail_unless (running + (after - before) >= 10 * GST_SECOND);
  /* and back, as long as it is not read again */
  fail_unless_equals_uint64 (times.offset, GST_CLOCK_DIFF (before, running +
          40 * GST_SECOND));
}

GST_END_TEST;

/* A clock that has moved on is noticed after 100 ms, and not before. */
GST_START_TEST (test_a_clock_that_drifts_is_followed)
{
  GstClock *clock = gst_test_clock_new_with_start_time (50 * GST_SECOND);
  GstClockTimeDiff offset;
  guint i;

  take_clock (clock, 0);
  gst_tfrc_monotonic_time_to_running (&times, gst_util_get_timestamp ());
  offset = times.offset;
  gst_test_clock_advance_time (GST_TEST_CLOCK (clock), 10 * GST_SECOND);
  times.read = gst_util_get_timestamp () + GST_SECOND;
  gst_tfrc_monotonic_time_to_running (&times, gst_util_get_timestamp ());
  fail_unless_equals_int64 (times.offset, offset);
  /* readings during which this thread was held up do not count */
  for (i = 0; i < 100 && times.offset == offset; i++) {
    times.read = gst_util_get_timestamp () - 101 * GST_MSECOND;
    gst_tfrc_monotonic_time_to_running (&times, gst_util_get_timestamp ());
  }
  fail_unless (times.offset > offset + (gint64) (8 * GST_SECOND));
  fail_unless (times.offset < offset + (gint64) (10 * GST_SECOND));
}

GST_END_TEST;

/* Which clock it was is not remembered. */
GST_START_TEST (test_the_clock_can_be_exchanged)
{
  take_clock (gst_test_clock_new_with_start_time (50 * GST_SECOND), 0);
  gst_tfrc_monotonic_time_to_running (&times, gst_util_get_timestamp ());
  take_clock (gst_system_clock_obtain (), 0);
  fail_unless_equals_uint64 (gst_tfrc_monotonic_time_to_running (&times,
          7 * GST_SECOND), 7 * GST_SECOND);
}

GST_END_TEST;

static Suite *
monotonictime_suite (void)
{
  Suite *s = suite_create ("monotonictime");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_without_a_clock_there_is_no_running_time);
  tcase_add_test (tc, test_the_system_clock_is_the_monotonic_clock);
  tcase_add_test (tc, test_another_clock_is_read);
  tcase_add_test (tc, test_a_clock_that_drifts_is_followed);
  tcase_add_test (tc, test_the_clock_can_be_exchanged);
  return s;
}

GST_CHECK_MAIN (monotonictime);
