/* gst-tfrc tests: tfrcbin over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <string.h>

#include "transport/padserver.h"

#define CODEC "application/x-rtp,media=audio,encoding-name=OPUS," \
    "clock-rate=48000,payload=96"
#define SOURCE "audiotestsrc is-live=true samplesperbuffer=960 freq=%u ! " \
    "audio/x-raw,rate=48000,channels=1 ! tfrcencodebin ! "
#define SINK "tfrcdecodebin ! audioconvert ! audio/x-raw,format=S16LE ! " \
    "fakesink name=played signal-handoffs=true sync=true"
/* Nothing takes longer, however busy the machine is. */
#define PATIENCE (20 * GST_SECOND)

typedef struct
{
  GstElement *pipeline, *call;
  gint played;                  /* buffers that are not silent, atomic */
} End;

static void
on_played (GstElement * sink, GstBuffer * buffer, GstPad * pad, End * end)
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

static void
end_start (End * end, const gchar * format, ...)
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
  *end = (End) {
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

static void
end_stop (End * end)
{
  GstBus *bus = gst_element_get_bus (end->pipeline);
  GstMessage *error = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  fail_unless (error == NULL);
  gst_object_unref (bus);
  gst_element_set_state (end->pipeline, GST_STATE_NULL);
  gst_clear_object (&end->call);
  gst_object_unref (end->pipeline);
}

static void
wait_played (End * end, gint n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE / 1000;

  n += g_atomic_int_get (&end->played);
  while (g_atomic_int_get (&end->played) < n) {
    fail_unless (g_get_monotonic_time () < until);
    g_usleep (10000);
  }
}

#define ANY_PEER G_MAXUINT

/* Waits for the message that peer `id` is in `state`. */
static void
wait_state (End * end, guint id, const gchar * state)
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

static guint
get_port (End * end)
{
  guint port;

  g_object_get (end->call, "local-port", &port, NULL);
  fail_unless (port > 0);
  return port;
}

static guint64
get_port_stat (End * end, const gchar * name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (end->call, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "%s", name);
  gst_structure_free (stats);
  return value;
}

static GstStructure *
get_peer_stats (End * end, guint id)
{
  GstStructure *stats = NULL;

  g_signal_emit_by_name (end->call, "get-peer-stats", id, &stats);
  return stats;
}

GST_START_TEST (test_a_call_of_one_line_goes_both_ways)
{
  End ends[2];
  guint i;

  end_start (&ends[0], "tfrcbin name=call port=27104 peer=127.0.0.1:27106 "
      "mode=tfrc-sp " SOURCE "call.send_sink_0 call.recv_src_0 ! " SINK, 440);
  end_start (&ends[1], "tfrcbin name=call port=27106 peer=127.0.0.1:27104 "
      "mode=tfrc-sp " SOURCE "call.send_sink_0 call.recv_src_0 ! " SINK, 660);
  for (i = 0; i < 2; i++) {
    wait_state (&ends[i], 0, "connected");
    wait_played (&ends[i], 100);
  }
  end_stop (&ends[0]);
  wait_state (&ends[1], 0, "gone");
  end_stop (&ends[1]);
}

GST_END_TEST;

GST_START_TEST (test_eos_follows_the_last_packet)
{
  End end;
  GstBus *bus;
  GstMessage *message;

  end_start (&end, "tfrcbin name=call port=27108 peer=127.0.0.1:27110 "
      "audiotestsrc is-live=true num-buffers=20 ! tfrcencodebin ! "
      "call.send_sink_0");
  bus = gst_element_get_bus (end.pipeline);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_object_unref (bus);
  end_stop (&end);
}

GST_END_TEST;

/* --- servers that are called --- */

typedef struct
{
  gint asked, refused, linked, buffers, ended, flushed;
  guint port_refused;
} Server;

static gboolean
on_new_peer (GstElement * call, guint id, const gchar * address,
    Server * server)
{
  gchar *end = g_strdup_printf (":%u", server->port_refused);
  gboolean refuse = g_str_has_suffix (address, end);

  g_atomic_int_inc (&server->asked);
  if (refuse)
    g_atomic_int_inc (&server->refused);
  g_free (end);
  return !refuse;
}

static void
on_buffer (GstElement * sink, GstBuffer * buffer, GstPad * pad, Server * server)
{
  g_atomic_int_inc (&server->buffers);
}

static GstPadProbeReturn
on_stream_event (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Server *server = data;

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
  Server *server = g_object_get_data (G_OBJECT (pipeline), "server");
  GstElement *sink;
  GstPad *sinkpad;

  if (GST_PAD_IS_SINK (pad))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "signal-handoffs", TRUE, "async", FALSE, "sync", FALSE,
      NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (on_buffer), server);
  gst_bin_add (GST_BIN (pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (sinkpad, GST_PAD_PROBE_TYPE_EVENT_BOTH |
      GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_stream_event, server, NULL);
  fail_unless_equals_int (gst_pad_link (pad, sinkpad), GST_PAD_LINK_OK);
  gst_object_unref (sinkpad);
  g_atomic_int_inc (&server->linked);
}

static void
server_start (End * end, Server * server, const gchar * args)
{
  *server = (Server) {0};
  end_start (end, "tfrcbin name=call port=0 address=127.0.0.1 %s", args);
  g_object_set_data (G_OBJECT (end->pipeline), "server", server);
  g_signal_connect (end->call, "new-peer", G_CALLBACK (on_new_peer), server);
  g_signal_connect (end->call, "pad-added", G_CALLBACK (on_pad), end->pipeline);
}

static void
wait_int (gint * count, gint value)
{
  gint64 until = g_get_monotonic_time () + PATIENCE / 1000;

  while (g_atomic_int_get (count) < value) {
    fail_unless (g_get_monotonic_time () < until, "%d of %d",
        g_atomic_int_get (count), value);
    g_usleep (10000);
  }
}

GST_START_TEST (test_all_callers_of_one_port_are_heard)
{
  End end, callers[5];
  Server server;
  guint i;

  server_start (&end, &server, "accept=any mode=tfrc-sp");
  server.port_refused = 27124;
  for (i = 0; i < 5; i++)
    end_start (&callers[i], "tfrcbin name=call port=%u peer=127.0.0.1:%u "
        "mode=tfrc-sp " SOURCE "call.send_sink_0", 27120 + i, get_port (&end),
        440);
  wait_int (&server.linked, 4);
  wait_int (&server.refused, 1);
  wait_int (&server.buffers, 400);
  fail_unless_equals_int (server.linked, 4);
  for (i = 0; i < 4; i++)
    wait_state (&callers[i], 0, "connected");
  /* who has called is removed when it says BYE */
  end_stop (&callers[0]);
  wait_state (&end, ANY_PEER, "gone");
  for (i = 1; i < 5; i++)
    end_stop (&callers[i]);
  end_stop (&end);
}

GST_END_TEST;

/* A file that is recorded from the pad is complete: a flush would truncate it. */
GST_START_TEST (test_the_stream_of_a_caller_that_leaves_ends_with_eos)
{
  End end, caller;
  Server server;

  server_start (&end, &server, "accept=any mode=tfrc-sp");
  end_start (&caller, "tfrcbin name=call port=27126 peer=127.0.0.1:%u "
      "mode=tfrc-sp " SOURCE "call.send_sink_0", get_port (&end), 440);
  wait_int (&server.buffers, 20);
  end_stop (&caller);
  wait_int (&server.ended, 1);
  fail_unless_equals_int (server.flushed, 0);
  end_stop (&end);
}

GST_END_TEST;

/* A plain RTP sender from any port, as a phone behind a NAT is. */
static GSocket *
open_phone (guint port)
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

static void
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

static void
phone_speak (GSocket * phone, guint port, guint from, guint n)
{
  guint i;

  for (i = from; i < from + n; i++) {
    phone_send (phone, port, i);
    g_usleep (20000);
  }
}

static gboolean
phone_hears (GSocket * phone)
{
  gchar buffer[2000];

  return g_socket_receive (phone, buffer, sizeof buffer, NULL, NULL) > 0;
}

GST_START_TEST (test_a_phone_that_speaks_from_another_port_is_answered_there)
{
  End end;
  GSocket *phone = open_phone (27133);

  end_start (&end, "tfrcbin name=call port=0 peer=127.0.0.1:27131 caps=\""
      CODEC "\" " SOURCE "call.send_sink_0 call.recv_src_0 ! fakesink", 440);
  fail_if (phone_hears (phone));
  phone_speak (phone, get_port (&end), 0, 50);
  fail_unless (phone_hears (phone));
  wait_state (&end, 0, "moved");
  fail_unless_equals_int (get_port_stat (&end, "moved"), 1);
  end_stop (&end);
  g_object_unref (phone);
}

GST_END_TEST;

GST_START_TEST (test_a_peer_that_speaks_cannot_be_replaced)
{
  End end;
  GSocket *phone = open_phone (27135), *stranger = open_phone (27137);
  GstStructure *stats;
  guint i;

  end_start (&end, "tfrcbin name=call port=0 peer=127.0.0.1:27135 caps=\""
      CODEC "\" call.recv_src_0 ! fakesink");
  for (i = 0; i < 50; i++) {
    phone_speak (phone, get_port (&end), i, 1);
    if (i > 0) {
      GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1",
          get_port (&end));
      guint8 packet[72] = { 0x80, 96, 0, i, 0, 0, 0, 0, 9, 9, 9, 9 };

      g_socket_send_to (stranger, to, (gchar *) packet, sizeof packet, NULL,
          NULL);
      g_object_unref (to);
    }
  }
  fail_if (phone_hears (stranger));
  fail_unless_equals_int (get_port_stat (&end, "moved"), 0);
  stats = get_peer_stats (&end, 0);
  fail_unless_equals_string (gst_structure_get_string (stats, "address"),
      "127.0.0.1:27135");
  gst_structure_free (stats);
  end_stop (&end);
  g_object_unref (phone);
  g_object_unref (stranger);
}

GST_END_TEST;

GST_START_TEST (test_nobody_but_the_peer_is_heard_without_accept)
{
  End end;
  GSocket *phone = open_phone (27139);

  end_start (&end, "tfrcbin name=call port=0 accept=none peer=127.0.0.1:27141 "
      "caps=\"" CODEC "\" call.recv_src_0 ! fakesink");
  phone_speak (phone, get_port (&end), 0, 20);
  fail_if (phone_hears (phone));
  fail_unless_equals_int (get_port_stat (&end, "datagrams-received"), 20);
  fail_unless (get_port_stat (&end, "strangers-refused") > 0);
  end_stop (&end);
  g_object_unref (phone);
}

GST_END_TEST;

/* --- many --- */

static guint
count_entries (const gchar * path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static guint
add_peer_with (End * end, guint port, const gchar * options)
{
  GstStructure *structure = gst_structure_from_string (options, NULL);
  guint id = 0;

  g_signal_emit_by_name (end->call, "add-peer", "127.0.0.1", port, structure,
      &id);
  gst_structure_free (structure);
  return id;
}

static guint
add_peer (End * end, guint port)
{
  guint id = add_peer_with (end, port, "options,label=phone");
  GstStructure *stats;

  fail_unless (id > 0);
  stats = get_peer_stats (end, id);
  fail_unless_equals_string (gst_structure_get_string (stats, "label"),
      "phone");
  gst_structure_free (stats);
  return id;
}

static void
remove_peer (End * end, guint id)
{
  gboolean removed = FALSE;

  g_signal_emit_by_name (end->call, "remove-peer", id, &removed);
  fail_unless (removed);
}

GST_START_TEST (test_peers_of_a_thousand_joins_leave_nothing_behind)
{
  End end;
  Server server;
  guint ids[10], round, i, threads = 0, descriptors = 0;

  server_start (&end, &server, "accept=none");
  for (round = 0; round < 100; round++) {
    for (i = 0; i < 10; i++) {
      gchar *name;
      GstPad *pad;

      ids[i] = add_peer (&end, 27150 + i);
      name = g_strdup_printf ("send_sink_%u", ids[i]);
      pad = gst_element_request_pad_simple (end.call, name);
      fail_unless (pad != NULL);
      gst_element_release_request_pad (end.call, pad);
      gst_object_unref (pad);
      g_free (name);
    }
    for (i = 0; i < 10; i++)
      remove_peer (&end, ids[i]);
    if (round == 10) {
      threads = count_entries ("/proc/self/task");
      descriptors = count_entries ("/proc/self/fd");
    }
  }
  /* The pad server had one thread or more by then, and starts others when all are busy. */
  fail_unless (count_entries ("/proc/self/task") <=
      threads + GST_TFRC_PAD_SERVER_THREADS - 1);
  fail_unless_equals_int (count_entries ("/proc/self/fd"), descriptors);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numpads, 0);
  fail_unless (get_peer_stats (&end, ids[0]) == NULL);
  end_stop (&end);
}

GST_END_TEST;

static void
feed (GstElement * call, guint id)
{
  gchar *name = g_strdup_printf ("send_sink_%u", id);
  GstPad *sink = gst_element_request_pad_simple (call, name);
  GstPad *src = gst_pad_new ("feeder", GST_PAD_SRC);
  GstCaps *caps = gst_caps_from_string (CODEC);
  GstSegment segment;

  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
  gst_pad_set_active (src, TRUE);
  gst_pad_push_event (src, gst_event_new_stream_start (name));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  g_object_set_data_full (G_OBJECT (call), name, src, gst_object_unref);
  gst_object_unref (sink);
  gst_caps_unref (caps);
  g_free (name);
}

static GstFlowReturn
push (GstElement * call, guint id, guint n)
{
  gchar *name = g_strdup_printf ("send_sink_%u", id);
  GstPad *src = g_object_get_data (G_OBJECT (call), name);
  guint8 packet[72] = { 0x80, 96 };

  GST_WRITE_UINT16_BE (packet + 2, n);
  GST_WRITE_UINT32_BE (packet + 4, n * 960);
  g_free (name);
  return gst_pad_push (src, gst_buffer_new_memdup (packet, sizeof packet));
}

GST_START_TEST (test_a_pad_waits_for_its_peer_and_ends_after_it)
{
  End end;
  Server server;
  GstBus *bus;
  GstMessage *warning;
  guint id, i;

  server_start (&end, &server, "accept=none");
  feed (end.call, 77);
  bus = gst_element_get_bus (end.pipeline);
  for (i = 0; i < 249; i++)
    fail_unless_equals_int (push (end.call, 77, i), GST_FLOW_OK);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  for (i = 0; i < 300; i++)
    fail_unless_equals_int (push (end.call, 77, i), GST_FLOW_OK);
  warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (warning != NULL);
  gst_message_unref (warning);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  gst_object_unref (bus);
  id = add_peer (&end, 27180);
  feed (end.call, id);
  fail_unless_equals_int (push (end.call, id, 0), GST_FLOW_OK);
  remove_peer (&end, id);
  fail_unless_equals_int (push (end.call, id, 1), GST_FLOW_EOS);
  end_stop (&end);
}

GST_END_TEST;

/* --- a source pad that holds up its thread --- */

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer blocked)
{
  g_atomic_int_inc ((gint *) blocked);
  return GST_PAD_PROBE_OK;
}

