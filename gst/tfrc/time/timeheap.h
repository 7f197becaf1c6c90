/* gst-tfrc: a binary min-heap keyed by time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_TIMEHEAP_H
#define GST_TFRC_TIMEHEAP_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_TIME_HEAP_NOWHERE G_MAXUINT

/* The first member of each object that is in a heap. */
typedef struct
{
  GstClockTime time;
  guint index;                  /* in the heap; GST_TFRC_TIME_HEAP_NOWHERE: not in it */
} GstTfrcTimeHeapNode;

/* A heap is an array of nodes, empty to begin with; the first node is the earliest. The owner
 * of the heap guards it and the nodes in it by a lock. */
void gst_tfrc_time_heap_insert (GPtrArray * heap, GstTfrcTimeHeapNode * node);
/* Does nothing when the node is in no heap. */
void gst_tfrc_time_heap_remove (GPtrArray * heap, GstTfrcTimeHeapNode * node);
/* The earliest node; NULL when the heap is empty. */
GstTfrcTimeHeapNode *gst_tfrc_time_heap_first (const GPtrArray * heap);

G_END_DECLS

#endif
