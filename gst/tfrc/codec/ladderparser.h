/* gst-tfrc: the user's own ladder of operating points, as text
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_LADDERPARSER_H
#define GST_TFRC_LADDERPARSER_H

#include <gst/gst.h>
#include <tfrcadapt/operating-point.h>

G_BEGIN_DECLS

/* Reads "CODEC RATE/PTIME [fec] [red1|red2] [stereo], ..." into `points`, of
 * TFRC_ADAPT_LADDER_MAX. Returns how many; 0 and an error that says which point is wrong,
 * and how to write it. */
guint gst_tfrc_ladder_parse (const gchar * text, TfrcAdaptPoint * points,
    GError ** error);

G_END_DECLS

#endif
