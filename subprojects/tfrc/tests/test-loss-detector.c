/* libtfrc: tests of the loss detector
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "receiver/loss-detector.h"
#include "core/sequence-number.h"

#define BASE ((uint64_t) 100000)

static TfrcDetector detector;
static TfrcContext context = { .R = 100 * TFRC_MSEC };

static TfrcTime now;
static unsigned changed;

static TfrcArrivalKind
receive_marked (uint64_t seq, bool ce)
{
  TfrcArrival arrival = {
    .seq = BASE + seq,
    .size = 160,
    .ce = ce,
    .units = 1
  };

  now += 10 * TFRC_MSEC;
  while (tfrc_detector_is_full (&detector))
    tfrc_detector_forget_oldest (&detector);
  return tfrc_detector_on_packet (&detector, &arrival, &context, &changed, now);
}

static TfrcArrivalKind
receive (uint64_t seq)
{
  return receive_marked (seq, false);
}

static void
start (uint64_t seq)
{
  TfrcArrival arrival = { .seq = BASE + seq, .size = 160 };

  now = TFRC_SEC;
  tfrc_detector_init (&detector, &arrival, now);
  CHECK_INT (receive (seq), TFRC_ARRIVAL_NEXT);
}

static void
receive_all (const uint64_t * seqs, size_t n)
{
  start (seqs[0]);
  for (size_t i = 1; i < n; i++)
    receive (seqs[i]);
}

#define RECEIVE(...) receive_all ((const uint64_t[]) { __VA_ARGS__ },                    \
    sizeof ((const uint64_t[]) { __VA_ARGS__ }) / sizeof (uint64_t))

static void
check_gap (unsigned i, uint64_t seq, uint32_t count)
{
  NOTE ("gap %u", i);
  CHECK (i < detector.n);
  CHECK_INT (tfrc_detector_get_gap (&detector, i)->first - BASE, seq);
  CHECK_INT (tfrc_detector_get_gap (&detector, i)->count, count);
  test_note[0] = '\0';
}

TEST (a_packet_is_lost_when_three_later_ones_have_arrived)
{
  RECEIVE (1, 2, 4, 5);
  CHECK_INT (detector.lost, 0);
  CHECK_INT (detector.n_decided, 0);
  receive (6);
  CHECK_INT (detector.lost, 1);
  CHECK_INT (detector.n_decided, 1);
  check_gap (0, 3, 1);
}

TEST (a_packet_that_three_others_overtook_less_one_is_never_lost)
{
  RECEIVE (1, 2, 4, 5, 3, 6, 7, 8, 9);
  CHECK_INT (detector.lost, 0);
  CHECK_INT (detector.healed, 0);
  CHECK_INT (detector.n, 0);
}

TEST (arrivals_are_counted_and_not_distances)
{
  RECEIVE (1, 2, 4, 9);
  CHECK_INT (detector.lost, 0);
  receive (10);
  CHECK_INT (detector.lost, 1);
  receive (11);
  CHECK_INT (detector.lost, 5);
  check_gap (1, 5, 4);
}

TEST (a_late_packet_counts_as_an_arrival_for_those_before_it)
{
  RECEIVE (1, 10, 11);
  CHECK_INT (detector.lost, 0);
  CHECK_INT (receive (5), TFRC_ARRIVAL_LATE);
  CHECK_INT (detector.lost, 3);
  check_gap (0, 2, 3);
  check_gap (1, 6, 4);
  CHECK_INT (detector.n_decided, 1);
}

TEST (duplicates_do_not_count_as_arrivals)
{
  RECEIVE (1, 2, 4);
  CHECK_INT (receive (4), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (receive (4), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (receive (1), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (detector.lost, 0);
  CHECK_INT (detector.units, 3);
  receive (5);
  CHECK_INT (receive (5), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (detector.lost, 0);
  receive (6);
  CHECK_INT (detector.lost, 1);
}

TEST (a_duplicate_of_a_late_packet_is_one)
{
  RECEIVE (1, 2, 4, 5);
  CHECK_INT (receive (3), TFRC_ARRIVAL_LATE);
  CHECK_INT (receive (3), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (detector.units, 5);
}

TEST (the_gap_that_a_late_packet_closes_was_never_there)
{
  RECEIVE (1, 3);
  CHECK_INT (detector.n, 1);
  CHECK_INT (receive (2), TFRC_ARRIVAL_LATE);
  CHECK_INT (detector.n, 0);
  CHECK_INT (changed, 0);
}

TEST (a_late_packet_heals_a_loss)
{
  RECEIVE (1, 3, 4, 5, 6);
  CHECK_INT (detector.lost, 1);
  CHECK_INT (receive (2), TFRC_ARRIVAL_HEALED);
  CHECK_INT (changed, 0);
  CHECK_INT (detector.lost, 0);
  CHECK_INT (detector.healed, 1);
  CHECK_INT (detector.n, 0);
  CHECK_INT (receive (2), TFRC_ARRIVAL_DUPLICATE);
}

TEST (a_late_packet_takes_the_edge_off_a_gap_or_splits_it)
{
  TfrcTime T[8];

  RECEIVE (1, 10, 11, 12);
  CHECK_INT (detector.lost, 8);
  for (uint32_t k = 0; k < 8; k++)
    T[k] = tfrc_sequence_gap_get_time (tfrc_detector_get_gap (&detector, 0), k);
  CHECK_INT (receive (2), TFRC_ARRIVAL_HEALED);
  check_gap (0, 3, 7);
  CHECK_INT (receive (9), TFRC_ARRIVAL_HEALED);
  check_gap (0, 3, 6);
  CHECK_INT (receive (5), TFRC_ARRIVAL_HEALED);
  check_gap (0, 3, 2);
  check_gap (1, 6, 3);
  CHECK_INT (detector.n_decided, 2);
  CHECK_INT (detector.lost, 5);
  /* what stays lost keeps its time */
  CHECK_INT (tfrc_sequence_gap_get_time (tfrc_detector_get_gap (&detector, 0),
          0), T[1]);
  CHECK_INT (tfrc_sequence_gap_get_time (tfrc_detector_get_gap (&detector, 1),
          2), T[6]);
  /* and counts the packet before it */
  CHECK_INT (tfrc_detector_get_gap (&detector, 0)->units, 2);
  CHECK_INT (tfrc_detector_get_gap (&detector, 1)->units, 3);
}

