/* gst-tfrc: keys that do not stay in memory once they were used
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/secret.h"

#include <string.h>

/* The compiler does not know which function a volatile pointer points to, and so cannot leave the call out. */
static void *(*volatile overwrite) (void *, int, size_t) = memset;

void
gst_tfrc_secret_wipe (gpointer secret, gsize size)
{
  overwrite (secret, 0, size);
}

void
gst_tfrc_secret_free (gchar * text)
{
  if (text != NULL)
    gst_tfrc_secret_wipe (text, strlen (text));
  g_free (text);
}
