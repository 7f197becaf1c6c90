/* gst-tfrc tests: tfrcbin over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "binend.h"

#include <string.h>

#include "transport/padserver.h"

GST_START_TEST (test_a_call_of_one_line_goes_both_ways)
{
  BinEnd ends[2];
  guint i;

  bin_end_start (&ends[0], "tfrcbin name=call port=27104 peer=127.0.0.1:27106 "
      "mode=tfrc-sp " SOURCE "call.send_sink_0 call.recv_src_0 ! " SINK, 440);
  bin_end_start (&ends[1], "tfrcbin name=call port=27106 peer=127.0.0.1:27104 "
      "mode=tfrc-sp " SOURCE "call.send_sink_0 call.recv_src_0 ! " SINK, 660);
  for (i = 0; i < 2; i++) {
    bin_end_wait_state (&ends[i], 0, "connected");
    bin_end_wait_played (&ends[i], 100);
  }
  bin_end_stop (&ends[0]);
  bin_end_wait_state (&ends[1], 0, "gone");
  bin_end_stop (&ends[1]);
}

GST_END_TEST;

GST_START_TEST (test_eos_follows_the_last_packet)
{
  BinEnd end;
  GstBus *bus;
  GstMessage *message;

  bin_end_start (&end, "tfrcbin name=call port=27108 peer=127.0.0.1:27110 "
      "audiotestsrc is-live=true num-buffers=20 ! tfrcencodebin ! "
      "call.send_sink_0");
  bus = gst_element_get_bus (end.pipeline);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_object_unref (bus);
  bin_end_stop (&end);
}

GST_END_TEST;

/* --- servers that are called --- */

GST_START_TEST (test_all_callers_of_one_port_are_heard)
{
  BinEnd end, callers[5];
  BinServer server;
  guint i;

  bin_server_start (&end, &server, "accept=any mode=tfrc-sp");
  server.port_refused = 27124;
  for (i = 0; i < 5; i++)
    bin_end_start (&callers[i], "tfrcbin name=call port=%u peer=127.0.0.1:%u "
        "mode=tfrc-sp " SOURCE "call.send_sink_0", 27120 + i,
        bin_end_get_port (&end), 440);
  wait_count (&server.linked, 4);
  wait_count (&server.refused, 1);
  wait_count (&server.buffers, 400);
  fail_unless_equals_int (server.linked, 4);
  for (i = 0; i < 4; i++)
    bin_end_wait_state (&callers[i], 0, "connected");
  /* who has called is removed when it says BYE */
  bin_end_stop (&callers[0]);
  bin_end_wait_state (&end, ANY_PEER, "gone");
  for (i = 1; i < 5; i++)
    bin_end_stop (&callers[i]);
  bin_end_stop (&end);
}

GST_END_TEST;

/* A file that is recorded from the pad is complete: a flush would truncate it. */
GST_START_TEST (test_the_stream_of_a_caller_that_leaves_ends_with_eos)
{
  BinEnd end, caller;
  BinServer server;

  bin_server_start (&end, &server, "accept=any mode=tfrc-sp");
  bin_end_start (&caller, "tfrcbin name=call port=27126 peer=127.0.0.1:%u "
      "mode=tfrc-sp " SOURCE "call.send_sink_0", bin_end_get_port (&end), 440);
  wait_count (&server.buffers, 20);
  bin_end_stop (&caller);
  wait_count (&server.ended, 1);
  fail_unless_equals_int (server.flushed, 0);
  bin_end_stop (&end);
}

GST_END_TEST;

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
  BinEnd end;
  GSocket *phone = phone_open (27133);

  bin_end_start (&end, "tfrcbin name=call port=0 peer=127.0.0.1:27131 caps=\""
      CODEC "\" " SOURCE "call.send_sink_0 call.recv_src_0 ! fakesink", 440);
  fail_if (phone_hears (phone));
  phone_speak (phone, bin_end_get_port (&end), 0, 50);
  fail_unless (phone_hears (phone));
  bin_end_wait_state (&end, 0, "moved");
  fail_unless_equals_int (bin_end_get_port_stat (&end, "moved"), 1);
  bin_end_stop (&end);
  g_object_unref (phone);
}

GST_END_TEST;

