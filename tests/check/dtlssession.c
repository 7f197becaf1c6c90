/* gst-tfrc tests: DTLS handshakes between two sessions in memory, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <glib/gstdio.h>
#include <gnutls/x509.h>
#include <string.h>

#include "transport/dtlssession.h"

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define DELAY (25 * MS)         /* of the path, one way */
#define CLIENT 0
#define SERVER 1

typedef struct
{
  GstTfrcDtlsContext *context;
  GstTfrcDtlsSession *session;  /* NULL: a server that waits for a ClientHello */
  const gchar *fingerprints;
  GstTfrcSrtpAuth auth;
  guint flights;                /* that it has sent */
  GstClockTime last_sent;
  guint sent;                   /* datagrams */
  gsize bytes;
} End;

typedef struct
{
  guint to;
  GstClockTime arrival;
  GBytes *bytes;
} Datagram;

static End ends[2];
static GQueue path = G_QUEUE_INIT;      /* Datagram, by arrival */
static GstClockTime now;
static const GstTfrcUdpAddress client_address = { .port = 5000 };

static GRand *rng;

/* What the path does with a datagram that `from` sends: how often it arrives. */
static guint (*judge) (guint from);
static void (*mangle) (guint8 * data, gsize size);
static GstClockTime jitter;
static gboolean fragments;      /* the client's ClientHello comes in two of them */

static gint
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  GstClockTime x = ((const Datagram *) a)->arrival;
  GstClockTime y = ((const Datagram *) b)->arrival;

  return x <= y ? -1 : 1;       /* behind those of the same time */
}

static void send_datagram (const guint8 * data, gsize size, gpointer user_data);

#define HEADERS (13 + 12)
#define CUT 100                 /* bytes of the message in the first fragment */

/* Sends a ClientHello in two records. */
static void
send_fragments (const guint8 * data, gsize size, gpointer user_data)
{
  guint8 *first = g_memdup2 (data, HEADERS + CUT);
  guint8 *rest = g_malloc (size - CUT);
  gsize left = size - HEADERS - CUT;

  memcpy (rest, data, HEADERS);
  memcpy (rest + HEADERS, data + HEADERS + CUT, left);
  first[12] = 12 + CUT;
  GST_WRITE_UINT24_BE (first + 22, CUT);
  rest[10] += 0x20;             /* the number of the record */
  rest[12] = 12 + left;
  GST_WRITE_UINT24_BE (rest + 19, CUT);
  GST_WRITE_UINT24_BE (rest + 22, left);
  fragments = FALSE;
  send_datagram (first, HEADERS + CUT, user_data);
  send_datagram (rest, HEADERS + left, user_data);
  fragments = TRUE;
  g_free (first);
  g_free (rest);
}

static void
send_datagram (const guint8 * data, gsize size, gpointer user_data)
{
  guint from = GPOINTER_TO_UINT (user_data), copies;
  End *end = &ends[from];

  if (fragments && gst_tfrc_dtls_find_hello (data, size) != NULL) {
    send_fragments (data, size, user_data);
    return;
  }
  if (end->sent == 0 || now > end->last_sent)
    end->flights++;
  end->last_sent = now;
  end->sent++;
  end->bytes += size;
  copies = judge != NULL ? judge (from) : 1;
  for (; copies > 0; copies--) {
    Datagram *datagram = g_new (Datagram, 1);
    guint8 *copy = g_memdup2 (data, size);

    if (mangle != NULL)
      mangle (copy, size);
    datagram->to = !from;
    datagram->arrival = now + DELAY +
        (jitter > 0 ? g_rand_int_range (rng, 0, jitter / MS) * MS : 0);
    datagram->bytes = g_bytes_new_take (copy, size);
    g_queue_insert_sorted (&path, datagram, compare, NULL);
  }
}

static void
datagram_free (Datagram * datagram)
{
  g_bytes_unref (datagram->bytes);
  g_free (datagram);
}

static void
begin_end (guint which)
{
  gchar *error = NULL;

  ends[which] = (End) {0};
  ends[which].context = gst_tfrc_dtls_context_new (NULL, &error);
  fail_unless (error == NULL, "%s", error);
}

