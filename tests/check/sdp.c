/* gst-tfrc tests: offers and answers of SDP in examples/softphone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "../../examples/softphone/sdp.h"

#define FINGERPRINT "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:" \
    "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF"
#define HEAD "v=0\r\no=- 1 1 IN IP4 192.0.2.7\r\ns=-\r\nc=IN IP4 192.0.2.7\r\nt=0 0\r\n"
/* what baresip 1.0 offers, but for the order of the lines */
#define PLAIN HEAD "m=audio 7000 RTP/AVP 96 0 101\r\na=rtpmap:96 opus/48000/2\r\n" \
    "a=rtpmap:101 telephone-event/8000\r\na=ptime:20\r\na=sendrecv\r\n"

static const SdpSettings both = { "OPUS,PCMU", TRUE };

static SdpSide
make_side (guint port, gboolean dtls)
{
  SdpSide side = { .port = port, .sends = TRUE, .hears = TRUE };

  g_strlcpy (side.host, "192.0.2.1", sizeof side.host);
  if (dtls)
    g_strlcpy (side.fingerprint, FINGERPRINT, sizeof side.fingerprint);
  return side;
}

static SdpSide
parse (const gchar * text)
{
  GError *error = NULL;
  SdpSide side;

  fail_unless (sdp_parse (&side, text, strlen (text), &error), "%s: %s", text,
      error ? error->message : "");
  return side;
}

static void
expect_refused (const gchar * text, gsize size)
{
  GError *error = NULL;
  SdpSide side;

  fail_if (sdp_parse (&side, text, size, &error), "%s", text);
  fail_unless (error != NULL);
  g_error_free (error);
}

/* What is written, as the other end reads it. */
static SdpSide
send_side (const SdpSide * side)
{
  gchar *text = sdp_format (side, 1, 1);
  SdpSide there = parse (text);

  g_free (text);
  return there;
}

/* One end offers, the other one answers, and both find out what they have agreed on. */
static void
exchange (SdpSide * offer, SdpSide * answer, const SdpSettings * of_answer,
    CallMedia * at_offer, CallMedia * at_answer)
{
  GError *error = NULL;
  SdpSide there = send_side (offer), back;

  fail_unless (sdp_make_answer (answer, &there, of_answer, &error));
  fail_unless (sdp_negotiate (at_answer, answer, &there, TRUE, &error));
  back = send_side (answer);
  fail_unless (sdp_negotiate (at_offer, offer, &back, FALSE, &error));
}

GST_START_TEST (two_phones_agree_on_tfrc_and_dtls)
{
  SdpSide offer = make_side (6000, TRUE), answer = make_side (6002, TRUE);
  CallMedia a, b;

  sdp_make_offer (&offer, &both);
  exchange (&offer, &answer, &both, &a, &b);
  fail_unless (a.tfrc && b.tfrc);
  fail_unless_equals_string (a.codecs, "OPUS,PCMU");
  fail_unless_equals_string (b.codecs, "OPUS,PCMU");
  fail_unless_equals_int (a.port, 6002);
  fail_unless_equals_int (b.port, 6000);
  fail_unless_equals_int (a.rtcp_port, 0);
  fail_unless_equals_int (a.extension_id, b.extension_id);
  fail_unless_equals_int (a.ptime, 0);
  /* one of them begins the handshake, and no key of SDES is left */
  fail_unless (a.dtls && b.dtls && !a.active && b.active);
  fail_unless_equals_string (a.key, "");
  fail_unless_equals_string (a.fingerprint, FINGERPRINT);
  /* events have the clock of Opus */
  fail_unless_equals_int (a.dtmf_rate, 48000);
  fail_unless_equals_int (a.dtmf_type, b.dtmf_type_in);
}

GST_END_TEST;

GST_START_TEST (phones_without_dtls_exchange_keys_of_sdes)
{
  SdpSide offer = make_side (6000, FALSE), answer = make_side (6002, TRUE);
  CallMedia a, b;

  sdp_make_offer (&offer, &both);
  exchange (&offer, &answer, &both, &a, &b);
  fail_if (a.dtls || b.dtls);
  fail_unless_equals_int (strlen (a.key), CALL_KEY_LENGTH);
  fail_unless_equals_string (a.key, b.remote_key);
  fail_unless_equals_string (a.remote_key, b.key);
  fail_if (g_str_equal (a.key, a.remote_key));
}

