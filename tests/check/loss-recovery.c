/* gst-tfrc tests: the first element of tfrcdecodebin alone: what it hands on, packet by packet, and
 * the timeline that it gives the packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "codec/gsttfrclossrecovery.h"
#include "base/redpacket.h"
#include "leaks.h"

#define MS GST_MSECOND
#define PCMU 0
#define OPUS 96
#define RED_OPUS 97
#define STEP 960                /* 20 ms of Opus in RTP timestamps */
#define PAYLOAD 40              /* bytes */

static GstHarness *h;
static GstTfrcLossRecovery *recovery;
static GstTfrcDecoderTimeline *timeline;
static GString *out;            /* what left, in words */
static gint linked, refused;    /* payload types; -1: none */
static gint next_seq;           /* of the next packet that leaves; -1: any */

static void
note (const gchar * format, ...)
{
  va_list args;

  if (out->len > 0)
    g_string_append_c (out, ' ');
  va_start (args, format);
  g_string_append_vprintf (out, format, args);
  va_end (args);
}

/* What has left since the last call. */
static void
expect (const gchar * words)
{
  fail_unless_equals_string (out->str, words);
  g_string_truncate (out, 0);
}

static void
note_packet (GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  note ("%u:%u%s", gst_rtp_buffer_get_payload_type (&rtp),
      gst_rtp_buffer_get_timestamp (&rtp),
      GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT) ? "!" : "");
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    g_string_append_printf (out, "@%u", (guint) (GST_BUFFER_PTS (buffer) / MS));
  if (next_seq >= 0)
    fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), next_seq & 0xffff);
  next_seq = gst_rtp_buffer_get_seq (&rtp) + 1;
  gst_rtp_buffer_unmap (&rtp);
}

static void
note_lost (const GstStructure * s)
{
  guint64 time, duration;

  fail_unless (gst_structure_get_uint64 (s, "timestamp", &time));
  fail_unless (gst_structure_get_uint64 (s, "duration", &duration));
  note ("lost@%u+%u", (guint) (time / MS), (guint) (duration / MS));
}

static void
note_event (GstEvent * event)
{
  GstCaps *caps;
  gint pt;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0),
            "payload", &pt));
    note ("caps=%d", pt);
  } else if (gst_event_has_name (event, "GstRTPPacketLost")) {
    note_lost (gst_event_get_structure (event));
  } else {
    note ("%s", GST_EVENT_TYPE_NAME (event));
  }
}

static GstPadProbeReturn
on_output (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    note_packet (GST_PAD_PROBE_INFO_BUFFER (info));
  else
    note_event (GST_PAD_PROBE_INFO_EVENT (info));
  return GST_PAD_PROBE_OK;
}

static GstTfrcDecoder
link_decoder (GstCaps * caps, GstClockTime pts, gpointer user_data)
{
  gint pt;

  fail_unless (user_data == &linked);
  fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0),
          "payload", &pt));
  note ("link=%d", pt);
  if (pt == refused)
    return GST_TFRC_DECODER_NONE;
  if (pt == linked)
    return GST_TFRC_DECODER_SAME;
  linked = pt;
  return GST_TFRC_DECODER_NEW;
}

