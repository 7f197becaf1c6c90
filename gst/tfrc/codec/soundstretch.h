/* gst-tfrc: makes a piece of sound longer or shorter by a period of its pitch
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SOUNDSTRETCH_H
#define GST_TFRC_SOUNDSTRETCH_H

#include <glib.h>

G_BEGIN_DECLS

/* Two of the longest periods (66 Hz), in frames. A frame is `channels` samples, and all sound has 48 kHz. */
#define GST_TFRC_SOUND_STRETCH_LONGEST 1440

/* Overlaps two neighbouring periods of `in`, at the beginning of its `frames` frames: they become three
 * when `longer` is set, and one when it is not. The pitch stays (WSOLA: Verhelst and Roelands, 1993). The
 * sound still begins and ends as `in` does, so that it fits its neighbours. Writes to `out`, which has room
 * for GST_TFRC_SOUND_STRETCH_LONGEST / 2 frames more than `in`.
 *
 * Returns by how many frames the length changes; 0 when there is nothing that can be overlapped without
 * being heard: the frames are too few, or neighbouring periods are too unlike and not nearly silent. Then
 * nothing is written. */
guint gst_tfrc_sound_stretch (const gint16 * in, guint frames, guint channels, gboolean longer, gint16 * out);

G_END_DECLS

#endif
