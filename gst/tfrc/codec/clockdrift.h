/* gst-tfrc: what a filter that counts samples need not know of the times
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_CLOCKDRIFT_H
#define GST_TFRC_CLOCKDRIFT_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* `filter` has one sink and one src pad, takes raw audio and pushes from the thread
 * that feeds it. */
void gst_tfrc_clock_drift_hide (GstElement * filter);

G_END_DECLS

#endif
