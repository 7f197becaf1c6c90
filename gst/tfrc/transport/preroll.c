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

void
gst_tfrc_preroll_begin (GstTfrcPreroll * preroll, GstElement * element)
{
  g_atomic_int_set (&preroll->awaited, TRUE);
  gst_element_post_message (element,
      gst_message_new_async_start (GST_OBJECT (element)));
}

/* What gst_element_continue_state() does, which needs the lock of the state, and that is held by a thread that waits
 * for the streaming thread to end. Returns the state that was awaited; READY or below: the element is on its way
 * down. */
static GstState
arrive (GstElement * element, GstState * from)
{
  GstState state;

  GST_OBJECT_LOCK (element);
  *from = GST_STATE (element);
  state = GST_STATE_PENDING (element);
  if (state >= GST_STATE_PAUSED) {
    GST_STATE (element) = state;
    GST_STATE_NEXT (element) = GST_STATE_VOID_PENDING;
    GST_STATE_PENDING (element) = GST_STATE_VOID_PENDING;
    GST_STATE_RETURN (element) = GST_STATE_CHANGE_SUCCESS;
  }
  GST_OBJECT_UNLOCK (element);
  return state;
}

static void
post_state (GstElement * element, GstState from, GstState to, GstState pending)
{
  gst_element_post_message (element,
      gst_message_new_state_changed (GST_OBJECT (element), from, to, pending));
}

static void
post_done (GstElement * element)
{
  gst_element_post_message (element,
      gst_message_new_async_done (GST_OBJECT (element), GST_CLOCK_TIME_NONE));
}

/* In the order of GstBaseSink. */
static void
post_states (GstElement * element, GstState from, gboolean plays)
{
  if (from == GST_STATE_READY)
    post_state (element, from, GST_STATE_PAUSED,
        plays ? GST_STATE_PLAYING : GST_STATE_VOID_PENDING);
  post_done (element);
  if (plays)
    post_state (element, GST_STATE_PAUSED, GST_STATE_PLAYING,
        GST_STATE_VOID_PENDING);
}

void
gst_tfrc_preroll_lose (GstTfrcPreroll * preroll, GstElement * element,
    void (*pause) (GstElement * element))
{
  g_mutex_lock (&preroll->lock);
  g_atomic_int_set (&preroll->awaited, TRUE);
  pause (element);
  gst_element_lost_state (element);
  g_mutex_unlock (&preroll->lock);
}

void
gst_tfrc_preroll_commit (GstTfrcPreroll * preroll, GstPad * pad,
    GstElement * element, void (*play) (GstElement * element))
{
  GstState from, to;

  if (!g_atomic_int_get (&preroll->awaited))
    return;
  g_mutex_lock (&preroll->lock);
  if (g_atomic_int_get (&preroll->awaited) && !GST_PAD_IS_FLUSHING (pad)) {
    to = arrive (element, &from);
    if (to >= GST_STATE_PAUSED) {
      g_atomic_int_set (&preroll->awaited, FALSE);
      if (to == GST_STATE_PLAYING)
        play (element);
      post_states (element, from, to == GST_STATE_PLAYING);
      GST_STATE_BROADCAST (element);
    }
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
