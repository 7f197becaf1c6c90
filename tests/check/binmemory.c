/* gst-tfrc tests: what tfrcbin takes of the process, and gives back
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Something is done some times, so that all caches are full, and then some times more: the memory
 * in use may not grow by it. */

#include "callend.h"
#include "heap.h"
#include "settle.h"
#include "udprig.h"

#define HOST "127.0.0.1"
#define ROUNDS 20

static CallEnd end;

static void
set_up (void)
{
  heap_set_up ();
  net_start ();
}

static void
tear_down (void)
{
  net_stop ();
}

static guint
count_descriptors (void)
{
  GDir *dir;
  guint n = 0;

  settle ();
  settle_close ();
  dir = g_dir_open ("/proc/self/fd", 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static gsize
get_used (void)
{
  settle ();
  return heap_get_used ();
}

static void
repeat (void (*act) (void))
{
  guint i;

  for (i = 0; i < ROUNDS; i++)
    act ();
}

/* What grows by each round grows every time. What a thread of GStreamer keeps until it ends, at
 * a time of its own, does not. */
static void
check_growth (const gchar * what, void (*act) (void))
{
  gssize growth = G_MAXSSIZE;
  guint descriptors, times;

  repeat (act);
  descriptors = count_descriptors ();
  for (times = 0; times < 3 && growth >= 16 * ROUNDS; times++) {
    gsize used = get_used ();

    repeat (act);
    growth = get_used () - used;
  }
  fail_unless (growth < 16 * ROUNDS, "%s: %" G_GSSIZE_FORMAT " bytes in %u "
      "rounds", what, growth, ROUNDS);
  fail_unless_equals_int (count_descriptors (), descriptors);
}

static void
forget_taken (guint port)
{
  g_ptr_array_unref (net_take (port));
}

/* A peer that speaks and is spoken to. */
static void
join_and_leave (void)
{
  guint id = call_end_add_peer (&end, HOST, 7000, "label"), i;
  GstPad *feeder;

  call_end_feed (&end, id);
  feeder = call_end_get_feeder (&end, id);
  for (i = 0; i < 10; i++) {
    phone_send (HOST, 7000, end.port, id, i + (i > 5));
    call_end_push (&end, id);
    net_run (CALL_FRAME);
  }
  phone_send_rtcp (HOST, 7000, end.port, id, FALSE);
  net_run (200 * GST_MSECOND);
  fail_unless (call_end_get_peer_stat (&end, id, "session", "rtcp-received") ==
      1);
  fail_unless_equals_int (call_end_count_packets (&end, id), 10);
  gst_pad_push_event (call_end_get_output (&end, id)->pad,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("GstForceKeyUnit")));
  gst_pad_push_event (feeder, gst_event_new_flush_start ());
  gst_pad_push_event (feeder, gst_event_new_flush_stop (TRUE));
  gst_pad_push_event (feeder, gst_event_new_eos ());
  net_run (GST_SECOND);
  fail_unless (call_end_remove_peer (&end, id));
  call_end_release (&end, id);
  g_hash_table_remove (end.outputs, GUINT_TO_POINTER (id));
  g_free (call_end_take_states (&end));
  forget_taken (7000);
}

GST_START_TEST (test_peers_that_come_and_go_leave_nothing)
{
  call_end_start (&end, "accept=none");
  check_growth ("peers", join_and_leave);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numpads, 0);
  call_end_stop (&end);
}

GST_END_TEST;

static void
call_and_leave (void)
{
  guint id;

  phone_speak (HOST, 7000, end.port, 1, 0, 3);
  id = g_ascii_strtoull (end.states->str, NULL, 10);
  phone_send_rtcp (HOST, 7000, end.port, 1, TRUE);
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  g_free (call_end_take_states (&end));
  g_hash_table_remove (end.outputs, GUINT_TO_POINTER (id));
  forget_taken (7000);
}

static gboolean
refuse (GstElement * call, guint id, const gchar * address, gpointer data)
{
  return FALSE;
}

static void
call_in_vain (void)
{
  phone_speak (HOST, 7000, end.port, 1, 0, 3);
  settle ();
  fail_unless_equals_int (call_end_count_peers (&end), 0);
}

GST_START_TEST (test_callers_leave_nothing)
{
  call_end_start (&end, "accept=any");
  check_growth ("callers", call_and_leave);
  g_signal_connect (end.call, "new-peer", G_CALLBACK (refuse), NULL);
  check_growth ("callers that are refused", call_in_vain);
  call_end_stop (&end);
}

GST_END_TEST;

static void
stop_and_start (void)
{
  gst_element_set_state (end.pipeline, GST_STATE_READY);
  call_end_play (&end);
  phone_speak (HOST, 7000, end.port, 1, 0, 5);
  call_run (100 * GST_MSECOND, &end, NULL);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 5);
  g_hash_table_remove (end.outputs, GUINT_TO_POINTER (0));
  g_free (call_end_take_states (&end));
  forget_taken (7000);
}

