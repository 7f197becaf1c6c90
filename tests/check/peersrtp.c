/* gst-tfrc tests: two peers of tfrcbin with keys, joined in memory, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "filter/engineconfig.h"
#include "settle.h"
#include "transport/peer.h"
#include "postedstates.h"
#include "statsfield.h"

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define PAYLOAD_TYPE 96
#define RATE 48000
#define STEP 960                /* 20 ms of RTP timestamp */
#define PAYLOAD 60              /* bytes */
/* RTP header, the extension with the stamp, payload. */
#define PLAIN (12 + 4 + 8 + PAYLOAD)

#define FORTH "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define BACK "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define OTHER "200102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define MORE "000102030405060708090a0b0c0d0e0f"

typedef struct
{
  GstTfrcPeerSettings settings;
  GstTfrcSrtpKeys keys;
  GstTfrcPeer *peer;
  GstClockTime timer, next_packet;
  gboolean talks;
  guint packets;                /* given to the peer */
  GPtrArray *sent;              /* GBytes, all datagrams of all its peers */
  GMutex lock;                  /* for what the pad server's threads write */
  guint served, warnings;
  gchar *states, *warning;
} End;

typedef struct
{
  guint to;
  GstClockTime arrival;
  GBytes *bytes;
} Flight;

static End ends[2];
static GQueue flights = G_QUEUE_INIT;
static GstClockTime now;
static GstElement *element;

static GstClockTime
get_time (void)
{
  return now;
}

static gboolean
is_data (GBytes * bytes)
{
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  return data[1] < 192 || data[1] > 223;
}

static gboolean
may_send (GstTfrcPeer * peer, gpointer io_data)
{
  return FALSE;
}

static void
send_datagram (GstTfrcPeer * peer, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer io_data)
{
  End *end = io_data;
  Flight *flight = g_new (Flight, 1);

  flight->to = end == &ends[0];
  flight->arrival = now + 25 * MS;
  flight->bytes = g_bytes_new (data, size);
  g_ptr_array_add (end->sent, g_bytes_ref (flight->bytes));
  g_queue_push_tail (&flights, flight);
}

static void
set_timer (GstTfrcPeer * peer, GstClockTime time, gpointer io_data)
{
  ((End *) io_data)->timer = time;
}

static GstBuffer *
take_buffer (GstTfrcUdpDatagram * datagram)
{
  return gst_buffer_new_memdup (datagram->data, datagram->size);
}

static void
serve_message (End * end, GstMessage * message)
{
  gchar *states = end->states;
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning (message, &error, NULL);
    end->warnings++;
    g_free (end->warning);
    end->warning = g_strdup (error->message);
    g_error_free (error);
    return;
  }
  end->states = g_strjoin (" ", states,
      gst_structure_get_string (gst_message_get_structure (message), "state"),
      NULL);
  g_free (states);
}

static void
serve (GstTfrcPeer * peer, GstMiniObject * object, gpointer data)
{
  End *end = data;

  g_mutex_lock (&end->lock);
  if (GST_IS_BUFFER (object))
    end->served++;
  else if (GST_IS_MESSAGE (object))
    serve_message (end, GST_MESSAGE_CAST (object));
  g_mutex_unlock (&end->lock);
  gst_mini_object_unref (object);
}

static void
open_peer (End * end)
{
  GstTfrcPeerIo io = { may_send, send_datagram, set_timer, get_time,
    take_buffer, end
  };
  GstTfrcUdpAddress address = { .port = 5000 };
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "clock-rate",
      G_TYPE_INT, RATE, NULL);

  end->peer = gst_tfrc_peer_new (end == &ends[1], "end", &address,
      &end->settings, &io, serve, end);
  end->talks = TRUE;
  end->packets = 0;
  end->next_packet = now;
  gst_tfrc_peer_set_playing (end->peer, TRUE);
  gst_tfrc_peer_set_send_caps (end->peer, caps);
  gst_caps_unref (caps);
}

