/* tfrcadapt: forecasts what the throughput equation would give at another packet rate (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_PACKET_RATE_GAIN_H
#define TFRC_ADAPT_PACKET_RATE_GAIN_H

/* The factor by which X of TFRC-SP changes when a flow, of which the share `loss` of the packets is lost, with the round-trip
 * time `R` in seconds sends `then` packets/s instead of `now`. */
double tfrc_adapt_packet_rate_gain (double loss, double R, double now, double then);

#endif
