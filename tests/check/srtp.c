/* gst-tfrc tests: calls with a key, and with the wrong one
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "ends.h"
#include "rtcp.h"
#include "transport/srtpkeys.h"

#define KEY_30 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define OTHER_30 "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEY_28 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b"
#define KEY_44 KEY_28 "000102030405060708090a0b0c0d0e0f"
#define KEY_46 KEY_30 "000102030405060708090a0b0c0d0e0f"

/* What a cipher adds to each packet of RTP, bytes. */
static const struct
{
  const gchar *args;
  guint tag;
} kinds[] = {
  {"srtp-key=" KEY_30, 10},
  {"srtp-key=" KEY_30 " srtp-auth=hmac-sha1-32", 4},
  {"srtp-key=" KEY_46 " srtp-cipher=aes-256-icm", 10},
  {"srtp-key=" KEY_28 " srtp-cipher=aes-128-gcm", 16},
  {"srtp-key=" KEY_44 " srtp-cipher=aes-256-gcm", 16},
};

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static void
check_no_failure (void)
{
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "srtp-failures"), 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "srtp-failures"), 0);
}

static void
start_call (const gchar * args)
{
  ends_start_call (&ends, args, args);
  check_no_failure ();
}

/* RTP header, the extension with the stamp, payload. */
#define PLAIN (12 + 4 + 8 + ENDS_SIZE)

GST_START_TEST (a_call_plays_with_each_cipher)
{
  GPtrArray *packets;
  gsize size;

  start_call (kinds[__i__].args);
  fail_unless (ends_get_stat (ends.sink, "reports") > 10);
  packets = net_take (ends.port);
  size = g_bytes_get_size (packets->pdata[packets->len - 1]);
  fail_unless_equals_int (size, PLAIN + kinds[__i__].tag);
  g_ptr_array_unref (packets);
  ends_stop (&ends);
}

GST_END_TEST;

static gboolean
contains (const guint8 * data, gsize size, const gchar * text)
{
  gsize i, length = strlen (text);

  for (i = 0; i + length <= size; i++)
    if (memcmp (data + i, text, length) == 0)
      return TRUE;
  return FALSE;
}

GST_START_TEST (rtp_and_rtcp_are_encrypted_and_tagged)
{
  GPtrArray *forth, *back;
  guint i, rtcp = 0;
  guint8 payload[8];

  ends_start_receiver (&ends, "srtp-key=" KEY_30
      " sdes=\"application/x-rtp-source-sdes,cname=\\\"alice@wonderland\\\"\"");
  ends_start_sender (&ends, "srtp-key=" KEY_30);
  ends_play (&ends, 3 * GST_SECOND);
  forth = net_take (ends.port);
  back = net_take (ends_get_port (ends.sink));
  for (i = 0; i < back->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (back->pdata[i], &size);

    fail_unless (rtcp_is (data, size));
    fail_if (contains (data, size, "alice@wonderland"));
    /* SRTCP: E bit and index, then ten bytes of tag. */
    fail_unless (size >= 8 + 4 + 10);
    fail_unless (GST_READ_UINT32_BE (data + size - 14) & 0x80000000);
    rtcp++;
  }
  fail_unless (rtcp >= 10);
  for (i = 0; i < forth->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (forth->pdata[i], &size);

    memset (payload, (guint8) i, sizeof (payload));
    fail_if (memcmp (data + size - 30, payload, sizeof (payload)) == 0);
  }
  fail_unless (forth->len > 100);
  g_ptr_array_unref (forth);
  g_ptr_array_unref (back);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (the_wrong_key_is_a_warning_that_names_the_remedy)
{
  GstMessage *message;
  GError *error = NULL;

  ends_start_receiver (&ends, "srtp-key=" KEY_30);
  ends_start_sender (&ends, "srtp-key=" OTHER_30);
  ends_play (&ends, 10 * GST_SECOND);
  message = ends_pop (ends.receiver, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NOT_AUTHORIZED));
  fail_unless (strstr (error->message, "srtp-key") != NULL);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (ends.src));
  g_error_free (error);
  gst_message_unref (message);
  fail_unless (ends_pop (ends.receiver, GST_MESSAGE_WARNING) == NULL);
  fail_unless_equals_int (ends.played, 0);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") >= 5);
  ends_stop (&ends);
}

GST_END_TEST;

/* Each digit counts: a key that differs in one of them is another key. */
GST_START_TEST (a_key_of_one_other_digit_is_the_wrong_one)
{
  static const guint digits[] = { 0, 1, 30, 31, 32, 59 };
  gchar *other = g_strdup ("srtp-key=" KEY_30);
  gchar *digit = other + strlen ("srtp-key=") + digits[__i__];

  *digit = *digit == '8' ? '9' : '8';
  ends_start_receiver (&ends, "srtp-key=" KEY_30);
  ends_start_sender (&ends, other);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends.played, 0);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") >= 2);
  ends_stop (&ends);
  g_free (other);
}

