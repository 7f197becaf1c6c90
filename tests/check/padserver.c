/* gst-tfrc tests: the threads that serve peers' pads
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <gst/check/gstcheck.h>
#include <pthread.h>

#include "transport/padserver.h"

/* What a queue's objects go through: a gate, which can be closed, then a count. */
typedef struct
{
  GstTfrcPadQueue *queue;
  GMutex lock;
  GCond cond;
  gboolean closed;
  guint inside;                 /* threads at the gate */
  guint served;
  guint64 last;                 /* offset of the last buffer */
  gboolean in_order;
} Gate;

static void
serve (GstMiniObject * object, gpointer data)
{
  Gate *gate = data;
  GstBuffer *buffer = GST_BUFFER_CAST (object);

  g_mutex_lock (&gate->lock);
  gate->inside++;
  g_cond_broadcast (&gate->cond);
  while (gate->closed)
    g_cond_wait (&gate->cond, &gate->lock);
  gate->inside--;
  gate->in_order &= gate->served == 0 ||
      GST_BUFFER_OFFSET (buffer) > gate->last;
  gate->last = GST_BUFFER_OFFSET (buffer);
  gate->served++;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->lock);
  gst_buffer_unref (buffer);
}

static void
gate_init (Gate * gate, gboolean closed)
{
  *gate = (Gate) {.closed = closed, .in_order = TRUE};
  g_mutex_init (&gate->lock);
  g_cond_init (&gate->cond);
  gate->queue = gst_tfrc_pad_queue_new (serve, gate);
}

static guint
get_served (Gate * gate)
{
  guint served;

  g_mutex_lock (&gate->lock);
  served = gate->served;
  g_mutex_unlock (&gate->lock);
  return served;
}

static void
gate_open (Gate * gate)
{
  g_mutex_lock (&gate->lock);
  gate->closed = FALSE;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->lock);
}

static void
gate_clear (Gate * gate)
{
  gate_open (gate);
  gst_tfrc_pad_queue_free (gate->queue);
  g_mutex_clear (&gate->lock);
  g_cond_clear (&gate->cond);
}

static GstMiniObject *
make_object (guint n)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_OFFSET (buffer) = n;
  return GST_MINI_OBJECT_CAST (buffer);
}

static gboolean
add (Gate * gate, guint n)
{
  return gst_tfrc_pad_queue_add (gate->queue, make_object (n));
}

static void
wait_inside (Gate * gate)
{
  g_mutex_lock (&gate->lock);
  while (gate->inside == 0)
    g_cond_wait (&gate->cond, &gate->lock);
  g_mutex_unlock (&gate->lock);
}

static void
wait_served (Gate * gate, guint n)
{
  g_mutex_lock (&gate->lock);
  while (gate->served < n)
    g_cond_wait (&gate->cond, &gate->lock);
  g_mutex_unlock (&gate->lock);
}

/* A thread is held by the first object, and the queue behind it is full. */
static void
gate_init_full (Gate * gate)
{
  guint i;

  gate_init (gate, TRUE);
  fail_unless (add (gate, 0));
  wait_inside (gate);
  for (i = 0; i < GST_TFRC_PAD_QUEUE_MAX; i++)
    fail_unless (add (gate, i + 1));
}

/* --- a process without threads --- */

static gint no_threads;

