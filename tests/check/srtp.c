/* gst-tfrc tests: calls with a key, and with the wrong one
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "call.h"

#define IPV4 G_SOCKET_FAMILY_IPV4
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

/* A packet that is being decrypted counts until it has come out; a failure stays. */
static void
check_no_failure (GstElement * bin)
{
  gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC;
  guint64 failures;

  while ((failures = call_get_stat (bin, "srtp-failures")) > 0
      && g_get_monotonic_time () < end)
    g_usleep (1000);
  fail_unless_equals_uint64 (failures, 0);
}

GST_START_TEST (a_call_plays_with_each_cipher)
{
  Call call = { NULL, };
  RelayCounts back = { 0, };

  call_start_receiver (&call, kinds[__i__].args, TRUE, IPV4);
  call_start_sender (&call, kinds[__i__].args, NULL);
  call_play (&call, 50);
  while (back.rtcp == 0) {
    g_usleep (5000);
    relay_get_counts (call.relay, RELAY_BACK, &back);
  }
  g_usleep (50000);
  check_no_failure (call.src);
  check_no_failure (call.sink);
  call_end (&call);
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
  Call call = { NULL, };
  GPtrArray *forth, *back;
  guint i, rtp = 0, rtcp = 0;
  static const gchar cname[] = "alice@wonderland";

  call_start_receiver (&call, "srtp-key=" KEY_30
      " sdes=\"application/x-rtp-source-sdes,cname=\\\"alice@wonderland\\\"\"",
      TRUE, IPV4);
  call_start_sender (&call, "srtp-key=" KEY_30, NULL);
  call_wait_stat (call.sink, "packets-malformed", 0);
  call_play (&call, 100);
  forth = relay_take_packets (call.relay, RELAY_FORTH);
  back = relay_take_packets (call.relay, RELAY_BACK);
  for (i = 0; i < back->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (back->pdata[i], &size);
    guint index;

    fail_unless (relay_is_rtcp (data, size));
    fail_if (contains (data, size, cname));
    /* SRTCP: E bit and index, then ten bytes of tag. */
    fail_unless (size >= 8 + 4 + 10);
    index = GST_READ_UINT32_BE (data + size - 14);
    fail_unless (index & 0x80000000);
    rtcp++;
  }
  for (i = 0; i < forth->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (forth->pdata[i], &size);

    rtp += !relay_is_rtcp (data, size);
  }
  fail_unless (rtcp >= 1);
  fail_unless (rtp >= 100);
  g_ptr_array_unref (forth);
  g_ptr_array_unref (back);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (the_wrong_key_is_a_warning_that_names_the_remedy)
{
  Call call = { NULL, };
  GstMessage *message;
  GError *error = NULL;

  call_start_receiver (&call, "srtp-key=" KEY_30, FALSE, IPV4);
  call_start_sender (&call, "srtp-key=" OTHER_30, NULL);
  message = call_wait_message (call.receiver, GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NOT_AUTHORIZED));
  fail_unless (strstr (error->message, "srtp-key") != NULL);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (call.src));
  g_error_free (error);
  gst_message_unref (message);
  fail_unless_equals_int (call.played, 0);
  fail_unless (call_get_stat (call.src, "srtp-failures") >= 5);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (plain_rtp_does_not_get_past_a_key)
{
  Call call = { NULL, };

  call_start_receiver (&call, "srtp-key=" KEY_30, FALSE, IPV4);
  call_start_sender (&call, "", NULL);
  call_wait_stat (call.src, "srtp-failures", 5);
  fail_unless_equals_int (call.played, 0);
  call_end (&call);
}

GST_END_TEST;

/* The first packet of a way that is RTCP or not, with one bit flipped. */
static void
inject_flipped (Call * call, RelayWay way, gboolean rtcp)
{
  GPtrArray *packets = relay_take_packets (call->relay, way);
  guint i;

  for (i = 0; i < packets->len; i++) {
    gsize size;
    gconstpointer data = g_bytes_get_data (packets->pdata[i], &size);
    guint8 *copy;

    if (relay_is_rtcp (data, size) != rtcp)
      continue;
    copy = g_memdup2 (data, size);
    copy[size / 2] ^= 1;
    relay_inject (call->relay, way, copy, size);
    g_free (copy);
    break;
  }
  fail_unless (i < packets->len);
  g_ptr_array_unref (packets);
}

