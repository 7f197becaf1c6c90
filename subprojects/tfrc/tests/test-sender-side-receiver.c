/* libtfrc: tests of the TFRC receiver that runs at the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A packet of 100 bytes departs each 20 ms and takes 50 ms. Feedback comes when a test says so. */
#include "test.h"

#include <tfrc/sender-side-receiver.h>

#define BEGIN (1000 * TFRC_SEC)
#define GAP (20 * TFRC_MSEC)
#define ONE_WAY (50 * TFRC_MSEC)
#define SIZE 100
#define PACKETS 4096
#define LOST 0
#define MS(T) ((T) * TFRC_MSEC)

typedef enum
{
  TWCC, CCFB
} Format;

static const TfrcTime periods[] = {
  [TWCC] = ((TfrcTime) 1 << 24) * 64 * TFRC_MSEC,
  [CCFB] = 65536 * TFRC_SEC,
};

static union
{
  max_align_t align;
  unsigned char bytes[1 << 18];
} side_block, receiver_block, snapshot;
static TfrcSenderSideReceiver *side;
static TfrcReceiver *receiver;  /* a remote with TFRC, on the same path */
static TfrcTime arrivals[PACKETS], R;
static bool ce[PACKETS];
static TfrcArrivalEntry entries[PACKETS];
static unsigned planned, sent;
static TfrcTime skew;           /* what the clock of the remote is ahead of ours */
static unsigned stride;         /* sequence numbers from one packet to the next */
static uint16_t first_seq;
static TfrcReport report;

static void
start (void)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  CHECK (tfrc_sender_side_size (&config) <= sizeof side_block);
  side = tfrc_sender_side_init (side_block.bytes, &config, BEGIN);
  receiver = tfrc_receiver_init (receiver_block.bytes, &config, BEGIN);
  memset (ce, 0, sizeof ce);
  planned = sent = 0;
  skew = 12345678 * TFRC_MSEC;
  stride = 1;
  first_seq = 65500;
  R = 100 * TFRC_MSEC;
}

static TfrcTime
get_departure (unsigned i)
{
  return BEGIN + i * GAP;
}

static uint16_t
get_seq (unsigned i)
{
  return (uint16_t) (first_seq + i * stride);
}

static TfrcStamp
get_stamp (unsigned i)
{
  return (TfrcStamp) {(uint32_t) (R / TFRC_USEC), (uint32_t) (get_departure (i) / TFRC_USEC)
  };
}

/* Plans the arrivals of n more packets. */
static void
plan (unsigned n)
{
  for (unsigned end = planned + n; planned < end; planned++)
    arrivals[planned] = get_departure (planned) + ONE_WAY;
}

/* The packets that were planned depart until the time T. */
static void
depart (TfrcTime T)
{
  for (; sent < planned && get_departure (sent) <= T; sent++) {
    TfrcStamp stamp = get_stamp (sent);

    tfrc_sender_side_on_departure (side, get_seq (sent), SIZE, &stamp,
        get_departure (sent));
  }
}

/* When the last of packets `from` to `to` - 1 that was not lost arrived. */
static TfrcTime
get_last_arrival (unsigned from, unsigned to)
{
  TfrcTime last = 0;

  for (unsigned i = from; i < to; i++)
    if (arrivals[i] > last)
      last = arrivals[i];
  return last;
}

/* Fills in feedback about packets `from` to `to` - 1, which was made at the time `made`. */
static TfrcArrivalFeedback
make_feedback (Format format, unsigned from, unsigned to, TfrcTime made)
{
  TfrcTime base = format == CCFB ? made : get_last_arrival (from, to);
  TfrcArrivalFeedback feedback = {
    .T_base = (base + skew) % periods[format],
    .period = periods[format],
    .T_base_is_report = format == CCFB,
    .begin_seq = get_seq (from),
    .entries = entries,
    .room = PACKETS,
    .n = (to - 1 - from) * stride + 1,
  };

  memset (entries, 0, sizeof entries);
  for (unsigned i = from; i < to; i++)
    if (arrivals[i] != LOST)
      entries[(i - from) * stride] = (TfrcArrivalEntry) {
          .received = true,
          .timed = true,
          .arrival = (int64_t) (arrivals[i] - base),
          .ecn = ce[i] ? TFRC_ECN_CE : TFRC_ECN_ECT0,
      };
  return feedback;
}