static void
block_pad (GstElement * call, GstPad * pad, gint * blocked)
{
  if (g_str_has_suffix (GST_PAD_NAME (pad), "_1"))
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
        GST_PAD_PROBE_TYPE_BUFFER, block, blocked, NULL);
}

/* Two peers; the pad of the first is blocked. The other one is heard, and the first can be
 * removed all the same. */
GST_START_TEST (test_a_blocked_pad_holds_up_its_peer_alone)
{
  End end;
  Server server;
  GSocket *phones[2] = { open_phone (27182), open_phone (27184) };
  guint ids[2], i;
  gint blocked = 0;

  server_start (&end, &server, "accept=none caps=\"" CODEC "\"");
  g_signal_connect (end.call, "pad-added", G_CALLBACK (block_pad), &blocked);
  ids[0] = add_peer (&end, 27182);
  ids[1] = add_peer (&end, 27184);
  fail_unless_equals_int (ids[0], 1);
  for (i = 0; i < 100; i++) {
    phone_send (phones[0], get_port (&end), i);
    phone_send (phones[1], get_port (&end), i);
    g_usleep (20000);
  }
  wait_int (&blocked, 1);
  wait_int (&server.buffers, 100);
  fail_unless_equals_int (server.buffers, 100);
  remove_peer (&end, ids[0]);
  end_stop (&end);
  g_object_unref (phones[0]);
  g_object_unref (phones[1]);
}

