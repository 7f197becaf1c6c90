/* gst-tfrc: element tfrcdecodebin, which decodes what tfrcencodebin sends
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A bin from RTP packets to raw audio. One codec at a time has a branch of elements in the bin. */
#ifndef GST_TFRC_DECODEBIN_H
#define GST_TFRC_DECODEBIN_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_DECODE_BIN (gst_tfrc_decode_bin_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcDecodeBin, gst_tfrc_decode_bin, GST, TFRC_DECODE_BIN, GstBin)

GST_ELEMENT_REGISTER_DECLARE (tfrcdecodebin);

G_END_DECLS

#endif
