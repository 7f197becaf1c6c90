/* tfrcadapt: tests of the forecast for another packet rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include <tfrc/equation.h>

#include "packet-rate-gain.h"

TEST (nothing_changes_at_the_same_packet_rate_or_without_a_loss)
{
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.1, 0.1, 50, 50), 1.0, 1e-12);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.0, 0.1, 25, 50), 1.0, 0);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.1, 0.0, 25, 50), 1.0, 0);
}

/* 25 packets/s more are 1.25 more in 50 ms: 1 / p grows from 20 to 21.25. */
TEST (an_event_holds_the_packets_of_one_round_trip_time_more)
{
  double want = tfrc_equation_rate (1460, 0.05, 0.2,
      1 / 21.25) / tfrc_equation_rate (1460, 0.05, 0.2, 0.05);

  CHECK_REL (tfrc_adapt_packet_rate_gain (0.05, 0.05, 25, 50), want, 1e-12);
  CHECK_BETWEEN (want, 1.04, 1.10);
  want =
      tfrc_equation_rate (1460, 0.05, 0.2,
      1 / 18.75) / tfrc_equation_rate (1460, 0.05, 0.2, 0.05);
  CHECK_REL (tfrc_adapt_packet_rate_gain (0.05, 0.05, 50, 25), want, 1e-12);
}

TEST (a_forecast_is_believed_only_so_far)
{
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.25, 0.3, 16, 50), 1.3, 1e-12);
  CHECK_NEAR (tfrc_adapt_packet_rate_gain (0.25, 0.3, 50, 16), 1 / 1.3, 1e-12);
}
