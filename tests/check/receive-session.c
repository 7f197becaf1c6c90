/* gst-tfrc tests: rtptfrcreceive and the RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#include <string.h>

#define R (100 * GST_MSECOND)

/* --- the session --- */

/* RTCP of which no packet says an SSRC, as of an application that allows reduced-size packets: the one that the session
 * has for itself. */
GST_START_TEST (a_report_alone_is_from_the_ssrc_of_the_session)
{
  guint32 sender, media;
  TfrcReport report;
  GBytes *rtcp;
  guint ssrc;
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  g_object_get (f.session, "internal-ssrc", &ssrc, NULL);
  fail_unless (ssrc != 0 && ssrc != PEER_SSRC);
  filter_push_stamped (&f, R / GST_USECOND, 0);
  filter_advance (&f, 2 * R);
  rtcp = filter_send_rtcp (&f, FALSE, FALSE);
  fail_unless (rtcp_find_report (rtcp, &report, &sender, &media));
  fail_unless_equals_int (sender, ssrc);
  fail_unless_equals_int (media, OWN_SSRC);
  g_bytes_unref (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

static gdouble
get_bandwidth (Filter * f)
{
  gdouble bandwidth;

  g_object_get (f->session, "rtcp-fraction", &bandwidth, NULL);
  return bandwidth;
}

GST_START_TEST (the_session_is_set_up_for_feedback)
{
  Filter f;
  gint profile;
  guint64 interval;

  filter_start (&f, "rtptfrcreceive");
  g_object_get (f.session, "rtp-profile", &profile, "rtcp-min-interval",
      &interval, NULL);
  fail_unless_equals_int (profile, GST_RTP_PROFILE_AVPF);
  fail_unless_equals_uint64 (interval, 2 * GST_SECOND);
  filter_stop (&f);
}

GST_END_TEST;

/* --- strangers --- */

/* The session of the filter, with packets that arrive at it. */
static GstHarness *
begin_session (Filter * f)
{
  GstHarness *h = gst_harness_new_with_element (f->rtpsession, "recv_rtp_sink",
      "recv_rtp_src");

  gst_harness_set_src_caps_str (h, "application/x-rtp, "
      "media=(string)audio, clock-rate=(int)48000, payload=(int)96");
  return h;
}

/* Returns how many packets the session has handed out so far. */
static guint
arrive (GstHarness * h, guint32 ssrc, guint16 seq)
{
  guint8 packet[32] = { 0x80, 96 };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_memdup (packet,
              sizeof packet)), GST_FLOW_OK);
  return gst_harness_buffers_received (h);
}

/* rtpbin makes a jitter buffer with its threads for whoever the session accepts. A source is accepted by its first
 * packet, and a flood of them is not. */
GST_START_TEST (strangers_of_one_packet_are_not_accepted)
{
  GstHarness *h;
  guint i, n;
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  h = begin_session (&f);
  fail_unless_equals_int (arrive (h, PEER_SSRC, 1), 1);
  for (i = 0; i < 1000; i++)
    n = arrive (h, 0x40000000 + i, i);
  fail_unless_equals_int (n, 8);
  /* who goes on is accepted, with both packets */
  fail_unless_equals_int (arrive (h, OTHER_SSRC, 1), 8);
  fail_unless_equals_int (arrive (h, OTHER_SSRC, 2), 10);
  fail_unless_equals_int (arrive (h, PEER_SSRC, 2), 11);
  /* one more after a while, and never more than at first */
  for (i = 0; i < 3; i++) {
    filter_advance (&f, 10 * GST_SECOND);
    fail_unless_equals_int (arrive (h, 0x50000000 + i, 1), 12 + i);
    fail_unless_equals_int (arrive (h, 0x60000000 + i, 1), 12 + i);
  }
  filter_advance (&f, 3600 * GST_SECOND);
  for (i = 0; i < 100; i++)
    n = arrive (h, 0x70000000 + i, 1);
  fail_unless_equals_int (n, 14 + 8);
  gst_harness_teardown (h);
  filter_stop (&f);
}

GST_END_TEST;

