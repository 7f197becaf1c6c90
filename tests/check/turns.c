/* gst-tfrc tests: calls that change codec and frame length, and lose packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codec/decodercrossfade.h"
#include "codec/soundextrapolation.h"
#include "ends.h"
#include "leaks.h"

#define RATE 48000
#define WINDOW 480              /* 10 ms */
#define SETTLED (RATE / 2)      /* the start: a cold encoder, an empty jitter buffer */
#define SOUND "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1"

#define SENDER "tfrcencodebin name=encoder %s ! tfrcsink name=sink mode=tfrc-sp"
#define RECEIVER "tfrcsrc name=src mode=tfrc-sp ! tfrcdecodebin name=decoder " \
    "! audioconvert ! capsfilter name=out caps=" SOUND

typedef struct
{
  GArray *sound;                /* gint16 */
  GstClockTime end;
  guint settled;                /* samples before that are not judged */
  GstClockTimeDiff worst_jump;  /* of the times after that */
  guint changes;                /* of the payload type */
  gint pt;
} Heard;

static Ends ends;
static gdouble volume;          /* of the tone */

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
  volume = 9830;
}

/* A tone, from which a gap, a click and a doubled piece all stand out. */
static GstBuffer *
make_tone (gpointer unused, GstClockTime at)
{
  guint n = gst_util_uint64_scale (ENDS_FRAME, RATE, GST_SECOND), i;
  guint64 from = gst_util_uint64_scale (at, RATE, GST_SECOND);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, n * 2, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (i = 0; i < n; i++)
    ((gint16 *) map.data)[i] =
        volume * sin (2 * G_PI * 400 * (from + i) / RATE);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = at;
  GST_BUFFER_DURATION (buffer) = ENDS_FRAME;
  return buffer;
}

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Heard *heard = user_data;
  guint8 byte;

  gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 1, &byte, 1);
  heard->changes += heard->pt >= 0 && heard->pt != (byte & 0x7f);
  heard->pt = byte & 0x7f;
  return GST_PAD_PROBE_OK;
}

static void
start (Heard * heard, const gchar * encoder_args)
{
  gchar *line = g_strdup_printf (SENDER, encoder_args);
  GstPad *pad;

  *heard = (Heard) {g_array_new (FALSE, TRUE, 2), 0, SETTLED, 0, 0, -1};
  ends.source = make_tone;
  ends.caps = SOUND;
  ends_start_receiver (&ends, RECEIVER);
  pad = gst_element_get_static_pad (ends.src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, heard, NULL);
  gst_object_unref (pad);
  ends_start_sender (&ends, line);
  g_free (line);
}

static GstElement *
find (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  fail_unless (element != NULL);
  gst_object_unref (element);   /* the pipeline has it */
  return element;
}

static guint64
get_decoder_stat (const gchar * name)
{
  return ends_get_stat (find (ends.receiver, "decoder"), name);
}

/* What came out since the last call. */
static void
hear (Heard * heard)
{
  GstBuffer *buffer;

  while ((buffer = g_queue_pop_head (&ends.heard)) != NULL) {
    gsize n = gst_buffer_get_size (buffer) / 2;
    guint at = heard->sound->len;

    if (at > heard->settled)
      heard->worst_jump = MAX (heard->worst_jump,
          ABS (GST_CLOCK_DIFF (heard->end, GST_BUFFER_PTS (buffer))));
    heard->end = GST_BUFFER_PTS (buffer) + n * GST_SECOND / RATE;
    g_array_set_size (heard->sound, at + n);
    gst_buffer_extract (buffer, 0, &g_array_index (heard->sound, gint16, at),
        n * 2);
    gst_buffer_unref (buffer);
  }
}

/* A fade of 5 ms between tones of opposite phase begins and ends with as much. */
#define FADE_BEND (2 * 9830 / 240)

/* The sharpest bend of a window: what a click is. */
static gint
get_bend (const gint16 * data)
{
  gint worst = 0, i;

  for (i = 2; i < WINDOW; i++)
    worst = MAX (worst, abs (data[i] - 2 * data[i - 1] + data[i - 2]));
  return worst;
}

static gdouble
get_level (const gint16 * data)
{
  gdouble power = 0;
  guint i;

  for (i = 0; i < WINDOW; i++)
    power += (gdouble) data[i] * data[i];
  return sqrt (power / WINDOW);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gint x = *(const gint *) a, y = *(const gint *) b;

  return x < y ? -1 : x > y;
}

/* No window bends much more than those in which no change can be: these are the most, as
 * `turns` changes of some 50 ms each are few. Nor is any of them quiet. */
