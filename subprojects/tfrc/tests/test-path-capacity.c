/* libtfrc: tests of what the path carries, by how much longer a larger packet takes
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "sender/path-capacity.h"

#define BEGIN (1000 * TFRC_SEC)
#define C 3000.0                /* bytes/s */
#define OWN (-71.5)             /* s: the clocks of the two ends differ by any time */

static TfrcPathCapacity capacity;

/* A packet of `size` bytes that waited `queue` seconds, `at` seconds behind the beginning. */
static double
report (uint32_t size, double queue, double at)
{
  tfrc_path_capacity_on_transit (&capacity, size, OWN + size / C + queue,
      BEGIN + (TfrcTime) (at * 1e9));
  return tfrc_path_capacity_get (&capacity);
}

TEST (a_larger_packet_takes_longer_by_its_bytes)
{
  tfrc_path_capacity_init (&capacity);
  CHECK_NEAR (tfrc_path_capacity_get (&capacity), 0, 0);
  CHECK_NEAR (report (150, 0, 0), 0, 0);
  CHECK_REL (report (270, 0, 0.1), C, 1e-9);
  CHECK_REL (report (330, 0, 0.2), C, 1e-9);
  CHECK_REL (report (91, 0, 0.3), C, 1e-9);
}

TEST (packets_that_are_alike_show_nothing)
{
  tfrc_path_capacity_init (&capacity);
  CHECK_NEAR (report (150, 0, 0), 0, 0);
  CHECK_NEAR (report (209, 0, 0.1), 0, 0);
  CHECK_NEAR (report (91, 0, 0.2), 0, 0);
  CHECK_REL (report (210, 0, 0.3), C, 1e-9);
}

/* A byte of difference would show nothing but jitter. */
TEST (packets_of_a_size_in_between_are_left_out)
{
  tfrc_path_capacity_init (&capacity);
  report (150, 0.05, 0);
  CHECK_NEAR (report (209, 0.02, 0.1), 0, 0);
  CHECK_REL (report (210, 0.021, 0.2), 60 / 0.001, 1e-9);
  CHECK_REL (report (179, 0, 0.3), 31 / (210 / C + 0.021 - 179 / C), 1e-9);
}

TEST (a_queue_makes_the_path_look_thinner_until_it_is_gone)
{
  tfrc_path_capacity_init (&capacity);
  report (150, 0, 0);
  CHECK_REL (report (270, 0.02, 0.1), 120 / 0.06, 1e-9);
  CHECK_REL (report (270, 0.05, 0.2), 120 / 0.06, 1e-9);
  CHECK_REL (report (270, 0, 0.3), C, 1e-9);
}

TEST (a_queue_before_the_small_packet_counts_until_one_without_it)
{
  tfrc_path_capacity_init (&capacity);
  report (150, 0.02, 0);
  CHECK_REL (report (270, 0, 0.1), 120 / 0.02, 1e-9);
  CHECK_REL (report (150, 0.03, 0.2), 120 / 0.02, 1e-9);
  CHECK_REL (report (150, 0, 0.3), C, 1e-9);
}

TEST (a_difference_below_a_millisecond_is_none)
{
  tfrc_path_capacity_init (&capacity);
  tfrc_path_capacity_on_transit (&capacity, 100, OWN, BEGIN);
  tfrc_path_capacity_on_transit (&capacity, 220, OWN - 0.005, BEGIN);
  CHECK_REL (tfrc_path_capacity_get (&capacity), 120e3, 1e-9);
}

TEST (packets_of_different_times_are_not_compared)
{
  tfrc_path_capacity_init (&capacity);
  report (150, 0, 0);
  CHECK_REL (report (270, 0, 5.0), C, 1e-9);
  CHECK_NEAR (report (270, 0, 5.1), 0, 0);
  CHECK_REL (report (150, 0, 5.2) + report (270, 0, 5.3), C, 1e-9);
}

TEST (a_packet_that_is_far_smaller_is_what_others_are_compared_with)
{
  tfrc_path_capacity_init (&capacity);
  report (150, 0.5, 0);
  report (270, 0.5, 0.1);
  CHECK_NEAR (report (90, 0, 0.2), 0, 0);
  CHECK_REL (report (150, 0, 0.3), C, 1e-9);
}
