/* gst-tfrc: one wait on a clock for the timers of all flows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ALARM_H
#define GST_TFRC_ALARM_H

#include "gsttfrcheap.h"

G_BEGIN_DECLS

typedef struct _GstTfrcAlarm GstTfrcAlarm;

typedef void (*GstTfrcAlarmFunc) (GstElement * owner);

/* Part of the owner, whose lock guards its alarm; zero before it is first set. */
typedef struct
{
  GstTfrcHeapNode node;         /* `time` is the clock's */
  GstTfrcAlarm *alarm;          /* where it waits or last waited */
  GstElement *owner;            /* a reference while it waits */
  GstTfrcAlarmFunc func;
} GstTfrcAlarmEntry;

/* Calls `func` once, at `time` or up to 20 ms before, from a thread of the clock's. The
 * entry must not wait already. The owner keeps the clock until the entry waits no more. */
void gst_tfrc_alarm_set (GstTfrcAlarmEntry * entry, GstClock * clock, GstClockTime time,
    GstElement * owner, GstTfrcAlarmFunc func);

/* `func` may be about to be called all the same. */
void gst_tfrc_alarm_unset (GstTfrcAlarmEntry * entry);

G_END_DECLS

#endif
