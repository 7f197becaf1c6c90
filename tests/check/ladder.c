/* gst-tfrc: tests of the ladders of tfrcencodebin: the user's own, and music's
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <math.h>
#include <string.h>

#include "codec/encodechooser.h"
#include "base/rateevent.h"
#include "leaks.h"

#define RATE 48000
#define PIECE 960               /* samples, 20 ms */

GST_START_TEST (a_ladder_is_read_as_it_is_written)
{
  TfrcAdaptPoint points[TFRC_ADAPT_LADDER_MAX];
  GError *error = NULL;

  fail_unless_equals_int (gst_tfrc_ladder_parse ("opus 6000/60,\n"
          "  OPUS 24k/20 fec red1 , OPUS 128k/10 stereo, pcmu 64k/40 red2",
          points, &error), 4);
  fail_if (error != NULL);
  fail_unless_equals_int (points[0].bitrate, 6000);
  fail_unless_equals_int (points[0].frame_us, 60000);
  fail_unless_equals_int (points[0].channels, 1);
  fail_unless_equals_int (points[1].bitrate, 24000);
  fail_unless (points[1].fec);
  fail_unless_equals_int (points[1].redundancy, 1);
  fail_unless_equals_int (points[2].channels, 2);
  fail_unless_equals_int (points[3].codec, TFRC_ADAPT_CODEC_PCMU);
  fail_unless_equals_int (points[3].redundancy, 2);
}

GST_END_TEST;

/* What is written, and what the error must speak of. */
static const gchar *const mistakes[][2] = {
  {"", "empty"}, {"OPUS 16k/60, , OPUS 24k/20", "empty"},
  {"VORBIS 64k/20", "OPUS, G722"}, {"OPUS", "RATE/PTIME"},
  {"OPUS 16k", "RATE/PTIME"}, {"OPUS 16/x", "RATE/PTIME"},
  {"OPUS 16k/20 loud", "fec, red1, red2, stereo"},
  {"OPUS 16k/30", "10, 20, 40 and 60 ms"},
  {"OPUS 64k/20 fec", "up to 40000 bit/s"}, {"PCMU 64k/20 stereo", "mono"},
  {"OPUS 99999999k/20", "RATE/PTIME"}, {"GSM 13k/20", "bit rates"},
};

GST_START_TEST (a_mistake_in_a_ladder_is_an_error_that_says_how_to_write_it)
{
  GstElement *bin = gst_check_setup_element ("tfrcencodebin");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error = NULL;

  gst_element_set_bus (bin, bus);
  g_object_set (bin, "ladder", mistakes[__i__][0], NULL);
  fail_unless_equals_int (gst_element_set_state (bin, GST_STATE_READY),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR,
          GST_LIBRARY_ERROR_SETTINGS));
  fail_unless (strstr (error->message, "\"ladder\"") != NULL);
  fail_unless (strstr (error->message, mistakes[__i__][1]) != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_bus (bin, NULL);
  gst_object_unref (bus);
  gst_check_teardown_element (bin);
}

GST_END_TEST;

static GstHarness *h;
static guint64 at;              /* sample */
static gint channels;

static void
start (const gchar * line, gint n)
{
  gchar *caps = g_strdup_printf ("audio/x-raw,format=S16LE,rate=48000,"
      "layout=interleaved,channels=%d%s", n,
      n == 2 ? ",channel-mask=(bitmask)3" : "");

  h = gst_harness_new_parse (line);
  gst_harness_use_testclock (h);
  gst_harness_set_src_caps_str (h, caps);
  gst_harness_play (h);
  at = 0;
  channels = n;
  g_free (caps);
}

/* 400 Hz on the left, and a quarter of it, of 1000 Hz, on the right. */
static GstBuffer *
make_sound (void)
{
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, PIECE * 2 * channels, NULL);
  GstMapInfo map;
  gint16 *data;
  guint i;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  data = (gint16 *) map.data;
  for (i = 0; i < PIECE; i++) {
    data[i * channels] = 12000 * sin (2 * G_PI * 400 * (at + i) / RATE);
    if (channels == 2)
      data[i * 2 + 1] = 3000 * sin (2 * G_PI * 1000 * (at + i) / RATE);
  }
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (at, GST_SECOND, RATE);
  GST_BUFFER_DURATION (buffer) = 20 * GST_MSECOND;
  at += PIECE;
  return buffer;
}

/* Sound for `seconds` while `X_wire` bytes/s are allowed. */
static void
run (guint seconds, gdouble X_wire)
{
  GstTfrcRate rate = {
    .allowance.max_packet_rate = 100,
    .allowance.X = X_wire,
    .allowance.X_wire = X_wire,
    .loss = -1,
    .allowance.R = 0.1,
    .header_size = 40,
    .overhead = 24,
    .mode = TFRC_MODE_TFRC_SP,
    .reason = GST_TFRC_RATE_REPORT,
    .ssrc = 1
  };
  guint i;

  for (i = 0; i < seconds * 50; i++) {
    if (i % 5 == 0)
      gst_harness_push_upstream_event (h, gst_tfrc_rate_event_new (&rate));
    fail_unless_equals_int (gst_harness_push (h, make_sound ()), GST_FLOW_OK);
    gst_harness_set_time (h, gst_util_uint64_scale (at, GST_SECOND, RATE));
  }
}

