/* libtfrc: tests of the sender, through its public interface
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"
#include "vectors.h"

#include "sender/sender-private.h"

/* --- 4.2 to 4.4, in sequences ------------------------------------------------ */

typedef struct v_sender_sequences_cases_steps Step;

static bool
is_report (const Step * step)
{
  return strcmp (step->event, "feedback") == 0;
}

/* The packets that a report names leave together: as many as its X_recv needs, and
 * as many as X allows if the flow is not data-limited. */
static uint32_t
send_for (Flow * flow, const Step * step, double s)
{
  TfrcTime now = MS ((step->t - step->R_sample) * 1e3);
  unsigned n = 1 + (unsigned) (step->X_recv * step->R / 1.1 / s);

  for (unsigned i = 0; i < n; i++)
    depart (flow, (uint32_t) s, false, now);
  if (step->data_limited)
    return flow->stamp.t_i_us;
  while (tfrc_sender_next_departure (flow->sender, (uint32_t) s) <= now)
    depart (flow, (uint32_t) s, true, now);
  tfrc_sender_on_limited (flow->sender, now);
  return flow->stamp.t_i_us;
}

static void
take_step (Flow * flow, const Step * step, uint32_t t_i, TfrcTime before)
{
  TfrcTime now = MS (step->t * 1e3);

  if (is_report (step)) {
    CHECK (report (flow, t_i, 0, step->X_recv, step->p,
            now) & TFRC_SENDER_TIMER);
    return;
  }
  if (!step->idle)
    depart (flow, flow->config.mss, false, before);
  now = tfrc_sender_next_timer (flow->sender);
  CHECK_REL ((double) now * 1e-9, step->t, WIRE);
  CHECK (tfrc_sender_on_timer (flow->sender, now) & TFRC_SENDER_TIMER);
}

static void
check_step (const Flow * flow, const Step * step)
{
  TfrcSenderStats stats = stats_of (flow);

  CHECK_REL (stats.X, step->X, WIRE);
  CHECK_REL ((double) tfrc_sender_next_timer (flow->sender) * 1e-9,
      step->nofeedback_expires, WIRE);
  if (is_report (step)) {
    CHECK_REL (stats.recv_limit,
        isnan (step->recv_limit) ? INFINITY : step->recv_limit, 1e-9);
    CHECK_REL (stats.R, step->R, 1e-9);
    CHECK_INT (stats.data_limited, step->data_limited);
  }
}

static void
run_sequence (const struct v_sender_sequences_cases *c)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  uint32_t t_i[32];
  size_t sent = 0;
  Flow flow;

  config.mss = (uint32_t) c->mss;
  flow = make_flow (&config, 0);
  for (size_t i = 0; i < c->n_steps; i++) {
    NOTE ("%s, step %zu", c->name, i);
    for (; sent < c->n_steps && is_report (&c->steps[sent])
        && c->steps[sent].t - c->steps[sent].R_sample < c->steps[i].t; sent++)
      t_i[sent] = send_for (&flow, &c->steps[sent], c->mss);
    take_step (&flow, &c->steps[i], t_i[i],
        i > 0 ? MS (c->steps[i - 1].t * 1e3) : 0);
    check_step (&flow, &c->steps[i]);
  }
  free_flow (&flow);
}

TEST (every_sequence_gives_the_X_the_limit_and_the_timer_of_rfc_5348)
{
  unsigned n = 0;

  /* Appendix C.4's examples jump from 4 packets in one R to 100, which cannot have
   * been sent: they are tested on the rate alone. */
  for (size_t i = 0; i < v_sender_sequences.n_cases; i++)
    if (v_sender_sequences.cases[i].mss > 1) {
      run_sequence (&v_sender_sequences.cases[i]);
      n++;
    }
  CHECK_INT (n, 14);
}

/* --- 3.2.1, 4.2: the beginning ----------------------------------------------- */

