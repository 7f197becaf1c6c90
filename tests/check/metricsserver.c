/* gst-tfrc tests: what the server of the metrics answers, and the parameters of the tracer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The server listens on a port of loopback that the system chooses. Its time is a variable of the test: a definition of
 * g_get_monotonic_time() in a program goes before the one of GLib. */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "heap.h"
#include "metrics/gsttfrcmetrics.h"
#include "metrics/metricsserver.h"

#define CONNECTIONS 16          /* that the server has at most */
#define TEXT_AGE 100000         /* us that a text is answered with */
#define TIMEOUT 30              /* s after which a test that waits for an answer fails */

static gint now = 1000000;      /* us; atomic */
static gint n_texts[2];         /* that the server asked for, by format; atomic */

gint64
g_get_monotonic_time (void)
{
  return g_atomic_int_get (&now);
}

static gchar *
make_text (gboolean openmetrics, gpointer user_data)
{
  gint n = g_atomic_int_add (&n_texts[openmetrics], 1) + 1;

  fail_unless (user_data == n_texts);
  return g_strdup_printf ("%s %d\n", openmetrics ? "open" : "plain", n);
}

static GstTfrcMetricsServer *
start (const gchar * address, guint port)
{
  GError *error = NULL;
  GstTfrcMetricsServer *server = gst_tfrc_metrics_server_new (address, port,
      make_text, n_texts, &error);

  fail_unless (server != NULL, "%s", error ? error->message : "no error");
  fail_unless (error == NULL);
  return server;
}

/* --- a client --- */

static GSocketConnection *
connect_to (guint port)
{
  GSocketClient *client = g_socket_client_new ();
  GSocketConnection *connection;
  GError *error = NULL;

  g_socket_client_set_timeout (client, TIMEOUT);
  g_socket_client_set_enable_proxy (client, FALSE);
  connection = g_socket_client_connect_to_host (client, "127.0.0.1", port,
      NULL, &error);
  fail_unless (connection != NULL, "%s", error ? error->message : "no error");
  g_object_unref (client);
  return connection;
}

/* All that comes until the server ends the connection, which is freed. */
static gchar *
read_all (GSocketConnection * connection)
{
  GInputStream *in = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  GString *text = g_string_new (NULL);
  GError *error = NULL;
  gchar piece[4096];
  gssize n;

  while ((n = g_input_stream_read (in, piece, sizeof piece, NULL, &error)) > 0)
    g_string_append_len (text, piece, n);
  fail_unless (n == 0, "%s behind: %s", error ? error->message : "", text->str);
  g_object_unref (connection);
  return g_string_free (text, FALSE);
}

static void
write_text (GSocketConnection * connection, const gchar * text)
{
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (connection));

  fail_unless (g_output_stream_write_all (out, text, strlen (text), NULL, NULL,
          NULL));
}

static gchar *
ask (guint port, const gchar * request)
{
  GSocketConnection *connection = connect_to (port);

  write_text (connection, request);
  return read_all (connection);
}

#define GET "GET /metrics HTTP/1.1\r\nHost: localhost\r\n"

static void
expect_body (guint port, const gchar * request, const gchar * body)
{
  gchar *answer = ask (port, request), *end = strstr (answer, "\r\n\r\n");

  fail_unless (g_str_has_prefix (answer, "HTTP/1.1 200 "), "%s", answer);
  fail_unless (end != NULL, "%s", answer);
  fail_unless_equals_string (end + 4, body);
  g_free (answer);
}

static void
expect_status (guint port, const gchar * request, guint status)
{
  gchar *answer = ask (port, request);
  gchar *line = g_strdup_printf ("HTTP/1.1 %u ", status);

  fail_unless (g_str_has_prefix (answer, line), "%s\n%s", request, answer);
  g_free (line);
  g_free (answer);
}

/* --- requests --- */

