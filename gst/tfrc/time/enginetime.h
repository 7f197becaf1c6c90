/* gst-tfrc: the engine's time and the timers of the protocol, on GStreamer's clocks
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENGINETIME_H
#define GST_TFRC_ENGINETIME_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "time/sharedtimer.h"

G_BEGIN_DECLS

/* A steady time in ns that goes on without a jump when the clock below it is
 * exchanged. The clock is the system's monotonic clock, also when the pipeline
 * runs on a device's or a network's clock: those are slewed, and a round-trip
 * time is no media time. A clock of another kind (GstTestClock) is used as it
 * is. */
typedef struct
{
  GstClock *clock;
  gint64 offset;                /* TfrcTime minus the clock's time, ns */
} GstTfrcTimebase;

void gst_tfrc_timebase_init (GstTfrcTimebase * tb);
void gst_tfrc_timebase_clear (GstTfrcTimebase * tb);

/* TRUE when the clock below changed: waits on the old one are void. */
gboolean gst_tfrc_timebase_set_clock (GstTfrcTimebase * tb, GstClock * clock);

TfrcTime gst_tfrc_timebase_now (const GstTfrcTimebase * tb);
GstClockTime gst_tfrc_timebase_to_clock (const GstTfrcTimebase * tb, TfrcTime time);

/* One timer of the protocol. The owner's lock guards it; `func` is called
 * without it, from a thread of the clock's that serves others as well: it must
 * not block. It may be called early, or once more after a disarm. */
typedef GstTfrcSharedTimerFunc GstTfrcTimerFunc;

typedef struct
{
  GstElement *owner;
  GstTfrcTimerFunc func;
  GstTfrcSharedTimerEntry entry;
  TfrcTime time;                /* when it fires; TFRC_TIME_NONE: not armed */
} GstTfrcTimer;

void gst_tfrc_timer_init (GstTfrcTimer * timer, GstElement * owner, GstTfrcTimerFunc func);

/* Fires at `time` or before: one that is armed for an earlier time stays, and
 * the owner arms anew when it finds that it came early. */
void gst_tfrc_timer_arm (GstTfrcTimer * timer, const GstTfrcTimebase * tb, TfrcTime time);

/* `func` calls this first, and arms anew at the end. */
void gst_tfrc_timer_disarm (GstTfrcTimer * timer);

G_END_DECLS

#endif
