/* gst-tfrc: the downstream event by which an encoder says how long its packets may wait
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/queuetimelimitevent.h"

#define EVENT_NAME "application/x-tfrc-queue-time"
#define QUEUE_TIME "queue-time"

GstEvent *
gst_tfrc_queue_time_event_new (GstClockTime queue_time)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY,
      gst_structure_new (EVENT_NAME, QUEUE_TIME, G_TYPE_UINT64, queue_time,
          NULL));
}

/* A time of 0 would mean that there is no limit. */
gboolean
gst_tfrc_queue_time_event_parse (GstEvent * event, GstClockTime * queue_time)
{
  return gst_event_has_name (event, EVENT_NAME)
      && gst_structure_get_uint64 (gst_event_get_structure (event), QUEUE_TIME,
      queue_time) && *queue_time > 0;
}

/* Pads keep the events of each name. */
GstClockTime
gst_tfrc_queue_time_event_get_last (GstPad * pad)
{
  GstClockTime queue_time = 0;
  gboolean found = FALSE;
  GstEvent *event;
  guint i;

  for (i = 0; !found; i++) {
    event = gst_pad_get_sticky_event (pad, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY,
        i);
    if (event == NULL)
      return 0;
    found = gst_tfrc_queue_time_event_parse (event, &queue_time);
    gst_event_unref (event);
  }
  return queue_time;
}
