/* gst-tfrc tests: one codec after another, and each at both ends
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>

#include "have.h"
#include "voice.h"

static Voice v;
static GstHarness *far;

/* As a jitter buffer follows what it takes for the far end's clock: each packet's time
 * is less by `step` than that of the one before, up to `most`. */
static GstClockTime step, most;

typedef struct
{
  GstClockTime wander;
  gint pt;
  guint32 timestamp;
  GstClockTime end;
  guint16 seq;
  guint changes;
} Stream;

/* Packets of `stream` so far follow one another in number and time; hands them on. */
static void
follow (Stream * stream)
{
  GstBuffer *packet;

  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    gboolean first = stream->end == 0;
    gint pt;

    fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    pt = gst_rtp_buffer_get_payload_type (&rtp);
    if (!first) {
      fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), stream->seq);
      fail_unless (ABS (GST_CLOCK_DIFF (stream->end,
                  GST_BUFFER_PTS (packet))) < GST_MSECOND,
          "%" G_GINT64_FORMAT " ns from one packet to the next",
          GST_CLOCK_DIFF (stream->end, GST_BUFFER_PTS (packet)));
      /* at most a packet of 60 ms on, in the finest clock */
      fail_unless (gst_rtp_buffer_get_timestamp (&rtp) - stream->timestamp
          <= 2880);
      fail_unless (gst_rtp_buffer_get_timestamp (&rtp) != stream->timestamp);
    }
    /* 97, 100 and 101 are RED */
    if (pt != 97 && pt != 100 && pt != 101) {
      stream->changes += !first && pt != stream->pt;
      stream->pt = pt;
    }
    stream->timestamp = gst_rtp_buffer_get_timestamp (&rtp);
    stream->seq = gst_rtp_buffer_get_seq (&rtp) + 1;
    stream->end = GST_BUFFER_PTS (packet) + GST_BUFFER_DURATION (packet);
    gst_rtp_buffer_unmap (&rtp);
    packet = gst_buffer_make_writable (packet);
    GST_BUFFER_PTS (packet) -= stream->wander;
    stream->wander = MIN (stream->wander + step, most);
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
  far = far_start ();
  v.tone = TRUE;
  bin = voice_find (&v, "tfrcencodebin");
  for (i = 0; i < n; i++) {
    changes += i > 0 && !g_str_equal (codecs[i], codecs[i - 1]);
    g_object_set (bin, "codec", codecs[i], NULL);
    voice_run (&v, 2.03);
    follow (&stream);
  }
  fail_unless_equals_int (stream.wander, most);
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

GST_START_TEST (opus_and_others_follow_one_another)
{
  static const gchar *const order[] = { "OPUS", "PCMU", "OPUS", "PCMU", "OPUS" };

  check_codecs ("tfrcencodebin codecs=OPUS,PCMU min-bitrate=32000 "
      "ptime=20000000", order, 5, 0.1, QUIETEST);
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
  v.rate.X_wire = v.rate.X = 20000;
  voice_run (&v, 12);
  fail_unless (voice_get_uint (&v, "current-bitrate") >= 16800);
  follow (&stream);
  v.rate.X_wire = v.rate.X = 50 * (20 + 64) * 1.02;
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
GST_START_TEST (times_that_wander_make_no_click)
{
  static const gchar *const order[] = { "PCMU", "PCMU" };

  step = GST_MSECOND / 5;
  most = 40 * GST_MSECOND;
  check_codecs ("tfrcencodebin codecs=PCMU ptime=20000000", order, 2, 0.01,
      QUIETEST);
}

GST_END_TEST;

/* More than is made good of it when the next decoder takes over: a backlog that comes
 * at the start of a call. The 1 % of a packet, 0.2 ms, is a jump of the tone's phase by
 * 0.08 of its period: what a changing codec's delay makes of it too. */
GST_START_TEST (codecs_follow_one_another_while_times_wander)
{
  static const gchar *const order[] = { "OPUS", "PCMU", "OPUS" };

  step = 4 * GST_MSECOND;
  most = 80 * GST_MSECOND;
  check_codecs ("tfrcencodebin codecs=OPUS,PCMU min-bitrate=32000 "
      "ptime=20000000", order, 3, 0.2, QUIETEST);
}

GST_END_TEST;

static Suite *
codecs_suite (void)
{
  Suite *s = suite_create ("codecs");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, codecs_of_one_clock_rate_follow_one_another);
  tcase_add_test (tc, opus_and_others_follow_one_another);
  tcase_add_test (tc, every_codec_has_both_ends);
  tcase_add_test (tc, times_that_wander_make_no_click);
  tcase_add_test (tc, codecs_follow_one_another_while_times_wander);
  tcase_add_test (tc, speex_changes_its_bit_rate_without_a_gap);
  return s;
}

HAVE_CHECK_MAIN (codecs);
