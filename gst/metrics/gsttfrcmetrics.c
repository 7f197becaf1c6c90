/* gst-tfrc: the tracer tfrcmetrics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:tracer-tfrcmetrics
 * @title: tfrcmetrics
 *
 * Serves metrics of every flow of the process over HTTP, in the text formats of OpenMetrics and of Prometheus, to
 * whoever asks for /metrics:
 *
 * |[
 * GST_TRACERS="tfrcmetrics(port=9464)" gst-launch-1.0 audiotestsrc is-live=true ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004
 * ]|
 *
 * The parameters are `port` (9464; 0 is any free one, which the log names at INFO), `address` (127.0.0.1; 0.0.0.0
 * and :: are all interfaces) and `max-flows` (1000, of which samples are written). Nothing is done while nobody asks.
 */
#include "metrics/gsttfrcmetrics.h"

#include <string.h>

#include "metrics/elementlist.h"
#include "metrics/flowmetrics.h"
#include "metrics/metricsserver.h"

#define DEFAULT_PORT 9464
#define DEFAULT_ADDRESS "127.0.0.1"
#define DEFAULT_MAX_FLOWS 1000

GST_DEBUG_CATEGORY_STATIC (tfrcmetrics_debug);
#define GST_CAT_DEFAULT tfrcmetrics_debug

struct _GstTfrcMetrics
{
  GstTracer parent;

  GstTfrcElementList *elements;
  GstTfrcMetricsServer *server; /* NULL: the port or a parameter is wrong */
  gchar *address;
  guint port, max_flows;
};

G_DEFINE_TYPE_WITH_CODE (GstTfrcMetrics, gst_tfrc_metrics, GST_TYPE_TRACER,
    GST_DEBUG_CATEGORY_INIT (tfrcmetrics_debug, "tfrcmetrics", 0,
        "TFRC metrics over HTTP"));

static void
on_element_new (GstTfrcMetrics * self, guint64 ts, GstElement * element)
{
  if (gst_tfrc_flow_metrics_knows (element))
    gst_tfrc_element_list_add (self->elements, element);
}

static void
on_object_destroyed (GstTfrcMetrics * self, guint64 ts, GstObject * object)
{
  gst_tfrc_element_list_remove (self->elements, object);
}

static gchar *
make_text (gboolean openmetrics, gpointer data)
{
  GstTfrcMetrics *self = data;
  GPtrArray *elements = gst_tfrc_element_list_get (self->elements);
  gchar *text = gst_tfrc_flow_metrics_to_text (elements, self->max_flows,
      openmetrics);

  GST_DEBUG_OBJECT (self, "%u elements, %" G_GSIZE_FORMAT " bytes of text",
      elements->len, strlen (text));
  g_ptr_array_unref (elements);
  return text;
}

/* --- parameters --- */

/* Who set GST_TRACERS reads this without any debug output. The application goes on without metrics. */
static void
warn (GstTfrcMetrics * self, const gchar * text)
{
  GST_WARNING_OBJECT (self, "%s", text);
  g_message ("tfrcmetrics: no metrics are served: %s", text);
}

static gboolean
read_number (const gchar * text, guint max, guint * number)
{
  guint64 got;

  if (!g_ascii_string_to_unsigned (text, 10, 0, max, &got, NULL))
    return FALSE;
  *number = got;
  return TRUE;
}

static gboolean
set_parameter (GstTfrcMetrics * self, const gchar * name, const gchar * value)
{
  if (g_str_equal (name, "port"))
    return read_number (value, 65535, &self->port);
  if (g_str_equal (name, "max-flows"))
    return read_number (value, 1000000, &self->max_flows);
  if (!g_str_equal (name, "address"))
    return FALSE;
  g_free (self->address);
  self->address = g_strdup (value);
  return TRUE;
}

/* "name=value" */
static gboolean
read_parameter (GstTfrcMetrics * self, const gchar * parameter)
{
  gchar **parts = g_strsplit (parameter, "=", 2), *text;
  gboolean ok = parts[0] != NULL && parts[1] != NULL
      && set_parameter (self, g_strstrip (parts[0]), g_strstrip (parts[1]));

  g_strfreev (parts);
  if (ok)
    return TRUE;
  text = g_strdup_printf ("\"%s\" is no parameter. There are port=0 to 65535, "
      "address=NUMBERS and max-flows=0 to 1000000, as in "
      "GST_TRACERS=\"tfrcmetrics(port=9464,address=127.0.0.1)\"", parameter);
  warn (self, text);
  g_free (text);
  return FALSE;
}

static gboolean
read_parameters (GstTfrcMetrics * self)
{
  gchar *parameters, **all;
  gboolean ok = TRUE;
  guint i;

  g_object_get (self, "params", &parameters, NULL);
  if (parameters == NULL)
    return TRUE;
  all = g_strsplit (parameters, ",", -1);
  for (i = 0; all[i] != NULL && ok; i++)
    ok = read_parameter (self, all[i]);
  g_strfreev (all);
  g_free (parameters);
  return ok;
}

/* --- the object --- */

static void
start_server (GstTfrcMetrics * self)
{
  GError *error = NULL;
  gchar *text;

  self->server = gst_tfrc_metrics_server_new (self->address, self->port,
      make_text, self, &error);
  if (self->server != NULL) {
    GST_INFO_OBJECT (self, "metrics are at http://%s%s%s:%u/metrics",
        strchr (self->address, ':') != NULL ? "[" : "", self->address,
        strchr (self->address, ':') != NULL ? "]" : "",
        gst_tfrc_metrics_server_get_port (self->server));
    return;
  }
  text = g_strdup_printf ("cannot listen on %s port %u (%s). Give another one, "
      "such as GST_TRACERS=\"tfrcmetrics(port=%u)\", or port=0 for any that "
      "is free", self->address, self->port, error->message,
      self->port < 65535 ? self->port + 1 : DEFAULT_PORT);
  warn (self, text);
  g_free (text);
  g_error_free (error);
}

static void
gst_tfrc_metrics_constructed (GObject * object)
{
  GstTfrcMetrics *self = GST_TFRC_METRICS (object);

  G_OBJECT_CLASS (gst_tfrc_metrics_parent_class)->constructed (object);
  if (!read_parameters (self))
    return;
  start_server (self);
  if (self->server == NULL)
    return;
  gst_tracing_register_hook (GST_TRACER (self), "element-new",
      G_CALLBACK (on_element_new));
  gst_tracing_register_hook (GST_TRACER (self), "object-destroyed",
      G_CALLBACK (on_object_destroyed));
}

static void
gst_tfrc_metrics_finalize (GObject * object)
{
  GstTfrcMetrics *self = GST_TFRC_METRICS (object);

  g_clear_pointer (&self->server, gst_tfrc_metrics_server_free);
  g_clear_pointer (&self->elements, gst_tfrc_element_list_free);
  g_free (self->address);
  G_OBJECT_CLASS (gst_tfrc_metrics_parent_class)->finalize (object);
}

static void
gst_tfrc_metrics_class_init (GstTfrcMetricsClass * klass)
{
  G_OBJECT_CLASS (klass)->constructed = gst_tfrc_metrics_constructed;
  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_metrics_finalize;
}

static void
gst_tfrc_metrics_init (GstTfrcMetrics * self)
{
  self->elements = gst_tfrc_element_list_new ();
  self->address = g_strdup (DEFAULT_ADDRESS);
  self->port = DEFAULT_PORT;
  self->max_flows = DEFAULT_MAX_FLOWS;
}
