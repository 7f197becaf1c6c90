/* gst-tfrc tests: SRTP of one direction, against GStreamer's elements and against strangers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>

#include "heap.h"
#include "transport/srtpsession.h"

#define PAYLOAD 160             /* bytes */
#define RTP_SIZE (12 + PAYLOAD)
#define RTCP_SIZE 28            /* SR */

#define HEX_16 "000102030405060708090a0b0c0d0e0f"
#define HEX_14 "f0f1f2f3f4f5f6f7f8f9fafbfcfd"
#define HEX_12 "f0f1f2f3f4f5f6f7f8f9fafb"
#define LOCAL_16 "100102030405060708090a0b0c0d0e0f"

static const struct
{
  const gchar *local, *remote;
  GstTfrcSrtpCipher cipher;
  GstTfrcSrtpAuth auth;
  const gchar *rtp_auth, *rtcp_auth;
} kinds[] = {
  {LOCAL_16 HEX_14, HEX_16 HEX_14, GST_TFRC_SRTP_AES_128_ICM,
      GST_TFRC_SRTP_HMAC_SHA1_80, "hmac-sha1-80", "hmac-sha1-80"},
  {LOCAL_16 HEX_14, HEX_16 HEX_14, GST_TFRC_SRTP_AES_128_ICM,
      GST_TFRC_SRTP_HMAC_SHA1_32, "hmac-sha1-32", "hmac-sha1-80"},
  {LOCAL_16 HEX_16 HEX_14, HEX_16 HEX_16 HEX_14, GST_TFRC_SRTP_AES_256_ICM,
      GST_TFRC_SRTP_HMAC_SHA1_80, "hmac-sha1-80", "hmac-sha1-80"},
  {LOCAL_16 HEX_16 HEX_14, HEX_16 HEX_16 HEX_14, GST_TFRC_SRTP_AES_256_ICM,
      GST_TFRC_SRTP_HMAC_SHA1_32, "hmac-sha1-32", "hmac-sha1-80"},
  {LOCAL_16 HEX_12, HEX_16 HEX_12, GST_TFRC_SRTP_AES_128_GCM,
      GST_TFRC_SRTP_HMAC_SHA1_80, "null", "null"},
  {LOCAL_16 HEX_16 HEX_12, HEX_16 HEX_16 HEX_12, GST_TFRC_SRTP_AES_256_GCM,
      GST_TFRC_SRTP_HMAC_SHA1_80, "null", "null"},
};

static GstTfrcSrtpKeys keys;
static GstTfrcSrtpSession *outbound, *inbound;

/* Inbound has the key that outbound has: both are of one direction. */
static void
begin (guint kind)
{
  GstTfrcSrtpSettings settings = { (gchar *) kinds[kind].local,
    (gchar *) kinds[kind].remote, kinds[kind].cipher, kinds[kind].auth
  };
  GstTfrcSrtpKeys other_end;

  fail_unless (gst_tfrc_srtp_keys_read (&keys, &settings,
          GST_TFRC_SRTP_EITHER_END) == NULL);
  other_end = keys;
  memcpy (other_end.remote, keys.local, sizeof keys.local);
  outbound = gst_tfrc_srtp_session_new (&keys, TRUE);
  inbound = gst_tfrc_srtp_session_new (&other_end, FALSE);
}

static void
end (void)
{
  gst_tfrc_srtp_session_free (outbound);
  gst_tfrc_srtp_session_free (inbound);
}

static void
make_rtp (guint8 * data, guint16 seq, guint32 ssrc)
{
  memset (data, 0x55, RTP_SIZE + GST_TFRC_SRTP_GROWTH);
  data[0] = 0x80;
  data[1] = 96;
  GST_WRITE_UINT16_BE (data + 2, seq);
  GST_WRITE_UINT32_BE (data + 4, seq * 960);
  GST_WRITE_UINT32_BE (data + 8, ssrc);
}

static void
make_rtcp (guint8 * data, guint32 ssrc)
{
  memset (data, 0, RTCP_SIZE + GST_TFRC_SRTP_GROWTH);
  data[0] = 0x80;
  data[1] = 200;
  data[3] = RTCP_SIZE / 4 - 1;
  GST_WRITE_UINT32_BE (data + 4, ssrc);
}