GST_END_TEST;

GST_START_TEST (a_key_may_be_of_large_letters)
{
  gchar *large = g_ascii_strup (KEY_30, -1);
  gchar *line = g_strconcat ("srtp-key=", large, NULL);

  ends_start_receiver (&ends, "srtp-key=" KEY_30);
  ends_start_sender (&ends, line);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless (ends.played > 0);
  check_no_failure ();
  ends_stop (&ends);
  g_free (line);
  g_free (large);
}

GST_END_TEST;

GST_START_TEST (plain_rtp_does_not_get_past_a_key)
{
  ends_start_receiver (&ends, "srtp-key=" KEY_30);
  ends_start_sender (&ends, "mode=tfrc-sp");
  ends_play (&ends, 10 * GST_SECOND);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") >= 5);
  fail_unless_equals_int (ends.played, 0);
  ends_stop (&ends);
}

GST_END_TEST;

/* A key that nobody can use. */
GST_START_TEST (a_key_of_the_wrong_length_is_an_error_that_says_which_is_right)
{
  static const gchar *const wrong[][2] = {
    {"srtp-key=0123", "60 hexadecimal digits"},
    {"srtp-key=" KEY_30 "00", "60 hexadecimal digits"},
    {"srtp-key=" KEY_30 " srtp-cipher=aes-256-icm", "92 hexadecimal digits"},
    {"srtp-key=" KEY_30 " srtp-cipher=aes-128-gcm", "56 hexadecimal digits"},
    {"srtp-key=" KEY_30 " srtp-cipher=aes-256-gcm", "88 hexadecimal digits"},
    {"srtp-key=g" KEY_28 "000", "60 hexadecimal digits"},
    {"srtp-key=" KEY_30 " srtp-remote-key=00", "\"srtp-remote-key\" must be"},
    {"srtp-remote-key=" KEY_30, "\"srtp-key\" must be"},
    {"srtp-key=" KEY_30 " srtp-remote-key=" KEY_30, "a key of its own"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    gchar *line = g_strdup_printf ("tfrcsrc port=0 %s", wrong[i][0]);
    GError *error = ends_expect_error (line);

    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
            GST_RESOURCE_ERROR_SETTINGS));
    fail_unless (strstr (error->message, wrong[i][1]) != NULL, "%s: %s",
        wrong[i][0], error->message);
    g_error_free (error);
    g_free (line);
  }
}

GST_END_TEST;

/* The last packet that went to the port `taken` and is RTCP or not, with `flip` on one of its
 * bytes, is sent to the port `to`. */
static void
inject_taken (guint taken, guint from, guint to, gboolean rtcp, guint8 flip)
{
  GPtrArray *packets = net_take (taken);
  guint i;

  for (i = packets->len; i > 0; i--) {
    gsize size;
    gconstpointer data = g_bytes_get_data (packets->pdata[i - 1], &size);
    guint8 *copy;

    if (rtcp_is (data, size) != rtcp)
      continue;
    copy = g_memdup2 (data, size);
    copy[size / 2] ^= flip;
    net_send (from, to, copy, size);
    net_run (NET_DELAY);
    g_free (copy);
    break;
  }
  fail_unless (i > 0);
  g_ptr_array_unref (packets);
}

static void
inject (guint from, guint to, gboolean rtcp, guint8 flip)
{
  inject_taken (to, from, to, rtcp, flip);
}

GST_START_TEST (one_flipped_bit_is_discarded_before_it_is_parsed)
{
  guint back;

  start_call ("srtp-key=" KEY_30);
  back = ends_get_port (ends.sink);
  inject (ends.port, back, TRUE, 1);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "srtp-failures"), 1);
  inject (back, ends.port, FALSE, 1);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "srtp-failures"), 1);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (what_is_replayed_is_discarded)
{
  guint back;

  start_call ("srtp-key=" KEY_30);
  back = ends_get_port (ends.sink);
  inject (ends.port, back, TRUE, 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "srtp-failures"), 1);
  inject (back, ends.port, FALSE, 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "srtp-failures"), 1);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  ends_stop (&ends);
}

GST_END_TEST;

/* Each direction has a key of its own. */
GST_START_TEST (what_an_end_has_sent_is_not_authentic_when_it_comes_back)
{
  guint back;

  start_call ("srtp-key=" KEY_30);
  back = ends_get_port (ends.sink);
  inject_taken (back, back, ends.port, TRUE, 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "srtp-failures"), 1);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (two_keys_protect_one_direction_each)
{
  ends_start_receiver (&ends, "srtp-key=" KEY_30 " srtp-remote-key=" OTHER_30);
  ends_start_sender (&ends, "srtp-key=" OTHER_30 " srtp-remote-key=" KEY_30);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless (ends_get_stat (ends.sink, "reports") > 10);
  check_no_failure ();
  ends_stop (&ends);
}

