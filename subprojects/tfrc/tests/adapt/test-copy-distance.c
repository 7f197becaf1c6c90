/* tfrcadapt: tests of how long after a packet its redundant copies may be sent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "copy-distance.h"

TEST (without_a_queue_it_is_what_is_wanted_or_half_of_the_buffer)
{
  TfrcAdaptCopyDistance spread;

  tfrc_adapt_copy_distance_init (&spread, 0);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 80000),
      80000);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 0), 0);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.1, 80000),
      50000);
}

TEST (what_queues_take_of_the_buffer_copies_cannot_use)
{
  TfrcAdaptCopyDistance spread;

  tfrc_adapt_copy_distance_init (&spread, 0);
  tfrc_adapt_copy_distance_update (&spread, 0.05, 0.03, TFRC_SEC);
  CHECK_BETWEEN (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 80000),
      59999, 60000);
}

/* A full queue takes what comes within some 40 ms. */
TEST (a_queue_leaves_the_distance_of_the_shortest_bursts)
{
  TfrcAdaptCopyDistance spread;

  tfrc_adapt_copy_distance_init (&spread, 0);
  tfrc_adapt_copy_distance_update (&spread, 0.25, 0, 2 * TFRC_SEC);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 80000),
      40000);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 20000),
      20000);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 0), 0);
}

TEST (a_queue_is_forgotten_in_seconds)
{
  TfrcAdaptCopyDistance spread;

  tfrc_adapt_copy_distance_init (&spread, 0);
  tfrc_adapt_copy_distance_update (&spread, 0.2, 0, TFRC_SEC);
  tfrc_adapt_copy_distance_update (&spread, 0, 0, 2 * TFRC_SEC);
  CHECK_BETWEEN (tfrc_adapt_copy_distance_get_distance (&spread, 0.25, 80000),
      49999, 50001);
  for (unsigned i = 3; i < 12; i++)
    tfrc_adapt_copy_distance_update (&spread, 0, 0, i * TFRC_SEC);
  CHECK_INT (tfrc_adapt_copy_distance_get_distance (&spread, 0.2, 80000),
      80000);
}
