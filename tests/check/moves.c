/* gst-tfrc tests: calls whose remote moves to another address
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * As after a re-INVITE of SIP: the application says where the remote is from now on, and that may be another remote. */
#include "callend.h"
#include "ends.h"
#include "leaks.h"

#define OTHER_PORT 7000
#define KEYS "srtp-key=" \
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d " \
    "srtp-remote-key=" \
    "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d"
#define REMOTE_KEYS "srtp-remote-key=" \
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d " \
    "srtp-key=" \
    "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d"

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static guint
count_sent (guint port)
{
  GPtrArray *packets = net_take (port);
  guint n = packets->len;

  g_ptr_array_unref (packets);
  return n;
}

static gchar *
get_warning (GstElement * pipeline)
{
  GstMessage *message = ends_pop (pipeline, GST_MESSAGE_WARNING);
  GError *error;
  gchar *text;

  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  return text;
}

/* --- tfrcsink --- */

/* RFC 5348 4.2: a new path begins with a packet in a second, neither R nor p. */
GST_START_TEST (a_call_that_moves_begins_slowly_and_finds_its_rate_again)
{
  guint64 R;
  guint played;

  ends_start_call (&ends, "", "");
  net_open (OTHER_PORT);
  count_sent (ends.port);
  g_object_set (ends.sink, "host", "127.0.0.1", "port", OTHER_PORT, NULL);
  g_object_get (ends.sink, "round-trip-time", &R, NULL);
  fail_unless_equals_uint64 (R, 0);
  fail_unless (ends_get_double (ends.sink, "allowed-rate") <= 8 * 1460);
  count_sent (ends.port);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (count_sent (ends.port), 0);
  played = count_sent (OTHER_PORT);
  fail_unless (played >= 2 && played <= 8, "%u", played);
  /* back to a remote that answers */
  g_object_set (ends.sink, "port", ends.port, NULL);
  ends_play (&ends, 4 * GST_SECOND);
  played = ends_play (&ends, 1 * GST_SECOND);
  fail_unless (played >= ENDS_FULL - 1 && played <= ENDS_FULL + 1, "%u",
      played);
  g_object_get (ends.sink, "round-trip-time", &R, NULL);
  fail_unless (R > 2 * NET_DELAY - GST_MSECOND && R < 3 * NET_DELAY);
  net_close (OTHER_PORT);
  ends_stop (&ends);
}

GST_END_TEST;

/* Reports of the old address are those of a stranger from then on. */
GST_START_TEST (the_old_remote_is_a_stranger)
{
  guint64 reports;

  ends_start_call (&ends, "", "");
  net_open (OTHER_PORT);
  g_object_set (ends.sink, "port", OTHER_PORT, NULL);
  reports = ends_get_stat (ends.sink, "reports");
  ends_expect_none (ends.sink, "rtcp-foreign");
  /* what was under way when the remote moved is answered */
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless (ends_get_stat (ends.sink, "rtcp-foreign") > 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "reports"), reports);
  net_close (OTHER_PORT);
  ends_stop (&ends);
}

GST_END_TEST;

/* Without rtcp-mux RTCP goes to the next port of the new address. */
GST_START_TEST (rtcp_of_its_own_port_moves_too)
{
  ends_start_call (&ends, "rtcp-mux=false", "rtcp-mux=false");
  net_open (OTHER_PORT);
  net_open (OTHER_PORT + 1);
  g_object_set (ends.sink, "port", OTHER_PORT, NULL);
  count_sent (ends.port + 1);
  ends_play (&ends, 8 * GST_SECOND);
  fail_unless_equals_int (count_sent (ends.port + 1), 0);
  fail_unless (count_sent (OTHER_PORT) > 0);
  fail_unless (count_sent (OTHER_PORT + 1) > 0);
  net_close (OTHER_PORT);
  net_close (OTHER_PORT + 1);
  ends_stop (&ends);
}

GST_END_TEST;

static void
expect_remote_is_kept (GstElement * sink)
{
  gchar *host;
  guint port;

  g_object_get (sink, "host", &host, "port", &port, NULL);
  fail_unless_equals_string (host, "127.0.0.1");
  fail_unless_equals_int (port, ends.port);
  g_free (host);
}

/* A listener reads what is kept. */
static void
on_notify (GstElement * sink, GParamSpec * spec, gint * notified)
{
  expect_remote_is_kept (sink);
  (*notified)++;
}