GST_END_TEST;

/* A server of 50 phones, which have a socket each in this process. */
GST_START_TEST (test_fifty_calls_take_few_threads_and_descriptors)
{
  End end;
  Server server;
  GSocket *phones[50];
  guint ids[50], heard = 0, threads, descriptors, i, n;

  for (i = 0; i < 50; i++)
    phones[i] = open_phone (27200 + i);
  threads = count_entries ("/proc/self/task");
  descriptors = count_entries ("/proc/self/fd");
  server_start (&end, &server, "mode=tfrc-sp caps=\"" CODEC "\"");
  for (i = 0; i < 50; i++) {
    ids[i] = add_peer (&end, 27200 + i);
    feed (end.call, ids[i]);
  }
  for (n = 0; n < 50; n++) {
    for (i = 0; i < 50; i++) {
      fail_unless_equals_int (push (end.call, ids[i], n), GST_FLOW_OK);
      phone_send (phones[i], get_port (&end), n);
    }
    g_usleep (20000);
  }
  wait_int (&server.buffers, 50 * 45);
  fail_unless_equals_int (server.linked, 50);
  fail_unless (count_entries ("/proc/self/task") <= threads + 6);
  fail_unless (count_entries ("/proc/self/fd") <= descriptors + 16);
  for (i = 0; i < 50; i++)
    heard += phone_hears (phones[i]);
  fail_unless_equals_int (heard, 50);
  end_stop (&end);
  for (i = 0; i < 50; i++)
    g_object_unref (phones[i]);
}

