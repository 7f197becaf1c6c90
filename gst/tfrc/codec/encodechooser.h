/* gst-tfrc: chooses how tfrcencodebin encodes, from its ladder and the rate events
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODECHOOSER_H
#define GST_TFRC_ENCODECHOOSER_H

#include <gst/gst.h>
#include <tfrcadapt/adapt.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* The chooser holds the object of tfrcadapt that chooses, and a lock around it: rate events come
 * from the threads of the network, the choice is asked for by the streaming thread of the encoder.
 * Any thread may call; the chooser emits, notifies and posts nothing. `now` is the time of the
 * pipeline's clock, ns. */
typedef struct _GstTfrcChooser GstTfrcChooser;

GstTfrcChooser *gst_tfrc_chooser_new (void);
void gst_tfrc_chooser_free (GstTfrcChooser * chooser);

/* Starts anew with the `n` points of `ladder`; without a point there is no choice. When `adaptive`
 * is unset the choice stays at what the start bitrate of `config` pays for. */
void gst_tfrc_chooser_configure (GstTfrcChooser * chooser,
    const TfrcAdaptPoint * ladder, guint n, const TfrcAdaptConfig * config,
    gboolean adaptive, GstClockTime now);

/* A rate event came. */
void gst_tfrc_chooser_on_rate (GstTfrcChooser * chooser,
    const GstTfrcRate * rate, GstClockTime now);

/* The encoder made a payload of `size` bytes. */
void gst_tfrc_chooser_on_encoded (GstTfrcChooser * chooser, gsize size,
    GstClockTime now);

/* Copies the choice for `now`. Returns the reason why it differs from the choice of the last call,
 * as text for the log, or NULL when it does not differ. */
const gchar *gst_tfrc_chooser_poll (GstTfrcChooser * chooser, TfrcAdaptChoice * choice,
    GstClockTime now);

/* --- the property "ladder" --- */

/* Reads operating points that are written as "CODEC RATE/PTIME [fec] [red1|red2] [stereo], ..."
 * into `points`, which has room for TFRC_ADAPT_LADDER_MAX. Returns the number of points; or 0, with
 * an error that says which point is wrong and how to write it. */
guint gst_tfrc_ladder_parse (const gchar * text, TfrcAdaptPoint * points,
    GError ** error);

/* Copies to `points` those of the `n` points of `ladder` that the codecs and the packet size of
 * `limits` do not rule out. Returns how many there are. */
guint gst_tfrc_ladder_limit (const TfrcAdaptPoint * ladder, guint n,
    const TfrcAdaptLadderLimits * limits, TfrcAdaptPoint * points);

G_END_DECLS

#endif
