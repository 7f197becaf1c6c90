/* gst-tfrc tests: the tables of codecs and encoders, and the reasons of a choice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "codec/codectable.h"
#include "codec/encodechooser.h"
#include "have.h"
#include "leaks.h"

/* --- codecs --- */

/* Payload types of RFC 3551, and dynamic ones: RED has one for each clock rate. */
GST_START_TEST (payload_types_have_their_parameters)
{
  static const gchar *const expected[] = {
    "96 OPUS 48000", "98 OPUS 48000", "9 G722 8000", "0 PCMU 8000",
    "8 PCMA 8000", "3 GSM 8000", "99 AMR-WB 16000", "102 SPEEX 16000",
    "97 RED 48000", "100 RED 8000", "101 RED 16000"
  };
  GstCaps *caps = gst_tfrc_codec_get_default_caps ();

  fail_unless_equals_int (gst_caps_get_size (caps), G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    const GstStructure *s = gst_caps_get_structure (caps, i);
    const gchar *name = gst_structure_get_string (s, "encoding-name");
    gint pt = -1, clock_rate = 0;
    gchar *text;

    fail_unless (gst_structure_has_name (s, "application/x-rtp"));
    fail_unless_equals_string (gst_structure_get_string (s, "media"), "audio");
    gst_structure_get (s, "payload", G_TYPE_INT, &pt, "clock-rate", G_TYPE_INT,
        &clock_rate, NULL);
    text = g_strdup_printf ("%d %s %d", pt, name, clock_rate);
    fail_unless_equals_string (text, expected[i]);
    g_free (text);
    /* RFC 7587 6.1, RFC 4867 8.1 */
    fail_unless_equals_string (gst_structure_get_string (s, "sprop-stereo"),
        i == 0 ? "0" : i == 1 ? "1" : NULL);
    fail_unless_equals_string (gst_structure_get_string (s, "octet-align"),
        i == 6 ? "1" : NULL);
  }
  gst_caps_unref (caps);
}

GST_END_TEST;

GST_START_TEST (codecs_are_found_by_name_and_channels)
{
  const GstTfrcCodec *mono = gst_tfrc_codec_find ("Opus"), *stereo;
  GstStructure *s = gst_structure_new ("application/x-rtp", "encoding-name",
      G_TYPE_STRING, "OPUS", "sprop-stereo", G_TYPE_STRING, "1", NULL);

  fail_unless_equals_int (mono->channels, 1);
  fail_unless_equals_int (mono->pt, 96);
  stereo = gst_tfrc_codec_get (TFRC_ADAPT_CODEC_OPUS, 2);
  fail_unless_equals_int (stereo->channels, 2);
  fail_unless_equals_int (stereo->pt, 98);
  fail_unless (gst_tfrc_codec_get (TFRC_ADAPT_CODEC_OPUS, 1) == mono);
  /* a codec that has one channel has it, whatever is asked for */
  fail_unless (gst_tfrc_codec_get (TFRC_ADAPT_CODEC_PCMU, 2) ==
      gst_tfrc_codec_find ("pcmu"));
  fail_unless (gst_tfrc_codec_find ("MP3") == NULL);
  fail_unless (gst_tfrc_codec_find (NULL) == NULL);
  fail_unless (gst_tfrc_codec_find_caps (s) == stereo);
  gst_structure_set (s, "sprop-stereo", G_TYPE_STRING, "0", NULL);
  fail_unless (gst_tfrc_codec_find_caps (s) == mono);
  gst_structure_set (s, "encoding-name", G_TYPE_STRING, "none", NULL);
  fail_unless (gst_tfrc_codec_find_caps (s) == NULL);
  gst_structure_free (s);
  fail_unless_equals_int (gst_tfrc_codec_get_red_pt (48000), 97);
  fail_unless_equals_int (gst_tfrc_codec_get_red_pt (8000), 100);
  fail_unless_equals_int (gst_tfrc_codec_get_red_pt (16000), 101);
}

GST_END_TEST;