static gsize
protect (guint8 * data, guint16 seq, guint32 ssrc)
{
  gsize size = RTP_SIZE;

  make_rtp (data, seq, ssrc);
  fail_unless (gst_tfrc_srtp_session_protect (outbound, data, &size, FALSE));
  return size;
}

static gboolean
passes (const guint8 * data, gsize size)
{
  guint8 copy[RTP_SIZE + GST_TFRC_SRTP_GROWTH];

  memcpy (copy, data, size);
  return gst_tfrc_srtp_session_unprotect (inbound, copy, &size, FALSE);
}

/* --- GStreamer's elements --- */

static GstBuffer *
new_key (const guint8 * key)
{
  return gst_buffer_new_memdup (key, keys.size);
}

static GstHarness *
new_encoder (guint kind, const gchar * sink, const gchar * src,
    const gchar * caps)
{
  GstElement *enc = gst_element_factory_make ("srtpenc", NULL);
  GstBuffer *key = new_key (keys.remote);
  const gchar *cipher = gst_tfrc_srtp_cipher_get_name (kinds[kind].cipher);
  GstHarness *harness;

  g_object_set (enc, "key", key, NULL);
  gst_util_set_object_arg (G_OBJECT (enc), "rtp-cipher", cipher);
  gst_util_set_object_arg (G_OBJECT (enc), "rtcp-cipher", cipher);
  gst_util_set_object_arg (G_OBJECT (enc), "rtp-auth", kinds[kind].rtp_auth);
  gst_util_set_object_arg (G_OBJECT (enc), "rtcp-auth", kinds[kind].rtcp_auth);
  harness = gst_harness_new_with_element (enc, sink, src);
  gst_harness_set_src_caps_str (harness, caps);
  gst_buffer_unref (key);
  gst_object_unref (enc);
  return harness;
}

static GstHarness *
new_decoder (guint kind, const gchar * sink, const gchar * src,
    const gchar * media)
{
  GstHarness *harness = gst_harness_new_with_padnames ("srtpdec", sink, src);
  GstBuffer *key = new_key (keys.local);
  const gchar *cipher = gst_tfrc_srtp_cipher_get_name (kinds[kind].cipher);

  gst_harness_set_src_caps (harness, gst_caps_new_simple (media,
          "srtp-key", GST_TYPE_BUFFER, key, "ssrc", G_TYPE_UINT, 7,
          "srtp-cipher", G_TYPE_STRING, cipher,
          "srtcp-cipher", G_TYPE_STRING, cipher,
          "srtp-auth", G_TYPE_STRING, kinds[kind].rtp_auth,
          "srtcp-auth", G_TYPE_STRING, kinds[kind].rtcp_auth, NULL));
  gst_buffer_unref (key);
  return harness;
}

/* What srtpenc has made of a packet is what `inbound` makes the packet of again. */
static void
check_from_srtpenc (GstHarness * harness, GstTfrcSrtpSession * session,
    const guint8 * plain, gsize size, gboolean rtcp)
{
  GstBuffer *encrypted = gst_harness_push_and_pull (harness,
      gst_buffer_new_memdup (plain, size));
  GstMapInfo map;
  gsize left;

  gst_buffer_map (encrypted, &map, GST_MAP_READWRITE);
  left = map.size;
  fail_unless (left > size);
  fail_unless (gst_tfrc_srtp_session_unprotect (session, map.data, &left,
          rtcp));
  fail_unless_equals_int (left, size);
  fail_unless (memcmp (map.data, plain, size) == 0);
  gst_buffer_unmap (encrypted, &map);
  gst_buffer_unref (encrypted);
}

