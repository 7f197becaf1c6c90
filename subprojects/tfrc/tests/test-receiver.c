/* libtfrc: tests of the receiver, when it reports and what
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrivals.h"

/* The history of lip-scale alone is longer than that of RFC 5348. */
TEST (a_receiver_takes_at_most_8_kB)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  CHECK (tfrc_receiver_size (&config) <= 8192);
  config.measure = TFRC_MEASURE_LIP_SCALE;
  CHECK (tfrc_receiver_size (&config) <= 12288);
}

TEST (the_first_packet_asks_for_a_report_of_zeros)
{
  start (TFRC_MODE_TFRC);
  CHECK (!tfrc_receiver_wants_report (flow.receiver));
  CHECK (receive_at (7, false, 2 * TFRC_SEC) & REPORT);
  CHECK (tfrc_receiver_wants_report (flow.receiver));
  flow.now += 3 * MS + 400;
  CHECK (make_report ());
  CHECK (!tfrc_receiver_wants_report (flow.receiver));
  CHECK_INT (flow.report.p_q32, 0);
  CHECK_INT (flow.report.x_recv_Bps, 0);
  CHECK_INT (flow.report.t_i_us, 2000000 - 50000);
  CHECK_INT (flow.report.t_delay_us, 3000);
  CHECK_INT (flow.report.transit_us, 50000);
  CHECK (!flow.report.timed);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), flow.now + 100 * MS);
}

TEST (without_a_round_trip_time_every_packet_is_reported)
{
  start (TFRC_MODE_TFRC);
  flow.rtt_us = 0;
  for (unsigned seq = 1; seq <= 5; seq++) {
    CHECK (receive (seq, flow.now + 20 * MS) & REPORT);
    CHECK_INT (flow.reports, seq);
    CHECK (tfrc_receiver_next_timer (flow.receiver) == TFRC_TIME_NONE);
    CHECK_INT (flow.report.x_recv_Bps, 0);
  }
  flow.rtt_us = 100000;
  CHECK (receive (6, flow.now + 20 * MS) & REPORT);
  CHECK_INT (flow.reports, 6);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), flow.now + 100 * MS);
  for (unsigned seq = 7; seq <= 10; seq++)
    CHECK (!(receive (seq, flow.now + 20 * MS) & REPORT));
  CHECK_INT (flow.reports, 6);
}

static void
check_one_report_in_each_round_trip_time (TfrcMode mode)
{
  start (mode);
  receive_run (0, 50, 20 * MS, 0);
  flow.reports = 0;
  receive_run (50, 550, 20 * MS, 0);
  CHECK_NEAR (flow.reports, 100.0, 1.0);
  CHECK_NEAR (flow.report.x_recv_Bps, 8000.0, 0.0);
  CHECK_INT (flow.report.p_q32, 0);
  CHECK_INT (get_stats ()->empty_expiries, 0);
}

TEST (there_is_one_report_in_each_round_trip_time)
{
  check_one_report_in_each_round_trip_time (TFRC_MODE_TFRC);
}

TEST (tfrc_sp_reports_at_the_same_times)
{
  check_one_report_in_each_round_trip_time (TFRC_MODE_TFRC_SP);
}

TEST (packets_further_apart_than_a_round_trip_time_are_reported_each)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 500 * MS, 0);
  CHECK_INT (flow.reports, 20);
  CHECK_INT (flow.report.x_recv_Bps, 1600);
  CHECK_INT (flow.report.t_delay_us, 0);
}

TEST (the_receive_rate_is_at_least_one_packet_in_a_round_trip_time)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 3, 5 * TFRC_SEC, 0);
  CHECK_INT (flow.report.x_recv_Bps, 1600);
}

TEST (two_reports_in_a_round_trip_time_cover_a_whole_one_each)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.feedbacks_per_rtt = 2;
  start_with (&config);
  receive_run (0, 50, 20 * MS, 0);
  flow.reports = 0;
  for (unsigned seq = 50; seq < 550; seq++) {
    receive (seq, flow.now + 20 * MS);
    CHECK_NEAR (flow.report.x_recv_Bps, 8000.0, 1600.0);
  }
  CHECK_NEAR (flow.reports, 200.0, 1.0);
}

