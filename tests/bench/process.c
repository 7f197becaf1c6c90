/* gst-tfrc: what a process costs: CPU, instructions, memory, threads, descriptors
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* syscall */
#endif
#include "process.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static GArray *counters[2];     /* gint: descriptors that count user and kernel instructions */

static gint
open_counter (gint thread, gboolean kernel)
{
  struct perf_event_attr attr = {
    .type = PERF_TYPE_HARDWARE,
    .size = sizeof attr,
    .config = PERF_COUNT_HW_INSTRUCTIONS,
    .exclude_user = kernel,
    .exclude_kernel = !kernel,
    .exclude_hv = 1
  };

  return syscall (SYS_perf_event_open, &attr, thread, -1, -1, 0);
}

static gchar *
get_path (GPid pid, const gchar * name)
{
  return g_strdup_printf ("/proc/%d/%s", pid, name);
}

static void
add_counters (gint thread)
{
  guint kernel;

  for (kernel = 0; kernel < 2; kernel++) {
    gint fd = open_counter (thread, kernel);

    if (fd >= 0)
      g_array_append_val (counters[kernel], fd);
  }
}

void
process_count_instructions (GPid pid)
{
  gchar *path = get_path (pid, "task");
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;
  guint kernel;

  for (kernel = 0; kernel < 2; kernel++)
    counters[kernel] = g_array_new (FALSE, FALSE, sizeof (gint));
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    add_counters (atoi (name));
  g_clear_pointer (&dir, g_dir_close);
  g_free (path);
}

static guint64
read_counters (const GArray * descriptors)
{
  guint64 sum = 0, value;
  guint i;

  for (i = 0; i < descriptors->len; i++)
    if (read (g_array_index (descriptors, gint, i), &value, sizeof value) ==
        sizeof value)
      sum += value;
  return sum;
}

void
process_read_instructions (guint64 * user, guint64 * kernel)
{
  *user = read_counters (counters[0]);
  *kernel = read_counters (counters[1]);
}

static guint
count_entries (GPid pid, const gchar * name)
{
  gchar *path = get_path (pid, name);
  GDir *dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  g_clear_pointer (&dir, g_dir_close);
  g_free (path);
  return n;
}

static void
read_file (GPid pid, const gchar * name, gchar ** text)
{
  gchar *path = get_path (pid, name);

  if (!g_file_get_contents (path, text, NULL, NULL)) {
    fprintf (stderr, "the relay has ended\n");
    exit (1);
  }
  g_free (path);
}

/* The numbers behind the name in /proc/PID/stat: 11 and 12 are CPU in ticks. */
static gdouble
read_cpu (GPid pid)
{
  gchar *text, **fields;
  gdouble cpu;

  read_file (pid, "stat", &text);
  fields = g_strsplit (strrchr (text, ')') + 2, " ", 0);
  cpu = (atof (fields[11]) + atof (fields[12])) / sysconf (_SC_CLK_TCK);
  g_strfreev (fields);
  g_free (text);
  return cpu;
}

static guint64
read_memory (GPid pid)
{
  gchar *text, **parts;
  guint64 kB = 0;

  read_file (pid, "smaps_rollup", &text);
  parts = g_strsplit (text, "Private_Dirty:", 2);
  if (parts[1] != NULL)
    kB = g_ascii_strtoull (parts[1], NULL, 10);
  g_strfreev (parts);
  g_free (text);
  return kB * 1024;
}

void
process_read (GPid pid, ProcessCost * cost)
{
  cost->cpu = read_cpu (pid);
  cost->memory = read_memory (pid);
  cost->threads = count_entries (pid, "task");
  cost->descriptors = count_entries (pid, "fd");
}
