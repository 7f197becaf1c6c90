/* libtfrc: tests of gaps and of the times of lost packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "core/sequence-gap.h"

static TfrcTime
ns (double seconds)
{
  return (TfrcTime) llround (seconds * 1e9);
}

static uint32_t
draw (uint32_t * state, uint32_t n)
{
  *state = *state * 1664525u + 1013904223u;
  return (uint32_t) (((uint64_t) * state * n) >> 32);
}

TEST (the_time_of_a_loss_is_interpolated_between_its_neighbours)
{
  for (size_t i = 0; i < N_OF (v_t_loss); i++) {
    const struct v_t_loss *v = &v_t_loss[i];
    uint64_t before = (1u << 16) + (uint64_t) v->S_before;
    uint64_t after = before + (uint16_t) (v->S_after - v->S_before);
    uint64_t loss = before + (uint16_t) (v->S_loss - v->S_before);
    TfrcSequenceGap gap;

    NOTE ("vector %zu", i);
    tfrc_sequence_gap_open (&gap, before, ns (v->T_before), after,
        ns (v->T_after));
    CHECK_INT (gap.count, after - before - 1);
    CHECK_INT (gap.first, before + 1);
    CHECK_NEAR ((double) tfrc_sequence_gap_get_time (&gap,
            (uint32_t) (loss - gap.first)) / 1e9, v->T_loss, 1e-9);
  }
}

TEST (a_mark_has_the_time_of_its_arrival)
{
  TfrcSequenceGap gap;

  tfrc_sequence_gap_mark (&gap, 70000, 160, ns (3.5));
  CHECK (tfrc_sequence_gap_is_marked (&gap));
  CHECK_INT (gap.count, 1);
  CHECK_INT (gap.size, 160);
  CHECK_INT (tfrc_sequence_gap_get_time (&gap, 0), ns (3.5));
  CHECK_INT (tfrc_sequence_gap_find_after (&gap, 0, ns (3.5) - 1), 0);
  CHECK_INT (tfrc_sequence_gap_find_after (&gap, 0, ns (3.5)), 1);
}

/* What find_after must give, packet by packet. */
static uint32_t
walk (const TfrcSequenceGap * gap, uint32_t from, TfrcTime T)
{
  while (from < gap->count && tfrc_sequence_gap_get_time (gap, from) <= T)
    from++;
  return from;
}

TEST (the_first_loss_after_a_time_is_found_without_a_walk)
{
  uint32_t seed = 1;

  for (unsigned i = 0; i < 200000; i++) {
    uint32_t count = 1 + draw (&seed, i % 2 ? 3000 : 12), from =
        draw (&seed, count + 1);
    TfrcTime T_before = 1000 + draw (&seed, 1000);
    TfrcTime T_span = draw (&seed, i % 3 ? 50 : 1000000000), T;
    TfrcSequenceGap gap;

    tfrc_sequence_gap_open (&gap, 70000, T_before, 70000 + count + 1,
        T_before + T_span);
    if (i % 5 == 0) {           /* a part of a gap that a late packet split */
      tfrc_sequence_gap_cut (&gap, gap.first + from / 2, gap.count - from / 2);
      from -= from / 2;
    }
    T = T_before - 10 + draw (&seed, (uint32_t) T_span + 20);
    NOTE ("gap %u", i);
    if (i % 20 == 0 || count < 20)
      CHECK_INT (tfrc_sequence_gap_find_after (&gap, from, T), walk (&gap, from,
              T));
  }
}

TEST (times_stay_in_order_and_within_the_gap_for_the_longest_silence)
{
  TfrcSequenceGap gap;
  TfrcTime now = UINT64_MAX - 5, last = 0;

  tfrc_sequence_gap_open (&gap, 70000, 7, 73000, now);
  for (uint32_t k = 0; k < gap.count; k++) {
    CHECK (tfrc_sequence_gap_get_time (&gap, k) > last);
    last = tfrc_sequence_gap_get_time (&gap, k);
  }
  CHECK (last < now);
  CHECK (now - last < TFRC_SEC * 60);
  CHECK_INT (tfrc_sequence_gap_find_after (&gap, 0, last), gap.count);
  CHECK_INT (tfrc_sequence_gap_find_after (&gap, 0, last - 1), gap.count - 1);
}
