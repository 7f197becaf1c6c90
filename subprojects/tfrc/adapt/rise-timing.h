/* libtfrc: when a better operating point may be taken (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RISE_H
#define TFRC_RISE_H

#include <tfrcadapt/adapt.h>

/* What kind of rise it would be. */
typedef enum
{
  TFRC_RISE_MORE,               /* more on the wire, for better sound */
  TFRC_RISE_PROTECT,            /* against a loss that is there, or no more on the wire */
  TFRC_RISE_SAFE,               /* within a limit that a queue brought, or far below the equation's */
  TFRC_RISE_RETURN              /* to what was in use before a queue was looked at */
} TfrcRiseKind;

typedef struct
{
  TfrcTime better_since;        /* there is room for a better point; TFRC_TIME_NONE */
  TfrcTime hold;                /* for how long there must be */
  TfrcTime not_before;          /* after a try that did not fit */
  TfrcTime last_up, last_down;  /* TFRC_TIME_NONE */
  TfrcTime hold_up;             /* of a rise for better sound; grows with each regretted one */
  bool started;
} TfrcRise;

void tfrc_rise_init (TfrcRise * rise, const TfrcAdaptConfig * config);

/* The path has answered: the start was a rise, and others may follow soon. */
void tfrc_rise_start (TfrcRise * rise, TfrcTime now);

/* There is a better point. Whether it may be taken now. `noisy`: the allowance is. */
bool tfrc_rise_may (TfrcRise * rise, const TfrcAdaptConfig * config, TfrcRiseKind kind,
    bool noisy, TfrcTime now);

/* It may, but does not fit at this moment. */
void tfrc_rise_retry (TfrcRise * rise, TfrcTime now);

/* There is none, or there was a switch. */
void tfrc_rise_reset (TfrcRise * rise);

void tfrc_rise_on_up (TfrcRise * rise, TfrcTime now);

/* `own`: the allowance fell, and it was no noise and no queue. */
void tfrc_rise_on_down (TfrcRise * rise, bool own, TfrcTime now);

/* After a time without a reduction all is forgotten. */
void tfrc_rise_forget (TfrcRise * rise, const TfrcAdaptConfig * config, TfrcTime now);

TfrcTime tfrc_rise_next_timer (const TfrcRise * rise);

#endif
