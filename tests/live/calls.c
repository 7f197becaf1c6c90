/* gst-tfrc tests: calls from tfrcsink to tfrcsrc over loopback sockets
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>

#include "call.h"

#define IPV4 G_SOCKET_FAMILY_IPV4

static void
check_times (Call * call)
{
  fail_unless_equals_int (call->earlier, 0);
  fail_unless_equals_int (call->backwards, 0);
}

GST_START_TEST (a_call_plays_in_either_mode)
{
  static const gchar *const modes[] = { "mode=tfrc", "mode=tfrc-sp" };
  Call call = { NULL, };

  call_start_receiver (&call, modes[__i__], FALSE, IPV4);
  call_start_sender (&call, modes[__i__], NULL);
  call_play (&call, 50);
  check_times (&call);
  fail_unless_equals_uint64 (call_get_stat (call.src, "packets-of-others"), 0);
  fail_unless_equals_uint64 (call_get_stat (call.sink, "send-errors"), 0);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_ipv6)
{
  Call call = { NULL, };

  call_start_receiver (&call, "", FALSE, G_SOCKET_FAMILY_IPV6);
  call_start_sender (&call, "host=::1", NULL);
  call_play (&call, 50);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (an_ipv4_address_hears_ipv4_and_an_ipv6_address_ipv6)
{
  Call call = { NULL, };

  call_start_receiver (&call, "address=127.0.0.1", FALSE, IPV4);
  call_start_sender (&call, "bind-address=127.0.0.1", NULL);
  call_play (&call, 25);
  call_end (&call);
  call_start_receiver (&call, "address=::1", FALSE, IPV4);
  call_start_sender (&call, "host=::1 bind-address=::1", NULL);
  call_play (&call, 25);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_on_two_ports_without_rtcp_mux)
{
  Call call = { NULL, };

  call_start_receiver (&call, "rtcp-mux=false", FALSE, IPV4);
  call_start_sender (&call, "rtcp-mux=false", NULL);
  call_play (&call, 100);
  fail_unless_equals_uint64 (call_get_stat (call.src, "packets-unexpected"),
      0);
  fail_unless_equals_uint64 (call_get_stat (call.sink, "packets-unexpected"),
      0);
  call_end (&call);
}

GST_END_TEST;

/* Plays through a relay with `rules` on the way forth. */
static void
play_through (const RelayRules * rules, guint n, RelayCounts * counts)
{
  Call call = { NULL, };

  call_start_receiver (&call, "mode=tfrc-sp", TRUE, IPV4);
  relay_set_rules (call.relay, RELAY_FORTH, rules);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, n);
  check_times (&call);
  relay_get_counts (call.relay, RELAY_FORTH, counts);
  call_end (&call);
}

GST_START_TEST (a_call_plays_over_a_lossy_path)
{
  RelayCounts counts;

  play_through (&(RelayRules) { .drop_every = 11 }, 100, &counts);
  fail_unless (counts.dropped >= 5);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_path_that_reorders)
{
  RelayCounts counts;

  play_through (&(RelayRules) { .swap_every = 7 }, 100, &counts);
  fail_unless_equals_int (counts.dropped, 0);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_path_that_duplicates)
{
  RelayCounts counts;

  play_through (&(RelayRules) { .duplicate_every = 3, .delay = 10 }, 100,
      &counts);
  /* The decoder gets each packet once: as many buffers as packets came. */
  fail_unless (counts.packets - counts.rtcp >= 90);
}

GST_END_TEST;

GST_START_TEST (rtcp_and_rtp_share_the_port_both_ways)
{
  Call call = { NULL, };
  RelayCounts forth, back;

  call_start_receiver (&call, "mode=tfrc-sp", TRUE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 150);
  relay_get_counts (call.relay, RELAY_FORTH, &forth);
  relay_get_counts (call.relay, RELAY_BACK, &back);
  fail_unless (forth.rtcp >= 1);
  fail_unless (back.rtcp >= 1);
  fail_unless_equals_int (back.packets, back.rtcp);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_restarted_sender_goes_on_playing)
{
  Call call = { NULL, };
  guint first, i;

  call_start_receiver (&call, "mode=tfrc-sp", TRUE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  first = call_get_stat (call.src, "ssrc");
  for (i = 1; i <= 3; i++) {
    call_stop_sender (&call);
    call_start_sender (&call, "mode=tfrc-sp", NULL);
    call_play (&call, 50);
    fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), i);
  }
  fail_if (call_get_stat (call.src, "ssrc") == first);
  fail_unless_equals_int (call.earlier, 0);
  call_end (&call);
}

GST_END_TEST;

/* What a sender begins with comes in one go, so that its times are ahead of its arrivals. */
static void
call_start_late_sender (Call * call, guint ms)
{
  gint64 end = g_get_monotonic_time () + 1000 * (gint64) ms, left;

  call_start_sender (call, "mode=tfrc-sp", NULL);
  while ((left = end - g_get_monotonic_time ()) > 0) {
    relay_set_rules (call->relay, RELAY_FORTH,
        &(RelayRules) { .delay = (guint) (left / 1000) });
    g_usleep (1000);
  }
  relay_set_rules (call->relay, RELAY_FORTH, &(RelayRules) { .delay = 0 });
}