GST_END_TEST;

/* --- with others --- */

GST_START_TEST (test_tfrcsink_and_tfrcsrc_at_the_other_end)
{
  End end, sender, receiver;
  GstStructure *stats, *part;
  guint64 reports;

  end_start (&receiver, "tfrcsrc port=27162 mode=tfrc-sp ! " SINK);
  end_start (&end, "tfrcbin name=call port=27164 peer=127.0.0.1:27162 "
      "accept=none mode=tfrc-sp " SOURCE "call.send_sink_0", 440);
  wait_played (&receiver, 100);
  stats = get_peer_stats (&end, 0);
  gst_structure_get (stats, "data-sender", GST_TYPE_STRUCTURE, &part, NULL);
  fail_unless (gst_structure_get_uint64 (part, "reports", &reports));
  fail_unless (reports > 5);
  gst_structure_free (part);
  gst_structure_free (stats);
  end_stop (&end);
  end_stop (&receiver);

  end_start (&end, "tfrcbin name=call port=27166 peer=127.0.0.1:27168 "
      "mode=tfrc-sp call.recv_src_0 ! " SINK);
  end_start (&sender, SOURCE "tfrcsink host=127.0.0.1 port=27166 "
      "bind-port=27168 mode=tfrc-sp name=sink", 440);
  wait_played (&end, 100);
  end_stop (&sender);
  end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_rtpbin_at_the_other_end)
{
  End end, other;

  end_start (&end, "tfrcbin name=call port=27172 peer=127.0.0.1:27174 "
      "mode=tfrc-sp " SOURCE "call.send_sink_0 call.recv_src_0 ! " SINK, 440);
  end_start (&other, "rtpbin name=r audiotestsrc is-live=true freq=660 ! "
      "opusenc ! rtpopuspay pt=96 ! r.send_rtp_sink_0 "
      "r.send_rtp_src_0 ! udpsink host=127.0.0.1 port=27172 bind-port=27174 "
      "sync=false async=false "
      "r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=27172 bind-port=27174 "
      "sync=false async=false ");
  wait_state (&end, 0, "connected");
  wait_played (&end, 100);
  /* RTP sessions of GStreamer say BYE at EOS only */
  gst_element_send_event (other.pipeline, gst_event_new_eos ());
  wait_state (&end, 0, "gone");
  end_stop (&other);
  end_stop (&end);
}

