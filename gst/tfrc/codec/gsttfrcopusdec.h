/* gst-tfrc: element tfrcopusdec, which decodes Opus, from a later packet where one was lost
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_OPUSDEC_H
#define GST_TFRC_OPUSDEC_H

#include <gst/audio/audio.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_OPUS_DEC (gst_tfrc_opus_dec_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcOpusDec, gst_tfrc_opus_dec, GST, TFRC_OPUS_DEC, GstAudioDecoder)
GST_ELEMENT_REGISTER_DECLARE (tfrcopusdec);

G_END_DECLS

#endif
