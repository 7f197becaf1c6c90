/* gst-tfrc tests: the bytes of the heap that are in use
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * For tests that do something some times, until all caches are full, and then some times more, which may
 * not make the heap grow. memory.c counts blocks, and needs no C library that tells the bytes. */
#ifndef HEAP_H
#define HEAP_H

#include <glib.h>
#include <malloc.h>

/* Before other threads begin: one arena serves all of them, whose use heap_get_used() returns, and
 * blocks that are freed are not kept for later. */
static inline void
heap_set_up (void)
{
  mallopt (M_ARENA_MAX, 1);
  mallopt (M_MXFAST, 0);
}

static inline gsize
heap_get_used (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

#endif
