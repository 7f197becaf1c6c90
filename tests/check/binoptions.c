/* gst-tfrc tests: what a peer of tfrcbin has of its own
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callend.h"
#include "settle.h"

#define HOST "127.0.0.1"
#define KEY_A "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEY_B "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEYS(local, remote) "srtp-key=" local " srtp-remote-key=" remote " "
#define OTHER_CAPS "application/x-rtp,media=audio,encoding-name=L16," \
    "clock-rate=44100,channels=1,payload=110"

static CallEnd server, a, b;

static guint
add_peer (CallEnd * end, guint port, const gchar * text)
{
  GstStructure *options = gst_structure_from_string (text, NULL);
  guint id = 0;

  fail_unless (options != NULL, "%s", text);
  g_signal_emit_by_name (end->call, "add-peer", HOST, port, options, &id);
  gst_structure_free (options);
  settle ();
  return id;
}

/* --- what is the peer's own --- */

GST_START_TEST (test_peers_of_one_element_have_modes_of_their_own)
{
  guint ids[2];

  call_end_start (&server, "port=6004 accept=none");
  call_end_start (&a, "port=6000 peer=127.0.0.1:6004 mode=tfrc-sp");
  call_end_start (&b, "port=6002 peer=127.0.0.1:6004");
  ids[0] = add_peer (&server, 6000, "options,mode=tfrc-sp");
  ids[1] = add_peer (&server, 6002, "options,label=bert");
  call_end_feed (&server, ids[0]);
  call_end_feed (&server, ids[1]);
  call_run (3 * GST_SECOND, &server, NULL);
  fail_unless (call_end_count_packets (&a, 0) > 100);
  fail_unless (call_end_count_packets (&b, 0) > 10);
  /* a mode that differs is a warning at both ends */
  fail_unless_equals_int (server.warnings + a.warnings + b.warnings, 0);
  call_end_stop (&server);
  call_end_stop (&a);
  call_end_stop (&b);
}

GST_END_TEST;

/* --- threads --- */

static guint
count_threads (const gchar * name)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *id;
  guint n = 0;

  while ((id = g_dir_read_name (dir)) != NULL) {
    gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", id), *text;

    if (g_file_get_contents (path, &text, NULL, NULL)) {
      n += g_str_equal (g_strchomp (text), name);
      g_free (text);
    }
    g_free (path);
  }
  g_dir_close (dir);
  return n;
}

/* Peers of one port live in three threads, and all of them send and hear; they can be moved, forwarded and
 * removed as those of one thread. */
GST_START_TEST (test_peers_are_spread_over_threads)
{
  guint ids[6], i, k;

  call_end_start (&server, "port=6004 accept=known threads=3 context=spread");
  fail_unless_equals_int (count_threads ("tfrc-udp"), 1);
  for (i = 0; i < 6; i++) {
    ids[i] = add_peer (&server, 7000 + 2 * i, "options");
    call_end_feed (&server, ids[i]);
  }
  fail_unless_equals_int (count_threads ("tfrc-udp"), 3);
  for (k = 0; k < 30; k++)
    for (i = 0; i < 6; i++) {
      phone_send (HOST, 7000 + 2 * i, 6004, 8 + i, k);
      if (i == 5)
        net_run (CALL_FRAME);
    }
  net_run (100 * GST_MSECOND);
  settle ();
  for (i = 0; i < 6; i++) {
    fail_unless_equals_int (call_end_count_packets (&server, ids[i]), 30);
    g_ptr_array_unref (net_take (7000 + 2 * i));
    fail_unless_equals_int (call_end_push (&server, ids[i]), GST_FLOW_OK);
  }
  /* another port of the host, by its SSRC */
  for (k = 30; k < 40; k++) {
    for (i = 0; i < 6; i++)
      phone_send (HOST, 7001 + 2 * i, 6004, 8 + i, k);
    net_run (CALL_FRAME);
  }
  net_run (100 * GST_MSECOND);
  settle ();
  fail_unless_equals_uint64 (call_end_get_stat (&server, "moved"), 6);
  for (i = 0; i < 6; i++) {
    /* the table has the first of a stranger on probation */
    fail_unless_equals_int (call_end_count_packets (&server, ids[i]), 39);
    fail_unless (call_end_remove_peer (&server, ids[i]));
  }
  /* the one that reads the port, and its stand-in, since it has pushed to pads */
  fail_unless_equals_int (count_threads ("tfrc-udp"), 2);
  call_end_stop (&server);
  fail_unless_equals_int (count_threads ("tfrc-udp"), 0);
}

