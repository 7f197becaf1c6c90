/* gst-tfrc tests: calls from tfrcsink to tfrcsrc over loopback sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>

#include "call.h"

static void
check_times (Call * call)
{
  fail_unless_equals_int (call->earlier, 0);
  fail_unless_equals_int (call->backwards, 0);
}

GST_START_TEST (a_call_plays_in_either_mode_and_under_srtp)
{
  static const gchar *const modes[] = { "mode=tfrc", "mode=tfrc-sp",
    "srtp-key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
  };
  Call call = { NULL, };

  call_start_receiver (&call, modes[__i__]);
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

  call_start_receiver (&call, "");
  call_start_sender (&call, "host=::1", NULL);
  call_play (&call, 50);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (an_ipv4_address_hears_ipv4_and_an_ipv6_address_ipv6)
{
  Call call = { NULL, };

  call_start_receiver (&call, "address=127.0.0.1");
  call_start_sender (&call, "bind-address=127.0.0.1", NULL);
  call_play (&call, 25);
  call_end (&call);
  call_start_receiver (&call, "address=::1");
  call_start_sender (&call, "host=::1 bind-address=::1", NULL);
  call_play (&call, 25);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_on_two_ports_without_rtcp_mux)
{
  Call call = { NULL, };

  call_start_receiver (&call, "rtcp-mux=false");
  call_start_sender (&call, "rtcp-mux=false", NULL);
  call_play (&call, 100);
  fail_unless_equals_uint64 (call_get_stat (call.src, "packets-unexpected"), 0);
  fail_unless_equals_uint64 (call_get_stat (call.sink, "packets-unexpected"),
      0);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_restarted_sender_goes_on_playing)
{
  Call call = { NULL, };
  guint first, i;

  call_start_receiver (&call, "mode=tfrc-sp");
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

GST_START_TEST (a_paused_receiver_resumes_without_what_came_meanwhile)
{
  Call call = { NULL, };
  gint64 begin;
  guint played, anew;

  call_start_receiver (&call, "mode=tfrc-sp");
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
  tcase_add_loop_test (tcase, a_call_plays_in_either_mode_and_under_srtp, 0, 3);
  tcase_add_test (tcase, a_call_plays_over_ipv6);
  tcase_add_test (tcase, an_ipv4_address_hears_ipv4_and_an_ipv6_address_ipv6);
  tcase_add_test (tcase, a_call_plays_on_two_ports_without_rtcp_mux);
  tcase_add_test (tcase, a_restarted_sender_goes_on_playing);
  tcase_add_test (tcase, a_paused_receiver_resumes_without_what_came_meanwhile);
  return suite;
}

GST_CHECK_MAIN (calls);
