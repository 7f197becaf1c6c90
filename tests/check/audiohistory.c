/* gst-tfrc tests: the audio that a new encoder is given again
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "codec/encoderbranch.h"
#include "leaks.h"

#define MS GST_MSECOND
#define RATE 8000               /* samples/s, of one channel and two bytes */
#define PIECE (20 * MS)
#define PIECE_SIZE (2 * RATE / 50)
#define KEPT (GST_TFRC_AUDIO_HISTORY / PIECE + 1)       /* pieces, the newest among them */

static GstTfrcAudioHistory history;

static void
set_caps (const gchar * text)
{
  GstCaps *caps = gst_caps_from_string (text);

  gst_tfrc_audio_history_set_caps (&history, caps);
  gst_caps_unref (caps);
}

static void
set_up (void)
{
  leaks_begin ();
  gst_tfrc_audio_history_init (&history);
  set_caps ("audio/x-raw,format=S16LE,layout=interleaved,rate=8000,channels=1");
}

static void
tear_down (void)
{
  gst_tfrc_audio_history_clear (&history);
  leaks_end ();
}

/* A piece whose bytes are its number. */
static void
add (guint number, GstClockTime pts, GstClockTime duration)
{
  GstBuffer *piece = gst_buffer_new_and_alloc (PIECE_SIZE);

  gst_buffer_memset (piece, 0, number, PIECE_SIZE);
  GST_BUFFER_PTS (piece) = pts;
  GST_BUFFER_DURATION (piece) = duration;
  gst_tfrc_audio_history_add (&history, piece);
  gst_buffer_unref (piece);
}

static void
add_many (guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    add (i, i * PIECE, PIECE);
}

/* What there is from `from` on: pieces, the first of which begins at `pts` with `size` bytes of `number`. */
static void
expect (GstClockTime from, guint n, GstClockTime pts, gsize size, guint number)
{
  GstBufferList *list = gst_tfrc_audio_history_copy (&history, from);
  guint8 byte;
  guint i;

  fail_unless_equals_int (gst_buffer_list_length (list), n);
  for (i = 0; i < n; i++) {
    GstBuffer *piece = gst_buffer_list_get (list, i);

    fail_unless (GST_BUFFER_IS_DISCONT (piece) == (i == 0));
    fail_unless_equals_uint64 (GST_BUFFER_PTS (piece), i == 0 ? pts :
        (number + i) * PIECE);
    fail_unless_equals_int (gst_buffer_get_size (piece), i == 0 ? size :
        PIECE_SIZE);
    gst_buffer_extract (piece, 0, &byte, 1);
    fail_unless_equals_int (byte, number + i);
  }
  gst_buffer_list_unref (list);
}

GST_START_TEST (the_copy_begins_where_it_was_asked_for)
{
  add_many (5);
  expect (0, 5, 0, PIECE_SIZE, 0);
  expect (2 * PIECE, 3, 2 * PIECE, PIECE_SIZE, 2);
  expect (2 * PIECE + 5 * MS, 3, 2 * PIECE + 5 * MS, PIECE_SIZE * 3 / 4, 2);
  expect (5 * PIECE, 0, 0, 0, 0);
  /* the pieces themselves are as they were */
  expect (0, 5, 0, PIECE_SIZE, 0);
}

GST_END_TEST;

GST_START_TEST (so_much_is_kept)
{
  add_many (KEPT);
  expect (0, KEPT, 0, PIECE_SIZE, 0);
  gst_tfrc_audio_history_clear (&history);
  add_many (KEPT + 3);
  expect (0, KEPT, 3 * PIECE, PIECE_SIZE, 3);
}

GST_END_TEST;

GST_START_TEST (a_piece_without_a_time_is_not_kept)
{
  add (7, GST_CLOCK_TIME_NONE, PIECE);
  add (7, 0, GST_CLOCK_TIME_NONE);
  expect (0, 0, 0, 0, 0);
}

GST_END_TEST;

GST_START_TEST (another_format_begins_anew)
{
  add_many (3);
  set_caps
      ("audio/x-raw,format=S16LE,layout=interleaved,rate=16000,channels=1");
  fail_unless_equals_int (GST_AUDIO_INFO_RATE (&history.info), 16000);
  expect (0, 0, 0, 0, 0);
  set_caps ("audio/x-opus");
  fail_if (GST_AUDIO_INFO_IS_VALID (&history.info));
}

GST_END_TEST;

static Suite *
audiohistory_suite (void)
{
  Suite *s = suite_create ("audiohistory");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, the_copy_begins_where_it_was_asked_for);
  tcase_add_test (tc, so_much_is_kept);
  tcase_add_test (tc, a_piece_without_a_time_is_not_kept);
  tcase_add_test (tc, another_format_begins_anew);
  return s;
}

GST_CHECK_MAIN (audiohistory);
