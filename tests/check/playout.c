/* gst-tfrc tests: the playout buffer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "transport/playoutbuffer.h"

#define MS GST_MSECOND
#define RATE 48000
#define STEP 960                /* 20 ms of RTP timestamp */
#define LATENCY (100 * MS)
#define START (1000 * GST_SECOND)       /* arrival of the first packet */

static GstTfrcPlayoutBuffer *playout;
static GstTfrcPlayoutStats stats;

static void
set_up (void)
{
  playout = gst_tfrc_playout_buffer_new (LATENCY);
}

static void
tear_down (void)
{
  gst_tfrc_playout_buffer_free (playout);
}

/* Packet `n` of a stream of 20 ms packets arrives `transit` after it was sent. */
static gboolean
add_at (guint n, guint16 seq, guint32 rtptime, guint32 clock_rate,
    GstClockTime arrival)
{
  GstTfrcPlayoutPacket packet = { seq, rtptime, clock_rate, arrival };
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_OFFSET (buffer) = n;
  return gst_tfrc_playout_buffer_add (playout, &packet, buffer);
}

static gboolean
add (guint n, GstClockTime transit)
{
  return add_at (n, 65530 + n, 4294960000u + n * STEP, RATE,
      START + n * 20 * MS + transit);
}

static GstClockTime
time_of (guint n)
{
  return START + n * 20 * MS;
}

static void
expect_nothing (GstClockTime now)
{
  GstTfrcPlayoutItem item;

  fail_unless_equals_int (gst_tfrc_playout_buffer_take (playout, &item, now),
      GST_TFRC_PLAYOUT_NOTHING);
  fail_unless (item.buffer == NULL);
}

/* Returns the packet's time. */
static GstClockTime
expect_packet (guint n, gboolean discont, GstClockTime now)
{
  GstTfrcPlayoutItem item;

  fail_unless_equals_int (gst_tfrc_playout_buffer_take (playout, &item, now),
      GST_TFRC_PLAYOUT_PACKET);
  fail_unless_equals_int (GST_BUFFER_OFFSET (item.buffer), n);
  fail_unless_equals_int (item.discont, discont);
  fail_unless_equals_int (item.packets, 0);
  gst_buffer_unref (item.buffer);
  return item.pts;
}

static void
expect_loss (guint16 seq, guint packets, GstClockTime pts,
    GstClockTime duration, GstClockTime now)
{
  GstTfrcPlayoutItem item;

  fail_unless_equals_int (gst_tfrc_playout_buffer_take (playout, &item, now),
      GST_TFRC_PLAYOUT_LOSS);
  fail_unless (item.buffer == NULL);
  fail_unless_equals_int (item.seq, seq);
  fail_unless_equals_int (item.packets, packets);
  fail_unless_equals_uint64 (item.pts, pts);
  fail_unless_equals_uint64 (item.duration, duration);
}

static void
expect_next_time (GstClockTime time)
{
  fail_unless_equals_uint64 (gst_tfrc_playout_buffer_next_time (playout), time);
}

/* Packets `from` to `to` - 1 arrive without jitter and leave. */
static void
play (guint from, guint to)
{
  guint n;

  for (n = from; n < to; n++) {
    fail_unless (add (n, 0));
    fail_unless_equals_uint64 (expect_packet (n, n == 0, time_of (n)),
        time_of (n));
  }
}

static const GstTfrcPlayoutStats *
get_stats (void)
{
  gst_tfrc_playout_buffer_get_stats (playout, &stats);
  return &stats;
}

GST_START_TEST (packets_in_order_leave_at_once)
{
  expect_nothing (START);
  expect_next_time (GST_CLOCK_TIME_NONE);
  fail_unless (add (0, 0));
  expect_next_time (0);
  fail_unless_equals_uint64 (expect_packet (0, TRUE, START), START);
  expect_nothing (START + GST_SECOND);
  /* over the wraps of sequence numbers and RTP timestamps */
  play (1, 200);
  fail_unless_equals_int (get_stats ()->packets, 200);
  fail_unless_equals_int (stats.lost + stats.late + stats.duplicates +
      stats.dropped + stats.restarts + stats.delays + stats.waiting, 0);
  fail_unless_equals_uint64 (stats.jitter, 0);
}

GST_END_TEST;

