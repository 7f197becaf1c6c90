/* libtfrc: remembers when the flow was limited by X, from which follows which intervals were data-limited (RFC
 * 5348 8.2.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RATE_LIMITED_TIMES_H
#define TFRC_RATE_LIMITED_TIMES_H

#include <tfrc/tfrc.h>

#define TFRC_RATE_LIMITED_TIMES_SIZE 16        /* spans */

/* A run of NotLimited times (RFC 5348 8.2.1) that are close to each other. */
typedef struct
{
  TfrcTime first, last;
} TfrcLimitedSpan;

typedef struct
{
  TfrcLimitedSpan spans[TFRC_RATE_LIMITED_TIMES_SIZE];
  uint32_t n;                   /* spans so far; the last ones are in the ring */
  TfrcTime join;                /* ns: times that are closer than this are of the same span */
} TfrcRateLimitedTimes;

void tfrc_rate_limited_times_init (TfrcRateLimitedTimes * times);

/* The round-trip time is `R` ns from now on. */
void tfrc_rate_limited_times_set_rtt (TfrcRateLimitedTimes * times, TfrcTime R);

/* The flow is limited by X at this moment. */
void tfrc_rate_limited_times_add (TfrcRateLimitedTimes * times, TfrcTime now);

/* Whether the flow was data-limited in all of the interval after `from`, up to and at `to`. */
bool tfrc_rate_limited_times_is_data_limited (const TfrcRateLimitedTimes * times, TfrcTime from, TfrcTime to);

#endif
