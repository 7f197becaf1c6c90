/* gst-tfrc: what the elements of a process say of their flows, as metrics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/flowmetrics.h"

#include <string.h>

#include "metrics/encoderroute.h"
#include "metrics/exposition.h"
#include "metrics/metrictable.h"

/* One scrape. */
typedef struct
{
  GstTfrcExposition *exposition;
  guint max_flows, flows, omitted;
} Scrape;

typedef void (*AddElement) (Scrape * scrape, GstElement * element,
    const gchar * path);

static const GstTfrcMetric flow_info = { "tfrc_flow", GST_TFRC_METRIC_INFO,
  "What is known of a flow besides numbers."
};

static const GstTfrcMetric encoder_info = { "tfrc_encoder",
  GST_TFRC_METRIC_INFO,
  "The codec of an encoder, and the flow that it sends by."
};

static const GstTfrcMetric allowed_payload = {
  "tfrc_sender_allowed_payload_rate_bytes_per_second", GST_TFRC_METRIC_GAUGE,
  "Allowance of the encoder: payload at the present packet rate."
};

static const GstTfrcMetric build_info = { "tfrc_build", GST_TFRC_METRIC_INFO,
  "The version of gst-tfrc."
};

static const GstTfrcMetric flow_count = { "tfrc_flows", GST_TFRC_METRIC_GAUGE,
  "Flows of the process: peers of tfrcbin, SSRCs of the filters, tfrcsink and tfrcsrc."
};

static const GstTfrcMetric omitted_count = { "tfrc_omitted_flows",
  GST_TFRC_METRIC_GAUGE,
  "Flows above max-flows, which have no samples."
};

/* Whether there is room for the samples of one flow more. */
static gboolean
take_flow (Scrape * scrape)
{
  scrape->flows++;
  if (scrape->flows <= scrape->max_flows)
    return TRUE;
  scrape->omitted++;
  return FALSE;
}

static GString *
begin_labels (const gchar * path)
{
  GString *labels = g_string_new (NULL);

  gst_tfrc_exposition_append_label (labels, "element", path);
  return labels;
}

static void
append_ssrc (GString * labels, const gchar * name, const GstStructure * stats,
    const gchar * field)
{
  gchar text[16];
  guint ssrc;

  if (!gst_structure_get_uint (stats, field, &ssrc))
    return;
  g_snprintf (text, sizeof text, "%u", ssrc);
  gst_tfrc_exposition_append_label (labels, name, text);
}

static void
append_text (GString * labels, const gchar * name, const GstStructure * stats,
    const gchar * field)
{
  const gchar *text = gst_structure_get_string (stats, field);

  if (text != NULL)
    gst_tfrc_exposition_append_label (labels, name, text);
}

static GstStructure *
get_stats (GstElement * element)
{
  GstStructure *stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  return stats;
}

static void
add_flow_info (Scrape * scrape, const GString * labels,
    const GstStructure * stats, const gchar * kind)
{
  GString *all = g_string_new (labels->str);

  gst_tfrc_exposition_append_label (all, "kind", kind);
  append_text (all, "label", stats, "label");
  append_text (all, "address", stats, "address");
  append_text (all, "feedback", stats, "feedback");
  gst_tfrc_exposition_add (scrape->exposition, &flow_info, all->str, 1);
  g_string_free (all, TRUE);
}

/* --- tfrcsink and tfrcsrc --- */

static void
add_allowance (Scrape * scrape, GstElement * element, const gchar * labels)
{
  guint bitrate;

  g_object_get (element, "allowed-bitrate", &bitrate, NULL);
  gst_tfrc_exposition_add (scrape->exposition, &allowed_payload, labels,
      bitrate / 8.0);
}

