/* gst-tfrc tests: a voice through tfrcencodebin in a harness, and the listener
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef VOICE_H
#define VOICE_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

#define RAW_RATE 48000
#define VOICE_SOUND \
    "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1"

typedef struct
{
  GstHarness *h;
  guint64 sample;               /* of the next piece of sound */
  guint64 before_seek;          /* samples: the clock goes on across a seek */
  /* A 400 Hz tone, in which a gap or a click is plain to see; or syllables of
   * harmonics of 120 Hz, for which an encoder keeps its bit rate. */
  gboolean tone;
  GstTfrcRate rate;             /* the allowance that is sent to it */
} Voice;

/* As in a launch line. */
void voice_start (Voice * v, const gchar * line);
void voice_stop (Voice * v);

GstBuffer *voice_make_sound (Voice * v, guint ms);

/* Sound for `seconds`, and a rate event in every tenth of a second. */
void voice_run (Voice * v, gdouble seconds);

/* A flushing seek: the next sound has the time 0. */
void voice_seek_to_start (Voice * v);

GstElement *voice_find (Voice * v, const gchar * factory);

/* A property of tfrcencodebin. */
guint voice_get_uint (Voice * v, const gchar * property);

/* tfrcdecodebin, behind what a jitter buffer would let out. */
GstHarness *far_start (void);

/* The same in front of a sink that takes sound of `rate` Hz alone. */
GstHarness *far_start_at (guint rate);

/* The tone is of 5657; no 10 ms of it may be below this, unless a decoder begins
 * quietly. */
#define QUIETEST 2500

/* Takes what the listener hears, of which no time may be missing. Returns the share of
 * the worst 20 ms that is no tone: a lost or doubled piece, or a click, lifts what
 * remains when the 400 Hz are taken out. */
gdouble far_hear (GstHarness * end, gdouble from, gdouble seconds, gdouble quietest);

G_END_DECLS

#endif
