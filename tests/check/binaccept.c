/* gst-tfrc tests: who may speak to tfrcbin: strangers, callers, and peers that move
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callend.h"
#include "settle.h"

#define HOST "127.0.0.1"
#define PORT 6000

static CallEnd end;

static void
begin (const gchar * properties)
{
  gchar *line = g_strdup_printf ("port=6000 %s", properties);

  call_end_start (&end, line);
  g_free (line);
}

/* Whether anything was sent to the port since the last call. */
static guint
count_answers (guint port)
{
  GPtrArray *packets = net_take (port);
  guint n = packets->len;

  g_ptr_array_unref (packets);
  return n;
}

/* --- peers that move --- */

GST_START_TEST (test_a_phone_that_speaks_from_another_port_is_answered_there)
{
  begin ("peer=127.0.0.1:7000");
  call_end_feed (&end, 0);
  call_run (1 * GST_SECOND, &end, NULL);
  fail_unless (count_answers (7000) > 0);
  phone_speak (HOST, 7002, PORT, 1, 0, 20);
  call_end_expect_states (&end, "0:waiting 0:moved 0:connected");
  fail_unless_equals_string (end.last_address, "127.0.0.1:7002");
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 1);
  count_answers (7000);
  count_answers (7002);
  call_run (1 * GST_SECOND, &end, NULL);
  fail_unless_equals_int (count_answers (7000), 0);
  fail_unless (count_answers (7002) > 0);
  fail_unless (call_end_count_packets (&end, 0) >= 15);
  call_end_stop (&end);
}

GST_END_TEST;

/* Its SSRC shows that it is the peer, though it spoke a moment ago. */
GST_START_TEST (test_a_stream_that_goes_on_from_another_port_is_the_peer)
{
  begin ("peer=127.0.0.1:7000 accept=any");
  phone_speak (HOST, 7000, PORT, 1, 0, 50);
  phone_speak (HOST, 7002, PORT, 1, 50, 50);
  call_end_expect_states (&end, "0:waiting 0:connected 0:moved");
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 1);
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  /* one was lost to the probation of strangers */
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 99);
  /* it comes back */
  phone_speak (HOST, 7000, PORT, 1, 100, 5);
  call_end_expect_states (&end, "0:moved");
  call_end_stop (&end);
}

GST_END_TEST;

/* RTCP has its SSRC in another place, and may have another one than the data. */
GST_START_TEST (test_rtcp_shows_who_has_moved_too)
{
  begin ("peer=127.0.0.1:7000 accept=any");
  phone_speak (HOST, 7000, PORT, 1, 0, 10);
  phone_send_rtcp (HOST, 7000, PORT, 5, FALSE);
  net_run (CALL_FRAME);
  phone_send_rtcp (HOST, 7002, PORT, 5, FALSE);
  phone_send_rtcp (HOST, 7002, PORT, 5, FALSE);
  net_run (CALL_FRAME);
  call_end_expect_states (&end, "0:waiting 0:connected 0:moved");
  phone_send_rtcp (HOST, 7004, PORT, 1, FALSE);
  phone_send_rtcp (HOST, 7004, PORT, 1, FALSE);
  net_run (CALL_FRAME);
  call_end_expect_states (&end, "0:moved");
  /* whoever has another SSRC, or none, is another caller */
  phone_send_rtcp (HOST, 7006, PORT, 0, FALSE);
  phone_send_rtcp (HOST, 7006, PORT, 0, FALSE);
  net_run (CALL_FRAME);
  settle ();
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 2);
  fail_unless_equals_int (call_end_count_peers (&end), 2);
  call_end_stop (&end);
}

GST_END_TEST;

