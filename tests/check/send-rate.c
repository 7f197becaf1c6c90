/* gst-tfrc tests: rtptfrcsend: reports, and the allowance of the encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"
#include "settle.h"

/* --- reports --- */

GST_START_TEST (a_report_that_is_not_for_us_changes_nothing)
{
  Filter f;
  TfrcStamp stamp;
  TfrcReport report = { 0, 0, 8600, 0x80000000u };
  guint8 fci[28] = { 0, };
  gdouble X;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  X = filter_get_rate (&f, "X");
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  report.t_i_us = stamp.t_i_us;
  tfrc_report_write_fci (&report, fci);
  filter_feedback (&f, 2, PEER_SSRC, OTHER_SSRC, fci, 16);
  filter_feedback (&f, 2, OTHER_SSRC, OWN_SSRC, fci, 16);
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, fci, 12);
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, fci, 28);
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, NULL, 0);
  filter_feedback (&f, 3, PEER_SSRC, OWN_SSRC, fci, 16);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-wrong-media-ssrc"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-wrong-sender-ssrc"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-malformed"), 3);
  fail_unless_equals_uint64 (filter_get_stat (&f, "reports"), 1);
  fail_unless (filter_get_rate (&f, "X") == X);
  /* and the true one counts */
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, fci, 16);
  fail_unless_equals_uint64 (filter_get_stat (&f, "reports"), 2);
  fail_unless (filter_get_rate (&f, "X") < X / 4);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_report_that_cannot_be_is_refused_by_name)
{
  Filter f;
  TfrcStamp stamp;
  gdouble X;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  X = filter_get_rate (&f, "X");
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  filter_report (&f, stamp.t_i_us + 1, 0, 8600, 0.5);
  filter_report (&f, stamp.t_i_us, 100001, 8600, 0.5);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rejected-unknown-t-i"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rejected-t-delay"), 1);
  fail_unless (filter_get_rate (&f, "X") == X);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (silence_halves_the_rate)
{
  Filter f;
  TfrcStamp stamp;
  GstStructure *rate;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  filter_report (&f, stamp.t_i_us, 0, 8600, 0);
  while ((rate = filter_take_rate (&f)) != NULL)
    gst_structure_free (rate);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  while (filter_get_stat (&f, "nofeedback-expiries") == 0)
    filter_crank_alone (&f);
  settle ();
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "nofeedback");
  fail_unless (rate_get_double (rate, "X") <= 43800 / 2 + 1);
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

/* The report of another data receiver, which came when the first was silent for 2 s. */
static void
report_of_other (Filter * f, guint32 t_i_us)
{
  TfrcReport report = { .t_i_us = t_i_us, .x_recv_Bps = 8600 };
  guint8 fci[TFRC_REPORT_FCI_SIZE_MAX];
  gsize size = tfrc_report_write_fci (&report, fci);

  filter_feedback (f, TFRC_REPORT_FMT, OTHER_SSRC, OWN_SSRC, fci, size);
}

/* Nothing is known of its path: slow start. */
GST_START_TEST (another_receiver_is_a_slow_start)
{
  Filter f;
  TfrcStamp stamp;
  GstStructure *rate;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  filter_advance (&f, 2 * GST_SECOND + 1);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, 2 * R);
  /* what is no report of these packets changes nothing */
  report_of_other (&f, stamp.t_i_us + 12345);
  fail_unless_equals_uint64 (filter_get_stat (&f, "peer-changes"), 0);
  NEAR (filter_get_rate (&f, "R") * GST_SECOND, R, GST_MSECOND);
  while ((rate = filter_take_rate (&f)) != NULL)
    gst_structure_free (rate);
  report_of_other (&f, stamp.t_i_us);
  fail_unless_equals_uint64 (filter_get_stat (&f, "peer-changes"), 1);
  NEAR (filter_get_rate (&f, "R") * GST_SECOND, 2 * R, GST_MSECOND);
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "restart");
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

/* --- the event --- */

GST_START_TEST (the_event_says_what_the_properties_say)
{
  Filter f;
  GstStructure *rate;
  TfrcStamp stamp;
  guint bitrate, size, i;
  gdouble X, packet_rate;
  guint64 rtt;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp header-size=28");
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "start");
  fail_unless_equals_string (gst_structure_get_string (rate, "mode"),
      "tfrc-sp");
  fail_unless_equals_int (rate_get_uint (rate, "ssrc"), OWN_SSRC);
  fail_unless_equals_int (rate_get_uint (rate, "header-size"), 28);
  gst_structure_free (rate);

  send_open_path (&f);
  for (i = 0; i < 5; i++) {
    filter_push (&f, 148);
    stamp = filter_take_stamp (&f);
    filter_advance (&f, FRAME);
  }
  filter_advance (&f, R - FRAME);
  filter_report (&f, stamp.t_i_us, 0, 50 * 172, 0.01);
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"), "loss");
  g_object_get (f.element, "allowed-bitrate", &bitrate, "allowed-packet-size",
      &size, "allowed-rate", &X, "round-trip-time", &rtt, NULL);
  packet_rate = rate_get_double (rate, "packet-rate");
  /* four gaps of 20 ms and the one of 100 ms behind the first packet */
  fail_unless (packet_rate > 25 && packet_rate < 50);
  fail_unless_equals_int (rate_get_uint (rate, "bitrate"), bitrate);
  fail_unless_equals_int (rate_get_uint (rate, "payload-size"), size);
  fail_unless (8 * rate_get_double (rate, "X") == X);
  NEAR (rtt, R, GST_MSECOND);
  fail_unless (rate_get_double (rate, "max-packet-rate") == 100);
  NEAR (rate_get_double (rate, "p") * 1e9, 0.01 * 1e9, 2);
  fail_unless_equals_int (rate_get_uint (rate, "overhead"), 24);
  /* what the headers leave: 28 below RTP and 24 of it in each packet */
  NEAR (bitrate, 8 * (rate_get_double (rate, "X-wire") - 52 * packet_rate), 2);
  NEAR (size, bitrate / 8 / packet_rate, 1);
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

