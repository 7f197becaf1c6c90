/* gst-tfrc tests: how the sound of one decoder is joined to that of the next, sample by sample
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <math.h>
#include <string.h>

#include "codec/decodercrossfade.h"
#include "codec/soundextrapolation.h"
#include "leaks.h"

#define MS GST_MSECOND
#define RATE 48
#define FADE 240                /* frames: 5 ms */
#define PERIOD 240              /* frames: a tone of 200 Hz */
#define SOUND(channels) "audio/x-raw,format=S16LE,layout=interleaved," \
    "rate=48000,channels=" channels

static GstHarness *h;
static GstTfrcDecoderTimeline *timeline;
static GstTfrcDecoderCrossfade *join;
static guint channels;

static void
set_up (void)
{
  GstPad *pad;

  leaks_begin ();
  h = gst_harness_new ("identity");
  timeline = gst_tfrc_decoder_timeline_new ();
  pad = gst_element_get_static_pad (h->element, "sink");
  join = gst_tfrc_decoder_crossfade_new (pad, timeline);
  gst_object_unref (pad);
  gst_harness_set_src_caps_str (h, SOUND ("1"));
  channels = 1;
}

static void
tear_down (void)
{
  gst_harness_teardown (h);
  gst_tfrc_decoder_crossfade_unref (join);
  gst_tfrc_decoder_timeline_unref (timeline);
  leaks_end ();
}

static gint16
get_tone (guint frame)
{
  return 8000 * sin (2 * G_PI * (frame % PERIOD) / PERIOD);
}

/* Sound of the duration `ms` at `pts` ms: the tone, or `level` when that is not 0. */
static GstBuffer *
make_sound (guint pts, guint ms, gint16 level)
{
  GstBuffer *buffer =
      gst_buffer_new_allocate (NULL, ms * RATE * 2 * channels, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (guint i = 0; i < ms * RATE * channels; i++)
    ((gint16 *) map.data)[i] =
        level != 0 ? level : get_tone (pts * RATE + i / channels);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = pts * MS;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  return buffer;
}

static void
push (guint pts, guint ms, gint16 level)
{
  fail_unless_equals_int (gst_harness_push (h, make_sound (pts, ms, level)),
      GST_FLOW_OK);
}

static void
expect_nothing (void)
{
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
}

/* The next sound begins at `pts` ms and lasts `ms`. */
static GstBuffer *
take (guint pts, guint ms)
{
  GstBuffer *buffer = gst_harness_try_pull (h);

  fail_unless (buffer != NULL);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), pts * MS);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (buffer), ms * MS);
  fail_unless_equals_int (gst_buffer_get_size (buffer),
      ms * RATE * 2 * channels);
  return buffer;
}

static gint16
get_sample (GstBuffer * buffer, guint i)
{
  gint16 sample;

  gst_buffer_extract (buffer, 2 * i, &sample, 2);
  return sample;
}

/* The tone goes on from `frame` and fades into `level` within 5 ms. */
static void
check_fade (GstBuffer * buffer, guint frame, gint16 level)
{
  guint n = gst_buffer_get_size (buffer) / 2 / channels;

  for (guint i = 0; i < n; i++) {
    gint old = get_tone (frame + i);
    gint expected =
        i < FADE ? (old * (gint) (FADE - i) + level * (gint) i) / FADE : level;

    for (guint c = 0; c < channels; c++)
      fail_unless (ABS (get_sample (buffer, i * channels + c) - expected) <= 40,
          "frame %u is %d instead of %d", i, get_sample (buffer,
              i * channels + c), expected);
  }
  gst_buffer_unref (buffer);
}

static void
check_level (GstBuffer * buffer, gint16 level)
{
  for (guint i = 0; i < gst_buffer_get_size (buffer) / 2; i++)
    fail_unless_equals_int (get_sample (buffer, i), level);
  gst_buffer_unref (buffer);
}

/* --- one decoder --- */

GST_START_TEST (the_sound_of_one_decoder_passes_as_it_is)
{
  GstBuffer *out;

  push (0, 20, 700);
  out = take (0, 20);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT));
  check_level (out, 700);
  push (20, 20, 900);
  check_level (take (20, 20), 900);
}