/* Feedback that is made `hold` after the last packet of it has arrived, and takes as long as a packet. */
static unsigned
feed_back (Format format, unsigned from, unsigned to, TfrcTime hold)
{
  TfrcTime made = get_last_arrival (from, to) + hold;
  TfrcArrivalFeedback feedback = make_feedback (format, from, to, made);

  depart (made + ONE_WAY);
  return tfrc_sender_side_on_feedback (side, &feedback, &report,
      made + ONE_WAY);
}

static TfrcSenderSideStats
get_stats (void)
{
  TfrcSenderSideStats stats;

  tfrc_sender_side_get_stats (side, &stats);
  return stats;
}

/* The packet that arrives next after packet `last`; n if there is none. */
static unsigned
get_next_arrival (unsigned last, unsigned n)
{
  unsigned next = n;

  for (unsigned i = 0; i < n; i++)
    if (arrivals[i] != LOST && (last == n || arrivals[i] > arrivals[last])
        && (next == n || arrivals[i] < arrivals[next]))
      next = i;
  return next;
}

/* What a TFRC remote would have made of the first n packets. */
static TfrcReceiverStats
get_remote_stats (unsigned n)
{
  TfrcReceiverStats stats;
  TfrcReport made;

  for (unsigned i = get_next_arrival (n, n); i < n; i = get_next_arrival (i, n)) {
    TfrcPacket packet = { get_seq (i), SIZE, true, ce[i], get_stamp (i) };

    if (tfrc_receiver_next_timer (receiver) <= arrivals[i]
        && tfrc_receiver_on_timer (receiver,
            arrivals[i]) & TFRC_RECEIVER_REPORT)
      tfrc_receiver_make_report (receiver, &made, arrivals[i]);
    if (tfrc_receiver_on_packet (receiver, &packet,
            arrivals[i]) & TFRC_RECEIVER_REPORT)
      tfrc_receiver_make_report (receiver, &made, arrivals[i]);
  }
  tfrc_receiver_get_stats (receiver, &stats);
  return stats;
}

static void
check_like_remote (unsigned n)
{
  TfrcReceiverStats here = get_stats ().receiver, there = get_remote_stats (n);

  CHECK_INT (here.packets, there.packets);
  CHECK_INT (here.lost, there.lost);
  CHECK_INT (here.loss_events, there.loss_events);
  CHECK_INT (here.marked, there.marked);
  CHECK_INT (here.reordered, there.reordered);
  CHECK_INT (here.clock_steps, 0);
  CHECK (here.loss_events > 0);
  CHECK_REL (here.p, there.p, 1e-9);
}

TEST (losses_make_the_loss_events_of_a_remote_with_tfrc)
{
  for (Format format = TWCC; format <= CCFB; format++) {
    NOTE ("format %d", format);
    start ();
    plan (600);
    for (unsigned i = 100; i < 590; i += 37)
      arrivals[i] = arrivals[i + 2] = arrivals[i + 8] = LOST;
    for (unsigned i = 0; i < 600; i += 3)
      feed_back (format, i, i + 3, 3 * TFRC_MSEC);
    check_like_remote (600);
  }
}

TEST (a_mark_is_a_loss_event)
{
  start ();
  plan (100);
  ce[30] = ce[80] = true;
  for (unsigned i = 0; i < 100; i += 5)
    feed_back (CCFB, i, i + 5, 0);
  CHECK_INT (get_stats ().receiver.marked, 2);
  check_like_remote (100);
}

/* Packet 20 departs 20 ms before the next one and arrives 5 ms after it. */
TEST (packets_are_taken_in_the_order_of_their_arrival)
{
  start ();
  plan (100);
  for (unsigned i = 20; i < 100; i += 10)
    arrivals[i] += GAP + 5 * TFRC_MSEC;
  arrivals[55] = LOST;
  for (unsigned i = 0; i < 100; i += 5)
    feed_back (TWCC, i, i + 5, 0);
  CHECK_INT (get_stats ().receiver.reordered, 8);
  check_like_remote (100);
}

