/* libtfrc: the round-trip time R, averaged over the samples of the reports (RFC 5348 4.3, 4.5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "round-trip-time.h"

#include <math.h>

#include "../core/minmax.h"

#define Q2 0.9                  /* q2, the weight of the old R_sqmean (RFC 5348 4.5) */
#define JITTER_WEIGHT (1.0 / 16.0)      /* as for the jitter of RFC 3550 6.4.1 */

void
tfrc_rtt_init (TfrcRtt * rtt, double q)
{
  *rtt = (TfrcRtt) {.q = q};
}

void
tfrc_rtt_start (TfrcRtt * rtt, double R)
{
  if (!rtt->sampled)
    rtt->R = R;
}

void
tfrc_rtt_add_bound (TfrcRtt * rtt, double R)
{
  rtt->R_min = rtt->R_min > 0.0 ? tfrc_min (rtt->R_min, R) : R;
}

void
tfrc_rtt_add_sample (TfrcRtt * rtt, double R_sample)
{
  rtt->R_sqsample = sqrt (R_sample);
  if (!rtt->sampled) {
    /* RFC 5348 4.3 step 2, 4.5 */
    rtt->R = R_sample;
    rtt->R_sqmean = rtt->R_sqsample;
    rtt->sampled = true;
    return;
  }
  rtt->jitter += JITTER_WEIGHT * (fabs (R_sample - rtt->R) - rtt->jitter);
  rtt->R = rtt->q * rtt->R + (1.0 - rtt->q) * R_sample;
  rtt->R_sqmean = Q2 * rtt->R_sqmean + (1.0 - Q2) * rtt->R_sqsample;
}

double
tfrc_rtt_get_inst_factor (const TfrcRtt * rtt)
{
  return rtt->R_sqsample > 0.0 ? rtt->R_sqmean / rtt->R_sqsample : 1.0;
}
