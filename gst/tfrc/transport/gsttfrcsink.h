/* gst-tfrc: element tfrcsink, the data sender's end of a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcsink is tfrcbin with one peer, to which it sends one RTP stream
 * (transport/gsttfrcend.h). */
#ifndef GST_TFRC_SINK_H
#define GST_TFRC_SINK_H

#include "transport/gsttfrcend.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SINK (gst_tfrc_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSink, gst_tfrc_sink, GST, TFRC_SINK, GstTfrcEnd)

GST_ELEMENT_REGISTER_DECLARE (tfrcsink)

G_END_DECLS

#endif