static void
add_end (Scrape * scrape, GstElement * element, const gchar * path,
    gboolean sends)
{
  GstStructure *stats = get_stats (element);
  GString *labels = begin_labels (path), *info;

  if (take_flow (scrape)) {
    info = g_string_new (labels->str);
    append_ssrc (info, "ssrc", stats, "ssrc");
    add_flow_info (scrape, info, stats, sends ? "tfrcsink" : "tfrcsrc");
    g_string_free (info, TRUE);
    gst_tfrc_metrics_add_fields (scrape->exposition,
        sends ? gst_tfrc_sender_metrics : gst_tfrc_receiver_metrics, stats,
        labels->str);
    gst_tfrc_metrics_add_fields (scrape->exposition, gst_tfrc_end_metrics,
        stats, labels->str);
    gst_tfrc_metrics_add_fields (scrape->exposition, gst_tfrc_ecn_metrics,
        stats, labels->str);
    gst_tfrc_metrics_add_states (scrape->exposition, stats, labels->str);
    if (sends)
      add_allowance (scrape, element, labels->str);
    else
      gst_tfrc_metrics_add_fields (scrape->exposition,
          gst_tfrc_playout_metrics, stats, labels->str);
  }
  g_string_free (labels, TRUE);
  gst_structure_free (stats);
}

static void
add_sink (Scrape * scrape, GstElement * element, const gchar * path)
{
  add_end (scrape, element, path, TRUE);
}

static void
add_src (Scrape * scrape, GstElement * element, const gchar * path)
{
  add_end (scrape, element, path, FALSE);
}

/* --- the filters --- */

static void
add_ssrc_flow (Scrape * scrape, const GstStructure * flow, const gchar * path,
    gboolean sends)
{
  GString *labels = begin_labels (path);

  append_ssrc (labels, "ssrc", flow, "ssrc");
  add_flow_info (scrape, labels, flow, sends ? "rtptfrcsend" :
      "rtptfrcreceive");
  gst_tfrc_metrics_add_fields (scrape->exposition,
      sends ? gst_tfrc_sender_metrics : gst_tfrc_receiver_metrics, flow,
      labels->str);
  gst_tfrc_metrics_add_states (scrape->exposition, flow, labels->str);
  g_string_free (labels, TRUE);
}

/* The structures of a field that is an array of them. */
static guint
get_parts (const GstStructure * stats, const gchar * field,
    const GValue ** array)
{
  *array = gst_structure_get_value (stats, field);
  return *array != NULL ? gst_value_array_get_size (*array) : 0;
}

static const GstStructure *
get_part (const GValue * array, guint i)
{
  return gst_value_get_structure (gst_value_array_get_value (array, i));
}

static void
add_filter (Scrape * scrape, GstElement * element, const gchar * path,
    gboolean sends)
{
  GstStructure *stats = get_stats (element), *common;
  GString *labels = begin_labels (path);
  const GValue *flows;
  guint i, n = get_parts (stats, "flows", &flows);

  gst_tfrc_metrics_add_fields (scrape->exposition, gst_tfrc_filter_metrics,
      stats, labels->str);
  /* The circuit breaker is that of a flow, the connection that of the filter. */
  common = gst_structure_copy (stats);
  gst_structure_remove_field (common, "breaker");
  gst_tfrc_metrics_add_states (scrape->exposition, common, labels->str);
  gst_structure_free (common);
  if (sends)
    add_allowance (scrape, element, labels->str);
  for (i = 0; i < n; i++)
    if (take_flow (scrape))
      add_ssrc_flow (scrape, get_part (flows, i), path, sends);
  g_string_free (labels, TRUE);
  gst_structure_free (stats);
}

static void
add_send (Scrape * scrape, GstElement * element, const gchar * path)
{
  add_filter (scrape, element, path, TRUE);
}

static void
add_receive (Scrape * scrape, GstElement * element, const gchar * path)
{
  add_filter (scrape, element, path, FALSE);
}

/* --- tfrcbin --- */

static void
add_part (Scrape * scrape, const GstStructure * peer, const gchar * name,
    const GstTfrcMetricRow * rows, const gchar * labels)
{
  const GValue *value = gst_structure_get_value (peer, name);
  const GstStructure *part;

  if (value == NULL)
    return;
  part = gst_value_get_structure (value);
  gst_tfrc_metrics_add_fields (scrape->exposition, rows, part, labels);
  gst_tfrc_metrics_add_states (scrape->exposition, part, labels);
}

