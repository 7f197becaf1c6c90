/* gst-tfrc: RTP to the network, as fast as TFRC allows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SINK_H
#define GST_TFRC_SINK_H

#include "transport/gsttfrcbasebin.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SINK (gst_tfrc_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSink, gst_tfrc_sink, GST, TFRC_SINK, GstTfrcBaseBin)

GST_ELEMENT_REGISTER_DECLARE (tfrcsink)

G_END_DECLS

#endif
