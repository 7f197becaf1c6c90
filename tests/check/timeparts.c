/* gst-tfrc tests: the heap of times, and threads and memory of the departure scheduler
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "heap.h"
#include "net.h"
#include "settle.h"
#include "time/departurescheduler.h"
#include "time/enginetime.h"

#define NODES 200

/* --- the heap --- */

static GstTfrcTimeHeapNode nodes[NODES];

/* The earliest of the nodes that are in the heap. */
static GstClockTime
find_earliest (void)
{
  GstClockTime earliest = GST_CLOCK_TIME_NONE;
  guint i;

  for (i = 0; i < NODES; i++)
    if (nodes[i].index != GST_TFRC_TIME_HEAP_NOWHERE)
      earliest = MIN (earliest, nodes[i].time);
  return earliest;
}

/* Nodes come and go in any order; the first is always the earliest. */
GST_START_TEST (test_the_first_is_the_earliest_after_any_changes)
{
  GRand *rand = g_rand_new_with_seed (1);
  GArray *heap = gst_tfrc_time_heap_new ();
  guint i, n = 0, wrong = 0;

  fail_unless (gst_tfrc_time_heap_first (heap) == NULL);
  for (i = 0; i < NODES; i++)
    nodes[i].index = GST_TFRC_TIME_HEAP_NOWHERE;
  for (i = 0; i < 20000; i++) {
    GstTfrcTimeHeapNode *node = &nodes[g_rand_int_range (rand, 0, NODES)];

    if (node->index != GST_TFRC_TIME_HEAP_NOWHERE) {
      gst_tfrc_time_heap_remove (heap, node);
      wrong += node->index != GST_TFRC_TIME_HEAP_NOWHERE;
      gst_tfrc_time_heap_remove (heap, node);
      n--;
    } else if (i % 4000 < 3000 || n == 0) {
      node->time = g_rand_int_range (rand, 0, 500);
      gst_tfrc_time_heap_insert (heap, node);
      n++;
    }
    wrong += heap->len != n;
    wrong += n > 0 && gst_tfrc_time_heap_first (heap)->time != find_earliest ();
  }
  fail_unless_equals_int (wrong, 0);
  g_array_unref (heap);
  g_rand_free (rand);
}

GST_END_TEST;

/* Work for a thousand timers grows with the logarithm of their number: a node that is put in as
 * the last one is where it was put, and the places of all nodes are known. */
GST_START_TEST (test_nodes_know_their_places)
{
  GArray *heap = gst_tfrc_time_heap_new ();
  guint i;

  for (i = 0; i < NODES; i++) {
    nodes[i].time = i * 37 % NODES;
    gst_tfrc_time_heap_insert (heap, &nodes[i]);
  }
  for (i = 0; i < NODES; i++) {
    const GstTfrcTimeHeapEntry *entry =
        &g_array_index (heap, GstTfrcTimeHeapEntry, nodes[i].index);

    fail_unless (entry->node == &nodes[i] && entry->time == nodes[i].time);
    if (nodes[i].index > 0)
      fail_unless (g_array_index (heap, GstTfrcTimeHeapEntry,
              (nodes[i].index - 1) / 2).time <= nodes[i].time);
  }
  g_array_unref (heap);
}

GST_END_TEST;

/* --- the scheduler --- */

