/* libtfrc: tests of the loss history and of how late packets correct it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "receiver/loss-history.h"

#include <time.h>

#define MS TFRC_MSEC
#define BASE ((uint64_t) 100000)
#define SPACING (60 * 1000)     /* ns: divides by all small spans, so that times are exact */

typedef struct
{
  TfrcConfig config;
  TfrcContext context;
  TfrcLossHistory history;
  TfrcInterval room[2 * TFRC_INTERVALS_MAX];
  TfrcTime now;
  TfrcArrivalKind kind;
} Flow;

static Flow one, other;

static void
start (Flow * flow, TfrcMode mode, TfrcMeasure measure)
{
  TfrcArrival arrival = { .seq = BASE, .size = 160 };

  tfrc_config_init (&flow->config, mode);
  flow->config.measure = measure;
  flow->config.S = 1000;
  flow->context = (TfrcContext) {
      .R = 100 * MS,
      .s = 160.0,
      .X_target = 87600.0};
  flow->now = TFRC_SEC;
  CHECK (tfrc_loss_history_get_room (&flow->config) <=
      sizeof flow->room / sizeof flow->room[0]);
  tfrc_loss_history_init (&flow->history, &flow->config, flow->room, &arrival,
      flow->now);
}

static unsigned
receive_at (Flow * flow, uint64_t seq, bool ce, TfrcTime now)
{
  TfrcArrival arrival = { .seq = BASE + seq, .size = 160, .ce = ce };

  flow->now = now;
  arrival.units =
      tfrc_loss_measure_count_received (&flow->config, arrival.seq,
      arrival.size);
  return tfrc_loss_history_on_packet (&flow->history, &flow->config, &arrival,
      &flow->context, &flow->kind, now);
}

static unsigned
receive (Flow * flow, uint64_t seq)
{
  return receive_at (flow, seq, false, flow->now + 10 * MS);
}

static unsigned
receive_marked (Flow * flow, uint64_t seq)
{
  return receive_at (flow, seq, true, flow->now + 10 * MS);
}

static TfrcLossRate
get_rate (const Flow * flow)
{
  return tfrc_loss_history_get_rate (&flow->history, &flow->config,
      &flow->context, flow->now);
}

TEST (a_loss_found_by_three_later_packets_opens_an_interval_of_four)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  receive (&one, 0);
  receive (&one, 2);
  receive (&one, 3);
  CHECK_NEAR (get_rate (&one).p, 0.0, 0.0);
  CHECK_INT (receive (&one, 4), TFRC_LOSS_HISTORY_EVENT);
  CHECK_NEAR (get_rate (&one).I_0, 4.0, 0.0);
}

TEST (the_open_interval_counts_what_may_still_come)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 10; seq++)
    if (seq != 1)
      receive (&one, seq);
  receive (&one, 15);
  CHECK_NEAR (get_rate (&one).I_0, 15.0, 0.0);
}

TEST (a_mark_opens_an_interval_of_one_on_arrival)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 10; seq++)
    CHECK_INT (receive (&one, seq), 0);
  CHECK_INT (receive_marked (&one, 10), TFRC_LOSS_HISTORY_EVENT);
  CHECK_NEAR (get_rate (&one).I_0, 1.0, 0.0);
  CHECK_INT (receive_marked (&one, 11), 0);
  CHECK_NEAR (get_rate (&one).I_0, 2.0, 0.0);
  CHECK_INT (one.history.current.K, 2);
}

TEST (marks_every_hundredth_packet_are_a_rate_of_one_percent)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  start (&other, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 5000; seq++) {
    receive_at (&one, seq, seq % 100 == 99, one.now + 10 * MS);
    if (seq % 100 != 99)
      receive_at (&other, seq, false, TFRC_SEC + (seq + 1) * 10 * MS);
  }
  CHECK_NEAR (get_rate (&one).p, 0.01, 1e-12);
  CHECK_NEAR (get_rate (&other).p, 0.01, 1e-12);
}

TEST (an_event_begins_at_the_packet_missing_before_a_mark)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 5; seq++)
    receive (&one, seq);
  CHECK_INT (receive (&one, 6), 0);
  CHECK_INT (receive_marked (&one, 7), TFRC_LOSS_HISTORY_EVENT);
  CHECK_INT (one.history.current.events, 1);
  CHECK_NEAR (get_rate (&one).I_0, 3.0, 0.0);
  CHECK_INT (one.history.current.K, 2);
  /* it comes late: the mark alone is left */
  CHECK_INT (receive (&one, 5), 0);
  CHECK_INT (one.kind, TFRC_ARRIVAL_HEALED);
  CHECK_INT (one.history.current.events, 1);
  CHECK_NEAR (get_rate (&one).I_0, 1.0, 0.0);
  CHECK_INT (one.history.current.K, 1);
}

