/* gst-tfrc tests: losses of which the jitter buffer does not know the length
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>

#include "have.h"
#include "leaks.h"
#include "settle.h"

#define PACKET_MS 20
#define SHORTEST_GAP (5 * GST_MSECOND)

typedef struct
{
  guint pt, clock_rate, payload_size;
  const gchar *name, *decoder;
} Codec;

static const Codec pcmu = { 0, 8000, 160, "PCMU", "mulawdec" };
static const Codec g722 = { 9, 8000, 160, "G722", "avdec_g722" };
static const Codec opus = { 96, 48000, 3, "OPUS", "tfrcopusdec" };

typedef struct
{
  GstHarness *h;
  const Codec *codec;
  guint seq;                    /* of the next packet */
  gboolean frozen;              /* RTP timestamps stay what they are */
  guint gaps;                   /* that reached a concealer */
  guint announced, unmeasured;  /* by the jitter buffer; of them too short */
  guint decoders;               /* that were made */
} Rig;

/* Events of the decoder's side: each gap has a length that a concealer can fill. */
static GstPadProbeReturn
on_gap (GstPad * pad, GstPadProbeInfo * info, gpointer rig)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstClockTime time, duration;

  if (GST_EVENT_TYPE (event) != GST_EVENT_GAP)
    return GST_PAD_PROBE_OK;
  gst_event_parse_gap (event, &time, &duration);
  fail_unless (GST_CLOCK_TIME_IS_VALID (time));
  fail_unless (GST_CLOCK_TIME_IS_VALID (duration), "a gap of no duration");
  fail_unless (duration >= SHORTEST_GAP, "a gap of %" G_GUINT64_FORMAT " ns",
      duration);
  ((Rig *) rig)->gaps++;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_lost (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  Rig *rig = data;
  guint64 duration;

  if (!gst_event_has_name (event, "GstRTPPacketLost"))
    return GST_PAD_PROBE_OK;
  fail_unless (gst_structure_get_uint64 (gst_event_get_structure (event),
          "duration", &duration));
  rig->announced++;
  rig->unmeasured += !GST_CLOCK_TIME_IS_VALID (duration)
      || duration < SHORTEST_GAP;
  return GST_PAD_PROBE_OK;
}

static void
on_element (GstBin * bin, GstBin * parent, GstElement * element, Rig * rig)
{
  const gchar *name = GST_OBJECT_NAME (gst_element_get_factory (element));
  GstPad *pad;

  if (g_strcmp0 (name, rig->codec->decoder) != 0 &&
      g_strcmp0 (name, "spanplc") != 0)
    return;
  pad = gst_element_get_static_pad (element, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_gap, rig,
      NULL);
  gst_object_unref (pad);
}

static void
start (Rig * rig, const gchar * line, const Codec * codec)
{
  GstElement *jitterbuffer;
  gchar *caps = g_strdup_printf ("application/x-rtp,media=audio,"
      "encoding-name=%s,clock-rate=%u,payload=%u", codec->name,
      codec->clock_rate, codec->pt);

  *rig = (Rig) {gst_harness_new_parse (line), codec};
  gst_harness_use_testclock (rig->h);
  g_signal_connect (rig->h->element, "deep-element-added",
      G_CALLBACK (on_element), rig);
  gst_harness_set_src_caps_str (rig->h, caps);
  jitterbuffer = gst_harness_find_element (rig->h, "rtpjitterbuffer");
  if (jitterbuffer != NULL) {
    GstPad *pad = gst_element_get_static_pad (jitterbuffer, "src");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_lost, rig,
        NULL);
    gst_object_unref (pad);
    gst_object_unref (jitterbuffer);
  }
  gst_harness_play (rig->h);
  g_free (caps);
}