GST_END_TEST;

GST_START_TEST (a_plain_phone_gets_one_codec_and_receiver_reports)
{
  SdpSide plain = parse (PLAIN), answer = make_side (6000, TRUE);
  CallMedia media;
  GError *error = NULL;
  gchar *text;

  fail_unless (sdp_make_answer (&answer, &plain, &both, &error));
  fail_unless (sdp_negotiate (&media, &answer, &plain, TRUE, &error));
  fail_if (media.tfrc || media.dtls);
  fail_unless_equals_string (media.codecs, "OPUS");
  fail_unless_equals_string (media.key, "");
  fail_unless_equals_int (media.ptime, 20);
  fail_unless_equals_int (media.rtcp_port, 7001);
  fail_unless_equals_int (media.red_type, SDP_NONE);
  text = sdp_format (&answer, 1, 1);
  fail_unless (strstr (text, "a=rtcp:6000\r\n") != NULL);
  fail_unless (strstr (text, "rtcp-mux") == NULL);
  fail_unless (strstr (text, "tfrc") == NULL);
  fail_unless (strstr (text, "crypto") == NULL);
  fail_unless (strstr (text, "fingerprint") == NULL);
  g_free (text);
}

GST_END_TEST;

GST_START_TEST (what_is_no_voice_is_refused_in_its_place)
{
  SdpSide offer = parse (HEAD "m=video 7002 RTP/AVP 97\r\n"
      "a=rtpmap:97 VP8/90000\r\nm=audio 7000 RTP/AVP 0\r\n");
  SdpSide answer = make_side (6000, FALSE);
  gchar *text, *video, *audio;

  fail_unless (sdp_make_answer (&answer, &offer, &both, NULL));
  text = sdp_format (&answer, 1, 1);
  video = strstr (text, "m=video 0 RTP/AVP 97\r\n");
  audio = strstr (text, "m=audio 6000 RTP/AVP 0\r\n");
  fail_unless (video != NULL && audio != NULL && video < audio, "%s", text);
  g_free (text);
}

GST_END_TEST;

