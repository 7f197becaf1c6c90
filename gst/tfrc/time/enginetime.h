/* gst-tfrc: the engine's time and the timers of the protocol, on GStreamer's clocks
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENGINETIME_H
#define GST_TFRC_ENGINETIME_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "time/timeheap.h"

G_BEGIN_DECLS

/* --- the wait that all timers on a clock share --- */

typedef struct _GstTfrcSharedTimer GstTfrcSharedTimer;

typedef void (*GstTfrcSharedTimerFunc) (GstElement * owner);

/* One timer of an element: part of that element, whose lock guards the timer. All bytes are zero
 * before the timer is first set. */
typedef struct
{
  GstTfrcTimeHeapNode node;     /* in time of the clock */
  GstTfrcSharedTimer *timer;    /* of the clock that the entry waits or last waited on */
  GstElement *owner;            /* a reference while it waits */
  GstTfrcSharedTimerFunc func;
} GstTfrcSharedTimerEntry;

/* Calls `func` once, at `time` of the clock or up to 20 ms earlier, in a thread of the clock,
 * which `func` must not block. The entry must not be waiting. The owner keeps the clock until
 * the entry waits no more. */
void gst_tfrc_shared_timer_set (GstTfrcSharedTimerEntry * entry, GstClock * clock, GstClockTime time,
    GstElement * owner, GstTfrcSharedTimerFunc func);

/* The entry waits no more. A call of `func` that is about to begin is not stopped. */
void gst_tfrc_shared_timer_unset (GstTfrcSharedTimerEntry * entry);

/* --- engine time --- */

/* The engine's time in ns: never jumps and never decreases, also when another clock takes the
 * place of the clock below. That clock is the system's monotonic clock, also when the pipeline
 * runs on the clock of a device or of a network, because such clocks are slewed and would
 * falsify round-trip times. A pipeline clock that is no system clock, such as GstTestClock, is
 * used when the pipeline sets it. The owner's lock guards the object. */
typedef struct
{
  GstClock *clock;
  gint64 offset;                /* TfrcTime minus the clock's time, ns */
} GstTfrcTimebase;

void gst_tfrc_timebase_init (GstTfrcTimebase * tb);
void gst_tfrc_timebase_clear (GstTfrcTimebase * tb);

/* The pipeline's clock is `clock`. Returns TRUE when the clock below the engine's time changed:
 * the caller then arms its timers again, since they still wait on the old clock. */
gboolean gst_tfrc_timebase_set_clock (GstTfrcTimebase * tb, GstClock * clock);

TfrcTime gst_tfrc_timebase_now (const GstTfrcTimebase * tb);

/* The time of the clock below at the engine's time `time`. */
GstClockTime gst_tfrc_timebase_to_clock (const GstTfrcTimebase * tb, TfrcTime time);

/* --- timers --- */

/* One timer of the protocol (nofeedback timer, feedback timer) in engine time. The owner's lock
 * guards the timer. `func` is called without that lock in the thread of the clock, which serves
 * the timers of all flows, so that `func` must not block. `func` may be called early, or once
 * more after the timer was disarmed. */
typedef GstTfrcSharedTimerFunc GstTfrcTimerFunc;

typedef struct
{
  GstElement *owner;
  GstTfrcTimerFunc func;
  GstTfrcSharedTimerEntry entry;
  TfrcTime time;                /* when it fires; TFRC_TIME_NONE: not armed */
} GstTfrcTimer;

void gst_tfrc_timer_init (GstTfrcTimer * timer, GstElement * owner, GstTfrcTimerFunc func);

/* The timer fires at `time` or earlier. A timer that is armed for an earlier time keeps that
 * time; the owner arms the timer again when it fires too early. TFRC_TIME_NONE disarms. */
void gst_tfrc_timer_arm (GstTfrcTimer * timer, const GstTfrcTimebase * tb, TfrcTime time);

/* Disarms the timer. `func` calls this first, and arms the timer again at its end. */
void gst_tfrc_timer_disarm (GstTfrcTimer * timer);

G_END_DECLS

#endif
