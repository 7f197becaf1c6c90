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

TEST (where_no_arrivals_are_known_all_copies_are_sent_soon)
{
  start (0);
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two), 2, 0);
  CHECK_INT (tfrc_adapt_get_spacing (adapt, &two), 2);
  CHECK (!adapt->copies_wait);
}

/* All are known in the time of the first copy, which the share 0.2 needs, and the second one 0.2 times 0.2. */
TEST (copies_wait_until_it_is_known_whether_they_are_needed)
{
  start (0.15);
  CHECK (adapt->copies_wait);
  CHECK_INT (tfrc_adapt_get_spacing (adapt, &two), 4);
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two), 0.2 + 0.2 * 0.2, 1e-9);
}

/* Of the packets 0.6 are known in the time of the first copy, and all in that of the second one. */
TEST (a_copy_of_what_is_not_known_is_sent)
{
  start (0.2);
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two),
      (1 - 0.8 * 0.6) + 0.2 * (1 - 0.8 * 0.6), 1e-9);
}

TEST (copies_that_would_have_to_wait_too_long_are_sent_soon)
{
  start (0.3);
  CHECK (!adapt->copies_wait);
  CHECK_INT (tfrc_adapt_get_spacing (adapt, &two), 2);
  /* of 80 ms nothing is known, and of 160 ms 0.07 */
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two),
      1 + (1 - 0.8 * (2 * 0.16 / 0.3 - 1)), 1e-9);
}

/* Each change of the distance leaves frames without a copy. */
TEST (the_distance_does_not_flap)
{
  start (0.25);
  CHECK (!adapt->copies_wait);
  start (0.2);
  adapt->conditions.known_after = 0.25;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (adapt->copies_wait);
  adapt->conditions.known_after = 0.3;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (!adapt->copies_wait);
}

TEST (an_application_that_wants_copies_soon_gets_them_soon)
{
  start (0.15);
  adapt->config.copy_distance = TFRC_ADAPT_COPY_DISTANCE - 40000;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (!adapt->copies_wait);
  CHECK_INT (tfrc_adapt_get_spacing (adapt, &two), 1);
}

/* 100 ms of playout less the reserve leave 30 ms for each copy. */
TEST (a_short_playout_leaves_the_copies_where_they_were)
{
  start (0.15);
  adapt->conditions.playout = 0.1;
  CHECK_INT (tfrc_adapt_get_spacing (adapt, &two), 2);
}

TEST (a_queue_brings_the_copies_back_for_eight_seconds)
{
  start (0.15);
  adapt->budget.standing.queue = 0.1;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two), 2, 0);
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
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two), 2, 0);
}

TEST (while_losses_are_only_expected_copies_count_in_full)
{
  start (0.15);
  adapt->beginning = (TfrcAdaptBeginning) {.state = BEGINNING_WIDE};
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (tfrc_adapt_expects_loss (adapt));
  CHECK_NEAR (tfrc_adapt_get_copies (adapt, &two), 2, 0);
}

TEST (the_need_of_a_point_is_that_of_the_copies_that_are_sent)
{
  double frame = 80, headers = 24 + 40, red = 4, all, few;

  start (0);
  all = tfrc_adapt_get_need (adapt, 0);
  start (0.15);
  few = tfrc_adapt_get_need (adapt, 0);
  CHECK_NEAR (all - few, 25 * (2 - 0.24) * (frame + red + 0.5), 1e-6);
  CHECK_NEAR (few, 25 * (frame + headers + 0.24 * (frame + red + 0.5)), 1e-6);
}

/* RFC 2198 has room for an age of 341 ms at 48 kHz. */
TEST (a_long_playout_makes_no_copy_older_than_its_header_can_say)
{
  start (0.15);
  adapt->conditions.playout = 1.1;
  CHECK_INT (tfrc_adapt_get_spacing (adapt, &two), 4);
}

/* Few packets need the second copy: the pacing queue may have the time until then. */
TEST (the_pacing_queue_has_the_time_of_the_second_copy)
{
  start (0.15);
  adapt->conditions.allowance.R = 0.1;
  adapt->copy_spacing = 4;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 220 * TFRC_MSEC);
  adapt->copies_wait = false;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 100 * TFRC_MSEC);
  /* and all of it where there are no copies */
  adapt->copies_wait = true;
  adapt->rungs[0].point.redundancy = 0;
  CHECK_INT (tfrc_adapt_get_queue_time (adapt), 380 * TFRC_MSEC);
}
