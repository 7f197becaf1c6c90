/* gst-tfrc: the running time of an element against the system's monotonic clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RUNNINGTIMEMAP_H
#define GST_TFRC_RUNNINGTIMEMAP_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Converts between the running time of an element and the system's monotonic clock. The difference
 * between the clock of the element and the monotonic clock is 0 when the element runs on the
 * system's clock; the clock of a sound card or of the network is read for it, ten times a second
 * at most. The object has a lock of its own: any thread may call. */
typedef struct
{
  GstElement *element;          /* not owned */
  GMutex lock;                  /* for what follows */
  GstClock *clock;              /* the clock that `offset` was measured with */
  GstClockTimeDiff offset;      /* ns: time of `clock` minus monotonic time */
  GstClockTime read;            /* when the clock was read, ns */
} GstTfrcRunningTimeMap;

void gst_tfrc_running_time_map_init (GstTfrcRunningTimeMap * self,
    GstElement * element);
void gst_tfrc_running_time_map_clear (GstTfrcRunningTimeMap * self);

/* Running time from monotonic time, and monotonic time from running time; ns. A time before the
 * running time 0 becomes 0. GST_CLOCK_TIME_NONE while the element has no clock. */
GstClockTime gst_tfrc_running_time_map_to_running (GstTfrcRunningTimeMap * self,
    GstClockTime time);
GstClockTime gst_tfrc_running_time_map_from_running (GstTfrcRunningTimeMap * self,
    GstClockTime time);

G_END_DECLS

#endif