TEST (before_any_rtt_one_packet_leaves_each_second_and_the_timer_is_two_seconds)
{
  static const uint32_t sizes[] = { 160, 1460 };

  for (size_t i = 0; i < N_OF (sizes); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    Flow flow = make_flow (&config, MS (500));
    TfrcTime t_gran = config.t_gran;

    CHECK (tfrc_sender_next_departure (flow.sender, sizes[i]) <= MS (500));
    CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (2500));
    depart (&flow, sizes[i], true, MS (1000));
    CHECK_NEAR (stats_of (&flow).X, sizes[i], 0);
    CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (3000));
    CHECK_INT (depart_when_due (&flow, sizes[i], true, MS (1000)),
        MS (2000) - t_gran / 2);
    CHECK_INT (depart_when_due (&flow, sizes[i], true, MS (1000)),
        MS (3000) - t_gran / 2);
    CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (3000));
    free_flow (&flow);
  }
}

/* A receiver that reports each 5 s, after another that reported in each R, is given 20 s; so is its first report. */
TEST (a_receiver_that_is_known_to_report_seldom_is_waited_for)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  double X;

  CHECK_INT (tfrc_sender_set_report_interval (flow.sender, MS (5000), 0),
      TFRC_SENDER_TIMER);
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (20000));
  tfrc_sender_on_rtt (flow.sender, MS (50), MS (100));
  depart (&flow, 60, false, MS (1000));
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (21000));
  X = stats_of (&flow).X;
  exchange (&flow, 60, MS (50), 60, 0, MS (6000));
  CHECK_BETWEEN (tfrc_sender_next_timer (flow.sender), MS (26000), MS (26100));
  CHECK (stats_of (&flow).X >= X);
  /* what the reports show holds again, at once: four times the interval that is assumed of a single one */
  tfrc_sender_set_report_interval (flow.sender, 0, MS (6100));
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (6500));
  exchange (&flow, 60, MS (50), 60, 0, MS (7000));
  CHECK (tfrc_sender_next_timer (flow.sender) < MS (12000));
  free_flow (&flow);
}

/* Blocks that come with the first report set an interval that does not hold: RFC 5348 4.2 does. */
TEST (a_receiver_that_reports_often_after_all_is_not_waited_for)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);

  depart (&flow, 60, false, MS (100));
  tfrc_sender_set_report_interval (flow.sender, MS (5000), MS (200));
  tfrc_sender_set_report_interval (flow.sender, MS (5000), MS (1200));
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (21200));
  tfrc_sender_set_report_interval (flow.sender, 0, MS (1300));
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (3300));
  /* an interval that is the same one leaves a timer that X has made longer */
  tfrc_sender_on_timer (flow.sender, MS (3300));
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (7300));
  tfrc_sender_set_report_interval (flow.sender, 0, MS (3400));
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (7300));
  free_flow (&flow);
}

TEST (a_small_first_packet_does_not_hold_up_a_large_second_one)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  depart (&flow, 30, true, MS (1));
  CHECK_BETWEEN (tfrc_sender_next_departure (flow.sender, 1400), MS (1000),
      MS (1001));
  free_flow (&flow);
}

TEST (the_first_report_gives_the_initial_window)
{
  for (size_t i = 0; i < N_OF (v_w_init); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    uint32_t mss = (uint32_t) v_w_init[i].mss;

    NOTE ("mss %u", mss);
    /* learnt from what was sent, and known beforehand while small packets are sent */
    for (unsigned known = 0; known < 2; known++) {
      Flow flow;

      config.mss = known ? mss : 9000;
      config.max_packet_size = known ? mss : 0;
      flow = make_flow (&config, 0);
      exchange (&flow, known ? 28 : mss, MS (v_w_init[i].R * 1e3), 0, 0,
          MS (10));
      CHECK_REL (stats_of (&flow).X, v_w_init[i].initial_rate, 1e-9);
      free_flow (&flow);
    }
  }
}

