/* gst-tfrc: keys that do not stay in memory once they were used
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A compiler may leave out a memset() of memory that is not read again. These functions overwrite the memory in
 * any case. They may be called from any thread. */
#ifndef GST_TFRC_SECRET_H
#define GST_TFRC_SECRET_H

#include <glib.h>

G_BEGIN_DECLS

/* Overwrites `size` bytes. */
void gst_tfrc_secret_wipe (gpointer secret, gsize size);

/* Overwrites a text of g_malloc() and frees it. NULL is no text. */
void gst_tfrc_secret_free (gchar * text);

G_END_DECLS

#endif
