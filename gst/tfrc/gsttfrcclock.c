/* gst-tfrc: the engine's time and the timers of the protocol, on GStreamer's clocks
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsttfrcclock.h"

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
  /* the clock may have started after the time asked for */
  if (tb->offset > 0 && time < (TfrcTime) tb->offset)
    return 0;
  return time - tb->offset;
}

void
gst_tfrc_timer_init (GstTfrcTimer * timer, GstElement * owner,
    GstTfrcTimerFunc func)
{
  timer->owner = owner;
  timer->func = func;
  timer->id = NULL;
  timer->time = TFRC_TIME_NONE;
}

/* What the clock holds while it waits: the owner cannot go away under it. */
typedef struct
{
  GstElement *owner;
  GstTfrcTimerFunc func;
} TimerCall;

static void
timer_call_free (gpointer data)
{
  TimerCall *call = data;

  gst_object_unref (call->owner);
  g_free (call);
}

static gboolean
on_clock (GstClock * clock, GstClockTime time, GstClockID id, gpointer data)
{
  TimerCall *call = data;

  call->func (call->owner);
  return TRUE;
}

void
gst_tfrc_timer_arm (GstTfrcTimer * timer, const GstTfrcTimebase * tb,
    TfrcTime time)
{
  TimerCall *call;

  if (time == TFRC_TIME_NONE) {
    gst_tfrc_timer_disarm (timer);
    return;
  }
  if (timer->time <= time)
    return;
  gst_tfrc_timer_disarm (timer);

  call = g_new (TimerCall, 1);
  call->owner = gst_object_ref (timer->owner);
  call->func = timer->func;
  timer->time = time;
  timer->id = gst_clock_new_single_shot_id (tb->clock,
      gst_tfrc_timebase_to_clock (tb, time));
  gst_clock_id_wait_async (timer->id, on_clock, call, timer_call_free);
}

void
gst_tfrc_timer_disarm (GstTfrcTimer * timer)
{
  timer->time = TFRC_TIME_NONE;
  if (timer->id != NULL) {
    gst_clock_id_unschedule (timer->id);
    gst_clock_id_unref (timer->id);
    timer->id = NULL;
  }
}
