/* gst-tfrc: a binary min-heap keyed by time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/timeheap.h"

static GstTfrcTimeHeapNode *
heap_at (const GPtrArray * heap, guint i)
{
  return g_ptr_array_index (heap, i);
}

static void
heap_put (GPtrArray * heap, guint i, GstTfrcTimeHeapNode * node)
{
  g_ptr_array_index (heap, i) = node;
  node->index = i;
}

static void
heap_up (GPtrArray * heap, guint i)
{
  GstTfrcTimeHeapNode *node = heap_at (heap, i);

  while (i > 0 && heap_at (heap, (i - 1) / 2)->time > node->time) {
    heap_put (heap, i, heap_at (heap, (i - 1) / 2));
    i = (i - 1) / 2;
  }
  heap_put (heap, i, node);
}

static void
heap_down (GPtrArray * heap, guint i)
{
  GstTfrcTimeHeapNode *node = heap_at (heap, i);
  guint child;

  while ((child = 2 * i + 1) < heap->len) {
    if (child + 1 < heap->len &&
        heap_at (heap, child + 1)->time < heap_at (heap, child)->time)
      child++;
    if (heap_at (heap, child)->time >= node->time)
      break;
    heap_put (heap, i, heap_at (heap, child));
    i = child;
  }
  heap_put (heap, i, node);
}

void
gst_tfrc_time_heap_insert (GPtrArray * heap, GstTfrcTimeHeapNode * node)
{
  g_ptr_array_add (heap, node);
  heap_up (heap, heap->len - 1);
}

void
gst_tfrc_time_heap_remove (GPtrArray * heap, GstTfrcTimeHeapNode * node)
{
  guint i = node->index;
  GstTfrcTimeHeapNode *last;

  if (i == GST_TFRC_TIME_HEAP_NOWHERE)
    return;
  last = heap_at (heap, heap->len - 1);
  g_ptr_array_set_size (heap, heap->len - 1);
  if (last != node) {
    heap_put (heap, i, last);
    heap_up (heap, i);
    heap_down (heap, last->index);
  }
  node->index = GST_TFRC_TIME_HEAP_NOWHERE;
}

GstTfrcTimeHeapNode *
gst_tfrc_time_heap_first (const GPtrArray * heap)
{
  return heap->len > 0 ? heap_at (heap, 0) : NULL;
}
