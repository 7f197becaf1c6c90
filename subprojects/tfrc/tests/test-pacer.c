/* libtfrc: tests of departure times
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "sender/fluid-pacing-factor.h"
#include "sender/pacer.h"

#define MS(T) ((TfrcTime) ((T) * 1e6))

/* X bytes/s, R in seconds (0: unknown to the pacer's credit), mean size s. */
static TfrcPacerRate
make_rate (double X, double R, double s)
{
  return (TfrcPacerRate) {
      .t_byte = 1e9 / X,
      .s = s,
      .R = (int64_t) (R * 1e9 + 0.5)};
}

static TfrcPacer
make_pacer (double X, double R, double s)
{
  TfrcPacerRate rate = make_rate (X, R, s);
  TfrcPacer pacer;

  tfrc_pacer_init (&pacer, 0, 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  return pacer;
}

/* Sends one packet as soon as it may leave, at or after `now`. */
static TfrcTime
send (TfrcPacer * pacer, uint32_t size, bool backlogged, TfrcTime now)
{
  TfrcTime t = tfrc_pacer_next (pacer, size);

  if (t < now)
    t = now;
  tfrc_pacer_on_departure (pacer, size, backlogged, t);
  return t;
}

/* Packets of `size` that may leave at `now` one behind the other. */
static unsigned
count_burst (TfrcPacer * pacer, uint32_t size, TfrcTime now)
{
  unsigned n = 0;

  for (; n < 100000 && tfrc_pacer_next (pacer, size) <= now; n++)
    tfrc_pacer_on_departure (pacer, size, true, now);
  return n;
}

TEST (the_first_packet_leaves_at_once)
{
  TfrcPacer pacer = make_pacer (10, 0, 160);

  CHECK_INT (tfrc_pacer_next (&pacer, 1460), 0);
}

TEST (packets_leave_s_over_X_apart)
{
  TfrcPacer pacer = make_pacer (8000, 0.1, 160);

  send (&pacer, 160, true, MS (1000));
  for (unsigned i = 1; i < 50 - 4; i++)
    send (&pacer, 160, true, MS (1000));
  /* 5 at once, the credit of R, then one each 20 ms */
  CHECK_INT (send (&pacer, 160, true, MS (1000)), MS (1000) + 42 * MS (20));
}

TEST (each_packet_waits_for_its_own_bytes)
{
  TfrcPacer pacer = make_pacer (8000, 0, 160);

  send (&pacer, 160, true, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 80), MS (1010));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1020));
  CHECK_INT (tfrc_pacer_next (&pacer, 800), MS (1100));
}

TEST (headers_count_in_tfrc_sp)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = make_rate (10000, 0, 160);       /* X_wire = 8000 (160 + 40) / 160 */

  rate.t_packet = 40 * rate.t_byte;
  tfrc_pacer_init (&pacer, 0, MS (10), 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  send (&pacer, 160, true, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1020));
  CHECK_INT (tfrc_pacer_next (&pacer, 360), MS (1040));
  CHECK_INT (tfrc_pacer_next (&pacer, 80), MS (1012));
}

TEST (a_burst_is_at_most_one_rtt_of_bytes_or_one_packet)
{
  for (size_t i = 0; i < N_OF (v_burst_limit); i++) {
    uint32_t s = (uint32_t) v_burst_limit[i].s;
    TfrcPacer pacer = make_pacer (v_burst_limit[i].X, v_burst_limit[i].R, s);
    double most = fmax (v_burst_limit[i].max_burst_packets, 1);

    NOTE ("vector %zu", i);
    send (&pacer, s, false, MS (1000));
    CHECK_INT (count_burst (&pacer, s, MS (6000)), most);
    /* and no more come of waiting for another hour */
    CHECK_INT (count_burst (&pacer, s, MS (3606000)), most);
  }
}

