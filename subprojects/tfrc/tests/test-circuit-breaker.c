/* libtfrc: tests of the RTP circuit breaker, RFC 8083
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/circuit-breaker.h>

#include "flow.h"

#define SIZE 1200
#define CHANGED (TFRC_BREAKER_CHANGED | TFRC_BREAKER_TIMER)

typedef struct
{
  TfrcBreaker breaker;
  TfrcTime now, T_dr;
  uint32_t highest;
} Rig;

static Rig
make_rig (TfrcMode mode, double T_dr, double loss_max)
{
  TfrcConfig config = make_config (mode);
  Rig rig = { .now = MS (1000), .T_dr = MS (1e3 * T_dr), .highest = 5 };

  tfrc_breaker_init (&rig.breaker, &config, rig.T_dr, loss_max, rig.now);
  return rig;
}

/* Packets for `seconds`, `rate` bytes/s in packets of `size`. */
static void
send (Rig * rig, double rate, uint32_t size, double seconds)
{
  double n = rate * seconds / size;

  for (unsigned i = 0; i < (unsigned) (n + 0.5); i++)
    tfrc_breaker_on_departure (&rig->breaker, size,
        rig->now + MS (i * 1e3 * seconds / n));
  rig->now += MS (1e3 * seconds);
}

/* A report block in an SR or RR, with the share of packets that are marked; the highest sequence number
 * rises by `rise`. */
static unsigned
hear_marks (Rig * rig, double lost, double marked, uint32_t rise)
{
  unsigned bits = tfrc_breaker_on_rtcp (&rig->breaker, rig->now);

  rig->highest += rise;
  return bits | tfrc_breaker_on_block (&rig->breaker, lost, marked,
      rig->highest, rig->now);
}

static unsigned
hear (Rig * rig, double lost, uint32_t rise)
{
  return hear_marks (rig, lost, 0.0, rise);
}

/* Sends at `rate` and hears blocks with `lost` until the state changes; the blocks that it took, or 100. */
static unsigned
count_marked_blocks (Rig * rig, double rate, uint32_t size, double lost,
    double marked)
{
  TfrcBreakerState state = rig->breaker.state;

  for (unsigned n = 1; n < 100; n++) {
    send (rig, rate, size, (double) rig->T_dr * 1e-9);
    hear_marks (rig, lost, marked, 10);
    if (rig->breaker.state != state)
      return n;
  }
  return 100;
}

static unsigned
count_blocks (Rig * rig, double rate, uint32_t size, double lost)
{
  return count_marked_blocks (rig, rate, size, lost, 0.0);
}

TEST (without_rtcp_for_three_intervals_the_flow_is_paused)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);
  TfrcTime sent;

  CHECK_INT (tfrc_breaker_next_timer (&rig.breaker), TFRC_TIME_NONE);
  rig.now = MS (100000);        /* nothing was sent: nobody has to answer */
  sent = rig.now;
  CHECK_INT (tfrc_breaker_on_departure (&rig.breaker, SIZE, rig.now),
      TFRC_BREAKER_TIMER);
  send (&rig, 12000, SIZE, 14);
  CHECK_INT (tfrc_breaker_next_timer (&rig.breaker), sent + MS (15000));
  CHECK_INT (tfrc_breaker_on_timer (&rig.breaker, sent + MS (15000) - 1), 0);
  CHECK_INT (tfrc_breaker_on_timer (&rig.breaker, sent + MS (15000)), CHANGED);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_PAUSED);
  CHECK_INT (rig.breaker.trip, TFRC_TRIP_RTCP_TIMEOUT);
  CHECK_INT (tfrc_breaker_next_timer (&rig.breaker), TFRC_TIME_NONE);
  CHECK_INT (tfrc_breaker_next_departure (&rig.breaker, SIZE), TFRC_TIME_NONE);
  CHECK_REL (tfrc_breaker_get_limit (&rig.breaker), 0, 0);
  /* a packet that leaves all the same needs no second timeout */
  tfrc_breaker_on_departure (&rig.breaker, SIZE, sent + MS (15000));
  CHECK_INT (tfrc_breaker_next_timer (&rig.breaker), TFRC_TIME_NONE);
  /* the first RTCP ends it */
  CHECK_INT (tfrc_breaker_on_rtcp (&rig.breaker, sent + MS (15001)), CHANGED);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
  CHECK_INT (tfrc_breaker_next_departure (&rig.breaker, SIZE), 0);
  CHECK (isinf (tfrc_breaker_get_limit (&rig.breaker)));
  CHECK_INT (rig.breaker.trips[TFRC_TRIP_RTCP_TIMEOUT], 1);
}

