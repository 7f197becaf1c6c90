/* gst-tfrc: what the elements of a process say of their flows, as metrics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Knows the elements by their factories, properties and statistics alone, as an application does. */
#ifndef GST_TFRC_FLOWMETRICS_H
#define GST_TFRC_FLOWMETRICS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Whether there are metrics of such elements. */
gboolean gst_tfrc_flow_metrics_knows (GstElement * element);

/* The text of a scrape, to be freed. `elements` are known ones, in any order. Flows above `max_flows` are left
 * out and counted. */
gchar *gst_tfrc_flow_metrics_to_text (GPtrArray * elements, guint max_flows,
    gboolean openmetrics);

G_END_DECLS

#endif
