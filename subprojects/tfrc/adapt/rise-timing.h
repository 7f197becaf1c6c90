/* libtfrc: when a better operating point may be taken (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_RISE_TIMING_H
#define TFRC_ADAPT_RISE_TIMING_H

#include <tfrcadapt/adapt.h>

/* What kind of rise it would be. */
typedef enum
{
  TFRC_ADAPT_RISE_MORE,               /* more on the wire, for better sound */
  TFRC_ADAPT_RISE_PROTECT,            /* against a loss that is there, or no more on the wire */
  TFRC_ADAPT_RISE_SAFE,               /* within a limit that a queue brought, or far below the equation's */
  TFRC_ADAPT_RISE_RETURN              /* to what was in use before a queue was looked at */
} TfrcAdaptRiseKind;

typedef struct
{
  TfrcTime better_since;        /* there is room for a better point; TFRC_TIME_NONE */
  TfrcTime hold;                /* for how long there must be */
  TfrcTime not_before;          /* after a try that did not fit */
  TfrcTime last_up, last_down;  /* TFRC_TIME_NONE */
  TfrcTime hold_up;             /* of a rise for better sound; grows with each regretted one */
  bool started;
} TfrcAdaptRise;

void tfrc_adapt_rise_init (TfrcAdaptRise * rise, const TfrcAdaptConfig * config);

/* The path has answered: the start was a rise, and others may follow soon. */
void tfrc_adapt_rise_start (TfrcAdaptRise * rise, TfrcTime now);

/* There is a better point. Whether it may be taken now. `noisy`: the allowance is. */
bool tfrc_adapt_rise_may (TfrcAdaptRise * rise, const TfrcAdaptConfig * config, TfrcAdaptRiseKind kind,
    bool noisy, TfrcTime now);

/* It may, but does not fit at this moment. */
void tfrc_adapt_rise_retry (TfrcAdaptRise * rise, TfrcTime now);

/* There is none, or there was a switch. */
void tfrc_adapt_rise_reset (TfrcAdaptRise * rise);

void tfrc_adapt_rise_on_up (TfrcAdaptRise * rise, TfrcTime now);

/* `own`: the allowance fell, and it was no noise and no queue. */
void tfrc_adapt_rise_on_down (TfrcAdaptRise * rise, bool own, TfrcTime now);

/* After a time without a reduction all is forgotten. */
void tfrc_adapt_rise_forget (TfrcAdaptRise * rise, const TfrcAdaptConfig * config, TfrcTime now);

TfrcTime tfrc_adapt_rise_next_timer (const TfrcAdaptRise * rise);

#endif