GST_START_TEST (what_srtpenc_encrypts_is_decrypted)
{
  guint8 packet[RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  GstTfrcSrtpSession *session;
  GstHarness *rtp, *rtcp;
  guint i;

  begin (__i__);
  session = gst_tfrc_srtp_session_new (&keys, FALSE);
  rtp = new_encoder (__i__, "rtp_sink_0", "rtp_src_0",
      "application/x-rtp,media=audio,payload=96,clock-rate=48000,"
      "encoding-name=OPUS");
  rtcp = new_encoder (__i__, "rtcp_sink_0", "rtcp_src_0", "application/x-rtcp");
  for (i = 0; i < 100; i++) {
    make_rtp (packet, 65500 + i, 7);
    check_from_srtpenc (rtp, session, packet, RTP_SIZE, FALSE);
    make_rtcp (packet, 7);
    check_from_srtpenc (rtcp, session, packet, RTCP_SIZE, TRUE);
  }
  gst_harness_teardown (rtp);
  gst_harness_teardown (rtcp);
  gst_tfrc_srtp_session_free (session);
  end ();
}

GST_END_TEST;

static void
check_to_srtpdec (GstHarness * harness, guint8 * packet, gsize size,
    gboolean rtcp)
{
  guint8 *plain = g_memdup2 (packet, size);
  gsize grown = size;
  GstBuffer *decrypted;

  fail_unless (gst_tfrc_srtp_session_protect (outbound, packet, &grown, rtcp));
  fail_unless (grown > size);
  fail_unless (grown <= size + GST_TFRC_SRTP_GROWTH);
  decrypted = gst_harness_push_and_pull (harness,
      gst_buffer_new_memdup (packet, grown));
  fail_unless_equals_int (gst_buffer_get_size (decrypted), size);
  fail_unless (gst_buffer_memcmp (decrypted, 0, plain, size) == 0);
  gst_buffer_unref (decrypted);
  g_free (plain);
}

GST_START_TEST (what_is_encrypted_is_decrypted_by_srtpdec)
{
  guint8 packet[RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  GstHarness *rtp, *rtcp;
  guint i;

  /* its plugin initializes libsrtp before us */
  gst_object_unref (gst_element_factory_make ("srtpdec", NULL));
  begin (__i__);
  rtp = new_decoder (__i__, "rtp_sink", "rtp_src", "application/x-srtp");
  rtcp = new_decoder (__i__, "rtcp_sink", "rtcp_src", "application/x-srtcp");
  for (i = 0; i < 100; i++) {
    make_rtp (packet, 65500 + i, 7);
    check_to_srtpdec (rtp, packet, RTP_SIZE, FALSE);
    make_rtcp (packet, 7);
    check_to_srtpdec (rtcp, packet, RTCP_SIZE, TRUE);
  }
  gst_harness_teardown (rtp);
  gst_harness_teardown (rtcp);
  end ();
}

GST_END_TEST;

/* --- memory --- */

#define SESSIONS 20

/* AES in counter mode and HMAC-SHA1 are those of nettle, since those of NSS take 7 kB each. */
GST_START_TEST (a_context_is_small)
{
  guint8 packet[RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  GstTfrcSrtpSession *sessions[SESSIONS];
  gsize before, used;
  guint i;

  begin (__i__);
  before = heap_get_used ();
  for (i = 0; i < SESSIONS; i++) {
    gsize size = RTP_SIZE;

    sessions[i] = gst_tfrc_srtp_session_new (&keys, TRUE);
    make_rtp (packet, 1, 7);
    fail_unless (gst_tfrc_srtp_session_protect (sessions[i], packet, &size,
            FALSE));
  }
  used = (heap_get_used () - before) / SESSIONS;
  fail_unless (used < 6000, "%" G_GSIZE_FORMAT " bytes", used);
  for (i = 0; i < SESSIONS; i++)
    gst_tfrc_srtp_session_free (sessions[i]);
  end ();
}

GST_END_TEST;

/* --- SSRCs --- */

#define STRANGERS 1000000

GST_START_TEST (strange_ssrcs_leave_no_memory_behind)
{
  guint8 packet[RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  gsize size, before = 0, after;
  guint i;

  begin (0);
  size = protect (packet, 1, 7);
  fail_unless (passes (packet, size));
  for (i = 0; i < STRANGERS; i++) {
    if (i == 1000)
      before = heap_get_used ();
    GST_WRITE_UINT32_BE (packet + 8, 1000 + i);
    /* mostly short ones, for time */
    fail_if (passes (packet, i % 16 == 0 ? size : 24));
  }
  after = heap_get_used ();
  fail_unless (after < before + 10000, "%" G_GSIZE_FORMAT " bytes more",
      after - before);
  size = protect (packet, 2, 7);
  fail_unless (passes (packet, size));
  end ();
}

GST_END_TEST;

/* Senders with the key come one after the other, and each is replayed when it has gone. */
GST_START_TEST (old_ssrcs_are_forgotten_and_refused)
{
  GPtrArray *first = g_ptr_array_new_with_free_func ((GDestroyNotify)
      g_bytes_unref);
  guint8 packet[RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  gsize size, memory = 0;
  guint i, j;

  begin (0);
  for (i = 0; i < 200; i++) {
    if (i == 64)
      memory = heap_get_used ();
    for (j = 0; j < 3; j++) {
      size = protect (packet, j, 100 + i);
      fail_unless (passes (packet, size), "sender %u, packet %u", i, j);
      if (j == 0)
        g_ptr_array_add (first, g_bytes_new (packet, size));
    }
    /* the sender before this one still speaks */
    if (i > 0) {
      size = protect (packet, 100, 99 + i);
      fail_unless (passes (packet, size));
    }
  }
  /* one session of a generation of 16, and the packets that the test keeps */
  fail_unless (heap_get_used () < memory + 120000);
  for (i = 0; i < 200; i++)
    fail_if (passes (g_bytes_get_data (first->pdata[i], NULL),
            g_bytes_get_size (first->pdata[i])), "replayed %u", i);
  g_ptr_array_unref (first);
  end ();
}

GST_END_TEST;

GST_START_TEST (after_4096_senders_no_more_are_taken)
{
  guint8 packet[RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  guint i, taken = 0;

  begin (0);
  for (i = 0; i < 5000; i++) {
    gsize size = RTP_SIZE;

    make_rtp (packet, 0, 100 + i);
    if (!gst_tfrc_srtp_session_protect (outbound, packet, &size, FALSE))
      break;
    taken += passes (packet, size);
  }
  fail_unless (i >= 4096);
  fail_unless (i <= 4096 + 2 * 16);
  fail_unless_equals_int (taken, i);
  end ();
}

GST_END_TEST;

GST_START_TEST (no_ssrc_is_drawn_twice)
{
  GHashTable *seen = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < 200000; i++)
    fail_unless (g_hash_table_add (seen,
            GUINT_TO_POINTER (gst_tfrc_srtp_draw_ssrc ())));
  fail_if (g_hash_table_contains (seen, GUINT_TO_POINTER (0)));
  g_hash_table_unref (seen);
}

GST_END_TEST;

/* --- packets --- */

GST_START_TEST (packets_may_come_late_but_not_twice)
{
  guint8 packets[1200][RTP_SIZE + GST_TFRC_SRTP_GROWTH];
  gsize size = 0;
  guint i;

  begin (0);
  for (i = 0; i < 1200; i++)
    size = protect (packets[i], i, 7);
  fail_unless (passes (packets[0], size));
  fail_unless (passes (packets[1100], size));
  for (i = 100; i < 1100; i++) {
    fail_unless (passes (packets[i], size), "%u", i);
    fail_if (passes (packets[i], size), "%u", i);
  }
  fail_if (passes (packets[1], size));
  end ();
}

GST_END_TEST;

GST_START_TEST (garbage_of_any_length_is_refused)
{
  guint kind, i, rtcp;

  for (kind = 0; kind < G_N_ELEMENTS (kinds); kind++) {
    begin (kind);
    for (i = 0; i < 20000; i++) {
      gsize size = i % 100, j;
      guint8 *data = g_malloc (size);

      rtcp = i / 100 % 2;
      for (j = 0; j < size; j++)
        data[j] = g_random_int ();
      if (size > 0)
        data[0] = 0x80 | (data[0] & 0x3f);
      fail_if (gst_tfrc_srtp_session_unprotect (inbound, data, &size, rtcp));
      g_free (data);
    }
    end ();
  }
}

GST_END_TEST;

static Suite *
srtpsession_suite (void)
{
  Suite *s = suite_create ("srtpsession");
  TCase *tc = tcase_create ("general");
  tcase_set_timeout (tc, 300);  /* a million SSRCs */

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, what_srtpenc_encrypts_is_decrypted, 0,
      G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tc, what_is_encrypted_is_decrypted_by_srtpdec, 0,
      G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tc, a_context_is_small, 0, 4);
  tcase_add_test (tc, strange_ssrcs_leave_no_memory_behind);
  tcase_add_test (tc, old_ssrcs_are_forgotten_and_refused);
  tcase_add_test (tc, after_4096_senders_no_more_are_taken);
  tcase_add_test (tc, no_ssrc_is_drawn_twice);
  tcase_add_test (tc, packets_may_come_late_but_not_twice);
  tcase_add_test (tc, garbage_of_any_length_is_refused);
  return s;
}

GST_CHECK_MAIN (srtpsession);
