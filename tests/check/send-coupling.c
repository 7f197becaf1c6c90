/* gst-tfrc tests: rtptfrcsend: flows that share the rate of one flow (RFC 8699)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowcoupling.h"
#include "send.h"
#include "settle.h"
#include "statsfield.h"

#define P 0.1                   /* loss event rate of the reports; each second one shows a new loss event */
#define LATE_MAX 4
#define ROUNDS 40               /* of 50 ms */

/* One stream that passes through a filter. */
typedef struct
{
  Filter *f;
  guint32 ssrc;
  guint payload;                /* bytes of each packet */
  guint packets;                /* in each round */
  guint reports;
  guint16 seq;
  TfrcStamp stamps[LATE_MAX + 1];       /* of the last packets of the last rounds, the newest first */
  gboolean departed;            /* since the last report */
} Stream;

static gdouble loss_event_rate = P;
static guint late;              /* rounds that packets wait in a queue of the path */

static gdouble
get_X (const Stream * stream, const gchar * name)
{
  GstStructure *stats;
  const GValue *flows;
  gdouble value = -1;
  guint i, ssrc;

  g_object_get (stream->f->element, "stats", &stats, NULL);
  flows = gst_structure_get_value (stats, "flows");
  for (i = 0; i < gst_value_array_get_size (flows); i++) {
    const GstStructure *flow =
        gst_value_get_structure (gst_value_array_get_value (flows, i));

    if (gst_structure_get_uint (flow, "ssrc", &ssrc) && ssrc == stream->ssrc)
      value = g_value_get_double (stats_field (flow, name));
  }
  gst_structure_free (stats);
  fail_unless (value >= 0);
  return value;
}

static void
take_departures (Stream * streams, guint n, Filter * f)
{
  GstBuffer *buffer;
  guint8 ssrc[4];
  guint i;

  while ((buffer = gst_harness_try_pull (f->h)) != NULL) {
    gst_buffer_extract (buffer, 8, ssrc, sizeof ssrc);
    for (i = 0; i < n; i++)
      if (streams[i].f == f && streams[i].ssrc == GST_READ_UINT32_BE (ssrc)) {
        if (!streams[i].departed)
          memmove (streams[i].stamps + 1, streams[i].stamps,
              LATE_MAX * sizeof (TfrcStamp));
        streams[i].stamps[0] = packet_get_stamp (buffer, STAMP_ID);
        streams[i].departed = TRUE;
      }
    gst_buffer_unref (buffer);
  }
}

static void
report (Stream * stream)
{
  TfrcReport report = {
    .t_i_us = stream->stamps[late].t_i_us,
    .x_recv_Bps = stream->reports > 0 ? 20 * stream->payload * stream->packets : 0,
    .p_q32 = stream->reports > 0 ?
        tfrc_report_encode_p (stream->reports % 2 > 0 ? loss_event_rate : 0.98 *
        loss_event_rate) : 0
  };
  guint8 fci[TFRC_REPORT_FCI_SIZE_MAX];

  if (!stream->departed)
    return;
  stream->reports++;
  stream->departed = FALSE;
  filter_feedback (stream->f, TFRC_REPORT_FMT, PEER_SSRC, stream->ssrc, fci,
      tfrc_report_write_fci (&report, fci));
}

/* All streams send and are reported. Each report comes 50 ms after its packet. */
static void
run (Stream * streams, guint n, guint rounds)
{
  guint round, i, j;

  for (round = 0; round < rounds; round++) {
    for (i = 0; i < n; i++)
      for (j = 0; j < streams[i].packets; j++) {
        streams[i].f->ssrc = streams[i].ssrc;
        streams[i].f->seq = ++streams[i].seq;
        fail_unless_equals_int (gst_harness_push (streams[i].f->h,
                filter_new_packet (streams[i].f, streams[i].payload)),
            GST_FLOW_OK);
      }
    for (i = 0; i < n; i++) {
      if (i > 0 && streams[i].f == streams[i - 1].f)
        continue;
      filter_settle (streams[i].f);
      take_departures (streams, n, streams[i].f);
      filter_advance (streams[i].f, 50 * GST_MSECOND);
    }
    for (i = 0; i < n; i++)
      report (&streams[i]);
  }
}

