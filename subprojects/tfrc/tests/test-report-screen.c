/* libtfrc: tests of what a report must pass
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"

#include "sender/sender-private.h"

/* A voice flow of 160 bytes each 20 ms, R = 100 ms, one report each 100 ms. */
typedef struct
{
  Flow flow;
  TfrcTime now;                 /* of the last report */
  uint32_t t_i;                 /* it named this packet, */
  TfrcTime at;                  /* sent then */
} Call;

static Call
make_call (TfrcMode mode, unsigned reports, double p)
{
  TfrcConfig config = make_config (mode);
  Call call = { .flow = make_flow (&config, 0) };

  for (TfrcTime t = 0; t <= MS (100) * reports; t += MS (20)) {
    if (t % MS (100) == 0 && t > 0)
      report (&call.flow, call.t_i, 0, t > MS (100) ? 8000 : 0, p, call.now =
          t);
    depart (&call.flow, 160, false, t);
    if (t % MS (100) == 0) {
      call.t_i = call.flow.stamp.t_i_us;
      call.at = t;
    }
  }
  return call;
}

/* Refused for `reason`, and nothing else happens. */
static void
check_refused (Call * call, TfrcReject reason, uint32_t t_i, TfrcTime t_delay,
    TfrcTime now)
{
  TfrcSenderStats before = stats_of (&call->flow), after;
  TfrcTime timer = tfrc_sender_next_timer (call->flow.sender);
  TfrcTime next = tfrc_sender_next_departure (call->flow.sender, 160);

  CHECK_INT (report (&call->flow, t_i, t_delay, 1e6, 0, now),
      TFRC_SENDER_REJECTED);
  after = stats_of (&call->flow);
  CHECK_INT (after.rejected[reason], before.rejected[reason] + 1);
  before.rejected[reason]++;
  CHECK (is_same (&before, &after));
  CHECK_INT (tfrc_sender_next_timer (call->flow.sender), timer);
  CHECK_INT (tfrc_sender_next_departure (call->flow.sender, 160), next);
}

TEST (every_reason_has_a_name)
{
  for (unsigned i = 0; i < TFRC_N_REJECTS; i++) {
    CHECK (strlen (tfrc_reject_get_name (i)) > 0);
    for (unsigned j = 0; j < i; j++)
      CHECK (strcmp (tfrc_reject_get_name (i), tfrc_reject_get_name (j)) != 0);
  }
  CHECK_STR (tfrc_reject_get_name (TFRC_REJECT_UNKNOWN_T_I), "unknown-t-i");
  CHECK_STR (tfrc_reject_get_name (TFRC_N_REJECTS), "none");
}

TEST (a_report_before_any_packet_names_nothing)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Call call = { .flow = make_flow (&config, 0) };

  check_refused (&call, TFRC_REJECT_UNKNOWN_T_I, 0, 0, MS (1));
  check_refused (&call, TFRC_REJECT_UNKNOWN_T_I,
      call.flow.sender->history.origin, 0, MS (1));
  free_flow (&call.flow);
}

TEST (a_timestamp_that_was_not_sent_is_refused)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);

  check_refused (&call, TFRC_REJECT_UNKNOWN_T_I, call.t_i + 1, 0,
      call.now + MS (50));
  check_refused (&call, TFRC_REJECT_UNKNOWN_T_I, call.t_i - 1, 0,
      call.now + MS (50));
  check_refused (&call, TFRC_REJECT_UNKNOWN_T_I, call.t_i + 0x80000000u, 0,
      call.now + MS (50));
  free_flow (&call.flow);
}

TEST (a_timestamp_of_more_than_ten_seconds_ago_is_refused)
{
  for (unsigned over = 0; over < 2; over++) {
    Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);

    if (over)
      check_refused (&call, TFRC_REJECT_UNKNOWN_T_I, call.t_i, 0,
          call.at + MS (10001));
    else
      CHECK (report (&call.flow, call.t_i, 0, 8000, 0,
              call.at + MS (9999)) & TFRC_SENDER_TIMER);
    free_flow (&call.flow);
  }
}

TEST (a_report_that_was_overtaken_is_refused)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);
  uint32_t older = call.t_i - 20000;

  CHECK (report (&call.flow, call.t_i, 0, 8000, 0,
          call.now + MS (100)) & TFRC_SENDER_TIMER);
  check_refused (&call, TFRC_REJECT_OLD, older, 0, call.now + MS (110));
  /* a copy names no newer packet either */
  check_refused (&call, TFRC_REJECT_OLD, call.t_i, 0, call.now + MS (110));
  free_flow (&call.flow);
}