/* A peer that has not spoken yet has no SSRC: not even the SSRC 0 is its own. */
GST_START_TEST (test_a_peer_that_never_spoke_has_no_ssrc)
{
  begin ("peer=127.0.0.1:7000 accept=any");
  phone_speak (HOST, 7002, PORT, 0, 0, 10);
  settle ();
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 0);
  fail_unless_equals_int (call_end_count_peers (&end), 2);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_peer_that_speaks_cannot_be_replaced)
{
  gchar *address;
  guint i;

  begin ("peer=127.0.0.1:7000");
  for (i = 0; i < 50; i++) {
    phone_send (HOST, 7000, PORT, 1, i);
    phone_send (HOST, 7002, PORT, 2, i);
    net_run (CALL_FRAME);
  }
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 0);
  fail_unless_equals_int (count_answers (7002), 0);
  address = call_end_get_peer_text (&end, 0, "address");
  fail_unless_equals_string (address, "127.0.0.1:7000");
  g_free (address);
  /* after half a second of silence it can */
  net_run (400 * GST_MSECOND);
  phone_speak (HOST, 7002, PORT, 2, 50, 3);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 0);
  net_run (200 * GST_MSECOND);
  phone_speak (HOST, 7002, PORT, 2, 53, 5);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 1);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_another_host_takes_no_peers_place)
{
  begin ("peer=127.0.0.1:7000");
  phone_speak ("127.0.0.9", 7000, PORT, 1, 0, 50);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 0);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 0);
  fail_unless (call_end_get_stat (&end, "strangers-admitted") > 40);
  call_end_stop (&end);
}

GST_END_TEST;

/* The other end of a call pauses, and somebody on its host takes its place, who goes on sending when it returns. */
GST_START_TEST (test_a_peer_that_paused_takes_its_place_back)
{
  CallEnd other;
  gchar *address;
  guint heard, i, moved;

  call_start_pair (&end, &other, "", "");
  call_run (3 * GST_SECOND, &end, &other, NULL);
  net_set_rules (PORT, &(NetRules) {.block = TRUE});
  call_run (GST_SECOND, &end, &other, NULL);
  phone_speak (HOST, 7002, PORT, 2, 0, 20);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 1);
  net_set_rules (PORT, &(NetRules) {.block = FALSE});
  for (i = 20; i < 70; i++) {
    phone_send (HOST, 7002, PORT, 2, i);
    call_run (CALL_FRAME, &end, &other, NULL);
  }
  /* RTCP without a report, which proves nothing yet, may bring it back before the report does: the next packet of the
   * other one then takes the place once more */
  moved = call_end_get_stat (&end, "moved");
  fail_unless (moved == 2 || moved == 4);
  for (; i < 120; i++) {
    phone_send (HOST, 7002, PORT, 2, i);
    call_run (CALL_FRAME, &end, &other, NULL);
  }
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), moved);
  address = call_end_get_peer_text (&end, 0, "address");
  fail_unless_equals_string (address, "127.0.0.1:6002");
  heard = call_end_count_packets (&end, 0);
  call_run (GST_SECOND, &end, &other, NULL);
  fail_unless (call_end_count_packets (&end, 0) >= heard + 45);
  g_free (address);
  call_stop_pair (&end, &other);
}

GST_END_TEST;

/* Somebody sends with one SSRC after the other from the address of an end, from before the call begins. */
GST_START_TEST (test_a_call_begins_beside_forged_packets)
{
  CallEnd other;
  guint heard[2] = { 0, 0 }, i, k;

  call_start_pair (&end, &other, "", "");
  for (i = 0; i < 200; i++) {
    for (k = 0; k < 4; k++)
      phone_send (HOST, 6002, PORT, 0x1000 + 2 * i + k / 2, k);
    call_run (CALL_FRAME, &end, &other, NULL);
    if (i == 149)
      heard[0] = call_end_get_peer_stat (&end, 0, "session",
          "packets-received");
  }
  heard[1] = call_end_get_peer_stat (&end, 0, "session", "packets-received");
  fail_unless (heard[1] >= heard[0] + 48 && heard[1] <= heard[0] + 52,
      "%u then %u", heard[0], heard[1]);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 0);
  call_stop_pair (&end, &other);
}

GST_END_TEST;

