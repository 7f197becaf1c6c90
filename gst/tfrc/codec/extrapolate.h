/* gst-tfrc: continues a sound by its last period
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_EXTRAPOLATE_H
#define GST_TFRC_EXTRAPOLATE_H

#include <glib.h>

G_BEGIN_DECLS

/* Sample frames of 48 kHz, 25 ms, in which the period of every voice can be found. */
#define GST_TFRC_EXTRAPOLATE_PAST 1200

/* Writes `n` frames of `channels` samples to `out`, in continuation of the `frames` frames
 * in `past`, at 48 kHz. Repeats the last period of `past`, as ITU-T G.711 appendix I fills a
 * gap, or the last sample when `past` is too short to find a period in. */
void gst_tfrc_extrapolate (const gint16 * past, guint frames, guint channels,
    gint16 * out, guint n);

G_END_DECLS

#endif
