/* gst-tfrc: tests of tfrcopusenc and tfrcopusdec, beside opusenc and opusdec
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/audio/audio.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <math.h>
#include <opus.h>

#include "leaks.h"

#define RATE 48000
#define PIECE (RATE / 100)      /* frames in a piece of 10 ms */

/* A voice: harmonics of a gliding pitch in syllables of 200 ms. `channels` are equal but for noise. */
static GstBuffer *
make_piece (guint n, guint channels, GRand * rand)
{
  GstBuffer *piece =
      gst_buffer_new_allocate (NULL, PIECE * channels * sizeof (gint16), NULL);
  GstMapInfo map;
  gint16 *out;

  gst_buffer_map (piece, &map, GST_MAP_WRITE);
  out = (gint16 *) map.data;
  for (guint i = 0; i < PIECE; i++) {
    gdouble t = (gdouble) (n * PIECE + i) / RATE, voice = 0;
    gdouble phase = 2 * G_PI * (140 * t + 3 * sin (5 * t));

    for (guint k = 1; k < 20; k++)
      voice += sin (k * phase) / k;
    voice *= 3000 * fabs (sin (5 * G_PI * t));
    for (guint c = 0; c < channels; c++)
      *out++ = voice + g_rand_double_range (rand, -100, 100);
  }
  gst_buffer_unmap (piece, &map);
  GST_BUFFER_PTS (piece) = n * 10 * GST_MSECOND;
  GST_BUFFER_DURATION (piece) = 10 * GST_MSECOND;
  return piece;
}

static void
take (GstHarness * h, GPtrArray * out)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL)
    g_ptr_array_add (out, buffer);
}

/* What `launch` makes of `pieces` pieces; before each, `change` may set the element. */
static GPtrArray *
encode (const gchar * launch, guint channels, guint pieces,
    void (*change) (GstElement * encoder, guint piece))
{
  GPtrArray *out =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  GstHarness *h = gst_harness_new_parse (launch);
  GRand *rand = g_rand_new_with_seed (1);
  GstElement *encoder = gst_harness_find_element (h, "opusenc");
  gchar *caps = g_strdup_printf ("audio/x-raw,format=" GST_AUDIO_NE (S16)
      ",layout=interleaved,rate=%d,channels=%u%s", RATE, channels,
      channels == 2 ? ",channel-mask=(bitmask)3" : "");

  if (encoder == NULL)
    encoder = gst_harness_find_element (h, "tfrcopusenc");
  gst_harness_set_src_caps_str (h, caps);
  g_free (caps);
  for (guint i = 0; i < pieces; i++) {
    if (change != NULL)
      change (encoder, i);
    fail_unless_equals_int (gst_harness_push (h, make_piece (i, channels,
                rand)), GST_FLOW_OK);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  take (h, out);
  gst_object_unref (encoder);
  gst_harness_teardown (h);
  g_rand_free (rand);
  return out;
}

/* --- the encoder ----------------------------------------------------------------- */

static void
compare_packets (GPtrArray * ours, GPtrArray * theirs)
{
  fail_unless_equals_int (ours->len, theirs->len);
  for (guint i = 0; i < ours->len; i++) {
    GstBuffer *a = ours->pdata[i], *b = theirs->pdata[i];
    GstMapInfo map;

    gst_buffer_map (a, &map, GST_MAP_READ);
    fail_unless_equals_int (map.size, gst_buffer_get_size (b));
    fail_unless (gst_buffer_memcmp (b, 0, map.data, map.size) == 0,
        "packet %u", i);
    gst_buffer_unmap (a, &map);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (a), GST_BUFFER_PTS (b));
    fail_unless_equals_uint64 (GST_BUFFER_DURATION (a),
        GST_BUFFER_DURATION (b));
  }
}

/* Everything that may change in a call. */
static void
change_settings (GstElement * encoder, guint piece)
{
  static const gint rates[] = { 9000, 12000, 24000, 64000 };
  static const gchar *const frames[] = { "60", "20", "40", "10" };

  if (piece % 50 == 0)
    g_object_set (encoder, "bitrate", rates[piece / 50 % 4], NULL);
  if (piece % 70 == 0)
    gst_util_set_object_arg (G_OBJECT (encoder), "frame-size",
        frames[piece / 70 % 4]);
  if (piece % 110 == 0)
    g_object_set (encoder, "inband-fec", piece % 220 == 0,
        "packet-loss-percentage", (gint) (piece / 10), NULL);
  if (piece == 333)
    g_object_set (encoder, "dtx", TRUE, NULL);
}

