/* gst-tfrc: element tfrcsrc, the data receiver's end of a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcsrc is a bin with the filter rtptfrcreceive, an RTP session, the UDP sockets
 * (transport/gsttfrcbasebin.h), a filter that lets one SSRC pass (transport/gsttfrcssrcfilter.h)
 * and a jitter buffer. It receives one RTP stream and reports to its sender. */
#ifndef GST_TFRC_SRC_H
#define GST_TFRC_SRC_H

#include "transport/gsttfrcbasebin.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SRC (gst_tfrc_src_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSrc, gst_tfrc_src, GST, TFRC_SRC, GstTfrcBaseBin)

GST_ELEMENT_REGISTER_DECLARE (tfrcsrc)

G_END_DECLS

#endif
