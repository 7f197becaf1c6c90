/* tfrcadapt: the standing queue, and the limit on the rate that drains it
 *
 * TFRC reacts to losses. Where a bottleneck has a deep queue, it lets a flow fill that queue for
 * seconds before the first packet is lost, and a voice call is of no use with such a delay.
 * Therefore, when the round-trip time stays above its floor, the flow is limited below what the
 * path carries until the queue has drained. If the queue does not drain although the flow sends
 * less, it was built by competing traffic, and the limit is lifted: the flow would only starve.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "standing-queue.h"

#include <math.h>

#include "queue-owner.h"

/* The lowest round-trip time is that of the last one to two windows, because routes change. */
#define FLOOR_WINDOW (30 * TFRC_SEC)

/* There is a standing queue when the round-trip time is above its floor by more than QUEUE_ON
 * seconds and QUEUE_ON_PACKETS packet times. Less is jitter or, on a thin link, the time to transmit
 * a packet; from there on a listener notices the delay. The queue is gone below QUEUE_OFF seconds
 * and QUEUE_OFF_PACKETS packet times. */
#define QUEUE_ON 0.04
#define QUEUE_ON_PACKETS 1.0
#define QUEUE_OFF 0.01
#define QUEUE_OFF_PACKETS 0.5

/* At a proven rate a queue that is full may be of a burst of others, and drains by itself. The flow is limited
 * only when the queue stands for STANDS_AFTER, as CoDel (RFC 8289) takes the least delay of an interval for the
 * standing queue, or is QUEUE_LONG times as long as one that is full. By a sweep over 0.5, 1 and 2 s and 1.5, 2
 * and 3 times in tests/bench/paths.sh, on seeds 1 to 10: with 3 a step down costs 20 ms of delay. */
#define STANDS_AFTER (2 * TFRC_SEC)
#define QUEUE_LONG 2.0

/* Share of what the path carries to which the flow is limited while the queue drains: such that it
 * drains in about a second, but not less than the call needs. */
#define DRAIN_SHARE_MAX 0.75
#define DRAIN_SHARE_MIN 0.6

/* A queue may grow although the flow sends less than what arrived. Where a rate was proven, the path carries less than
 * was believed, and the limit is cut again. Where none was, the flow has just begun, and competing traffic fills the
 * queue, as TCP does in its slow start: beside Reno and CUBIC calls then have 4.03 and 3.73, and with more cuts 3.96 and
 * 3.53 (tests/bench/paths.sh, seeds 1 to 30). Both CUT_WAIT after the last cut has shown, and in the first CUTS_FOR of a
 * drain only, because cuts do not stop a growth that lasts longer. Where the limit is
 * below the least rate that the flow can use already, or below what the path is known to carry, the queue counts as that of
 * others. */
#define SLOPE_MEMORY 0.7        /* s over which the growth is averaged: a few reports */
#define SLOPE_GROWING 0.05      /* s of queue per s: more than jitter brings about */
#define CUT_WAIT (400 * TFRC_MSEC)
#define CUTS_FOR (2 * TFRC_SEC)

/* Round-trip times from a cut until a report covers what was sent after it. */
#define VISIBLE 1.5

/* While there is a queue, the rate that arrives is the rate that the path carries. It is averaged
 * over CARRIED_MEMORY seconds, in which one packet more or less is a few percent; CAUTIOUS_SHARE
 * leaves room for these. A drain of less than LONG_DRAIN is too short for that mean. */
#define CARRIED_MEMORY 1.0      /* s */
#define LONG_DRAIN (500 * TFRC_MSEC)
#define CAUTIOUS_SHARE 0.97

/* A rate is proven when the flow has used it for this long without a queue. */
#define PROVEN_AFTER (800 * TFRC_MSEC)

/* Rates that differ by no more than this share are the same: encoders vary. */
#define SAME 0.05

/* After a rate has failed, the geometric mean of the proven and the failed rate is tried for
 * HALVED_WAIT before any higher rate, unless the two are within a factor of NEAR, or the path has
 * changed less than HALVED_AGE ago, in which case the failed rate may be right now. */
#define NEAR 1.15
#define HALVED_WAIT (3 * TFRC_SEC)
#define HALVED_AGE (30 * TFRC_SEC)

/* A higher rate than the proven one is tried again after WAIT_SHARE of the time for which the path
 * has not changed, because a path that changed lately may change again. With WAIT_MIN the call
 * uses a better path within 15 s. A path that was never seen to change counts as unchanged for
 * AGE_AT_START. */
