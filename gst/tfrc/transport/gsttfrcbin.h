/* gst-tfrc: element tfrcbin, both directions of calls with any number of peers on one port
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRCBIN_H
#define GST_TFRCBIN_H

#include "transport/peerlist.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_BIN (gst_tfrc_bin_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcBin, gst_tfrc_bin, GST, TFRC_BIN, GstElement)
GST_ELEMENT_REGISTER_DECLARE (tfrcbin);

/* binforwardstats.c: installs the signals "forward" and "get-peer-stats". */
void gst_tfrc_bin_install_forward_stats (GType type);

GstTfrcPeerList *gst_tfrc_bin_get_peers (GstTfrcBin * self);

G_END_DECLS

#endif
