/* gst-tfrc: how alike two pieces of sound are
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SOUNDCORRELATION_H
#define GST_TFRC_SOUNDCORRELATION_H

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

/* The correlation, -1 to 1, of `n` samples of `a` with as many of `b`; each is `step` samples behind the one before. */
static inline gdouble
gst_tfrc_sound_correlate (const gint16 * a, const gint16 * b, guint n,
    guint step)
{
  gdouble product = 0, squares_a = 1, squares_b = 1;
  guint i;

  for (i = 0; i < n * step; i += step) {
    product += (gdouble) a[i] * b[i];
    squares_a += (gdouble) a[i] * a[i];
    squares_b += (gdouble) b[i] * b[i];
  }
  return product / sqrt (squares_a * squares_b);
}

G_END_DECLS

#endif