TEST (the_largest_packet_of_the_application_bounds_the_initial_window)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow;

  config.max_packet_size = 200;
  flow = make_flow (&config, 0);
  exchange (&flow, 200, MS (100), 0, 0, MS (10));
  CHECK_REL (stats_of (&flow).X, 8000, 1e-9);
  free_flow (&flow);
}

/* W_init is for the largest segment, said beforehand or sent: 800 bytes in 100 ms. Until R is known X is one segment in a
 * second all the same. */
TEST (the_largest_packet_may_be_said_late)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);

  depart (&flow, 100, true, MS (1));
  tfrc_sender_set_max_packet_size (flow.sender, 200, MS (2));
  CHECK_REL (stats_of (&flow).X, 100, 1e-9);
  CHECK (tfrc_sender_on_rtt (flow.sender, MS (100),
          MS (50)) & TFRC_SENDER_RATE);
  CHECK_REL (stats_of (&flow).X, 8000, 1e-9);
  CHECK (tfrc_sender_set_max_packet_size (flow.sender, 300, MS (51))
      & TFRC_SENDER_RATE);
  CHECK_INT (tfrc_sender_set_max_packet_size (flow.sender, 1461, MS (52)), 0);
  CHECK_REL (stats_of (&flow).X, 12000, 1e-9);
  depart (&flow, 400, true, MS (60));
  CHECK_REL (stats_of (&flow).X, 16000, 1e-9);
  free_flow (&flow);
}

TEST (an_rtt_from_elsewhere_starts_at_once)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow;

  config.mss = 1200;
  config.initial_rtt = MS (50);
  flow = make_flow (&config, 0);
  CHECK_REL (stats_of (&flow).X, 87600, 1e-9);
  depart (&flow, 1200, true, MS (1));
  CHECK_INT (flow.stamp.rtt_us, 50000);
  CHECK_REL (stats_of (&flow).X, 87600, 1e-9);
  free_flow (&flow);

  /* the same, later and by RTCP */
  config.initial_rtt = 0;
  flow = make_flow (&config, 0);
  depart (&flow, 1200, true, MS (1));
  CHECK_INT (flow.stamp.rtt_us, TFRC_RTT_UNKNOWN);
  CHECK (tfrc_sender_on_rtt (flow.sender, MS (50), MS (60)) & TFRC_SENDER_RATE);
  CHECK_REL (stats_of (&flow).X, 87600, 1e-9);
  depart (&flow, 1200, true, MS (61));
  CHECK_INT (flow.stamp.rtt_us, 50000);
  /* a report's own sample takes its place, and it is not a filter's second value */
  report (&flow, flow.stamp.t_i_us, 0, 0, 0, MS (161));
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-9);
  CHECK_INT (tfrc_sender_on_rtt (flow.sender, MS (20), MS (162)), 0);
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-9);
  free_flow (&flow);
}

/* It may be longer than the path's, so that it is no bound of what a report says, unlike one of RTCP. */
TEST (an_rtt_of_a_handshake_is_no_more_than_a_beginning)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow;

  config.mss = 1200;
  flow = make_flow (&config, 0);
  CHECK_INT (tfrc_sender_set_initial_rtt (flow.sender, MS (500), MS (1)),
      TFRC_SENDER_RATE);
  CHECK_REL (stats_of (&flow).X, 8760, 1e-9);
  CHECK_INT (tfrc_sender_set_initial_rtt (flow.sender, MS (50), MS (1)), 0);
  depart (&flow, 1200, true, MS (1));
  CHECK_INT (flow.stamp.rtt_us, 500000);
  report (&flow, flow.stamp.t_i_us, 0, 0, 0, MS (101));
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-9);
  free_flow (&flow);

  flow = make_flow (&config, 0);
  CHECK_INT (tfrc_sender_set_initial_rtt (flow.sender, 0, MS (1)), 0);
  CHECK_INT (tfrc_sender_set_initial_rtt (flow.sender, 17 * TFRC_SEC, MS (1)),
      0);
  CHECK_INT (tfrc_sender_set_initial_rtt (flow.sender, TFRC_TIME_NONE, MS (1)),
      0);
  CHECK_NEAR (stats_of (&flow).R, 0, 0);
  free_flow (&flow);
}

