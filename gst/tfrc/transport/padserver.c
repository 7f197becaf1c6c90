/* gst-tfrc: a few threads of the process that push what peers have to say downstream
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/padserver.h"

#include <gst/base/base.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpadserver", "threads that push to pads");

#define MAX_THREADS 64
/* How long a queue may wait while every thread is inside of a push. It is the time of a voice
 * packet, and far longer than a push that does not block. */
#define PATIENCE (20 * GST_MSECOND)
/* Work that one thread does alone: when what waits takes longer, another thread helps at once. */
#define ALONE (500 * GST_USECOND)
/* How long a queue may wait behind a single thread before another thread looks whether that one is
 * stuck. */
#define WATCH (20 * GST_MSECOND)
/* Objects of one queue that are served before the other queues have their turn. */
#define BATCH 16
/* What a queue is believed to take before it was served. It takes ten servings until a worker takes it to be light,
 * which is more than the pads of a relay ever have, whose workers so need no second thread (standin.h). */
#define FIRST_COST GST_MSECOND
#define FIRST_SIZE 8

struct _GstTfrcPadQueue
{
  gint refs;                    /* of the owner, and of the pool while it is scheduled */
  GList link;                   /* in the pool, under the pool's lock */
  GstTfrcServeFunc serve;
  gpointer data;

  GMutex lock;                  /* for what follows */
  GCond idle;
  GstQueueArray *objects;
  gboolean scheduled;           /* the pool has it, or serves it, or it is held */
  GstClockTime cost;            /* mean time that it took lately, ns; with `scheduled`, of who has it */
  GThread *server;              /* the thread that is inside of `serve` */
  gboolean finishing;           /* somebody waits for the last object */
  gboolean stopped;
  guint64 dropped;
};

static struct
{
  GMutex lock;                  /* for what follows */
  GCond work;                   /* an idle thread is needed, or too many */
  GCond watch;                  /* the thread that watches is needed */
  GQueue waiting;               /* GstTfrcPadQueue that no thread has taken yet */
  GstClockTime cost;            /* mean time that a queue took lately, ns */
  guint max;                    /* threads that there may be */
  guint threads;                /* that there are */
  guint idle;                   /* of them wait for work */
  gboolean watching;            /* one more waits, and looks after WATCH what has become of the work */
  GQueue serving;               /* GstClockTime * of those that have taken a queue: since when */
  gboolean waking;              /* a thread was woken or started and does not yet run */
  GstClockTime progress;        /* when a thread last took one, or the first began to wait */
} pool = {
  .max = GST_TFRC_PAD_SERVER_THREADS
};

/* Queues that the thread has added to and that it holds back, a GQueue. */
static GPrivate holding;

/* --- the pool --- */

static gboolean serve_queue (GstTfrcPadQueue * queue, GstClockTime since,
    GstClockTime * end);
static void queue_unref (GstTfrcPadQueue * queue);

/* All functions of the pool that follow are called with its lock. */

static void
set_max (guint max)
{
  GST_DEBUG ("%u threads, %u of them busy", max, pool.serving.length);
  pool.max = max;
  if (pool.threads > max)
    g_cond_signal (&pool.work);
}

static void
grow_if_stuck (GstClockTime now)
{
  if (pool.waiting.length > 0 && pool.serving.length >= pool.max &&
      pool.max < MAX_THREADS && now > pool.progress + PATIENCE) {
    pool.progress = now;
    set_max (pool.max + 1);
  }
}

static gpointer run (gpointer unused);

static GstClockTime
get_mean (GstClockTime mean, GstClockTime last)
{
  return (7 * mean + last) / 8;
}

/* The thread that has taken a queue last takes what waits after it, unless that is much or the
 * thread is stuck. */
static gboolean
is_thread_needed (GstClockTime now)
{
  const GstClockTime *since = g_queue_peek_tail (&pool.serving);

  return pool.waiting.length > 0 && (since == NULL || now > *since + ALONE ||
      pool.waiting.length * pool.cost > ALONE);
}