GST_END_TEST;

/* --- keys --- */

#define KEY_A "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEY_B "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEYS(local, remote) "srtp-key=" local " srtp-remote-key=" remote " "
#define L16 "application/x-rtp,media=audio,encoding-name=L16," \
    "clock-rate=44100,channels=1,payload=96"
#define L16_SOURCE "audiotestsrc is-live=true samplesperbuffer=441 ! " \
    "audio/x-raw,rate=44100,channels=1 ! audioconvert ! rtpL16pay ssrc=1 " \
    "seqnum-offset=100 timestamp-offset=0 ! "

GST_START_TEST (test_a_call_with_keys_goes_both_ways)
{
  End ends[2];
  guint i;

  end_start (&ends[0], "tfrcbin name=call port=27220 peer=127.0.0.1:27222 "
      "mode=tfrc-sp " KEYS (KEY_A, KEY_B) SOURCE
      "call.send_sink_0 call.recv_src_0 ! " SINK, 440);
  end_start (&ends[1], "tfrcbin name=call port=27222 peer=127.0.0.1:27220 "
      "mode=tfrc-sp " KEYS (KEY_B, KEY_A) SOURCE
      "call.send_sink_0 call.recv_src_0 ! " SINK, 660);
  for (i = 0; i < 2; i++) {
    GstStructure *stats;
    guint64 failures;

    wait_played (&ends[i], 100);
    stats = get_peer_stats (&ends[i], 0);
    fail_unless (gst_structure_get_uint64 (stats, "srtp-failures", &failures));
    fail_unless_equals_uint64 (failures, 0);
    gst_structure_free (stats);
  }
  end_stop (&ends[0]);
  wait_state (&ends[1], 0, "gone");
  end_stop (&ends[1]);
}