/* Arrivals are told in steps, so that some come at the same time. */
TEST (packets_that_arrive_together_are_in_their_order)
{
  start ();
  plan (100);
  for (unsigned i = 0; i < 100; i += 10)
    for (unsigned j = 0; j < 10; j++)
      arrivals[i + j] = arrivals[i + 9];
  for (unsigned i = 0; i < 100; i += 10)
    feed_back (TWCC, i, i + 10, 0);
  CHECK_INT (get_stats ().receiver.packets, 100);
  CHECK_INT (get_stats ().receiver.reordered, 0);
}

TEST (the_report_names_the_newest_packet_and_how_long_the_feedback_was_held)
{
  start ();
  plan (20);
  CHECK_INT (feed_back (CCFB, 0, 5, 7 * TFRC_MSEC), TFRC_SENDER_SIDE_REPORT);
  CHECK_INT (report.t_i_us, get_stamp (4).t_i_us);
  CHECK_INT (report.t_delay_us, 7000);
  CHECK_INT (feed_back (CCFB, 5, 20, 9 * TFRC_MSEC), TFRC_SENDER_SIDE_REPORT);
  CHECK_INT (report.t_i_us, get_stamp (19).t_i_us);
  CHECK_INT (report.t_delay_us, 9000);
  CHECK_REL (report.x_recv_Bps, SIZE / 0.02, 0.1);
  CHECK_INT (report.p_q32, 0);
}

/* The first feedback was not held. The second one was, for 7 ms; or its way back took 70 ms longer, during
 * which the next packet would have arrived. */
TEST (the_hold_is_guessed_where_the_format_does_not_tell)
{
  static const TfrcTime later[] = { 7 * TFRC_MSEC, 70 * TFRC_MSEC };
  static const unsigned t_delay[] = { 7000, 20000 };

  for (unsigned i = 0; i < N_OF (later); i++) {
    start ();
    plan (40);
    CHECK_INT (feed_back (TWCC, 0, 10, 0), TFRC_SENDER_SIDE_REPORT);
    CHECK_INT (report.t_i_us, get_stamp (9).t_i_us);
    CHECK_INT (report.t_delay_us, 0);
    CHECK_INT (feed_back (TWCC, 10, 20, later[i]), TFRC_SENDER_SIDE_REPORT);
    CHECK_INT (report.t_i_us, get_stamp (19).t_i_us);
    CHECK_NEAR (report.t_delay_us, t_delay[i], 60);
  }
}

TEST (without_a_packet_behind_it_feedback_is_not_held)
{
  start ();
  plan (20);
  CHECK_INT (feed_back (TWCC, 0, 10, 0), TFRC_SENDER_SIDE_REPORT);
  CHECK_INT (feed_back (TWCC, 10, 20, 70 * TFRC_MSEC), TFRC_SENDER_SIDE_REPORT);
  CHECK_INT (report.t_delay_us, 0);
}

/* The clock of the remote is slow by 100 parts in a million: 12 ms in 2 minutes. */
TEST (a_remote_clock_that_drifts_is_not_taken_for_a_hold)
{
  unsigned reports = 0;

  start ();
  plan (PACKETS);
  for (unsigned i = 0; i < PACKETS; i += 10) {
    skew -= 20 * TFRC_USEC;
    if (feed_back (TWCC, i, i + 10 < PACKETS ? i + 10 : PACKETS, 0) == 0)
      continue;
    reports++;
    CHECK_BETWEEN (report.t_delay_us, 0, 1000);
  }
  CHECK_BETWEEN (reports, 400, 410);
  CHECK_INT (get_stats ().remote_clock_steps, 0);
}

/* RFC 5348 6: one report in a round-trip time, however often feedback comes. */
TEST (there_is_one_report_in_a_round_trip_time)
{
  unsigned reports = 0;

  start ();
  R = 300 * TFRC_MSEC;
  plan (1000);
  for (unsigned i = 0; i < 1000; i += 2)
    reports += feed_back (TWCC, i, i + 2, 0) == TFRC_SENDER_SIDE_REPORT;
  CHECK_BETWEEN (reports, 60, 68);
}

