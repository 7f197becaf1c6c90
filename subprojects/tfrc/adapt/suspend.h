/* tfrcadapt: when a flow for which even the cheapest operating point is too much stops sending
 * (RFC 3714 5, RFC 4828 5) (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_SUSPEND_H
#define TFRC_ADAPT_SUSPEND_H

#include <tfrcadapt/adapt.h>

typedef struct
{
  bool suspended;
  TfrcTime below_since;         /* since when the allowance is too low for the cheapest point;
                                 * TFRC_TIME_NONE: it is not */
  TfrcTime patience;            /* ns for which it may be too low before the flow is suspended */
  TfrcTime at;                  /* when `debt` was last updated */
  double debt;                  /* bytes that the cheapest point needed and the allowance did not have */
  TfrcTime until;               /* when the suspension ends; TFRC_TIME_NONE: when it is no longer forced */
  uint64_t random;              /* state of the generator of random numbers */
} TfrcAdaptSuspend;

void tfrc_adapt_suspend_init (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config, TfrcTime now);

/* `need` is what the cheapest point takes and `allowed` the allowance, both in bytes/s on the wire.
 * Returns true when the flow was suspended or resumed. */
bool tfrc_adapt_suspend_update (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config,
    double need, double allowed, TfrcTime now);

/* While `on` is true nothing may be sent, whatever the allowance is. Returns true when the flow was
 * suspended or resumed. */
bool tfrc_adapt_suspend_force (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config, bool on, TfrcTime now);

/* Forgets for how long the allowance was too small. Returns true when the flow was suspended for that, and is
 * resumed. */
bool tfrc_adapt_suspend_forgive (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config);

/* When tfrc_adapt_suspend_update() has to be called again; TFRC_TIME_NONE: with the next change. */
TfrcTime tfrc_adapt_suspend_next_timer (const TfrcAdaptSuspend * suspend);

#endif
