/* gst-tfrc: one piece of sound of what several decoders make in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DECODERJOIN_H
#define GST_TFRC_DECODERJOIN_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_DECODER_JOIN (gst_tfrc_decoder_join_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcDecoderJoin, gst_tfrc_decoder_join, GST, TFRC_DECODER_JOIN, GstElement)

GstElement *gst_tfrc_decoder_join_new (void);

/* All inputs have S16 of 48 kHz, one or two channels. Remove it by
 * gst_element_remove_pad(). */
GstPad *gst_tfrc_decoder_join_add_pad (GstTfrcDecoderJoin * splice);

/* Streaming thread. What comes beyond `until` is made up and not heard; what comes
 * while draining is the rest in a filter. Ends with GST_CLOCK_TIME_NONE and FALSE. */
void gst_tfrc_decoder_join_finish (GstTfrcDecoderJoin * splice, GstClockTime until,
    gboolean draining);

G_END_DECLS

#endif