GST_START_TEST (test_a_peer_that_speaks_cannot_be_replaced)
{
  BinEnd end;
  GSocket *phone = phone_open (27135), *stranger = phone_open (27137);
  GstStructure *stats;
  guint i;

  bin_end_start (&end, "tfrcbin name=call port=0 peer=127.0.0.1:27135 caps=\""
      CODEC "\" call.recv_src_0 ! fakesink");
  for (i = 0; i < 50; i++) {
    phone_speak (phone, bin_end_get_port (&end), i, 1);
    if (i > 0) {
      GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1",
          bin_end_get_port (&end));
      guint8 packet[72] = { 0x80, 96, 0, i, 0, 0, 0, 0, 9, 9, 9, 9 };

      g_socket_send_to (stranger, to, (gchar *) packet, sizeof packet, NULL,
          NULL);
      g_object_unref (to);
    }
  }
  fail_if (phone_hears (stranger));
  fail_unless_equals_int (bin_end_get_port_stat (&end, "moved"), 0);
  stats = bin_end_get_peer_stats (&end, 0);
  fail_unless_equals_string (gst_structure_get_string (stats, "address"),
      "127.0.0.1:27135");
  gst_structure_free (stats);
  bin_end_stop (&end);
  g_object_unref (phone);
  g_object_unref (stranger);
}

GST_END_TEST;