GST_START_TEST (a_call_is_held_and_resumed)
{
  static const struct
  {
    const gchar *line;
    gboolean sends, hears;      /* of the end that answers */
    const gchar *answer;
  } holds[] = {
    {"a=sendonly\r\n", FALSE, TRUE, "a=recvonly\r\n"},
    {"a=recvonly\r\n", TRUE, FALSE, "a=sendonly\r\n"},
    {"a=inactive\r\n", FALSE, FALSE, "a=inactive\r\n"},
    {"c=IN IP4 0.0.0.0\r\n", FALSE, TRUE, "a=recvonly\r\n"},
    {"a=sendrecv\r\n", TRUE, TRUE, "a=sendrecv\r\n"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (holds); i++) {
    gchar *offered = g_strdup_printf (HEAD "m=audio 7000 RTP/AVP 0\r\n%s",
        holds[i].line), *text;
    SdpSide offer = parse (offered), answer = make_side (6000, FALSE);
    CallMedia media;

    fail_unless (sdp_make_answer (&answer, &offer, &both, NULL));
    fail_unless (sdp_negotiate (&media, &answer, &offer, TRUE, NULL));
    fail_unless_equals_int (media.sends, holds[i].sends);
    fail_unless_equals_int (media.hears, holds[i].hears);
    text = sdp_format (&answer, 1, 2);
    fail_unless (strstr (text, holds[i].answer) != NULL, "%s", text);
    g_free (text);
    g_free (offered);
  }
}

GST_END_TEST;

/* The keys of a call stay while it is held. */
GST_START_TEST (keys_outlive_a_hold)
{
  SdpSide offer = make_side (6000, FALSE), answer = make_side (6002, FALSE);
  CallMedia a, b, later;
  gchar key[CALL_KEY_LENGTH + 1];

  sdp_make_offer (&offer, &both);
  exchange (&offer, &answer, &both, &a, &b);
  g_strlcpy (key, b.key, sizeof key);
  offer.hears = FALSE;
  answer.sends = answer.hears = TRUE;
  exchange (&offer, &answer, &both, &later, &b);
  fail_unless_equals_string (b.key, key);
  fail_unless_equals_string (later.key, a.key);
  fail_unless (later.sends && !later.hears && b.hears && !b.sends);
}

GST_END_TEST;

/* A phone that has answered with PCMU offers PCMU alone when it holds the call: what arrives stays the same. */
GST_START_TEST (caps_outlive_a_hold_by_a_phone_with_one_codec)
{
  SdpSide own = make_side (6000, FALSE);
  SdpSide answer = parse (HEAD "m=audio 7000 RTP/AVP 0\r\n");
  SdpSide hold = parse (HEAD "m=audio 7000 RTP/AVP 0\r\na=sendonly\r\n");
  CallMedia before, held;

  sdp_make_offer (&own, &both);
  fail_unless (sdp_negotiate (&before, &own, &answer, FALSE, NULL));
  fail_unless (sdp_make_answer (&own, &hold, &both, NULL));
  fail_unless (sdp_negotiate (&held, &own, &hold, TRUE, NULL));
  fail_unless_equals_string (before.caps, held.caps);
  fail_unless_equals_string (held.caps, "application/x-rtp,media=audio,"
      "encoding-name=PCMU,clock-rate=8000,payload=0");
}

GST_END_TEST;

GST_START_TEST (what_cannot_be_done_is_refused)
{
  /* that there are not, of which the last is longer than what is kept of it */
  static const gchar *const profiles[] = { "XRTP/AVP", "RTP/AVP\323",
    "UDP/TTTTTTTTTTTTTTTTTTTTTTTTTTTTLS/RTP/SAVPF"
  };
  static const SdpSettings clear = { "OPUS,PCMU", FALSE };
  SdpSide answer = make_side (6000, TRUE), offer;
  GError *error = NULL;

  expect_refused (HEAD "m=video 7002 RTP/AVP 97\r\n", strlen (HEAD) + 25);
  expect_refused (HEAD "m=audio 7000 RTP/AVP 8\r\n", strlen (HEAD) + 24);
  expect_refused (HEAD "m=audio 0 RTP/AVP 0\r\n", strlen (HEAD) + 21);
  expect_refused ("", 0);
  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    gchar *text = g_strdup_printf (HEAD "m=audio 7000 %s 0\r\n", profiles[i]);

    expect_refused (text, strlen (text));
    g_free (text);
  }
  /* a name would be looked up by whoever reads it */
  expect_refused (HEAD "m=audio 7000 RTP/AVP 0\r\nc=IN IP4 phone.example\r\n",
      strlen (HEAD) + 24 + strlen ("c=IN IP4 phone.example\r\n"));
  expect_refused (HEAD "m=audio 7000 RTP/AVP 0\r\nc=IN IP4 224.0.0.1/5\r\n",
      strlen (HEAD) + 24 + strlen ("c=IN IP4 224.0.0.1/5\r\n"));
  offer = parse (HEAD "m=audio 7000 RTP/AVP 0\r\nc=IN IP6 2001:db8::7\r\n");
  fail_unless_equals_string (offer.host, "2001:db8::7");
  /* encryption that this end has not */
  offer = parse (HEAD "m=audio 7000 RTP/SAVP 0\r\n"
      "a=crypto:1 F8_128_HMAC_SHA1_80 inline:AAAA\r\n");
  fail_unless_equals_int (offer.crypto_tag, 0);
  fail_if (sdp_make_answer (&answer, &offer, &both, &error));
  g_clear_error (&error);
  offer = parse (HEAD "m=audio 7000 UDP/TLS/RTP/SAVPF 0\r\na=setup:actpass\r\n"
      "a=fingerprint:sha-256 " FINGERPRINT "\r\n");
  fail_if (sdp_make_answer (&answer, &offer, &clear, &error));
  g_clear_error (&error);
  /* a fingerprint that would let anybody in */
  offer =
      parse (HEAD "m=audio 7000 RTP/AVP 0\r\na=fingerprint:sha-256 any\r\n");
  fail_unless_equals_string (offer.fingerprint, "");
}

GST_END_TEST;

