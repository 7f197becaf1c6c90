/* gst-tfrc tests: the metrics of calls agree with the statistics of the elements
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstharness.h>
#include <gst/rtp/gstrtpbuffer.h>
#include <math.h>
#include <string.h>

#include "callend.h"
#include "ends.h"
#include "metrics/elementlist.h"
#include "metrics/exposition.h"
#include "metrics/flowmetrics.h"
#include "metrics/metrictable.h"

/* --- a reader of the text --- */

typedef struct
{
  GHashTable *samples;          /* name{labels}: value as text */
  GHashTable *types;            /* name of a family: its type */
  guint n;
} Text;

/* Each line is read to its end; a family is in one piece, and no sample comes twice. */
static void
read_line (Text * text, const gchar * line, GHashTable * closed,
    gchar ** family)
{
  gchar **words = g_strsplit (line, " ", 4), *name, *brace;

  if (g_str_equal (words[0], "#")) {
    if (g_str_equal (words[1], "TYPE")) {
      fail_unless (!g_hash_table_contains (closed, words[2]), "%s", line);
      g_hash_table_add (closed, g_strdup (words[2]));
      g_hash_table_insert (text->types, g_strdup (words[2]),
          g_strdup (words[3]));
      g_free (*family);
      *family = g_strdup (words[2]);
    }
    g_strfreev (words);
    return;
  }
  g_strfreev (words);
  brace = strrchr (line, '}');
  fail_unless (brace != NULL && brace[1] == ' ', "%s", line);
  fail_unless (g_str_has_prefix (line, *family), "%s is in %s", line, *family);
  name = g_strndup (line, brace + 1 - line);
  fail_unless (g_hash_table_insert (text->samples, name, g_strdup (brace + 2)),
      "%s comes twice", name);
  text->n++;
}

static void
text_read (Text * text, const gchar * all)
{
  gchar **lines = g_strsplit (all, "\n", -1), *family = NULL;
  GHashTable *closed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  guint i;

  text->samples = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      g_free);
  text->types = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  text->n = 0;
  for (i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    read_line (text, lines[i], closed, &family);
  fail_unless (lines[i] != NULL && lines[i + 1] == NULL,
      "the text does not end with a line");
  g_hash_table_unref (closed);
  g_free (family);
  g_strfreev (lines);
}

static void
text_clear (Text * text)
{
  g_hash_table_unref (text->samples);
  g_hash_table_unref (text->types);
}

/* What a scrape of these elements gives; NULL ends them. */
static gchar *
scrape (gboolean openmetrics, guint max_flows, gpointer element, ...)
{
  GPtrArray *elements = g_ptr_array_new ();
  gchar *text;
  va_list args;

  va_start (args, element);
  for (; element != NULL; element = va_arg (args, gpointer)) {
    fail_unless (gst_tfrc_flow_metrics_knows (element));
    g_ptr_array_add (elements, element);
  }
  va_end (args);
  text = gst_tfrc_flow_metrics_to_text (elements, max_flows, openmetrics);
  g_ptr_array_unref (elements);
  return text;
}

static const gchar *
get_sample (Text * text, const gchar * name, const gchar * labels)
{
  gchar *key = g_strdup_printf ("%s{%s}", name, labels);
  const gchar *value = g_hash_table_lookup (text->samples, key);

  fail_unless (value != NULL, "there is no %s", key);
  g_free (key);
  return value;
}

static gdouble
get_number (Text * text, const gchar * name, const gchar * labels)
{
  return g_ascii_strtod (get_sample (text, name, labels), NULL);
}

/* Each field that a table names and the structure has is a sample of that value; the number of them. `missing` has
 * the names of fields that the structure may lack. */