GST_END_TEST;

/* What one peer says goes to another one in another thread. */
GST_START_TEST (test_peers_of_two_threads_are_forwarded)
{
  guint ids[2], k, before;
  gboolean done;

  call_end_start (&server, "port=6004 accept=none threads=2");
  ids[0] = add_peer (&server, 7000, "options");
  ids[1] = add_peer (&server, 7002, "options");
  g_signal_emit_by_name (server.call, "forward", ids[0], ids[1], TRUE, &done);
  fail_unless (done);
  g_signal_emit_by_name (server.call, "forward", ids[1], ids[0], TRUE, &done);
  fail_unless (done);
  for (k = 0; k < 100; k++) {
    phone_send (HOST, 7000, 6004, 8, k);
    phone_send (HOST, 7002, 6004, 9, k);
    net_run (CALL_FRAME);
  }
  before = call_end_get_peer_stat (&server, ids[0], "session", "packets-sent");
  fail_unless (before > 0);
  fail_unless (call_end_get_peer_stat (&server, ids[1], "session",
          "packets-sent") > 0);
  fail_unless_equals_int (call_end_count_packets (&server, ids[0]), 0);
  fail_unless (call_end_remove_peer (&server, ids[1]));
  for (; k < 120; k++) {
    phone_send (HOST, 7000, 6004, 8, k);
    net_run (CALL_FRAME);
  }
  settle ();
  fail_unless_equals_int (call_end_count_packets (&server, ids[0]), 20);
  call_end_stop (&server);
}

GST_END_TEST;

static void
send_other (guint from, guint16 seq)
{
  guint8 packet[PHONE_RTP] = { 0x80, 110 };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 4, seq * 882);
  GST_WRITE_UINT32_BE (packet + 8, 7);
  net_send (from, 6004, packet, sizeof packet);
  net_run (CALL_FRAME);
}

static GstClockTime
get_latency (CallEnd * end, guint id)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live;
  GstClockTime min;

  fail_unless (gst_pad_peer_query (call_end_get_output (end, id)->pad, query));
  gst_query_parse_latency (query, &live, &min, NULL);
  gst_query_unref (query);
  return min;
}

GST_START_TEST (test_peers_have_caps_and_latency_of_their_own)
{
  guint ids[2], i;

  call_end_start (&server, "port=6004 accept=none latency=200");
  ids[0] = add_peer (&server, 7000, "options,latency=(uint)40,caps=(string)\""
      OTHER_CAPS "\"");
  ids[1] = add_peer (&server, 7002, "options,dscp=(int)46");
  for (i = 0; i < 40; i++) {
    send_other (7000, i);
    send_other (7002, i);
    phone_send (HOST, 7002, 6004, 8, i);
  }
  settle ();
  fail_unless (call_end_count_packets (&server, ids[0]) > 30);
  fail_unless (strstr (call_end_get_output (&server, ids[0])->caps, "L16") !=
      NULL);
  fail_unless (call_end_get_peer_stat (&server, ids[1], NULL,
          "unknown-payload") > 0);
  fail_unless_equals_int (call_end_get_peer_stat (&server, ids[0], NULL,
          "unknown-payload"), 0);
  fail_unless_equals_uint64 (get_latency (&server, ids[0]), 40 * GST_MSECOND);
  call_end_stop (&server);
}

GST_END_TEST;

/* One packet in a second may depart before the first report: the others wait, or are too many. */
GST_START_TEST (test_peers_have_limits_of_their_queues)
{
  guint ids[2], dropped[2], i;

  call_end_start (&server, "port=6004 accept=none max-queue-packets=5");
  ids[0] = add_peer (&server, 7000, "options,max-queue-packets=(uint)2");
  ids[1] = add_peer (&server, 7002, "options,max-queue-packets=7");
  call_end_feed (&server, ids[0]);
  call_end_feed (&server, ids[1]);
  /* both peers have begun, so that the first packet of each departs */
  net_run (CALL_FRAME);
  for (i = 0; i < 12; i++) {
    call_end_push (&server, ids[0]);
    call_end_push (&server, ids[1]);
    settle ();
  }
  for (i = 0; i < 2; i++)
    dropped[i] = call_end_get_peer_stat (&server, ids[i], "data-sender",
        "dropped");
  fail_unless (dropped[1] > 0);
  fail_unless_equals_int (dropped[0], dropped[1] + 7 - 2);
  call_end_stop (&server);
}

