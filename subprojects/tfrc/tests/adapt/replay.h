/* tfrcadapt: a call in virtual time is recorded, and other schedules of operating points are played under what it had
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The record is the allowance, the random losses in the order of the packets, the queue of TCP, and when each end had
 * the processor. A schedule is a point for each second. It is played frame by frame through a pacing queue with that
 * allowance, the same link and the same jitter buffer, and scored as the call is.
 *
 * The allowance is what the adaptation plans with (adapt/wire-rate-budget.c): the rate of the throughput equation where that is
 * above X, else X. It is taken as recorded, although a flow with other packets, or with more of them before its first
 * loss, would have had another one; with `forecast` set it depends on the packet rate as the adaptation expects
 * (adapt/packet-rate-gain.c). Each packet of a schedule has all its copies, also those that a call would leave out. The queue of
 * TCP is taken as recorded too. The reports of another direction, which share the
 * link of a conversation with the packets, are left out. */
#ifndef TFRC_TEST_REPLAY_H
#define TFRC_TEST_REPLAY_H

#include "call.h"
#include "packet-rate-gain.h"

#define TICK_S 0.01             /* s, of the record */
#define TICKS (SECONDS * 100)
#define POINTS_MAX 64
#define WITHHELD_MAX 0.1        /* share of the packets of a window that the call's own sender may drop as well */
#define TFRC_SP_H 40            /* bytes of header that the allowance counts for each packet */

/* What a call leaves for other schedules. Index of an array: the ticks since its beginning. */
static struct
{
  unsigned ticks, packets;
  double allowed[TICKS + 1];    /* bytes with headers, since the beginning */
  double R[TICKS], p[TICKS];    /* s, and the loss event rate */
  double packet_rate[TICKS];    /* of the call's point */
  double queue[TICKS];          /* s, in front of the link */
  double slack[TICKS];          /* s that a packet that departs now may have waited and still be in time */
  bool sender_away[TICKS], receiver_away[TICKS];
  bool lost[FRAMES];            /* by packet */
  TfrcTime first_frame;
  double loss;                  /* share of the packets */
} record;

typedef struct
{
  double score, begin;          /* of the whole call, and of its first window */
  uint32_t distance;            /* us from a packet to its copies */
  unsigned char point[SECONDS]; /* index into points */
} Schedule;

static TfrcAdaptPoint points[POINTS_MAX];       /* what a schedule may have */
static unsigned n_points;
static double patience;         /* s after which a waiting packet is dropped */
static bool forecast;           /* the allowance is another one at another packet rate */

/* --- the record ------------------------------------------------------------------ */

static double
get_allowance (void)
{
  TfrcAllowance a;

  tfrc_sender_get_allowance (call->sender, &a);
  record.R[record.ticks] = a.R;
  record.p[record.ticks] = a.p;
  record.packet_rate[record.ticks] = tfrc_adapt_point_get_packet_rate (&call->choice.point);
  return a.p > 0 && a.X_Bps > a.X && a.X > 0 ? a.X_Bps * a.X_wire / a.X : a.X_wire;
}

static void
record_tick (void)
{
  unsigned i = record.ticks;
  double queue = 1e-9 * ((double) call->link_free - (double) now), least = 0;

  if (call != calls || i == TICKS || (now - BEGIN) % (TfrcTime) (TICK_S * 1e9) != 0)
    return;
  record.queue[i] = fmax (0, queue);
  if (call->fastest != TFRC_TIME_NONE)
    least = 1e-9 * ((double) call->fastest - (double) path.one_way);
  record.slack[i] = 1e-9 * (double) latency + (path.tcp ? least - record.queue[i] : 0);
  record.sender_away[i] = now < call->sender_runs;
  record.receiver_away[i] = now < call->receiver_runs;
  record.allowed[i + 1] = record.allowed[i] + TICK_S * get_allowance ();
  record.ticks++;
}

static bool
record_loss (Call * link)
{
  bool lost = draw_loss (link);

  if (link == calls && !path.tcp && record.packets < FRAMES)
    record.lost[record.packets++] = lost;
  return lost;
}

/* The call that is played from now on is recorded. */
static void
start_record (void)
{
  record.ticks = record.packets = 0;
  hooks.stepped = record_tick;
  hooks.lose = record_loss;
}

static void
end_record (void)
{
  hooks.stepped = NULL;
  hooks.lose = NULL;
  record.first_frame = call->frames[0].made;
  record.loss = (double) call->seen.lost / fmax (call->seen.packets, 1);
}

/* Bytes that were allowed until `t` s. */
static double
get_sum (const double *sum, double t)
{
  double at = fmin (fmax (t / TICK_S, 0), record.ticks - 1);
  unsigned i = (unsigned) at;

  return sum[i] + (at - i) * (sum[i + 1] - sum[i]);
}

/* When that many bytes were allowed, in s; `*tick` is not after that. */
static double
get_when (const double *sum, double bytes, unsigned *tick)
{
  while (*tick < record.ticks && sum[*tick + 1] < bytes)
    ++*tick;
  if (*tick == record.ticks)
    return HUGE_VAL;
  return TICK_S * (*tick + fmax (0, (bytes - sum[*tick]) / (sum[*tick + 1] - sum[*tick])));
}

static unsigned
get_tick (TfrcTime t)
{
  return (unsigned) ((double) (t - BEGIN) * 1e-9 / TICK_S + 1e-6);
}

