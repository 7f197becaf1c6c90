/* gst-tfrc tests: tfrcencodebin and tfrcdecodebin as elements: latency, messages, properties and
 * states
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>
#include <string.h>

#include "codec/encodebinproperties.h"
#include "leaks.h"
#include "voice.h"

static Voice v;

/* --- tfrcdecodebin --- */

static GstClockTime upstream_max;

static gboolean
answer_latency (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, 40 * GST_MSECOND, upstream_max);
  return TRUE;
}

/* With that of the decoder, which this test does not know. */
static void
ask_latency (GstHarness * h, GstClockTime delay, GstClockTime * least,
    GstClockTime * most)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live;

  g_object_set (h->element, "repair-delay", delay, NULL);
  fail_unless (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, &live, least, most);
  fail_unless (live);
  gst_query_unref (query);
}

/* Sinks have to wait for a packet that the next one brings. */
static void
count_packet (GstElement * sink, GstBuffer * packet, GstPad * pad,
    guint * packets)
{
  ++*packets;
}

/* Whatever a decoder makes: each sample format, rate, number of channels and layout. */
GST_START_TEST (any_raw_audio_is_taken)
{
  static const struct
  {
    guint rate;
    const gchar *caps;
  } inputs[] = {
    {44100, "format=F64LE,channels=2,layout=interleaved"},
    {44100, "format=F32LE,channels=2,layout=non-interleaved"},
    {96000, "format=S24LE,channels=1,layout=interleaved"},
    {11025, "format=S24_32BE,channels=1,layout=interleaved"},
    {48000, "format=S16LE,channels=6,channel-mask=(bitmask)0x3f,"
          "layout=interleaved"},
    {48000, "format=F32LE,channels=6,channel-mask=(bitmask)0x3f,"
          "layout=non-interleaved"},
    {8000, "format=U8,channels=1,layout=interleaved"},
    {22050, "format=S16BE,channels=2,layout=non-interleaved"}
  };
  const gchar *caps = inputs[__i__].caps;
  guint expected = 200 * 480 * 50 / inputs[__i__].rate;
  gchar *line = g_strdup_printf ("audiotestsrc num-buffers=200 "
      "samplesperbuffer=480 ! audioconvert ! audio/x-raw,rate=%u,%s ! "
      "tfrcencodebin ptime=20000000 ! "
      "fakesink name=out signal-handoffs=true sync=false", inputs[__i__].rate,
      caps);
  GstElement *pipeline = gst_parse_launch (line, NULL), *out;
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint packets = 0;

  g_free (line);
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  g_signal_connect (out, "handoff", G_CALLBACK (count_packet), &packets);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL
      && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS, "%s", caps);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless (packets >= expected && packets <= expected + 2, "%u of %s",
      packets, caps);
  gst_object_unref (out);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (the_delay_of_repairs_is_in_the_latency)
{
  GstHarness *h = far_start ();
  GstClockTime least[2], most[2];
  GstQuery *query;
  GstBuffer *packet;

  /* the first packet links a decoder */
  voice_start (&v, "tfrcencodebin");
  voice_run (&v, 0.1);
  while ((packet = gst_harness_try_pull (v.h)) != NULL)
    gst_harness_push (h, packet);
  voice_stop (&v);

  upstream_max = __i__ == 0 ? GST_CLOCK_TIME_NONE : 100 * GST_MSECOND;
  gst_pad_set_query_function (h->srcpad, answer_latency);
  ask_latency (h, 0, &least[0], &most[0]);
  ask_latency (h, 30 * GST_MSECOND, &least[1], &most[1]);
  fail_unless (least[0] >= 40 * GST_MSECOND);
  fail_unless_equals_uint64 (least[1] - least[0], 30 * GST_MSECOND);
  fail_unless_equals_uint64 (most[1], __i__ == 0 ? GST_CLOCK_TIME_NONE :
      most[0] + 30 * GST_MSECOND);
  query = gst_query_new_seeking (GST_FORMAT_TIME);
  fail_if (gst_pad_peer_query (h->sinkpad, query));
  gst_query_unref (query);
  query = gst_query_new_caps (NULL);
  fail_unless (gst_pad_peer_query (h->sinkpad, query));
  gst_query_unref (query);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- tfrcencodebin --- */

/* The payload type of the first packet that left, and of the last; all are taken. */
static void
take_payload_types (gint * begin, gint * end)
{
  GstBuffer *packet;

  *begin = *end = -1;
  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    *end = gst_rtp_buffer_get_payload_type (&rtp);
    if (*begin < 0)
      *begin = *end;
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (packet);
  }
}