/* Whatever comes, parsing ends, and a side that is taken can be written. */
GST_START_TEST (spoilt_text_does_no_harm)
{
  SdpSide offer = make_side (6000, TRUE);
  GRand *random = g_rand_new_with_seed (1);
  gchar *text;
  gsize size;
  guint i, taken = 0;

  sdp_make_offer (&offer, &both);
  text = sdp_format (&offer, 1, 1);
  size = strlen (text);
  for (i = 0; i < 20000; i++) {
    gchar *spoilt = g_strdup (text);
    guint k, n = g_rand_int_range (random, 1, 6);
    SdpSide side, answer = make_side (6002, TRUE);

    for (k = 0; k < n; k++)
      spoilt[g_rand_int_range (random, 0, size)] =
          g_rand_int_range (random, 1, 256);
    if (sdp_parse (&side, spoilt, strlen (spoilt), NULL)
        && sdp_make_answer (&answer, &side, &both, NULL)) {
      CallMedia media;
      gchar *written = sdp_format (&answer, 1, 1);

      sdp_negotiate (&media, &answer, &side, TRUE, NULL);
      taken++;
      g_free (written);
    }
    g_free (spoilt);
  }
  fail_unless (taken > 5000 && taken < 20000, "%u", taken);
  g_rand_free (random);
  g_free (text);
}

GST_END_TEST;

/* An offer in the middle of a call, as of a transfer to a plain phone: the answer says nothing that it does not. */
GST_START_TEST (a_later_offer_without_tfrc_gets_an_answer_without_it)
{
  SdpSide offer = make_side (6000, FALSE), answer = make_side (6002, FALSE);
  SdpSide plain = parse (PLAIN);
  CallMedia a, b;
  GError *error = NULL;
  gchar *text;

  sdp_make_offer (&offer, &both);
  exchange (&offer, &answer, &both, &a, &b);
  fail_unless (b.tfrc);
  fail_unless (sdp_make_answer (&answer, &plain, &both, &error));
  text = sdp_format (&answer, 1, 2);
  fail_unless (strstr (text, "tfrc") == NULL);
  fail_unless (strstr (text, "extmap") == NULL);
  g_free (text);
  /* and comes back with one that has it */
  exchange (&offer, &answer, &both, &a, &b);
  fail_unless (a.tfrc && b.tfrc);
}

GST_END_TEST;

/* --- ICE --- */

#define ICE_LINES "a=rtcp-mux\r\na=ice-ufrag:8hhY\r\na=ice-pwd:asd88fgpdd777uzjYhagZg\r\n"
#define HOST_LINE "a=candidate:1 1 UDP 2130706431 192.0.2.7 7000 typ host\r\n"

static void
add_ice (SdpSide * side)
{
  side->ice = (IceSide) {
      .ufrag = "abcd1234",
      .pwd = "0123456789012345678901",
      .n_candidates = 2,
      .candidates = { {
          ICE_HOST, "10.0.0.2", 5004, 2130706431}, {
          ICE_SERVER_REFLEXIVE, "192.0.2.1", 6000, 1694498815}
      }
  };
}

GST_START_TEST (candidates_reach_the_other_end)
{
  SdpSide offer = make_side (6000, FALSE), answer = make_side (6000, FALSE);
  CallMedia a, b;
  guint i;

  add_ice (&offer);
  add_ice (&answer);
  sdp_make_offer (&offer, &both);
  exchange (&offer, &answer, &both, &a, &b);
  fail_unless_equals_string (a.ice.ufrag, "abcd1234");
  fail_unless_equals_string (b.ice.pwd, offer.ice.pwd);
  fail_unless_equals_int (b.ice.n_candidates, 2);
  for (i = 0; i < 2; i++) {
    fail_unless_equals_string (b.ice.candidates[i].host,
        offer.ice.candidates[i].host);
    fail_unless_equals_int (b.ice.candidates[i].port,
        offer.ice.candidates[i].port);
    fail_unless_equals_int (b.ice.candidates[i].type,
        offer.ice.candidates[i].type);
    fail_unless_equals_int (b.ice.candidates[i].priority,
        offer.ice.candidates[i].priority);
  }
}

GST_END_TEST;