static void
check_sound (const Heard * heard, guint turns)
{
  GArray *bends = g_array_new (FALSE, FALSE, sizeof (gint));
  guint at, n, where = 0;
  gint most = 0, own;

  for (at = SETTLED; at + WINDOW <= heard->sound->len; at += WINDOW) {
    const gint16 *data = &g_array_index (heard->sound, gint16, at);
    gint bend = get_bend (data);

    /* the tone's own level is 6950 */
    fail_unless (get_level (data) > 5000, "level %.0f at %u ms",
        get_level (data), at / 48);
    g_array_append_val (bends, bend);
    if (bend > most) {
      most = bend;
      where = at;
    }
  }
  g_array_sort (bends, compare);
  n = bends->len;
  own = g_array_index (bends, gint, n - 1 - 5 * turns);
  GST_INFO ("bend %d, without the changes %d; jump of the times %"
      G_GINT64_FORMAT " ns", most, own, heard->worst_jump);
  fail_unless (most <= own + FADE_BEND,
      "bend %d at %u ms, without the changes %d", most, where / 48, own);
  g_array_unref (bends);
}

static void
check_heard (const Heard * heard, guint turns, guint changes)
{
  fail_unless (heard->changes >= changes, "%u changes", heard->changes);
  /* all of it but for what a slow machine takes to begin */
  fail_unless (heard->sound->len > RATE * 1.5 * (turns - 1));
  check_sound (heard, turns);
  fail_unless (heard->worst_jump < GST_MSECOND, "%" G_GINT64_FORMAT " ns",
      heard->worst_jump);
}

/* Each turn is a codec's name or a packet time in ms, for a second and a half. */
static void
check_turns (const gchar * args, const gchar * const *turns, guint changes)
{
  Heard heard;
  guint n;

  start (&heard, args);
  ends_play (&ends, GST_SECOND);
  for (n = 0; turns[n] != NULL; n++) {
    GObject *encoder = G_OBJECT (find (ends.sender, "encoder"));

    if (g_ascii_isdigit (*turns[n]))
      g_object_set (encoder, "ptime", atoi (turns[n]) * GST_MSECOND, NULL);
    else
      g_object_set (encoder, "codec", turns[n], NULL);
    ends_play (&ends, 3 * GST_SECOND / 2);
  }
  fail_unless_equals_uint64 (get_decoder_stat ("unknown"), 0);
  fail_unless_equals_uint64 (get_decoder_stat ("lost"), 0);
  fail_unless_equals_uint64 (get_decoder_stat ("recovered"), 0);
  hear (&heard);
  ends_stop (&ends);
  check_heard (&heard, n, changes);
  g_array_unref (heard.sound);
}

GST_START_TEST (codecs_take_turns_without_a_gap_a_click_or_a_jump_of_time)
{
  static const gchar *const turns[] = { "G722", "PCMU", "OPUS", "PCMU", "G722",
    "OPUS", NULL
  };

  /* A new encoder of Opus 1.5 for voice lets a steady tone fade for half a second at 24 kbit/s and
   * less, with or without a change of codecs. */
  check_turns ("codecs=OPUS,G722,PCMU codec=OPUS min-bitrate=32000", turns, 6);
}

GST_END_TEST;

GST_START_TEST
    (frame_lengths_of_opus_change_without_a_gap_a_click_or_a_jump_of_time) {
  static const gchar *const turns[] =
      { "60", "20", "40", "60", "40", "20", NULL };

  check_turns ("ptime=20000000 min-bitrate=32000", turns, 0);
}

GST_END_TEST;

GST_START_TEST
    (packet_times_of_pcmu_change_without_a_gap_a_click_or_a_jump_of_time) {
  static const gchar *const turns[] = { "60", "20", "40", "20", NULL };

  check_turns ("codecs=PCMU ptime=20000000", turns, 0);
}

GST_END_TEST;

/* After the first seconds each packet carries one or two that were sent before it. Of a
 * path that loses packets, every one is there and no sound is missing. */
static void
check_copies (const NetRules * rules, guint least_dropped)
{
  Heard heard;
  guint redundancy, dropped;
  guint64 recovered, lost, left_out;

  start (&heard, "ptime=20000000 inband-fec=false min-bitrate=16000");
  heard.settled = 8 * RATE;
  net_set_rules (ends.port, rules);
  ends_play (&ends, 10 * GST_SECOND);
  g_object_get (find (ends.sender, "encoder"), "current-redundancy",
      &redundancy, NULL);
  fail_unless (redundancy >= 1);
  fail_unless_equals_uint64 (get_decoder_stat ("malformed"), 0);
  recovered = get_decoder_stat ("recovered");
  lost = get_decoder_stat ("lost");
  dropped = net_get_counts (ends.port).dropped;
  hear (&heard);
  g_array_set_size (heard.sound, 0);
  heard.settled = 0;
  ends_play (&ends, 4 * GST_SECOND);
  hear (&heard);
  dropped = net_get_counts (ends.port).dropped - dropped;
  fail_unless (dropped >= least_dropped, "%u", dropped);
  recovered = get_decoder_stat ("recovered") - recovered;
  /* the last ones may not have been missed yet */
  fail_unless (recovered >= dropped - 2 && recovered <= dropped + 2,
      "%u of %u", (guint) recovered, dropped);
  fail_unless_equals_uint64 (get_decoder_stat ("lost"), lost);
  /* although many of the copies stay where they are */
  left_out = ends_get_stat (GST_ELEMENT (ends.sink), "left-out-copies");
  fail_unless (left_out >= 50, "%u", (guint) left_out);
  fail_unless (heard.worst_jump < GST_MSECOND, "%" G_GINT64_FORMAT " ns",
      heard.worst_jump);
  /* but for what the jitter buffer still waits with */
  fail_unless (heard.sound->len >= RATE * 39 / 10);
  ends_stop (&ends);
  g_array_unref (heard.sound);
}