/* What the far end has told stays. */
GST_START_TEST (fields_that_are_missing_are_added)
{
  const GstTfrcCodec *codec = gst_tfrc_codec_find ("AMR-WB");
  GstStructure *s = gst_structure_new ("application/x-rtp", "octet-align",
      G_TYPE_STRING, "0", NULL);

  gst_tfrc_codec_complete (codec, s);
  fail_unless_equals_string (gst_structure_get_string (s, "octet-align"), "0");
  fail_unless_equals_string (gst_structure_get_string (s, "encoding-params"),
      "1");
  fail_unless_equals_string (gst_structure_get_string (s, "encoding-name"),
      "AMR-WB");
  gst_structure_free (s);
}

GST_END_TEST;

GST_START_TEST (elements_are_made_as_the_table_says)
{
  GstElement *element;
  gboolean plc = FALSE;

  element = gst_tfrc_codec_make ("opusdec", "plc=true use-inband-fec=true");
  g_object_get (element, "plc", &plc, NULL);
  fail_unless (plc);
  gst_object_unref (element);
  fail_unless (gst_tfrc_codec_make ("no-such-element", "a=b") == NULL);
  element = gst_tfrc_codec_make ("identity", NULL);
  gst_object_unref (element);
  element = gst_tfrc_codec_make_depayloader (gst_tfrc_codec_find ("SPEEX"));
  fail_unless_equals_string (G_OBJECT_TYPE_NAME (element), "GstTfrcSpeexDepay");
  gst_object_unref (element);
  element = gst_tfrc_codec_make_depayloader (gst_tfrc_codec_find ("PCMU"));
  fail_unless_equals_string (G_OBJECT_TYPE_NAME (element), "GstRtpPcmuDepay");
  gst_object_unref (element);
}

GST_END_TEST;

/* --- encoders --- */

/* In the order of the documentation's table (docs/using.md). */
static const struct
{
  const gchar *factory, *property;
  guint unit;
  gboolean restart;
} encoders[] = {
  {"x264enc", "bitrate", 1000, FALSE}, {"x265enc", "bitrate", 1000, FALSE},
  {"openh264enc", "bitrate", 1, FALSE}, {"vp8enc", "target-bitrate", 1, FALSE},
  {"vp9enc", "target-bitrate", 1, FALSE}, {"av1enc", "target-bitrate", 1000,
      FALSE}, {"theoraenc", "bitrate", 1000, FALSE}, {"opusenc", "bitrate", 1,
      FALSE}, {"tfrcopusenc", "bitrate", 1, FALSE}, {"voamrwbenc", "band-mode",
      1, FALSE}, {"speexenc", "bitrate", 1,
      TRUE}, {"voaacenc", "bitrate", 1, TRUE}, {"lamemp3enc", "bitrate", 1000,
      TRUE}, {"avenc_g722", NULL, 1, FALSE}, {"avenc_adpcm_ima_wav", NULL, 1,
      FALSE}, {"avenc_aac", "bitrate", 1, TRUE}, {"avenc_mpeg4", "bitrate", 1,
      TRUE},
};