/* The report names the last packet that arrived, and how long the feedback waited. */
TEST (feedback_between_reports_gives_a_round_trip_time)
{
  start ();
  R = TFRC_SEC;
  plan (100);
  CHECK_INT (feed_back (CCFB, 0, 4, 0), TFRC_SENDER_SIDE_REPORT);
  for (unsigned i = 4; i < 40; i += 4) {
    CHECK_INT (feed_back (CCFB, i, i + 4, MS (i)), TFRC_SENDER_SIDE_RTT);
    CHECK_INT (report.t_i_us, get_stamp (i + 3).t_i_us);
    CHECK_BETWEEN (report.t_delay_us, i * 1000 - 1000, i * 1000 + 1000);
  }
  /* it says nothing new */
  CHECK_INT (feed_back (CCFB, 36, 40, 0), 0);
}

TEST (a_loss_event_is_reported_at_once)
{
  start ();
  R = TFRC_SEC;
  plan (200);
  for (unsigned i = 0; i < 120; i++)
    feed_back (TWCC, i, i + 1, 0);
  arrivals[125] = LOST;
  CHECK_INT (feed_back (TWCC, 120, 128, 0) & TFRC_SENDER_SIDE_REPORT, 0);
  CHECK_INT (feed_back (TWCC, 128, 130, 0), TFRC_SENDER_SIDE_REPORT);
  CHECK (report.p_q32 > 0);
}

/* Every fifth report is lost, and with it what it said. */
TEST (packets_of_a_lost_report_are_neither_received_nor_lost)
{
  static const unsigned rtts[] = { 100, 300 };

  for (unsigned r = 0; r < N_OF (rtts); r++) {
    unsigned unknown = 0, reports = 0;

    start ();
    R = rtts[r] * TFRC_MSEC;
    plan (1000);
    for (unsigned i = 0; i < 1000; i += 5) {
      if (i % 25 == 10) {
        unknown += 5;
        continue;
      }
      if (feed_back (TWCC, i, i + 5, 0) != TFRC_SENDER_SIDE_REPORT || i < 100)
        continue;
      reports++;
      NOTE ("R %u ms, packet %u", rtts[r], i);
      CHECK_INT (report.p_q32, 0);
      CHECK_REL (report.x_recv_Bps, SIZE / 0.02, 0.03);
    }
    CHECK_BETWEEN (reports, 17000 / rtts[r] / 2, 17000 / rtts[r]);
    CHECK_INT (get_stats ().unknown, unknown);
    CHECK_INT (get_stats ().receiver.packets, 1000 - unknown);
    CHECK_INT (get_stats ().receiver.lost, 0);
  }
}

/* The packets before the lost report were late, so that less time passed at the remote than the unknown packets
 * took to depart. */
/* Feedback with number `count` about packets `from` to `to` - 1. */
static void
feed_back_counted (uint8_t count, unsigned from, unsigned to)
{
  TfrcTime made = get_last_arrival (from, to);
  TfrcArrivalFeedback feedback = make_feedback (TWCC, from, to, made);

  feedback.counted = true;
  feedback.count = count;
  depart (made + ONE_WAY);
  tfrc_sender_side_on_feedback (side, &feedback, &report, made + ONE_WAY);
}

/* Packets 20 to 24 were lost, and the feedback begins with packet 25. */
TEST (packets_that_feedback_in_a_row_leaves_out_are_lost)
{
  static const uint8_t counts[][2] = { {7, 8}, {255, 0}, {254, 0} };

  for (unsigned i = 0; i < N_OF (counts); i++) {
    NOTE ("count %d", counts[i][0]);
    start ();
    plan (60);
    feed_back_counted (counts[i][0], 0, 20);
    feed_back_counted (counts[i][1], 25, 40);
    CHECK_INT (get_stats ().unknown, 0);
    CHECK_INT (get_stats ().receiver.lost, 5);
    CHECK_INT (get_stats ().receiver.packets, 35);
  }
}

TEST (packets_of_feedback_that_was_lost_by_its_number_are_unknown)
{
  start ();
  plan (60);
  feed_back_counted (7, 0, 20);
  feed_back_counted (9, 25, 40);
  CHECK_INT (get_stats ().unknown, 5);
  CHECK_INT (get_stats ().receiver.lost, 0);
}

/* The feedback in the middle leaves out packets 20 to 40, the last one packets 70 to 74. */
TEST (feedback_about_packets_that_were_never_sent_does_not_end_the_count)
{
  start ();
  plan (100);
  feed_back_counted (7, 0, 20);
  depart (get_departure (40));
  first_seq = (uint16_t) (first_seq + 10000);
  feed_back_counted (8, 20, 22);
  first_seq = (uint16_t) (first_seq - 10000);
  feed_back_counted (9, 41, 70);
  feed_back_counted (10, 75, 80);
  CHECK_INT (get_stats ().receiver.lost, 26);
}

