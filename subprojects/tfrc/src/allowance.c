/* libtfrc: what the encoder may use of X
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/sender.h>

#include <math.h>

double
tfrc_allowance_get_bitrate (const TfrcAllowance * allowance, TfrcMode mode,
    uint32_t H, double packet_rate, uint32_t overhead)
{
  double headers = overhead, X = allowance->X;

  /* RFC 4828 6: under TFRC-SP it is the rate with all headers that a change of the
   * packet size leaves as it is. */
  if (mode == TFRC_MODE_TFRC_SP) {
    X = allowance->X_wire;
    headers += H;
  }
  return fmax (8.0 * (X - packet_rate * headers), 0.0);
}