TEST (a_burst_of_mixed_sizes_is_at_most_one_rtt_of_bytes)
{
  uint32_t seed = 1;

  for (unsigned i = 0; i < 2000; i++) {
    double R = 0.001 + 0.2 * (i % 50) / 50.0, X = 2000.0 + 300.0 * i, sent = 0;
    TfrcPacer pacer = make_pacer (X, R, 500);
    TfrcTime now = MS (1000);
    unsigned n = 0;

    for (unsigned j = 0; j < 300; j++) {
      uint32_t size = 20 + (seed = seed * 1664525u + 1013904223u) % 1400;
      TfrcTime t = tfrc_pacer_next (&pacer, size);

      /* now and then an idle time, a late wake-up, and else just in time */
      if (t <= now) {
        sent += size, n++;
      } else {
        sent = size, n = 1;
        now = t + (j % 3 == 0 ? MS (seed % 17) : 0);
      }
      if (j % 50 == 0)
        now += MS (2000), sent = size, n = 1;
      NOTE ("X %g, R %g, packet %u", X, R, j);
      CHECK (n == 1 || sent <= X * R + 1e-3);
      tfrc_pacer_on_departure (&pacer, size, j % 7 != 0, now);
    }
  }
}

TEST (unused_send_times_of_the_last_rtt_alone_are_kept)
{
  TfrcPacer pacer = make_pacer (100000, 0.1, 1000);     /* t_ipi 10 ms */

  send (&pacer, 1000, false, MS (1000));
  CHECK_INT (count_burst (&pacer, 1000, MS (1500)), 10);        /* idle for 0.5 s: not 50 */
  CHECK_INT (count_burst (&pacer, 1000, MS (1500)), 0);
  CHECK_INT (count_burst (&pacer, 1000, MS (1530)), 3);
}

TEST (the_schedule_is_kept_from_nominal_times_although_wake_ups_are_late)
{
  static const double rtt[] = { 0.1, 0.01, 0.001 };
  uint32_t seed = 7;

  for (size_t i = 0; i < N_OF (rtt); i++) {
    TfrcPacer pacer = make_pacer (8000, rtt[i], 160);
    TfrcTime first = 0, last = 0;

    NOTE ("R %g", rtt[i]);
    count_burst (&pacer, 160, MS (1000));
    for (unsigned j = 0; j <= 1000; j++) {
      last = tfrc_pacer_next (&pacer, 160) + (seed =
          seed * 1664525u + 1013904223u) % 3000000;
      if (j == 0)
        first = last;
      tfrc_pacer_on_departure (&pacer, 160, true, last);
    }
    CHECK_NEAR ((double) (last - first) / 1000.0, 20e6, 3000);
  }
}

TEST (late_wake_ups_make_no_burst)
{
  TfrcPacer pacer = make_pacer (8000, 0.001, 160);

  send (&pacer, 160, true, MS (1000));
  tfrc_pacer_on_departure (&pacer, 160, true, MS (1200));       /* 180 ms late */
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1210)); /* half an interval made up for */
  tfrc_pacer_on_departure (&pacer, 160, true, MS (1210));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1230));
}

TEST (an_idle_time_is_not_made_up_for_like_a_late_wake_up)
{
  TfrcPacer pacer = make_pacer (8000, 0.001, 160);

  send (&pacer, 160, false, MS (1000));
  tfrc_pacer_on_departure (&pacer, 160, false, MS (1200));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1220));
}

TEST (t_delta_is_that_of_rfc_5348_8_3)
{
  for (size_t i = 0; i < N_OF (v_t_delta); i++) {
    int64_t t_delta =
        tfrc_pacer_get_t_delta ((int64_t) (v_t_delta[i].t_ipi * 1e9 + 0.5),
        (int64_t) (v_t_delta[i].t_gran * 1e9 + 0.5),
        (int64_t) (v_t_delta[i].rtt * 1e9 + 0.5));

    NOTE ("vector %zu", i);
    CHECK_NEAR (t_delta, v_t_delta[i].t_delta * 1e9, 0.5);
  }
  CHECK_INT (tfrc_pacer_get_t_delta (1000, 400, 0), 200);
}

