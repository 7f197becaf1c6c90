/* gst-tfrc: cuts raw audio into short pieces, and asks before each
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SLICER_H
#define GST_TFRC_SLICER_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SLICER (gst_tfrc_slicer_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSlicer, gst_tfrc_slicer, GST, TFRC_SLICER, GstElement)

/* Called on the streaming thread before each piece. What an encoder may only be
 * told between two buffers can be told here. */
typedef void (*GstTfrcSlicerFunc) (gpointer user_data);

GstElement *gst_tfrc_slicer_new (GstTfrcSlicerFunc func, gpointer user_data);

G_END_DECLS

#endif