static void
close_peer (End * end)
{
  gst_tfrc_peer_say_bye (end->peer, now);
  gst_tfrc_peer_stop (end->peer);
  g_clear_pointer (&end->peer, gst_tfrc_peer_unref);
}

static void
set_keys (End * end, const gchar * local, const gchar * remote,
    GstTfrcSrtpCipher cipher)
{
  GstTfrcSrtpSettings settings = { (gchar *) local, (gchar *) remote, cipher,
    GST_TFRC_SRTP_HMAC_SHA1_80
  };

  fail_unless (gst_tfrc_srtp_keys_read (&end->keys, &settings,
          GST_TFRC_SRTP_EITHER_END) == NULL);
  end->settings.keys = &end->keys;
}

static void
begin_end (End * end)
{
  GstTfrcPeerSettings *settings = &end->settings;

  memset (end, 0, sizeof *end);
  settings->element = element;
  gst_tfrc_filter_settings_init (&settings->filter, TRUE);
  settings->filter.mode = TFRC_MODE_TFRC_SP;
  fail_unless (gst_tfrc_engine_config_from_settings (&settings->filter,
          &settings->config) == NULL);
  settings->extension_id = 3;
  settings->latency = 100 * MS;
  settings->clock_rates[PAYLOAD_TYPE] = RATE;
  g_strlcpy (settings->cname, "alice@wonderland", sizeof settings->cname);
  end->states = g_strdup ("");
  end->sent = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_mutex_init (&end->lock);
}

static void
set_up (void)
{
  now = START;
  element = gst_bin_new ("element");
  begin_end (&ends[0]);
  begin_end (&ends[1]);
  set_keys (&ends[0], FORTH, BACK, GST_TFRC_SRTP_AES_128_ICM);
  set_keys (&ends[1], BACK, FORTH, GST_TFRC_SRTP_AES_128_ICM);
}

static void
open_call (void)
{
  open_peer (&ends[0]);
  open_peer (&ends[1]);
}

static void
flight_free (Flight * flight)
{
  g_bytes_unref (flight->bytes);
  g_free (flight);
}

static void
tear_down (void)
{
  guint i;

  for (i = 0; i < 2; i++) {
    if (ends[i].peer != NULL)
      close_peer (&ends[i]);
    g_mutex_clear (&ends[i].lock);
    g_ptr_array_unref (ends[i].sent);
    g_free (ends[i].states);
    g_free (ends[i].warning);
    gst_tfrc_filter_settings_clear (&ends[i].settings.filter);
  }
  g_queue_clear_full (&flights, (GDestroyNotify) flight_free);
  gst_object_unref (element);
}

/* A payloader's packet, always with one SSRC and numbers that begin anew with each peer. */
static void
talk (End * end)
{
  guint8 packet[12 + PAYLOAD] = { 0x80, PAYLOAD_TYPE };

  memset (packet + 12, 0x55, PAYLOAD);
  GST_WRITE_UINT16_BE (packet + 2, end->packets);
  GST_WRITE_UINT32_BE (packet + 4, end->packets * STEP);
  GST_WRITE_UINT32_BE (packet + 8, 0xABCDEF00);
  fail_unless_equals_int (gst_tfrc_peer_enqueue (end->peer,
          gst_buffer_new_memdup (packet, sizeof packet)), GST_FLOW_OK);
  end->packets++;
  end->next_packet += 20 * MS;
}

static void
give (End * end, const guint8 * data, gsize size)
{
  guint8 *copy = g_memdup2 (data, size);
  GstTfrcUdpDatagram datagram = {
    .data = copy,
    .size = size,
    .arrival = now
  };

  gst_tfrc_peer_on_datagram (end->peer, &datagram);
  g_free (copy);
}

static void
arrive (Flight * flight)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (flight->bytes, &size);

  if (ends[flight->to].peer != NULL)
    give (&ends[flight->to], data, size);
  flight_free (flight);
}

