/* gst-tfrc: the threads that serve sockets and timers of any number of peers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/padserver.h"
#include "transport/udpworkerprivate.h"

#include <gio/gio.h>
#include <string.h>

typedef struct
{
  GstTfrcUdpCallFunc func;
  gpointer data;
  GDestroyNotify destroy;
  gboolean *done;               /* of who waits for the call, or NULL */
} Call;

/* What pads may take for the worker to push to them itself. To wake up another thread for them takes some 30 us
 * of a processor; while the worker pushes, nobody else is served. */
#define LIGHT (250 * GST_USECOND)

static GPrivate current;        /* GstTfrcUdpWorker */

GstTfrcUdpWorker *
gst_tfrc_udp_worker_get_current (void)
{
  return g_private_get (&current);
}

gboolean
gst_tfrc_udp_worker_is_current (GstTfrcUdpWorker * worker)
{
  return g_private_get (&current) == worker;
}

/* The loop. */

/* When the next round has to begin if no datagram arrives. With the lock. */
static GstClockTime
get_next_round (GstTfrcUdpWorker * worker)
{
  const GstTfrcUdpTimer *first = gst_tfrc_udp_timers_get_first (worker);

  if (worker->quit || worker->backlog || !g_queue_is_empty (&worker->calls))
    return 0;
  if (worker->due.head != NULL)
    return worker->last_round + worker->gap;
  if (first == NULL)
    return GST_CLOCK_TIME_NONE;
  return MAX (first->time, worker->last_round + worker->gap);
}

/* Waits for the rest of the gap after the last round; calls end the wait. FALSE: the gap
 * is over. */
static gboolean
wait_for_gap (GstTfrcUdpWorker * worker)
{
  GstClockTime now = gst_util_get_timestamp ();
  GstClockTime end = worker->last_round + worker->gap;
  gboolean called;

  if (now >= end || worker->backlog)
    return FALSE;
  g_mutex_lock (&worker->lock);
  called = worker->quit || !g_queue_is_empty (&worker->calls);
  g_mutex_unlock (&worker->lock);
  if (called)
    return FALSE;
  g_atomic_int_set (&worker->pausing, TRUE);
  gst_tfrc_udp_poll_pause (worker->poll, end - now);
  g_atomic_int_set (&worker->pausing, FALSE);
  return TRUE;
}

gboolean
gst_tfrc_udp_worker_is_pausing (GstTfrcUdpWorker * worker)
{
  return g_atomic_int_get (&worker->pausing);
}

/* Finds the sockets that can be read. With `wait` it waits for one until a timer or a call is due. */
static void
poll_sockets (GstTfrcUdpWorker * worker, gboolean wait)
{
  GstClockTime now = gst_util_get_timestamp (), until;

  g_mutex_lock (&worker->lock);
  gst_tfrc_udp_timers_grant_wishes (worker);
  until = wait ? get_next_round (worker) : 0;
  worker->sleeps_until = until;
  g_mutex_unlock (&worker->lock);
  if (GST_CLOCK_TIME_IS_VALID (until))
    until = until > now ? until - now : 0;
  worker->n_ready = gst_tfrc_udp_poll_wait (worker->poll, until, worker->ready,
      G_N_ELEMENTS (worker->ready));
  g_mutex_lock (&worker->lock);
  worker->sleeps_until = 0;
  gst_tfrc_udp_timers_grant_wishes (worker);
  g_mutex_unlock (&worker->lock);
}

/* TRUE: a socket or a timer is to be served. */
static gboolean
is_due (GstTfrcUdpWorker * worker)
{
  const GstTfrcUdpTimer *first = gst_tfrc_udp_timers_get_first (worker);

  return worker->n_ready > 0 || worker->due.head != NULL ||
      (first != NULL && first->time <= gst_util_get_timestamp ());
}

/* Waits for something to do and fills in the sockets to serve. Where the last round had to
 * wait for the gap this one does so first, so that a busy worker sleeps once a round. */
