/* gst-tfrc: serves the text of scrapes over HTTP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/metricsserver.h"

#include <libsoup/soup.h>
#include <string.h>

#define MAX_CONNECTIONS 16
#define MAX_CONNECTION_S 5
#define ACCEPT_PAUSE_MS 100     /* behind a connection that cannot be accepted */
#define TEXT_AGE (100 * G_TIME_SPAN_MILLISECOND)
#define PATH "/metrics"
#define OPENMETRICS_TYPE "application/openmetrics-text"

/* A text that was made not long ago. */
typedef struct
{
  GBytes *text;
  gint64 made;                  /* us */
} Text;

struct _GstTfrcMetricsServer
{
  GSocket *socket;
  guint port;
  gboolean loopback;
  GstTfrcMetricsSource source;
  gpointer user_data;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  /* of the thread */
  SoupServer *soup;
  GSource *wait;                /* for a connection, or for the end of a pause */
  GQueue connections;           /* Connection, the oldest first */
  Text texts[2];                /* by format */
};

typedef struct
{
  GstTfrcMetricsServer *server;
  GIOStream *stream;            /* without a reference: it ends when libsoup lets it go */
  GSource *deadline;
} Connection;

/* --- connections --- */

static void
connection_free (Connection * connection)
{
  g_source_destroy (connection->deadline);
  g_source_unref (connection->deadline);
  g_free (connection);
}

static void
on_connection_ended (gpointer data, GObject * stream)
{
  Connection *connection = data;

  g_queue_remove (&connection->server->connections, connection);
  connection_free (connection);
}

/* libsoup sees the end of the stream, and lets it go. */
static gboolean
end_connection (gpointer data)
{
  Connection *connection = data;

  g_socket_shutdown (g_socket_connection_get_socket (G_SOCKET_CONNECTION
          (connection->stream)), TRUE, TRUE, NULL);
  g_object_weak_unref (G_OBJECT (connection->stream), on_connection_ended,
      connection);
  on_connection_ended (connection, NULL);
  return G_SOURCE_REMOVE;
}

static void
add_connection (GstTfrcMetricsServer * self, GIOStream * stream)
{
  Connection *connection = g_new (Connection, 1);

  if (g_queue_get_length (&self->connections) >= MAX_CONNECTIONS)
    end_connection (g_queue_peek_head (&self->connections));
  connection->server = self;
  connection->stream = stream;
  connection->deadline = g_timeout_source_new_seconds (MAX_CONNECTION_S);
  g_source_set_callback (connection->deadline, end_connection, connection,
      NULL);
  g_source_attach (connection->deadline, self->context);
  g_object_weak_ref (G_OBJECT (stream), on_connection_ended, connection);
  g_queue_push_tail (&self->connections, connection);
}

/* FALSE: the client has gone. */
static gboolean
serve_stream (GstTfrcMetricsServer * self, GSocketConnection * stream)
{
  GSocketAddress *local = g_socket_connection_get_local_address (stream, NULL);
  GSocketAddress *remote = g_socket_connection_get_remote_address (stream,
      NULL);
  gboolean ok = local != NULL && remote != NULL;

  if (ok) {
    add_connection (self, G_IO_STREAM (stream));
    ok = soup_server_accept_iostream (self->soup, G_IO_STREAM (stream), local,
        remote, NULL);
  }
  g_clear_object (&local);
  g_clear_object (&remote);
  return ok;
}

static void wait_for_connections (GstTfrcMetricsServer * self);

/* Takes the source, which replaces what the thread has waited for. NULL: for no connection any more. */
static void
set_wait (GstTfrcMetricsServer * self, GSource * source, GSourceFunc function)
{
  if (self->wait != NULL) {
    g_source_destroy (self->wait);
    g_source_unref (self->wait);
  }
  self->wait = source;
  if (source == NULL)
    return;
  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, self->context);
}

static gboolean
on_pause_over (gpointer data)
{
  wait_for_connections (data);
  return G_SOURCE_REMOVE;
}

/* A connection that cannot be accepted, as when the process has no descriptor left, stays in the queue, and the socket
 * stays readable. */
static void
pause_after_error (GstTfrcMetricsServer * self, const GError * error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    set_wait (self, g_timeout_source_new (ACCEPT_PAUSE_MS), on_pause_over);
}

static gboolean
on_connection (GSocket * socket, GIOCondition condition, gpointer data)
{
  GstTfrcMetricsServer *self = data;
  GError *error = NULL;
  GSocket *accepted = g_socket_accept (socket, NULL, &error);
  GSocketConnection *stream;

  if (accepted == NULL) {
    pause_after_error (self, error);
    g_error_free (error);
    return G_SOURCE_CONTINUE;
  }
  stream = g_socket_connection_factory_create_connection (accepted);
  g_object_unref (accepted);
  if (!serve_stream (self, stream))
    g_io_stream_close (G_IO_STREAM (stream), NULL, NULL);
  g_object_unref (stream);
  return G_SOURCE_CONTINUE;
}

static void
wait_for_connections (GstTfrcMetricsServer * self)
{
  set_wait (self, g_socket_create_source (self->socket, G_IO_IN, NULL),
      G_SOURCE_FUNC (on_connection));
}

/* --- requests --- */

static GBytes *
get_text (GstTfrcMetricsServer * self, gboolean openmetrics)
{
  Text *text = &self->texts[openmetrics];
  gint64 now = g_get_monotonic_time ();
  gchar *made;

  if (text->text == NULL || now - text->made >= TEXT_AGE) {
    made = self->source (openmetrics, self->user_data);
    g_clear_pointer (&text->text, g_bytes_unref);
    text->text = g_bytes_new_take (made, strlen (made));
    text->made = now;
  }
  return text->text;
}

