/* libtfrc: the round-trip time R, averaged over the samples of the reports (RFC 5348 4.3, 4.5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ROUND_TRIP_TIME_H
#define TFRC_ROUND_TRIP_TIME_H

#include <tfrc/tfrc.h>

typedef struct
{
  double q;                     /* weight of the old R in the mean */
  double R;                     /* s; 0: unknown */
  double R_sqmean;              /* s^(1/2), mean of the square roots of the samples */
  double R_sqsample;            /* s^(1/2), square root of the last sample; 0: none */
  double R_min;                 /* s, shortest round-trip time that a wrong t_delay cannot have made; 0:
                                 * none */
  double jitter;                /* s, mean distance of a sample from R */
  bool sampled;                 /* R is a mean of samples */
} TfrcRtt;

void tfrc_rtt_init (TfrcRtt * rtt, double q);

/* `R` in seconds was measured otherwise, and holds until the first sample (RFC 5348 4.2). */
void tfrc_rtt_start (TfrcRtt * rtt, double R);

/* A report gave the sample `R_sample` in seconds. */
void tfrc_rtt_add_sample (TfrcRtt * rtt, double R_sample);

/* A round-trip time in seconds that a wrong t_delay cannot have made too short. */
void tfrc_rtt_add_bound (TfrcRtt * rtt, double R);

/* X_inst / X of RFC 5348 4.5. */
double tfrc_rtt_get_inst_factor (const TfrcRtt * rtt);

#endif