static GstClockTime
get_next (void)
{
  Flight *flight = g_queue_peek_head (&flights);
  GstClockTime next = flight != NULL ? flight->arrival : GST_CLOCK_TIME_NONE;
  guint i;

  for (i = 0; i < 2; i++) {
    if (ends[i].peer == NULL)
      continue;
    next = MIN (next, ends[i].timer);
    if (ends[i].talks)
      next = MIN (next, ends[i].next_packet);
  }
  return next;
}

static void
step (void)
{
  Flight *flight;
  guint i;

  for (i = 0; i < 2; i++) {
    if (ends[i].peer == NULL)
      continue;
    if (ends[i].talks && ends[i].next_packet <= now)
      talk (&ends[i]);
    if (ends[i].timer <= now)
      gst_tfrc_peer_on_timer (ends[i].peer, now);
  }
  while ((flight = g_queue_peek_head (&flights)) != NULL &&
      flight->arrival <= now)
    arrive (g_queue_pop_head (&flights));
}

/* In parts, after which the pad server's threads have served what there is. */
static void
run_for (GstClockTime duration)
{
  GstClockTime end = now + duration, next, part;
  guint steps = 0;

  while (now < end) {
    part = MIN (now + GST_SECOND, end);
    while ((next = get_next ()) <= part) {
      steps = next > now ? 0 : steps + 1;
      fail_unless (steps < 1000, "time stands still");
      now = MAX (now, next);
      step ();
    }
    now = part;
    settle ();
  }
}

static guint64
get_count (End * end, const gchar * name)
{
  GstStructure *stats = gst_tfrc_peer_get_stats (end->peer);
  guint64 count = 0;

  fail_unless (gst_structure_get_uint64 (stats, name, &count), "%s", name);
  gst_structure_free (stats);
  return count;
}

static gdouble
get_stat (End * end, const gchar * part, const gchar * name)
{
  GstStructure *stats = gst_tfrc_peer_get_stats (end->peer);
  gdouble result = stats_get_number (stats, part, name);

  gst_structure_free (stats);
  return result;
}

static void
wait_states (End * end, const gchar * states)
{
  posted_states_wait (&end->states, &end->lock, states);
}

/* The latest datagram of an end that is data or not. */
static GBytes *
get_sent (End * end, gboolean data)
{
  guint i;

  for (i = end->sent->len; i > 0; i--)
    if (is_data (end->sent->pdata[i - 1]) == data)
      return end->sent->pdata[i - 1];
  fail ("nothing was sent");
  return NULL;
}

static gboolean
contains (GBytes * bytes, const gchar * text, gsize length)
{
  gsize i, size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  for (i = 0; i + length <= size; i++)
    if (memcmp (data + i, text, length) == 0)
      return TRUE;
  return FALSE;
}

/* --- calls --- */

static const struct
{
  GstTfrcSrtpCipher cipher;
  const gchar *forth, *back;
  guint tag;
} kinds[] = {
  {GST_TFRC_SRTP_AES_128_ICM, FORTH, BACK, 10},
  {GST_TFRC_SRTP_AES_256_ICM, FORTH MORE, BACK MORE, 10},
  {GST_TFRC_SRTP_AES_128_GCM, MORE "000102030405060708090a0b",
      MORE "100102030405060708090a0b", 16},
  {GST_TFRC_SRTP_AES_256_GCM, MORE MORE "000102030405060708090a0b",
      MORE MORE "100102030405060708090a0b", 16},
};