/* A copy 80 ms behind has 20 ms of the jitter buffer's 100. */
GST_START_TEST (copies_restore_what_a_path_loses)
{
  check_copies (&(NetRules) {
          .drop_every = 12}, 16);
}

GST_END_TEST;

/* Longer than two copies right behind a packet could reach over. */
GST_START_TEST (copies_restore_three_losses_in_a_row)
{
  check_copies (&(NetRules) {
          .drop_every = 30,
          .drop_run = 3}, 18);
}

GST_END_TEST;

static GstPadProbeReturn
count_packet (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  g_atomic_int_inc ((gint *) count);
  return GST_PAD_PROBE_OK;
}

static guint
count_for (gint * count, GstClockTime duration)
{
  gint before = g_atomic_int_get (count);

  ends_play (&ends, duration);
  return g_atomic_int_get (count) - before;
}

GST_START_TEST (a_pause_costs_next_to_nothing_and_counts_as_no_loss)
{
  Heard heard;
  gint count = 0;
  guint n;
  GstPad *pad;

  start (&heard, "dtx=true ptime=20000000");
  pad = gst_element_get_static_pad (find (ends.sender, "encoder"), "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_packet, &count,
      NULL);
  gst_object_unref (pad);
  ends_play (&ends, 3 * GST_SECOND / 2);
  fail_unless_equals_int (count_for (&count, GST_SECOND), 50);
  volume = 0;
  ends_play (&ends, GST_SECOND);
  /* Opus describes the silence anew in every 400 ms */
  n = count_for (&count, 4 * GST_SECOND);
  fail_unless (n >= 5 && n <= 4 * 4, "%u", n);
  volume = 9830;
  ends_play (&ends, GST_SECOND / 5);
  fail_unless_equals_int (count_for (&count, 2 * GST_SECOND), 100);
  fail_unless_equals_uint64 (get_decoder_stat ("lost"), 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "lost"), 0);
  ends_stop (&ends);
  g_array_unref (heard.sound);
}

GST_END_TEST;

/* A tone of any period goes on as itself. */
GST_START_TEST (a_sound_is_extended_by_its_last_period)
{
  gint16 past[GST_TFRC_DECODER_CROSSFADE_PAST * 2], more[240 * 2];
  static const gdouble tones[] = { 97, 160, 220, 400, 1000 };
  guint i, t = __i__;

#define AT(i) (9000 * sin (2 * G_PI * tones[t] * (i) / RATE))
  for (i = 0; i < GST_TFRC_DECODER_CROSSFADE_PAST; i++) {
    past[2 * i] = AT (i);
    past[2 * i + 1] = -AT (i);
  }
  gst_tfrc_sound_extrapolate (past, GST_TFRC_DECODER_CROSSFADE_PAST,
      2, more, 240);
  for (i = 0; i < 240; i++) {
    fail_unless (fabs (more[2 * i] - AT (GST_TFRC_DECODER_CROSSFADE_PAST + i)) <
        450, "%g Hz at %u: %d", tones[t], i, more[2 * i]);
    fail_unless_equals_int (more[2 * i + 1], -more[2 * i]);
  }
  gst_tfrc_sound_extrapolate (past, 7, 2, more, 240);
  fail_unless_equals_int (more[2 * 239], past[2 * 6]);
  gst_tfrc_sound_extrapolate (past, 0, 2, more, 240);
  fail_unless_equals_int (more[0], 0);
}

GST_END_TEST;

static Suite *
turns_suite (void)
{
  Suite *s = suite_create ("turns");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_checked_fixture (tc, set_up, net_stop);
  tcase_add_test (tc,
      codecs_take_turns_without_a_gap_a_click_or_a_jump_of_time);
  tcase_add_test (tc,
      frame_lengths_of_opus_change_without_a_gap_a_click_or_a_jump_of_time);
  tcase_add_test (tc,
      packet_times_of_pcmu_change_without_a_gap_a_click_or_a_jump_of_time);
  tcase_add_test (tc, copies_restore_what_a_path_loses);
  tcase_add_test (tc, copies_restore_three_losses_in_a_row);
  tcase_add_test (tc, a_pause_costs_next_to_nothing_and_counts_as_no_loss);
  tcase_add_loop_test (tc, a_sound_is_extended_by_its_last_period, 0, 5);
  return s;
}

GST_CHECK_MAIN (turns);
