/* libtfrc: a TFRC receiver that runs at the data sender, for remotes that know nothing of TFRC
 * (RFC 5348 7)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The departures are a ring in the order of their sequence numbers, numbered from 0. Feedback settles
 * them: each departure that it mentions gets the next sequence number of the TfrcReceiver, whether or not
 * the packet was received. Unknown packets get none, so that the TfrcReceiver sees no gap. */
#include "sender-side-private.h"

/* Departures that are kept unless the configuration says how many: as many as the TfrcSender keeps. */
#define RING_TFRC 8192u
#define RING_TFRC_SP 256u

/* The first extended sequence number is this much above 0, for feedback about earlier ones. */
#define ORIGIN ((uint64_t) 1 << 16)

/* The arrivals of a report may be this much earlier than those of the report before, because packets and
 * reports overtake each other. More is a step of the remote's clock. */
#define CLOCK_STEP ((int64_t) TFRC_SEC)

/* The remote's clock is taken to be slower than ours by one part in this many, which is more than the drift of
 * two quartz clocks. */
#define DRIFT 4096

static size_t
get_ring_size (const TfrcConfig * config)
{
  if (config->history_packets > 0)
    return config->history_packets;
  return config->mode == TFRC_MODE_TFRC_SP ? RING_TFRC_SP : RING_TFRC;
}

/* Bytes before the TfrcReceiver, which is aligned as malloc() aligns. */
static size_t
get_offset (const TfrcConfig * config)
{
  size_t size = sizeof (TfrcSenderSideReceiver)
      + get_ring_size (config) * (sizeof (TfrcSideDeparture) +
      sizeof (uint32_t));

  return (size + _Alignof (max_align_t) - 1) & ~(_Alignof (max_align_t) - 1);
}

size_t
tfrc_sender_side_size (const TfrcConfig * config)
{
  return get_offset (config) + tfrc_receiver_size (config);
}

TfrcTime
tfrc_side_step_clock (TfrcSenderSideReceiver * side, TfrcTime now)
{
  if (now < side->now) {
    side->stats.clock_steps++;
    return side->now;
  }
  return side->now = now;
}

TfrcSenderSideReceiver *
tfrc_sender_side_init (void *block, const TfrcConfig * config, TfrcTime now)
{
  TfrcSenderSideReceiver *side = block;

  *side = (TfrcSenderSideReceiver) {
      .now = now,
      .T_fed = now,
      .mask = get_ring_size (config) - 1,
      .offset = get_offset (config)};
  tfrc_receiver_init (tfrc_side_get_receiver (side), config, now);
  return side;
}

void
tfrc_sender_side_restart (TfrcSenderSideReceiver * side, TfrcTime now)
{
  side->T_fed = tfrc_side_step_clock (side, now);
  side->stats.unknown += side->n - side->next;
  side->next = side->n;
  side->hole = side->period = 0;
  side->has_lost = false;
  side->counted = false;
  tfrc_receiver_restart (tfrc_side_get_receiver (side), side->T_fed);
}

void
tfrc_sender_side_set_mode (TfrcSenderSideReceiver * side, TfrcMode mode)
{
  tfrc_receiver_set_mode (tfrc_side_get_receiver (side), mode);
}

/* The oldest departure of the ring is forgotten when it is full; unless it is settled, it is unknown. */
void
tfrc_sender_side_on_departure (TfrcSenderSideReceiver * side, uint16_t seq,
    uint32_t size, const TfrcStamp * stamp, TfrcTime now)
{
  uint64_t last = side->n > 0 ? tfrc_side_get_departure (side, side->n - 1)->seq
      : ORIGIN + seq;

  now = tfrc_side_step_clock (side, now);
  if (side->n - side->next > side->mask) {
    side->next++;
    side->stats.unknown++;
  }
  *tfrc_side_get_departure (side, side->n++) = (TfrcSideDeparture) {
      .seq = last + (uint16_t) (seq - (uint16_t) last),
      .size = size,
      .at = now,
      .stamp = *stamp};
}

/* --- which packets the feedback is about --- */