GST_START_TEST (time_goes_on_when_a_sender_that_began_late_is_restarted)
{
  Call call = { NULL, };

  call_start_receiver (&call, "mode=tfrc-sp", TRUE, IPV4);
  call_start_late_sender (&call, 600);
  call_play (&call, 20);
  call_stop_sender (&call);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), 1);
  fail_unless_equals_int (call.earlier, 0);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (the_bye_of_the_sender_is_told_to_the_application)
{
  Call call = { NULL, };
  GstMessage *message;
  guint ssrc, said;

  call_start_receiver (&call, "mode=tfrc-sp", FALSE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  ssrc = call_get_stat (call.src, "ssrc");
  call_stop_sender (&call);
  message = call_wait_message (call.receiver, GST_MESSAGE_ELEMENT);
  fail_unless (gst_message_has_name (message, "application/x-tfrc-bye"));
  fail_unless (gst_structure_get_uint (gst_message_get_structure (message),
          "ssrc", &said));
  fail_unless_equals_int (said, ssrc);
  gst_message_unref (message);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_dies_without_bye_is_replaced)
{
  Call call = { NULL, };

  call_start_receiver (&call, "mode=tfrc-sp", TRUE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  relay_set_rules (call.relay, RELAY_FORTH, &(RelayRules) { .block = TRUE });
  call_stop_sender (&call);
  relay_set_rules (call.relay, RELAY_FORTH, &(RelayRules) { .block = FALSE });
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), 1);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_second_sender_does_not_take_over)
{
  Call call = { NULL, };
  GstElement *second;
  gchar *line;
  guint port, ssrc;

  call_start_receiver (&call, "mode=tfrc-sp", FALSE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 25);
  ssrc = call_get_stat (call.src, "ssrc");
  g_object_get (call.src, "local-port", &port, NULL);
  line = g_strdup_printf (CALL_LIVE_SOURCE " ! tfrcsink port=%u mode=tfrc-sp",
      port);
  second = gst_parse_launch (line, NULL);
  gst_element_set_state (second, GST_STATE_PLAYING);
  /* Without reports it cannot send faster than two packets/s for long. */
  call_wait_stat (call.src, "packets-of-others", 5);
  call_play (&call, 25);
  fail_unless_equals_uint64 (call_get_stat (call.src, "ssrc"), ssrc);
  fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), 0);
  gst_element_set_state (second, GST_STATE_NULL);
  gst_object_unref (second);
  g_free (line);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_paused_sender_resumes)
{
  Call call = { NULL, };
  guint64 sent;

  call_start_receiver (&call, "mode=tfrc-sp", FALSE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  gst_element_set_state (call.sender, GST_STATE_PAUSED);
  g_usleep (300000);
  sent = call_get_stat (call.sink, "packets");
  g_usleep (700000);
  fail_unless (call_get_stat (call.sink, "packets") <= sent + 1);
  gst_element_set_state (call.sender, GST_STATE_PLAYING);
  call_play (&call, 50);
  fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), 0);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_paused_receiver_resumes_without_what_came_meanwhile)
{
  Call call = { NULL, };
  gint64 begin;
  guint played, anew;

  call_start_receiver (&call, "mode=tfrc-sp", FALSE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  call_play (&call, 50);
  gst_element_set_state (call.receiver, GST_STATE_PAUSED);
  g_usleep (1500000);
  gst_element_set_state (call.receiver, GST_STATE_PLAYING);
  /* 75 packets came in the pause; in 500 ms 25 come anew, more when it was longer. */
  begin = g_get_monotonic_time ();
  played = call_count (&call, 500);
  anew = (g_get_monotonic_time () - begin) / 20000;
  fail_unless (played <= anew + 25, "%u and %u anew", played, anew);
  call_play (&call, 50);
  call_end (&call);
}

GST_END_TEST;

static Suite *
calls_suite (void)
{
  Suite *suite = suite_create ("calls");
  TCase *tcase = tcase_create ("general");

  tcase_set_timeout (tcase, 60);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, a_call_plays_in_either_mode, 0, 2);
  tcase_add_test (tcase, a_call_plays_over_ipv6);
  tcase_add_test (tcase, an_ipv4_address_hears_ipv4_and_an_ipv6_address_ipv6);
  tcase_add_test (tcase, a_call_plays_on_two_ports_without_rtcp_mux);
  tcase_add_test (tcase, a_call_plays_over_a_lossy_path);
  tcase_add_test (tcase, a_call_plays_over_a_path_that_reorders);
  tcase_add_test (tcase, a_call_plays_over_a_path_that_duplicates);
  tcase_add_test (tcase, rtcp_and_rtp_share_the_port_both_ways);
  tcase_add_test (tcase, a_restarted_sender_goes_on_playing);
  tcase_add_test (tcase, time_goes_on_when_a_sender_that_began_late_is_restarted);
  tcase_add_test (tcase, the_bye_of_the_sender_is_told_to_the_application);
  tcase_add_test (tcase, a_sender_that_dies_without_bye_is_replaced);
  tcase_add_test (tcase, a_second_sender_does_not_take_over);
  tcase_add_test (tcase, a_paused_sender_resumes);
  tcase_add_test (tcase, a_paused_receiver_resumes_without_what_came_meanwhile);
  return suite;
}

GST_CHECK_MAIN (calls);