TEST (an_rtt_that_cannot_be_is_ignored)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  CHECK_INT (tfrc_sender_on_rtt (flow.sender, 0, MS (1)), 0);
  CHECK_INT (tfrc_sender_on_rtt (flow.sender, 17 * TFRC_SEC, MS (1)), 0);
  CHECK_INT (tfrc_sender_on_rtt (flow.sender, TFRC_TIME_NONE, MS (1)), 0);
  CHECK_NEAR (stats_of (&flow).R, 0, 0);
  free_flow (&flow);
}

TEST (each_packet_carries_its_send_time_and_R)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  uint32_t first = depart (&flow, 160, false, MS (10));

  CHECK_INT (flow.stamp.rtt_us, TFRC_RTT_UNKNOWN);
  CHECK_INT (depart (&flow, 160, false, MS (20) + 1000) - first, 10001);
  report (&flow, first, 0, 0, 0, MS (110.0005));
  CHECK_INT (depart (&flow, 160, false, MS (120)) - first, 110000);
  CHECK_INT (flow.stamp.rtt_us, 100001);        /* rounded up */
  free_flow (&flow);
}

TEST (the_origin_of_the_timestamps_is_seeded)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  uint32_t t_i[3];

  for (unsigned i = 0; i < 3; i++) {
    Flow flow;

    config.seed = i / 2;
    flow = make_flow (&config, 0);
    t_i[i] = depart (&flow, 160, false, MS (10));
    free_flow (&flow);
  }
  CHECK (t_i[0] == t_i[1] && t_i[1] != t_i[2]);
}

/* --- 4.3: reports ------------------------------------------------------------- */

/* 3000 bytes/s: 100 bytes more take 33.3 ms more. */
TEST (a_larger_packet_that_takes_longer_shows_what_the_path_carries)
{
  static const struct
  {
    uint32_t size;
    bool timed;
    uint32_t transit_us;
  } packets[] =
      { {150, true, 0}, {400, false, 0}, {160, true, 3334}, {250, true,
      33333}
  };
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcAllowance allowance;

  for (unsigned i = 0; i < N_OF (packets); i++) {
    TfrcReport named = {
      .t_i_us = depart (&flow, packets[i].size, false, MS (200 * i)),
      .timed = packets[i].timed,
      .transit_us = 0xFFFFF000 + packets[i].transit_us
    };

    tfrc_sender_get_allowance (flow.sender, &allowance);
    CHECK_NEAR (allowance.capacity, 0, 0);
    tfrc_sender_on_report (flow.sender, &named, MS (200 * i + 100));
  }
  tfrc_sender_get_allowance (flow.sender, &allowance);
  CHECK_REL (allowance.capacity, 3000, 1e-3);
  /* on another path nothing is known of this one */
  tfrc_sender_restart (flow.sender, MS (1000));
  tfrc_sender_get_allowance (flow.sender, &allowance);
  CHECK_NEAR (allowance.capacity, 0, 0);
  free_flow (&flow);
}

TEST (the_R_sample_leaves_out_what_the_report_waited)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  uint32_t t_i = depart (&flow, 1460, false, 305419896 * TFRC_USEC);

  report (&flow, t_i, MS (5), 0, 0, 305524896 * TFRC_USEC);
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-12);
  free_flow (&flow);
}

