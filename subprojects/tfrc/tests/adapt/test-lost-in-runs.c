/* tfrcadapt: tests of what redundant copies restore beside competing traffic, whose full queue takes packets in runs
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

enum
{ LONG, SHORT, PROTECTED, BARE };

static const TfrcAdaptPoint ladder[] = {
  [LONG] = {TFRC_ADAPT_CODEC_OPUS, 24000, 60000, 1, 2, false, false},
  [SHORT] = {TFRC_ADAPT_CODEC_OPUS, 24000, 20000, 1, 2, false, false},
  [PROTECTED] = {TFRC_ADAPT_CODEC_OPUS, 24000, 20000, 1, 0, true, false},
  [BARE] = {TFRC_ADAPT_CODEC_OPUS, 24000, 20000, 1, 0, false, false},
};

/* A call that loses an eighth of its packets beside a queue of a quarter of a second, whose owner it knows. */
static void
start (TfrcAdaptStandingState state)
{
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  CHECK (tfrc_adapt_size (N_OF (ladder)) <= sizeof block);
  adapt =
      tfrc_adapt_init (block.bytes, &config, ladder, N_OF (ladder), TFRC_SEC);
  adapt->last_now = 20 * TFRC_SEC;
  adapt->conditions.loss = 0.125;
  adapt->conditions.allowance.R = 0.35;
  adapt->budget.standing.queue = 0.25;
  adapt->budget.standing.state = state;
  tfrc_adapt_copy_distance_update (&adapt->spread, 0.25, 0, adapt->last_now);
  tfrc_adapt_update_copies_wait (adapt);
}

/* What is sent `gap` s behind a lost packet is lost with this probability. */
static double
get_lost_too (double gap)
{
  return 0.125 + 0.875 * exp (-gap / 0.028);
}

/* Copies are 40 ms apart, and a packet of 60 ms is the least for those of its length. */
TEST (copies_in_a_full_queue_are_the_better_the_further_apart_they_are)
{
  start (STANDING_COMPETING);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, SHORT),
      0.125 * pow (get_lost_too (0.04), 2), 1e-12);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, LONG),
      0.125 * pow (get_lost_too (0.06), 2), 1e-12);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, BARE), 0.125, 1e-12);
}

TEST (without_competing_traffic_losses_are_independent)
{
  start (STANDING_NONE);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, SHORT), pow (0.125, 3), 1e-12);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, LONG), pow (0.125, 3), 1e-12);
}

TEST (the_queue_of_others_is_expected_to_come_again_for_eight_seconds)
{
  start (STANDING_COMPETING);
  adapt->budget.standing.state = STANDING_NONE;
  adapt->last_now += 79 * TFRC_SEC / 10;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK (tfrc_adapt_get_residual (adapt, SHORT) > 2 * pow (0.125, 3));
  adapt->last_now += TFRC_SEC / 5;
  tfrc_adapt_update_copies_wait (adapt);
  CHECK_NEAR (tfrc_adapt_get_residual (adapt, SHORT), pow (0.125, 3), 1e-12);
}

/* A room in which each of the points fits. */
static unsigned
choose (void)
{
  return tfrc_adapt_choose (adapt, tfrc_adapt_room (1e6, 1e6));
}

TEST (beside_a_full_queue_packets_are_long)
{
  start (STANDING_COMPETING);
  CHECK_INT (choose (), LONG);
  start (STANDING_NONE);
  adapt->config.buffer_delay = 0;
  CHECK_INT (choose (), SHORT);
}

/* The error correction is in the next packet, which is lost with the packet in every third case. */
TEST (error_correction_in_the_next_packet_is_lost_with_the_packet)
{
  double alone, in_runs;

  start (STANDING_NONE);
  alone =
      tfrc_adapt_get_rating (adapt, PROTECTED) - tfrc_adapt_get_rating (adapt,
      BARE);
  start (STANDING_COMPETING);
  in_runs =
      tfrc_adapt_get_rating (adapt, PROTECTED) - tfrc_adapt_get_rating (adapt,
      BARE);
  CHECK (alone > 10);
  CHECK (in_runs < 0.6 * alone);
}

TEST (packets_that_are_as_rare_as_the_room_demands)
{
  TfrcAdaptRoom room = tfrc_adapt_room (1e6, 1e6);

  start (STANDING_NONE);
  CHECK (tfrc_adapt_fits (adapt, SHORT, room, 1.0));
  room.packet_rate = 17;
  CHECK (!tfrc_adapt_fits (adapt, SHORT, room, 1.0));
  CHECK (tfrc_adapt_fits (adapt, LONG, room, 1.0));
}
