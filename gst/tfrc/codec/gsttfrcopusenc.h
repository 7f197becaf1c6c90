/* gst-tfrc: element tfrcopusenc, which encodes Opus as the network allows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_OPUSENC_H
#define GST_TFRC_OPUSENC_H

#include <gst/audio/audio.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_OPUS_ENC (gst_tfrc_opus_enc_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcOpusEnc, gst_tfrc_opus_enc, GST, TFRC_OPUS_ENC, GstAudioEncoder)
GST_ELEMENT_REGISTER_DECLARE (tfrcopusenc);

G_END_DECLS

#endif