GST_START_TEST (packets_are_those_of_opusenc)
{
  static const gchar *const kinds[][2] = {
    {"opusenc bandwidth=auto audio-type=voice", "tfrcopusenc"},
    {"opusenc bandwidth=auto audio-type=generic", "tfrcopusenc music=true"},
  };
  guint channels = 1 + __i__ % 2;
  GPtrArray *ours = encode (kinds[__i__ / 2][1], channels, 503,
      change_settings);
  GPtrArray *theirs = encode (kinds[__i__ / 2][0], channels, 503,
      change_settings);

  fail_unless (ours->len > 150);
  compare_packets (ours, theirs);
  g_ptr_array_unref (ours);
  g_ptr_array_unref (theirs);
}

GST_END_TEST;

/* The look-ahead of the encoder holds the last 6.5 ms. */
GST_START_TEST (a_new_segment_cuts_nothing_off)
{
  GstHarness *h = gst_harness_new ("tfrcopusenc");
  GRand *rand = g_rand_new_with_seed (1);
  GstSegment segment;

  gst_harness_set_src_caps_str (h, "audio/x-raw,format=" GST_AUDIO_NE (S16)
      ",layout=interleaved,rate=48000,channels=1");
  for (guint i = 0; i < 4; i++)
    gst_harness_push (h, make_piece (i, 1, rand));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 2);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.base = 40 * GST_MSECOND;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 3);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *packet = gst_harness_pull (h);
    static const guint samples[] = { 960 - 312, 960, 312 };

    fail_unless_equals_uint64 (GST_BUFFER_DURATION (packet),
        gst_util_uint64_scale (samples[i], GST_SECOND, RATE));
    gst_buffer_unref (packet);
  }
  gst_harness_teardown (h);
  g_rand_free (rand);
}

GST_END_TEST;

/* The same pieces give the same packets after a flush, whether or not a new segment drained the encoder before. */
GST_START_TEST (a_flush_forgets_the_sound_before_it_in_the_encoder)
{
  GstHarness *h = gst_harness_new ("tfrcopusenc");
  GPtrArray *packets[2];
  GstSegment segment;

  gst_harness_set_src_caps_str (h, "audio/x-raw,format=" GST_AUDIO_NE (S16)
      ",layout=interleaved,rate=48000,channels=1");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 2; i++) {
    GRand *rand = g_rand_new_with_seed (1);

    packets[i] =
        g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
    for (guint j = 0; j < 20; j++)
      gst_harness_push (h, make_piece (j, 1, rand));
    take (h, packets[i]);
    if (__i__ == 1)
      gst_harness_push_event (h, gst_event_new_segment (&segment));
    gst_harness_push_event (h, gst_event_new_flush_start ());
    gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
    gst_harness_push_event (h, gst_event_new_segment (&segment));
    while (gst_harness_buffers_in_queue (h) > 0)
      gst_buffer_unref (gst_harness_pull (h));
    g_rand_free (rand);
  }
  fail_unless_equals_int (packets[0]->len, 10);
  compare_packets (packets[1], packets[0]);
  g_ptr_array_unref (packets[0]);
  g_ptr_array_unref (packets[1]);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- the decoder ----------------------------------------------------------------- */

typedef gboolean (*IsLost) (guint packet);

static GstHarness *
start_decoder (const gchar * launch, guint channels)
{
  GstHarness *h = gst_harness_new_parse (launch);
  gchar *caps = g_strdup_printf ("audio/x-opus,rate=%d,channels=%u,"
      "channel-mapping-family=0,stream-count=1,coupled-count=%u", RATE,
      channels, channels - 1);

  gst_harness_set_src_caps_str (h, caps);
  g_free (caps);
  return h;
}

