/* gst-tfrc tests: SRTP of tfrcbin over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "binend.h"

#include <string.h>

#define KEY_A "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEY_B "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEYS(local, remote) "srtp-key=" local " srtp-remote-key=" remote " "
#define L16 "application/x-rtp,media=audio,encoding-name=L16," \
    "clock-rate=44100,channels=1,payload=96"
#define L16_SOURCE "audiotestsrc is-live=true samplesperbuffer=441 ! " \
    "audio/x-raw,rate=44100,channels=1 ! audioconvert ! rtpL16pay ssrc=1 " \
    "seqnum-offset=100 timestamp-offset=0 ! "

GST_START_TEST (test_a_call_with_keys_goes_both_ways)
{
  BinEnd ends[2];
  guint i;

  bin_end_start (&ends[0], "tfrcbin name=call port=27320 peer=127.0.0.1:27322 "
      "mode=tfrc-sp " KEYS (KEY_A, KEY_B) SOURCE
      "call.send_sink_0 call.recv_src_0 ! " SINK, 440);
  bin_end_start (&ends[1], "tfrcbin name=call port=27322 peer=127.0.0.1:27320 "
      "mode=tfrc-sp " KEYS (KEY_B, KEY_A) SOURCE
      "call.send_sink_0 call.recv_src_0 ! " SINK, 660);
  for (i = 0; i < 2; i++) {
    GstStructure *stats;
    guint64 failures;

    bin_end_wait_played (&ends[i], 100);
    stats = bin_end_get_peer_stats (&ends[i], 0);
    fail_unless (gst_structure_get_uint64 (stats, "srtp-failures", &failures));
    fail_unless_equals_uint64 (failures, 0);
    gst_structure_free (stats);
  }
  bin_end_stop (&ends[0]);
  bin_end_wait_state (&ends[1], 0, "gone");
  bin_end_stop (&ends[1]);
}

GST_END_TEST;

/* Takes all datagrams that have arrived; each has an SSRC and index that none had before. */
static guint
take_encrypted (GSocket * phone, GHashTable * seen)
{
  guint8 data[2000];
  guint n = 0;
  gssize size;

  while ((size = g_socket_receive (phone, (gchar *) data, sizeof data, NULL,
              NULL)) > 0) {
    gboolean rtcp = data[1] >= 192 && data[1] <= 223;
    gchar *pair = g_strdup_printf ("%d %08x %u", rtcp,
        GST_READ_UINT32_BE (data + (rtcp ? 4 : 8)), rtcp ?
        GST_READ_UINT32_BE (data + size - 14) : GST_READ_UINT16_BE (data + 2));

    fail_unless (g_hash_table_add (seen, pair), "twice: %s", pair);
    n += !rtcp;
  }
  return n;
}

/* The payloader sends the same SSRC and sequence numbers each time. */
GST_START_TEST (test_no_key_stream_is_used_twice_after_ready_and_null)
{
  static const GstState states[] = { GST_STATE_READY, GST_STATE_NULL,
    GST_STATE_READY, GST_STATE_NULL
  };
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  GSocket *phone = phone_open (27325);
  BinEnd end;
  guint i;

  bin_end_start (&end, "tfrcbin name=call port=27324 peer=127.0.0.1:27325 "
      KEYS (KEY_A, KEY_B) L16_SOURCE "call.send_sink_0");
  for (i = 0; i < G_N_ELEMENTS (states); i++) {
    gint64 until = g_get_monotonic_time () + PATIENCE / 1000;
    guint n = 0;

    while (n < 3) {
      fail_unless (g_get_monotonic_time () < until);
      n += take_encrypted (phone, seen);
      g_usleep (10000);
    }
    gst_element_set_state (end.pipeline, states[i]);
    take_encrypted (phone, seen);
    gst_element_set_state (end.pipeline, GST_STATE_PLAYING);
  }
  bin_end_stop (&end);
  take_encrypted (phone, seen);
  g_hash_table_unref (seen);
  g_object_unref (phone);
}

GST_END_TEST;

static GstCaps *
on_request_key (GstElement * srtpdec, guint ssrc)
{
  return gst_caps_from_string ("application/x-srtp,srtp-key=(buffer)" KEY_A
      ",srtp-cipher=aes-128-icm,srtp-auth=hmac-sha1-80,"
      "srtcp-cipher=aes-128-icm,srtcp-auth=hmac-sha1-80");
}