GST_START_TEST (a_gap_is_waited_for_as_long_as_it_could_be_played)
{
  play (0, 3);
  fail_unless (add (5, 0));
  fail_unless (add (6, 0));
  /* #3 could be played until its time and the latency */
  expect_next_time (time_of (3) + LATENCY);
  expect_nothing (time_of (3) + LATENCY - 1);
  expect_loss (65533, 1, time_of (3), 20 * MS, time_of (3) + LATENCY);
  expect_next_time (time_of (4) + LATENCY);
  expect_nothing (time_of (4) + LATENCY - 1);
  expect_loss (65534, 1, time_of (4), 20 * MS, time_of (4) + LATENCY);
  expect_next_time (0);
  fail_unless_equals_uint64 (expect_packet (5, FALSE, time_of (10)),
      time_of (5));
  expect_packet (6, FALSE, time_of (10));
  fail_unless (!add (3, 200 * MS));
  fail_unless_equals_int (get_stats ()->lost, 2);
  fail_unless_equals_int (stats.late, 1);
}

GST_END_TEST;

GST_START_TEST (packets_that_overtook_each_other_are_put_in_order)
{
  play (0, 1);
  fail_unless (add (2, 0));
  fail_unless (add (3, 0));
  expect_nothing (time_of (3));
  fail_unless (add (1, 50 * MS));
  fail_unless_equals_uint64 (expect_packet (1, FALSE, time_of (4)),
      time_of (1));
  expect_packet (2, FALSE, time_of (4));
  expect_packet (3, FALSE, time_of (4));
  fail_unless (!add (2, 60 * MS));
  fail_unless (add (6, 0));
  fail_unless (!add (6, 1 * MS));
  fail_unless_equals_int (get_stats ()->lost, 0);
  fail_unless_equals_int (stats.late, 1);
  fail_unless_equals_int (stats.duplicates, 1);
  fail_unless_equals_int (stats.waiting, 1);
}

GST_END_TEST;

GST_START_TEST (the_latency_can_change_while_a_gap_is_waited_for)
{
  play (0, 2);
  fail_unless (add (3, 0));
  expect_next_time (time_of (2) + LATENCY);
  gst_tfrc_playout_buffer_set_latency (playout, 40 * MS);
  expect_next_time (time_of (2) + 40 * MS);
  gst_tfrc_playout_buffer_set_latency (playout, 0);
  expect_loss (65532, 1, time_of (2), 20 * MS, time_of (2));
}

GST_END_TEST;

GST_START_TEST (jitter_is_taken_out)
{
  GstClockTime pts, last = 0;
  GRand *rand = g_rand_new_with_seed (1);
  guint n;

  /* the first packet came 60 ms late, the others 0 to 60 ms */
  for (n = 0; n < 500; n++) {
    fail_unless (add (n, n == 0 ? 60 * MS : g_rand_int_range (rand, 0,
                60 * MS)));
    while (gst_tfrc_playout_buffer_next_time (playout) == 0) {
      GstTfrcPlayoutItem item;

      gst_tfrc_playout_buffer_take (playout, &item, time_of (n));
      gst_buffer_unref (item.buffer);
      pts = item.pts;
      /* 4 % of the time between two arrivals, 80 ms at most, in the first two seconds,
       * 0.5 % afterwards */
      if (n > 0)
        fail_unless (ABS (GST_CLOCK_DIFF (last, pts) - 20 * (gint64) MS) <=
            (n <= 104 ? 3200 : 400) * (gint64) GST_USECOND,
            "#%u: %" G_GINT64_FORMAT, n, GST_CLOCK_DIFF (last, pts));
      last = pts;
    }
  }
  /* the fastest of two seconds of packets took less than 3 ms */
  fail_unless (last >= time_of (499) && last < time_of (499) + 3 * MS);
  /* |x - y| of two uniform numbers is a third of the range on average */
  fail_unless (get_stats ()->jitter > 12 * MS && stats.jitter < 28 * MS);
  g_rand_free (rand);
}

GST_END_TEST;

GST_START_TEST (a_drift_of_the_senders_clock_is_followed)
{
  GstClockTime pts = 0;
  guint n;

  /* 500 ppm over five minutes are 150 ms */
  for (n = 0; n < 15000; n++) {
    fail_unless (add (n, n * 10 * GST_USECOND));
    pts = expect_packet (n, n == 0, time_of (n) + GST_SECOND);
  }
  fail_unless (pts <= time_of (n - 1) + 150 * MS);
  /* at most the drift of two windows behind: 4 s at 500 ppm */
  fail_unless (pts >= time_of (n - 1) + 147 * MS);
  fail_unless_equals_int (get_stats ()->delays, 0);
}