static guint64
get_stat (Rig * rig, const gchar * name)
{
  GstElement *bin = gst_harness_find_element (rig->h, "tfrcdecodebin");
  GstStructure *stats;
  guint64 value;

  g_object_get (bin, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  gst_object_unref (bin);
  return value;
}

/* The next packet of the sender, as it arrives at `arrival`. */
static GstBuffer *
make_packet (Rig * rig, GstClockTime arrival)
{
  GstBuffer *packet =
      gst_rtp_buffer_new_allocate (rig->codec->payload_size, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, rig->codec->pt);
  gst_rtp_buffer_set_ssrc (&rtp, 1);
  gst_rtp_buffer_set_seq (&rtp, rig->seq);
  gst_rtp_buffer_set_timestamp (&rtp, rig->frozen ? 0 :
      rig->seq * PACKET_MS * (rig->codec->clock_rate / 1000));
  /* for Opus 20 ms of silence: SILK, wide band, one frame, and no more */
  memset (gst_rtp_buffer_get_payload (&rtp), rig->codec == &opus ? 0x48 : 0x55,
      rig->codec->payload_size);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (packet) = GST_BUFFER_DTS (packet) = arrival;
  rig->seq++;
  return packet;
}

static void
push_packet (Rig * rig, GstClockTime time)
{
  fail_unless_equals_int (gst_harness_push (rig->h, make_packet (rig, time)),
      GST_FLOW_OK);
}

static void
push_lost (Rig * rig, GstClockTime time, GstClockTime duration)
{
  gst_harness_push_event (rig->h,
      gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new ("GstRTPPacketLost", "seqnum", G_TYPE_UINT,
              rig->seq++, "timestamp", G_TYPE_UINT64, time,
              "duration", G_TYPE_UINT64, duration, NULL)));
}

/* Takes all sound, of `expected` less what a resampler holds back; it must have no hole
 * and no piece twice, to the millisecond. */
static void
hear (Rig * rig, GstClockTime expected)
{
  GstClockTime begin = GST_CLOCK_TIME_NONE, next = GST_CLOCK_TIME_NONE;
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (rig->h)) != NULL) {
    GstClockTime pts = GST_BUFFER_PTS (buffer);

    if (GST_CLOCK_TIME_IS_VALID (next))
      fail_unless (ABS (GST_CLOCK_DIFF (next, pts)) <= GST_MSECOND,
          "%" G_GINT64_FORMAT " ns from the end of what came before",
          GST_CLOCK_DIFF (next, pts));
    else
      begin = pts;
    next = pts + GST_BUFFER_DURATION (buffer);
    gst_buffer_unref (buffer);
  }
  fail_unless (next - begin <= expected
      && next - begin > expected - 10 * GST_MSECOND,
      "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " ns were heard",
      next - begin, expected);
}

#define MS(n) ((n) * PACKET_MS * GST_MSECOND)

/* Of 40 packets the two at 10 and 11, and the one at 20, are lost, each announced with the duration
 * `announced`. */
static void
lose_three (const Codec * codec, GstClockTime announced)
{
  Rig rig;
  guint i;

  start (&rig, "tfrcdecodebin", codec);
  for (i = 0; i < 40; i++) {
    if (i == 10 || i == 11 || i == 20)
      push_lost (&rig, MS (i), announced);
    else
      push_packet (&rig, MS (i));
  }
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), 3);
  fail_unless (rig.gaps >= 3, "%u gaps", rig.gaps);
  hear (&rig, MS (40));
  gst_harness_teardown (rig.h);
}

static const GstClockTime lengths[] = { 0, GST_CLOCK_TIME_NONE, 1,
  GST_MSECOND, PACKET_MS * GST_MSECOND
};

GST_START_TEST (a_loss_of_unknown_length_is_as_long_as_a_packet)
{
  lose_three (&pcmu, lengths[__i__]);
  if (have ("avdec_g722"))
    lose_three (&g722, lengths[__i__]);
}

GST_END_TEST;

/* The next packet leaves no room: nothing is missing between the two. */
GST_START_TEST (a_loss_without_room_is_counted_and_not_announced)
{
  Rig rig;
  guint i;

  start (&rig, "tfrcdecodebin", &pcmu);
  for (i = 0; i < 20; i++) {
    if (i == 10) {
      push_lost (&rig, MS (i), 0);
      rig.seq--;
    }
    push_packet (&rig, MS (i));
  }
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), 1);
  fail_unless_equals_int (rig.gaps, 0);
  hear (&rig, MS (20));
  gst_harness_teardown (rig.h);
}

GST_END_TEST;

/* There is no sound yet that could go on. */
GST_START_TEST (a_loss_before_the_second_packet_is_counted_and_not_announced)
{
  Rig rig;

  start (&rig, "tfrcdecodebin", &pcmu);
  push_lost (&rig, 0, 0);
  push_lost (&rig, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
  push_packet (&rig, MS (2));
  push_lost (&rig, MS (3), 0);
  push_lost (&rig, GST_CLOCK_TIME_NONE, MS (1));
  push_packet (&rig, MS (5));
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), 4);
  fail_unless_equals_int (rig.gaps, 0);
  gst_harness_teardown (rig.h);
}

GST_END_TEST;