GST_END_TEST;

/* Times that differ by less than 100 ms follow one another; a greater difference is a jump. */
GST_START_TEST (sound_follows_sound_unless_it_jumps)
{
  push (0, 20, 700);
  gst_buffer_unref (take (0, 20));
  push (120, 20, 700);
  gst_buffer_unref (take (20, 20));
  push (241, 20, 700);
  gst_buffer_unref (take (141, 20));    /* 100 ms before, as was found out above */
}

GST_END_TEST;

GST_START_TEST (sound_without_a_time_passes)
{
  GstBuffer *buffer;

  push (0, 20, 700);
  gst_buffer_unref (take (0, 20));
  gst_tfrc_decoder_crossfade_switch (join);
  buffer = make_sound (20, 20, 700);
  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  gst_harness_push (h, buffer);
  buffer = gst_harness_try_pull (h);
  fail_if (GST_BUFFER_PTS_IS_VALID (buffer));
  check_level (buffer, 700);
  /* where it ended is not known */
  push (70, 20, 500);
  check_level (take (70, 20), 500);
}

GST_END_TEST;

GST_START_TEST (sound_of_another_format_passes_untouched)
{
  static const gchar *const formats[] = {
    "audio/x-raw,format=F32LE,layout=interleaved,rate=48000,channels=1",
    SOUND ("3") ",channel-mask=(bitmask)0x7", "audio/x-opus"
  };
  GstBuffer *buffer;

  gst_harness_set_src_caps_str (h, formats[__i__]);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 480, NULL));
  buffer = gst_harness_pull (h);
  fail_if (GST_BUFFER_DURATION_IS_VALID (buffer));
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* --- another decoder --- */

static void
play_tone (void)
{
  push (0, 40, 0);
  gst_buffer_unref (take (0, 40));
}

GST_START_TEST (the_sound_of_the_next_decoder_is_faded_in)
{
  GstBuffer *out;

  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  push (40, 20, 3000);
  out = take (40, 20);
  fail_if (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT));
  check_fade (out, 40 * RATE, 3000);
  push (60, 20, 3000);
  check_level (take (60, 20), 3000);
}

GST_END_TEST;

/* Decoders hand out as little as 2.5 ms at a time. */
GST_START_TEST (a_fade_takes_as_many_buffers_as_it_needs)
{
  GstBuffer *parts[3];

  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  push (40, 2, 3000);
  push (42, 2, 3000);
  push (44, 2, 3000);
  for (guint i = 0; i < 3; i++)
    parts[i] = take (40 + 2 * i, 2);
  check_fade (gst_buffer_append (gst_buffer_append (parts[0], parts[1]),
          parts[2]), 40 * RATE, 3000);
}

GST_END_TEST;

GST_START_TEST (mono_fades_into_stereo)
{
  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  gst_harness_set_src_caps_str (h, SOUND ("2"));
  channels = 2;
  push (40, 20, 3000);
  check_fade (take (40, 20), 40 * RATE, 3000);
}

GST_END_TEST;

/* What was heard in mono is not continued in stereo. */
GST_START_TEST (the_past_has_the_channels_of_the_present)
{
  GstBuffer *out;

  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  gst_harness_set_src_caps_str (h, SOUND ("2"));
  channels = 2;
  push (40, 10, 3000);
  gst_buffer_unref (take (40, 10));
  gst_tfrc_decoder_crossfade_switch (join);
  push (50, 10, -3000);
  out = take (50, 10);
  /* 3000 goes on, and fades into -3000 */
  for (guint i = 0; i < FADE; i++)
    fail_unless (ABS (get_sample (out, 2 * i) - (3000 - (gint) (6000 * i /
                    FADE))) <= 40, "frame %u is %d", i, get_sample (out,
            2 * i));
  gst_buffer_unref (out);
}

GST_END_TEST;

