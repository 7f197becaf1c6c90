/* gst-tfrc tests: one codec after another, and each at both ends
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>

#include "have.h"
#include "leaks.h"
#include "voice.h"

static Voice v;
static GstHarness *far;

/* As a jitter buffer follows what it takes for the clock of the data sender: each packet's time
 * is less by `step` than that of the one before, up to `most`. */
static GstClockTime step, most;

static guint sink_rate = RAW_RATE;      /* Hz, that the sink at the listener takes */

typedef struct
{
  GstClockTime drift;
  gint pt;
  guint32 timestamp;
  gint samples;                 /* of the last packet, by its own clock */
  GstClockTime end;
  guint16 seq;
  guint changes;
} Stream;

/* Hz, by the payload types of tfrcencodebin, RED included. */
static gint
get_clock_rate (gint pt)
{
  if (pt >= 96 && pt <= 98)
    return 48000;
  return pt == 99 || pt == 101 || pt == 102 ? 16000 : 8000;
}

/* Packets of `stream` so far follow one another in number and time; hands them on. */
static void
follow (Stream * stream)
{
  GstBuffer *packet;

  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    gboolean first = stream->end == 0;
    gint pt, gone;

    fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    pt = gst_rtp_buffer_get_payload_type (&rtp);
    if (!first) {
      fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), stream->seq);
      fail_unless (ABS (GST_CLOCK_DIFF (stream->end,
                  GST_BUFFER_PTS (packet))) < GST_MSECOND,
          "%" G_GINT64_FORMAT " ns from one packet to the next",
          GST_CLOCK_DIFF (stream->end, GST_BUFFER_PTS (packet)));
      /* RFC 7160 4.2: the last packet ends by its own clock, with the rounding of its times */
      gone = gst_rtp_buffer_get_timestamp (&rtp) - stream->timestamp;
      fail_unless (ABS (gone - stream->samples) <= 1, "%d instead of %d", gone,
          stream->samples);
    }
    /* 97, 100 and 101 are RED */
    if (pt != 97 && pt != 100 && pt != 101) {
      stream->changes += !first && pt != stream->pt;
      stream->pt = pt;
    }
    stream->timestamp = gst_rtp_buffer_get_timestamp (&rtp);
    stream->samples = gst_util_uint64_scale_int_round (GST_BUFFER_DURATION
        (packet), get_clock_rate (pt), GST_SECOND);
    stream->seq = gst_rtp_buffer_get_seq (&rtp) + 1;
    stream->end = GST_BUFFER_PTS (packet) + GST_BUFFER_DURATION (packet);
    gst_rtp_buffer_unmap (&rtp);
    packet = gst_buffer_make_writable (packet);
    GST_BUFFER_PTS (packet) -= stream->drift;
    stream->drift = MIN (stream->drift + step, most);
    fail_unless_equals_int (gst_harness_push (far, packet), GST_FLOW_OK);
  }
}

static void
check_codecs (const gchar * line, const gchar * const *codecs, guint n,
    gdouble worst_allowed, gdouble quietest)
{
  Stream stream = { 0 };
  GstElement *bin;
  gdouble worst;
  guint i, changes = 0;

  voice_start (&v, line);
  far = far_start_at (sink_rate);
  v.tone = TRUE;
  bin = voice_find (&v, "tfrcencodebin");
  for (i = 0; i < n; i++) {
    changes += i > 0 && !g_str_equal (codecs[i], codecs[i - 1]);
    g_object_set (bin, "codec", codecs[i], NULL);
    voice_run (&v, 2.03);
    follow (&stream);
  }
  fail_unless_equals_int (stream.drift, most);
  fail_unless_equals_int (stream.changes, changes);
  worst = far_hear (far, 0.5, 2.04 * n, quietest);
  fail_unless (worst < worst_allowed, "%.3f of the sound is no tone", worst);
  gst_object_unref (bin);
  gst_harness_teardown (far);
  voice_stop (&v);
}

GST_START_TEST (codecs_of_one_clock_rate_follow_one_another)
{
  static const gchar *const order[] = { "PCMU", "PCMA", "GSM", "PCMU" };

  if (have ("gsmenc"))
    check_codecs ("tfrcencodebin codecs=PCMU,PCMA,GSM", order, 4, 0.2,
        QUIETEST);
}

GST_END_TEST;

/* Each new decoder of Opus begins at the tone's level, which is 5657. */
GST_START_TEST (opus_and_others_follow_one_another)
{
  static const gchar *const order[] =
      { "OPUS", "PCMU", "OPUS", "PCMU", "OPUS" };

  check_codecs ("tfrcencodebin codecs=OPUS,PCMU min-bitrate=32000 "
      "ptime=20000000", order, 5, 0.1, 5300);
}