TEST (no_more_time_is_left_out_than_passed)
{
  start ();
  R = 300 * TFRC_MSEC;
  plan (100);
  for (unsigned i = 0; i < 60; i++)
    arrivals[i] += 90 * TFRC_MSEC;
  for (unsigned i = 0; i < 60; i += 5)
    feed_back (TWCC, i, i + 5, 0);
  for (unsigned i = 65; i < 100; i += 5)
    if (feed_back (TWCC, i, i + 5, 0) == TFRC_SENDER_SIDE_REPORT)
      CHECK_BETWEEN (report.x_recv_Bps, SIZE / 0.0215, SIZE / 0.018);
  CHECK_INT (get_stats ().unknown, 5);
  CHECK_INT (get_stats ().receiver.clock_steps, 0);
}

TEST (losses_beside_a_lost_report_stay_loss_events_of_their_time)
{
  start ();
  plan (200);
  arrivals[109] = arrivals[121] = LOST;
  for (unsigned i = 0; i < 200; i += 10)
    if (i != 110)
      feed_back (TWCC, i, i + 10, 0);
  CHECK_INT (get_stats ().unknown, 10);
  CHECK_INT (get_stats ().receiver.lost, 2);
  CHECK_INT (get_stats ().receiver.loss_events, 2);
}

TEST (reports_that_overlap_count_each_packet_once)
{
  start ();
  plan (300);
  for (unsigned i = 50; i < 300; i += 60)
    arrivals[i] = LOST;
  for (unsigned i = 20; i <= 300; i += 5)
    feed_back (CCFB, i - 20, i, 0);
  CHECK_INT (get_stats ().receiver.duplicates, 0);
  check_like_remote (300);
}

TEST (an_overlapping_report_makes_good_for_a_lost_one)
{
  start ();
  plan (300);
  for (unsigned i = 50; i < 300; i += 60)
    arrivals[i] = LOST;
  for (unsigned i = 20; i <= 300; i += 5)
    if (i % 10 == 0)
      feed_back (CCFB, i - 20, i, 0);
  CHECK_INT (get_stats ().unknown, 0);
  check_like_remote (300);
}

TEST (a_packet_that_is_reported_late_undoes_its_loss)
{
  TfrcTime arrival;

  start ();
  plan (60);
  arrival = arrivals[40];
  arrivals[40] = LOST;
  for (unsigned i = 0; i < 50; i += 5)
    feed_back (TWCC, i, i + 5, 0);
  CHECK_INT (get_stats ().receiver.loss_events, 1);
  arrivals[40] = arrival + 200 * TFRC_MSEC;
  feed_back (TWCC, 40, 55, 0);
  CHECK_INT (get_stats ().receiver.loss_events, 0);
  CHECK_INT (get_stats ().receiver.healed, 1);
  CHECK_INT (get_stats ().receiver.packets, 55);
}

/* The report about packets 5 to 14 was made before the last one, and comes after it. */
TEST (a_report_that_was_overtaken_is_no_step_of_the_clock)
{
  start ();
  plan (40);
  feed_back (CCFB, 0, 5, 0);
  arrivals[7] = LOST;
  feed_back (CCFB, 5, 12, 0);
  feed_back (CCFB, 12, 20, 0);
  arrivals[7] = arrivals[12] + TFRC_MSEC;
  feed_back (CCFB, 5, 15, 0);
  CHECK_INT (get_stats ().receiver.packets, 20);
  CHECK_INT (get_stats ().receiver.healed, 1);
  CHECK_INT (get_stats ().receiver.clock_steps, 0);
  CHECK_INT (get_stats ().remote_clock_steps, 0);
}

TEST (feedback_that_comes_twice_or_too_late_changes_nothing)
{
  start ();
  plan (60);
  for (unsigned i = 0; i < 50; i += 5)
    if (i != 30)
      feed_back (TWCC, i, i + 5, 0);
  CHECK_INT (feed_back (TWCC, 45, 50, 0), 0);
  CHECK_INT (feed_back (TWCC, 30, 35, 0), 0);
  CHECK_INT (get_stats ().idle_feedbacks, 2);
  CHECK_INT (get_stats ().unknown, 5);
  CHECK_INT (get_stats ().receiver.packets, 45);
}

