/* gst-tfrc tests: certificates and cookies of DTLS
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib/gstdio.h>
#include <gnutls/x509.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dtlspair.h"
#include "transport/udpaddress.h"

/* The limit of handshakes is compiled into this program, which counts the addresses that it compares. */
static guint comparisons;

static gboolean
count_same_network (const GstTfrcUdpAddress * a, const GstTfrcUdpAddress * b)
{
  comparisons++;
  return gst_tfrc_udp_address_same_network (a, b);
}

#define gst_tfrc_udp_address_same_network count_same_network
#include "transport/dtlshandshakelimit.c"
#undef gst_tfrc_udp_address_same_network

/* --- certificates --- */

GST_START_TEST (a_certificate_is_kept_in_a_file)
{
  gchar *folder = g_dir_make_tmp ("tfrc-XXXXXX", NULL), *error = NULL;
  gchar *name = g_build_filename (folder, "alice.pem", NULL), *pem;
  GstTfrcDtlsContext *contexts[3];
  GStatBuf about;
  guint i;

  contexts[0] = gst_tfrc_dtls_context_new (name, &error);
  fail_unless (contexts[0] != NULL, "%s", error);
  fail_unless (g_stat (name, &about) == 0);
  fail_unless_equals_int (about.st_mode & 0777, 0600);
  contexts[1] = gst_tfrc_dtls_context_new (name, &error);
  fail_unless (g_file_get_contents (name, &pem, NULL, NULL));
  contexts[2] = gst_tfrc_dtls_context_new (pem, &error);
  for (i = 1; i < 3; i++)
    fail_unless_equals_string (gst_tfrc_dtls_context_get_fingerprint
        (contexts[i]), gst_tfrc_dtls_context_get_fingerprint (contexts[0]));
  fail_if (g_str_equal (gst_tfrc_dtls_context_get_fingerprint (contexts[0]),
          pair.ends[0].fingerprints));
  for (i = 0; i < 3; i++)
    gst_tfrc_dtls_context_unref (contexts[i]);
  g_unlink (name);
  g_rmdir (folder);
  g_free (pem);
  g_free (name);
  g_free (folder);
}

GST_END_TEST;

