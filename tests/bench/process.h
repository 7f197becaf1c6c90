/* gst-tfrc: what a process costs: CPU, instructions, memory, threads, descriptors
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROCESS_H
#define PROCESS_H

#include <glib.h>

typedef struct
{
  gdouble cpu;                  /* s, user and system */
  guint64 user_instructions, kernel_instructions;       /* 0: the processor does not count */
  guint64 memory;               /* bytes of memory that no other process has */
  guint threads, descriptors;
} ProcessCost;

/* Counts the instructions of this process and of the threads that it will have, and tells them. */
void process_watch_self (void);
void process_read_self (guint64 * user, guint64 * kernel);

/* Counts the instructions of the threads that the process has now. */
void process_watch (GPid pid);

/* Costs of the process since it began; instructions since process_watch(). The program ends with an
 * error when the process has ended. */
void process_read (GPid pid, ProcessCost * cost);

#endif