/* The transit times of reports wrap, and their origin says nothing. */
TEST (the_transit_time_follows_what_reports_name)
{
  static const uint32_t transits[] =
      { 0xFFFFF000, 0xFFFFF000 + 50000, 0xFFFFF000 - 250000 };
  static const double expected[] = { 0, 0.05, -0.25 };
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcAllowance allowance;
  TfrcReport named = { 0 };

  tfrc_sender_get_allowance (flow.sender, &allowance);
  CHECK (!allowance.timed);
  for (unsigned i = 0; i < N_OF (transits); i++) {
    named = (TfrcReport) {
        .t_i_us = depart (&flow, 160, false, MS (200 * i)),
        .timed = true,
        .transit_us = transits[i]
    };
    tfrc_sender_on_report (flow.sender, &named, MS (200 * i + 100));
    tfrc_sender_get_allowance (flow.sender, &allowance);
    CHECK (allowance.timed);
    CHECK_NEAR (allowance.transit, expected[i], 1e-9);
  }
  named = (TfrcReport) {.t_i_us = depart (&flow, 160, false, MS (600))};
  tfrc_sender_on_report (flow.sender, &named, MS (700));
  tfrc_sender_get_allowance (flow.sender, &allowance);
  CHECK (!allowance.timed);
  free_flow (&flow);
}

TEST (the_mean_rtt_and_X_inst_follow_the_samples)
{
  for (size_t i = 0; i < N_OF (v_rtt_filter); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    Flow flow;

    config.q = v_rtt_filter[i].q;
    flow = make_flow (&config, 0);
    for (size_t j = 0; j < v_rtt_filter[i].n_samples_ms; j++) {
      NOTE ("filter %zu, sample %zu", i, j);
      exchange (&flow, 1460, MS (v_rtt_filter[i].samples_ms[j]), 14600, 0,
          MS (1000) * (j + 1));
      CHECK_REL (stats_of (&flow).R * 1e3, v_rtt_filter[i].R_ms[j], 1e-9);
    }
    free_flow (&flow);
  }
  for (size_t i = 0; i < N_OF (v_oscillation); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    Flow flow = make_flow (&config, 0);

    for (size_t j = 0; j < v_oscillation[i].n_steps; j++) {
      TfrcSenderStats stats;

      NOTE ("oscillation %zu, sample %zu", i, j);
      exchange (&flow, 1460, MS (v_oscillation[i].steps[j].R_sample * 1e3),
          14600, 0.01, MS (1000) * (j + 1));
      stats = stats_of (&flow);
      CHECK_REL (stats.R_sqmean, v_oscillation[i].steps[j].R_sqmean, 1e-9);
      CHECK_REL (stats.X_inst / stats.X,
          v_oscillation[i].steps[j].X_inst / v_oscillation[i].X, 1e-9);
      CHECK_REL (stats.G, stats.X_inst, 0);
    }
    free_flow (&flow);
  }
}

TEST (oscillation_reduction_can_be_off)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow;

  config.oscillation_reduction = false;
  flow = make_flow (&config, 0);
  exchange (&flow, 1460, MS (100), 0, 0.01, MS (1000));
  exchange (&flow, 1460, MS (200), 14600, 0.01, MS (2000));
  CHECK_REL (stats_of (&flow).X_inst, stats_of (&flow).X, 0);
  free_flow (&flow);
}

TEST (a_segment_in_t_mbi_is_the_floor_of_X_inst_too)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  exchange (&flow, 1460, MS (100), 0, 0, MS (1000));
  exchange (&flow, 1460, MS (400), 1, 1, MS (2000));
  exchange (&flow, 1460, MS (1600), 1, 1, MS (4000));
  CHECK_REL (stats_of (&flow).X, 1460.0 / 64, 1e-12);
  CHECK_REL (stats_of (&flow).X_inst, 1460.0 / 64, 1e-12);
  free_flow (&flow);
}

TEST (the_next_X_does_not_come_from_X_inst)
{
  double X[2];

  for (unsigned i = 0; i < 2; i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    Flow flow;

    config.q = 0;               /* R is the last sample: alike from the second on */
    flow = make_flow (&config, 0);
    exchange (&flow, 1460, MS (i ? 400 : 100), 0, 0, MS (1000));
    exchange (&flow, 1460, MS (100), 14600, 0.01, MS (2000));
    exchange (&flow, 1460, MS (100), 14600, 0.01, MS (3000));
    X[i] = stats_of (&flow).X;
    if (i == 1)
      CHECK (stats_of (&flow).X_inst > 1.2 * X[i]);
    free_flow (&flow);
  }
  CHECK_REL (X[0], X[1], 1e-12);
}

