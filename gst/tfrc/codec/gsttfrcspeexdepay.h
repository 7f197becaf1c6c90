/* gst-tfrc: takes Speex out of RTP packets (RFC 5574)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A depayloader that stands in for rtpspeexdepay in tfrcdecodebin. It is not registered as a
 * factory. */
#ifndef GST_TFRC_SPEEXDEPAY_H
#define GST_TFRC_SPEEXDEPAY_H

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SPEEX_DEPAY (gst_tfrc_speex_depay_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSpeexDepay, gst_tfrc_speex_depay, GST, TFRC_SPEEX_DEPAY, GstRTPBaseDepayload)

G_END_DECLS

#endif