/* When an end that has something to do at `t` has the processor. */
static TfrcTime
get_turn (const bool *away, TfrcTime t)
{
  unsigned i = get_tick (t);

  if (i >= record.ticks || !away[i])
    return t;
  while (i < record.ticks && away[i])
    i++;
  return BEGIN + (TfrcTime) (i * TICK_S * 1e9);
}

/* Bytes of a packet that the allowance counts. */
static double
get_bytes (const TfrcAdaptPoint * point)
{
  return tfrc_adapt_point_get_payload_size (point) + RTP + TFRC_SP_H;
}

/* Bytes of the recorded allowance that a packet of the point uses up in a tick. */
static double
get_cost (const TfrcAdaptPoint * point, unsigned tick)
{
  if (!forecast || !(record.p[tick] > 0))
    return get_bytes (point);
  return get_bytes (point) / tfrc_adapt_packet_rate_gain (record.loss, record.R[tick],
      record.packet_rate[tick], tfrc_adapt_point_get_packet_rate (point));
}

/* --- a schedule is played --------------------------------------------------------- */

static double replay_sent;      /* bytes, with headers, of the allowance that the schedule has used */
static unsigned replay_packets, replay_tick;
static bool withheld[FRAMES];   /* the frame's own packet was dropped by the sender, or the link has no room for it */

/* The losses of the call, and where the schedule has more packets, others. */
static bool
replay_loss (Call * link)
{
  return replay_packets < record.packets ? record.lost[replay_packets++] : draw_loss (link);
}

/* When the pacer lets a packet depart that was made now; 0: it is dropped. A packet can always use an unused
 * allowance of its own size, and of one round-trip time (RFC 5348 4.6). */
static TfrcTime
get_departure (const TfrcAdaptPoint * point)
{
  unsigned i = get_tick (now) < record.ticks ? get_tick (now) : record.ticks - 1;
  double size = get_cost (point, i);
  double X = (record.allowed[i + 1] - record.allowed[i]) / TICK_S, t;
  double sum = get_sum (record.allowed, (double) (now - BEGIN) * 1e-9);
  double from = fmax (replay_sent, sum - fmax (X * record.R[i], size));
  TfrcTime departs = now;

  t = get_when (record.allowed, from + size, &replay_tick);
  if (t > 1e-9 * (double) (now - BEGIN) + patience)
    return 0;
  if (BEGIN + (TfrcTime) (t * 1e9) > now)
    departs = BEGIN + (TfrcTime) (t * 1e9);
  replay_sent = from + size;
  return get_turn (record.sender_away, departs);
}

static bool
is_link_full (void)
{
  return (double) call->link_free - (double) now > path.queue_s * 1e9;
}

static void
replay_frame (void)
{
  const TfrcAdaptPoint *point = &call->frames[call->n_frames - 1].point;
  TfrcTime made = now, arrives;

  now = get_departure (point);
  withheld[call->n_frames - 1] = now == 0 || (!path.tcp && is_link_full ());
  if (now != 0) {
    if (path.tcp)
      call->link_free = now + (TfrcTime) (1e9 * record.queue[get_tick (now)]);
    arrives = cross (call, tfrc_adapt_point_get_payload_size (point) + RTP + IP_UDP);
    if (arrives != 0) {
      now = get_turn (record.receiver_away, arrives);
      take_into_buffer (&(Packet) {.frame = call->n_frames - 1,.copies = get_copies ()});
    }
  }
  now = made;
}

/* Where more than a few packets of a window are withheld, nothing restores them. Else a point with two copies, of
 * whose packets two in three are withheld, were one with packets of three frames, which the ladder does not have. */
static void
forget_withheld (unsigned window)
{
  TfrcTime from = BEGIN + window * WINDOW * TFRC_SEC, until = from + WINDOW * TFRC_SEC;
  unsigned n = 0, n_withheld = 0;

  for (unsigned i = 0; i < call->n_frames; i++) {
    n += is_within (i, from, until);
    n_withheld += withheld[i] && is_within (i, from, until);
  }
  for (unsigned i = 0; i < call->n_frames && n_withheld > WITHHELD_MAX * n; i++) {
    if (!withheld[i] || !is_within (i, from, until))
      continue;
    call->frames[i].heard = false;
    if (i + 1 < call->n_frames)
      call->frames[i + 1].arrived = false;
  }
}

static void
start_replay (void)
{
  call = &calls[1];
  call->n_frames = 0;
  call->in_burst = false;
  call->fastest = TFRC_TIME_NONE;
  call->fastest_of_window = 0;
  call->link_free = BEGIN;
  replay_sent = -HUGE_VAL;
  replay_packets = replay_tick = 0;
  hooks.lose = replay_loss;
}

/* Leaves `call` at the call that the schedule makes. */
static void
replay (Schedule * schedule, unsigned seconds)
{
  double scores[SECONDS];

  start_replay ();
  for (TfrcTime next = record.first_frame; next < BEGIN + seconds * TFRC_SEC && call->n_frames < FRAMES;) {
    const TfrcAdaptPoint *point;
    unsigned spacing;

    now = get_turn (record.sender_away, next);
    point = &points[schedule->point[second ()]];
    spacing = tfrc_adapt_point_get_copy_spacing (point, schedule->distance);
    call->frames[call->n_frames++] = (Frame) {.made = now,.point = *point,.copies = {point->redundancy, spacing, spacing} };
    replay_frame ();
    next += (TfrcTime) point->frame_us * 1000;
  }
  hooks.lose = NULL;
  for (unsigned w = 0; w < seconds / WINDOW; w++)
    forget_withheld (w);
  schedule->score = get_score (seconds, scores);
  schedule->begin = scores[0];
}

#endif