GST_END_TEST;

static void
check_bytes (const guint8 * bytes, const gchar * hex)
{
  guint i;

  for (i = 0; hex[2 * i] != 0; i++)
    fail_unless_equals_int (bytes[i], g_ascii_xdigit_value (hex[2 * i]) << 4 |
        g_ascii_xdigit_value (hex[2 * i + 1]));
}

/* The expected bytes are of another implementation, openssl kdf -keylen 30 -kdfopt digest:SHA256
 * -kdfopt hexkey:KEY_30 -kdfopt "salt:gst-tfrc SRTP" -kdfopt "info:data sender to data receiver"
 * HKDF, and with the names exchanged. */
GST_START_TEST (one_key_is_split_by_hkdf)
{
  GstTfrcSrtpSettings settings;
  GstTfrcSrtpKeys sender, receiver;

  gst_tfrc_srtp_settings_init (&settings);
  settings.key = g_strdup (KEY_30);
  fail_unless (gst_tfrc_srtp_keys_read (&sender, &settings,
          GST_TFRC_SRTP_DATA_SENDER) == NULL);
  fail_unless (gst_tfrc_srtp_keys_read (&receiver, &settings,
          GST_TFRC_SRTP_DATA_RECEIVER) == NULL);
  check_bytes (sender.local,
      "e6d28edc1949122c089760181926ee" "35b80869d28eaaa022983a69bb0c70");
  check_bytes (sender.remote,
      "0101033e6a636092d26f7581755f17" "9c396da4ceb2181317312e1fa9c122");
  fail_unless (memcmp (sender.local, receiver.remote, 30) == 0);
  fail_unless (memcmp (sender.remote, receiver.local, 30) == 0);
  gst_tfrc_srtp_settings_clear (&settings);
}

GST_END_TEST;

/* Which end is which cannot be told: one key is not enough. */
GST_START_TEST (either_end_needs_two_keys)
{
  GstTfrcSrtpSettings settings;
  GstTfrcSrtpKeys keys;
  gchar *error;

  gst_tfrc_srtp_settings_init (&settings);
  settings.key = g_strdup (KEY_30);
  error = gst_tfrc_srtp_keys_read (&keys, &settings, GST_TFRC_SRTP_EITHER_END);
  fail_unless (strstr (error, "\"srtp-remote-key\" must be") != NULL);
  g_free (error);
  gst_tfrc_srtp_settings_clear (&settings);
}

GST_END_TEST;

GST_START_TEST (a_flood_of_ssrcs_does_not_stop_the_call)
{
  guint8 packet[40] = { 0x80, 96, };
  guint i;

  start_call ("srtp-key=" KEY_30);
  for (i = 0; i < 500; i++) {
    GST_WRITE_UINT32_BE (packet + 8, 0x10000 + i);
    net_send (ends_get_port (ends.sink), ends.port, packet, sizeof (packet));
    if (i % 100 == 99)
      fail_unless (ends_play (&ends, ENDS_FRAME) <= 2);
  }
  /* Four times what is remembered of SSRCs that are not authentic. */
  ends_play (&ends, GST_SECOND);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") >= 128);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (bye_is_encrypted_too)
{
  NetCounts before, after;

  start_call ("srtp-key=" KEY_30);
  before = net_get_counts (ends.port);
  ends_stop_sender (&ends);
  after = net_get_counts (ends.port);
  fail_unless_equals_int (after.rtcp, before.rtcp + 1);
  /* It was authentic: the next sender takes over without waiting for silence. */
  ends_play (&ends, NET_DELAY);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "srtp-failures"), 0);
  ends_start_sender (&ends, "srtp-key=" KEY_30);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-of-others"), 0);
  ends_stop (&ends);
}

GST_END_TEST;

/* Each pair of SSRC and packet index (RFC 3711 4.1, 4.1.1) of the packets to the port since the last
 * call is new. Without losses the rollover counter does not count: a stream of this test is shorter
 * than 65536 packets. */
static guint
check_pairs (GHashTable * seen, guint port)
{
  GPtrArray *packets = net_take (port);
  guint i, checked = 0;

  for (i = 0; i < packets->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);
    gboolean rtcp = rtcp_is (data, size);
    guint64 ssrc = GST_READ_UINT32_BE (data + (rtcp ? 4 : 8));
    guint64 index = rtcp ?
        (GST_READ_UINT32_BE (data + size - 14) & 0x7fffffff) :
        GST_READ_UINT16_BE (data + 2);
    gint64 *pair = g_new (gint64, 1);

    *pair = ssrc << 32 | (guint64) rtcp << 31 | index;
    fail_unless (g_hash_table_add (seen, pair), "%s of SSRC %08x, index %u",
        rtcp ? "RTCP" : "RTP", (guint) ssrc, (guint) index);
    checked++;
  }
  g_ptr_array_unref (packets);
  return checked;
}

