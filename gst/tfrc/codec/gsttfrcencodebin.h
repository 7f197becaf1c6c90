/* gst-tfrc: element tfrcencodebin, an audio encoder that follows what TFRC allows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODEBIN_H
#define GST_TFRC_ENCODEBIN_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_ENCODE_BIN (gst_tfrc_encode_bin_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcEncodeBin, gst_tfrc_encode_bin, GST, TFRC_ENCODE_BIN, GstBin)

GST_ELEMENT_REGISTER_DECLARE (tfrcencodebin);

G_END_DECLS

#endif