/* Of two silent peers of a host nobody knows which one it is. */
GST_START_TEST (test_one_of_two_silent_peers_is_not_guessed)
{
  guint other;

  begin ("peer=127.0.0.1:7000");
  other = call_end_add_peer (&end, HOST, 7002, NULL);
  phone_speak (HOST, 7004, PORT, 1, 0, 20);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 0);
  /* when one of them speaks, it is the other */
  for (guint i = 0; i < 20; i++) {
    phone_send (HOST, 7002, PORT, 2, i);
    phone_send (HOST, 7004, PORT, 1, i);
    net_run (CALL_FRAME);
  }
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 1);
  fail_unless (call_end_count_packets (&end, 0) >= 15);
  fail_unless_equals_int (call_end_count_packets (&end, other), 20);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_nobody_but_the_peer_is_heard_without_accept)
{
  begin ("peer=127.0.0.1:7000 accept=none");
  phone_speak (HOST, 7002, PORT, 1, 0, 20);
  fail_unless_equals_int (count_answers (7002), 0);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 0);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-refused"), 20);
  fail_unless_equals_int (call_end_get_stat (&end, "datagrams-received"), 20);
  fail_unless_equals_int (call_end_get_stat (&end, "bytes-received"),
      20 * PHONE_RTP);
  /* the peer at its own address is heard from its first packet */
  phone_speak (HOST, 7000, PORT, 1, 0, 20);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 20);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- callers --- */

typedef struct
{
  guint asked, last_id;
  guint port_refused;
  gchar *last_address;
} Answer;

static gboolean
on_new_peer (GstElement * call, guint id, const gchar * address,
    Answer * answer)
{
  gchar *refused = g_strdup_printf (":%u", answer->port_refused);
  gboolean accept = !g_str_has_suffix (address, refused);

  answer->last_id = id;
  g_free (answer->last_address);
  answer->last_address = g_strdup (address);
  g_atomic_int_inc (&answer->asked);
  g_free (refused);
  return accept;
}

GST_START_TEST (test_whoever_calls_becomes_a_peer)
{
  Answer answer = { 0 };

  begin ("accept=any");
  g_signal_connect (end.call, "new-peer", G_CALLBACK (on_new_peer), &answer);
  /* forged packets come singly: nobody is asked for one */
  phone_speak ("192.0.2.1", 7000, PORT, 1, 0, 1);
  settle ();
  fail_unless_equals_int (g_atomic_int_get (&answer.asked), 0);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-on-probation"),
      1);
  phone_speak ("192.0.2.1", 7000, PORT, 1, 1, 1);
  settle ();
  fail_unless_equals_int (g_atomic_int_get (&answer.asked), 1);
  fail_unless_equals_int (answer.last_id, 1);
  fail_unless_equals_string (answer.last_address, "192.0.2.1:7000");
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  phone_speak ("192.0.2.1", 7000, PORT, 1, 2, 50);
  fail_unless_equals_int (call_end_count_packets (&end, 1), 50);
  fail_unless_equals_int (g_atomic_int_get (&answer.asked), 1);
  call_end_expect_states (&end, "1:waiting 1:connected");
  /* it is answered, and its pad can be requested */
  call_end_feed (&end, 1);
  count_answers (7000);
  call_run (1 * GST_SECOND, &end, NULL);
  fail_unless (count_answers (7000) > 0);
  fail_unless_equals_string (net_get_last (7000).to, "192.0.2.1:7000");
  /* and is removed when it is gone */
  phone_send_rtcp ("192.0.2.1", 7000, PORT, 1, TRUE);
  net_run (1 * GST_SECOND);
  call_end_expect_states (&end, "1:gone");
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  fail_unless (call_end_get_output (&end, 1)->removed);
  fail_unless_equals_int (call_end_push (&end, 1), GST_FLOW_EOS);
  g_free (answer.last_address);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_caller_that_is_refused_is_none)
{
  Answer answer = { .port_refused = 7002 };

  begin ("accept=any");
  g_signal_connect (end.call, "new-peer", G_CALLBACK (on_new_peer), &answer);
  phone_speak (HOST, 7002, PORT, 1, 0, 10);
  settle ();
  fail_unless (g_atomic_int_get (&answer.asked) >= 1);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  fail_unless_equals_int (count_answers (7002), 0);
  phone_speak (HOST, 7000, PORT, 2, 0, 10);
  settle ();
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  fail_unless_equals_string (answer.last_address, "127.0.0.1:7000");
  g_free (answer.last_address);
  call_end_stop (&end);
}

