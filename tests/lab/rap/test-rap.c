/* lab: tests of RAP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rap.h"

#include "test.h"
#include "vectors.h"

static Rap rap;

static int64_t
send_packets (unsigned n, double now)
{
  int64_t seq = -1;
  while (n-- > 0)
    seq = rap_on_sent (&rap, now);
  return seq;
}

TEST (a_round_trip_without_loss_adds_one_packet_to_it)
{
  for (size_t i = 0; i < v_rap.n_additive_increase; i++)
    CHECK_REL (rap_increase (v_rap.additive_increase[i].ipg,
            v_rap.additive_increase[i].srtt),
        v_rap.additive_increase[i].ipg_next, 1e-12);
}

TEST (a_loss_halves_the_rate)
{
  for (size_t i = 0; i < v_rap.n_multiplicative_decrease; i++)
    CHECK_REL (rap_decrease (v_rap.multiplicative_decrease[i].ipg),
        v_rap.multiplicative_decrease[i].ipg_next, 1e-12);
}

TEST (fine_grain_waits_by_the_ratio_of_short_to_long_term_rtt)
{
  rap_init (&rap, true, 0.02, 0);
  for (size_t i = 0; i < v_rap.n_fine_grain; i++) {
    rap_add_sample (&rap, v_rap.fine_grain[i].R_sample);
    CHECK_REL (rap.FRTT, v_rap.fine_grain[i].frtt, 1e-12);
    CHECK_REL (rap.XRTT, v_rap.fine_grain[i].xrtt, 1e-12);
    CHECK_REL (rap_get_wait (&rap), v_rap.fine_grain[i].wait_for_ipg_20ms,
        1e-12);
  }
}

TEST (coarse_grain_waits_the_gap_itself)
{
  rap_init (&rap, false, 0.02, 0);
  rap_add_sample (&rap, 0.1);
  rap_add_sample (&rap, 0.2);
  CHECK_REL (rap_get_wait (&rap), 0.02, 1e-12);
}

TEST (the_filters_start_from_the_first_sample)
{
  rap_init (&rap, false, 0.02, 0);
  for (size_t i = 0; i < v_rap.n_srtt_seed; i++) {
    rap_add_sample (&rap, v_rap.srtt_seed[i].R_sample);
    CHECK_REL (rap.SRTT, v_rap.srtt_seed[i].SRTT, 1e-12);
    CHECK_NEAR (rap.VAR, v_rap.srtt_seed[i].VAR, 1e-12);
    CHECK_REL (rap.timeout, v_rap.srtt_seed[i].timeout, 1e-12);
  }
}

TEST (a_packet_is_lost_when_one_three_newer_has_come)
{
  rap_init (&rap, false, 0.02, 0);
  send_packets (14, 0);
  rap_on_ack (&rap, &(RapAck) {12, 10, 9}, 0.1);
  CHECK_INT (rap.losses, 0);
  rap_on_ack (&rap, &(RapAck) {13, 10, 9}, 0.1);
  CHECK_INT (rap.losses, 1);
  CHECK_REL (rap.IPG, 0.04, 1e-12);
}

TEST (losses_among_packets_sent_before_a_back_off_count_once)
{
  rap_init (&rap, false, 0.02, 0);
  send_packets (30, 0);
  rap_on_ack (&rap, &(RapAck) {8, 5, 4}, 0.1);
  rap_on_ack (&rap, &(RapAck) {13, 10, 9}, 0.12);
  rap_on_ack (&rap, &(RapAck) {23, 20, 19}, 0.14);
  CHECK_INT (rap.losses, 3);
  CHECK_INT (rap.backoffs, 1);
  CHECK_REL (rap.IPG, 0.04, 1e-12);
  send_packets (10, 0.15);
  rap_on_ack (&rap, &(RapAck) {36, 33, 32}, 0.25);
  CHECK_INT (rap.backoffs, 2);
  CHECK_REL (rap.IPG, 0.08, 1e-12);
}

TEST (a_packet_whose_acknowledgement_never_comes_is_lost_by_age)
{
  rap_init (&rap, false, 0.02, 0);
  send_packets (1, 0);
  rap_on_ack (&rap, &(RapAck) {0, -1, -1}, 0.1);
  send_packets (1, 0.2);
  rap_on_step (&rap, 0.31);
  CHECK_INT (rap.losses, 0);
  rap_on_step (&rap, 0.33);
  CHECK_INT (rap.losses, 1);
  CHECK_INT (rap.backoffs, 1);
}

TEST (a_sender_that_uses_less_than_half_does_not_speed_up)
{
  rap_init (&rap, false, 0.01, 0);
  rap_add_sample (&rap, 0.1);
  for (unsigned i = 0; i < 2; i++)
    rap_on_ack (&rap, &(RapAck) {send_packets (1, 0.1), -1, -1}, 0.2);
  rap_on_step (&rap, 0.2);
  CHECK_REL (rap.IPG, 0.01, 1e-12);
  for (unsigned i = 0; i < 6; i++)
    rap_on_ack (&rap, &(RapAck) {send_packets (1, 0.2), -1, -1}, 0.3);
  rap_on_step (&rap, 0.3);
  CHECK_REL (rap.IPG, 0.1 / 11, 1e-12);
}

TEST (the_sink_says_which_packets_are_missing)
{
  RapSink sink;
  rap_sink_init (&sink);
  for (int64_t seq = 0; seq < 10; seq++)
    rap_sink_on_packet (&sink, seq);
  CHECK_INT (sink.ack.received, 9);
  CHECK_INT (sink.ack.missed, -1);
  rap_sink_on_packet (&sink, 12);
  CHECK_INT (sink.ack.received, 12);
  CHECK_INT (sink.ack.missed, 11);
  CHECK_INT (sink.ack.before, 9);
}