TEST (a_t_delay_longer_than_the_time_since_t_i_is_refused)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);

  check_refused (&call, TFRC_REJECT_T_DELAY, call.t_i, 600 * TFRC_USEC,
      call.at + 500 * TFRC_USEC);
  check_refused (&call, TFRC_REJECT_T_DELAY, call.t_i, UINT32_MAX * TFRC_USEC,
      call.at + MS (500));
  CHECK (report (&call.flow, call.t_i, MS (400), 8000, 0,
          call.at + MS (500)) & TFRC_SENDER_TIMER);
  free_flow (&call.flow);
}

TEST (an_rtt_of_nothing_or_over_what_a_stamp_can_say_is_refused)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);

  check_refused (&call, TFRC_REJECT_RTT, call.t_i, MS (500),
      call.at + MS (500));
  free_flow (&call.flow);

  call.flow = make_flow (&config, 0);
  call.t_i = depart (&call.flow, 160, false, MS (10));
  CHECK (report (&call.flow, call.t_i, 0, 0, 0,
          MS (10) + MS (16777)) & TFRC_SENDER_TIMER);
  /* R is known now, and so long that 8 R let in what is older than ten seconds */
  call.t_i = depart (&call.flow, 160, false, MS (20000));
  check_refused (&call, TFRC_REJECT_RTT, call.t_i, 0, MS (20000) + MS (16778));
  free_flow (&call.flow);
}

#define FLOOD_PACKETS 3000      /* packets that flood () sends */

/* Sends a packet each ms. From `R_ms` on a report each ms names the packet of R ago. Fills in when
 * reports were taken. */
static void
flood (Flow * flow, unsigned R_ms, TfrcTime * taken, unsigned *n_taken)
{
  static uint32_t t_i[FLOOD_PACKETS];

  *n_taken = 0;
  for (unsigned i = 0; i < FLOOD_PACKETS; i++) {
    TfrcTime now = MS (1) * i;

    t_i[i] = depart (flow, 160, false, now);
    if (i >= R_ms && report (flow, t_i[i - R_ms], 0, i ? 160000 : 0, 0, now + 1)
        != TFRC_SENDER_REJECTED)
      taken[(*n_taken)++] = now;
  }
}

TEST (no_more_than_four_reports_in_one_rtt_are_taken)
{
  static const unsigned most[] = { 4, 4, 8, 8 };
  static TfrcTime taken[FLOOD_PACKETS];

  for (unsigned k = 1; k <= 4; k++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC);
    unsigned n;
    Flow flow;

    NOTE ("k %u", k);
    config.feedbacks_per_rtt = k;
    flow = make_flow (&config, 0);
    flood (&flow, 100, taken, &n);
    CHECK_BETWEEN (n, 29 * most[k - 1], 30 * most[k - 1]);
    for (unsigned i = most[k - 1]; i < n; i++)
      CHECK (taken[i] - taken[i - most[k - 1]] >= MS (100));
    CHECK_INT (stats_of (&flow).rejected[TFRC_REJECT_FLOOD],
        FLOOD_PACKETS - 100 - n);
    free_flow (&flow);
  }
}

TEST (ten_thousand_copies_of_a_report_are_one_report)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);
  TfrcSenderStats before, after;

  report (&call.flow, call.t_i, 0, 8000, 0, call.now + MS (100));
  before = stats_of (&call.flow);
  for (unsigned i = 1; i <= 10000; i++)
    CHECK_INT (report (&call.flow, call.t_i, 0, 8000, 0,
            call.now + MS (100) + MS (0.1) * i), TFRC_SENDER_REJECTED);
  after = stats_of (&call.flow);
  CHECK_REL (after.X, before.X, 0);
  CHECK_REL (after.R, before.R, 0);
  CHECK_INT (after.reports, before.reports);
  free_flow (&call.flow);
}

TEST (a_t_delay_that_another_packet_belies_cannot_halve_R)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0);
  TfrcTime now = call.now;

  /* R is 100 ms and each report pretends to have waited 90 of them */
  for (unsigned i = 0; i < 200; i++, now += MS (100)) {
    NOTE ("report %u", i);
    for (unsigned j = 1; j <= 4; j++)
      depart (&call.flow, 160, false, now + MS (20) * j);
    CHECK (report (&call.flow, call.t_i, MS (90), 8000, 0,
            now + MS (100)) & TFRC_SENDER_TIMER);
    call.t_i = depart (&call.flow, 160, false, now + MS (100));
    CHECK_BETWEEN (stats_of (&call.flow).R, 0.05, 0.1);
  }
  CHECK_INT (stats_of (&call.flow).limited_t_delay, 200);
  free_flow (&call.flow);
}