GST_START_TEST (encoders_take_their_bit_rate_as_the_table_says)
{
  GstElement *element;
  const GstTfrcEncoderEntry *entry;

  if (!have (encoders[__i__].factory))
    return;
  element = gst_element_factory_make (encoders[__i__].factory, NULL);
  entry = gst_tfrc_encoder_entry_find (element);
  fail_unless (entry != NULL);
  fail_unless_equals_string (entry->property, encoders[__i__].property);
  fail_unless_equals_int (entry->unit, encoders[__i__].unit);
  fail_unless_equals_int (entry->restart, encoders[__i__].restart);
  fail_unless_equals_int (gst_tfrc_encoder_entry_set (entry, element, 64000),
      encoders[__i__].property != NULL);
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (an_encoder_of_no_table_has_no_entry)
{
  GstElement *element = gst_element_factory_make ("mulawenc", NULL);
  GstTfrcEncoderEntry entry = { "mulawenc", "no-such-property", 1 };

  fail_unless (gst_tfrc_encoder_entry_find (element) == NULL);
  fail_if (gst_tfrc_encoder_entry_set (&entry, element, 64000));
  gst_object_unref (element);
}

GST_END_TEST;

/* RFC 4867 3.6: the modes of AMR-WB. */
GST_START_TEST (amr_wb_gets_the_highest_mode_that_is_allowed)
{
  static const guint modes[][2] = {
    {100, 0}, {6600, 0}, {8849, 0}, {8850, 1}, {12650, 2}, {14250, 3},
    {15850, 4}, {18250, 5}, {19850, 6}, {23050, 7}, {23849, 7}, {23850, 8},
    {64000, 8}
  };
  GstElement *element;
  gint mode;

  if (!have ("voamrwbenc"))
    return;
  element = gst_element_factory_make ("voamrwbenc", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    fail_unless (gst_tfrc_encoder_entry_set (gst_tfrc_encoder_entry_find
            (element), element, modes[i][0]));
    g_object_get (element, "band-mode", &mode, NULL);
    fail_unless_equals_int (mode, modes[i][1]);
  }
  gst_object_unref (element);
}

GST_END_TEST;

/* In the property's type, unit and range. */
GST_START_TEST (bit_rates_are_numbers_that_the_property_takes)
{
  GstElement *element = gst_element_factory_make ("opusenc", NULL);
  GstTfrcEncoderEntry entry = { "opusenc", "complexity", 1000 };
  gint complexity;

  gst_tfrc_encoder_entry_set (&entry, element, 7999);
  g_object_get (element, "complexity", &complexity, NULL);
  fail_unless_equals_int (complexity, 7);
  gst_tfrc_encoder_entry_set (&entry, element, 999);
  g_object_get (element, "complexity", &complexity, NULL);
  fail_unless_equals_int (complexity, 1);
  gst_tfrc_encoder_entry_set (&entry, element, 99999);
  g_object_get (element, "complexity", &complexity, NULL);
  fail_unless_equals_int (complexity, 10);
  gst_object_unref (element);
}

GST_END_TEST;

/* --- the chooser --- */

static GstTfrcRate
make_rate (gdouble X_wire)
{
  return (GstTfrcRate) {
      .allowance = {
        .max_packet_rate = 100,
        .X = X_wire,
        .X_wire = X_wire,
        .R = 0.1,
        .s = 100
      },
      .loss = -1,
      .header_size = 40,
      .overhead = 24,
      .mode = TFRC_MODE_TFRC_SP,
      .reason = GST_TFRC_RATE_REPORT
  };
}

/* Tells `X_wire` for `seconds`, and returns the first reason of another choice. */
static const gchar *
run_chooser (GstTfrcChooser * chooser, gdouble X_wire, guint seconds,
    GstClockTime * now, TfrcAdaptChoice * choice)
{
  GstTfrcRate rate = make_rate (X_wire);
  const gchar *reason;

  for (guint i = 0; i < 10 * seconds; i++, *now += 100 * GST_MSECOND) {
    gst_tfrc_chooser_on_rate (chooser, &rate, *now);
    gst_tfrc_chooser_on_encoded (chooser, 60, *now);
    reason = gst_tfrc_chooser_poll (chooser, choice, *now);
    if (reason != NULL)
      return reason;
  }
  return "";
}

/* The log of tfrcencodebin tells the reason. */
GST_START_TEST (a_choice_has_a_reason)
{
  GstTfrcChooser *chooser = gst_tfrc_chooser_new ();
  TfrcAdaptPoint *points = g_new (TfrcAdaptPoint, TFRC_ADAPT_LADDER_MAX);
  guint n = gst_tfrc_ladder_parse ("OPUS 16k/60, OPUS 32k/20", points, NULL);
  GstClockTime now = GST_SECOND;
  TfrcAdaptConfig config;
  TfrcAdaptChoice choice;

  fail_unless_equals_int (n, 2);
  fail_unless (gst_tfrc_chooser_poll (chooser, &choice, now) == NULL);
  tfrc_adapt_config_init (&config);
  config.start_bitrate = 16000;
  gst_tfrc_chooser_configure (chooser, points, 0, &config, TRUE, now);
  fail_unless (gst_tfrc_chooser_poll (chooser, &choice, now) == NULL);
  gst_tfrc_chooser_configure (chooser, points, n, &config, TRUE, now);
  fail_unless_equals_string (gst_tfrc_chooser_poll (chooser, &choice, now),
      "the settings are new");
  fail_unless (gst_tfrc_chooser_poll (chooser, &choice, now) == NULL);
  fail_unless_equals_int (choice.point.bitrate, 16000);
  fail_unless_equals_string (run_chooser (chooser, 50000, 60, &now, &choice),
      "the data receiver answers");
  fail_unless (gst_tfrc_chooser_is_answered (chooser));
  fail_unless_equals_string (run_chooser (chooser, 50000, 60, &now, &choice),
      "it is rated better than the point before");
  fail_unless_equals_int (choice.point.bitrate, 32000);
  fail_unless_equals_string (run_chooser (chooser, 4000, 60, &now, &choice),
      "the point before needs more than is allowed");
  fail_unless_equals_int (choice.point.bitrate, 16000);
  fail_unless_equals_string (run_chooser (chooser, 100, 120, &now, &choice),
      "even the cheapest point needs more than is allowed");
  fail_unless (choice.suspended);
  fail_unless_equals_string (run_chooser (chooser, 4000, 600, &now, &choice),
      "the average is within what is allowed again");
  fail_if (choice.suspended);
  /* a new ladder begins with what is known of the path */
  gst_tfrc_chooser_configure (chooser, points, n, &config, FALSE, now);
  fail_unless_equals_string (gst_tfrc_chooser_poll (chooser, &choice, now),
      "the settings are new");
  fail_unless_equals_string (run_chooser (chooser, 100, 120, &now, &choice), "");       /* it does not adapt */
  gst_tfrc_chooser_free (chooser);
  g_free (points);
}

GST_END_TEST;

/* The bit rate of the first choice that the chooser makes with these settings. */
static guint
configure (GstTfrcChooser * chooser, const TfrcAdaptPoint * points,
    gboolean adaptive, GstClockTime now)
{
  TfrcAdaptConfig config;
  TfrcAdaptChoice choice;

  tfrc_adapt_config_init (&config);
  config.start_bitrate = 32000;
  gst_tfrc_chooser_configure (chooser, points, 2, &config, adaptive, now);
  fail_unless_equals_string (gst_tfrc_chooser_poll (chooser, &choice, now),
      "the settings are new");
  return choice.point.bitrate;
}

/* New settings do not make what was known of the path unknown. */
GST_START_TEST (a_new_ladder_begins_with_what_the_path_allows)
{
  GstTfrcChooser *chooser = gst_tfrc_chooser_new ();
  TfrcAdaptPoint *points = g_new (TfrcAdaptPoint, TFRC_ADAPT_LADDER_MAX);
  GstClockTime now = GST_SECOND;
  TfrcAdaptChoice choice;

  fail_unless_equals_int (gst_tfrc_ladder_parse ("OPUS 16k/20, OPUS 32k/20",
          points, NULL), 2);
  fail_unless_equals_int (configure (chooser, points, TRUE, now), 32000);
  run_chooser (chooser, 3000, 1, &now, &choice);
  fail_unless_equals_int (choice.point.bitrate, 16000);
  fail_unless_equals_int (configure (chooser, points, TRUE, now), 16000);
  /* one that does not adapt has no use for it */
  fail_unless_equals_int (configure (chooser, points, FALSE, now), 32000);
  gst_tfrc_chooser_free (chooser);
  g_free (points);
}

GST_END_TEST;

static Suite *
codectable_suite (void)
{
  Suite *suite = suite_create ("codec table");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, payload_types_have_their_parameters);
  tcase_add_test (tcase, codecs_are_found_by_name_and_channels);
  tcase_add_test (tcase, fields_that_are_missing_are_added);
  tcase_add_test (tcase, elements_are_made_as_the_table_says);
  tcase_add_loop_test (tcase, encoders_take_their_bit_rate_as_the_table_says, 0,
      G_N_ELEMENTS (encoders));
  tcase_add_test (tcase, an_encoder_of_no_table_has_no_entry);
  tcase_add_test (tcase, amr_wb_gets_the_highest_mode_that_is_allowed);
  tcase_add_test (tcase, bit_rates_are_numbers_that_the_property_takes);
  tcase_add_test (tcase, a_choice_has_a_reason);
  tcase_add_test (tcase, a_new_ladder_begins_with_what_the_path_allows);
  return suite;
}

HAVE_CHECK_MAIN (codectable);
