/* gst-tfrc: the thread that calls flows at the times of their departures
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DEPARTURESCHEDULER_H
#define GST_TFRC_DEPARTURESCHEDULER_H

#include "time/timeheap.h"

G_BEGIN_DECLS

/* A thread that waits on one clock for the earliest departure of all flows that have joined it.
 * Flows with the same context name and clock share a scheduler. */
typedef struct _GstTfrcScheduler GstTfrcScheduler;
typedef struct _GstTfrcSchedulerEntry GstTfrcSchedulerEntry;

typedef void (*GstTfrcSchedulerFunc) (gpointer data);

/* The entry of one flow in a scheduler. The entry is part of its owner and zero before it joins.
 * The owner's lock guards joining, arming and leaving. */
struct _GstTfrcSchedulerEntry
{
  GstTfrcTimeHeapNode node;     /* the time of the clock at which `func` is called */
  GstTfrcScheduler *sched;
  GstTfrcSchedulerFunc func;
  gpointer data;
};

/* Joins the scheduler with the name `context` and the clock, or a scheduler of its own when the
 * name is NULL or empty. `func` is called in the thread of the scheduler without a lock. The thread
 * starts when an entry is armed for the first time. */
void gst_tfrc_scheduler_entry_join (GstTfrcSchedulerEntry * entry, const gchar * context,
    GstClock * clock, GstTfrcSchedulerFunc func, gpointer data);

/* Arms the entry: `func` is called once at `time` of the clock. A time that was armed before is
 * replaced. Disarmed, `func` is not called, unless the call has begun. */
void gst_tfrc_scheduler_entry_arm (GstTfrcSchedulerEntry * entry, GstClockTime time);
void gst_tfrc_scheduler_entry_disarm (GstTfrcSchedulerEntry * entry);

/* Disarms the entry and returns when `func` does not run any more; a call from within `func`
 * returns at once. The caller must hold no lock that `func` takes. */
void gst_tfrc_scheduler_entry_cancel (GstTfrcSchedulerEntry * entry);

/* Cancels the entry and leaves the scheduler. The thread ends when the last entry leaves. */
void gst_tfrc_scheduler_entry_leave (GstTfrcSchedulerEntry * entry);

G_END_DECLS

#endif
