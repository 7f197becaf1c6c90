/* gst-tfrc: cuts raw audio into short pieces and hands them to one encoder of several
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERSWITCH_H
#define GST_TFRC_ENCODERSWITCH_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_ENCODER_SWITCH (gst_tfrc_encoder_switch_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcEncoderSwitch, gst_tfrc_encoder_switch, GST, TFRC_ENCODER_SWITCH, GstElement)

/* Called on the streaming thread before each piece. What an encoder may only be
 * told between two buffers can be told here, and the route changed. */
typedef void (*GstTfrcEncoderSwitchFunc) (gpointer user_data);

GstElement *gst_tfrc_encoder_switch_new (GstTfrcEncoderSwitchFunc func, gpointer user_data);

/* Before data flows. Pads are numbered from 0, the first is the route. */
GstPad *gst_tfrc_encoder_switch_add_pad (GstTfrcEncoderSwitch * router);
void gst_tfrc_encoder_switch_remove_pads (GstTfrcEncoderSwitch * router);

/* From the function alone: what the encoder behind pad `route` holds of an
 * earlier use is thrown away. */
void gst_tfrc_encoder_switch_flush (GstTfrcEncoderSwitch * router, guint route);

/* From the function alone: the pieces go to pad `route` from now on, and those
 * since `from` (at most 200 ms ago) once more. */
GstFlowReturn gst_tfrc_encoder_switch_switch (GstTfrcEncoderSwitch * router, guint route,
    GstClockTime from);

G_END_DECLS

#endif
