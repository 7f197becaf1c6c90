/* gst-tfrc: the engine's time and the timers of the protocol, on GStreamer's clocks
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/enginetime.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrctime", "TFRC time and timers");

/* --- the wait that all timers on a clock share ---
 *
 * GStreamer's system clock keeps the waits in a sorted list and wakes up for each of them.
 * Most timers of the protocol find that their time has moved on when they fire, so that they
 * may fire early, several together. */

/* Timers that are due within this time of the first one fire together with it. */
#define EARLY (20 * GST_MSECOND)
/* How many timers fire for one wake-up at most; the others get a wake-up of their own at once. */
#define BATCH 32

struct _GstTfrcSharedTimer
{
  GstClock *clock;              /* that the timer waits on; the clock owns the timer */

  GMutex lock;                  /* guards what follows, and the nodes in the heap */
  GArray *heap;                 /* GstTfrcSharedTimerEntry, the earliest first */
  GstClockID id;                /* the wait, or NULL */
  GstClockTime time;            /* when the wait ends: not after the first of the heap */
};

typedef struct
{
  GstElement *owner;
  GstTfrcSharedTimerFunc func;
} Call;

static void
shared_timer_free (gpointer data)
{
  GstTfrcSharedTimer *timer = data;

  g_clear_pointer (&timer->id, gst_clock_id_unref);
  g_array_unref (timer->heap);
  g_mutex_clear (&timer->lock);
  g_free (timer);
}

static GstTfrcSharedTimer *
get_shared_timer (GstClock * clock)
{
  static GMutex lock;
  GQuark quark = g_quark_from_static_string ("gst-tfrc-shared-timer");
  GstTfrcSharedTimer *timer;

  g_mutex_lock (&lock);
  timer = g_object_get_qdata (G_OBJECT (clock), quark);
  if (timer == NULL) {
    timer = g_new0 (GstTfrcSharedTimer, 1);
    timer->clock = clock;
    timer->heap = gst_tfrc_time_heap_new ();
    g_mutex_init (&timer->lock);
    g_object_set_qdata_full (G_OBJECT (clock), quark, timer, shared_timer_free);
  }
  g_mutex_unlock (&lock);
  return timer;
}

/* This function and the next two are called with the lock. */
static void
stop_waiting (GstTfrcSharedTimer * timer)
{
  if (timer->id == NULL)
    return;
  gst_clock_id_unschedule (timer->id);
  g_clear_pointer (&timer->id, gst_clock_id_unref);
}

static gboolean on_clock (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer data);

static void
wait_for_first (GstTfrcSharedTimer * timer)
{
  const GstTfrcTimeHeapNode *first = gst_tfrc_time_heap_first (timer->heap);

  if (first == NULL) {
    stop_waiting (timer);
    return;
  }
  if (timer->id != NULL && timer->time <= first->time)
    return;
  stop_waiting (timer);
  timer->time = first->time;
  timer->id = gst_clock_new_single_shot_id (timer->clock, timer->time);
  gst_clock_id_wait_async (timer->id, on_clock, timer, NULL);
}

static guint
take_due (GstTfrcSharedTimer * timer, GstClockTime time, Call calls[BATCH])
{
  GstTfrcTimeHeapNode *first;
  guint n = 0;

  while (n < BATCH && (first = gst_tfrc_time_heap_first (timer->heap)) != NULL
      && first->time <= time) {
    GstTfrcSharedTimerEntry *entry = (GstTfrcSharedTimerEntry *) first;

    gst_tfrc_time_heap_remove (timer->heap, first);
    calls[n++] = (Call) {g_steal_pointer (&entry->owner), entry->func};
  }
  return n;
}

static gboolean
on_clock (GstClock * clock, GstClockTime time, GstClockID id, gpointer data)
{
  GstTfrcSharedTimer *timer = data;
  Call calls[BATCH];
  guint i, n;

  gst_object_ref (clock);       /* the last owner may release the clock */
  g_mutex_lock (&timer->lock);
  if (timer->id == id)
    g_clear_pointer (&timer->id, gst_clock_id_unref);
  n = take_due (timer, time + EARLY, calls);
  g_mutex_unlock (&timer->lock);
  for (i = 0; i < n; i++) {
    GST_LOG_OBJECT (calls[i].owner, "timer fires");
    calls[i].func (calls[i].owner);
    gst_object_unref (calls[i].owner);
  }
  g_mutex_lock (&timer->lock);
  wait_for_first (timer);
  g_mutex_unlock (&timer->lock);
  gst_object_unref (clock);
  return TRUE;
}