GST_END_TEST;

/* Packets `from` to `to` - 1 take `transit`, and each fourth of them `fourth`. Returns by how much the last one's time is later than
 * that of a packet which takes no time. */
static GstClockTime
play_with_queue (guint from, guint to, GstClockTime transit,
    GstClockTime fourth)
{
  GstClockTime pts = 0;
  guint n;

  for (n = from; n < to; n++) {
    fail_unless (add (n, n % 4 == 0 ? fourth : transit));
    pts = expect_packet (n, FALSE, time_of (n) + GST_SECOND);
  }
  return pts - time_of (to - 1);
}

GST_START_TEST (a_queue_that_stands_hardly_moves_times)
{
  play (0, 500);
  /* 0.05 % of 30 s */
  fail_unless (play_with_queue (500, 2000, 60 * MS, 60 * MS) <= 15 * MS);
  fail_unless_equals_uint64 (play_with_queue (2000, 2500, 0, 0), 0);
}

GST_END_TEST;

/* The path takes 80 ms longer, and each fourth packet 120 ms, which is more than the latency. */
GST_START_TEST (a_queue_that_makes_packets_late_is_followed)
{
  GstClockTime later;

  play (0, 500);
  later = play_with_queue (500, 1000, 80 * MS, 120 * MS);
  /* until none is late, and for the memory of 32 packets */
  fail_unless (later >= 20 * MS);
  fail_unless (later <= 33 * MS);
}

GST_END_TEST;

GST_START_TEST (a_path_that_becomes_longer_than_the_latency_is_followed_soon)
{
  guint n;

  play (0, 50);
  for (n = 50; n < 61; n++) {
    fail_unless (add (n, 300 * MS));
    fail_unless (expect_packet (n, n == 60, time_of (n) + GST_SECOND) <
        time_of (n) + (n < 60 ? 12 * MS : 301 * MS));
  }
  fail_unless_equals_int (get_stats ()->delays, 1);
  fail_unless (add (61, 300 * MS));
  fail_unless_equals_uint64 (expect_packet (61, FALSE, time_of (99)),
      time_of (61) + 300 * MS);
  fail_unless_equals_int (stats.dropped + stats.lost, 0);
}

GST_END_TEST;

/* Of those that come late the least late one tells how long the path is now. */
GST_START_TEST (the_least_delay_of_a_longer_path_counts)
{
  guint n;

  play (0, 50);
  for (n = 50; n < 61; n++) {
    fail_unless (add (n, n == 55 ? 300 * MS : 320 * MS));
    expect_packet (n, n == 60, time_of (n) + GST_SECOND);
  }
  fail_unless_equals_int (get_stats ()->delays, 1);
  fail_unless (add (61, 300 * MS));
  fail_unless_equals_uint64 (expect_packet (61, FALSE, time_of (99)),
      time_of (61) + 300 * MS);
}

GST_END_TEST;

/* The first packet is held for a second; what follows it comes in a burst and then in time. */
GST_START_TEST (a_first_packet_that_was_held_costs_no_lasting_delay)
{
  GstClockTime last = 0;
  guint n, played = 0, disconts = 0;

  for (n = 0; n < 200; n++) {
    GstClockTime arrival = MAX (time_of (50), time_of (n));
    GstTfrcPlayoutItem item;

    fail_unless (add (n, arrival - time_of (n)));
    while (gst_tfrc_playout_buffer_take (playout, &item, arrival) ==
        GST_TFRC_PLAYOUT_PACKET) {
      fail_unless (item.pts >= last);
      disconts += item.discont;
      last = item.pts;
      played++;
      gst_buffer_unref (item.buffer);
    }
  }
  /* the last packet is played as it arrives */
  fail_unless_equals_uint64 (last, time_of (199));
  fail_unless_equals_int (get_stats ()->advances, 1);
  fail_unless_equals_int (stats.delays + stats.lost + stats.late, 0);
  fail_unless_equals_int (played + stats.dropped, 200);
  /* at the beginning, and where sound is missing */
  fail_unless_equals_int (disconts, 2);
  fail_unless (stats.dropped > 35 && stats.dropped < 50);
}

GST_END_TEST;

