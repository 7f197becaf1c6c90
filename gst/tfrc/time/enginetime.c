/* gst-tfrc: the engine's time and the timers of the protocol, on GStreamer's clocks
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/enginetime.h"

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
  *timer = (GstTfrcTimer) {
  .owner = owner,.func = func,.time = TFRC_TIME_NONE};
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
