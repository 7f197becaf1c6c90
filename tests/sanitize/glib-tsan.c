/* Tells ThreadSanitizer what GLib's locks do
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Preloaded by tests/sanitize.sh thread. GLib's mutexes are futexes of its own and GLib is
 * not instrumented, so ThreadSanitizer sees two threads and no lock between them. These
 * wrappers announce each lock, condition and reference count to it and call the real
 * function. (GRecMutex and GRWLock are pthread's, which it knows.) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>

void __tsan_mutex_pre_lock (void *, unsigned);
void __tsan_mutex_post_lock (void *, unsigned, int);
void __tsan_mutex_pre_unlock (void *, unsigned);
void __tsan_mutex_post_unlock (void *, unsigned);
void __tsan_acquire (void *);
void __tsan_release (void *);

#define TRY_LOCK 16u            /* __tsan_mutex_try_lock */
#define TRY_FAILED 32u          /* __tsan_mutex_try_lock_failed */

#define REAL(name) \
    static __typeof__ (name) *real; \
    if (!real) \
      real = (__typeof__ (name) *) dlsym (RTLD_NEXT, #name)

void
g_mutex_lock (GMutex * mutex)
{
  REAL (g_mutex_lock);
  __tsan_mutex_pre_lock (mutex, 0);
  real (mutex);
  __tsan_mutex_post_lock (mutex, 0, 1);
}

gboolean
g_mutex_trylock (GMutex * mutex)
{
  REAL (g_mutex_trylock);
  __tsan_mutex_pre_lock (mutex, TRY_LOCK);
  gboolean held = real (mutex);
  __tsan_mutex_post_lock (mutex, TRY_LOCK | (held ? 0 : TRY_FAILED), 1);
  return held;
}

void
g_mutex_unlock (GMutex * mutex)
{
  REAL (g_mutex_unlock);
  __tsan_mutex_pre_unlock (mutex, 0);
  real (mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

/* A wait gives the mutex back and takes it again. */
void
g_cond_wait (GCond * cond, GMutex * mutex)
{
  REAL (g_cond_wait);
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  real (cond, mutex);
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 1);
}

gboolean
g_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end_time)
{
  REAL (g_cond_wait_until);
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  gboolean signalled = real (cond, mutex, end_time);
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 1);
  return signalled;
}

/* What a thread did before it let its reference go is seen by the one that frees. Only
 * there: an order between all who hold a reference would hide races. */
#define WRAP_UNREF(name, type, count) \
void \
name (type object) \
{ \
  REAL (name); \
  __tsan_release (object); \
  if (g_atomic_int_get (count) == 1) \
    __tsan_acquire (object); \
  real (object); \
}

#define OBJECT_COUNT &((GObject *) object)->ref_count

WRAP_UNREF (g_object_unref, gpointer, OBJECT_COUNT)
    WRAP_UNREF (gst_object_unref, gpointer, OBJECT_COUNT)
    WRAP_UNREF (gst_mini_object_unref, GstMiniObject *, &object->refcount)
/* What is handed through a queue of GLib's was written before. */
     void g_async_queue_push (GAsyncQueue * queue, gpointer data)
{
  REAL (g_async_queue_push);
  __tsan_release (queue);
  real (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue * queue)
{
  REAL (g_async_queue_pop);
  gpointer data = real (queue);
  __tsan_acquire (queue);
  return data;
}

/* One-time initialisation. */
gboolean (g_once_init_enter) (volatile void *location) {
  REAL (g_once_init_enter);
  gboolean first = real (location);
  __tsan_acquire ((void *) location);
  return first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  REAL (g_once_init_leave);
  __tsan_release ((void *) location);
  real (location, result);
}

/* A new thread sees what its maker wrote; who joins sees what it wrote. pthread_create()
 * within GLib is known to ThreadSanitizer, the hand-over around it is not. */
typedef struct
{
  GThreadFunc run;
  gpointer data;
} Start;

static gpointer
run_thread (gpointer user_data)
{
  Start start = *(Start *) user_data;
  __tsan_acquire (user_data);
  g_free (user_data);
  return start.run (start.data);
}

GThread *
g_thread_try_new (const gchar * name, GThreadFunc run, gpointer data,
    GError ** error)
{
  REAL (g_thread_try_new);
  Start *start = g_new (Start, 1);
  *start = (Start) {run, data};
  __tsan_release (start);
  return real (name, run_thread, start, error);
}

GThread *
g_thread_new (const gchar * name, GThreadFunc run, gpointer data)
{
  return g_thread_try_new (name, run, data, NULL);
}

/* The threads that GStreamer's tasks and asynchronous calls run on. */
static void
run_job (gpointer job, gpointer user_data)
{
  Start *start = user_data;
  __tsan_acquire (job);
  ((GFunc) start->run) (job, start->data);
}

GThreadPool *
g_thread_pool_new (GFunc run, gpointer data, gint max, gboolean exclusive,
    GError ** error)
{
  REAL (g_thread_pool_new);
  Start *start = g_new (Start, 1);      /* as long as the process */
  *start = (Start) {(GThreadFunc) run, data};
  return real (run_job, start, max, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool * pool, gpointer job, GError ** error)
{
  REAL (g_thread_pool_push);
  __tsan_release (job);
  return real (pool, job, error);
}