/* The limit of the file's size kills the process where it writes. */
GST_START_TEST (a_process_that_is_killed_leaves_no_half_certificate)
{
  gchar *folder = g_dir_make_tmp ("tfrc-XXXXXX", NULL), *error = NULL;
  gchar *name = g_build_filename (folder, "alice.pem", NULL), *remove;
  struct rlimit nothing = { 0, 0 };
  GstTfrcDtlsContext *context;
  gint status = 0;
  pid_t child = fork ();

  if (child == 0) {
    signal (SIGXFSZ, SIG_DFL);
    setrlimit (RLIMIT_FSIZE, &nothing);
    gst_tfrc_dtls_context_new (name, &error);
    _exit (0);
  }
  fail_unless_equals_int (waitpid (child, &status, 0), child);
  fail_unless (WIFSIGNALED (status) && WTERMSIG (status) == SIGXFSZ);
  context = gst_tfrc_dtls_context_new (name, &error);
  fail_unless (context != NULL, "%s", error);
  gst_tfrc_dtls_context_unref (context);
  remove = g_strdup_printf ("rm -r '%s'", folder);
  fail_unless (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
  g_free (remove);
  g_free (name);
  g_free (folder);
}

GST_END_TEST;

GST_START_TEST (a_certificate_that_is_none_is_an_error)
{
  const gchar *texts[] = { "/dev/null", "-----BEGIN CERTIFICATE-----\n",
    "/nonexistent/alice.pem", "/dev/zero", "/tmp"
  };
  const gchar *errors[] = { "has no certificate", "has no certificate",
    "cannot be written", "is longer than", "cannot be read"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++) {
    gchar *error = NULL;

    fail_unless (gst_tfrc_dtls_context_new (texts[i], &error) == NULL);
    fail_unless (strstr (error, errors[i]) != NULL, "%s", error);
    g_free (error);
  }
}

GST_END_TEST;

static gchar *
make_rsa (guint bits)
{
  gnutls_x509_privkey_t key;
  gnutls_x509_crt_t crt;
  gnutls_datum_t texts[2];
  gchar *pem;

  fail_unless (gnutls_x509_privkey_init (&key) >= 0);
  fail_unless (gnutls_x509_privkey_generate (key, GNUTLS_PK_RSA, bits, 0) >= 0);
  fail_unless (gnutls_x509_crt_init (&crt) >= 0);
  fail_unless (gnutls_x509_crt_set_serial (crt, "\001", 1) >= 0);
  fail_unless (gnutls_x509_crt_set_version (crt, 3) >= 0);
  fail_unless (gnutls_x509_crt_set_activation_time (crt, 0) >= 0);
  fail_unless (gnutls_x509_crt_set_expiration_time (crt, -1) >= 0);
  fail_unless (gnutls_x509_crt_set_key (crt, key) >= 0);
  fail_unless (gnutls_x509_crt_sign2 (crt, crt, key, GNUTLS_DIG_SHA256, 0) >=
      0);
  gnutls_x509_crt_export2 (crt, GNUTLS_X509_FMT_PEM, &texts[0]);
  gnutls_x509_privkey_export2 (key, GNUTLS_X509_FMT_PEM, &texts[1]);
  pem = g_strconcat ((gchar *) texts[0].data, (gchar *) texts[1].data, NULL);
  gnutls_free (texts[0].data);
  gnutls_free (texts[1].data);
  gnutls_x509_crt_deinit (crt);
  gnutls_x509_privkey_deinit (key);
  return pem;
}

/* A long key of this end would hold up all peers in each handshake. */
GST_START_TEST (a_certificate_may_have_an_rsa_key_that_is_not_too_long)
{
  gchar *error = NULL, *pem = make_rsa (2048);

  gst_tfrc_dtls_context_unref (pair.ends[SERVER].context);
  pair.ends[SERVER].context = gst_tfrc_dtls_context_new (pem, &error);
  fail_unless (pair.ends[SERVER].context != NULL, "%s", error);
  pair.ends[CLIENT].fingerprints = pair.ends[SERVER].fingerprints = "any";
  dtls_pair_begin_client ();
  fail_unless (dtls_pair_run_until_open (GST_SECOND) < GST_SECOND);
  g_free (pem);
  pem = make_rsa (3072);
  fail_unless (gst_tfrc_dtls_context_new (pem, &error) == NULL);
  fail_unless (strstr (error, "more than 2048 bits") != NULL, "%s", error);
  g_free (error);
  g_free (pem);
}

GST_END_TEST;

/* --- ClientHellos --- */

#define HELLO_SIZE (13 + 12 + 2 + GST_TFRC_DTLS_RANDOM_SIZE)

/* RFC 6347 4.1, 4.2.2: what is a ClientHello, or a later fragment of one, is seen from the record alone. Around it
 * lie bytes that would say otherwise. */
GST_START_TEST (a_hello_is_known_by_its_headers)
{
  static const struct
  {
    guint offset;
    guint8 value;
    gboolean first, rest;
  } cases[] = {
    {0, 22, TRUE, FALSE}, {0, 23, FALSE, FALSE}, {3, 1, FALSE, FALSE},
    {4, 1, FALSE, FALSE}, {13, 2, FALSE, FALSE}, {19, 1, FALSE, TRUE},
    {20, 1, FALSE, TRUE}, {21, 1, FALSE, TRUE}, {22, 1, TRUE, FALSE},
    {18, 1, TRUE, FALSE}
  };
  guint8 bytes[HELLO_SIZE + 64], *record = bytes + 32;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    memset (bytes, 0xff, sizeof bytes);
    memset (record, 0, HELLO_SIZE);
    record[0] = 22;
    record[13] = 1;
    record[cases[i].offset] = cases[i].value;
    fail_unless (gst_tfrc_dtls_find_hello (record, HELLO_SIZE) ==
        (cases[i].first ? record + 27 : NULL), "case %u", i);
    fail_unless_equals_int (gst_tfrc_dtls_is_rest_of_hello (record, HELLO_SIZE),
        cases[i].rest);
    fail_unless (gst_tfrc_dtls_find_hello (record, HELLO_SIZE - 1) == NULL);
    fail_if (gst_tfrc_dtls_is_rest_of_hello (record, 24));
  }
}

GST_END_TEST;

/* --- cookies --- */

/* The ClientHello with a cookie, as it is on the path. */
static GBytes *
get_hello_with_cookie (void)
{
  dtls_pair_begin_client ();
  dtls_pair_run_for (3 * DELAY - MS);
  fail_unless_equals_int (g_queue_get_length (&pair.path), 1);
  return g_bytes_ref (((DtlsDatagram *) g_queue_peek_head (&pair.path))->bytes);
}

