/* tfrcadapt: tests of how long a packet may wait in the pacing queue
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "adapt-private.h"

#define MS TFRC_MSEC

static union
{
  max_align_t align;
  unsigned char bytes[1 << 16];
} block;
static TfrcAdapt *adapt;

/* A flow with packets of 40 ms over an empty path, 50 ms long, to a receiver that is known to play `max_delay` s after
 * the capture. */
static void
start_with (double max_delay, uint8_t copies)
{
  TfrcAdaptPoint point =
      { TFRC_ADAPT_CODEC_OPUS, 12000, 40000, 1, copies, false, false };
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  config.max_delay = max_delay;
  CHECK (tfrc_adapt_size (1) <= sizeof block);
  adapt = tfrc_adapt_init (block.bytes, &config, &point, 1, TFRC_SEC);
  adapt->budget.standing.path.R.low = adapt->conditions.allowance.R = 0.1;
  adapt->copies = (TfrcAdaptCopies) {copies, 2, 2};
}

static TfrcTime
get_queue_time (double max_delay, uint8_t copies)
{
  start_with (max_delay, copies);
  return tfrc_adapt_get_queue_time (adapt);
}

TEST (a_packet_waits_a_tenth_of_a_second_for_a_receiver_that_nothing_is_known_of)
{
  TfrcAdaptChoice choice;

  CHECK_INT (get_queue_time (0, 0), 100 * MS);
  CHECK_INT (get_queue_time (0, 2), 100 * MS);
  tfrc_adapt_get_choice (adapt, &choice);
  CHECK_INT (choice.queue_time, 100 * MS);
}

/* The copies take 80 ms each, and the jitter 10 ms. A delay that the application knows comes before what the data
 * receiver says. */
TEST (a_packet_waits_for_what_the_copies_leave_of_the_playout)
{
  start_with (0, 0);
  adapt->conditions.playout = 0.415;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 400 * MS);
  start_with (0, 2);
  adapt->conditions.playout = 0.415;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 240 * MS);
  adapt->budget.standing.queue = 0.1;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 140 * MS);
  adapt->conditions.playout = 0.1;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 100 * MS);
  start_with (0.505, 2);
  adapt->conditions.playout = 1;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 240 * MS);
}

/* The first report of a long path comes later than in 100 ms, and packets wait for it. */
TEST (before_the_first_report_the_path_takes_nothing)
{
  start_with (0, 0);
  adapt->conditions.allowance.R = 0;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 500 * MS);
  start_with (0.505, 0);
  adapt->budget.standing.path.R.low = 0;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 460 * MS);
}

/* 40 ms to fill it, 50 ms of path, and 80 ms to each copy. */
TEST (a_packet_waits_for_what_the_path_and_the_copies_leave)
{
  CHECK_INT (get_queue_time (0.505, 0), 400 * MS);
  CHECK_INT (get_queue_time (0.505, 1), 320 * MS);
  CHECK_INT (get_queue_time (0.505, 2), 240 * MS);
  CHECK_INT (get_queue_time (1.205, 2), 940 * MS);
  CHECK_INT (get_queue_time (0.2, 2), 100 * MS);
}

TEST (the_time_changes_in_steps)
{
  start_with (0.505, 2);
  for (double queue = 0; queue < 0.3; queue += 0.001) {
    TfrcTime time;

    adapt->budget.standing.queue = queue;
    time = tfrc_adapt_get_queue_time (adapt);
    CHECK_INT (time % (20 * MS), 0);
    CHECK_BETWEEN ((double) time, fmax (100e6, 234e6 - queue * 1e9),
        fmax (100e6, 256e6 - queue * 1e9));
  }
}

/* Competing traffic may take the rest of the delay at any moment. */
TEST (a_packet_does_not_wait_for_longer_beside_a_standing_queue)
{
  start_with (0.505, 0);
  adapt->budget.standing.state = STANDING_COMPETING;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 100 * MS);
  adapt->budget.standing.state = STANDING_DRAIN;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 100 * MS);
  adapt->budget.standing.state = STANDING_CAUTIOUS;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 400 * MS);
}