static void
set_up (void)
{
  GstPad *pad;

  leaks_begin ();
  out = g_string_new (NULL);
  linked = refused = next_seq = -1;
  timeline = gst_tfrc_decoder_timeline_new ();
  recovery = GST_TFRC_LOSS_RECOVERY (gst_object_ref_sink
      (gst_tfrc_loss_recovery_new (timeline, link_decoder, &linked)));
  gst_tfrc_loss_recovery_set_caps (recovery, NULL);
  h = gst_harness_new_with_element (GST_ELEMENT (recovery), "sink", "src");
  pad = gst_element_get_static_pad (GST_ELEMENT (recovery), "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_output, NULL, NULL);
  gst_object_unref (pad);
  gst_harness_set_src_caps_str (h, "application/x-rtp,media=audio");
  expect ("stream-start");
}

static void
tear_down (void)
{
  gst_harness_teardown (h);
  gst_object_unref (recovery);
  gst_tfrc_decoder_timeline_unref (timeline);
  g_string_free (out, TRUE);
  leaks_end ();
}

static GstBuffer *
make_packet (guint pt, guint32 timestamp, GstClockTime pts)
{
  GstBuffer *packet = gst_rtp_buffer_new_allocate (PAYLOAD, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, pt);
  gst_rtp_buffer_set_seq (&rtp, timestamp / STEP * 3);
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  gst_rtp_buffer_set_ssrc (&rtp, 0x1234);
  memset (gst_rtp_buffer_get_payload (&rtp), (guint8) pt, PAYLOAD);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (packet) = GST_BUFFER_DTS (packet) = pts;
  return packet;
}

static void
push (GstBuffer * packet)
{
  fail_unless_equals_int (gst_harness_push (h, packet), GST_FLOW_OK);
}

/* Packet `n` of a stream of 20 ms per packet. */
static GstBuffer *
make_opus (guint n)
{
  return make_packet (OPUS, n * STEP, n * 20 * MS);
}

/* The same with copies of the packets `first` to `n` - 1. */
static void
push_red (guint n, guint first)
{
  GstTfrcRedBlock copies[GST_TFRC_RED_BLOCKS];
  guint i;

  for (i = first; i < n; i++) {
    GstBuffer *packet = make_opus (i);

    fail_unless (gst_tfrc_red_block_from_packet (&copies[i - first], packet));
    gst_buffer_unref (packet);
  }
  if (first < n) {
    push (gst_tfrc_red_wrap (make_opus (n), RED_OPUS, copies, n - first));
  } else {
    GstBuffer *packet = make_packet (RED_OPUS, n * STEP, n * 20 * MS);
    static const guint8 own = OPUS;

    gst_buffer_fill (packet, 12, &own, 1);
    push (packet);
  }
  for (i = first; i < n; i++)
    gst_tfrc_red_block_clear (&copies[i - first]);
}

/* Packet `n` with copies of the packets `a` and `b`. */
static void
push_copies (guint n, guint a, guint b)
{
  GstBuffer *packets[] = { make_opus (a), make_opus (b) };
  GstTfrcRedBlock copies[2];
  guint i;

  for (i = 0; i < 2; i++) {
    fail_unless (gst_tfrc_red_block_from_packet (&copies[i], packets[i]));
    gst_buffer_unref (packets[i]);
  }
  push (gst_tfrc_red_wrap (make_opus (n), RED_OPUS, copies, 2));
  for (i = 0; i < 2; i++)
    gst_tfrc_red_block_clear (&copies[i]);
}

/* `packets` are announced as one loss, and packet `next` of push_red() follows. */
static void
push_several_lost (guint packets, guint next, GstClockTime time,
    GstClockTime duration)
{
  fail_unless (gst_harness_push_event (h,
          gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
              gst_structure_new ("GstRTPPacketLost",
                  "seqnum", G_TYPE_UINT, (3 * next - packets) & 0xffff,
                  "timestamp", G_TYPE_UINT64, time,
                  "duration", G_TYPE_UINT64, duration, NULL))));
}

static void
push_lost (GstClockTime time, GstClockTime duration)
{
  fail_unless (gst_harness_push_event (h,
          gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
              gst_structure_new ("GstRTPPacketLost",
                  "timestamp", G_TYPE_UINT64, time,
                  "duration", G_TYPE_UINT64, duration, NULL))));
}