/* Six packets in the first 50 ms of each R and four in the second: half of R would have 19200 or 12800
 * bytes/s. */
TEST (two_reports_in_a_round_trip_time_see_the_bursts_of_a_whole_one)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.feedbacks_per_rtt = 2;
  start_with (&config);
  receive_run (0, 1, 20 * MS, 0);
  for (unsigned seq = 1; seq < 1001; seq += 10) {
    TfrcTime begin = flow.now;

    receive_run (seq, seq + 6, 8 * MS, 0);
    run_to (begin + 50 * MS);
    if (seq >= 101)
      CHECK_NEAR (flow.report.x_recv_Bps, 16000.0, 1.0);
    receive_run (seq + 6, seq + 10, 12 * MS, 0);
    run_to (begin + 100 * MS);
    if (seq == 101)
      flow.reports = 0;
    if (seq >= 101)
      CHECK_NEAR (flow.report.x_recv_Bps, 16000.0, 1.0);
  }
  CHECK_NEAR (flow.reports, 180.0, 2.0);
}

TEST (silence_is_not_reported_and_the_packet_after_it_is)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  run_to (flow.now + 100 * MS);
  flow.reports = 0;
  run_to (flow.now + 2 * TFRC_SEC);
  CHECK_INT (flow.reports, 0);
  CHECK_NEAR (get_stats ()->empty_expiries, 20.0, 1.0);
  CHECK (!make_report ());
  CHECK (receive (20, flow.now + 30 * MS) & REPORT);
  CHECK_INT (flow.reports, 1);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), flow.now + 100 * MS);
  CHECK (!(receive (21, flow.now + 20 * MS) & REPORT));
}

TEST (a_new_loss_event_is_reported_at_once)
{
  TfrcTime before;

  start (TFRC_MODE_TFRC);
  receive_run (0, 100, 20 * MS, 0);
  CHECK (make_report ());
  flow.reports = 0;
  before = flow.now;
  receive (101, before + 21 * MS);
  receive (102, before + 22 * MS);
  CHECK_INT (flow.reports, 0);
  CHECK_INT (receive (103, before + 23 * MS),
      TFRC_RECEIVER_LOSS | REPORT | TFRC_RECEIVER_TIMER);
  CHECK_INT (flow.reports, 1);
  CHECK (flow.report.p_q32 > 0);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), before + 123 * MS);
  /* in the same event: nothing new */
  receive (105, before + 40 * MS);
  receive (106, before + 41 * MS);
  CHECK_INT (receive (107, before + 42 * MS), 0);
  CHECK_INT (flow.reports, 1);
}

TEST (an_early_report_gives_the_rate_of_a_whole_round_trip_time)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 104, 20 * MS, 0);
  /* 104 is lost; the report leaves when 107 arrives, 20 ms after the last one */
  receive (105, flow.now + 40 * MS);
  receive (106, flow.now + 20 * MS);
  CHECK (make_report ());
  flow.reports = 0;
  receive (107, flow.now + 20 * MS);
  CHECK_INT (flow.reports, 1);
  CHECK_INT (flow.report.x_recv_Bps, 6400);
}

TEST (an_event_that_does_not_raise_p_waits_for_the_timer)
{
  unsigned bits;

  start (TFRC_MODE_TFRC);
  /* short intervals first, then one so long that its end lowers p no more */
  receive_run (0, 400, 5 * MS, 40);
  receive_run (400, 1400, 5 * MS, 0);
  CHECK (make_report ());
  receive_at (1401, false, flow.now + 10 * MS);
  receive_at (1402, false, flow.now + 5 * MS);
  bits = receive_at (1403, false, flow.now + 5 * MS);
  CHECK (bits & TFRC_RECEIVER_LOSS);
  CHECK (!(bits & REPORT));
}

TEST (a_late_packet_that_undoes_a_loss_event_is_reported_at_once)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 100, 20 * MS, 0);
  receive_run (101, 104, 1 * MS, 0);
  CHECK (flow.report.p_q32 > 0);
  flow.reports = 0;
  CHECK (receive (100, flow.now + 5 * MS) & REPORT);
  CHECK_INT (flow.reports, 1);
  CHECK_INT (flow.report.p_q32, 0);
  CHECK_INT (get_stats ()->healed, 1);
  CHECK_INT (get_stats ()->lost, 0);
  CHECK_INT (get_stats ()->loss_events, 0);
  CHECK_INT (get_stats ()->reordered, 1);
}

