/* libtfrc: remembers when the flow was limited by X, to tell which intervals were data-limited (RFC
 * 5348 8.2.1)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limited-periods.h"

/* Times that are closer than R / JOIN_PER_RTT are of the same span. An interval of one R cannot be between
 * two such times, so that spans give the same answer as all times would. And 16 spans reach back over
 * at least two round-trip times, however many packets depart. */
#define JOIN_PER_RTT 8

void
tfrc_limited_log_init (TfrcLimitedLog * log)
{
  log->n = 0;
  log->join = 0;
}

void
tfrc_limited_log_set_rtt (TfrcLimitedLog * log, TfrcTime R)
{
  log->join = R / JOIN_PER_RTT;
}

/* Differs from RFC 5348 8.2.1: it keeps two NotLimited times. When no report comes for several round-trip
 * times, these miss that the flow was limited all the time. The section permits to keep more. */
void
tfrc_limited_log_add (TfrcLimitedLog * log, TfrcTime now)
{
  TfrcLimitedSpan *span = &log->spans[(log->n - 1) % TFRC_LIMITED_LOG_SIZE];

  if (log->n > 0 && now - span->last <= log->join) {
    span->last = now;
    return;
  }
  log->spans[log->n++ % TFRC_LIMITED_LOG_SIZE] = (TfrcLimitedSpan) { now, now };
}

bool
tfrc_limited_log_is_data_limited (const TfrcLimitedLog * log, TfrcTime from, TfrcTime to)
{
  unsigned n = log->n < TFRC_LIMITED_LOG_SIZE ? log->n : TFRC_LIMITED_LOG_SIZE;

  for (unsigned i = 1; i <= n; i++) {
    const TfrcLimitedSpan *span = &log->spans[(log->n - i) % TFRC_LIMITED_LOG_SIZE];

    if (span->last <= from)
      break;
    if (span->first <= to)
      return false;
  }
  return true;
}