GST_START_TEST (what_both_decoders_have_is_heard_once)
{
  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  push (10, 20, 3000);
  expect_nothing ();
  push (20, 20, 3000);
  expect_nothing ();
  push (30, 20, 3000);
  check_fade (take (40, 10), 40 * RATE, 3000);
  push (50, 20, 3000);
  check_level (take (50, 20), 3000);
}

GST_END_TEST;

GST_START_TEST (the_next_decoder_is_heard_where_media_time_goes_back)
{
  push (1000, 40, 3000);
  gst_buffer_unref (take (1000, 40));
  gst_tfrc_decoder_crossfade_switch (join);
  push (500, 20, 3000);
  check_level (take (500, 20), 3000);
  push (520, 20, 3000);
  check_level (take (520, 20), 3000);
}

GST_END_TEST;

/* The look-ahead of decoders differs by less than 30 ms. */
GST_START_TEST (what_is_between_decoders_is_no_gap_up_to_30_ms)
{
  GstBuffer *out;

  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  push (70, 20, 3000);
  check_fade (take (40, 20), 40 * RATE, 3000);
  gst_tfrc_decoder_crossfade_switch (join);
  push (121, 20, 500);
  out = take (60, 20);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT));
  check_level (out, 500);
}

GST_END_TEST;

/* --- the end of a decoder --- */

GST_START_TEST (a_decoder_that_is_drained_is_heard_up_to_the_next)
{
  push (0, 20, 700);
  gst_buffer_unref (take (0, 20));
  gst_tfrc_decoder_crossfade_drain (join, 50 * MS);
  push (20, 20, 700);
  check_level (take (20, 20), 700);
  push (40, 20, 700);
  check_level (take (40, 10), 700);
  push (50, 20, 700);
  expect_nothing ();
  push (60, 20, 700);
  expect_nothing ();
  gst_tfrc_decoder_crossfade_switch (join);
  push (50, 20, 700);
  check_level (take (50, 20), 700);
}

GST_END_TEST;

/* What a resampler makes up at its end is not the sound: the tone goes on instead. */
GST_START_TEST (the_end_of_a_resampler_is_made_up)
{
  GstBuffer *out;

  play_tone ();
  gst_tfrc_decoder_crossfade_drain_resampler (join);
  push (40, 5, -9);
  out = take (40, 5);
  for (guint i = 0; i < 5 * RATE; i++)
    fail_unless (ABS (get_sample (out, i) - get_tone (40 * RATE + i)) < 40);
  gst_buffer_unref (out);
  /* the next decoder fades in from there */
  gst_tfrc_decoder_crossfade_switch (join);
  push (45, 20, 3000);
  check_fade (take (45, 20), 45 * RATE, 3000);
}

GST_END_TEST;

GST_START_TEST (a_flush_forgets_the_sound_before_it)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  play_tone ();
  gst_tfrc_decoder_crossfade_switch (join);
  gst_tfrc_decoder_crossfade_drain (join, 10 * MS);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push (20, 20, 700);
  check_level (take (20, 20), 700);
}

GST_END_TEST;

/* --- events --- */

static guint
count_events (GstEventType type)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    n += GST_EVENT_TYPE (event) == type;
    gst_event_unref (event);
  }
  return n;
}

/* Each decoder brings the events of the stream, and a segment makes a resampler start anew. */
GST_START_TEST (events_that_are_repeated_are_not_handed_on)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_stream_start ("a"));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  count_events (GST_EVENT_EOS);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  fail_unless_equals_int (count_events (GST_EVENT_SEGMENT), 0);
  segment.base = 5;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  fail_unless_equals_int (count_events (GST_EVENT_SEGMENT), 1);
  gst_harness_push_event (h, gst_event_new_stream_start ("a"));
  fail_unless_equals_int (count_events (GST_EVENT_STREAM_START), 0);
  gst_harness_push_event (h, gst_event_new_stream_start ("b"));
  fail_unless_equals_int (count_events (GST_EVENT_STREAM_START), 1);
  gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new_empty ()));
  gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new_empty ()));
  fail_unless_equals_int (count_events (GST_EVENT_TAG), 2);
}

GST_END_TEST;

/* --- extrapolation --- */

