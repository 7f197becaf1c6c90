/* gst-tfrc tests: a call of a day in virtual time, through the real elements
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sound goes through tfrcencodebin, tfrcsink, a path that loses, doubles and overtakes packets, tfrcsrc and
 * tfrcdecodebin. The sender starts anew each hour, and the path is dead for 20 s in each. After every hour
 * a line says what the process has: from the first hour to the last the heap may grow by 1 MB, and the
 * threads and descriptors by nothing. TFRC_SOAK_HOURS says how many hours there are. */
#include <stdlib.h>
#include <string.h>

#include "ends.h"
#include "heap.h"
#include "settle.h"

#define HOUR (3600 * GST_SECOND)
#define GROWTH_MAX 1000000      /* bytes */
#define CODEC "PCMU"            /* takes the least time to encode */
#define SENDER "tfrcencodebin name=encoder codecs=" CODEC " ! " \
    "tfrcsink name=sink mode=tfrc-sp host=127.0.0.1"
#define RECEIVER "tfrcsrc name=src mode=tfrc-sp ! tfrcdecodebin ! " \
    "audioconvert name=out"

typedef struct
{
  gsize heap;
  guint threads, descriptors;
} Use;

static Ends ends;

static GstBuffer *
make_sound (gpointer unused, GstClockTime at)
{
  guint n = 960;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 2 * n, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (guint i = 0; i < n; i++)
    GST_WRITE_UINT16_LE (map.data + 2 * i, i % 100 * 100);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = at;
  GST_BUFFER_DURATION (buffer) = ENDS_FRAME;
  return buffer;
}

static guint
count_entries (const gchar * folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static Use
get_use (void)
{
  settle ();
  settle_close ();
  return (Use) {heap_get_used (), count_entries ("/proc/self/task"),
      count_entries ("/proc/self/fd")};
}

/* Frees what the rig keeps for tests that ask: each packet that was sent, what was heard, and messages. */
static void
forget (void)
{
  GstMessage *message;

  g_ptr_array_unref (net_take (ends.port));
  g_ptr_array_unref (net_take (ends_get_port (ends.sink)));
  g_mutex_lock (&ends.lock);
  g_queue_clear_full (&ends.heard, (GDestroyNotify) gst_buffer_unref);
  g_mutex_unlock (&ends.lock);
  while ((message = ends_pop (ends.sender, GST_MESSAGE_ANY)) != NULL)
    gst_message_unref (message);
  while ((message = ends_pop (ends.receiver, GST_MESSAGE_ANY)) != NULL)
    gst_message_unref (message);
}

static guint
play (GstClockTime duration)
{
  guint heard = 0;

  for (GstClockTime done = 0; done < duration; done += 10 * GST_SECOND) {
    heard += ends_play (&ends, 10 * GST_SECOND);
    forget ();
  }
  return heard;
}

static void
set_cut (gboolean cut)
{
  net_set_rules (ends.port, &(NetRules) {
          .block = cut,
          .drop_every = 53,
          .duplicate_every = 97,
          .swap_every = 71});
  net_set_rules (ends_get_port (ends.sink), &(NetRules) {.block = cut});
}

/* Returns how many buffers were heard. */
static guint
play_hour (void)
{
  guint heard;

  ends_start_sender (&ends, SENDER);
  set_cut (FALSE);
  heard = play (HOUR / 2);
  set_cut (TRUE);
  heard += play (20 * GST_SECOND);
  set_cut (FALSE);
  heard += play (HOUR / 2 - 20 * GST_SECOND);
  ends_stop_sender (&ends);
  return heard;
}

GST_START_TEST (a_day_leaves_nothing_behind)
{
  const gchar *text = g_getenv ("TFRC_SOAK_HOURS");
  guint hours = text != NULL ? atoi (text) : 24;
  Use first = { 0 }, now;

  fail_unless (hours >= 2, "TFRC_SOAK_HOURS has to be 2 at least");
  for (guint hour = 1; hour <= hours; hour++) {
    guint heard = play_hour ();

    now = get_use ();
    if (hour == 1)
      first = now;
    g_print ("hour %2u: %u buffers heard, heap %" G_GSIZE_FORMAT
        " kB, %u threads, %u descriptors\n", hour, heard, now.heap / 1000,
        now.threads, now.descriptors);
    fail_unless (heard > 50000, "%u buffers heard", heard);
  }
  fail_unless (now.heap < first.heap + GROWTH_MAX);
  fail_unless (now.threads <= first.threads);
  fail_unless (now.descriptors <= first.descriptors);
}

GST_END_TEST;

static void
set_up (void)
{
  heap_set_up ();
  net_start ();
  memset (&ends, 0, sizeof ends);
  ends.source = make_sound;
  ends.caps =
      "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1";
  ends_start_receiver (&ends, RECEIVER);
}

static void
tear_down (void)
{
  ends_stop (&ends);
  net_stop ();
}

static Suite *
soak_suite (void)
{
  Suite *s = suite_create ("soak");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 0);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, a_day_leaves_nothing_behind);
  return s;
}

GST_CHECK_MAIN (soak);