/* More are announced than there are packets between: a path that has gone. */
GST_START_TEST (a_dead_path_is_concealed_packet_by_packet)
{
  Rig rig;
  guint i;

  start (&rig, "tfrcdecodebin", &pcmu);
  for (i = 0; i < 10; i++)
    push_packet (&rig, MS (i));
  for (i = 10; i < 70; i++)
    push_lost (&rig, MS (10), 0);
  push_packet (&rig, MS (70));
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), 60);
  hear (&rig, MS (71));
  gst_harness_teardown (rig.h);
}

GST_END_TEST;

/* The jitter buffer itself: the clock goes on to `time`, and its timers fire. */
static void
advance (Rig * rig, GstClockTime time)
{
  GstTestClock *clock = gst_harness_get_testclock (rig->h);
  GstClockTime now = gst_clock_get_time (GST_CLOCK (clock));

  for (; now <= time; now += GST_MSECOND) {
    GstClockID pending = NULL;

    gst_test_clock_set_time (clock, now);
    while (gst_test_clock_peek_next_pending_id (clock, &pending) &&
        gst_clock_id_get_time (pending) <= now) {
      GstClockID fired = gst_test_clock_process_next_clock_id (clock);

      if (fired != NULL)
        gst_clock_id_unref (fired);
      g_clear_pointer (&pending, gst_clock_id_unref);
    }
    g_clear_pointer (&pending, gst_clock_id_unref);
    g_thread_yield ();
  }
  gst_object_unref (clock);
}

/* All of `n` packets are handed on or announced once nothing moves any more. */
static void
check_packets (Rig * rig, guint n)
{
  settle ();
  fail_unless_equals_uint64 (get_stat (rig, "packets") + get_stat (rig, "lost"),
      n);
}

/* What the jitter buffer of `latency` ms has given up by then it announces as one loss. */
static void
count_outage (guint latency)
{
  gchar *line = g_strdup_printf ("rtpjitterbuffer do-lost=true latency=%u ! "
      "tfrcdecodebin", latency);
  Rig rig;
  guint i;

  start (&rig, line, &pcmu);
  for (i = 0; i < 130; i++) {
    advance (&rig, MS (i));
    if (i >= 50 && i < 80)
      rig.seq++;
    else
      push_packet (&rig, MS (i));
  }
  advance (&rig, MS (150));
  check_packets (&rig, 130);
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), 30);
  fail_unless (rig.announced < 30, "%u announcements", rig.announced);
  gst_harness_teardown (rig.h);
  g_free (line);
}

GST_START_TEST (each_packet_of_an_outage_counts)
{
  count_outage (20);
  count_outage (100);
}

GST_END_TEST;

/* Packets of every PACKET_MS; from packet 50 on the path is held for a second and lets
 * all go at once; one in `n` is lost. */
static void
hold_path (const Codec * codec, guint n)
{
  Rig rig;
  guint i, lost = 0;

  start (&rig, "rtpjitterbuffer do-lost=true latency=100 ! tfrcdecodebin",
      codec);
  for (i = 0; i < 300; i++) {
    GstClockTime arrival = i >= 50 && i < 100 ? MS (100) : MS (i);

    advance (&rig, arrival);
    if (i % n == n / 2) {
      rig.seq++;
      lost++;
    } else {
      push_packet (&rig, arrival);
    }
  }
  advance (&rig, MS (310));
  check_packets (&rig, 300);
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), lost);
  fail_unless (rig.unmeasured > 0);
  fail_unless (rig.gaps >= lost - 2, "%u gaps", rig.gaps);
  gst_harness_teardown (rig.h);
}

GST_START_TEST (a_path_that_was_held_and_loses_crashes_no_decoder)
{
  hold_path (&pcmu, 11);
  if (have ("avdec_g722"))
    hold_path (&g722, 11);
  hold_path (&opus, 11);
}

GST_END_TEST;

/* Seventeen packets of payload type 0 at once, all of one time and one of them missing,
 * from somebody who was there before the call. */
GST_START_TEST (a_stranger_before_the_call_crashes_no_decoder)
{
  Rig rig;
  guint i;

  start (&rig, "rtpjitterbuffer do-lost=true latency=100 ! tfrcdecodebin",
      &pcmu);
  rig.frozen = TRUE;
  for (i = 0; i < 18; i++) {
    if (i == 9)
      rig.seq++;
    else
      push_packet (&rig, 0);
  }
  rig.codec = &opus;
  rig.frozen = FALSE;
  gst_harness_set_src_caps_str (rig.h, "application/x-rtp,media=audio,"
      "encoding-name=OPUS,clock-rate=48000,payload=96");
  for (i = 0; i < 50; i++) {
    advance (&rig, MS (i + 18));
    push_packet (&rig, MS (i + 18));
  }
  advance (&rig, MS (80));
  check_packets (&rig, 68);
  fail_unless_equals_uint64 (get_stat (&rig, "lost"), 1);
  fail_unless_equals_int (rig.unmeasured, 1);
  gst_harness_teardown (rig.h);
}

