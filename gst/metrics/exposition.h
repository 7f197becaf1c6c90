/* gst-tfrc: the text of a scrape
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Collects samples in any order and writes them family by family, in the text format of OpenMetrics 1.0 or in
 * that of Prometheus 0.0.4. One thread at a time. */
#ifndef GST_TFRC_EXPOSITION_H
#define GST_TFRC_EXPOSITION_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GST_TFRC_METRIC_GAUGE,
  GST_TFRC_METRIC_COUNTER,
  GST_TFRC_METRIC_INFO          /* labels that describe; the value is 1 */
} GstTfrcMetricType;

/* A family of samples: `name` is that of OpenMetrics, which has no _total (counter) and no _info (info). */
typedef struct
{
  const gchar *name;
  GstTfrcMetricType type;
  const gchar *help;
} GstTfrcMetric;

typedef struct _GstTfrcExposition GstTfrcExposition;

GstTfrcExposition *gst_tfrc_exposition_new (void);
void gst_tfrc_exposition_free (GstTfrcExposition * self);

/* `labels` is what gst_tfrc_exposition_append_label() made. Metrics of the same name are one family, with the
 * type and the help of the first one. `metric` must stay as long as `self`. */
void gst_tfrc_exposition_add (GstTfrcExposition * self,
    const GstTfrcMetric * metric, const gchar * labels, gdouble value);

/* Appends name="value" with a comma where one is needed. The value is made valid UTF-8, cut after 256 characters,
 * and escaped. */
void gst_tfrc_exposition_append_label (GString * labels, const gchar * name,
    const gchar * value);

/* To be freed. */
gchar *gst_tfrc_exposition_to_text (const GstTfrcExposition * self,
    gboolean openmetrics);

G_END_DECLS

#endif