GST_START_TEST (a_burst_behind_a_path_that_was_held_moves_nothing)
{
  guint n;

  play (0, 100);
  for (n = 100; n < 150; n++)
    fail_unless (add (n, (150 - n) * 20 * MS));
  for (n = 100; n < 150; n++)
    fail_unless_equals_uint64 (expect_packet (n, FALSE, time_of (150)),
        time_of (n));
  play (150, 200);
  fail_unless_equals_int (get_stats ()->delays + stats.restarts, 0);
}

GST_END_TEST;

GST_START_TEST (a_stream_that_jumps_counts_anew_from_its_second_packet)
{
  play (0, 10);
  fail_unless (add (11, 0));
  fail_unless (!add_at (500, 30000, 5, RATE, time_of (12)));
  fail_unless (add (12, 0));
  fail_unless_equals_int (get_stats ()->dropped, 1);
  fail_unless (!add_at (500, 30000, 5, RATE, time_of (13)));
  fail_unless (add_at (501, 30001, 5 + STEP, RATE, time_of (14)));
  fail_unless_equals_uint64 (expect_packet (501, TRUE, time_of (14)),
      time_of (14));
  fail_unless_equals_int (get_stats ()->restarts, 1);
  /* the two that waited for #10, and two first packets of jumps */
  fail_unless_equals_int (stats.dropped, 4);
  fail_unless_equals_int (stats.lost, 0);
}

GST_END_TEST;

/* The timestamps of a sender whose machine was held jump ahead of the clock. Sound that was played as far ahead
 * would keep all that follows waiting. No network makes such a jump, whatever it holds back. */
GST_START_TEST (timestamps_that_jump_ahead_of_the_clock_count_anew)
{
  guint32 ahead = 4294960000u + 2 * RATE;

  play (0, 2);
  fail_unless (!add_at (2, 65530 + 2, ahead + 2 * STEP, RATE, time_of (2)));
  fail_unless (add_at (3, 65530 + 3, ahead + 3 * STEP, RATE, time_of (2)));
  fail_unless_equals_uint64 (expect_packet (3, TRUE, time_of (2)), time_of (2));
  fail_unless (add_at (4, 65530 + 4, ahead + 4 * STEP, RATE, time_of (3)));
  fail_unless_equals_uint64 (expect_packet (4, FALSE, time_of (3)),
      time_of (3));
  fail_unless_equals_int (get_stats ()->restarts, 1);
  fail_unless_equals_int (stats.dropped, 1);
}

GST_END_TEST;

/* The sender paused for two seconds and the path held what it sent behind the pause, so that nothing jumps. A lone
 * packet with a wrong timestamp is dropped. */
GST_START_TEST (pauses_and_lone_timestamps_do_not_count_anew)
{
  play (0, 50);
  fail_unless (add (150, 60 * MS));
  fail_unless (add (151, 40 * MS));
  fail_unless (!add_at (152, (guint16) (65530 + 152),
          4294960000u + 152 * STEP + 2 * RATE, RATE, time_of (152)));
  fail_unless (add (153, 0));
  fail_unless_equals_int (get_stats ()->restarts, 0);
  fail_unless_equals_int (stats.dropped, 1);
}

GST_END_TEST;

GST_START_TEST (a_packet_of_long_ago_is_only_late)
{
  play (0, 50);
  fail_unless (!add (20, 10 * GST_SECOND));
  fail_unless (!add (21, 10 * GST_SECOND));
  play (50, 60);
  fail_unless_equals_int (get_stats ()->late, 2);
  fail_unless_equals_int (stats.restarts + stats.delays, 0);
}

GST_END_TEST;

GST_START_TEST (a_restart_takes_the_next_packet_as_the_first)
{
  play (0, 5);
  fail_unless (add (6, 0));
  gst_tfrc_playout_buffer_restart (playout);
  fail_unless (add_at (700, 17, 99, 8000, time_of (30)));
  fail_unless_equals_uint64 (expect_packet (700, TRUE, time_of (30)),
      time_of (30));
  fail_unless_equals_int (get_stats ()->dropped, 1);
  fail_unless_equals_int (stats.restarts, 0);
}

GST_END_TEST;

GST_START_TEST (timestamps_of_another_rate_go_on_in_time)
{
  play (0, 10);
  fail_unless (add_at (10, 4, 160, 8000, time_of (10)));
  fail_unless_equals_uint64 (expect_packet (10, FALSE, time_of (10)),
      time_of (10));
  /* later by some jitter, which is taken out */
  fail_unless (add_at (12, 6, 160 + 320, 8000, time_of (12) + 5 * MS));
  expect_loss (5, 1, time_of (11), 20 * MS, time_of (20));
  fail_unless_equals_uint64 (expect_packet (12, FALSE, time_of (20)),
      time_of (12));
}

