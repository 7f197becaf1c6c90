/* gst-tfrc: one wait on a clock for the timers of all flows
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GStreamer's system clock keeps those who wait in a list and wakes up for each. Most
 * timers of the protocol have moved on when they fire, so they may as well fire
 * together, and early. */
#include "time/sharedtimer.h"

/* Who is due so soon is called along with who is due now. */
#define EARLY (20 * GST_MSECOND)
/* Called for one wake-up; the rest has one of its own at once. */
#define BATCH 32

struct _GstTfrcSharedTimer
{
  GstClock *clock;              /* which it belongs to */

  GMutex lock;                  /* for all below, and the nodes in the heap */
  GPtrArray *heap;              /* GstTfrcSharedTimerEntry, the earliest first */
  GstClockID id;                /* what is waited for, or NULL */
  GstClockTime time;            /* when it ends: not after the first in the heap */
};

typedef struct
{
  GstElement *owner;
  GstTfrcSharedTimerFunc func;
} Call;

static void
alarm_free (gpointer data)
{
  GstTfrcSharedTimer *alarm = data;

  g_clear_pointer (&alarm->id, gst_clock_id_unref);
  g_ptr_array_unref (alarm->heap);
  g_mutex_clear (&alarm->lock);
  g_free (alarm);
}

static GstTfrcSharedTimer *
get_alarm (GstClock * clock)
{
  static GMutex lock;
  GQuark quark = g_quark_from_static_string ("gst-tfrc-alarm");
  GstTfrcSharedTimer *alarm;

  g_mutex_lock (&lock);
  alarm = g_object_get_qdata (G_OBJECT (clock), quark);
  if (alarm == NULL) {
    alarm = g_new0 (GstTfrcSharedTimer, 1);
    alarm->clock = clock;
    alarm->heap = g_ptr_array_new ();
    g_mutex_init (&alarm->lock);
    g_object_set_qdata_full (G_OBJECT (clock), quark, alarm, alarm_free);
  }
  g_mutex_unlock (&lock);
  return alarm;
}

/* With the lock, as the next three. */
static void
stop_waiting (GstTfrcSharedTimer * alarm)
{
  if (alarm->id == NULL)
    return;
  gst_clock_id_unschedule (alarm->id);
  g_clear_pointer (&alarm->id, gst_clock_id_unref);
}

static gboolean on_clock (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer data);

static void
wait_for_first (GstTfrcSharedTimer * alarm)
{
  const GstTfrcTimeHeapNode *first = gst_tfrc_time_heap_first (alarm->heap);

  if (first == NULL) {
    stop_waiting (alarm);
    return;
  }
  if (alarm->id != NULL && alarm->time <= first->time)
    return;
  stop_waiting (alarm);
  alarm->time = first->time;
  alarm->id = gst_clock_new_single_shot_id (alarm->clock, alarm->time);
  gst_clock_id_wait_async (alarm->id, on_clock, alarm, NULL);
}

static guint
take_due (GstTfrcSharedTimer * alarm, GstClockTime time, Call calls[BATCH])
{
  GstTfrcTimeHeapNode *first;
  guint n = 0;

  while (n < BATCH && (first = gst_tfrc_time_heap_first (alarm->heap)) != NULL
      && first->time <= time) {
    GstTfrcSharedTimerEntry *entry = (GstTfrcSharedTimerEntry *) first;

    gst_tfrc_time_heap_remove (alarm->heap, first);
    calls[n++] = (Call) {
    g_steal_pointer (&entry->owner), entry->func};
  }
  return n;
}

static gboolean
on_clock (GstClock * clock, GstClockTime time, GstClockID id, gpointer data)
{
  GstTfrcSharedTimer *alarm = data;
  Call calls[BATCH];
  guint i, n;

  gst_object_ref (clock);       /* the last owner may take it along */
  g_mutex_lock (&alarm->lock);
  if (alarm->id == id)
    g_clear_pointer (&alarm->id, gst_clock_id_unref);
  n = take_due (alarm, time + EARLY, calls);
  g_mutex_unlock (&alarm->lock);
  for (i = 0; i < n; i++) {
    calls[i].func (calls[i].owner);
    gst_object_unref (calls[i].owner);
  }
  g_mutex_lock (&alarm->lock);
  wait_for_first (alarm);
  g_mutex_unlock (&alarm->lock);
  gst_object_unref (clock);
  return TRUE;
}

void
gst_tfrc_shared_timer_set (GstTfrcSharedTimerEntry * entry, GstClock * clock,
    GstClockTime time, GstElement * owner, GstTfrcSharedTimerFunc func)
{
  GstTfrcSharedTimer *alarm = get_alarm (clock);

  g_mutex_lock (&alarm->lock);
  entry->alarm = alarm;
  entry->node.time = time;
  entry->owner = gst_object_ref (owner);
  entry->func = func;
  gst_tfrc_time_heap_insert (alarm->heap, &entry->node);
  wait_for_first (alarm);
  g_mutex_unlock (&alarm->lock);
}

void
gst_tfrc_shared_timer_unset (GstTfrcSharedTimerEntry * entry)
{
  GstTfrcSharedTimer *alarm = entry->alarm;
  GstElement *owner;

  if (alarm == NULL)
    return;
  g_mutex_lock (&alarm->lock);
  gst_tfrc_time_heap_remove (alarm->heap, &entry->node);
  owner = g_steal_pointer (&entry->owner);
  if (alarm->heap->len == 0)
    stop_waiting (alarm);
  g_mutex_unlock (&alarm->lock);
  gst_clear_object (&owner);
}
