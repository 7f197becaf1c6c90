/* lab: loss intervals unbiased by the packet rate of the moment
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * WBL04 3.1.1 with the values of the moment: (eta - 1) N is taken off the mean of the
 * intervals, N eta being the packets of the last round-trip time. The engine takes it
 * off each interval and N from the interval itself; this comparator shows what that
 * decides. It gets the intervals of the engine's own receiver. */
#ifndef LAB_UNBIAS_H
#define LAB_UNBIAS_H

#include "options.h"

#define LAB_UNBIAS_N 8          /* n, RFC 5348 5.4 */
#define LAB_UNBIAS_FLIGHT 4096u /* arrivals remembered: those of R, at 40,000 packets/s */

typedef struct
{
  double eta;
  TfrcTime R;
  double I[LAB_UNBIAS_N];       /* as measured, the newest first */
  unsigned n;
  uint64_t arrived;
  TfrcTime arrivals[LAB_UNBIAS_FLIGHT];
} LabUnbias;

void lab_unbias_init (LabUnbias * unbias, const LabOptions * options);
void lab_unbias_on_arrival (LabUnbias * unbias, TfrcTime now);

/* An interval of `theta` packets ends. */
void lab_unbias_on_event (LabUnbias * unbias, double theta);

/* The loss event rate while the open interval is I_0 packets long. */
double lab_unbias_get_p (const LabUnbias * unbias, double I_0, TfrcTime now);

#endif
