/* tfrcadapt: the first seconds, in which a wide path is told from a thin one
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapt-private.h"

#include <math.h>

/* A report names the last packet that came before it. Of eight real calls with a round-trip time of 100 ms all knew the
 * capacity within 0.6 s with two packets, and none with one. */
#define PROBE_PACKETS 2

/* s: with a longer round-trip time a report names one packet of many, hardly that of the probe, and TFRC allows little
 * more in the beginning than the call needs. */
#define LONGEST_R 0.25

/* What the path shows later is of other packets, and what is lost later is no matter of the beginning. */
#define WAIT_FOR (3 * TFRC_SEC)

/* bytes/s: a path that carries less may be filled by the call itself, and the call uses no more while TCP may begin. With 80 and
 * 125 kbit/s calls on deep-cubic have 3.16 as with 100, with 150, which is what that path carries, 2.99 (tests/bench/paths.sh, seeds 1 to
 * 60). */
#define WIDE (100e3 / 8.0)

/* Share of what the path carries that the call takes at once, since others may use the path, too. */
#define SHARE 0.75

/* Losses show in this time, and so many of them that X says what the path gives. With 1.5 s the first 8 s of bursty have 3.53 for
 * 3.76; calls beside CUBIC have 3.92 with that, 3.96 with 3 s, 3.98 with 6 s and 4.00 with 8 s (tests/bench/paths.sh, seeds 1 to 100).
 * With a SHARE of 0.6 and 0.9 there is no difference. */
#define EXPECT_FOR (8 * TFRC_SEC)

/* bytes/s that are held meanwhile where packets are lost: 12 kbit/s in packets of 60 ms with two copies take 44 kbit/s. With 40, 44 and
 * 56 kbit/s calls beside CUBIC have 3.89, 3.92 and 3.94 for 3.98 (held for 6 s, seeds 1 to 100). */
#define HELD (48e3 / 8.0)

/* The share of packets lost that is expected of a wide path before losses had time to show. */
#define BEGINNING_LOSS 0.05

/* The same while TCP fills the queue: fixed settings, which do not react, lost 9 to 15 % in real calls beside CUBIC. With 0.05, 0.1 and
 * 0.2 calls beside CUBIC have 4.04, 4.04 and 4.11 for 4.11 (tests/bench/paths.sh, seeds 1 to 30). */
#define TCP_LOSS 0.15

/* s of queue in a second: one that grows faster is of others. A queue of the call's own grows by that where the path carries 0.73 of what
 * the call begins with, which are 18 kbit/s for a call of 16 kbit/s. With 0.64, 0.23 and 0.12 calls beside CUBIC have 3.96, 3.97 and 3.97
 * for 3.98, and those over a link of 24 kbit/s that loses 5 % of the packets 2.60, 2.42 and 2.41 for 2.52 (held for 6 s, seeds 1 to 100). */
#define GROWTH 0.36

/* s: there is no queue when less is added to the round-trip time. */
#define NO_QUEUE 0.04

static void
enter (TfrcAdapt * adapt, TfrcAdaptBeginningState state, TfrcTime now)
{
  adapt->beginning.state = state;
  adapt->beginning.since = now;
}

/* The current point with one redundant copy more; the current one itself when the ladder has no such point. */
static unsigned
find_probe (const TfrcAdapt * adapt)
{
  const TfrcAdaptPoint *current = &adapt->rungs[adapt->current].point;

  for (unsigned i = 0; i < adapt->n_rungs; i++) {
    const TfrcAdaptPoint *point = &adapt->rungs[i].point;

    if (point->codec == current->codec && point->bitrate == current->bitrate
        && point->frame_us == current->frame_us
        && point->redundancy == current->redundancy + 1)
      return i;
  }
  return adapt->current;
}

static TfrcTime
get_probe_end (const TfrcAdapt * adapt)
{
  return adapt->beginning.since +
      PROBE_PACKETS *
      (TfrcTime) adapt->rungs[adapt->current].point.frame_us * TFRC_USEC;
}

static unsigned
begin_probe (TfrcAdapt * adapt, TfrcTime now)
{
  unsigned probe = adapt->conditions.allowance.R < LONGEST_R ?
      find_probe (adapt) : adapt->current;

  adapt->beginning.before = adapt->current;
  adapt->beginning.probe = probe;
  adapt->beginning.known = now;
  enter (adapt, probe == adapt->current ? BEGINNING_WAIT : BEGINNING_PROBE,
      now);
  return tfrc_adapt_switch_to (adapt, probe);
}

static unsigned
end_probe (TfrcAdapt * adapt, TfrcTime now)
{
  if (now < get_probe_end (adapt))
    return 0;
  enter (adapt, BEGINNING_WAIT, now);
  return adapt->current == adapt->beginning.probe ?
      tfrc_adapt_switch_to (adapt, adapt->beginning.before) : 0;
}

/* A queue shows what the path carries now, which the capacity of a moment ago does not. */
static bool
has_queue (const TfrcAdapt * adapt)
{
  return !isinf (tfrc_adapt_budget_get_limit (&adapt->budget));
}

/* The path carries `carried`, of which X allows `allowed`. */
static unsigned
begin_wide (TfrcAdapt * adapt, TfrcAdaptBeginningState state, double allowed,
    double carried, TfrcTime now)
{
  enter (adapt, state, now);
  adapt->beginning.carried = carried;
  return tfrc_adapt_switch_to (adapt, tfrc_adapt_choose (adapt,
          tfrc_adapt_hold_rise (adapt, tfrc_adapt_room (allowed, carried))));
}

