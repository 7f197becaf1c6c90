/* libtfrc: the round-trip time as the sender filters it (RFC 5348 4.3, 4.5)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ROUND_TRIP_TIME_H
#define TFRC_ROUND_TRIP_TIME_H

#include <tfrc/tfrc.h>

typedef struct
{
  double q;                     /* weight of the old value */
  double R;                     /* s; 0: unknown */
  double R_sqmean;              /* s^(1/2) */
  double R_sqsample;            /* sqrt (R_sample) of the last sample; 0: none */
  double R_min;                 /* s, the least that can be trusted; 0: none */
  double jitter;                /* s, mean distance of a sample from R */
  bool sampled;                 /* R comes from reports */
} TfrcRtt;

void tfrc_rtt_init (TfrcRtt * rtt, double q);

/* R known from elsewhere, until the first sample. RFC 5348 4.2 */
void tfrc_rtt_start (TfrcRtt * rtt, double R);
void tfrc_rtt_add_sample (TfrcRtt * rtt, double R_sample);
/* A measurement that t_delay cannot lower. */
void tfrc_rtt_add_bound (TfrcRtt * rtt, double R);

/* X_inst / X of RFC 5348 4.5 */
double tfrc_rtt_get_inst_factor (const TfrcRtt * rtt);

#endif