GST_START_TEST (test_starts_and_stops_leave_nothing)
{
  call_end_start (&end, "port=6000 peer=127.0.0.1:7000");
  call_end_feed (&end, 0);
  check_growth ("starts", stop_and_start);
  call_end_stop (&end);
}

GST_END_TEST;

static void
fail_to_start (void)
{
  gst_element_set_state (end.pipeline, GST_STATE_PLAYING);
  fail_unless (end.error != NULL);
  g_clear_pointer (&end.error, g_free);
  gst_element_set_state (end.pipeline, GST_STATE_NULL);
}

GST_START_TEST (test_a_start_that_fails_leaves_nothing)
{
  call_end_init (&end, "peer=[::1]:6004");
  net_fail_threads (TRUE);
  check_growth ("threads", fail_to_start);
  net_fail_threads (FALSE);
  net_fail_descriptors (TRUE);
  check_growth ("descriptors", fail_to_start);
  net_fail_descriptors (FALSE);
  net_fail_bind (6000, G_IO_ERROR_ADDRESS_IN_USE);
  g_object_set (end.call, "port", 6000, NULL);
  check_growth ("ports", fail_to_start);
  g_object_set (end.call, "address", "224.1.1.1", NULL);
  check_growth ("addresses", fail_to_start);
  g_object_set (end.call, "peer", "fe80::1", NULL);
  check_growth ("peers", fail_to_start);
  g_object_set (end.call, "peer", "127.0.0.1:x", NULL);
  check_growth ("no peers", fail_to_start);
  gst_util_set_object_arg (G_OBJECT (end.call), "caps", "audio/x-raw");
  check_growth ("caps", fail_to_start);
  call_end_stop (&end);
}

GST_END_TEST;

static void
make_and_free (void)
{
  CallEnd other;

  call_end_init (&other, "peer=h context=c address=a");
  g_object_set (other.call, "peer", "other", "context", "d", "address", "b",
      NULL);
  gst_util_set_object_arg (G_OBJECT (other.call), "caps", CALL_CAPS);
  call_end_add_peer (&other, HOST, 7000, "label");
  call_end_feed (&other, 7);
  gst_util_set_object_arg (G_OBJECT (other.call), "peer", "127.0.0.1:7002");
  gst_util_set_object_arg (G_OBJECT (other.call), "address", "");
  gst_util_set_object_arg (G_OBJECT (other.call), "dscp", "46");
  call_end_play (&other);
  /* there is no peer 7 */
  for (guint i = 0; i < 260; i++)
    call_end_push (&other, 7);
  fail_unless_equals_int (other.warnings, 1);
  call_end_release (&other, 7);
  call_end_stop (&other);
  net_run (NET_DELAY);
  forget_taken (7000);
  forget_taken (7002);
}

GST_START_TEST (test_elements_leave_nothing)
{
  check_growth ("elements", make_and_free);
}

GST_END_TEST;

static void
make_sink_and_src (void)
{
  static const gchar *const lines[] = {
    "tfrcsink host=127.0.0.1 port=7000 bind-address=127.0.0.1 srtp-key="
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d",
    "tfrcsink uri=tfrc://127.0.0.1:7000?mode=tfrc-sp",
    "tfrcsrc port=0 address=127.0.0.1 srtp-key="
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d",
    "tfrcsrc uri=tfrc://127.0.0.1:0?rtcp-mux=false"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lines); i++) {
    GstElement *element = gst_parse_launch (lines[i], NULL);
    GstStructure *stats;

    fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) !=
        GST_STATE_CHANGE_FAILURE, "%s", lines[i]);
    g_object_get (element, "stats", &stats, NULL);
    gst_structure_free (stats);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
}

static void
fail_sink_and_src (void)
{
  static const gchar *const lines[] = {
    "tfrcsink host=127.0.0.1 bind-address=::1", "tfrcsink host=224.1.1.1",
    "tfrcsink host=127.0.0.1 srtp-key=00",
    "tfrcsink uri=tfrc://127.0.0.1:5004?mode=fast", "tfrcsrc caps=EMPTY",
    "tfrcsrc address=fe80::1", "tfrcsrc address=224.1.1.1",
    "tfrcsrc srtp-key=00"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lines); i++) {
    GstElement *element = gst_parse_launch (lines[i], NULL);

    fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) ==
        GST_STATE_CHANGE_FAILURE, "%s", lines[i]);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
}

GST_START_TEST (test_sinks_and_sources_leave_nothing)
{
  check_growth ("sinks and sources", make_sink_and_src);
  check_growth ("those that fail", fail_sink_and_src);
}

GST_END_TEST;

#define FLOODED_PORT 6100
#define FLOOD 2500              /* packets */

/* Packets of SSRCs that never came before. */
static void
flood (void)
{
  static guint32 ssrc = 1;
  guint i;

  for (i = 0; i < FLOOD; i++)
    phone_send (HOST, 7000, FLOODED_PORT, ssrc++, i);
  net_run (CALL_FRAME);
  g_ptr_array_unref (net_take (FLOODED_PORT));
}