/* A process that has no thread left goes on: what waits is taken by the threads that there are, or when the next
 * addition finds a thread to start. */
static void
start_thread (void)
{
  GError *error = NULL;
  GThread *thread = g_thread_try_new ("tfrc-pads", run, NULL, &error);

  if (thread == NULL) {
    GST_DEBUG ("%u threads, and no other one: %s", pool.threads,
        error->message);
    g_error_free (error);
    return;
  }
  g_thread_unref (thread);
  pool.waking = TRUE;
  pool.threads++;
}

static GCond *
wake_by (GCond * cond)
{
  pool.waking = TRUE;
  return cond;
}

/* Sees to it that a thread takes what waits, now or, if the one that serves is stuck, soon. One at
 * a time is woken, and it does the same for the next: so whoever adds many queues in one go wakes
 * one thread. Returns what is to be signalled without the lock, which the woken thread takes, or
 * NULL. */
static GCond *
wake_thread (GstClockTime now)
{
  if (pool.waking || pool.waiting.length == 0 ||
      (pool.watching && !is_thread_needed (now)))
    return NULL;
  if (pool.idle > 0)
    return wake_by (&pool.work);
  if (pool.watching)
    return wake_by (&pool.watch);
  if (pool.threads < pool.max)
    start_thread ();
  return NULL;
}

static void
signal_thread (GCond * cond)
{
  if (cond != NULL)
    g_cond_signal (cond);
}

/* Until there is work; where work waits for a thread that may be stuck, for WATCH at most. */
static void
wait_for_work (void)
{
  if (pool.waiting.length > 0 && !pool.watching) {
    pool.watching = TRUE;
    g_cond_wait_until (&pool.watch, &pool.lock,
        g_get_monotonic_time () + WATCH / GST_USECOND);
    pool.watching = FALSE;
  } else {
    pool.idle++;
    g_cond_wait (&pool.work, &pool.lock);
    pool.idle--;
  }
  pool.waking = FALSE;
}

/* The queue that has waited for longest, for a thread that has just served. NULL: there are too many
 * threads. */
static GstTfrcPadQueue *
take_queue (GstClockTime now)
{
  gboolean takes = pool.waiting.length > 0;

  while (!takes) {
    if (pool.threads > pool.max)
      return NULL;
    wait_for_work ();
    now = gst_util_get_timestamp ();
    takes = is_thread_needed (now);
  }
  pool.progress = now;
  return g_queue_pop_head_link (&pool.waiting)->data;
}

/* A thread that blocks is still serving and keeps its place in the pool: only threads beyond
 * those and the first two are left over. */
static void
shrink_if_idle (void)
{
  if (pool.waiting.length == 0 &&
      pool.max > GST_TFRC_PAD_SERVER_THREADS + pool.serving.length)
    set_max (pool.max - 1);
}

/* With the lock, which is released while the queue is served. Returns the time of the end. */
static GstClockTime
serve_with_thread (GstTfrcPadQueue * queue)
{
  GstClockTime since = pool.progress, now;
  GList link = { &since, NULL, NULL };
  GCond *wake;
  gboolean again;

  g_queue_push_tail_link (&pool.serving, &link);
  wake = wake_thread (since);
  g_mutex_unlock (&pool.lock);
  signal_thread (wake);
  again = serve_queue (queue, since, &now);
  if (!again)
    queue_unref (queue);
  g_mutex_lock (&pool.lock);
  g_queue_unlink (&pool.serving, &link);
  pool.cost = get_mean (pool.cost, now - since);
  if (again)
    g_queue_push_tail_link (&pool.waiting, &queue->link);
  return now;
}

static gpointer
run (gpointer unused)
{
  GstTfrcPadQueue *queue;
  GstClockTime now;

  g_mutex_lock (&pool.lock);
  pool.waking = FALSE;
  now = gst_util_get_timestamp ();
  while ((queue = take_queue (now)) != NULL) {
    now = serve_with_thread (queue);
    shrink_if_idle ();
  }
  pool.threads--;
  g_mutex_unlock (&pool.lock);
  return NULL;
}

