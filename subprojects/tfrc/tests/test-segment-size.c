/* libtfrc: tests of the mean segment size and the initial window
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "sender/segment-size.h"

static void
add (TfrcSegment * segment, unsigned n, uint32_t size)
{
  for (unsigned i = 0; i < n; i++)
    tfrc_segment_add (segment, size);
}

TEST (the_initial_window_is_that_of_rfc_5348_4_2)
{
  for (size_t i = 0; i < N_OF (v_w_init); i++) {
    NOTE ("mss %g", v_w_init[i].mss);
    CHECK_NEAR (tfrc_segment_get_initial_window ((uint32_t) v_w_init[i].mss),
        v_w_init[i].W_init, 0);
  }
}

TEST (before_the_first_segment_s_is_what_the_caller_takes_it_for)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 1460), 1460, 0);
  CHECK_INT (segment.s_max, 0);
  tfrc_segment_add (&segment, 160);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 1460), 160, 0);
  CHECK_INT (segment.s_max, 160);
}

TEST (alternating_sizes_give_their_mean_after_four_intervals)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned j = 0; j < 25; j++)
      tfrc_segment_add (&segment, j % 2 ? 300 : 100);
    tfrc_segment_on_loss_event (&segment);
  }
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 200, 1.0 + 4.0);
  for (unsigned j = 0; j < 100; j++)
    tfrc_segment_add (&segment, j % 2 ? 300 : 100);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 200, 2.1);
}

TEST (one_large_segment_in_four_hundred_moves_the_mean_by_three)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  add (&segment, 200, 200);
  tfrc_segment_add (&segment, 1400);
  add (&segment, 199, 200);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 203, 0.01);
}

TEST (the_mean_covers_four_closed_intervals_and_the_current_one)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  add (&segment, 10, 1000);
  tfrc_segment_on_loss_event (&segment);
  for (unsigned i = 0; i < 4; i++) {
    add (&segment, 10, 100);
    CHECK_BETWEEN (tfrc_segment_get_mean (&segment, 0), 270, 560);
    if (i < 3)
      tfrc_segment_on_loss_event (&segment);
  }
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), (10000 + 4000) / 50.0, 1e-9);
  /* Four closed intervals follow the one of 1000 bytes: it goes. */
  tfrc_segment_on_loss_event (&segment);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 100, 1e-9);
}

TEST (a_change_of_size_moves_the_mean_gradually)
{
  TfrcSegment segment;
  double before = 160;

  tfrc_segment_init (&segment);
  for (unsigned i = 0; i < 4; i++) {
    add (&segment, 50, 160);
    tfrc_segment_on_loss_event (&segment);
  }
  for (unsigned i = 0; i < 200; i++) {
    double s;

    tfrc_segment_add (&segment, 80);
    if (i % 50 == 49)
      tfrc_segment_on_loss_event (&segment);
    s = tfrc_segment_get_mean (&segment, 0);
    CHECK (s <= before + 1e-9 && before - s < 20.0);
    before = s;
  }
  CHECK_NEAR (before, 80, 1e-9);
}

TEST (a_long_interval_follows_a_change_within_its_own_length)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  add (&segment, 100000, 160);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 160, 1e-9);
  add (&segment, 4096, 80);
  CHECK_BETWEEN (tfrc_segment_get_mean (&segment, 0), 80, 90);
}

TEST (four_intervals_longer_than_the_current_one_are_not_faded)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  for (unsigned i = 0; i < 4; i++) {
    add (&segment, 1000, 160);
    tfrc_segment_on_loss_event (&segment);
  }
  add (&segment, 4000, 80);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 120, 1e-9);
}

TEST (the_mean_is_never_below_one_byte)
{
  TfrcSegment segment;

  tfrc_segment_init (&segment);
  tfrc_segment_add (&segment, 0);
  CHECK_NEAR (tfrc_segment_get_mean (&segment, 0), 1, 0);
}