static guint
expect_table (Text * text, const GstTfrcMetricRow * rows,
    const GstStructure * stats, const gchar * labels, const gchar * missing)
{
  guint n = 0;

  for (; rows->field != NULL; rows++) {
    const GValue *value = gst_tfrc_metric_get_field (stats, rows->field);
    gboolean counts = rows->metric.type == GST_TFRC_METRIC_COUNTER;
    gchar *name = g_strconcat (rows->metric.name, counts ? "_total" : "", NULL);
    gchar *all = rows->labels == NULL ? g_strdup (labels) :
        g_strconcat (labels, ",", rows->labels, NULL);
    gdouble number, got;

    if (value != NULL) {
      fail_unless (gst_tfrc_metric_get_number (value, &number));
      got = get_number (text, name, all);
      fail_unless (ABS (got - number * rows->scale) <= 1e-12 * ABS (got),
          "%s{%s}: %g, not %g", name, all, got, number * rows->scale);
      n++;
    } else {
      fail_unless (strstr (missing, rows->field) != NULL,
          "the statistics have no %s", rows->field);
    }
    g_free (name);
    g_free (all);
  }
  return n;
}

static GstStructure *
get_part (const GstStructure * stats, const gchar * name)
{
  GstStructure *part = NULL;

  fail_unless (gst_structure_get (stats, name, GST_TYPE_STRUCTURE, &part,
          NULL), "there is no %s", name);
  return part;
}

static GstStructure *
get_stats (GstElement * element)
{
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);
  return stats;
}

static gchar *
get_labels (GstElement * element, const gchar * more)
{
  gchar *path = gst_object_get_path_string (GST_OBJECT (element));
  gchar *labels = g_strdup_printf ("element=\"%s\"%s", path, more);

  g_free (path);
  return labels;
}

/* --- tfrcbin --- */

#define NOT_OF_A_PEER "ssrc-changes reports-doubted rtcp-malformed " \
    "rtcp-wrong-media-ssrc rtcp-wrong-sender-ssrc source-changes "
#define DTLS "handshakes handshakes-failed hellos hellos-limited " \
    "handshakes-running "
#define FLAT_PLAYOUT "playout-delay playout-late playout-dropped playout-blocked "
#define FLAT_ECN "ecn-packets-marked ecn-remote-ce ecn-ect0 ecn-ect1 ecn-ce " \
    "ecn-not-ect "

static void
expect_part (Text * text, const GstTfrcMetricRow * rows,
    const GstStructure * peer, const gchar * name, const gchar * labels,
    const gchar * missing)
{
  GstStructure *part = get_part (peer, name);

  fail_unless (expect_table (text, rows, part, labels, missing) > 0);
  gst_structure_free (part);
}