static Stream
make_stream (Filter * f, guint32 ssrc, guint payload, guint packets)
{
  return (Stream) {
      .f = f,
      .ssrc = ssrc,
      .payload = payload,
      .packets = packets};
}

/* What two equal streams, which want more than they get, have together, as a multiple of what one has alone. */
static gdouble
get_share (const gchar * line)
{
  Stream streams[2];
  gdouble share;
  Filter f;

  filter_start (&f, line);
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  streams[1] = make_stream (&f, OTHER_SSRC, 1000, 3);
  run (streams, 1, ROUNDS);
  share = get_X (&streams[0], "X-Bps");
  run (streams, 2, ROUNDS);
  share = (get_X (&streams[0], "X") + get_X (&streams[1], "X")) / share;
  filter_stop (&f);
  return share;
}

GST_START_TEST (the_flows_of_an_element_have_the_rate_of_one)
{
  gdouble share = get_share ("rtptfrcsend mode=tfrc");

  fail_unless (share > 0.9 && share < 1.1, "%g", share);
}

GST_END_TEST;

GST_START_TEST (uncoupled_flows_have_a_rate_each)
{
  gdouble share = get_share ("rtptfrcsend mode=tfrc coupling=none");

  fail_unless (share > 1.8 && share < 2.2, "%g", share);
}

GST_END_TEST;

/* Two elements, with one stream each. */
static gdouble
get_share_of_two (const gchar * a, const gchar * b)
{
  Stream streams[2];
  gdouble share;
  Filter f, g;

  filter_start (&f, a);
  filter_start (&g, b);
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  streams[1] = make_stream (&g, OTHER_SSRC, 1000, 3);
  run (streams, 1, ROUNDS);
  share = get_X (&streams[0], "X-Bps");
  run (streams, 2, ROUNDS);
  share = (get_X (&streams[0], "X") + get_X (&streams[1], "X")) / share;
  filter_stop (&g);
  filter_stop (&f);
  return share;
}

GST_START_TEST (elements_of_one_group_have_the_rate_of_one_flow)
{
  gdouble share =
      get_share_of_two ("rtptfrcsend mode=tfrc coupling-group=uplink",
      "rtptfrcsend mode=tfrc coupling-group=uplink");

  fail_unless (share > 0.9 && share < 1.1, "%g", share);
}

GST_END_TEST;

GST_START_TEST (elements_of_other_groups_have_a_rate_each)
{
  gdouble share =
      get_share_of_two ("rtptfrcsend mode=tfrc coupling-group=uplink",
      "rtptfrcsend mode=tfrc coupling-group=other");

  fail_unless (share > 1.8 && share < 2.2, "%g", share);
}

GST_END_TEST;

GST_START_TEST (an_element_that_stops_leaves_its_group)
{
  Stream streams[2];
  gdouble alone;
  Filter f, g;

  filter_start (&f, "rtptfrcsend mode=tfrc coupling-group=uplink");
  filter_start (&g, "rtptfrcsend mode=tfrc coupling-group=uplink");
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  streams[1] = make_stream (&g, OTHER_SSRC, 1000, 3);
  run (streams, 1, ROUNDS);
  alone = get_X (&streams[0], "X-Bps");
  run (streams, 2, ROUNDS);
  fail_unless (get_X (&streams[0], "X") < 0.7 * alone);
  filter_stop (&g);
  run (streams, 1, ROUNDS);
  fail_unless (get_X (&streams[0], "X-Bps") > 0.9 * alone);
  filter_stop (&f);
}

GST_END_TEST;

/* --- voice and pictures --- */

static void
set_caps (Filter * f, guint32 ssrc, const gchar * fields)
{
  gchar *caps =
      g_strdup_printf ("application/x-rtp,ssrc=(uint)%u,%s", ssrc, fields);

  gst_harness_set_src_caps_str (f->h, caps);
  g_free (caps);
}