/* Host and port of one g_object_set() are refused together. */
GST_START_TEST (a_remote_that_cannot_be_is_refused)
{
  static const struct
  {
    const gchar *host, *warning;
  } wrong[] = {
    {"224.0.0.7", "224.0.0.7 is a multicast address."},
    {"ff02::1", "ff02::1 is a multicast address."},
    {"::1", "::1 is not of the family of addresses"},
    {NULL, "The host \"(NULL)\" cannot be found."}
  };
  gint hosts = 0, ports = 0;
  gchar *text;
  guint played;

  ends_start_call (&ends, "", "");
  g_signal_connect (ends.sink, "notify::host", G_CALLBACK (on_notify), &hosts);
  g_signal_connect (ends.sink, "notify::port", G_CALLBACK (on_notify), &ports);
  g_object_set (ends.sink, "host", wrong[__i__].host, "port", OTHER_PORT, NULL);
  text = get_warning (ends.sender);
  fail_unless (g_str_has_prefix (text, wrong[__i__].warning), "%s", text);
  fail_unless (strstr (text, "keep their values") != NULL);
  g_free (text);
  fail_unless (ends_pop (ends.sender, GST_MESSAGE_WARNING) == NULL);
  expect_remote_is_kept (ends.sink);
  /* what was set is notified once */
  fail_unless_equals_int (hosts, 1);
  fail_unless_equals_int (ports, 1);
  g_object_set (ends.sink, "host", wrong[__i__].host, NULL);
  fail_unless_equals_int (hosts, 2);
  fail_unless_equals_int (ports, 1);
  expect_remote_is_kept (ends.sink);
  played = ends_play (&ends, GST_SECOND);
  fail_unless (played >= ENDS_FULL - 1 && played <= ENDS_FULL + 1);
  ends_stop (&ends);
}

GST_END_TEST;

/* A URI names host and port in one, and what it cannot change is refused by itself. */
GST_START_TEST (a_uri_moves_the_remote)
{
  gchar *text;
  guint port;

  ends_start_call (&ends, "", "");
  net_open (OTHER_PORT);
  g_object_set (ends.sink, "uri", "tfrc://127.0.0.1:7000", NULL);
  g_object_get (ends.sink, "port", &port, NULL);
  fail_unless_equals_int (port, OTHER_PORT);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless (count_sent (OTHER_PORT) >= 2);
  g_object_set (ends.sink, "uri", "http://127.0.0.1:7002", NULL);
  text = get_warning (ends.sender);
  fail_unless (strstr (text, "nothing has changed") != NULL, "%s", text);
  g_free (text);
  g_object_get (ends.sink, "port", &port, NULL);
  fail_unless_equals_int (port, OTHER_PORT);
  net_close (OTHER_PORT);
  ends_stop (&ends);
}

GST_END_TEST;

/* --- tfrcbin --- */

static gboolean
move_peer (CallEnd * end, guint id, const gchar * host, guint port)
{
  gboolean moved;

  g_signal_emit_by_name (end->call, "move-peer", id, host, port, &moved);
  return moved;
}

/* From b to c, which has the same keys as b or none. Both keep their port. */
static void
check_move (const gchar * of_a, const gchar * of_others)
{
  gchar *line_c = g_strdup_printf ("port=6004 peer=127.0.0.1:6000 %s",
      of_others);
  CallEnd a, b, c;
  guint heard;

  call_start_pair (&a, &b, of_a, of_others);
  call_end_start (&c, line_c);
  g_free (line_c);
  call_end_feed (&c, 0);
  call_run (4 * GST_SECOND, &a, &b, NULL);
  heard = call_end_count_packets (&b, 0);
  fail_unless (heard > 150, "%u", heard);
  fail_unless (move_peer (&a, 0, "127.0.0.1", 6004));
  g_free (call_end_take_states (&a));
  call_run (5 * GST_SECOND, &a, &c, NULL);
  /* at most what was under way */
  fail_unless (call_end_count_packets (&b, 0) <= heard + 1);
  heard = call_end_count_packets (&c, 0);
  call_run (GST_SECOND, &a, &c, NULL);
  heard = call_end_count_packets (&c, 0) - heard;
  fail_unless (heard >= 49 && heard <= 51, "%u", heard);
  /* and the other way */
  heard = call_end_count_packets (&a, 0);
  call_run (GST_SECOND, &a, &c, NULL);
  heard = call_end_count_packets (&a, 0) - heard;
  fail_unless (heard >= 49 && heard <= 51, "%u", heard);
  call_end_stop (&c);
  call_stop_pair (&a, &b);
}