GST_START_TEST (a_call_with_keys_goes_both_ways)
{
  guint i, j;

  set_keys (&ends[0], kinds[__i__].forth, kinds[__i__].back,
      kinds[__i__].cipher);
  set_keys (&ends[1], kinds[__i__].back, kinds[__i__].forth,
      kinds[__i__].cipher);
  open_call ();
  run_for (5 * GST_SECOND);
  for (i = 0; i < 2; i++) {
    End *end = &ends[i];

    fail_unless_equals_uint64 (get_count (end, "srtp-failures"), 0);
    fail_unless_equals_uint64 (get_count (end, "not-encrypted"), 0);
    fail_unless (get_stat (end, "data-receiver", "packets") > 200);
    fail_unless_equals_int (get_stat (end, "data-receiver", "unstamped"), 0);
    fail_unless (get_stat (end, "data-sender", "reports") > 20);
    fail_unless (ABS (get_stat (end, "data-sender", "R") - 0.05) < 0.002);
    fail_unless_equals_int (g_bytes_get_size (get_sent (end, TRUE)),
        PLAIN + kinds[__i__].tag);
    for (j = 0; j < end->sent->len; j++) {
      fail_if (contains (end->sent->pdata[j], "alice@wonderland", 16));
      fail_if (contains (end->sent->pdata[j], "\x55\x55\x55\x55", 4));
    }
    wait_states (end, " waiting connected");
    fail_unless_equals_int (end->warnings, 0);
  }
}

GST_END_TEST;

GST_START_TEST (packets_with_another_key_have_no_effect_but_a_warning)
{
  set_keys (&ends[1], OTHER, FORTH, GST_TFRC_SRTP_AES_128_ICM);
  open_call ();
  run_for (5 * GST_SECOND);
  fail_unless (get_count (&ends[0], "srtp-failures") >= 5);
  fail_unless_equals_int (get_stat (&ends[0], "session", "packets-received"),
      0);
  fail_unless_equals_int (get_stat (&ends[0], "session", "rtcp-received"), 0);
  g_mutex_lock (&ends[0].lock);
  fail_unless_equals_int (ends[0].served, 0);
  fail_unless_equals_string (ends[0].states, " waiting");
  fail_unless_equals_int (ends[0].warnings, 1);
  fail_unless (strstr (ends[0].warning, "\"srtp-remote-key\"") != NULL);
  g_mutex_unlock (&ends[0].lock);
  /* what end 0 sends is authentic */
  fail_unless_equals_uint64 (get_count (&ends[1], "srtp-failures"), 0);
}

GST_END_TEST;

GST_START_TEST (plain_packets_do_not_get_past_a_key)
{
  ends[1].settings.keys = NULL;
  open_call ();
  run_for (5 * GST_SECOND);
  fail_unless (get_count (&ends[0], "srtp-failures") >= 5);
  fail_unless_equals_int (get_stat (&ends[0], "session", "rtcp-received"), 0);
}

GST_END_TEST;

/* --- what somebody between the ends can do --- */

GST_START_TEST (one_flipped_bit_of_any_byte_is_noticed)
{
  guint kind;

  open_call ();
  run_for (2 * GST_SECOND);
  ends[1].talks = FALSE;
  run_for (GST_SECOND);
  for (kind = 0; kind < 2; kind++) {
    GBytes *bytes = get_sent (&ends[1], kind == 0);
    guint64 before = get_count (&ends[0], "srtp-failures");
    gsize i, size;
    guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, &size),
        g_bytes_get_size (bytes));

    for (i = 0; i < size; i++) {
      copy[i] ^= 1;
      give (&ends[0], copy, size);
      copy[i] ^= 1;
    }
    fail_unless_equals_uint64 (get_count (&ends[0], "srtp-failures"),
        before + size);
    g_free (copy);
  }
}

GST_END_TEST;