/* A page of another site cannot read what listens on loopback: its requests have the name of that site. */
static gboolean
is_host_right (const GstTfrcMetricsServer * self, SoupServerMessage * message)
{
  const gchar *host = g_uri_get_host (soup_server_message_get_uri (message));

  return !self->loopback || host == NULL || g_str_equal (host, "localhost")
      || g_hostname_is_ip_address (host);
}

static guint
judge_request (const GstTfrcMetricsServer * self, SoupServerMessage * message)
{
  SoupMessageHeaders *headers =
      soup_server_message_get_request_headers (message);
  const gchar *method = soup_server_message_get_method (message);
  SoupEncoding encoding = soup_message_headers_get_encoding (headers);

  if (!is_host_right (self, message))
    return SOUP_STATUS_FORBIDDEN;
  if (!g_str_equal (method, "GET") && !g_str_equal (method, "HEAD"))
    return SOUP_STATUS_METHOD_NOT_ALLOWED;
  if (encoding == SOUP_ENCODING_CHUNKED
      || (encoding == SOUP_ENCODING_CONTENT_LENGTH
          && soup_message_headers_get_content_length (headers) > 0))
    return SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE;
  if (!g_str_equal (g_uri_get_path (soup_server_message_get_uri (message)),
          PATH))
    return SOUP_STATUS_NOT_FOUND;
  return SOUP_STATUS_OK;
}

static void
refuse (SoupServerMessage * message, guint status)
{
  static const gchar page[] = "Metrics of gst-tfrc: GET " PATH "\n";

  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "text/plain", SOUP_MEMORY_STATIC,
      page, sizeof page - 1);
}

static void
answer (GstTfrcMetricsServer * self, SoupServerMessage * message)
{
  const gchar *accept =
      soup_message_headers_get_list (soup_server_message_get_request_headers
      (message), "Accept");
  gboolean openmetrics = accept != NULL
      && strstr (accept, OPENMETRICS_TYPE) != NULL;
  SoupMessageHeaders *headers =
      soup_server_message_get_response_headers (message);

  soup_message_headers_replace (headers, "Content-Type", openmetrics ?
      OPENMETRICS_TYPE "; version=1.0.0; charset=utf-8" :
      "text/plain; version=0.0.4; charset=utf-8");
  soup_message_body_append_bytes (soup_server_message_get_response_body
      (message), get_text (self, openmetrics));
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

static void
on_request (SoupServer * soup, SoupServerMessage * message, const char *path,
    GHashTable * query, gpointer data)
{
  guint status = judge_request (data, message);

  soup_message_headers_replace (soup_server_message_get_response_headers
      (message), "Connection", "close");
  if (status == SOUP_STATUS_OK)
    answer (data, message);
  else
    refuse (message, status);
}

/* A body of a request is read and thrown away until the connection's time is over. */
static void
on_request_headers (SoupServerMessage * message, gpointer data)
{
  soup_message_body_set_accumulate (soup_server_message_get_request_body
      (message), FALSE);
}

static void
on_request_started (SoupServer * soup, SoupServerMessage * message,
    gpointer data)
{
  g_signal_connect (message, "got-headers", G_CALLBACK (on_request_headers),
      NULL);
}

/* --- the thread --- */

static gboolean
stop (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static void
end_connections (GstTfrcMetricsServer * self)
{
  while (!g_queue_is_empty (&self->connections))
    end_connection (g_queue_peek_head (&self->connections));
}

static gpointer
serve (gpointer data)
{
  GstTfrcMetricsServer *self = data;

  g_main_context_push_thread_default (self->context);
  self->soup = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->soup, NULL, on_request, self, NULL);
  g_signal_connect (self->soup, "request-started",
      G_CALLBACK (on_request_started), NULL);
  wait_for_connections (self);
  g_main_loop_run (self->loop);
  set_wait (self, NULL, NULL);
  end_connections (self);
  soup_server_disconnect (self->soup);
  g_clear_object (&self->soup);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

static GSocket *
open_socket (GSocketAddress * address, GError ** error)
{
  GSocket *socket = g_socket_new (g_socket_address_get_family (address),
      G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  if (g_socket_bind (socket, address, TRUE, error)
      && g_socket_listen (socket, error))
    return socket;
  g_object_unref (socket);
  return NULL;
}

static guint
get_local_port (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  guint port = 0;

  if (address != NULL)
    port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_clear_object (&address);
  return port;
}

GstTfrcMetricsServer *
gst_tfrc_metrics_server_new (const gchar * address, guint port,
    GstTfrcMetricsSource source, gpointer user_data, GError ** error)
{
  GSocketAddress *local = g_inet_socket_address_new_from_string (address,
      port);
  GstTfrcMetricsServer *self;
  GSocket *socket;

  if (local == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "\"%s\" is no numeric IP address", address);
    return NULL;
  }
  socket = open_socket (local, error);
  if (socket == NULL) {
    g_object_unref (local);
    return NULL;
  }
  self = g_new0 (GstTfrcMetricsServer, 1);
  self->socket = socket;
  self->port = get_local_port (socket);
  self->loopback = g_inet_address_get_is_loopback
      (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (local)));
  g_object_unref (local);
  self->source = source;
  self->user_data = user_data;
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->thread = g_thread_new ("tfrcmetrics", serve, self);
  return self;
}

void
gst_tfrc_metrics_server_free (GstTfrcMetricsServer * self)
{
  g_main_context_invoke (self->context, stop, self->loop);
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_clear_pointer (&self->texts[0].text, g_bytes_unref);
  g_clear_pointer (&self->texts[1].text, g_bytes_unref);
  g_object_unref (self->socket);
  g_free (self);
}

guint
gst_tfrc_metrics_server_get_port (const GstTfrcMetricsServer * self)
{
  return self->port;
}