TEST (a_packet_may_leave_t_delta_early_and_the_rate_stays)
{
  TfrcPacerRate rate = make_rate (8000, 0.1, 160);
  TfrcPacer pacer;
  TfrcTime first = 0, t = 0;

  tfrc_pacer_init (&pacer, MS (1), 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  for (unsigned i = 0; i < 1000; i++) {
    t = send (&pacer, 160, true, MS (1000));
    if (i == 10)
      first = t;
  }
  CHECK_INT ((t - first) / 989, MS (20));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), t + MS (20));
  /* X_R bytes back to back, not one packet more because of t_delta */
  CHECK_INT (count_burst (&pacer, 160, t + MS (5000)), 5);
}

TEST (the_min_interval_of_tfrc_sp_survives_X_credit_and_t_delta)
{
  for (size_t i = 0; i < v_min_interval.n_spacing; i++) {
    uint32_t s = (uint32_t) v_min_interval.spacing[i].s_true;
    TfrcPacerRate rate =
        make_rate (v_min_interval.spacing[i].X_data_Bps, 0.5, s);
    TfrcTime t_min = MS (10), last, t;
    TfrcPacer pacer;

    NOTE ("spacing %zu", i);
    tfrc_pacer_init (&pacer, MS (1), t_min, 0);
    tfrc_pacer_set_rate (&pacer, &rate, 0);
    last = send (&pacer, s, true, MS (1000));
    /* after a second's silence with a backlog: credit, but 10 ms apart */
    last = send (&pacer, s, true, last + MS (1000));
    for (unsigned j = 0; j < 2000; j++, last = t) {
      t = send (&pacer, s, true, last);
      CHECK (t - last >= t_min);
      if (j == 0)
        CHECK_INT (t - last, t_min);
    }
    CHECK_NEAR (send (&pacer, s, true, last) - last,
        v_min_interval.spacing[i].t_ipi_s * 1e9, 1);
  }
}

/* X allows a packet each 5 ms, the mode one each 10 ms, and then X falls. */
static void
check_fall_after_min_interval (TfrcTime late, bool backlogged)
{
  TfrcPacerRate fast = make_rate (160 / 0.005, 0.1, 160), slow =
      make_rate (160 / 0.02, 0.1, 160);
  TfrcTime t = MS (1000);
  TfrcPacer pacer;

  tfrc_pacer_init (&pacer, 0, MS (10), 0);
  /* no credit to begin with */
  tfrc_pacer_set_rate (&pacer, &(TfrcPacerRate) {
          .t_byte = fast.t_byte,
          .s = 160}, 0);
  tfrc_pacer_on_departure (&pacer, 160, backlogged, t);
  tfrc_pacer_set_rate (&pacer, &fast, t);
  for (unsigned i = 0; i < 500; i++) {
    t = tfrc_pacer_next (&pacer, 160) + late;
    tfrc_pacer_on_departure (&pacer, 160, backlogged, t);
  }
  tfrc_pacer_set_rate (&pacer, &slow, t);
  CHECK_INT (send (&pacer, 160, true, t), t + MS (20));
  CHECK_INT (send (&pacer, 160, true, t), t + MS (40));
}

TEST (what_the_min_interval_keeps_back_is_no_credit)
{
  check_fall_after_min_interval (0, true);
  check_fall_after_min_interval (MS (0.1), true);
  check_fall_after_min_interval (0, false);
}

TEST (a_wait_that_a_rise_of_X_ends_is_not_waited_again)
{
  TfrcPacerRate slow = { .t_packet = 1e9, .s = 160 }, fast =
      make_rate (1e6, 0.001, 160);
  TfrcTime t = MS (1000);
  TfrcPacer pacer;

  tfrc_pacer_init (&pacer, 0, MS (10), 0);
  tfrc_pacer_set_rate (&pacer, &slow, 0);
  tfrc_pacer_on_departure (&pacer, 160, false, t);
  tfrc_pacer_set_waiting (&pacer, 1);
  tfrc_pacer_set_rate (&pacer, &fast, MS (1400));
  t = send (&pacer, 160, true, MS (1400));
  CHECK (t <= MS (1401));
  for (unsigned i = 0; i < 10; i++, t += MS (10))
    CHECK_INT (send (&pacer, 160, true, t), t + MS (10));
}

