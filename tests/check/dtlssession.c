/* gst-tfrc tests: DTLS handshakes between two sessions
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "dtlspair.h"
#include "heap.h"
#include "transport/dtlsfragmentcheck.h"

static GstClockTime
get_rtt (guint end)
{
  return gst_tfrc_dtls_session_get_rtt (pair.ends[end].session);
}

/* --- handshakes --- */

GST_START_TEST (a_handshake_gives_each_end_the_keys_of_the_other)
{
  GstTfrcSrtpKeys keys[2];

  dtls_pair_begin_client ();
  /* three flights each way: 2 with the cookie, 2 with certificates, 2 that end it */
  fail_unless (dtls_pair_run_until_open (GST_SECOND) <= 6 * DELAY);
  dtls_pair_check_keys (keys);
  fail_unless_equals_int (keys[CLIENT].auth, GST_TFRC_SRTP_HMAC_SHA1_80);
  fail_unless_equals_string (gst_tfrc_dtls_session_get_remote_fingerprint
      (pair.ends[CLIENT].session), pair.ends[CLIENT].fingerprints);
  fail_unless_equals_string (gst_tfrc_dtls_session_get_remote_fingerprint
      (pair.ends[SERVER].session), pair.ends[SERVER].fingerprints);
  fail_unless_equals_int (pair.ends[CLIENT].flights, 3);
  fail_unless_equals_int (pair.ends[SERVER].flights, 3);
  fail_unless_equals_uint64 (get_rtt (CLIENT), 2 * DELAY);
  fail_unless_equals_uint64 (get_rtt (SERVER), 2 * DELAY);
  /* then there is silence */
  fail_unless_equals_uint64 (dtls_pair_get_next (), GST_CLOCK_TIME_NONE);
}

GST_END_TEST;

GST_START_TEST (each_handshake_has_keys_of_its_own)
{
  GstTfrcSrtpKeys first[2], second[2];

  dtls_pair_begin_client ();
  dtls_pair_run_until_open (GST_SECOND);
  dtls_pair_check_keys (first);
  dtls_pair_end_sessions ();
  dtls_pair_begin_client ();
  dtls_pair_run_until_open (GST_SECOND);
  dtls_pair_check_keys (second);
  fail_if (memcmp (first[0].local, second[0].local, 30) == 0);
  fail_if (memcmp (first[0].remote, second[0].remote, 30) == 0);
}

GST_END_TEST;

GST_START_TEST (a_short_tag_is_agreed_on_when_both_ends_want_it)
{
  GstTfrcSrtpKeys keys[2];

  pair.ends[CLIENT].auth = GST_TFRC_SRTP_HMAC_SHA1_32;
  pair.ends[SERVER].auth = __i__ == 0 ? GST_TFRC_SRTP_HMAC_SHA1_32 :
      GST_TFRC_SRTP_HMAC_SHA1_80;
  dtls_pair_begin_client ();
  dtls_pair_run_until_open (GST_SECOND);
  dtls_pair_check_keys (keys);
  fail_unless_equals_int (keys[CLIENT].auth, pair.ends[SERVER].auth);
}

GST_END_TEST;

/* As OpenSSL sends it from GStreamer's dtlssrtpenc. */
GST_START_TEST (a_hello_may_come_in_fragments)
{
  GstTfrcSrtpKeys keys[2];

  pair.fragments = TRUE;
  dtls_pair_begin_client ();
  fail_unless (dtls_pair_run_until_open (GST_SECOND) <= 6 * DELAY);
  dtls_pair_check_keys (keys);
}

GST_END_TEST;

static void
join_and_part (guint times)
{
  for (; times > 0; times--) {
    dtls_pair_set_up ();
    dtls_pair_begin_client ();
    fail_unless (dtls_pair_run_until_open (GST_SECOND) < GST_SECOND);
    dtls_pair_tear_down ();
  }
}

GST_START_TEST (an_association_leaves_no_memory_behind)
{
  gssize before, grown;

  heap_set_up ();
  dtls_pair_tear_down ();
  join_and_part (10);
  before = heap_get_used ();
  join_and_part (10);
  grown = (gssize) heap_get_used () - before;
  fail_unless (grown < 100, "%" G_GSSIZE_FORMAT " bytes", grown);
  dtls_pair_set_up ();
}

