/* libtfrc: tests of a receiver whose reports leave with packets, without the feedback timer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrivals.h"

static void
start_without_timer (uint32_t rtt_us)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  config.report_with_packet = true;
  start_with (&config);
  flow.rtt_us = rtt_us;
  receive_at (0, false, flow.now);
  CHECK (make_report ());
}

/* Packets `period` apart until one asks for a report; the time since the last. */
static TfrcTime
run_to_report (unsigned *seq, TfrcTime period)
{
  TfrcTime last = flow.now;

  while (!(receive_at (++*seq, false, flow.now + period) & REPORT))
    CHECK (flow.now - last <= TFRC_SEC);
  CHECK (make_report ());
  return flow.now - last;
}

TEST (packets_alone_bring_a_report_in_each_round_trip_time)
{
  static const unsigned rtt_ms[] = { 15, 20, 30, 50, 95, 100, 101, 119, 333 };

  for (size_t i = 0; i < N_OF (rtt_ms); i++) {
    TfrcTime R = rtt_ms[i] * MS;
    unsigned seq = 0;

    NOTE ("R %u ms", rtt_ms[i]);
    start_without_timer (rtt_ms[i] * 1000);
    for (unsigned j = 0; j < 50; j++) {
      TfrcTime T = run_to_report (&seq, 20 * MS);

      CHECK (T <= R || T == 20 * MS);
      CHECK (T > R / 2 && T + 20 * MS > R);
      CHECK_INT (flow.report.t_delay_us, 0);
      /* from packet to packet: what is sent, not a packet more */
      if (j > 0 && R >= 20 * MS)
        CHECK_NEAR (flow.report.x_recv_Bps, 8000, 1);
    }
  }
}

TEST (packets_bring_no_more_reports_than_the_path_can_carry)
{
  unsigned seq = 0;

  start_without_timer (20000);
  tfrc_receiver_set_report_interval (flow.receiver, 70 * MS, flow.now);
  for (unsigned j = 0; j < 50; j++)
    CHECK_INT (run_to_report (&seq, 20 * MS), 80 * MS);
}

TEST (a_report_that_left_late_is_not_soon_followed_by_an_early_one)
{
  TfrcTime t;

  start_without_timer (100000);
  t = flow.now;
  CHECK (!(receive_at (1, false, t + 10 * MS) & REPORT));
  flow.now = t + 60 * MS;
  CHECK (make_report ());
  CHECK (!(receive_at (2, false, t + 100 * MS) & REPORT));
  CHECK (receive_at (3, false, t + 150 * MS) & REPORT);
}

TEST (a_burst_brings_one_report_and_its_end_none)
{
  unsigned seq = 0, reports = 0;

  start_without_timer (100000);
  for (unsigned j = 0; j < 4; j++, flow.now += 95 * MS)
    for (unsigned i = 0; i < 20; i++)
      if (receive_at (++seq, false, flow.now + MS / 10) & REPORT) {
        CHECK (make_report ());
        reports++;
      }
  CHECK_INT (reports, 3);
}
