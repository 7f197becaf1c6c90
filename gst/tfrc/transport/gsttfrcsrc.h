/* gst-tfrc: element tfrcsrc, the data receiver's end of a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcsrc is tfrcbin with one peer, of which it receives one RTP stream (transport/gsttfrcend.h). It
 * follows one data sender at a time (transport/senderchoice.h). */
#ifndef GST_TFRC_SRC_H
#define GST_TFRC_SRC_H

#include "transport/gsttfrcend.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SRC (gst_tfrc_src_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSrc, gst_tfrc_src, GST, TFRC_SRC, GstTfrcEnd)

GST_ELEMENT_REGISTER_DECLARE (tfrcsrc)

G_END_DECLS

#endif
