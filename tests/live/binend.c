/* gst-tfrc tests: pipelines with a tfrcbin, and who else speaks to it, over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "binend.h"

static void
on_played (GstElement * sink, GstBuffer * buffer, GstPad * pad, BinEnd * end)
{
  GstMapInfo map;
  gint peak = 0;
  gsize i;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  for (i = 0; i + 1 < map.size; i += 2)
    peak = MAX (peak, ABS (*(gint16 *) (map.data + i)));
  gst_buffer_unmap (buffer, &map);
  if (peak > 5000)
    g_atomic_int_inc (&end->played);
}

void
bin_end_start (BinEnd * end, const gchar * format, ...)
{
  GstElement *sink, *launched;
  GError *error = NULL;
  va_list args;
  gchar *line;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  launched = gst_parse_launch (line, &error);
  fail_unless (error == NULL, "%s: %s", line, error ? error->message : "");
  g_free (line);
  *end = (BinEnd) {
      .pipeline = launched};
  /* an element that stands alone */
  if (!GST_IS_PIPELINE (launched)) {
    end->pipeline = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (end->pipeline), launched);
  }
  end->call = gst_bin_get_by_name (GST_BIN (end->pipeline), "call");
  sink = gst_bin_get_by_name (GST_BIN (end->pipeline), "played");
  if (sink != NULL) {
    g_signal_connect (sink, "handoff", G_CALLBACK (on_played), end);
    gst_object_unref (sink);
  }
  fail_if (gst_element_set_state (end->pipeline, GST_STATE_PLAYING) ==
      GST_STATE_CHANGE_FAILURE);
}

void
bin_end_stop (BinEnd * end)
{
  GstBus *bus = gst_element_get_bus (end->pipeline);
  GstMessage *error = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  fail_unless (error == NULL);
  gst_object_unref (bus);
  gst_element_set_state (end->pipeline, GST_STATE_NULL);
  gst_clear_object (&end->call);
  gst_object_unref (end->pipeline);
}

void
bin_end_wait_played (BinEnd * end, gint n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE / 1000;

  n += g_atomic_int_get (&end->played);
  while (g_atomic_int_get (&end->played) < n) {
    fail_unless (g_get_monotonic_time () < until);
    g_usleep (10000);
  }
}