static void
set_up (void)
{
  now = START;
  judge = NULL;
  mangle = NULL;
  jitter = 0;
  fragments = FALSE;
  rng = g_rand_new_with_seed (1);
  begin_end (CLIENT);
  begin_end (SERVER);
  ends[CLIENT].fingerprints =
      gst_tfrc_dtls_context_get_fingerprint (ends[SERVER].context);
  ends[SERVER].fingerprints =
      gst_tfrc_dtls_context_get_fingerprint (ends[CLIENT].context);
}

static void
end_sessions (void)
{
  g_queue_clear_full (&path, (GDestroyNotify) datagram_free);
  g_clear_pointer (&ends[CLIENT].session, gst_tfrc_dtls_session_free);
  g_clear_pointer (&ends[SERVER].session, gst_tfrc_dtls_session_free);
  ends[CLIENT].sent = ends[CLIENT].flights = 0;
  ends[SERVER].sent = ends[SERVER].flights = 0;
}

static void
tear_down (void)
{
  end_sessions ();
  gst_tfrc_dtls_context_unref (ends[CLIENT].context);
  gst_tfrc_dtls_context_unref (ends[SERVER].context);
  g_rand_free (rng);
}

static GstTfrcDtlsSession *
new_session (guint which, const GstTfrcDtlsHello * hello)
{
  End *end = &ends[which];

  return gst_tfrc_dtls_session_new (&(GstTfrcDtlsSessionConfig)
      {end->context, end->fingerprints, end->auth, hello, send_datagram,
          GUINT_TO_POINTER (which)}
      , now);
}

static void
begin_client (void)
{
  ends[CLIENT].session = new_session (CLIENT, NULL);
}

/* A server has no session before a ClientHello with a cookie came. */
static void
take_hello (const guint8 * data, gsize size)
{
  End *end = &ends[SERVER];
  GstTfrcDtlsHello hello;

  if (gst_tfrc_dtls_find_hello (data, size) == NULL ||
      !gst_tfrc_dtls_context_check_hello (end->context, &client_address, data,
          size, &hello, send_datagram, GUINT_TO_POINTER (SERVER), now))
    return;
  end->session = new_session (SERVER, &hello);
  fail_unless (end->session != NULL);
  gst_tfrc_dtls_session_on_datagram (end->session, data, size, now);
}

static void
arrive (Datagram * datagram)
{
  GstTfrcDtlsSession *session = ends[datagram->to].session;
  gsize size;
  const guint8 *data = g_bytes_get_data (datagram->bytes, &size);

  if (session != NULL)
    gst_tfrc_dtls_session_on_datagram (session, data, size, now);
  else if (datagram->to == SERVER)
    take_hello (data, size);
  datagram_free (datagram);
}

static GstClockTime
get_next (void)
{
  Datagram *first = g_queue_peek_head (&path);
  GstClockTime next = first != NULL ? first->arrival : GST_CLOCK_TIME_NONE;
  guint i;

  for (i = 0; i < 2; i++)
    if (ends[i].session != NULL)
      next = MIN (next, gst_tfrc_dtls_session_next_time (ends[i].session));
  return next;
}

static void
step (void)
{
  Datagram *first;
  guint i;

  for (i = 0; i < 2; i++)
    if (ends[i].session != NULL &&
        gst_tfrc_dtls_session_next_time (ends[i].session) <= now)
      gst_tfrc_dtls_session_on_time (ends[i].session, now);
  while ((first = g_queue_peek_head (&path)) != NULL && first->arrival <= now)
    arrive (g_queue_pop_head (&path));
}

static void
run_for (GstClockTime duration)
{
  GstClockTime end = now + duration, next;
  guint steps = 0;

  while ((next = get_next ()) <= end) {
    steps = next > now ? 0 : steps + 1;
    fail_unless (steps < 1000, "time stands still");
    now = MAX (now, next);
    step ();
  }
  now = end;
}

static GstTfrcDtlsState
get_state (guint which)
{
  return gst_tfrc_dtls_session_get_state (ends[which].session);
}

static gboolean
is_open (guint which)
{
  return ends[which].session != NULL && get_state (which) == GST_TFRC_DTLS_OPEN;
}

/* Time until both ends are open, or `limit`. */
static GstClockTime
run_until_open (GstClockTime limit)
{
  GstClockTime begun = now;

  while (!(is_open (CLIENT) && is_open (SERVER)) && now < begun + limit)
    run_for (5 * MS);
  return now - begun;
}