static void
expect_stats (guint packets, guint recovered, guint lost, guint malformed,
    guint unknown)
{
  GstStructure *stats = gst_tfrc_loss_recovery_get_stats (recovery);
  guint64 got[5];

  fail_unless (gst_structure_get (stats, "packets", G_TYPE_UINT64, &got[0],
          "recovered", G_TYPE_UINT64, &got[1], "lost", G_TYPE_UINT64, &got[2],
          "malformed", G_TYPE_UINT64, &got[3], "unknown", G_TYPE_UINT64,
          &got[4], NULL));
  fail_unless_equals_uint64 (got[0], packets);
  fail_unless_equals_uint64 (got[1], recovered);
  fail_unless_equals_uint64 (got[2], lost);
  fail_unless_equals_uint64 (got[3], malformed);
  fail_unless_equals_uint64 (got[4], unknown);
  gst_structure_free (stats);
}

/* --- payload types and events --- */

GST_START_TEST (a_decoder_is_linked_with_the_first_packet_of_its_type)
{
  fail_unless (gst_harness_push_event (h,
          gst_event_new_tag (gst_tag_list_new_empty ())));
  expect ("");                  /* there is nothing to take it */
  push (make_opus (0));
  expect ("link=96 caps=96 segment tag 96:0@0");
  push (make_opus (1));
  expect ("96:960@20");
  fail_unless (gst_harness_push_event (h,
          gst_event_new_tag (gst_tag_list_new_empty ())));
  expect ("tag");
  push (make_packet (PCMU, 2 * STEP, 40 * MS));
  expect ("link=0 caps=0 0:1920@40");
  /* RFC 3551: 20 ms are 160 units of the clock of PCMU */
  push (make_packet (OPUS, 2 * STEP + 160, 60 * MS));
  expect ("link=96 caps=96 96:2080@60");
  expect_stats (4, 0, 0, 0, 0);
  gst_harness_push_event (h, gst_event_new_eos ());
  expect ("eos");
}

GST_END_TEST;

/* Payload type 0 is as good as any, and no type before the first packet. */
GST_START_TEST (payload_type_0_is_linked_too)
{
  push (make_packet (PCMU, 0, 0));
  expect ("link=0 caps=0 segment 0:0@0");
  push (make_packet (PCMU, 160, 20 * MS));
  expect ("0:160@20");
}

GST_END_TEST;

/* The packet gets another time here, and for nobody else. */
GST_START_TEST (who_else_holds_the_packet_sees_no_change)
{
  GstBuffer *packet = make_packet (OPUS, STEP, 30 * MS);

  push (make_opus (0));
  push (gst_buffer_ref (packet));
  expect ("link=96 caps=96 segment 96:0@0 96:960@20");
  fail_unless_equals_uint64 (GST_BUFFER_PTS (packet), 30 * MS);
  gst_buffer_unref (packet);
}

GST_END_TEST;

/* Caps that come again do not link anew what is there, and are not pushed again. */
GST_START_TEST (the_caps_of_the_stream_add_payload_types)
{
  push (make_opus (0));
  expect ("link=96 caps=96 segment 96:0@0");
  push (make_packet (50, STEP, 20 * MS));
  expect ("");
  expect_stats (2, 0, 0, 0, 1);
  gst_harness_set_src_caps_str (h,
      "application/x-rtp,media=audio,payload=50,encoding-name=PCMA,"
      "clock-rate=8000");
  expect ("segment");
  push (make_opus (2));
  expect ("link=96 96:1920@40");
  push (make_packet (50, 2880, 60 * MS));
  expect ("link=50 caps=50 50:2880@60");
  expect_stats (4, 0, 0, 0, 1);
}

GST_END_TEST;

/* Of the application's caps the first structure of a payload type counts. */
GST_START_TEST (the_application_says_what_payload_types_are)
{
  GstCaps *caps =
      gst_caps_from_string ("application/x-rtp,payload=50,encoding-name=PCMA,"
      "clock-rate=8000; application/x-rtp,payload=50,encoding-name=RED,"
      "clock-rate=8000; application/x-rtp,payload=128,encoding-name=PCMA;"
      "application/x-rtp,encoding-name=PCMA");

  gst_tfrc_loss_recovery_set_caps (recovery, caps);
  gst_caps_unref (caps);
  push (make_packet (50, 0, 0));
  expect ("link=50 caps=50 segment 50:0@0");
  gst_tfrc_loss_recovery_set_caps (recovery, NULL);
  push (make_packet (OPUS, 160, 20 * MS));
  expect ("link=96 caps=96 96:160@20");
  push (make_packet (50, 160 + STEP, 40 * MS));
  expect ("");
}

