/* libtfrc: the round-trip time by which losses are grouped to loss events
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "present-rtt.h"

#include <tfrc/wire.h>

#include "../core/minmax.h"

/* The least values are those of the present window and of the one before. A queue that stays is part of R after some ten round-trip
 * times, and two clocks drift apart by at most a few milliseconds in a window. */
#define WINDOW (8 * TFRC_SEC)

#define R_MAX ((int64_t) (TFRC_RTT_MAX * TFRC_USEC))    /* the longest that a stamp can say */

void
tfrc_present_rtt_init (TfrcPresentRtt * present)
{
  *present = (TfrcPresentRtt) {.begun = false};
}

/* Each window has its own constant in the transit times, so that a stream of senseless send times does not make their sum
 * overflow. */
static void
begin_window (TfrcPresentRtt * present, TfrcTime R, TfrcTime now)
{
  present->before = present->window;
  present->before.transit -= present->transit;
  present->transit = 0;
  present->window = (TfrcLeast) {.transit = 0, .R = R};
  present->T_window = now;
}

static void
begin (TfrcPresentRtt * present, TfrcTime R, TfrcTime now)
{
  present->begun = true;
  begin_window (present, R, now);
  present->before = present->window;
}

static void
note (TfrcPresentRtt * present, TfrcTime R, TfrcTime now)
{
  if (now - present->T_window > WINDOW)
    begin_window (present, R, now);
  present->window.transit =
      tfrc_min_i64 (present->window.transit, present->transit);
  present->window.R = R < present->window.R ? R : present->window.R;
}

/* R is out of date where a packet met more than this many times as much. With 1.5, 2.5 and 3 calls beside CUBIC have 3.93, 3.94 and
 * 3.86 for 3.97 (tests/bench/paths.sh, seeds 1 to 100). With 1, which also changes the loss events of queues that R
 * follows well, two coupled flows have 3.7 times the share of one beside TCP, with 2 they have 1.0
 * times (test-coupled-path). */
#define OUTDATED 2

/* What the fastest packet would have met, and what this one waited longer. */
static int64_t
get_met (const TfrcPresentRtt * present)
{
  const TfrcLeast *before = &present->before, *window = &present->window;
  TfrcTime R = before->R < window->R ? before->R : window->R;

  return (int64_t) R + present->transit - tfrc_min_i64 (before->transit,
      window->transit);
}

void
tfrc_present_rtt_on_packet (TfrcPresentRtt * present, uint32_t t_i_us,
    TfrcTime R, TfrcTime now)
{
  int64_t sent = (int32_t) (t_i_us - present->t_i_us) * (int64_t) TFRC_USEC;
  int64_t met;

  /* Send times that go back are those of a clock that began anew. */
  if (!present->begun || sent < 0)
    begin (present, R, now);
  else
    present->transit += (int64_t) (now - present->T_i) - sent;
  present->t_i_us = t_i_us;
  present->T_i = now;
  note (present, R, now);
  met = tfrc_min_i64 (get_met (present), R_MAX);
  present->R = met > OUTDATED * (int64_t) R ? (TfrcTime) met : R;
}

TfrcTime
tfrc_present_rtt_get (const TfrcPresentRtt * present, TfrcMode mode, TfrcTime R)
{
  return mode == TFRC_MODE_TFRC_SP && present->R > R ? present->R : R;
}
