/* gst-tfrc: the items of SDES that an application sets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SDESITEMS_H
#define GST_TFRC_SDESITEMS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Reads a structure application/x-rtp-source-sdes with the names that rtpsession has for items;
 * NULL has none. `cname` of `cname_size` bytes is set when the structure has one. `items` is what
 * else there is, as RFC 3550 6.5 has it (type, length, text), or NULL. Returns NULL, or a sentence
 * for the user that says what is wrong. */
gchar *gst_tfrc_sdes_items_read (const GstStructure * sdes, gchar * cname,
    gsize cname_size, GBytes ** items);

G_END_DECLS

#endif