TEST (an_rtt_from_rtcp_bounds_what_t_delay_hides)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  uint32_t t_i;

  /* the receiver lies from its first report on; RTCP measures the true R */
  t_i = depart (&flow, 160, false, MS (0));
  depart (&flow, 160, false, MS (20));
  report (&flow, t_i, MS (90), 0, 0, MS (100));
  CHECK_REL (stats_of (&flow).R, 0.01, 1e-9);
  tfrc_sender_on_rtt (flow.sender, MS (100), MS (150));
  t_i = depart (&flow, 160, false, MS (200));
  for (unsigned i = 1; i < 6; i++)
    depart (&flow, 160, false, MS (200) + MS (20) * i);
  report (&flow, t_i, MS (90), 8000, 0, MS (300));
  CHECK_REL (stats_of (&flow).R, 0.9 * 0.01 + 0.1 * 0.05, 1e-9);
  CHECK_INT (stats_of (&flow).limited_t_delay, 1);
  free_flow (&flow);
}

TEST (a_report_that_waited_for_want_of_packets_is_believed)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0);
  double R = stats_of (&call.flow).R;

  /* nothing was sent after t_i, so nothing belies any wait */
  report (&call.flow, call.t_i, MS (400), 8000, 0, call.now + MS (420));
  CHECK_REL (stats_of (&call.flow).R, 0.9 * R + 0.1 * 0.02, 1e-9);
  CHECK_INT (stats_of (&call.flow).limited_t_delay, 0);
  free_flow (&call.flow);
}

TEST (no_one_receives_faster_than_was_sent)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0);

  report (&call.flow, call.t_i, 0, UINT32_MAX, 0, call.now + MS (100));
  CHECK_BETWEEN (stats_of (&call.flow).X_recv, 8000, 8800);
  CHECK (stats_of (&call.flow).recv_limit <= 17600 + 1e-6);
  CHECK_INT (stats_of (&call.flow).limited_x_recv, 1);
  free_flow (&call.flow);
}

TEST (a_true_receive_rate_is_not_touched)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0);

  report (&call.flow, call.t_i, 0, 8799, 0, call.now + MS (100));
  CHECK_NEAR (stats_of (&call.flow).X_recv, 8799, 0);
  CHECK_INT (stats_of (&call.flow).limited_x_recv, 0);
  free_flow (&call.flow);
}

TEST (a_lying_receiver_gets_no_more_than_twice_what_is_sent)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  uint32_t t_i[5];

  for (unsigned i = 0; i < 3000; i++) { /* a minute */
    TfrcTime now = MS (20) * i;

    t_i[i % 5] = depart (&flow, 160, i % 2, now);
    if (i % 2 && i >= 5)
      report (&flow, t_i[(i + 1) % 5], 0, UINT32_MAX, 0, now + MS (20));
    NOTE ("packet %u", i);
    CHECK (i < 100 || stats_of (&flow).X <= 2.0 * 8800 + 1e-6);
  }
  CHECK (stats_of (&flow).reports > 1000);
  free_flow (&flow);
}

TEST (p_cannot_fall_faster_than_packets_arrive)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0.1);
  TfrcTime now = call.now + MS (120);

  for (unsigned i = 1; i <= 16; i++, now += MS (20))
    depart (&call.flow, 160, false, now);
  /* the newest of 20 packets sent since the one that was named last: 4 in make_call */
  CHECK_INT (call.flow.sender->history.n - 1 - call.flow.sender->screen.newest,
      21);
  report (&call.flow, call.flow.stamp.t_i_us - 20000, 0, 8000, 0.001,
      now + MS (80));
  CHECK_REL (1.0 / stats_of (&call.flow).p, 10 + 21, 1e-6);
  CHECK_INT (stats_of (&call.flow).limited_p, 1);
  CHECK_INT (stats_of (&call.flow).loss_reports, 1);
  free_flow (&call.flow);
}

