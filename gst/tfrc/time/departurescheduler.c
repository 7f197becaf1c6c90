/* gst-tfrc: the thread that calls flows at the times of their departures
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/departurescheduler.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcscheduler", "TFRC scheduler of departures");

struct _GstTfrcScheduler
{
  gchar *context;
  GstClock *clock;
  guint entries;                /* that have joined; under the lock of the registry */
  gint refs;                    /* one for all entries together, one for the thread */

  GMutex lock;
  GCond cond;                   /* the heap is no longer empty, or `running` changed */
  GArray *heap;                 /* GstTfrcSchedulerEntry, the earliest first */
  GstClockID id;                /* the wait of the thread, or NULL */
  GstTfrcSchedulerEntry *running;       /* the entry whose func is being called, or NULL */
  GThread *thread;
  gboolean quit;
};

/* The schedulers with a name, so that flows with the same context find them. */
static GMutex registry_lock;
static GList *registry;

/* The entry with the earliest time, or NULL. */
static GstTfrcSchedulerEntry *
get_first (GstTfrcScheduler * sched)
{
  return (GstTfrcSchedulerEntry *) gst_tfrc_time_heap_first (sched->heap);
}

static void
call_first (GstTfrcScheduler * sched)
{
  GstTfrcSchedulerEntry *entry = get_first (sched);

  gst_tfrc_time_heap_remove (sched->heap, &entry->node);
  sched->running = entry;
  g_mutex_unlock (&sched->lock);
  entry->func (entry->data);
  g_mutex_lock (&sched->lock);
  sched->running = NULL;
  g_cond_broadcast (&sched->cond);
}

static void
wait_until (GstTfrcScheduler * sched, GstClockTime time)
{
  GstClockID id = gst_clock_new_single_shot_id (sched->clock, time);

  sched->id = id;
  g_mutex_unlock (&sched->lock);
  gst_clock_id_wait (id, NULL);
  g_mutex_lock (&sched->lock);
  sched->id = NULL;
  gst_clock_id_unref (id);
}

static void
sched_unref (GstTfrcScheduler * sched)
{
  if (!g_atomic_int_dec_and_test (&sched->refs))
    return;
  g_array_unref (sched->heap);
  g_mutex_clear (&sched->lock);
  g_cond_clear (&sched->cond);
  gst_object_unref (sched->clock);
  g_free (sched->context);
  g_free (sched);
}

static gpointer
run (gpointer data)
{
  GstTfrcScheduler *sched = data;

  g_mutex_lock (&sched->lock);
  while (!sched->quit) {
    if (sched->heap->len == 0)
      g_cond_wait (&sched->cond, &sched->lock);
    else if (get_first (sched)->node.time <= gst_clock_get_time (sched->clock))
      call_first (sched);
    else
      wait_until (sched, get_first (sched)->node.time);
    GST_LOG_OBJECT (sched->clock, "%u flows wait for a departure",
        sched->heap->len);
  }
  g_mutex_unlock (&sched->lock);
  sched_unref (sched);
  return NULL;
}

/* Makes the thread look at the heap again. Called with the lock. */
static void
wake (GstTfrcScheduler * sched)
{
  if (sched->id != NULL)
    gst_clock_id_unschedule (sched->id);
  g_cond_broadcast (&sched->cond);
}

static GstTfrcScheduler *
sched_new (const gchar * context, GstClock * clock)
{
  GstTfrcScheduler *sched = g_new0 (GstTfrcScheduler, 1);

  sched->refs = 1;
  sched->context = g_strdup (context);
  sched->clock = gst_object_ref (clock);
  sched->heap = gst_tfrc_time_heap_new ();
  g_mutex_init (&sched->lock);
  g_cond_init (&sched->cond);
  return sched;
}