/* Fails unless each end has the keys of the other, and the two directions have keys of their own. */
static void
check_keys (GstTfrcSrtpKeys * keys)
{
  fail_unless (is_open (CLIENT));
  fail_unless (is_open (SERVER));
  gst_tfrc_dtls_session_get_keys (ends[CLIENT].session, &keys[CLIENT]);
  gst_tfrc_dtls_session_get_keys (ends[SERVER].session, &keys[SERVER]);
  fail_unless_equals_int (keys[CLIENT].size, 30);
  fail_unless_equals_int (keys[SERVER].size, 30);
  fail_unless (memcmp (keys[CLIENT].local, keys[SERVER].remote, 30) == 0);
  fail_unless (memcmp (keys[CLIENT].remote, keys[SERVER].local, 30) == 0);
  fail_if (memcmp (keys[CLIENT].local, keys[CLIENT].remote, 30) == 0);
  fail_unless_equals_int (keys[CLIENT].auth, keys[SERVER].auth);
  fail_unless_equals_int (keys[CLIENT].cipher, GST_TFRC_SRTP_AES_128_ICM);
}

/* --- handshakes --- */

GST_START_TEST (a_handshake_gives_each_end_the_keys_of_the_other)
{
  GstTfrcSrtpKeys keys[2];

  begin_client ();
  /* three flights each way: 2 with the cookie, 2 with certificates, 2 that end it */
  fail_unless (run_until_open (GST_SECOND) <= 6 * DELAY);
  check_keys (keys);
  fail_unless_equals_int (keys[CLIENT].auth, GST_TFRC_SRTP_HMAC_SHA1_80);
  fail_unless_equals_string (gst_tfrc_dtls_session_get_remote_fingerprint
      (ends[CLIENT].session), ends[CLIENT].fingerprints);
  fail_unless_equals_string (gst_tfrc_dtls_session_get_remote_fingerprint
      (ends[SERVER].session), ends[SERVER].fingerprints);
  fail_unless_equals_int (ends[CLIENT].flights, 3);
  fail_unless_equals_int (ends[SERVER].flights, 3);
  /* then there is silence */
  fail_unless_equals_uint64 (get_next (), GST_CLOCK_TIME_NONE);
}

GST_END_TEST;

GST_START_TEST (each_handshake_has_keys_of_its_own)
{
  GstTfrcSrtpKeys first[2], second[2];

  begin_client ();
  run_until_open (GST_SECOND);
  check_keys (first);
  end_sessions ();
  begin_client ();
  run_until_open (GST_SECOND);
  check_keys (second);
  fail_if (memcmp (first[0].local, second[0].local, 30) == 0);
  fail_if (memcmp (first[0].remote, second[0].remote, 30) == 0);
}

GST_END_TEST;

GST_START_TEST (a_short_tag_is_agreed_on_when_both_ends_want_it)
{
  GstTfrcSrtpKeys keys[2];

  ends[CLIENT].auth = GST_TFRC_SRTP_HMAC_SHA1_32;
  ends[SERVER].auth = __i__ == 0 ? GST_TFRC_SRTP_HMAC_SHA1_32 :
      GST_TFRC_SRTP_HMAC_SHA1_80;
  begin_client ();
  run_until_open (GST_SECOND);
  check_keys (keys);
  fail_unless_equals_int (keys[CLIENT].auth, ends[SERVER].auth);
}

GST_END_TEST;

/* As OpenSSL sends it from GStreamer's dtlssrtpenc. */
GST_START_TEST (a_hello_may_come_in_fragments)
{
  GstTfrcSrtpKeys keys[2];

  fragments = TRUE;
  begin_client ();
  fail_unless (run_until_open (GST_SECOND) <= 6 * DELAY);
  check_keys (keys);
}

GST_END_TEST;

/* --- a bad path --- */

static guint lost_from, lost_index;

static guint
lose_datagram (guint from)
{
  return from != lost_from || ends[from].sent - 1 != lost_index;
}

static guint
lose_flight (guint from)
{
  return from != lost_from || ends[from].flights - 1 != lost_index;
}

