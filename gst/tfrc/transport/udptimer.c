/* gst-tfrc: the timers of a UDP worker
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/udpworkerprivate.h"

/* Timers that fire in one round, before sockets have their turn again. */
#define TIMERS_PER_ROUND 1024

/* All functions above gst_tfrc_udp_timer_init() run in the worker's thread. */

static void
take_from_due (GstTfrcUdpTimer * timer)
{
  if (timer->is_due)
    g_queue_unlink (&timer->worker->due, &timer->due);
  timer->is_due = FALSE;
}

static void
put_into_heap (GstTfrcUdpTimer * timer)
{
  gst_tfrc_time_heap_remove (timer->worker->heap, &timer->node);
  timer->node.time = timer->time;
  if (GST_CLOCK_TIME_IS_VALID (timer->time))
    gst_tfrc_time_heap_insert (timer->worker->heap, &timer->node);
}

/* A timer is mostly set to a later time than before, or to now. It then keeps its place in the heap, and is
 * moved when it is the first there. */
static void
place_timer (GstTfrcUdpTimer * timer, GstClockTime time)
{
  GstTfrcUdpWorker *worker = timer->worker;
  gboolean in_heap = timer->node.index != GST_TFRC_TIME_HEAP_NOWHERE;

  if (g_atomic_int_get (&timer->closed))
    time = GST_CLOCK_TIME_NONE;
  timer->time = time;
  if (time <= worker->last_round) {
    if (!timer->is_due)
      g_queue_push_tail_link (&worker->due, &timer->due);
    timer->is_due = TRUE;
    return;
  }
  take_from_due (timer);
  if (!GST_CLOCK_TIME_IS_VALID (time) || !in_heap || time < timer->node.time)
    put_into_heap (timer);
}

GstTfrcUdpTimer *
gst_tfrc_udp_timers_get_first (GstTfrcUdpWorker * worker)
{
  GstTfrcUdpTimer *first;

  while ((first = (GstTfrcUdpTimer *) gst_tfrc_time_heap_first (worker->heap))
      != NULL && first->time != first->node.time)
    put_into_heap (first);
  return first;
}

/* Drops the time that another thread has set and that is not taken over yet. */
static void
forget_wish (GstTfrcUdpTimer * timer)
{
  GstTfrcUdpWorker *worker = timer->worker;

  if (!g_atomic_int_get (&timer->wished))
    return;
  g_mutex_lock (&worker->lock);
  g_ptr_array_remove_fast (worker->wishes, timer);
  g_atomic_int_set (&timer->wished, FALSE);
  g_mutex_unlock (&worker->lock);
}

void
gst_tfrc_udp_timers_grant_wishes (GstTfrcUdpWorker * worker)
{
  guint i;

  for (i = 0; i < worker->wishes->len; i++) {
    GstTfrcUdpTimer *timer = g_ptr_array_index (worker->wishes, i);

    place_timer (timer, timer->wish);
    g_atomic_int_set (&timer->wished, FALSE);
  }
  g_ptr_array_set_size (worker->wishes, 0);
}

static void
fire (GstTfrcUdpTimer * timer, GstClockTime now)
{
  take_from_due (timer);
  timer->time = GST_CLOCK_TIME_NONE;
  timer->func (timer, now, timer->data);
}

guint
gst_tfrc_udp_timers_fire (GstTfrcUdpWorker * worker)
{
  guint most = MIN (worker->due.length, TIMERS_PER_ROUND), n;
  GstClockTime now = gst_util_get_timestamp ();
  GstTfrcUdpTimer *timer;

  for (n = 0; n < most && worker->due.head != NULL; n++) {
    fire (worker->due.head->data, now);
    now = gst_util_get_timestamp ();
  }
  most = n + MIN (worker->heap->len, TIMERS_PER_ROUND);
  for (; n < most; n++) {
    timer = gst_tfrc_udp_timers_get_first (worker);
    if (timer == NULL || timer->time > now)
      break;
    fire (timer, now);
    now = gst_util_get_timestamp ();
  }
  return n;
}

void
gst_tfrc_udp_timer_init (GstTfrcUdpTimer * timer, GstTfrcUdpWorker * worker,
    GstTfrcUdpTimerFunc func, gpointer data)
{
  timer->node.index = GST_TFRC_TIME_HEAP_NOWHERE;
  timer->due = (GList) {
      .data = timer};
  timer->is_due = FALSE;
  timer->time = GST_CLOCK_TIME_NONE;
  timer->worker = worker;
  timer->func = func;
  timer->data = data;
  timer->wished = FALSE;
  timer->closed = FALSE;
}

void
gst_tfrc_udp_timer_set (GstTfrcUdpTimer * timer, GstClockTime time)
{
  GstTfrcUdpWorker *worker = timer->worker;

  if (gst_tfrc_udp_worker_is_current (worker)) {
    forget_wish (timer);
    place_timer (timer, time);
    return;
  }
  g_mutex_lock (&worker->lock);
  if (!timer->wished && !g_atomic_int_get (&timer->closed)) {
    g_ptr_array_add (worker->wishes, timer);
    g_atomic_int_set (&timer->wished, TRUE);
  }
  timer->wish = time;
  if (time < worker->sleeps_until) {
    worker->sleeps_until = 0;   /* one wake-up is enough */
    gst_tfrc_udp_poll_wake (worker->poll);
  }
  g_mutex_unlock (&worker->lock);
}

void
gst_tfrc_udp_timer_unset (GstTfrcUdpTimer * timer)
{
  gst_tfrc_udp_timer_set (timer, GST_CLOCK_TIME_NONE);
}

static void
close_timer (GstTfrcUdpWorker * worker, gpointer data)
{
  gst_tfrc_udp_timer_unset (data);
}

/* The thread is in no callback when it answers a call, and one that runs until then cannot
 * set the timer again. */
void
gst_tfrc_udp_timer_close (GstTfrcUdpTimer * timer)
{
  g_atomic_int_set (&timer->closed, TRUE);
  gst_tfrc_udp_worker_call (timer->worker, close_timer, timer);
}