/* A payloader has the same SSRC in each of four calls, and begins with the same sequence number. The
 * sender goes to READY or to NULL in between. */
GST_START_TEST (no_key_stream_is_used_twice)
{
  GHashTable *seen = g_hash_table_new_full (g_int64_hash, g_int64_equal,
      g_free, NULL);
  const GstState between = __i__ == 0 ? GST_STATE_READY : GST_STATE_NULL;
  GstElement *pipeline;
  GstClock *clock = gst_system_clock_obtain ();
  guint i;

  ends_start_receiver (&ends, "port=5000 srtp-key=" KEY_30);
  pipeline = gst_parse_launch ("audiotestsrc is-live=true "
      "samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! opusenc ! "
      "rtpopuspay ssrc=1234 seqnum-offset=7 ! tfrcsink name=sink port=5000 "
      "bind-port=5002 srtp-key=" KEY_30, NULL);
  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_object_unref (clock);
  for (i = 0; i < 4; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    net_run (2 * GST_SECOND);
    gst_element_set_state (pipeline, between);
    fail_unless (check_pairs (seen, 5000) >= 40);
    fail_unless (check_pairs (seen, 5002) >= 3);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  g_hash_table_unref (seen);
  fail_unless (ends.played > 100);
  ends_stop (&ends);
}

GST_END_TEST;

/* A recording of what was sent takes nobody's place, from wherever it comes. */
GST_START_TEST (a_recording_of_the_call_takes_no_place)
{
  GPtrArray *packets;
  guint stranger, i;

  start_call ("srtp-key=" KEY_30);
  packets = net_take (ends.port);
  stranger = net_open (0);
  gst_element_set_state (ends.sender, GST_STATE_PAUSED);
  ends_play (&ends, GST_SECOND);
  for (i = 0; i < packets->len; i++) {
    gsize size;
    gconstpointer data = g_bytes_get_data (packets->pdata[i], &size);

    net_send (stranger, ends.port, data, size);
  }
  net_run (NET_DELAY);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") >= packets->len);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 0);
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  g_ptr_array_unref (packets);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (the_key_cannot_be_read)
{
  GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (sink),
      "srtp-key");
  gchar *uri;

  fail_unless (spec->flags & G_PARAM_WRITABLE);
  fail_if (spec->flags & G_PARAM_READABLE);
  g_object_set (sink, "srtp-key", KEY_30, NULL);
  g_object_get (sink, "uri", &uri, NULL);
  fail_unless (strstr (uri, KEY_30) == NULL);
  g_free (uri);
  gst_object_unref (sink);
}

GST_END_TEST;

static Suite *
srtp_suite (void)
{
  Suite *suite = suite_create ("srtp");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, set_up, net_stop);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, a_call_plays_with_each_cipher, 0,
      G_N_ELEMENTS (kinds));
  tcase_add_test (tcase, rtp_and_rtcp_are_encrypted_and_tagged);
  tcase_add_test (tcase, the_wrong_key_is_a_warning_that_names_the_remedy);
  tcase_add_loop_test (tcase, a_key_of_one_other_digit_is_the_wrong_one, 0, 6);
  tcase_add_test (tcase, a_key_may_be_of_large_letters);
  tcase_add_test (tcase, plain_rtp_does_not_get_past_a_key);
  tcase_add_test (tcase,
      a_key_of_the_wrong_length_is_an_error_that_says_which_is_right);
  tcase_add_test (tcase, one_flipped_bit_is_discarded_before_it_is_parsed);
  tcase_add_test (tcase, what_is_replayed_is_discarded);
  tcase_add_test (tcase,
      what_an_end_has_sent_is_not_authentic_when_it_comes_back);
  tcase_add_test (tcase, two_keys_protect_one_direction_each);
  tcase_add_test (tcase, one_key_is_split_by_hkdf);
  tcase_add_test (tcase, either_end_needs_two_keys);
  tcase_add_test (tcase, a_flood_of_ssrcs_does_not_stop_the_call);
  tcase_add_test (tcase, bye_is_encrypted_too);
  tcase_add_loop_test (tcase, no_key_stream_is_used_twice, 0, 2);
  tcase_add_test (tcase, a_recording_of_the_call_takes_no_place);
  tcase_add_test (tcase, the_key_cannot_be_read);
  return suite;
}

GST_CHECK_MAIN (srtp);