static void
sched_stop (GstTfrcScheduler * sched)
{
  GThread *thread;

  GST_INFO_OBJECT (sched->clock, "the last flow has left, context \"%s\"",
      sched->context != NULL ? sched->context : "");
  g_mutex_lock (&sched->lock);
  sched->quit = TRUE;
  wake (sched);
  thread = sched->thread;
  g_mutex_unlock (&sched->lock);
  /* an element that shuts down within its own push runs in this very thread */
  if (thread != NULL && thread != g_thread_self ())
    g_thread_join (thread);
  else if (thread != NULL)
    g_thread_unref (thread);
  sched_unref (sched);
}

static GstTfrcScheduler *
find_named (const gchar * context, GstClock * clock)
{
  GList *l;

  for (l = registry; l != NULL; l = l->next) {
    GstTfrcScheduler *sched = l->data;

    if (sched->clock == clock && g_str_equal (sched->context, context))
      return sched;
  }
  return NULL;
}

void
gst_tfrc_scheduler_entry_join (GstTfrcSchedulerEntry * entry,
    const gchar * context, GstClock * clock, GstTfrcSchedulerFunc func,
    gpointer data)
{
  gboolean named = context != NULL && context[0] != '\0';
  GstTfrcScheduler *sched = NULL;

  g_return_if_fail (entry->sched == NULL);

  g_mutex_lock (&registry_lock);
  if (named)
    sched = find_named (context, clock);
  if (sched == NULL) {
    sched = sched_new (context, clock);
    GST_INFO_OBJECT (clock, "new scheduler of departures, context \"%s\"",
        named ? context : "");
    if (named)
      registry = g_list_prepend (registry, sched);
  }
  sched->entries++;
  g_mutex_unlock (&registry_lock);

  entry->sched = sched;
  entry->func = func;
  entry->data = data;
  entry->node.index = GST_TFRC_TIME_HEAP_NOWHERE;
}

void
gst_tfrc_scheduler_entry_arm (GstTfrcSchedulerEntry * entry, GstClockTime time)
{
  GstTfrcScheduler *sched = entry->sched;

  g_mutex_lock (&sched->lock);
  if (entry->node.index != GST_TFRC_TIME_HEAP_NOWHERE &&
      entry->node.time == time) {
    g_mutex_unlock (&sched->lock);
    return;
  }
  gst_tfrc_time_heap_remove (sched->heap, &entry->node);
  entry->node.time = time;
  gst_tfrc_time_heap_insert (sched->heap, &entry->node);
  if (sched->thread == NULL) {
    g_atomic_int_inc (&sched->refs);
    sched->thread = g_thread_new ("tfrc-departures", run, sched);
  } else if (entry->node.index == 0) {
    wake (sched);
  }
  g_mutex_unlock (&sched->lock);
}

void
gst_tfrc_scheduler_entry_disarm (GstTfrcSchedulerEntry * entry)
{
  g_mutex_lock (&entry->sched->lock);
  gst_tfrc_time_heap_remove (entry->sched->heap, &entry->node);
  g_mutex_unlock (&entry->sched->lock);
}

void
gst_tfrc_scheduler_entry_cancel (GstTfrcSchedulerEntry * entry)
{
  GstTfrcScheduler *sched = entry->sched;

  if (sched == NULL)
    return;
  g_mutex_lock (&sched->lock);
  gst_tfrc_time_heap_remove (sched->heap, &entry->node);
  while (sched->running == entry && sched->thread != g_thread_self ())
    g_cond_wait (&sched->cond, &sched->lock);
  /* `func` may have armed the entry before it returned */
  gst_tfrc_time_heap_remove (sched->heap, &entry->node);
  g_mutex_unlock (&sched->lock);
}

void
gst_tfrc_scheduler_entry_leave (GstTfrcSchedulerEntry * entry)
{
  GstTfrcScheduler *sched = entry->sched;
  gboolean last;

  if (sched == NULL)
    return;
  gst_tfrc_scheduler_entry_cancel (entry);
  g_mutex_lock (&registry_lock);
  last = --sched->entries == 0;
  if (last)
    registry = g_list_remove (registry, sched);
  g_mutex_unlock (&registry_lock);
  entry->sched = NULL;
  if (last)
    sched_stop (sched);
}