GST_START_TEST (what_is_replayed_has_no_effect)
{
  GBytes *data, *rtcp;
  gdouble packets, rtcp_packets;

  open_call ();
  run_for (2 * GST_SECOND);
  data = get_sent (&ends[1], TRUE);
  rtcp = get_sent (&ends[1], FALSE);
  ends[1].talks = FALSE;
  run_for (200 * MS);
  close_peer (&ends[1]);
  run_for (10 * GST_SECOND);
  wait_states (&ends[0], " waiting connected gone");
  packets = get_stat (&ends[0], "playout", "packets");
  rtcp_packets = get_stat (&ends[0], "session", "rtcp-received");
  give (&ends[0], g_bytes_get_data (data, NULL), g_bytes_get_size (data));
  give (&ends[0], g_bytes_get_data (rtcp, NULL), g_bytes_get_size (rtcp));
  fail_unless_equals_uint64 (get_count (&ends[0], "srtp-failures"), 2);
  fail_unless_equals_float (get_stat (&ends[0], "playout", "packets"), packets);
  fail_unless_equals_float (get_stat (&ends[0], "session", "rtcp-received"),
      rtcp_packets);
  run_for (GST_SECOND);
  wait_states (&ends[0], " waiting connected gone");
}

GST_END_TEST;

GST_START_TEST (what_an_end_has_sent_is_not_authentic_when_it_comes_back)
{
  GBytes *data;

  open_call ();
  run_for (2 * GST_SECOND);
  data = get_sent (&ends[0], TRUE);
  give (&ends[0], g_bytes_get_data (data, NULL), g_bytes_get_size (data));
  fail_unless_equals_uint64 (get_count (&ends[0], "srtp-failures"), 1);
}

GST_END_TEST;

GST_START_TEST (a_forged_bye_does_not_end_a_call)
{
  guint8 bye[12 + 14] = { 0x81, 203, 0, 1 };
  guint ssrc;

  open_call ();
  run_for (2 * GST_SECOND);
  ssrc = get_stat (&ends[0], "session", "remote-ssrc");
  GST_WRITE_UINT32_BE (bye + 4, ssrc);
  give (&ends[0], bye, sizeof bye);
  give (&ends[0], bye, 8);
  run_for (GST_SECOND);
  wait_states (&ends[0], " waiting connected");
  fail_unless_equals_uint64 (get_count (&ends[0], "srtp-failures"), 2);
}

GST_END_TEST;

/* Forged packets do not keep a peer alive. */
GST_START_TEST (only_authentic_packets_end_a_silence)
{
  guint8 forged[PLAIN + 10] = { 0x80, PAYLOAD_TYPE };
  guint i;

  open_call ();
  run_for (2 * GST_SECOND);
  g_clear_pointer (&ends[1].peer, gst_tfrc_peer_unref);
  for (i = 0; i < 20; i++) {
    GST_WRITE_UINT16_BE (forged + 2, i);
    run_for (GST_SECOND);
    give (&ends[0], forged, sizeof forged);
  }
  wait_states (&ends[0], " waiting connected lost paused");
  fail_unless (gst_tfrc_peer_is_silent (ends[0].peer, now));
}

GST_END_TEST;

static gboolean
give_from (End * end, guint port, GBytes * bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);
  GstTfrcUdpDatagram datagram = {
    .data = g_memdup2 (data, size),
    .size = size,
    .remote = {.port = port},
    .arrival = now
  };
  gboolean taken = gst_tfrc_peer_on_moved (end->peer, &datagram);

  g_free (datagram.data);
  return taken;
}

static guint
get_port (End * end)
{
  GstStructure *stats = gst_tfrc_peer_get_stats (end->peer);
  const gchar *address = gst_structure_get_string (stats, "address");
  guint port = g_ascii_strtoull (strrchr (address, ':') + 1, NULL, 10);

  gst_structure_free (stats);
  return port;
}

