/* gst-tfrc: serves the text of scrapes over HTTP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One thread, which sleeps while no client is there. What clients can make it do is bounded: 16 connections, 5 s for
 * each, one request in each, no request body, a new text in 100 ms at most. */
#ifndef GST_TFRC_METRICSSERVER_H
#define GST_TFRC_METRICSSERVER_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GstTfrcMetricsServer GstTfrcMetricsServer;

/* Makes the text of a scrape, in the server's thread. To be freed. */
typedef gchar *(*GstTfrcMetricsSource) (gboolean openmetrics,
    gpointer user_data);

/* Listens on a numeric `address`; port 0 is any free one. NULL, with `error`, when that cannot be. */
GstTfrcMetricsServer *gst_tfrc_metrics_server_new (const gchar * address,
    guint port, GstTfrcMetricsSource source, gpointer user_data,
    GError ** error);
/* Ends the thread: `source` is not called any more. */
void gst_tfrc_metrics_server_free (GstTfrcMetricsServer * self);

guint gst_tfrc_metrics_server_get_port (const GstTfrcMetricsServer * self);

G_END_DECLS

#endif