GST_END_TEST;

/* --- running time --- */

/* All of it is there at once, and departs in its own time. */
static gpointer
feed_file (gpointer data)
{
  GstPad *feeder = data;
  guint i;

  for (i = 0; i < 150; i++) {
    guint8 packet[12 + CALL_PAYLOAD] = { 0x80, 96 };
    GstBuffer *buffer;

    GST_WRITE_UINT16_BE (packet + 2, i);
    GST_WRITE_UINT32_BE (packet + 4, i * 960);
    buffer = gst_buffer_new_memdup (packet, sizeof packet);
    GST_BUFFER_PTS (buffer) = i * CALL_FRAME;
    if (gst_pad_push (feeder, buffer) != GST_FLOW_OK)
      break;
  }
  return GUINT_TO_POINTER (i);
}

/* End a has a peer 0 that waits, and end b hears it. */
static GThread *
start_file (const gchar * properties)
{
  gchar *line =
      g_strdup_printf ("port=6000 peer=127.0.0.1:6002 mode=tfrc-sp %s",
      properties);

  call_end_start (&a, line);
  call_end_start (&b, "port=6002 peer=127.0.0.1:6000 mode=tfrc-sp");
  call_end_feed (&a, 0);
  g_free (line);
  return g_thread_new ("file", feed_file, call_end_get_feeder (&a, 0));
}

GST_START_TEST (test_a_file_goes_out_at_its_own_pace)
{
  GThread *thread = start_file ("");
  guint n;

  net_run (2 * GST_SECOND);
  n = call_end_count_packets (&b, 0);
  fail_unless (n > 50 && n <= 101, "%u", n);
  net_run (2 * GST_SECOND);
  fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (thread)), 150);
  fail_unless (call_end_count_packets (&b, 0) > n + 40);
  fail_unless_equals_int (call_end_get_peer_stat (&a, 0, "data-sender",
          "dropped"), 150 - call_end_count_packets (&b, 0));
  call_end_stop (&a);
  call_end_stop (&b);
}

GST_END_TEST;

GST_START_TEST (test_without_sync_a_file_is_there_at_once)
{
  GThread *thread = start_file ("sync=false");

  fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (thread)), 150);
  net_run (2 * GST_SECOND);
  fail_unless (call_end_get_peer_stat (&a, 0, "data-sender", "dropped") > 100);
  call_end_stop (&a);
  call_end_stop (&b);
}

GST_END_TEST;

/* Whatever ends the stream lets go of the thread that feeds it. */
GST_START_TEST (test_a_packet_that_waits_holds_nothing_up)
{
  GThread *thread = start_file ("");

  net_run (GST_SECOND);
  switch (__i__) {
    case 0:
      gst_element_set_state (a.pipeline, GST_STATE_READY);
      break;
    case 1:
      gst_pad_push_event (call_end_get_feeder (&a, 0),
          gst_event_new_flush_start ());
      break;
    default:
      call_end_release (&a, 0);
      break;
  }
  fail_unless (GPOINTER_TO_UINT (g_thread_join (thread)) < 150);
  call_end_stop (&a);
  call_end_stop (&b);
}

GST_END_TEST;

/* --- keys --- */

/* Those of peer 0 are not those of others. */
GST_START_TEST (test_peers_have_keys_of_their_own)
{
  guint id;

  call_end_start (&server, "port=6004 accept=none peer=127.0.0.1:6000 "
      "mode=tfrc-sp " KEYS (KEY_A, KEY_B));
  call_end_start (&a, "port=6000 peer=127.0.0.1:6004 mode=tfrc-sp "
      KEYS (KEY_B, KEY_A));
  call_end_start (&b, "port=6002 peer=127.0.0.1:6004 mode=tfrc-sp");
  id = add_peer (&server, 6002, "options,label=bert");
  call_end_feed (&a, 0);
  call_end_feed (&b, 0);
  call_run (2 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&server, 0) > 50);
  fail_unless (call_end_count_packets (&server, id) > 50);
  fail_unless_equals_int (call_end_get_peer_stat (&server, 0, NULL,
          "srtp-failures"), 0);
  call_end_stop (&server);
  call_end_stop (&a);
  call_end_stop (&b);
}