/* Without the pool's lock. Queues that are to be served, or none. */
static void
pool_add_queues (GQueue * queues)
{
  GstClockTime now = gst_util_get_timestamp ();
  GList *link;
  GCond *wake;

  g_mutex_lock (&pool.lock);
  grow_if_stuck (now);
  if (pool.waiting.length == 0)
    pool.progress = now;
  while ((link = g_queue_pop_head_link (queues)) != NULL)
    g_queue_push_tail_link (&pool.waiting, link);
  wake = wake_thread (now);
  g_mutex_unlock (&pool.lock);
  signal_thread (wake);
}

/* As pool_add_queues(). `schedule`: the queue is to be served; FALSE: it waits for that or is being
 * served. */
static void
pool_add (GstTfrcPadQueue * queue, gboolean schedule)
{
  GQueue *held = g_private_get (&holding), alone = G_QUEUE_INIT;

  if (schedule)
    g_queue_push_tail_link (held != NULL ? held : &alone, &queue->link);
  if (held == NULL)
    pool_add_queues (&alone);
}

void
gst_tfrc_pad_server_hold (GQueue * held)
{
  g_queue_init (held);
  g_private_set (&holding, held);
}

void
gst_tfrc_pad_server_release (GQueue * held)
{
  gst_tfrc_pad_server_keep ();
  pool_add_queues (held);
}

void
gst_tfrc_pad_server_keep (void)
{
  g_private_set (&holding, NULL);
}

GstClockTime
gst_tfrc_pad_server_get_cost (const GQueue * held)
{
  GstClockTime cost = 0;
  const GList *link;

  for (link = held->head; link != NULL; link = link->next)
    cost += ((const GstTfrcPadQueue *) link->data)->cost;
  return cost;
}

GstTfrcPadQueue *
gst_tfrc_pad_server_take (GQueue * held)
{
  return g_queue_pop_head_link (held)->data;
}

void
gst_tfrc_pad_server_serve (GstTfrcPadQueue * queue)
{
  GstClockTime end;
  gboolean again = serve_queue (queue, gst_util_get_timestamp (), &end);

  if (again)
    pool_add (queue, TRUE);
  else
    queue_unref (queue);
}

guint
gst_tfrc_pad_server_get_threads (void)
{
  guint max;

  g_mutex_lock (&pool.lock);
  max = pool.max;
  g_mutex_unlock (&pool.lock);
  return max;
}

/* --- a queue --- */

static void
drop_all (GstTfrcPadQueue * queue)
{
  while (gst_queue_array_get_length (queue->objects) > 0)
    gst_mini_object_unref (gst_queue_array_pop_head (queue->objects));
}

static void
queue_unref (GstTfrcPadQueue * queue)
{
  if (!g_atomic_int_dec_and_test (&queue->refs))
    return;
  drop_all (queue);
  gst_queue_array_free (queue->objects);
  g_mutex_clear (&queue->lock);
  g_cond_clear (&queue->idle);
  g_free (queue);
}

GstTfrcPadQueue *
gst_tfrc_pad_queue_new (GstTfrcServeFunc serve, gpointer data)
{
  GstTfrcPadQueue *queue = g_new0 (GstTfrcPadQueue, 1);

  queue->refs = 1;
  queue->link.data = queue;
  queue->serve = serve;
  queue->data = data;
  queue->objects = gst_queue_array_new (FIRST_SIZE);
  queue->cost = FIRST_COST;
  g_mutex_init (&queue->lock);
  g_cond_init (&queue->idle);
  return queue;
}

void
gst_tfrc_pad_queue_free (GstTfrcPadQueue * queue)
{
  gst_tfrc_pad_queue_stop (queue);
  queue_unref (queue);
}

static gboolean
is_full (GstTfrcPadQueue * queue)
{
  return gst_queue_array_get_length (queue->objects) >= GST_TFRC_PAD_QUEUE_MAX;
}