GST_END_TEST;

GST_START_TEST (what_no_decoder_takes_is_dropped_and_counted)
{
  static const guint8 long_block[] = { 0x80 | OPUS, 0, 3, 0xff };
  GstBuffer *packet;

  refused = PCMU;
  push (make_opus (0));
  expect ("link=96 caps=96 segment 96:0@0");
  push (make_packet (PCMU, 960, 20 * MS));
  expect ("link=0");
  push (make_packet (PCMU, 1920, 40 * MS));
  expect ("link=0");            /* it may have been installed meanwhile */
  push (make_opus (3));
  expect ("link=96 96:2880@60");
  push (gst_buffer_new_memdup ("not RTP", 7));
  expect_stats (4, 0, 0, 1, 2);
  /* RFC 2198: a block longer than the packet */
  packet = make_packet (RED_OPUS, 4 * STEP, 80 * MS);
  gst_buffer_fill (packet, 12, long_block, sizeof long_block);
  push (packet);
  expect ("");
  expect_stats (5, 0, 0, 2, 2);
}

GST_END_TEST;

GST_START_TEST (a_red_packet_that_no_decoder_takes_is_counted_once)
{
  refused = OPUS;
  push_red (0, 0);
  expect ("link=96");
  push_red (1, 0);
  expect ("link=96");
  expect_stats (2, 0, 0, 0, 2);
  push (make_opus (2));
  expect ("link=96");
  expect_stats (3, 0, 0, 0, 3);
}

GST_END_TEST;

GST_START_TEST (a_stop_forgets_the_decoder)
{
  push (make_opus (0));
  push_lost (20 * MS, 20 * MS);
  g_string_truncate (out, 0);
  gst_element_set_state (GST_ELEMENT (recovery), GST_STATE_READY);
  gst_element_set_state (GST_ELEMENT (recovery), GST_STATE_PLAYING);
  linked = next_seq = -1;
  g_string_truncate (out, 0);
  gst_harness_set_src_caps_str (h, "application/x-rtp,media=audio");
  push (make_opus (9));
  fail_unless (strstr (out->str, "link=96 caps=96 segment 96:8640@180") != NULL,
      "%s", out->str);
  expect_stats (2, 0, 0, 0, 0);
}

GST_END_TEST;

/* --- losses --- */

/* A loss is announced when the next packet has come: it might have a copy. */
GST_START_TEST (a_loss_is_announced_in_front_of_the_next_packet)
{
  push (make_opus (0));
  push (make_opus (1));
  g_string_truncate (out, 0);
  push_lost (40 * MS, 20 * MS);
  push_lost (60 * MS, 20 * MS);
  expect ("");
  push (make_opus (4));
  expect ("lost@40+20 lost@60+20 96:3840@80");
  expect_stats (3, 0, 2, 0, 0);
}

GST_END_TEST;

/* No concealer is told of less than 5 ms: such a loss lasts as long as a packet. */
GST_START_TEST (a_loss_that_is_too_short_gets_the_room_there_is)
{
  GstBuffer *packet;

  push (make_opus (0));
  push (make_opus (1));
  g_string_truncate (out, 0);
  push_lost (42 * MS, 5 * MS);
  push (make_opus (3));
  expect ("lost@42+5 96:2880@60");
  push (make_opus (4));
  g_string_truncate (out, 0);
  push_lost (102 * MS, 5 * MS - 1);
  push (make_opus (6));
  expect ("lost@100+20 96:5760@120");
  /* 5 ms are left between the end of the last packet and the next one */
  push (make_opus (7));
  g_string_truncate (out, 0);
  push_lost (160 * MS, 0);
  packet = make_packet (OPUS, 8 * STEP + STEP / 4, 165 * MS);
  push (packet);
  expect ("lost@160+5 96:7920@165");
  expect_stats (7, 0, 3, 0, 0);
}