GST_START_TEST (test_nobody_but_the_peer_is_heard_without_accept)
{
  BinEnd end;
  GSocket *phone = phone_open (27139);

  bin_end_start (&end,
      "tfrcbin name=call port=0 accept=none peer=127.0.0.1:27141 " "caps=\""
      CODEC "\" call.recv_src_0 ! fakesink");
  phone_speak (phone, bin_end_get_port (&end), 0, 20);
  fail_if (phone_hears (phone));
  fail_unless_equals_int (bin_end_get_port_stat (&end, "datagrams-received"),
      20);
  fail_unless (bin_end_get_port_stat (&end, "strangers-refused") > 0);
  bin_end_stop (&end);
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

static void
remove_peer (BinEnd * end, guint id)
{
  gboolean removed = FALSE;

  g_signal_emit_by_name (end->call, "remove-peer", id, &removed);
  fail_unless (removed);
}

GST_START_TEST (test_peers_of_a_thousand_joins_leave_nothing_behind)
{
  BinEnd end;
  BinServer server;
  guint ids[10], round, i, threads = 0, descriptors = 0;

  bin_server_start (&end, &server, "accept=none");
  for (round = 0; round < 100; round++) {
    for (i = 0; i < 10; i++) {
      gchar *name;
      GstPad *pad;

      ids[i] = bin_end_add_peer (&end, 27150 + i);
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
  fail_unless (bin_end_get_peer_stats (&end, ids[0]) == NULL);
  bin_end_stop (&end);
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
  BinEnd end;
  BinServer server;
  GstBus *bus;
  GstMessage *warning;
  guint id, i;

  bin_server_start (&end, &server, "accept=none");
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
  id = bin_end_add_peer (&end, 27180);
  feed (end.call, id);
  fail_unless_equals_int (push (end.call, id, 0), GST_FLOW_OK);
  remove_peer (&end, id);
  fail_unless_equals_int (push (end.call, id, 1), GST_FLOW_EOS);
  bin_end_stop (&end);
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
  BinEnd end;
  BinServer server;
  GSocket *phones[2] = { phone_open (27182), phone_open (27184) };
  guint ids[2], i;
  gint blocked = 0;

  bin_server_start (&end, &server, "accept=none caps=\"" CODEC "\"");
  g_signal_connect (end.call, "pad-added", G_CALLBACK (block_pad), &blocked);
  ids[0] = bin_end_add_peer (&end, 27182);
  ids[1] = bin_end_add_peer (&end, 27184);
  fail_unless_equals_int (ids[0], 1);
  for (i = 0; i < 100; i++) {
    phone_send (phones[0], bin_end_get_port (&end), i);
    phone_send (phones[1], bin_end_get_port (&end), i);
    g_usleep (20000);
  }
  wait_count (&blocked, 1);
  wait_count (&server.buffers, 100);
  fail_unless_equals_int (server.buffers, 100);
  remove_peer (&end, ids[0]);
  bin_end_stop (&end);
  g_object_unref (phones[0]);
  g_object_unref (phones[1]);
}

GST_END_TEST;

/* A server of 50 phones, which have a socket each in this process. */
GST_START_TEST (test_fifty_calls_take_few_threads_and_descriptors)
{
  BinEnd end;
  BinServer server;
  GSocket *phones[50];
  guint ids[50], heard = 0, threads, descriptors, i, n;

  for (i = 0; i < 50; i++)
    phones[i] = phone_open (27200 + i);
  threads = count_entries ("/proc/self/task");
  descriptors = count_entries ("/proc/self/fd");
  bin_server_start (&end, &server, "mode=tfrc-sp caps=\"" CODEC "\"");
  for (i = 0; i < 50; i++) {
    ids[i] = bin_end_add_peer (&end, 27200 + i);
    feed (end.call, ids[i]);
  }
  for (n = 0; n < 50; n++) {
    for (i = 0; i < 50; i++) {
      fail_unless_equals_int (push (end.call, ids[i], n), GST_FLOW_OK);
      phone_send (phones[i], bin_end_get_port (&end), n);
    }
    g_usleep (20000);
  }
  wait_count (&server.buffers, 50 * 45);
  fail_unless_equals_int (server.linked, 50);
  fail_unless (count_entries ("/proc/self/task") <= threads + 6);
  fail_unless (count_entries ("/proc/self/fd") <= descriptors + 16);
  for (i = 0; i < 50; i++)
    heard += phone_hears (phones[i]);
  fail_unless_equals_int (heard, 50);
  bin_end_stop (&end);
  for (i = 0; i < 50; i++)
    g_object_unref (phones[i]);
}

GST_END_TEST;

/* --- with others --- */

GST_START_TEST (test_tfrcsink_and_tfrcsrc_at_the_other_end)
{
  BinEnd end, sender, receiver;
  GstStructure *stats, *part;
  guint64 reports;

  bin_end_start (&receiver, "tfrcsrc port=27162 mode=tfrc-sp ! " SINK);
  bin_end_start (&end, "tfrcbin name=call port=27164 peer=127.0.0.1:27162 "
      "accept=none mode=tfrc-sp " SOURCE "call.send_sink_0", 440);
  bin_end_wait_played (&receiver, 100);
  stats = bin_end_get_peer_stats (&end, 0);
  gst_structure_get (stats, "data-sender", GST_TYPE_STRUCTURE, &part, NULL);
  fail_unless (gst_structure_get_uint64 (part, "reports", &reports));
  fail_unless (reports > 5);
  gst_structure_free (part);
  gst_structure_free (stats);
  bin_end_stop (&end);
  bin_end_stop (&receiver);

  bin_end_start (&end, "tfrcbin name=call port=27166 peer=127.0.0.1:27168 "
      "mode=tfrc-sp call.recv_src_0 ! " SINK);
  bin_end_start (&sender, SOURCE "tfrcsink host=127.0.0.1 port=27166 "
      "bind-port=27168 mode=tfrc-sp name=sink", 440);
  bin_end_wait_played (&end, 100);
  bin_end_stop (&sender);
  bin_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_rtpbin_at_the_other_end)
{
  BinEnd end, other;

  bin_end_start (&end, "tfrcbin name=call port=27172 peer=127.0.0.1:27174 "
      "mode=tfrc-sp " SOURCE "call.send_sink_0 call.recv_src_0 ! " SINK, 440);
  bin_end_start (&other, "rtpbin name=r audiotestsrc is-live=true freq=660 ! "
      "opusenc ! rtpopuspay pt=96 ! r.send_rtp_sink_0 "
      "r.send_rtp_src_0 ! udpsink host=127.0.0.1 port=27172 bind-port=27174 "
      "sync=false async=false "
      "r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=27172 bind-port=27174 "
      "sync=false async=false ");
  bin_end_wait_state (&end, 0, "connected");
  bin_end_wait_played (&end, 100);
  /* RTP sessions of GStreamer say BYE at EOS only */
  gst_element_send_event (other.pipeline, gst_event_new_eos ());
  bin_end_wait_state (&end, 0, "gone");
  bin_end_stop (&other);
  bin_end_stop (&end);
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
  return s;
}

GST_CHECK_MAIN (tfrcbin);