GST_END_TEST;

/* Two calls of one host are two peers. Callers of one instant may have to ask again. */
GST_START_TEST (test_callers_without_a_handler_are_all_accepted)
{
  guint i;

  begin ("accept=any");
  for (i = 0; i < 10; i++) {
    phone_send (HOST, 7000, PORT, 1, i);
    net_run (5 * GST_MSECOND);
    phone_send (HOST, 7002, PORT, 2, i);
    net_run (5 * GST_MSECOND);
    phone_send ("192.0.2.1", 7000, PORT, 1, i);
    net_run (10 * GST_MSECOND);
  }
  net_run (NET_DELAY);
  settle ();
  fail_unless_equals_int (call_end_count_peers (&end), 3);
  fail_unless_equals_int (call_end_count_packets (&end, 1), 8);
  fail_unless_equals_int (call_end_count_packets (&end, 2), 8);
  fail_unless_equals_int (call_end_count_packets (&end, 3), 8);
  /* callers do not outlive a stop */
  gst_element_set_state (end.pipeline, GST_STATE_READY);
  call_end_play (&end);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  fail_unless (call_end_get_output (&end, 1)->removed);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_callers_beyond_max_peers_are_refused)
{
  begin ("accept=any max-peers=2 peer=127.0.0.1:7000");
  phone_speak (HOST, 7002, PORT, 2, 0, 10);
  phone_speak (HOST, 7004, PORT, 3, 0, 10);
  settle ();
  fail_unless_equals_int (call_end_count_peers (&end), 2);
  /* all but the first, which was on probation */
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-refused"), 9);
  call_end_stop (&end);
}

GST_END_TEST;

/* The places are for new peers: whoever fills them keeps no peer from moving. */
GST_START_TEST (test_a_peer_moves_where_no_place_is_free)
{
  static const gchar *const lines[] = {
    "accept=known max-peers=1 peer=127.0.0.1:7000",
    "accept=any max-peers=1 peer=127.0.0.1:7000"
  };

  begin (lines[__i__]);
  phone_speak (HOST, 7000, PORT, 1, 0, 50);
  phone_speak (HOST, 7002, PORT, 1, 50, 50);
  /* a stranger is refused all the same, from its second packet on */
  phone_speak (HOST, 7004, PORT, 2, 0, 10);
  call_end_expect_states (&end, "0:waiting 0:connected 0:moved");
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 99);
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  fail_unless_equals_int (call_end_get_stat (&end, "moved"), 1);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-admitted"), 1);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-refused"), 9);
  call_end_stop (&end);
}

GST_END_TEST;

static GMutex asking;
static gint waiting;

static gboolean
ask_slowly (GstElement * call, guint id, const gchar * address, guint * asked)
{
  g_atomic_int_inc (&waiting);
  g_mutex_lock (&asking);
  g_mutex_unlock (&asking);
  g_atomic_int_inc ((gint *) asked);
  return TRUE;
}

/* An application that takes its time is asked once for each caller, and for sixteen at once. */
GST_START_TEST (test_callers_wait_for_an_application_that_is_slow)
{
  guint asked = 0, i, k;

  begin ("accept=any peer=127.0.0.1:7000");
  g_signal_connect (end.call, "new-peer", G_CALLBACK (ask_slowly), &asked);
  g_mutex_lock (&asking);
  for (i = 0; i < 5; i++)
    for (k = 0; k < 20; k++) {
      phone_send ("192.0.2.7", 8000 + 2 * k, PORT, k, i);
      net_run (GST_MSECOND);
    }
  /* the peer is heard all the while */
  phone_speak (HOST, 7000, PORT, 77, 0, 10);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 10);
  fail_unless_equals_int (g_atomic_int_get (&waiting), 16);
  g_mutex_unlock (&asking);
  net_run (100 * GST_MSECOND);
  fail_unless_equals_int (g_atomic_int_get ((gint *) & asked), 16);
  fail_unless_equals_int (call_end_count_peers (&end), 17);
  call_end_stop (&end);
}

