/* tfrcadapt: forecasts what the throughput equation would give at another packet rate
 *
 * All losses within one round-trip time R are one loss event (RFC 5348 5.2). When packets are lost
 * independently of each other, a loss interval has the packets of one R and then as many as there
 * are on average from one loss to the next. A flow with a higher packet rate has more packets in R,
 * so its loss intervals are longer and p is lower. Under TFRC-SP, X depends on the packet rate
 * through p only, and is higher for it.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "packet-rate-gain.h"

#include <math.h>
#include <tfrc/equation.h>

/* Bytes. The ratio of two rates does not depend on the segment size. */
#define S 1460.0

/* The forecast is limited to this factor, and to its inverse, because it is not a measurement: the
 * short loss intervals of RFC 4828 take a part of the gain back where R is short, and p needs eight
 * loss intervals to follow. With 1.2 and 1.4 calls at 25 % of loss have 3.38 and 3.35 for 3.40, and calls beside CUBIC 3.97 and
 * 3.98 for 3.98 (tests/bench/paths.sh, seeds 1 to 100, with a point held for 6 s). */
#define GAIN_MAX 1.3

double
tfrc_adapt_packet_rate_gain (double p, double R, double now, double then)
{
  double expected, gain;

  if (!(p > 0.0) || !(R > 0.0))
    return 1.0;
  expected = 1.0 / fmax (1.0, 1.0 / p + (then - now) * R);
  gain =
      tfrc_equation_rate (S, R, 4.0 * R, expected) / tfrc_equation_rate (S, R,
      4.0 * R, p);
  return fmin (fmax (gain, 1.0 / GAIN_MAX), GAIN_MAX);
}
