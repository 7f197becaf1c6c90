/* gst-tfrc: element rtptfrcreceive, the data receiver as a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTP_RECEIVE_H
#define GST_TFRC_RTP_RECEIVE_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_TFRC_RECEIVE (gst_rtp_tfrc_receive_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpTfrcReceive, gst_rtp_tfrc_receive, GST, RTP_TFRC_RECEIVE, GstElement)

GST_ELEMENT_REGISTER_DECLARE (rtptfrcreceive)

G_END_DECLS

#endif