/* s by which the last round-trip time was longer than the shortest. */
static double
get_queue (const TfrcAdapt * adapt)
{
  const TfrcAdaptFloor *R = &adapt->budget.standing.path.R;

  return R->known ? R->last - R->low : 0.0;
}

/* Whether the queue is longer than one that the call could have filled since the round-trip time is known. */
static bool
is_queue_of_others (const TfrcAdapt * adapt, TfrcTime now)
{
  return get_queue (adapt) >
      GROWTH * 1e-9 * (double) (now - adapt->beginning.known);
}

/* Whether what is lost is none of the call's own queue. */
static bool
is_loss_of_others (const TfrcAdapt * adapt)
{
  return adapt->beginning.others
      || (adapt->budget.standing.path.R.low > LONGEST_R
      && get_queue (adapt) < NO_QUEUE);
}

static unsigned
end_wait (TfrcAdapt * adapt, TfrcTime now)
{
  const TfrcAllowance *a = &adapt->conditions.allowance;

  adapt->beginning.others |= is_queue_of_others (adapt, now);
  if (a->p > 0.0 && is_loss_of_others (adapt))
    return begin_wide (adapt, BEGINNING_LOSSY, HELD, HELD, now);
  if (has_queue (adapt))
    adapt->beginning.state = BEGINNING_QUEUE;
  if (adapt->beginning.state == BEGINNING_WAIT && a->capacity >= WIDE
      && a->R < LONGEST_R)
    return begin_wide (adapt, BEGINNING_WIDE,
        adapt->budget.now / adapt->config.up, SHARE * a->capacity, now);
  if (now - adapt->beginning.since > WAIT_FOR)
    enter (adapt, BEGINNING_OVER, now);
  return 0;
}

/* Losses without a queue are none of TCP that begins. */
static unsigned
on_first_loss (TfrcAdapt * adapt)
{
  adapt->beginning.state = BEGINNING_LOSSY;
  if (get_queue (adapt) > NO_QUEUE)
    return 0;
  return tfrc_adapt_switch_to (adapt, tfrc_adapt_choose (adapt,
          tfrc_adapt_room (adapt->budget.now / adapt->config.up,
              adapt->beginning.carried)));
}

unsigned
tfrc_adapt_consider_beginning (TfrcAdapt * adapt, TfrcTime now)
{
  switch (adapt->beginning.state) {
    case BEGINNING_UNKNOWN:
      return adapt->conditions.allowance.R > 0.0 ? begin_probe (adapt, now) : 0;
    case BEGINNING_PROBE:
      return end_probe (adapt, now);
    case BEGINNING_WAIT:
    case BEGINNING_QUEUE:
      return end_wait (adapt, now);
    case BEGINNING_WIDE:
      if (adapt->conditions.allowance.p > 0.0)
        return on_first_loss (adapt);
      /* fall through */
    case BEGINNING_LOSSY:
      if (now - adapt->beginning.since > EXPECT_FOR)
        enter (adapt, BEGINNING_OVER, now);
      return 0;
    case BEGINNING_OVER:
      break;
  }
  return 0;
}

bool
tfrc_adapt_expects_loss (const TfrcAdapt * adapt)
{
  return adapt->beginning.state == BEGINNING_WIDE
      || adapt->beginning.state == BEGINNING_LOSSY;
}

double
tfrc_adapt_get_beginning_loss (const TfrcAdapt * adapt)
{
  if (!tfrc_adapt_expects_loss (adapt))
    return 0.0;
  return tfrc_adapt_budget_is_queueing (&adapt->budget) ? TCP_LOSS :
      BEGINNING_LOSS;
}

double
tfrc_adapt_get_known_capacity (const TfrcAdapt * adapt)
{
  return tfrc_adapt_expects_loss (adapt) ? adapt->beginning.carried : 0.0;
}

TfrcAdaptRoom
tfrc_adapt_hold_fall (const TfrcAdapt * adapt, TfrcAdaptRoom room)
{
  double held = fmin (HELD, tfrc_adapt_get_need (adapt, adapt->current));

  if (!tfrc_adapt_expects_loss (adapt))
    return room;
  return tfrc_adapt_room (fmax (room.allowed, held), fmax (room.limit, held));
}

/* While nothing is lost TCP may begin. With packets of 20 ms until then, fourteen real calls beside CUBIC had 2.26 in the first 8 s, and
 * seven with the longest packets had 3.97 (tests/bench/voice.sh). */
TfrcAdaptRoom
tfrc_adapt_hold_rise (const TfrcAdapt * adapt, TfrcAdaptRoom room)
{
  if (adapt->beginning.state == BEGINNING_WIDE) {
    room.limit = fmin (room.limit, WIDE);
    room.packet_rate = 1e6 / tfrc_adapt_get_longest_frame_us (adapt);
  } else if (tfrc_adapt_expects_loss (adapt)
      && adapt->conditions.allowance.p > BEGINNING_LOSS) {
    room.limit =
        fmin (room.limit, fmax (HELD, tfrc_adapt_get_need (adapt,
                adapt->current)));
  }
  return room;
}

TfrcTime
tfrc_adapt_beginning_next_timer (const TfrcAdapt * adapt)
{
  return adapt->beginning.state ==
      BEGINNING_PROBE ? get_probe_end (adapt) : TFRC_TIME_NONE;
}