/* A voice of 20 packets a second beside pictures, with these fields in their caps; X of the voice in that of both. */
static gdouble
get_part_of_voice (const gchar * voice, const gchar * pictures,
    guint voice_packets)
{
  Stream streams[2];
  gdouble part;
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc");
  set_caps (&f, OWN_SSRC, voice);
  streams[0] = make_stream (&f, OWN_SSRC, 1000, voice_packets);
  run (streams, 1, 1);
  set_caps (&f, OTHER_SSRC, pictures);
  streams[1] = make_stream (&f, OTHER_SSRC, 1000, 3);
  run (streams, 2, ROUNDS);
  part = get_X (&streams[0], "X");
  part /= part + get_X (&streams[1], "X");
  filter_stop (&f);
  return part;
}

/* Both want more than they get. Voice has priority 8, pictures have 4. The minimum of 64 kbit/s and the headers of the
 * packets are more than a third of the rate, about 18 kbyte/s. */
GST_START_TEST (voice_goes_before_pictures)
{
  gdouble part = get_part_of_voice ("media=audio", "media=video", 3);

  fail_unless (part > 0.75 && part < 0.95, "%g", part);
}

GST_END_TEST;

static gboolean
has_coupled_fields (Filter * f)
{
  GstStructure *stats;
  gboolean has;

  g_object_get (f->element, "stats", &stats, NULL);
  has = gst_structure_has_field (stats, "coupled-flows")
      || gst_structure_has_field (stats, "coupled-rate")
      || gst_structure_has_field (stats, "coupled-portion");
  gst_structure_free (stats);
  return has;
}

static guint
get_coupled_flows (Filter * f)
{
  GstStructure *stats;
  guint n = 0;

  g_object_get (f->element, "stats", &stats, NULL);
  gst_structure_get_uint (stats, "coupled-flows", &n);
  gst_structure_free (stats);
  return n;
}

/* Portions are those of the rates that the flows may have, and the rates add up to S_CR where both have segments of one
 * size. */
GST_START_TEST (statistics_say_what_a_flow_has_of_the_rate)
{
  Stream streams[2];
  gdouble portion[2], X[2];
  guint i;
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc");
  set_caps (&f, OWN_SSRC, "media=audio");
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  run (streams, 1, ROUNDS);
  fail_unless (!has_coupled_fields (&f));
  set_caps (&f, OTHER_SSRC, "media=video");
  streams[1] = make_stream (&f, OTHER_SSRC, 1000, 3);
  run (streams, 2, ROUNDS);
  fail_unless_equals_int (get_coupled_flows (&f), 2);
  for (i = 0; i < 2; i++) {
    portion[i] = get_X (&streams[i], "coupled-portion");
    X[i] = get_X (&streams[i], "X");
  }
  fail_unless (ABS (portion[0] + portion[1] - 1) < 1e-9);
  fail_unless (ABS (portion[0] - X[0] / (X[0] + X[1])) < 0.01);
  fail_unless (get_X (&streams[0], "coupled-rate") ==
      get_X (&streams[1], "coupled-rate"));
  fail_unless (get_X (&streams[0], "coupled-rate") > 8 * X[0]);
  filter_stop (&f);
}

GST_END_TEST;