/* Whatever arrives: SSRCs leave nothing behind, with a key or without. Each of them used to be a
 * member of an RTP session, and with a key a stream of libsrtp. */
GST_START_TEST (test_strange_ssrcs_leave_nothing)
{
  static const gchar *const keys[] = { "", "srtp-key="
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
  };
  gchar *line = g_strdup_printf ("tfrcsrc name=src port=%u %s ! fakesink "
      "sync=false", FLOODED_PORT, keys[__i__]);
  GstElement *pipeline = gst_parse_launch (line, NULL), *src;
  GstStructure *stats;
  guint64 others, failures;

  net_open (7000);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  check_growth ("SSRCs", flood);
  src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  g_object_get (src, "stats", &stats, NULL);
  gst_structure_get (stats, "packets-of-others", G_TYPE_UINT64, &others,
      "srtp-failures", G_TYPE_UINT64, &failures, NULL);
  fail_unless (others + failures >= 2 * ROUNDS * (FLOOD - 10));
  gst_structure_free (stats);
  gst_object_unref (src);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  net_close (7000);
  g_free (line);
}

GST_END_TEST;

/* What arrives at a pad that is held up, and goes when the peer goes. */
static GMutex gate;

static GstPadProbeReturn
hold (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  return GST_PAD_PROBE_OK;
}

static void
block_and_leave (void)
{
  guint id = call_end_add_peer (&end, HOST, 7000, NULL);

  phone_speak (HOST, 7000, end.port, id, 0, 2);
  gst_pad_add_probe (call_end_get_output (&end, id)->pad,
      GST_PAD_PROBE_TYPE_BUFFER, hold, NULL, NULL);
  g_mutex_lock (&gate);
  phone_speak (HOST, 7000, end.port, id, 2, 10);
  /* two wait behind one that is missing */
  phone_speak (HOST, 7000, end.port, id, 13, 2);
  g_mutex_unlock (&gate);
  fail_unless (call_end_remove_peer (&end, id));
  g_hash_table_remove (end.outputs, GUINT_TO_POINTER (id));
  g_free (call_end_take_states (&end));
  net_run (NET_DELAY);
  forget_taken (7000);
}

GST_START_TEST (test_packets_that_wait_go_with_their_peer)
{
  call_end_start (&end, "accept=none");
  check_growth ("waiting packets", block_and_leave);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- sockets and workers --- */

/* A name that no worker had before. */
static gchar *
new_context (void)
{
  static guint n = 1000;

  return g_strdup_printf ("%u", n++);
}

static void
open_and_close (void)
{
  gchar *context = new_context ();
  UdpEnd a;

  udp_end_open (&a, context, HOST);
  udp_end_send (&a, &a.address, 100, 0, 10);
  udp_end_send (&a, &a.address, 4000, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (a.received, 11);
  udp_end_close (&a);
  g_ptr_array_unref (net_take (a.address.port));
  g_free (context);
}

/* One of two threads ends, and another begins. */
static void
join_two (void)
{
  gchar *context = new_context ();
  GstTfrcUdpWorker *one = gst_tfrc_udp_worker_join (context, 2, NULL);
  GstTfrcUdpWorker *two = gst_tfrc_udp_worker_join (context, 2, NULL);

  fail_if (one == two);
  gst_tfrc_udp_worker_leave (one);
  one = gst_tfrc_udp_worker_join (context, 2, NULL);
  fail_if (one == two);
  gst_tfrc_udp_worker_leave (two);
  gst_tfrc_udp_worker_leave (one);
  g_free (context);
}

static void
fail_to_join (void)
{
  gchar *context = new_context ();
  GError *error = NULL;

  fail_unless (gst_tfrc_udp_worker_join (context, 1, &error) == NULL);
  g_clear_error (&error);
  g_free (context);
}

GST_START_TEST (test_sockets_and_workers_leave_nothing)
{
  check_growth ("sockets", open_and_close);
  check_growth ("workers", join_two);
  net_fail_descriptors (TRUE);
  check_growth ("descriptors", fail_to_join);
  net_fail_descriptors (FALSE);
  net_fail_threads (TRUE);
  check_growth ("threads", fail_to_join);
  net_fail_threads (FALSE);
}

GST_END_TEST;

static Suite *
binmemory_suite (void)
{
  Suite *s = suite_create ("binmemory");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_peers_that_come_and_go_leave_nothing);
  tcase_add_test (tc, test_callers_leave_nothing);
  tcase_add_test (tc, test_starts_and_stops_leave_nothing);
  tcase_add_test (tc, test_a_start_that_fails_leaves_nothing);
  tcase_add_test (tc, test_elements_leave_nothing);
  tcase_add_test (tc, test_sinks_and_sources_leave_nothing);
  tcase_add_loop_test (tc, test_strange_ssrcs_leave_nothing, 0, 2);
  tcase_add_test (tc, test_packets_that_wait_go_with_their_peer);
  tcase_add_test (tc, test_sockets_and_workers_leave_nothing);
  return s;
}

GST_CHECK_MAIN (binmemory);
