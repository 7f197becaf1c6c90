/* gst-tfrc: which fields of the elements' statistics are which metrics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each table has the numbers of one kind of structure; a field that a structure lacks makes no sample. The fields are
 * in the units of the property `stats`, the metrics in seconds, bytes and ratios. */
#ifndef GST_TFRC_METRICTABLE_H
#define GST_TFRC_METRICTABLE_H

#include <gst/gst.h>

#include "metrics/exposition.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *field;           /* "PART/FIELD" is one of a structure inside; NULL ends a table */
  GstTfrcMetric metric;
  gdouble scale;                /* of the field's unit in the metric's */
  const gchar *labels;          /* further ones of this field, or NULL */
} GstTfrcMetricRow;

extern const GstTfrcMetricRow gst_tfrc_sender_metrics[];        /* a data sender */
extern const GstTfrcMetricRow gst_tfrc_receiver_metrics[];      /* a data receiver */
extern const GstTfrcMetricRow gst_tfrc_session_metrics[];       /* part "session" of a peer of tfrcbin */
extern const GstTfrcMetricRow gst_tfrc_playout_metrics[];       /* part "playout" of a peer of tfrcbin */
extern const GstTfrcMetricRow gst_tfrc_ecn_metrics[];   /* part "ecn" of a peer of tfrcbin */
extern const GstTfrcMetricRow gst_tfrc_peer_metrics[];  /* a peer of tfrcbin */
extern const GstTfrcMetricRow gst_tfrc_port_metrics[];  /* the port of tfrcbin */
extern const GstTfrcMetricRow gst_tfrc_end_metrics[];   /* tfrcsink and tfrcsrc */
extern const GstTfrcMetricRow gst_tfrc_filter_metrics[];        /* rtptfrcsend and rtptfrcreceive */
extern const GstTfrcMetricRow gst_tfrc_decoder_metrics[];       /* tfrcdecodebin */
extern const GstTfrcMetricRow gst_tfrc_encoder_metrics[];       /* properties of tfrcencodebin and tfrcencodercontrol */

/* A field whose value is one of some words: one sample for each word, 1 for the one that is true. */
typedef struct
{
  const gchar *field;
  GstTfrcMetric metric;
  const gchar *words[6];        /* NULL ends them */
} GstTfrcStateRow;

extern const GstTfrcStateRow gst_tfrc_state_metrics[];

/* NULL: there is none. */
const GValue *gst_tfrc_metric_get_field (const GstStructure * stats,
    const gchar * field);
/* FALSE: the value is no number. */
gboolean gst_tfrc_metric_get_number (const GValue * value, gdouble * number);

void gst_tfrc_metrics_add_fields (GstTfrcExposition * exposition,
    const GstTfrcMetricRow * rows, const GstStructure * stats,
    const gchar * labels);
void gst_tfrc_metrics_add_properties (GstTfrcExposition * exposition,
    const GstTfrcMetricRow * rows, GObject * object, const gchar * labels);
void gst_tfrc_metrics_add_states (GstTfrcExposition * exposition,
    const GstStructure * stats, const gchar * labels);

G_END_DECLS

#endif
