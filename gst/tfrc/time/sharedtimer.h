/* gst-tfrc: one wait on a clock for the timers of all flows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SHAREDTIMER_H
#define GST_TFRC_SHAREDTIMER_H

#include "time/timeheap.h"

G_BEGIN_DECLS

typedef struct _GstTfrcSharedTimer GstTfrcSharedTimer;

typedef void (*GstTfrcSharedTimerFunc) (GstElement * owner);

/* Part of the owner, whose lock guards its alarm; zero before it is first set. */
typedef struct
{
  GstTfrcTimeHeapNode node;         /* `time` is the clock's */
  GstTfrcSharedTimer *alarm;          /* where it waits or last waited */
  GstElement *owner;            /* a reference while it waits */
  GstTfrcSharedTimerFunc func;
} GstTfrcSharedTimerEntry;

/* Calls `func` once, at `time` or up to 20 ms before, from a thread of the clock's. The
 * entry must not wait already. The owner keeps the clock until the entry waits no more. */
void gst_tfrc_shared_timer_set (GstTfrcSharedTimerEntry * entry, GstClock * clock, GstClockTime time,
    GstElement * owner, GstTfrcSharedTimerFunc func);

/* `func` may be about to be called all the same. */
void gst_tfrc_shared_timer_unset (GstTfrcSharedTimerEntry * entry);

G_END_DECLS

#endif