GST_START_TEST (the_decoder_has_the_complexity_that_was_set)
{
  GstHarness *h = far_start ();
  GstElement *decoder;
  GstBuffer *packet;
  gint complexity;

  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_get (h->element, "complexity", &complexity, NULL);
  fail_unless_equals_int (complexity, 7);
  g_object_set (h->element, "complexity", 3, NULL);
  gst_harness_play (h);
  voice_start (&v, "tfrcencodebin");
  voice_run (&v, 0.1);
  while ((packet = gst_harness_try_pull (v.h)) != NULL)
    gst_harness_push (h, packet);
  voice_stop (&v);
  decoder = gst_harness_find_element (h, "tfrcopusdec");
  g_object_get (decoder, "complexity", &complexity, NULL);
  fail_unless_equals_int (complexity, 3);
  gst_object_unref (decoder);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (a_codec_that_is_not_offered_is_not_used)
{
  GstElement *bin;
  gint begin, end;

  voice_start (&v, "tfrcencodebin codecs=OPUS,PCMU codec=PCMA redundancy=0 "
      "adaptive=false bitrate=24000");
  bin = voice_find (&v, "tfrcencodebin");
  voice_run (&v, 0.5);
  take_payload_types (&begin, &end);
  fail_unless_equals_int (begin, 96);
  fail_unless_equals_int (end, 96);
  g_object_set (bin, "codec", "pcmu", "bitrate", 64000, NULL);
  voice_run (&v, 0.5);
  take_payload_types (&begin, &end);
  fail_unless_equals_int (end, 0);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

GST_START_TEST (each_start_begins_with_the_first_codec)
{
  GstElement *bin;
  gint begin, end;

  voice_start (&v, "tfrcencodebin codecs=OPUS,PCMU redundancy=0 "
      "adaptive=false bitrate=24000");
  bin = voice_find (&v, "tfrcencodebin");
  voice_run (&v, 0.2);
  g_object_set (bin, "codec", "PCMU", "bitrate", 64000, NULL);
  voice_run (&v, 0.4);
  take_payload_types (&begin, &end);
  fail_unless_equals_int (begin, 96);
  fail_unless_equals_int (end, 0);
  g_object_set (bin, "codec", NULL, "bitrate", 24000, NULL);
  gst_element_set_state (v.h->element, GST_STATE_READY);
  gst_element_set_state (v.h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (v.h, VOICE_SOUND);
  v.before_seek += v.sample;
  v.sample = 0;
  voice_run (&v, 0.4);
  take_payload_types (&begin, &end);
  fail_unless_equals_int (begin, 96);
  fail_unless_equals_int (end, 96);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

/* An encoder that begins is given the sound again that the one before had not sent, however
 * often the codec changes. */
GST_START_TEST (codecs_that_change_often_leave_nothing_out)
{
  static const gchar *const codecs[] = { "PCMU", "OPUS", "PCMA" };
  GstClockTime end = GST_CLOCK_TIME_NONE;
  GstElement *bin;
  GstBuffer *packet;
  guint i, n = 0;

  voice_start (&v, "tfrcencodebin codecs=PCMU,OPUS,PCMA redundancy=0 "
      "adaptive=false bitrate=64000 ptime=60000000");
  bin = voice_find (&v, "tfrcencodebin");
  voice_run (&v, 0.5);
  for (i = 0; i < 12; i++) {
    g_object_set (bin, "codec", codecs[i % 3], NULL);
    voice_run (&v, __i__ == 0 ? 0.1 : 0.02);
  }
  voice_run (&v, __i__ == 0 ? 0 : 0.96);
  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    if (GST_CLOCK_TIME_IS_VALID (end))
      fail_unless (ABS (GST_CLOCK_DIFF (end, GST_BUFFER_PTS (packet))) <=
          2 * GST_MSECOND, "%" G_GINT64_FORMAT " ns at packet %u",
          GST_CLOCK_DIFF (end, GST_BUFFER_PTS (packet)), n);
    end = GST_BUFFER_PTS (packet) + GST_BUFFER_DURATION (packet);
    n++;
    gst_buffer_unref (packet);
  }
  fail_unless (n >= 24 && n <= 30, "%u packets", n);
  fail_unless (end > 1500 * GST_MSECOND && end <= 1700 * GST_MSECOND);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

/* The sound from before is no sound of the new time, even when its times fit. */
GST_START_TEST (a_new_segment_begins_without_the_sound_before)
{
  GstElement *bin;
  GstBuffer *packet;
  GstSegment segment;
  gboolean begun = FALSE;
  guint i;

  voice_start (&v, "tfrcencodebin codecs=PCMU,PCMA redundancy=0 "
      "adaptive=false bitrate=64000 ptime=20000000");
  bin = voice_find (&v, "tfrcencodebin");
  voice_run (&v, 0.5);
  while ((packet = gst_harness_try_pull (v.h)) != NULL)
    gst_buffer_unref (packet);
  if (__i__ == 0) {
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (v.h, gst_event_new_segment (&segment));
    v.before_seek += v.sample;
    v.sample = 0;
  } else {
    voice_seek_to_start (&v);
  }
  for (i = 0; i < 2; i++) {
    voice_run (&v, 0.2);
    g_object_set (bin, "codec", "PCMA", NULL);
  }
  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    /* the encoder may have held the last of the sound before */
    begun |= GST_BUFFER_PTS (packet) < 100 * GST_MSECOND;
    fail_if (begun && GST_BUFFER_PTS (packet) > 400 * GST_MSECOND,
        "%" G_GUINT64_FORMAT, GST_BUFFER_PTS (packet));
    gst_buffer_unref (packet);
  }
  fail_unless (begun);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

static guint64
get_number (GstElement * bin, const gchar * property)
{
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;
  guint64 result;

  g_value_init (&number, G_TYPE_UINT64);
  g_object_get_property (G_OBJECT (bin), property, &value);
  fail_unless (g_value_transform (&value, &number), "%s", property);
  result = g_value_get_uint64 (&number);
  g_value_unset (&value);
  return result;
}

static void
check_message (GstElement * bin, const GstStructure * s)
{
  static const gchar *const numbers[][2] = {
    {"bitrate", "current-bitrate"}, {"ptime", "current-ptime"},
    {"channels", "current-channels"}, {"inband-fec", "current-inband-fec"},
    {"redundancy", "current-redundancy"}, {"loss-percentage", "expected-loss"},
    {"suspended", "suspended"}
  };
  gchar *codec;
  gdouble quality, said;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (numbers); i++) {
    GValue number = G_VALUE_INIT;

    g_value_init (&number, G_TYPE_UINT64);
    fail_unless (g_value_transform (gst_structure_get_value (s, numbers[i][0]),
            &number), "%s", numbers[i][0]);
    fail_unless_equals_uint64 (g_value_get_uint64 (&number), get_number (bin,
            numbers[i][1]));
  }
  g_object_get (bin, "current-codec", &codec, "expected-quality", &quality,
      NULL);
  fail_unless_equals_string (gst_structure_get_string (s, "codec"), codec);
  fail_unless (gst_structure_get_double (s, "quality", &said));
  fail_unless_equals_float (said, quality);
  fail_unless (quality > 1 && quality < 4.6);
  g_free (codec);
}

static void
count_notify (GObject * object, GParamSpec * spec, guint * count)
{
  (*count)++;
}

/* The newest message and the properties say the same. */
GST_START_TEST (a_choice_is_a_message_and_properties)
{
  static const gchar *const notified[] = { "notify::current-bitrate",
    "notify::current-ptime", "notify::current-inband-fec",
    "notify::current-redundancy", "notify::current-codec",
    "notify::current-channels", "notify::expected-loss",
    "notify::expected-quality", "notify::suspended"
  };
  guint counts[G_N_ELEMENTS (notified)] = { 0 }, messages = 0, i;
  GstBus *bus = gst_bus_new ();
  GstMessage *message, *last = NULL;
  GstElement *bin;

  voice_start (&v, "tfrcencodebin");
  bin = voice_find (&v, "tfrcencodebin");
  gst_element_set_bus (bin, bus);
  for (i = 0; i < G_N_ELEMENTS (notified); i++)
    g_signal_connect (bin, notified[i], G_CALLBACK (count_notify), &counts[i]);
  v.rate.allowance.p = 0.05;
  v.rate.loss = 0.05;
  voice_run (&v, 3);
  v.rate.allowance.X = v.rate.allowance.X_wire = 4000;
  voice_run (&v, 5);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    gst_clear_message (&last);
    if (gst_message_has_name (message, "application/x-tfrc-choice"))
      messages++;
    last = message;
  }
  fail_unless (messages >= 2, "%u messages", messages);
  for (i = 0; i < G_N_ELEMENTS (notified); i++)
    fail_unless_equals_int (counts[i], messages);
  check_message (bin, gst_message_get_structure (last));
  gst_message_unref (last);
  gst_bus_set_flushing (bus, TRUE);
  gst_element_set_bus (bin, NULL);
  gst_object_unref (bus);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

/* Before anything is known of the path. */
GST_START_TEST (the_first_bit_rate_is_the_one_that_was_set)
{
  voice_start (&v, "tfrcencodebin bitrate=40000");
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (gst_harness_push (v.h, voice_make_sound (&v, 20)),
        GST_FLOW_OK);
  fail_unless (voice_get_uint (&v, "current-bitrate") > 30000);
  fail_unless (voice_get_uint (&v, "current-bitrate") <= 40000);
  voice_stop (&v);
}

GST_END_TEST;

/* Payload types and the stamp's id are in the caps and in the packets. */
GST_START_TEST (payload_types_are_those_that_were_set)
{
  GstCaps *caps;
  gint begin, end, pt;

  voice_start (&v, "tfrcencodebin pt=110 red-pt=111 extension-id=7 "
      "redundancy=1 copy-distance=0");
  v.rate.allowance.p = 0.2;
  v.rate.loss = 0.2;
  voice_run (&v, 4);
  take_payload_types (&begin, &end);
  fail_unless_equals_int (begin, 110);
  fail_unless_equals_int (end, 111);
  caps = gst_pad_get_current_caps (v.h->sinkpad);
  fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0),
          "payload", &pt));
  fail_unless_equals_int (pt, 110);
  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure
          (caps, 0), "extmap-7"), "urn:ietf:params:rtp-hdrext:rtt-sendts");
  gst_caps_unref (caps);
  voice_stop (&v);
}

