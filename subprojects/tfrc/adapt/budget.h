/* libtfrc: what the encoder may spend on the wire, from what the sender says (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_BUDGET_H
#define TFRC_ADAPT_BUDGET_H

#include <tfrcadapt/adapt.h>

#include "standing-queue.h"

typedef struct
{
  double now;                   /* bytes/s on the wire that the sender grants; INFINITY: nothing known yet */
  double slow;                  /* its mean of the last seconds */
  double noise;                 /* mean distance of `now` from `slow`, as a share of it */
  double X_slow;                /* bytes/s on the wire, mean of what the sender enforced */
  double queue;                 /* s that packets wait for their departure, mean */
  bool loss;                    /* there was one: the equation has a rate */
  TfrcTime at;
  TfrcAdaptStanding standing;
} TfrcAdaptBudget;

void tfrc_adapt_budget_init (TfrcAdaptBudget * budget, TfrcTime now);

/* `need`: bytes/s that the flow uses on the wire, in packets `packet_time` seconds
 * apart. */
void tfrc_adapt_budget_update (TfrcAdaptBudget * budget, const TfrcAdaptConditions * conditions, double need,
    double packet_time, TfrcTime now);

/* Bytes/s on the wire for the sake of the queue; INFINITY: no such limit. */
double tfrc_adapt_budget_get_limit (const TfrcAdaptBudget * budget);

/* A queue of our own is being drained; it was, and the limit now rises by itself. */
bool tfrc_adapt_budget_is_draining (const TfrcAdaptBudget * budget);
bool tfrc_adapt_budget_is_cautious (const TfrcAdaptBudget * budget);

/* Dips say nothing, the mean does. */
bool tfrc_adapt_budget_is_noisy (const TfrcAdaptBudget * budget);

/* Whether a flow that uses `need` may try for more: the path was seen to carry it, or
 * its losses tell how much that is. */
bool tfrc_adapt_budget_is_proven (const TfrcAdaptBudget * budget, double need);

/* Bytes/s on the wire that were in use before a queue was looked at and can be again;
 * 0: none. */
double tfrc_adapt_budget_get_return (const TfrcAdaptBudget * budget);

/* Bytes/s on the wire that the sender let through while packets waited too long;
 * INFINITY: they did not. */
double tfrc_adapt_budget_get_enforced (const TfrcAdaptBudget * budget);

#endif