GST_END_TEST;

/* --- a bad path --- */

static guint lost_from, lost_index;

static guint
lose_datagram (guint from)
{
  return from != lost_from || pair.ends[from].sent - 1 != lost_index;
}

static guint
lose_flight (guint from)
{
  return from != lost_from || pair.ends[from].flights - 1 != lost_index;
}

static void
handshake_with_loss (guint (*loss) (guint), GstClockTime limit)
{
  GstTfrcSrtpKeys keys[2];
  GstClockTime taken;
  guint end;

  pair.judge = loss;
  dtls_pair_begin_client ();
  taken = dtls_pair_run_until_open (limit + 1);
  fail_unless (taken <= limit, "%u of %u: %" GST_TIME_FORMAT, lost_index,
      lost_from, GST_TIME_ARGS (taken));
  for (end = CLIENT; end <= SERVER; end++)
    fail_unless (get_rtt (end) >= 2 * DELAY && get_rtt (end) <= taken,
        "%u: %" GST_TIME_FORMAT, end, GST_TIME_ARGS (get_rtt (end)));
  dtls_pair_check_keys (keys);
  dtls_pair_end_sessions ();
}

GST_START_TEST (any_datagram_may_be_lost)
{
  for (lost_from = CLIENT; lost_from <= SERVER; lost_from++)
    for (lost_index = 0; lost_index < 12; lost_index++)
      handshake_with_loss (lose_datagram, 6 * DELAY + 300 * MS);
}

GST_END_TEST;

GST_START_TEST (any_flight_may_be_lost)
{
  for (lost_from = CLIENT; lost_from <= SERVER; lost_from++)
    for (lost_index = 0; lost_index < 3; lost_index++)
      handshake_with_loss (lose_flight, 6 * DELAY + 300 * MS);
}

GST_END_TEST;

static guint
lose_a_third (guint from)
{
  return g_rand_int_range (pair.rng, 0, 3) != 0;
}

static guint
duplicate (guint from)
{
  return 2;
}

GST_START_TEST (a_path_that_loses_a_third_gets_through_in_time)
{
  guint i;

  for (i = 0; i < 50; i++)
    handshake_with_loss (lose_a_third, 10 * GST_SECOND);
}

GST_END_TEST;

GST_START_TEST (duplicates_and_disorder_do_no_harm)
{
  guint i;

  pair.jitter = 60 * MS;
  for (i = 0; i < 20; i++)
    handshake_with_loss (duplicate, 3 * GST_SECOND);
}

GST_END_TEST;

/* The client's flight comes again and again, as record `first` and those after it. */
static void
repeat_hello (GBytes * hello, guint first)
{
  gsize size;
  guint8 *data = g_memdup2 (g_bytes_get_data (hello, &size),
      g_bytes_get_size (hello));
  guint i;

  for (i = 0; i < 60; i++) {
    data[10] = first + i;
    gst_tfrc_dtls_session_on_datagram (pair.ends[SERVER].session, data,
        g_bytes_get_size (hello), pair.now);
  }
  g_free (data);
}

/* Each repeated message calls for the whole flight that answers it. */
GST_START_TEST (a_flood_of_repeated_messages_is_not_answered_by_a_flood)
{
  GBytes *hello;

  dtls_pair_begin_client ();
  dtls_pair_run_for (3 * DELAY - MS);
  fail_unless_equals_int (g_queue_get_length (&pair.path), 1);
  hello =
      g_bytes_ref (((DtlsDatagram *) g_queue_peek_head (&pair.path))->bytes);
  dtls_pair_run_for (MS);
  /* one with the cookie, five of the server's flight */
  fail_unless_equals_int (pair.ends[SERVER].sent, 6);
  repeat_hello (hello, 10);
  fail_unless_equals_int (pair.ends[SERVER].sent, 6);
  pair.now += 150 * MS;
  repeat_hello (hello, 100);
  fail_unless_equals_int (pair.ends[SERVER].sent, 6 + 5);
  g_bytes_unref (hello);
}

GST_END_TEST;