/* Waits for the message that peer `id` is in `state`. */
void
bin_end_wait_state (BinEnd * end, guint id, const gchar * state)
{
  GstBus *bus = gst_element_get_bus (end->pipeline);
  gboolean found = FALSE;

  while (!found) {
    GstMessage *message = gst_bus_timed_pop_filtered (bus, PATIENCE,
        GST_MESSAGE_ELEMENT);
    const GstStructure *s;
    guint of;

    fail_unless (message != NULL, "peer %u is never %s", id, state);
    s = gst_message_get_structure (message);
    found = gst_structure_has_name (s, g_str_equal (state, "moved") ?
        "application/x-tfrc-peer" : "application/x-tfrc-connection") &&
        gst_structure_get_uint (s, "id", &of) &&
        (of == id || id == ANY_PEER) &&
        g_strcmp0 (gst_structure_get_string (s, "state"), state) == 0;
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

guint
bin_end_get_port (BinEnd * end)
{
  guint port;

  g_object_get (end->call, "local-port", &port, NULL);
  fail_unless (port > 0);
  return port;
}

guint64
bin_end_get_port_stat (BinEnd * end, const gchar * name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (end->call, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "%s", name);
  gst_structure_free (stats);
  return value;
}

GstStructure *
bin_end_get_peer_stats (BinEnd * end, guint id)
{
  GstStructure *stats = NULL;

  g_signal_emit_by_name (end->call, "get-peer-stats", id, &stats);
  return stats;
}

static gboolean
on_new_peer (GstElement * call, guint id, const gchar * address,
    BinServer * server)
{
  gchar *end = g_strdup_printf (":%u", server->port_refused);
  gboolean refuse = g_str_has_suffix (address, end);

  g_atomic_int_inc (&server->asked);
  if (refuse)
    g_atomic_int_inc (&server->refused);
  g_free (end);
  return !refuse;
}

void
bin_server_on_buffer (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    BinServer * server)
{
  g_atomic_int_inc (&server->buffers);
}

static GstPadProbeReturn
on_stream_event (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  BinServer *server = data;

  if (GST_EVENT_TYPE (info->data) == GST_EVENT_EOS)
    g_atomic_int_inc (&server->ended);
  if (GST_EVENT_TYPE (info->data) == GST_EVENT_FLUSH_START ||
      GST_EVENT_TYPE (info->data) == GST_EVENT_FLUSH_STOP)
    g_atomic_int_inc (&server->flushed);
  return GST_PAD_PROBE_OK;
}

static void
on_pad (GstElement * call, GstPad * pad, GstElement * pipeline)
{
  BinServer *server = g_object_get_data (G_OBJECT (pipeline), "server");
  GstElement *sink;
  GstPad *sinkpad;

  if (GST_PAD_IS_SINK (pad))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "signal-handoffs", TRUE, "async", FALSE, "sync", FALSE,
      NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (bin_server_on_buffer), server);
  gst_bin_add (GST_BIN (pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (sinkpad, GST_PAD_PROBE_TYPE_EVENT_BOTH |
      GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_stream_event, server, NULL);
  fail_unless_equals_int (gst_pad_link (pad, sinkpad), GST_PAD_LINK_OK);
  gst_object_unref (sinkpad);
  g_atomic_int_inc (&server->linked);
}

void
bin_server_start (BinEnd * end, BinServer * server, const gchar * args)
{
  *server = (BinServer) {0};
  bin_end_start (end, "tfrcbin name=call port=0 address=127.0.0.1 %s", args);
  g_object_set_data (G_OBJECT (end->pipeline), "server", server);
  g_signal_connect (end->call, "new-peer", G_CALLBACK (on_new_peer), server);
  g_signal_connect (end->call, "pad-added", G_CALLBACK (on_pad), end->pipeline);
}

void
wait_count (gint * count, gint value)
{
  gint64 until = g_get_monotonic_time () + PATIENCE / 1000;

  while (g_atomic_int_get (count) < value) {
    fail_unless (g_get_monotonic_time () < until, "%d of %d",
        g_atomic_int_get (count), value);
    g_usleep (10000);
  }
}

/* A plain RTP sender from any port, as a phone behind a NAT is. */
GSocket *
phone_open (guint port)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4,
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *address = g_inet_socket_address_new_from_string ("127.0.0.1",
      port);

  fail_unless (g_socket_bind (socket, address, FALSE, NULL));
  g_socket_set_blocking (socket, FALSE);
  g_object_unref (address);
  return socket;
}

void
phone_send (GSocket * phone, guint port, guint n)
{
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1",
      port);
  guint8 packet[72] = { 0x80, 96 };

  GST_WRITE_UINT16_BE (packet + 2, n);
  GST_WRITE_UINT32_BE (packet + 4, n * 960);
  GST_WRITE_UINT32_BE (packet + 8, 0x11223344);
  fail_unless_equals_int (g_socket_send_to (phone, to, (gchar *) packet,
          sizeof packet, NULL, NULL), sizeof packet);
  g_object_unref (to);
}

guint
bin_end_add_peer_with (BinEnd * end, guint port, const gchar * options)
{
  GstStructure *structure = gst_structure_from_string (options, NULL);
  guint id = 0;

  g_signal_emit_by_name (end->call, "add-peer", "127.0.0.1", port, structure,
      &id);
  gst_structure_free (structure);
  return id;
}

guint
bin_end_add_peer (BinEnd * end, guint port)
{
  guint id = bin_end_add_peer_with (end, port, "options,label=phone");
  GstStructure *stats;

  fail_unless (id > 0);
  stats = bin_end_get_peer_stats (end, id);
  fail_unless_equals_string (gst_structure_get_string (stats, "label"),
      "phone");
  gst_structure_free (stats);
  return id;
}
