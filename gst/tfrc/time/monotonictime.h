/* gst-tfrc: the running time of an element against the system's monotonic clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_MONOTONICTIME_H
#define GST_TFRC_MONOTONICTIME_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* How far the clock of an element is ahead of the system's monotonic clock. That is nothing
 * when the element runs on the system's clock; the clock of a sound card or of the network is
 * read, ten times a second at most. Has a lock of its own, so any thread may use it. */
typedef struct
{
  GstElement *element;          /* not owned */
  GMutex lock;                  /* for what follows */
  GstClock *clock;              /* to which `ahead` belongs */
  GstClockTimeDiff ahead;       /* ns */
  GstClockTime read;            /* when the clock was read, ns */
} GstTfrcMonotonicTime;

void gst_tfrc_monotonic_time_init (GstTfrcMonotonicTime * self,
    GstElement * element);
void gst_tfrc_monotonic_time_clear (GstTfrcMonotonicTime * self);

/* Running time from monotonic time, and back; ns. What is before the running time 0 is 0.
 * GST_CLOCK_TIME_NONE without a clock. */
GstClockTime gst_tfrc_monotonic_time_to_running (GstTfrcMonotonicTime * self,
    GstClockTime time);
GstClockTime gst_tfrc_monotonic_time_from_running (GstTfrcMonotonicTime * self,
    GstClockTime time);

G_END_DECLS

#endif
