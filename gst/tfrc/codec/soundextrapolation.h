/* gst-tfrc: continues the sound of a decoder by an extrapolation
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SOUNDEXTRAPOLATION_H
#define GST_TFRC_SOUNDEXTRAPOLATION_H

#include <glib.h>

G_BEGIN_DECLS

/* Writes `n` frames of `channels` samples to `out`, which continue the `frames` frames in `past`,
 * at 48 kHz. Repeats the last period of `past`, as ITU-T G.711 appendix I fills a gap, or the last
 * sample when `past` is too short to find a period in. */
void gst_tfrc_sound_extrapolate (const gint16 * past, guint frames, guint channels,
    gint16 * out, guint n);

G_END_DECLS

#endif