GST_END_TEST;

GST_START_TEST (what_is_missing_behind_a_pause_lies_at_its_end)
{
  play (0, 5);
  /* nobody speaks for two seconds; the first packet afterwards is lost */
  fail_unless (add_at (6, 0, 4294960000u + 105 * STEP, RATE, time_of (105)));
  expect_loss (65535, 1, time_of (104), 20 * MS, time_of (104) + LATENCY);
  fail_unless_equals_uint64 (expect_packet (6, FALSE, time_of (120)),
      time_of (105));
}

GST_END_TEST;

GST_START_TEST (a_long_gap_is_announced_in_few_losses)
{
  guint i;

  play (0, 5);
  fail_unless (add (205, 0));
  expect_next_time (time_of (141) + LATENCY);
  expect_loss (65535, 137, time_of (5), 137 * 20 * MS, time_of (300));
  for (i = 142; i < 205; i++)
    expect_loss (65530 + i - 65536, 1, time_of (i), 20 * MS, time_of (300));
  expect_packet (205, FALSE, time_of (300));
  fail_unless_equals_int (get_stats ()->lost, 200);
}

GST_END_TEST;

GST_START_TEST (the_oldest_go_when_too_many_wait)
{
  guint n;

  play (0, 1);
  for (n = 2; n < 2 + GST_TFRC_PLAYOUT_MAX; n++)
    fail_unless (add (n, 0));
  fail_unless_equals_int (get_stats ()->waiting, GST_TFRC_PLAYOUT_MAX);
  fail_unless_equals_int (stats.lost, 1);
  fail_unless (add (n, 0));
  fail_unless_equals_int (get_stats ()->waiting, GST_TFRC_PLAYOUT_MAX);
  fail_unless_equals_int (stats.dropped, 1);
  expect_packet (3, TRUE, time_of (n));
  gst_tfrc_playout_buffer_flush (playout);
  fail_unless_equals_int (get_stats ()->waiting, 0);
  expect_nothing (GST_CLOCK_TIME_NONE - 1);
}

GST_END_TEST;

GST_START_TEST (packets_behind_a_gap_can_be_looked_at)
{
  GstBufferList *list = gst_buffer_list_new ();

  play (0, 1);
  add (4, 0);
  add (2, 40 * MS);
  gst_tfrc_playout_buffer_get_waiting (playout, list);
  fail_unless_equals_int (gst_buffer_list_length (list), 2);
  fail_unless_equals_int (GST_BUFFER_OFFSET (gst_buffer_list_get (list, 0)), 2);
  fail_unless_equals_int (GST_BUFFER_OFFSET (gst_buffer_list_get (list, 1)), 4);
  gst_buffer_list_unref (list);
  /* one packet is some, too */
  list = gst_buffer_list_new ();
  gst_tfrc_playout_buffer_flush (playout);
  gst_tfrc_playout_buffer_get_waiting (playout, list);
  fail_unless_equals_int (gst_buffer_list_length (list), 0);
  add (7, 0);
  gst_tfrc_playout_buffer_get_waiting (playout, list);
  fail_unless_equals_int (gst_buffer_list_length (list), 1);
  gst_buffer_list_unref (list);
}

GST_END_TEST;

/* Whatever comes: what leaves is in order, each once, and all of it is counted. */
GST_START_TEST (a_million_random_packets_are_all_accounted_for)
{
  GRand *rand = g_rand_new_with_seed (7);
  GstClockTime now = START;
  guint64 in = 0, out = 0, refused = 0;
  guint16 seq = 0;
  guint32 rtptime = 0;
  guint i;

  for (i = 0; i < 1000000; i++) {
    GstTfrcPlayoutItem item;
    guint kind = g_rand_int_range (rand, 0, 1000);

    now += g_rand_int_range (rand, 0, 40 * MS);
    seq += kind < 900 ? 1 : kind < 990 ? g_rand_int_range (rand, -20, 20) :
        g_rand_int (rand);
    rtptime += kind < 980 ? STEP : g_rand_int (rand);
    in++;
    refused += !add_at (i, seq, rtptime, kind == 5 ? 8000 : RATE, now);
    while (gst_tfrc_playout_buffer_take (playout, &item, now) !=
        GST_TFRC_PLAYOUT_NOTHING) {
      out += item.kind == GST_TFRC_PLAYOUT_PACKET;
      fail_unless (item.kind == GST_TFRC_PLAYOUT_PACKET ||
          (item.packets > 0 && item.duration > 0 &&
              GST_CLOCK_TIME_IS_VALID (item.duration)));
      gst_clear_buffer (&item.buffer);
    }
    fail_unless (gst_tfrc_playout_buffer_next_time (playout) > now);
  }
  get_stats ();
  fail_unless_equals_uint64 (stats.packets, out);
  fail_unless_equals_uint64 (in, out + stats.waiting + stats.late +
      stats.duplicates + stats.dropped);
  fail_unless (refused > 10000 && out > 300000);
  g_rand_free (rand);
}