GST_END_TEST;

/* Takes all datagrams that have arrived; each has an SSRC and index that none had before. */
static guint
take_encrypted (GSocket * phone, GHashTable * seen)
{
  guint8 data[2000];
  guint n = 0;
  gssize size;

  while ((size = g_socket_receive (phone, (gchar *) data, sizeof data, NULL,
              NULL)) > 0) {
    gboolean rtcp = data[1] >= 192 && data[1] <= 223;
    gchar *pair = g_strdup_printf ("%d %08x %u", rtcp,
        GST_READ_UINT32_BE (data + (rtcp ? 4 : 8)), rtcp ?
        GST_READ_UINT32_BE (data + size - 14) : GST_READ_UINT16_BE (data + 2));

    fail_unless (g_hash_table_add (seen, pair), "twice: %s", pair);
    n += !rtcp;
  }
  return n;
}

/* The payloader sends the same SSRC and sequence numbers each time. */
GST_START_TEST (test_no_key_stream_is_used_twice_after_ready_and_null)
{
  static const GstState states[] = { GST_STATE_READY, GST_STATE_NULL,
    GST_STATE_READY, GST_STATE_NULL
  };
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  GSocket *phone = open_phone (27225);
  End end;
  guint i;

  end_start (&end, "tfrcbin name=call port=27224 peer=127.0.0.1:27225 "
      KEYS (KEY_A, KEY_B) L16_SOURCE "call.send_sink_0");
  for (i = 0; i < G_N_ELEMENTS (states); i++) {
    gint64 until = g_get_monotonic_time () + PATIENCE / 1000;
    guint n = 0;

    while (n < 3) {
      fail_unless (g_get_monotonic_time () < until);
      n += take_encrypted (phone, seen);
      g_usleep (10000);
    }
    gst_element_set_state (end.pipeline, states[i]);
    take_encrypted (phone, seen);
    gst_element_set_state (end.pipeline, GST_STATE_PLAYING);
  }
  end_stop (&end);
  take_encrypted (phone, seen);
  g_hash_table_unref (seen);
  g_object_unref (phone);
}