TEST (a_packet_from_before_the_first_is_too_late)
{
  start (5);
  CHECK_INT (receive (4), TFRC_ARRIVAL_TOO_LATE);
  CHECK_INT (receive (5), TFRC_ARRIVAL_DUPLICATE);
  receive (6);
  CHECK_INT (receive (4), TFRC_ARRIVAL_TOO_LATE);
}

TEST (the_log_reaches_back_over_64_gaps)
{
  start (0);
  for (uint64_t seq = 2; seq <= 2 * 70; seq += 2)
    receive (seq);
  /* 70 gaps of one, the last two of them still open */
  CHECK (detector.n <= TFRC_DETECTOR_GAPS);
  CHECK (detector.n >= TFRC_DETECTOR_GAPS - 2);
  CHECK_INT (detector.lost, 68);
  CHECK_INT (receive (1), TFRC_ARRIVAL_TOO_LATE);
  CHECK_INT (receive (2), TFRC_ARRIVAL_TOO_LATE);
  CHECK_INT (receive (140 - 2 * 60 + 1), TFRC_ARRIVAL_HEALED);
  CHECK_INT (receive (140 - 2 * 60 + 2), TFRC_ARRIVAL_DUPLICATE);
}

TEST (the_log_reaches_back_as_far_as_a_packet_may_come_late)
{
  RECEIVE (0, 2, 3, 4);
  for (uint64_t seq = 5; seq <= 3000; seq++)
    receive (seq);
  CHECK_INT (detector.n, 1);
  CHECK_INT (receive (1), TFRC_ARRIVAL_HEALED);
  RECEIVE (0, 2, 3, 4);
  for (uint64_t seq = 5; seq <= 3004; seq++)
    receive (seq);
  CHECK_INT (detector.n, 0);
  CHECK_INT (receive (1), TFRC_ARRIVAL_TOO_LATE);
  CHECK_INT (detector.lost, 1);
}

TEST (a_mark_is_an_event_at_once_and_begins_where_a_packet_may_be_lost)
{
  start (1);
  receive (3);
  CHECK_INT (detector.n_decided, 0);
  CHECK_INT (receive_marked (4, true), TFRC_ARRIVAL_NEXT);
  CHECK_INT (detector.n_decided, 2);
  check_gap (0, 2, 1);
  check_gap (1, 4, 1);
  CHECK (tfrc_sequence_gap_is_marked (tfrc_detector_get_gap (&detector, 1)));
  CHECK_INT (tfrc_detector_get_gap (&detector, 1)->units, 2);
  CHECK_INT (detector.lost, 1);
  CHECK_INT (detector.units, 3);
}

