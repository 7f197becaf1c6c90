/* gst-tfrc: a thread that takes over from one that is held up
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two threads share one duty. The one on duty calls functions that mostly return at once and may
 * block. When such a function takes longer than GST_TFRC_STAND_IN_PATIENCE, the other thread wakes up
 * and takes over; the one that was held up waits for its turn when the function has
 * returned. A function that returns in time wakes nobody, and costs two system calls.
 *
 * It takes a timer with a descriptor (timerfd), which not every system has and not every process gets. */
#ifndef GST_TFRC_STANDIN_H
#define GST_TFRC_STANDIN_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* How long a duty rests at most. A timer that ends before the next tick of the kernel (each 4 ms) sets the timer of the
 * processor anew: for a thread that had slept for 7 ms, 1 ms took 15 us of processor time, 5 and 10 ms 5 us. */
#define GST_TFRC_STAND_IN_PATIENCE (5 * GST_MSECOND)

typedef struct
{
  /*< private > */
  gint timer_fd;                /* -1: none */
  GMutex lock;                  /* for what follows */
  GThread *on_duty;
  gboolean waits;               /* the other thread, for its turn */
  GstClockTime due;             /* when it is its turn; NONE: the one on duty is in no function */
  gboolean ended;
} GstTfrcStandIn;

/* Before either thread runs. */
void gst_tfrc_stand_in_init (GstTfrcStandIn * self);
void gst_tfrc_stand_in_clear (GstTfrcStandIn * self);

/* FALSE: there is no timer, and no second thread may be started. */
gboolean gst_tfrc_stand_in_is_possible (const GstTfrcStandIn * self);

/* Either thread calls this first, and again when it is off duty. Returns when the calling thread is on duty;
 * FALSE: the duty has ended. */
gboolean gst_tfrc_stand_in_wait (GstTfrcStandIn * self);

/* In the thread on duty. TRUE: the other thread waits, and will until it takes over. */
gboolean gst_tfrc_stand_in_is_ready (GstTfrcStandIn * self);

/* The thread on duty calls this while its stand-in is ready, and then a function that may block. */
void gst_tfrc_stand_in_begin (GstTfrcStandIn * self);

/* A thread that is in the function calls this before it waits for what the one on duty has to do: the other thread
 * takes over at once. Of any other thread nothing changes. */
void gst_tfrc_stand_in_give_way (GstTfrcStandIn * self);

/* The function has returned. FALSE: the other thread has taken over. */
gboolean gst_tfrc_stand_in_end (GstTfrcStandIn * self);

/* Ends the duty: gst_tfrc_stand_in_wait() returns FALSE to both threads. From any thread. */
void gst_tfrc_stand_in_finish (GstTfrcStandIn * self);

G_END_DECLS

#endif
