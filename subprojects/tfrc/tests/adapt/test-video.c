/* tfrcadapt: tests of the rate of video that leaves the queue of the path to voice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include <math.h>

#include <tfrcadapt/video.h>

#define BEGIN (1000 * TFRC_SEC)
#define STEP 0.1                /* s from report to report */
#define OWN 0.05                /* s of round-trip time without a queue */
#define ROOM 0.2                /* s of queue that the path has */
#define VOICE 6600.0            /* bytes/s of voice beside the video */

static union
{
  max_align_t align;
  unsigned char bytes[1024];
} block;
static TfrcAdaptVideo *video;
static TfrcTime now;
static double capacity;         /* bytes/s of the path */
static double queue, foreign;   /* s of queue by this call, and by competing traffic */
static double lost;             /* s of queue that the path had no room for */
static double back;             /* s that reports wait on their way */
static double stall;            /* s of delay in the first fifth of each second, while the machine stalls */
static double clock_s;          /* s since the start */
static bool timed;
static double limit, arrived, waited;   /* waited: s of queue times s */

static void
start (double bytes_per_second)
{
  CHECK (tfrc_adapt_video_size () <= sizeof block);
  now = BEGIN;
  video = tfrc_adapt_video_init (block.bytes, now);
  capacity = bytes_per_second;
  queue = foreign = back = lost = stall = clock_s = 0;
  timed = true;
  limit = HUGE_VAL;
}

/* The encoder makes what is allowed, and a report shows what the path did with that. */
static void
run (double allowed, double seconds)
{
  for (double t = 0; t < seconds - 1e-9; t += STEP) {
    double used = fmin (allowed, limit), sum = used + VOICE, late;
    TfrcAllowance allowance = { .s = 1000, .R = OWN, .timed = timed };

    queue += STEP * (sum / capacity - 1);
    lost += fmax (queue - ROOM, 0);
    queue = fmin (fmax (queue, 0), ROOM);
    waited += STEP * queue;
    allowance.X_recv = queue > 0 ? used / sum * capacity : used;
    clock_s += STEP;
    late = foreign + (fmod (clock_s, 1.0) < 0.25 ? stall : 0.0);
    allowance.R_sample = OWN + queue + late + back;
    allowance.transit = OWN / 2 + queue + late;
    now += (TfrcTime) (STEP * 1e9);
    tfrc_adapt_video_on_allowance (video, &allowance, used, now);
    limit = tfrc_adapt_video_get_limit (video);
    arrived += STEP * allowance.X_recv;
  }
}

TEST (without_a_queue_there_is_no_limit)
{
  start (60000);
  run (50000, 60);
  CHECK (isinf (limit));
}

/* The path carries 500 kbit/s, then 200, then 500; the allowance is above that at all times. */
TEST (video_leaves_the_queue_to_voice_and_takes_the_rest)
{
  start (62500);
  run (10000, 1);
  run (90000, 10);
  arrived = 0;
  run (90000, 10);
  CHECK (arrived / 10 > 0.8 * (62500 - VOICE));
  capacity = 25000;
  run (90000, 2);
  lost = arrived = waited = 0;
  run (90000, 18);
  CHECK_NEAR (lost, 0, 0);
  CHECK_BETWEEN (waited / 18, 0.02, 0.055);
  CHECK (arrived / 18 > 0.75 * (25000 - VOICE));
  capacity = 62500;
  run (90000, 10);
  lost = arrived = 0;
  run (90000, 10);
  CHECK_NEAR (lost, 0, 0);
  CHECK (arrived / 10 > 0.8 * (62500 - VOICE));
}

/* Two reports tell a step down, and the queue that it made is gone within a second. */
TEST (a_step_down_costs_voice_little)
{
  start (62500);
  run (50000, 20);
  capacity = 25000;
  run (50000, 2 * STEP);
  CHECK (limit < 0.7 * (25000 - VOICE));
  lost = 0;
  run (50000, 0.8);
  CHECK_NEAR (lost, 0, 0);
  CHECK (queue < 0.02);
  run (50000, 3);
  CHECK (limit > 0.7 * (25000 - VOICE));
}

/* A machine that stalls for one report, and then delivers what waited. */
TEST (one_report_is_no_step_down)
{
  start (62500);
  run (50000, 10);
  capacity = 20000;
  run (50000, STEP);
  capacity = 200000;
  run (50000, 2 * STEP);
  capacity = 62500;
  run (50000, 5);
  CHECK (isinf (limit));
}