/* Every third sequence number is ours. */
TEST (packets_of_other_flows_do_not_count)
{
  start ();
  stride = 3;
  plan (600);
  for (unsigned i = 100; i < 590; i += 37)
    arrivals[i] = LOST;
  for (unsigned i = 0; i < 600; i += 3)
    feed_back (TWCC, i, i + 3, 0);
  CHECK_INT (get_stats ().unknown, 0);
  CHECK_INT (get_stats ().receiver.lost, 14);
}

TEST (packets_that_were_never_sent_do_not_count)
{
  start ();
  CHECK_INT (feed_back (TWCC, 0, 5, 0), 0);
  plan (20);
  feed_back (TWCC, 0, 10, 0);
  for (unsigned i = 20; i < 40; i++)
    arrivals[i] = arrivals[19] + i;
  CHECK_INT (feed_back (TWCC, 20, 40, 0), 0);
  CHECK_INT (get_stats ().idle_feedbacks, 2);
  CHECK_INT (get_stats ().unknown, 0);
  feed_back (TWCC, 10, 40, 0);
  CHECK_INT (get_stats ().receiver.packets, 20);
}

TEST (the_clock_of_the_remote_may_begin_anew)
{
  for (Format format = TWCC; format <= CCFB; format++) {
    NOTE ("format %d", format);
    start ();
    plan (600);
    skew = periods[format] - BEGIN % periods[format] - 3 * TFRC_SEC;
    for (unsigned i = 100; i < 590; i += 37)
      arrivals[i] = arrivals[i + 8] = LOST;
    for (unsigned i = 0; i < 600; i += 3)
      feed_back (format, i, i + 3, 0);
    CHECK_INT (get_stats ().remote_clock_steps, 0);
    check_like_remote (600);
  }
}

/* The loss events after a step of an hour are those after none. */
TEST (a_step_of_the_remote_clock_is_counted_and_costs_no_loss_event)
{
  static const int64_t steps[] = { 3600, -3600 };

  for (unsigned s = 0; s < N_OF (steps); s++) {
    NOTE ("%d s", (int) steps[s]);
    start ();
    plan (600);
    for (unsigned i = 100; i < 590; i += 37)
      arrivals[i] = LOST;
    for (unsigned i = 0; i < 600; i += 3) {
      if (i == 300)
        skew += (TfrcTime) (steps[s] * (int64_t) TFRC_SEC);
      feed_back (TWCC, i, i + 3, 0);
    }
    CHECK_INT (get_stats ().remote_clock_steps, 1);
    check_like_remote (600);
  }
}

/* Of packets that are not timed, nothing is known but that they arrived by the time of the report. */
TEST (an_arrival_without_a_time_counts)
{
  start ();
  plan (20);
  for (unsigned from = 0; from < 20; from += 10) {
    TfrcArrivalFeedback feedback =
        make_feedback (CCFB, from, from + 10, arrivals[from + 9]);

    entries[5].timed = false;
    entries[5].arrival = 0;
    depart (arrivals[from + 9] + ONE_WAY);
    tfrc_sender_side_on_feedback (side, &feedback, &report,
        arrivals[from + 9] + ONE_WAY);
  }
  CHECK_INT (get_stats ().receiver.packets, 20);
  CHECK_INT (get_stats ().receiver.lost, 0);
}

TEST (a_restart_forgets_the_losses_and_what_is_on_its_way)
{
  start ();
  plan (60);
  arrivals[40] = LOST;
  for (unsigned i = 0; i < 50; i += 5)
    feed_back (TWCC, i, i + 5, 0);
  CHECK (get_stats ().receiver.p > 0);
  depart (get_departure (59));
  tfrc_sender_side_restart (side, get_departure (60));
  CHECK_NEAR (get_stats ().receiver.p, 0, 0);
  CHECK_INT (get_stats ().unknown, 10);
  CHECK_INT (feed_back (TWCC, 50, 60, 0), 0);
  plan (5);
  CHECK_INT (feed_back (TWCC, 60, 65, 0), TFRC_SENDER_SIDE_REPORT);
}

