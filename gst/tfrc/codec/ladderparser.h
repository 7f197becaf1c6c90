/* gst-tfrc: reads the property "ladder" of tfrcencodebin
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_LADDERPARSER_H
#define GST_TFRC_LADDERPARSER_H

#include <gst/gst.h>
#include <tfrcadapt/operating-point.h>

G_BEGIN_DECLS

/* Reads operating points that are written as "CODEC RATE/PTIME [fec] [red1|red2] [stereo], ..."
 * into `points`, which has room for TFRC_ADAPT_LADDER_MAX. Returns the number of points; or 0, with
 * an error that says which point is wrong and how to write it. */
guint gst_tfrc_ladder_parse (const gchar * text, TfrcAdaptPoint * points,
    GError ** error);

/* Copies to `points` those of the `n` points of `ladder` that the codecs and the packet size of
 * `limits` do not rule out. Returns how many there are. */
guint gst_tfrc_ladder_limit (const TfrcAdaptPoint * ladder, guint n,
    const TfrcAdaptLadderLimits * limits, TfrcAdaptPoint * points);

G_END_DECLS

#endif