TEST (p_may_rise_as_it_will_and_fall_as_the_packets_allow)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0.1);

  report (&call.flow, call.t_i, 0, 8000, 1.0 / 14.9, call.now + MS (100));
  CHECK_REL (stats_of (&call.flow).p, 1.0 / 14.9, 1e-6);
  CHECK_INT (stats_of (&call.flow).limited_p, 0);
  depart (&call.flow, 160, false, call.now + MS (110));
  report (&call.flow, call.flow.stamp.t_i_us, 0, 8000, 0.9,
      call.now + MS (210));
  CHECK_REL (stats_of (&call.flow).p, 0.9, 1e-6);
  CHECK_INT (stats_of (&call.flow).limited_p, 0);
  free_flow (&call.flow);
}

/* 1/p grows by the packets sent since the last report and one, whether the receiver
 * says that there is less loss or none. */
TEST (a_receiver_that_takes_its_losses_back_neither_starts_anew_nor_starves_the_flow)
{
  static const double reported[] = { 0, 0.0001 };

  for (unsigned k = 0; k < N_OF (reported); k++) {
    Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0.5);
    double packets = 5;         /* sent after the one that the last report named */
    TfrcTime now = call.now + MS (200);

    for (unsigned i = 0; i < 100; i++, packets = 0) {
      double I = 1 / stats_of (&call.flow).p;

      exchange (&call.flow, 160, MS (100), 8000, reported[k],
          now + MS (110) * i);
      packets++;
      NOTE ("p %g, report %u", reported[k], i);
      CHECK_REL (1 / stats_of (&call.flow).p, I + packets + 1, 1e-9);
      CHECK (!stats_of (&call.flow).slow_start);
    }
    CHECK_INT (stats_of (&call.flow).limited_p, 100);
    CHECK_INT (stats_of (&call.flow).loss_reports, 1);
    free_flow (&call.flow);
  }
}

TEST (a_report_that_heals_a_loss_names_the_packet_of_the_one_before)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0.05);
  double T_report = stats_of (&call.flow).T_report;
  TfrcTime now = call.now + MS (100);

  CHECK (report (&call.flow, call.t_i, MS (1), 8000, 0.1,
          now) & TFRC_SENDER_LOSS);
  T_report = stats_of (&call.flow).T_report;
  /* a copy, one that says that it waited no longer, one that heals nothing */
  check_refused (&call, TFRC_REJECT_OLD, call.t_i, MS (1), now + MS (15));
  CHECK_INT (report (&call.flow, call.t_i, MS (16), 8000, 0.1, now + MS (15)),
      TFRC_SENDER_REJECTED);
  CHECK (report (&call.flow, call.t_i, MS (16), 8000, 0.05,
          now + MS (15)) & TFRC_SENDER_TIMER);
  CHECK_REL (1 / stats_of (&call.flow).p, 11, 1e-6);
  CHECK_REL (stats_of (&call.flow).T_report, T_report, 0);
  CHECK_REL (stats_of (&call.flow).R, 0.1, 0.02);
  /* and its copy, and an older packet */
  check_refused (&call, TFRC_REJECT_OLD, call.t_i, MS (16), now + MS (20));
  check_refused (&call, TFRC_REJECT_OLD, call.t_i - 20000, MS (40),
      now + MS (20));
  CHECK_INT (stats_of (&call.flow).loss_reports, 2);
  free_flow (&call.flow);
}

/* The limit on p hides how low the receiver's was; its next loss event is one. */
TEST (a_loss_event_after_healed_ones_shows_in_the_receivers_own_p)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 10, 0.5);
  TfrcTime now = call.now + MS (200);

  exchange (&call.flow, 160, MS (100), 8000, 0, now);
  CHECK_REL (1 / stats_of (&call.flow).p, 2 + 6 + 1, 1e-6);
  depart (&call.flow, 160, false, now + MS (110));
  CHECK (report (&call.flow, call.flow.stamp.t_i_us, 0, 8000, 0.01,
          now + MS (210)) & TFRC_SENDER_LOSS);
  CHECK_REL (1 / stats_of (&call.flow).p, 9 + 1 + 1, 1e-6);
  CHECK_INT (stats_of (&call.flow).loss_reports, 2);
  free_flow (&call.flow);
}

