/* libtfrc: when a flow that cannot send less should not send (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_SUSPEND_H
#define TFRC_ADAPT_SUSPEND_H

#include <tfrcadapt/adapt.h>

typedef struct
{
  bool suspended;
  TfrcTime below_since;         /* TFRC_TIME_NONE: there is enough for the cheapest point */
  TfrcTime patience;            /* how long `below` may last this time */
  TfrcTime at;                  /* last time the debt was brought up to date */
  double debt;                  /* bytes that the cheapest point needed above the allowance */
  TfrcTime until;               /* end of a suspension */
  uint64_t random;
} TfrcAdaptSuspend;

void tfrc_adapt_suspend_init (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config, TfrcTime now);

/* `need`: bytes/s on the wire of the cheapest point; `allowed`: bytes/s. True
 * when the state changed. */
bool tfrc_adapt_suspend_update (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config,
    double need, double allowed, TfrcTime now);

/* The sender itself forbids sending, or allows it again. True when the state changed. */
bool tfrc_adapt_suspend_force (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config, bool on, TfrcTime now);

TfrcTime tfrc_adapt_suspend_next_timer (const TfrcAdaptSuspend * suspend);

#endif
