/* tfrcadapt: tests of the share of packets lost
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include <tfrcadapt/loss-share.h>

static TfrcAdaptLossShare share;
static uint32_t highest;
static int32_t lost;

static void
start (uint32_t from)
{
  tfrc_adapt_loss_share_init (&share);
  highest = from;
  lost = 0;
  tfrc_adapt_loss_share_update (&share, highest, lost);
}

static void
report (uint32_t packets, int32_t missing)
{
  highest += packets;
  lost += missing;
  tfrc_adapt_loss_share_update (&share, highest, lost);
}

TEST (nothing_is_known_before_24_packets)
{
  start (1000);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), -1.0, 0);
  report (23, 5);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), -1.0, 0);
  report (1, 1);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 6.0 / 24.0, 1e-12);
}

TEST (what_was_lost_before_the_first_report_counts_for_nothing)
{
  tfrc_adapt_loss_share_init (&share);
  highest = 70000;
  lost = 900;
  tfrc_adapt_loss_share_update (&share, highest, lost);
  report (100, 0);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.0, 0);
}

TEST (up_to_300_packets_it_is_the_plain_mean_and_then_it_forgets)
{
  start (1);
  report (100, 10);
  report (50, 20);
  report (150, 0);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 30.0 / 300.0, 1e-12);
  report (30, 0);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.1 * 0.9, 1e-12);
}

TEST (a_report_of_more_than_the_memory_is_the_whole_truth)
{
  start (1);
  report (300, 300);
  report (600, 60);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.1, 1e-12);
}

TEST (a_report_that_says_nothing_new_changes_nothing)
{
  start (1);
  report (100, 10);
  report (0, 0);
  report (0, 7);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.1, 1e-12);
}

TEST (packets_that_came_late_after_all_make_no_negative_share)
{
  start (1);
  report (100, 10);
  report (100, -5);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.05, 1e-12);
  report (100, 500);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), (10.0 + 100.0) / 300.0,
      1e-12);
}

TEST (the_sequence_number_wraps)
{
  start (UINT32_MAX - 20);
  report (100, 25);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.25, 1e-12);
}

TEST (a_receiver_or_sender_that_began_anew_is_no_loss)
{
  start (1);
  report (100, 10);
  highest = 500000;
  lost = 0;
  tfrc_adapt_loss_share_update (&share, highest, lost);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.1, 1e-12);
  report (100, 30);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.2, 1e-12);
  /* backwards, as a report that was overtaken */
  tfrc_adapt_loss_share_update (&share, highest - 50, lost - 10);
  CHECK_NEAR (tfrc_adapt_loss_share_get (&share), 0.2, 1e-12);
}