static void
handshake_with_loss (guint (*loss) (guint), GstClockTime limit)
{
  GstTfrcSrtpKeys keys[2];
  GstClockTime taken;

  judge = loss;
  begin_client ();
  taken = run_until_open (limit + 1);
  fail_unless (taken <= limit, "%u of %u: %" GST_TIME_FORMAT, lost_index,
      lost_from, GST_TIME_ARGS (taken));
  check_keys (keys);
  end_sessions ();
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
  return g_rand_int_range (rng, 0, 3) != 0;
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

  jitter = 60 * MS;
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
    gst_tfrc_dtls_session_on_datagram (ends[SERVER].session, data,
        g_bytes_get_size (hello), now);
  }
  g_free (data);
}

/* Each repeated message calls for the whole flight that answers it. */
GST_START_TEST (a_flood_of_repeated_messages_is_not_answered_by_a_flood)
{
  GBytes *hello;

  begin_client ();
  run_for (3 * DELAY - MS);
  fail_unless_equals_int (g_queue_get_length (&path), 1);
  hello = g_bytes_ref (((Datagram *) g_queue_peek_head (&path))->bytes);
  run_for (MS);
  /* one with the cookie, five of the server's flight */
  fail_unless_equals_int (ends[SERVER].sent, 6);
  repeat_hello (hello, 10);
  fail_unless_equals_int (ends[SERVER].sent, 6);
  now += 150 * MS;
  repeat_hello (hello, 100);
  fail_unless_equals_int (ends[SERVER].sent, 6 + 5);
  g_bytes_unref (hello);
}

GST_END_TEST;

/* A callee who comes late is asked by then, at once at first and each second later on. */
GST_START_TEST (a_client_asks_until_somebody_answers)
{
  guint sent;

  lost_from = CLIENT;
  judge = lose_flight;
  begin_client ();
  for (lost_index = 0; now < START + 50 * GST_SECOND;
      lost_index = ends[CLIENT].flights)
    run_for (10 * MS);
  sent = ends[CLIENT].sent;
  fail_unless (sent >= 48 && sent <= 53, "%u", sent);
  run_for (60 * GST_SECOND);
  judge = NULL;
  fail_unless (run_until_open (4 * GST_SECOND) <= 3200 * MS);
}

GST_END_TEST;

static guint
lose_all_of_client_after_hello (guint from)
{
  return from == SERVER || ends[CLIENT].flights <= 2;
}

GST_START_TEST (a_handshake_that_stops_in_the_middle_is_given_up)
{
  GstTfrcDtlsContextStats stats;

  judge = lose_all_of_client_after_hello;
  begin_client ();
  run_for (GST_SECOND);
  fail_unless (ends[SERVER].session != NULL);
  fail_unless_equals_int (get_state (SERVER), GST_TFRC_DTLS_HANDSHAKE);
  gst_tfrc_dtls_context_get_stats (ends[SERVER].context, &stats);
  fail_unless_equals_int (stats.running, 1);
  run_for (10 * GST_SECOND);
  fail_unless_equals_int (get_state (SERVER), GST_TFRC_DTLS_FAILED);
  fail_unless_equals_int (get_state (CLIENT), GST_TFRC_DTLS_FAILED);
  fail_unless_equals_uint64 (get_next (), GST_CLOCK_TIME_NONE);
  gst_tfrc_dtls_context_get_stats (ends[SERVER].context, &stats);
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
    const gchar *right = ends[refuses].fingerprints;

    for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
      ends[refuses].fingerprints = wrong[i];
      begin_client ();
      run_for (3 * GST_SECOND);
      fail_unless_equals_int (get_state (refuses), GST_TFRC_DTLS_REFUSED);
      fail_unless_equals_int (get_state (!refuses), GST_TFRC_DTLS_FAILED);
      /* the alert says so */
      fail_unless_equals_string (gst_tfrc_dtls_session_get_error
          (ends[!refuses].session), "Certificate is bad");
      fail_unless_equals_string (gst_tfrc_dtls_session_get_remote_fingerprint
          (ends[refuses].session), right);
      end_sessions ();
    }
    ends[refuses].fingerprints = right;
  }
}

GST_END_TEST;