TEST (credit_of_an_idle_time_lasts_while_the_min_interval_holds)
{
  TfrcPacerRate fast = make_rate (160 / 0.005, 0.1, 160), slow =
      make_rate (160 / 0.02, 0.1, 160);
  TfrcTime t = MS (5000);
  TfrcPacer pacer;

  tfrc_pacer_init (&pacer, 0, MS (10), 0);
  tfrc_pacer_set_rate (&pacer, &fast, 0);
  tfrc_pacer_on_departure (&pacer, 160, false, MS (1000));
  tfrc_pacer_on_departure (&pacer, 160, true, t);
  for (unsigned i = 0; i < 50; i++)
    t = send (&pacer, 160, true, t);
  tfrc_pacer_set_rate (&pacer, &slow, t);
  /* 90 ms of R are left, of which each packet takes 10 ms */
  for (unsigned i = 0; i < 9; i++, t += MS (10))
    CHECK_INT (send (&pacer, 160, true, t), t + MS (10));
  CHECK_INT (send (&pacer, 160, true, t), t + MS (20));
}

TEST (the_min_interval_counts_from_the_departure_itself)
{
  TfrcPacerRate rate = make_rate (1e6, 0.1, 160);
  TfrcPacer pacer;

  tfrc_pacer_init (&pacer, 0, MS (10), 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  tfrc_pacer_on_departure (&pacer, 160, true, MS (1000));
  tfrc_pacer_on_departure (&pacer, 160, true, MS (1013));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1023));
}

/* Any 30 ms, begin included and end not, hold at most three packets. */
static bool
is_rfc5622_count (const double *ms, size_t n)
{
  for (size_t i = 0; i + 3 < n; i++)
    if (ms[i + 3] - ms[i] < 30.0)
      return false;
  return true;
}

static bool
is_strict (const double *ms, size_t n)
{
  for (size_t i = 0; i + 1 < n; i++)
    if (ms[i + 1] - ms[i] < 10.0)
      return false;
  return true;
}

TEST (departures_ten_ms_apart_are_never_more_than_three_in_thirty_ms)
{
  for (size_t i = 0; i < v_min_interval.n_window_30ms; i++) {
    const double *ms = v_min_interval.window_30ms[i].send_times_ms;
    size_t n = v_min_interval.window_30ms[i].n_send_times_ms;
    TfrcPacerRate rate = make_rate (1e9, 1.0, 160);
    double left[8];
    TfrcPacer pacer;

    NOTE ("window %zu", i);
    CHECK_INT (is_rfc5622_count (ms, n),
        v_min_interval.window_30ms[i].ok_rfc5622_count);
    CHECK_INT (is_strict (ms, n), v_min_interval.window_30ms[i].ok_strict_10ms);
    /* asked to send at these times, the pacer makes every one of them strict */
    tfrc_pacer_init (&pacer, MS (1), MS (10), 0);
    tfrc_pacer_set_rate (&pacer, &rate, 0);
    for (size_t j = 0; j < n; j++)
      left[j] = (double) send (&pacer, 160, true, MS (ms[j])) * 1e-6;
    CHECK (is_strict (left, n) && is_rfc5622_count (left, n));
  }
}

TEST (the_caps_of_tfrc_sp_are_one_packet_in_ten_ms)
{
  for (size_t i = 0; i < v_min_interval.n_caps; i++) {
    uint32_t s = (uint32_t) v_min_interval.caps[i].s_true;
    TfrcPacerRate rate = make_rate (1e12, 0.1, s);
    TfrcPacer pacer;
    double bytes = 0;

    NOTE ("cap %zu", i);
    tfrc_pacer_init (&pacer, MS (0.5), MS (10), 0);
    tfrc_pacer_set_rate (&pacer, &rate, 0);
    for (TfrcTime t = 0; t < MS (10000);
        t = tfrc_pacer_next (&pacer, s), bytes += s)
      tfrc_pacer_on_departure (&pacer, s, true, t);
    CHECK_NEAR (bytes / 10.0, v_min_interval.caps[i].max_data_Bps, 1e-9);
  }
}