GST_END_TEST;

/* Their delays differ by milliseconds, so the tone jumps in phase: only its level
 * is judged, and that mildly: AMR-WB starts quietly. */
GST_START_TEST (every_codec_has_both_ends)
{
  static const gchar *const order[] = { "OPUS", "G722", "AMR-WB",
    "GSM", "OPUS"
  };

  if (have ("voamrwbenc") && have ("amrwbdec")
      && have ("gsmenc"))
    check_codecs ("tfrcencodebin codecs=OPUS,G722,AMR-WB,GSM", order, 5,
        1.0, 1000);
}

GST_END_TEST;

/* speexenc takes a bit rate only when it starts: it is restarted between two frames,
 * and begins quietly. */
GST_START_TEST (speex_changes_its_bit_rate_without_a_gap)
{
  Stream stream = { 0 };

  if (!have ("speexenc"))
    return;
  voice_start (&v, "tfrcencodebin codecs=SPEEX redundancy=0");
  far = far_start ();
  v.tone = TRUE;
  v.rate.allowance.X_wire = v.rate.allowance.X = 20000;
  voice_run (&v, 12);
  fail_unless (voice_get_uint (&v, "current-bitrate") >= 16800);
  follow (&stream);
  v.rate.allowance.X_wire = v.rate.allowance.X = 50 * (20 + 64) * 1.02;
  voice_run (&v, 3);
  fail_unless_equals_int (voice_get_uint (&v, "current-bitrate"), 7750);
  follow (&stream);
  fail_unless_equals_int (stream.pt, 102);
  fail_unless_equals_int (stream.changes, 0);
  far_hear (far, 0.5, 15, 100);
  gst_harness_teardown (far);
  voice_stop (&v);
}

GST_END_TEST;

/* One percent, until it is more than a resampler bears before it starts anew. */
GST_START_TEST (times_that_drift_make_no_click)
{
  static const gchar *const order[] = { "PCMU", "PCMU" };

  step = GST_MSECOND / 5;
  most = 40 * GST_MSECOND;
  check_codecs ("tfrcencodebin codecs=PCMU ptime=20000000", order, 2, 0.01,
      QUIETEST);
}

GST_END_TEST;

/* Here the resampler behind the decoders has something to do. The bit rate is one at which the codec itself leaves a
 * tone clean: libopus 1.5 adds 1.6 % of noise at the rates for voice. */
GST_START_TEST (times_that_drift_make_no_click_in_a_sink_of_44100_hz)
{
  static const gchar *const order[] = { "OPUS", "OPUS" };

  step = GST_MSECOND / 5;
  most = 40 * GST_MSECOND;
  sink_rate = 44100;
  check_codecs ("tfrcencodebin codecs=OPUS min-bitrate=64000 max-bitrate=64000 "
      "ptime=20000000", order, 2, 0.01, QUIETEST);
}

GST_END_TEST;

GST_START_TEST (codecs_follow_one_another_in_a_sink_of_44100_hz)
{
  static const gchar *const order[] =
      { "OPUS", "PCMU", "OPUS", "PCMU", "OPUS" };

  sink_rate = 44100;
  check_codecs ("tfrcencodebin codecs=OPUS,PCMU min-bitrate=32000 "
      "ptime=20000000", order, 5, 0.1, QUIETEST);
}

GST_END_TEST;

/* More than is made good of it when the next decoder takes over: a backlog that comes
 * at the start of a call. The 1 % of a packet, 0.2 ms, is a jump of the tone's phase by
 * 0.08 of its period: what a changing codec's delay makes of it too. */
GST_START_TEST (codecs_follow_one_another_while_times_drift)
{
  static const gchar *const order[] = { "OPUS", "PCMU", "OPUS" };

  step = 4 * GST_MSECOND;
  most = 80 * GST_MSECOND;
  check_codecs ("tfrcencodebin codecs=OPUS,PCMU min-bitrate=32000 "
      "ptime=20000000", order, 3, 0.2, QUIETEST);
}

GST_END_TEST;

/* --- one codec at a time --- */

static guint
count_elements (const gchar * factory)
{
  GstIterator *it =
      gst_bin_iterate_all_by_element_factory_name (GST_BIN (v.h->element),
      factory);
  GValue value = G_VALUE_INIT;
  guint n = 0;

  while (gst_iterator_next (it, &value) == GST_ITERATOR_OK) {
    n++;
    g_value_reset (&value);
  }
  g_value_unset (&value);
  gst_iterator_free (it);
  return n;
}