TEST (a_late_packet_undoes_its_loss_event)
{
  double p;

  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 500; seq++)
    if (seq % 100 != 50)
      receive (&one, seq);
  p = get_rate (&one).p;
  receive (&one, 500);
  for (uint64_t seq = 502; seq < 504; seq++)
    CHECK_INT (receive (&one, seq), 0);
  CHECK_INT (receive (&one, 504), TFRC_LOSS_HISTORY_EVENT);
  CHECK (get_rate (&one).p > p);
  CHECK_INT (receive (&one, 501),
      TFRC_LOSS_HISTORY_UNDONE | TFRC_LOSS_HISTORY_LATER);
  CHECK_INT (one.history.current.events, 5);
  /* what it was, with the packets since */
  CHECK_NEAR (get_rate (&one).I_0, 55.0, 0.0);
  CHECK_NEAR (get_rate (&one).p, p, 1e-12);
}

TEST (the_first_event_undone_is_no_loss_at_all)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 20; seq++)
    if (seq != 10)
      receive (&one, seq);
  CHECK (get_rate (&one).p > 0.0);
  CHECK_INT (receive (&one, 10),
      TFRC_LOSS_HISTORY_UNDONE | TFRC_LOSS_HISTORY_LATER);
  CHECK_NEAR (get_rate (&one).p, 0.0, 0.0);
  CHECK_INT (one.history.current.n, 0);
}

TEST (a_late_packet_can_merge_two_events_into_others)
{
  /* 100 ms, a packet each 10 ms: 10, 20 and 26 are lost. 20 is within the period
   * of 10, 26 is not. Without 10, 26 is within that of 20. */
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 40; seq++)
    if (seq != 10 && seq != 20 && seq != 26)
      receive_at (&one, seq, false, TFRC_SEC + seq * 10 * MS);
  CHECK_INT (one.history.current.events, 2);
  CHECK_INT (receive (&one, 10),
      TFRC_LOSS_HISTORY_UNDONE | TFRC_LOSS_HISTORY_LATER);
  CHECK_INT (one.history.current.events, 1);
  CHECK_INT (one.history.current.position - 1, 20);
  CHECK_INT (one.history.current.K, 2);
}

static void
check_same (const Flow * a, const Flow * b)
{
  const TfrcIntervals *i = &a->history.current, *j = &b->history.current;

  CHECK_INT (i->events, j->events);
  CHECK_INT (i->K, j->K);
  CHECK_INT (i->lost, j->lost);
  CHECK_INT (i->pending, j->pending);
  CHECK_INT (i->position, j->position);
  CHECK_INT (i->T_start, j->T_start);
  CHECK_INT (i->n, j->n);
  for (unsigned k = 1; k <= i->n; k++) {
    const TfrcInterval *p = tfrc_intervals_get_closed (i, k);
    const TfrcInterval *q = tfrc_intervals_get_closed (j, k);

    CHECK_NEAR (p->I, q->I, 1e-9);
    CHECK_NEAR (p->DF, q->DF, 1e-12);
  }
  CHECK_INT (a->history.detector.units, b->history.detector.units);
  CHECK_INT (a->history.detector.lost, b->history.detector.lost);
}

/* Two flows lose the same packets. In one, others come late, up to 40 packets
 * after their turn. */
