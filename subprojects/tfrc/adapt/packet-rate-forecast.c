/* libtfrc: what the equation would allow at another packet rate
 *
 * A loss event lasts a round-trip time whatever is lost in it (RFC 5348 5.2), so of
 * packets that are lost one by one a faster flow sees fewer events for each packet:
 * from the first loss of an event to that of the next are the packets of one R and
 * then, on the mean, as many as there are from loss to loss. Under TFRC-SP X does not
 * depend on the packet rate but through p, so X is larger for it.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "packet-rate-forecast.h"

#include <math.h>
#include <tfrc/equation.h>

/* Bytes; any will do, it is the ratio that counts. */
#define S 1460.0

/* What is not measured is believed only so far: RFC 4828's short intervals take back
 * a part where R is short, and p needs eight intervals to follow. */
#define GAIN_MAX 1.4

double
tfrc_adapt_forecast_get_gain (double p, double R, double now, double then)
{
  double expected, gain;

  if (!(p > 0.0) || !(R > 0.0))
    return 1.0;
  expected = 1.0 / fmax (1.0, 1.0 / p + (then - now) * R);
  gain = tfrc_equation_rate (S, R, 4.0 * R, expected) / tfrc_equation_rate (S, R, 4.0 * R, p);
  return fmin (fmax (gain, 1.0 / GAIN_MAX), GAIN_MAX);
}