static guint
get_uint (const gchar * property)
{
  guint value;

  gst_harness_get (h, "tfrcencodebin", property, &value, NULL);
  return value;
}

GST_START_TEST (only_the_users_own_points_are_used)
{
  start
      ("tfrcencodebin ladder=\"OPUS 9000/60, OPUS 13k/60, OPUS 17k/40, OPUS 28k/40\"",
      1);
  run (25, 20000);
  fail_unless_equals_int (get_uint ("current-bitrate"), 28000);
  fail_unless_equals_int (get_uint ("current-redundancy"), 0);
  run (3, 25 * (85 + 64) * 1.05);
  fail_unless_equals_int (get_uint ("current-bitrate"), 17000);
  run (8, 17 * (68 + 64) * 1.05);
  fail_unless_equals_int (get_uint ("current-bitrate"), 9000);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Root mean square of one channel in what came out last. */
static gdouble
get_level (GstBuffer * buffer, guint channel)
{
  GstMapInfo map;
  gdouble power = 0;
  gsize n, i;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  n = map.size / 4;
  for (i = 0; i < n; i++) {
    gdouble v = ((gint16 *) map.data)[2 * i + channel];

    power += v * v;
  }
  gst_buffer_unmap (buffer, &map);
  return sqrt (power / n);
}

static GstBuffer *
take_last (void)
{
  GstBuffer *last = NULL, *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    gst_clear_buffer (&last);
    last = buffer;
  }
  fail_unless (last != NULL);
  return last;
}

static void
check_sides (gdouble left, gdouble right)
{
  GstBuffer *last = take_last ();

  fail_unless (ABS (get_level (last, 0) - left) < 0.1 * left, "left %.0f",
      get_level (last, 0));
  fail_unless (ABS (get_level (last, 1) - right) < 0.1 * left, "right %.0f",
      get_level (last, 1));
  gst_buffer_unref (last);
}

#define STEREO_OUT "audio/x-raw,format=S16LE,rate=48000,layout=interleaved," \
    "channels=2,channel-mask=(bitmask)3"
#define RMS(peak) ((peak) / G_SQRT2)

GST_START_TEST (music_is_stereo_from_end_to_end_and_climbs_to_what_is_allowed)
{
  start ("tfrcencodebin content=music ! tfrcdecodebin", 2);
  gst_harness_set_sink_caps_str (h, STEREO_OUT);
  fail_unless_equals_int (get_uint ("min-bitrate"), 32000);
  run (3, 50 * (160 + 64));
  fail_unless_equals_int (get_uint ("current-channels"), 2);
  fail_unless (get_uint ("current-bitrate") >= 48000);
  check_sides (RMS (12000), RMS (3000));
  run (40, 100000);
  fail_unless (get_uint ("current-bitrate") >= 128000, "%u bit/s",
      get_uint ("current-bitrate"));
  check_sides (RMS (12000), RMS (3000));
  gst_harness_teardown (h);
}

GST_END_TEST;

/* And what is set stays set. */
GST_START_TEST (content_changes_only_the_bit_rates_that_were_not_set)
{
  start ("tfrcencodebin max-bitrate=96000 content=music", 2);
  fail_unless_equals_int (get_uint ("max-bitrate"), 96000);
  fail_unless_equals_int (get_uint ("min-bitrate"), 32000);
  fail_unless_equals_int (get_uint ("bitrate"), 64000);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Points of one and of two channels take turns; the decoder follows. */
GST_START_TEST (a_switch_between_mono_and_stereo_is_followed)
{
  start ("tfrcencodebin content=music ladder=\"OPUS 32k/20, OPUS 48k/20, "
      "OPUS 64k/20 stereo, OPUS 96k/20 stereo\" ! tfrcdecodebin", 2);
  gst_harness_set_sink_caps_str (h, STEREO_OUT);
  run (15, 100000);
  fail_unless_equals_int (get_uint ("current-channels"), 2);
  check_sides (RMS (12000), RMS (3000));
  run (3, 50 * (80 + 64) * 1.05);
  fail_unless_equals_int (get_uint ("current-channels"), 1);
  /* the mean of both, on both sides */
  check_sides (RMS (sqrt (6000 * 6000 + 1500 * 1500)),
      RMS (sqrt (6000 * 6000 + 1500 * 1500)));
  run (25, 100000);
  fail_unless_equals_int (get_uint ("current-channels"), 2);
  check_sides (RMS (12000), RMS (3000));
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
ladder_suite (void)
{
  Suite *s = suite_create ("ladder");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_test (tc, a_ladder_is_read_as_it_is_written);
  tcase_add_loop_test (tc,
      a_mistake_in_a_ladder_is_an_error_that_says_how_to_write_it, 0,
      G_N_ELEMENTS (mistakes));
  tcase_add_test (tc, only_the_users_own_points_are_used);
  tcase_add_test (tc,
      music_is_stereo_from_end_to_end_and_climbs_to_what_is_allowed);
  tcase_add_test (tc, content_changes_only_the_bit_rates_that_were_not_set);
  tcase_add_test (tc, a_switch_between_mono_and_stereo_is_followed);
  return s;
}

GST_CHECK_MAIN (ladder);