/* The time of packet `i` of `ms` ms, without the look-ahead of the encoder. */
static void
push_packet (GstHarness * h, GPtrArray * packets, guint i, guint ms)
{
  GstBuffer *packet = gst_buffer_new ();

  gst_buffer_copy_into (packet, packets->pdata[i], GST_BUFFER_COPY_MEMORY, 0,
      -1);
  GST_BUFFER_PTS (packet) = i * ms * GST_MSECOND;
  GST_BUFFER_DURATION (packet) = ms * GST_MSECOND;
  fail_unless_equals_int (gst_harness_push (h, packet), GST_FLOW_OK);
}

static GArray *
take_samples (GstHarness * h)
{
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (gint16));
  GstBuffer *buffer;
  GstMapInfo map;

  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    gst_buffer_map (buffer, &map, GST_MAP_READ);
    g_array_append_vals (samples, map.data, map.size / sizeof (gint16));
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
  }
  return samples;
}

/* What `launch` decodes of `packets` of `ms` ms; `stats` gets those of tfrcopusdec. */
static GArray *
decode (const gchar * launch, GPtrArray * packets, guint channels, guint ms,
    IsLost is_lost, GstStructure ** stats)
{
  GstHarness *h = start_decoder (launch, channels);
  GstElement *decoder = gst_harness_find_element (h, "tfrcopusdec");
  GArray *samples;

  for (guint i = 0; i < packets->len; i++) {
    if (is_lost != NULL && is_lost (i))
      gst_harness_push_event (h, gst_event_new_gap (i * ms * GST_MSECOND,
              ms * GST_MSECOND));
    else
      push_packet (h, packets, i, ms);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  samples = take_samples (h);
  if (decoder != NULL) {
    g_object_get (decoder, "stats", stats, NULL);
    gst_object_unref (decoder);
  }
  gst_harness_teardown (h);
  return samples;
}

static guint64
get_count (const GstStructure * stats, const gchar * name)
{
  guint64 count = G_MAXUINT64;

  fail_unless (gst_structure_get_uint64 (stats, name, &count));
  return count;
}

/* Single packets, and two and three in a row. */
static gboolean
is_lost (guint packet)
{
  return packet > 5 && packet < 95 && (packet % 11 == 0 || packet % 37 < 2
      || packet % 41 < 3);
}

/* Sound with LBRR for most gaps; CELT without any; stereo. */
static const struct
{
  const gchar *encoder;
  guint channels, ms;
  gboolean lbrr;
} streams[] = {
  {"tfrcopusenc bitrate=24000 inband-fec=true packet-loss-percentage=20", 1, 20,
      TRUE},
  {"tfrcopusenc bitrate=16000 frame-size=60 inband-fec=true "
        "packet-loss-percentage=25", 1, 60, TRUE},
  {"tfrcopusenc bitrate=40000 frame-size=40 inband-fec=true "
        "packet-loss-percentage=20", 2, 40, TRUE},
  {"tfrcopusenc bitrate=64000 music=true", 2, 20, FALSE},
};

GST_START_TEST (samples_are_those_of_opusdec)
{
  guint channels = streams[__i__].channels, ms = streams[__i__].ms;
  GPtrArray *packets = encode (streams[__i__].encoder, channels, 100 * ms / 10,
      NULL);
  GstStructure *stats = NULL;
  GArray *ours = decode ("tfrcopusdec complexity=0", packets, channels, ms,
      is_lost, &stats);
  GArray *theirs = decode ("opusdec plc=true use-inband-fec=true "
      "tolerance=100000000", packets, channels, ms, is_lost, NULL);
  guint common = MIN (ours->len, theirs->len);

  fail_unless (common >= 100 * ms * channels * RATE / 1000);
  fail_unless (memcmp (ours->data, theirs->data, common * sizeof (gint16))
      == 0);
  fail_unless_equals_int (get_count (stats, "lbrr") > 0, streams[__i__].lbrr);
  fail_unless (get_count (stats, "concealed") > 0);
  fail_unless_equals_uint64 (get_count (stats, "dred"), 0);
  gst_structure_free (stats);
  g_array_unref (ours);
  g_array_unref (theirs);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

GST_START_TEST (a_packet_is_heard_at_once)
{
  GPtrArray *packets = encode ("tfrcopusenc", 1, 20, NULL);
  GstHarness *h = start_decoder ("tfrcopusdec", 1);

  for (guint i = 0; i < 5; i++) {
    push_packet (h, packets, i, 20);
    fail_unless_equals_int (gst_harness_buffers_in_queue (h), 1);
    gst_buffer_unref (gst_harness_pull (h));
  }
  fail_unless_equals_uint64 (gst_harness_query_latency (h), 0);

  /* A gap waits for the packet behind it. */
  gst_harness_push_event (h, gst_event_new_gap (100 * GST_MSECOND,
          20 * GST_MSECOND));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  push_packet (h, packets, 6, 20);
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 2);
  gst_harness_teardown (h);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

GST_START_TEST (a_flush_forgets_the_sound_before_it)
{
  GPtrArray *packets = encode ("tfrcopusenc", 1, 20, NULL);
  GstHarness *h = start_decoder ("tfrcopusdec", 1);
  GArray *sounds[2];
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 2; i++) {
    for (guint j = 0; j < 5; j++)
      push_packet (h, packets, j, 20);
    sounds[i] = take_samples (h);
    gst_harness_push_event (h, gst_event_new_flush_start ());
    gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
    gst_harness_push_event (h, gst_event_new_segment (&segment));
  }
  fail_unless_equals_int (sounds[0]->len, 5 * 960);
  fail_unless_equals_int (sounds[1]->len, sounds[0]->len);
  fail_unless (memcmp (sounds[0]->data, sounds[1]->data,
          sounds[0]->len * sizeof (gint16)) == 0);
  g_array_unref (sounds[0]);
  g_array_unref (sounds[1]);
  gst_harness_teardown (h);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

static const struct
{
  GstClockTime gap;
  guint samples;
} gaps[] = {
  {GST_CLOCK_TIME_NONE, 960},   /* as long as the last packet */
  {0, 960},
  {1 * GST_MSECOND, 0},
  {3 * GST_MSECOND, 120},
  {300 * GST_MSECOND, 14400},
  {3 * GST_SECOND, 144000},
  {3600 * GST_SECOND, 480000},  /* no longer than ten seconds */
};

GST_START_TEST (a_gap_is_filled_to_its_end)
{
  GPtrArray *packets = encode ("tfrcopusenc", 1, 20, NULL);
  GstHarness *h = start_decoder ("tfrcopusdec", 1);
  GArray *samples;

  for (guint i = 0; i < 5; i++)
    push_packet (h, packets, i, 20);
  gst_harness_push_event (h, gst_event_new_gap (100 * GST_MSECOND,
          gaps[__i__].gap));
  push_packet (h, packets, 6, 20);
  samples = take_samples (h);
  fail_unless_equals_int (samples->len, 6 * 960 + gaps[__i__].samples);
  g_array_unref (samples);
  gst_harness_teardown (h);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

/* Rounding to 2.5 ms does not add up. */
GST_START_TEST (gaps_of_odd_lengths_are_as_long_together)
{
  GPtrArray *packets = encode ("tfrcopusenc", 1, 20, NULL);
  GstHarness *h = start_decoder ("tfrcopusdec", 1);
  GArray *samples;

  push_packet (h, packets, 0, 20);
  for (guint i = 0; i < 130; i++)
    gst_harness_push_event (h, gst_event_new_gap ((20 + 6 * i) * GST_MSECOND,
            6 * GST_MSECOND));
  push_packet (h, packets, 1, 20);
  samples = take_samples (h);
  fail_unless_equals_int (samples->len, 2 * 960 + 130 * 288);
  g_array_unref (samples);
  gst_harness_teardown (h);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

/* Anybody may have sent a packet. */
GST_START_TEST (a_packet_that_is_not_opus_is_concealed)
{
  static const guint8 bad[][4] = { {0x7b}, {0x03, 0x3f}, {0xff, 0xff, 0xff,
      0xff}, {0xfb, 0x7f}
  };
  GPtrArray *packets = encode ("tfrcopusenc", 1, 20, NULL);
  GstHarness *h = start_decoder ("tfrcopusdec", 1);
  GstStructure *stats;
  GArray *samples;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_memdup (bad[i],
                i == 0 ? 1 : sizeof bad[i])), GST_FLOW_OK);
  push_packet (h, packets, 4, 20);
  samples = take_samples (h);
  fail_unless_equals_int (samples->len, 5 * 960);
  gst_harness_get (h, "tfrcopusdec", "stats", &stats, NULL);
  fail_unless_equals_uint64 (get_count (stats, "malformed"),
      G_N_ELEMENTS (bad));
  gst_structure_free (stats);
  g_array_unref (samples);
  gst_harness_teardown (h);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

static void
count_warnings (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer n)
{
  if (level <= GST_LEVEL_WARNING)
    (*(guint *) n)++;
}

/* One warning in 10 s, on the bus and in the log, says how many packets there were. */
GST_START_TEST (warnings_of_packets_that_are_not_opus_are_bounded)
{
  static const guint8 bad[] = { 0x7b };
  GstHarness *h = start_decoder ("tfrcopusdec", 1);
  GstElement *decoder = gst_harness_find_element (h, "tfrcopusdec");
  GstBus *bus = gst_bus_new ();
  GstMessage *warning;
  guint lines = 0;

  gst_element_set_bus (decoder, bus);
  gst_debug_set_threshold_for_name ("tfrcopusdec", GST_LEVEL_WARNING);
  gst_debug_add_log_function (count_warnings, &lines, NULL);
  for (guint i = 0; i < 100; i++)
    gst_harness_push (h, gst_buffer_new_memdup (bad, sizeof bad));
  gst_debug_remove_log_function (count_warnings);
  fail_unless (lines <= 1, "%u lines", lines);
  warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (warning != NULL);
  gst_message_unref (warning);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  gst_element_set_bus (decoder, NULL);
  gst_object_unref (bus);
  gst_object_unref (decoder);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- deep redundancy -------------------------------------------------------------- */

static gboolean
has_dred (void)
{
  gint ret = OPUS_UNIMPLEMENTED;
#ifdef OPUS_SET_DRED_DURATION
  OpusEncoder *encoder =
      opus_encoder_create (RATE, 1, OPUS_APPLICATION_VOIP, NULL);

  ret = opus_encoder_ctl (encoder, OPUS_SET_DRED_DURATION (20));
  opus_encoder_destroy (encoder);
#endif
  return ret == OPUS_OK;
}

static gboolean
is_lost_in_bursts (guint packet)
{
  return packet > 20 && packet < 90 && packet % 20 < 5;
}

/* Five packets in a row are restored where libopus has DRED, and concealed elsewhere. */
GST_START_TEST (a_burst_of_losses_is_restored_from_deep_redundancy)
{
  GPtrArray *packets = encode ("tfrcopusenc bitrate=32000 dred-duration=500 "
      "packet-loss-percentage=25", 1, 200, NULL);
  guint64 lost = 19 * 960, dred;
  GstStructure *stats = NULL;
  GArray *samples = decode ("tfrcopusdec", packets, 1, 20, is_lost_in_bursts,
      &stats);

  fail_unless_equals_int (samples->len, packets->len * 960);
  dred = get_count (stats, "dred");
  fail_unless_equals_uint64 (dred + get_count (stats, "concealed"), lost);
  if (has_dred ())
    fail_unless (dred >= 0.9 * lost, "%" G_GUINT64_FORMAT " samples", dred);
  else
    fail_unless_equals_uint64 (dred, 0);
  gst_structure_free (stats);
  g_array_unref (samples);
  g_ptr_array_unref (packets);
}

GST_END_TEST;

static Suite *
opus_suite (void)
{
  Suite *s = suite_create ("opus");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_loop_test (tc, packets_are_those_of_opusenc, 0, 4);
  tcase_add_test (tc, a_new_segment_cuts_nothing_off);
  tcase_add_loop_test (tc, samples_are_those_of_opusdec, 0,
      G_N_ELEMENTS (streams));
  tcase_add_test (tc, a_packet_is_heard_at_once);
  tcase_add_test (tc, a_flush_forgets_the_sound_before_it);
  tcase_add_loop_test (tc, a_flush_forgets_the_sound_before_it_in_the_encoder,
      0, 2);
  tcase_add_loop_test (tc, a_gap_is_filled_to_its_end, 0, G_N_ELEMENTS (gaps));
  tcase_add_test (tc, gaps_of_odd_lengths_are_as_long_together);
  tcase_add_test (tc, a_packet_that_is_not_opus_is_concealed);
  tcase_add_test (tc, warnings_of_packets_that_are_not_opus_are_bounded);
  tcase_add_test (tc, a_burst_of_losses_is_restored_from_deep_redundancy);
  return s;
}

GST_CHECK_MAIN (opus);
