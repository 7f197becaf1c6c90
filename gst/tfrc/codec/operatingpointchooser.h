/* gst-tfrc: the engine's adaptive application, fed with rate events
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_OPERATINGPOINTCHOOSER_H
#define GST_TFRC_OPERATINGPOINTCHOOSER_H

#include <gst/gst.h>
#include <tfrcadapt/adapt.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* Any thread may call; nothing here emits, notifies or posts. */
typedef struct _GstTfrcChooser GstTfrcChooser;

GstTfrcChooser *gst_tfrc_chooser_new (void);
void gst_tfrc_chooser_free (GstTfrcChooser * chooser);

/* Starts anew with these `n` points; without any there is no choice. With
 * `adaptive` unset the choice stays at what the start bitrate pays for. */
void gst_tfrc_chooser_configure (GstTfrcChooser * chooser,
    const TfrcAdaptPoint * ladder, guint n, const TfrcAdaptConfig * config,
    gboolean adaptive, GstClockTime now);

void gst_tfrc_chooser_on_rate (GstTfrcChooser * chooser,
    const GstTfrcRate * rate, GstClockTime now);

/* The encoder made a frame of `size` bytes. */
void gst_tfrc_chooser_on_encoded (GstTfrcChooser * chooser, gsize size,
    GstClockTime now);

/* Copies the choice for `now`; returns TfrcAdaptBits since the last call. */
guint gst_tfrc_chooser_poll (GstTfrcChooser * chooser, TfrcAdaptChoice * choice,
    GstClockTime now);

G_END_DECLS

#endif
