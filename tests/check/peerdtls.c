/* gst-tfrc tests: DTLS handshakes that a peer of tfrcbin answers, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dtlspair.h"
#include "filter/engineconfig.h"
#include "transport/peer.h"

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
    GST_WRITE_UINT32_BE (bytes->data + RANDOM, number);
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

static Suite *
peerdtls_suite (void)
{
  Suite *suite = suite_create ("peerdtls");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, a_caller_who_is_refused_waits_like_any_other);
  return suite;
}

GST_CHECK_MAIN (peerdtls);
