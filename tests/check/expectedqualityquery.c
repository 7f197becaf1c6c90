/* gst-tfrc tests: the statistics of the sending elements tell what quality the encoder expects
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "ends.h"

#define TONE "audiotestsrc is-live=true ! tfrcencodebin "

static gdouble
get_quality (GstElement * encoder)
{
  gdouble quality;

  g_object_get (encoder, "expected-quality", &quality, NULL);
  return quality;
}

/* The field of the structure, or -1. */
static gdouble
get_field (const GstStructure * stats)
{
  gdouble quality;

  return gst_structure_get_double (stats, "expected-quality", &quality) ?
      quality : -1;
}

static gdouble
get_told (GstElement * element)
{
  GstStructure *stats;
  gdouble quality;

  g_object_get (element, "stats", &stats, NULL);
  quality = get_field (stats);
  gst_structure_free (stats);
  return quality;
}

/* The encoder begins with a cautious operating point and takes a better one, and the statistics follow it. */
GST_START_TEST (tfrcsink_tells_what_the_encoder_expects)
{
  Ends ends = { .source = ends_make_sound, .caps = ENDS_SOUND };
  GstElement *encoder;
  gdouble before;
  gchar *json;

  ends_start_receiver (&ends, "mode=tfrc-sp");
  ends_start_sender (&ends,
      "tfrcencodebin name=encoder ! tfrcsink name=sink mode=tfrc-sp");
  encoder = gst_bin_get_by_name (GST_BIN (ends.sender), "encoder");
  ends_play (&ends, GST_SECOND);
  before = get_quality (encoder);
  fail_unless (before > 3);
  fail_unless_equals_float (get_told (ends.sink), before);
  g_object_get (ends.sink, "stats-json", &json, NULL);
  fail_unless (strstr (json, "\"expected-quality\":") != NULL);
  g_free (json);

  ends_play (&ends, 8 * GST_SECOND);
  fail_unless (get_quality (encoder) > before + 0.1);
  fail_unless_equals_float (get_told (ends.sink), get_quality (encoder));

  /* Of a call that is over nothing is expected. */
  gst_element_set_state (ends.sender, GST_STATE_READY);
  fail_unless_equals_float (get_told (ends.sink), -1);
  gst_object_unref (encoder);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (packets_of_another_encoder_have_no_expected_quality)
{
  Ends ends = { 0 };

  ends_start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  fail_unless_equals_float (get_told (ends.sink), -1);
  ends_stop (&ends);
}

GST_END_TEST;

static void
expect_flow (const GstStructure * flow, GstElement * const *encoders)
{
  guint ssrc, own, i, found = 0;

  fail_unless (gst_structure_get_uint (flow, "ssrc", &ssrc));
  for (i = 0; i < 2; i++) {
    GstPad *pad = gst_element_get_static_pad (encoders[i], "src");
    GstCaps *caps = gst_pad_get_current_caps (pad);

    fail_unless (gst_structure_get_uint (gst_caps_get_structure (caps, 0),
            "ssrc", &own));
    if (own == ssrc) {
      fail_unless_equals_float (get_field (flow), get_quality (encoders[i]));
      found++;
    }
    gst_caps_unref (caps);
    gst_object_unref (pad);
  }
  fail_unless_equals_int (found, 1);
}

/* Two encoders reach one filter through a funnel and an RTP session. Each flow has the expectation of its own encoder. */
GST_START_TEST (each_flow_of_rtptfrcsend_tells_what_its_own_encoder_expects)
{
  GstElement *pipeline = gst_parse_launch ("rtpfunnel name=f "
      "! rtpsession ! rtptfrcsend name=send extension-id=1 "
      "! fakesink sync=false async=false "
      TONE "name=opus codecs=OPUS ! f. " TONE "name=g722 codecs=G722 ! f.",
      NULL);
  GstElement *send = gst_bin_get_by_name (GST_BIN (pipeline), "send");
  GstElement *encoders[] = { gst_bin_get_by_name (GST_BIN (pipeline), "opus"),
    gst_bin_get_by_name (GST_BIN (pipeline), "g722")
  };
  const GValue *flows;
  GstStructure *stats;
  guint i;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  net_run (2 * GST_SECOND);
  fail_unless (get_quality (encoders[0]) > get_quality (encoders[1]));
  fail_unless (get_quality (encoders[1]) > 1);
  g_object_get (send, "stats", &stats, NULL);
  flows = gst_structure_get_value (stats, "flows");
  fail_unless_equals_int (gst_value_array_get_size (flows), 2);
  for (i = 0; i < 2; i++)
    expect_flow (gst_value_get_structure (gst_value_array_get_value (flows,
                i)), encoders);
  expect_flow (stats, encoders);
  gst_structure_free (stats);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  for (i = 0; i < 2; i++)
    gst_object_unref (encoders[i]);
  gst_object_unref (send);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
qualityquery_suite (void)
{
  Suite *suite = suite_create ("expectedqualityquery");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, net_start, net_stop);
  tcase_add_test (tcase, tfrcsink_tells_what_the_encoder_expects);
  tcase_add_test (tcase, packets_of_another_encoder_have_no_expected_quality);
  tcase_add_test (tcase,
      each_flow_of_rtptfrcsend_tells_what_its_own_encoder_expects);
  return suite;
}

GST_CHECK_MAIN (qualityquery);
