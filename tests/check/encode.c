/* gst-tfrc tests: tfrcencodebin: bit rate and frame length
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/encoderpacketsevent.h"
#include "voice.h"
#include "leaks.h"

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"

static Voice v;

/* Samples at 48 kHz in an Opus packet, RFC 6716 3.1: packets of one frame. */
static guint
get_opus_samples (const guint8 * payload)
{
  static const guint silk[] = { 480, 960, 1920, 2880 };
  static const guint celt[] = { 120, 240, 480, 960 };
  guint config = payload[0] >> 3, frames = 1;

  if ((payload[0] & 3) == 3)
    frames = payload[1] & 63;
  else if ((payload[0] & 3) != 0)
    frames = 2;
  if (config < 12)
    return frames * silk[config & 3];
  if (config < 16)
    return frames * (config & 1 ? 960 : 480);
  return frames * celt[config & 3];
}

typedef struct
{
  guint packets, payload;       /* bytes */
  guint shortest, longest;      /* samples at 48 kHz */
  guint largest;                /* bytes of a packet */
  gboolean marked;              /* the first */
  guint marks;
} Packets;

static guint32 next_timestamp;
static guint16 next_seq;

/* tfrcopusenc takes its look-ahead of 6.5 ms off the time of its first packet. */
#define LOOKAHEAD 312

typedef enum
{
  FIRST,                        /* of the stream */
  AFTER_SILENCE,
  CONTINUES                     /* from the last call's */
} Expected;

/* Takes what came out; timestamps and sequence numbers must go on. */
static Packets
take (Expected expected)
{
  Packets got = { .shortest = G_MAXUINT };
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (v.h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    guint samples;

    fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
    samples = get_opus_samples (gst_rtp_buffer_get_payload (&rtp));
    if (got.packets == 0)
      got.marked = gst_rtp_buffer_get_marker (&rtp);
    got.marks += gst_rtp_buffer_get_marker (&rtp);
    if (expected == CONTINUES)
      fail_unless_equals_int (gst_rtp_buffer_get_timestamp (&rtp),
          next_timestamp);
    if (expected != FIRST)
      fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), next_seq);
    next_timestamp = gst_rtp_buffer_get_timestamp (&rtp) + samples;
    if (expected == FIRST)
      next_timestamp -= LOOKAHEAD;
    expected = CONTINUES;
    next_seq = gst_rtp_buffer_get_seq (&rtp) + 1;
    got.packets++;
    got.payload += gst_rtp_buffer_get_payload_len (&rtp);
    got.shortest = MIN (got.shortest, samples);
    got.longest = MAX (got.longest, samples);
    got.largest = MAX (got.largest, gst_buffer_get_size (buffer));
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (buffer);
  }
  return got;
}

static guint
get_ptime_ms (void)
{
  guint64 value;

  gst_harness_get (v.h, "tfrcencodebin", "current-ptime", &value, NULL);
  return value / GST_MSECOND;
}

GST_START_TEST (packets_reserve_the_stamp_under_the_id_in_the_caps)
{
  GstCaps *caps;
  GstStructure *s;
  GstBuffer *buffer;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint size;

  voice_start (&v, "tfrcencodebin extension-id=5 pt=111");
  voice_run (&v, 0.2);
  caps = gst_pad_get_current_caps (v.h->sinkpad);
  s = gst_caps_get_structure (caps, 0);
  fail_unless_equals_string (gst_structure_get_string (s, "extmap-5"),
      STAMP_URI);
  fail_unless_equals_string (gst_structure_get_string (s, "encoding-name"),
      "OPUS");
  gst_caps_unref (caps);

  buffer = gst_harness_pull (v.h);
  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_payload_type (&rtp), 111);
  fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&rtp, 5, 0, &data,
          &size));
  fail_unless_equals_int (size, 7);
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  voice_stop (&v);
}

GST_END_TEST;

/* A browser reads no stamp. */
GST_START_TEST (without_an_id_packets_have_no_stamp)
{
  GstCaps *caps;
  GstBuffer *buffer;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gchar *text;

  voice_start (&v, "tfrcencodebin extension-id=0");
  voice_run (&v, 0.2);
  caps = gst_pad_get_current_caps (v.h->sinkpad);
  text = gst_caps_to_string (caps);
  fail_unless (strstr (text, "extmap") == NULL, "%s", text);
  g_free (text);
  gst_caps_unref (caps);

  buffer = gst_harness_pull (v.h);
  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_header_len (&rtp), 12);
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  voice_stop (&v);
}

