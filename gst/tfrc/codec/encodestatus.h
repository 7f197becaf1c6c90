/* gst-tfrc: the read-only properties of tfrcencodebin, and the message with the same values
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Both tell the choice that tfrcencodebin has applied. The bin keeps the last message, and the properties read the
 * fields of that message. These functions have no state and take no lock. */
#ifndef GST_TFRC_ENCODESTATUS_H
#define GST_TFRC_ENCODESTATUS_H

#include <gst/gst.h>
#include <tfrcadapt/adapt.h>

G_BEGIN_DECLS

/* Installs the properties, with ids from GST_TFRC_ENCODE_N_SETTINGS on. */
void gst_tfrc_encode_status_install (GObjectClass * klass);

/* The fields of the message that announces `choice`. `answered`: the data receiver reports. */
GstStructure *gst_tfrc_encode_status_make_message (const TfrcAdaptChoice *
    choice, gboolean answered);

/* The value of the property `id`, from the last message. With NULL, before the first choice, it is the default. */
void gst_tfrc_encode_status_get (const GstStructure * message, guint id,
    GValue * value, GParamSpec * pspec);

/* Emits notify for each of the properties. The caller holds no lock. */
void gst_tfrc_encode_status_notify (GObject * bin);

G_END_DECLS

#endif
