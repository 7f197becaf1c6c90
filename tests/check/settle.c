/* gst-tfrc tests: waits until every other thread sleeps
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "settle.h"

#include <glib.h>
#include <sched.h>
#include <string.h>

/* The context switches of a thread so far, or 0 when it does not sleep. */
static guint64
get_switches (const gchar * task)
{
  gchar *path = g_strdup_printf ("/proc/self/task/%s/status", task), *text =
      NULL;
  const gchar *state, *at;
  guint64 switches = 0;

  if (g_file_get_contents (path, &text, NULL, NULL)) {
    state = strstr (text, "\nState:\t");
    if (state != NULL && state[8] == 'S') {
      switches = 1;
      for (at = text; (at = strstr (at, "ctxt_switches:\t")) != NULL; at++)
        switches += g_ascii_strtoull (at + 15, NULL, 10);
    }
  } else {
    switches = 1;               /* it has ended */
  }
  g_free (text);
  g_free (path);
  return switches;
}

/* The context switches of all other threads, or 0 when one does not sleep. */
static guint64
get_all_switches (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  gchar *self = g_file_read_link ("/proc/thread-self", NULL);
  const gchar *task;
  guint64 sum = 1;

  while (sum > 0 && (task = g_dir_read_name (dir)) != NULL) {
    guint64 switches;

    if (g_str_has_suffix (self, task)
        && self[strlen (self) - strlen (task) - 1] == '/')
      continue;
    switches = get_switches (task);
    sum = switches > 0 ? sum + switches : 0;
  }
  g_dir_close (dir);
  g_free (self);
  return sum;
}

/* A thread that has been woken no longer sleeps, whether it has run already or not. One
 * that wakes another while the list is read, and sleeps again, has switched. */
void
settle (void)
{
  guint64 first, second = 0;

  do {
    first = second;
    sched_yield ();
    second = get_all_switches ();
  } while (second == 0 || second != first);
}
