/* libtfrc: tests of the reports over a path that reorders packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path.h"

#define SIZE 200u
#define RTT MS (100)

/* 1,000 packets a second that each arrive up to 10 ms late, one in ten after three or more that were sent
 * after it. */
static Path *
make_jittery (double loss, bool report_with_packet)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Path *path;

  config.g = 1e6;               /* the rate is what the test is not about */
  config.dscp_set = true;
  config.report_with_packet = report_with_packet;
  path = make_path (&config, SIZE, MS (1), RTT / 2);
  path->jitter = MS (10);
  path->loss = loss;
  return path;
}

static TfrcReceiverStats
receiver_stats_of (const Path * path)
{
  TfrcReceiverStats stats;

  tfrc_receiver_get_stats (path->receiver, &stats);
  return stats;
}

static void
check_reordering (bool report_with_packet)
{
  Path *path = make_jittery (0.0, report_with_packet);
  TfrcReceiverStats before, after;

  path_run (path, MS (5000));
  before = receiver_stats_of (path);
  path_run (path, MS (65000));
  after = receiver_stats_of (path);
  CHECK (after.packets - before.packets > 59000);
  CHECK (after.healed - before.healed > 5000);
  CHECK_BETWEEN (after.reports - before.reports, 540, 606);
  CHECK_INT (stats_of (&path->flow).rejected[TFRC_REJECT_FLOOD], 0);
  free_path (path);
}

TEST (reordering_within_jitter_asks_for_no_extra_reports)
{
  check_reordering (false);
  check_reordering (true);
}

TEST (losses_among_reordering_ask_for_one_report_each)
{
  Path *path = make_jittery (0.002, false);
  TfrcReceiverStats before, after;
  double events, reports;

  path_run (path, MS (5000));
  before = receiver_stats_of (path);
  path_run (path, MS (65000));
  after = receiver_stats_of (path);
  events = (double) (after.loss_events - before.loss_events);
  reports = (double) (after.reports - before.reports);
  CHECK_BETWEEN (events, 80, 130);
  CHECK_BETWEEN (reports, 540 + events / 4, 606 + events);
  CHECK_INT (stats_of (&path->flow).rejected[TFRC_REJECT_FLOOD], 0);
  free_path (path);
}

/* --- the receiver alone: a packet each millisecond ------------------------------- */

static TfrcReceiver *receiver;
static TfrcTime now;
static TfrcReport made;

static void
make_receiver (bool report_with_packet)
{
  static union
  {
    max_align_t align;
    unsigned char bytes[1 << 16];
  } block;
  TfrcConfig config = make_config (TFRC_MODE_TFRC);

  config.report_with_packet = report_with_packet;
  CHECK (tfrc_receiver_size (&config) <= sizeof block);
  now = TFRC_SEC;
  receiver = tfrc_receiver_init (&block, &config, now);
}

static bool
receive (unsigned seq, bool ce)
{
  TfrcPacket packet = {
    .seq = (uint16_t) seq,
    .size = SIZE,
    .stamped = true,
    .ce = ce,
    .stamp = {100000, (uint32_t) (now / TFRC_USEC)}
  };

  return tfrc_receiver_on_packet (receiver, &packet,
      now) & TFRC_RECEIVER_REPORT;
}

/* Packets [from, to), one each millisecond. Returns how many of them ask for a report, which is made. */
static unsigned
receive_run (unsigned from, unsigned to)
{
  unsigned asked = 0;

  for (; from < to; from++) {
    now += MS (1);
    if (receive (from, false)) {
      CHECK (tfrc_receiver_make_report (receiver, &made, now));
      asked++;
    }
  }
  return asked;
}

/* Packet 100 arrives 8 ms late: the loss event and its end are reported at once. */
static void
begin_reordering (bool report_with_packet)
{
  make_receiver (report_with_packet);
  receive_run (0, 100);
  CHECK (tfrc_receiver_make_report (receiver, &made, now));
  now += MS (1);
  CHECK_INT (receive_run (101, 109), 1);
  CHECK (made.p_q32 > 0);
  CHECK (receive (100, false));
  CHECK (tfrc_receiver_make_report (receiver, &made, now));
  CHECK_INT (made.p_q32, 0);
}

