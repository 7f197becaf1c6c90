/* gst-tfrc tests: DTLS handshakes that a peer of tfrcbin answers and begins, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dtlspair.h"
#include "filter/engineconfig.h"
#include "transport/peer.h"
#include "transport/srtpsession.h"

/* Limits of the certificate's context and of the peer. */
#define HANDSHAKES_PER_SECOND 100
#define HELLO_GAP (100 * MS)

#define RANDOM 27               /* where a ClientHello has its random bytes */

static GstTfrcPeerSettings settings;
static GstTfrcPeer *peer;       /* which the client of the pair calls */

static gboolean
may_send (GstTfrcPeer * sender, gpointer data)
{
  return FALSE;
}

static void
send_datagram (GstTfrcPeer * sender, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer io_data)
{
  gst_tfrc_dtls_session_on_datagram (pair.ends[CLIENT].session, data, size,
      pair.now);
}

static void
set_timer (GstTfrcPeer * sender, GstClockTime time, gpointer data)
{
}

static GstClockTime
get_time (void)
{
  return pair.now;
}

static GstBuffer *
take_buffer (GstTfrcUdpDatagram * datagram)
{
  return gst_buffer_new_memdup (datagram->data, datagram->size);
}

static void
drop (GstTfrcPeer * receiver, GstMiniObject * object, gpointer data)
{
  gst_mini_object_unref (object);
}

static void
set_up (void)
{
  static const GstTfrcPeerIo io = { may_send, send_datagram, set_timer,
    get_time, take_buffer, NULL
  };
  GstTfrcUdpAddress address = { .port = 5000 };

  dtls_pair_set_up ();
  settings = (GstTfrcPeerSettings) {
      .element = gst_bin_new ("element"),
      .extension_id = 3,
      .dtls = pair.ends[SERVER].context,
      .dtls_setup = GST_TFRC_DTLS_PASSIVE,
      .fingerprints = (gchar *) pair.ends[SERVER].fingerprints
  };
  gst_tfrc_filter_settings_init (&settings.filter, TRUE);
  fail_unless (gst_tfrc_engine_config_from_settings (&settings.filter,
          &settings.config) == NULL);
  peer = gst_tfrc_peer_new (1, "peer", &address, &settings, &io, drop, NULL);
  gst_tfrc_peer_set_playing (peer, TRUE);
}

static void
tear_down (void)
{
  gst_tfrc_peer_isolate (peer);
  gst_tfrc_peer_stop (peer);
  gst_tfrc_peer_unref (peer);
  gst_tfrc_filter_settings_clear (&settings.filter);
  gst_object_unref (settings.element);
  dtls_pair_tear_down ();
}

/* A ClientHello of the client arrives, of a handshake that has this number. */
static void
arrive (GBytes * hello, guint32 number)
{
  GByteArray *bytes = g_byte_array_new ();
  GstTfrcUdpDatagram datagram = { .arrival = pair.now };

  g_byte_array_append (bytes, g_bytes_get_data (hello, NULL),
      g_bytes_get_size (hello));
  if (number > 0)
    GST_WRITE_UINT24_BE (bytes->data + RANDOM, number);
  datagram.data = bytes->data;
  datagram.size = bytes->len;
  gst_tfrc_peer_on_datagram (peer, &datagram);
  g_byte_array_unref (bytes);
}

/* What the client has sent. */
static GBytes *
take_hello (void)
{
  DtlsDatagram *datagram = g_queue_pop_head (&pair.path);
  GBytes *hello = datagram->bytes;

  fail_unless_equals_int (g_queue_get_length (&pair.path), 0);
  g_free (datagram);
  return hello;
}

/* The ClientHello with the cookie that the peer gives for the one without. */
static GBytes *
make_hello_with_cookie (void)
{
  GBytes *hello;

  dtls_pair_begin_client ();
  gst_tfrc_dtls_session_on_time (pair.ends[CLIENT].session, pair.now);
  hello = take_hello ();
  arrive (hello, 0);
  g_bytes_unref (hello);
  return take_hello ();
}

static void
check_counts (guint begun, guint limited)
{
  GstTfrcDtlsContextStats stats;

  gst_tfrc_dtls_context_get_stats (settings.dtls, &stats);
  fail_unless_equals_uint64 (stats.handshakes, begun);
  fail_unless_equals_uint64 (stats.handshakes_limited, limited);
}

