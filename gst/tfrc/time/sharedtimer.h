/* gst-tfrc: one wait on a clock for the timers of all flows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SHAREDTIMER_H
#define GST_TFRC_SHAREDTIMER_H

#include "time/timeheap.h"

G_BEGIN_DECLS

typedef struct _GstTfrcSharedTimer GstTfrcSharedTimer;

typedef void (*GstTfrcSharedTimerFunc) (GstElement * owner);

/* One timer of an element; part of that element, whose lock guards it. Zero before it is
 * first set. */
typedef struct
{
  GstTfrcTimeHeapNode node;         /* `time` is the clock's */
  GstTfrcSharedTimer *timer;    /* of the clock that the entry waits or last waited on */
  GstElement *owner;            /* a reference while it waits */
  GstTfrcSharedTimerFunc func;
} GstTfrcSharedTimerEntry;

/* Calls `func` once, at `time` of the clock or up to 20 ms earlier, in a thread of the clock,
 * which `func` must not block. The entry must not be waiting. The owner keeps the clock until
 * the entry waits no more. */
void gst_tfrc_shared_timer_set (GstTfrcSharedTimerEntry * entry, GstClock * clock, GstClockTime time,
    GstElement * owner, GstTfrcSharedTimerFunc func);

/* A call of `func` that is about to begin is not stopped. */
void gst_tfrc_shared_timer_unset (GstTfrcSharedTimerEntry * entry);

G_END_DECLS

#endif
