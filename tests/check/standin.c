/* gst-tfrc tests: a thread that takes over from one that is held up
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "transport/standin.h"

/* Two threads whose duty is to call a function that returns while the gate is open. */
typedef struct
{
  GstTfrcStandIn stand_in;
  GThread *threads[2];
  GMutex lock;
  GCond cond;
  gboolean closed, stop;
  guint begun, returned;        /* calls of the function */
  guint shifts;                 /* times that a thread went on duty */
  guint relieved;               /* calls in which the other thread took over */
  gboolean gives_way;
} Duty;

static gboolean
is_stopped (Duty * duty)
{
  gboolean stop;

  g_mutex_lock (&duty->lock);
  stop = duty->stop;
  g_mutex_unlock (&duty->lock);
  return stop;
}

static void
pass_gate (Duty * duty)
{
  g_mutex_lock (&duty->lock);
  duty->begun++;
  g_cond_broadcast (&duty->cond);
  while (duty->closed)
    g_cond_wait (&duty->cond, &duty->lock);
  duty->returned++;
  g_mutex_unlock (&duty->lock);
}

static void
note (Duty * duty, guint * count)
{
  g_mutex_lock (&duty->lock);
  (*count)++;
  g_cond_broadcast (&duty->cond);
  g_mutex_unlock (&duty->lock);
}

/* FALSE: the thread was relieved. */
static gboolean
work (Duty * duty)
{
  if (!gst_tfrc_stand_in_is_ready (&duty->stand_in))
    return TRUE;
  gst_tfrc_stand_in_begin (&duty->stand_in);
  if (duty->gives_way)
    gst_tfrc_stand_in_give_way (&duty->stand_in);
  pass_gate (duty);
  if (gst_tfrc_stand_in_end (&duty->stand_in))
    return TRUE;
  note (duty, &duty->relieved);
  return FALSE;
}

static gpointer
run (gpointer data)
{
  Duty *duty = data;

  while (gst_tfrc_stand_in_wait (&duty->stand_in)) {
    gboolean on_duty = TRUE;

    note (duty, &duty->shifts);
    while (on_duty && !is_stopped (duty)) {
      on_duty = work (duty);
      g_usleep (100);
    }
    if (on_duty)
      gst_tfrc_stand_in_finish (&duty->stand_in);
  }
  return NULL;
}

static void
begin (Duty * duty, gboolean gives_way)
{
  *duty = (Duty) {.gives_way = gives_way};
  g_mutex_init (&duty->lock);
  g_cond_init (&duty->cond);
  gst_tfrc_stand_in_init (&duty->stand_in);
  duty->threads[0] = g_thread_new ("first", run, duty);
  duty->threads[1] = g_thread_new ("second", run, duty);
}

static void
set_gate (Duty * duty, gboolean closed)
{
  g_mutex_lock (&duty->lock);
  duty->closed = closed;
  g_cond_broadcast (&duty->cond);
  g_mutex_unlock (&duty->lock);
}

static guint
get (Duty * duty, const guint * count)
{
  guint n;

  g_mutex_lock (&duty->lock);
  n = *count;
  g_mutex_unlock (&duty->lock);
  return n;
}

/* Until the count is above `n`. */
static void
wait_above (Duty * duty, const guint * count, guint n)
{
  g_mutex_lock (&duty->lock);
  while (*count <= n)
    g_cond_wait (&duty->cond, &duty->lock);
  g_mutex_unlock (&duty->lock);
}

/* Holds up the thread on duty until the other one is. */
static void
hold_up (Duty * duty)
{
  guint shifts = get (duty, &duty->shifts);

  set_gate (duty, TRUE);
  wait_above (duty, &duty->shifts, shifts);
  set_gate (duty, FALSE);
}

static void
finish (Duty * duty)
{
  g_mutex_lock (&duty->lock);
  duty->stop = TRUE;
  g_mutex_unlock (&duty->lock);
  g_thread_join (duty->threads[0]);
  g_thread_join (duty->threads[1]);
  gst_tfrc_stand_in_clear (&duty->stand_in);
  g_mutex_clear (&duty->lock);
  g_cond_clear (&duty->cond);
}

/* The same at the second time, when the threads have changed places. */
GST_START_TEST (test_the_other_thread_takes_over_from_one_that_is_held_up)
{
  Duty duty;
  guint i;

  begin (&duty, FALSE);
  for (i = 0; i < 2; i++) {
    wait_above (&duty, &duty.begun, get (&duty, &duty.begun) + 2);
    hold_up (&duty);
    wait_above (&duty, &duty.relieved, i);
  }
  finish (&duty);
  fail_unless_equals_int (duty.begun, duty.returned);
}

GST_END_TEST;

GST_START_TEST (test_a_thread_gives_way)
{
  Duty duty;

  begin (&duty, TRUE);
  wait_above (&duty, &duty.relieved, 20);
  finish (&duty);
}

GST_END_TEST;

/* The other thread is not called for when the function returns, however long the duty goes on. */
GST_START_TEST (test_nobody_takes_over_from_one_that_is_not_held_up)
{
  GstTfrcStandIn stand_in;
  guint i;

  gst_tfrc_stand_in_init (&stand_in);
  fail_unless (gst_tfrc_stand_in_wait (&stand_in));
  fail_if (gst_tfrc_stand_in_is_ready (&stand_in));
  for (i = 0; i < 1000; i++) {
    gst_tfrc_stand_in_begin (&stand_in);
    fail_unless (gst_tfrc_stand_in_end (&stand_in));
  }
  g_usleep (2 * GST_TFRC_STAND_IN_PATIENCE / GST_USECOND);
  gst_tfrc_stand_in_give_way (&stand_in);
  gst_tfrc_stand_in_finish (&stand_in);
  fail_if (gst_tfrc_stand_in_wait (&stand_in));
  gst_tfrc_stand_in_clear (&stand_in);
}

GST_END_TEST;

/* The thread that waits goes home as well, and so does one that is inside of the function. */
GST_START_TEST (test_the_end_comes_to_both)
{
  Duty duty;
  guint i;

  for (i = 0; i < 50; i++) {
    begin (&duty, FALSE);
    if (i % 2 == 0)
      wait_above (&duty, &duty.begun, 0);
    if (i % 3 == 0)
      hold_up (&duty);
    finish (&duty);
  }
}

GST_END_TEST;

static Suite *
standin_suite (void)
{
  Suite *s = suite_create ("standin");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc,
      test_the_other_thread_takes_over_from_one_that_is_held_up);
  tcase_add_test (tc, test_a_thread_gives_way);
  tcase_add_test (tc, test_the_end_comes_to_both);
  tcase_add_test (tc, test_nobody_takes_over_from_one_that_is_not_held_up);
  return s;
}

GST_CHECK_MAIN (standin);
