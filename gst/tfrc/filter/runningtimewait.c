/* gst-tfrc: waiting for the running time of buffers that are not live
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/runningtimewait.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcrunningtimewait",
    "TFRC wait for the running time of packets");

void
gst_tfrc_running_time_wait_init (GstTfrcRunningTimeWait * wait)
{
  g_cond_init (&wait->cond);
  gst_tfrc_running_time_wait_reset (wait);
}

void
gst_tfrc_running_time_wait_clear (GstTfrcRunningTimeWait * wait)
{
  g_cond_clear (&wait->cond);
}

void
gst_tfrc_running_time_wait_reset (GstTfrcRunningTimeWait * wait)
{
  gst_segment_init (&wait->segment, GST_FORMAT_UNDEFINED);
  wait->playing = wait->flushing = wait->ended = FALSE;
}

static void
wake (GstTfrcRunningTimeWait * wait)
{
  if (wait->id != NULL)
    gst_clock_id_unschedule (wait->id);
  g_cond_broadcast (&wait->cond);
}

void
gst_tfrc_running_time_wait_set_playing (GstTfrcRunningTimeWait * wait,
    gboolean playing)
{
  wait->playing = playing;
  wake (wait);
}

void
gst_tfrc_running_time_wait_set_flushing (GstTfrcRunningTimeWait * wait,
    gboolean flushing)
{
  wait->flushing = flushing;
  wake (wait);
}

void
gst_tfrc_running_time_wait_end (GstTfrcRunningTimeWait * wait)
{
  wait->ended = TRUE;
  wake (wait);
}

/* Whether nothing waits, whatever the state. */
static gboolean
is_off (const GstTfrcRunningTimeWait * wait)
{
  return wait->flushing || wait->ended;
}

/* The clock, or NULL when there is none, and the base time, both under the object lock. */
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

/* The latency of the pipeline is not added: the remote has a jitter buffer of its own, and live
 * buffers arrive at their running time at the earliest. */
static GstClockReturn
wait_once (GstTfrcRunningTimeWait * wait, GstClockTime due, GstClock * clock,
    GMutex * lock)
{
  GstClockReturn ret;
  GstClockID id;

  if (gst_clock_get_time (clock) >= due)
    return GST_CLOCK_EARLY;
  id = gst_clock_new_single_shot_id (clock, due);
  wait->id = id;
  g_mutex_unlock (lock);
  ret = gst_clock_id_wait (id, NULL);
  g_mutex_lock (lock);
  wait->id = NULL;
  gst_clock_id_unref (id);
  return ret;
}

/* Whether the running time is past by `now`, without reading the clock. Live input has passed
 * it. */
static gboolean
is_past (GstClockTime running_time, GstElement * element,
    const GstTfrcTimebase * timebase, TfrcTime now)
{
  gboolean past;

  GST_OBJECT_LOCK (element);
  past = GST_ELEMENT_CLOCK (element) == timebase->clock &&
      gst_tfrc_timebase_to_clock (timebase, now) >=
      element->base_time + running_time;
  GST_OBJECT_UNLOCK (element);
  return past;
}

gboolean
gst_tfrc_running_time_wait_for_playing (GstTfrcRunningTimeWait * wait,
    GMutex * lock)
{
  gboolean waits = !wait->playing && !is_off (wait);

  while (!wait->playing && !is_off (wait))
    g_cond_wait (&wait->cond, lock);
  return waits;
}

gboolean
gst_tfrc_running_time_wait_wait (GstTfrcRunningTimeWait * wait,
    GstBuffer * buffer, GstElement * element, const GstTfrcTimebase * timebase,
    TfrcTime now, GMutex * lock)
{
  GstClockReturn ret = GST_CLOCK_UNSCHEDULED;
  GstClockTime running_time, base_time;
  GstClock *clock;

  if (wait->segment.format != GST_FORMAT_TIME)
    return FALSE;
  running_time = gst_segment_to_running_time (&wait->segment, GST_FORMAT_TIME,
      GST_BUFFER_DTS_OR_PTS (buffer));
  if (running_time == GST_CLOCK_TIME_NONE || (wait->playing &&
          is_past (running_time, element, timebase, now)))
    return FALSE;
  GST_LOG_OBJECT (element, "waiting for running time %" GST_TIME_FORMAT,
      GST_TIME_ARGS (running_time));
  /* after a pause the wait begins again with the next base time, and with what the owner has made of the segment */
  while (ret == GST_CLOCK_UNSCHEDULED) {
    gst_tfrc_running_time_wait_for_playing (wait, lock);
    clock = is_off (wait) ? NULL : get_clock (element, &base_time);
    if (clock == NULL)
      break;
    running_time = gst_segment_to_running_time (&wait->segment,
        GST_FORMAT_TIME, GST_BUFFER_DTS_OR_PTS (buffer));
    ret = wait_once (wait, base_time + running_time, clock, lock);
    if (ret == GST_CLOCK_UNSCHEDULED)
      GST_DEBUG_OBJECT (element, "the wait was interrupted");
    gst_object_unref (clock);
  }
  return TRUE;
}