/* 256 packets are kept in TFRC-SP. */
TEST (what_is_not_reported_for_long_is_unknown)
{
  start ();
  plan (300);
  depart (get_departure (299));
  CHECK_INT (get_stats ().unknown, 300 - 256);
  feed_back (TWCC, 40, 50, 0);
  CHECK_INT (get_stats ().receiver.packets, 6);
  plan (200);
  depart (get_departure (499));
  feed_back (TWCC, 400, 500, 0);
  CHECK_INT (get_stats ().receiver.packets, 106);
  CHECK_INT (get_stats ().unknown, 394);
}

TEST (a_clock_that_goes_back_is_counted)
{
  TfrcStamp stamp = { 0, 0 };

  start ();
  tfrc_sender_side_on_departure (side, 1, SIZE, &stamp, BEGIN - 1);
  CHECK_INT (get_stats ().clock_steps, 1);
}

TEST (a_copy_of_the_block_goes_on_alike)
{
  start ();
  plan (100);
  arrivals[20] = arrivals[60] = LOST;
  feed_back (TWCC, 0, 50, 0);
  depart (get_departure (99));
  memcpy (&snapshot, &side_block, sizeof snapshot);
  feed_back (TWCC, 50, 100, 0);
  memcpy (&receiver_block, &side_block, sizeof snapshot);
  memcpy (&side_block, &snapshot, sizeof snapshot);
  feed_back (TWCC, 50, 100, 0);
  CHECK_INT (get_stats ().receiver.packets, 98);
  CHECK (memcmp (&receiver_block, &side_block, sizeof snapshot) == 0);
}

/* A first block counts 1000 packets that were lost before. Feedback about packets 100 to 119 is lost on its way, of which `lost` packets were lost too. The feedback about
 * the others tells the loss of packet 50. */
static void
lose_feedback (unsigned lost)
{
  start ();
  plan (300);
  tfrc_sender_side_on_lost (side, 1000);
  arrivals[50] = LOST;
  for (unsigned i = 100; i < 100 + lost; i++)
    arrivals[i] = LOST;
  for (unsigned i = 0; i < 100; i += 5)
    feed_back (TWCC, i, i + 5, 0);
  for (unsigned i = 120; i < 200; i += 5)
    feed_back (TWCC, i, i + 5, 0);
  CHECK_INT (get_stats ().unknown, 20);
  CHECK_INT (get_stats ().receiver.lost, 1);
}

static void
feed_back_the_rest (void)
{
  for (unsigned i = 200; i < 300; i += 5)
    feed_back (TWCC, i, i + 5, 0);
}

TEST (losses_that_only_report_blocks_count_are_of_unknown_packets)
{
  lose_feedback (6);
  tfrc_sender_side_on_lost (side, 1007);
  feed_back_the_rest ();
  CHECK_INT (get_stats ().unknown_lost, 6);
  CHECK_INT (get_stats ().receiver.lost, 7);
  CHECK_INT (get_stats ().receiver.loss_events, 2);
}

TEST (losses_that_feedback_told_count_once)
{
  lose_feedback (0);
  tfrc_sender_side_on_lost (side, 1001);
  feed_back_the_rest ();
  CHECK_INT (get_stats ().unknown_lost, 0);
  CHECK_INT (get_stats ().receiver.lost, 1);
}

/* A forged block cannot make losses of packets that feedback has told of. */
TEST (report_blocks_make_no_more_losses_than_packets_are_unknown)
{
  lose_feedback (0);
  tfrc_sender_side_on_lost (side, INT32_MAX);
  tfrc_sender_side_on_lost (side, INT32_MIN);
  tfrc_sender_side_on_lost (side, INT32_MAX);
  feed_back_the_rest ();
  CHECK_INT (get_stats ().unknown_lost, 20);
  CHECK_INT (get_stats ().receiver.lost, 21);
  start ();
  tfrc_sender_side_on_lost (side, INT32_MIN);
  tfrc_sender_side_on_lost (side, INT32_MAX);
  CHECK_INT (get_stats ().unknown_lost, 0);
}

TEST (the_count_of_lost_packets_begins_anew_with_a_restart)
{
  lose_feedback (0);
  tfrc_sender_side_restart (side, get_departure (210) + ONE_WAY);
  tfrc_sender_side_on_lost (side, 1020);
  feed_back_the_rest ();
  CHECK_INT (get_stats ().unknown_lost, 0);
}
