/* gst-tfrc: tests of the sound that is made longer or shorter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/audio/audio.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <math.h>

#include "codec/decodercrossfade.h"
#include "codec/soundstretch.h"

#define RATE 48000
#define FRAMES 960              /* 20 ms */
#define CHANNELS 2

static gint16 in[2880 * CHANNELS];
static gint16 out[2880 * CHANNELS + GST_TFRC_SOUND_STRETCH_LONGEST / 2 *
    CHANNELS];

/* A voice of `pitch` Hz: a few harmonics. */
static gdouble
get_voice (guint frame, gdouble pitch)
{
  gdouble t = (gdouble) frame / RATE, v = 0;
  guint k;

  for (k = 1; k <= 5; k++)
    v += 4000.0 / k * sin (2 * G_PI * pitch * k * t + k);
  return v;
}

static void
fill (guint frames, gdouble pitch)
{
  guint i;

  for (i = 0; i < frames; i++) {
    in[i * CHANNELS] = get_voice (i, pitch);
    in[i * CHANNELS + 1] = -in[i * CHANNELS];
  }
}

/* The largest step from sample to sample in the first channel, from the last frame before `samples` on. */
static gint
get_step (const gint16 * samples, guint frames)
{
  gint most = 0;
  guint i;

  for (i = 1; i < frames; i++)
    most = MAX (most, ABS (samples[i * CHANNELS] - samples[(i -
                    1) * CHANNELS]));
  return most;
}

static const gdouble pitches[] = { 110, 150, 220, 350 };

GST_START_TEST (a_period_comes_or_goes_without_a_click)
{
  gdouble pitch = pitches[__i__ / 2];
  gboolean longer = __i__ % 2;
  guint change, frames, i;

  fill (FRAMES, pitch);
  change = gst_tfrc_sound_stretch (in, FRAMES, CHANNELS, longer, out);
  /* A whole number of periods. */
  fail_unless (change >= 120 && change <= FRAMES / 2);
  fail_unless (fabs (change * pitch / RATE - round (change * pitch / RATE))
      < 0.02, "%u frames of %f Hz", change, pitch);
  frames = longer ? FRAMES + change : FRAMES - change;
  fail_unless (get_step (out, frames) <= 1.1 * get_step (in, FRAMES));
  /* It begins and ends as the sound did, in both channels. */
  fail_unless (ABS (out[0] - in[0]) <= 1);
  fail_unless (memcmp (out + (frames - 60) * CHANNELS,
          in + (FRAMES - 60) * CHANNELS, 60 * CHANNELS * sizeof *in) == 0);
  for (i = 0; i < frames; i++)
    fail_unless (ABS (out[i * CHANNELS] + out[i * CHANNELS + 1]) <= 1);
}

GST_END_TEST;

GST_START_TEST (noise_that_is_loud_is_left_alone)
{
  GRand *rand = g_rand_new_with_seed (3);
  guint i;

  for (i = 0; i < FRAMES * CHANNELS; i++)
    in[i] = g_rand_int_range (rand, -8000, 8000);
  fail_unless_equals_int (gst_tfrc_sound_stretch (in, FRAMES, CHANNELS, TRUE,
          out), 0);
  /* What is next to silent has no pitch, and half of it goes. */
  for (i = 0; i < FRAMES * CHANNELS; i++)
    in[i] = g_rand_int_range (rand, -30, 30);
  fail_unless_equals_int (gst_tfrc_sound_stretch (in, FRAMES, CHANNELS, FALSE,
          out), FRAMES / 2);
  /* next to silent is what has less than 100 (root of the mean square) */
  for (i = 0; i < FRAMES * CHANNELS; i++)
    in[i] = g_rand_boolean (rand) ? 100 : -100;
  fail_unless_equals_int (gst_tfrc_sound_stretch (in, FRAMES, CHANNELS, FALSE,
          out), 0);
  for (i = 0; i < FRAMES * CHANNELS; i++)
    in[i] = in[i] > 0 ? 99 : -99;
  fail_unless_equals_int (gst_tfrc_sound_stretch (in, FRAMES, CHANNELS, FALSE,
          out), FRAMES / 2);
  g_rand_free (rand);
}

GST_END_TEST;

