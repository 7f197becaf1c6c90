/* gst-tfrc tests: what breaks comes back by itself, and what lies is not believed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "ends.h"
#include "leaks.h"
#include "rtcp.h"

#define SP "mode=tfrc-sp"
#define KEY SP " srtp-key=" \
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

static const NetRules dead = { .block = TRUE };
static const NetRules mute = { .block_rtcp = TRUE };
static const NetRules open_path = { 0, };

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static gdouble
get_rate (void)
{
  return ends_get_double (ends.sink, "allowed-rate");
}

/* A call that has found its rate. */
static void
start_call (const gchar * args)
{
  ends_start_call (&ends, args, args);
}

/* A whole second plays again within `patience` s, and the next one too. */
static void
check_recovers (guint patience)
{
  guint i, n = 0;

  for (i = 0; i < patience && n != ENDS_FULL; i++)
    n = ends_play (&ends, GST_SECOND);
  fail_unless (n == ENDS_FULL,
      "%u packets of %u in the last second, after %u s", n, ENDS_FULL,
      patience);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
}

static void
block (const NetRules * forth, const NetRules * back)
{
  net_set_rules (ends.port, forth);
  net_set_rules (ends_get_port (ends.sink), back);
}

GST_START_TEST (blocked_reports_slow_the_sender_down_and_it_recovers)
{
  gdouble before;

  start_call (SP);
  before = get_rate ();
  block (&open_path, &mute);
  ends_play (&ends, 5 * GST_SECOND);
  fail_unless (get_rate () < before / 4, "%f B/s, before %f", get_rate (),
      before);
  fail_unless (get_rate () > 0);
  fail_unless (ends_get_stat (ends.sink, "nofeedback-expiries") >= 2);
  block (&open_path, &open_path);
  check_recovers (12);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_dead_path_that_comes_back_plays_on)
{
  gdouble before;

  start_call (SP);
  before = get_rate ();
  block (&dead, &dead);
  ends_play (&ends, 4 * GST_SECOND);
  fail_unless (get_rate () < before / 2, "%f B/s, before %f", get_rate (),
      before);
  block (&open_path, &open_path);
  check_recovers (15);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 0);
  ends_stop (&ends);
}

GST_END_TEST;

/* Its BYE is lost. */
GST_START_TEST (a_receiver_that_is_killed_and_restarted_is_found_again)
{
  start_call (SP);
  block (&open_path, &dead);
  ends_stop_receiver (&ends);
  ends_play (&ends, 2 * GST_SECOND);
  block (&open_path, &open_path);
  ends_start_receiver (&ends, SP);
  check_recovers (12);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "peer-changes"), 1);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_says_bye_and_comes_back_is_found_again)
{
  start_call (SP);
  ends_stop_receiver (&ends);
  ends_play (&ends, GST_SECOND);
  ends_start_receiver (&ends, SP);
  check_recovers (12);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_is_paused_and_resumed_plays_on)
{
  start_call (SP);
  gst_element_set_state (ends.sender, GST_STATE_PAUSED);
  ends_play (&ends, 3 * GST_SECOND);
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  check_recovers (8);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_is_restarted_reaches_its_rate_again)
{
  start_call (SP);
  ends_stop_sender (&ends);
  ends_start_sender (&ends, SP);
  check_recovers (5);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 1);
  ends_stop (&ends);
}

GST_END_TEST;

/* Its first packet comes while the sender before it is not silent yet, and the second one a second later. */
GST_START_TEST (a_sender_that_begins_anew_after_a_lost_bye_is_heard_soon)
{
  gchar *line;
  guint n;

  start_call (SP);
  block (&mute, &open_path);
  ends_stop_sender (&ends);
  net_run (GST_SECOND / 10);
  net_set_rules (ends.port, &open_path);
  line = g_strdup_printf (SP " bind-port=7100 port=%u", ends.port);
  ends_start_sender (&ends, line);
  n = ends_play (&ends, 1500 * GST_MSECOND);
  fail_unless (n >= 10 && n <= 30, "%u", n);
  check_recovers (3);
  g_free (line);
  ends_stop (&ends);
}