GST_END_TEST;

GST_START_TEST (a_loss_goes_to_the_decoder_of_the_packets_before_it)
{
  push (make_packet (PCMU, 0, 0));
  g_string_truncate (out, 0);
  push_lost (20 * MS, 20 * MS);
  push (make_opus (2));
  expect ("lost@20+20 link=96 caps=96 96:1920@40");
  push_red (3, 3);
  g_string_truncate (out, 0);
  push_lost (80 * MS, 20 * MS);
  push (make_packet (PCMU, 5 * STEP, 100 * MS));
  expect ("lost@80+20 link=0 caps=0 0:4800@100");
}

GST_END_TEST;

/* A path that is dead announces losses without end. */
GST_START_TEST (no_more_than_fifty_losses_are_held)
{
  guint i;

  push (make_opus (0));
  g_string_truncate (out, 0);
  for (i = 1; i <= 50; i++)
    push_lost (i * 20 * MS, 20 * MS);
  expect ("");
  expect_stats (1, 0, 0, 0, 0);
  push_lost (51 * 20 * MS, 20 * MS);
  expect_stats (1, 0, 51, 0, 0);
  fail_unless (g_str_has_prefix (out->str, "lost@20+20 lost@40+20 "));
  fail_unless (g_str_has_suffix (out->str, " lost@1020+20"));
}

GST_END_TEST;

GST_START_TEST (a_flush_forgets_the_losses_and_the_times)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  push (make_opus (50));
  push (make_opus (51));
  push_lost (1040 * MS, 20 * MS);
  g_string_truncate (out, 0);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  expect ("flush-start flush-stop segment");
  /* 10 ms later by the RTP timestamp, 15 ms by the jitter buffer: a new stream all the same */
  push (make_packet (OPUS, 51 * STEP + STEP / 2, 1035 * MS));
  expect ("96:49440@1035");
  expect_stats (3, 0, 0, 0, 0);
  /* nothing is known of the duration of a packet yet */
  push_lost (1055 * MS, 0);
  push (make_packet (OPUS, 53 * STEP + STEP / 2, 1075 * MS));
  expect ("96:51360@1075");
  expect_stats (4, 0, 1, 0, 0);
}

GST_END_TEST;

/* --- redundant copies --- */

GST_START_TEST (copies_of_lost_packets_are_handed_on_in_their_place)
{
  GstBuffer *late;

  push_red (0, 0);
  expect ("link=96 caps=96 segment 96:0@0");
  push_red (1, 0);
  expect ("96:960@20");
  push_lost (40 * MS, 20 * MS);
  push_lost (60 * MS, 20 * MS);
  push_red (4, 2);
  expect ("96:1920@40 96:2880@60 96:3840@80");
  expect_stats (3, 2, 0, 0, 0);
  /* a copy of one of two losses: the other one is announced where it was */
  push_lost (100 * MS, 20 * MS);
  push_lost (120 * MS, 20 * MS);
  push_red (7, 6);
  expect ("lost@100+20 96:5760@120 96:6720@140");
  expect_stats (4, 3, 1, 0, 0);
  /* the gap was filled, so that the decoder need not begin anew */
  push_lost (160 * MS, 20 * MS);
  late = make_opus (9);
  GST_BUFFER_FLAG_SET (late, GST_BUFFER_FLAG_DISCONT);
  push (late);
  expect ("lost@160+20 96:8640@180");
  late = make_opus (10);
  GST_BUFFER_FLAG_SET (late, GST_BUFFER_FLAG_DISCONT);
  push (late);
  expect ("96:9600!@200");
}

