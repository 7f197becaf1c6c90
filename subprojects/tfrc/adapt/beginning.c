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

/* What the path shows later is of other packets. */
#define WAIT_FOR (3 * TFRC_SEC)

/* bytes/s: a path that carries less may be filled by the call itself. */
#define WIDE (150e3 / 8.0)

/* Share of what the path carries that the call takes at once, since others may use the path, too. */
#define SHARE 0.75

/* Losses show in this time: receiver reports come once or twice in it. With 1.5 s the first 8 s of bursty have 3.1 for 3.5, with
 * 8 s the same; nor do 100 kbit/s in place of WIDE, or a SHARE of 0.6 or 0.9, make a difference (tests/bench/paths.sh, seeds 1 to 60). */
#define EXPECT_FOR (4 * TFRC_SEC)

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
  enter (adapt, probe == adapt->current ? BEGINNING_OVER : BEGINNING_PROBE,
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

static unsigned
begin_wide (TfrcAdapt * adapt, double capacity, TfrcTime now)
{
  TfrcAdaptRoom room = { adapt->budget.now / adapt->config.up,
    SHARE * capacity
  };

  enter (adapt, BEGINNING_WIDE, now);
  adapt->beginning.capacity = capacity;
  return tfrc_adapt_switch_to (adapt, tfrc_adapt_choose (adapt, room));
}

/* A queue shows what the path carries now, which the capacity of a moment ago does not. */
static bool
has_queue (const TfrcAdapt * adapt)
{
  return !isinf (tfrc_adapt_budget_get_limit (&adapt->budget));
}

unsigned
tfrc_adapt_consider_beginning (TfrcAdapt * adapt, TfrcTime now)
{
  TfrcAdaptBeginning *beginning = &adapt->beginning;
  double capacity = adapt->conditions.allowance.capacity;

  switch (beginning->state) {
    case BEGINNING_UNKNOWN:
      return adapt->conditions.allowance.R > 0.0 ? begin_probe (adapt, now) : 0;
    case BEGINNING_PROBE:
      return end_probe (adapt, now);
    case BEGINNING_WAIT:
      if (capacity >= WIDE && !has_queue (adapt))
        return begin_wide (adapt, capacity, now);
      if (now - beginning->since > WAIT_FOR || has_queue (adapt))
        enter (adapt, BEGINNING_OVER, now);
      return 0;
    case BEGINNING_WIDE:
      if (now - beginning->since > EXPECT_FOR)
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
  return adapt->beginning.state == BEGINNING_WIDE;
}

double
tfrc_adapt_get_known_capacity (const TfrcAdapt * adapt)
{
  return adapt->beginning.state ==
      BEGINNING_WIDE ? SHARE * adapt->beginning.capacity : 0.0;
}

TfrcTime
tfrc_adapt_beginning_next_timer (const TfrcAdapt * adapt)
{
  return adapt->beginning.state ==
      BEGINNING_PROBE ? get_probe_end (adapt) : TFRC_TIME_NONE;
}