TEST (a_marked_packet_arrived)
{
  start (1);
  receive_marked (2, true);
  CHECK_INT (detector.lost, 0);
  CHECK_INT (receive (2), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (receive_marked (2, true), TFRC_ARRIVAL_DUPLICATE);
  CHECK_INT (detector.n, 1);
}

TEST (a_late_marked_packet_marks_its_place)
{
  RECEIVE (1, 5, 6, 7, 8);
  CHECK_INT (receive_marked (3, true), TFRC_ARRIVAL_HEALED);
  CHECK_INT (changed, 0);
  CHECK_INT (detector.n, 3);
  CHECK_INT (detector.n_decided, 3);
  check_gap (0, 2, 1);
  check_gap (1, 3, 1);
  check_gap (2, 4, 1);
  CHECK (tfrc_sequence_gap_is_marked (tfrc_detector_get_gap (&detector, 1)));
  CHECK_INT (tfrc_detector_get_gap (&detector, 1)->units, 1);
  CHECK_INT (tfrc_detector_get_gap (&detector, 2)->units, 2);
  CHECK_INT (detector.lost, 2);
}

TEST (a_late_mark_in_an_open_gap_decides_what_is_before_it_only)
{
  RECEIVE (1, 6);
  CHECK_INT (receive_marked (4, true), TFRC_ARRIVAL_LATE);
  CHECK_INT (detector.n_decided, 2);
  CHECK_INT (detector.n, 3);
  check_gap (0, 2, 2);
  check_gap (1, 4, 1);
  check_gap (2, 5, 1);
  CHECK_INT (detector.lost, 2);
}

TEST (a_lost_packet_is_as_large_as_its_neighbours)
{
  static const uint32_t sizes[][3] = {
    {161, 161, 161}, {100, 300, 200}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, {1,
        0, 0}
  };

  for (unsigned i = 0; i < N_OF (sizes); i++) {
    TfrcArrival arrival = { .seq = BASE, .size = sizes[i][0] };

    NOTE ("sizes %u", i);
    tfrc_detector_init (&detector, &arrival, now);
    tfrc_detector_on_packet (&detector, &arrival, &context, &changed, now);
    arrival = (TfrcArrival) {.seq = BASE + 4, .size = sizes[i][1]};
    tfrc_detector_on_packet (&detector, &arrival, &context, &changed, now);
    CHECK_INT (tfrc_detector_get_gap (&detector, 0)->size, sizes[i][2]);
  }
}

TEST (losses_are_found_across_the_wrap_of_16_bits)
{
  start (65534);
  receive (65535);
  receive (65537);
  receive (65538);
  CHECK_INT (detector.lost, 0);
  receive (65539);
  CHECK_INT (detector.lost, 1);
}

/* The definition itself, on lists, against the detector: random losses,
 * reordering and duplicates. */
TEST (the_frontier_agrees_with_the_definition)
{
  enum
  { N = 400 };
  uint32_t seed = 5;

  for (unsigned round = 0; round < 200; round++) {
    bool arrived[N + 1] = { false };
    uint64_t lost = 0, received = 0;

    start (0);
    arrived[0] = true;
    for (unsigned i = 1, head = 0; i < N; i++) {
      uint64_t seq;
      TfrcArrivalKind kind;

      seed = seed * 1664525u + 1013904223u;
      head += seed >> 30 == 3 ? 1 + (seed >> 20) % 5 : 1;
      if (head > N)
        break;
      seq = (seed >> 12) % 4 == 0
          && head > 12 ? head - (seed >> 16) % 12 : head;
      kind = receive (seq);
      CHECK ((kind == TFRC_ARRIVAL_DUPLICATE) == arrived[seq]);
      arrived[seq] = true;
    }
    for (unsigned i = N + 1; i-- > 0;) {
      lost += !arrived[i] && received >= TFRC_NDUPACK;
      received += arrived[i];
    }
    NOTE ("round %u", round);
    CHECK_INT (detector.lost, lost);
    CHECK_INT (detector.units, received);
  }
}