GST_END_TEST;

/* What leaves while a stream of 1000 packets of `ms` milliseconds arrives from `begin` on, one line
 * each. It has jitter, losses, pauses and a path that becomes longer; its second packet is lost. */
static gchar *
play_random_stream (guint32 seed, guint ms, GstClockTime begin)
{
  GRand *rand = g_rand_new_with_seed (seed);
  GString *text = g_string_new (NULL);
  GstClockTime now = begin, path = 0;
  guint16 seq = g_rand_int (rand);
  guint32 rtptime = g_rand_int (rand);

  for (guint i = 0; i < 1000; i++, seq++, rtptime += RATE / 1000 * ms) {
    GstTfrcPlayoutItem item;

    path += i % 300 == 299 ? 30 * MS : 0;
    if (i == 1 || (i > 0 && g_rand_int_range (rand, 0, 20) == 0))
      continue;
    if (g_rand_int_range (rand, 0, 100) == 0)
      rtptime += 10 * STEP;
    now =
        MAX (now, begin + i * ms * MS + path + g_rand_int_range (rand, 0,
            60 * MS));
    add_at (i, seq, rtptime, RATE, now);
    while (gst_tfrc_playout_buffer_take (playout, &item,
            now) != GST_TFRC_PLAYOUT_NOTHING) {
      g_string_append_printf (text,
          "%d %d %u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %d\n",
          item.kind,
          item.buffer != NULL ? (gint) GST_BUFFER_OFFSET (item.buffer) : -1,
          item.seq, item.packets, item.pts - begin, item.duration,
          item.discont);
      gst_clear_buffer (&item.buffer);
    }
    if (gst_tfrc_playout_buffer_next_time (playout) != GST_CLOCK_TIME_NONE)
      g_string_append_printf (text, "next %" G_GUINT64_FORMAT "\n",
          gst_tfrc_playout_buffer_next_time (playout) - begin);
  }
  g_rand_free (rand);
  return g_string_free (text, FALSE);
}

GST_START_TEST (a_restarted_buffer_plays_as_a_new_one)
{
  gchar *as_new, *restarted;
  gsize i, line = 0;

  as_new = play_random_stream (__i__, 20, START);
  tear_down ();
  set_up ();
  g_free (play_random_stream (1000 + __i__, 10, START));
  gst_tfrc_playout_buffer_restart (playout);
  restarted = play_random_stream (__i__, 20, 2 * START);
  for (i = 0; as_new[i] != 0 && as_new[i] == restarted[i]; i++)
    line = as_new[i] == '\n' ? i + 1 : line;
  fail_unless (as_new[i] == restarted[i], "new: %.60s\nrestarted: %.60s",
      as_new + line, restarted + line);
  g_free (restarted);
  g_free (as_new);
}

GST_END_TEST;

/* The time from a packet of the stream before is no length of packets. */
GST_START_TEST (a_restart_right_behind_a_packet_begins_anew)
{
  GstClockTime begin = time_of (4) + 5 * MS;

  play (0, 5);
  gst_tfrc_playout_buffer_restart (playout);
  fail_unless (add_at (700, 17, 99, RATE, begin));
  fail_unless_equals_uint64 (expect_packet (700, TRUE, begin), begin);
  fail_unless (add_at (702, 19, 99 + 2 * STEP, RATE, begin + 40 * MS));
  expect_loss (18, 1, begin + 20 * MS, 20 * MS, begin + 200 * MS);
}

GST_END_TEST;

