/* gst-tfrc: the first packet of a sink that waits in PAUSED
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/preroll.h"

void
gst_tfrc_preroll_init (GstTfrcPreroll * preroll)
{
  g_mutex_init (&preroll->lock);
}

void
gst_tfrc_preroll_clear (GstTfrcPreroll * preroll)
{
  g_mutex_clear (&preroll->lock);
}

/* An element that is sent to PLAYING by itself has nobody who waits for it in PAUSED. */
GstStateChangeReturn
gst_tfrc_preroll_begin (GstTfrcPreroll * preroll, GstElement * element)
{
  gboolean stays;

  GST_OBJECT_LOCK (element);
  stays = GST_STATE_TARGET (element) == GST_STATE_PAUSED;
  GST_OBJECT_UNLOCK (element);
  if (!stays)
    return GST_STATE_CHANGE_SUCCESS;
  g_atomic_int_set (&preroll->awaited, TRUE);
  gst_element_post_message (element,
      gst_message_new_async_start (GST_OBJECT (element)));
  return GST_STATE_CHANGE_ASYNC;
}

static void
post_done (GstElement * element)
{
  gst_element_post_message (element,
      gst_message_new_async_done (GST_OBJECT (element), GST_CLOCK_TIME_NONE));
}

/* What gst_element_continue_state() does, which needs the lock of the state, and that is held by a thread that waits
 * for the streaming thread to end. FALSE: the element is on its way down. */
static gboolean
arrive (GstElement * element, GstState * from)
{
  gboolean arrives;

  GST_OBJECT_LOCK (element);
  *from = GST_STATE (element);
  arrives = GST_STATE_PENDING (element) == GST_STATE_PAUSED;
  if (arrives) {
    GST_STATE (element) = GST_STATE_PAUSED;
    GST_STATE_NEXT (element) = GST_STATE_VOID_PENDING;
    GST_STATE_PENDING (element) = GST_STATE_VOID_PENDING;
    GST_STATE_RETURN (element) = GST_STATE_CHANGE_SUCCESS;
  }
  GST_OBJECT_UNLOCK (element);
  return arrives;
}

void
gst_tfrc_preroll_commit (GstTfrcPreroll * preroll, GstElement * element)
{
  GstState from;

  if (!g_atomic_int_get (&preroll->awaited))
    return;
  g_mutex_lock (&preroll->lock);
  if (g_atomic_int_compare_and_exchange (&preroll->awaited, TRUE, FALSE)
      && arrive (element, &from)) {
    gst_element_post_message (element,
        gst_message_new_state_changed (GST_OBJECT (element), from,
            GST_STATE_PAUSED, GST_STATE_VOID_PENDING));
    post_done (element);
    GST_STATE_BROADCAST (element);
  }
  g_mutex_unlock (&preroll->lock);
}

void
gst_tfrc_preroll_settle (GstTfrcPreroll * preroll)
{
  g_mutex_lock (&preroll->lock);
  g_mutex_unlock (&preroll->lock);
}

void
gst_tfrc_preroll_cancel (GstTfrcPreroll * preroll, GstElement * element)
{
  if (g_atomic_int_compare_and_exchange (&preroll->awaited, TRUE, FALSE))
    post_done (element);
}
