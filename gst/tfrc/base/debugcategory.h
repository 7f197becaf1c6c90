/* gst-tfrc: the debug category of a source file that is no element
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DEBUGCATEGORY_H
#define GST_TFRC_DEBUGCATEGORY_H

#include <gst/gst.h>

/* Makes the messages of one source file go to the debug category `name`, which contains "tfrc". The
 * category is registered when the file logs for the first time with any debug output switched on,
 * so that the file needs no function that registers it. */
#define GST_TFRC_DEFINE_CATEGORY(name, description) \
static GstDebugCategory * G_GNUC_UNUSED \
get_debug_category (void) \
{ \
  static gsize category = 0; \
\
  if (g_once_init_enter (&category)) \
    g_once_init_leave (&category, \
        (gsize) _gst_debug_category_new (name, 0, description)); \
  return (GstDebugCategory *) category; \
}

#define GST_CAT_DEFAULT get_debug_category ()

#endif
