/* libtfrc: fluid pacing (draft-hong-ftcp-00)
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Packets that X lets go at once, as a burst, leave R / F apart instead. F is at
 * least X R / s, so this is never slower than X, and the pacer's limit of one R
 * worth of credit keeps it from being faster for longer. */
#include "fluid-pacing.h"

#include <math.h>

double
tfrc_fluid_get_factor (double cwnd, bool slow_start)
{
  if (!(cwnd > 1.0))
    cwnd = 1.0;
  /* 3.1.1: in slow start each round halves the gaps of the one before; else one
   * more than cwnd, with which a late sender catches up. */
  return slow_start ? exp2 (ceil (log2 (cwnd))) : cwnd + 1.0;
}
