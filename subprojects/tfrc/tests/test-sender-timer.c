/* libtfrc: tests of the sender: the nofeedback timer, RFC 5348 4.4
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"
#include "vectors.h"

#include "sender/sender-private.h"

TEST (the_timeout_is_four_rtts_or_two_packets)
{
  for (size_t i = 0; i < N_OF (v_nofeedback_timeout); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    Flow flow;
    TfrcTime now;

    NOTE ("vector %zu", i);
    config.max_packet_size = (uint32_t) v_nofeedback_timeout[i].s;
    config.initial_rtt = MS (v_nofeedback_timeout[i].R * 1e3);
    flow = make_flow (&config, 0);
    flow.sender->rate.X = v_nofeedback_timeout[i].X;
    now = tfrc_sender_next_timer (flow.sender);
    CHECK (!(tfrc_sender_on_timer (flow.sender, now) & TFRC_SENDER_EXPIRED));   /* idle */
    CHECK_NEAR ((double) (tfrc_sender_next_timer (flow.sender) - now) * 1e-9,
        v_nofeedback_timeout[i].timeout, 1e-9);
    free_flow (&flow);
  }
}

TEST (the_timer_does_not_expire_before_its_time)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  double X;

  exchange (&flow, 1460, MS (100), 0, 0, MS (0));
  exchange (&flow, 1460, MS (100), 14600, 0, MS (100));
  depart (&flow, 1460, false, MS (201));
  X = stats_of (&flow).X;
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (600));
  CHECK (!(tfrc_sender_on_timer (flow.sender,
              MS (600) - 1) & TFRC_SENDER_EXPIRED));
  CHECK_REL (stats_of (&flow).X, X, 0);
  CHECK (tfrc_sender_on_timer (flow.sender, MS (600)) & TFRC_SENDER_EXPIRED);
  CHECK_REL (stats_of (&flow).X, X / 2, 1e-12);
  CHECK_INT (stats_of (&flow).expiries, 1);
  free_flow (&flow);
}

/* A packet each `frame` and a report each `interval`, which waited `t_delay` at the receiver; the last
 * report's time. */
static TfrcTime
run_waiting_reports (Flow * flow, TfrcTime R, TfrcTime frame, TfrcTime interval,
    TfrcTime t_delay, unsigned reports, double X_recv, double p)
{
  uint32_t t_i = 0;
  TfrcTime now = 0;

  for (TfrcTime t = 0; t <= interval * reports + R; t += MS (10)) {
    if (t % frame == 0)
      depart (flow, 160, false, t);
    if (t % interval == 0)
      t_i = flow->stamp.t_i_us;
    if (t >= R + t_delay && (t - R - t_delay) % interval == 0)
      report (flow, t_i, t_delay, X_recv, p, now = t);
  }
  return now;
}

/* The same with reports that leave at once. */
static TfrcTime
run_reports (Flow * flow, TfrcTime R, TfrcTime frame, TfrcTime interval,
    unsigned reports, double X_recv, double p)
{
  return run_waiting_reports (flow, R, frame, interval, 0, reports, X_recv, p);
}

static TfrcTime
run_feedback (Flow * flow, TfrcTime R, TfrcTime interval, unsigned reports)
{
  return run_reports (flow, R, MS (20), interval, reports, 8000, 0);
}

TEST (the_slower_feedback_comes_the_longer_the_timer_waits)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = run_feedback (&flow, MS (50), MS (280), 20);

  CHECK_REL (stats_of (&flow).R, 0.05, 1e-9);
  CHECK_REL (stats_of (&flow).T_report, 0.28, 1e-9);
  CHECK_INT (tfrc_sender_next_timer (flow.sender), now + MS (1120));
  free_flow (&flow);
}

TEST (reports_once_each_rtt_and_a_packet_do_not_stretch_the_timer)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = run_feedback (&flow, MS (100), MS (120), 50);

  CHECK_REL (stats_of (&flow).T_report, 0.12, 1e-9);
  CHECK_INT (tfrc_sender_next_timer (flow.sender), now + MS (400));
  free_flow (&flow);
}