GST_START_TEST (the_metrics_of_tfrcbin_are_its_statistics)
{
  static CallEnd a, b;
  GstStructure *stats, *peer;
  gchar *all, *port, *labels;
  Text text;

  call_start_pair (&a, &b, "mode=tfrc-sp", "mode=tfrc-sp");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  all = scrape (FALSE, 100, a.call, NULL);
  text_read (&text, all);
  stats = get_stats (a.call);
  peer = call_end_get_peer_stats (&a, 0);
  port = get_labels (a.call, "");
  labels = get_labels (a.call, ",peer=\"0\"");

  fail_unless (expect_table (&text, gst_tfrc_port_metrics, stats, port,
          DTLS) > 10);
  fail_unless (expect_table (&text, gst_tfrc_peer_metrics, peer, labels,
          DTLS) > 5);
  expect_part (&text, gst_tfrc_sender_metrics, peer, "data-sender", labels,
      NOT_OF_A_PEER);
  expect_part (&text, gst_tfrc_receiver_metrics, peer, "data-receiver", labels,
      NOT_OF_A_PEER);
  expect_part (&text, gst_tfrc_session_metrics, peer, "session", labels, "");
  expect_part (&text, gst_tfrc_playout_metrics, peer, "playout", labels,
      FLAT_PLAYOUT);
  expect_part (&text, gst_tfrc_ecn_metrics, peer, "ecn", labels, FLAT_ECN);

  /* The call is one, so that zeros do not agree with zeros. */
  fail_unless (get_number (&text, "tfrc_sender_packets_total", labels) > 200);
  fail_unless (get_number (&text, "tfrc_receiver_packets_total", labels) > 200);
  fail_unless (get_number (&text, "tfrc_sender_round_trip_time_seconds",
          labels) > 0);
  fail_unless (get_number (&text, "tfrc_sender_allowed_rate_bytes_per_second",
          labels) > 1000);
  fail_unless_equals_string (get_sample (&text, "tfrc_flows", ""), "1");
  fail_unless_equals_string (g_hash_table_lookup (text.types,
          "tfrc_sender_packets_total"), "counter");
  g_free (labels);
  labels = get_labels (a.call, ",peer=\"0\",state=\"connected\"");
  fail_unless_equals_string (get_sample (&text, "tfrc_connection_state",
          labels), "1");
  g_free (labels);
  labels = get_labels (a.call, ",peer=\"0\",state=\"closed\"");
  fail_unless_equals_string (get_sample (&text, "tfrc_circuit_breaker_state",
          labels), "1");
  g_free (labels);
  g_free (port);
  gst_structure_free (peer);
  gst_structure_free (stats);
  g_free (all);
  text_clear (&text);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* What a flow is called, which its owner may choose at will, does not spoil the text. */
GST_START_TEST (a_label_of_a_peer_is_escaped)
{
  static CallEnd a;
  gchar *all, *labels;
  GstStructure *peer, *session;
  Text text;
  guint id, ssrc, remote_ssrc;

  call_end_start (&a, "");
  id = call_end_add_peer (&a, "127.0.0.1", 6004, "an \"apostrophe\\\nhere");
  peer = call_end_get_peer_stats (&a, id);
  session = get_part (peer, "session");
  gst_structure_get (session, "ssrc", G_TYPE_UINT, &ssrc, "remote-ssrc",
      G_TYPE_UINT, &remote_ssrc, NULL);
  all = scrape (TRUE, 100, a.call, NULL);
  text_read (&text, all);
  labels = g_strdup_printf (",peer=\"%u\",ssrc=\"%u\",remote_ssrc=\"%u\","
      "kind=\"tfrcbin\",label=\"an \\\"apostrophe\\\\\\nhere\","
      "address=\"127.0.0.1:6004\"", id, ssrc, remote_ssrc);
  g_free (all);
  all = get_labels (a.call, labels);
  fail_unless_equals_string (get_sample (&text, "tfrc_flow_info", all), "1");
  fail_unless_equals_string (g_hash_table_lookup (text.types, "tfrc_flow"),
      "info");
  g_free (all);
  g_free (labels);
  gst_structure_free (session);
  gst_structure_free (peer);
  text_clear (&text);
  call_end_stop (&a);
}

GST_END_TEST;

GST_START_TEST (flows_above_the_limit_are_counted)
{
  static CallEnd a;
  gchar *all, *labels;
  Text text;
  guint i;

  call_end_start (&a, "");
  for (i = 0; i < 5; i++)
    call_end_add_peer (&a, "127.0.0.1", 6010 + 2 * i, NULL);
  all = scrape (FALSE, 3, a.call, NULL);
  text_read (&text, all);
  labels = get_labels (a.call, "");
  get_sample (&text, "tfrc_port_received_bytes_total", labels);
  fail_unless_equals_string (get_sample (&text, "tfrc_flows", ""), "5");
  fail_unless_equals_string (get_sample (&text, "tfrc_omitted_flows", ""), "2");
  fail_unless (strstr (all, "tfrc_flow_info{") != NULL);
  for (i = 0, g_free (labels), labels = strstr (all, "tfrc_flow_info{");
      labels != NULL; labels = strstr (labels + 1, "tfrc_flow_info{"))
    i++;
  fail_unless_equals_int (i, 3);
  g_free (all);
  text_clear (&text);
  call_end_stop (&a);
}

GST_END_TEST;

/* --- tfrcsink, tfrcsrc, tfrcencodebin, tfrcdecodebin --- */

#define NOT_OF_A_SINK "source-changes packets-of-others packets-refused " \
    "packets-unknown-payload"
#define PARTS_OF_ECN "packets-marked remote-ce ect0 ect1 ce not-ect "

/* What else is known of the flow of an element: `more` has the labels behind its SSRC. */
static void
expect_flow_info (Text * text, GstElement * element, guint ssrc,
    const gchar * more)
{
  gchar *all = g_strdup_printf (",ssrc=\"%u\",%s", ssrc, more);
  gchar *labels = get_labels (element, all);

  fail_unless_equals_string (get_sample (text, "tfrc_flow_info", labels), "1");
  g_free (labels);
  g_free (all);
}

static void
expect_end (Text * text, GstElement * end, gboolean sends)
{
  GstStructure *stats = get_stats (end);
  gchar *labels = get_labels (end, "");
  guint ssrc;

  fail_unless (gst_structure_get_uint (stats, "ssrc", &ssrc) && ssrc != 0);
  expect_flow_info (text, end, ssrc, sends ?
      "kind=\"tfrcsink\",label=\"sink\",feedback=\"tfrc\"" :
      "kind=\"tfrcsrc\",label=\"src\"");
  expect_table (text,
      sends ? gst_tfrc_sender_metrics : gst_tfrc_receiver_metrics, stats,
      labels, "ssrc-changes");
  expect_table (text, gst_tfrc_end_metrics, stats, labels,
      sends ? NOT_OF_A_SINK DTLS : DTLS);
  expect_table (text, gst_tfrc_ecn_metrics, stats, labels,
      PARTS_OF_ECN FLAT_ECN);
  if (!sends)
    expect_table (text, gst_tfrc_playout_metrics, stats, labels,
        "delay waiting packets lost late duplicates dropped blocked");
  g_free (labels);
  labels = get_labels (end, ",state=\"connected\"");
  fail_unless_equals_string (get_sample (text, "tfrc_connection_state",
          labels), "1");
  g_free (labels);
  gst_structure_free (stats);
}

GST_START_TEST (the_metrics_of_tfrcsink_and_tfrcsrc_are_their_statistics)
{
  Ends ends = { 0 };
  NetRules rules = { .delay = 20 * GST_MSECOND };
  gchar *all, *labels;
  guint allowed;
  Text text;

  ends_start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  net_set_rules (ends.port, &rules);
  ends_play (&ends, 5 * GST_SECOND);
  all = scrape (FALSE, 100, ends.sink, ends.src, NULL);
  text_read (&text, all);
  expect_end (&text, ends.sink, TRUE);
  expect_end (&text, ends.src, FALSE);
  labels = get_labels (ends.sink, "");
  g_object_get (ends.sink, "allowed-bitrate", &allowed, NULL);
  fail_unless (allowed > 1000);
  fail_unless_equals_float (get_number (&text,
          "tfrc_sender_allowed_payload_rate_bytes_per_second", labels),
      allowed / 8.0);
  g_free (labels);
  labels = get_labels (ends.src, "");
  fail_unless (get_number (&text, "tfrc_receiver_packets_total", labels) > 200);
  g_free (labels);
  g_free (all);
  text_clear (&text);
  ends_stop (&ends);
}

GST_END_TEST;

/* Elements without a call have metrics as well, and the encoder says by which flow it sends. */
GST_START_TEST (the_encoder_names_the_flow_that_it_sends_by)
{
  GstElement *pipeline = gst_parse_launch ("tfrcbin name=call port=0 "
      "peer=127.0.0.1:6002 audiotestsrc ! tfrcencodebin name=e ! queue "
      "! call.send_sink_0 fakesrc ! tfrcdecodebin name=d ! fakesink", NULL);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  GstElement *decoder = gst_bin_get_by_name (GST_BIN (pipeline), "d");
  GstElement *call = gst_bin_get_by_name (GST_BIN (pipeline), "call");
  gchar *all = scrape (FALSE, 100, encoder, decoder, NULL);
  gchar *path = gst_object_get_path_string (GST_OBJECT (call));
  gchar *more = g_strdup_printf (",flow=\"%s\",peer=\"0\",codec=\"OPUS\"",
      path), *labels = get_labels (encoder, more);
  const GstTfrcMetricRow *row;
  GstStructure *stats = get_stats (decoder);
  Text text;

  text_read (&text, all);
  fail_unless_equals_string (get_sample (&text, "tfrc_encoder_info", labels),
      "1");
  g_free (labels);
  labels = get_labels (encoder, "");
  for (row = gst_tfrc_encoder_metrics; row->field != NULL; row++)
    get_sample (&text, row->metric.name, labels);
  g_free (labels);
  labels = get_labels (decoder, "");
  fail_unless_equals_int (expect_table (&text, gst_tfrc_decoder_metrics, stats,
          labels, ""), 6);
  g_free (labels);
  gst_structure_free (stats);
  g_free (more);
  g_free (path);
  g_free (all);
  text_clear (&text);
  gst_object_unref (call);
  gst_object_unref (encoder);
  gst_object_unref (decoder);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* The metric of the encoder and the statistics of the flow are one value, and the flow has no metric of it besides. */
GST_START_TEST (the_expected_mos_is_that_of_the_statistics_of_the_flow)
{
  GstElement *pipeline = gst_parse_launch ("tfrcbin name=call port=0 "
      "peer=127.0.0.1:6002 audiotestsrc is-live=true ! tfrcencodebin name=e "
      "! queue ! call.send_sink_0", NULL);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  GstElement *call = gst_bin_get_by_name (GST_BIN (pipeline), "call");
  gchar *all, *labels = get_labels (encoder, "");
  const GstStructure *sender;
  GstStructure *peer;
  gdouble mos;
  Text text;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  net_run (GST_SECOND);
  all = scrape (FALSE, 100, encoder, call, NULL);
  text_read (&text, all);
  g_signal_emit_by_name (call, "get-peer-stats", 0, &peer);
  sender = gst_value_get_structure (gst_structure_get_value (peer,
          "data-sender"));
  fail_unless (gst_structure_get_double (sender, "expected-quality", &mos));
  fail_unless (mos > 3);
  fail_unless_equals_float (get_number (&text, "tfrc_encoder_expected_mos",
          labels), mos);
  fail_unless (strstr (all, "mos{") == g_strrstr (all, "mos{"));
  gst_structure_free (peer);
  g_free (labels);
  g_free (all);
  text_clear (&text);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (call);
  gst_object_unref (encoder);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Pipelines of one name do not make the same sample twice, which a scraper would refuse. */
GST_START_TEST (elements_of_one_path_have_samples_each)
{
  GstElement *sinks[3], *pipelines[3];
  gchar *all, *labels;
  Text text;
  guint i;

  for (i = 0; i < 3; i++) {
    pipelines[i] = gst_pipeline_new ("same");
    sinks[i] = gst_element_factory_make ("tfrcsink", "sink");
    gst_bin_add (GST_BIN (pipelines[i]), sinks[i]);
  }
  all = scrape (FALSE, 100, sinks[0], sinks[1], sinks[2], NULL);
  text_read (&text, all);
  labels = get_labels (sinks[0], "");
  get_sample (&text, "tfrc_sender_packets_total", labels);
  get_sample (&text, "tfrc_sender_packets_total",
      "element=\"/GstPipeline:same/GstTfrcSink:sink#3\"");
  fail_unless_equals_string (get_sample (&text, "tfrc_flows", ""), "3");
  g_free (labels);
  g_free (all);
  text_clear (&text);
  for (i = 0; i < 3; i++)
    gst_object_unref (pipelines[i]);
}

GST_END_TEST;

/* --- the filters --- */

GST_START_TEST (the_metrics_of_the_filters_are_those_of_each_ssrc)
{
  GstHarness *h = gst_harness_new_parse
      ("rtptfrcsend mode=tfrc-sp sync=false ! rtptfrcreceive mode=tfrc-sp");
  GstElement *bin = h->element, *send, *receive;
  GstIterator *it = gst_bin_iterate_elements (GST_BIN (bin));
  GValue item = G_VALUE_INIT;
  gchar *all, *labels;
  GstStructure *stats;
  const GValue *flows;
  Text text;
  guint i;

  send = receive = NULL;
  while (gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);

    if (g_str_has_prefix (GST_OBJECT_NAME (element), "rtptfrcsend"))
      send = element;
    else
      receive = element;
    g_value_reset (&item);
  }
  gst_iterator_free (it);
  gst_harness_set_src_caps_str (h, CALL_CAPS);
  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_rtp_buffer_new_allocate (100, 0, 0);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
    gst_rtp_buffer_set_ssrc (&rtp, 100 + i);
    gst_rtp_buffer_set_payload_type (&rtp, 96);
    gst_rtp_buffer_unmap (&rtp);
    GST_BUFFER_PTS (buffer) = 0;
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
  all = scrape (FALSE, 100, send, receive, NULL);
  text_read (&text, all);
  stats = get_stats (send);
  flows = gst_structure_get_value (stats, "flows");
  fail_unless_equals_int (gst_value_array_get_size (flows), 3);
  for (i = 0; i < 3; i++) {
    const GstStructure *flow =
        gst_value_get_structure (gst_value_array_get_value (flows, i));
    gchar *more = g_strdup_printf (",ssrc=\"%u\"", 100 + i);

    labels = get_labels (send, more);
    fail_unless (expect_table (&text, gst_tfrc_sender_metrics, flow, labels,
            NOT_OF_A_PEER) > 20);
    g_free (labels);
    g_free (more);
    expect_flow_info (&text, send, 100 + i,
        "kind=\"rtptfrcsend\",feedback=\"tfrc\"");
    expect_flow_info (&text, receive, 100 + i, "kind=\"rtptfrcreceive\"");
  }
  gst_structure_free (stats);
  stats = get_stats (receive);
  labels = get_labels (receive, "");
  expect_table (&text, gst_tfrc_filter_metrics, stats, labels, "passed refused "
      "rtcp-malformed rtcp-wrong-media-ssrc rtcp-wrong-sender-ssrc "
      "rtcp-reports-sent");
  g_free (labels);
  gst_structure_free (stats);
  g_free (all);
  text_clear (&text);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- the text --- */

GST_START_TEST (families_are_written_in_both_formats)
{
  static const GstTfrcMetric counter = { "a_b", GST_TFRC_METRIC_COUNTER, "B." };
  static const GstTfrcMetric gauge =
      { "c_seconds", GST_TFRC_METRIC_GAUGE, "C." };
  GstTfrcExposition *exposition = gst_tfrc_exposition_new ();
  gchar *text;

  gst_tfrc_exposition_add (exposition, &counter, "x=\"1\"", 5e9);
  gst_tfrc_exposition_add (exposition, &gauge, "", 0.1);
  gst_tfrc_exposition_add (exposition, &counter, "x=\"2\"", 6);
  gst_tfrc_exposition_add (exposition, &gauge, "y=\"\"", INFINITY);
  text = gst_tfrc_exposition_to_text (exposition, TRUE);
  fail_unless_equals_string (text, "# HELP a_b B.\n# TYPE a_b counter\n"
      "a_b_total{x=\"1\"} 5000000000\na_b_total{x=\"2\"} 6\n"
      "# HELP c_seconds C.\n# TYPE c_seconds gauge\n# UNIT c_seconds seconds\n"
      "c_seconds{} 0.1\nc_seconds{y=\"\"} +Inf\n# EOF\n");
  g_free (text);
  text = gst_tfrc_exposition_to_text (exposition, FALSE);
  fail_unless_equals_string (text, "# HELP a_b_total B.\n"
      "# TYPE a_b_total counter\n"
      "a_b_total{x=\"1\"} 5000000000\na_b_total{x=\"2\"} 6\n"
      "# HELP c_seconds C.\n# TYPE c_seconds gauge\n"
      "c_seconds{} 0.1\nc_seconds{y=\"\"} +Inf\n");
  g_free (text);
  gst_tfrc_exposition_free (exposition);
}

GST_END_TEST;

GST_START_TEST (a_label_is_cut_and_made_valid)
{
  GString *labels = g_string_new (NULL);
  gchar *many = g_strnfill (300, 'a'), *cut = g_strnfill (256, 'a');
  gchar *expected = g_strdup_printf ("x=\"%s\",y=\"\357\277\275\"", cut);

  gst_tfrc_exposition_append_label (labels, "x", many);
  gst_tfrc_exposition_append_label (labels, "y", "\xff");
  fail_unless_equals_string (labels->str, expected);
  g_free (expected);
  g_free (cut);
  g_free (many);
  g_string_free (labels, TRUE);
}

GST_END_TEST;

/* Times of the statistics are in ns, but for those that have a symbol of the RFCs; metrics are in seconds, bytes and
 * ratios. */
static gdouble
get_scale (const GstTfrcMetricRow * row)
{
  if (g_str_equal (row->field, "current-bitrate"))
    return 1 / 8.0;
  if (g_str_equal (row->field, "expected-loss"))
    return 1 / 100.0;
  return g_str_has_suffix (row->metric.name, "_seconds")
      && !g_str_has_prefix (row->field, "rfc/") ? 1e-9 : 1;
}

GST_START_TEST (each_field_has_the_scale_of_its_unit)
{
  const GstTfrcMetricRow *const tables[] = {
    gst_tfrc_sender_metrics, gst_tfrc_receiver_metrics,
    gst_tfrc_session_metrics, gst_tfrc_playout_metrics, gst_tfrc_ecn_metrics,
    gst_tfrc_peer_metrics, gst_tfrc_port_metrics, gst_tfrc_end_metrics,
    gst_tfrc_filter_metrics, gst_tfrc_decoder_metrics, gst_tfrc_encoder_metrics
  };
  const GstTfrcMetricRow *row;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    for (row = tables[i]; row->field != NULL; row++)
      fail_unless (row->scale == get_scale (row), "%s: %g", row->field,
          row->scale);
}

GST_END_TEST;

/* --- which elements there are --- */

GST_START_TEST (the_list_keeps_no_element_alive)
{
  GstTfrcElementList *list = gst_tfrc_element_list_new ();
  GstElement *one = gst_object_ref_sink (gst_element_factory_make ("tfrcsink",
          NULL));
  GstElement *other = gst_object_ref_sink (gst_element_factory_make ("tfrcsink",
          NULL));
  GPtrArray *found;

  gst_tfrc_element_list_add (list, one);
  gst_tfrc_element_list_add (list, other);
  ASSERT_OBJECT_REFCOUNT (one, "one", 1);
  found = gst_tfrc_element_list_get (list);
  fail_unless_equals_int (found->len, 2);
  g_ptr_array_unref (found);
  gst_object_unref (one);
  found = gst_tfrc_element_list_get (list);
  fail_unless_equals_int (found->len, 1);
  fail_unless (found->pdata[0] == other);
  g_ptr_array_unref (found);
  gst_tfrc_element_list_remove (list, other);
  gst_tfrc_element_list_remove (list, list);
  found = gst_tfrc_element_list_get (list);
  fail_unless_equals_int (found->len, 0);
  g_ptr_array_unref (found);
  gst_object_unref (other);
  gst_tfrc_element_list_free (list);
}

GST_END_TEST;

static Suite *
metrics_suite (void)
{
  Suite *s = suite_create ("metrics");
  TCase *calls = tcase_create ("calls"), *parts = tcase_create ("parts");

  tcase_add_checked_fixture (calls, net_start, net_stop);
  tcase_add_test (calls, the_metrics_of_tfrcbin_are_its_statistics);
  tcase_add_test (calls, a_label_of_a_peer_is_escaped);
  tcase_add_test (calls, flows_above_the_limit_are_counted);
  tcase_add_test (calls,
      the_metrics_of_tfrcsink_and_tfrcsrc_are_their_statistics);
  tcase_add_test (calls,
      the_expected_mos_is_that_of_the_statistics_of_the_flow);
  suite_add_tcase (s, calls);
  tcase_add_test (parts, the_encoder_names_the_flow_that_it_sends_by);
  tcase_add_test (parts, elements_of_one_path_have_samples_each);
  tcase_add_test (parts, the_metrics_of_the_filters_are_those_of_each_ssrc);
  tcase_add_test (parts, families_are_written_in_both_formats);
  tcase_add_test (parts, each_field_has_the_scale_of_its_unit);
  tcase_add_test (parts, a_label_is_cut_and_made_valid);
  tcase_add_test (parts, the_list_keeps_no_element_alive);
  suite_add_tcase (s, parts);
  return s;
}

GST_CHECK_MAIN (metrics);
