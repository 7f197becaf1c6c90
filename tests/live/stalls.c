/* gst-tfrc tests: how long the machine held this process
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stalls.h"

#define SLEEP (5 * G_TIME_SPAN_MILLISECOND)

static GMutex lock;
static gint64 due, worst;       /* with the lock; due is 0 when nothing watches */

/* Also for a hold that has just ended and that the watching thread has not seen. */
static void
look (void)
{
  worst = MAX (worst, g_get_monotonic_time () - due);
}

static gpointer
watch (gpointer unused)
{
  for (;;) {
    g_usleep (SLEEP);
    g_mutex_lock (&lock);
    look ();
    due = g_get_monotonic_time () + SLEEP;
    g_mutex_unlock (&lock);
  }
  return NULL;
}

void
stalls_begin (void)
{
  due = g_get_monotonic_time () + SLEEP;
  worst = 0;
  /* lives as long as the process of the test */
  g_thread_unref (g_thread_new ("stalls", watch, NULL));
}

gint64
stalls_get_worst (void)
{
  gint64 result;

  g_mutex_lock (&lock);
  if (due != 0)
    look ();
  result = worst;
  g_mutex_unlock (&lock);
  return result;
}
