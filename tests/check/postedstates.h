/* gst-tfrc tests: the states of a connection that a thread of the pad server has posted
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef POSTED_STATES_H
#define POSTED_STATES_H

#include <string.h>

#include <gst/check/gstcheck.h>

G_BEGIN_DECLS

/* Waits until *states, which is under the lock, is as long as `expected`, and compares them. */
static inline void
posted_states_wait (gchar * const *states, GMutex * lock,
    const gchar * expected)
{
  gchar *seen = NULL;
  guint tries = 0;

  do {
    g_free (seen);
    g_usleep (1000);
    g_mutex_lock (lock);
    seen = g_strdup (*states);
    g_mutex_unlock (lock);
  } while (strlen (seen) < strlen (expected) && tries++ < 5000);
  fail_unless_equals_string (seen, expected);
  g_free (seen);
}

G_END_DECLS

#endif