GST_END_TEST;

/* What the data sender dropped has no sequence number, so that nobody announces its loss. */
GST_START_TEST (a_copy_of_what_was_never_missed_is_handed_on)
{
  push_red (0, 0);
  push_red (1, 0);
  g_string_truncate (out, 0);
  push_red (3, 1);
  expect ("96:1920@40 96:2880@60");
  expect_stats (3, 1, 0, 0, 0);
}

GST_END_TEST;

/* A decoder that begins in mid-stream is warmed up by copies of what was heard. */
GST_START_TEST (copies_warm_up_a_new_decoder)
{
  push_red (0, 0);
  push (make_packet (PCMU, 1 * STEP, 20 * MS));
  push (make_packet (PCMU, 2 * STEP, 40 * MS));
  g_string_truncate (out, 0);
  push_red (3, 1);
  expect ("link=96 caps=96 96:960@20 96:1920@40 96:2880@60");
  expect_stats (4, 0, 0, 0, 0);
}

GST_END_TEST;

GST_START_TEST (an_error_downstream_goes_upstream)
{
  push_red (0, 0);
  push_red (1, 0);
  g_string_truncate (out, 0);
  gst_harness_set_drop_buffers (h, TRUE);
  gst_pad_set_active (h->sinkpad, FALSE);
  push_lost (40 * MS, 20 * MS);
  fail_unless_equals_int (gst_harness_push (h, make_opus (4)),
      GST_FLOW_FLUSHING);
}

GST_END_TEST;

/* --- the timeline --- */

static GstClockTime
place (guint32 timestamp, GstClockTime pts)
{
  return gst_tfrc_decoder_timeline_place (timeline, timestamp, 48000, pts);
}

/* Media time goes on by RTP timestamps; playout time is what the jitter buffer said. */
GST_START_TEST (media_time_goes_on_by_timestamps)
{
  fail_unless_equals_uint64 (place (1000, 500 * MS), 500 * MS);
  fail_unless_equals_uint64 (place (1000 + STEP, 520 * MS), 520 * MS);
  /* the clocks differ by 4 ms: media time takes no notice, and the shift moves by 1 % */
  fail_unless_equals_uint64 (place (1000 + 2 * STEP, 544 * MS), 540 * MS);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_media_time (timeline,
          600 * MS), 600 * MS - 200 * GST_USECOND);
  fail_unless_equals_uint64 (place (1000 + 3 * STEP, 556 * MS), 560 * MS);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_media_time (timeline,
          600 * MS), 600 * MS);
  /* backwards, by a copy */
  fail_unless_equals_uint64 (place (1000 + STEP, 520 * MS), 520 * MS);
}

GST_END_TEST;

/* More than 100 ms from where the last packet leads to, another time begins. */
GST_START_TEST (a_jump_begins_another_media_time)
{
  place (0, 0);
  fail_unless_equals_uint64 (place (STEP, 120 * MS), 20 * MS);
  gst_tfrc_decoder_timeline_reset (timeline);
  place (0, 0);
  fail_unless_equals_uint64 (place (STEP, 120 * MS + 1), 120 * MS + 1);
  fail_unless_equals_uint64 (place (2 * STEP, 140 * MS), 140 * MS + 1);
  /* before the beginning */
  fail_unless_equals_uint64 (place (2 * STEP - 48 * 150, 60 * MS), 60 * MS);
  /* the timestamp has wrapped */
  gst_tfrc_decoder_timeline_reset (timeline);
  place (-(guint32) STEP, 100 * MS);
  fail_unless_equals_uint64 (place (0, 120 * MS), 120 * MS);
}

GST_END_TEST;