static void
wait_for_work (GstTfrcUdpWorker * worker)
{
  worker->busy = worker->busy && wait_for_gap (worker);
  poll_sockets (worker, !worker->busy);
  if (!is_due (worker)) {
    worker->busy = FALSE;
  } else if (!worker->busy && wait_for_gap (worker)) {
    worker->busy = TRUE;
    poll_sockets (worker, FALSE);
  }
}

/* Calls that are made meanwhile wait for the next round. */
static void
run_calls (GstTfrcUdpWorker * worker)
{
  GQueue calls;
  Call *call;

  g_mutex_lock (&worker->lock);
  calls = worker->calls;
  g_queue_init (&worker->calls);
  g_mutex_unlock (&worker->lock);
  while ((call = g_queue_pop_head (&calls)) != NULL) {
    call->func (worker, call->data);
    if (call->destroy != NULL)
      call->destroy (call->data);
    if (call->done != NULL) {
      g_mutex_lock (&worker->lock);
      *call->done = TRUE;
      g_cond_broadcast (&worker->cond);
      g_mutex_unlock (&worker->lock);
    }
    g_free (call);
  }
}

/* Serves the sockets in `ready`. A callback may close any of them, which takes it from the list. */
static void
serve_sockets (GstTfrcUdpWorker * worker)
{
  /* when the list is full, more sockets may be ready */
  worker->backlog = worker->n_ready == G_N_ELEMENTS (worker->ready);
  if (worker->n_ready > 0)
    gst_tfrc_udp_arrival_clock_read (&worker->clock);
  while (worker->n_ready > 0) {
    GstTfrcUdpReady *ready = &worker->ready[--worker->n_ready];

    if (ready->data != NULL &&
        gst_tfrc_udp_worker_socket_serve (ready->data, ready->error))
      worker->backlog = TRUE;
  }
}

static void
count_round (GstTfrcUdpWorker * worker, guint timers)
{
  g_mutex_lock (&worker->lock);
  worker->stats.rounds++;
  worker->stats.timers += timers;
  g_mutex_unlock (&worker->lock);
}

static gpointer run (gpointer data);

/* With the lock. */
static gboolean
start_thread (GstTfrcUdpWorker * worker, guint i, GError ** error)
{
  g_atomic_int_inc (&worker->refs);
  worker->threads[i] = g_thread_try_new ("tfrc-udp", run, worker, error);
  if (worker->threads[i] == NULL)
    g_atomic_int_add (&worker->refs, -1);
  return worker->threads[i] != NULL;
}

/* The second thread is there for as long as the first one. A process that gets no thread is asked again. */
static void
start_stand_in (GstTfrcUdpWorker * worker)
{
  g_mutex_lock (&worker->lock);
  if (worker->threads[1] == NULL && !worker->quit
      && gst_tfrc_stand_in_is_possible (&worker->stand_in))
    start_thread (worker, 1, NULL);
  g_mutex_unlock (&worker->lock);
}

/* TRUE: to push what the round has for pads takes less than to wake up another thread for it. */
static gboolean
serves_pads (GstTfrcUdpWorker * worker)
{
  if (g_queue_is_empty (&worker->held) ||
      gst_tfrc_pad_server_get_cost (&worker->held) > LIGHT)
    return FALSE;
  if (worker->threads[1] == NULL)
    start_stand_in (worker);
  return gst_tfrc_stand_in_is_ready (&worker->stand_in);
}

/* Replaces what the worker pushes itself by `queues`, and these by what it has not pushed yet. */
static void
set_light (GstTfrcUdpWorker * worker, GQueue * queues)
{
  GQueue before;

  g_mutex_lock (&worker->lock);
  before = worker->light;
  worker->light = *queues;
  g_mutex_unlock (&worker->lock);
  *queues = before;
}

static GstTfrcPadQueue *
take_light (GstTfrcUdpWorker * worker)
{
  GstTfrcPadQueue *queue = NULL;

  g_mutex_lock (&worker->lock);
  if (!g_queue_is_empty (&worker->light))
    queue = gst_tfrc_pad_server_take (&worker->light);
  g_mutex_unlock (&worker->lock);
  return queue;
}