TEST (a_loss_is_found_across_the_wrap_of_16_bits)
{
  for (unsigned lost = 65533; lost <= 65538; lost++) {
    NOTE ("packet %u", lost);
    start (TFRC_MODE_TFRC);
    receive_run (65500, lost, 20 * MS, 0);
    receive_run (lost + 1, 65580, 20 * MS, 0);
    CHECK_INT (get_stats ()->packets, 79);
    CHECK_INT (get_stats ()->lost, 1);
    CHECK_INT (get_stats ()->loss_events, 1);
    CHECK_INT (get_stats ()->restarts + get_stats ()->jumps, 0);
  }
}

TEST (a_mark_is_reported_on_arrival)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 100, 20 * MS, 0);
  CHECK (receive_at (100, true, flow.now + 20 * MS) & REPORT);
  CHECK (make_report ());
  CHECK (flow.report.p_q32 > 0);
  CHECK_INT (get_stats ()->marked, 1);
  CHECK_INT (get_stats ()->lost, 0);
  CHECK_NEAR (get_stats ()->I_0, 1.0, 0.0);
}

TEST (the_first_loss_seeds_the_history_with_the_highest_receive_rate)
{
  start (TFRC_MODE_TFRC);
  flow.size = 1460;
  /* 30 packets in 100 ms: 438,000 bytes/s, then a tenth of it */
  receive_run (0, 300, 100 * MS / 30, 0);
  receive_run (300, 320, 100 * MS / 3, 0);
  receive_run (321, 324, 100 * MS / 3, 0);
  CHECK_INT (get_stats ()->intervals, 1);
  /* X (p) = 438000 at 1460 bytes and 0.1 s: f = 1 / 30 */
  CHECK_REL (get_stats ()->I_mean, 615.0, 0.03);
  /* the report still says what was measured */
  CHECK_NEAR (flow.report.x_recv_Bps, 43800.0, 15000.0);
}

TEST (a_mark_on_the_very_first_packet_is_a_null_interval)
{
  start (TFRC_MODE_TFRC);
  receive_at (0, true, flow.now);
  CHECK (make_report ());
  CHECK_NEAR (1.0 / tfrc_report_decode_p (flow.report.p_q32), 4.844283, 1e-5);
  CHECK_INT (flow.report.x_recv_Bps, 0);
}

TEST (a_million_packets_without_loss_report_zero)
{
  start (TFRC_MODE_TFRC_SP);
  receive_run (0, 1000000, 20 * MS, 0);
  CHECK_INT (flow.report.p_q32, 0);
  CHECK_INT (get_stats ()->packets, 1000000);
  CHECK_INT (get_stats ()->bytes, 160000000);
  CHECK_INT (get_stats ()->lost, 0);
}

TEST (one_loss_in_a_hundred_is_one_percent)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 3000, 20 * MS, 100);
  CHECK_NEAR (tfrc_report_decode_p (flow.report.p_q32), 0.01, 1e-9);
  CHECK_INT (get_stats ()->lost, 29);
  CHECK_INT (get_stats ()->loss_events, 29);
  CHECK_INT (get_stats ()->intervals, 8);
}

TEST (in_tfrc_sp_each_loss_of_a_short_interval_counts)
{
  /* a third is lost, in fours; the period is 200 ms: an event each 120 + 20 ms */
  double p[2];

  for (TfrcMode mode = TFRC_MODE_TFRC; mode <= TFRC_MODE_TFRC_SP; mode++) {
    start (mode);
    receive_run (0, 3000, 10 * MS, 3);
    p[mode] = tfrc_report_decode_p (flow.report.p_q32);
  }
  CHECK_NEAR (p[TFRC_MODE_TFRC], 1.0 / 12.0, 1e-3);
  CHECK_NEAR (p[TFRC_MODE_TFRC_SP], 1.0 / 3.0, 1e-3);
}