static void
add_ecn_state (Scrape * scrape, const GstStructure * peer, const gchar * labels)
{
  const GValue *value = gst_structure_get_value (peer, "ecn");
  GstStructure *state;

  if (value == NULL)
    return;
  state = gst_structure_new ("ecn", "ecn-state", G_TYPE_STRING,
      gst_structure_get_string (gst_value_get_structure (value), "state"),
      NULL);
  gst_tfrc_metrics_add_states (scrape->exposition, state, labels);
  gst_structure_free (state);
}

static void
add_peer_info (Scrape * scrape, const GstStructure * peer, const gchar * labels)
{
  GString *info = g_string_new (labels);
  const GValue *session = gst_structure_get_value (peer, "session");

  if (session != NULL) {
    append_ssrc (info, "ssrc", gst_value_get_structure (session), "ssrc");
    append_ssrc (info, "remote_ssrc", gst_value_get_structure (session),
        "remote-ssrc");
  }
  add_flow_info (scrape, info, peer, "tfrcbin");
  g_string_free (info, TRUE);
}

static void
add_peer (Scrape * scrape, const GstStructure * peer, const gchar * path)
{
  GString *labels = begin_labels (path);
  GstTfrcExposition *exposition = scrape->exposition;

  append_ssrc (labels, "peer", peer, "id");
  add_peer_info (scrape, peer, labels->str);
  gst_tfrc_metrics_add_fields (exposition, gst_tfrc_peer_metrics, peer,
      labels->str);
  gst_tfrc_metrics_add_states (exposition, peer, labels->str);
  add_part (scrape, peer, "data-sender", gst_tfrc_sender_metrics, labels->str);
  add_part (scrape, peer, "data-receiver", gst_tfrc_receiver_metrics,
      labels->str);
  add_part (scrape, peer, "session", gst_tfrc_session_metrics, labels->str);
  add_part (scrape, peer, "playout", gst_tfrc_playout_metrics, labels->str);
  add_part (scrape, peer, "ecn", gst_tfrc_ecn_metrics, labels->str);
  add_ecn_state (scrape, peer, labels->str);
  g_string_free (labels, TRUE);
}

static void
add_bin (Scrape * scrape, GstElement * element, const gchar * path)
{
  GstStructure *stats = get_stats (element);
  GString *labels = begin_labels (path);
  const GValue *peers;
  guint i, n = get_parts (stats, "peers", &peers);

  gst_tfrc_metrics_add_fields (scrape->exposition, gst_tfrc_port_metrics,
      stats, labels->str);
  for (i = 0; i < n; i++)
    if (take_flow (scrape))
      add_peer (scrape, get_part (peers, i), path);
  g_string_free (labels, TRUE);
  gst_structure_free (stats);
}

/* --- encoders and decoders --- */

static gboolean is_flow_element (GstElement * element);

/* Labels: the element, and the peer of tfrcbin, that an encoder's packets depart by. */
static void
append_route (GString * labels, GstElement * encoder)
{
  GstPad *sink = gst_tfrc_encoder_route_find_end (encoder, is_flow_element);
  GstElement *flow = sink != NULL ? gst_pad_get_parent_element (sink) : NULL;
  gchar *path;

  if (flow != NULL) {
    path = gst_object_get_path_string (GST_OBJECT (flow));
    gst_tfrc_exposition_append_label (labels, "flow", path);
    if (g_str_has_prefix (GST_PAD_NAME (sink), "send_sink_"))
      gst_tfrc_exposition_append_label (labels, "peer",
          GST_PAD_NAME (sink) + strlen ("send_sink_"));
    g_free (path);
  }
  gst_clear_object (&flow);
  gst_clear_object (&sink);
}

