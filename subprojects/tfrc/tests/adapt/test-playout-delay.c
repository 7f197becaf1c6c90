/* tfrcadapt: tests of the playout delay
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include <tfrcadapt/playout-delay.h>
#include <tfrcadapt/quality.h>

#define MS ((TfrcTime) 1000000)
#define PACKETS (30 * 50)       /* 30 s of packets of 20 ms */

static TfrcAdaptPlayoutDelay delay;
static TfrcTime now;
static uint64_t seed;

/* xorshift64*; 0 to 1 */
static double
get_random (void)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return (double) ((seed * UINT64_C (2685821657736338717)) >> 11) /
      9007199254740992.0;
}

static void
start (TfrcTime min, TfrcTime max)
{
  now = 1000 * MS;
  seed = 88172645463325252u;
  tfrc_adapt_playout_delay_init (&delay, min, max);
}

static TfrcTime
get (void)
{
  return tfrc_adapt_playout_delay_get (&delay);
}

static void
sound (TfrcTime lateness)
{
  now += 20 * MS;
  tfrc_adapt_playout_delay_on_sound (&delay, lateness, now);
}

/* Packets whose jitter is even over `jitter`. Returns the share that came too late, and in `high` the 95th
 * percentile of the delay. */
static double
play (unsigned packets, TfrcTime jitter, TfrcTime * high)
{
  unsigned i, late = 0, above[1001] = { 0 }, n = 0;

  for (i = 0; i < packets; i++) {
    TfrcTime lateness = (TfrcTime) (get_random () * (double) jitter);

    late += lateness > get ();
    above[get () / MS < 1000 ? get () / MS : 1000]++;
    sound (lateness);
  }
  for (i = 1000; i > 0 && n + above[i] <= packets / 20; i--)
    n += above[i];
  if (high != NULL)
    *high = i * MS;
  return (double) late / packets;
}

TEST (a_path_without_jitter_is_played_within_40_ms)
{
  TfrcTime high;

  start (10 * MS, 500 * MS);
  CHECK (play (PACKETS, 0, &high) == 0);
  CHECK (high <= 40 * MS);
  CHECK (get () <= 15 * MS);
  CHECK (get () >= 10 * MS);
}

TEST (jitter_of_0_to_100_ms_is_played_at_160_ms_and_heard_well)
{
  static const TfrcAdaptPoint point = {
    .codec = TFRC_ADAPT_CODEC_OPUS,
    .bitrate = 24000,
    .frame_us = 20000,
    .channels = 1
  };
  TfrcAdaptListening listening = { .burst = 1.0 };
  TfrcTime high;

  start (10 * MS, 500 * MS);
  listening.loss = play (PACKETS, 100 * MS, &high);
  CHECK (high >= 90 * MS && high <= 160 * MS);
  CHECK (listening.loss < 0.03);
  listening.delay = (double) high / 1e9;
  CHECK (tfrc_adapt_quality_get_mos (tfrc_adapt_quality_get_rating (&point,
              &listening)) >= 4.0);
  /* once it is known */
  CHECK (play (PACKETS, 100 * MS, &high) < 0.01);
}

TEST (the_delay_falls_again_within_the_memory)
{
  start (10 * MS, 500 * MS);
  play (PACKETS, 100 * MS, NULL);
  CHECK (get () > 80 * MS);
  play (4 * PACKETS, 0, NULL);
  CHECK (get () <= 15 * MS);
}

TEST (the_delay_rises_within_two_seconds)
{
  unsigned i;

  start (10 * MS, 500 * MS);
  play (PACKETS, 0, NULL);
  for (i = 0; i < 100; i++)
    sound (i % 2 == 0 ? 80 * MS : 0);
  CHECK (get () >= 80 * MS && get () <= 100 * MS);
}

TEST (one_hold_of_half_a_second_is_concealed)
{
  unsigned i;

  start (10 * MS, 1000 * MS);
  play (PACKETS, 5 * MS, NULL);
  for (i = 0; i < 25; i++)
    tfrc_adapt_playout_delay_on_sound (&delay, (TfrcTime) (500 - 20 * i) * MS,
        now);
  for (i = 0; i < 200; i++) {
    sound (2 * MS);
    CHECK (get () <= 200 * MS);
  }
}

/* A quarter of the packets is lost, and a copy of each comes 160 ms later. */
TEST (copies_of_many_lost_packets_are_waited_for)
{
  unsigned i;

  start (10 * MS, 500 * MS);
  for (i = 0; i < PACKETS; i++)
    sound (i % 4 == 0 ? 160 * MS : 0);
  CHECK (get () >= 160 * MS && get () <= 180 * MS);
}

/* The delay of a path that is long already costs more. */
TEST (a_long_path_waits_less_for_few)
{
  TfrcTime chosen[2];
  unsigned i, far;

  for (far = 0; far < 2; far++) {
    start (10 * MS, 1000 * MS);
    tfrc_adapt_playout_delay_set_path (&delay, far ? 200 * MS : 0);
    for (i = 0; i < PACKETS; i++)
      sound (i % 200 == 0 ? 140 * MS : 0);
    chosen[far] = get ();
  }
  CHECK (chosen[0] >= 140 * MS);
  CHECK (chosen[1] <= 20 * MS);
}

TEST (the_limits_are_kept)
{
  start (60 * MS, 200 * MS);
  CHECK (get () >= 60 * MS);
  play (PACKETS, 0, NULL);
  CHECK (get () == 60 * MS);
  play (PACKETS, 1000 * MS, NULL);
  CHECK (get () <= 200 * MS);
  start (100 * MS, 100 * MS);
  play (PACKETS, 500 * MS, NULL);
  CHECK (get () == 100 * MS);
  start (300 * MS, 100 * MS);
  play (PACKETS, 0, NULL);
  CHECK (get () == 300 * MS);
  start (0, 0);
  play (PACKETS, 50 * MS, NULL);
  CHECK (get () == 0);
}

/* Whatever comes: a negative lateness, a clock that does not move, a year. */
TEST (odd_times_do_no_harm)
{
  static const int64_t odd[] = { -5000000000, 0, 1, INT64_MAX, 100000000 };
  unsigned i;

  start (10 * MS, 500 * MS);
  for (i = 0; i < 1000; i++) {
    tfrc_adapt_playout_delay_on_sound (&delay, odd[i % N_OF (odd)],
        now + (i / 500) * 31536000000 * MS);
    CHECK (get () >= 10 * MS && get () <= 500 * MS);
  }
}
