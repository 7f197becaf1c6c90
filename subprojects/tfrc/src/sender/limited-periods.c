/* libtfrc: the times at which the flow was limited by X and not by its data
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limited-periods.h"

/* Times closer than R / 8 share a span. An interval of one R cannot lie within
 * such a gap, so the spans give the same answer as the times themselves, and 16
 * of them reach back at least two round-trip times however many packets leave. */
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

/* Differs from RFC 5348 8.2.1: which keeps two such times; with no report for
 * several round-trip times they miss a flow that was limited throughout. The
 * section allows to save more. */
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
