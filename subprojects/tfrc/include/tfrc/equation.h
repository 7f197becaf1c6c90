/* libtfrc: the TCP throughput equation
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_EQUATION_H
#define TFRC_EQUATION_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X in bytes/s for segments of s bytes, R and t_RTO in seconds, b = 1; p is
 * clamped to (0, 1]. RFC 5348 3.1. */
double tfrc_equation_rate (double s, double R, double t_RTO, double p);

/* The p at which the equation gives X bytes/s: by bisection, to 1e-12, in a
 * bounded number of steps for every input; saturates at 1 and at the smallest
 * p. RFC 5348 6.3.1. */
double tfrc_equation_loss (double s, double R, double t_RTO, double X);

/* t_RTO in seconds as the configuration wants it. RFC 5348 3.1. */
double tfrc_equation_t_RTO (const TfrcConfig * config, double R);

/* s / (s + H), RFC 4828 3. */
double tfrc_equation_header_factor (double s, double H);

#ifdef __cplusplus
}
#endif
#endif