GST_END_TEST;

/* The last packet of RTP that was sent to the receiver. */
static GBytes *
take_last (void)
{
  GPtrArray *sent = net_take (ends.port);
  GBytes *last = NULL;

  for (guint i = 0; i < sent->len; i++) {
    const guint8 *data = g_bytes_get_data (sent->pdata[i], NULL);

    if (data[1] < 192 || data[1] > 223)
      last = sent->pdata[i];
  }
  fail_unless (last != NULL);
  g_bytes_ref (last);
  g_ptr_array_unref (sent);
  return last;
}

/* The BYE of the sender before it has overtaken a packet. */
GST_START_TEST (a_sender_that_begins_anew_after_a_late_packet_is_heard_at_once)
{
  GBytes *late;
  gchar *line;
  guint port, n;

  start_call (SP);
  port = ends_get_port (ends.sink);
  late = take_last ();
  ends_stop_sender (&ends);
  net_run (2 * NET_DELAY);
  net_send (port, ends.port, g_bytes_get_data (late, NULL),
      g_bytes_get_size (late));
  net_run (2 * NET_DELAY);
  line = g_strdup_printf (SP " bind-port=7100 port=%u", ends.port);
  ends_start_sender (&ends, line);
  n = ends_play (&ends, GST_SECOND);
  fail_unless (n >= 30 && n <= 50, "%u", n);
  g_bytes_unref (late);
  g_free (line);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (recovery_works_under_srtp)
{
  start_call (KEY);
  ends_stop_receiver (&ends);
  ends_play (&ends, GST_SECOND / 2);
  ends_start_receiver (&ends, KEY);
  check_recovers (12);
  ends_stop_sender (&ends);
  ends_start_sender (&ends, KEY);
  check_recovers (12);
  ends_stop (&ends);
}

GST_END_TEST;

/* Both ends in different modes. */

static void
check_names_both_modes (GstElement * pipeline)
{
  GstMessage *message = ends_pop (pipeline, GST_MESSAGE_ERROR);
  GError *error = NULL;

  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "mode tfrc-sp") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "Set mode=") != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
}

GST_START_TEST (two_modes_are_an_error_at_both_ends)
{
  ends_start_receiver (&ends, "mode=tfrc");
  ends_start_sender (&ends, SP);
  ends.lenient = TRUE;
  ends_play (&ends, 10 * GST_SECOND);
  check_names_both_modes (ends.sender);
  check_names_both_modes (ends.receiver);
  ends_stop (&ends);
}

GST_END_TEST;

/* Lies. */

#define REPORT 32               /* bytes of a report with its transit time */
#define REPORT_FMT 2

static gboolean
is_report (const guint8 * data, gsize size)
{
  return (data[0] & 31) == REPORT_FMT && data[1] == 205 && size == REPORT;
}

/* The last report that is a packet of its own, with p = 1, X_recv = 1 byte/s and, when
 * `ssrc` is not 0, another sender SSRC. */
static void
forge_report (guint ssrc, guint8 forged[REPORT])
{
  GPtrArray *packets = net_take (ends_get_port (ends.sink));
  gboolean found = FALSE;
  guint i;

  for (i = 0; i < packets->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);

    if (!is_report (data, size))
      continue;
    memcpy (forged, data, REPORT);
    found = TRUE;
  }
  fail_unless (found);
  g_ptr_array_unref (packets);
  if (ssrc != 0)
    GST_WRITE_UINT32_BE (forged + 4, ssrc);
  GST_WRITE_UINT32_BE (forged + 20, 1);
  GST_WRITE_UINT32_BE (forged + 24, 0xffffffff);
}

/* What happened just now takes nothing from the call. */
static void
check_undisturbed (gdouble before)
{
  fail_unless (ends_get_double (ends.sink, "loss-event-rate") == 0);
  fail_unless (get_rate () >= before);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
}

