/* gst-tfrc: the tracer tfrcmetrics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_METRICS_H
#define GST_TFRC_METRICS_H

#ifndef GST_USE_UNSTABLE_API
#define GST_USE_UNSTABLE_API
#endif
#include <gst/gst.h>
#include <gst/gsttracer.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_METRICS (gst_tfrc_metrics_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcMetrics, gst_tfrc_metrics, GST, TFRC_METRICS,
    GstTracer)

G_END_DECLS

#endif
