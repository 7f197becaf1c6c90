/* gst-tfrc: element rtptfrcsend, the data sender as a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTP_SEND_H
#define GST_TFRC_RTP_SEND_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_TFRC_SEND (gst_rtp_tfrc_send_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpTfrcSend, gst_rtp_tfrc_send, GST, RTP_TFRC_SEND, GstElement)

GST_ELEMENT_REGISTER_DECLARE (rtptfrcsend)

G_END_DECLS

#endif
