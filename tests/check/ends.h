/* gst-tfrc tests: a sender and a receiver in the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENDS_H
#define ENDS_H

#include <gst/check/gstcheck.h>

#include "net.h"

G_BEGIN_DECLS

#define ENDS_FRAME (20 * GST_MSECOND)
#define ENDS_SIZE 60            /* bytes of payload */
#define ENDS_SOUND "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1"
#define ENDS_FULL 50            /* packets in a second of a call that has found its rate */

/* Makes what goes into the sender at the time `at` since its start. */
typedef GstBuffer *(*EndsSource) (gpointer user_data, GstClockTime at);

typedef struct
{
  GstElement *sender, *receiver;        /* pipelines; either may be NULL */
  GstElement *sink, *src;       /* tfrcsink, tfrcsrc */
  GstPad *in, *out;             /* the test's */
  guint port;                   /* the receiver's */

  EndsSource source;            /* NULL: packets of ENDS_SIZE bytes */
  gpointer user_data;
  const gchar *caps;            /* of what goes in */
  guint16 seq;                  /* of the next packet */
  guint32 ssrc;                 /* of the packets; another for each sender */
  GstClockTime begin;           /* of the sender */
  guint pushed;
  gboolean lenient;             /* errors are looked at by the test */

  GMutex lock;                  /* around what follows */
  GQueue heard;                 /* buffers that came out of the receiver */
  guint played;                 /* how many did, ever; atomic */
  GstClockTime last_pts;
  guint earlier;                /* with a time before that of the one before */
} Ends;

/* Elements as in a launch line: a tfrcsrc named src, and the last one named out when there
 * is one behind it; a tfrcsink named sink, and the first one named encoder. Each starts PLAYING at once. A line of properties alone
 * is that of the end. */
void ends_start_receiver (Ends * ends, const gchar * line);
void ends_start_sender (Ends * ends, const gchar * line);
void ends_stop_sender (Ends * ends);
void ends_stop_receiver (Ends * ends);
/* Stops both within the test, so that their threads end with it. Fails when an error was on a bus, or when a
 * socket is still open. */
void ends_stop (Ends * ends);

/* An EndsSource of faint sound in the format ENDS_SOUND; it needs no user data. */
GstBuffer *ends_make_sound (gpointer unused, GstClockTime at);

/* Starts both and plays until the call has found its rate; fails when it has none after four seconds. */
void ends_start_call (Ends * ends, const gchar * receiver,
    const gchar * sender);

/* Lets time pass, with a packet in each ENDS_FRAME when there is a sender; the number of
 * buffers that came out. */
guint ends_play (Ends * ends, GstClockTime duration);

/* The local port of tfrcsink or tfrcsrc. */
guint ends_get_port (GstElement * end);
/* A counter of an element's stats; fails when there is none of that name. */
guint64 ends_get_stat (GstElement * element, const gchar * name);
/* Fails unless that counter is 0. */
void ends_expect_none (GstElement * element, const gchar * name);
/* Fails unless the receiver's remote-address is `format` with the sender's port. */
void ends_expect_remote (Ends * ends, const gchar * format);
gdouble ends_get_double (GstElement * element, const gchar * property);

/* The first message of these types on the pipeline's bus, or NULL. */
GstMessage *ends_pop (GstElement * pipeline, GstMessageType types);
/* Starts the launch line, which must fail; the error, to be freed. */
GError *ends_expect_error (const gchar * line);

G_END_DECLS

#endif
