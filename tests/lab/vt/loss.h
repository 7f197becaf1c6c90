/* lab: loss models of a path without a queue
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_LOSS_H
#define LAB_LOSS_H

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct
{
  uint64_t state;               /* splitmix64 */
} LabRandom;

/* [0, 1) */
double lab_random_next (LabRandom * random);

typedef struct
{
  const LabOptions *options;
  LabRandom random;
  uint64_t count;               /* packets seen */
  bool bad;                     /* Gilbert: the state */
  double until;                 /* s: Gilbert: when the state is drawn again */
} LabLoss;

/* Returns false if there is no such model. */
bool lab_loss_init (LabLoss * loss, const LabOptions * options, uint64_t seed);
bool lab_loss_drops (LabLoss * loss, double wire_size, double now);

#ifdef __cplusplus
}
#endif
#endif
