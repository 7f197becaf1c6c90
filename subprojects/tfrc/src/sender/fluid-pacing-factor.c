/* libtfrc: fluid pacing, which spreads bursts over the round-trip time (draft-hong-ftcp-00)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Packets that could depart in a burst depart R / F apart. F is at least X R / s, so that fluid pacing
 * is never slower than X; and it is not faster for long, because the pacer's credit is at most R. */
#include "fluid-pacing-factor.h"

#include <math.h>

double
tfrc_fluid_get_factor (double cwnd, bool slow_start)
{
  if (!(cwnd > 1.0))
    cwnd = 1.0;
  /* Draft 3.1.1: in slow start the spacing halves in each round-trip time. Later F is one more than cwnd,
   * by which a late sender catches up. */
  return slow_start ? exp2 (ceil (log2 (cwnd))) : cwnd + 1.0;
}
