/* gst-tfrc tests: what a test needs of other plugins
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef HAVE_H
#define HAVE_H

#include <gst/gst.h>

/* FALSE, and a line that says so, when no plugin here has `factory`. */
static inline gboolean
have (const gchar * factory)
{
  GstElementFactory *f = gst_element_factory_find (factory);

  if (f == NULL) {
    g_print ("# skipped: no %s\n", factory);
    return FALSE;
  }
  gst_object_unref (f);
  return TRUE;
}

#endif