GST_START_TEST (a_fingerprint_may_be_one_of_several_or_any)
{
  const gchar *right = ends[SERVER].fingerprints;
  gchar *lower = g_ascii_strdown (right, -1);
  gchar *lists[] = {
    g_strconcat (OTHER ", sha-256 ", lower, NULL),
    g_strconcat (right, "," OTHER, NULL), g_strdup ("any")
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lists); i++) {
    fail_unless (gst_tfrc_dtls_fingerprints_are_valid (lists[i]));
    ends[SERVER].fingerprints = lists[i];
    begin_client ();
    fail_unless (run_until_open (GST_SECOND) < GST_SECOND);
    end_sessions ();
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
          ends[0].fingerprints));
  for (i = 0; i < 3; i++)
    gst_tfrc_dtls_context_unref (contexts[i]);
  g_unlink (name);
  g_rmdir (folder);
  g_free (pem);
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

  gst_tfrc_dtls_context_unref (ends[SERVER].context);
  ends[SERVER].context = gst_tfrc_dtls_context_new (pem, &error);
  fail_unless (ends[SERVER].context != NULL, "%s", error);
  ends[CLIENT].fingerprints = ends[SERVER].fingerprints = "any";
  begin_client ();
  fail_unless (run_until_open (GST_SECOND) < GST_SECOND);
  g_free (pem);
  pem = make_rsa (3072);
  fail_unless (gst_tfrc_dtls_context_new (pem, &error) == NULL);
  fail_unless (strstr (error, "more than 2048 bits") != NULL, "%s", error);
  g_free (error);
  g_free (pem);
}

GST_END_TEST;

/* --- cookies --- */

/* The ClientHello with a cookie, as it is on the path. */
static GBytes *
get_hello_with_cookie (void)
{
  begin_client ();
  run_for (3 * DELAY - MS);
  fail_unless_equals_int (g_queue_get_length (&path), 1);
  return g_bytes_ref (((Datagram *) g_queue_peek_head (&path))->bytes);
}

static gboolean
check_hello (GBytes * hello, guint port, GstClockTime time)
{
  GstTfrcUdpAddress address = { .port = port };
  GstTfrcDtlsHello left;

  return gst_tfrc_dtls_context_check_hello (ends[SERVER].context, &address,
      g_bytes_get_data (hello, NULL), g_bytes_get_size (hello), &left,
      send_datagram, GUINT_TO_POINTER (SERVER), time);
}

GST_START_TEST (a_cookie_is_good_for_one_address_and_a_minute)
{
  GBytes *hello = get_hello_with_cookie ();

  fail_unless (check_hello (hello, 5000, now));
  fail_if (check_hello (hello, 5001, now));
  fail_unless (check_hello (hello, 5000, now + 59 * GST_SECOND));
  fail_if (check_hello (hello, 5000, now + 120 * GST_SECOND));
  g_bytes_unref (hello);
}

GST_END_TEST;

GST_START_TEST (a_hello_without_a_cookie_leaves_no_state_and_gets_less_back)
{
  GstTfrcDtlsContextStats stats;
  gsize asked;

  begin_client ();
  run_for (DELAY);
  asked = ends[CLIENT].bytes;
  fail_unless (ends[SERVER].session == NULL);
  fail_unless_equals_int (ends[SERVER].sent, 1);
  fail_unless (ends[SERVER].bytes < asked);
  gst_tfrc_dtls_context_get_stats (ends[SERVER].context, &stats);
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
    check_hello (hello, 6000, now + i * GST_SECOND / 10000);
  gst_tfrc_dtls_context_get_stats (ends[SERVER].context, &stats);
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
    sessions[i] = new_session (SERVER, &left);
    fail_unless (sessions[i] != NULL);
  }
  fail_unless (new_session (SERVER, &left) == NULL);
  for (i = 0; i < 64; i++)
    gst_tfrc_dtls_session_free (sessions[i]);
  /* and in a second */
  for (n = 0; (sessions[0] = new_session (SERVER, &left)) != NULL; n++)
    gst_tfrc_dtls_session_free (sessions[0]);
  fail_unless_equals_int (64 + n, 100);
  now += GST_SECOND / 2;
  for (n = 0; (sessions[0] = new_session (SERVER, &left)) != NULL; n++)
    gst_tfrc_dtls_session_free (sessions[0]);
  fail_unless_equals_int (n, 50);
  gst_tfrc_dtls_context_get_stats (ends[SERVER].context, &stats);
  fail_unless_equals_int (stats.running, 0);
  fail_unless_equals_uint64 (stats.handshakes_limited, 3);
  g_bytes_unref (hello);
}

