/* gst-tfrc: registers the tracer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/gsttfrcmetrics.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  return gst_tracer_register (plugin, "tfrcmetrics", GST_TYPE_TFRC_METRICS);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, tfrcmetrics,
    "Metrics of the flows of gst-tfrc, over HTTP", plugin_init, VERSION,
    "LGPL", PACKAGE, TFRC_ORIGIN)
