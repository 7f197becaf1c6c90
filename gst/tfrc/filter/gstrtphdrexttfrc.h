/* gst-tfrc: the RTP header extension that carries R and t_i
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_GSTRTPHDREXTTFRC_H
#define GST_TFRC_GSTRTPHDREXTTFRC_H

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_HDR_EXT_TFRC (gst_rtp_hdr_ext_tfrc_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpHdrExtTfrc, gst_rtp_hdr_ext_tfrc, GST, RTP_HDR_EXT_TFRC,
    GstRTPHeaderExtension)

GST_ELEMENT_REGISTER_DECLARE (rtphdrexttfrc)

G_END_DECLS

#endif