TEST (a_new_round_trip_time_sets_the_next_period)
{
  TfrcTime set;

  start (TFRC_MODE_TFRC);
  flow.rtt_us = 200000;
  receive_run (0, 40, 10 * MS, 0);
  flow.rtt_us = 100000;
  CHECK (receive (40, flow.now + 10 * MS) & TFRC_RECEIVER_RTT);
  set = tfrc_receiver_next_timer (flow.receiver);
  run_to (set);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), set + 100 * MS);
  flow.rtt_us = 105000;
  CHECK (!(receive (41, flow.now + 10 * MS) & TFRC_RECEIVER_RTT));
}

TEST (the_rate_covers_the_round_trip_time_before)
{
  start (TFRC_MODE_TFRC);
  flow.rtt_us = 200000;
  receive_run (0, 41, 10 * MS, 0);
  CHECK (make_report ());
  /* R_m is 100 ms now, R_(m-1) 200 ms: half of the packets within it are new */
  flow.rtt_us = 100000;
  receive_run (41, 51, 5 * MS, 0);
  CHECK (make_report ());
  CHECK_INT (flow.report.x_recv_Bps, 160 * 25 * 5);
}

TEST (a_longer_round_trip_time_is_covered_from_the_next_report_on)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 41, 10 * MS, 0);
  CHECK (make_report ());
  flow.rtt_us = 200000;
  receive_run (41, 46, 20 * MS - 1, 0);
  flow.reports = 0;
  run_to (flow.now + 1 * MS);
  /* the timer was set for R_(m-1) = 100 ms, and that is what it covers */
  CHECK_INT (flow.reports, 1);
  CHECK_NEAR (flow.report.x_recv_Bps, 8000.0, 1.0);
  receive_run (46, 51, 20 * MS, 0);
  CHECK (make_report ());
  CHECK_NEAR (flow.report.x_recv_Bps, 8000.0, 100.0);
}

TEST (reports_come_no_faster_than_the_path_can_carry)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  CHECK_INT (tfrc_receiver_set_report_interval (flow.receiver, 280 * MS,
          flow.now), TFRC_RECEIVER_TIMER);
  CHECK_INT (tfrc_receiver_set_report_interval (flow.receiver, 280 * MS,
          flow.now), 0);
  flow.reports = 0;
  receive_run (20, 720, 20 * MS, 0);
  CHECK_NEAR (flow.reports, 50.0, 1.0);
  CHECK_INT (flow.report.x_recv_Bps, 8000);
  tfrc_receiver_set_report_interval (flow.receiver, 0, flow.now);
  flow.reports = 0;
  receive_run (720, 1220, 20 * MS, 0);
  CHECK_NEAR (flow.reports, 100.0, 2.0);
}

TEST (a_new_interval_counts_from_the_last_report)
{
  TfrcTime T_set;

  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  run_to (tfrc_receiver_next_timer (flow.receiver));
  T_set = flow.now;
  for (unsigned i = 0; i < 10; i++) {
    flow.now += 5 * MS;
    tfrc_receiver_set_report_interval (flow.receiver, (150 + i) * MS, flow.now);
  }
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), T_set + 159 * MS);
}

TEST (a_report_made_unasked_restarts_the_timer)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  run_to (tfrc_receiver_next_timer (flow.receiver));
  receive (20, flow.now + 20 * MS);
  flow.now += 5 * MS;
  CHECK (make_report ());
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), flow.now + 100 * MS);
}

TEST (a_report_that_waits_is_asked_for_again)
{
  start (TFRC_MODE_TFRC);
  receive_at (0, false, flow.now);
  for (unsigned i = 0; i < 3; i++) {
    flow.now = tfrc_receiver_next_timer (flow.receiver);
    CHECK (tfrc_receiver_on_timer (flow.receiver, flow.now) & REPORT);
    CHECK (tfrc_receiver_wants_report (flow.receiver));
  }
  CHECK (make_report ());
  CHECK_INT (flow.report.t_delay_us, 300000);
}

TEST (the_report_names_the_newest_packet_and_its_delay)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  receive_at (22, false, flow.now + 20 * MS);
  /* an older one comes later: it is not the one to time */
  {
    TfrcPacket packet = {
      .seq = 21,
      .size = 160,
      .stamped = true,
      .stamp = {100000, 5}
    };

    tfrc_receiver_on_packet (flow.receiver, &packet, flow.now + 3 * MS);
  }
  flow.now += 10 * MS;
  CHECK (make_report ());
  CHECK_INT (flow.report.t_i_us, (flow.now - 10 * MS) / TFRC_USEC - 50000);
  CHECK_INT (flow.report.t_delay_us, 10000);
  CHECK_INT (get_stats ()->bad_stamps, 0);
}