TEST (a_report_with_a_loss_says_so)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  CHECK (!(exchange (&flow, 1460, MS (100), 0, 0,
              MS (1000)) & TFRC_SENDER_LOSS));
  CHECK (exchange (&flow, 1460, MS (100), 14600, 0.01,
          MS (2000)) & TFRC_SENDER_LOSS);
  CHECK (!(exchange (&flow, 1460, MS (100), 14600, 0.01,
              MS (3000)) & TFRC_SENDER_LOSS));
  CHECK (!(exchange (&flow, 1460, MS (100), 14600, 0.0099,
              MS (4000)) & TFRC_SENDER_LOSS));
  CHECK (exchange (&flow, 1460, MS (100), 14600, 0.01,
          MS (5000)) & TFRC_SENDER_LOSS);
  CHECK_INT (stats_of (&flow).loss_reports, 2);
  CHECK_INT (stats_of (&flow).reports, 5);
  CHECK (!stats_of (&flow).slow_start);
  free_flow (&flow);
}

/* Pairs at the full rate: t_ipi 10 ms, two packets each 20 ms. */
TEST (pairs_at_the_full_rate_are_not_data_limited)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  uint32_t t_i;
  TfrcTime now = MS (1110);

  exchange (&flow, 1460, MS (100), 0, 0, MS (1000));
  for (unsigned i = 0; i < 5; i++)      /* the first R's credit */
    now = depart_when_due (&flow, 1460, true, now);
  for (unsigned i = 0; i < 20; i++) {
    now += MS (2e3 * 1460 / stats_of (&flow).X_inst);
    CHECK (tfrc_sender_next_departure (flow.sender, 1460) < now);
    depart (&flow, 1460, true, now);
    CHECK (tfrc_sender_next_departure (flow.sender, 1460) <= now);
    depart (&flow, 1460, false, now);
  }
  t_i = flow.stamp.t_i_us;
  report (&flow, t_i, 0, 40000, 0, now + MS (150));
  CHECK (!stats_of (&flow).data_limited);
  free_flow (&flow);
}

TEST (a_flow_at_half_its_rate_is_data_limited)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = MS (1100);

  exchange (&flow, 1460, MS (100), 0, 0, MS (1000));
  for (unsigned i = 0; i < 20; i++)
    depart_when_due (&flow, 1460, false, now +=
        MS (2e3 * 1460 / stats_of (&flow).X_inst));
  report (&flow, flow.stamp.t_i_us, 0, 20000, 0, now + MS (100));
  CHECK (stats_of (&flow).data_limited);
  CHECK_INT (stats_of (&flow).data_limited_reports, 1);
  free_flow (&flow);
}

/* Limited by X so long before the packet that the next report names, which comes
 * `since` after the one before. */
static bool
is_data_limited_when_limited (TfrcTime before, TfrcTime since)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = 0;
  bool result;

  /* R = 100 ms, a packet each 20 ms, a report `since` after the one before */
  for (unsigned i = 0; i < 20; i++, now += since) {
    uint32_t t_i = depart (&flow, 20, false, now);

    for (TfrcTime t = MS (20); t < since; t += MS (20)) {
      if (t == MS (100))
        report (&flow, t_i, 0, i ? 1000 : 0, 0, now + t);
      depart (&flow, 20, false, now + t);
    }
  }
  tfrc_rate_limited_times_add (&flow.sender->limited, now - before);
  report (&flow, depart (&flow, 20, false, now), 0, 1000, 0, now + MS (100));
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-9);
  result = stats_of (&flow).data_limited;
  free_flow (&flow);
  return result;
}

