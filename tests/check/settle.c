/* gst-tfrc tests: waits until every other thread sleeps
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* gettid */
#endif
#include "settle.h"

#include <fcntl.h>
#include <glib.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_MAX 4096         /* bytes of a thread's status */

/* What is read of a thread: other text once it has run, NULL when it does not sleep. A thread that has ended
 * sleeps. */
static const gchar *
read_switches (const gchar * task, gchar status[STATUS_MAX])
{
  gchar path[64];
  const gchar *state, *switches;
  gssize size = -1;
  gint fd;

  g_snprintf (path, sizeof path, "/proc/self/task/%s/status", task);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    size = read (fd, status, STATUS_MAX - 1);
    close (fd);
  }
  if (size <= 0)
    return "";
  status[size] = '\0';
  state = strstr (status, "\nState:\t");
  switches = strstr (status, "\nvoluntary_ctxt_switches:");
  return state != NULL && state[8] == 'S' ? switches : NULL;
}

/* A number that changes when another thread has run, begun or ended; 0 when one does not sleep. */
static guint64
get_all_switches (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  pid_t self = gettid ();
  const gchar *task;
  guint64 all = 1;

  while (all > 0 && (task = g_dir_read_name (dir)) != NULL) {
    gchar status[STATUS_MAX];
    const gchar *switches;

    if (atoi (task) == self)
      continue;
    switches = read_switches (task, status);
    all = switches == NULL ? 0 :
        all * 31 + g_str_hash (task) + g_str_hash (switches);
  }
  g_dir_close (dir);
  return all;
}

/* A thread that has been woken no longer sleeps, whether it has run already or not. One that wakes another while the
 * list is read, and sleeps again, has switched. When nothing has switched since all threads slept last, the list is
 * read once. */
void
settle (void)
{
  static guint64 settled;
  guint64 before;

  do {
    before = settled;
    sched_yield ();
    settled = get_all_switches ();
  } while (settled == 0 || settled != before);
}
