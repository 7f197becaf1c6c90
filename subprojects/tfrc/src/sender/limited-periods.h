/* libtfrc: the times at which the flow was limited by X and not by its data
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_LIMITED_PERIODS_H
#define TFRC_LIMITED_PERIODS_H

#include <tfrc/tfrc.h>

#define TFRC_LIMITED_LOG_SIZE 16        /* spans */

/* A span is a row of NotLimited times (RFC 5348 8.2.1) close to each other. */
typedef struct
{
  TfrcTime first, last;
} TfrcLimitedSpan;

typedef struct
{
  TfrcLimitedSpan spans[TFRC_LIMITED_LOG_SIZE];
  uint32_t n;                   /* spans begun so far */
  TfrcTime join;                /* ns: times closer than this share a span */
} TfrcLimitedLog;

void tfrc_limited_log_init (TfrcLimitedLog * log);
void tfrc_limited_log_set_rtt (TfrcLimitedLog * log, TfrcTime R);
void tfrc_limited_log_add (TfrcLimitedLog * log, TfrcTime now);

/* Was the flow limited by its data in all of (from, to]? */
bool tfrc_limited_log_is_data_limited (const TfrcLimitedLog * log, TfrcTime from, TfrcTime to);

#endif