GST_START_TEST (only_authentic_packets_move_a_peer)
{
  Flight *flight;
  GBytes *plain, *old;
  guint8 data[PLAIN] = { 0x80, PAYLOAD_TYPE };

  open_call ();
  run_for (2 * GST_SECOND);
  plain = g_bytes_new (data, sizeof data);
  old = ends[1].sent->pdata[ends[1].sent->len / 2];
  fail_if (give_from (&ends[0], 6000, plain));
  fail_if (give_from (&ends[0], 6000, old));
  fail_unless_equals_int (get_port (&ends[0]), 5000);
  /* one that has not arrived yet */
  talk (&ends[1]);
  gst_tfrc_peer_on_timer (ends[1].peer, now);
  flight = g_queue_peek_tail (&flights);
  fail_unless_equals_int (flight->to, 0);
  fail_unless (give_from (&ends[0], 6000, flight->bytes));
  fail_unless_equals_int (get_port (&ends[0]), 6000);
  settle ();
  wait_states (&ends[0], " waiting connected moved");
  g_bytes_unref (plain);
}

GST_END_TEST;

/* --- no key stream twice --- */

static guint64
get_index (GBytes * bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  return is_data (bytes) ? GST_READ_UINT16_BE (data + 2) :
      GST_READ_UINT32_BE (data + size - 14) & 0x7fffffff;
}

/* Fails when the two datagrams have one SSRC and one index, of RTP or of RTCP. Within one peer
 * fewer than 2^16 packets leave, so that the sequence number is the index. */
static void
check_key_streams (GPtrArray * sent)
{
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  guint i;

  for (i = 0; i < sent->len; i++) {
    GBytes *bytes = sent->pdata[i];
    const guint8 *data = g_bytes_get_data (bytes, NULL);
    gboolean rtp = is_data (bytes);
    gchar *pair = g_strdup_printf ("%d %08x %" G_GUINT64_FORMAT, rtp,
        GST_READ_UINT32_BE (data + (rtp ? 8 : 4)), get_index (bytes));

    fail_unless (g_hash_table_add (seen, pair), "twice: %s", pair);
  }
  g_hash_table_unref (seen);
}

GST_START_TEST (no_key_stream_is_used_twice_by_peers_that_begin_anew)
{
  guint i;

  for (i = 0; i < 4; i++) {
    open_call ();
    run_for (3 * GST_SECOND);
    close_peer (&ends[0]);
    close_peer (&ends[1]);
    run_for (100 * MS);
  }
  for (i = 0; i < 2; i++) {
    fail_unless (ends[i].sent->len > 4 * 100);
    check_key_streams (ends[i].sent);
  }
}

GST_END_TEST;

/* One end begins anew, and the other goes on. */
GST_START_TEST (an_end_that_begins_anew_is_heard)
{
  guint i;

  open_call ();
  run_for (3 * GST_SECOND);
  for (i = 0; i < 3; i++) {
    close_peer (&ends[1]);
    run_for (GST_SECOND);
    open_peer (&ends[1]);
    run_for (4 * GST_SECOND);
  }
  wait_states (&ends[0],
      " waiting connected gone connected gone connected gone " "connected");
  fail_unless_equals_uint64 (get_count (&ends[0], "srtp-failures"), 0);
  fail_unless_equals_uint64 (get_count (&ends[1], "srtp-failures"), 0);
  check_key_streams (ends[0].sent);
  check_key_streams (ends[1].sent);
}

GST_END_TEST;

/* The state of SRTP that a new remote end begins with is that of a new stream: it cannot know how
 * often the sequence numbers of an old one have wrapped (RFC 3711 3.3.1). */
GST_START_TEST (an_end_that_begins_anew_is_heard_and_hears_after_a_wrap)
{
  open_call ();
  ends[0].packets = ends[1].packets = 65500;
  run_for (10 * GST_SECOND);
  close_peer (&ends[1]);
  run_for (GST_SECOND);
  open_peer (&ends[1]);
  run_for (5 * GST_SECOND);
  fail_unless (get_stat (&ends[0], "data-receiver", "packets") > 200);
  fail_unless (get_stat (&ends[1], "data-receiver", "packets") > 100);
  fail_unless (get_count (&ends[1], "srtp-failures") < 50);
  check_key_streams (ends[0].sent);
  check_key_streams (ends[1].sent);
}

GST_END_TEST;

