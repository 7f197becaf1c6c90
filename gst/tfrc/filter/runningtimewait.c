/* gst-tfrc: waiting for the running time of buffers that are not live
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/runningtimewait.h"

void
gst_tfrc_running_time_wait_init (GstTfrcRunningTimeWait * sync)
{
  g_cond_init (&sync->cond);
  sync->id = NULL;
  gst_tfrc_running_time_wait_reset (sync);
}

void
gst_tfrc_running_time_wait_clear (GstTfrcRunningTimeWait * sync)
{
  g_cond_clear (&sync->cond);
}

void
gst_tfrc_running_time_wait_reset (GstTfrcRunningTimeWait * sync)
{
  gst_segment_init (&sync->segment, GST_FORMAT_UNDEFINED);
  sync->playing = sync->flushing = FALSE;
}

static void
wake (GstTfrcRunningTimeWait * sync)
{
  if (sync->id != NULL)
    gst_clock_id_unschedule (sync->id);
  g_cond_broadcast (&sync->cond);
}

void
gst_tfrc_running_time_wait_set_playing (GstTfrcRunningTimeWait * sync,
    gboolean playing)
{
  sync->playing = playing;
  wake (sync);
}

void
gst_tfrc_running_time_wait_set_flushing (GstTfrcRunningTimeWait * sync,
    gboolean flushing)
{
  sync->flushing = flushing;
  wake (sync);
}

/* NULL: there is none. One lock for both of them. */
static GstClock *
get_clock (GstElement * element, GstClockTime * base_time)
{
  GstClock *clock;

  GST_OBJECT_LOCK (element);
  clock = GST_ELEMENT_CLOCK (element) != NULL ?
      gst_object_ref (GST_ELEMENT_CLOCK (element)) : NULL;
  *base_time = GST_ELEMENT (element)->base_time;
  GST_OBJECT_UNLOCK (element);
  return clock;
}

/* The latency of the pipeline is not waited for: the far end has a buffer of its
 * own, and what is live is there no sooner than its running time. */
static GstClockReturn
wait_once (GstTfrcRunningTimeWait * sync, GstClockTime due, GstClock * clock,
    GMutex * lock)
{
  GstClockReturn ret;
  GstClockID id;

  if (gst_clock_get_time (clock) >= due)
    return GST_CLOCK_EARLY;
  id = gst_clock_new_single_shot_id (clock, due);
  sync->id = id;
  g_mutex_unlock (lock);
  ret = gst_clock_id_wait (id, NULL);
  g_mutex_lock (lock);
  sync->id = NULL;
  gst_clock_id_unref (id);
  return ret;
}

/* Whether `now` alone tells it, which for live input it does. */
static gboolean
has_come (GstClockTime running_time, GstElement * element,
    const GstTfrcTimebase * timebase, TfrcTime now)
{
  gboolean come;

  GST_OBJECT_LOCK (element);
  come = GST_ELEMENT_CLOCK (element) == timebase->clock &&
      gst_tfrc_timebase_to_clock (timebase, now) >=
      element->base_time + running_time;
  GST_OBJECT_UNLOCK (element);
  return come;
}

gboolean
gst_tfrc_running_time_wait_wait (GstTfrcRunningTimeWait * sync,
    GstBuffer * buffer, GstElement * element, const GstTfrcTimebase * timebase,
    TfrcTime now, GMutex * lock)
{
  GstClockReturn ret = GST_CLOCK_UNSCHEDULED;
  GstClockTime running_time, base_time;
  GstClock *clock;

  if (sync->segment.format != GST_FORMAT_TIME)
    return FALSE;
  running_time = gst_segment_to_running_time (&sync->segment, GST_FORMAT_TIME,
      GST_BUFFER_DTS_OR_PTS (buffer));
  if (running_time == GST_CLOCK_TIME_NONE || (sync->playing &&
          has_come (running_time, element, timebase, now)))
    return FALSE;
  /* a wait that is interrupted by a pause begins anew with the next base time */
  while (ret == GST_CLOCK_UNSCHEDULED) {
    while (!sync->playing && !sync->flushing)
      g_cond_wait (&sync->cond, lock);
    clock = sync->flushing ? NULL : get_clock (element, &base_time);
    if (clock == NULL)
      break;
    ret = wait_once (sync, base_time + running_time, clock, lock);
    gst_object_unref (clock);
  }
  return TRUE;
}
