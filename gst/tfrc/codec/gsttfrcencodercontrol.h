/* gst-tfrc: element tfrcencodercontrol, which sets the bit rate of any encoder to what TFRC allows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERCONTROL_H
#define GST_TFRC_ENCODERCONTROL_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_ENCODER_CONTROL (gst_tfrc_encoder_control_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcEncoderControl, gst_tfrc_encoder_control, GST, TFRC_ENCODER_CONTROL, GstElement)

GST_ELEMENT_REGISTER_DECLARE (tfrcencodercontrol);

G_END_DECLS

#endif