TEST (a_time_before_the_latest_one_counts_as_the_latest)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  tfrc_breaker_on_rtcp (&rig.breaker, MS (10000));
  tfrc_breaker_on_departure (&rig.breaker, SIZE, MS (5000));
  CHECK_INT (tfrc_breaker_next_timer (&rig.breaker), MS (25000));
}

TEST (packets_and_gaps_are_means_and_a_pause_counts_for_64_s)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 0.05, 0);

  CHECK_INT (rig.breaker.T_dr, MS (200));
  tfrc_breaker_on_departure (&rig.breaker, 1200, rig.now);
  tfrc_breaker_on_departure (&rig.breaker, 400, rig.now + MS (1600));
  CHECK_REL (rig.breaker.s, 1000, 1e-9);
  CHECK_REL (rig.breaker.T_f, 0.1, 1e-9);
  tfrc_breaker_on_departure (&rig.breaker, 1000, rig.now + MS (1000000));
  CHECK_REL (rig.breaker.T_f, 0.1 + (64 - 0.1) / 16, 1e-9);
}

TEST (rtcp_of_any_kind_counts_for_the_rtcp_timeout)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  for (unsigned i = 0; i < 100; i++) {
    send (&rig, 12000, SIZE, 14.9);
    CHECK_INT (tfrc_breaker_on_timer (&rig.breaker, rig.now), 0);
    CHECK_INT (tfrc_breaker_on_rtcp (&rig.breaker, rig.now),
        TFRC_BREAKER_TIMER);
  }
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
}

/* T_f, T_r, T_dr in s and the blocks of MEDIA_TIMEOUT = ceil (5 max (T_f, T_r, T_dr) / T_dr). */
TEST (blocks_that_bring_no_new_packet_are_a_media_timeout)
{
  static const struct
  {
    double T_r, T_dr;
    unsigned blocks;
  } cases[] = { {0.1, 1, 5}, {2, 1, 10}, {0.1, 0.2, 25}, {0.5, 0.2, 25} };

  for (size_t i = 0; i < N_OF (cases); i++) {
    Rig rig = make_rig (TFRC_MODE_TFRC, cases[i].T_dr, 0);

    NOTE ("case %zu", i);
    tfrc_breaker_on_rtt (&rig.breaker, MS (1e3 * cases[i].T_r));
    send (&rig, 60000, SIZE, cases[i].T_dr);
    hear (&rig, 0, 1);
    /* and after the pause another one takes as long */
    for (unsigned round = 0; round < 2; round++) {
      for (unsigned n = 1; n <= cases[i].blocks; n++) {
        CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
        send (&rig, 60000, SIZE, cases[i].T_dr);
        hear (&rig, 0, 0);
      }
      CHECK_INT (rig.breaker.state, TFRC_BREAKER_PAUSED);
      CHECK_INT (rig.breaker.trip, TFRC_TRIP_MEDIA_TIMEOUT);
      rig.now += MS (60000);
      hear (&rig, 0, 0);
    }
  }
}

/* With T_f = 2 s and T_dr = 0.2 s, MEDIA_TIMEOUT is fifty blocks that packets were sent before. */
TEST (a_media_timeout_grows_with_the_time_between_packets)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 0.2, 0);
  unsigned packets = 0;

  for (unsigned i = 0; i < 100; i++) {
    send (&rig, SIZE / 2.0, SIZE, 2);
    hear (&rig, 0, 1);
  }
  for (; packets < 100 && rig.breaker.state == TFRC_BREAKER_CLOSED; packets++) {
    tfrc_breaker_on_departure (&rig.breaker, SIZE, rig.now);
    for (unsigned i = 0; i < 10; i++) {
      rig.now += MS (200);
      hear (&rig, 0, 0);
    }
  }
  CHECK_INT (packets, 50);
}

