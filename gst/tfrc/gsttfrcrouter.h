/* gst-tfrc: cuts raw audio into short pieces and hands them to one encoder of several
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ROUTER_H
#define GST_TFRC_ROUTER_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_ROUTER (gst_tfrc_router_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcRouter, gst_tfrc_router, GST, TFRC_ROUTER, GstElement)

/* Called on the streaming thread before each piece. What an encoder may only be
 * told between two buffers can be told here, and the route changed. */
typedef void (*GstTfrcRouterFunc) (gpointer user_data);

GstElement *gst_tfrc_router_new (GstTfrcRouterFunc func, gpointer user_data);

/* Before data flows. Pads are numbered from 0, the first is the route. */
GstPad *gst_tfrc_router_add_pad (GstTfrcRouter * router);
void gst_tfrc_router_remove_pads (GstTfrcRouter * router);

/* From the function alone: what the encoder behind pad `route` holds of an
 * earlier use is thrown away. */
void gst_tfrc_router_flush (GstTfrcRouter * router, guint route);

/* From the function alone: the pieces go to pad `route` from now on, and those
 * since `from` (at most 200 ms ago) once more. */
GstFlowReturn gst_tfrc_router_switch (GstTfrcRouter * router, guint route,
    GstClockTime from);

G_END_DECLS

#endif
