/* gst-tfrc tests: what breaks comes back by itself, and what lies is not believed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "call.h"

#define IPV4 G_SOCKET_FAMILY_IPV4
#define SP "mode=tfrc-sp"

/* Packets in a second of the live source, and what counts as all of them: a few
 * may be late on a busy machine. */
#define FULL 50
#define NEARLY_FULL 42

static const RelayRules dead = {.block = TRUE };
static const RelayRules mute = {.block_rtcp = TRUE };
static const RelayRules open_path = { 0, };

static gdouble
get_rate (Call * call)
{
  gdouble X;

  g_object_get (call->sink, "allowed-rate", &X, NULL);
  return X;
}

/* A call over 20 ms each way that has found its rate. */
static void
start_call (Call * call, const gchar * sink_args, const gchar * src_args)
{
  static const RelayRules far_away = {.delay = 20 };
  guint i;

  call_start_receiver (call, src_args, TRUE, IPV4);
  relay_set_rules (call->relay, RELAY_FORTH, &far_away);
  relay_set_rules (call->relay, RELAY_BACK, &far_away);
  call_start_sender (call, sink_args, NULL);
  for (i = 0; i < 20 && call_count (call, 500) < FULL / 2 - 2; i++);
  fail_unless (i < 20, "the call does not start");
}

/* Waits until a whole second plays again; fails after `patience` s. */
static void
check_recovers (Call * call, guint patience)
{
  guint i, n = 0;

  for (i = 0; i < patience; i++) {
    n = call_count (call, 1000);
    if (n >= NEARLY_FULL)
      return;
  }
  fail ("%u packets of %u in the last second, after %u s", n, FULL, patience);
}

/* What happened just now takes nothing from the call. */
static void
check_undisturbed (Call * call)
{
  guint n = call_count (call, 1000);

  fail_unless (n >= NEARLY_FULL, "%u packets of %u in the next second", n, FULL);
}

GST_START_TEST (blocked_reports_slow_the_sender_down_and_it_recovers)
{
  Call call = { NULL, };
  gdouble before;

  start_call (&call, SP, SP);
  before = get_rate (&call);
  relay_set_rules (call.relay, RELAY_BACK, &mute);
  g_usleep (5 * G_USEC_PER_SEC);
  fail_unless (get_rate (&call) < before / 4, "%f B/s, before %f",
      get_rate (&call), before);
  fail_unless (call_get_stat (call.sink, "nofeedback-expiries") >= 2);
  relay_set_rules (call.relay, RELAY_BACK, &open_path);
  check_recovers (&call, 12);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_dead_path_that_comes_back_plays_on)
{
  Call call = { NULL, };
  gdouble before;

  start_call (&call, SP, SP);
  before = get_rate (&call);
  relay_set_rules (call.relay, RELAY_FORTH, &dead);
  relay_set_rules (call.relay, RELAY_BACK, &dead);
  g_usleep (4 * G_USEC_PER_SEC);
  fail_unless (get_rate (&call) < before / 2, "%f B/s, before %f",
      get_rate (&call), before);
  relay_set_rules (call.relay, RELAY_FORTH, &open_path);
  relay_set_rules (call.relay, RELAY_BACK, &open_path);
  check_recovers (&call, 15);
  fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), 0);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_is_killed_and_restarted_is_found_again)
{
  Call call = { NULL, };

  start_call (&call, SP, SP);
  relay_set_rules (call.relay, RELAY_BACK, &dead);
  call_stop_receiver (&call);
  g_usleep (2 * G_USEC_PER_SEC);
  relay_set_rules (call.relay, RELAY_BACK, &open_path);
  call_start_receiver (&call, SP, TRUE, IPV4);
  check_recovers (&call, 12);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_says_bye_and_comes_back_is_found_again)
{
  Call call = { NULL, };

  start_call (&call, SP, SP);
  call_stop_receiver (&call);
  g_usleep (G_USEC_PER_SEC);
  call_start_receiver (&call, SP, TRUE, IPV4);
  check_recovers (&call, 12);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_is_paused_and_resumed_plays_on)
{
  Call call = { NULL, };

  start_call (&call, SP, SP);
  gst_element_set_state (call.sender, GST_STATE_PAUSED);
  g_usleep (3 * G_USEC_PER_SEC);
  gst_element_set_state (call.sender, GST_STATE_PLAYING);
  check_recovers (&call, 8);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_is_restarted_reaches_its_rate_again)
{
  Call call = { NULL, };

  start_call (&call, SP, SP);
  relay_set_rules (call.relay, RELAY_FORTH, &dead);
  call_stop_sender (&call);
  relay_set_rules (call.relay, RELAY_FORTH, &open_path);
  call_start_sender (&call, SP, NULL);
  check_recovers (&call, 10);
  fail_unless_equals_uint64 (call_get_stat (call.src, "source-changes"), 1);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (recovery_works_under_srtp)
{
  Call call = { NULL, };
  static const gchar args[] = SP " srtp-key="
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d";

  start_call (&call, args, args);
  call_stop_receiver (&call);
  g_usleep (G_USEC_PER_SEC / 2);
  call_start_receiver (&call, args, TRUE, IPV4);
  check_recovers (&call, 12);
  call_stop_sender (&call);
  call_start_sender (&call, args, NULL);
  check_recovers (&call, 12);
  call_end (&call);
}

GST_END_TEST;

/* Both ends in different modes. */

static void
check_names_both_modes (GstElement * pipeline)
{
  GstMessage *message = call_wait_message (pipeline, GST_MESSAGE_ERROR);
  GError *error = NULL;

  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "tfrc-sp") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "mode") != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
}