GST_END_TEST;

static gboolean
accept_and_stop (GstElement * call, guint id, const gchar * address,
    guint * asked)
{
  gboolean removed;

  g_atomic_int_inc (asked);
  g_signal_emit_by_name (call, "remove-peer", id, &removed);
  fail_unless (removed);
  return TRUE;
}

GST_START_TEST (test_an_application_may_remove_the_caller_it_is_asked_for)
{
  guint asked = 0;

  begin ("accept=any");
  g_signal_connect (end.call, "new-peer", G_CALLBACK (accept_and_stop), &asked);
  phone_speak (HOST, 7002, PORT, 2, 0, 2);
  settle ();
  fail_unless_equals_int (g_atomic_int_get (&asked), 1);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- floods --- */

/* Two packets of a stranger in each network. */
static void
send_from_networks (guint net, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    gchar *host = g_strdup_printf ("10.%u.%u.1", net, i);

    phone_send (host, 8000, PORT, i, 0);
    phone_send (host, 8000, PORT, i, 1);
    g_free (host);
  }
}

/* A network of callers gets 50 looks at once and 50 each second, all of them 200. */
GST_START_TEST (test_strangers_are_looked_at_so_often_and_no_more)
{
  guint i, k;

  begin ("peer=127.0.0.1:7000");
  for (i = 0; i < 70; i++)
    for (k = 0; k < 2; k++)
      phone_send ("192.0.2.7", 8000, PORT, i, k);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-admitted"), 50);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-host-limited"),
      20);
  send_from_networks (0, 180);
  net_run (CALL_FRAME);
  /* 4 came back in 20 ms, 50 were taken by the others */
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-admitted"), 204);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-limited"), 26);
  net_run (GST_SECOND);
  send_from_networks (1, 180);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-admitted"), 384);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- what is neither RTP nor RTCP, and what is refused --- */

GST_START_TEST (test_what_is_no_packet_is_counted_and_dropped)
{
  static const guint8 bytes[40] = { 0x80, 96 };
  static const guint8 zeros[40];

  begin ("peer=127.0.0.1:7000 accept=any");
  net_send_from (HOST, 7000, "", PORT, 0, bytes, 0);
  net_send_from (HOST, 7000, "", PORT, 0, bytes, 7);
  net_send_from (HOST, 7002, "", PORT, 0, bytes, 7);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_stat (&end, "malformed"), 3);
  /* long enough for a peer to look at */
  net_send_from (HOST, 7000, "", PORT, 0, bytes, 8);
  net_send_from (HOST, 7000, "", PORT, 0, bytes, 11);
  net_send_from (HOST, 7000, "", PORT, 0, zeros, 40);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_stat (&end, "malformed"), 3);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, NULL, "malformed"),
      2);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, NULL, "refused"), 1);
  call_end_expect_states (&end, "0:waiting");
  /* a short one of a stranger has no SSRC */
  net_send_from (HOST, 7002, "", PORT, 0, bytes, 8);
  net_send_from (HOST, 7002, "", PORT, 0, bytes, 11);
  net_run (CALL_FRAME);
  settle ();
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-admitted"), 1);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_that_is_broken_is_refused)
{
  static const guint8 broken[12] = { 0x81, 201, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8 };
  static const guint8 edge[3][12] = { {0x80, 191}, {0x80, 224}, {0x80, 192} };
  guint i;

  begin ("peer=127.0.0.1:7000 accept=none");
  net_send_from (HOST, 7000, "", PORT, 0, broken, sizeof broken);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, NULL, "refused"), 1);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, "session",
          "malformed"), 1);
  call_end_expect_states (&end, "0:waiting");
  /* 192 to 223 is RTCP where it shares a port with RTP (RFC 5761), the rest RTP */
  for (i = 0; i < 3; i++)
    net_send_from (HOST, 7000, "", PORT, 0, edge[i], 12);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, NULL,
          "unknown-payload"), 1);
  phone_send_rtcp (HOST, 7000, PORT, 5, FALSE);
  net_run (CALL_FRAME);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, "session",
          "rtcp-received"), 1);
  call_end_expect_states (&end, "0:connected");
  call_end_stop (&end);
}

