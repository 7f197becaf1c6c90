/* lab: one flow of the engine in virtual time, over a path that has a delay and
 * loses packets but never queues them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_FLOW_H
#define LAB_FLOW_H

#include "options.h"

/* Counted from options.from to options.duration. */
typedef struct
{
  double packets, bytes, lost;  /* sent; bytes with options.wire */
  double samples, p, p2, X, X2;     /* sums over samples of each R */
  double intervals, theta, theta2;      /* closed loss intervals */
  double expiries;
} LabFlowResult;

LabFlowResult lab_flow_run (const LabOptions * options, const TfrcConfig * config, uint64_t seed);

#endif