GST_END_TEST;

static void
check_announced (const gchar * line, guint min, guint max)
{
  GstCaps *caps;
  guint announced[2] = { 0, 0 };

  voice_start (&v, line);
  voice_run (&v, 0.2);
  caps = gst_pad_get_current_caps (v.h->sinkpad);
  gst_structure_get (gst_caps_get_structure (caps, 0),
      "tfrc-min-bitrate", G_TYPE_UINT, &announced[0],
      "tfrc-max-bitrate", G_TYPE_UINT, &announced[1], NULL);
  gst_caps_unref (caps);
  voice_stop (&v);
  fail_unless_equals_int (announced[0], min);
  fail_unless_equals_int (announced[1], max);
}

/* rtptfrcsend keeps them for the flow, where it is coupled with others. */
GST_START_TEST (the_caps_say_the_bit_rates_of_the_ladder)
{
  check_announced ("tfrcencodebin", 6000, 64000);
  check_announced ("tfrcencodebin min-bitrate=12000 max-bitrate=24000", 12000,
      24000);
  check_announced ("tfrcencodebin ladder=\"OPUS 9000/60, OPUS 16000/20\"", 9000,
      16000);
  check_announced ("tfrcencodebin adaptive=false bitrate=32000 ptime=20000000",
      32000, 32000);
}

GST_END_TEST;