GST_START_TEST (a_restart_is_no_jitter)
{
  GstClockTime jitter;

  play (0, 10);
  for (guint n = 10; n < 200; n++) {
    add (n, 80 * MS);
    expect_packet (n, FALSE, time_of (n) + 80 * MS);
  }
  jitter = get_stats ()->jitter;
  fail_unless (jitter < MS);
  gst_tfrc_playout_buffer_restart (playout);
  fail_unless (add_at (700, 17, 99, RATE, time_of (300)));
  fail_unless (get_stats ()->jitter <= jitter);
}

GST_END_TEST;

/* --- a delay that follows the path --- */

static void
adapt (GstClockTime least, GstClockTime latency)
{
  gst_tfrc_playout_buffer_free (playout);
  playout = gst_tfrc_playout_buffer_new (latency);
  gst_tfrc_playout_buffer_adapt (playout, least);
}

/* Seconds of packets with even jitter; returns how many came too late for their time. */
static guint
play_jitter (guint from, guint seconds, GstClockTime jitter, GRand * rand,
    GstClockTime latency)
{
  GstTfrcPlayoutItem item;
  guint late = 0, n;

  for (n = from; n < from + seconds * 50; n++) {
    GstClockTime transit = jitter > 0 ? g_rand_int_range (rand, 0, jitter) : 0;
    GstClockTime arrival = time_of (n) + transit;

    add (n, transit);
    while (gst_tfrc_playout_buffer_take (playout, &item, arrival) ==
        GST_TFRC_PLAYOUT_PACKET) {
      late += item.pts + latency < arrival;
      gst_buffer_unref (item.buffer);
    }
  }
  return late;
}

static GstClockTime
get_delay (void)
{
  gst_tfrc_playout_buffer_get_stats (playout, &stats);
  return stats.delay;
}

GST_START_TEST (an_adaptive_delay_follows_the_jitter)
{
  GRand *rand = g_rand_new_with_seed (7);
  guint late;

  adapt (10 * MS, 500 * MS);
  play_jitter (0, 20, 0, rand, 500 * MS);
  fail_unless (get_delay () >= 10 * MS
      && get_delay () <= 20 * MS, "%" GST_TIME_FORMAT,
      GST_TIME_ARGS (get_delay ()));
  play_jitter (1000, 10, 100 * MS, rand, 500 * MS);
  late = play_jitter (1500, 20, 100 * MS, rand, 500 * MS);
  fail_unless (get_delay () >= 90 * MS && get_delay () <= 125 * MS,
      "%" GST_TIME_FORMAT, GST_TIME_ARGS (get_delay ()));
  fail_unless (late <= 10, "%u packets", late);
  play_jitter (2500, 80, 0, rand, 500 * MS);
  fail_unless (get_delay () <= 20 * MS);
  g_rand_free (rand);
}

GST_END_TEST;

/* Times are as far apart as their packets, but for 3 % and a drift of 0.5 % at most. */
GST_START_TEST (an_adaptive_delay_moves_slowly)
{
  GRand *rand = g_rand_new_with_seed (7);
  GstClockTime last = GST_CLOCK_TIME_NONE;
  GstTfrcPlayoutItem item;
  guint n;

  adapt (10 * MS, 500 * MS);
  for (n = 0; n < 2000; n++) {
    gboolean jitter = n >= 500 && n < 1000;
    GstClockTime transit = jitter ? n % 5 * 20 * MS : 0;

    add (n, transit);
    while (gst_tfrc_playout_buffer_take (playout, &item, time_of (n) + transit)
        == GST_TFRC_PLAYOUT_PACKET) {
      /* Packets that arrive together see one step of the delay. */
      if (last != GST_CLOCK_TIME_NONE && n >= 200) {
        GstClockTimeDiff step = GST_CLOCK_DIFF (last, item.pts);

        fail_unless (ABS (step - (gint64) (20 * MS)) <= (gint64) (4 * MS),
            "%" GST_STIME_FORMAT, GST_STIME_ARGS (step));
      }
      last = item.pts;
      gst_buffer_unref (item.buffer);
    }
  }
  g_rand_free (rand);
}

GST_END_TEST;

