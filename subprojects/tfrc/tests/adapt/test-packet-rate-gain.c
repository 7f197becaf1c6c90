/* tfrcadapt: tests of the forecast for another packet rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "packet-rate-gain.h"

#define PACKETS 4000000

TEST (nothing_changes_at_the_same_packet_rate_or_without_a_loss)
{
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.1, 0.1, 50, 50), 1.0, 1e-12);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.0, 0.1, 25, 50), 1.0, 0);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (-1.0, 0.1, 25, 50), 1.0, 0); /* not known yet */
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.1, 0.0, 25, 50), 1.0, 0);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (1e-310, 0.1, 25, 50), 1.0, 0);       /* after hours without a loss */
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (1e-5, 0.1, 25, 50), 1.0, 1e-4);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (1.0, 0.1, 25, 50), 1.0, 1e-12);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (1.5, 0.1, 25, 50), 1.0, 1e-12);      /* no share of anything */
}

TEST (what_a_higher_packet_rate_brings_a_lower_one_takes)
{
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.2, 0.1, 16,
          50) * tfrc_adapt_packet_rate_gain (0.2, 0.1, 50, 16), 1.0, 1e-12);
}

/* Counts the loss intervals of independent losses (RFC 5348 5.2, RFC 4828 3), with a packet each 1 / rate s and R = 0.1 s, and returns
 * their mean length in packets. */
static double
count_interval (double loss, double rate)
{
  const double R = 0.1;
  double sum = 0;
  unsigned n = 0, begin = 0, losses = 0;
  uint64_t random = 1;

  for (unsigned i = 1; i < PACKETS; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    if ((double) (random >> 11) * 0x1p-53 >= loss)
      continue;
    if ((i - begin) / rate <= R) {
      losses++;
      continue;
    }
    sum +=
        (i - begin) / rate <= 2 * R ? (i - begin) / (1.0 + losses) : i - begin;
    n++;
    begin = i;
    losses = 0;
  }
  return sum / n;
}

/* At 25 and 55 packets/s R has room for 2.5 and 5.5 packets: the half packet that the forecast takes off is what counting takes off. */
TEST (the_forecast_follows_the_loss_intervals_of_random_losses)
{
  static const double losses[] = { 0.05, 0.1, 0.25, 0.4, 0.5 };

  for (unsigned i = 0; i < N_OF (losses); i++) {
    double low = count_interval (losses[i], 25), high =
        count_interval (losses[i], 55);

    NOTE ("loss %g: %g and %g packets", losses[i], low, high);
    CHECK_REL (tfrc_adapt_packet_rate_gain (losses[i], 0.1, 25, 55),
        pow (high / low, 1.5), 0.04);
  }
}

TEST (a_higher_packet_rate_brings_much_at_little_loss_and_nothing_at_half)
{
  CHECK_BETWEEN (tfrc_adapt_packet_rate_gain (0.1, 0.1, 50 / 3.0, 50), 1.3,
      1.45);
  CHECK_BETWEEN (tfrc_adapt_packet_rate_gain (0.25, 0.1, 50 / 3.0, 50), 1.3,
      1.45);
  CHECK_BETWEEN (tfrc_adapt_packet_rate_gain (0.4, 0.1, 50 / 3.0, 50), 1.0,
      1.15);
  CHECK_BETWEEN (tfrc_adapt_packet_rate_gain (0.5, 0.1, 50 / 3.0, 50), 0.85,
      0.95);
}
