/* libtfrc: fluid pacing, which spreads bursts over the round-trip time (draft-hong-ftcp-00)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_FLUID_PACING_FACTOR_H
#define TFRC_FLUID_PACING_FACTOR_H

#include <tfrc/tfrc.h>

/* F of the draft: the packets in one R. `cwnd` is X R / s, the packets that X allows in one R. */
double tfrc_fluid_get_factor (double cwnd, bool slow_start);

#endif