/* The application wants more packets, or less, before a source is accepted. */
GST_START_TEST (the_probation_of_the_application_stays)
{
  GstHarness *h;
  guint i;
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  g_object_set (f.session, "probation", __i__, NULL);
  h = begin_session (&f);
  for (i = 1; i < 6; i++)
    fail_unless_equals_int (arrive (h, PEER_SSRC, i), i < __i__ ? 0 : i);
  gst_harness_teardown (h);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (what_the_application_set_stays)
{
  GstElement *rtpsession = gst_element_factory_make ("rtpsession", NULL);
  GstHarness *h = gst_harness_new ("rtptfrcreceive");
  GObject *session;
  gint profile;
  guint64 interval;
  guint probation;

  g_object_get (rtpsession, "internal-session", &session, NULL);
  g_object_set (session, "rtp-profile", GST_RTP_PROFILE_SAVP,
      "rtcp-min-interval", 3 * GST_SECOND, "probation", 4, NULL);
  gst_element_set_state (h->element, GST_STATE_READY);
  /* the element is as good as its internal-session */
  g_object_set (h->element, "rtp-session", rtpsession, NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  g_object_get (session, "rtp-profile", &profile, "rtcp-min-interval",
      &interval, "probation", &probation, NULL);
  fail_unless_equals_int (profile, GST_RTP_PROFILE_SAVPF);
  fail_unless_equals_uint64 (interval, 3 * GST_SECOND);
  fail_unless_equals_int (probation, 4);
  gst_harness_teardown (h);
  g_object_unref (session);
  gst_object_unref (rtpsession);
}

GST_END_TEST;

GST_START_TEST (rtcp_bandwidth_follows_the_round_trip_time)
{
  Filter f;
  gdouble at_100, at_300;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  at_100 = get_bandwidth (&f);
  /* two members, a mean size of 100 bytes, T_rr at half the interval */
  fail_unless (at_100 >= 15000 && at_100 <= 33000, "%g", at_100);
  for (i = 1; i < 40; i++) {
    filter_push_stamped (&f, 3 * FILTER_R_US, i * FILTER_FRAME_US);
    gst_buffer_unref (filter_take (&f));
    filter_advance (&f, FRAME);
  }
  at_300 = get_bandwidth (&f);
  fail_unless (at_300 < at_100 / 2 && at_300 > at_100 / 4, "%g", at_300);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (reports_take_a_tenth_of_a_slow_flow)
{
  Filter f;
  TfrcReport report;
  guint64 interval;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  /* 60 + 24 + 40 bytes on the wire each 60 ms, at R = 10 ms: 2067 bytes/s; a report
   * in an RR takes 36 + 40, so 0.085 of that is one in 433 ms */
  for (i = 0; i < 100; i++) {
    GstBuffer *buffer = filter_new_stamped (&f, 60, 10000, i * 60000);

    gst_harness_push (f.h, buffer);
    gst_buffer_unref (filter_take (&f));
    filter_advance (&f, 60 * GST_MSECOND);
    if (i % 10 == 9)
      fail_unless (filter_take_report (&f, &report));
  }
  interval = filter_get_stat (&f, "report-interval");
  fail_unless (interval > 400 * GST_MSECOND && interval < 600 * GST_MSECOND,
      "%" G_GUINT64_FORMAT, interval);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (bandwidth_that_the_application_fixed_is_kept_to)
{
  Filter f;
  gdouble fraction;

  filter_start (&f, "rtptfrcreceive");
  g_object_set (f.session, "rtcp-rr-bandwidth", 1500, "rtcp-rs-bandwidth", 500,
      NULL);
  filter_receive_voice (&f, 1, 0);
  /* 2000 bit/s: two members' 100 bytes take 0.8 s */
  fail_unless_equals_uint64 (filter_get_stat (&f, "report-interval"),
      800 * GST_MSECOND);
  g_object_get (f.session, "rtcp-fraction", &fraction, NULL);
  fail_unless (fraction > 2000);
  filter_stop (&f);
}

GST_END_TEST;

/* --- settings of the remote, reduced-size RTCP --- */

/* Mode, measure, H, flags and a send time as the data sender sends them. */
static void
send_app (Filter * f, guint32 ssrc, guint mode, guint measure, guint32 flags,
    gsize size)
{
  guint8 words[12] = { mode, measure, 0, 40, };
  GstBuffer *buffer;

  GST_WRITE_UINT32_BE (words + 4, flags);
  buffer = size > 0 ? gst_buffer_new_memdup (words, size) : NULL;
  g_signal_emit_by_name (f->session, "on-app-rtcp", 0, ssrc, "TFRC", buffer);
  gst_clear_buffer (&buffer);
}

static gboolean
is_reduced (Filter * f)
{
  gboolean reduced;

  g_object_get (f->session, "rtcp-reduced-size", &reduced, NULL);
  return reduced;
}

static void
send_report (Filter * f, gboolean compound, guint32 rtt_us, guint32 t_i_us)
{
  GBytes *rtcp;

  filter_push_stamped (f, rtt_us, t_i_us);
  gst_buffer_unref (filter_take (f));
  filter_advance (f, FRAME);
  rtcp = filter_send_rtcp (f, compound, FALSE);
  if (!compound)
    fail_unless_equals_int (g_bytes_get_size (rtcp), TFRC_REPORT_SIZE);
  g_bytes_unref (rtcp);
}

GST_START_TEST (reduced_size_begins_behind_a_compound_report)
{
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  /* the remote says that it accepts reduced-size packets */
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 2, 12);
  fail_if (is_reduced (&f));
  send_report (&f, TRUE, FILTER_R_US, FILTER_FRAME_US);
  fail_unless (is_reduced (&f));
  filter_stop (&f);
}

GST_END_TEST;

/* Whoever knows the SSRC, but does not see the packets, knows no send time. */
GST_START_TEST (settings_of_somebody_off_the_path_change_nothing)
{
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 3, FILTER_FRAME_US);
  /* without a send time, and with one that was never there */
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC_SP, 0, 2 | 8, 8);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC_SP, 0, 2 | 8, 12);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-app-unknown"), 2);
  send_report (&f, TRUE, FILTER_R_US, 10 * FILTER_FRAME_US);
  fail_if (is_reduced (&f));
  filter_stop (&f);
}

