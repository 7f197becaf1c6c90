/* libtfrc: the TCP throughput equation, which gives the rate of a TCP connection on a path
 * with a given loss event rate and round-trip time (RFC 5348 3.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_EQUATION_H
#define TFRC_EQUATION_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

/* X of RFC 5348 3.1 with b = 1, bytes/s, at most 10^18. `s` is the segment size in bytes, `R` and `t_RTO` are
 * in seconds. `p`, the loss event rate, is taken as 2^-32 if it is lower, and as 1 if it is
 * higher or not a number. */
double tfrc_equation_rate (double s, double R, double t_RTO, double p);

/* The inverse: the loss event rate p at which the equation gives `X` bytes/s (RFC 5348 6.3.1).
 * It is right to one part in 10^12. It is 2^-32 for an X that is too high for any p, and 1 for one
 * that is too low. `s`, `R` and `t_RTO` are those of tfrc_equation_rate(). */
double tfrc_equation_loss (double s, double R, double t_RTO, double X);

/* t_RTO in seconds for the round-trip time `R` in seconds: max (t_RTO_R R, t_RTO_min), where t_RTO_R
 * and t_RTO_min are those of `config` (RFC 5348 3.1). */
double tfrc_equation_t_RTO (const TfrcConfig * config, double R);

/* s / (s + H), by which TFRC-SP multiplies the rate of the equation (RFC 4828 3): `s` bytes of segment, `H`
 * bytes of headers below it. 0 when `s` is 0. */
double tfrc_equation_header_factor (double s, double H);

TFRC_END_DECLS
#endif