TEST (the_first_block_brings_something_new)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  rig.highest = 0;
  send (&rig, 60000, SIZE, 1);
  hear (&rig, 0, 0);
  CHECK_INT (rig.breaker.stuck, 0);
}

TEST (blocks_in_a_pause_count_for_nothing)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0.3);

  send (&rig, 60000, SIZE, 1);
  hear (&rig, 0, 1);
  while (rig.breaker.state == TFRC_BREAKER_CLOSED) {
    send (&rig, 60000, SIZE, 1);
    hear (&rig, 0, 0);
  }
  for (unsigned n = 0; n < 4; n++) {
    CHECK_INT (rig.breaker.state, TFRC_BREAKER_PAUSED);
    rig.now += MS (1000);
    hear (&rig, 1, 1);
  }
  CHECK_INT (rig.breaker.trips[TFRC_TRIP_USABILITY], 0);
}

TEST (after_a_media_timeout_the_flow_is_tried_again_no_sooner_than_that_took)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);
  unsigned n = 0;

  send (&rig, 60000, SIZE, 1);
  hear (&rig, 0, 1);
  while (rig.breaker.state == TFRC_BREAKER_CLOSED) {
    send (&rig, 60000, SIZE, 1);
    hear (&rig, 0, 0);
  }
  for (; rig.breaker.state == TFRC_BREAKER_PAUSED; n++) {
    rig.now += MS (1000);
    hear (&rig, 0, 0);
  }
  CHECK_INT (n, 5);
}

TEST (a_media_timeout_takes_thirty_two_packets)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  send (&rig, SIZE, SIZE, 1);
  hear (&rig, 0, 1);
  for (unsigned n = 0; n < 32; n++) {
    CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
    send (&rig, SIZE, SIZE, 1);
    hear (&rig, 1, 0);
  }
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_PAUSED);
}

/* Packets before a pause do not count for the media timeout after it. */
TEST (after_a_pause_a_media_timeout_takes_thirty_two_packets_again)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  send (&rig, 60000, SIZE, 1);
  hear (&rig, 0, 1);
  while (rig.breaker.state == TFRC_BREAKER_CLOSED) {
    send (&rig, 60000, SIZE, 1);        /* 50 packets */
    hear (&rig, 0, 0);
  }
  while (rig.breaker.state == TFRC_BREAKER_PAUSED) {
    rig.now += MS (1000);
    hear (&rig, 0, 0);
  }
  for (unsigned n = 0; n < 32; n++) {
    CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
    send (&rig, SIZE, SIZE, 1);
    hear (&rig, 1, 0);
  }
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_PAUSED);
}

TEST (blocks_in_early_rtcp_count_as_one)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  send (&rig, 60000, SIZE, 1);
  hear (&rig, 0, 1);
  /* thirty blocks of the same in a second and a half, and then another */
  for (unsigned n = 0; n < 30; n++) {
    send (&rig, 1e5, SIZE, 0.05);
    hear (&rig, 0.5, 0);
  }
  CHECK_INT (rig.breaker.n_reports, 4);
  CHECK_REL (rig.breaker.reports[rig.breaker.next_report - 1].lost, 0.5, 1e-9);
  CHECK_REL (rig.breaker.reports[rig.breaker.next_report - 1].seconds, 0.5,
      1e-6);
  CHECK_INT (rig.breaker.stuck, 3);
  send (&rig, 1e5, SIZE, 0.25);
  hear (&rig, 0, 1);
  send (&rig, 1e5, SIZE, 0.25);
  hear (&rig, 0, 0);
  CHECK_INT (rig.breaker.stuck, 0);
}