GST_END_TEST;

/* The RTCP of such a session is authenticated. */
GST_START_TEST (settings_in_secure_rtcp_need_no_send_time)
{
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  gst_element_set_state (f.element, GST_STATE_READY);
  g_object_set (f.session, "rtp-profile", GST_RTP_PROFILE_SAVPF, NULL);
  gst_element_set_state (f.element, GST_STATE_PLAYING);
  filter_receive_voice (&f, 1, FILTER_FRAME_US);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC_SP, 0, 2, 8);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-app-unknown"), 0);
  send_report (&f, TRUE, FILTER_R_US, 2 * FILTER_FRAME_US);
  fail_unless (is_reduced (&f));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_remote_that_says_nothing_gets_compound_packets)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 5; i++)
    send_report (&f, TRUE, FILTER_R_US + i, i * FILTER_FRAME_US);
  fail_if (is_reduced (&f));
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_ERROR) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (reduced_size_that_has_no_effect_is_given_up)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 2, 12);
  send_report (&f, TRUE, FILTER_R_US, FILTER_FRAME_US);
  /* as long as R moves, they arrive */
  for (i = 2; i < 20; i++)
    send_report (&f, FALSE, FILTER_R_US + i, i * FILTER_FRAME_US);
  fail_unless (is_reduced (&f));
  /* one that stands still is no sign, but a rate that falls is */
  for (; i < 60; i++)
    send_report (&f, FALSE, FILTER_R_US, i * FILTER_FRAME_US);
  fail_unless (is_reduced (&f));
  for (; i < 70; i++) {
    filter_advance (&f, 3 * FRAME);
    send_report (&f, FALSE, FILTER_R_US, i * FILTER_FRAME_US);
  }
  fail_if (is_reduced (&f));
  fail_unless_equals_uint64 (filter_get_stat (&f,
          "rtcp-reduced-size-fallbacks"), 1);
  /* it is not tried again at once */
  for (; i < 80; i++)
    send_report (&f, TRUE, FILTER_R_US + i, i * FILTER_FRAME_US);
  fail_if (is_reduced (&f));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (compound_packets_announce_our_settings_and_then_no_more)
{
  Filter f;
  GBytes *rtcp;
  const guint8 *data;
  gsize size;
  guint i;

  filter_start (&f, "rtptfrcreceive mode=tfrc-sp header-size=28");
  filter_receive_voice (&f, 1, 0);
  for (i = 0; i < 5; i++) {
    rtcp = filter_send_rtcp (&f, TRUE, FALSE);
    data = g_bytes_get_data (rtcp, &size);
    data += size - 20;
    fail_unless_equals_int (data[0], 0x80);
    fail_unless_equals_int (data[1], GST_RTCP_TYPE_APP);
    fail_unless_equals_int (GST_READ_UINT32_BE (data + 4), PEER_SSRC);
    fail_unless (memcmp (data + 8, "TFRC", 4) == 0);
    fail_unless_equals_int (data[12], TFRC_MODE_TFRC_SP);
    fail_unless_equals_int (data[13], TFRC_MEASURE_RFC);
    fail_unless_equals_int (GST_READ_UINT16_BE (data + 14), 28);
    fail_unless_equals_int (GST_READ_UINT32_BE (data + 16), 3);
    g_bytes_unref (rtcp);
  }
  rtcp = filter_send_rtcp (&f, TRUE, FALSE);
  fail_unless_equals_int (g_bytes_get_size (rtcp), 8);
  g_bytes_unref (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

/* Pushes caps and voice; how many reports were asked for. */
static guint64
asked_with (Filter * f, const gchar * more)
{
  gchar *caps = g_strconcat ("application/x-rtp, payload=(int)96, "
      "clock-rate=(int)48000, media=(string)audio", more, NULL);
  guint64 asked;

  filter_start (f, "rtptfrcreceive mode=tfrc-sp");
  gst_harness_set_src_caps_str (f->h, caps);
  filter_receive_voice (f, 3, 0);
  asked = filter_get_stat (f, "rtcp-reports-asked");
  g_free (caps);
  return asked;
}

GST_START_TEST (half_of_tfrc_in_the_caps_is_none_and_a_warning)
{
  static const gchar *const halves[] = {
    ", extmap-3=(string)" TFRC_STAMP_URI ", rtcp-fb-nack=(boolean)true",
    ", rtcp-fb-tfrc=(boolean)true"
  };
  TfrcReport report;
  Filter f;
  gchar *text;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (halves); i++) {
    fail_unless_equals_uint64 (asked_with (&f, halves[i]), 0);
    fail_if (filter_take_report (&f, &report));
    text = filter_get_error (&f, GST_MESSAGE_WARNING);
    fail_unless (strstr (text, "a=rtcp-fb:<pt> tfrc") != NULL &&
        strstr (text, TFRC_STAMP_URI) != NULL, "%s", text);
    g_free (text);
    filter_stop (&f);
  }
  /* all of it, or nothing */
  fail_unless (asked_with (&f, ", extmap-3=(string)" TFRC_STAMP_URI
          ", rtcp-fb-tfrc=(boolean)true, tfrc-mode=(string)tfrc-sp") > 0);
  filter_stop (&f);
  fail_unless (asked_with (&f, "") > 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (another_mode_in_the_caps_is_an_error_that_names_both)
{
  Filter f;
  gchar *text;

  fail_unless_equals_uint64 (asked_with (&f, ", tfrc-mode=(string)tfrc"), 0);
  text = filter_get_error (&f, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "mode tfrc-sp") != NULL &&
      strstr (text, "Set mode=tfrc here") != NULL, "%s", text);
  g_free (text);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (another_mode_at_the_remote_is_a_warning_that_names_both)
{
  Filter f;
  gchar *text;

  filter_start (&f, "rtptfrcreceive mode=tfrc-sp");
  filter_receive_voice (&f, 1, 0);
  /* of another source, of a receiver, of another version, cut short */
  send_app (&f, OTHER_SSRC, TFRC_MODE_TFRC, 0, 2, 12);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 3, 12);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 2, 4);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 2, 0);
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-app-malformed"), 2);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC_SP, 0, 2, 12);
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);

  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 2, 12);
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "mode tfrc-sp") != NULL &&
      strstr (text, "mode tfrc.") != NULL, "%s", text);
  g_free (text);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC, 0, 2, 12);
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (another_measure_at_the_remote_is_a_warning_that_names_both)
{
  Filter f;
  gchar *text;

  filter_start (&f, "rtptfrcreceive mode=tfrc-sp");
  filter_receive_voice (&f, 1, 0);
  send_app (&f, OWN_SSRC, TFRC_MODE_TFRC_SP, TFRC_MEASURE_GRADUAL, 2, 12);
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "gradual") != NULL &&
      strstr (text, "loss-measure=rfc") != NULL, "%s", text);
  g_free (text);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