uint64_t
tfrc_side_find_departure (TfrcSenderSideReceiver * side, uint64_t seq)
{
  uint64_t from = side->n > side->mask ? side->n - side->mask - 1 : 0, to =
      side->n;

  while (from < to) {
    uint64_t middle = from + (to - from) / 2;

    if (tfrc_side_get_departure (side, middle)->seq < seq)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* Departures before number `i` that are not settled become unknown. */
static void
pass_over_unknown (TfrcSenderSideReceiver * side, uint64_t i)
{
  side->hole +=
      tfrc_side_get_departure (side, i)->at - tfrc_side_get_departure (side,
      side->next)->at;
  side->stats.unknown += i - side->next;
  side->next = i;
}

bool
tfrc_side_settle (TfrcSenderSideReceiver * side, uint64_t i,
    const TfrcArrivalEntry * entry)
{
  TfrcSideDeparture *departure = tfrc_side_get_departure (side, i);

  if (i >= side->next) {
    if (i > side->next)
      pass_over_unknown (side, i);
    departure->number = ++side->numbers;
    departure->missing = true;
    side->lost_untold--;
    side->next = i + 1;
  }
  if (!departure->missing || !entry->received)
    return false;
  departure->missing = false;
  side->lost_untold++;
  departure->ce = entry->ecn == TFRC_ECN_CE;
  departure->arrival = entry->timed ? entry->arrival : 0;
  return true;
}

/* A remote may leave out of its feedback the lost packets before the first one received, as GStreamer's does.
 * When no feedback was lost in between, the packets from the last feedback up to `begin` are missing. */
static void
settle_gap (TfrcSenderSideReceiver * side, uint64_t begin)
{
  static const TfrcArrivalEntry missing = { .received = false };

  for (uint64_t i = tfrc_side_find_departure (side, side->end_seq); i < side->n
      && tfrc_side_get_departure (side, i)->seq < begin; i++)
    tfrc_side_settle (side, i, &missing);
}

/* Whether the feedback is the next one after the last. GStreamer's numbers are modulo 255. */
static bool
is_next (const TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback)
{
  return side->counted && feedback->counted
      && (feedback->count == (uint8_t) (side->count + 1)
      || (feedback->count == 0 && side->count == 254));
}

/* Remembers where the feedback ends, unless another one has overtaken it. `last` is the last sequence number
 * that departed. */
static void
follow_count (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, uint64_t begin, uint64_t last)
{
  if (side->counted && begin < side->end_seq)
    return;
  if (is_next (side, feedback))
    settle_gap (side, begin);
  side->counted = feedback->counted;
  side->count = feedback->count;
  side->end_seq = begin + feedback->n <= last ? begin + feedback->n : last + 1;
}

/* Settles the packets that the feedback is about. Returns how many are new and were received; their places in
 * the ring are in tfrc_side_get_order(). */
static size_t
settle_all (TfrcSenderSideReceiver * side, const TfrcArrivalFeedback * feedback)
{
  uint64_t last, begin;
  size_t n = 0;

  if (side->n == 0)
    return 0;
  last = tfrc_side_get_departure (side, side->n - 1)->seq;
  begin =
      last + (uint64_t) (int64_t) (int16_t) (uint16_t) (feedback->begin_seq -
      (uint16_t) last);
  follow_count (side, feedback, begin, last);
  for (uint64_t i = tfrc_side_find_departure (side, begin);
      i < side->n
      && tfrc_side_get_departure (side, i)->seq - begin < feedback->n; i++)
    if (tfrc_side_settle (side, i,
            &feedback->entries[tfrc_side_get_departure (side, i)->seq - begin]))
      tfrc_side_get_order (side)[n++] = (uint32_t) (i & side->mask);
  return n;
}

/* --- the order of their arrival --- */

static bool
is_later (const TfrcSenderSideReceiver * side, uint32_t a, uint32_t b)
{
  const TfrcSideDeparture *x = &side->ring[a], *y = &side->ring[b];

  return x->arrival != y->arrival ? x->arrival > y->arrival : x->seq > y->seq;
}

/* Heapsort: moves order[i] down in the heap of n, until none below it is later. */
static void
sift_down (TfrcSenderSideReceiver * side, uint32_t * order, size_t i, size_t n)
{
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    uint32_t place = order[i];

    if (child + 1 < n && is_later (side, order[child + 1], order[child]))
      child++;
    if (!is_later (side, order[child], place))
      return;
    order[i] = order[child];
    order[child] = place;
  }
}

static void
sort_by_arrival (TfrcSenderSideReceiver * side, uint32_t * order, size_t n)
{
  for (size_t i = n / 2; i > 0; i--)
    sift_down (side, order, i - 1, n);
  for (size_t i = n; i > 1; i--) {
    uint32_t latest = order[0];

    order[0] = order[i - 1];
    order[i - 1] = latest;
    sift_down (side, order, 0, i - 1);
  }
}

/* --- when they arrived, as a time of our own clock --- */

/* The difference between two times of the remote's clock, which begins anew after `period`. */
static int64_t
get_remote_difference (TfrcTime from, TfrcTime to, TfrcTime period)
{
  TfrcTime forward = (to + period - from) % period;

  return forward <=
      period / 2 ? (int64_t) forward : -(int64_t) (period - forward);
}

/* Follows the clock of the remote. The last arrival, or the report where its time is known, is `end` ns after
 * T_base. The two clocks may differ by any constant, which the first feedback sets: the time `end` is taken to
 * be now. Feedback whose `end` would be in our future sets the constant anew. So `end` comes to be the time at
 * which the feedback would have come if it had taken no longer than any other. */
static void
follow_clock (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, int64_t end)
{
  int64_t now = (int64_t) side->now, T_fed = (int64_t) side->T_fed, T, passed;

  if (side->period != feedback->period) {
    side->T_base = now - end;
  } else {
    passed = get_remote_difference (side->T_remote, feedback->T_base,
        feedback->period);
    side->T_base += passed + passed / DRIFT;
  }
  side->period = feedback->period;
  side->T_remote = feedback->T_base;
  T = side->T_base + end;
  side->stats.remote_clock_steps += T > now + CLOCK_STEP
      || T < T_fed - CLOCK_STEP;
  if (T > now || T < T_fed - CLOCK_STEP)
    side->T_base = now - end;
}

/* The time `offset` ns after T_base. It is never before the last one that the TfrcReceiver was given. */
static TfrcTime
get_time (const TfrcSenderSideReceiver * side, int64_t offset)
{
  int64_t T = side->T_base + offset;

  return T > (int64_t) side->T_fed ? (TfrcTime) T : side->T_fed;
}

int64_t
tfrc_side_get_hold (const TfrcSenderSideReceiver * side, int64_t end)
{
  return (int64_t) side->now - side->T_base - end;
}

/* How long the feedback waited at the remote after its last arrival, `end`, where the format does not tell. The
 * wait ended before the packet after `newest` arrived, the place in the ring of the last packet that the
 * feedback says was received. */
static int64_t
guess_hold (const TfrcSenderSideReceiver * side, uint32_t newest, int64_t end)
{
  int64_t gap, hold = tfrc_side_get_hold (side, end);

  if (newest == ((side->n - 1) & side->mask))
    return 0;
  gap = (int64_t) (side->ring[(newest + 1) & side->mask].at -
      side->ring[newest].at);
  return hold < gap ? hold : gap;
}

/* --- the TfrcReceiver --- */

/* Lets the timer of the TfrcReceiver expire by the time T: once, however long ago it was due. */
static void
run_timer (TfrcSenderSideReceiver * side, TfrcTime T)
{
  tfrc_receiver_on_timer (tfrc_side_get_receiver (side), T);
  side->T_fed = T;
}

static void
feed (TfrcSenderSideReceiver * side, const TfrcSideDeparture * departure)
{
  TfrcTime T = get_time (side, departure->arrival);
  TfrcPacket packet = {
    .seq = departure->number,
    .size = departure->size,
    .stamped = true,
    .ce = departure->ce,
    .stamp = departure->stamp
  };

  if (side->hole > T - side->T_fed)
    side->hole = T - side->T_fed;
  if (side->hole > 0)
    tfrc_receiver_leave_out (tfrc_side_get_receiver (side), side->hole);
  side->hole = 0;
  run_timer (side, T);
  tfrc_receiver_on_packet (tfrc_side_get_receiver (side), &packet, T);
}

int64_t
tfrc_side_feed (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, size_t n)
{
  uint32_t *order = tfrc_side_get_order (side);
  int64_t end;

  sort_by_arrival (side, order, n);
  end = feedback->T_base_is_report ? 0 : side->ring[order[n - 1]].arrival;
  follow_clock (side, feedback, end);
  for (size_t i = 0; i < n; i++)
    feed (side, &side->ring[order[i]]);
  return end;
}

unsigned
tfrc_side_finish (TfrcSenderSideReceiver * side, int64_t end,
    TfrcReport * report)
{
  TfrcReceiver *receiver = tfrc_side_get_receiver (side);

  run_timer (side, get_time (side, end));
  if (tfrc_receiver_wants_report (receiver)
      && tfrc_receiver_make_report (receiver, report, side->T_fed))
    return TFRC_SENDER_SIDE_REPORT;
  return tfrc_receiver_get_times (receiver, report,
      side->T_fed) ? TFRC_SENDER_SIDE_RTT : 0;
}

unsigned
tfrc_sender_side_on_feedback (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, TfrcReport * report, TfrcTime now)
{
  size_t n = settle_all (side, feedback);
  uint32_t newest;
  int64_t end;

  tfrc_side_step_clock (side, now);
  if (n == 0) {
    side->stats.idle_feedbacks++;
    return 0;
  }
  side->stats.feedbacks++;
  newest = tfrc_side_get_order (side)[n - 1];
  end = tfrc_side_feed (side, feedback, n);
  if (!feedback->T_base_is_report)
    end += guess_hold (side, newest, end);
  return tfrc_side_finish (side, end, report);
}

void
tfrc_sender_side_get_stats (const TfrcSenderSideReceiver * side,
    TfrcSenderSideStats * stats)
{
  *stats = side->stats;
  tfrc_receiver_get_stats (tfrc_side_get_receiver (side), &stats->receiver);
}