/* A callee who comes late is asked by then, at once at first and each second later on. */
GST_START_TEST (a_client_asks_until_somebody_answers)
{
  guint sent;

  lost_from = CLIENT;
  pair.judge = lose_flight;
  dtls_pair_begin_client ();
  for (lost_index = 0; pair.now < START + 50 * GST_SECOND;
      lost_index = pair.ends[CLIENT].flights)
    dtls_pair_run_for (10 * MS);
  sent = pair.ends[CLIENT].sent;
  fail_unless (sent >= 48 && sent <= 53, "%u", sent);
  dtls_pair_run_for (60 * GST_SECOND);
  pair.judge = NULL;
  fail_unless (dtls_pair_run_until_open (4 * GST_SECOND) <= 3200 * MS);
}

GST_END_TEST;

static guint
lose_all_of_client_after_hello (guint from)
{
  return from == SERVER || pair.ends[CLIENT].flights <= 2;
}

GST_START_TEST (a_handshake_that_stops_in_the_middle_is_given_up)
{
  GstTfrcDtlsContextStats stats;

  pair.judge = lose_all_of_client_after_hello;
  dtls_pair_begin_client ();
  dtls_pair_run_for (GST_SECOND);
  fail_unless (pair.ends[SERVER].session != NULL);
  fail_unless_equals_int (dtls_pair_get_state (SERVER),
      GST_TFRC_DTLS_HANDSHAKE);
  gst_tfrc_dtls_context_get_stats (pair.ends[SERVER].context, &stats);
  fail_unless_equals_int (stats.running, 1);
  dtls_pair_run_for (10 * GST_SECOND);
  fail_unless_equals_int (dtls_pair_get_state (SERVER), GST_TFRC_DTLS_FAILED);
  fail_unless_equals_int (dtls_pair_get_state (CLIENT), GST_TFRC_DTLS_FAILED);
  fail_unless_equals_uint64 (dtls_pair_get_next (), GST_CLOCK_TIME_NONE);
  gst_tfrc_dtls_context_get_stats (pair.ends[SERVER].context, &stats);
  fail_unless_equals_int (stats.running, 0);
}

GST_END_TEST;

/* --- who the remote is --- */

#define OTHER "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:" \
    "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF"

GST_START_TEST (another_fingerprint_is_refused)
{
  const gchar *wrong[] = { OTHER, NULL, "" };
  guint refuses, i;

  for (refuses = CLIENT; refuses <= SERVER; refuses++) {
    const gchar *right = pair.ends[refuses].fingerprints;

    for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
      pair.ends[refuses].fingerprints = wrong[i];
      dtls_pair_begin_client ();
      dtls_pair_run_for (3 * GST_SECOND);
      fail_unless_equals_int (dtls_pair_get_state (refuses),
          GST_TFRC_DTLS_REFUSED);
      fail_unless_equals_int (dtls_pair_get_state (!refuses),
          GST_TFRC_DTLS_FAILED);
      /* the alert says so */
      fail_unless_equals_string (gst_tfrc_dtls_session_get_error
          (pair.ends[!refuses].session), "Certificate is bad");
      fail_unless_equals_string (gst_tfrc_dtls_session_get_remote_fingerprint
          (pair.ends[refuses].session), right);
      dtls_pair_end_sessions ();
    }
    pair.ends[refuses].fingerprints = right;
  }
}

GST_END_TEST;

GST_START_TEST (a_fingerprint_may_be_one_of_several_or_any)
{
  const gchar *right = pair.ends[SERVER].fingerprints;
  gchar *lower = g_ascii_strdown (right, -1);
  gchar *lists[] = {
    g_strconcat (OTHER ", sha-256 ", lower, NULL),
    g_strconcat (right, "," OTHER, NULL), g_strdup ("any")
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lists); i++) {
    fail_unless (gst_tfrc_dtls_fingerprints_are_valid (lists[i]));
    pair.ends[SERVER].fingerprints = lists[i];
    dtls_pair_begin_client ();
    fail_unless (dtls_pair_run_until_open (GST_SECOND) < GST_SECOND);
    dtls_pair_end_sessions ();
    g_free (lists[i]);
  }
  g_free (lower);
}

GST_END_TEST;

