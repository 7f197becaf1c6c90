/* tfrcadapt: whether a standing queue is the flow's own or that of others
 *
 * A queue of the flow's own grows by what the flow sends beyond what the path carries, and drains as fast as the flow sends
 * less than that.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "queue-owner.h"

/* A queue that is gone when no more than 1 / PASSED of it, less PASSED_LEAST for jitter, can have drained
 * was a delay that passed by itself. If it comes back within PASSED_AGAIN, it is the flow's own
 * after all. */
#define PASSED 2.0
#define PASSED_LEAST 0.03       /* s */
#define PASSED_AGAIN (5 * TFRC_SEC)

/* Once JUDGED_AFTER seconds of queue should have drained, which is more than jitter, a queue that
 * has become shorter by less than SHRUNK of that is of competing traffic. */
#define JUDGED_AFTER 0.15       /* s */
#define SHRUNK 0.5

/* On a path whose queue has drained before, packets of others that come now and then may hold up a drain: JUDGED_AFTER is so
 * many times as long. On thin24-aside calls have 3.17 for 3.10, and with 3 and 5 times the same (tests/bench/paths.sh,
 * seeds 1 to 60). */
#define JUDGED_LATER 2.0

/* The rate that the path would carry if the queue were the flow's own. */
static double
get_implied_capacity (const TfrcAdaptStanding * standing, TfrcTime now)
{
  double grown = standing->queue - standing->queue_short;
  double dt = (double) (now - standing->short_at) * 1e-9;

  return dt > 0.0 ? standing->used / (1.0 + grown / dt) : standing->used;
}

/* No drain helps on a path that would carry less than the least that the flow can send. Nor is a queue the flow's own that
 * would make the path carry less than it is known to carry. TCP that begins beside a call of 23 kbit/s fills 300 ms within 0.3 s: with
 * this reno has 4.10 for 4.06 and 2.8 for 2.5 in the first 8 s. Where less than 17 kbit/s counted as that little in place of
 * 14, thin24-aside had 2.98 for 3.16 (tests/bench/paths.sh, seeds 1 to 30). */
bool
tfrc_adapt_queue_grows_too_fast (const TfrcAdaptStanding * standing,
    TfrcTime now)
{
  return get_implied_capacity (standing, now) < standing->least;
}

bool
tfrc_adapt_queue_is_of_others (const TfrcAdaptStanding * standing)
{
  double after = standing->drained ? JUDGED_LATER * JUDGED_AFTER : JUDGED_AFTER;

  return standing->expected > after
      && standing->queue_at_cut - standing->queue < SHRUNK * standing->expected;
}

bool
tfrc_adapt_queue_has_passed (const TfrcAdaptStanding * standing, TfrcTime now)
{
  return standing->queue_at_cut > PASSED * standing->expected + PASSED_LEAST
      && now - standing->passed > PASSED_AGAIN;
}
