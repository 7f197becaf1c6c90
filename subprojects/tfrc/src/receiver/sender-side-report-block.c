/* libtfrc: the report blocks of RTCP (RFC 3550 6.4.1) as feedback for the TFRC receiver at the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A report block tells how many packets were lost since the block before, and not which. The losses are spread
 * evenly, which makes as many loss events of them as there can be, and the packets that arrived are taken to
 * have kept their distances. So p is never lower than a remote with TFRC would compute it. */
#include "sender-side-private.h"

/* The round-trip time is taken to be at least this. A remote that has no TFRC, no list of arrivals and no
 * clock that it can be held to may tell any round-trip time. */
#define R_LEAST (50 * TFRC_MSEC)

/* The period of a clock that does not begin anew: that of the departures. */
#define PERIOD ((TfrcTime) 1 << 62)

/* Whether packet i of n was lost: `lost` of the first n - 1 were. */
static bool
is_lost (uint64_t i, uint64_t n, uint64_t lost)
{
  return i + 1 < n && i * lost % (n - 1) + lost >= n - 1;
}

/* Settles the departures from side->next up to `end`, of which `lost` were lost. Returns how many were
 * received. */
static size_t
settle_block (TfrcSenderSideReceiver * side, uint64_t end, uint64_t lost)
{
  uint64_t begin = side->next, n = end - begin;
  TfrcTime last = tfrc_side_get_departure (side, end - 1)->at;
  size_t received = 0;

  if (lost > n - 1)
    lost = n - 1;
  for (uint64_t i = begin; i < end; i++) {
    TfrcArrivalEntry entry = {
      .received = !is_lost (i - begin, n, lost),
      .timed = true,
      .arrival = -(int64_t) (last - tfrc_side_get_departure (side, i)->at)
    };

    if (tfrc_side_settle (side, i, &entry))
      tfrc_side_get_order (side)[received++] = (uint32_t) (i & side->mask);
  }
  return received;
}

/* How long the block waited after the packet that departed at `at` had arrived: as the round-trip time tells,
 * but no longer than the block took longer than any other, which is the wait where no round-trip time is
 * known. A block is about packets that departed R_LEAST ago or earlier (leave_young()), so that the round-trip time that
 * the wait leaves is never less. */
static int64_t
get_hold (const TfrcSenderSideReceiver * side, TfrcTime at, TfrcTime rtt,
    int64_t end)
{
  int64_t hold, most = tfrc_side_get_hold (side, end);

  if (rtt == 0)
    return most;
  hold = side->now - at > rtt ? (int64_t) (side->now - at - rtt) : 0;
  return hold < most ? hold : most;
}

/* The number of the departure after the last one that the block settles: at most `end`, and before what departed within
 * R_LEAST, which the next block settles. */
static uint64_t
leave_young (TfrcSenderSideReceiver * side, uint64_t end)
{
  while (end > side->next
      && tfrc_side_get_departure (side, end - 1)->at + R_LEAST > side->now)
    end--;
  return end;
}

unsigned
tfrc_sender_side_on_block (TfrcSenderSideReceiver * side, uint16_t highest,
    uint32_t lost, TfrcTime rtt, TfrcReport * report, TfrcTime now)
{
  TfrcArrivalFeedback feedback = { .period = PERIOD };
  uint64_t last, end;
  int64_t arrival;

  now = tfrc_side_step_clock (side, now);
  if (side->n == 0)
    return 0;
  last = tfrc_side_get_departure (side, side->n - 1)->seq;
  end = tfrc_side_find_departure (side,
      last + 1 + (uint64_t) (int64_t) (int16_t) (uint16_t) (highest -
          (uint16_t) last));
  end = leave_young (side, end);
  if ((int16_t) (uint16_t) (highest - (uint16_t) last) > 0 || end <= side->next) {
    side->stats.idle_feedbacks++;
    return 0;
  }
  side->stats.feedbacks++;
  feedback.T_base = tfrc_side_get_departure (side, end - 1)->at % PERIOD;
  arrival = tfrc_side_feed (side, &feedback, settle_block (side, end, lost));
  return tfrc_side_finish (side, arrival + get_hold (side,
          tfrc_side_get_departure (side, end - 1)->at, rtt, arrival), report);
}

/* The TfrcReceiver sees a gap in front of the next packet: one loss event, however many packets were lost in it. */
void
tfrc_sender_side_on_lost (TfrcSenderSideReceiver * side, int32_t lost)
{
  int64_t unknown = (int64_t) (side->stats.unknown - side->unknown_at_block);
  int64_t untold;

  side->lost_untold = side->has_lost ?
      side->lost_untold + lost - (int64_t) side->lost : 0;
  side->has_lost = true;
  side->lost = lost;
  side->unknown_at_block = side->stats.unknown;
  untold = side->lost_untold;
  if (untold > unknown)
    untold = unknown;
  if (untold > (int64_t) side->mask)
    untold = (int64_t) side->mask;
  if (untold <= 0)
    return;
  side->lost_untold -= untold;
  side->stats.unknown_lost += (uint64_t) untold;
  side->numbers = (uint16_t) (side->numbers + untold);
}