#define WAIT_SHARE 0.5
#define WAIT_MIN (8 * TFRC_SEC)
#define WAIT_MAX (60 * TFRC_SEC)
#define AGE_AT_START (40 * TFRC_SEC)

/* A queue of competing traffic is judged again after COMPETING_MIN, then after times that double up to COMPETING_MAX; at once
 * when it is longer by COMPETING_LONGER than it was, since the flow may have lengthened it; and it is over when it is
 * empty for GONE_AFTER, because TCP empties its queue now and then. To judge it again costs some seconds at a low rate: with 30 s calls
 * beside CUBIC have 3.81 in place of 3.86, and no other path has more (tests/bench/paths.sh, seeds 1 to 60). */
#define COMPETING_MIN (60 * TFRC_SEC)
#define COMPETING_MAX (120 * TFRC_SEC)
#define COMPETING_LONGER 0.15   /* s */
#define GONE_AFTER (5 * TFRC_SEC)

/* On a busy machine a queue of the flow's own seems not to drain, and is taken for one of competing traffic. Then less than
 * CARRIED_LEAST of what the flow sends arrives for OVERRUN_FOR, in means over OVERRUN_MEMORY; beside TCP more does most of the time, and
 * that judges the queue again once in COMPETING_MIN only. Without that limit, calls beside CUBIC with a queue of a second have 3.25 for 3.32
 * (tests/bench/paths.sh, seeds 1 to 60). */
#define CARRIED_LEAST 0.65
#define OVERRUN_FOR (2 * TFRC_SEC)
#define OVERRUN_MEMORY 2.0      /* s */

/* The rate that was in use before the queue was found may be taken again without a hold for this
 * long after the limit was lifted. */
#define RETURN_WITHIN (5 * TFRC_SEC)

void
tfrc_adapt_standing_init (TfrcAdaptStanding * standing, TfrcTime now)
{
  *standing = (TfrcAdaptStanding) {
      .updated = now,
      .limit = HUGE_VAL,
      .competing_for = COMPETING_MIN,
  };
  tfrc_adapt_path_queue_init (&standing->path, FLOOR_WINDOW, now);
}

static bool
is_empty (const TfrcAdaptStanding * standing)
{
  return standing->queue <
      QUEUE_OFF + QUEUE_OFF_PACKETS * standing->packet_time;
}

static double
get_full (const TfrcAdaptStanding * standing)
{
  return QUEUE_ON + QUEUE_ON_PACKETS * standing->packet_time;
}

static bool
is_full (const TfrcAdaptStanding * standing)
{
  return standing->queue > get_full (standing);
}

/* Whether a queue is full at a rate that the path was seen to carry, and may still drain by itself. */
static bool
may_pass (const TfrcAdaptStanding * standing, TfrcTime now)
{
  return standing->used <= standing->proven
      && standing->queue < QUEUE_LONG * get_full (standing)
      && now - standing->short_at < STANDS_AFTER;
}

static void
enter (TfrcAdaptStanding * standing, TfrcAdaptStandingState state, TfrcTime now)
{
  standing->state = state;
  standing->since = now;
  if (state == STANDING_NONE || state == STANDING_COMPETING)
    standing->limit = HUGE_VAL;
  standing->overrun_since = standing->empty_since = now;
}

static void
update_queue (TfrcAdaptStanding * standing, double R, double dt, TfrcTime now)
{
  double before = standing->queue;

  tfrc_adapt_path_queue_on_rtt (&standing->path, R);
  /* The window does not slide during a drain, or a long queue would become the floor. */
  if (standing->state != STANDING_DRAIN)
    tfrc_adapt_path_queue_slide (&standing->path, now);
  standing->queue = tfrc_adapt_path_queue_get (&standing->path);
  if (!is_full (standing)) {
    standing->short_at = now;
    standing->queue_short = standing->queue;
  }
  if (dt > 0.0)
    standing->slope +=
        fmin (1.0,
        dt / SLOPE_MEMORY) * ((standing->queue - before) / dt -
        standing->slope);
}

/* The rate that arrives is measured over one round-trip time. Where that is shorter than the time between
 * packets, a single packet makes a high rate. What the flow used is the upper bound; in a drain it is
 * what the flow used before, which filled the queue. */
