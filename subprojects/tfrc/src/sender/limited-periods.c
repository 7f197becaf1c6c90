/* libtfrc: remembers when the flow was limited by X, from which follows which intervals were data-limited (RFC
 * 5348 8.2.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limited-periods.h"

/* Times that are closer than R / JOIN_PER_RTT are of the same span. An interval of one R cannot be between
 * two such times, so that spans give the same answer as all times would. And 16 spans reach back over
 * at least two round-trip times, however many packets depart. */
#define JOIN_PER_RTT 8

void
tfrc_limited_periods_init (TfrcLimitedPeriods * periods)
{
  periods->n = 0;
  periods->join = 0;
}

void
tfrc_limited_periods_set_rtt (TfrcLimitedPeriods * periods, TfrcTime R)
{
  periods->join = R / JOIN_PER_RTT;
}

/* Differs from RFC 5348 8.2.1: it keeps two NotLimited times. When no report comes for several round-trip
 * times, these miss that the flow was limited all the time. The section permits to keep more. */
void
tfrc_limited_periods_add (TfrcLimitedPeriods * periods, TfrcTime now)
{
  TfrcLimitedSpan *span =
      &periods->spans[(periods->n - 1) % TFRC_LIMITED_PERIODS_SIZE];

  if (periods->n > 0 && now - span->last <= periods->join) {
    span->last = now;
    return;
  }
  periods->spans[periods->n++ % TFRC_LIMITED_PERIODS_SIZE] =
      (TfrcLimitedSpan) {now, now};
}

bool
tfrc_limited_periods_is_data_limited (const TfrcLimitedPeriods * periods,
    TfrcTime from, TfrcTime to)
{
  unsigned n =
      periods->n <
      TFRC_LIMITED_PERIODS_SIZE ? periods->n : TFRC_LIMITED_PERIODS_SIZE;

  for (unsigned i = 1; i <= n; i++) {
    const TfrcLimitedSpan *span =
        &periods->spans[(periods->n - i) % TFRC_LIMITED_PERIODS_SIZE];

    if (span->last <= from)
      break;
    if (span->first <= to)
      return false;
  }
  return true;
}
