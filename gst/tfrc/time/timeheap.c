/* gst-tfrc: a binary min-heap keyed by time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "time/timeheap.h"

typedef GstTfrcTimeHeapEntry Entry;

GArray *
gst_tfrc_time_heap_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Entry));
}

static Entry *
heap_at (const GArray * heap, guint i)
{
  return &g_array_index (heap, Entry, i);
}

static void
heap_put (GArray * heap, guint i, Entry entry)
{
  *heap_at (heap, i) = entry;
  entry.node->index = i;
}

static void
heap_up (GArray * heap, guint i)
{
  Entry entry = *heap_at (heap, i);

  while (i > 0 && heap_at (heap, (i - 1) / 2)->time > entry.time) {
    heap_put (heap, i, *heap_at (heap, (i - 1) / 2));
    i = (i - 1) / 2;
  }
  heap_put (heap, i, entry);
}

static void
heap_down (GArray * heap, guint i)
{
  Entry entry = *heap_at (heap, i);
  guint child;

  while ((child = 2 * i + 1) < heap->len) {
    if (child + 1 < heap->len &&
        heap_at (heap, child + 1)->time < heap_at (heap, child)->time)
      child++;
    if (heap_at (heap, child)->time >= entry.time)
      break;
    heap_put (heap, i, *heap_at (heap, child));
    i = child;
  }
  heap_put (heap, i, entry);
}

void
gst_tfrc_time_heap_insert (GArray * heap, GstTfrcTimeHeapNode * node)
{
  Entry entry = { node->time, node };

  g_array_append_val (heap, entry);
  heap_up (heap, heap->len - 1);
}

void
gst_tfrc_time_heap_remove (GArray * heap, GstTfrcTimeHeapNode * node)
{
  guint i = node->index;
  Entry last;

  if (i == GST_TFRC_TIME_HEAP_NOWHERE)
    return;
  last = *heap_at (heap, heap->len - 1);
  g_array_set_size (heap, heap->len - 1);
  if (last.node != node) {
    heap_put (heap, i, last);
    heap_up (heap, i);
    heap_down (heap, last.node->index);
  }
  node->index = GST_TFRC_TIME_HEAP_NOWHERE;
}

GstTfrcTimeHeapNode *
gst_tfrc_time_heap_first (const GArray * heap)
{
  return heap->len > 0 ? heap_at (heap, 0)->node : NULL;
}
