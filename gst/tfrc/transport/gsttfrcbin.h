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

/* What the signals act on. The first function does what the signal "add-peer" says. */
guint gst_tfrc_bin_add_peer (GstTfrcBin * self, const gchar * host, guint port,
    const GstStructure * fields);
/* What the signal "move-peer" says. */
gboolean gst_tfrc_bin_move_peer (GstTfrcBin * self, guint id,
    const gchar * host, guint port);
GstTfrcPeerList *gst_tfrc_bin_get_peers (GstTfrcBin * self);

/* tfrcbinsignals.c: installs the signals. */
void gst_tfrc_bin_install_signals (GType type);

/* Whether a stranger who calls from `address` becomes peer `id`: asks by the signal "new-peer", if it has a handler. */
gboolean gst_tfrc_bin_ask_new_peer (GstElement * element, guint id,
    const gchar * address);

G_END_DECLS

#endif