GST_END_TEST;

/* --- an open association --- */

GST_START_TEST (an_end_that_closes_is_heard)
{
  guint closes = __i__;

  begin_client ();
  run_until_open (GST_SECOND);
  gst_tfrc_dtls_session_close (ends[closes].session);
  run_for (DELAY);
  fail_unless_equals_int (get_state (!closes), GST_TFRC_DTLS_CLOSED);
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

  begin_client ();
  run_until_open (GST_SECOND);
  for (end = CLIENT; end <= SERVER; end++)
    for (i = 0; i < G_N_ELEMENTS (alerts); i++)
      gst_tfrc_dtls_session_on_datagram (ends[end].session, alerts[i],
          sizeof alerts[i], now);
  check_keys (keys);
}

GST_END_TEST;

/* --- nonsense --- */

static guint changed_every;

static void
change_bytes (guint8 * data, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    if (g_rand_int_range (rng, 0, changed_every) == 0)
      data[i] = g_rand_int (rng);
}

/* Whatever is changed on the way, an end opens with the keys of the other or not at all. */
GST_START_TEST (changed_bytes_give_no_keys_but_the_right_ones)
{
  guint i, opened = 0;
  GstTfrcSrtpKeys keys[2];

  mangle = change_bytes;
  for (i = 0; i < 150; i++) {
    changed_every = 100 << i % 8;
    begin_client ();
    run_until_open (3 * GST_SECOND);
    if (is_open (CLIENT) && is_open (SERVER)) {
      check_keys (keys);
      opened++;
    }
    end_sessions ();
  }
  fail_unless (opened > 10 && opened < 150, "%u", opened);
}

GST_END_TEST;

GST_START_TEST (random_datagrams_are_survived)
{
  guint8 data[400];
  guint i, j, end;

  for (i = 0; i < 100; i++) {
    begin_client ();
    run_for (g_rand_int_range (rng, 0, 7) * DELAY);
    for (j = 0; j < 50; j++) {
      gsize size = g_rand_int_range (rng, 0, sizeof data), k;

      for (k = 0; k < size; k++)
        data[k] = g_rand_int (rng);
      data[0] = g_rand_int_range (rng, 20, 26);
      data[1] = 0xfe;
      data[2] = 0xfd;
      data[3] = data[4] = 0;
      if (size > 12) {
        data[11] = (size - 13) >> 8;
        data[12] = size - 13;
      }
      for (end = CLIENT; end <= SERVER; end++)
        if (ends[end].session != NULL)
          gst_tfrc_dtls_session_on_datagram (ends[end].session, data, size,
              now);
      if (ends[SERVER].session == NULL && size > 0)
        take_hello (data, size);
    }
    end_sessions ();
  }
}

GST_END_TEST;

static Suite *
dtlssession_suite (void)
{
  Suite *suite = suite_create ("dtlssession");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, a_handshake_gives_each_end_the_keys_of_the_other);
  tcase_add_test (tcase, each_handshake_has_keys_of_its_own);
  tcase_add_loop_test (tcase, a_short_tag_is_agreed_on_when_both_ends_want_it,
      0, 2);
  tcase_add_test (tcase, a_hello_may_come_in_fragments);
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
  tcase_add_test (tcase, a_certificate_is_kept_in_a_file);
  tcase_add_test (tcase, a_certificate_that_is_none_is_an_error);
  tcase_add_test (tcase,
      a_certificate_may_have_an_rsa_key_that_is_not_too_long);
  tcase_add_test (tcase, a_cookie_is_good_for_one_address_and_a_minute);
  tcase_add_test (tcase,
      a_hello_without_a_cookie_leaves_no_state_and_gets_less_back);
  tcase_add_test (tcase, so_many_hellos_are_answered_in_a_second);
  tcase_add_test (tcase, so_many_handshakes_are_begun_at_a_time);
  tcase_add_loop_test (tcase, an_end_that_closes_is_heard, 0, 2);
  tcase_add_test (tcase, what_is_forged_does_not_end_an_association);
  tcase_add_test (tcase, changed_bytes_give_no_keys_but_the_right_ones);
  tcase_add_test (tcase, random_datagrams_are_survived);
  return suite;
}

GST_CHECK_MAIN (dtlssession);