GST_END_TEST;

/* What cannot be is an error when the element is to be READY, with what to do about it. */
GST_START_TEST (wrong_codecs_and_ladders_are_errors)
{
  static const struct
  {
    const gchar *property, *value, *words;
  } table[] = {
    {"codecs", "OPUS,MP3", "\"MP3\" in the property \"codecs\""},
    {"codecs", "", "\"\" in the property \"codecs\""},
    {"ladder", "OPUS", "RATE/PTIME"},
    {"ladder", "", "is empty"},
    {"ladder", "OPUS 24k/20 mono", "there may only be"},
  };
  GstElement *bin = gst_element_factory_make ("tfrcencodebin", NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error = NULL;
  gchar *debug = NULL;

  gst_element_set_bus (bin, bus);
  g_object_set (bin, table[__i__].property, table[__i__].value, NULL);
  fail_unless_equals_int (gst_element_set_state (bin, GST_STATE_READY),
      GST_STATE_CHANGE_FAILURE);
  fail_unless_equals_int (GST_BIN_NUMCHILDREN (bin), 0);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, &debug);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR,
          GST_LIBRARY_ERROR_SETTINGS));
  fail_unless (strstr (error->message, table[__i__].words) != NULL
      || strstr (debug, table[__i__].words) != NULL, "%s: %s", error->message,
      debug);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  g_error_free (error);
  g_free (debug);
  gst_message_unref (message);
  /* the remedy helps */
  g_object_set (bin, "codecs", " opus , PCMU ", "ladder", NULL, NULL);
  fail_unless_equals_int (gst_element_set_state (bin, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (bin, GST_STATE_NULL);
  fail_unless_equals_int (GST_BIN_NUMCHILDREN (bin), 0);
  gst_bus_set_flushing (bus, TRUE);
  gst_element_set_bus (bin, NULL);
  gst_object_unref (bus);
  gst_object_unref (bin);
}

GST_END_TEST;

/* --- what the settings come to --- */

static GstTfrcEncodeProperties settings;
static TfrcAdaptLadderLimits limits;

static void
begin_settings (void)
{
  /* the class of the element has the defaults */
  gst_object_unref (gst_object_ref_sink (gst_element_factory_make
          ("tfrcencodebin", NULL)));
}

#define LIMITS() gst_tfrc_encode_properties_to_limits (&settings, 3, &limits)

GST_START_TEST (limits_follow_from_the_settings)
{
  begin_settings ();
  settings = (GstTfrcEncodeProperties) {
      .adaptive = TRUE,
      .content = GST_TFRC_CONTENT_VOICE,
      .bitrate = 16000,
      .min_bitrate = 7000,
      .max_bitrate = 50000,
      .min_ptime = 10 * GST_MSECOND,
      .max_ptime = 40 * GST_MSECOND,
      .inband_fec = TRUE,
      .redundancy = 2};
  LIMITS ();
  fail_unless_equals_int (limits.codecs, 3);
  fail_unless (!limits.music && limits.channels == 1);
  fail_unless_equals_int (limits.min_bitrate, 7000);
  fail_unless_equals_int (limits.max_bitrate, 50000);
  fail_unless_equals_int (limits.min_frame_us, 10000);
  fail_unless_equals_int (limits.max_frame_us, 40000);
  fail_unless_equals_int (limits.max_payload, 0);
  fail_unless (limits.fec);
  fail_unless_equals_int (limits.max_redundancy, 2);
  settings.content = GST_TFRC_CONTENT_MUSIC;
  settings.ptime = 20 * GST_MSECOND;
  settings.max_packet_size = 124;
  LIMITS ();
  fail_unless (limits.music && limits.channels == 2);
  fail_unless_equals_int (limits.min_frame_us, 20000);
  fail_unless_equals_int (limits.max_frame_us, 20000);
  /* RTP header and the stamp: 24 bytes */
  fail_unless_equals_int (limits.max_payload, 100);
  settings.max_packet_size = 10;
  LIMITS ();
  fail_unless_equals_int (limits.max_payload, 1);
  settings.adaptive = settings.inband_fec = FALSE;
  settings.ptime = 0;
  LIMITS ();
  fail_unless_equals_int (limits.min_bitrate, 16000);
  fail_unless_equals_int (limits.max_bitrate, 16000);
  fail_unless_equals_int (limits.min_frame_us, 10000);
  fail_unless_equals_int (limits.max_frame_us, 10000);
  fail_if (limits.fec);
  fail_unless_equals_int (limits.max_redundancy, 0);
}

GST_END_TEST;

/* Returns the units of 8 kHz by which the RTP timestamps of the packets that came out went further than their
 * times. */
static gint
compare_times (guint32 * timestamp, GstClockTime * time)
{
  GstBuffer *packet;
  gint more = 0;

  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    if (GST_CLOCK_TIME_IS_VALID (*time))
      more += (gint32) (gst_rtp_buffer_get_timestamp (&rtp) - *timestamp) -
          (gint) gst_util_uint64_scale_round (GST_BUFFER_PTS (packet) - *time,
          8000, GST_SECOND);
    *timestamp = gst_rtp_buffer_get_timestamp (&rtp);
    *time = GST_BUFFER_PTS (packet);
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (packet);
  }
  return more;
}