/* 20 packets with 100 bytes in a second, which the reports count, beside pictures that want more than there is. */
GST_START_TEST (a_voice_that_uses_little_may_use_twice_as_much)
{
  Stream streams[2];
  gdouble used = 20 * 100, X;
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc");
  set_caps (&f, OWN_SSRC, "media=audio");
  streams[0] = make_stream (&f, OWN_SSRC, 100, 1);
  run (streams, 1, 1);
  set_caps (&f, OTHER_SSRC, "media=video");
  streams[1] = make_stream (&f, OTHER_SSRC, 1000, 3);
  run (streams, 2, ROUNDS);
  X = get_X (&streams[0], "X");
  fail_unless (X > 2 * used && X < 4 * used, "%g", X);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (fields_of_the_caps_say_what_a_flow_wants)
{
  gdouble part = get_part_of_voice ("tfrc-priority=low,media=audio,"
      "tfrc-min-bitrate=(uint)0", "media=video,tfrc-priority=high", 3);

  fail_unless (part > 0.15 && part < 0.25, "%g", part);
  part = get_part_of_voice ("media=audio,tfrc-max-bitrate=(uint)16000",
      "media=video", 3);
  fail_unless (part > 0.03 && part < 0.1, "%g", part);
}

GST_END_TEST;

/* The field `coupled` of the newest event of an SSRC. */
static void
take_coupled (Filter * f, guint ssrc, gchar ** coupled)
{
  GstStructure *rate;

  while ((rate = filter_take_rate (f)) != NULL) {
    if (rate_get_uint (rate, "ssrc") == ssrc) {
      g_free (*coupled);
      *coupled = g_strdup (gst_structure_get_string (rate, "coupled"));
    }
    gst_structure_free (rate);
  }
}

static void
check_coupled (const gchar * line, const gchar * first, const gchar * second,
    const gchar * expected)
{
  Stream streams[2];
  gchar *coupled = NULL;
  Filter f;

  filter_start (&f, line);
  set_caps (&f, OWN_SSRC, first);
  streams[0] = make_stream (&f, OWN_SSRC, 100, 1);
  run (streams, 1, 4);
  take_coupled (&f, OWN_SSRC, &coupled);
  fail_unless_equals_string (coupled, "no");
  set_caps (&f, OTHER_SSRC, second);
  streams[1] = make_stream (&f, OTHER_SSRC, 1000, 3);
  run (streams, 2, 8);
  take_coupled (&f, OWN_SSRC, &coupled);
  fail_unless_equals_string (coupled, expected);
  /* the other stream pauses, and leaves the group */
  run (streams, 1, 200);
  take_coupled (&f, OWN_SSRC, &coupled);
  fail_unless_equals_string (coupled, "no");
  g_free (coupled);
  filter_stop (&f);
}

GST_START_TEST (a_flow_with_a_minimum_goes_before_one_without)
{
  check_coupled ("rtptfrcsend mode=tfrc", "media=audio", "media=video",
      "first");
  check_coupled ("rtptfrcsend mode=tfrc", "media=video", "media=audio", "rest");
  check_coupled ("rtptfrcsend mode=tfrc", "media=audio", "media=audio", "no");
  check_coupled ("rtptfrcsend mode=tfrc", "media=video", "media=video", "no");
  check_coupled ("rtptfrcsend mode=tfrc coupling=none", "media=audio",
      "media=video", "no");
}

GST_END_TEST;

/* X of video beside voice, on a path whose queue becomes 150 ms long. */
static gdouble
get_X_with_queue (const gchar * line)
{
  Stream streams[2];
  gdouble X;
  Filter f;

  loss_event_rate = 0.0002;
  filter_start (&f, line);
  set_caps (&f, OWN_SSRC, "media=video");
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  run (streams, 1, 4);
  set_caps (&f, OTHER_SSRC, "media=audio");
  streams[1] = make_stream (&f, OTHER_SSRC, 100, 1);
  run (streams, 2, ROUNDS);
  X = get_X (&streams[0], "X");
  fail_unless (X > 45000, "%g", X);
  late = 3;
  run (streams, 2, 36);
  X = get_X (&streams[0], "X");
  late = 0;
  loss_event_rate = P;
  filter_stop (&f);
  return X;
}

/* A queue of 150 ms takes three eighths of the limit. It becomes no shorter, so that there is one cut after another, to nine
 * tenths each. */
GST_START_TEST (video_leaves_the_queue_to_voice)
{
  gdouble X = get_X_with_queue ("rtptfrcsend mode=tfrc");

  fail_unless (X > 15000 && X < 25000, "%g", X);
  X = get_X_with_queue ("rtptfrcsend mode=tfrc coupling=none");
  fail_unless (X > 45000, "%g", X);
}

GST_END_TEST;

/* While the voice pauses, the video alone makes the queue, which is none of the path when the voice returns. */
GST_START_TEST (voice_that_returns_gets_the_queue_again)
{
  Stream streams[2];
  gdouble X;
  Filter f;

  loss_event_rate = 0.0002;
  filter_start (&f, "rtptfrcsend mode=tfrc");
  set_caps (&f, OWN_SSRC, "media=video");
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  run (streams, 1, 4);
  set_caps (&f, OTHER_SSRC, "media=audio");
  streams[1] = make_stream (&f, OTHER_SSRC, 100, 1);
  run (streams, 2, ROUNDS);
  late = 3;
  run (streams, 1, 1000);
  X = get_X (&streams[0], "X");
  fail_unless (X > 45000, "%g", X);
  run (streams, 2, 36);
  X = get_X (&streams[0], "X");
  late = 0;
  loss_event_rate = P;
  filter_stop (&f);
  fail_unless (X > 15000 && X < 25000, "%g", X);
}

GST_END_TEST;

GST_START_TEST (each_ssrc_has_its_event_when_the_other_is_reported)
{
  GstStructure *rate;
  Stream streams[2];
  Filter f;
  guint before = 0, after = 0;

  filter_start (&f, "rtptfrcsend mode=tfrc");
  streams[0] = make_stream (&f, OWN_SSRC, 1000, 3);
  streams[1] = make_stream (&f, OTHER_SSRC, 1000, 3);
  run (streams, 1, ROUNDS);
  while ((rate = filter_take_rate (&f)) != NULL) {
    before = rate_get_uint (rate, "bitrate");
    gst_structure_free (rate);
  }
  run (streams, 2, 20);
  while ((rate = filter_take_rate (&f)) != NULL) {
    if (rate_get_uint (rate, "ssrc") == OWN_SSRC)
      after = rate_get_uint (rate, "bitrate");
    gst_structure_free (rate);
  }
  fail_unless (after > 0 && after < 0.7 * before, "%u, %u", before, after);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (wants_are_read_from_caps)
{
  GstStructure *caps =
      gst_structure_new_from_string ("application/x-rtp,media=audio");
  GstTfrcFlowWants wants;

  gst_tfrc_flow_wants_read (&wants, caps);
  fail_unless (wants.priority == TFRC_PRIORITY_HIGH);
  fail_unless_equals_int (wants.min_bitrate, 64000);
  fail_unless (wants.min_as_used);
  gst_structure_set (caps, "tfrc-priority", G_TYPE_STRING, "very-low",
      "tfrc-min-bitrate", G_TYPE_UINT, 8000, "tfrc-max-bitrate", G_TYPE_UINT,
      48000, NULL);
  gst_tfrc_flow_wants_read (&wants, caps);
  fail_unless (wants.priority == TFRC_PRIORITY_VERY_LOW);
  fail_unless_equals_int (wants.min_bitrate, 8000);
  fail_unless_equals_int (wants.max_bitrate, 48000);
  fail_if (wants.min_as_used);
  gst_structure_set (caps, "media", G_TYPE_STRING, "video", "tfrc-priority",
      G_TYPE_STRING, "urgent", NULL);
  gst_structure_remove_field (caps, "tfrc-min-bitrate");
  gst_tfrc_flow_wants_read (&wants, caps);
  fail_unless (wants.priority == TFRC_PRIORITY_MEDIUM);
  fail_unless_equals_int (wants.min_bitrate, 0);
  gst_structure_free (caps);
}

GST_END_TEST;

static Suite *
send_coupling_suite (void)
{
  Suite *s = suite_create ("send-coupling");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, the_flows_of_an_element_have_the_rate_of_one);
  tcase_add_test (tc, uncoupled_flows_have_a_rate_each);
  tcase_add_test (tc, elements_of_one_group_have_the_rate_of_one_flow);
  tcase_add_test (tc, elements_of_other_groups_have_a_rate_each);
  tcase_add_test (tc, an_element_that_stops_leaves_its_group);
  tcase_add_test (tc, voice_goes_before_pictures);
  tcase_add_test (tc, a_voice_that_uses_little_may_use_twice_as_much);
  tcase_add_test (tc, statistics_say_what_a_flow_has_of_the_rate);
  tcase_add_test (tc, fields_of_the_caps_say_what_a_flow_wants);
  tcase_add_test (tc, each_ssrc_has_its_event_when_the_other_is_reported);
  tcase_add_test (tc, a_flow_with_a_minimum_goes_before_one_without);
  tcase_add_test (tc, video_leaves_the_queue_to_voice);
  tcase_add_test (tc, voice_that_returns_gets_the_queue_again);
  tcase_add_test (tc, wants_are_read_from_caps);
  return s;
}

GST_CHECK_MAIN (send_coupling);