TEST (blocks_count_for_the_media_timeout_only_after_packets)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  send (&rig, 60000, SIZE, 1);
  hear (&rig, 0, 1);
  for (unsigned i = 0; i < 40; i++) {
    if (i % 10 == 0)
      send (&rig, 60000, SIZE, 1);      /* 50 packets */
    rig.now += MS (1000);
    hear (&rig, 0, i % 10 == 9);
    CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
  }
}

/* The blocks of CB_INTERVAL, RFC 8083 4.3, at a rate that is much too high. */
TEST (the_congestion_breaker_averages_over_its_interval)
{
  static const struct
  {
    double T_r, T_dr;
    unsigned blocks;
  } cases[] =
      { {0.1, 1, 3}, {0.1, 0.2, 5}, {2, 1, 15}, {0.5, 1, 5}, {0.1, 5, 3},
  {2, 0.2, TFRC_BREAKER_REPORTS}
  };

  for (size_t i = 0; i < N_OF (cases); i++) {
    Rig rig = make_rig (TFRC_MODE_TFRC, cases[i].T_dr, 0);

    NOTE ("case %zu", i);
    tfrc_breaker_on_rtt (&rig.breaker, MS (1e3 * cases[i].T_r));
    /* until the mean time between packets has settled */
    send (&rig, 1e6, SIZE, 2);
    hear (&rig, 0, 1);
    rig.breaker.n_reports = 0;
    CHECK_INT (count_blocks (&rig, 1e6, SIZE, 0.5), cases[i].blocks);
    CHECK_INT (rig.breaker.state, TFRC_BREAKER_REDUCED);
    CHECK_INT (rig.breaker.trip, TFRC_TRIP_CONGESTION);
  }
}

/* A packet each second: ten of them. */
TEST (the_interval_grows_with_the_time_between_packets)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0.3);

  for (unsigned i = 0; i < 100; i++) {
    send (&rig, SIZE, SIZE, 1);
    hear (&rig, 0, 1);
  }
  rig.breaker.n_reports = 0;
  CHECK_INT (count_blocks (&rig, SIZE, SIZE, 0.5), 10);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_STOPPED);
}

TEST (the_fraction_lost_is_a_mean_over_time)
{
  static const double seconds[] = { 1, 1, 4 };
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0.3);

  for (unsigned i = 0; i < N_OF (seconds); i++) {
    send (&rig, 60000, SIZE, seconds[i]);
    hear (&rig, i == 2 ? 0.5 : 0, 1);
  }
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_STOPPED);
}

TEST (ten_times_the_rate_of_tcp_trips_the_congestion_breaker)
{
  static const struct
  {
    double T_r, lost, rate;
  } cases[] = { {0.1, 0.1, 464758}, {0.1, 0.01, 1469694}, {0.5, 0.3, 53665.6} };

  for (size_t i = 0; i < N_OF (cases); i++)
    for (unsigned above = 0; above < 2; above++) {
      Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

      NOTE ("case %zu, %u", i, above);
      tfrc_breaker_on_rtt (&rig.breaker, MS (1e3 * cases[i].T_r));
      CHECK_BETWEEN (count_blocks (&rig,
              cases[i].rate * (above ? 1.01 : 0.99), SIZE, cases[i].lost),
          above ? 3 : 100, above ? 6 : 100);
    }
}

/* RFC 8083 7: lost and marked packets together are 0.1. */
TEST (marks_count_as_losses_for_the_congestion_breaker)
{
  for (unsigned above = 0; above < 2; above++)
    for (unsigned tenths = 0; tenths <= 10; tenths += 5) {
      Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);
      double marked = 0.01 * tenths;

      NOTE ("%u, marked %g", above, marked);
      tfrc_breaker_on_rtt (&rig.breaker, MS (100));
      CHECK_BETWEEN (count_marked_blocks (&rig,
              464758 * (above ? 1.01 : 0.99), SIZE, 0.1 - marked, marked),
          above ? 3 : 100, above ? 6 : 100);
    }
}