/* RFC 3550 5.1: the timestamp is the time of the sound, and goes on while nothing is sent. */
GST_START_TEST
    (a_codec_that_changes_in_a_pause_leaves_the_pause_in_the_timestamps) {
  GstClockTime time = GST_CLOCK_TIME_NONE, before;
  guint32 timestamp = 0;
  GstElement *bin;

  voice_start (&v, "tfrcencodebin codecs=PCMU,PCMA codec=PCMU redundancy=0 "
      "ptime=20000000");
  bin = voice_find (&v, "tfrcencodebin");
  voice_run (&v, 1);
  fail_unless_equals_int (compare_times (&timestamp, &time), 0);
  v.rate.suspend = TRUE;
  v.rate.reason = GST_TFRC_RATE_SUSPEND;
  voice_run (&v, 1);
  compare_times (&timestamp, &time);
  before = time;
  g_object_set (bin, "codec", "PCMA", NULL);
  voice_run (&v, 1);
  v.rate.suspend = FALSE;
  v.rate.reason = GST_TFRC_RATE_RESUME;
  voice_run (&v, 1);
  fail_unless_equals_int (compare_times (&timestamp, &time), 0);
  fail_unless (time > before + 2500 * GST_MSECOND);
  gst_object_unref (bin);
  voice_stop (&v);
}

