/* gst-tfrc: finds the RTP session that a filter is linked to
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FINDRTPSESSION_H
#define GST_TFRC_FINDRTPSESSION_H

#include <gst/gst.h>

G_BEGIN_DECLS

gboolean gst_tfrc_is_rtpsession (gpointer object);

/* The rtpsession element that `pad` leads to, or NULL. */
GstElement *gst_tfrc_find_rtpsession (GstPad * pad);

G_END_DECLS

#endif