GST_START_TEST (times_that_are_unknown_stay_so)
{
  fail_unless_equals_uint64 (place (0, GST_CLOCK_TIME_NONE),
      GST_CLOCK_TIME_NONE);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_place (timeline, 0, 0,
          77), 77);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_media_time (timeline,
          GST_CLOCK_TIME_NONE), GST_CLOCK_TIME_NONE);
  /* a packet without a time is no first packet */
  place (48000, 5 * GST_SECOND);
  fail_unless_equals_uint64 (place (48000 + STEP, 5020 * MS), 5020 * MS);
}

GST_END_TEST;

/* Sound and gaps leave at playout time. */
GST_START_TEST (sound_leaves_at_playout_time)
{
  GstHarness *sound = gst_harness_new ("identity");
  GstPad *pad = gst_element_get_static_pad (sound->element, "src");
  GstBuffer *buffer;
  GstEvent *event;
  GstClockTime time, duration;

  gst_tfrc_decoder_timeline_attach (timeline, pad);
  gst_object_unref (pad);
  gst_harness_set_src_caps_str (sound, "audio/x-raw");
  place (0, 0);
  place (48000, GST_SECOND + 4 * MS);   /* less than 1 % of a second, and than 5 ms */
  buffer = gst_buffer_new ();
  GST_BUFFER_PTS (buffer) = GST_SECOND;
  gst_harness_push (sound, gst_buffer_ref (buffer));
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), GST_SECOND);
  gst_buffer_unref (buffer);
  buffer = gst_harness_pull (sound);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), GST_SECOND + 4 * MS);
  gst_buffer_unref (buffer);
  gst_harness_push_event (sound, gst_event_new_gap (2 * GST_SECOND, 20 * MS));
  while ((event = gst_harness_try_pull_event (sound)) != NULL
      && GST_EVENT_TYPE (event) != GST_EVENT_GAP)
    gst_event_unref (event);
  fail_unless (event != NULL);
  gst_event_parse_gap (event, &time, &duration);
  fail_unless_equals_uint64 (time, 2 * GST_SECOND + 4 * MS);
  fail_unless_equals_uint64 (duration, 20 * MS);
  gst_event_unref (event);
  gst_harness_teardown (sound);
}

GST_END_TEST;

/* The sound of a decoder with more look-ahead follows that of the one before. */
GST_START_TEST (a_join_moves_the_sound_behind_it)
{
  place (0, 0);
  gst_tfrc_decoder_timeline_join (timeline, 20 * MS, 14 * MS);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_joined_time
      (timeline, 14 * MS), 20 * MS);
  gst_tfrc_decoder_timeline_join (timeline, 40 * MS, 44 * MS);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_joined_time
      (timeline, 44 * MS), 46 * MS);
  gst_tfrc_decoder_timeline_join (timeline, 0, 10 * MS);
  /* no time is negative */
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_joined_time
      (timeline, 7 * MS), 0);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_joined_time
      (timeline, 8 * MS), 0);
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_joined_time
      (timeline, 9 * MS), 1 * MS);
  /* playout time stays where it is: what the join moved, the shift moves back */
  fail_unless_equals_uint64 (gst_tfrc_decoder_timeline_get_media_time (timeline,
          100 * MS), 108 * MS);
}

GST_END_TEST;

/* The jitter buffer announces packets as one loss that are too late already: each of them counts. */
GST_START_TEST (one_loss_of_several_packets_counts_each)
{
  push (make_opus (0));
  push (make_opus (1));
  g_string_truncate (out, 0);
  push_several_lost (3, 5, 40 * MS, 60 * MS);
  push (make_opus (5));
  expect ("lost@40+60 96:4800@100");
  expect_stats (3, 0, 3, 0, 0);
  /* a stream whose sequence numbers begin anew */
  push_several_lost (0x7000, 7, 120 * MS, 20 * MS);
  push (make_opus (7));
  expect ("lost@120+20 96:6720@140");
  expect_stats (4, 0, 3 + 8, 0, 0);
}

GST_END_TEST;

