/* gst-tfrc tests: calls between elements tfrcbin with DTLS
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "callend.h"
#include "settle.h"
#include "transport/dtlscontext.h"

#define A_PORT 6000
#define B_PORT 6002
#define LINE_A "port=6000 dtls=true "
#define LINE_B "port=6002 dtls=true "
#define TO_A "peer=127.0.0.1:6000 "
#define TO_B "peer=127.0.0.1:6002 "
#define OTHER "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:" \
    "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF"

static CallEnd a, b;
static gchar *pem_a, *pem_b;    /* names of files, which are made by the first use */
static gchar *folder;

static void
set_up (void)
{
  folder = g_dir_make_tmp ("tfrc-XXXXXX", NULL);
  pem_a = g_build_filename (folder, "a.pem", NULL);
  pem_b = g_build_filename (folder, "b.pem", NULL);
  net_start ();
}

static void
tear_down (void)
{
  net_stop ();
  remove (pem_a);
  remove (pem_b);
  remove (folder);
  g_free (pem_a);
  g_free (pem_b);
  g_free (folder);
}

static gchar *
get_fingerprint (CallEnd * end)
{
  gchar *fingerprint;

  g_object_get (end->call, "fingerprint", &fingerprint, NULL);
  return fingerprint;
}

/* An end in READY, in which its fingerprint can be read. */
static void
prepare (CallEnd * end, const gchar * line, const gchar * pem)
{
  call_end_init (end, line);
  g_object_set (end->call, "certificate", pem, NULL);
  fail_unless_equals_int (gst_element_set_state (end->pipeline,
          GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
}

static void
tell_fingerprint (CallEnd * from, CallEnd * to)
{
  gchar *fingerprint = get_fingerprint (from);

  fail_unless (fingerprint != NULL);
  g_object_set (to->call, "peer-fingerprint", fingerprint, NULL);
  g_free (fingerprint);
}

static void
prepare_call (const gchar * line_a, const gchar * line_b)
{
  prepare (&a, line_a, pem_a);
  prepare (&b, line_b, pem_b);
  tell_fingerprint (&a, &b);
  tell_fingerprint (&b, &a);
}

static void
begin_call (const gchar * line_a, const gchar * line_b)
{
  prepare_call (line_a, line_b);
  call_end_play (&a);
  call_end_play (&b);
}

static void
end_call (void)
{
  call_stop_pair (&a, &b);
}

static void
feed_both (void)
{
  call_end_feed (&a, 0);
  call_end_feed (&b, 0);
}

static guint64
get_count (CallEnd * end, guint id, const gchar * name)
{
  return call_end_get_peer_stat (end, id, NULL, name);
}

/* Fails unless all that was sent to a port is DTLS, until the first datagram after that is RTP; the number
 * of those that are not DTLS. */
static guint
count_media (guint port)
{
  GPtrArray *sent = net_take (port);
  guint i, media = 0;

  for (i = 0; i < sent->len; i++) {
    const guint8 *data = g_bytes_get_data (sent->pdata[i], NULL);

    media += data[0] < 20 || data[0] > 63;
  }
  g_ptr_array_unref (sent);
  return media;
}

/* ClientHellos that were sent to a port. */
static guint
count_hellos (guint port)
{
  GPtrArray *sent = net_take (port);
  guint i, hellos = 0;

  for (i = 0; i < sent->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (sent->pdata[i], &size);

    hellos += gst_tfrc_dtls_find_hello (data, size) != NULL;
  }
  g_ptr_array_unref (sent);
  return hellos;
}

/* --- calls --- */

/* Who is added by whom: both by each other, or one by the other, which it calls or waits for. */
static const gchar *const lines[][2] = {
  {LINE_A TO_B, LINE_B TO_A},
  {LINE_A TO_B "dtls-setup=active", LINE_B TO_A "dtls-setup=passive"},
  {LINE_A TO_B "dtls-setup=passive", LINE_B TO_A "dtls-setup=active"},
  {LINE_A TO_B "srtp-auth=hmac-sha1-32",
      LINE_B TO_A "srtp-auth=hmac-sha1-32"},
};

GST_START_TEST (a_call_with_dtls_goes_both_ways)
{
  guint i;

  begin_call (lines[__i__][0], lines[__i__][1]);
  feed_both ();
  call_run (5 * GST_SECOND, &a, &b, NULL);
  for (i = 0; i < 2; i++) {
    CallEnd *end = i == 0 ? &a : &b;
    gchar *other = get_fingerprint (i == 0 ? &b : &a);
    gchar *told = call_end_get_peer_text (end, 0, "fingerprint");

    fail_unless (call_end_count_packets (end, 0) > 200, "%u: %u", i,
        call_end_count_packets (end, 0));
    fail_unless_equals_uint64 (get_count (end, 0, "handshakes"), 1);
    fail_unless_equals_uint64 (get_count (end, 0, "handshakes-failed"), 0);
    fail_unless_equals_uint64 (get_count (end, 0, "srtp-failures"), 0);
    fail_unless_equals_string (told, other);
    fail_unless (call_end_get_peer_stat (end, 0, "data-sender", "R") > 0.03);
    call_end_expect_states (end, "0:waiting 0:encrypted 0:connected");
    fail_unless_equals_int (end->warnings, 0);
    g_free (told);
    g_free (other);
  }
  /* they were captured before there were keys: less than half a second of them */
  fail_unless (get_count (&a, 0, "not-encrypted") < 25);
  end_call ();
}

GST_END_TEST;

/* The handshake has shown the round-trip time, so that what is encrypted need not wait for the first report. */
GST_START_TEST (the_round_trip_time_is_known_with_the_keys)
{
  NetRules slow = { .delay = 43 * GST_MSECOND };
  GstClockTime rtt = 2 * (slow.delay + NET_DELAY);
  gdouble R;

  net_set_rules (A_PORT, &slow);
  net_set_rules (B_PORT, &slow);
  begin_call (LINE_A TO_B, LINE_B TO_A);
  call_end_feed (&a, 0);
  while (get_count (&a, 0, "handshakes") == 0)
    call_run (CALL_FRAME, &a, &b, NULL);
  R = GST_SECOND * call_end_get_peer_stat (&a, 0, "data-sender", "R");
  fail_unless (R >= rtt && R < 4 * rtt, "%g", R);
  fail_unless_equals_uint64 (call_end_get_peer_stat (&a, 0, "data-sender",
          "reports"), 0);
  end_call ();
}

GST_END_TEST;

static guint
count_plain (GPtrArray * sent)
{
  guint i, plain = 0;

  for (i = 0; i < sent->len; i++) {
    gsize size, j, run = 0;
    const guint8 *data = g_bytes_get_data (sent->pdata[i], &size);

    for (j = 1; j < size && run < 16; j++)
      run = data[j] == data[j - 1] ? run + 1 : 0;
    plain += run >= 16;
  }
  return plain;
}

/* The payload of the test's packets is all of one byte, which encryption hides. */
GST_START_TEST (nothing_but_the_handshake_leaves_in_plain_text)
{
  GPtrArray *sent;
  guint i, first_media = 0;

  begin_call (lines[0][0], lines[0][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  sent = net_take (B_PORT);
  fail_unless (sent->len > 100);
  fail_unless_equals_int (count_plain (sent), 0);
  for (i = 0; i < sent->len && first_media == 0; i++)
    if (((const guint8 *) g_bytes_get_data (sent->pdata[i], NULL))[0] >= 128)
      first_media = i;
  fail_unless (first_media >= 2, "%u", first_media);
  g_ptr_array_unref (sent);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (two_ends_agree_whoever_comes_first)
{
  guint i;

  for (i = 0; i < 6; i++) {
    prepare_call (lines[0][0], lines[0][1]);
    call_end_play (i % 2 ? &b : &a);
    net_run (i / 2 * 10 * GST_MSECOND);
    call_end_play (i % 2 ? &a : &b);
    feed_both ();
    call_run (1500 * GST_MSECOND, &a, &b, NULL);
    call_end_expect_states (&a, "0:waiting 0:encrypted 0:connected");
    call_end_expect_states (&b, "0:waiting 0:encrypted 0:connected");
    end_call ();
  }
}

GST_END_TEST;

/* --- callers --- */

GST_START_TEST (a_caller_with_the_right_fingerprint_becomes_a_peer)
{
  begin_call (LINE_A "accept=any", LINE_B TO_A);
  call_end_feed (&b, 0);
  call_run (3 * GST_SECOND, &b, NULL);
  fail_unless_equals_int (call_end_count_peers (&a), 1);
  /* one that the port has on probation, one that gets a cookie, one with it; whoever is called does not call back */
  fail_unless_equals_int (count_hellos (A_PORT), 3);
  fail_unless_equals_int (count_hellos (B_PORT), 0);
  fail_unless (call_end_count_packets (&a, 1) > 80, "%u",
      call_end_count_packets (&a, 1));
  call_end_feed (&a, 1);
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) > 100);
  call_end_expect_states (&a, "1:waiting 1:encrypted 1:connected");
  call_end_stop (&b);
  net_run (GST_SECOND);
  call_end_expect_states (&a, "1:gone");
  fail_unless_equals_int (call_end_count_peers (&a), 0);
  call_end_stop (&a);
}

GST_END_TEST;

GST_START_TEST (who_speaks_without_dtls_does_not_become_a_peer)
{
  prepare (&a, LINE_A "accept=any peer-fingerprint=any", pem_a);
  call_end_play (&a);
  phone_speak ("127.0.0.1", 7000, A_PORT, 1, 0, 50);
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_count_peers (&a), 0);
  fail_unless_equals_int (net_get_counts (7000).packets, 0);
  call_end_stop (&a);
}

GST_END_TEST;

GST_START_TEST (a_caller_with_another_fingerprint_is_removed)
{
  prepare_call (LINE_A "accept=any", LINE_B TO_A);
  g_object_set (a.call, "peer-fingerprint", OTHER, NULL);
  call_end_play (&a);
  call_end_play (&b);
  call_end_feed (&b, 0);
  call_run (15 * GST_SECOND, &b, NULL);
  fail_unless_equals_int (count_media (A_PORT), 0);
  fail_unless_equals_int (count_media (B_PORT), 0);
  fail_unless (call_end_get_output (&a, 1) == NULL);
  fail_unless (strstr (a.warning, OTHER) != NULL, "%s", a.warning);
  end_call ();
}

GST_END_TEST;

/* The cookie makes a peer of it. What it sends after that does not arrive: it keeps no place. */
GST_START_TEST (a_caller_who_ends_before_its_handshake_is_removed)
{
  guint i;

  begin_call (LINE_A "accept=any", LINE_B TO_A);
  for (i = 0; i < 500 && call_end_count_peers (&a) == 0; i++)
    net_run (10 * GST_MSECOND);
  fail_unless_equals_int (call_end_count_peers (&a), 1);
  net_set_rules (A_PORT, &(NetRules) {.block = TRUE});
  net_run (9 * GST_SECOND);
  fail_unless_equals_int (call_end_count_peers (&a), 1);
  net_run (3 * GST_SECOND);
  fail_unless_equals_int (call_end_count_peers (&a), 0);
  end_call ();
}

GST_END_TEST;

/* --- a peer that moves --- */

/* a calls b, and then c. The keys are those of a handshake with c, which no packet for c is without. */
static void
check_move (const gchar * of_c)
{
  gchar *pem_c = g_build_filename (folder, "c.pem", NULL);
  gchar *of_b, *both, *told, *wanted;
  gboolean moved;
  CallEnd c;

  prepare (&c, of_c, pem_c);
  prepare_call (LINE_A TO_B, LINE_B TO_A);
  of_b = get_fingerprint (&b);
  wanted = get_fingerprint (&c);
  both = g_strdup_printf ("%s,%s", of_b, wanted);
  g_object_set (a.call, "peer-fingerprint", both, NULL);
  tell_fingerprint (&a, &c);
  call_end_play (&a);
  call_end_play (&b);
  call_end_play (&c);
  feed_both ();
  call_end_feed (&c, 0);
  call_run (4 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) > 150);
  g_signal_emit_by_name (a.call, "move-peer", 0, "127.0.0.1", 6004, &moved);
  fail_unless (moved);
  call_run (6 * GST_SECOND, &a, &c, NULL);
  told = call_end_get_peer_text (&a, 0, "fingerprint");
  fail_unless_equals_string (told, wanted);
  fail_unless_equals_uint64 (get_count (&a, 0, "handshakes"), 2);
  fail_unless (call_end_count_packets (&c, 0) > 150, "%u",
      call_end_count_packets (&c, 0));
  g_free (told);
  g_free (wanted);
  g_free (both);
  g_free (of_b);
  call_end_stop (&c);
  remove (pem_c);
  g_free (pem_c);
  end_call ();
}

GST_START_TEST (a_peer_that_moves_gets_a_handshake)
{
  check_move ("dtls=true port=6004 peer=127.0.0.1:6000 dtls-setup=passive");
}

GST_END_TEST;

/* --- fingerprints --- */

/* Each warning names the fingerprint that is wrong and the one that was asked for. */
GST_START_TEST (no_media_pass_with_another_fingerprint)
{
  CallEnd *refusing = __i__ == 0 ? &a : &b, *refused = __i__ == 0 ? &b : &a;
  gchar *fingerprint;

  prepare_call (lines[0][0], lines[0][1]);
  g_object_set (refusing->call, "peer-fingerprint", OTHER, NULL);
  fingerprint = get_fingerprint (refused);
  call_end_play (&a);
  call_end_play (&b);
  feed_both ();
  call_run (8 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (count_media (A_PORT), 0);
  fail_unless_equals_int (count_media (B_PORT), 0);
  call_end_expect_states (&a, "0:waiting");
  call_end_expect_states (&b, "0:waiting");
  fail_unless (call_end_get_output (&a, 0) == NULL);
  fail_unless (call_end_get_output (&b, 0) == NULL);
  fail_unless (strstr (refusing->warning, OTHER) != NULL);
  fail_unless (strstr (refusing->warning, fingerprint) != NULL);
  fail_unless (strstr (refused->warning, fingerprint) != NULL);
  /* bounded: at most one in ten seconds */
  fail_unless_equals_int (refusing->warnings, 1);
  fail_unless_equals_int (refused->warnings, 1);
  fail_unless (get_count (&a, 0, "handshakes-failed") +
      get_count (&b, 0, "handshakes-failed") >= 4);
  g_free (fingerprint);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (the_fingerprint_is_there_in_ready_and_stays_in_the_file)
{
  gchar *one, *other;

  prepare (&a, LINE_A, pem_a);
  one = get_fingerprint (&a);
  fail_unless_equals_int (strlen (one), 95);
  call_end_play (&a);
  other = get_fingerprint (&a);
  fail_unless_equals_string (one, other);
  g_free (other);
  gst_element_set_state (a.pipeline, GST_STATE_NULL);
  fail_unless (get_fingerprint (&a) == NULL);
  gst_element_set_state (a.pipeline, GST_STATE_READY);
  other = get_fingerprint (&a);
  fail_unless_equals_string (one, other);
  g_free (other);
  gst_element_set_state (a.pipeline, GST_STATE_NULL);
  g_object_set (a.call, "certificate", NULL, NULL);
  gst_element_set_state (a.pipeline, GST_STATE_READY);
  other = get_fingerprint (&a);
  fail_if (g_str_equal (one, other));
  g_free (one);
  g_free (other);
  call_end_stop (&a);
}

GST_END_TEST;

GST_START_TEST (dtls_may_be_switched_on_in_ready)
{
  gchar *fingerprint;

  call_end_init (&a, "");
  gst_element_set_state (a.pipeline, GST_STATE_READY);
  fail_unless (get_fingerprint (&a) == NULL);
  g_object_set (a.call, "dtls", TRUE, NULL);
  call_end_play (&a);
  fingerprint = get_fingerprint (&a);
  fail_unless_equals_int (strlen (fingerprint), 95);
  g_free (fingerprint);
  call_end_stop (&a);
}

GST_END_TEST;

/* --- settings --- */

static void
expect_error (const gchar * line, const gchar * text)
{
  call_end_init (&a, line);
  fail_unless_equals_int (gst_element_set_state (a.pipeline,
          GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  settle ();
  fail_unless (a.error != NULL, "%s", line);
  fail_unless (strstr (a.error, text) != NULL, "%s: %s", line, a.error);
  g_clear_pointer (&a.error, g_free);
  call_end_stop (&a);
}

#define KEYS "srtp-key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d " \
    "srtp-remote-key=100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d "

GST_START_TEST (settings_that_cannot_be_are_errors)
{
  expect_error (LINE_A TO_B, "each peer needs \"peer-fingerprint\"");
  /* which is how somebody learns what to tell the other */
  expect_error (LINE_A TO_B, "The fingerprint of this end is ");
  expect_error (LINE_A "accept=any", "each peer needs \"peer-fingerprint\"");
  expect_error (LINE_A TO_B "peer-fingerprint=12:34", "hexadecimal digits");
  expect_error (LINE_A TO_B KEYS "peer-fingerprint=any",
      "Either \"dtls\" or \"srtp-key\"");
  expect_error (LINE_A TO_B "srtp-cipher=aes-256-gcm peer-fingerprint=any",
      "\"srtp-cipher\" must be aes-128-icm");
  expect_error (LINE_A TO_B "certificate=/nonexistent/a.pem",
      "cannot be written");
}

GST_END_TEST;

static guint
add_peer (CallEnd * end, guint port, const gchar * options)
{
  GstStructure *fields = gst_structure_from_string (options, NULL);
  guint id;

  g_signal_emit_by_name (end->call, "add-peer", "127.0.0.1", port, fields, &id);
  gst_structure_free (fields);
  return id;
}

/* The fingerprint of the element is that of peer 0 and of callers. */
GST_START_TEST (a_peer_that_is_added_needs_a_fingerprint_of_its_own)
{
  gchar *fingerprint, *options;

  prepare (&a, LINE_A "peer-fingerprint=any", pem_a);
  prepare (&b, LINE_B TO_A, pem_b);
  tell_fingerprint (&a, &b);
  call_end_play (&a);
  call_end_play (&b);
  fail_unless_equals_int (add_peer (&a, B_PORT, "options"), 0);
  settle ();
  fail_unless (strstr (a.warning, "each peer needs \"peer-fingerprint\"")
      != NULL);
  fail_unless_equals_int (add_peer (&a, B_PORT,
          "options, peer-fingerprint=nonsense"), 0);
  fingerprint = get_fingerprint (&b);
  options = g_strdup_printf ("options, peer-fingerprint=(string)\"%s\", "
      "dtls-setup=passive", fingerprint);
  fail_unless_equals_int (add_peer (&a, B_PORT, options), 1);
  call_end_feed (&a, 1);
  call_run (3 * GST_SECOND, &a, NULL);
  fail_unless (call_end_count_packets (&b, 0) > 80);
  g_free (options);
  g_free (fingerprint);
  end_call ();
}

GST_END_TEST;

/* A stream to a peer that nobody reaches ends all the same. */
GST_START_TEST (eos_does_not_wait_for_keys)
{
  prepare (&a, LINE_A TO_B "peer-fingerprint=any", pem_a);
  call_end_play (&a);
  call_end_feed (&a, 0);
  call_run (GST_SECOND, &a, NULL);
  fail_unless (get_count (&a, 0, "not-encrypted") >= 49);
  gst_pad_push_event (call_end_get_feeder (&a, 0), gst_event_new_eos ());
  net_run (GST_SECOND);
  settle ();
  fail_unless_equals_int (a.eos, 1);
  fail_unless_equals_int (count_media (B_PORT), 0);
  call_end_stop (&a);
}

GST_END_TEST;

/* --- a bad path, and ends that come and go --- */

GST_START_TEST (a_callee_who_comes_late_is_heard_soon)
{
  prepare_call (lines[__i__][0], lines[__i__][1]);
  call_end_play (&a);
  call_end_feed (&a, 0);
  call_run (20 * GST_SECOND, &a, NULL);
  call_end_play (&b);
  call_end_feed (&b, 0);
  call_run (1500 * GST_MSECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > 0);
  fail_unless (call_end_count_packets (&b, 0) > 0);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (a_path_that_loses_half_connects)
{
  NetRules rules = { .drop_every = 2 };

  begin_call (lines[0][0], lines[0][1]);
  feed_both ();
  net_set_rules (A_PORT, &rules);
  net_set_rules (B_PORT, &rules);
  call_run (10 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > 0);
  fail_unless (call_end_count_packets (&b, 0) > 0);
  end_call ();
}

GST_END_TEST;

/* One end ends without a word and begins anew; the other goes on and gets fresh keys. */
GST_START_TEST (an_end_that_was_killed_and_begins_anew_is_heard)
{
  guint heard_a;

  begin_call (lines[__i__][0], lines[__i__][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  net_set_rules (A_PORT, &(NetRules) {.block = TRUE});
  call_end_release (&b, 0);
  gst_element_set_state (b.pipeline, GST_STATE_NULL);
  net_run (NET_DELAY * 2);
  net_set_rules (A_PORT, &(NetRules) {.block = FALSE});
  call_end_play (&b);
  call_end_feed (&b, 0);
  heard_a = call_end_count_packets (&a, 0);
  /* a passive end that began anew is asked once it is lost, after 5 s */
  call_run (7 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > heard_a + 20, "%u then %u",
      heard_a, call_end_count_packets (&a, 0));
  fail_unless_equals_uint64 (get_count (&a, 0, "handshakes"), 2);
  fail_unless_equals_uint64 (get_count (&b, 0, "handshakes"), 1);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (an_end_that_leaves_and_comes_back_is_heard)
{
  guint i, heard;

  begin_call (lines[__i__][0], lines[__i__][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  for (i = 0; i < 2; i++) {
    call_end_release (&b, 0);
    gst_element_set_state (b.pipeline, GST_STATE_NULL);
    call_run (4 * GST_SECOND, &a, NULL);
    call_end_play (&b);
    call_end_feed (&b, 0);
    heard = call_end_count_packets (&a, 0);
    call_run (4 * GST_SECOND, &a, &b, NULL);
    fail_unless (call_end_count_packets (&a, 0) > heard + 50);
  }
  call_end_expect_states (&a, "0:waiting 0:encrypted 0:connected 0:gone "
      "0:encrypted 0:connected 0:gone 0:encrypted 0:connected");
  end_call ();
}

GST_END_TEST;

/* A path that was dead for a while goes on with the keys that there were. */
GST_START_TEST (an_outage_needs_no_other_keys)
{
  guint heard;

  begin_call (lines[0][0], lines[0][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  net_set_rules (A_PORT, &(NetRules) {.block = TRUE});
  net_set_rules (B_PORT, &(NetRules) {.block = TRUE});
  call_run (20 * GST_SECOND, &a, &b, NULL);
  net_set_rules (A_PORT, &(NetRules) {.block = FALSE});
  net_set_rules (B_PORT, &(NetRules) {.block = FALSE});
  heard = call_end_count_packets (&a, 0);
  call_run (4 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > heard + 50);
  end_call ();
}

GST_END_TEST;

/* A NAT gives the caller another port than the one that was told. It needs no place of its own. */
GST_START_TEST (a_hello_from_another_port_of_the_host_is_taken)
{
  static const gchar *const lines[] = {
    LINE_A "peer=127.0.0.1:7000", LINE_A "max-peers=1 peer=127.0.0.1:7000"
  };

  prepare_call (lines[__i__], LINE_B TO_A);
  call_end_play (&a);
  call_end_play (&b);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > 80);
  fail_unless (call_end_count_packets (&b, 0) > 80);
  fail_unless_equals_string (a.last_address, "127.0.0.1:6002");
  end_call ();
}

GST_END_TEST;

GST_START_TEST (without_accept_a_hello_from_another_port_is_dropped)
{
  prepare_call (LINE_A "accept=none peer=127.0.0.1:7000", LINE_B TO_A);
  call_end_play (&a);
  call_end_play (&b);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (net_get_counts (B_PORT).packets, 0);
  fail_unless (call_end_get_output (&a, 0) == NULL);
  fail_unless_equals_int (call_end_get_stat (&a, "moved"), 0);
  end_call ();
}

GST_END_TEST;

/* --- strangers --- */

static void
send_all (GPtrArray * recorded, guint from, guint to)
{
  guint i;

  for (i = 0; i < recorded->len; i++) {
    gsize size;
    gconstpointer data = g_bytes_get_data (recorded->pdata[i], &size);

    net_send (from, to, data, size);
    net_run (GST_MSECOND);
  }
}

/* The same certificates, and somebody who has recorded all that was sent in the call before. */
GST_START_TEST (a_recorded_call_cannot_be_played_into_the_next_one)
{
  GPtrArray *recorded;
  guint64 received;
  guint handed_out;
  gdouble ssrc;
  gchar *address;

  begin_call (lines[0][0], lines[0][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  recorded = net_take (A_PORT);
  fail_unless (recorded->len > 100);
  end_call ();

  begin_call (lines[0][0], lines[0][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:waiting 0:encrypted 0:connected");
  received = call_end_get_peer_stat (&a, 0, "session", "packets-received");
  ssrc = call_end_get_peer_stat (&a, 0, "session", "remote-ssrc");
  handed_out = call_end_count_packets (&a, 0);
  send_all (recorded, B_PORT, A_PORT);
  send_all (recorded, 7777, A_PORT);
  net_run (GST_SECOND);
  fail_unless (get_count (&a, 0, "srtp-failures") > 100);
  fail_unless (ABS (call_end_get_peer_stat (&a, 0, "session",
              "packets-received") - received) <= 1);
  fail_unless_equals_float (call_end_get_peer_stat (&a, 0, "session",
          "remote-ssrc"), ssrc);
  fail_unless (call_end_count_packets (&a, 0) <= handed_out + 1);
  fail_unless_equals_uint64 (get_count (&a, 0, "handshakes"), 1);
  address = call_end_get_peer_text (&a, 0, "address");
  fail_unless_equals_string (address, "127.0.0.1:6002");
  /* the call goes on */
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > handed_out + 50);
  call_end_expect_states (&a, "");
  g_free (address);
  g_ptr_array_unref (recorded);
  end_call ();
}

GST_END_TEST;

/* Before the handshake is done nothing else has an effect, from wherever it comes. */
GST_START_TEST (what_is_not_encrypted_has_no_effect)
{
  prepare (&a, LINE_A TO_B "peer-fingerprint=any", pem_a);
  call_end_play (&a);
  phone_speak ("127.0.0.1", B_PORT, A_PORT, 1, 0, 50);
  phone_send_rtcp ("127.0.0.1", B_PORT, A_PORT, 1, FALSE);
  phone_speak ("127.0.0.1", 7000, A_PORT, 1, 0, 50);
  net_run (GST_SECOND);
  call_end_expect_states (&a, "0:waiting");
  fail_unless (call_end_get_output (&a, 0) == NULL);
  /* what comes from another port was looked at as that of a peer that may have moved */
  fail_unless (get_count (&a, 0, "srtp-failures") >= 51);
  fail_unless_equals_int (call_end_get_peer_stat (&a, 0, "session",
          "packets-received"), 0);
  call_end_stop (&a);
}

GST_END_TEST;

/* Somebody else can get a cookie, and even begin a handshake in the name of a peer, but not end a call. */
GST_START_TEST (a_stranger_who_begins_a_handshake_does_not_disturb_a_call)
{
  CallEnd c;
  guint heard;

  begin_call (LINE_A "accept=any", LINE_B TO_A);
  call_end_feed (&b, 0);
  call_run (3 * GST_SECOND, &b, NULL);
  prepare (&c, "port=6004 dtls=true peer-fingerprint=any " TO_A, NULL);
  call_end_play (&c);
  heard = call_end_count_packets (&a, 1);
  call_run (15 * GST_SECOND, &b, NULL);
  fail_unless (call_end_count_packets (&a, 1) >= heard + 740);
  fail_unless (call_end_get_output (&a, 2) == NULL);
  call_end_stop (&c);
  call_run (GST_SECOND, &b, NULL);
  fail_unless_equals_int (call_end_count_peers (&a), 1);
  end_call ();
}

GST_END_TEST;

/* Somebody receives at the address of a peer that was killed, and sends from there. */
GST_START_TEST (whoever_takes_the_address_of_a_peer_does_not_get_the_call)
{
  gchar *fingerprint, *told;
  CallEnd c;

  begin_call (lines[__i__][0], lines[__i__][1]);
  feed_both ();
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fingerprint = get_fingerprint (&b);
  net_set_rules (A_PORT, &(NetRules) {.block = TRUE});
  call_end_release (&b, 0);
  gst_element_set_state (b.pipeline, GST_STATE_NULL);
  net_run (NET_DELAY * 2);
  net_set_rules (A_PORT, &(NetRules) {.block = FALSE});
  prepare (&c, lines[__i__][1], NULL);
  g_object_set (c.call, "peer-fingerprint", "any", NULL);
  call_end_play (&c);
  call_end_feed (&c, 0);
  g_ptr_array_unref (net_take (B_PORT));
  call_run (8 * GST_SECOND, &a, &c, NULL);
  /* what a sends has the keys of b, and is of no use to c */
  fail_unless (call_end_get_output (&c, 0) == NULL);
  fail_unless_equals_uint64 (get_count (&a, 0, "handshakes"), 1);
  fail_unless (get_count (&a, 0, "handshakes-failed") >= 1);
  told = call_end_get_peer_text (&a, 0, "fingerprint");
  fail_unless_equals_string (told, fingerprint);
  call_end_stop (&c);
  call_end_play (&b);
  call_end_feed (&b, 0);
  call_run (8 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) > 0);
  fail_unless_equals_uint64 (get_count (&a, 0, "handshakes"), 2);
  g_free (told);
  g_free (fingerprint);
  end_call ();
}

GST_END_TEST;

/* The first datagram of a call, as ever new clients would send it. */
static GPtrArray *
record_hello (void)
{
  GPtrArray *hello;

  prepare (&b, LINE_B TO_A "peer-fingerprint=any", pem_b);
  call_end_play (&b);
  net_run (10 * GST_MSECOND);
  call_end_stop (&b);
  hello = net_take (A_PORT);
  fail_unless_equals_int (hello->len, 1);
  return hello;
}

GST_START_TEST (a_flood_of_hellos_costs_no_state_and_leaves_a_call_alone)
{
  GPtrArray *hellos = record_hello ();
  gsize size;
  const guint8 *hello = g_bytes_get_data (hellos->pdata[0], &size);
  guint heard, i;

  begin_call (LINE_A "accept=any", LINE_B TO_A);
  call_end_feed (&b, 0);
  call_run (3 * GST_SECOND, &b, NULL);
  heard = call_end_count_packets (&a, 1);
  for (i = 0; i < 10000; i++) {
    gchar *host = g_strdup_printf ("10.%u.%u.%u", i % 5, i / 5 % 250, i / 1250);

    net_send_from (host, 1000 + i, "", A_PORT, 0, hello, size);
    g_free (host);
    if (i % 200 == 0)
      call_run (CALL_FRAME, &b, NULL);
  }
  fail_unless (call_end_count_packets (&a, 1) >= heard + 48);
  fail_unless_equals_int (call_end_count_peers (&a), 1);
  fail_unless_equals_int (call_end_get_stat (&a, "handshakes"), 1);
  /* a thousand in a second, and as many at once before */
  fail_unless (call_end_get_stat (&a, "hellos") <= 2100);
  fail_unless (call_end_get_stat (&a, "hellos-limited") >= 7000,
      "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, call_end_get_stat (&a,
          "hellos"), call_end_get_stat (&a, "hellos-limited"));
  g_ptr_array_unref (hellos);
  end_call ();
}

GST_END_TEST;

static Suite *
bindtls_suite (void)
{
  Suite *suite = suite_create ("bindtls");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, the_round_trip_time_is_known_with_the_keys);
  tcase_add_loop_test (tcase, a_call_with_dtls_goes_both_ways, 0,
      G_N_ELEMENTS (lines));
  tcase_add_test (tcase, a_peer_that_moves_gets_a_handshake);
  tcase_add_test (tcase, nothing_but_the_handshake_leaves_in_plain_text);
  tcase_add_test (tcase, two_ends_agree_whoever_comes_first);
  tcase_add_test (tcase, a_caller_with_the_right_fingerprint_becomes_a_peer);
  tcase_add_test (tcase, who_speaks_without_dtls_does_not_become_a_peer);
  tcase_add_test (tcase, a_caller_with_another_fingerprint_is_removed);
  tcase_add_test (tcase, a_caller_who_ends_before_its_handshake_is_removed);
  tcase_add_loop_test (tcase, no_media_pass_with_another_fingerprint, 0, 2);
  tcase_add_test (tcase,
      the_fingerprint_is_there_in_ready_and_stays_in_the_file);
  tcase_add_test (tcase, dtls_may_be_switched_on_in_ready);
  tcase_add_test (tcase, settings_that_cannot_be_are_errors);
  tcase_add_test (tcase, a_peer_that_is_added_needs_a_fingerprint_of_its_own);
  tcase_add_test (tcase, eos_does_not_wait_for_keys);
  tcase_add_loop_test (tcase, a_callee_who_comes_late_is_heard_soon, 0, 3);
  tcase_add_test (tcase, a_path_that_loses_half_connects);
  tcase_add_loop_test (tcase, an_end_that_was_killed_and_begins_anew_is_heard,
      0, 3);
  tcase_add_loop_test (tcase, an_end_that_leaves_and_comes_back_is_heard, 0, 3);
  tcase_add_test (tcase, an_outage_needs_no_other_keys);
  tcase_add_loop_test (tcase, a_hello_from_another_port_of_the_host_is_taken,
      0, 2);
  tcase_add_test (tcase, without_accept_a_hello_from_another_port_is_dropped);
  tcase_add_test (tcase, a_recorded_call_cannot_be_played_into_the_next_one);
  tcase_add_test (tcase, what_is_not_encrypted_has_no_effect);
  tcase_add_test (tcase,
      a_stranger_who_begins_a_handshake_does_not_disturb_a_call);
  tcase_add_loop_test (tcase,
      whoever_takes_the_address_of_a_peer_does_not_get_the_call, 0, 3);
  tcase_add_test (tcase,
      a_flood_of_hellos_costs_no_state_and_leaves_a_call_alone);
  return suite;
}

GST_CHECK_MAIN (bindtls);
