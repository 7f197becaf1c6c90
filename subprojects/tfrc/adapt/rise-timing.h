/* tfrcadapt: how long a better operating point must fit before it is taken (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_RISE_TIMING_H
#define TFRC_ADAPT_RISE_TIMING_H

#include <tfrcadapt/adapt.h>

/* Why the better point may be taken: the more is known of the path, the shorter is the hold. */
typedef enum
{
  TFRC_ADAPT_RISE_MORE,         /* it takes a higher rate, for better sound */
  TFRC_ADAPT_RISE_PROTECT,      /* it protects against losses that occur, or takes no higher rate */
  TFRC_ADAPT_RISE_SAFE,         /* the path is known to carry it, or the throughput equation gives far more */
  TFRC_ADAPT_RISE_RETURN        /* its rate was in use before a standing queue was found */
} TfrcAdaptRiseKind;

typedef struct
{
  TfrcTime better_since;        /* since when a better point fits; TFRC_TIME_NONE: none does */
  TfrcTime hold;                /* for how long it has to fit */
  TfrcTime not_before;          /* when a rise that did not fit may be tried again */
  TfrcTime last_up, last_down;  /* of the last rise and reduction; TFRC_TIME_NONE: none yet */
  TfrcTime hold_up;             /* the hold of TFRC_ADAPT_RISE_MORE; it doubles with each rise that has
                                 * to be taken back */
  bool started;                 /* the first report came */
  bool risen;                   /* a rise came behind the last reduction */
} TfrcAdaptRise;

void tfrc_adapt_rise_init (TfrcAdaptRise * rise, const TfrcAdaptConfig * config);

/* The first report came: the start counts as a rise, so that others may follow soon. A reduction behind it takes no rise
 * back: the first round-trip time may be far longer than that of the path, as where the remote waits with its first
 * feedback, and the allowance is then small. */
void tfrc_adapt_rise_start (TfrcAdaptRise * rise, TfrcTime now);

/* Whether the better point that fits may be taken now. `noisy`: whether the allowance varies
 * much. */
bool tfrc_adapt_rise_may (TfrcAdaptRise * rise, const TfrcAdaptConfig * config, TfrcAdaptRiseKind kind,
    bool noisy, TfrcTime now);

/* The better point may be taken, but does not fit at this moment. */
void tfrc_adapt_rise_retry (TfrcAdaptRise * rise, TfrcTime now);

/* No better point fits, or another point was taken. */
void tfrc_adapt_rise_reset (TfrcAdaptRise * rise);

/* A point with a higher rate was taken. */
void tfrc_adapt_rise_on_up (TfrcAdaptRise * rise, TfrcTime now);

/* A point with a lower rate was taken. `own`: whether that can be the fault of the last rise:
 * the allowance fell, neither by its usual variation nor because of a standing queue. */
void tfrc_adapt_rise_on_down (TfrcAdaptRise * rise, bool own, TfrcTime now);

/* After a time without a reduction the hold is the configured one again. */
void tfrc_adapt_rise_forget (TfrcAdaptRise * rise, const TfrcAdaptConfig * config, TfrcTime now);

/* When the hold ends; TFRC_TIME_NONE: there is none. */
TfrcTime tfrc_adapt_rise_next_timer (const TfrcAdaptRise * rise);

#endif