static double
limit_carried (const TfrcAdaptStanding * standing, double carried, double need)
{
  double used =
      standing->state == STANDING_DRAIN ? standing->failed : standing->used;

  return fmin (carried, fmax (need, used));
}

static void
update_carried (TfrcAdaptStanding * standing, double carried, double dt)
{
  if (standing->carried > 0.0)
    standing->carried +=
        fmin (1.0, dt / CARRIED_MEMORY) * (carried - standing->carried);
  else
    standing->carried = carried;
}

static void
update_overrun (TfrcAdaptStanding * standing, double arrives, double sent,
    double dt, TfrcTime now)
{
  double share = fmin (1.0, dt / OVERRUN_MEMORY);

  standing->arrives += share * (arrives - standing->arrives);
  standing->sent += share * (sent - standing->sent);
  if (standing->arrives > CARRIED_LEAST * standing->sent || is_empty (standing))
    standing->overrun_since = now;
}

static void
set_limit (TfrcAdaptStanding * standing)
{
  double share =
      fmin (DRAIN_SHARE_MAX, fmax (DRAIN_SHARE_MIN, 1.0 - standing->queue));

  standing->limit = share * standing->capacity;
}

static void
cut (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->capacity = standing->state == STANDING_DRAIN
      ? fmin (standing->capacity, standing->carried) : standing->carried;
  standing->cut_at = now;
  standing->R_at_cut = standing->path.R.last;
  standing->queue_at_cut = standing->queue;
  standing->expected = 0.0;
  set_limit (standing);
}

/* A queue was found. When a proven rate brought it, the path carries less than before. */
static void
on_queue (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->proven_before = standing->proven;
  standing->changed_before = standing->changed;
  if (standing->used <= standing->proven) {
    standing->proven = 0.0;
    standing->changed = now;
  }
  standing->failed = standing->used;
  standing->halved = false;
  cut (standing, now);
  if (standing->state != STANDING_COMPETING)
    standing->before = standing->used;
  standing->queue_max = standing->queue;
  enter (standing, STANDING_DRAIN, now);
}

/* The queue is that of others from the beginning. */
static void
begin_competing (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->before = standing->failed = standing->used;
  standing->queue_max = standing->queue;
  enter (standing, STANDING_COMPETING, now);
}

static void
end_drain (TfrcAdaptStanding * standing, TfrcTime now)
{
  double age = (double) (now - standing->changed);

  /* In a short drain the mean of what arrives still covers the time before it. */
  standing->limit = CAUTIOUS_SHARE * (now - standing->since > LONG_DRAIN
      ? standing->carried : fmax (standing->capacity, standing->carried));
  standing->limit = fmax (standing->limit, standing->proven);
  standing->wait =
      (TfrcTime) fmin (fmax (WAIT_SHARE * age, WAIT_MIN), WAIT_MAX);
  standing->drained = true;
  enter (standing, STANDING_CAUTIOUS, now);
}

/* A delay that passed by itself says nothing about the path. */
static void
end_passed (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->proven = standing->proven_before;
  standing->changed = standing->changed_before;
  standing->passed = now;
  enter (standing, STANDING_NONE, now);
}

static void
on_drain (TfrcAdaptStanding * standing, double dt, TfrcTime now)
{
  TfrcTime since = now - standing->cut_at;
  TfrcTime visible = (TfrcTime) (VISIBLE * 1e9 * standing->R_at_cut);
  bool grows = since > CUT_WAIT + visible && standing->slope > SLOPE_GROWING
      && now - standing->since < CUTS_FOR;

  standing->queue_max = fmax (standing->queue_max, standing->queue);
  /* Until the cut shows in the reports, the queue still grows by what was sent before it. */
  if (since > visible)
    standing->expected += fmin (dt, (double) (since - visible) * 1e-9)
        * (1.0 - standing->limit / standing->capacity);
  else
    standing->queue_at_cut = fmax (standing->queue_at_cut, standing->queue);

  if (is_empty (standing) && tfrc_adapt_queue_has_passed (standing, now)) {
    end_passed (standing, now);
  } else if (is_empty (standing)) {
    end_drain (standing, now);
  } else if (grows && standing->proven_before > 0.0
      && standing->limit > standing->least) {
    cut (standing, now);
  } else if (grows || tfrc_adapt_queue_is_of_others (standing)) {
    enter (standing, STANDING_COMPETING, now);
  } else {
    set_limit (standing);
  }
}