TEST (a_report_covers_one_rtt_up_to_the_packet_that_it_names)
{
  CHECK (!is_data_limited_when_limited (MS (0), MS (120)));
  CHECK (!is_data_limited_when_limited (MS (99), MS (120)));
  CHECK (is_data_limited_when_limited (MS (100), MS (120)));
}

TEST (a_report_that_comes_seldom_covers_all_since_the_one_before)
{
  CHECK (!is_data_limited_when_limited (MS (99), MS (300)));
  CHECK (!is_data_limited_when_limited (MS (250), MS (300)));
}

/* --- fluid pacing --------------------------------------------------------------- */

TEST (fluid_pacing_spreads_a_burst_over_the_rtt)
{
  for (size_t i = 0; i < N_OF (v_ftcp); i++)
    for (unsigned loss = 0; loss < 2; loss++) {
      TfrcConfig config = make_config (TFRC_MODE_TFRC);
      double X = v_ftcp[i].cwnd_packets * 1000 / v_ftcp[i].R;
      double spacing = loss ? v_ftcp[i].spacing_ca : v_ftcp[i].spacing_ss;
      TfrcTime first;
      Flow flow;

      NOTE ("cwnd %g, p %s 0", v_ftcp[i].cwnd_packets, loss ? ">" : "==");
      config.pacing = TFRC_PACING_FLUID;
      flow = make_flow (&config, 0);
      exchange (&flow, 1000, MS (v_ftcp[i].R * 1e3), 0, loss ? 1e-7 : 0,
          MS (1000));
      flow.sender->rate.X = X;
      flow.sender->rate.tld = MS (2000);
      flow.sender->rate.recv_limit = X;
      tfrc_x_recv_set_replace (&flow.sender->rate.X_recv_set, X / 2, MS (2000));
      exchange (&flow, 1000, MS (v_ftcp[i].R * 1e3), 1, loss ? 1e-7 : 0,
          MS (1950));
      CHECK_REL (stats_of (&flow).X, X, 1e-9);
      /* a burst after an idle time: at most cwnd packets are within the credit */
      first = depart_when_due (&flow, 1000, true, MS (5000));
      CHECK_INT (first, MS (5000));
      if (v_ftcp[i].cwnd_packets >= 2)
        CHECK_NEAR ((double) (depart_when_due (&flow, 1000, true,
                    first) - first) * 1e-9, spacing, 1e-6);
      free_flow (&flow);
    }
}

TEST (mppn_lets_the_oldest_go)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow;

  config.pacing = TFRC_PACING_FLUID;
  config.mppn = 2;
  flow = make_flow (&config, 0);
  exchange (&flow, 1000, MS (100), 0, 0, MS (1000));
  depart (&flow, 1000, false, MS (2000));
  tfrc_sender_on_limited (flow.sender, MS (2000));
  CHECK_BETWEEN (tfrc_sender_next_departure (flow.sender, 1000), MS (2020),
      MS (2030));
  tfrc_sender_set_waiting (flow.sender, 2);
  CHECK (tfrc_sender_next_departure (flow.sender, 1000) <= MS (2000));
  free_flow (&flow);
}

/* --- the contract ----------------------------------------------------------------- */

TEST (a_clock_that_goes_back_is_held_and_counted)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, MS (5000));
  uint32_t t_i = depart (&flow, 1460, false, MS (6000));

  CHECK_INT (depart (&flow, 1460, false, MS (1000)), t_i);
  CHECK_INT (stats_of (&flow).clock_steps, 1);
  report (&flow, t_i, 0, 0, 0, MS (6100));
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-9);
  tfrc_sender_on_limited (flow.sender, 0);
  tfrc_sender_on_rtt (flow.sender, MS (1), 0);
  CHECK_INT (tfrc_sender_on_timer (flow.sender, 0), TFRC_SENDER_TIMER);
  CHECK_INT (stats_of (&flow).clock_steps, 4);
  CHECK_REL (stats_of (&flow).X, 43800, 1e-9);
  free_flow (&flow);
}

