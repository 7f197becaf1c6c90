/* gst-tfrc: chooses the operating point of tfrcencodebin from rate events
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_OPERATINGPOINTCHOOSER_H
#define GST_TFRC_OPERATINGPOINTCHOOSER_H

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

G_END_DECLS

#endif