/* Pushes what the round has for pads. To whoever is called thereby this is a thread like any other. FALSE: a pad has
 * blocked, and the other thread is on duty and has taken what was left. */
static gboolean
serve_pads (GstTfrcUdpWorker * worker)
{
  GstTfrcPadQueue *queue;
  gboolean on_duty;

  set_light (worker, &worker->held);
  g_private_set (&current, NULL);
  gst_tfrc_stand_in_begin (&worker->stand_in);
  while ((queue = take_light (worker)) != NULL)
    gst_tfrc_pad_server_serve (queue);
  on_duty = gst_tfrc_stand_in_end (&worker->stand_in);
  if (!on_duty)
    return FALSE;
  g_private_set (&current, worker);
  /* there is nothing left, but the pad server looks whether it has to grow */
  gst_tfrc_pad_server_release (&worker->held);
  return TRUE;
}

/* FALSE: the thread is off duty. */
static gboolean
run_round (GstTfrcUdpWorker * worker)
{
  gboolean serves;

  wait_for_work (worker);
  worker->last_round = gst_util_get_timestamp ();
  gst_tfrc_pad_server_hold (&worker->held);
  serve_sockets (worker);
  count_round (worker, gst_tfrc_udp_timers_fire (worker));
  gst_tfrc_pad_server_keep ();
  serves = serves_pads (worker);
  if (!serves)
    gst_tfrc_pad_server_release (&worker->held);
  gst_tfrc_udp_worker_flush (worker);
  if (serves && !serve_pads (worker))
    return FALSE;
  run_calls (worker);
  gst_tfrc_udp_worker_flush (worker);
  return TRUE;
}

/* FALSE: nobody is left, and all calls were answered. */
static gboolean
is_wanted (GstTfrcUdpWorker * worker)
{
  gboolean wanted;

  g_mutex_lock (&worker->lock);
  wanted = !worker->quit || !g_queue_is_empty (&worker->calls);
  g_mutex_unlock (&worker->lock);
  return wanted;
}

static void
worker_unref (GstTfrcUdpWorker * worker)
{
  if (!g_atomic_int_dec_and_test (&worker->refs))
    return;
  gst_tfrc_udp_receiver_free (worker->receiver);
  gst_tfrc_udp_sender_free (worker->sender);
  gst_tfrc_udp_poll_free (worker->poll);
  gst_tfrc_stand_in_clear (&worker->stand_in);
  g_array_unref (worker->heap);
  g_ptr_array_unref (worker->wishes);
  g_mutex_clear (&worker->lock);
  g_cond_clear (&worker->cond);
  g_free (worker);
}

/* Whoever stops the worker waits for this. */
static void
end_duty (GstTfrcUdpWorker * worker)
{
  gboolean both_free = gst_tfrc_stand_in_is_ready (&worker->stand_in);

  gst_tfrc_stand_in_finish (&worker->stand_in);
  g_mutex_lock (&worker->lock);
  worker->last = g_thread_self ();
  worker->both_free = both_free;
  g_cond_broadcast (&worker->cond);
  g_mutex_unlock (&worker->lock);
}

/* A thread that takes over leaves to the pad server what the other one has not pushed. */
static void
serve (GstTfrcUdpWorker * worker)
{
  GQueue left = G_QUEUE_INIT;

  g_private_set (&current, worker);
  set_light (worker, &left);
  gst_tfrc_pad_server_release (&left);
  while (is_wanted (worker))
    if (!run_round (worker))
      return;
  end_duty (worker);
}

static gpointer
run (gpointer data)
{
  GstTfrcUdpWorker *worker = data;

  while (gst_tfrc_stand_in_wait (&worker->stand_in))
    serve (worker);
  worker_unref (worker);
  return NULL;
}

/* Begin and end. */

