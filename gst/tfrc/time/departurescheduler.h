/* gst-tfrc: the thread that lets packets depart when their time has come
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DEPARTURESCHEDULER_H
#define GST_TFRC_DEPARTURESCHEDULER_H

#include "time/timeheap.h"

G_BEGIN_DECLS

typedef struct _GstTfrcScheduler GstTfrcScheduler;
typedef struct _GstTfrcSchedulerEntry GstTfrcSchedulerEntry;

typedef void (*GstTfrcSchedulerFunc) (gpointer data);

/* One flow's place in a scheduler; part of the owner, zero before its init. */
struct _GstTfrcSchedulerEntry
{
  GstTfrcTimeHeapNode node;         /* `time` of the clock, when to call `func` */
  GstTfrcScheduler *sched;
  GstTfrcSchedulerFunc func;
  gpointer data;
};

/* Joins the scheduler of that name and clock, or one of its own when the name
 * is empty. `func` is called from the scheduler's thread without a lock. The
 * thread starts when an entry is armed for the first time. */
void gst_tfrc_scheduler_entry_join (GstTfrcSchedulerEntry * entry, const gchar * context,
    GstClock * clock, GstTfrcSchedulerFunc func, gpointer data);

/* Calls `func` once at `time`; replaces the time that was armed before. */
void gst_tfrc_scheduler_entry_arm (GstTfrcSchedulerEntry * entry, GstClockTime time);
void gst_tfrc_scheduler_entry_disarm (GstTfrcSchedulerEntry * entry);

/* Disarms and returns when `func` does not run any more (at once when called
 * from within it). The caller must hold no lock that `func` takes. */
void gst_tfrc_scheduler_entry_cancel (GstTfrcSchedulerEntry * entry);

/* Cancels and leaves; the last one ends the thread. */
void gst_tfrc_scheduler_entry_leave (GstTfrcSchedulerEntry * entry);

G_END_DECLS

#endif