GST_END_TEST;

/* How many errors are on the bus. */
static guint
count_errors (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    gst_message_unref (message);
    n++;
  }
  return n;
}

/* From now on the factory makes elements without pads, which cannot be linked. */
static void
spoil_factory (const gchar * name)
{
  GstPluginFeature *feature =
      gst_registry_lookup_feature (gst_registry_get (), name);

  fail_unless (feature != NULL);
  /* A plugin registers its elements again when it is loaded. */
  gst_clear_object (&(GstPluginFeature *) {
      gst_plugin_feature_load (feature)});
  gst_registry_remove_feature (gst_registry_get (), feature);
  gst_object_unref (feature);
  fail_unless (gst_element_register (NULL, name, GST_RANK_NONE, GST_TYPE_BIN));
}

GST_START_TEST (a_decoder_that_cannot_be_linked_is_one_error_in_each_run)
{
  Rig rig;
  GstBus *bus = gst_bus_new ();
  guint i;

  spoil_factory ("mulawdec");
  start (&rig, "tfrcdecodebin", &pcmu);
  gst_element_set_bus (rig.h->element, bus);
  for (i = 0; i < 20; i++)
    push_packet (&rig, MS (i));
  fail_unless_equals_int (count_errors (bus), 1);
  fail_unless_equals_uint64 (get_stat (&rig, "unknown"), 20);
  fail_unless_equals_int (gst_element_set_state (rig.h->element,
          GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  gst_harness_play (rig.h);
  gst_harness_set_src_caps_str (rig.h, "application/x-rtp,media=audio,"
      "encoding-name=PCMU,clock-rate=8000,payload=0");
  for (; i < 40; i++)
    push_packet (&rig, MS (i));
  fail_unless_equals_int (count_errors (bus), 1);
  gst_element_set_bus (rig.h->element, NULL);
  gst_harness_teardown (rig.h);
  gst_object_unref (bus);
}

GST_END_TEST;

static guint
count_heard (Rig * rig)
{
  GstBuffer *buffer;
  guint n = 0;

  while ((buffer = gst_harness_try_pull (rig->h)) != NULL) {
    gst_buffer_unref (buffer);
    n++;
  }
  return n;
}

GST_START_TEST (a_decoder_goes_on_after_one_that_cannot_be_linked)
{
  Rig rig;
  GstBus *bus = gst_bus_new ();
  guint i;

  spoil_factory ("tfrcopusdec");
  start (&rig, "tfrcdecodebin", &pcmu);
  gst_element_set_bus (rig.h->element, bus);
  for (i = 0; i < 60; i++) {
    if (i == 30)
      fail_unless (count_heard (&rig) >= 19);
    rig.codec = i < 20 || i >= 30 ? &pcmu : &opus;
    push_packet (&rig, MS (i));
  }
  fail_unless (count_heard (&rig) >= 29);
  fail_unless_equals_int (count_errors (bus), 1);
  fail_unless_equals_uint64 (get_stat (&rig, "unknown"), 10);
  gst_element_set_bus (rig.h->element, NULL);
  gst_harness_teardown (rig.h);
  gst_object_unref (bus);
}

GST_END_TEST;

/* A jitter buffer announces an outage as one loss. The concealer makes all of its sound at once. */
GST_START_TEST (ten_seconds_of_an_outage_are_concealed)
{
  static const guint outages[] = { 8, 600 };
  guint seconds = outages[__i__], packets = seconds * 1000 / PACKET_MS, i;
  GstClockTime heard = 0;
  GstBuffer *buffer;
  Rig rig;

  start (&rig, "tfrcdecodebin", &pcmu);
  for (i = 0; i < 10; i++)
    push_packet (&rig, MS (i));
  push_lost (&rig, MS (10), seconds * GST_SECOND);
  rig.seq += packets - 1;
  for (i = 0; i < 10; i++)
    push_packet (&rig, MS (10 + packets + i));
  while ((buffer = gst_harness_try_pull (rig.h)) != NULL) {
    heard += GST_BUFFER_DURATION (buffer);
    gst_buffer_unref (buffer);
  }
  seconds = MIN (seconds, 10);
  fail_unless (heard > (seconds + 0.3) * GST_SECOND
      && heard < (seconds + 0.5) * GST_SECOND, "%" GST_TIME_FORMAT,
      GST_TIME_ARGS (heard));
  gst_harness_teardown (rig.h);
}

GST_END_TEST;

/* The sound of the packet is concealed. */
GST_START_TEST (a_packet_that_a_decoder_fails_at_is_dropped)
{
  /* Code 3 with no frame: RFC 6716 3.2.5 forbids it. */
  static const guint8 no_opus[] = { 0x0b, 0x00, 0x00 };
  Rig rig;
  GstBus *bus = gst_bus_new ();
  GstBuffer *packet;
  guint i;

  start (&rig, "tfrcdecodebin", &opus);
  gst_element_set_bus (rig.h->element, bus);
  for (i = 0; i < 40; i++) {
    packet = make_packet (&rig, MS (i));
    if (i == 0) {
      gst_buffer_resize (packet, 0, 12);
      packet = gst_buffer_append (packet,
          gst_buffer_new_memdup (no_opus, sizeof no_opus));
    }
    fail_unless_equals_int (gst_harness_push (rig.h, packet), GST_FLOW_OK);
  }
  fail_unless_equals_int (count_errors (bus), 0);
  fail_unless_equals_uint64 (get_stat (&rig, "malformed"), 1);
  fail_unless_equals_int (count_heard (&rig), 40);
  gst_element_set_bus (rig.h->element, NULL);
  gst_harness_teardown (rig.h);
  gst_object_unref (bus);
}

GST_END_TEST;

static void
count_decoder (GstBin * bin, GstBin * parent, GstElement * element, Rig * rig)
{
  const gchar *name = GST_OBJECT_NAME (gst_element_get_factory (element));

  rig->decoders += g_str_equal (name, pcmu.decoder)
      || g_str_equal (name, opus.decoder);
}

/* A data sender may change the codec with each packet. A decoder takes milliseconds to make, so two
 * are made in a second, and packets of another codec meanwhile are dropped and counted. */
GST_START_TEST (codecs_that_alternate_make_two_decoders_a_second)
{
  Rig rig;
  guint i, heard;

  start (&rig, "tfrcdecodebin", &pcmu);
  g_signal_connect (rig.h->element, "deep-element-added",
      G_CALLBACK (count_decoder), &rig);
  for (i = 0; i < 250; i++) {
    rig.codec = i % 2 == 0 ? &pcmu : &opus;
    push_packet (&rig, MS (i));
  }
  fail_unless (rig.decoders >= 9 && rig.decoders <= 11, "%u decoders",
      rig.decoders);
  fail_unless (get_stat (&rig, "refused") >= 110
      && get_stat (&rig, "refused") <= 125);
  fail_unless_equals_uint64 (get_stat (&rig, "unknown"), 0);

  /* What is not refused is heard, and the call that goes on is heard after a second. */
  heard = count_heard (&rig);
  fail_unless (heard >= 110 && heard <= 260, "%u buffers", heard);
  rig.codec = &pcmu;
  for (; i < 300; i++)
    push_packet (&rig, MS (i));
  count_heard (&rig);
  for (; i < 350; i++)
    push_packet (&rig, MS (i));
  fail_unless (count_heard (&rig) >= 49);
  gst_harness_teardown (rig.h);
}

GST_END_TEST;

static Suite *
losses_suite (void)
{
  Suite *s = suite_create ("losses");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_loop_test (tc, a_loss_of_unknown_length_is_as_long_as_a_packet, 0,
      G_N_ELEMENTS (lengths));
  tcase_add_test (tc, a_loss_without_room_is_counted_and_not_announced);
  tcase_add_test (tc,
      a_loss_before_the_second_packet_is_counted_and_not_announced);
  tcase_add_test (tc, a_dead_path_is_concealed_packet_by_packet);
  tcase_add_test (tc, a_path_that_was_held_and_loses_crashes_no_decoder);
  tcase_add_test (tc, each_packet_of_an_outage_counts);
  tcase_add_test (tc, a_stranger_before_the_call_crashes_no_decoder);
  tcase_add_test (tc, a_decoder_that_cannot_be_linked_is_one_error_in_each_run);
  tcase_add_test (tc, a_decoder_goes_on_after_one_that_cannot_be_linked);
  tcase_add_loop_test (tc, ten_seconds_of_an_outage_are_concealed, 0, 2);
  tcase_add_test (tc, a_packet_that_a_decoder_fails_at_is_dropped);
  tcase_add_test (tc, codecs_that_alternate_make_two_decoders_a_second);
  return s;
}

GST_CHECK_MAIN (losses);