/* Half a second of voice; every fifth packet brings a report on the one that left
 * R before. Returns the events. */
static guint
run_voice (Filter * f, gdouble p, guint32 x_recv)
{
  guint32 t_i[25];
  GstStructure *rate;
  guint i, events = 0;

  for (i = 0; i < 25; i++) {
    if (i >= 5 && i % 5 == 0)
      filter_report (f, t_i[i - 5], 0, x_recv, p);
    filter_push (f, 148);
    t_i[i] = filter_take_stamp (f).t_i_us;
    filter_advance (f, FRAME);
  }
  while ((rate = filter_take_rate (f)) != NULL) {
    gst_structure_free (rate);
    events++;
  }
  return events;
}

GST_START_TEST (an_allowance_that_stays_is_sent_twice_a_second)
{
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  run_voice (&f, 0, 50 * 172);
  run_voice (&f, 0, 50 * 172);
  /* of four reports in half a second, one */
  fail_unless_equals_int (run_voice (&f, 0, 50 * 172), 1);
  fail_unless_equals_int (run_voice (&f, 0, 50 * 172), 1);
  filter_stop (&f);
}

GST_END_TEST;

static void
on_notify (GObject * object, GParamSpec * pspec, gpointer data)
{
  guint bitrate;

  g_object_get (object, "allowed-bitrate", &bitrate, NULL);
  g_array_append_val ((GArray *) data, bitrate);
}

GST_START_TEST (a_drop_is_sent_at_once_and_notified)
{
  Filter f;
  TfrcStamp stamp;
  GstStructure *rate;
  GArray *notified = g_array_new (FALSE, FALSE, sizeof (guint));

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  run_voice (&f, 0, 50 * 172);
  g_signal_connect (f.element, "notify::allowed-bitrate",
      G_CALLBACK (on_notify), notified);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, FRAME);
  filter_report (&f, stamp.t_i_us, 0, 50 * 172, 0.2);
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"), "loss");
  fail_unless_equals_int (notified->len, 1);
  fail_unless_equals_int (g_array_index (notified, guint, 0),
      rate_get_uint (rate, "bitrate"));
  gst_structure_free (rate);
  g_array_unref (notified);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_guaranteed_bitrate_is_given_in_bits)
{
  Filter f;
  gdouble G, X;

  filter_start (&f,
      "rtptfrcsend experimental=experimental,target-bitrate=800000 dscp=10");
  send_open_path (&f);
  G = filter_get_rate (&f, "G");
  X = filter_get_rate (&f, "X");
  fail_unless_equals_float (G, 100000.0);
  fail_unless (X < 100000.0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_allowance_below_the_least_suspends)
{
  Filter f;
  GstStructure *rate;
  TfrcStamp stamp;
  gboolean suspend, suspended;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp min-bitrate=64000");
  rate = filter_take_rate (&f);
  gst_structure_get_boolean (rate, "suspend", &suspend);
  fail_if (suspend);            /* nothing is known yet */
  gst_structure_free (rate);
  send_open_path (&f);
  run_voice (&f, 0, 50 * 172);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  /* M1: 46.7 kbit/s in 20 ms frames */
  filter_report (&f, stamp.t_i_us, 0, 50 * 172, 0.2);
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "suspend");
  gst_structure_get_boolean (rate, "suspend", &suspend);
  g_object_get (f.element, "suspended", &suspended, NULL);
  fail_unless (suspend && suspended);
  fail_unless (rate_get_uint (rate, "bitrate") < 64000);
  gst_structure_free (rate);
  /* a user who wants less gets an allowance without suspend */
  g_object_set (f.element, "min-bitrate", 20000, NULL);
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "resume");
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (no_more_than_max_bitrate_is_sent)
{
  Filter f;
  GstStructure *rate;
  guint bitrate, size;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  g_object_get (f.element, "allowed-bitrate", &bitrate, NULL);
  fail_unless (bitrate > 64000);
  g_object_set (f.element, "max-bitrate", 20000, NULL);
  rate = filter_take_rate (&f);
  fail_unless_equals_int (rate_get_uint (rate, "bitrate"), 20000);
  gst_structure_free (rate);
  g_object_get (f.element, "allowed-bitrate", &bitrate, "allowed-packet-size",
      &size, NULL);
  fail_unless_equals_int (bitrate, 20000);
  fail_unless_equals_int (size, 50);    /* of 50 packets/s */
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
send_rate_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend, rate");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, a_report_that_is_not_for_us_changes_nothing);
  tcase_add_test (tc, a_report_that_cannot_be_is_refused_by_name);
  tcase_add_test (tc, silence_halves_the_rate);
  tcase_add_test (tc, another_receiver_is_a_slow_start);
  tcase_add_test (tc, the_event_says_what_the_properties_say);
  tcase_add_test (tc, an_allowance_that_stays_is_sent_twice_a_second);
  tcase_add_test (tc, a_drop_is_sent_at_once_and_notified);
  tcase_add_test (tc, a_guaranteed_bitrate_is_given_in_bits);
  tcase_add_test (tc, an_allowance_below_the_least_suspends);
  tcase_add_test (tc, no_more_than_max_bitrate_is_sent);
  return s;
}

GST_CHECK_MAIN (send_rate);