/* Each block is marked half of the time: the mean counts. */
TEST (marks_of_early_rtcp_are_averaged_over_time)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);
  unsigned n = 0;

  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  for (; rig.breaker.state == TFRC_BREAKER_CLOSED && n < 400; n++) {
    send (&rig, 464758 * 0.99, SIZE, 0.25);
    hear_marks (&rig, 0.0, n % 2 ? 0.2 : 0.0, 10);
  }
  CHECK_INT (n, 400);
  for (n = 0; rig.breaker.state == TFRC_BREAKER_CLOSED && n < 400; n++) {
    send (&rig, 464758 * 1.02, SIZE, 0.25);
    hear_marks (&rig, 0.0, n % 2 ? 0.2 : 0.0, 10);
  }
  CHECK_BETWEEN (n, 1, 40);
}

TEST (a_flow_with_pacing_defeated_is_cut_and_then_stopped)
{
  Rig rig = make_rig (TFRC_MODE_TFRC_SP, 1, 0);
  unsigned n;

  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  n = count_blocks (&rig, 2e6, 200, 0.4);
  CHECK_BETWEEN (n, 3, 4);      /* one interval and a report */
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_REDUCED);
  CHECK_REL (tfrc_breaker_get_limit (&rig.breaker), 2e5, 0.01);
  /* the limit spaces the packets of whoever asks */
  CHECK_REL ((double) (tfrc_breaker_next_departure (&rig.breaker,
              200) - rig.breaker.departed), 1e6, 0.01);
  n = count_blocks (&rig, 2e6, 200, 0.4);
  CHECK_BETWEEN (n, 3, 3);      /* two intervals in all */
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_STOPPED);
  CHECK_INT (rig.breaker.trips[TFRC_TRIP_CONGESTION], 2);
  CHECK_REL (tfrc_breaker_get_limit (&rig.breaker), 0, 0);
  tfrc_breaker_on_departure (&rig.breaker, 200, rig.now);
  /* RTCP does not end that; the application does, not before the interval has passed */
  rig.now += MS (2900);
  hear (&rig, 0, 1);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_STOPPED);
  CHECK (!tfrc_breaker_restart (&rig.breaker, rig.now));
  rig.now += MS (200);
  tfrc_breaker_on_departure (&rig.breaker, 200, rig.now);
  CHECK (tfrc_breaker_restart (&rig.breaker, rig.now));
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
  /* what came before the restart counts no more: neither for the RTCP timeout nor for the next cut */
  CHECK_INT (tfrc_breaker_next_timer (&rig.breaker), TFRC_TIME_NONE);
  count_blocks (&rig, 2e6, 200, 0.4);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_REDUCED);
  /* a flow that was not stopped is not restarted */
  CHECK (!tfrc_breaker_restart (&rig.breaker, rig.now + MS (100000)));
}

TEST (a_flow_that_was_cut_is_free_again_when_the_loss_ends)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  count_blocks (&rig, 1e6, SIZE, 0.4);
  CHECK_INT (count_blocks (&rig, 1e5, SIZE, 0.01), 3);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
  /* a second time within ten intervals is once too often */
  count_blocks (&rig, 1e6, SIZE, 0.4);
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_STOPPED);
}

/* The second cut comes `quiet` + 2 s after the first one, and three intervals are 9 s. */
TEST (three_intervals_after_a_cut_the_flow_is_cut_again_and_not_stopped)
{
  for (unsigned quiet = 6; quiet <= 8; quiet += 2) {
    Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

    NOTE ("%u s", quiet);
    tfrc_breaker_on_rtt (&rig.breaker, MS (100));
    count_blocks (&rig, 1e6, SIZE, 0.4);
    for (unsigned i = 0; i < quiet; i++) {
      send (&rig, 1e5, SIZE, 1);
      hear (&rig, 0, 1);
    }
    CHECK_INT (count_blocks (&rig, 1e6, SIZE, 0.4), 2);
    CHECK_INT (rig.breaker.state,
        quiet == 6 ? TFRC_BREAKER_STOPPED : TFRC_BREAKER_REDUCED);
  }
}