GST_START_TEST (a_text_that_is_no_fingerprint_is_known_for_it)
{
  const gchar *texts[] = { "", "anybody", OTHER ":", OTHER ":00", OTHER ",",
    "sha-1 " OTHER, "AA:BB", OTHER " " OTHER, "any," OTHER
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++) {
    fail_if (gst_tfrc_dtls_fingerprints_are_valid (texts[i]), "%s", texts[i]);
    /* no part of it lets anybody in */
    fail_if (strcmp (texts[i], OTHER ",") != 0 &&
        gst_tfrc_dtls_fingerprints_have (texts[i], "11" ":" OTHER), "%s",
        texts[i]);
  }
}

GST_END_TEST;

/* --- an open association --- */

GST_START_TEST (an_end_that_closes_is_heard)
{
  guint closes = __i__;

  dtls_pair_begin_client ();
  dtls_pair_run_until_open (GST_SECOND);
  gst_tfrc_dtls_session_close (pair.ends[closes].session);
  dtls_pair_run_for (DELAY);
  fail_unless_equals_int (dtls_pair_get_state (!closes), GST_TFRC_DTLS_CLOSED);
}

GST_END_TEST;

GST_START_TEST (what_is_forged_does_not_end_an_association)
{
  static const guint8 alerts[][15] = {
    /* close_notify and a fatal alert, of epoch 0 and of epoch 1 */
    {21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 1, 0},
    {21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 2, 40},
    {21, 0xfe, 0xfd, 0, 1, 0, 0, 0, 0, 0, 9, 0, 2, 1, 0},
    {21, 0xfe, 0xfd, 0, 1, 0, 0, 0, 0, 0, 9, 0, 2, 2, 40},
  };
  GstTfrcSrtpKeys keys[2];
  guint i, end;

  dtls_pair_begin_client ();
  dtls_pair_run_until_open (GST_SECOND);
  for (end = CLIENT; end <= SERVER; end++)
    for (i = 0; i < G_N_ELEMENTS (alerts); i++)
      gst_tfrc_dtls_session_on_datagram (pair.ends[end].session, alerts[i],
          sizeof alerts[i], pair.now);
  dtls_pair_check_keys (keys);
}

GST_END_TEST;

/* --- nonsense --- */

static guint changed_every;

static void
change_bytes (guint8 * data, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    if (g_rand_int_range (pair.rng, 0, changed_every) == 0)
      data[i] = g_rand_int (pair.rng);
}

/* Whatever is changed on the way, an end opens with the keys of the other or not at all. */
GST_START_TEST (changed_bytes_give_no_keys_but_the_right_ones)
{
  guint i, opened = 0;
  GstTfrcSrtpKeys keys[2];

  pair.mangle = change_bytes;
  for (i = 0; i < 150; i++) {
    changed_every = 100 << i % 8;
    dtls_pair_begin_client ();
    dtls_pair_run_until_open (3 * GST_SECOND);
    if (dtls_pair_is_open (CLIENT) && dtls_pair_is_open (SERVER)) {
      dtls_pair_check_keys (keys);
      opened++;
    }
    dtls_pair_end_sessions ();
  }
  fail_unless (opened > 10 && opened < 150, "%u", opened);
}

GST_END_TEST;

GST_START_TEST (random_datagrams_are_survived)
{
  guint8 data[400];
  guint i, j, end;

  for (i = 0; i < 100; i++) {
    dtls_pair_begin_client ();
    dtls_pair_run_for (g_rand_int_range (pair.rng, 0, 7) * DELAY);
    for (j = 0; j < 50; j++) {
      gsize size = g_rand_int_range (pair.rng, 0, sizeof data), k;

      for (k = 0; k < size; k++)
        data[k] = g_rand_int (pair.rng);
      data[0] = g_rand_int_range (pair.rng, 20, 26);
      data[1] = 0xfe;
      data[2] = 0xfd;
      data[3] = data[4] = 0;
      if (size > 12) {
        data[11] = (size - 13) >> 8;
        data[12] = size - 13;
      }
      for (end = CLIENT; end <= SERVER; end++)
        if (pair.ends[end].session != NULL)
          gst_tfrc_dtls_session_on_datagram (pair.ends[end].session, data, size,
              pair.now);
      if (pair.ends[SERVER].session == NULL && size > 0)
        dtls_pair_take_hello (data, size);
    }
    dtls_pair_end_sessions ();
  }
}