GST_END_TEST;

static gboolean
pull_eos (GstHarness * h)
{
  gboolean ended = FALSE;
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    ended |= GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  return ended;
}

static void
assert_sticky (GstPad * pad, GstEventType type)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, type, 0);

  fail_unless (event != NULL, "no %s", gst_event_type_get_name (type));
  gst_event_unref (event);
}

/* Not even upstream's stream has begun, as in an application that has linked nothing yet. */
GST_START_TEST (eos_from_nowhere_is_that_of_an_empty_stream)
{
  GstElement *bin = gst_object_ref_sink (gst_element_factory_make
      ("tfrcdecodebin", NULL));
  GstPad *pad = gst_element_get_static_pad (bin, "sink");
  GstPad *src = gst_element_get_static_pad (bin, "src");

  gst_element_set_state (bin, GST_STATE_PLAYING);
  fail_unless (gst_pad_send_event (pad, gst_event_new_eos ()));
  assert_sticky (src, GST_EVENT_STREAM_START);
  assert_sticky (src, GST_EVENT_EOS);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (pad);
  gst_object_unref (bin);
}

GST_END_TEST;

/* A call that nobody answered ends as well: what waits for EOS gets it, as the end of an empty stream. After a flush, as behind a seek, what comes is
 * heard. */