/* The SSRC and the payload type of the last packet that came out, of one at least. */
static guint32
take_ssrc (gint * pt)
{
  GstBuffer *packet;
  guint32 ssrc = 0;
  guint n = 0;

  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    ssrc = gst_rtp_buffer_get_ssrc (&rtp);
    *pt = gst_rtp_buffer_get_payload_type (&rtp);
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (packet);
    n++;
  }
  fail_unless (n > 0);
  return ssrc;
}

GST_START_TEST (a_call_pays_for_the_codec_in_use_alone)
{
  static const gchar *const order[] = { "OPUS", "PCMU", "OPUS", "PCMA" };
  GstElement *bin;
  guint i;

  voice_start (&v, "tfrcencodebin codecs=OPUS,PCMU,PCMA redundancy=0");
  bin = voice_find (&v, "tfrcencodebin");
  for (i = 0; i < G_N_ELEMENTS (order); i++) {
    g_object_set (bin, "codec", order[i], NULL);
    voice_run (&v, 0.5);
    fail_unless_equals_int (count_elements ("tfrcopusenc"), i % 2 == 0);
    fail_unless_equals_int (count_elements ("mulawenc"), i == 1);
    fail_unless_equals_int (count_elements ("alawenc"), i == 3);
    /* one in front of audiobuffersplit, and that of the codec */
    fail_unless_equals_int (count_elements ("audioconvert"), 2);
    fail_unless_equals_int (count_elements ("audioresample"), 1);
  }
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

/* RFC 3550 8.2: the collision was with another participant, who is still there. */
GST_START_TEST (the_ssrc_that_a_collision_gave_outlives_the_codec)
{
  GstElement *bin;
  guint32 before, after;
  gint pt;

  voice_start (&v, "tfrcencodebin codecs=PCMU,PCMA redundancy=0");
  bin = voice_find (&v, "tfrcencodebin");
  g_object_set (bin, "codec", "PCMU", NULL);
  voice_run (&v, 0.5);
  before = take_ssrc (&pt);
  fail_unless_equals_int (pt, 0);
  gst_harness_push_upstream_event (v.h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPCollision", "ssrc", G_TYPE_UINT, before,
              NULL)));
  voice_run (&v, 0.5);
  after = take_ssrc (&pt);
  fail_if (after == before);
  g_object_set (bin, "codec", "PCMA", NULL);
  voice_run (&v, 0.5);
  fail_unless_equals_uint64 (take_ssrc (&pt), after);
  fail_unless_equals_int (pt, 8);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

/* What the codec before had sent says nothing about the times after a seek. */
GST_START_TEST (a_seek_back_after_a_change_of_the_codec_is_heard_at_once)
{
  GstElement *bin;
  gint pt;

  voice_start (&v, "tfrcencodebin codecs=PCMU,PCMA redundancy=0");
  bin = voice_find (&v, "tfrcencodebin");
  voice_run (&v, 2);
  g_object_set (bin, "codec", "PCMA", NULL);
  voice_run (&v, 1);
  take_ssrc (&pt);
  fail_unless_equals_int (pt, 8);

  voice_seek_to_start (&v);
  voice_run (&v, 0.5);
  take_ssrc (&pt);
  g_object_set (bin, "codec", "PCMU", NULL);
  voice_run (&v, 0.5);
  take_ssrc (&pt);
  fail_unless_equals_int (pt, 0);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

static Suite *
codecs_suite (void)
{
  Suite *s = suite_create ("codecs");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_test (tc, codecs_of_one_clock_rate_follow_one_another);
  tcase_add_test (tc, opus_and_others_follow_one_another);
  tcase_add_test (tc, every_codec_has_both_ends);
  tcase_add_test (tc, times_that_drift_make_no_click);
  tcase_add_test (tc, times_that_drift_make_no_click_in_a_sink_of_44100_hz);
  tcase_add_test (tc, codecs_follow_one_another_in_a_sink_of_44100_hz);
  tcase_add_test (tc, codecs_follow_one_another_while_times_drift);
  tcase_add_test (tc, speex_changes_its_bit_rate_without_a_gap);
  tcase_add_test (tc, a_call_pays_for_the_codec_in_use_alone);
  tcase_add_test (tc, a_seek_back_after_a_change_of_the_codec_is_heard_at_once);
  tcase_add_test (tc, the_ssrc_that_a_collision_gave_outlives_the_codec);
  return s;
}

HAVE_CHECK_MAIN (codecs);
