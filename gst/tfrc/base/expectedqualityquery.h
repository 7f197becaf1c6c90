/* gst-tfrc: a query for the quality that an encoder expects of its choice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The encoder knows which quality the E-model predicts for the operating point in use, and the
 * sending elements tell it in their statistics. A sending element asks the encoder at the moment at
 * which the statistics are read: it sends a custom query upstream. Nothing is stored on the way, so
 * the statistics and the property "expected-quality" of the encoder are one value.
 *
 * The query is a structure "GstTfrcExpectedQuality". The asking element may put in the field
 * "ssrc" (guint); an encoder of another SSRC does not answer then, and GStreamer asks the next
 * branch of a funnel. The encoder puts in the field "quality" (gdouble), a mean opinion score from 1
 * to 4.5, or 0 before it has encoded anything. */
#ifndef GST_TFRC_EXPECTEDQUALITYQUERY_H
#define GST_TFRC_EXPECTEDQUALITYQUERY_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Asks upstream of `sinkpad`, and sets the field "expected-quality" of `stats` to the answer. Without an
 * answer there is no such field. `ssrc` is that of the flow; NULL: the pad has one flow alone. The caller holds no lock,
 * since the query runs code of other elements. */
void gst_tfrc_expected_quality_query_add_stats (GstPad * sinkpad, const guint * ssrc,
    GstStructure * stats);

/* Makes `srcpad`, a pad of an encoder with the property "expected-quality", answer the query. */
void gst_tfrc_expected_quality_query_answer (GstPad * srcpad);

G_END_DECLS

#endif