GST_START_TEST (a_phone_without_ice_gets_none)
{
  SdpSide offer = make_side (6000, FALSE), answer = make_side (6000, FALSE);
  SdpSide plain = parse (PLAIN);
  CallMedia media, b;
  GError *error = NULL;
  gchar *text;

  add_ice (&answer);
  fail_unless (sdp_make_answer (&answer, &plain, &both, &error));
  text = sdp_format (&answer, 1, 1);
  fail_unless (strstr (text, "ice-") == NULL);
  fail_unless (strstr (text, "candidate") == NULL);
  g_free (text);
  fail_unless (sdp_negotiate (&media, &answer, &plain, TRUE, &error));
  fail_unless_equals_string (media.ice.ufrag, "");
  /* and a phone without it that is called */
  add_ice (&offer);
  answer = make_side (6002, FALSE);
  sdp_make_offer (&offer, &both);
  exchange (&offer, &answer, &both, &media, &b);
  fail_unless_equals_string (media.ice.ufrag, "");
  fail_unless_equals_string (b.ice.ufrag, "");
}

GST_END_TEST;

GST_START_TEST (lines_of_ice_that_cannot_be_used_are_left_out)
{
  static const gchar *without[] = {
    /* RFC 8839 4.2.5: a server has put another address in */
    PLAIN ICE_LINES
        "a=candidate:1 1 UDP 2130706431 192.0.2.8 7000 typ host\r\n",
    PLAIN ICE_LINES,
    /* RTCP needs a component of its own */
    PLAIN "a=ice-ufrag:8hhY\r\na=ice-pwd:asd88fgpdd777uzjYhagZg\r\n" HOST_LINE,
    PLAIN
        "a=rtcp-mux\r\na=ice-ufrag:8hh\r\na=ice-pwd:asd88fgpdd777uzjYhagZg\r\n"
        HOST_LINE,
    PLAIN "a=rtcp-mux\r\na=ice-ufrag:8hhY\r\na=ice-pwd:short\r\n" HOST_LINE,
    PLAIN
        "a=rtcp-mux\r\na=ice-ufrag:8h:Y\r\na=ice-pwd:asd88fgpdd777uzjYhagZg\r\n"
        HOST_LINE
  };
  static const gchar *others =
      PLAIN ICE_LINES
      "a=candidate:1 2 UDP 2130706430 192.0.2.7 7001 typ host\r\n"
      "a=candidate:1 1 TCP 2130706431 192.0.2.7 7000 typ host tcptype passive\r\n"
      "a=candidate:1 1 UDP 2130706431 abc.local 7000 typ host\r\n"
      "a=candidate:1 1 UDP 2130706431 224.0.0.1 7000 typ host\r\n"
      "a=candidate:1 1 UDP 0 192.0.2.7 7000 typ host\r\n"
      "a=candidate:1 1 UDP 99999999999 192.0.2.7 7000 typ host\r\n"
      "a=candidate:1 1 UDP 1 192.0.2.7 70000 typ host\r\n"
      "a=candidate:1 1 UDP 1 192.0.2.7 7000 typ what\r\n"
      "a=candidate:1 1 UDP 1 192.0.2.7 7000\r\n" HOST_LINE;
  GString *many = g_string_new (PLAIN ICE_LINES HOST_LINE);
  SdpSide side;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (without); i++) {
    side = parse (without[i]);
    fail_unless_equals_string (side.ice.ufrag, "");
  }
  side = parse (others);
  fail_unless_equals_string (side.ice.ufrag, "8hhY");
  fail_unless_equals_int (side.ice.n_candidates, 1);
  for (i = 1; i <= 100; i++)
    g_string_append_printf (many,
        "a=candidate:1 1 UDP %u 198.51.100.1 %u typ host\r\n", i, i);
  side = parse (many->str);
  fail_unless_equals_int (side.ice.n_candidates, ICE_CANDIDATES_MAX);
  g_string_free (many, TRUE);
}

GST_END_TEST;

