/* tfrcadapt: the budget, which is the rate in bytes/s that the encoder may use on the wire,
 * computed from what the sender allows and from the standing queue (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_WIRE_RATE_BUDGET_H
#define TFRC_ADAPT_WIRE_RATE_BUDGET_H

#include <tfrcadapt/adapt.h>

#include "standing-queue.h"

typedef struct
{
  double now;                   /* bytes/s on the wire at this moment; INFINITY: no report came yet */
  double slow;                  /* bytes/s, mean of `now` over the last seconds */
  double since_loss;            /* s since the first loss event; INFINITY: the path had a queue */
  double noise;                 /* mean distance of `now` from `slow`, as a share of `slow` */
  double X_slow;                /* bytes/s on the wire, mean of X, which paces the packets */
  double queue;                 /* s, mean time that packets wait in the pacing queue */
  bool loss;                    /* there was a loss event: the throughput equation gives a rate */
  TfrcTime at;                  /* when the budget was last updated */
  TfrcAdaptStanding standing;   /* the queue in the path */
} TfrcAdaptBudget;

void tfrc_adapt_budget_init (TfrcAdaptBudget * budget, TfrcTime now);

/* Takes new conditions. The flow uses `need` bytes/s on the wire while there is sound, in packets that are
 * `packet_time` seconds apart. `encoded` are the seconds of sound that its encoder has made since the last update. */
void tfrc_adapt_budget_update (TfrcAdaptBudget * budget, const TfrcAdaptConditions * conditions, double need,
    double packet_time, double encoded, TfrcTime now);

/* The limit in bytes/s on the wire that drains the standing queue; INFINITY: no limit. */
double tfrc_adapt_budget_get_limit (const TfrcAdaptBudget * budget);

/* Whether a standing queue is being drained. */
bool tfrc_adapt_budget_is_draining (const TfrcAdaptBudget * budget);

/* Whether there is a standing queue, be it drained or of competing traffic. */
bool tfrc_adapt_budget_is_queueing (const TfrcAdaptBudget * budget);

/* Whether a standing queue was drained a short time ago, so that the limit is still in force. */
bool tfrc_adapt_budget_is_cautious (const TfrcAdaptBudget * budget);

/* Whether `now` varies so much that only its mean means something. */
bool tfrc_adapt_budget_is_noisy (const TfrcAdaptBudget * budget);

/* Whether a flow that uses `need` bytes/s may try a higher rate: the path was seen to carry `need`,
 * or the loss event rate shows what the path carries. */
bool tfrc_adapt_budget_is_proven (const TfrcAdaptBudget * budget, double need);

/* The rate in bytes/s on the wire that was in use before a standing queue was found and may be used
 * again without a hold; 0: none. */
double tfrc_adapt_budget_get_return (const TfrcAdaptBudget * budget);

/* The rate in bytes/s on the wire at which the sender paces, when packets wait too long for it;
 * INFINITY: they do not. */
double tfrc_adapt_budget_get_enforced (const TfrcAdaptBudget * budget);

#endif