/* Reports that say `p`, one after the other, each of a packet more; the last as checked. */
static TfrcChecked
check_sequence (TfrcScreen * screen, const double *p, unsigned n)
{
  TfrcSent ring[64];
  TfrcSendHistory history;
  TfrcRtt rtt;
  TfrcChecked checked = { 0 };

  tfrc_send_history_init (&history, N_OF (ring), 1);
  tfrc_rtt_init (&rtt, 0.9);
  for (unsigned i = 0; i < n; i++) {
    TfrcTime now = MS (20) * (i + 1);
    TfrcReport r = {
      .t_i_us = tfrc_send_history_add (&history, ring, 160, 0, now),
      .p_q32 = tfrc_report_encode_p (p[i]),
    };

    CHECK (tfrc_screen_check (screen, &r, &rtt, &history, ring, now + MS (10),
            &checked));
    tfrc_rtt_add_sample (&rtt, checked.R_sample);
  }
  return checked;
}

TEST (a_loss_event_is_taken_back_by_a_p_that_no_packets_explain)
{
  static const struct
  {
    double p[4];
    unsigned n;
    bool healed;
  } sequences[] = {
    {{0, 0.1, 0}, 3, true},
    {{0.02, 0.1, 0.02}, 3, true},
    {{0.02, 0.1, 0}, 3, true},
    {{0.02, 0.1, 0.05}, 3, false},      /* a part of it */
    {{0.49, 0.5, 0.49}, 3, false},      /* as slowly as packets arrive */
    {{0.02, 0.1, 0, 0}, 4, false},      /* it was taken back before */
    {{0, 0.1, 0.1}, 3, false},
    {{0, 0.1}, 2, false},
  };

  for (size_t i = 0; i < N_OF (sequences); i++) {
    TfrcScreen screen;

    NOTE ("sequence %zu", i);
    tfrc_screen_init (&screen, 1);
    CHECK_INT (check_sequence (&screen, sequences[i].p, sequences[i].n).healed,
        sequences[i].healed);
  }
}

TEST (after_a_restart_any_p_is_a_loss_event)
{
  static const double before[] = { 0.5 }, after[] = { 0.1 };
  TfrcScreen screen;

  tfrc_screen_init (&screen, 1);
  CHECK (check_sequence (&screen, before, 1).loss);
  tfrc_screen_restart (&screen);
  CHECK (check_sequence (&screen, after, 1).loss);
  CHECK_REL (screen.p, 0.1, 1e-6);
}

/* 2^32 us: reports across every wrap of the timestamp, at any origin. */
TEST (reports_are_found_across_the_wrap_of_the_timestamp)
{
  for (unsigned seed = 0; seed < 8; seed++) {
    TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
    uint32_t before = 0;
    unsigned wraps = 0;
    Flow flow;

    config.seed = seed;
    flow = make_flow (&config, 0);
    for (TfrcTime t = 0; t < 9000 * TFRC_SEC; t += MS (900)) {
      CHECK (exchange (&flow, 160, MS (100), t ? 1600 : 0, 0,
              t) & TFRC_SENDER_TIMER);
      wraps += flow.stamp.t_i_us < before;
      before = flow.stamp.t_i_us;
    }
    CHECK (wraps == 2 || wraps == 3);
    CHECK_REL (stats_of (&flow).R, 0.1, 1e-6);
    free_flow (&flow);
  }
}