TEST (a_snapshot_is_a_memcpy_and_runs_on_alike)
{
  static TfrcSenderStats one[100], two[100];
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0), copy = make_flow (&config, 0);

  run_lossy (&flow, one, 50);
  memcpy (copy.sender, flow.sender, tfrc_sender_size (&flow.config));
  copy.stamp = flow.stamp;
  for (unsigned i = 0; i < 100; i++) {
    exchange (&flow, 500, MS (80), 9000, 0.02, MS (10000) + MS (200) * i);
    exchange (&copy, 500, MS (80), 9000, 0.02, MS (10000) + MS (200) * i);
    one[i] = stats_of (&flow);
    two[i] = stats_of (&copy);
  }
  for (unsigned i = 0; i < 100; i++)
    CHECK (is_same (&one[i], &two[i]));
  free_flow (&flow);
  free_flow (&copy);
}

TEST (a_restart_begins_anew_and_forgets_R_p_and_reports)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  exchange (&flow, 1460, MS (100), 0, 0.1, MS (1000));
  exchange (&flow, 1460, MS (100), 14600, 0.1, MS (2000));
  CHECK_INT (tfrc_sender_restart (flow.sender, MS (3000)),
      TFRC_SENDER_RATE | TFRC_SENDER_TIMER);
  CHECK_NEAR (stats_of (&flow).p, 0, 0);
  CHECK_NEAR (stats_of (&flow).R, 0, 0);
  CHECK_NEAR (stats_of (&flow).X, 1460, 1e-9);
  CHECK (stats_of (&flow).slow_start);
  CHECK_INT (tfrc_sender_next_timer (flow.sender), MS (5000));
  CHECK (tfrc_sender_next_departure (flow.sender, 1460) <= MS (3000));
  depart (&flow, 1460, false, MS (3000));
  CHECK_INT (flow.stamp.rtt_us, TFRC_RTT_UNKNOWN);
  report (&flow, flow.stamp.t_i_us, 0, 0, 0, MS (3200));
  CHECK_REL (stats_of (&flow).R, 0.2, 1e-9);
  CHECK_REL (stats_of (&flow).X, 21900, 1e-9);
  CHECK_INT (stats_of (&flow).packets, 3);
  free_flow (&flow);
}

/* Farstream aborts when R goes back to 0: the report of another receiver that makes the
 * flow begin anew is heard again after that, and brings R. */
TEST (a_report_heard_again_after_a_restart_brings_R_before_the_next_packet)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  exchange (&flow, 1460, MS (100), 0, 0.1, MS (1000));
  depart (&flow, 1460, false, MS (2000));
  report (&flow, flow.stamp.t_i_us, 0, 1460, 0, MS (2050));
  tfrc_sender_restart (flow.sender, MS (2050));
  report (&flow, flow.stamp.t_i_us, 0, 1460, 0, MS (2050));
  depart (&flow, 1460, false, MS (2100));
  CHECK_INT (flow.stamp.rtt_us, 50000);
  free_flow (&flow);
}

TEST (sizes_from_nothing_to_absurd_leave_every_figure_finite)
{
  static const uint32_t sizes[] = { 0, 1, 65535, UINT32_MAX };

  for (size_t i = 0; i < N_OF (sizes); i++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    Flow flow = make_flow (&config, 0);
    TfrcSenderStats stats;

    NOTE ("size %u", sizes[i]);
    for (unsigned j = 0; j < 50; j++)
      exchange (&flow, sizes[i], MS (100), 1e9, j * 0.01, MS (1000) * j);
    stats = stats_of (&flow);
    CHECK (isfinite (stats.X) && stats.X > 0);
    CHECK (isfinite (allowance_of (&flow).X_wire));
    CHECK (tfrc_sender_next_departure (flow.sender, sizes[i]) < TFRC_TIME_NONE);
    free_flow (&flow);
  }
}
