/* gst-tfrc: the thread that lets packets depart when their time has come
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SCHED_H
#define GST_TFRC_SCHED_H

#include "gsttfrcheap.h"

G_BEGIN_DECLS

typedef struct _GstTfrcSched GstTfrcSched;
typedef struct _GstTfrcSchedEntry GstTfrcSchedEntry;

typedef void (*GstTfrcSchedFunc) (gpointer data);

/* One flow's place in a scheduler; part of the owner, zero before its init. */
struct _GstTfrcSchedEntry
{
  GstTfrcHeapNode node;         /* `time` of the clock, when to call `func` */
  GstTfrcSched *sched;
  GstTfrcSchedFunc func;
  gpointer data;
};

/* Joins the scheduler of that name and clock, or one of its own when the name
 * is empty. `func` is called from the scheduler's thread without a lock. The
 * thread starts when an entry is armed for the first time. */
void gst_tfrc_sched_entry_join (GstTfrcSchedEntry * entry, const gchar * context,
    GstClock * clock, GstTfrcSchedFunc func, gpointer data);

/* Calls `func` once at `time`; replaces the time that was armed before. */
void gst_tfrc_sched_entry_arm (GstTfrcSchedEntry * entry, GstClockTime time);
void gst_tfrc_sched_entry_disarm (GstTfrcSchedEntry * entry);

/* Disarms and returns when `func` does not run any more (at once when called
 * from within it). The caller must hold no lock that `func` takes. */
void gst_tfrc_sched_entry_cancel (GstTfrcSchedEntry * entry);

/* Cancels and leaves; the last one ends the thread. */
void gst_tfrc_sched_entry_leave (GstTfrcSchedEntry * entry);

G_END_DECLS

#endif