GST_START_TEST (a_peer_moves_to_another_phone)
{
  check_move ("", "");
}

GST_END_TEST;

GST_START_TEST (a_peer_with_keys_moves_to_another_phone)
{
  check_move (KEYS, REMOTE_KEYS);
}

GST_END_TEST;

GST_START_TEST (a_move_that_cannot_be_changes_nothing)
{
  CallEnd a, b;
  guint heard, id;

  call_start_pair (&a, &b, "", "");
  call_run (4 * GST_SECOND, &a, &b, NULL);
  id = call_end_add_peer (&a, "127.0.0.1", OTHER_PORT, NULL);
  fail_unless (id != 0);
  fail_if (move_peer (&a, 0, "127.0.0.1", OTHER_PORT));
  fail_if (move_peer (&a, 99, "127.0.0.1", 7002));
  fail_if (move_peer (&a, 0, "224.0.0.7", 7002));
  fail_if (move_peer (&a, 0, NULL, 7002));
  fail_if (move_peer (&a, 0, "127.0.0.1", 0));
  heard = call_end_count_packets (&b, 0);
  call_run (GST_SECOND, &a, &b, NULL);
  heard = call_end_count_packets (&b, 0) - heard;
  fail_unless (heard >= 49 && heard <= 51, "%u", heard);
  fail_unless (move_peer (&a, id, "127.0.0.1", 7002));
  fail_unless (move_peer (&a, id, "127.0.0.1", OTHER_PORT));
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* The address of another peer is refused, and that peer is heard as before at both of its addresses. */
GST_START_TEST (a_move_to_the_address_of_another_peer_leaves_that_peer_alone)
{
  static const gchar *const accept[] = { "accept=none", "accept=known" };
  GstStructure *options = gst_structure_new ("options", "rtcp-port",
      G_TYPE_UINT, OTHER_PORT + 1, NULL);
  guint mover, other, i;
  gchar *line = g_strdup_printf ("port=6000 %s", accept[__i__]);
  CallEnd a;

  call_end_start (&a, line);
  mover = call_end_add_peer (&a, "127.0.0.1", 7004, NULL);
  g_signal_emit_by_name (a.call, "add-peer", "127.0.0.1", OTHER_PORT, options,
      &other);
  fail_unless (mover != 0 && other != 0);
  for (i = 0; i < 2; i++)
    fail_if (move_peer (&a, mover, "127.0.0.1", OTHER_PORT + i));
  phone_speak ("127.0.0.1", OTHER_PORT, 6000, 0x77777777, 1, 50);
  phone_send_rtcp ("127.0.0.1", OTHER_PORT + 1, 6000, 0x77777777, FALSE);
  phone_speak ("127.0.0.1", 7004, 6000, 0x44444444, 1, 50);
  fail_unless_equals_int (call_end_count_packets (&a, other), 50);
  fail_unless_equals_int (call_end_count_packets (&a, mover), 50);
  fail_unless_equals_uint64 (call_end_get_stat (&a, "moved"), 0);
  fail_unless_equals_uint64 (call_end_get_stat (&a, "strangers-refused"), 0);
  call_end_stop (&a);
  gst_structure_free (options);
  g_free (line);
}

GST_END_TEST;

static Suite *
moves_suite (void)
{
  Suite *suite = suite_create ("moves");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_checked_fixture (tcase, set_up, net_stop);
  tcase_add_test (tcase,
      a_call_that_moves_begins_slowly_and_finds_its_rate_again);
  tcase_add_test (tcase, the_old_remote_is_a_stranger);
  tcase_add_test (tcase, rtcp_of_its_own_port_moves_too);
  tcase_add_loop_test (tcase, a_remote_that_cannot_be_is_refused, 0, 4);
  tcase_add_test (tcase, a_uri_moves_the_remote);
  tcase_add_test (tcase, a_peer_moves_to_another_phone);
  tcase_add_test (tcase, a_peer_with_keys_moves_to_another_phone);
  tcase_add_test (tcase, a_move_that_cannot_be_changes_nothing);
  tcase_add_loop_test (tcase,
      a_move_to_the_address_of_another_peer_leaves_that_peer_alone, 0, 2);
  return suite;
}

GST_CHECK_MAIN (moves);
