/* gst-tfrc: waiting for the running time of buffers that are not live
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RUNNINGTIMEWAIT_H
#define GST_TFRC_RUNNINGTIMEWAIT_H

#include <gst/gst.h>

#include "time/enginetime.h"

G_BEGIN_DECLS

/* Holds back buffers that are not live until their running time, as a sink with sync=true does
 * (the property "sync" of rtptfrcsend). The owner's lock guards the object; each function is called
 * with that lock. */
typedef struct
{
  GCond cond;
  GstClockID id;                /* the wait of the streaming thread, or NULL */
  GstSegment segment;           /* of the buffers; undefined format: buffers do not wait */
  gboolean playing, flushing;
  gboolean ended;               /* no buffer waits any more */
} GstTfrcRunningTimeWait;

/* `wait` is a part of an object that GObject made, so that it is all zeros. */
void gst_tfrc_running_time_wait_init (GstTfrcRunningTimeWait * wait);
void gst_tfrc_running_time_wait_clear (GstTfrcRunningTimeWait * wait);

/* Returns to the state after init: neither playing nor flushing nor ended, no segment. */
void gst_tfrc_running_time_wait_reset (GstTfrcRunningTimeWait * wait);

void gst_tfrc_running_time_wait_set_playing (GstTfrcRunningTimeWait * wait, gboolean playing);
void gst_tfrc_running_time_wait_set_flushing (GstTfrcRunningTimeWait * wait, gboolean flushing);
/* What waits is let go, and nothing waits after it, in no state. */
void gst_tfrc_running_time_wait_end (GstTfrcRunningTimeWait * wait);

/* Waits for the state PLAYING; returns at once while flushing and after the end. Returns FALSE when it
 * did not wait. */
gboolean gst_tfrc_running_time_wait_for_playing (GstTfrcRunningTimeWait * wait, GMutex * lock);

/* Waits for the state PLAYING and until the clock of `element` shows the running time of `buffer`;
 * returns at once while flushing and after the end. `lock` is the lock of the owner, which is released during the
 * wait. `now` is the present time of `timebase`; with it the clock of `element` need not be read
 * when both are the same clock. Returns FALSE when it did not wait, so that `now` is still the
 * present time. */
gboolean gst_tfrc_running_time_wait_wait (GstTfrcRunningTimeWait * wait, GstBuffer * buffer, GstElement * element,
    const GstTfrcTimebase * timebase, TfrcTime now, GMutex * lock);

G_END_DECLS

#endif