TEST (a_rise_of_X_moves_the_pending_departure_and_makes_no_credit)
{
  TfrcPacer pacer = make_pacer (10000, 0.1, 1000);
  TfrcPacerRate fast = make_rate (20000, 0.1, 1000);

  send (&pacer, 1000, true, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (1100));
  tfrc_pacer_set_rate (&pacer, &fast, MS (1050));
  /* 50 ms after the last nominal time, then each 50 ms */
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (1050));
  CHECK_INT (send (&pacer, 1000, true, MS (1050)), MS (1050));
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (1100));
}

TEST (a_rise_just_before_the_departure_gives_one_packet_not_two)
{
  TfrcPacer pacer = make_pacer (10000, 0.2, 1000);
  TfrcPacerRate fast = make_rate (20000, 0.2, 1000);

  count_burst (&pacer, 1000, MS (1000));
  tfrc_pacer_set_rate (&pacer, &fast, MS (1099));
  CHECK_INT (count_burst (&pacer, 1000, MS (1099)), 1);
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (1149));
}

TEST (a_rise_leaves_unused_credit_its_bytes)
{
  TfrcPacer pacer = make_pacer (10000, 0.5, 1000);
  TfrcPacerRate fast = make_rate (100000, 0.5, 1000);

  send (&pacer, 1000, false, MS (1000));
  /* 3000 bytes were not used in 0.3 s, and 2000 when the flow began */
  tfrc_pacer_set_rate (&pacer, &fast, MS (1300));
  CHECK_INT (count_burst (&pacer, 1000, MS (1300)), 5);
}

TEST (a_fall_of_X_moves_the_pending_departure_from_the_last_nominal_time)
{
  TfrcPacer pacer = make_pacer (20000, 0.04, 1000);
  TfrcPacerRate slow = make_rate (10000, 0.04, 1000);

  send (&pacer, 1000, true, MS (1000));
  tfrc_pacer_set_rate (&pacer, &slow, MS (1020));
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (1100));
}

TEST (what_was_sent_too_early_is_owed_in_bytes)
{
  TfrcPacer pacer = make_pacer (1000, 0.1, 1000);
  TfrcPacerRate fast = make_rate (100000, 0.1, 1000);

  for (unsigned i = 0; i < 11; i++)     /* a caller that does not ask */
    tfrc_pacer_on_departure (&pacer, 1000, true, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (12000));
  tfrc_pacer_set_rate (&pacer, &fast, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 1000), MS (1110));
}

TEST (any_second_holds_at_most_X_and_one_packet)
{
  static TfrcTime left[100000];
  static uint32_t size[100000];
  uint32_t seed = 3;
  TfrcPacer pacer = make_pacer (8000, 0.1, 300);
  TfrcTime now = 0;

  tfrc_pacer_init (&pacer, 0, 0, 0);
  tfrc_pacer_set_rate (&pacer, &(TfrcPacerRate) {
          .t_byte = 1e9 / 8000,
          .s = 300,
          .R = 100000000}, 0);
  for (unsigned i = 0; i < 20000; i++) {
    size[i] = 20 + (seed = seed * 1664525u + 1013904223u) % 1400;
    left[i] = now = send (&pacer, size[i], true, now);
  }
  for (unsigned i = 100, j = 100, bytes = 0; i < 20000; i++) {
    bytes += size[i];
    while (left[i] - left[j] > TFRC_SEC)
      bytes -= size[j++];
    NOTE ("packet %u", i);
    CHECK (bytes <= 8000 + 1420);
  }
}

TEST (one_packet_costs_a_second_whatever_its_size_before_R_is_known)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = { .t_packet = 1e9, .s = 30 };

  tfrc_pacer_init (&pacer, MS (0.5), 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  send (&pacer, 30, true, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 1400), MS (2000) - MS (0.25));
}

TEST (a_flow_is_limited_when_its_packets_leave_as_soon_as_they_may)
{
  TfrcPacer pacer = make_pacer (8000, 0.1, 160);

  pacer.t_gran = (int64_t) MS (0.5);
  CHECK (!tfrc_pacer_is_limiting (&pacer, 160, MS (1000)));     /* the first one did not wait */
  count_burst (&pacer, 160, MS (1000));
  CHECK (tfrc_pacer_is_limiting (&pacer, 160, MS (1010)));
  CHECK (tfrc_pacer_is_limiting (&pacer, 160, MS (1020.5)));
  CHECK (!tfrc_pacer_is_limiting (&pacer, 160, MS (1020.5) + 1));
}