/* Others have begun all handshakes that a second has. */
static void
use_up_handshakes (void)
{
  GstTfrcUdpAddress other = { .port = 6000 };
  guint64 turn;

  do {
    turn = gst_tfrc_dtls_context_begin_handshake (settings.dtls, &other,
        pair.now);
    gst_tfrc_dtls_context_end_handshake (settings.dtls, turn);
  } while (turn != 0);
}

/* Whoever has begun a handshake, or was refused one, has to wait before the next is looked at. */
GST_START_TEST (a_caller_who_is_refused_waits_like_any_other)
{
  GBytes *hello = make_hello_with_cookie ();
  guint begun = HANDSHAKES_PER_SECOND, limited = 2;

  use_up_handshakes ();
  for (guint i = 1; i < 50; i++)
    arrive (hello, i);
  /* the 101st of the others, and the caller's first */
  check_counts (begun, limited);
  pair.now += HELLO_GAP - 1;
  arrive (hello, 100);
  check_counts (begun, limited);
  pair.now++;
  for (guint i = 101; i < 150; i++)
    arrive (hello, i);
  check_counts (begun + 1, limited);
  pair.now += HELLO_GAP - 1;
  arrive (hello, 200);
  check_counts (begun + 1, limited);
  pair.now++;
  arrive (hello, 201);
  check_counts (begun + 2, limited);
  g_bytes_unref (hello);
}

GST_END_TEST;

/* --- a peer that begins handshakes --- */

static GstTfrcPeer *caller;     /* which calls the server of the pair */
static GstClockTime timer;      /* of the caller */
static gboolean answers;        /* the server is there */

static void
call_server (GstTfrcPeer * sender, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer io_data)
{
  GstTfrcDtlsSession **session = &pair.ends[SERVER].session;

  if (!answers || !gst_tfrc_dtls_is_record (data, size))
    return;
  if (*session != NULL && dtls_pair_is_open (SERVER)
      && gst_tfrc_dtls_find_hello (data, size) != NULL)
    g_clear_pointer (session, gst_tfrc_dtls_session_free);
  if (*session == NULL)
    dtls_pair_take_hello (data, size);
  else
    gst_tfrc_dtls_session_on_datagram (*session, data, size, pair.now);
}

static void
note_timer (GstTfrcPeer * sender, GstClockTime time, gpointer data)
{
  timer = time;
}

static void
begin_caller (GstTfrcDtlsSetup setup)
{
  static const GstTfrcPeerIo io = { may_send, call_server, note_timer,
    get_time, take_buffer, NULL
  };
  GstTfrcUdpAddress address = { .port = 5000 };

  settings.dtls_setup = setup;
  timer = 0;
  caller = gst_tfrc_peer_new (2, "caller", &address, &settings, &io, drop,
      NULL);
  gst_tfrc_peer_set_playing (caller, TRUE);
}

static void
end_caller (void)
{
  gst_tfrc_peer_stop (caller);
  gst_tfrc_peer_unref (caller);
}

static void
set_up_caller (void)
{
  set_up ();
  settings.dtls = pair.ends[CLIENT].context;
  settings.fingerprints = (gchar *) pair.ends[CLIENT].fingerprints;
  answers = TRUE;
  begin_caller (GST_TFRC_DTLS_ACTIVE);
}

static void
tear_down_caller (void)
{
  end_caller ();
  tear_down ();
}

static void
give_caller (const guint8 * data, gsize size)
{
  guint8 *copy = g_memdup2 (data, size);
  GstTfrcUdpDatagram datagram = {
    .data = copy,
    .size = size,
    .arrival = pair.now
  };

  gst_tfrc_peer_on_datagram (caller, &datagram);
  g_free (copy);
}

static void
deliver (void)
{
  DtlsDatagram *datagram = g_queue_pop_head (&pair.path);

  give_caller (g_bytes_get_data (datagram->bytes, NULL),
      g_bytes_get_size (datagram->bytes));
  g_bytes_unref (datagram->bytes);
  g_free (datagram);
}

static void
run_caller (GstClockTime duration)
{
  GstClockTime end = pair.now + duration;

  for (; pair.now < end; pair.now += MS) {
    while (!g_queue_is_empty (&pair.path) && ((DtlsDatagram *)
            g_queue_peek_head (&pair.path))->arrival <= pair.now)
      deliver ();
    if (timer <= pair.now)
      gst_tfrc_peer_on_timer (caller, pair.now);
  }
}

