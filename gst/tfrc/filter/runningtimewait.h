/* gst-tfrc: waiting for the running time of buffers that are not live
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RUNNINGTIMEWAIT_H
#define GST_TFRC_RUNNINGTIMEWAIT_H

#include <gst/gst.h>

#include "time/enginetime.h"

G_BEGIN_DECLS

/* Under the owner's lock. */
typedef struct
{
  GCond cond;
  GstClockID id;                /* what a thread waits on, or NULL */
  GstSegment segment;
  gboolean playing, flushing;
} GstTfrcRunningTimeWait;

void gst_tfrc_running_time_wait_init (GstTfrcRunningTimeWait * sync);
void gst_tfrc_running_time_wait_clear (GstTfrcRunningTimeWait * sync);

/* Neither playing nor flushing, and no segment. */
void gst_tfrc_running_time_wait_reset (GstTfrcRunningTimeWait * sync);

void gst_tfrc_running_time_wait_set_playing (GstTfrcRunningTimeWait * sync, gboolean playing);
void gst_tfrc_running_time_wait_set_flushing (GstTfrcRunningTimeWait * sync, gboolean flushing);

/* Returns when the time of `buffer` has come on the clock of `element`, or at once
 * while flushing. `lock` is the owner's; it is released while waiting. `now` is by
 * `timebase` and saves a look at the clock if that is the same. FALSE: it is still so. */
gboolean gst_tfrc_running_time_wait_wait (GstTfrcRunningTimeWait * sync, GstBuffer * buffer, GstElement * element,
    const GstTfrcTimebase * timebase, TfrcTime now, GMutex * lock);

G_END_DECLS

#endif