GST_END_TEST;

/* --- fragments --- */

#define HELLO_VERIFY_REQUEST 3
#define CERTIFICATE 11
#define KEY_EXCHANGE 12
#define HELLO_DONE 14
#define HEADERS (13 + 12)
#define PART_MAX 1300

/* In the byte order of the network, at any address. */
static void
write_16 (guint8 * data, guint value)
{
  data[0] = value >> 8;
  data[1] = value;
}

/* Writes a record with `part` bytes of a handshake message. Returns its size. */
static gsize
write_fragment (guint8 * data, guint epoch, guint type, guint length,
    guint seq, guint offset, guint part)
{
  memset (data, 0, HEADERS + part);
  data[0] = 22;
  write_16 (data + 1, 0xfefd);
  write_16 (data + 3, epoch);
  write_16 (data + 11, 12 + part);
  data[13] = type;
  GST_WRITE_UINT24_BE (data + 14, length);
  write_16 (data + 17, seq);
  GST_WRITE_UINT24_BE (data + 19, offset);
  GST_WRITE_UINT24_BE (data + 22, part);
  return HEADERS + part;
}

/* GnuTLS reads and writes beyond its buffer when fragments of one message disagree about its length. */
GST_START_TEST (fragments_that_do_not_fit_each_other_are_dropped)
{
  static const struct
  {
    guint epoch, type, length, seq, offset, part;
    gboolean passes;
  } cases[] = {
    {0, CERTIFICATE, 3, 2, 0, 4, FALSE},        /* longer than its message */
    {0, CERTIFICATE, 100, 2, 97, 4, FALSE},     /* beyond the end of its message */
    {0, CERTIFICATE, 20000, 2, 0, 4, FALSE},    /* a message that is too long */
    {0, CERTIFICATE, 100, 2, 0, 0, FALSE},      /* nothing */
    {0, CERTIFICATE, 100, 2, 50, 0, FALSE},
    {0, CERTIFICATE, 100, 2, 0, 1, FALSE},      /* the first byte alone */
    {0, CERTIFICATE, 100, 2, 0, 4, TRUE},
    {0, CERTIFICATE, 100, 2, 1, 1, TRUE},       /* any other byte alone */
    {0, CERTIFICATE, 100, 2, 96, 4, TRUE},
    {0, CERTIFICATE, 101, 2, 4, 4, FALSE},      /* another length */
    {0, CERTIFICATE, 99, 2, 4, 4, FALSE},
    {0, CERTIFICATE, 100, 3, 4, 4, FALSE},      /* another message */
    {0, CERTIFICATE, 4, 2, 0, 4, FALSE},        /* a whole message of another length */
    {0, CERTIFICATE, 100, 2, 0, 100, TRUE},     /* the same message, sent again in one piece */
    {1, CERTIFICATE, 101, 2, 4, 4, TRUE},       /* encrypted, so that these bytes say nothing */
    {0, KEY_EXCHANGE, 4, 3, 0, 4, TRUE},        /* a whole message */
    {0, KEY_EXCHANGE, 4, 3, 0, 4, TRUE},        /* the same again */
    {0, KEY_EXCHANGE, 4, 3, 2, 2, TRUE},        /* the same in fragments */
    {0, KEY_EXCHANGE, 5, 3, 0, 4, FALSE},       /* a fragment of another one */
    {0, KEY_EXCHANGE, 5, 3, 0, 5, FALSE},       /* another one as a whole */
    {0, HELLO_DONE, 0, 4, 0, 0, TRUE},  /* a message without a body */
    {0, HELLO_VERIFY_REQUEST, 23, 0, 0, 23, TRUE},
    {0, HELLO_VERIFY_REQUEST, 23, 1, 0, 23, TRUE},      /* the server asks once more */
    {0, HELLO_VERIFY_REQUEST, 40, 1, 0, 40, FALSE},
    {0, GST_TFRC_DTLS_TYPES, 4, 5, 0, 4, FALSE},        /* no type that there is */
  };
  GstTfrcDtlsFragmentCheck fragments = { 0 };
  guint8 data[2 * (HEADERS + 100)];
  gsize size;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    size = write_fragment (data, cases[i].epoch, cases[i].type,
        cases[i].length, cases[i].seq, cases[i].offset, cases[i].part);
    fail_if (gst_tfrc_dtls_fragment_check_may_pass (&fragments, data, size - 1,
            16384));
    fail_unless (gst_tfrc_dtls_fragment_check_may_pass (&fragments, data, size,
            16384)
        == cases[i].passes, "case %u", i);
  }
  /* each record of a datagram counts */
  size = write_fragment (data, 0, CERTIFICATE, 100, 2, 0, 4);
  size += write_fragment (data + size, 0, CERTIFICATE, 101, 2, 4, 4);
  fail_if (gst_tfrc_dtls_fragment_check_may_pass (&fragments, data, size,
          16384));
}