receive_session_suite (void)
{
  Suite *s = suite_create ("receive-session");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, the_session_is_set_up_for_feedback);
  tcase_add_test (tc, a_report_alone_is_from_the_ssrc_of_the_session);
  tcase_add_test (tc, strangers_of_one_packet_are_not_accepted);
  tcase_add_loop_test (tc, the_probation_of_the_application_stays, 3, 5);
  tcase_add_test (tc, what_the_application_set_stays);
  tcase_add_test (tc, rtcp_bandwidth_follows_the_round_trip_time);
  tcase_add_test (tc, reports_take_a_tenth_of_a_slow_flow);
  tcase_add_test (tc, bandwidth_that_the_application_fixed_is_kept_to);
  tcase_add_test (tc, reduced_size_begins_behind_a_compound_report);
  tcase_add_test (tc, a_remote_that_says_nothing_gets_compound_packets);
  tcase_add_test (tc, settings_of_somebody_off_the_path_change_nothing);
  tcase_add_test (tc, settings_in_secure_rtcp_need_no_send_time);
  tcase_add_test (tc, reduced_size_that_has_no_effect_is_given_up);
  tcase_add_test (tc, compound_packets_announce_our_settings_and_then_no_more);
  tcase_add_test (tc, half_of_tfrc_in_the_caps_is_none_and_a_warning);
  tcase_add_test (tc, another_mode_in_the_caps_is_an_error_that_names_both);
  tcase_add_test (tc, another_mode_at_the_remote_is_a_warning_that_names_both);
  tcase_add_test (tc,
      another_measure_at_the_remote_is_a_warning_that_names_both);
  return s;
}

GST_CHECK_MAIN (receive_session);
