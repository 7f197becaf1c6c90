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
  GstClockTime time;            /* not changed while the node is in a heap */
  guint index;                  /* in the heap; GST_TFRC_TIME_HEAP_NOWHERE: not in it */
} GstTfrcTimeHeapNode;

/* What a heap is an array of. The time is that of the node: to find a place for a node, only the array is read, and
 * none of the objects that the other nodes are in. */
typedef struct
{
  GstClockTime time;
  GstTfrcTimeHeapNode *node;
} GstTfrcTimeHeapEntry;

/* A heap, empty to begin with; `len` is the number of nodes. The owner of the heap guards it
 * and the nodes in it by a lock, and gives it back with g_array_unref(). */
GArray *gst_tfrc_time_heap_new (void);
void gst_tfrc_time_heap_insert (GArray * heap, GstTfrcTimeHeapNode * node);
/* Does nothing when the node is in no heap. */
void gst_tfrc_time_heap_remove (GArray * heap, GstTfrcTimeHeapNode * node);
/* The earliest node; NULL when the heap is empty. */
GstTfrcTimeHeapNode *gst_tfrc_time_heap_first (const GArray * heap);

G_END_DECLS

#endif