/* The server says its first word: a receiver report. */
static void
say_word (void)
{
  guint8 report[8 + GST_TFRC_SRTP_GROWTH] = { 0x80, 201, 0, 1, 1, 2, 3, 4 };
  GstTfrcSrtpSession *session;
  GstTfrcSrtpKeys keys;
  gsize size = 8;

  gst_tfrc_dtls_session_get_keys (pair.ends[SERVER].session, &keys);
  session = gst_tfrc_srtp_session_new (&keys, TRUE);
  fail_unless (gst_tfrc_srtp_session_protect (session, report, &size, TRUE));
  give_caller (report, size);
  fail_unless_equals_int (gst_tfrc_peer_get_connection (caller),
      GST_TFRC_REMOTE_LIVENESS_CONNECTED);
  gst_tfrc_srtp_session_free (session);
}

static guint64
count_handshakes (void)
{
  GstStructure *stats = gst_tfrc_peer_get_stats (caller);
  guint64 n = 0;

  fail_unless (gst_structure_get_uint64 (stats, "handshakes", &n));
  gst_structure_free (stats);
  return n;
}

/* The remote has fallen silent, but its DTLS answers: it has the keys of each handshake, and time to use them. */
GST_START_TEST (a_silent_remote_is_not_asked_in_one_handshake_after_the_other)
{
  run_caller (GST_SECOND);
  fail_unless_equals_uint64 (count_handshakes (), 1);
  say_word ();
  run_caller (4 * GST_SECOND);
  fail_unless_equals_uint64 (count_handshakes (), 1);
  run_caller (50 * GST_SECOND);
  fail_unless_equals_int (gst_tfrc_peer_get_connection (caller),
      GST_TFRC_REMOTE_LIVENESS_LOST);
  fail_unless (count_handshakes () > 5);
  fail_unless (count_handshakes () <= 14, "%" G_GUINT64_FORMAT,
      count_handshakes ());
}

GST_END_TEST;

/* The remote was killed and began anew before its first word: it has no keys, and waits for a handshake. */
GST_START_TEST
    (a_remote_that_lost_its_keys_before_its_first_word_is_asked_again) {
  run_caller (GST_SECOND);
  fail_unless_equals_uint64 (count_handshakes (), 1);
  answers = FALSE;
  g_clear_pointer (&pair.ends[SERVER].session, gst_tfrc_dtls_session_free);
  run_caller (3 * GST_SECOND);
  answers = TRUE;
  run_caller (15 * GST_SECOND);
  fail_unless_equals_uint64 (count_handshakes (), 2);
  fail_unless (dtls_pair_is_open (SERVER));
  say_word ();
  run_caller (4 * GST_SECOND);
  fail_unless_equals_uint64 (count_handshakes (), 2);
}

GST_END_TEST;

/* Somebody has shown its address by a cookie, became a peer, and says nothing any more. */
GST_START_TEST (a_caller_who_begins_no_handshake_does_not_stay)
{
  end_caller ();
  begin_caller (GST_TFRC_DTLS_PASSIVE);
  /* the thread of the port may have served the peer already */
  run_caller (10 * MS);
  gst_tfrc_peer_expect (caller);
  run_caller (9 * GST_SECOND);
  fail_unless_equals_int (gst_tfrc_peer_get_connection (caller),
      GST_TFRC_REMOTE_LIVENESS_WAITING);
  run_caller (2 * GST_SECOND);
  fail_unless_equals_int (gst_tfrc_peer_get_connection (caller),
      GST_TFRC_REMOTE_LIVENESS_GONE);
}

GST_END_TEST;

static Suite *
peerdtls_suite (void)
{
  Suite *suite = suite_create ("peerdtls");
  TCase *tcase = tcase_create ("general");
  TCase *calling = tcase_create ("calling");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, a_caller_who_is_refused_waits_like_any_other);
  suite_add_tcase (suite, calling);
  tcase_add_checked_fixture (calling, set_up_caller, tear_down_caller);
  tcase_add_test (calling,
      a_silent_remote_is_not_asked_in_one_handshake_after_the_other);
  tcase_add_test (calling,
      a_remote_that_lost_its_keys_before_its_first_word_is_asked_again);
  tcase_add_test (calling, a_caller_who_begins_no_handshake_does_not_stay);
  return suite;
}

GST_CHECK_MAIN (peerdtls);