static void
add_encoder (Scrape * scrape, GstElement * element, const gchar * path)
{
  GString *labels = begin_labels (path);
  gchar *codec = NULL;

  gst_tfrc_metrics_add_properties (scrape->exposition,
      gst_tfrc_encoder_metrics, G_OBJECT (element), labels->str);
  append_route (labels, element);
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element),
          "current-codec") != NULL)
    g_object_get (element, "current-codec", &codec, NULL);
  if (codec != NULL)
    gst_tfrc_exposition_append_label (labels, "codec", codec);
  gst_tfrc_exposition_add (scrape->exposition, &encoder_info, labels->str, 1);
  g_free (codec);
  g_string_free (labels, TRUE);
}

static void
add_decoder (Scrape * scrape, GstElement * element, const gchar * path)
{
  GstStructure *stats = get_stats (element);
  GString *labels = begin_labels (path);

  gst_tfrc_metrics_add_fields (scrape->exposition, gst_tfrc_decoder_metrics,
      stats, labels->str);
  g_string_free (labels, TRUE);
  gst_structure_free (stats);
}

/* --- all of them --- */

static const struct
{
  const gchar *factory;
  AddElement add;
  gboolean has_flows;
} kinds[] = {
  {"tfrcbin", add_bin, TRUE},
  {"tfrcsink", add_sink, TRUE},
  {"tfrcsrc", add_src, TRUE},
  {"rtptfrcsend", add_send, TRUE},
  {"rtptfrcreceive", add_receive, TRUE},
  {"tfrcencodebin", add_encoder, FALSE},
  {"tfrcencodercontrol", add_encoder, FALSE},
  {"tfrcdecodebin", add_decoder, FALSE}
};

/* The index in `kinds`, or -1. */
static gint
find_kind (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  guint i;

  if (factory == NULL)
    return -1;
  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (GST_OBJECT_NAME (factory), kinds[i].factory))
      return i;
  return -1;
}

gboolean
gst_tfrc_flow_metrics_knows (GstElement * element)
{
  return find_kind (element) >= 0;
}

static gboolean
is_flow_element (GstElement * element)
{
  gint kind = find_kind (element);

  return kind >= 0 && kinds[kind].has_flows;
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  gchar *first = gst_object_get_path_string (*(GstObject * const *) a);
  gchar *second = gst_object_get_path_string (*(GstObject * const *) b);
  gint order = strcmp (first, second);

  g_free (first);
  g_free (second);
  return order;
}

/* The path of an element, with a number behind it when the pipelines of several have the same name: no two
 * samples may have the same labels. */
static gchar *
make_path (GstElement * element, GHashTable * paths)
{
  gchar *path = gst_object_get_path_string (GST_OBJECT (element)), *numbered;
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (paths, path)) + 1;

  g_hash_table_insert (paths, g_strdup (path), GUINT_TO_POINTER (n));
  if (n == 1)
    return path;
  numbered = g_strdup_printf ("%s#%u", path, n);
  g_free (path);
  return numbered;
}

static void
add_process (Scrape * scrape)
{
  GString *labels = g_string_new (NULL);

  gst_tfrc_exposition_append_label (labels, "version", VERSION);
  gst_tfrc_exposition_add (scrape->exposition, &build_info, labels->str, 1);
  g_string_free (labels, TRUE);
  gst_tfrc_exposition_add (scrape->exposition, &flow_count, "", scrape->flows);
  gst_tfrc_exposition_add (scrape->exposition, &omitted_count, "",
      scrape->omitted);
}

gchar *
gst_tfrc_flow_metrics_to_text (GPtrArray * elements, guint max_flows,
    gboolean openmetrics)
{
  Scrape scrape = { gst_tfrc_exposition_new (), max_flows, 0, 0 };
  GHashTable *paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  gchar *text;
  guint i;

  g_ptr_array_sort (elements, compare_paths);
  for (i = 0; i < elements->len; i++) {
    GstElement *element = elements->pdata[i];
    gchar *path = make_path (element, paths);

    kinds[find_kind (element)].add (&scrape, element, path);
    g_free (path);
  }
  g_hash_table_unref (paths);
  add_process (&scrape);
  text = gst_tfrc_exposition_to_text (scrape.exposition, openmetrics);
  gst_tfrc_exposition_free (scrape.exposition);
  return text;
}