static gboolean
check_hello (GBytes * hello, guint port, GstClockTime time)
{
  GstTfrcUdpAddress address = { .port = port };
  GstTfrcDtlsHello left;

  return gst_tfrc_dtls_context_check_hello (pair.ends[SERVER].context, &address,
      g_bytes_get_data (hello, NULL), g_bytes_get_size (hello), &left,
      dtls_pair_send, GUINT_TO_POINTER (SERVER), time);
}

GST_START_TEST (a_cookie_is_good_for_one_address_and_a_minute)
{
  GBytes *hello = get_hello_with_cookie ();

  fail_unless (check_hello (hello, 5000, pair.now));
  fail_if (check_hello (hello, 5001, pair.now));
  fail_unless (check_hello (hello, 5000, pair.now + 59 * GST_SECOND));
  fail_if (check_hello (hello, 5000, pair.now + 120 * GST_SECOND));
  g_bytes_unref (hello);
}

GST_END_TEST;

GST_START_TEST (a_hello_without_a_cookie_leaves_no_state_and_gets_less_back)
{
  GstTfrcDtlsContextStats stats;
  gsize asked;

  dtls_pair_begin_client ();
  dtls_pair_run_for (DELAY);
  asked = pair.ends[CLIENT].bytes;
  fail_unless (pair.ends[SERVER].session == NULL);
  fail_unless_equals_int (pair.ends[SERVER].sent, 1);
  fail_unless (pair.ends[SERVER].bytes < asked);
  gst_tfrc_dtls_context_get_stats (pair.ends[SERVER].context, &stats);
  fail_unless_equals_uint64 (stats.hellos, 1);
  fail_unless_equals_uint64 (stats.handshakes, 0);
}

GST_END_TEST;

GST_START_TEST (so_many_hellos_are_answered_in_a_second)
{
  GstTfrcDtlsContextStats stats;
  GBytes *hello = get_hello_with_cookie ();
  guint i;

  for (i = 0; i < 30000; i++)
    check_hello (hello, 6000, pair.now + i * GST_SECOND / 10000);
  gst_tfrc_dtls_context_get_stats (pair.ends[SERVER].context, &stats);
  fail_unless (stats.hellos >= 3900 && stats.hellos <= 4010,
      "%" G_GUINT64_FORMAT, stats.hellos);
  fail_unless_equals_uint64 (stats.hellos + stats.hellos_limited, 30001);
  g_bytes_unref (hello);
}

GST_END_TEST;

GST_START_TEST (so_many_handshakes_are_begun_at_a_time)
{
  GBytes *hello = get_hello_with_cookie ();
  GstTfrcDtlsSession *sessions[64];
  GstTfrcDtlsContextStats stats;
  GstTfrcDtlsHello left = { 0 };
  guint i, n;

  for (i = 0; i < 64; i++) {
    sessions[i] = dtls_pair_new_session (SERVER, &left);
    fail_unless (sessions[i] != NULL);
  }
  fail_unless (dtls_pair_new_session (SERVER, &left) == NULL);
  for (i = 0; i < 64; i++)
    gst_tfrc_dtls_session_free (sessions[i]);
  /* and in a second */
  for (n = 0; (sessions[0] = dtls_pair_new_session (SERVER, &left)) != NULL;
      n++)
    gst_tfrc_dtls_session_free (sessions[0]);
  fail_unless_equals_int (64 + n, 100);
  pair.now += GST_SECOND / 2;
  for (n = 0; (sessions[0] = dtls_pair_new_session (SERVER, &left)) != NULL;
      n++)
    gst_tfrc_dtls_session_free (sessions[0]);
  fail_unless_equals_int (n, 50);
  gst_tfrc_dtls_context_get_stats (pair.ends[SERVER].context, &stats);
  fail_unless_equals_int (stats.running, 0);
  fail_unless_equals_uint64 (stats.handshakes_limited, 3);
  g_bytes_unref (hello);
}

GST_END_TEST;

/* The peers of a port have times of their own: a datagram of one has arrived before what another has done already. */
GST_START_TEST (a_time_that_goes_back_lifts_no_limit)
{
  GstTfrcDtlsContext *context = pair.ends[SERVER].context;
  GstTfrcUdpAddress caller = { .port = 5000 };
  GBytes *hello = get_hello_with_cookie ();
  GstTfrcDtlsContextStats stats;
  guint i;

  for (i = 0; i < 5000; i++) {
    GstClockTime now = pair.now + i % 2 * MS;
    guint64 handshake = gst_tfrc_dtls_context_begin_handshake (context,
        &caller, now);

    gst_tfrc_dtls_context_end_handshake (context, handshake);
    check_hello (hello, 6000, now);
  }
  gst_tfrc_dtls_context_get_stats (context, &stats);
  fail_unless (stats.handshakes <= 101, "%" G_GUINT64_FORMAT, stats.handshakes);
  fail_unless (stats.hellos <= 1002, "%" G_GUINT64_FORMAT, stats.hellos);
  g_bytes_unref (hello);
}