GST_START_TEST (test_srtpenc_and_srtpdec_are_understood)
{
  BinEnd end, sender, receiver;
  BinServer server = { 0 };

  bin_end_start (&receiver, "udpsrc port=27327 address=127.0.0.1 "
      "caps=application/x-srtp ! srtpdec name=call call.rtp_src ! "
      "fakesink name=played signal-handoffs=true async=false "
      "call.rtcp_src ! fakesink async=false");
  g_signal_connect (receiver.call, "request-key", G_CALLBACK (on_request_key),
      NULL);
  g_signal_connect (gst_bin_get_by_name (GST_BIN (receiver.pipeline),
          "played"), "handoff", G_CALLBACK (bin_server_on_buffer), &server);
  bin_end_start (&end, "tfrcbin name=call port=27326 peer=127.0.0.1:27327 "
      KEYS (KEY_A, KEY_B) "caps=\"" L16 "\" " L16_SOURCE
      "call.send_sink_0 call.recv_src_0 ! rtpL16depay ! audioconvert ! "
      "audio/x-raw,format=S16LE ! fakesink name=played signal-handoffs=true");
  wait_count (&server.buffers, 3);
  bin_end_stop (&receiver);
  bin_end_start (&sender, L16_SOURCE "srtpenc key=\"" KEY_B "\" ! "
      "udpsink host=127.0.0.1 port=27326 bind-address=127.0.0.1 "
      "bind-port=27327");
  bin_end_wait_played (&end, 50);
  bin_end_stop (&sender);
  bin_end_stop (&end);
}

GST_END_TEST;

static void
expect_warning (BinEnd * end, const gchar * text)
{
  GstBus *bus = gst_element_get_bus (end->pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_WARNING);
  GError *error = NULL;

  fail_unless (message != NULL, "no warning: %s", text);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, text) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_object_unref (bus);
}

GST_START_TEST (test_peers_have_keys_of_their_own)
{
  BinEnd end, plain, encrypted;
  BinServer server;

  bin_server_start (&end, &server, "accept=none mode=tfrc-sp");
  fail_unless (bin_end_add_peer (&end, 27330) > 0);
  fail_unless (bin_end_add_peer_with (&end, 27332,
          "options,srtp-key=(string)" KEY_A ",srtp-remote-key=(string)" KEY_B
          ",srtp-cipher=aes-128-icm") > 0);
  bin_end_start (&plain,
      "tfrcbin name=call port=27330 peer=127.0.0.1:%u " "mode=tfrc-sp " SOURCE
      "call.send_sink_0", bin_end_get_port (&end), 440);
  bin_end_start (&encrypted,
      "tfrcbin name=call port=27332 peer=127.0.0.1:%u " "mode=tfrc-sp "
      KEYS (KEY_B, KEY_A) SOURCE "call.send_sink_0", bin_end_get_port (&end),
      440);
  bin_end_wait_state (&plain, 0, "connected");
  bin_end_wait_state (&encrypted, 0, "connected");
  wait_count (&server.linked, 2);
  bin_end_stop (&plain);
  bin_end_stop (&encrypted);
  bin_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_options_that_cannot_be_used_are_a_warning)
{
  static const gchar *const wrong[][2] = {
    {"options,volume=1", "no option \"volume\", but label, mode, mtu"},
    {"options,label=(int)1", "value of \"label\" is no string"},
    {"options,srtp-cipher=rot13", "value of \"srtp-cipher\""},
    {"options,srtp-key=(string)" KEY_A, "\"srtp-remote-key\" must be"},
    {"options,srtp-key=(string)00,srtp-remote-key=(string)" KEY_A,
        "60 hexadecimal digits"},
  };
  BinEnd end;
  BinServer server;
  guint i;

  bin_server_start (&end, &server, "accept=none");
  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    fail_unless_equals_int (bin_end_add_peer_with (&end, 27334, wrong[i][0]),
        0);
    expect_warning (&end, wrong[i][1]);
  }
  bin_end_stop (&end);
}

GST_END_TEST;

static void
expect_error (const gchar * line, const gchar * text)
{
  GstElement *call = gst_parse_launch (line, NULL);
  GstElement *pipeline = gst_pipeline_new (NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error = NULL;

  gst_bin_add (GST_BIN (pipeline), call);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_PLAYING),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, text) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_keys_that_cannot_be_used_are_an_error)
{
  expect_error ("tfrcbin port=0 srtp-key=" KEY_A,
      "\"srtp-remote-key\" must be");
  expect_error ("tfrcbin port=0 " KEYS (KEY_A, KEY_A), "a key of its own");
  expect_error ("tfrcbin port=0 accept=any " KEYS (KEY_A, KEY_B), "accept=any");
}

GST_END_TEST;

static Suite *
tfrcbinkeys_suite (void)
{
  Suite *s = suite_create ("tfrcbinkeys");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_a_call_with_keys_goes_both_ways);
  tcase_add_test (tc, test_no_key_stream_is_used_twice_after_ready_and_null);
  tcase_add_test (tc, test_srtpenc_and_srtpdec_are_understood);
  tcase_add_test (tc, test_peers_have_keys_of_their_own);
  tcase_add_test (tc, test_options_that_cannot_be_used_are_a_warning);
  tcase_add_test (tc, test_keys_that_cannot_be_used_are_an_error);
  return s;
}

GST_CHECK_MAIN (tfrcbinkeys);
