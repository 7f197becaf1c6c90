/* gst-tfrc: a timer that fires in the thread of a UDP worker
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A timer is part of its owner's structure, and belongs to one worker (udpworker.h) from
 * _init() to _close(). It fires once for each time that it is set. Times are in ns of the
 * system's monotonic clock, as of gst_util_get_timestamp(). */
#ifndef GST_TFRC_UDPTIMER_H
#define GST_TFRC_UDPTIMER_H

#include "time/timeheap.h"

G_BEGIN_DECLS

typedef struct _GstTfrcUdpWorker GstTfrcUdpWorker;
typedef struct _GstTfrcUdpTimer GstTfrcUdpTimer;

/* `now` was read just before the call. The function may set, unset and close the timer and
 * free its owner. */
typedef void (*GstTfrcUdpTimerFunc) (GstTfrcUdpTimer * timer, GstClockTime now,
    gpointer data);

struct _GstTfrcUdpTimer
{
  /*< private > */
  GstTfrcTimeHeapNode node;     /* its time is at most `time` */
  GList due;                    /* in the worker's list of those to be served at once */
  gboolean is_due;              /* it is in that list */
  GstClockTime time;            /* when to fire; NONE: never */
  GstTfrcUdpWorker *worker;
  GstTfrcUdpTimerFunc func;
  gpointer data;
  gint closed;                  /* atomic: it cannot be set any more */
  gint wished;                  /* atomic: another thread has set it to `wish` */
  GstClockTime wish;            /* under the worker's lock */
};

/* The worker outlives the timer. */
void gst_tfrc_udp_timer_init (GstTfrcUdpTimer * timer,
    GstTfrcUdpWorker * worker, GstTfrcUdpTimerFunc func, gpointer data);

/* Calls the function once, at `time` or as soon after it as the worker can; this replaces
 * the time that was set before. Timers whose time has passed when they are set are called in the
 * order in which they were set. GST_CLOCK_TIME_NONE unsets a timer. From any thread; the worker
 * is woken up only when it would sleep for longer. In the worker's thread it takes no lock and no
 * allocation; it costs a few comparisons when the time has passed or is later than the one before,
 * and some ten among a thousand timers otherwise. */
void gst_tfrc_udp_timer_set (GstTfrcUdpTimer * timer, GstClockTime time);

/* From any thread; the function may be running all the same. */
void gst_tfrc_udp_timer_unset (GstTfrcUdpTimer * timer);

/* The function does not run after this returns, nor ever again until the next _init().
 * From another thread it takes a call to the worker: who closes many timers does so in a call
 * of its own. */
void gst_tfrc_udp_timer_close (GstTfrcUdpTimer * timer);

G_END_DECLS

#endif