GST_END_TEST;

/* --- whose handshakes go on --- */

static GstTfrcUdpAddress
make_caller (guint network, guint host, guint port)
{
  GstTfrcUdpAddress caller = { {0}, 0, port };

  caller.ip[10] = caller.ip[11] = 0xff;
  caller.ip[12] = 10;
  caller.ip[14] = network;
  caller.ip[15] = host;
  return caller;
}

static guint64
begin_handshake (GstTfrcDtlsHandshakeLimit * limit, guint network, guint host,
    guint port)
{
  GstTfrcUdpAddress caller = make_caller (network, host, port);

  return gst_tfrc_dtls_handshake_limit_begin (limit, &caller);
}

/* One host has all handshakes. Another network gets what the first has, oldest first, until both have as many. */
GST_START_TEST (one_network_keeps_no_other_out)
{
  GstTfrcDtlsHandshakeLimit limit = { {{0}
      }
  };
  guint64 first = begin_handshake (&limit, 1, 1, 1), other;

  for (guint i = 2; i <= GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    fail_unless (begin_handshake (&limit, 1, 1, i) != 0);
  fail_unless_equals_uint64 (begin_handshake (&limit, 1, 1, 99), 0);
  other = begin_handshake (&limit, 2, 1, 1);
  fail_unless (other != 0);
  fail_if (gst_tfrc_dtls_handshake_limit_has (&limit, first));
  fail_unless (gst_tfrc_dtls_handshake_limit_has (&limit, first + 1));
  for (guint i = 0; i < 200; i++)
    begin_handshake (&limit, 1, 1, 200 + i);
  fail_unless (gst_tfrc_dtls_handshake_limit_has (&limit, other));
  for (guint i = 1; i < GST_TFRC_DTLS_HANDSHAKES_MAX / 2; i++)
    fail_unless (begin_handshake (&limit, 2, 1, 1 + i) != 0);
  fail_unless_equals_uint64 (begin_handshake (&limit, 2, 1, 99), 0);
  fail_unless_equals_int (gst_tfrc_dtls_handshake_limit_count (&limit),
      GST_TFRC_DTLS_HANDSHAKES_MAX);
  gst_tfrc_dtls_handshake_limit_end (&limit, first);
  gst_tfrc_dtls_handshake_limit_end (&limit, other);
  fail_unless_equals_int (gst_tfrc_dtls_handshake_limit_count (&limit),
      GST_TFRC_DTLS_HANDSHAKES_MAX - 1);
  fail_unless (begin_handshake (&limit, 1, 1, 1) != 0);
}

GST_END_TEST;

GST_START_TEST (one_host_keeps_no_other_of_its_network_out)
{
  GstTfrcDtlsHandshakeLimit limit = { {{0}
      }
  };
  guint64 first = begin_handshake (&limit, 1, 1, 1);

  for (guint i = 2; i <= GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    begin_handshake (&limit, 1, 1, i);
  fail_unless (begin_handshake (&limit, 1, 2, 1) != 0);
  fail_if (gst_tfrc_dtls_handshake_limit_has (&limit, first));
  fail_unless_equals_uint64 (begin_handshake (&limit, 1, 1, 99), 0);
}

GST_END_TEST;

/* Somebody has a handshake in each of 64 networks: whoever comes has one until 64 others came. */
GST_START_TEST (who_calls_from_everywhere_keeps_nobody_out)
{
  GstTfrcDtlsHandshakeLimit limit = { {{0}
      }
  };
  guint64 caller;

  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    begin_handshake (&limit, 10 + i, 1, 1);
  caller = begin_handshake (&limit, 1, 1, 1);
  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX - 1; i++)
    begin_handshake (&limit, 100 + i, 1, 1);
  fail_unless (gst_tfrc_dtls_handshake_limit_has (&limit, caller));
  begin_handshake (&limit, 200, 1, 1);
  fail_if (gst_tfrc_dtls_handshake_limit_has (&limit, caller));
}

GST_END_TEST;

/* Whoever is refused costs a look at each handshake, and whoever takes the place of another three. */
GST_START_TEST (a_caller_costs_a_look_at_each_handshake)
{
  GstTfrcDtlsHandshakeLimit limit = { {{0}
      }
  };

  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    begin_handshake (&limit, 1, 1, i);
  comparisons = 0;
  fail_unless_equals_uint64 (begin_handshake (&limit, 1, 1, 99), 0);
  fail_unless (comparisons <= GST_TFRC_DTLS_HANDSHAKES_MAX, "%u", comparisons);
  comparisons = 0;
  fail_unless (begin_handshake (&limit, 2, 1, 1) != 0);
  fail_unless (comparisons <= 3 * GST_TFRC_DTLS_HANDSHAKES_MAX, "%u",
      comparisons);
}

GST_END_TEST;

/* Turns of few callers begin and end in any order: each one has the weight that its caller has. */
GST_START_TEST (turns_keep_the_weights_of_their_callers)
{
  GstTfrcDtlsHandshakeLimit limit = { {{0}
      }
  };
  GRand *random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 2000; i++) {
    begin_handshake (&limit, g_rand_int_range (random, 0, 4),
        g_rand_int_range (random, 0, 4), i);
    if (g_rand_int_range (random, 0, 3) == 0)
      gst_tfrc_dtls_handshake_limit_end (&limit,
          limit.last - g_rand_int_range (random, 0,
              GST_TFRC_DTLS_HANDSHAKES_MAX));
    for (guint k = 0; k < GST_TFRC_DTLS_HANDSHAKES_MAX; k++)
      if (limit.handshakes[k].number != 0)
        fail_unless_equals_int (get_weight (&limit.handshakes[k]),
            measure_weight (&limit, &limit.handshakes[k].caller));
  }
  g_rand_free (random);
}

