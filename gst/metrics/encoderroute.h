/* gst-tfrc: by which flow the packets of an encoder depart
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERROUTE_H
#define GST_TFRC_ENCODERROUTE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The sink pad of the next element downstream of `element` that `is_end` accepts, or NULL. Follows the first source
 * pad of each element on the way, for 32 elements at most. To be unreffed. */
GstPad *gst_tfrc_encoder_route_find_end (GstElement * element,
    gboolean (*is_end) (GstElement * element));

G_END_DECLS

#endif
