/* tfrcadapt: forecasts what the throughput equation would give at another packet rate
 *
 * All losses within one round-trip time R are one loss event (RFC 5348 5.2). When packets are lost
 * independently of each other, a loss interval has the packets of one R and then as many as there
 * are until the next loss. A flow with a higher packet rate has more packets in R,
 * so its loss intervals are longer and p is lower. Under TFRC-SP, X depends on the packet rate
 * through p only, and is higher for it. A short loss interval counts each of its losses (RFC 4828 3), which takes the gain
 * back where much is lost: at 50 % a higher packet rate brings nothing.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "packet-rate-gain.h"

#include <math.h>

/* X goes as the mean loss interval to this power: between the 0.5 that the throughput equation has where little is lost, and the 2.5
 * where half of the packets are. Calls with 25 and 50 packets/s in place of 16.7 have a mean X that is 1.16 and 1.54 times as high at 25 %
 * of loss, 1.17 and 1.31 at 40 %, and 1.04 and 0.94 at 50 %; it is less where X is low, and that is where packets do not fit. With 1 and 2
 * calls at 25 % of loss have 3.32 and 3.37 for 3.38, and at 40 % 1.68 and 1.64 for 1.67 (tests/bench/paths.sh, seeds 1 to 100). */
#define POWER 1.5

/* With less than this share of packets lost, loss intervals are so long that a few packets more make no difference. */
#define LEAST_LOSS 1e-6

/* The mean loss interval, in packets, with `x` packets in a round-trip time. Behind the lost packet that begins it, x - 1/2 packets are
 * in the same round-trip time on the mean: `n`. The next loss behind those begins the next interval. */
static double
get_mean_interval (double loss, double x)
{
  double n = fmax (x - 0.5, 0.0);
  double until_loss = 1.0 / loss;
  /* The interval is longer than two round-trip times when the x packets behind n arrive. */
  double is_long = pow (1.0 - loss, x);
  double long_part = is_long * (n + x + until_loss);
  double short_part = n + until_loss - long_part;
  /* The mean of 1 / (1 + k), where k of n packets are lost. */
  double per_loss = (1.0 - pow (1.0 - loss, n + 1.0)) / ((n + 1.0) * loss);

  return short_part * per_loss + long_part;
}

double
tfrc_adapt_packet_rate_gain (double loss, double R, double now, double then)
{
  if (!(loss > LEAST_LOSS) || !(R > 0.0))
    return 1.0;
  loss = fmin (loss, 1.0);
  return pow (get_mean_interval (loss, R * then) / get_mean_interval (loss,
          R * now), POWER);
}