TEST (a_loss_event_is_reported_once_it_is_later_than_reordering_has_been)
{
  begin_reordering (false);
  /* 110 is missing. 8 ms and a quarter, less a 64th for one report */
  CHECK_INT (receive_run (109, 110), 0);
  now += MS (1);
  CHECK_INT (receive_run (111, 120), 0);
  CHECK_NEAR (tfrc_receiver_next_timer (receiver),
      now - MS (9) + MS (10) * 63 / 64, 10);
  now = tfrc_receiver_next_timer (receiver);
  CHECK_INT (tfrc_receiver_on_timer (receiver, now),
      TFRC_RECEIVER_REPORT | TFRC_RECEIVER_TIMER);
  CHECK (tfrc_receiver_make_report (receiver, &made, now));
  CHECK (made.p_q32 > 0);
  CHECK_INT (tfrc_receiver_next_timer (receiver), now + MS (100));
}

TEST (a_report_covers_what_was_held_back)
{
  begin_reordering (false);
  now += MS (1);
  CHECK_INT (receive_run (110, 114), 0);
  CHECK (tfrc_receiver_next_timer (receiver) < now + MS (10));
  CHECK (tfrc_receiver_make_report (receiver, &made, now));
  CHECK (made.p_q32 > 0);
  CHECK_INT (tfrc_receiver_next_timer (receiver), now + MS (100));
}

TEST (a_packet_brings_the_report_of_a_loss_event_that_was_held_back)
{
  begin_reordering (true);
  now += MS (1);
  CHECK_INT (receive_run (110, 118), 0);
  CHECK_INT (receive_run (118, 121), 1);
  CHECK (made.p_q32 > 0);
}

TEST (a_packet_no_later_than_others_before_is_not_reported)
{
  begin_reordering (false);
  now += MS (1);
  CHECK_INT (receive_run (110, 117), 0);
  CHECK_NEAR (tfrc_receiver_next_timer (receiver),
      now - MS (7) + MS (10) * 63 / 64, 10);
  CHECK (!receive (109, false));
  CHECK_INT (tfrc_receiver_next_timer (receiver), now - MS (8) + MS (100));
  CHECK_INT (receive_run (117, 160), 0);
}

TEST (a_mark_is_reported_at_once_on_a_path_that_reorders)
{
  begin_reordering (false);
  now += MS (1);
  CHECK (receive (109, true));
}

TEST (reordering_is_forgotten_in_time)
{
  unsigned seq = 109;

  begin_reordering (false);
  /* after 100 reports the 10 ms are 2 */
  for (unsigned i = 0; i < 100; i++) {
    receive_run (seq, seq + 100);
    seq += 100;
    CHECK (tfrc_receiver_make_report (receiver, &made, now));
  }
  now += MS (1);
  CHECK_INT (receive_run (seq + 1, seq + 3), 0);
  CHECK_INT (receive_run (seq + 3, seq + 4), 1);
}

/* A packet that is 0.9 s late counts for R, 100 ms. After 34 reports these are 58.5 ms. */
TEST (reordering_counts_for_one_round_trip_at_most)
{
  make_receiver (false);
  receive_run (0, 100);
  now += MS (1);
  receive_run (101, 1000);
  CHECK (receive (100, false));
  CHECK (tfrc_receiver_make_report (receiver, &made, now));
  for (unsigned i = 0; i < 33; i++) {
    receive_run (1000 + 10 * i, 1010 + 10 * i);
    CHECK (tfrc_receiver_make_report (receiver, &made, now));
  }
  now += MS (1);
  receive_run (1331, 1389);
  CHECK_BETWEEN (tfrc_receiver_next_timer (receiver), now, now + MS (1));
}