TEST (duplicates_are_counted_and_change_nothing)
{
  TfrcReceiverStats before;

  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  receive (21, flow.now + 20 * MS);
  before = *get_stats ();
  for (unsigned i = 0; i < 10; i++)
    CHECK_INT (receive_at (21, false, flow.now), TFRC_RECEIVER_DUPLICATE);
  CHECK_INT (get_stats ()->duplicates, 10);
  CHECK_INT (get_stats ()->packets, before.packets);
  CHECK_INT (get_stats ()->bytes, before.bytes);
  CHECK_INT (get_stats ()->lost, 0);
  /* not in the rate, */
  flow.now += 10 * MS;
  CHECK (make_report ());
  CHECK_INT (flow.report.x_recv_Bps, 8000);
  /* and no data to report */
  receive_at (21, false, flow.now + 20 * MS);
  CHECK (!make_report ());
  run_to (flow.now + 120 * MS);
  CHECK_INT (get_stats ()->empty_expiries, 1);
}

TEST (a_jump_of_30000_is_not_taken_and_costs_nothing)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  CHECK_INT (receive_at (30019, false, flow.now + 20 * MS), 0);
  CHECK_INT (get_stats ()->jumps, 1);
  CHECK_INT (get_stats ()->restarts, 0);
  CHECK_INT (get_stats ()->packets, 20);
  receive_run (20, 30, 20 * MS, 0);
  CHECK_INT (get_stats ()->lost, 0);
}

TEST (a_source_that_restarts_is_followed_from_its_second_packet)
{
  unsigned bits;

  start (TFRC_MODE_TFRC);
  receive_run (0, 300, 20 * MS, 100);
  CHECK (get_stats ()->p > 0.0);
  receive_at (30019, false, flow.now + 20 * MS);
  bits = receive_at (30020, false, flow.now + 20 * MS);
  CHECK (bits & TFRC_RECEIVER_RESTARTED);
  CHECK (bits & REPORT);
  CHECK (make_report ());
  CHECK_INT (flow.report.p_q32, 0);
  CHECK_INT (flow.report.x_recv_Bps, 0);
  CHECK_INT (get_stats ()->restarts, 1);
  CHECK_INT (get_stats ()->loss_events, 2);
  CHECK_INT (get_stats ()->lost, 2);
  receive_run (30021, 30100, 20 * MS, 0);
  CHECK_INT (get_stats ()->lost, 2);
  CHECK_INT (flow.report.x_recv_Bps, 8000);
}

TEST (a_restart_forgets_all_but_the_counters)
{
  start (TFRC_MODE_TFRC);
  receive_run (0, 300, 20 * MS, 100);
  CHECK (tfrc_receiver_restart (flow.receiver, flow.now)
      == (TFRC_RECEIVER_TIMER | TFRC_RECEIVER_RESTARTED));
  CHECK (tfrc_receiver_next_timer (flow.receiver) == TFRC_TIME_NONE);
  CHECK (!tfrc_receiver_wants_report (flow.receiver));
  CHECK_NEAR (get_stats ()->p, 0.0, 0.0);
  CHECK_NEAR (get_stats ()->R, 0.0, 0.0);
  CHECK_INT (get_stats ()->lost, 2);
  CHECK_INT (get_stats ()->restarts, 1);
  CHECK (receive (5000, flow.now + 20 * MS) & REPORT);
  CHECK_INT (flow.report.p_q32, 0);
  receive_run (5001, 5100, 20 * MS, 0);
  CHECK_INT (get_stats ()->lost, 2);
}

TEST (packets_without_stamps_are_counted_and_never_reported)
{
  TfrcPacket packet = { .seq = 1, .size = 160 };

  start (TFRC_MODE_TFRC);
  for (unsigned i = 0; i < 100; i++, packet.seq += 1 + (i % 10 == 0)) {
    flow.now += 20 * MS;
    tfrc_receiver_on_packet (flow.receiver, &packet, flow.now);
    CHECK (!tfrc_receiver_wants_report (flow.receiver));
    CHECK (!make_report ());
  }
  CHECK_INT (get_stats ()->unstamped, 100);
  CHECK_INT (get_stats ()->packets, 100);
  CHECK (get_stats ()->lost > 5);
  CHECK_NEAR (get_stats ()->R, 0.0, 0.0);
}

