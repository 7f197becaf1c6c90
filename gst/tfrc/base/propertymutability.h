/* gst-tfrc: whether a property may be changed in the state of its element
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The flags of a property say until when it may be changed: GST_PARAM_MUTABLE_PLAYING at any time,
 * GST_PARAM_MUTABLE_PAUSED and GST_PARAM_MUTABLE_READY up to that state, no such flag in NULL alone. A change that
 * comes later would have no effect, so that the property keeps its value and the application is told. */
#ifndef GST_TFRC_PROPERTYMUTABILITY_H
#define GST_TFRC_PROPERTYMUTABILITY_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* For the first line of GObjectClass.set_property of an element. FALSE: `value` differs from that of the property,
 * which cannot be changed now; a warning was posted. Takes the object lock. */
gboolean gst_tfrc_property_may_change (GObject * object, GParamSpec * spec,
    const GValue * value);

G_END_DECLS

#endif
