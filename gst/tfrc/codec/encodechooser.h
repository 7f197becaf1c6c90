/* gst-tfrc: chooses how tfrcencodebin encodes, from its ladder and the rate events
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODECHOOSER_H
#define GST_TFRC_ENCODECHOOSER_H

#include <gst/gst.h>
#include <tfrcadapt/adapt.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* The chooser has the object of tfrcadapt that chooses an operating point, and a lock around it:
 * rate events arrive in the threads of the network, and the streaming thread of the encoder polls
 * the choice. Any thread may call; the chooser emits, notifies and posts nothing. `now` is the time
 * of the pipeline's clock, ns. */
typedef struct _GstTfrcChooser GstTfrcChooser;

GstTfrcChooser *gst_tfrc_chooser_new (void);
void gst_tfrc_chooser_free (GstTfrcChooser * chooser);

/* Begins again with the `n` points of `ladder`; without a point there is no choice. When `adaptive`
 * is unset, the choice stays at the point that fits the start bit rate of `config`. */
void gst_tfrc_chooser_configure (GstTfrcChooser * chooser,
    const TfrcAdaptPoint * ladder, guint n, const TfrcAdaptConfig * config,
    gboolean adaptive, GstClockTime now);

/* Caps that leave by the source pad `ghost` say the least and the highest bit rate of the points that may be chosen, in the
 * fields tfrc-min-bitrate and tfrc-max-bitrate: codec frames without redundant copies. The pad is freed before the
 * chooser is. */
void gst_tfrc_chooser_announce (GstTfrcChooser * chooser, GstPad * ghost);

/* A rate event arrived. */
void gst_tfrc_chooser_on_rate (GstTfrcChooser * chooser,
    const GstTfrcRate * rate, GstClockTime now);

/* The encoder made a payload of `size` bytes. */
void gst_tfrc_chooser_on_encoded (GstTfrcChooser * chooser, gsize size,
    GstClockTime now);

/* Copies the choice for `now`. Returns, as text for the log, why the choice differs from that of the last call, or that
 * the data receiver has begun or ceased to answer; NULL when nothing differs. */
const gchar *gst_tfrc_chooser_poll (GstTfrcChooser * chooser, TfrcAdaptChoice * choice,
    GstClockTime now);

/* Whether the data receiver answered at the last poll: the last rate event came from a report. */
gboolean gst_tfrc_chooser_is_answered (GstTfrcChooser * chooser);

/* --- the property "ladder" --- */

/* Reads operating points that are written as "CODEC RATE/PTIME [fec] [red1|red2] [stereo], ..."
 * into `points`, which has room for TFRC_ADAPT_LADDER_MAX. Returns the number of points; or 0, with
 * an error that says which point is wrong and how to write it. */
guint gst_tfrc_ladder_parse (const gchar * text, TfrcAdaptPoint * points,
    GError ** error);

/* Copies to `points` those of the `n` points of `ladder` that have one of the codecs of `limits`
 * and fit its packet size. Returns how many there are. */
guint gst_tfrc_ladder_limit (const TfrcAdaptPoint * ladder, guint n,
    const TfrcAdaptLadderLimits * limits, TfrcAdaptPoint * points);

G_END_DECLS

#endif
