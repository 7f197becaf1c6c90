/* gst-tfrc: the running time of an element against the system's monotonic clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/runningtimemap.h"

#define READ_INTERVAL (100 * GST_MSECOND)
/* A reading of the clock that took longer than this is not used, since the thread was stalled. */
#define READING_MAX (100 * GST_USECOND)
#define READINGS 4

void
gst_tfrc_running_time_map_init (GstTfrcRunningTimeMap * self,
    GstElement * element)
{
  *self = (GstTfrcRunningTimeMap) {
      .element = element};
  g_mutex_init (&self->lock);
}

void
gst_tfrc_running_time_map_clear (GstTfrcRunningTimeMap * self)
{
  gst_clear_object (&self->clock);
  g_mutex_clear (&self->lock);
}

/* The clock of a sound card is a GstSystemClock by its class, but has another time. */
static gboolean
is_monotonic (GstClock * clock)
{
  GstClockType type;

  if (G_OBJECT_TYPE (clock) != GST_TYPE_SYSTEM_CLOCK)
    return FALSE;
  g_object_get (clock, "clock-type", &type, NULL);
  return type == GST_CLOCK_TYPE_MONOTONIC;
}

/* Called with the lock. The first reading of a clock is used however long it took. */
static void
read_clock (GstTfrcRunningTimeMap * self, gboolean first)
{
  GstClockTime before, time, after;
  guint i;

  for (i = 0; i < READINGS; i++) {
    before = gst_util_get_timestamp ();
    time = gst_clock_get_time (self->clock);
    after = gst_util_get_timestamp ();
    if (first || after - before < READING_MAX) {
      self->offset = GST_CLOCK_DIFF (before + (after - before) / 2, time);
      self->read = after;
    }
    if (after - before < READING_MAX)
      return;
    first = FALSE;
  }
}

/* With the lock. Takes the reference of `clock`, which may be NULL. */
static void
change_clock (GstTfrcRunningTimeMap * self, GstClock * clock)
{
  gst_clear_object (&self->clock);
  self->clock = clock;
  if (clock == NULL || is_monotonic (clock)) {
    self->offset = 0;
    self->read = GST_CLOCK_TIME_NONE;
  } else {
    read_clock (self, TRUE);
  }
}

/* Fills in what is to be added to monotonic time to get running time, ns. The element's clock is
 * referenced only when it is another one than before. FALSE: the element has no clock. */
static gboolean
get_offset (GstTfrcRunningTimeMap * self, GstClockTimeDiff * offset)
{
  GstElement *element = self->element;
  GstClockTime base;
  gboolean changed, has_clock;

  g_mutex_lock (&self->lock);
  GST_OBJECT_LOCK (element);
  base = element->base_time;
  changed = element->clock != self->clock;
  GST_OBJECT_UNLOCK (element);
  if (changed)
    change_clock (self, gst_element_get_clock (element));
  else if (self->clock != NULL && GST_CLOCK_TIME_IS_VALID (self->read) &&
      gst_util_get_timestamp () > self->read + READ_INTERVAL)
    read_clock (self, FALSE);
  *offset = self->offset - (GstClockTimeDiff) base;
  has_clock = self->clock != NULL;
  g_mutex_unlock (&self->lock);
  return has_clock;
}

GstClockTime
gst_tfrc_running_time_map_to_running (GstTfrcRunningTimeMap * self,
    GstClockTime time)
{
  GstClockTimeDiff offset;

  if (!get_offset (self, &offset))
    return GST_CLOCK_TIME_NONE;
  return MAX ((GstClockTimeDiff) time + offset, 0);
}

GstClockTime
gst_tfrc_running_time_map_from_running (GstTfrcRunningTimeMap * self,
    GstClockTime time)
{
  GstClockTimeDiff offset;

  if (!GST_CLOCK_TIME_IS_VALID (time) || !get_offset (self, &offset))
    return GST_CLOCK_TIME_NONE;
  return MAX ((GstClockTimeDiff) time - offset, 0);
}
