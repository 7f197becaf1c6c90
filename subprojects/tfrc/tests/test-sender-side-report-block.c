/* libtfrc: tests of report blocks as feedback for the TFRC receiver at the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A packet of 100 bytes departs each 20 ms. The round-trip time is 100 ms. */
#include "test.h"

#include <tfrc/sender-side-receiver.h>
#include <tfrc/sender.h>

#define BEGIN (1000 * TFRC_SEC)
#define GAP (20 * TFRC_MSEC)
#define RTT (100 * TFRC_MSEC)
#define SIZE 100
#define SECOND 50               /* packets */

static union
{
  max_align_t align;
  unsigned char bytes[1 << 18];
} side_block, sender_block;
static TfrcSenderSideReceiver *side;
static TfrcSender *sender;
static TfrcTime now;
static uint16_t seq;
static TfrcReport report;

static void
start (void)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  config.initial_rtt = 500 * TFRC_MSEC;
  CHECK (tfrc_sender_side_size (&config) <= sizeof side_block);
  CHECK (tfrc_sender_size (&config) <= sizeof sender_block);
  now = BEGIN;
  side = tfrc_sender_side_init (side_block.bytes, &config, now);
  sender = tfrc_sender_init (sender_block.bytes, &config, now);
  seq = 65000;
}

/* n packets depart. */
static void
send (unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    TfrcStamp stamp;

    now += GAP;
    if (tfrc_sender_next_timer (sender) <= now)
      tfrc_sender_on_timer (sender, now);
    tfrc_sender_on_departure (sender, SIZE, false, &stamp, now);
    tfrc_sender_side_on_departure (side, ++seq, SIZE, &stamp, now);
  }
}

/* A block comes about all packets but those that departed within the last round-trip time. */
static unsigned
take_block (uint32_t lost, TfrcTime rtt)
{
  unsigned bits = tfrc_sender_side_on_block (side,
      (uint16_t) (seq - RTT / GAP), lost, rtt, &report, now);

  if (bits & TFRC_SENDER_SIDE_REPORT)
    CHECK_INT (tfrc_sender_on_report (sender, &report,
            now) & TFRC_SENDER_REJECTED, 0);
  return bits;
}

static TfrcSenderSideStats
get_stats (void)
{
  TfrcSenderSideStats stats;

  tfrc_sender_side_get_stats (side, &stats);
  return stats;
}

static double
get_R (void)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (sender, &allowance);
  return allowance.R;
}

/* One packet in 50 is lost: the loss interval is 50 packets. */
TEST (the_loss_event_rate_is_that_of_losses_at_even_distances)
{
  start ();
  for (unsigned i = 0; i < 40; i++) {
    send (2 * SECOND);
    CHECK_INT (take_block (2, RTT), TFRC_SENDER_SIDE_REPORT);
  }
  CHECK_BETWEEN (get_stats ().receiver.p, 0.018, 0.022);
  CHECK_BETWEEN (get_stats ().receiver.lost, 78, 80);
  CHECK_INT (get_stats ().receiver.packets, 40 * (2 * SECOND - 2) - RTT / GAP);
}

/* What is sent beside a loss of 20 % is what the equation gives for it, and a remote cannot raise it. */
TEST (losses_hold_the_rate_down)
{
  TfrcAllowance allowance;

  start ();
  for (unsigned i = 0; i < 60; i++) {
    send (SECOND);
    take_block (SECOND / 5, RTT);
  }
  tfrc_sender_get_allowance (sender, &allowance);
  CHECK_BETWEEN (get_stats ().receiver.p, 0.15, 0.21);
  CHECK (allowance.X < 30e3);
}

TEST (the_round_trip_time_is_that_of_the_block)
{
  start ();
  for (unsigned i = 0; i < 100; i++) {
    send (5 * SECOND);
    take_block (0, RTT);
  }
  CHECK_BETWEEN (get_R (), 0.095, 0.105);
}

/* A remote that tells 1 us, one that has even the last packet already, and one that tells nothing. */
TEST (the_round_trip_time_has_a_floor)
{
  start ();
  for (unsigned i = 0; i < 100; i++) {
    send (5 * SECOND);
    take_block (0, 1000);
  }
  CHECK_BETWEEN (get_R (), 0.049, 0.11);
  start ();
  for (unsigned i = 0; i < 100; i++) {
    send (5 * SECOND);
    if (tfrc_sender_side_on_block (side, seq, 0, 1000, &report, now))
      tfrc_sender_on_report (sender, &report, now);
  }
  CHECK_BETWEEN (get_R (), 0.049, 0.11);
  start ();
  for (unsigned i = 0; i < 100; i++) {
    send (5 * SECOND);
    take_block (0, 0);
  }
  CHECK_BETWEEN (get_R (), 0.09, 0.13);
}

/* Blocks each five seconds, as RFC 3550 6.2 has them, do not let the nofeedback timer expire. */
TEST (seldom_blocks_are_no_missing_feedback)
{
  TfrcSenderStats stats;
  uint64_t expired;

  start ();
  for (unsigned i = 0; i < 20; i++) {
    send (5 * SECOND);
    take_block (0, RTT);
  }
  tfrc_sender_get_stats (sender, &stats);
  expired = stats.expiries;
  for (unsigned i = 0; i < 20; i++) {
    send (5 * SECOND);
    take_block (0, RTT);
  }
  tfrc_sender_get_stats (sender, &stats);
  CHECK_INT (stats.expiries, expired);
  CHECK (stats.X >= SIZE / 0.02);
}

/* The highest sequence number was received, and no more packets are lost than there were. */
TEST (more_losses_than_packets_are_all_but_one)
{
  start ();
  send (105);
  take_block (UINT32_MAX, RTT);
  CHECK_INT (get_stats ().receiver.packets, 1);
  send (1);
  take_block (1, RTT);
  CHECK_INT (get_stats ().receiver.packets, 2);
}

TEST (a_block_that_is_not_new_changes_nothing)
{
  start ();
  send (105);
  CHECK_INT (take_block (0, RTT), TFRC_SENDER_SIDE_REPORT);
  CHECK_INT (take_block (50, RTT), 0);
  CHECK_INT (get_stats ().idle_feedbacks, 1);
  CHECK_INT (get_stats ().receiver.packets, 100);
  CHECK_INT (get_stats ().receiver.lost, 0);
}

TEST (a_block_about_packets_that_were_never_sent_changes_nothing)
{
  start ();
  CHECK_INT (tfrc_sender_side_on_block (side, 5, 0, RTT, &report, now), 0);
  send (100);
  CHECK_INT (tfrc_sender_side_on_block (side, (uint16_t) (seq + 1), 3, RTT,
          &report, now), 0);
  CHECK_INT (tfrc_sender_side_on_block (side, (uint16_t) (seq + 30000), 3, RTT,
          &report, now), 0);
  CHECK_INT (get_stats ().idle_feedbacks, 2);
  CHECK_INT (get_stats ().receiver.packets, 0);
}