GST_END_TEST;

/* A payload type that nobody has told of: one warning says what to do. */
GST_START_TEST (test_an_unknown_payload_type_is_warned_of_once)
{
  guint8 packet[PHONE_RTP] = { 0x80, 77, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4 };
  guint i;

  begin ("peer=127.0.0.1:7000");
  for (i = 0; i < 50; i++) {
    packet[3] = i;
    net_send_from (HOST, 7000, "", PORT, 0, packet, sizeof packet);
    net_run (CALL_FRAME);
  }
  fail_unless_equals_int (end.warnings, 1);
  fail_unless (strstr (end.warning, "payload type 77") != NULL);
  fail_unless (strstr (end.warning, "payload=77") != NULL);
  fail_unless (strstr (end.warning, "\"caps\"") != NULL);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, NULL,
          "unknown-payload"), 50);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 0);
  /* a static one of RFC 3551 needs no caps */
  packet[1] = 0x80 | 8;
  for (; i < 60; i++) {
    packet[3] = i;
    GST_WRITE_UINT32_BE (packet + 4, 160 * i);
    net_send_from (HOST, 7000, "", PORT, 0, packet, sizeof packet);
    net_run (CALL_FRAME);
  }
  fail_unless_equals_int (call_end_count_packets (&end, 0), 10);
  fail_unless (strstr (call_end_get_output (&end, 0)->caps,
          "encoding-name=(string)PCMA") != NULL);
  /* and the pad follows a change */
  for (; i < 70; i++) {
    packet[1] = 96;
    packet[3] = i;
    GST_WRITE_UINT32_BE (packet + 4, 960 * i);
    net_send_from (HOST, 7000, "", PORT, 0, packet, sizeof packet);
    net_run (CALL_FRAME);
  }
  fail_unless (strstr (call_end_get_output (&end, 0)->caps,
          "encoding-name=(string)OPUS") != NULL, "%s",
      call_end_get_output (&end, 0)->caps);
  fail_unless_equals_int (call_end_get_output (&end, 0)->caps_events, 2);
  call_end_stop (&end);
}

GST_END_TEST;

static Suite *
binaccept_suite (void)
{
  Suite *s = suite_create ("binaccept");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc,
      test_a_phone_that_speaks_from_another_port_is_answered_there);
  tcase_add_test (tc, test_a_stream_that_goes_on_from_another_port_is_the_peer);
  tcase_add_test (tc, test_rtcp_shows_who_has_moved_too);
  tcase_add_test (tc, test_a_peer_that_never_spoke_has_no_ssrc);
  tcase_add_test (tc, test_a_peer_that_speaks_cannot_be_replaced);
  tcase_add_test (tc, test_another_host_takes_no_peers_place);
  tcase_add_test (tc, test_a_peer_that_paused_takes_its_place_back);
  tcase_add_test (tc, test_a_call_begins_beside_forged_packets);
  tcase_add_test (tc, test_one_of_two_silent_peers_is_not_guessed);
  tcase_add_test (tc, test_nobody_but_the_peer_is_heard_without_accept);
  tcase_add_test (tc, test_whoever_calls_becomes_a_peer);
  tcase_add_test (tc, test_a_caller_that_is_refused_is_none);
  tcase_add_test (tc, test_callers_without_a_handler_are_all_accepted);
  tcase_add_test (tc, test_callers_beyond_max_peers_are_refused);
  tcase_add_loop_test (tc, test_a_peer_moves_where_no_place_is_free, 0, 2);
  tcase_add_test (tc, test_callers_wait_for_an_application_that_is_slow);
  tcase_add_test (tc,
      test_an_application_may_remove_the_caller_it_is_asked_for);
  tcase_add_test (tc, test_strangers_are_looked_at_so_often_and_no_more);
  tcase_add_test (tc, test_what_is_no_packet_is_counted_and_dropped);
  tcase_add_test (tc, test_rtcp_that_is_broken_is_refused);
  tcase_add_test (tc, test_an_unknown_payload_type_is_warned_of_once);
  return s;
}

GST_CHECK_MAIN (binaccept);