/* What a remote can make this end read is bounded. */
GST_START_TEST (a_long_sdp_is_refused_and_many_candidates_are_not_read)
{
  GString *many = g_string_new (PLAIN ICE_LINES), *text = g_string_new (PLAIN);
  guint i;

  for (i = 0; i < 63; i++)
    g_string_append (many, "a=candidate:1 2 UDP 1 192.0.2.7 7001 typ host\r\n");
  g_string_append (many, HOST_LINE);
  fail_unless_equals_string (parse (many->str).ice.ufrag, "8hhY");
  g_string_truncate (many, many->len - strlen (HOST_LINE));
  g_string_append (many, "a=candidate:1 2 UDP 1 192.0.2.7 7001 typ host\r\n"
      HOST_LINE);
  fail_unless_equals_string (parse (many->str).ice.ufrag, "");
  while (text->len < 16380)
    g_string_append (text, "a=x\r\n");
  g_string_truncate (text, 16384);
  parse (text->str);
  while (text->len < 16500)
    g_string_append (text, "a=x\r\n");
  expect_refused (text->str, text->len);
  g_string_free (many, TRUE);
  g_string_free (text, TRUE);
}

GST_END_TEST;

/* How RFC 2543 holds a call: the candidates stay. */
GST_START_TEST (ice_outlives_a_hold_without_an_address)
{
  SdpSide side = parse (PLAIN "c=IN IP4 0.0.0.0\r\n" ICE_LINES HOST_LINE);

  fail_unless_equals_string (side.ice.ufrag, "8hhY");
  fail_unless_equals_int (side.ice.n_candidates, 1);
  fail_if (side.hears);
}

GST_END_TEST;

/* An address of IPv6 can be written in many ways; messages that come have the one of RFC 5952. */
GST_START_TEST (addresses_are_compared_as_addresses)
{
  SdpSide side = parse (PLAIN "c=IN IP6 2001:db8:0:0::5\r\n" ICE_LINES
      "a=candidate:1 1 UDP 2130706431 2001:DB8::5 7000 typ host\r\n");

  fail_unless_equals_string (side.ice.ufrag, "8hhY");
  fail_unless_equals_string (side.ice.candidates[0].host, "2001:db8::5");
  fail_unless_equals_string (side.host, "2001:db8::5");
}

GST_END_TEST;

GST_START_TEST (a_packet_has_a_length_of_the_codec)
{
  static const guint lengths[][2] = {
    {5, 10}, {10, 10}, {20, 20}, {30, 20}, {40, 40}, {50, 40}, {60, 60},
    {120, 60}
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lengths); i++) {
    gchar *text = g_strdup_printf (HEAD "m=audio 7000 RTP/AVP 0\r\n"
        "a=ptime:%u\r\n", lengths[i][0]);
    SdpSide plain = parse (text), answer = make_side (6000, TRUE);
    CallMedia media;

    fail_unless (sdp_make_answer (&answer, &plain, &both, NULL));
    fail_unless (sdp_negotiate (&media, &answer, &plain, TRUE, NULL));
    fail_unless_equals_int (media.ptime, lengths[i][1]);
    g_free (text);
  }
}

GST_END_TEST;

static Suite *
sdp_suite (void)
{
  Suite *s = suite_create ("sdp");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (s, tcase);
  tcase_add_test (tcase, two_phones_agree_on_tfrc_and_dtls);
  tcase_add_test (tcase, phones_without_dtls_exchange_keys_of_sdes);
  tcase_add_test (tcase, a_plain_phone_gets_one_codec_and_receiver_reports);
  tcase_add_test (tcase, a_packet_has_a_length_of_the_codec);
  tcase_add_test (tcase, what_is_no_voice_is_refused_in_its_place);
  tcase_add_test (tcase, a_call_is_held_and_resumed);
  tcase_add_test (tcase, keys_outlive_a_hold);
  tcase_add_test (tcase, caps_outlive_a_hold_by_a_phone_with_one_codec);
  tcase_add_test (tcase, what_cannot_be_done_is_refused);
  tcase_add_test (tcase, spoilt_text_does_no_harm);
  tcase_add_test (tcase, a_later_offer_without_tfrc_gets_an_answer_without_it);
  tcase_add_test (tcase, candidates_reach_the_other_end);
  tcase_add_test (tcase, a_phone_without_ice_gets_none);
  tcase_add_test (tcase, lines_of_ice_that_cannot_be_used_are_left_out);
  tcase_add_test (tcase, ice_outlives_a_hold_without_an_address);
  tcase_add_test (tcase, addresses_are_compared_as_addresses);
  tcase_add_test (tcase,
      a_long_sdp_is_refused_and_many_candidates_are_not_read);
  return s;
}

GST_CHECK_MAIN (sdp);