static uint64_t
next_random (uint64_t * state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static TfrcReport
make_random_report (uint64_t * state, uint32_t t_i)
{
  uint64_t choice = next_random (state);
  TfrcReport r = {
    .t_i_us = choice & 1 ? t_i - (uint32_t) (next_random (state) % 3) * 20000 : (uint32_t) next_random (state),
    .t_delay_us = choice & 2 ? (uint32_t) (next_random (state) % 100000) : (uint32_t) next_random (state),
    .x_recv_Bps = (uint32_t) (next_random (state) >> (choice >> 8) % 64),
    .p_q32 =
        choice & 4 ? 0 : (uint32_t) next_random (state) >> (choice >> 16) % 32,
  };

  if (choice & 8)
    r.t_delay_us = 0;
  return r;
}

static void
check_sane (const Flow * flow, TfrcTime now)
{
  TfrcSenderStats stats = stats_of (flow);
  TfrcAllowance allowance = allowance_of (flow);

  CHECK (isfinite (stats.X) && stats.X >= stats.s / 64 * (1 - 1e-9));
  CHECK (isfinite (stats.X_inst) && stats.X_inst > 0 && isfinite (stats.G));
  CHECK_BETWEEN (stats.p, 0, 1);
  CHECK_BETWEEN (stats.R, 0, 16.8);
  CHECK_BETWEEN (stats.T_report, 0, 5);
  CHECK (isfinite (allowance.X_wire) && allowance.X_wire >= allowance.X);
  CHECK (tfrc_sender_next_timer (flow->sender) <= now + 200 * TFRC_SEC);
  CHECK (tfrc_sender_next_departure (flow->sender,
          160) <= now + 400 * TFRC_SEC);
}

/* A million reports of every kind, at random times, with packets in between. */
TEST (no_report_whatever_breaks_the_sender)
{
  uint64_t state = 88172645463325252u;
  unsigned taken = 0;

  for (unsigned mode = 0; mode < 4; mode++) {
    TfrcConfig config =
        make_config (mode & 1 ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
    TfrcTime now = 0;
    Flow flow;

    config.pacing = mode & 2 ? TFRC_PACING_FLUID : TFRC_PACING_RFC;
    config.history_packets = 64;
    flow = make_flow (&config, 0);
    for (unsigned i = 0; i < 250000; i++) {
      TfrcReport r = make_random_report (&state, flow.stamp.t_i_us);

      now += next_random (&state) >> (34 + next_random (&state) % 16);
      NOTE ("mode %u, report %u", mode, i);
      taken +=
          tfrc_sender_on_report (flow.sender, &r, now) != TFRC_SENDER_REJECTED;
      if (i % 3 == 0 && tfrc_sender_next_departure (flow.sender, 700) <= now)
        depart (&flow, next_random (&state) % 700, i % 2, now);
      if (tfrc_sender_next_timer (flow.sender) <= now)
        tfrc_sender_on_timer (flow.sender, now);
      check_sane (&flow, now);
    }
    free_flow (&flow);
  }
  CHECK (taken > 10000);
}

static void
sample (Call * call, uint32_t t_i, TfrcTime t_delay, TfrcTime now)
{
  TfrcReport times = {
    .t_i_us = t_i,
    .t_delay_us = (uint32_t) (t_delay / TFRC_USEC)
  };

  tfrc_sender_on_rtt_sample (call->flow.sender, &times, now);
}

TEST (feedback_between_reports_moves_R_and_not_X)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0.01);
  TfrcSenderStats before = stats_of (&call.flow);
  TfrcTime timer = tfrc_sender_next_timer (call.flow.sender);

  sample (&call, call.t_i, MS (100), call.at + MS (400));
  CHECK_REL (stats_of (&call.flow).R, 0.9 * before.R + 0.1 * 0.3, 1e-9);
  CHECK_REL (stats_of (&call.flow).X, before.X, 1e-9);
  CHECK_INT (tfrc_sender_next_timer (call.flow.sender), timer);
  /* the next packet has the new R, */
  depart (&call.flow, 160, false, call.at + MS (400));
  CHECK_INT (call.flow.stamp.rtt_us, 120000);
  /* and a report may name the same packet */
  CHECK (report (&call.flow, call.t_i, MS (100), 8000, 0.01,
          call.at + MS (410)) & TFRC_SENDER_TIMER);
  CHECK (stats_of (&call.flow).X_Bps < 0.9 * before.X_Bps);
  free_flow (&call.flow);
}

TEST (feedback_before_the_first_report_does_not_move_R)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Call call = { .flow = make_flow (&config, 0) };
  uint32_t t_i = depart (&call.flow, 160, false, MS (0));

  sample (&call, t_i, 0, MS (100));
  CHECK (stats_of (&call.flow).R == 0.0);
  free_flow (&call.flow);
}

TEST (feedback_with_impossible_times_does_not_move_R)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);
  TfrcSenderStats before = stats_of (&call.flow), after;

  sample (&call, call.t_i + 1, 0, call.now + MS (50));
  sample (&call, call.t_i, MS (60), call.at + MS (50));
  /* it was overtaken */
  sample (&call, call.t_i - 120000, 0, call.now + MS (100));
  after = stats_of (&call.flow);
  CHECK (is_same (&before, &after));
  free_flow (&call.flow);
}

/* The packets after t_i belie the wait, so that R_sample is half of the shortest one that is certain. */
TEST (feedback_cannot_make_R_shorter_by_a_long_t_delay)
{
  Call call = make_call (TFRC_MODE_TFRC_SP, 5, 0);
  double R = stats_of (&call.flow).R;

  for (unsigned i = 1; i < 6; i++)
    depart (&call.flow, 160, false, call.at + MS (20) * i);
  sample (&call, call.t_i, MS (95), call.at + MS (100));
  CHECK_REL (stats_of (&call.flow).R, 0.9 * R + 0.1 * 0.05, 1e-9);
  CHECK_INT (stats_of (&call.flow).limited_t_delay, 1);
  free_flow (&call.flow);
}