TEST (a_first_report_that_comes_soon_does_not_hasten_the_timer)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = 0;

  /* R = 5 ms, each of the packets 20 ms apart reported; then only every tenth is */
  exchange (&flow, 160, MS (5), 0, 0, now);
  exchange (&flow, 160, MS (5), 8000, 0, now += MS (20));
  CHECK_REL (stats_of (&flow).T_report, 0, 0);
  CHECK_INT (tfrc_sender_next_timer (flow.sender), now + MS (405));
  exchange (&flow, 160, MS (5), 8000, 0, now += MS (20));
  CHECK_BETWEEN (stats_of (&flow).T_report, 0.004, 0.021);
  now += MS (20);
  for (unsigned i = 0; i < 31; i++, now += MS (20)) {
    if (i % 10 == 9)
      exchange (&flow, 160, MS (5), 8000, 0, now);
    else
      depart (&flow, 160, false, now);
  }
  CHECK_BETWEEN (stats_of (&flow).T_report, 0.18, 0.21);
  CHECK_BETWEEN (tfrc_sender_next_timer (flow.sender), now + MS (650),
      now + MS (850));
  free_flow (&flow);
}

TEST (silence_is_not_slow_feedback)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  for (unsigned i = 0; i < 50; i++)     /* one packet each 5 s, answered at once */
    exchange (&flow, 1460, MS (100), 14600, 0, MS (5000) * i);
  CHECK_REL (stats_of (&flow).T_report, 0.1, 0.01);
  free_flow (&flow);
}

TEST (an_outage_is_not_slow_feedback)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = 0;

  for (unsigned i = 0; i < 50; i++)
    exchange (&flow, 1460, MS (100), 14600, 0, now += MS (110));
  for (unsigned i = 0; i < 300; i++)    /* 30 s in which packets leave and no report comes */
    depart (&flow, 1460, false, now += MS (100));
  exchange (&flow, 1460, MS (100), 14600, 0, now += MS (110));
  CHECK_BETWEEN (stats_of (&flow).T_report, 0.1, 0.25);
  free_flow (&flow);
}

/* One packet of fifty arrives, and is reported at once: X_recv is one packet in R. */
TEST (a_gap_in_which_the_data_were_lost_is_not_slow_feedback)
{
  static const double R[] = { 0.1, 0.2 };

  for (size_t i = 0; i < N_OF (R); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    Flow flow = make_flow (&config, 0);
    TfrcTime now =
        run_reports (&flow, MS (1e3 * R[i]), MS (20), MS (1000), 8, 160 / R[i],
        0.02);

    NOTE ("R %g", R[i]);
    CHECK_REL (stats_of (&flow).R, R[i], 1e-9);
    CHECK_INT (tfrc_sender_next_timer (flow.sender), now + MS (4e3 * R[i]));
    free_flow (&flow);
  }
}

/* The same of packets so far apart that one in R is all of them: p makes the difference. */
TEST (a_gap_between_packets_one_round_trip_apart_is_judged_by_p)
{
  static const struct
  {
    double p, T_report;
  } paths[] = { {0.5, 0.1}, {0.06, 0.1}, {0.04, 0.5}, {0, 0.5} };

  for (size_t i = 0; i < N_OF (paths); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    Flow flow = make_flow (&config, 0);

    NOTE ("p %g", paths[i].p);
    run_reports (&flow, MS (100), MS (100), MS (500), 40, 1600, paths[i].p);
    CHECK_REL (stats_of (&flow).T_report, paths[i].T_report, 0.01);
    free_flow (&flow);
  }
}

/* Where R is short, the feedback path is still given 100 ms from report to report. */
/* A receiver that had no data for a whole R reports the next packet at once. */
TEST (a_report_that_waited_at_the_receiver_is_slow_feedback_whatever_p)
{
  static const struct
  {
    double t_delay, T_report;
  } waits[] = { {0, 0.1}, {10, 0.11}, {20, 0.5}, {90, 0.5} };

  for (size_t i = 0; i < N_OF (waits); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    Flow flow = make_flow (&config, 0);

    NOTE ("t_delay %g ms", waits[i].t_delay);
    run_waiting_reports (&flow, MS (100), MS (100), MS (500),
        MS (waits[i].t_delay), 40, 1600, 0.5);
    CHECK_REL (stats_of (&flow).R, 0.1, 0.01);
    CHECK_REL (stats_of (&flow).T_report, waits[i].T_report, 0.05);
    free_flow (&flow);
  }
}