GST_START_TEST (a_piece_that_is_short_is_left_alone)
{
  fill (FRAMES, 220);
  fail_unless_equals_int (gst_tfrc_sound_stretch (in, 0, CHANNELS, TRUE, out),
      0);
  fail_unless_equals_int (gst_tfrc_sound_stretch (in, 239, CHANNELS, TRUE, out),
      0);
  fill (2880, 220);
  fail_unless (gst_tfrc_sound_stretch (in, 2880, CHANNELS, TRUE, out) > 0);
}

GST_END_TEST;

/* --- in front of the sink --------------------------------------------------------- */

/* Packets of 20 ms whose playout delay grows by 3 % for `seconds`, and shrinks again. Whoever plays
 * the sound by its samples and whoever plays it by its times hear the same. */
GST_START_TEST (sound_follows_a_delay_that_moves)
{
  GstHarness *h = gst_harness_new_parse ("identity");
  GstTfrcDecoderTimeline *timeline = gst_tfrc_decoder_timeline_new ();
  GstPad *pad = gst_element_get_static_pad (h->element, "sink");
  GstTfrcDecoderCrossfade *crossfade =
      gst_tfrc_decoder_crossfade_new (pad, timeline);
  GstPad *src = gst_element_get_static_pad (h->element, "src");
  GstClockTime start = 10 * GST_SECOND, moved = 0, first = 0;
  gint16 last = 0;
  gint step = 0, wild = 0;
  guint64 played = 0;
  guint i, n;

  gst_tfrc_decoder_timeline_attach (timeline, src);
  gst_harness_set_src_caps_str (h, "audio/x-raw,format=" GST_AUDIO_NE (S16)
      ",layout=interleaved,rate=48000,channels=1");
  for (n = 0; n < 600; n++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, FRAMES * 2, NULL);
    GstClockTimeDiff apart;
    GstMapInfo map;

    if (n >= 100 && n < 300)
      moved += 600 * GST_USECOND;
    if (n >= 350 && n < 500)
      moved -= 600 * GST_USECOND;
    gst_buffer_map (buffer, &map, GST_MAP_WRITE);
    for (i = 0; i < FRAMES; i++)
      ((gint16 *) map.data)[i] = get_voice (n * FRAMES + i, 160);
    gst_buffer_unmap (buffer, &map);
    GST_BUFFER_PTS (buffer) = gst_tfrc_decoder_timeline_place (timeline,
        n * FRAMES, RATE, start + n * 20 * GST_MSECOND + moved);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
    buffer = gst_harness_pull (h);
    if (n == 0)
      first = GST_BUFFER_PTS (buffer);
    apart = GST_CLOCK_DIFF (first + gst_util_uint64_scale (played, GST_SECOND,
            RATE), GST_BUFFER_PTS (buffer));
    fail_unless (ABS (apart) < 35 * GST_MSECOND,
        "packet %u: %" GST_STIME_FORMAT, n, GST_STIME_ARGS (apart));
    /* and it is played when it is to be */
    apart = GST_CLOCK_DIFF (start + n * 20 * GST_MSECOND + moved,
        GST_BUFFER_PTS (buffer));
    fail_unless (ABS (apart) < 20 * GST_MSECOND,
        "packet %u: %" GST_STIME_FORMAT, n, GST_STIME_ARGS (apart));
    gst_buffer_map (buffer, &map, GST_MAP_READ);
    for (i = 0; i < map.size / 2; i++) {
      gint16 now = ((gint16 *) map.data)[i];

      if (n < 90)
        step = MAX (step, ABS (now - last));
      wild += ABS (now - last) > 1.2 * step && n >= 90;
      last = now;
    }
    played += map.size / 2;
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_int (wild, 0);
  /* 120 ms longer and 90 ms shorter again */
  fail_unless (ABS ((gint) played - 600 * FRAMES - 30 * RATE / 1000) <=
      25 * RATE / 1000, "%u frames", (guint) played - 600 * FRAMES);
  gst_tfrc_decoder_crossfade_unref (crossfade);
  gst_tfrc_decoder_timeline_unref (timeline);
  gst_object_unref (pad);
  gst_object_unref (src);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
soundstretch_suite (void)
{
  Suite *s = suite_create ("soundstretch");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, a_period_comes_or_goes_without_a_click, 0,
      2 * G_N_ELEMENTS (pitches));
  tcase_add_test (tc, noise_that_is_loud_is_left_alone);
  tcase_add_test (tc, a_piece_that_is_short_is_left_alone);
  tcase_add_test (tc, sound_follows_a_delay_that_moves);
  return s;
}

GST_CHECK_MAIN (soundstretch);