GST_START_TEST (two_modes_are_an_error_at_both_ends)
{
  Call call = { NULL, };

  call_start_receiver (&call, "mode=tfrc", TRUE, IPV4);
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  check_names_both_modes (call.sender);
  check_names_both_modes (call.receiver);
  call_end (&call);
}

GST_END_TEST;

/* Lies. */

/* The last TFRC report among these packets, or NULL. */
static guint8 *
find_report (GPtrArray * packets)
{
  guint8 *found = NULL;
  guint i;

  for (i = 0; i < packets->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);

    if (data[1] != 205 || size < 28)
      continue;
    g_free (found);
    found = g_memdup2 (data, 28);
  }
  return found;
}

/* A report that came back, with p = 1, X_recv = 1 byte/s and, when `ssrc` is not
 * 0, another sender SSRC. A report that is a packet of its own. */
static guint8 *
forge_report (Call * call, guint ssrc, gsize * size)
{
  guint8 *forged = NULL;
  guint i;

  for (i = 0; i < 100 && forged == NULL; i++) {
    GPtrArray *packets = relay_take_packets (call->relay, RELAY_BACK);

    forged = find_report (packets);
    g_ptr_array_unref (packets);
    if (forged == NULL)
      g_usleep (100000);
  }
  fail_unless (forged != NULL);
  *size = 28;
  if (ssrc != 0)
    GST_WRITE_UINT32_BE (forged + 4, ssrc);
  GST_WRITE_UINT32_BE (forged + 20, 1);
  GST_WRITE_UINT32_BE (forged + 24, 0xffffffff);
  return forged;
}

GST_START_TEST (a_report_from_another_address_changes_nothing)
{
  Call call = { NULL, };
  GSocket *stranger = g_socket_new (IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GInetAddress *loopback = g_inet_address_new_loopback (IPV4);
  GSocketAddress *to;
  guint8 *report;
  gsize size;
  gdouble p;
  guint port, i;

  start_call (&call, SP, SP);
  g_object_get (call.sink, "local-port", &port, NULL);
  to = g_inet_socket_address_new (loopback, port);
  report = forge_report (&call, 0, &size);
  for (i = 0; i < 10; i++)
    fail_unless (g_socket_send_to (stranger, to, (gchar *) report, size, NULL,
            NULL) == (gssize) size);
  call_wait_stat (call.sink, "rtcp-foreign", 10);
  g_object_get (call.sink, "loss-event-rate", &p, NULL);
  fail_unless (p == 0);
  check_undisturbed (&call);
  g_free (report);
  g_object_unref (to);
  g_object_unref (loopback);
  g_object_unref (stranger);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_report_of_another_ssrc_changes_nothing)
{
  Call call = { NULL, };
  guint8 *report;
  gsize size;
  gdouble p;

  start_call (&call, SP, SP);
  report = forge_report (&call, 0xdeadbeef, &size);
  relay_inject (call.relay, RELAY_BACK, report, size);
  call_wait_stat (call.sink, "rtcp-wrong-sender-ssrc", 1);
  g_object_get (call.sink, "loss-event-rate", &p, NULL);
  fail_unless (p == 0);
  check_undisturbed (&call);
  g_free (report);
  call_end (&call);
}

GST_END_TEST;

/* The relay sets p to 0 in what TFRC reports, and leaves RTCP's own count. */
GST_START_TEST (a_receiver_that_hides_losses_is_doubted)
{
  Call call = { NULL, };

  start_call (&call, SP, SP);
  fail_unless_equals_uint64 (call_get_stat (call.sink, "reports-doubted"), 0);
  relay_set_rules (call.relay, RELAY_BACK, &(RelayRules) { .hide_loss = TRUE });
  relay_set_rules (call.relay, RELAY_FORTH, &(RelayRules) { .drop_every = 10 });
  call_wait_stat (call.sink, "reports-doubted", 1);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_tells_its_losses_is_not_doubted)
{
  Call call = { NULL, };
  gdouble p;

  start_call (&call, SP, SP);
  relay_set_rules (call.relay, RELAY_FORTH, &(RelayRules) { .drop_every = 10 });
  g_usleep (6 * G_USEC_PER_SEC);
  g_object_get (call.sink, "loss-event-rate", &p, NULL);
  fail_unless (p > 0);
  fail_unless_equals_uint64 (call_get_stat (call.sink, "reports-doubted"), 0);
  call_end (&call);
}

GST_END_TEST;

static Suite *
recovery_suite (void)
{
  Suite *suite = suite_create ("recovery");
  TCase *tcase = tcase_create ("general");

  tcase_set_timeout (tcase, 90);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase,
      blocked_reports_slow_the_sender_down_and_it_recovers);
  tcase_add_test (tcase, a_dead_path_that_comes_back_plays_on);
  tcase_add_test (tcase,
      a_receiver_that_is_killed_and_restarted_is_found_again);
  tcase_add_test (tcase,
      a_receiver_that_says_bye_and_comes_back_is_found_again);
  tcase_add_test (tcase, a_sender_that_is_paused_and_resumed_plays_on);
  tcase_add_test (tcase, a_sender_that_is_restarted_reaches_its_rate_again);
  tcase_add_test (tcase, recovery_works_under_srtp);
  tcase_add_test (tcase, two_modes_are_an_error_at_both_ends);
  tcase_add_test (tcase, a_report_from_another_address_changes_nothing);
  tcase_add_test (tcase, a_report_of_another_ssrc_changes_nothing);
  tcase_add_test (tcase, a_receiver_that_hides_losses_is_doubted);
  tcase_add_test (tcase, a_receiver_that_tells_its_losses_is_not_doubted);
  return suite;
}

GST_CHECK_MAIN (recovery);