TEST (a_gap_of_lost_data_does_not_make_feedback_faster_than_is_counted_on)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);

  run_reports (&flow, MS (20), MS (20), MS (200), 40, 8000, 0.2);
  CHECK_REL (stats_of (&flow).T_report, 0.1, 0.01);
  free_flow (&flow);
}

TEST (a_packet_that_is_reported_alone_is_a_whole_interval)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);

  for (unsigned i = 0; i < 50; i++)
    exchange (&flow, 160, MS (50), 3200, 0.5, MS (60) * i);
  CHECK_REL (stats_of (&flow).T_report, 0.05, 0.01);
  free_flow (&flow);
}

/* Five packets in 4 ms: the first is reported, 50 ms later the others. What arrived is
 * compared with what was sent in one R at least, since X_recv is over one R. */
TEST (a_burst_is_not_more_than_arrived)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);

  for (unsigned i = 0; i < 50; i++) {
    TfrcTime t = MS (200) * i;
    uint32_t first = depart (&flow, 160, false, t);

    for (unsigned j = 1; j < 5; j++)
      depart (&flow, 160, false, t + MS (j));
    report (&flow, first, 0, 8000, 0, t + MS (100));
    report (&flow, flow.stamp.t_i_us, MS (46), 8000, 0, t + MS (150));
  }
  /* 0.1 s from the burst to its first report and 0.05 s to its second, in turn */
  CHECK_REL (stats_of (&flow).T_report, 0.75 * 0.034375 / 0.4375 + 0.25 * 0.05,
      1e-6);
  free_flow (&flow);
}

TEST (half_of_the_data_are_enough_to_measure_the_feedback_path)
{
  static const struct
  {
    double X_recv, T_report;
  } paths[] = { {4100, 0.28}, {3900, 0} };

  for (size_t i = 0; i < N_OF (paths); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    Flow flow = make_flow (&config, 0);

    NOTE ("X_recv %g", paths[i].X_recv);
    run_reports (&flow, MS (100), MS (20), MS (280), 20, paths[i].X_recv, 0.1);
    CHECK_REL (stats_of (&flow).T_report, paths[i].T_report, 1e-9);
    free_flow (&flow);
  }
}

TEST (without_reports_X_falls_to_one_segment_in_t_mbi_and_stays)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = MS (1000);

  exchange (&flow, 160, MS (100), 0, 0.01, now);
  while (now < MS (600000)) {
    now = tfrc_sender_next_timer (flow.sender);
    depart (&flow, 160, true, now);
    tfrc_sender_on_timer (flow.sender, now);
  }
  CHECK_REL (stats_of (&flow).X, 160.0 / 64.0, 1e-12);
  CHECK_REL (tfrc_sender_next_timer (flow.sender) - now, MS (128000), 1e-9);
  free_flow (&flow);
}

TEST (an_idle_flow_is_left_alone_below_the_recover_rate)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  double X;

  exchange (&flow, 1460, MS (100), 0, 0, MS (1000));
  X = stats_of (&flow).X;
  for (unsigned i = 0; i < 100; i++)
    CHECK_INT (tfrc_sender_on_timer (flow.sender,
            tfrc_sender_next_timer (flow.sender)), TFRC_SENDER_TIMER);
  CHECK_REL (stats_of (&flow).X, X, 0);
  CHECK_INT (stats_of (&flow).expiries, 0);
  /* one packet is enough not to be idle */
  depart (&flow, 1460, false, tfrc_sender_next_timer (flow.sender) - 1);
  CHECK (tfrc_sender_on_timer (flow.sender,
          tfrc_sender_next_timer (flow.sender))
      & TFRC_SENDER_EXPIRED);
  CHECK_REL (stats_of (&flow).X, X / 2, 1e-12);
  free_flow (&flow);
}