/* One packet in five is lost, and its copy comes four packets later. */
GST_START_TEST (an_adaptive_delay_waits_for_copies)
{
  GstTfrcPlayoutItem item;
  guint with_copies, n;

  for (with_copies = 0; with_copies < 2; with_copies++) {
    adapt (10 * MS, 500 * MS);
    for (n = 0; n < 1000; n++) {
      guint32 rtptime = 4294960000u + n * STEP, copy = rtptime - 4 * STEP;
      GstTfrcPlayoutPacket packet = { 65530 + n, rtptime, RATE, time_of (n),
        &copy, with_copies
      };

      if (n % 5 != 3)
        gst_tfrc_playout_buffer_add (playout, &packet, gst_buffer_new ());
      while (gst_tfrc_playout_buffer_take (playout, &item, time_of (n))
          != GST_TFRC_PLAYOUT_NOTHING)
        gst_clear_buffer (&item.buffer);
    }
    /* without copies, for the error correction in the next packet */
    if (with_copies)
      fail_unless (get_delay () >= 80 * MS && get_delay () <= 100 * MS);
    else
      fail_unless (get_delay () >= 20 * MS && get_delay () <= 40 * MS);
  }
}

GST_END_TEST;

/* A gap is given up when the delay is over, and not when the latency is. */
GST_START_TEST (a_gap_is_given_up_after_the_adaptive_delay)
{
  GRand *rand = g_rand_new_with_seed (7);
  GstTfrcPlayoutItem item;

  adapt (40 * MS, 500 * MS);
  play_jitter (0, 20, 0, rand, 500 * MS);
  fail_unless_equals_uint64 (get_delay (), 40 * MS);
  add (1001, 0);
  fail_unless_equals_int (gst_tfrc_playout_buffer_take (playout, &item,
          time_of (1000) + 39 * MS), GST_TFRC_PLAYOUT_NOTHING);
  fail_unless_equals_int (gst_tfrc_playout_buffer_take (playout, &item,
          time_of (1000) + 41 * MS), GST_TFRC_PLAYOUT_LOSS);
  fail_unless_equals_uint64 ((item.pts + 460 * MS) / MS, time_of (1000) / MS);
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
playout_suite (void)
{
  Suite *suite = suite_create ("playout");
  TCase *tcase = tcase_create ("playout");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, packets_in_order_leave_at_once);
  tcase_add_test (tcase, a_gap_is_waited_for_as_long_as_it_could_be_played);
  tcase_add_test (tcase, packets_that_overtook_each_other_are_put_in_order);
  tcase_add_test (tcase, the_latency_can_change_while_a_gap_is_waited_for);
  tcase_add_test (tcase, jitter_is_taken_out);
  tcase_add_test (tcase, a_drift_of_the_senders_clock_is_followed);
  tcase_add_test (tcase, a_queue_that_stands_hardly_moves_times);
  tcase_add_test (tcase, a_queue_that_makes_packets_late_is_followed);
  tcase_add_test (tcase,
      a_path_that_becomes_longer_than_the_latency_is_followed_soon);
  tcase_add_test (tcase, the_least_delay_of_a_longer_path_counts);
  tcase_add_test (tcase, a_first_packet_that_was_held_costs_no_lasting_delay);
  tcase_add_test (tcase, a_burst_behind_a_path_that_was_held_moves_nothing);
  tcase_add_test (tcase,
      a_stream_that_jumps_counts_anew_from_its_second_packet);
  tcase_add_test (tcase, timestamps_that_jump_ahead_of_the_clock_count_anew);
  tcase_add_test (tcase, pauses_and_lone_timestamps_do_not_count_anew);
  tcase_add_test (tcase, a_packet_of_long_ago_is_only_late);
  tcase_add_test (tcase, a_restart_takes_the_next_packet_as_the_first);
  tcase_add_loop_test (tcase, a_restarted_buffer_plays_as_a_new_one, 0, 5);
  tcase_add_test (tcase, a_restart_right_behind_a_packet_begins_anew);
  tcase_add_test (tcase, a_restart_is_no_jitter);
  tcase_add_test (tcase, timestamps_of_another_rate_go_on_in_time);
  tcase_add_test (tcase, what_is_missing_behind_a_pause_lies_at_its_end);
  tcase_add_test (tcase, a_long_gap_is_announced_in_few_losses);
  tcase_add_test (tcase, the_oldest_go_when_too_many_wait);
  tcase_add_test (tcase, packets_behind_a_gap_can_be_looked_at);
  tcase_add_test (tcase, a_million_random_packets_are_all_accounted_for);
  tcase_add_test (tcase, an_adaptive_delay_follows_the_jitter);
  tcase_add_test (tcase, an_adaptive_delay_moves_slowly);
  tcase_add_test (tcase, an_adaptive_delay_waits_for_copies);
  tcase_add_test (tcase, a_gap_is_given_up_after_the_adaptive_delay);
  return suite;
}

GST_CHECK_MAIN (playout);
