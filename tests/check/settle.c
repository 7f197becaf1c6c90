/* gst-tfrc tests: waits until every other thread sleeps
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* gettid, cpu_set_t */
#endif
#include "settle.h"

#include <fcntl.h>
#include <glib.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define TASKS "/proc/self/task"
#define THREADS_MAX 256
#define STAT_MAX 128            /* bytes of a thread's stat: its number, its name and its state are the first */

/* The files that tell the states of the threads stay open, since opening one costs twice as much as reading it. */
typedef struct
{
  pid_t id;
  gint stat;
} Thread;

static Thread threads[THREADS_MAX];
static guint n_threads;
static gint tasks = -1;
static pid_t process;           /* that the files are of */

/* --- one processor ------------------------------------------------------------------ */

/* A process owns a processor while it has a socket of this name. */
static gboolean
claim (gint processor)
{
  struct sockaddr_un name = { .sun_family = AF_UNIX };
  gint fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

  /* the first byte is 0: the name is in no folder */
  g_snprintf (name.sun_path + 1, sizeof name.sun_path - 1,
      "gst-tfrc-tests/%d", processor);
  if (bind (fd, (struct sockaddr *) &name, sizeof name) == 0)
    return TRUE;
  close (fd);
  return FALSE;
}

/* The processor that the threads keep to. They take turns, and to wake one on another processor takes longer than what
 * it does. All processors where other processes own each of them. */
static const cpu_set_t *
get_processors (void)
{
  static cpu_set_t processors;
  static pid_t owner;
  cpu_set_t all;
  gint i;

  if (owner == getpid ())
    return &processors;
  owner = getpid ();
  CPU_ZERO (&all);
  sched_getaffinity (0, sizeof all, &all);
  processors = all;
  for (i = 0; i < CPU_SETSIZE && CPU_COUNT (&all) > 1; i++) {
    if (!CPU_ISSET (i, &all) || !claim (i))
      continue;
    CPU_ZERO (&processors);
    CPU_SET (i, &processors);
    break;
  }
  return &processors;
}

/* --- the states of the threads --------------------------------------------------------- */

void
settle_close (void)
{
  while (n_threads > 0)
    close (threads[--n_threads].stat);
  if (tasks >= 0)
    close (tasks);
  tasks = -1;
}

/* A thread that ends meanwhile has no file. */
static void
open_thread (const gchar * id)
{
  gchar path[64];
  gint fd;

  g_snprintf (path, sizeof path, TASKS "/%s/stat", id);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  if (n_threads == THREADS_MAX)
    g_error ("more than %d threads", THREADS_MAX);
  threads[n_threads++] = (Thread) {atoi (id), fd};
  sched_setaffinity (atoi (id), sizeof (cpu_set_t), get_processors ());
}

static void
open_all (void)
{
  GDir *dir = g_dir_open (TASKS, 0, NULL);
  const gchar *id;

  settle_close ();
  process = getpid ();
  tasks = open (TASKS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while ((id = g_dir_read_name (dir)) != NULL)
    open_thread (id);
  g_dir_close (dir);
}

static gboolean
has_all_threads (void)
{
  struct stat file;

  return process == getpid () && tasks >= 0 && fstat (tasks, &file) == 0
      && file.st_nlink == n_threads + 2;
}

/* The letter of proc(5), or 0 when the thread has ended. */
static gchar
get_state (const Thread * thread)
{
  gchar text[STAT_MAX];
  gssize size = pread (thread->stat, text, sizeof text - 1, 0);

  if (size <= 0)
    return 0;
  text[size] = '\0';
  return strrchr (text, ')')[2];
}

/* Whether all other threads sleep. The files are opened anew where threads have begun or ended. */
static gboolean
are_all_asleep (void)
{
  pid_t self = gettid ();
  gchar state = 'S';
  guint i;

  if (!has_all_threads ())
    open_all ();
  for (i = 0; i < n_threads && state == 'S'; i++)
    state = threads[i].id == self ? 'S' : get_state (&threads[i]);
  if (state == 0)
    settle_close ();
  return state == 'S';
}

/* How often threads have gone to sleep, those that have ended included. */
static glong
count_sleeps (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

/* A thread that has been woken no longer sleeps, whether it has run already or not. One that wakes another while the
 * states are read has gone to sleep in the meantime when it is seen to sleep. */
void
settle (void)
{
  glong sleeps;

  do {
    sched_yield ();
    sleeps = count_sleeps ();
  } while (!are_all_asleep () || count_sleeps () != sleeps);
}