GST_START_TEST (a_lower_allowance_is_obeyed_when_it_lasts)
{
  Packets before, after;

  voice_start (&v, "tfrcencodebin max-ptime=20000000 inband-fec=false");
  v.rate.allowance.X_wire = v.rate.allowance.X = 7500;
  voice_run (&v, 20);
  before = take (FIRST);
  fail_unless_equals_int (before.longest, 960);
  fail_unless (voice_get_uint (&v, "current-bitrate") >= 24000);

  /* 50 packets/s with 64 bytes of headers: 8000 bit/s are left. */
  v.rate.allowance.X_wire = v.rate.allowance.X = 50 * (64 + 20);
  v.rate.reason = GST_TFRC_RATE_LOSS;
  voice_run (&v, 0.3);
  fail_unless (voice_get_uint (&v, "current-bitrate") >= 24000);
  voice_run (&v, 0.3);
  fail_unless_equals_int (voice_get_uint (&v, "current-bitrate"), 8000);
  take (CONTINUES);
  voice_run (&v, 2);
  after = take (CONTINUES);
  fail_unless (after.payload < 1.05 * after.packets * 20,
      "%u bytes in %u packets", after.payload, after.packets);
  fail_unless (after.payload > 0.6 * after.packets * 20,
      "%u bytes in %u packets", after.payload, after.packets);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (frames_get_longer_when_headers_would_take_the_rate)
{
  Packets got;

  voice_start (&v, "tfrcencodebin redundancy=0");
  /* 24 kbit/s: at 50 packets/s headers alone would need 25.6. */
  v.rate.allowance.X_wire = v.rate.allowance.X = 3000;
  voice_run (&v, 0.1);
  fail_unless (get_ptime_ms () > 20);
  take (FIRST);
  voice_run (&v, 4);
  got = take (CONTINUES);
  fail_unless (got.longest > 960);
  fail_unless (voice_get_uint (&v, "current-bitrate") >= 12000);
  fail_unless (got.payload + 64 * got.packets < 1.05 * 3000 * 4,
      "%u bytes in %u packets", got.payload, got.packets);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (timestamps_go_on_across_every_change_of_the_frame_length)
{
  static const gdouble rates[] = { 20000, 3000, 1850, 6000, 2200, 20000 };
  guint i, lengths = 0;

  voice_start (&v, "tfrcencodebin min-ptime=10000000 redundancy=0");
  for (i = 0; i < G_N_ELEMENTS (rates); i++) {
    v.rate.allowance.X_wire = v.rate.allowance.X = rates[i];
    voice_run (&v, 12);
    take (i == 0 ? FIRST : CONTINUES);
    lengths |= 1 << (get_ptime_ms () / 10);
  }
  /* it is no test when one length served all */
  fail_unless (lengths & (lengths - 1));
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (a_fixed_ptime_is_kept_whatever_is_allowed)
{
  Packets got;

  voice_start (&v, "tfrcencodebin ptime=40000000");
  voice_run (&v, 1);
  v.rate.allowance.X_wire = v.rate.allowance.X = 1500;
  voice_run (&v, 4);
  got = take (FIRST);
  fail_unless_equals_int (got.shortest, 1920);
  fail_unless_equals_int (got.longest, 1920);
  fail_unless_equals_int (voice_get_uint (&v, "current-bitrate"), 6000);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (limits_of_bitrate_and_packet_size_are_kept)
{
  Packets got;

  voice_start (&v, "tfrcencodebin min-bitrate=12000 max-bitrate=20000 "
      "max-packet-size=110");
  voice_run (&v, 10);
  got = take (FIRST);
  fail_unless (got.largest <= 110 * 1.25, "%u bytes", got.largest);
  fail_unless (voice_get_uint (&v, "current-bitrate") <= 20000);
  v.rate.allowance.X_wire = v.rate.allowance.X = 1700;
  voice_run (&v, 3);
  fail_unless_equals_int (voice_get_uint (&v, "current-bitrate"), 12000);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (without_adaptation_nothing_moves_it)
{
  Packets got;

  voice_start (&v, "tfrcencodebin adaptive=false bitrate=25000");
  voice_run (&v, 1);
  v.rate.allowance.X_wire = v.rate.allowance.X = 100;
  v.rate.suspend = TRUE;
  voice_run (&v, 3);
  got = take (FIRST);
  fail_unless_equals_int (voice_get_uint (&v, "current-bitrate"), 25000);
  fail_unless_equals_int (got.shortest, 960);
  fail_unless_equals_int (got.longest, 960);
  fail_unless (got.packets >= 198);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (measured_loss_turns_on_the_error_correction)
{
  GstElement *encoder;
  gboolean fec;
  gint loss;

  voice_start (&v, "tfrcencodebin redundancy=0");
  v.rate.allowance.X_wire = v.rate.allowance.X = 9000;
  voice_run (&v, 3);
  encoder = voice_find (&v, "tfrcopusenc");
  v.rate.allowance.p = 0.1;
  voice_run (&v, 8);
  g_object_get (encoder, "inband-fec", &fec, "packet-loss-percentage", &loss,
      NULL);
  fail_unless (fec);
  fail_unless_equals_int (loss, 10);
  fail_unless_equals_int (voice_get_uint (&v, "expected-loss"), 10);
  gst_object_unref (encoder);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (suspended_it_sends_nothing_and_marks_the_first_packet_after)
{
  Packets got;
  guint32 silent_since;
  gboolean suspended;

  voice_start (&v, "tfrcencodebin ptime=20000000");
  voice_run (&v, 1);
  take (FIRST);
  silent_since = next_timestamp;
  v.rate.suspend = TRUE;
  v.rate.reason = GST_TFRC_RATE_SUSPEND;
  voice_run (&v, 2);
  got = take (CONTINUES);
  fail_unless (got.packets <= 1);
  gst_harness_get (v.h, "tfrcencodebin", "suspended", &suspended, NULL);
  fail_unless (suspended);

  v.rate.suspend = FALSE;
  v.rate.reason = GST_TFRC_RATE_RESUME;
  voice_run (&v, 1);
  got = take (AFTER_SILENCE);
  fail_unless (got.marked);
  fail_unless_equals_int (got.marks, 1);
  fail_unless (got.packets >= 45);
  /* the silence is in the timestamps */
  fail_unless (next_timestamp - silent_since > 48000 * 28 / 10);
  fail_unless (next_timestamp - silent_since < 48000 * 31 / 10);
  voice_stop (&v);
}

GST_END_TEST;

static gboolean
is_answered (void)
{
  gboolean answered;

  gst_harness_get (v.h, "tfrcencodebin", "answered", &answered, NULL);
  return answered;
}

GST_START_TEST (it_tells_whether_anybody_answers)
{
  gdouble R = 0.05;

  voice_start (&v, "tfrcencodebin");
  v.rate.allowance.R = 0;
  v.rate.reason = GST_TFRC_RATE_START;
  voice_run (&v, 1);
  fail_if (is_answered ());
  v.rate.allowance.R = R;
  v.rate.reason = GST_TFRC_RATE_REPORT;
  voice_run (&v, 1);
  fail_unless (is_answered ());
  v.rate.reason = GST_TFRC_RATE_NOFEEDBACK;
  voice_run (&v, 1);
  fail_if (is_answered ());
  v.rate.suspend = TRUE;
  v.rate.reason = GST_TFRC_RATE_SUSPEND;
  voice_run (&v, 1);
  fail_if (is_answered ());
  v.rate.suspend = FALSE;
  v.rate.reason = GST_TFRC_RATE_RESUME;
  voice_run (&v, 1);
  fail_unless (is_answered ());
  voice_stop (&v);
}

GST_END_TEST;

/* What was said last; 0: nothing was. */
static GstTfrcEncoderPackets
get_packets (void)
{
  GstPad *pad = gst_element_get_static_pad (v.h->element, "src");
  GstTfrcEncoderPackets packets = gst_tfrc_encoder_packets_event_get_last (pad);

  gst_object_unref (pad);
  return packets;
}

static GstClockTime
get_queue_time (void)
{
  return get_packets ().queue_time;
}

GST_START_TEST (it_says_which_packets_have_copies)
{
  voice_start (&v, "tfrcencodebin redundancy=0");
  voice_run (&v, 1);
  fail_if (get_packets ().redundant);
  voice_stop (&v);

  voice_start (&v, "tfrcencodebin red-pt=119");
  voice_run (&v, 1);
  fail_unless (get_packets ().redundant);
  fail_unless_equals_int (get_packets ().redundant_type, 119);
  voice_stop (&v);
}

GST_END_TEST;

/* A packet of the beginning has 60 ms at 16 kbit/s, and two copies where the remote takes them. */
GST_START_TEST (it_says_how_large_its_packets_may_be)
{
  voice_start (&v, "tfrcencodebin redundancy=0");
  voice_run (&v, 1);
  fail_unless_equals_int (get_packets ().largest, 120 + 24);
  voice_stop (&v);

  voice_start (&v, "tfrcencodebin");
  voice_run (&v, 1);
  fail_unless (get_packets ().largest > 3 * 120 + 24);
  fail_unless (get_packets ().largest < 3 * 120 + 24 + 20);
  voice_stop (&v);

  voice_start (&v, "tfrcencodebin adaptive=false bitrate=32000 ptime=20000000");
  voice_run (&v, 1);
  fail_unless_equals_int (get_packets ().largest, 80 + 24);
  voice_stop (&v);
}

GST_END_TEST;

/* Of 500 ms, packets of 20 ms take 20, and the path 50, or 150. */
GST_START_TEST (it_says_how_long_its_packets_may_wait)
{
  voice_start (&v, "tfrcencodebin max-delay=500 ptime=20000000 redundancy=0");
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 420 * GST_MSECOND);
  /* who begins anew behind it has forgotten it */
  gst_element_set_state (v.h->element, GST_STATE_READY);
  fail_unless_equals_uint64 (get_queue_time (), 0);
  gst_element_set_state (v.h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (v.h, VOICE_SOUND);
  v.before_seek += v.sample;
  v.sample = 0;
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 420 * GST_MSECOND);
  gst_harness_set (v.h, "tfrcencodebin", "max-delay", 0, NULL);
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 100 * GST_MSECOND);
  voice_stop (&v);

  voice_start (&v, "tfrcencodebin max-delay=500 ptime=20000000 redundancy=0");
  v.rate.allowance.R = 0.3;
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 320 * GST_MSECOND);
  voice_stop (&v);
}

GST_END_TEST;

/* The data receiver says that it holds packets for 400 ms, of which the jitter takes 10; else packets wait for the first
 * report, and then 100 ms. */
GST_START_TEST (its_packets_may_wait_for_as_long_as_the_data_receiver_does)
{
  voice_start (&v, "tfrcencodebin redundancy=0");
  v.rate.allowance.R = 0;
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 500 * GST_MSECOND);
  v.rate.allowance.R = 0.1;
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 100 * GST_MSECOND);
  v.rate.playout = 400 * GST_MSECOND;
  voice_run (&v, 1);
  fail_unless_equals_uint64 (get_queue_time (), 380 * GST_MSECOND);
  voice_stop (&v);
}

GST_END_TEST;

/* wavparse hands out 128 ms at a time. */
GST_START_TEST (one_large_buffer_does_not_delay_a_change)
{
  Packets got;
  guint i;

  voice_start (&v, "tfrcencodebin max-ptime=20000000");
  voice_run (&v, 10);
  take (FIRST);
  gst_harness_push (v.h, voice_make_sound (&v, 128));
  /* less than half: no hold */
  v.rate.allowance.X_wire = v.rate.allowance.X = 3000;
  gst_harness_push_upstream_event (v.h, gst_tfrc_rate_event_new (&v.rate));
  take (CONTINUES);
  for (i = 0; i < 8; i++)
    gst_harness_push (v.h, voice_make_sound (&v, 128));
  got = take (CONTINUES);
  fail_unless (got.packets >= 50);
  /* 6000 bit/s */
  fail_unless (got.payload <= 1.3 * got.packets * 15);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (contradictory_limits_are_an_error_that_names_the_remedy)
{
  GstElement *pipeline = gst_parse_launch ("audiotestsrc ! tfrcencodebin "
      "min-ptime=30000000 max-ptime=35000000 ! fakesink", NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gchar *debug = NULL;
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, &debug);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR,
          GST_LIBRARY_ERROR_SETTINGS));
  fail_unless (strstr (debug, "max-ptime") != NULL);
  g_clear_error (&error);
  g_free (debug);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (the_listener_hears_no_click_when_the_frame_length_changes)
{
  static const gdouble rates[] = { 4000, 20000, 4000, 9000, 4000, 20000 };
  gdouble worst;
  guint i;

  voice_start (&v, "tfrcencodebin min-bitrate=24000 ! tfrcdecodebin");
  v.tone = TRUE;
  gst_harness_set_sink_caps_str (v.h, VOICE_SOUND);
  for (i = 0; i < G_N_ELEMENTS (rates); i++) {
    v.rate.allowance.X_wire = v.rate.allowance.X = rates[i];
    voice_run (&v, 7);
  }
  worst = far_hear (v.h, 0.5, 42, QUIETEST);
  fail_unless (worst < 0.05, "%.3f of the sound is no tone", worst);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (it_starts_and_stops_any_number_of_times)
{
  GstElement *pipeline = gst_parse_launch ("audiotestsrc ! tfrcencodebin ! "
      "tfrcdecodebin ! fakesink", NULL);
  guint i;

  for (i = 0; i < 3; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            10 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
encode_suite (void)
{
  Suite *s = suite_create ("encode");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_test (tc, packets_reserve_the_stamp_under_the_id_in_the_caps);
  tcase_add_test (tc, without_an_id_packets_have_no_stamp);
  tcase_add_test (tc, the_caps_say_the_bit_rates_of_the_ladder);
  tcase_add_test (tc, a_lower_allowance_is_obeyed_when_it_lasts);
  tcase_add_test (tc, frames_get_longer_when_headers_would_take_the_rate);
  tcase_add_test (tc, timestamps_go_on_across_every_change_of_the_frame_length);
  tcase_add_test (tc, a_fixed_ptime_is_kept_whatever_is_allowed);
  tcase_add_test (tc, limits_of_bitrate_and_packet_size_are_kept);
  tcase_add_test (tc, without_adaptation_nothing_moves_it);
  tcase_add_test (tc, measured_loss_turns_on_the_error_correction);
  tcase_add_test (tc,
      suspended_it_sends_nothing_and_marks_the_first_packet_after);
  tcase_add_test (tc, it_tells_whether_anybody_answers);
  tcase_add_test (tc, it_says_which_packets_have_copies);
  tcase_add_test (tc, it_says_how_large_its_packets_may_be);
  tcase_add_test (tc, it_says_how_long_its_packets_may_wait);
  tcase_add_test (tc,
      its_packets_may_wait_for_as_long_as_the_data_receiver_does);
  tcase_add_test (tc, one_large_buffer_does_not_delay_a_change);
  tcase_add_test (tc, contradictory_limits_are_an_error_that_names_the_remedy);
  tcase_add_test (tc,
      the_listener_hears_no_click_when_the_frame_length_changes);
  tcase_add_test (tc, it_starts_and_stops_any_number_of_times);
  return s;
}

GST_CHECK_MAIN (encode);