/* An owner of the key uses this end's SSRC, so that this end takes another one. */
GST_START_TEST (another_ssrc_is_one_that_was_not_in_use)
{
  GstTfrcSrtpSession *session;
  guint8 packet[PLAIN + GST_TFRC_SRTP_GROWTH] = { 0x80, PAYLOAD_TYPE };
  gsize size = PLAIN;
  guint ssrc, next;

  open_call ();
  run_for (2 * GST_SECOND);
  ssrc = get_stat (&ends[0], "session", "ssrc");
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  session = gst_tfrc_srtp_session_new (&ends[1].keys, TRUE);
  fail_unless (gst_tfrc_srtp_session_protect (session, packet, &size, FALSE));
  give (&ends[0], packet, size);
  next = get_stat (&ends[0], "session", "ssrc");
  fail_if (next == ssrc);
  /* it was drawn where no number comes twice: all that are drawn later differ */
  fail_if (gst_tfrc_srtp_draw_ssrc () == next);
  run_for (2 * GST_SECOND);
  check_key_streams (ends[0].sent);
  fail_unless_equals_int (GST_READ_UINT32_BE ((const guint8 *)
          g_bytes_get_data (get_sent (&ends[0], TRUE), NULL) + 8), next);
  fail_unless_equals_uint64 (get_count (&ends[0], "srtp-failures"), 0);
  gst_tfrc_srtp_session_free (session);
}

GST_END_TEST;

/* What gst_tfrc_srtp_draw_ssrc() has counted to, of what it returned: its steps undone. */
static guint32
count_draws (guint32 ssrc)
{
  ssrc ^= ssrc >> 16;
  ssrc *= 0x7ed1b41d;
  ssrc ^= ssrc >> 13 ^ ssrc >> 26;
  ssrc *= 0xa5cb9243;
  return ssrc ^ ssrc >> 16;
}

/* A process has 2^32 SSRCs, which are not spent on packets. */
GST_START_TEST (packets_of_one_stream_draw_no_ssrc)
{
  guint32 before;

  ends[0].settings.alone = ends[1].settings.alone = TRUE;
  open_call ();
  run_for (GST_SECOND);
  before = count_draws (gst_tfrc_srtp_draw_ssrc ());
  run_for (4 * GST_SECOND);
  fail_unless (get_stat (&ends[1], "data-receiver", "packets") > 200);
  fail_unless_equals_int (count_draws (gst_tfrc_srtp_draw_ssrc ()) - before, 1);
}

GST_END_TEST;

static Suite *
peersrtp_suite (void)
{
  Suite *s = suite_create ("peersrtp");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_loop_test (tc, a_call_with_keys_goes_both_ways, 0,
      G_N_ELEMENTS (kinds));
  tcase_add_test (tc, packets_with_another_key_have_no_effect_but_a_warning);
  tcase_add_test (tc, plain_packets_do_not_get_past_a_key);
  tcase_add_test (tc, one_flipped_bit_of_any_byte_is_noticed);
  tcase_add_test (tc, what_is_replayed_has_no_effect);
  tcase_add_test (tc, what_an_end_has_sent_is_not_authentic_when_it_comes_back);
  tcase_add_test (tc, a_forged_bye_does_not_end_a_call);
  tcase_add_test (tc, only_authentic_packets_end_a_silence);
  tcase_add_test (tc, only_authentic_packets_move_a_peer);
  tcase_add_test (tc, no_key_stream_is_used_twice_by_peers_that_begin_anew);
  tcase_add_test (tc, an_end_that_begins_anew_is_heard);
  tcase_add_test (tc, an_end_that_begins_anew_is_heard_and_hears_after_a_wrap);
  tcase_add_test (tc, another_ssrc_is_one_that_was_not_in_use);
  tcase_add_test (tc, packets_of_one_stream_draw_no_ssrc);
  return s;
}

GST_CHECK_MAIN (peersrtp);