GST_END_TEST;

static void
note_index (GHashTable * seen, GBytes * bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  gboolean rtcp = data[1] >= 192 && data[1] <= 223;
  gchar *pair = g_strdup_printf ("%d %08x %u", rtcp,
      GST_READ_UINT32_BE (data + (rtcp ? 4 : 8)), rtcp ?
      GST_READ_UINT32_BE (data + size - 14) : GST_READ_UINT16_BE (data + 2));

  fail_unless (g_hash_table_add (seen, pair), "twice: %s", pair);
}

/* Packets with one SSRC and numbers that begin anew each time. */
GST_START_TEST (test_no_key_stream_is_used_twice_after_ready_and_null)
{
  static const GstState states[] = { GST_STATE_READY, GST_STATE_NULL,
    GST_STATE_READY, GST_STATE_NULL, GST_STATE_READY, GST_STATE_NULL
  };
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  GPtrArray *packets;
  guint i;

  call_end_init (&server, "port=6004 accept=none peer=127.0.0.1:7000 "
      KEYS (KEY_A, KEY_B));
  for (i = 0; i <= G_N_ELEMENTS (states); i++) {
    call_end_play (&server);
    server.seq = 0;
    server.rtptime = 0;
    call_end_feed (&server, 0);
    call_run (5 * GST_SECOND, &server, NULL);
    call_end_release (&server, 0);
    if (i < G_N_ELEMENTS (states))
      gst_element_set_state (server.pipeline, states[i]);
    settle ();
  }
  call_end_stop (&server);
  packets = net_take (7000);
  fail_unless (packets->len > 7 * 6);
  for (i = 0; i < packets->len; i++)
    note_index (seen, packets->pdata[i]);
  g_ptr_array_unref (packets);
  g_hash_table_unref (seen);
}

GST_END_TEST;

/* --- what cannot be used --- */

GST_START_TEST (test_options_that_cannot_be_used_are_a_warning)
{
  static const gchar *const wrong[][2] = {
    {"options,volume=1", "no option \"volume\", but label, mode"},
    {"options,label=(int)1", "value of \"label\""},
    {"options,mode=gaming", "value of \"mode\""},
    {"options,mtu=(uint)17", "value of \"mtu\""},
    {"options,feedback=twcc", "\"feedback\" cannot be twcc here"},
    {"options,latency=(string)long", "value of \"latency\""},
    {"options,srtp-cipher=rot13", "value of \"srtp-cipher\""},
    {"options,srtp-key=(string)" KEY_A, "\"srtp-remote-key\" must be"},
    {"options,caps=(string)audio/x-raw", "\"caps\" cannot be used"},
    {"options,experimental=(structure)[experimental,pacing=(string)fast]",
        "pacing"},
  };
  guint i;

  call_end_start (&server, "port=6004 accept=none");
  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    fail_unless_equals_int (add_peer (&server, 7000, wrong[i][0]), 0);
    fail_unless_equals_int (server.warnings, i + 1);
    fail_unless (strstr (server.warning, wrong[i][1]) != NULL, "%s",
        server.warning);
    fail_unless (strstr (server.warning, KEY_A) == NULL);
  }
  fail_unless_equals_int (call_end_count_peers (&server), 0);
  call_end_stop (&server);
}

GST_END_TEST;

static Suite *
binoptions_suite (void)
{
  Suite *s = suite_create ("binoptions");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, test_peers_are_spread_over_threads);
  tcase_add_test (tc, test_peers_of_two_threads_are_forwarded);
  tcase_add_test (tc, test_peers_of_one_element_have_modes_of_their_own);
  tcase_add_test (tc, test_peers_have_caps_and_latency_of_their_own);
  tcase_add_test (tc, test_peers_have_limits_of_their_queues);
  tcase_add_test (tc, test_a_file_goes_out_at_its_own_pace);
  tcase_add_test (tc, test_without_sync_a_file_is_there_at_once);
  tcase_add_loop_test (tc, test_a_packet_that_waits_holds_nothing_up, 0, 3);
  tcase_add_test (tc, test_peers_have_keys_of_their_own);
  tcase_add_test (tc, test_no_key_stream_is_used_twice_after_ready_and_null);
  tcase_add_test (tc, test_options_that_cannot_be_used_are_a_warning);
  return s;
}

GST_CHECK_MAIN (binoptions);