GstTfrcUdpWorker *
gst_tfrc_udp_worker_new (GstTfrcUdpContext * context, guint index,
    GError ** error)
{
  GstTfrcUdpPoll *poll = gst_tfrc_udp_poll_new (error);
  GstTfrcUdpWorker *worker;

  if (poll == NULL)
    return NULL;
  worker = g_new0 (GstTfrcUdpWorker, 1);
  worker->context = context;
  worker->index = index;
  worker->refs = 1;
  worker->poll = poll;
  gst_tfrc_stand_in_init (&worker->stand_in);
  worker->gap = GST_TFRC_UDP_GAP;
  worker->heap = gst_tfrc_time_heap_new ();
  g_queue_init (&worker->due);
  worker->wishes = g_ptr_array_new ();
  worker->receiver = gst_tfrc_udp_receiver_new ();
  worker->sender = gst_tfrc_udp_sender_new ();
  g_mutex_init (&worker->lock);
  g_cond_init (&worker->cond);
  g_queue_init (&worker->calls);
  if (start_thread (worker, 0, error))
    return worker;
  worker_unref (worker);
  return NULL;
}

/* An element that is freed in a callback, or by what is pushed, leaves from within a thread of the worker. */
static gboolean
is_thread_of (GstTfrcUdpWorker * worker)
{
  return g_thread_self () == worker->threads[0] ||
      g_thread_self () == worker->threads[1];
}

/* A thread that a pad holds up ends when the pad lets it go, which may be long after. */
static void
end_thread (GstTfrcUdpWorker * worker, guint i)
{
  GThread *thread = worker->threads[i];

  if (thread == NULL)
    return;
  if (!is_thread_of (worker) && (worker->both_free || thread == worker->last))
    g_thread_join (thread);
  else
    g_thread_unref (thread);
}

void
gst_tfrc_udp_worker_stop (GstTfrcUdpWorker * worker)
{
  g_mutex_lock (&worker->lock);
  worker->quit = TRUE;
  gst_tfrc_udp_poll_wake (worker->poll);
  while (worker->last == NULL && !is_thread_of (worker))
    g_cond_wait (&worker->cond, &worker->lock);
  g_mutex_unlock (&worker->lock);
  end_thread (worker, 0);
  end_thread (worker, 1);
  worker_unref (worker);
}

/* Calls. */

static void
push_call (GstTfrcUdpWorker * worker, const Call * call)
{
  g_queue_push_tail (&worker->calls, g_memdup2 (call, sizeof (*call)));
  gst_tfrc_udp_poll_wake (worker->poll);
}

void
gst_tfrc_udp_worker_invoke (GstTfrcUdpWorker * worker, GstTfrcUdpCallFunc func,
    gpointer data, GDestroyNotify destroy)
{
  Call call = { func, data, destroy, NULL };

  g_mutex_lock (&worker->lock);
  push_call (worker, &call);
  g_mutex_unlock (&worker->lock);
}

void
gst_tfrc_udp_worker_call (GstTfrcUdpWorker * worker, GstTfrcUdpCallFunc func,
    gpointer data)
{
  gboolean done = FALSE;
  Call call = { func, data, NULL, &done };

  if (gst_tfrc_udp_worker_is_current (worker)) {
    func (worker, data);
    return;
  }
  gst_tfrc_stand_in_give_way (&worker->stand_in);
  g_mutex_lock (&worker->lock);
  push_call (worker, &call);
  while (!done)
    g_cond_wait (&worker->cond, &worker->lock);
  g_mutex_unlock (&worker->lock);
}

static void
set_gap (GstTfrcUdpWorker * worker, gpointer gap)
{
  worker->gap = *(const GstClockTime *) gap;
}

void
gst_tfrc_udp_worker_set_gap (GstTfrcUdpWorker * worker, GstClockTime gap)
{
  gst_tfrc_udp_worker_call (worker, set_gap, &gap);
}

void
gst_tfrc_udp_worker_get_stats (GstTfrcUdpWorker * worker,
    GstTfrcUdpWorkerStats * stats)
{
  g_mutex_lock (&worker->lock);
  *stats = worker->stats;
  g_mutex_unlock (&worker->lock);
}