/* In place of that of the system, as the symbols of a program go before those of libraries. */
int
pthread_create (pthread_t * thread, const pthread_attr_t * attributes,
    void *(*run) (void *), void *data)
{
  int (*next) (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      dlsym (RTLD_NEXT, "pthread_create");

  return g_atomic_int_get (&no_threads) ? EAGAIN :
      next (thread, attributes, run, data);
}

/* What comes meanwhile waits for the next thing that comes after it, of whichever queue. */
GST_START_TEST (test_a_process_without_threads_goes_on_once_there_are_some)
{
  Gate early, gone, next;

  gate_init (&early, FALSE);
  gate_init (&gone, FALSE);
  gate_init (&next, FALSE);
  g_atomic_int_set (&no_threads, TRUE);
  fail_unless (add (&early, 0));
  fail_unless (add (&early, 1));
  fail_unless (add (&gone, 0));
  fail_unless_equals_int (get_served (&early), 0);
  fail_if (gst_tfrc_pad_queue_finish (gone.queue, make_object (1),
          10 * GST_MSECOND));
  gate_clear (&gone);
  g_atomic_int_set (&no_threads, FALSE);
  fail_unless (add (&next, 0));
  wait_served (&early, 2);
  wait_served (&next, 1);
  gate_clear (&early);
  gate_clear (&next);
}

GST_END_TEST;

/* The only thread that there is takes what waits once it can. */
GST_START_TEST (test_one_thread_serves_what_there_is_no_other_for)
{
  Gate blocked, after;

  gate_init (&blocked, TRUE);
  gate_init (&after, FALSE);
  fail_unless (add (&blocked, 0));
  wait_inside (&blocked);
  g_atomic_int_set (&no_threads, TRUE);
  fail_unless (add (&after, 0));
  gate_open (&blocked);
  wait_served (&after, 1);
  g_atomic_int_set (&no_threads, FALSE);
  gate_clear (&blocked);
  gate_clear (&after);
}

GST_END_TEST;

GST_START_TEST (test_objects_of_a_queue_are_served_in_order)
{
  Gate gate;
  guint i;

  gate_init (&gate, FALSE);
  for (i = 0; i < 1000; i++) {
    fail_unless (add (&gate, i));
    if (i % 100 == 99)
      wait_served (&gate, i + 1);
  }
  fail_unless_equals_int (gate.served, 1000);
  fail_unless (gate.in_order);
  fail_unless_equals_uint64 (gst_tfrc_pad_queue_get_dropped (gate.queue), 0);
  gate_clear (&gate);
}

GST_END_TEST;

GST_START_TEST (test_full_queue_drops_and_counts)
{
  Gate gate;
  guint i;

  gate_init_full (&gate);
  for (i = 0; i < 3; i++)
    fail_if (add (&gate, 1000));
  fail_unless_equals_uint64 (gst_tfrc_pad_queue_get_dropped (gate.queue), 3);
  gate_open (&gate);
  wait_served (&gate, GST_TFRC_PAD_QUEUE_MAX + 1);
  fail_unless (add (&gate, 2000));
  wait_served (&gate, GST_TFRC_PAD_QUEUE_MAX + 2);
  gate_clear (&gate);
}

GST_END_TEST;

/* More queues block than there are threads; one that does not is served all the same, and
 * the threads beyond the first ones go again. */
GST_START_TEST (test_queues_that_block_hold_up_no_other)
{
  Gate blocked[5], free_gate;
  guint i;

  gate_init (&free_gate, FALSE);
  for (i = 0; i < G_N_ELEMENTS (blocked); i++) {
    gate_init (&blocked[i], TRUE);
    fail_unless (add (&blocked[i], 0));
  }
  for (i = 0; get_served (&free_gate) == 0; i++) {
    fail_unless (i < 1000);
    add (&free_gate, i);
    g_usleep (5000);
  }
  for (i = 0; i < G_N_ELEMENTS (blocked); i++)
    wait_inside (&blocked[i]);
  fail_unless (gst_tfrc_pad_server_get_threads () > G_N_ELEMENTS (blocked));
  for (i = 0; i < G_N_ELEMENTS (blocked); i++)
    gate_open (&blocked[i]);
  for (i = 0; gst_tfrc_pad_server_get_threads () >
      GST_TFRC_PAD_SERVER_THREADS; i++) {
    fail_unless (i < 1000);
    add (&free_gate, 10000 + i);
    g_usleep (1000);
  }
  for (i = 0; i < G_N_ELEMENTS (blocked); i++)
    gate_clear (&blocked[i]);
  gate_clear (&free_gate);
}

GST_END_TEST;

/* The second queue waits behind a push that blocks, and nothing is added after it. */
GST_START_TEST (test_a_queue_behind_one_that_blocks_is_served)
{
  Gate blocked, after;
  guint i;

  for (i = 0; i < 100; i++) {
    GQueue held;

    gate_init (&blocked, TRUE);
    gate_init (&after, FALSE);
    gst_tfrc_pad_server_hold (&held);
    fail_unless (add (&blocked, 0));
    fail_unless (add (&after, 0));
    gst_tfrc_pad_server_release (&held);
    wait_served (&after, 1);
    gate_clear (&after);
    gate_clear (&blocked);
  }
}

GST_END_TEST;

/* Nothing is served before its thread lets it go. */
GST_START_TEST (test_what_is_held_is_served_in_one_go)
{
  GQueue held;
  Gate gates[5];
  guint i, n;

  for (i = 0; i < G_N_ELEMENTS (gates); i++)
    gate_init (&gates[i], FALSE);
  gst_tfrc_pad_server_hold (&held);
  for (n = 0; n < 10; n++)
    for (i = 0; i < G_N_ELEMENTS (gates); i++)
      fail_unless (add (&gates[i], n));
  fail_unless_equals_int (held.length, G_N_ELEMENTS (gates));
  g_usleep (20000);
  for (i = 0; i < G_N_ELEMENTS (gates); i++)
    fail_unless_equals_int (gates[i].served, 0);
  gst_tfrc_pad_server_release (&held);
  for (i = 0; i < G_N_ELEMENTS (gates); i++) {
    wait_served (&gates[i], 10);
    fail_unless (gates[i].in_order);
    gate_clear (&gates[i]);
  }
}

GST_END_TEST;

/* A queue that was stopped is dropped from what is held. */
GST_START_TEST (test_a_held_queue_can_be_freed)
{
  GQueue held;
  Gate gate;

  gate_init (&gate, FALSE);
  gst_tfrc_pad_server_hold (&held);
  fail_unless (add (&gate, 0));
  gst_tfrc_pad_queue_free (gate.queue);
  gst_tfrc_pad_server_release (&held);
  gate_init (&gate, FALSE);
  fail_unless (add (&gate, 1));
  wait_served (&gate, 1);
  gate_clear (&gate);
}

GST_END_TEST;

/* --- in the thread that adds --- */

static void
add_kept (Gate * gate, guint n, GQueue * held)
{
  gst_tfrc_pad_server_hold (held);
  fail_unless (add (gate, n));
  gst_tfrc_pad_server_keep ();
}

/* What a queue takes is known when it was served for a while, by whichever thread. */
GST_START_TEST (test_a_queue_knows_what_it_takes)
{
  GstClockTime first, cost;
  GQueue held;
  Gate gate;
  guint n = 0;

  gate_init (&gate, FALSE);
  add_kept (&gate, n++, &held);
  first = gst_tfrc_pad_server_get_cost (&held);
  do {
    gst_tfrc_pad_server_serve (gst_tfrc_pad_server_take (&held));
    fail_unless_equals_int (get_served (&gate), n);
    fail_unless_equals_int (held.length, 0);
    add_kept (&gate, n++, &held);
    cost = gst_tfrc_pad_server_get_cost (&held);
  } while (cost > first / 100 && n < 10000);
  fail_unless (n > 20 && n < 10000, "%u", n);
  gst_tfrc_pad_server_release (&held);
  wait_served (&gate, n);
  fail_unless (gate.in_order);
  gate_clear (&gate);
}

GST_END_TEST;

/* More objects than are served at a time: the pool has the rest. */
GST_START_TEST (test_a_thread_serves_a_part_of_a_long_queue)
{
  GQueue held;
  Gate gate;
  guint n;

  gate_init (&gate, FALSE);
  gst_tfrc_pad_server_hold (&held);
  for (n = 0; n < 100; n++)
    fail_unless (add (&gate, n));
  gst_tfrc_pad_server_keep ();
  gst_tfrc_pad_server_serve (gst_tfrc_pad_server_take (&held));
  wait_served (&gate, 100);
  fail_unless (gate.in_order);
  gate_clear (&gate);
}

GST_END_TEST;

static gpointer
open_later (gpointer data)
{
  g_usleep (50000);
  gate_open (data);
  return NULL;
}

GST_START_TEST (test_stop_waits_for_what_is_being_served)
{
  Gate gate;
  GThread *thread;

  gate_init (&gate, TRUE);
  fail_unless (add (&gate, 0));
  fail_unless (add (&gate, 1));
  wait_inside (&gate);
  thread = g_thread_new (NULL, open_later, &gate);
  gst_tfrc_pad_queue_stop (gate.queue);
  /* the second was dropped */
  fail_unless_equals_int (gate.served, 1);
  fail_unless_equals_int (gate.inside, 0);
  fail_if (add (&gate, 2));
  g_thread_join (thread);
  gate_clear (&gate);
}

GST_END_TEST;

GST_START_TEST (test_finish_waits_for_the_last_object)
{
  Gate gate;
  GThread *thread;

  gate_init (&gate, TRUE);
  fail_unless (add (&gate, 0));
  wait_inside (&gate);
  /* what does not end is waited for as long as was said */
  fail_if (gst_tfrc_pad_queue_finish (gate.queue, make_object (1),
          10 * GST_MSECOND));
  fail_unless_equals_int (gate.served, 0);
  thread = g_thread_new (NULL, open_later, &gate);
  fail_unless (gst_tfrc_pad_queue_finish (gate.queue, make_object (2),
          20 * GST_SECOND));
  fail_unless_equals_int (gate.served, 3);
  g_thread_join (thread);
  gst_tfrc_pad_queue_stop (gate.queue);
  gate_clear (&gate);
}

GST_END_TEST;

/* What is dropped of a full queue is not its end, which a recording waits for. */
GST_START_TEST (test_the_last_object_fits_into_a_full_queue)
{
  Gate gate;

  gate_init_full (&gate);
  fail_if (gst_tfrc_pad_queue_finish (gate.queue, make_object (1000),
          10 * GST_MSECOND));
  fail_unless_equals_uint64 (gst_tfrc_pad_queue_get_dropped (gate.queue), 0);
  gate_open (&gate);
  wait_served (&gate, GST_TFRC_PAD_QUEUE_MAX + 2);
  fail_unless_equals_uint64 (gate.last, 1000);
  gate_clear (&gate);
}

GST_END_TEST;

static void
stop_itself (GstMiniObject * object, gpointer data)
{
  Gate *gate = data;

  gst_tfrc_pad_queue_stop (gate->queue);
  gst_mini_object_unref (object);
  g_mutex_lock (&gate->lock);
  gate->served++;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->lock);
}

