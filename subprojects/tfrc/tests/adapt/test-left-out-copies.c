/* tfrcadapt: tests of how far behind a packet its redundant copies are sent, and how many of them are left out
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "adapt-private.h"

static union
{
  max_align_t align;
  unsigned char bytes[1 << 16];
} block;
static TfrcAdapt *adapt;

static const TfrcAdaptPoint two =
    { TFRC_ADAPT_CODEC_OPUS, 16000, 40000, 1, 2, false, false };

/* A call that loses a fifth of its packets, whose receiver holds them for 400 ms. */
static void
start (double known_after)
{
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  CHECK (tfrc_adapt_size (1) <= sizeof block);
  adapt = tfrc_adapt_init (block.bytes, &config, &two, 1, TFRC_SEC);
  adapt->last_now = 20 * TFRC_SEC;
  adapt->conditions.loss = 0.2;
  adapt->conditions.playout = 0.4;
  adapt->conditions.known_after = known_after;
  tfrc_adapt_update_copies_wait (adapt);
}

/* Of a point with packets of `frame_ms`. */
static void
check_copies (unsigned frame_ms, uint8_t redundancy, unsigned n, unsigned first,
    unsigned spacing)
{
  TfrcAdaptPoint point = two;
  TfrcAdaptCopies copies;

  point.frame_us = 1000 * frame_ms;
  point.redundancy = redundancy;
  copies = tfrc_adapt_get_copies (adapt, &point);
  CHECK_INT (copies.n, n);
  CHECK_INT (copies.first, first);
  CHECK_INT (copies.spacing, spacing);
}

TEST (where_no_arrivals_are_known_all_copies_are_sent_soon)
{
  start (0);
  CHECK_NEAR (tfrc_adapt_get_sent_copies (adapt, &two), 2, 0);
  check_copies (40, 2, 2, 2, 2);
  CHECK (!adapt->copies_wait);
}

/* In the 160 ms of the first copy all packets are known, and 0.2 of them need it. In the 80 ms from copy to copy 1/15 are. */
#define FEW (0.2 + (0.2 + 0.2 * 0.2) * (1 - 0.8 / 15))

TEST (copies_wait_until_it_is_known_whether_they_are_needed)
{
  start (0.15);
  CHECK (adapt->copies_wait);
  check_copies (40, 2, 3, 4, 2);
  CHECK_NEAR (tfrc_adapt_get_sent_copies (adapt, &two), FEW, 1e-9);
}

/* Of the packets 0.6 are known in 160 ms, none in 80 ms, and all in 240 ms. */
TEST (a_copy_of_what_is_not_known_is_sent)
{
  start (0.2);
  CHECK_NEAR (tfrc_adapt_get_sent_copies (adapt, &two),
      (1 - 0.8 * 0.6) + 0.2 + 0.2 * (1 - 0.8 * 0.6), 1e-9);
}

TEST (the_third_copy_is_for_points_with_two)
{
  start (0.15);
  check_copies (40, 1, 1, 4, 2);
  check_copies (40, 0, 0, 2, 2);
}

/* 341 ms are five packets of 60 ms, and seventeen of 20 ms. */
TEST (the_copies_are_so_many_packets_behind_as_the_packets_are_long)
{
  start (0.15);
  check_copies (60, 2, 3, 3, 1);
  check_copies (20, 2, 3, 9, 4);
}

TEST (the_age_of_a_copy)
{
  TfrcAdaptCopies copies = { 3, 4, 2 };

  CHECK_INT (tfrc_adapt_copies_get_age (&copies, 0), 0);
  CHECK_INT (tfrc_adapt_copies_get_age (&copies, 1), 4);
  CHECK_INT (tfrc_adapt_copies_get_age (&copies, 3), 8);
}

TEST (copies_that_would_have_to_wait_too_long_are_sent_soon)
{
  start (0.3);
  CHECK (!adapt->copies_wait);
  check_copies (40, 2, 2, 2, 2);
  /* of 80 ms nothing is known, and of 160 ms 0.07 */
  CHECK_NEAR (tfrc_adapt_get_sent_copies (adapt, &two),
      1 + (1 - 0.8 * (2 * 0.16 / 0.3 - 1)), 1e-9);
}

