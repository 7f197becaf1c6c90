/* gst-tfrc tests: running time against the system's monotonic clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gsttestclock.h>

#include "time/runningtimemap.h"

#define START (1000 * GST_SECOND)

static GstElement *element;
static GstTfrcRunningTimeMap times;
static GstClockTime now;        /* of the system */
static GstClockTime held[9];    /* how long the thread is held up before each reading to come */
static guint n_held, n_read;

/* In the place of GStreamer's own, for the plugin. */
GstClockTime
gst_util_get_timestamp (void)
{
  n_read++;
  if (n_held > 0)
    now += held[--n_held];
  return now;
}

static void
set_up (void)
{
  now = START;
  n_held = n_read = 0;
  element = gst_element_factory_make ("identity", NULL);
  gst_tfrc_running_time_map_init (&times, element);
}

static void
tear_down (void)
{
  gst_tfrc_running_time_map_clear (&times);
  gst_object_unref (element);
}

static void
take_clock (GstClock * clock, GstClockTime base)
{
  gst_element_set_clock (element, clock);
  gst_element_set_base_time (element, base);
  gst_object_unref (clock);
}

/* A clock that shows 50 s at START. */
static GstTestClock *
take_test_clock (GstClockTime base)
{
  GstClock *clock = gst_test_clock_new_with_start_time (50 * GST_SECOND);

  take_clock (clock, base);
  return GST_TEST_CLOCK (clock);
}

static void
expect_running (GstClockTime time, GstClockTime running)
{
  fail_unless_equals_uint64 (gst_tfrc_running_time_map_to_running (&times,
          time), running);
}

static void
expect_monotonic (GstClockTime running, GstClockTime time)
{
  fail_unless_equals_uint64 (gst_tfrc_running_time_map_from_running (&times,
          running), time);
}

GST_START_TEST (test_without_a_clock_there_is_no_running_time)
{
  expect_running (GST_SECOND, GST_CLOCK_TIME_NONE);
  expect_monotonic (GST_SECOND, GST_CLOCK_TIME_NONE);
}

GST_END_TEST;

