/* gst-tfrc: what a process costs: CPU, instructions, memory, threads, descriptors
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROCESS_H
#define PROCESS_H

#include <glib.h>

typedef struct
{
  gdouble cpu;                  /* s, user and system */
  guint64 memory;               /* bytes of memory that no other process has */
  guint threads, descriptors;
} ProcessCost;

/* Costs of the process since it began. The program ends with an error when the process has ended. */
void process_read (GPid pid, ProcessCost * cost);

/* Begins to count the instructions of the threads that the process has now. From here on each change of
 * threads programs the processor's counters, which takes as long as a packet on a virtual machine: time is
 * to be measured before. */
void process_count_instructions (GPid pid);

/* The instructions since the count began; 0: the processor does not count. */
void process_read_instructions (guint64 * user, guint64 * kernel);

#endif