static void
check_healing (TfrcMode mode, TfrcMeasure measure, double p, double p_late,
    uint64_t seed)
{
  enum
  { N = 3000, LATE = 40 };
  static uint64_t due[N + LATE + 1];    /* the packet that comes late here, plus one */
  uint64_t healed = 0;
  bool is_late = false;

  memset (due, 0, sizeof due);
  start (&one, mode, measure);
  start (&other, mode, measure);
  for (uint64_t seq = 0; seq < N + LATE; seq++) {
    TfrcTime now = TFRC_SEC + seq * 100 * SPACING;
    double lot;

    seed = seed * 6364136223846793005u + 1442695040888963407u;
    /* after one that comes late, one in time: else it were the next one */
    lot = seq < 10 || seq >= N
        || is_late ? 1.0 : (double) (seed >> 11) * 0x1p-53;
    is_late = false;
    if (lot < p) {
      /* lost to both */
    } else if (lot < p + p_late && due[seq + 4 + (seed >> 5) % (LATE - 4)] == 0) {
      due[seq + 4 + (seed >> 5) % (LATE - 4)] = seq + 1;
      receive_at (&other, seq, false, now);
      is_late = true;
    } else {
      receive_at (&one, seq, false, now);
      receive_at (&other, seq, false, now);
    }
    if (due[seq] > 0) {
      receive_at (&one, due[seq] - 1, false, now + SPACING / 2);
      healed += one.kind == TFRC_ARRIVAL_HEALED;
      CHECK (one.kind == TFRC_ARRIVAL_HEALED || one.kind == TFRC_ARRIVAL_LATE);
    }
  }
  NOTE ("mode %d, measure %d, p %g, late %g, %" PRIu64 " healed", mode, measure,
      p, p_late, healed);
  CHECK (healed > N * p_late / 2.0);
  CHECK_INT (one.history.detector.healed, healed);
  CHECK (one.history.base.events > 0 || p < 0.05);
  check_same (&one, &other);
}

TEST (a_healed_history_is_that_without_the_loss)
{
  for (uint64_t seed = 1; seed <= 5; seed++) {
    check_healing (TFRC_MODE_TFRC, TFRC_MEASURE_RFC, 0.0, 0.02, seed);
    check_healing (TFRC_MODE_TFRC, TFRC_MEASURE_RFC, 0.01, 0.02, seed);
    check_healing (TFRC_MODE_TFRC, TFRC_MEASURE_RFC, 0.1, 0.1, seed);
    check_healing (TFRC_MODE_TFRC, TFRC_MEASURE_RFC, 0.3, 0.1, seed);
    check_healing (TFRC_MODE_TFRC_SP, TFRC_MEASURE_RFC, 0.1, 0.1, seed);
    check_healing (TFRC_MODE_TFRC_SP, TFRC_MEASURE_GRADUAL, 0.1, 0.1, seed);
  }
}

TEST (every_measure_heals_alike)
{
  for (TfrcMeasure measure = TFRC_MEASURE_UNBIAS_PACKET;
      measure <= TFRC_MEASURE_LIP_SCALE; measure++)
    check_healing (TFRC_MODE_TFRC, measure, 0.1, 0.1, 17);
}

TEST (what_the_log_forgot_stays_counted)
{
  start (&one, TFRC_MODE_TFRC, TFRC_MEASURE_RFC);
  for (uint64_t seq = 0; seq < 20000; seq++)
    if (seq % 10 != 5)
      receive (&one, seq);
  CHECK_INT (one.history.detector.lost, 2000);
  CHECK_INT (one.history.current.lost, 2000);
  CHECK_INT (one.history.current.events, one.history.base.events
      + one.history.detector.n_decided / 2);
  CHECK_INT (receive (&one, 15), 0);
  CHECK_INT (one.kind, TFRC_ARRIVAL_TOO_LATE);
  CHECK_INT (one.history.detector.lost, 2000);
  CHECK_INT (receive (&one, 19985), 0);
  CHECK_INT (one.kind, TFRC_ARRIVAL_HEALED);
  CHECK_INT (one.history.detector.lost, 1999);
}

static double
get_seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* The most that a packet can ask for: a jump of 3000 packets with an event each,
 * and a late packet for which all that the log holds is counted again. The time it
 * takes is said and not judged. */
TEST (a_packet_costs_a_bounded_amount_of_work)
{
  static const TfrcMeasure measures[] = {
    TFRC_MEASURE_RFC, TFRC_MEASURE_SAMPLE_PACKET, TFRC_MEASURE_LIP_SCALE
  };

  for (unsigned i = 0; i < N_OF (measures); i++) {
    double began = get_seconds ();
    unsigned packets = 0;

    start (&one, TFRC_MODE_TFRC, measures[i]);
    one.context.R = 1000;
    receive (&one, 0);
    for (uint64_t seq = 3000; seq <= 60000; seq += 3000, packets++)
      receive (&one, seq);
    CHECK (one.history.current.events > (measures[i] ==
            TFRC_MEASURE_SAMPLE_PACKET ? 5000 : 50000));
    for (uint64_t seq = 59999; seq > 59900; seq -= 2, packets++)
      receive (&one, seq);
    CHECK_INT (one.history.detector.healed, 50 - 2);
    NOTE ("measure %u, %g s a packet", i, (get_seconds () - began) / packets);
  }
}
