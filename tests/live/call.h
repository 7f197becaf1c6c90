/* gst-tfrc tests: a sender and a receiver in one process, over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CALL_H
#define CALL_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define CALL_LIVE_SOURCE "audiotestsrc is-live=true samplesperbuffer=960 ! " \
    "audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=24000 ! rtpopuspay"

typedef struct
{
  GstElement *sender, *receiver;        /* pipelines; the sender may be NULL */
  GstElement *sink, *src;       /* tfrcsink, tfrcsrc */
  gint played;                  /* buffers that came out of the decoder, atomic */
  GMutex lock;
  GstClockTime last_pts;        /* of them, under the lock */
  guint backwards;              /* buffers whose time was not after the one before */
  guint earlier;                /* whose time was before it */
} Call;

/* Properties of the bins as in a launch line. Each starts PLAYING at once. */
void call_start_receiver (Call * call, const gchar * src_args);
void call_start_sender (Call * call, const gchar * sink_args,
    const gchar * source);
void call_stop_sender (Call * call);
void call_stop_receiver (Call * call);
/* Both; fails when an error was on a bus. */
void call_end (Call * call);

/* Waits until `n` more buffers have been played; fails after 20 s. */
void call_play (Call * call, guint n);
/* What was played in the next `ms`. */
guint call_count (Call * call, guint ms);

/* A counter of an element's stats; fails when there is none of that name. */
guint64 call_get_stat (GstElement * element, const gchar * name);
/* Waits until the counter is at least `value`; fails after 20 s. */
void call_wait_stat (GstElement * element, const gchar * name, guint64 value);

/* The first message of these types on the pipeline's bus; fails after 20 s. */
GstMessage *call_wait_message (GstElement * pipeline, GstMessageType types);
void call_check_no_error (GstElement * pipeline);

/* Starts the launch line, which must fail; the error, to be freed. */
GError *call_expect_error (const gchar * line);

G_END_DECLS

#endif
