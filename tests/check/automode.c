/* gst-tfrc tests: mode=auto, in which each flow has the mode that suits it and the data receiver follows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"

#include <string.h>

#define VIDEO_SSRC OTHER_SSRC
#define AUDIO "application/x-rtp, media=(string)audio, clock-rate=(int)48000, " \
    "encoding-name=(string)OPUS, payload=(int)96"
#define VIDEO "application/x-rtp, media=(string)video, clock-rate=(int)90000, " \
    "encoding-name=(string)VP8, payload=(int)97"
#define UNKNOWN "application/x-rtp, clock-rate=(int)90000, payload=(int)98"

/* The mode of the flow of `ssrc` in the stats; NULL: there is no such flow. */
static gchar *
get_mode (Filter * f, guint32 ssrc)
{
  GstStructure *stats;
  const GValue *flows;
  gchar *mode = NULL;
  guint i, of;

  g_object_get (f->element, "stats", &stats, NULL);
  flows = gst_structure_get_value (stats, "flows");
  for (i = 0; i < gst_value_array_get_size (flows); i++) {
    const GstStructure *flow = gst_value_get_structure
        (gst_value_array_get_value (flows, i));

    if (gst_structure_get_uint (flow, "ssrc", &of) && of == ssrc)
      mode = g_strdup (gst_structure_get_string (flow, "mode"));
  }
  gst_structure_free (stats);
  return mode;
}

static void
expect_mode (Filter * f, guint32 ssrc, const gchar * expected)
{
  gchar *mode = get_mode (f, ssrc);

  fail_unless_equals_string (mode, expected);
  g_free (mode);
}

static void
start (Filter * f, const gchar * line, const gchar * caps)
{
  filter_start (f, line);
  gst_harness_set_src_caps_str (f->h, caps);
}

static void
push_type (Filter * f, guint payload, guint type)
{
  GstBuffer *buffer = filter_new_packet (f, payload);

  gst_buffer_memset (buffer, 1, type, 1);
  gst_harness_push (f->h, buffer);
}

/* So many packets of `payload` bytes, each `distance` after the one before. */
static void
push_many (Filter * f, guint n, guint payload, GstClockTime distance)
{
  guint i;

  for (i = 0; i < n; i++) {
    filter_push (f, payload);
    filter_advance (f, distance);
    filter_settle (f);
  }
}

/* What the encoder is told. */
static void
expect_rate_mode (Filter * f, const gchar * mode)
{
  GstStructure *rate, *last = NULL;

  while ((rate = filter_take_rate (f)) != NULL) {
    gst_clear_structure (&last);
    last = rate;
  }
  fail_unless (last != NULL);
  fail_unless_equals_string (gst_structure_get_string (last, "mode"), mode);
  gst_structure_free (last);
}

static void
expect_caps_mode (Filter * f, const gchar * mode)
{
  GstCaps *caps = gst_pad_get_current_caps (f->h->sinkpad);

  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure
          (caps, 0), "tfrc-mode"), mode);
  gst_caps_unref (caps);
}

/* --- the data sender --- */

