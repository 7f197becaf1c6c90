/* gst-tfrc tests: rtptfrcsend: settings and caps, refused and warned of
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"

#include <string.h>

/* --- caps --- */

#define FROM_SDP "application/x-rtp, payload=(int)96, clock-rate=(int)48000, " \
    "media=(string)audio, extmap-4=(string)" TFRC_STAMP_URI

GST_START_TEST (the_caps_say_all_of_tfrc)
{
  Filter f;
  GstCaps *caps;
  const GstStructure *s;
  gboolean feedback = FALSE;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  gst_harness_set_src_caps_str (f.h, FROM_SDP ", rtcp-fb-tfrc=(boolean)true, "
      "rtcp-fb-nack=(boolean)true, tfrc-mode=(string)tfrc-sp");
  gst_harness_set_src_caps_str (f.h, FROM_SDP ", rtcp-fb-nack=(boolean)true, "
      "tfrc-mode=(string)tfrc-sp");
  gst_harness_set_src_caps_str (f.h, FROM_SDP);
  caps = gst_pad_get_current_caps (f.h->sinkpad);
  s = gst_caps_get_structure (caps, 0);
  fail_unless (gst_structure_get_boolean (s, "rtcp-fb-tfrc", &feedback)
      && feedback);
  fail_unless_equals_string (gst_structure_get_string (s, "tfrc-mode"),
      "tfrc-sp");
  fail_unless_equals_string (gst_structure_get_string (s, "extmap-4"),
      TFRC_STAMP_URI);
  gst_caps_unref (caps);
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_ERROR |
          GST_MESSAGE_WARNING) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

static void
check_refusal (const gchar * caps, const gchar * remedy)
{
  Filter f;
  gchar *text;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  gst_harness_set_src_caps_str (f.h, caps);
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 100)),
      GST_FLOW_NOT_NEGOTIATED);
  text = filter_get_error (&f, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, remedy) != NULL, "%s", text);
  g_free (text);
  filter_stop (&f);
}

GST_START_TEST (caps_that_rule_tfrc_out_are_refused)
{
  check_refusal (FROM_SDP ", rtcp-fb-nack=(boolean)true", "rtcp-fb-tfrc=true");
  check_refusal (FROM_SDP ", rtcp-fb-tfrc=(boolean)true, "
      "tfrc-mode=(string)tfrc", "Set mode=tfrc here");
}

GST_END_TEST;

/* --- settings --- */

static void
check_refused (const gchar * line, const gchar * property)
{
  GstElement *element = gst_parse_launch (line, NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, property) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_START_TEST (settings_that_contradict_are_an_error_that_names_them)
{
  check_refused ("rtptfrcsend experimental=experimental,target-bitrate=100000",
      "target-bitrate");
  check_refused ("rtptfrcsend mode=tfrc "
      "experimental=experimental,loss-measure=gradual", "loss-measure");
  check_refused
      ("rtptfrcreceive mode=tfrc experimental=experimental,loss-measure=gradual",
      "loss-measure");
}

GST_END_TEST;

/* An error names the field and those that there are. */
GST_START_TEST (a_wrong_experiment_is_an_error_that_names_the_right_ones)
{
  check_refused ("rtptfrcsend experimental=experimental,paceing=fluid",
      "paceing=fluid. The fields are loss-measure, a name of "
      "docs/loss-measures.md, pacing, rfc or fluid, and target-bitrate");
  check_refused ("rtptfrcsend experimental=experimental,pacing=liquid",
      "pacing=liquid");
  check_refused ("rtptfrcsend experimental=experimental,target-bitrate=-1",
      "target-bitrate=-1");
  check_refused ("rtptfrcreceive experimental=experimental,pacing=fluid",
      "pacing=fluid. The fields are loss-measure, a name of "
      "docs/loss-measures.md.");
}

GST_END_TEST;

GST_START_TEST (a_flow_that_is_none_of_small_packets_is_warned_of)
{
  Filter f;
  gchar *text;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp max-queue-packets=1");
  filter_push (&f, 1460);
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "mode=tfrc") != NULL);
  g_free (text);
  /* what has waited for the start comes at once, and a packet in 20 ms after that */
  for (i = 0; i < 300; i++)
    filter_push (&f, 100);
  for (i = 0; i < 250; i++) {
    filter_push (&f, 100);
    filter_advance (&f, 20 * GST_MSECOND);
  }
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  for (i = 0; i < 1000; i++) {
    filter_push (&f, 100);
    filter_advance (&f, 5 * GST_MSECOND);
  }
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "100 packets/s") != NULL);
  g_free (text);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_payload_type_that_looks_like_rtcp_is_warned_of)
{
  Filter f;
  gchar *text;

  filter_start (&f, "rtptfrcsend");
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)77, "
      "clock-rate=(int)48000, media=(string)audio");
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "96 to 127") != NULL, "%s", text);
  g_free (text);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_missing_session_is_warned_of_once)
{
  GstHarness *h = gst_harness_new ("rtptfrcsend");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  Filter f = { .h = h, .ssrc = OWN_SSRC };
  guint i;

  gst_element_set_bus (h->element, bus);
  gst_harness_set_src_caps_str (h, "application/x-rtp");
  for (i = 0; i < 120; i++)
    gst_harness_push (h, filter_new_packet (&f, 10));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
  gst_object_unref (bus);
}

GST_END_TEST;

static Suite *
send_settings_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend, settings");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, the_caps_say_all_of_tfrc);
  tcase_add_test (tc, caps_that_rule_tfrc_out_are_refused);
  tcase_add_test (tc, settings_that_contradict_are_an_error_that_names_them);
  tcase_add_test (tc, a_wrong_experiment_is_an_error_that_names_the_right_ones);
  tcase_add_test (tc, a_flow_that_is_none_of_small_packets_is_warned_of);
  tcase_add_test (tc, a_payload_type_that_looks_like_rtcp_is_warned_of);
  tcase_add_test (tc, a_missing_session_is_warned_of_once);
  return s;
}

GST_CHECK_MAIN (send_settings);
