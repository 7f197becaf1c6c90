/* gst-tfrc: element tfrcsink, the data sender's end of a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcsink is a bin with the filter rtptfrcsend, an RTP session and the UDP sockets
 * (transport/gsttfrcbasebin.h). It sends one RTP stream to one host. */
#ifndef GST_TFRC_SINK_H
#define GST_TFRC_SINK_H

#include "transport/gsttfrcbasebin.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SINK (gst_tfrc_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSink, gst_tfrc_sink, GST, TFRC_SINK, GstTfrcBaseBin)

GST_ELEMENT_REGISTER_DECLARE (tfrcsink)

G_END_DECLS

#endif