TEST (a_round_trip_time_that_vanishes_is_kept)
{
  start (TFRC_MODE_TFRC);
  receive (0, flow.now + 20 * MS);
  flow.rtt_us = 0;
  receive (1, flow.now + 20 * MS);
  receive (2, flow.now + 20 * MS);
  CHECK_NEAR (get_stats ()->R, 0.1, 1e-12);
  CHECK_INT (flow.reports, 1);
}

TEST (a_clock_that_steps_back_is_held_and_counted)
{
  TfrcPacket packet = {
    .seq = 20,
    .size = 160,
    .stamped = true,
    .stamp = {100000, 4000000}
  };
  TfrcTime timer;

  start (TFRC_MODE_TFRC);
  receive_run (0, 20, 20 * MS, 0);
  timer = tfrc_receiver_next_timer (flow.receiver);
  tfrc_receiver_on_timer (flow.receiver, flow.now - TFRC_SEC);
  tfrc_receiver_on_packet (flow.receiver, &packet, flow.now - TFRC_SEC);
  flow.now += 5 * MS;
  CHECK_INT (get_stats ()->clock_steps, 2);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver), timer);
  CHECK (make_report ());
  CHECK_INT (flow.report.t_delay_us, 5000);
}

TEST (a_rate_too_large_for_its_field_saturates)
{
  start (TFRC_MODE_TFRC);
  flow.size = UINT32_MAX;
  flow.rtt_us = 1;
  receive_run (0, 20, 20 * MS, 0);
  CHECK_INT (flow.report.x_recv_Bps, UINT32_MAX);
}

TEST (the_state_is_flat_a_copy_goes_on_alike)
{
  static Flow copy;
  TfrcReport report = { 0 };
  unsigned want, got;

  start (TFRC_MODE_TFRC_SP);
  receive_run (0, 1000, 20 * MS, 7);
  copy = flow;
  copy.receiver = (TfrcReceiver *) & copy.block;
  memset (&flow.block, 0, sizeof flow.block);
  /* the first is gone; what it would have done is known from a third */
  start (TFRC_MODE_TFRC_SP);
  receive_run (0, 1000, 20 * MS, 7);
  CHECK_INT (tfrc_receiver_next_timer (flow.receiver),
      tfrc_receiver_next_timer (copy.receiver));
  for (unsigned seq = 1000; seq < 1100; seq++) {
    TfrcPacket packet = {
      .seq = (uint16_t) seq,
      .size = 99,
      .stamped = true,
      .stamp = {100000, seq}
    };

    if (seq % 5 == 0)
      continue;
    flow.now += 10 * MS;
    want = tfrc_receiver_on_packet (flow.receiver, &packet, flow.now);
    got = tfrc_receiver_on_packet (copy.receiver, &packet, flow.now);
    CHECK_INT (got, want);
    CHECK (tfrc_receiver_make_report (flow.receiver, &flow.report, flow.now)
        == tfrc_receiver_make_report (copy.receiver, &report, flow.now));
    CHECK (memcmp (&report, &flow.report, sizeof report) == 0);
  }
}