GST_END_TEST;

/* The handshake that gives way ends when it is called next. */
GST_START_TEST (a_handshake_that_gave_way_ends)
{
  GstTfrcDtlsContext *context = pair.ends[SERVER].context;
  GstTfrcDtlsHello left = { 0 };
  GstTfrcDtlsSession *session = dtls_pair_new_session (SERVER, &left);
  GstTfrcUdpAddress other = make_caller (1, 1, 1);

  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX - 1; i++) {
    other.ip[14] = i;
    fail_unless (gst_tfrc_dtls_context_begin_handshake (context, &other,
            pair.now) != 0);
  }
  gst_tfrc_dtls_session_on_time (session, pair.now);
  fail_unless_equals_int (gst_tfrc_dtls_session_get_state (session),
      GST_TFRC_DTLS_HANDSHAKE);
  other.ip[14] = GST_TFRC_DTLS_HANDSHAKES_MAX;
  fail_unless (gst_tfrc_dtls_context_begin_handshake (context, &other,
          pair.now) != 0);
  gst_tfrc_dtls_session_on_time (session, pair.now);
  fail_unless_equals_int (gst_tfrc_dtls_session_get_state (session),
      GST_TFRC_DTLS_FAILED);
  gst_tfrc_dtls_session_free (session);
}

GST_END_TEST;

static Suite *
dtlscontext_suite (void)
{
  Suite *suite = suite_create ("dtlscontext");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, dtls_pair_set_up, dtls_pair_tear_down);
  tcase_add_test (tcase, a_certificate_is_kept_in_a_file);
  tcase_add_test (tcase, a_process_that_is_killed_leaves_no_half_certificate);
  tcase_add_test (tcase, a_certificate_that_is_none_is_an_error);
  tcase_add_test (tcase,
      a_certificate_may_have_an_rsa_key_that_is_not_too_long);
  tcase_add_test (tcase, a_hello_is_known_by_its_headers);
  tcase_add_test (tcase, a_cookie_is_good_for_one_address_and_a_minute);
  tcase_add_test (tcase,
      a_hello_without_a_cookie_leaves_no_state_and_gets_less_back);
  tcase_add_test (tcase, so_many_hellos_are_answered_in_a_second);
  tcase_add_test (tcase, so_many_handshakes_are_begun_at_a_time);
  tcase_add_test (tcase, a_time_that_goes_back_lifts_no_limit);
  tcase_add_test (tcase, one_network_keeps_no_other_out);
  tcase_add_test (tcase, one_host_keeps_no_other_of_its_network_out);
  tcase_add_test (tcase, who_calls_from_everywhere_keeps_nobody_out);
  tcase_add_test (tcase, a_caller_costs_a_look_at_each_handshake);
  tcase_add_test (tcase, turns_keep_the_weights_of_their_callers);
  tcase_add_test (tcase, a_handshake_that_gave_way_ends);
  return suite;
}

GST_CHECK_MAIN (dtlscontext);