GST_START_TEST (a_report_from_another_address_changes_nothing)
{
  guint8 report[REPORT];
  gdouble before;
  guint i, stranger;

  start_call (SP);
  before = get_rate ();
  stranger = net_open (0);
  forge_report (0, report);
  for (i = 0; i < 10; i++)
    net_send (stranger, ends_get_port (ends.sink), report, sizeof (report));
  net_run (NET_DELAY);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "rtcp-foreign"), 10);
  check_undisturbed (before);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_report_of_another_ssrc_changes_nothing)
{
  guint8 report[REPORT];
  gdouble before;

  start_call (SP);
  before = get_rate ();
  forge_report (0xdeadbeef, report);
  net_send (ends.port, ends_get_port (ends.sink), report, sizeof (report));
  net_run (NET_DELAY);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink,
          "rtcp-wrong-sender-ssrc"), 1);
  check_undisturbed (before);
  ends_stop (&ends);
}

GST_END_TEST;

/* Sets p to 0 in what TFRC reports, and leaves RTCP's own count. */
static void
hide_loss (guint8 * data, gsize size)
{
  gsize at, length;

  if (!rtcp_is (data, size))
    return;
  for (at = 0; at + 4 <= size; at += length) {
    length = 4 * (1 + GST_READ_UINT16_BE (data + at + 2));
    if (at + length <= size && is_report (data + at, length))
      memset (data + at + 24, 0, 4);
  }
}

GST_START_TEST (a_receiver_that_hides_losses_is_doubted)
{
  start_call (SP);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "reports-doubted"), 0);
  block (&(NetRules) {
          .drop_every = 10}
      , &(NetRules) {
          .edit = hide_loss}
      );
  ends_play (&ends, 20 * GST_SECOND);
  fail_unless (ends_get_stat (ends.sink, "reports-doubted") >= 1);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_reports_its_losses_is_not_doubted)
{
  start_call (SP);
  block (&(NetRules) {
          .drop_every = 10}
      , &open_path);
  ends_play (&ends, 20 * GST_SECOND);
  fail_unless (ends_get_double (ends.sink, "loss-event-rate") > 0.05);
  fail_unless (ends_get_double (ends.sink, "loss-event-rate") < 0.15);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "reports-doubted"), 0);
  ends_stop (&ends);
}

GST_END_TEST;

static Suite *
recovery_suite (void)
{
  Suite *suite = suite_create ("recovery");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_checked_fixture (tcase, set_up, net_stop);
  tcase_add_test (tcase, blocked_reports_slow_the_sender_down_and_it_recovers);
  tcase_add_test (tcase, a_dead_path_that_comes_back_plays_on);
  tcase_add_test (tcase,
      a_receiver_that_is_killed_and_restarted_is_found_again);
  tcase_add_test (tcase,
      a_receiver_that_says_bye_and_comes_back_is_found_again);
  tcase_add_test (tcase, a_sender_that_is_paused_and_resumed_plays_on);
  tcase_add_test (tcase, a_sender_that_is_restarted_reaches_its_rate_again);
  tcase_add_test (tcase,
      a_sender_that_begins_anew_after_a_lost_bye_is_heard_soon);
  tcase_add_test (tcase,
      a_sender_that_begins_anew_after_a_late_packet_is_heard_at_once);
  tcase_add_test (tcase, recovery_works_under_srtp);
  tcase_add_test (tcase, two_modes_are_an_error_at_both_ends);
  tcase_add_test (tcase, a_report_from_another_address_changes_nothing);
  tcase_add_test (tcase, a_report_of_another_ssrc_changes_nothing);
  tcase_add_test (tcase, a_receiver_that_hides_losses_is_doubted);
  tcase_add_test (tcase, a_receiver_that_reports_its_losses_is_not_doubted);
  return suite;
}

GST_CHECK_MAIN (recovery);