/* The copies of some of the packets leave the others to be concealed. */
GST_START_TEST (copies_of_a_part_of_a_loss_leave_the_rest_of_it)
{
  push_red (0, 0);
  push_red (1, 0);
  g_string_truncate (out, 0);
  push_several_lost (3, 5, 40 * MS, 60 * MS);
  push_red (5, 4);
  expect ("lost@40+40 96:3840@80 96:4800@100");
  expect_stats (3, 1, 2, 0, 0);
  /* the last two of three */
  push_several_lost (3, 9, 118 * MS, 60 * MS);
  push_red (9, 7);
  expect ("lost@118+20 96:6720@140 96:7680@160 96:8640@180");
  expect_stats (4, 3, 3, 0, 0);
  /* the first and the last of three, as copies that are two packets apart */
  push_several_lost (3, 13, 200 * MS, 60 * MS);
  push_copies (13, 10, 12);
  expect ("96:9600@200 lost@220+20 96:11520@240 96:12480@260");
  expect_stats (5, 5, 4, 0, 0);
  /* all */
  push_several_lost (3, 17, 280 * MS, 60 * MS);
  push_red (17, 14);
  expect ("96:13440@280 96:14400@300 96:15360@320 96:16320@340");
  expect_stats (6, 8, 4, 0, 0);
}

GST_END_TEST;

/* Nothing comes that could recover them. */
GST_START_TEST (losses_at_the_end_of_the_stream_count)
{
  push (make_opus (0));
  push (make_opus (1));
  g_string_truncate (out, 0);
  push_lost (40 * MS, 20 * MS);
  gst_harness_push_event (h, gst_event_new_eos ());
  expect ("lost@40+20 eos");
  expect_stats (2, 0, 1, 0, 0);
}

GST_END_TEST;

static Suite *
loss_recovery_suite (void)
{
  Suite *suite = suite_create ("loss recovery");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, a_decoder_is_linked_with_the_first_packet_of_its_type);
  tcase_add_test (tcase, payload_type_0_is_linked_too);
  tcase_add_test (tcase, who_else_holds_the_packet_sees_no_change);
  tcase_add_test (tcase, the_caps_of_the_stream_add_payload_types);
  tcase_add_test (tcase, the_application_says_what_payload_types_are);
  tcase_add_test (tcase, what_no_decoder_takes_is_dropped_and_counted);
  tcase_add_test (tcase, a_red_packet_that_no_decoder_takes_is_counted_once);
  tcase_add_test (tcase, a_stop_forgets_the_decoder);
  tcase_add_test (tcase, a_loss_is_announced_in_front_of_the_next_packet);
  tcase_add_test (tcase, a_loss_that_is_too_short_gets_the_room_there_is);
  tcase_add_test (tcase, a_loss_goes_to_the_decoder_of_the_packets_before_it);
  tcase_add_test (tcase, no_more_than_fifty_losses_are_held);
  tcase_add_test (tcase, one_loss_of_several_packets_counts_each);
  tcase_add_test (tcase, copies_of_a_part_of_a_loss_leave_the_rest_of_it);
  tcase_add_test (tcase, losses_at_the_end_of_the_stream_count);
  tcase_add_test (tcase, a_flush_forgets_the_losses_and_the_times);
  tcase_add_test (tcase, copies_of_lost_packets_are_handed_on_in_their_place);
  tcase_add_test (tcase, a_copy_of_what_was_never_missed_is_handed_on);
  tcase_add_test (tcase, copies_warm_up_a_new_decoder);
  tcase_add_test (tcase, an_error_downstream_goes_upstream);
  tcase_add_test (tcase, media_time_goes_on_by_timestamps);
  tcase_add_test (tcase, a_jump_begins_another_media_time);
  tcase_add_test (tcase, times_that_are_unknown_stay_so);
  tcase_add_test (tcase, sound_leaves_at_playout_time);
  tcase_add_test (tcase, a_join_moves_the_sound_behind_it);
  return suite;
}

GST_CHECK_MAIN (loss_recovery);
