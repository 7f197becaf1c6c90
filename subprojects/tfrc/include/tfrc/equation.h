/* libtfrc: the TCP throughput equation, which gives the rate of a TCP connection on a path
 * with a given loss event rate and round-trip time (RFC 5348 3.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_EQUATION_H
#define TFRC_EQUATION_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

/* X in bytes/s: RFC 5348 3.1 with b = 1. `s` is the segment size in bytes, `R` and `t_RTO` are
 * in seconds. `p`, the loss event rate, is taken as 2^-32 if it is lower, and as 1 if it is
 * higher or not a number. */
double tfrc_equation_rate (double s, double R, double t_RTO, double p);

/* The inverse: the loss event rate p at which the equation gives `X` bytes/s (RFC 5348 6.3.1).
 * It is right to one part in 10^12; for an X that no p gives it is 2^-32 or 1. The number of
 * steps is the same for every argument. */
double tfrc_equation_loss (double s, double R, double t_RTO, double X);

/* t_RTO in seconds for the round-trip time `R` in seconds: max (t_RTO_R R, t_RTO_min) of the
 * configuration (RFC 5348 3.1). */
double tfrc_equation_t_RTO (const TfrcConfig * config, double R);

/* s / (s + H): the share of the segment of `s` bytes in a packet that has `H` bytes of headers
 * more. TFRC-SP multiplies the equation's rate by it (RFC 4828 3). */
double tfrc_equation_header_factor (double s, double H);

TFRC_END_DECLS
#endif