GST_END_TEST;

static GstCaps *
on_request_key (GstElement * srtpdec, guint ssrc)
{
  return gst_caps_from_string ("application/x-srtp,srtp-key=(buffer)" KEY_A
      ",srtp-cipher=aes-128-icm,srtp-auth=hmac-sha1-80,"
      "srtcp-cipher=aes-128-icm,srtcp-auth=hmac-sha1-80");
}

GST_START_TEST (test_srtpenc_and_srtpdec_are_understood)
{
  End end, sender, receiver;
  Server server = { 0 };

  end_start (&receiver, "udpsrc port=27227 address=127.0.0.1 "
      "caps=application/x-srtp ! srtpdec name=call call.rtp_src ! "
      "fakesink name=played signal-handoffs=true async=false "
      "call.rtcp_src ! fakesink async=false");
  g_signal_connect (receiver.call, "request-key", G_CALLBACK (on_request_key),
      NULL);
  g_signal_connect (gst_bin_get_by_name (GST_BIN (receiver.pipeline),
          "played"), "handoff", G_CALLBACK (on_buffer), &server);
  end_start (&end, "tfrcbin name=call port=27226 peer=127.0.0.1:27227 "
      KEYS (KEY_A, KEY_B) "caps=\"" L16 "\" " L16_SOURCE
      "call.send_sink_0 call.recv_src_0 ! rtpL16depay ! audioconvert ! "
      "audio/x-raw,format=S16LE ! fakesink name=played signal-handoffs=true");
  wait_int (&server.buffers, 3);
  end_stop (&receiver);
  end_start (&sender, L16_SOURCE "srtpenc key=\"" KEY_B "\" ! "
      "udpsink host=127.0.0.1 port=27226 bind-address=127.0.0.1 "
      "bind-port=27227");
  wait_played (&end, 50);
  end_stop (&sender);
  end_stop (&end);
}

GST_END_TEST;

static void
expect_warning (End * end, const gchar * text)
{
  GstBus *bus = gst_element_get_bus (end->pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_WARNING);
  GError *error = NULL;

  fail_unless (message != NULL, "no warning: %s", text);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, text) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_object_unref (bus);
}