/* Whatever a peer sends, in whatever order: the figures stay what they can be. */
static void
make_noise (TfrcMode mode, TfrcMeasure measure, bool jumping, uint64_t seed,
    unsigned packets)
{
  TfrcConfig config;

  tfrc_config_init (&config, mode);
  config.measure = measure;
  start_with (&config);
  for (unsigned i = 0; i < packets; i++) {
    TfrcPacket packet = { 0 };

    seed = seed * 6364136223846793005u + 1442695040888963407u;
    packet.seq = (uint16_t) (jumping ? seed >> 48 : i + (seed >> 59) % 9);
    packet.size = (uint32_t) (seed >> 8) >> (seed >> 60);
    packet.stamped = seed >> 61 != 0;
    packet.ce = seed >> 58 == 5;
    packet.stamp.rtt_us =
        (uint32_t) (seed >> 16 & 0xFFFFFF) >> (seed >> 40 & 31);
    packet.stamp.t_i_us = (uint32_t) (seed >> 20);
    flow.now += (seed >> 33) % (20 * MS);
    tfrc_receiver_on_packet (flow.receiver, &packet, flow.now);
    if (tfrc_receiver_next_timer (flow.receiver) <= flow.now)
      tfrc_receiver_on_timer (flow.receiver, flow.now);
    if (seed >> 62 == 0)
      make_report ();
    if (i % 100 == 0) {
      CHECK_BETWEEN (get_stats ()->p, 0.0, 1.0);
      CHECK (flow.stats.X_recv >= 0.0 && isfinite (flow.stats.X_recv));
      CHECK (flow.stats.I_mean >= 0.0 && flow.stats.I_mean < 1e15);
      CHECK (flow.stats.I_0 >= 0.0 && flow.stats.I_0 < 1e15);
      CHECK (flow.stats.intervals <= (measure ==
              TFRC_MEASURE_LIP_SCALE ? 128 : 8));
    }
  }
  CHECK (flow.reports > packets / 250);
}

TEST (a_million_packets_of_noise_leave_the_figures_sane)
{
  for (unsigned round = 0; round < 4; round++) {
    NOTE ("round %u", round);
    make_noise (round & 1 ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC,
        TFRC_MEASURE_RFC, round & 2, round, 250000);
  }
}

TEST (noise_leaves_the_figures_of_every_measure_sane)
{
  for (unsigned measure = 0; measure <= TFRC_MEASURE_GRADUAL; measure++)
    for (unsigned round = 0; round < 4; round++) {
      if (measure == TFRC_MEASURE_GRADUAL && !(round & 1))
        continue;
      NOTE ("measure %u, round %u", measure, round);
      make_noise (round & 1 ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC,
          (TfrcMeasure) measure, round & 2, measure + 100, 30000);
    }
}

TEST (in_a_sample_of_bytes_a_mark_counts_as_a_loss_does)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.measure = TFRC_MEASURE_SAMPLE_BYTE;
  start_with (&config);
  for (unsigned seq = 0; seq < 200; seq++) {
    receive_at (seq, seq >= 100 && seq % 10 == 0, flow.now + 200 * MS);
    if (seq >= 100 && seq % 10 == 0)
      CHECK_NEAR (get_stats ()->I_0, 1.0, 0.0);
  }
  CHECK_INT (get_stats ()->loss_events, 10);
}

/* The sender takes retransmissions out of X, so that they belong to what arrives. */
TEST (repairs_count_for_the_receive_rate_and_not_for_losses)
{
  double X_recv;

  start (TFRC_MODE_TFRC);
  receive_run (0, 100, 20 * MS, 0);
  X_recv = get_stats ()->X_recv;
  CHECK_NEAR (X_recv, 160 * 50, 160 * 10);
  for (unsigned seq = 100; seq < 200; seq++) {
    receive (seq, flow.now + 20 * MS);
    tfrc_receiver_on_repair (flow.receiver, flow.size, flow.now);
  }
  CHECK_NEAR (get_stats ()->X_recv, 2.0 * X_recv, 0.2 * X_recv);
  CHECK_INT (get_stats ()->packets, 200);
  CHECK_INT (get_stats ()->bytes, 300 * 160);
  CHECK_NEAR (get_stats ()->p, 0.0, 0.0);
}

/* Six packets of a hundred are lost within a round-trip time: TFRC-SP counts all of them (RFC 4828 3). The data
 * sender tells the mode when the flow has begun. */
TEST (loss_intervals_are_measured_in_the_mode_that_was_told_last)
{
  double p[3];

  for (unsigned i = 0; i < 3; i++) {
    start (i == 1 ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
    receive_run (0, 10, 20 * MS, 0);
    if (i == 2)
      tfrc_receiver_set_mode (flow.receiver, TFRC_MODE_TFRC_SP);
    for (unsigned seq = 10; seq < 400; seq++)
      if (seq % 10 >= 3)
        receive (seq, flow.now + 20 * MS);
    p[i] = get_stats ()->p;
  }
  CHECK (p[1] > 1.5 * p[0]);
  CHECK_NEAR (p[2], p[1], 0.02 * p[1]);
}
