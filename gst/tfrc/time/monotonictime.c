/* gst-tfrc: the running time of an element against the system's monotonic clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/monotonictime.h"

#define READ_INTERVAL (100 * GST_MSECOND)
/* A reading of the clock that took longer than this is not used, since the thread was stalled. */
#define READING_MAX (100 * GST_USECOND)
#define READINGS 4

void
gst_tfrc_monotonic_time_init (GstTfrcMonotonicTime * self, GstElement * element)
{
  *self = (GstTfrcMonotonicTime) {
      .element = element};
  g_mutex_init (&self->lock);
}

void
gst_tfrc_monotonic_time_clear (GstTfrcMonotonicTime * self)
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
read_clock (GstTfrcMonotonicTime * self, gboolean first)
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

/* With the lock. Takes the reference of `clock`. */
static void
change_clock (GstTfrcMonotonicTime * self, GstClock * clock)
{
  gst_clear_object (&self->clock);
  self->clock = clock;
  if (is_monotonic (clock)) {
    self->offset = 0;
    self->read = GST_CLOCK_TIME_NONE;
  } else {
    read_clock (self, TRUE);
  }
}

static gboolean
get_offset (GstTfrcMonotonicTime * self, GstClockTimeDiff * offset)
{
  GstClock *clock = gst_element_get_clock (self->element);

  if (clock == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  if (clock != self->clock)
    change_clock (self, gst_object_ref (clock));
  else if (GST_CLOCK_TIME_IS_VALID (self->read) &&
      gst_util_get_timestamp () > self->read + READ_INTERVAL)
    read_clock (self, FALSE);
  *offset = self->offset;
  g_mutex_unlock (&self->lock);
  gst_object_unref (clock);
  return TRUE;
}

GstClockTime
gst_tfrc_monotonic_time_to_running (GstTfrcMonotonicTime * self,
    GstClockTime time)
{
  GstClockTime base = gst_element_get_base_time (self->element);
  GstClockTimeDiff offset;

  if (!get_offset (self, &offset))
    return GST_CLOCK_TIME_NONE;
  return MAX ((GstClockTimeDiff) time + offset - (GstClockTimeDiff) base, 0);
}

GstClockTime
gst_tfrc_monotonic_time_from_running (GstTfrcMonotonicTime * self,
    GstClockTime time)
{
  GstClockTime base = gst_element_get_base_time (self->element);
  GstClockTimeDiff offset;

  if (!GST_CLOCK_TIME_IS_VALID (time) || !get_offset (self, &offset))
    return GST_CLOCK_TIME_NONE;
  return MAX ((GstClockTimeDiff) (time + base) - offset, 0);
}
