/* gst-tfrc: how a sound would have gone on
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_EXTRAPOLATE_H
#define GST_TFRC_EXTRAPOLATE_H

#include <glib.h>

G_BEGIN_DECLS

/* Sample frames of the past that are enough at 48 kHz: 25 ms. */
#define GST_TFRC_EXTRAPOLATE_PAST 1200

/* Writes `n` frames of `channels` samples that go on from the `frames` frames of
 * `past`: its last period again, as ITU-T G.711 appendix I fills a gap. Repeats the
 * last sample when there is too little to find a period in. */
void gst_tfrc_extrapolate (const gint16 * past, guint frames, guint channels,
    gint16 * out, guint n);

G_END_DECLS

#endif