GST_END_TEST;

/* GnuTLS makes a buffer of 2048 bytes for the first of the fragments, and writes beyond its end with the last one,
 * when it gets them. */
GST_START_TEST (fragments_are_not_written_beyond_a_buffer)
{
  static const struct
  {
    guint length, offset, part;
  } forged[][3] = {
    {{10, 0, 10}, {16000, 5, PART_MAX}, {16000, 5 + PART_MAX, PART_MAX}},
    {{16000, 0, 1}, {16000, 1, PART_MAX}, {16000, 1 + PART_MAX, PART_MAX}},
  };
  guint8 data[HEADERS + PART_MAX];

  dtls_pair_begin_client ();
  for (guint i = 0; i < G_N_ELEMENTS (forged[__i__]); i++) {
    gsize size = write_fragment (data, 0, CERTIFICATE,
        forged[__i__][i].length, 2, forged[__i__][i].offset,
        forged[__i__][i].part);

    data[10] = i;               /* the record is not a replay */
    gst_tfrc_dtls_session_on_datagram (pair.ends[CLIENT].session, data, size,
        pair.now);
  }
  fail_unless_equals_int (dtls_pair_get_state (CLIENT),
      GST_TFRC_DTLS_HANDSHAKE);
  dtls_pair_end_sessions ();
}

GST_END_TEST;

static Suite *
dtlssession_suite (void)
{
  Suite *suite = suite_create ("dtlssession");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, dtls_pair_set_up, dtls_pair_tear_down);
  tcase_add_test (tcase, a_handshake_gives_each_end_the_keys_of_the_other);
  tcase_add_test (tcase, each_handshake_has_keys_of_its_own);
  tcase_add_loop_test (tcase, a_short_tag_is_agreed_on_when_both_ends_want_it,
      0, 2);
  tcase_add_test (tcase, a_hello_may_come_in_fragments);
  tcase_add_test (tcase, an_association_leaves_no_memory_behind);
  tcase_add_test (tcase, any_datagram_may_be_lost);
  tcase_add_test (tcase, any_flight_may_be_lost);
  tcase_add_test (tcase, a_path_that_loses_a_third_gets_through_in_time);
  tcase_add_test (tcase, duplicates_and_disorder_do_no_harm);
  tcase_add_test (tcase,
      a_flood_of_repeated_messages_is_not_answered_by_a_flood);
  tcase_add_test (tcase, a_client_asks_until_somebody_answers);
  tcase_add_test (tcase, a_handshake_that_stops_in_the_middle_is_given_up);
  tcase_add_test (tcase, another_fingerprint_is_refused);
  tcase_add_test (tcase, a_fingerprint_may_be_one_of_several_or_any);
  tcase_add_test (tcase, a_text_that_is_no_fingerprint_is_known_for_it);
  tcase_add_loop_test (tcase, an_end_that_closes_is_heard, 0, 2);
  tcase_add_test (tcase, what_is_forged_does_not_end_an_association);
  tcase_add_test (tcase, changed_bytes_give_no_keys_but_the_right_ones);
  tcase_add_test (tcase, random_datagrams_are_survived);
  tcase_add_test (tcase, fragments_that_do_not_fit_each_other_are_dropped);
  tcase_add_loop_test (tcase, fragments_are_not_written_beyond_a_buffer, 0, 2);
  return suite;
}

GST_CHECK_MAIN (dtlssession);
