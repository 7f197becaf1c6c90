/* gst-tfrc: the caps of RTP payload types, from the property "caps" of a receiving element
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PAYLOADCAPS_H
#define GST_TFRC_PAYLOADCAPS_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_N_PAYLOAD_TYPES 128

/* What makes `caps` of no use to a decoder, or NULL. */
const gchar *gst_tfrc_payload_caps_check (const GstCaps * caps);

/* New caps of `caps` with what every data sender of this plugin does: it stamps packets, takes
 * TFRC reports, and makes key frames on request. Caps that have these fields stay as they are. */
GstCaps *gst_tfrc_payload_caps_complete (const GstCaps * caps);

/* New caps of one payload type: of the structure that names it, else of the first that names
 * none, else of RFC 3551. NULL: the type is not known. `caps` may be NULL. */
GstCaps *gst_tfrc_payload_caps_get (const GstCaps * caps, guint payload_type);

G_END_DECLS

#endif