GST_START_TEST (audio_alone_is_tfrc_sp)
{
  Filter f;

  start (&f, "rtptfrcsend", AUDIO);
  filter_push (&f, 80);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  expect_rate_mode (&f, "tfrc-sp");
  expect_caps_mode (&f, "tfrc-sp");
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (video_alone_is_tfrc)
{
  Filter f;

  start (&f, "rtptfrcsend", VIDEO);
  push_type (&f, 1000, 97);
  expect_mode (&f, OWN_SSRC, "tfrc");
  expect_rate_mode (&f, "tfrc");
  expect_caps_mode (&f, "tfrc");
  filter_stop (&f);
}

GST_END_TEST;

static GstCaps *
on_pt_map (GstElement * rtpsession, guint pt, gpointer data)
{
  return pt == 96 || pt == 97 ? gst_caps_from_string (pt == 96 ? AUDIO :
      VIDEO) : NULL;
}

/* As in a bundle of webrtcbin: the caps of the pad are those of the funnel. */
GST_START_TEST (audio_and_video_of_one_session_have_modes_of_their_own)
{
  Filter f;

  start (&f, "rtptfrcsend", "application/x-rtp");
  g_signal_connect (f.rtpsession, "request-pt-map", G_CALLBACK (on_pt_map),
      NULL);
  g_object_set (f.element, "rtp-session", f.rtpsession, NULL);
  push_type (&f, 80, 96);
  f.ssrc = VIDEO_SSRC;
  push_type (&f, 1000, 97);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  expect_mode (&f, VIDEO_SSRC, "tfrc");
  filter_stop (&f);
}

GST_END_TEST;

/* Music of 510 kbit/s: 1275 bytes in 20 ms are within what RFC 4828 is for. */
GST_START_TEST (large_packets_of_audio_are_tfrc_sp)
{
  Filter f;

  start (&f, "rtptfrcsend", AUDIO);
  push_many (&f, 200, 1275, FRAME);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

/* Samples of 1.5 Mbit/s in packets near the MTU, 137 in a second. */
GST_START_TEST (audio_of_many_packets_goes_over_to_tfrc)
{
  Filter f;

  start (&f, "rtptfrcsend", AUDIO);
  push_many (&f, 10, 1388, 7 * GST_MSECOND);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  push_many (&f, 700, 1388, 7 * GST_MSECOND);
  expect_mode (&f, OWN_SSRC, "tfrc");
  expect_rate_mode (&f, "tfrc");
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

/* What has waited for the start comes at once. */
GST_START_TEST (a_burst_at_the_start_decides_nothing)
{
  Filter f;

  start (&f, "rtptfrcsend max-queue-time=0", AUDIO);
  push_many (&f, 200, 80, 0);
  push_many (&f, 300, 80, FRAME);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  filter_stop (&f);
  start (&f, "rtptfrcsend max-queue-time=0", UNKNOWN);
  f.ssrc = OTHER_SSRC;
  push_many (&f, 64, 80, 0);
  expect_mode (&f, OTHER_SSRC, "tfrc");
  push_many (&f, 128, 80, FRAME);
  expect_mode (&f, OTHER_SSRC, "tfrc-sp");
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (packets_of_unknown_media_are_judged_by_size_and_rate)
{
  static const struct
  {
    guint payload;
    GstClockTime distance;
    const gchar *mode;
  } cases[] = {
    {80, FRAME, "tfrc-sp"}, {1000, FRAME, "tfrc"},
    {80, 5 * GST_MSECOND, "tfrc"},
  };
  Filter f;

  start (&f, "rtptfrcsend", UNKNOWN);
  f.ssrc = OTHER_SSRC;
  push_many (&f, 10, cases[__i__].payload, cases[__i__].distance);
  expect_mode (&f, OTHER_SSRC, "tfrc");
  push_many (&f, 100, cases[__i__].payload, cases[__i__].distance);
  expect_mode (&f, OTHER_SSRC, cases[__i__].mode);
  filter_stop (&f);
}

GST_END_TEST;

/* What both ends have negotiated holds, whatever the media and the packets are. */
GST_START_TEST (a_mode_that_was_negotiated_holds)
{
  Filter f;

  start (&f, "rtptfrcsend", AUDIO ", tfrc-mode=(string)tfrc");
  push_many (&f, 100, 80, FRAME);
  expect_mode (&f, OWN_SSRC, "tfrc");
  filter_stop (&f);
  start (&f, "rtptfrcsend", VIDEO ", tfrc-mode=(string)tfrc-sp");
  push_many (&f, 100, 1388, 7 * GST_MSECOND);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_mode_that_was_set_holds)
{
  Filter f;

  start (&f, "rtptfrcsend mode=tfrc", AUDIO);
  push_many (&f, 100, 80, FRAME);
  expect_mode (&f, OWN_SSRC, "tfrc");
  filter_stop (&f);
}

GST_END_TEST;

static void
announce (Filter * f, guint32 ssrc, TfrcMode mode, guint8 flags)
{
  guint8 words[12] = { mode, 0, 0, 40, 0, 0, 0, flags };
  GstBuffer *app = gst_buffer_new_memdup (words, sizeof words);

  g_signal_emit_by_name (f->session, "on-app-rtcp", 0, ssrc, "TFRC", app);
  gst_buffer_unref (app);
}

/* The mode in the APP packet of the RTCP that leaves next; -1: there is none. */
static gint
take_announced_mode (Filter * f)
{
  GBytes *bytes = filter_send_rtcp (f, TRUE, FALSE);
  gsize i, size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  gint mode = -1;

  for (i = 0; i + 20 <= size; i += 4)
    if (data[i + 1] == GST_RTCP_TYPE_APP && memcmp (data + i + 8, "TFRC",
            4) == 0)
      mode = data[i + 12];
  g_bytes_unref (bytes);
  return mode;
}

/* A data receiver that follows has another mode until it is told; one that does not is warned of. */
GST_START_TEST (a_data_receiver_that_follows_is_no_difference)
{
  GstMessage *message;
  Filter f;

  start (&f, "rtptfrcsend", AUDIO);
  send_open_path (&f);
  announce (&f, PEER_SSRC, TFRC_MODE_TFRC, 1 | 2 | 16);
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  announce (&f, PEER_SSRC, TFRC_MODE_TFRC, 1 | 2);
  message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  filter_stop (&f);
}

GST_END_TEST;

/* That of the last rate event, which comes with a report. */
static guint64
take_playout (Filter * f)
{
  GstStructure *rate, *last = NULL;
  guint64 playout = 0;
  TfrcStamp stamp;

  filter_push (f, 1100);
  stamp = filter_take_stamp (f);
  filter_advance (f, 600 * GST_MSECOND);
  filter_report (f, stamp.t_i_us, 0, 10000, 0);
  while ((rate = filter_take_rate (f)) != NULL) {
    g_clear_pointer (&last, gst_structure_free);
    last = rate;
  }
  fail_unless (last != NULL);
  fail_unless (gst_structure_get_uint64 (last, "playout", &playout));
  gst_structure_free (last);
  return playout;
}

/* The upper half of the flags. What anybody else says does not count. */
GST_START_TEST (a_data_receiver_says_its_playout)
{
  guint8 words[8] = { TFRC_MODE_TFRC_SP, 0, 0, 40, 400 >> 8, 400 & 255, 0, 3 };
  GstBuffer *app = gst_buffer_new_memdup (words, sizeof words);
  Filter f;

  start (&f, "rtptfrcsend", AUDIO);
  send_open_path (&f);
  g_signal_emit_by_name (f.session, "on-app-rtcp", 0, PEER_SSRC + 1, "TFRC",
      app);
  fail_unless_equals_uint64 (take_playout (&f), 0);
  g_signal_emit_by_name (f.session, "on-app-rtcp", 0, PEER_SSRC, "TFRC", app);
  fail_unless_equals_uint64 (take_playout (&f), 400 * GST_MSECOND);
  gst_buffer_unref (app);
  filter_stop (&f);
}

GST_END_TEST;

/* A plain phone sends its first receiver report up to 5 s after the first packet (RFC 3550 6.2). The choice of the mode
 * makes the engine anew, which waits for that report as before. */
GST_START_TEST (the_first_receiver_report_is_waited_for_in_the_chosen_mode)
{
  static const gchar *const lines[] = { "rtptfrcsend feedback=rr",
    "rtptfrcsend", "rtptfrcsend feedback=rr mode=tfrc"
  };
  static const gchar *const caps[] = { VIDEO,
    VIDEO ", rtcp-fb-nack=(boolean)true", VIDEO
  };
  gdouble X;
  Filter f;

  start (&f, lines[__i__], caps[__i__]);
  push_many (&f, 10, 500, FRAME);
  expect_mode (&f, OWN_SSRC, "tfrc");
  X = filter_get_rate (&f, "X");
  push_many (&f, 400, 500, FRAME);
  fail_unless (filter_get_rate (&f, "X") == X, "%g, before %g",
      filter_get_rate (&f, "X"), X);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 0);
  filter_stop (&f);
}

GST_END_TEST;

/* --- the data receiver --- */

GST_START_TEST (the_data_receiver_guesses_as_the_data_sender_chooses)
{
  static const gchar *const caps[] = { AUDIO, VIDEO, UNKNOWN,
    VIDEO ", tfrc-mode=(string)tfrc-sp, extmap-3=(string)" TFRC_STAMP_URI
  };
  static const gchar *const modes[] = { "tfrc-sp", "tfrc", "tfrc", "tfrc-sp" };
  Filter f;

  start (&f, "rtptfrcreceive", caps[__i__]);
  filter_push_stamped (&f, 100000, 0);
  expect_mode (&f, OWN_SSRC, modes[__i__]);
  filter_stop (&f);
}

GST_END_TEST;

/* The data sender of audio runs in TFRC. The data receiver takes that over, says so, and complains of nothing. */
GST_START_TEST (the_data_receiver_follows_the_data_sender)
{
  Filter f;

  start (&f, "rtptfrcreceive", AUDIO);
  filter_push_stamped (&f, 100000, 0);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  fail_unless_equals_int (take_announced_mode (&f), TFRC_MODE_TFRC_SP);
  announce (&f, OTHER_SSRC, TFRC_MODE_TFRC, 2);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  announce (&f, OWN_SSRC, TFRC_MODE_TFRC, 2);
  expect_mode (&f, OWN_SSRC, "tfrc");
  fail_unless_equals_int (take_announced_mode (&f), TFRC_MODE_TFRC);
  /* there is no such mode */
  announce (&f, OWN_SSRC, 7, 2);
  expect_mode (&f, OWN_SSRC, "tfrc");
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_data_receiver_whose_mode_was_set_tells_of_a_difference)
{
  GstMessage *message;
  Filter f;

  start (&f, "rtptfrcreceive mode=tfrc-sp", AUDIO);
  filter_push_stamped (&f, 100000, 0);
  announce (&f, OWN_SSRC, TFRC_MODE_TFRC, 2);
  expect_mode (&f, OWN_SSRC, "tfrc-sp");
  message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
auto_mode_suite (void)
{
  Suite *s = suite_create ("automode");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, audio_alone_is_tfrc_sp);
  tcase_add_test (tc, video_alone_is_tfrc);
  tcase_add_test (tc, audio_and_video_of_one_session_have_modes_of_their_own);
  tcase_add_test (tc, large_packets_of_audio_are_tfrc_sp);
  tcase_add_test (tc, audio_of_many_packets_goes_over_to_tfrc);
  tcase_add_test (tc, a_burst_at_the_start_decides_nothing);
  tcase_add_loop_test (tc,
      packets_of_unknown_media_are_judged_by_size_and_rate, 0, 3);
  tcase_add_test (tc, a_mode_that_was_negotiated_holds);
  tcase_add_test (tc, a_mode_that_was_set_holds);
  tcase_add_test (tc, a_data_receiver_that_follows_is_no_difference);
  tcase_add_test (tc, a_data_receiver_says_its_playout);
  tcase_add_loop_test (tc,
      the_first_receiver_report_is_waited_for_in_the_chosen_mode, 0, 3);
  tcase_add_loop_test (tc,
      the_data_receiver_guesses_as_the_data_sender_chooses, 0, 4);
  tcase_add_test (tc, the_data_receiver_follows_the_data_sender);
  tcase_add_test (tc, a_data_receiver_whose_mode_was_set_tells_of_a_difference);
  return s;
}

GST_CHECK_MAIN (auto_mode);