/* Video of 40 kB/s, and then the queue of competing traffic, which does not drain. */
static void
begin_beside_traffic (void)
{
  start (60000);
  run (40000, 5);
  foreign = 0.15;
  run (40000, 5);
  CHECK (isinf (limit));
}

TEST (a_queue_of_competing_traffic_does_not_starve_the_video)
{
  begin_beside_traffic ();
  arrived = 0;
  run (40000, 60);
  CHECK (arrived / 60 > 0.85 * 40000);
  foreign = 0;
  run (40000, 20);
  arrived = 0;
  run (40000, 5);
  CHECK_NEAR (arrived / 5, 40000, 1);
}

/* Competing traffic comes and goes. A step down afterwards is one again. */
TEST (competing_traffic_is_judged_anew)
{
  begin_beside_traffic ();
  foreign = 0;
  run (40000, 30);
  capacity = 25000;
  run (40000, 2);
  CHECK (limit < 25000);
}

/* However long the queue of competing traffic is, half of the rate is left. */
TEST (a_long_queue_leaves_half_of_the_limit)
{
  double before;

  start (25000);
  run (10000, 1);
  run (90000, 20);
  before = limit;
  foreign = 2;
  run (90000, STEP);
  CHECK_BETWEEN (limit, 0.4 * before, 0.7 * before);
}

/* A cut shows in reports after more than a round-trip time. */
TEST (a_cut_is_seen_before_the_next_one)
{
  start (60000);
  run (40000, 5);
  foreign = 0.3;
  run (40000, 1.2);
  CHECK_BETWEEN (limit, 0.4 * 40000, 0.5 * 40000);
}

/* A queue that drains by itself, as after the last cut, needs no other. */
TEST (a_queue_that_drains_is_cut_once)
{
  start (60000);
  run (40000, 5);
  for (foreign = 0.4; foreign > 0.1; foreign -= 0.01)
    run (40000, STEP);
  foreign = 0;
  run (40000, STEP);
  CHECK_BETWEEN (limit, 0.85 * 40000, 0.95 * 40000);
}

TEST (a_queue_on_the_way_back_is_none)
{
  start (60000);
  run (40000, 5);
  back = 0.2;
  run (40000, 10);
  CHECK (isinf (limit));
  timed = false;
  run (40000, 1);
  CHECK (limit < 40000);
}

TEST (a_longer_route_is_taken_for_a_queue_for_a_while)
{
  start (60000);
  run (40000, 5);
  foreign = 0.15;
  run (40000, 70);
  foreign = 0.16;
  run (40000, 10);
  CHECK (limit > 40000);
}

/* On a busy machine the reports of two or three packets in a second are late by more than a queue is. */
TEST (stalls_of_a_machine_cost_the_video_nothing)
{
  start (62500);
  stall = 0.15;
  run (50000, 60);
  CHECK (isinf (limit));
  run (90000, 20);
  arrived = 0;
  run (90000, 20);
  CHECK (arrived / 20 > 0.7 * (62500 - VOICE));
}

/* Without voice the video fills the queue for a minute. That queue is found when the limit holds again. */
TEST (a_queue_without_a_limit_is_none_of_the_path)
{
  TfrcAllowance allowance = {
    .s = 1000,
    .R = OWN,
    .R_sample = OWN + ROOM,
    .X_recv = 25000,
    .transit = OWN / 2 + ROOM,
    .timed = true
  };

  start (25000);
  run (10000, 5);
  for (unsigned i = 0; i < 600; i++) {
    now += 100 * TFRC_MSEC;
    tfrc_adapt_video_on_unlimited (video, &allowance, now);
    CHECK (isinf (tfrc_adapt_video_get_limit (video)));
  }
  queue = ROOM;
  run (90000, 2);
  CHECK (limit < 25000);
}

/* The limit does not run away while the encoder makes less. */
TEST (the_limit_stays_near_what_is_used)
{
  start (25000);
  run (5000, 1);
  run (90000, 10);
  CHECK (limit < 25000);
  run (5000, 60);
  CHECK (limit < 1.5 * 20000);
}

TEST (nothing_is_concluded_before_the_first_report)
{
  TfrcAllowance allowance = { .X = 1000 };

  start (25000);
  tfrc_adapt_video_on_allowance (video, &allowance, 5000, now);
  CHECK (isinf (tfrc_adapt_video_get_limit (video)));
  tfrc_adapt_video_on_allowance (video, &allowance, 5000, now - TFRC_SEC);
  CHECK (isinf (tfrc_adapt_video_get_limit (video)));
}