static void
extrapolate (gint16 * past, guint frames, gint16 * out, guint n)
{
  gst_tfrc_sound_extrapolate (past, frames, 1, out, n);
}

GST_START_TEST (a_tone_is_continued_for_any_time)
{
  gint16 past[1200], out[600];
  guint period = 120 + 100 * __i__, i;

  for (i = 0; i < 1200; i++)
    past[i] = 8000 * sin (2 * G_PI * i / period);
  extrapolate (past, 1200, out, 600);
  for (i = 0; i < 600; i++)
    fail_unless (ABS (out[i] - 8000 * sin (2 * G_PI * (1200 + i) / period)) <
        120, "frame %u is %d", i, out[i]);
}

GST_END_TEST;

/* 1080 frames are the longest period and what it is compared with. */
GST_START_TEST (a_period_needs_1080_frames)
{
  gint16 past[1080], out[300];
  guint i;

  for (i = 0; i < 1080; i++)
    past[i] = 8000 * sin (2 * G_PI * i / 300);
  extrapolate (past, 1080, out, 300);
  fail_unless (ABS (out[150] - 8000 * sin (2 * G_PI * (1080 + 150) / 300)) <
      120);
  extrapolate (past, 1079, out, 300);
  for (i = 96; i < 300; i++)
    fail_unless_equals_int (out[i], past[1078]);
}

GST_END_TEST;

/* Without enough sound for a period the last sample stays, and without any there is silence. */
GST_START_TEST (a_short_past_is_held)
{
  gint16 past[] = { 5, 10, 20 }, out[200], loud[] = { -32000, 32000 };
  guint i;

  extrapolate (past, 0, out, 200);
  for (i = 0; i < 200; i++)
    fail_unless_equals_int (out[i], 0);
  extrapolate (past, 1, out, 200);
  for (i = 0; i < 200; i++)
    fail_unless_equals_int (out[i], 5);
  extrapolate (past, 3, out, 200);
  /* 20, with the step from 10 to 20 on top that fades within 96 frames */
  fail_unless_equals_int (out[0], 30);
  fail_unless_equals_int (out[48], 25);
  fail_unless_equals_int (out[96], 20);
  fail_unless_equals_int (out[199], 20);
  /* no sample overflows */
  extrapolate (loud, 2, out, 200);
  fail_unless_equals_int (out[0], 32767);
  fail_unless_equals_int (out[199], 32000);
}

GST_END_TEST;

static Suite *
decoder_crossfade_suite (void)
{
  Suite *suite = suite_create ("decoder join");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, the_sound_of_one_decoder_passes_as_it_is);
  tcase_add_test (tcase, sound_follows_sound_unless_it_jumps);
  tcase_add_test (tcase, sound_without_a_time_passes);
  tcase_add_loop_test (tcase, sound_of_another_format_passes_untouched, 0, 3);
  tcase_add_test (tcase, the_sound_of_the_next_decoder_is_faded_in);
  tcase_add_test (tcase, a_fade_takes_as_many_buffers_as_it_needs);
  tcase_add_test (tcase, mono_fades_into_stereo);
  tcase_add_test (tcase, the_past_has_the_channels_of_the_present);
  tcase_add_test (tcase, what_both_decoders_have_is_heard_once);
  tcase_add_test (tcase, the_next_decoder_is_heard_where_media_time_goes_back);
  tcase_add_test (tcase, what_is_between_decoders_is_no_gap_up_to_30_ms);
  tcase_add_test (tcase, a_decoder_that_is_drained_is_heard_up_to_the_next);
  tcase_add_test (tcase, the_end_of_a_resampler_is_made_up);
  tcase_add_test (tcase, a_flush_forgets_the_sound_before_it);
  tcase_add_test (tcase, events_that_are_repeated_are_not_handed_on);
  tcase_add_loop_test (tcase, a_tone_is_continued_for_any_time, 0, 7);
  tcase_add_test (tcase, a_period_needs_1080_frames);
  tcase_add_test (tcase, a_short_past_is_held);
  return suite;
}

GST_CHECK_MAIN (decoder_crossfade);
