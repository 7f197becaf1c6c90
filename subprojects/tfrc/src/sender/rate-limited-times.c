/* libtfrc: remembers when the flow was limited by X, from which follows which intervals were data-limited (RFC
 * 5348 8.2.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rate-limited-times.h"

/* Times that are closer than R / JOIN_PER_RTT are of the same span. An interval of one R cannot be between
 * two such times, so that spans give the same answer as all times would. And 16 spans reach back over
 * at least two round-trip times, however many packets depart. */
#define JOIN_PER_RTT 8

void
tfrc_rate_limited_times_init (TfrcRateLimitedTimes * times)
{
  times->n = 0;
  times->join = 0;
}

void
tfrc_rate_limited_times_set_rtt (TfrcRateLimitedTimes * times, TfrcTime R)
{
  times->join = R / JOIN_PER_RTT;
}

/* Differs from RFC 5348 8.2.1: it keeps two NotLimited times. When no report comes for several round-trip
 * times, these miss that the flow was limited all the time. The section permits to keep more. */
void
tfrc_rate_limited_times_add (TfrcRateLimitedTimes * times, TfrcTime now)
{
  TfrcLimitedSpan *span =
      &times->spans[(times->n - 1) % TFRC_RATE_LIMITED_TIMES_SIZE];

  if (times->n > 0 && now - span->last <= times->join) {
    span->last = now;
    return;
  }
  times->spans[times->n++ % TFRC_RATE_LIMITED_TIMES_SIZE] =
      (TfrcLimitedSpan) {now, now};
}

bool
tfrc_rate_limited_times_is_data_limited (const TfrcRateLimitedTimes * times,
    TfrcTime from, TfrcTime to)
{
  unsigned n =
      times->n <
      TFRC_RATE_LIMITED_TIMES_SIZE ? times->n : TFRC_RATE_LIMITED_TIMES_SIZE;

  for (unsigned i = 1; i <= n; i++) {
    const TfrcLimitedSpan *span =
        &times->spans[(times->n - i) % TFRC_RATE_LIMITED_TIMES_SIZE];

    if (span->last <= from)
      break;
    if (span->first <= to)
      return false;
  }
  return true;
}