GST_START_TEST (each_request_has_its_status)
{
  static const struct
  {
    const gchar *request;
    guint status;
  } cases[] = {
    {GET "\r\n", 200},
    {"HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 200},
    {"GET /metrics?a=b HTTP/1.1\r\nHost: localhost\r\n\r\n", 200},
    {"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 200},
    {"GET /metrics HTTP/1.1\r\nHost: [::1]:9464\r\n\r\n", 200},
    {"GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n\r\n", 403},
    {"GET /metrics HTTP/1.1\r\nHost: localhost.example\r\n\r\n", 403},
    {"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
        405},
    {"OPTIONS /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
    {GET "Content-Length: 0\r\n\r\n", 200},
    {GET "Content-Length: 1\r\n\r\na", 413},
    {GET "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 413},
    {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
    {"GET /metrics/more HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
    {"GET /metric HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
  };
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    expect_status (gst_tfrc_metrics_server_get_port (server), cases[i].request,
        cases[i].status);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

GST_START_TEST (a_refusal_says_what_there_is)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);
  gchar *answer = ask (gst_tfrc_metrics_server_get_port (server),
      "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

  fail_unless (strstr (answer, "\r\nContent-Type: text/plain\r\n") != NULL,
      "%s", answer);
  fail_unless (strstr (answer, "\r\nConnection: close\r\n") != NULL, "%s",
      answer);
  fail_unless (g_str_has_suffix (answer,
          "\r\n\r\nMetrics of gst-tfrc: GET /metrics\n"), "%s", answer);
  g_free (answer);
  fail_unless_equals_int (n_texts[0] + n_texts[1], 0);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

GST_START_TEST (the_format_is_the_one_that_is_accepted)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);
  guint port = gst_tfrc_metrics_server_get_port (server);
  gchar *answer = ask (port, GET "\r\n");

  fail_unless (strstr (answer,
          "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n")
      != NULL, "%s", answer);
  fail_unless (strstr (answer, "\r\nConnection: close\r\n") != NULL, "%s",
      answer);
  fail_unless (g_str_has_suffix (answer, "\r\n\r\nplain 1\n"), "%s", answer);
  g_free (answer);
  answer = ask (port, GET "Accept: text/plain, application/openmetrics-text\r\n"
      "\r\n");
  fail_unless (strstr (answer,
          "\r\nContent-Type: application/openmetrics-text; "
          "version=1.0.0; charset=utf-8\r\n") != NULL, "%s", answer);
  fail_unless (g_str_has_suffix (answer, "\r\n\r\nopen 1\n"), "%s", answer);
  g_free (answer);
  expect_body (port, GET "Accept: text/html\r\n\r\n", "plain 1\n");
  expect_body (port, "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "");
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

GST_START_TEST (a_text_is_made_again_when_it_is_old)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);
  guint port = gst_tfrc_metrics_server_get_port (server);

  expect_body (port, GET "\r\n", "plain 1\n");
  g_atomic_int_add (&now, TEXT_AGE - 1);
  expect_body (port, GET "\r\n", "plain 1\n");
  g_atomic_int_add (&now, 1);
  expect_body (port, GET "\r\n", "plain 2\n");
  g_atomic_int_add (&now, TEXT_AGE - 1);
  expect_body (port, GET "\r\n", "plain 2\n");
  expect_body (port, GET "Accept: application/openmetrics-text\r\n\r\n",
      "open 1\n");
  g_atomic_int_add (&now, 1);
  expect_body (port, GET "Accept: application/openmetrics-text\r\n\r\n",
      "open 1\n");
  expect_body (port, GET "\r\n", "plain 3\n");
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

/* --- connections --- */

GST_START_TEST (one_connection_too_many_ends_the_oldest)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);
  guint port = gst_tfrc_metrics_server_get_port (server), i;
  GSocketConnection *silent[CONNECTIONS + 1];
  gchar *text;

  for (i = 0; i < CONNECTIONS + 1; i++)
    silent[i] = connect_to (port);
  text = read_all (silent[0]);
  fail_unless_equals_string (text, "");
  g_free (text);
  for (i = 1; i < CONNECTIONS + 1; i++) {
    write_text (silent[i], GET "\r\n");
    text = read_all (silent[i]);
    fail_unless (g_str_has_suffix (text, "\r\n\r\nplain 1\n"), "%u: %s", i,
        text);
    g_free (text);
  }
  /* those that have ended do not count */
  for (i = 0; i < CONNECTIONS; i++)
    silent[i] = connect_to (port);
  write_text (silent[0], GET "\r\n");
  text = read_all (silent[0]);
  fail_unless (g_str_has_suffix (text, "\r\n\r\nplain 1\n"), "%s", text);
  g_free (text);
  for (i = 1; i < CONNECTIONS; i++)
    g_object_unref (silent[i]);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

static void
ask_often (guint port, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    expect_body (port, GET "\r\n", "plain 1\n");
}

/* A connection that stays takes three kilobytes. */
GST_START_TEST (connections_leave_no_memory_behind)
{
  GstTfrcMetricsServer *server;
  const guint n = 1000, most = 10 * n;
  guint port, i;
  gsize before;

  heap_set_up ();
  server = start ("127.0.0.1", 0);
  port = gst_tfrc_metrics_server_get_port (server);
  ask_often (port, n);
  before = heap_get_used ();
  ask_often (port, n);
  /* the server may still be closing the last of them */
  for (i = 0; i < 100 * TIMEOUT && heap_get_used () >= before + most; i++)
    g_usleep (10000);
  fail_unless (heap_get_used () < before + most, "%" G_GSIZE_FORMAT,
      heap_get_used () - before);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

GST_START_TEST (the_end_of_the_server_ends_connections_and_frees_the_port)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0), *next;
  guint port = gst_tfrc_metrics_server_get_port (server);
  GSocketConnection *silent = connect_to (port), *half = connect_to (port);
  gchar *text;

  write_text (half, "GET /metr");
  expect_body (port, GET "\r\n", "plain 1\n");
  gst_tfrc_metrics_server_free (server);
  text = read_all (silent);
  fail_unless_equals_string (text, "");
  g_free (text);
  text = read_all (half);
  fail_unless_equals_string (text, "");
  g_free (text);
  next = start ("127.0.0.1", port);
  fail_unless_equals_int (gst_tfrc_metrics_server_get_port (next), port);
  expect_body (port, GET "\r\n", "plain 2\n");
  gst_tfrc_metrics_server_free (next);
}

GST_END_TEST;

GST_START_TEST (a_server_for_all_interfaces_has_any_name)
{
  GstTfrcMetricsServer *server = start ("0.0.0.0", 0);

  expect_status (gst_tfrc_metrics_server_get_port (server),
      "GET /metrics HTTP/1.1\r\nHost: monitored.example\r\n\r\n", 200);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

static void
expect_no_server (const gchar * address, guint port, gint code)
{
  GError *error = NULL;

  fail_unless (gst_tfrc_metrics_server_new (address, port, make_text, n_texts,
          &error) == NULL);
  fail_unless (g_error_matches (error, G_IO_ERROR, code), "%s",
      error ? error->message : "no error");
  g_error_free (error);
}

GST_START_TEST (an_address_that_cannot_be_had_is_an_error)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);

  expect_no_server ("localhost", 0, G_IO_ERROR_INVALID_ARGUMENT);
  expect_no_server ("127.0.0.1", gst_tfrc_metrics_server_get_port (server),
      G_IO_ERROR_ADDRESS_IN_USE);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

/* --- the tracer --- */

static GString *messages;       /* of g_message() */
static gchar *served;           /* the line at INFO that has the address */

static void
on_message (const gchar * domain, GLogLevelFlags level, const gchar * message,
    gpointer data)
{
  g_string_append (messages, message);
}

static void
on_log (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (g_str_equal (gst_debug_category_get_name (category), "tfrcmetrics")
      && level == GST_LEVEL_INFO && served == NULL)
    served = g_strdup (gst_debug_message_get (message));
}

static void
set_up_tracer (void)
{
  g_log_set_handler ("GStreamer-TFRC", G_LOG_LEVEL_MESSAGE, on_message, NULL);
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("tfrcmetrics", GST_LEVEL_INFO);
  gst_debug_remove_log_function (NULL);
  gst_debug_add_log_function (on_log, NULL, NULL);
}

static GObject *
make_tracer (const gchar * parameters)
{
  messages = g_string_new (NULL);
  return g_object_new (GST_TYPE_TFRC_METRICS, "params", parameters, NULL);
}

/* The port of a tracer that serves on `host`. */
static guint
get_served_port (const gchar * host)
{
  gchar *start = g_strdup_printf ("metrics are at http://%s:", host), *end;
  guint64 port;

  fail_unless_equals_string (messages->str, "");
  fail_unless (served != NULL);
  fail_unless (g_str_has_prefix (served, start), "%s", served);
  port = g_ascii_strtoull (served + strlen (start), &end, 10);
  fail_unless_equals_string (end, "/metrics");
  g_free (start);
  return port;
}

static void
expect_refusal (const gchar * parameters, const gchar * start,
    const gchar * end)
{
  gst_object_unref (make_tracer (parameters));
  fail_unless (served == NULL, "%s", served);
  fail_unless (g_str_has_prefix (messages->str, start)
      && g_str_has_suffix (messages->str, end), "%s", messages->str);
  g_string_free (messages, TRUE);
}

#define REFUSED "tfrcmetrics: no metrics are served: "
#define IS_NONE "\" is no parameter. There are port=0 to 65535, " \
    "address=NUMBERS and max-flows=0 to 1000000, as in " \
    "GST_TRACERS=\"tfrcmetrics(port=9464,address=127.0.0.1)\""

static void
expect_no_parameter (const gchar * parameters, const gchar * wrong)
{
  gchar *message = g_strconcat (REFUSED "\"", wrong, IS_NONE, NULL);

  expect_refusal (parameters, message, "");
  g_free (message);
}

GST_START_TEST (wrong_parameters_are_told)
{
  expect_no_parameter ("port=65536", "port=65536");
  expect_no_parameter ("port=-1", "port=-1");
  expect_no_parameter ("port=http", "port=http");
  expect_no_parameter ("port=0,ports=1", "ports=1");
  expect_no_parameter ("max-flows=1000001,port=0", "max-flows=1000001");
  expect_no_parameter ("9464", "9464");
}

GST_END_TEST;

GST_START_TEST (a_tracer_that_is_refused_leaves_no_memory_behind)
{
  gsize before = 0;
  guint i;

  for (i = 0; i < 300; i++) {
    if (i == 100)
      before = heap_get_used ();
    expect_refusal ("address=127.0.0.1,ports=1", REFUSED, "");
  }
  fail_unless (heap_get_used () < before + 10000, "%" G_GSIZE_FORMAT,
      heap_get_used () - before);
}

GST_END_TEST;

GST_START_TEST (a_port_that_is_taken_is_told_with_the_next)
{
  GstTfrcMetricsServer *server = start ("127.0.0.1", 0);
  guint port = gst_tfrc_metrics_server_get_port (server);
  gchar *parameters = g_strdup_printf ("port=%u", port);
  gchar *first =
      g_strdup_printf (REFUSED "cannot listen on 127.0.0.1 port %u (",
      port);
  gchar *last = g_strdup_printf ("). Give another one, such as "
      "GST_TRACERS=\"tfrcmetrics(port=%u)\", or port=0 for any that is free",
      port < 65535 ? port + 1 : 9464);

  expect_refusal (parameters, first, last);
  expect_refusal ("address=localhost,port=65535",
      REFUSED "cannot listen on localhost port 65535 (\"localhost\" is no "
      "numeric IP address). Give another one, such as "
      "GST_TRACERS=\"tfrcmetrics(port=9464)\"", "");
  expect_refusal ("address=localhost,port=65534",
      REFUSED "cannot listen on localhost port 65534 (\"localhost\" is no "
      "numeric IP address). Give another one, such as "
      "GST_TRACERS=\"tfrcmetrics(port=65535)\"", "");
  g_free (last);
  g_free (first);
  g_free (parameters);
  gst_tfrc_metrics_server_free (server);
}

GST_END_TEST;

static gboolean
scrape_has (guint port, const gchar * text)
{
  gchar *answer;
  gboolean found;

  g_atomic_int_add (&now, TEXT_AGE);
  answer = ask (port, GET "\r\n");
  fail_unless (g_str_has_prefix (answer, "HTTP/1.1 200 "), "%s", answer);
  found = strstr (answer, text) != NULL;
  g_free (answer);
  return found;
}

/* A tracer stays as long as the process: the hooks of GStreamer have it. */
GST_START_TEST (the_tracer_knows_the_elements_of_the_plugin)
{
  GstElement *call, *other;
  guint port;

  gst_object_unref (make_tracer (" port = 0, max-flows=1"));
  port = get_served_port ("127.0.0.1");
  fail_unless (scrape_has (port, "\ntfrc_flows{} 0\n"));
  call = gst_object_ref_sink (gst_element_factory_make ("tfrcsink", "one"));
  other = gst_object_ref_sink (gst_element_factory_make ("fakesink", "none"));
  fail_unless (scrape_has (port, "\ntfrc_flows{} 1\n"));
  fail_unless (scrape_has (port, "\ntfrc_omitted_flows{} 0\n"));
  fail_unless (scrape_has (port, "{element=\"/GstTfrcSink:one\""));
  gst_object_unref (other);
  other = gst_object_ref_sink (gst_element_factory_make ("tfrcsink", "two"));
  fail_unless (scrape_has (port, "\ntfrc_flows{} 2\n"));
  fail_unless (scrape_has (port, "\ntfrc_omitted_flows{} 1\n"));
  gst_object_unref (call);
  fail_unless (scrape_has (port, "\ntfrc_omitted_flows{} 0\n"));
  fail_unless (!scrape_has (port, "GstTfrcSink:one"));
  gst_object_unref (other);
  fail_unless (scrape_has (port, "\ntfrc_flows{} 0\n"));
}

GST_END_TEST;

/* A machine without IPv6 cannot listen, which is told. */
GST_START_TEST (an_address_of_ipv6_has_brackets)
{
  gst_object_unref (make_tracer ("address=::1,port=0"));
  if (served == NULL)
    fail_unless (g_str_has_prefix (messages->str,
            REFUSED "cannot listen on ::1 port 0 ("), "%s", messages->str);
  else
    fail_unless (get_served_port ("[::1]") > 0);
}

GST_END_TEST;

static Suite *
metricsserver_suite (void)
{
  Suite *s = suite_create ("metricsserver");
  TCase *server = tcase_create ("server"), *tracer = tcase_create ("tracer");

  tcase_add_test (server, each_request_has_its_status);
  tcase_add_test (server, a_refusal_says_what_there_is);
  tcase_add_test (server, the_format_is_the_one_that_is_accepted);
  tcase_add_test (server, a_text_is_made_again_when_it_is_old);
  tcase_add_test (server, one_connection_too_many_ends_the_oldest);
  tcase_add_test (server, connections_leave_no_memory_behind);
  tcase_add_test (server,
      the_end_of_the_server_ends_connections_and_frees_the_port);
  tcase_add_test (server, a_server_for_all_interfaces_has_any_name);
  tcase_add_test (server, an_address_that_cannot_be_had_is_an_error);
  suite_add_tcase (s, server);
  tcase_add_checked_fixture (tracer, set_up_tracer, NULL);
  tcase_add_test (tracer, wrong_parameters_are_told);
  tcase_add_test (tracer, a_tracer_that_is_refused_leaves_no_memory_behind);
  tcase_add_test (tracer, a_port_that_is_taken_is_told_with_the_next);
  tcase_add_test (tracer, the_tracer_knows_the_elements_of_the_plugin);
  tcase_add_test (tracer, an_address_of_ipv6_has_brackets);
  suite_add_tcase (s, tracer);
  return s;
}

GST_CHECK_MAIN (metricsserver);