static void
on_competing (TfrcAdaptStanding * standing, TfrcTime now)
{
  bool overrun = now - standing->overrun_since > OVERRUN_FOR
      && now >= standing->trusted_until;

  if (!is_empty (standing))
    standing->empty_since = now;
  if (now - standing->empty_since > GONE_AFTER) {
    standing->competing_for = COMPETING_MIN;
    enter (standing, STANDING_NONE, now);
  } else if (now - standing->since > standing->competing_for) {
    standing->competing_for = standing->competing_for * 2 < COMPETING_MAX
        ? standing->competing_for * 2 : COMPETING_MAX;
    enter (standing, STANDING_NONE, now);
  } else if (standing->queue > standing->queue_max + COMPETING_LONGER
      || overrun) {
    if (overrun)
      standing->trusted_until = now + COMPETING_MIN;
    on_queue (standing, now);
  }
}

static void
on_cautious (TfrcAdaptStanding * standing, TfrcTime now)
{
  if (now - standing->since < standing->wait)
    return;
  if (!standing->halved && standing->proven > 0.0
      && standing->failed > NEAR * standing->proven
      && now - standing->changed > HALVED_AGE) {
    standing->halved = true;
    standing->limit = sqrt (standing->failed * standing->proven);
    standing->since = now;
    standing->wait = HALVED_WAIT;
  } else {
    standing->halved = false;
    enter (standing, STANDING_NONE, now);
  }
}

static void
update_proven (TfrcAdaptStanding * standing, double need, TfrcTime now)
{
  if (fabs (need - standing->used) > SAME * standing->used) {
    standing->used_since = now;
    standing->used = need;
  }
  if (now - standing->used_since > PROVEN_AFTER
      && standing->used > standing->proven && is_empty (standing)
      && standing->state != STANDING_DRAIN
      && standing->state != STANDING_COMPETING)
    standing->proven = standing->used;
}

bool
tfrc_adapt_standing_is_proven (const TfrcAdaptStanding * standing, double need)
{
  return standing->state == STANDING_COMPETING
      || need <= standing->proven * (1.0 + SAME);
}

void
tfrc_adapt_standing_on_transit (TfrcAdaptStanding * standing, bool timed,
    double transit)
{
  tfrc_adapt_path_queue_on_transit (&standing->path, timed, transit);
}

void
tfrc_adapt_standing_set_yielded (TfrcAdaptStanding * standing, bool yielded)
{
  standing->yielded = yielded;
}

void
tfrc_adapt_standing_set_least (TfrcAdaptStanding * standing, double least)
{
  standing->least = least;
}

void
tfrc_adapt_standing_on_rtt (TfrcAdaptStanding * standing, double R,
    double carried, double need, double sent, double packet_time, TfrcTime now)
{
  double dt = (double) (now - standing->updated) * 1e-9;

  if (!standing->path.R.known)
    standing->changed = standing->passed = now - AGE_AT_START;
  standing->packet_time = packet_time;
  update_queue (standing, R, dt, now);
  /* When the queue is gone, what arrives is what the flow sent. */
  if (standing->state != STANDING_DRAIN || !is_empty (standing))
    update_carried (standing, limit_carried (standing, carried, need), dt);
  update_overrun (standing, fmin (carried, need), sent, dt, now);
  standing->updated = now;
  update_proven (standing, need, now);

  if (standing->yielded) {
    enter (standing, STANDING_COMPETING, now);
    return;
  }
  switch (standing->state) {
    case STANDING_DRAIN:
      on_drain (standing, dt, now);
      return;
    case STANDING_COMPETING:
      on_competing (standing, now);
      return;
    case STANDING_CAUTIOUS:
      on_cautious (standing, now);
      break;
    case STANDING_NONE:
      break;
  }
  if (!is_full (standing) || may_pass (standing, now))
    return;
  if (standing->state == STANDING_NONE
      && tfrc_adapt_queue_grows_too_fast (standing, now))
    begin_competing (standing, now);
  else
    on_queue (standing, now);
}

double
tfrc_adapt_standing_get_return (const TfrcAdaptStanding * standing,
    TfrcTime now)
{
  if (now - standing->since > RETURN_WITHIN)
    return 0.0;
  if (standing->state == STANDING_COMPETING || standing->state == STANDING_NONE)
    return standing->before;
  return standing->state == STANDING_CAUTIOUS ? standing->proven : 0.0;
}