/* Each change of the distance leaves frames without a copy. */
TEST (the_distance_does_not_flap)
{
  start (0.29);
  CHECK (!adapt->copies_wait);
  start (0.2);
  adapt->conditions.known_after = 0.29;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (adapt->copies_wait);
  adapt->conditions.known_after = 0.34;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (!adapt->copies_wait);
}

TEST (an_application_that_wants_copies_soon_gets_them_soon)
{
  start (0.15);
  adapt->config.copy_distance = TFRC_ADAPT_COPY_DISTANCE - 40000;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (!adapt->copies_wait);
  check_copies (40, 2, 2, 1, 1);
}

/* 40 ms of the playout are a reserve. */
TEST (a_short_playout_has_room_for_fewer_or_earlier_copies)
{
  start (0.15);
  adapt->conditions.playout = 0.3;
  check_copies (40, 2, 3, 2, 2);
  adapt->conditions.playout = 0.25;
  check_copies (40, 2, 2, 3, 2);
  adapt->conditions.playout = 0.1;
  check_copies (40, 2, 2, 2, 2);
  adapt->conditions.playout = 0.4;
  adapt->budget.standing.queue = 0.15;
  check_copies (40, 2, 2, 3, 2);
}

TEST (a_queue_brings_the_copies_back_for_eight_seconds)
{
  start (0.15);
  adapt->budget.standing.queue = 0.1;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK_NEAR (tfrc_adapt_get_sent_copies (adapt, &two), 2, 0);
  check_copies (40, 2, 2, 2, 2);
  adapt->budget.standing.queue = 0;
  adapt->last_now += 7 * TFRC_SEC;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (!adapt->copies_wait);
  adapt->last_now += 2 * TFRC_SEC;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (adapt->copies_wait);
}

/* What is not lost needs no copies, and a point with them is not chosen. */
TEST (without_losses_copies_count_in_full)
{
  start (0.15);
  adapt->conditions.loss = 0;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK_NEAR (tfrc_adapt_get_sent_copies (adapt, &two), 2, 0);
}

/* Of the frames 0.2^3 are lost with two copies, and 0.2^4 with three. */
TEST (the_third_copy_counts_in_the_loss_that_remains)
{
  start (0);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, 0), 0.008, 1e-9);
  start (0.15);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, 0), 0.0016, 1e-9);
}

TEST (the_need_of_a_point_is_that_of_the_copies_that_are_sent)
{
  double frame = 80, headers = 24 + 40, red = 4, all, few;

  start (0);
  all = tfrc_adapt_get_need (adapt, 0);
  start (0.15);
  few = tfrc_adapt_get_need (adapt, 0);
  CHECK_NEAR (all - few, 25 * (2 - FEW) * (frame + red + 0.5), 1e-6);
  CHECK_NEAR (few, 25 * (frame + headers + FEW * (frame + red + 0.5)), 1e-6);
}

/* RFC 2198 has room for an age of 341 ms at 48 kHz. */
TEST (a_long_playout_makes_no_copy_older_than_its_header_can_say)
{
  start (0.15);
  adapt->conditions.playout = 1.1;
  check_copies (40, 2, 3, 4, 2);
}

TEST (copies_that_are_far_apart_are_no_more_than_two)
{
  start (0.15);
  adapt->conditions.playout = 1.1;
  adapt->config.copy_distance = 160000;
  adapt->config.buffer_delay = 0.4;
  check_copies (40, 2, 2, 4, 4);
}

/* Few packets need a copy: the pacing queue may have all of the playout but the time of one that comes soon. */
TEST (the_pacing_queue_has_the_time_of_copies_that_wait)
{
  start (0.15);
  adapt->conditions.allowance.R = 0.1;
  adapt->copies = tfrc_adapt_get_copies (adapt, &two);
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 300 * TFRC_MSEC);
  adapt->copies_wait = false;
  adapt->copies = tfrc_adapt_get_copies (adapt, &two);
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 220 * TFRC_MSEC);
  /* and all of it where there are no copies */
  adapt->copies_wait = true;
  adapt->copies.n = 0;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 380 * TFRC_MSEC);
}