GST_START_TEST (a_stream_without_packets_ends)
{
  GstHarness *h = far_start ();
  GstSegment segment;
  GstBuffer *packet;

  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless (pull_eos (h));
  assert_sticky (h->sinkpad, GST_EVENT_STREAM_START);
  assert_sticky (h->sinkpad, GST_EVENT_CAPS);
  assert_sticky (h->sinkpad, GST_EVENT_SEGMENT);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  voice_start (&v, "tfrcencodebin ptime=20000000");
  voice_run (&v, 0.5);
  while ((packet = gst_harness_try_pull (v.h)) != NULL)
    fail_unless_equals_int (gst_harness_push (h, packet), GST_FLOW_OK);
  voice_stop (&v);
  fail_unless (gst_harness_buffers_received (h) >= 23);
  fail_if (pull_eos (h));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless (pull_eos (h));
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
codec_bins_suite (void)
{
  Suite *suite = suite_create ("codec bins");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_loop_test (tcase, any_raw_audio_is_taken, 0, 8);
  tcase_add_loop_test (tcase, the_delay_of_repairs_is_in_the_latency, 0, 2);
  tcase_add_test (tcase, the_decoder_has_the_complexity_that_was_set);
  tcase_add_test (tcase, a_codec_that_is_not_offered_is_not_used);
  tcase_add_test (tcase, each_start_begins_with_the_first_codec);
  tcase_add_loop_test (tcase, codecs_that_change_often_leave_nothing_out, 0, 2);
  tcase_add_loop_test (tcase, a_new_segment_begins_without_the_sound_before, 0,
      2);
  tcase_add_test (tcase,
      a_codec_that_changes_in_a_pause_leaves_the_pause_in_the_timestamps);
  tcase_add_test (tcase, a_stream_without_packets_ends);
  tcase_add_test (tcase, eos_from_nowhere_is_that_of_an_empty_stream);
  tcase_add_test (tcase, a_choice_is_a_message_and_properties);
  tcase_add_test (tcase, the_first_bit_rate_is_the_one_that_was_set);
  tcase_add_test (tcase, payload_types_are_those_that_were_set);
  tcase_add_loop_test (tcase, wrong_codecs_and_ladders_are_errors, 0, 5);
  tcase_add_test (tcase, limits_follow_from_the_settings);
  return suite;
}

GST_CHECK_MAIN (codec_bins);
