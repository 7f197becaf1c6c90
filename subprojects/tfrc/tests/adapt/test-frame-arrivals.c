/* tfrcadapt: tests of which frames are known to have arrived
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include <tfrcadapt/frame-arrivals.h>

#define MS TFRC_MSEC

static TfrcAdaptFrameArrivals arrivals;

/* The packet with this number departs: its frame is ten times the number, and its send time a thousand times. */
static void
depart (uint16_t seq, unsigned copies)
{
  uint64_t frames[8];

  for (unsigned i = 0; i <= copies; i++)
    frames[i] = 10u * (seq - i);
  tfrc_adapt_frame_arrivals_on_departure (&arrivals, 1000u * seq, seq, frames,
      copies + 1, seq * 20 * MS);
}

/* Packets of one frame each. */
static void
start (uint16_t first, uint16_t last)
{
  tfrc_adapt_frame_arrivals_init (&arrivals);
  for (unsigned seq = first; seq <= last; seq++)
    depart ((uint16_t) seq, 0);
}

static void
report (uint16_t named, uint32_t bits, TfrcTime now)
{
  TfrcReport r = {
    .t_i_us = 1000u * named,
    .lists_arrivals = true,
    .arrivals = bits
  };

  tfrc_adapt_frame_arrivals_on_report (&arrivals, &r, now);
}

static bool
has (uint16_t seq)
{
  return tfrc_adapt_frame_arrivals_has (&arrivals, 10u * seq);
}

TEST (nothing_has_arrived_before_a_report)
{
  start (100, 103);
  CHECK (!has (100) && !has (103));
  CHECK_NEAR (tfrc_adapt_frame_arrivals_get_delay (&arrivals), 0, 0);
  tfrc_adapt_frame_arrivals_init (&arrivals);
  report (100, UINT32_MAX, TFRC_SEC);
  CHECK (!tfrc_adapt_frame_arrivals_has (&arrivals, 0));
}

TEST (the_named_packet_and_the_listed_ones_have_arrived)
{
  start (100, 140);
  report (138, 1u << 0 | 1u << 3 | 1u << 31, 3 * TFRC_SEC);
  for (uint16_t seq = 100; seq <= 140; seq++) {
    NOTE ("packet %u", seq);
    CHECK (has (seq) == (seq == 138 || seq == 137 || seq == 134 || seq == 106));
  }
}

TEST (a_frame_has_arrived_with_any_of_its_copies)
{
  tfrc_adapt_frame_arrivals_init (&arrivals);
  depart (100, 0);
  depart (101, 1);
  depart (102, 2);
  report (102, 0, 3 * TFRC_SEC);
  CHECK (has (102) && has (101) && has (100));
  tfrc_adapt_frame_arrivals_init (&arrivals);
  depart (101, 1);
  depart (102, 0);
  report (102, 0, 3 * TFRC_SEC);
  CHECK (!has (101) && !has (100));
  report (102, 1, 3 * TFRC_SEC);
  CHECK (has (101) && has (100));
}

TEST (frames_beyond_the_fourth_of_a_packet_are_not_remembered)
{
  tfrc_adapt_frame_arrivals_init (&arrivals);
  depart (100, 7);
  report (100, 0, 3 * TFRC_SEC);
  CHECK (has (100) && has (97) && !has (96) && !has (93));
}

/* A report of a packet that has not departed, or long ago. */
TEST (what_no_departure_is_known_of_says_nothing)
{
  start (100, 103);
  report (104, UINT32_MAX, 3 * TFRC_SEC);
  CHECK (!has (103));
  start (100, 163);
  report (100, 0, 4 * TFRC_SEC);
  CHECK (has (100));
  start (100, 164);
  report (100, 0, 4 * TFRC_SEC);
  CHECK (!has (100));
  report (101, UINT32_MAX, 4 * TFRC_SEC);
  CHECK (has (101) && !has (102));
}

TEST (numbers_wrap)
{
  start (65534, 65535);
  depart (0, 0);
  depart (1, 0);
  report (1, 1u << 0 | 1u << 2, 3 * TFRC_SEC);
  CHECK (has (1) && has (0) && !has (65535) && has (65534));
}

/* Packets are known 100 to 180 ms behind their departure, five at a time. */
TEST (the_delay_covers_most_packets)
{
  double delay;

  tfrc_adapt_frame_arrivals_init (&arrivals);
  for (uint16_t seq = 100; seq < 1000; seq++) {
    depart (seq, 0);
    if (seq % 5 == 0)
      report (seq - 5, UINT32_MAX, seq * 20 * MS);
  }
  delay = tfrc_adapt_frame_arrivals_get_delay (&arrivals);
  CHECK_BETWEEN (delay, 0.16, 0.20);
  /* a second report of the same packets says nothing of the delay */
  report (990, UINT32_MAX, 990 * 20 * MS + 10 * TFRC_SEC);
  CHECK_NEAR (tfrc_adapt_frame_arrivals_get_delay (&arrivals), delay, 0);
}

TEST (a_report_without_arrivals_ends_the_knowledge_of_the_delay)
{
  TfrcReport bare = { .t_i_us = 102000 };

  start (100, 103);
  report (101, 0, 101 * 20 * MS + 100 * MS);
  CHECK_NEAR (tfrc_adapt_frame_arrivals_get_delay (&arrivals), 0.15, 1e-9);
  tfrc_adapt_frame_arrivals_on_report (&arrivals, &bare, 3 * TFRC_SEC);
  CHECK_NEAR (tfrc_adapt_frame_arrivals_get_delay (&arrivals), 0, 0);
  CHECK (has (101) && !has (102));
}