static guint
count_threads (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  settle ();
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

/* A thread that has been joined stands in /proc for a moment more. */
static void
expect_threads (guint n)
{
  guint tries;

  for (tries = 0; tries < 2000 && count_threads () != n; tries++)
    g_usleep (1000);
  fail_unless_equals_int (count_threads (), n);
}

static void
count (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

static void
join_and_leave (GstClock * clock, const gchar * context)
{
  GstTfrcSchedulerEntry entries[2] = { 0 };
  gint calls = 0;
  guint i;

  for (i = 0; i < 2; i++) {
    gst_tfrc_scheduler_entry_join (&entries[i], context, clock, count, &calls);
    gst_tfrc_scheduler_entry_arm (&entries[i], net_get_time () + GST_MSECOND);
  }
  net_run (2 * GST_MSECOND);
  fail_unless_equals_int (g_atomic_int_get (&calls), 2);
  gst_tfrc_scheduler_entry_arm (&entries[0], net_get_time () + GST_SECOND);
  for (i = 0; i < 2; i++)
    gst_tfrc_scheduler_entry_leave (&entries[i]);
}

GST_START_TEST (test_schedulers_leave_no_thread_and_no_memory)
{
  GstClock *clock;
  guint threads, i;
  gsize used = 0;

  heap_set_up ();
  net_start ();
  clock = gst_system_clock_obtain ();
  /* ThreadSanitizer has a thread from the first thread of a process on. */
  join_and_leave (clock, NULL);
  threads = count_threads ();
  for (i = 0; i < 40; i++) {
    if (i == 20)
      used = heap_get_used ();
    join_and_leave (clock, i % 2 == 0 ? "context" : NULL);
    expect_threads (threads);
  }
  fail_unless (heap_get_used () < used + 20 * 16, "%" G_GSIZE_FORMAT
      " bytes more", heap_get_used () - used);
  gst_object_unref (clock);
  net_stop ();
}

GST_END_TEST;

/* An entry that is armed for the time that it is armed for already wakes up nobody, and one
 * that is put off is not called at the time before. */
GST_START_TEST (test_an_entry_is_called_at_the_time_that_was_set_last)
{
  GstTfrcSchedulerEntry entry = { 0 }, other = { 0 };
  GstClock *clock;
  GstClockTime now;
  gint calls = 0, others = 0;

  net_start ();
  clock = gst_system_clock_obtain ();
  now = net_get_time ();
  gst_tfrc_scheduler_entry_join (&entry, NULL, clock, count, &calls);
  gst_tfrc_scheduler_entry_join (&other, NULL, clock, count, &others);
  gst_tfrc_scheduler_entry_arm (&entry, now + GST_SECOND);
  gst_tfrc_scheduler_entry_arm (&other, now + 5 * GST_SECOND);
  settle ();
  gst_tfrc_scheduler_entry_arm (&entry, now + GST_SECOND);
  gst_tfrc_scheduler_entry_arm (&entry, now + 2 * GST_SECOND);
  net_run (1500 * GST_MSECOND);
  fail_unless_equals_int (g_atomic_int_get (&calls), 0);
  net_run (500 * GST_MSECOND);
  fail_unless_equals_int (g_atomic_int_get (&calls), 1);
  /* brought forward, while the thread waits for later */
  gst_tfrc_scheduler_entry_arm (&other, now + 2500 * GST_MSECOND);
  net_run (500 * GST_MSECOND);
  fail_unless_equals_int (g_atomic_int_get (&others), 1);
  /* and while it waits for nothing */
  gst_tfrc_scheduler_entry_arm (&other, 0);
  net_run (1);
  fail_unless_equals_int (g_atomic_int_get (&others), 2);
  gst_tfrc_scheduler_entry_leave (&entry);
  gst_tfrc_scheduler_entry_leave (&other);
  gst_object_unref (clock);
  net_stop ();
}

GST_END_TEST;

/* --- the timer that all elements on a clock share --- */

static gint rung;

static void
on_shared (GstElement * owner)
{
  g_atomic_int_inc (&rung);
}

static void
set_and_unset (GstElement * owner)
{
  GstClock *clock = gst_system_clock_obtain ();
  GstTfrcSharedTimerEntry entries[3] = { {{0}} };
  guint i;

  for (i = 0; i < 3; i++)
    gst_tfrc_shared_timer_set (&entries[i], clock, net_get_time () +
        (i + 1) * 100 * GST_MSECOND, owner, on_shared);
  net_run (250 * GST_MSECOND);
  gst_tfrc_shared_timer_unset (&entries[2]);
  /* one that has fired waits no more */
  gst_tfrc_shared_timer_unset (&entries[0]);
  net_run (GST_SECOND);
  ASSERT_OBJECT_REFCOUNT (owner, "owner", 1);
  gst_object_unref (clock);
}

GST_START_TEST (test_shared_timers_leave_no_memory)
{
  GstElement *owner = gst_object_ref_sink (gst_bin_new (NULL));
  GstTfrcSharedTimerEntry never = { {0}
  };
  guint i;
  gsize used = 0;

  heap_set_up ();
  net_start ();
  /* nothing was set yet */
  gst_tfrc_shared_timer_unset (&never);
  for (i = 0; i < 40; i++) {
    if (i == 20)
      used = heap_get_used ();
    set_and_unset (owner);
    fail_unless_equals_int (g_atomic_int_get (&rung), 2 * (i + 1));
  }
  fail_unless (heap_get_used () < used + 20 * 16, "%" G_GSIZE_FORMAT
      " bytes more", heap_get_used () - used);
  gst_object_unref (owner);
  net_stop ();
}

GST_END_TEST;

static Suite *
timeparts_suite (void)
{
  Suite *s = suite_create ("timeparts");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_the_first_is_the_earliest_after_any_changes);
  tcase_add_test (tc, test_nodes_know_their_places);
  tcase_add_test (tc, test_schedulers_leave_no_thread_and_no_memory);
  tcase_add_test (tc, test_an_entry_is_called_at_the_time_that_was_set_last);
  tcase_add_test (tc, test_shared_timers_leave_no_memory);
  return s;
}

GST_CHECK_MAIN (timeparts);