GST_START_TEST (test_peers_have_keys_of_their_own)
{
  End end, plain, encrypted;
  Server server;

  server_start (&end, &server, "accept=none mode=tfrc-sp");
  fail_unless (add_peer (&end, 27230) > 0);
  fail_unless (add_peer_with (&end, 27232, "options,srtp-key=(string)" KEY_A
          ",srtp-remote-key=(string)" KEY_B ",srtp-cipher=aes-128-icm") > 0);
  end_start (&plain, "tfrcbin name=call port=27230 peer=127.0.0.1:%u "
      "mode=tfrc-sp " SOURCE "call.send_sink_0", get_port (&end), 440);
  end_start (&encrypted, "tfrcbin name=call port=27232 peer=127.0.0.1:%u "
      "mode=tfrc-sp " KEYS (KEY_B, KEY_A) SOURCE "call.send_sink_0",
      get_port (&end), 440);
  wait_state (&plain, 0, "connected");
  wait_state (&encrypted, 0, "connected");
  wait_int (&server.linked, 2);
  end_stop (&plain);
  end_stop (&encrypted);
  end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_options_that_cannot_be_used_are_a_warning)
{
  static const gchar *const wrong[][2] = {
    {"options,volume=1", "no option \"volume\", but label, mode, mtu"},
    {"options,label=(int)1", "value of \"label\" is no string"},
    {"options,srtp-cipher=rot13", "value of \"srtp-cipher\""},
    {"options,srtp-key=(string)" KEY_A, "\"srtp-remote-key\" must be"},
    {"options,srtp-key=(string)00,srtp-remote-key=(string)" KEY_A,
        "60 hexadecimal digits"},
  };
  End end;
  Server server;
  guint i;

  server_start (&end, &server, "accept=none");
  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    fail_unless_equals_int (add_peer_with (&end, 27234, wrong[i][0]), 0);
    expect_warning (&end, wrong[i][1]);
  }
  end_stop (&end);
}

GST_END_TEST;

static void
expect_error (const gchar * line, const gchar * text)
{
  GstElement *call = gst_parse_launch (line, NULL);
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error = NULL;

  gst_bin_add (GST_BIN (pipeline), call);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_PLAYING),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, text) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_keys_that_cannot_be_used_are_an_error)
{
  expect_error ("tfrcbin port=0 srtp-key=" KEY_A,
      "\"srtp-remote-key\" must be");
  expect_error ("tfrcbin port=0 " KEYS (KEY_A, KEY_A), "a key of its own");
  expect_error ("tfrcbin port=0 accept=any " KEYS (KEY_A, KEY_B), "accept=any");
}

GST_END_TEST;

static Suite *
tfrcbin_suite (void)
{
  Suite *s = suite_create ("tfrcbin");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_a_call_of_one_line_goes_both_ways);
  tcase_add_test (tc, test_eos_follows_the_last_packet);
  tcase_add_test (tc, test_all_callers_of_one_port_are_heard);
  tcase_add_test (tc, test_the_stream_of_a_caller_that_leaves_ends_with_eos);
  tcase_add_test (tc,
      test_a_phone_that_speaks_from_another_port_is_answered_there);
  tcase_add_test (tc, test_a_peer_that_speaks_cannot_be_replaced);
  tcase_add_test (tc, test_nobody_but_the_peer_is_heard_without_accept);
  tcase_add_test (tc, test_peers_of_a_thousand_joins_leave_nothing_behind);
  tcase_add_test (tc, test_a_pad_waits_for_its_peer_and_ends_after_it);
  tcase_add_test (tc, test_a_blocked_pad_holds_up_its_peer_alone);
  tcase_add_test (tc, test_fifty_calls_take_few_threads_and_descriptors);
  tcase_add_test (tc, test_tfrcsink_and_tfrcsrc_at_the_other_end);
  tcase_add_test (tc, test_rtpbin_at_the_other_end);
  tcase_add_test (tc, test_a_call_with_keys_goes_both_ways);
  tcase_add_test (tc, test_no_key_stream_is_used_twice_after_ready_and_null);
  tcase_add_test (tc, test_srtpenc_and_srtpdec_are_understood);
  tcase_add_test (tc, test_peers_have_keys_of_their_own);
  tcase_add_test (tc, test_options_that_cannot_be_used_are_a_warning);
  tcase_add_test (tc, test_keys_that_cannot_be_used_are_an_error);
  return s;
}

GST_CHECK_MAIN (tfrcbin);