GST_START_TEST (one_flipped_bit_is_discarded_before_it_is_parsed)
{
  Call call = { NULL, };
  RelayCounts back = { 0, };

  call_start_receiver (&call, "srtp-key=" KEY_30, TRUE, IPV4);
  call_start_sender (&call, "srtp-key=" KEY_30, NULL);
  while (back.rtcp == 0) {
    g_usleep (5000);
    relay_get_counts (call.relay, RELAY_BACK, &back);
  }
  call_play (&call, 25);
  check_no_failure (call.sink);
  inject_flipped (&call, RELAY_BACK, TRUE);
  call_wait_stat (call.sink, "srtp-failures", 1);
  check_no_failure (call.src);
  inject_flipped (&call, RELAY_FORTH, FALSE);
  call_wait_stat (call.src, "srtp-failures", 1);
  call_play (&call, 25);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_replayed_report_is_discarded)
{
  Call call = { NULL, };
  RelayCounts back = { 0, };
  GPtrArray *packets;
  gsize size;
  gconstpointer data;

  call_start_receiver (&call, "srtp-key=" KEY_30, TRUE, IPV4);
  call_start_sender (&call, "srtp-key=" KEY_30, NULL);
  while (back.rtcp == 0) {
    g_usleep (5000);
    relay_get_counts (call.relay, RELAY_BACK, &back);
  }
  packets = relay_take_packets (call.relay, RELAY_BACK);
  data = g_bytes_get_data (packets->pdata[0], &size);
  relay_inject (call.relay, RELAY_BACK, data, size);
  call_wait_stat (call.sink, "srtp-failures", 1);
  g_ptr_array_unref (packets);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (a_flood_of_ssrcs_does_not_stop_the_call)
{
  Call call = { NULL, };
  guint8 packet[40] = { 0x80, 96, };
  guint i;

  call_start_receiver (&call, "srtp-key=" KEY_30, TRUE, IPV4);
  call_start_sender (&call, "srtp-key=" KEY_30, NULL);
  call_play (&call, 25);
  for (i = 0; i < 500; i++) {
    GST_WRITE_UINT32_BE (packet + 8, g_random_int ());
    relay_inject (call.relay, RELAY_FORTH, packet, sizeof (packet));
    if (i % 10 == 0)
      g_usleep (5000);
  }
  /* Four times what is remembered of SSRCs that are not authentic. */
  call_wait_stat (call.src, "srtp-failures", 128);
  call_play (&call, 50);
  call_end (&call);
}

GST_END_TEST;

GST_START_TEST (bye_is_encrypted_too)
{
  Call call = { NULL, };
  GPtrArray *packets;
  RelayCounts forth = { 0, };
  guint before, i;

  call_start_receiver (&call, "srtp-key=" KEY_30, TRUE, IPV4);
  call_start_sender (&call, "srtp-key=" KEY_30, NULL);
  while (forth.rtcp == 0) {
    g_usleep (5000);
    relay_get_counts (call.relay, RELAY_FORTH, &forth);
  }
  call_play (&call, 25);
  gst_element_set_state (call.sender, GST_STATE_PAUSED);
  g_usleep (50000);
  packets = relay_take_packets (call.relay, RELAY_FORTH);
  relay_get_counts (call.relay, RELAY_FORTH, &forth);
  before = forth.rtcp;
  g_ptr_array_unref (packets);
  call_stop_sender (&call);
  for (i = 0; i < 400 && forth.rtcp == before; i++) {
    g_usleep (50000);
    relay_get_counts (call.relay, RELAY_FORTH, &forth);
  }
  g_usleep (50000);
  relay_get_counts (call.relay, RELAY_FORTH, &forth);
  fail_unless_equals_int (forth.rtcp, before + 1);
  /* It was authentic: the next sender takes over without waiting for silence. */
  check_no_failure (call.src);
  call_start_sender (&call, "srtp-key=" KEY_30, NULL);
  call_play (&call, 25);
  call_end (&call);
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

  tcase_set_timeout (tcase, 60);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, a_call_plays_with_each_cipher, 0,
      G_N_ELEMENTS (kinds));
  tcase_add_test (tcase, rtp_and_rtcp_are_encrypted_and_tagged);
  tcase_add_test (tcase, the_wrong_key_is_a_warning_that_names_the_remedy);
  tcase_add_test (tcase, plain_rtp_does_not_get_past_a_key);
  tcase_add_test (tcase, one_flipped_bit_is_discarded_before_it_is_parsed);
  tcase_add_test (tcase, a_replayed_report_is_discarded);
  tcase_add_test (tcase, a_flood_of_ssrcs_does_not_stop_the_call);
  tcase_add_test (tcase, bye_is_encrypted_too);
  tcase_add_test (tcase, the_key_cannot_be_read);
  return suite;
}

GST_CHECK_MAIN (srtp);