/* With the lock. TRUE: the pool has to be given the queue. */
static gboolean
take_in (GstTfrcPadQueue * queue, GstMiniObject * object)
{
  gboolean schedule = !queue->scheduled;

  gst_queue_array_push_tail (queue->objects, object);
  if (schedule)
    g_atomic_int_inc (&queue->refs);
  queue->scheduled = TRUE;
  return schedule;
}

static gboolean
add (GstTfrcPadQueue * queue, GstMiniObject * object, gboolean is_last)
{
  gboolean takes, schedule = FALSE;

  g_mutex_lock (&queue->lock);
  takes = !queue->stopped && (is_last || !is_full (queue));
  queue->dropped += !takes && !queue->stopped;
  if (takes)
    schedule = take_in (queue, object);
  g_mutex_unlock (&queue->lock);
  if (!takes)
    gst_mini_object_unref (object);
  pool_add (queue, schedule);
  return takes;
}

gboolean
gst_tfrc_pad_queue_add (GstTfrcPadQueue * queue, GstMiniObject * object)
{
  return add (queue, object, FALSE);
}

gboolean
gst_tfrc_pad_queue_end (GstTfrcPadQueue * queue, GstMiniObject * last)
{
  return add (queue, last, TRUE);
}

/* With the lock, which is released while the object is served. */
static void
serve_next (GstTfrcPadQueue * queue)
{
  GstMiniObject *object = gst_queue_array_pop_head (queue->objects);

  queue->server = g_thread_self ();
  g_mutex_unlock (&queue->lock);
  queue->serve (object, queue->data);
  g_mutex_lock (&queue->lock);
  queue->server = NULL;
  if (queue->stopped || queue->finishing)
    g_cond_broadcast (&queue->idle);
}

/* `since`: when that began. TRUE: the queue has more than one thread is to serve at a time. */
static gboolean
serve_queue (GstTfrcPadQueue * queue, GstClockTime since, GstClockTime * end)
{
  gboolean again;
  guint i;

  g_mutex_lock (&queue->lock);
  for (i = 0; i < BATCH && gst_queue_array_get_length (queue->objects) > 0; i++)
    serve_next (queue);
  again = gst_queue_array_get_length (queue->objects) > 0;
  *end = gst_util_get_timestamp ();
  queue->cost = get_mean (queue->cost, *end - since);
  queue->scheduled = again;
  g_mutex_unlock (&queue->lock);
  return again;
}

/* With the lock. */
static gboolean
is_busy (GstTfrcPadQueue * queue)
{
  return queue->server != NULL ||
      gst_queue_array_get_length (queue->objects) > 0;
}

gboolean
gst_tfrc_pad_queue_wait (GstTfrcPadQueue * queue, gint64 until)
{
  gboolean busy;

  g_mutex_lock (&queue->lock);
  queue->finishing = TRUE;
  while (is_busy (queue) && queue->server != g_thread_self () &&
      g_cond_wait_until (&queue->idle, &queue->lock, until));
  busy = is_busy (queue);
  g_mutex_unlock (&queue->lock);
  return !busy;
}

gboolean
gst_tfrc_pad_queue_finish (GstTfrcPadQueue * queue, GstMiniObject * last,
    GstClockTime patience)
{
  gint64 until = g_get_monotonic_time () + patience / GST_USECOND;

  return gst_tfrc_pad_queue_end (queue, last) &&
      gst_tfrc_pad_queue_wait (queue, until);
}

void
gst_tfrc_pad_queue_stop (GstTfrcPadQueue * queue)
{
  g_mutex_lock (&queue->lock);
  queue->stopped = TRUE;
  drop_all (queue);
  while (queue->server != NULL && queue->server != g_thread_self ())
    g_cond_wait (&queue->idle, &queue->lock);
  g_mutex_unlock (&queue->lock);
}

guint64
gst_tfrc_pad_queue_get_dropped (GstTfrcPadQueue * queue)
{
  guint64 dropped;

  g_mutex_lock (&queue->lock);
  dropped = queue->dropped;
  g_mutex_unlock (&queue->lock);
  return dropped;
}
