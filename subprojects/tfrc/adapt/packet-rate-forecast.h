/* libtfrc: what the equation would allow at another packet rate (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_PACKET_RATE_FORECAST_H
#define TFRC_ADAPT_PACKET_RATE_FORECAST_H

/* By what TFRC-SP's X changes when a flow that sees the loss event rate `p` sends
 * `then` packets/s in place of `now`. */
double tfrc_adapt_forecast_get_gain (double p, double R, double now, double then);

#endif
