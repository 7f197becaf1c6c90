/* tfrcadapt: tests of when a cheaper operating point is taken
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
{ LOW, HIGH };

static const TfrcAdaptPoint ladder[] = {
  [LOW] = {TFRC_ADAPT_CODEC_OPUS, 12000, 60000, 1, 2, false, false},
  [HIGH] = {TFRC_ADAPT_CODEC_OPUS, 24000, 60000, 1, 2, false, false},
};

/* `X` bytes/s, now and on the mean. */
static void
allow (double X)
{
  adapt->budget.now = adapt->budget.slow = adapt->budget.X_slow = X;
}

/* A call that loses an eighth of its packets. */
static void
start (TfrcAdaptStandingState state, double noise)
{
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  CHECK (tfrc_adapt_size (N_OF (ladder)) <= sizeof block);
  adapt =
      tfrc_adapt_init (block.bytes, &config, ladder, N_OF (ladder), TFRC_SEC);
  adapt->last_now = 20 * TFRC_SEC;
  adapt->current = HIGH;
  adapt->conditions.loss = 0.125;
  adapt->conditions.allowance.R = 0.35;
  adapt->budget.standing.state = state;
  adapt->budget.loss = true;
  adapt->budget.noise = noise;
}

/* Packets wait as long as they may, since the allowance is `share` of what they need without copies. Returns the point that is used then. */
static unsigned
squeeze (TfrcAdaptStandingState state, double share)
{
  unsigned bits;

  start (state, 0.5);
  adapt->budget.queue = 0.09;
  allow (share * tfrc_adapt_get_bare_need (adapt, HIGH));
  bits = tfrc_adapt_consider_down (adapt, 0.1, adapt->last_now);
  CHECK_INT (bits, adapt->current == HIGH ? 0 : TFRC_ADAPT_POINT);
  return adapt->current;
}

TEST (beside_tcp_the_point_stays_until_packets_do_not_fit_without_copies)
{
  CHECK_INT (squeeze (STANDING_COMPETING, 1.01), HIGH);
  CHECK_INT (squeeze (STANDING_COMPETING, 0.99), LOW);
  CHECK (adapt->budget.X_slow < tfrc_adapt_get_need (adapt, LOW));
  CHECK_INT (squeeze (STANDING_NONE, 0.99), HIGH);      /* what that costs on the mean decides */
}

/* Whether a call that is allowed `share` of its need for a moment waits before it reduces its rate. */
static bool
is_squeezed (double noise, double share)
{
  start (STANDING_NONE, noise);
  allow (tfrc_adapt_get_need (adapt, HIGH));
  adapt->budget.now *= share;
  CHECK_INT (tfrc_adapt_consider_down (adapt, 0.1, adapt->last_now), 0);
  return adapt->squeezed_since != TFRC_TIME_NONE;
}

TEST (the_usual_variation_of_the_allowance_is_no_reason_for_a_reduction)
{
  CHECK (is_squeezed (0, 0.94));
  CHECK (!is_squeezed (0, 0.96));
  CHECK (!is_squeezed (0.08, 0.88));
  CHECK (is_squeezed (0.08, 0.86));
}