/* G1: R = 0.1, F = 5, the last packet sent at 0, three arrive at 10 ms. */
TEST (fluid_pacing_gives_each_packet_its_date)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = make_rate (1e6, 0.1, 160);

  rate.t_fluid = (int64_t) MS (20);
  tfrc_pacer_init (&pacer, 0, 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  tfrc_pacer_on_departure (&pacer, 160, false, 0);
  tfrc_pacer_set_waiting (&pacer, 3);
  CHECK_INT (send (&pacer, 160, true, MS (10)), MS (20));
  CHECK_INT (send (&pacer, 160, true, MS (10)), MS (40));
  CHECK_INT (send (&pacer, 160, false, MS (10)), MS (60));
  /* nothing waits: from when it was sent last */
  CHECK_INT (send (&pacer, 160, false, MS (200)), MS (200));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (220));
}

TEST (fluid_dates_do_not_drift_with_late_wake_ups)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = make_rate (8000, 0.1, 160);

  rate.t_fluid = (int64_t) MS (20);
  tfrc_pacer_init (&pacer, 0, 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  tfrc_pacer_on_departure (&pacer, 160, true, MS (1000));
  for (unsigned i = 1; i < 100; i++) {
    TfrcTime t = tfrc_pacer_next (&pacer, 160);

    CHECK_INT (t, MS (1000) + i * MS (20));
    tfrc_pacer_on_departure (&pacer, 160, true, t + MS (i % 4));
  }
}

TEST (ten_arrivals_at_once_leave_one_each_R_over_cwnd_and_one)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = make_rate (9 * 160 / 0.1, 0.1, 160);

  rate.t_fluid = (int64_t) (1e8 / tfrc_fluid_get_factor (9, false));
  tfrc_pacer_init (&pacer, 0, 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  tfrc_pacer_on_departure (&pacer, 160, false, 0);
  for (unsigned i = 0; i < 8; i++)
    CHECK_INT (send (&pacer, 160, i < 9, MS (1000)), MS (1000) + i * MS (10));
}

TEST (fluid_dates_follow_a_new_X)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = make_rate (1e6, 0.1, 160);

  rate.t_fluid = (int64_t) MS (20);
  tfrc_pacer_init (&pacer, 0, 0, 0);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  tfrc_pacer_on_departure (&pacer, 160, true, MS (1000));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1020));
  rate.t_fluid = (int64_t) MS (50);
  tfrc_pacer_set_rate (&pacer, &rate, MS (1010));
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1050));
}

TEST (mppn_waiting_packets_send_the_oldest_at_once_within_the_min_interval)
{
  TfrcPacer pacer;
  TfrcPacerRate rate = make_rate (1e6, 0.1, 160);

  rate.t_fluid = (int64_t) MS (50);
  tfrc_pacer_init (&pacer, 0, MS (10), 2);
  tfrc_pacer_set_rate (&pacer, &rate, 0);
  tfrc_pacer_on_departure (&pacer, 160, false, MS (1000));
  tfrc_pacer_set_waiting (&pacer, 1);
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1050));
  tfrc_pacer_set_waiting (&pacer, 2);
  CHECK_INT (tfrc_pacer_next (&pacer, 160), MS (1010));
}

TEST (fluid_pacing_sends_no_more_than_X_and_one_rtt_of_credit)
{
  for (unsigned slow_start = 0; slow_start < 2; slow_start++) {
    double X = 9000, R = 0.1, bytes = 0;
    TfrcPacerRate rate = make_rate (X, R, 160);
    TfrcPacer pacer;

    rate.t_fluid =
        (int64_t) (R * 1e9 / tfrc_fluid_get_factor (X * R / 160, slow_start));
    tfrc_pacer_init (&pacer, 0, 0, 0);
    tfrc_pacer_set_rate (&pacer, &rate, 0);
    for (TfrcTime t = MS (1000); t < MS (11000); bytes += 160)
      t = send (&pacer, 160, true, t);
    CHECK_BETWEEN (bytes, X * 10, X * 10 + X * R + 160);
  }
}
