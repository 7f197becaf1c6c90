/* gst-tfrc: a thread that takes over from one that is held up
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/standin.h"

/* The least that a timer can be set to; 0 would unset it. */
#define AT_ONCE 1

#ifdef GST_TFRC_TIMERFD

#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static gint
new_timer (void)
{
  return timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

/* The timer ends after `duration`; 0: never. */
static void
set_timer (gint fd, GstClockTime duration)
{
  struct itimerspec time = { 0 };

  GST_TIME_TO_TIMESPEC (duration, time.it_value);
  if (fd >= 0)
    timerfd_settime (fd, 0, &time, NULL);
}

static void
wait_for_timer (gint fd)
{
  struct pollfd descriptor = { .fd = fd, .events = POLLIN };
  guint64 count;

  if (poll (&descriptor, 1, -1) > 0)
    (void) !read (fd, &count, sizeof (count));
}

static void
close_timer (gint fd)
{
  if (fd >= 0)
    close (fd);
}

#else

static gint
new_timer (void)
{
  return -1;
}

static void
set_timer (gint fd, GstClockTime duration)
{
}

static void
wait_for_timer (gint fd)
{
  g_assert_not_reached ();
}

static void
close_timer (gint fd)
{
}

#endif

void
gst_tfrc_stand_in_init (GstTfrcStandIn * self)
{
  *self = (GstTfrcStandIn) {
      .timer_fd = new_timer (),
      .due = GST_CLOCK_TIME_NONE};
  g_mutex_init (&self->lock);
}

gboolean
gst_tfrc_stand_in_is_possible (const GstTfrcStandIn * self)
{
  return self->timer_fd >= 0;
}

void
gst_tfrc_stand_in_clear (GstTfrcStandIn * self)
{
  close_timer (self->timer_fd);
  g_mutex_clear (&self->lock);
}

/* With the lock, which is released meanwhile. */
static void
wait_for_turn (GstTfrcStandIn * self)
{
  self->waits = TRUE;
  g_mutex_unlock (&self->lock);
  wait_for_timer (self->timer_fd);
  g_mutex_lock (&self->lock);
  self->waits = FALSE;
}

/* With the lock. Of a timer that ended just before it was set anew the thread learns afterwards. */
static gboolean
is_free (const GstTfrcStandIn * self)
{
  return self->on_duty == NULL || self->ended ||
      (GST_CLOCK_TIME_IS_VALID (self->due) &&
      gst_util_get_timestamp () >= self->due);
}

gboolean
gst_tfrc_stand_in_wait (GstTfrcStandIn * self)
{
  gboolean ended;

  g_mutex_lock (&self->lock);
  while (!is_free (self))
    wait_for_turn (self);
  ended = self->ended;
  self->on_duty = g_thread_self ();
  self->due = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&self->lock);
  return !ended;
}

gboolean
gst_tfrc_stand_in_is_ready (GstTfrcStandIn * self)
{
  gboolean waits;

  g_mutex_lock (&self->lock);
  waits = self->waits;
  g_mutex_unlock (&self->lock);
  return waits;
}

/* With the lock. The other thread takes over after `patience`. */
static void
watch (GstTfrcStandIn * self, GstClockTime patience)
{
  self->due = gst_util_get_timestamp () + patience;
  set_timer (self->timer_fd, MAX (patience, AT_ONCE));
}

void
gst_tfrc_stand_in_begin (GstTfrcStandIn * self)
{
  g_mutex_lock (&self->lock);
  watch (self, GST_TFRC_STAND_IN_PATIENCE);
  g_mutex_unlock (&self->lock);
}

void
gst_tfrc_stand_in_give_way (GstTfrcStandIn * self)
{
  g_mutex_lock (&self->lock);
  if (self->on_duty == g_thread_self () && GST_CLOCK_TIME_IS_VALID (self->due))
    watch (self, 0);
  g_mutex_unlock (&self->lock);
}

gboolean
gst_tfrc_stand_in_end (GstTfrcStandIn * self)
{
  gboolean on_duty;

  g_mutex_lock (&self->lock);
  on_duty = self->on_duty == g_thread_self ();
  if (on_duty)
    self->due = GST_CLOCK_TIME_NONE;
  if (on_duty && !self->ended)
    set_timer (self->timer_fd, 0);
  g_mutex_unlock (&self->lock);
  return on_duty;
}

void
gst_tfrc_stand_in_finish (GstTfrcStandIn * self)
{
  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  set_timer (self->timer_fd, AT_ONCE);
  g_mutex_unlock (&self->lock);
}