GST_START_TEST (test_the_system_clock_is_the_monotonic_clock)
{
  take_clock (gst_system_clock_obtain (), 100 * GST_SECOND);
  expect_running (103 * GST_SECOND, 3 * GST_SECOND);
  expect_monotonic (3 * GST_SECOND, 103 * GST_SECOND);
  /* before the element was started */
  expect_running (99 * GST_SECOND, 0);
  expect_monotonic (GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
  /* it is never read */
  now += GST_SECOND;
  expect_running (103 * GST_SECOND, 3 * GST_SECOND);
  fail_unless_equals_int (n_read, 0);
}

GST_END_TEST;

/* The system's clock of the day is set, which the monotonic one is not. */
GST_START_TEST (test_another_system_clock_is_read)
{
  GstClock *clock = g_object_new (GST_TYPE_SYSTEM_CLOCK, "name", "day",
      "clock-type", GST_CLOCK_TYPE_REALTIME, NULL);

  take_clock (gst_object_ref_sink (clock), 0);
  gst_tfrc_running_time_map_to_running (&times, START);
  fail_unless (n_read > 0);
}

GST_END_TEST;

GST_START_TEST (test_another_clock_is_read)
{
  take_test_clock (40 * GST_SECOND);
  expect_running (START, 10 * GST_SECOND);
  expect_running (START + GST_SECOND, 11 * GST_SECOND);
  expect_running (START - 11 * GST_SECOND, 0);
  expect_monotonic (10 * GST_SECOND, START);
  expect_monotonic (0, START - 10 * GST_SECOND);
  /* before the system was started */
  gst_element_set_base_time (element, 0);
  take_clock (gst_test_clock_new_with_start_time (2 * START), 0);
  expect_running (START, 2 * START);
  expect_monotonic (GST_SECOND, 0);
}

GST_END_TEST;

/* A clock that has moved on is noticed after 100 ms, and not before. */
GST_START_TEST (test_a_clock_that_drifts_is_followed)
{
  GstTestClock *clock = take_test_clock (0);

  expect_running (START, 50 * GST_SECOND);
  gst_test_clock_advance_time (clock, 200 * GST_MSECOND);
  now += 100 * GST_MSECOND;
  expect_running (START, 50 * GST_SECOND);
  now += 1;
  /* it is 100 ms ahead of where it was */
  expect_running (START, 50 * GST_SECOND + 100 * GST_MSECOND - 1);
  expect_monotonic (50 * GST_SECOND + 100 * GST_MSECOND - 1, START);
  /* and not read again for as long */
  gst_test_clock_advance_time (clock, 200 * GST_MSECOND);
  now += 100 * GST_MSECOND;
  expect_running (START, 50 * GST_SECOND + 100 * GST_MSECOND - 1);
}

GST_END_TEST;

/* While the thread is held up the clock was read at some time that nobody knows. */
GST_START_TEST (test_a_reading_that_was_held_up_is_repeated)
{
  GstTestClock *clock = take_test_clock (0);

  expect_running (START, 50 * GST_SECOND);
  now += GST_SECOND;
  gst_test_clock_advance_time (clock, GST_SECOND);
  /* the question whether it is time, and three readings, two of which are held up */
  memset (held, 0, sizeof held);
  held[5] = held[3] = 50 * GST_MSECOND;
  n_held = 8;
  n_read = 0;
  gst_tfrc_running_time_map_to_running (&times, START);
  fail_unless_equals_int (n_read, 7);
  /* the clock stood still meanwhile, so it fell back by 100 ms */
  expect_running (START, 50 * GST_SECOND - 100 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (test_readings_that_are_all_held_up_change_nothing)
{
  GstTestClock *clock = take_test_clock (0);
  guint i;

  expect_running (START, 50 * GST_SECOND);
  now += GST_SECOND;
  gst_test_clock_advance_time (clock, 3 * GST_SECOND);
  /* the question whether it is time, and four attempts */
  for (i = 0; i < 9; i++)
    held[i] = 100 * GST_USECOND;
  n_held = 9;
  expect_running (START, 50 * GST_SECOND);
  fail_unless_equals_int (n_held, 0);
}

GST_END_TEST;

/* Less than 100 us is no hold-up; the clock was read in its middle. */
GST_START_TEST (test_a_short_reading_counts_by_its_middle)
{
  GstTestClock *clock = take_test_clock (0);

  expect_running (START, 50 * GST_SECOND);
  now += GST_SECOND;
  gst_test_clock_advance_time (clock, GST_SECOND);
  held[0] = 98 * GST_USECOND;
  held[1] = held[2] = 0;
  n_held = 3;
  expect_running (START, 50 * GST_SECOND - 49 * GST_USECOND);
}

GST_END_TEST;

/* A bad reading of a new clock is better than none. */
GST_START_TEST (test_the_first_reading_counts_however_long_it_took)
{
  guint i;

  take_test_clock (0);
  for (i = 0; i < 8; i++)
    held[i] = 0;
  for (i = 0; i < 8; i += 2)
    held[i] = 10 * GST_MSECOND;
  n_held = 8;
  /* from 0 ms to 10 ms, in the middle of which the clock showed 50 s */
  expect_running (START, 50 * GST_SECOND - 5 * GST_MSECOND);
}

GST_END_TEST;

/* Which clock it was is not remembered. */
GST_START_TEST (test_the_clock_can_be_exchanged)
{
  GstClock *clock = GST_CLOCK (take_test_clock (0));

  gst_object_ref (clock);
  expect_running (START, 50 * GST_SECOND);
  take_clock (gst_system_clock_obtain (), 0);
  expect_running (7 * GST_SECOND, 7 * GST_SECOND);
  ASSERT_OBJECT_REFCOUNT (clock, "clock out of use", 1);
  gst_object_unref (clock);
}

GST_END_TEST;

static Suite *
runningtimemap_suite (void)
{
  Suite *s = suite_create ("runningtimemap");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_without_a_clock_there_is_no_running_time);
  tcase_add_test (tc, test_the_system_clock_is_the_monotonic_clock);
  tcase_add_test (tc, test_another_system_clock_is_read);
  tcase_add_test (tc, test_another_clock_is_read);
  tcase_add_test (tc, test_a_clock_that_drifts_is_followed);
  tcase_add_test (tc, test_a_reading_that_was_held_up_is_repeated);
  tcase_add_test (tc, test_readings_that_are_all_held_up_change_nothing);
  tcase_add_test (tc, test_a_short_reading_counts_by_its_middle);
  tcase_add_test (tc, test_the_first_reading_counts_however_long_it_took);
  tcase_add_test (tc, test_the_clock_can_be_exchanged);
  return s;
}

GST_CHECK_MAIN (runningtimemap);