void
gst_tfrc_shared_timer_set (GstTfrcSharedTimerEntry * entry, GstClock * clock,
    GstClockTime time, GstElement * owner, GstTfrcSharedTimerFunc func)
{
  GstTfrcSharedTimer *timer = get_shared_timer (clock);

  g_mutex_lock (&timer->lock);
  entry->timer = timer;
  entry->node.time = time;
  entry->owner = gst_object_ref (owner);
  entry->func = func;
  gst_tfrc_time_heap_insert (timer->heap, &entry->node);
  wait_for_first (timer);
  g_mutex_unlock (&timer->lock);
}

void
gst_tfrc_shared_timer_unset (GstTfrcSharedTimerEntry * entry)
{
  GstTfrcSharedTimer *timer = entry->timer;
  GstElement *owner;

  if (timer == NULL)
    return;
  g_mutex_lock (&timer->lock);
  gst_tfrc_time_heap_remove (timer->heap, &entry->node);
  owner = g_steal_pointer (&entry->owner);
  if (timer->heap->len == 0)
    stop_waiting (timer);
  g_mutex_unlock (&timer->lock);
  gst_clear_object (&owner);
}

/* --- engine time --- */

void
gst_tfrc_timebase_init (GstTfrcTimebase * tb)
{
  tb->clock = gst_system_clock_obtain ();
  tb->offset = 0;
}

void
gst_tfrc_timebase_clear (GstTfrcTimebase * tb)
{
  gst_clear_object (&tb->clock);
}

gboolean
gst_tfrc_timebase_set_clock (GstTfrcTimebase * tb, GstClock * clock)
{
  TfrcTime now;

  if (clock == NULL || GST_IS_SYSTEM_CLOCK (clock))
    clock = gst_system_clock_obtain ();
  else
    gst_object_ref (clock);

  if (clock == tb->clock) {
    gst_object_unref (clock);
    return FALSE;
  }
  now = gst_tfrc_timebase_now (tb);
  gst_object_unref (tb->clock);
  tb->clock = clock;
  tb->offset = (gint64) (now - gst_clock_get_time (clock));
  GST_INFO_OBJECT (clock, "measures the engine's time from %" GST_TIME_FORMAT
      " on", GST_TIME_ARGS (now));
  return TRUE;
}

TfrcTime
gst_tfrc_timebase_now (const GstTfrcTimebase * tb)
{
  return gst_clock_get_time (tb->clock) + tb->offset;
}

GstClockTime
gst_tfrc_timebase_to_clock (const GstTfrcTimebase * tb, TfrcTime time)
{
  /* a clock that was set later may show less than `offset` */
  if (tb->offset > 0 && time < (TfrcTime) tb->offset)
    return 0;
  return time - tb->offset;
}

/* --- timers --- */

void
gst_tfrc_timer_init (GstTfrcTimer * timer, GstElement * owner,
    GstTfrcTimerFunc func)
{
  *timer = (GstTfrcTimer) {
      .owner = owner,
      .func = func,
      .time = TFRC_TIME_NONE};
}

void
gst_tfrc_timer_arm (GstTfrcTimer * timer, const GstTfrcTimebase * tb,
    TfrcTime time)
{
  if (time == TFRC_TIME_NONE) {
    gst_tfrc_timer_disarm (timer);
    return;
  }
  if (timer->time <= time)
    return;
  gst_tfrc_timer_disarm (timer);
  timer->time = time;
  GST_LOG_OBJECT (timer->owner, "timer armed for %" GST_TIME_FORMAT,
      GST_TIME_ARGS (time));
  gst_tfrc_shared_timer_set (&timer->entry, tb->clock,
      gst_tfrc_timebase_to_clock (tb, time), timer->owner, timer->func);
}

void
gst_tfrc_timer_disarm (GstTfrcTimer * timer)
{
  if (timer->time == TFRC_TIME_NONE)
    return;
  timer->time = TFRC_TIME_NONE;
  gst_tfrc_shared_timer_unset (&timer->entry);
}