TEST (a_flow_of_few_packets_is_not_judged)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  tfrc_breaker_on_rtt (&rig.breaker, MS (15000));
  /* two packets of 60000 bytes in 30 s; ten times X is 4898 bytes/s at most */
  for (unsigned i = 0; i < 60; i++) {
    if (i % 20 == 0)
      tfrc_breaker_on_departure (&rig.breaker, 6000000, rig.now);
    rig.now += MS (1000);
    hear (&rig, 1.0, 1);
  }
  CHECK_INT (rig.breaker.state, TFRC_BREAKER_CLOSED);
}

TEST (without_loss_or_round_trip_time_there_is_no_congestion)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  CHECK_INT (count_blocks (&rig, 1e7, SIZE, 0.4), 100);
  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  rig.breaker.n_reports = 0;
  CHECK_INT (count_blocks (&rig, 1e7, SIZE, 0), 100);
}

TEST (the_round_trip_time_is_smoothed_by_a_fifth)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0);

  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  CHECK_REL (rig.breaker.T_r, 0.1, 1e-9);
  tfrc_breaker_on_rtt (&rig.breaker, MS (200));
  CHECK_REL (rig.breaker.T_r, 0.12, 1e-9);
}

TEST (media_that_are_of_no_use_are_stopped_if_the_application_says_so)
{
  for (unsigned i = 0; i < 3; i++) {
    Rig rig = make_rig (TFRC_MODE_TFRC_SP, 1, i == 0 ? 0 : 0.3);
    unsigned n = count_blocks (&rig, 8000, 160, i == 1 ? 0.29 : 0.31);

    NOTE ("case %u", i);
    CHECK_BETWEEN (n, i == 2 ? 3 : 100, i == 2 ? 6 : 100);
    if (i == 2) {
      CHECK_INT (rig.breaker.state, TFRC_BREAKER_STOPPED);
      CHECK_INT (rig.breaker.trip, TFRC_TRIP_USABILITY);
    }
  }
}

/* At R = 1 s and a loss of 5 %, RFC 4828 allows packets of 40 bytes 2690 bytes/s, and ten times the rate of
 * RFC 8083 with s = 40 are 2191. */
/* A marked packet arrives: media with marks are of use. */
TEST (marks_are_no_losses_for_media_usability)
{
  Rig rig = make_rig (TFRC_MODE_TFRC, 1, 0.1);

  tfrc_breaker_on_rtt (&rig.breaker, MS (100));
  CHECK_INT (count_marked_blocks (&rig, 24000, SIZE, 0.05, 0.9), 100);
  CHECK_BETWEEN (count_marked_blocks (&rig, 24000, SIZE, 0.2, 0.0), 1, 10);
  CHECK_INT (rig.breaker.trip, TFRC_TRIP_USABILITY);
}

TEST (small_packets_are_judged_by_the_nominal_segment)
{
  Rig rig = make_rig (TFRC_MODE_TFRC_SP, 1, 0);

  tfrc_breaker_on_rtt (&rig.breaker, MS (1000));
  CHECK_INT (count_blocks (&rig, 2690, 40, 0.05), 100);
  rig = make_rig (TFRC_MODE_TFRC, 1, 0);
  tfrc_breaker_on_rtt (&rig.breaker, MS (1000));
  CHECK_BETWEEN (count_blocks (&rig, 2690, 40, 0.05), 10, 12);
  /* half of what a packet of 40 bytes takes are headers: X = 730 / sqrt (2 / 60) */
  for (unsigned above = 0; above < 2; above++) {
    rig = make_rig (TFRC_MODE_TFRC_SP, 1, 0);
    tfrc_breaker_on_rtt (&rig.breaker, MS (1000));
    CHECK_BETWEEN (count_blocks (&rig, 39984 * (above ? 1.01 : 0.99), 40, 0.05),
        above ? 10 : 100, above ? 12 : 100);
  }
}

TEST (states_and_reasons_have_names)
{
  CHECK (strcmp (tfrc_breaker_state_get_name (TFRC_BREAKER_STOPPED),
          "stopped") == 0);
  CHECK (strcmp (tfrc_trip_get_name (TFRC_TRIP_MEDIA_TIMEOUT),
          "media-timeout") == 0);
}