GST_START_TEST (test_a_queue_can_be_stopped_by_what_it_serves)
{
  Gate gate = { .in_order = TRUE };

  g_mutex_init (&gate.lock);
  g_cond_init (&gate.cond);
  gate.queue = gst_tfrc_pad_queue_new (stop_itself, &gate);
  fail_unless (add (&gate, 0));
  wait_served (&gate, 1);
  fail_if (add (&gate, 1));
  gate_clear (&gate);
}

GST_END_TEST;

static Suite *
padserver_suite (void)
{
  Suite *s = suite_create ("padserver");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  /* the first that needs a thread of the process */
  tcase_add_test (tc,
      test_a_process_without_threads_goes_on_once_there_are_some);
  tcase_add_test (tc, test_one_thread_serves_what_there_is_no_other_for);
  tcase_add_test (tc, test_objects_of_a_queue_are_served_in_order);
  tcase_add_test (tc, test_full_queue_drops_and_counts);
  tcase_add_test (tc, test_queues_that_block_hold_up_no_other);
  tcase_add_test (tc, test_a_queue_behind_one_that_blocks_is_served);
  tcase_add_test (tc, test_what_is_held_is_served_in_one_go);
  tcase_add_test (tc, test_a_held_queue_can_be_freed);
  tcase_add_test (tc, test_a_queue_knows_what_it_takes);
  tcase_add_test (tc, test_a_thread_serves_a_part_of_a_long_queue);
  tcase_add_test (tc, test_stop_waits_for_what_is_being_served);
  tcase_add_test (tc, test_finish_waits_for_the_last_object);
  tcase_add_test (tc, test_the_last_object_fits_into_a_full_queue);
  tcase_add_test (tc, test_a_queue_can_be_stopped_by_what_it_serves);
  return s;
}

GST_CHECK_MAIN (padserver);
