/* libtfrc: the configuration of a flow
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/tfrc.h>

void
tfrc_config_init (TfrcConfig * config, TfrcMode mode)
{
  *config = (TfrcConfig) {
    .mode = mode,
    .mss = 1460,
    .H = 40,
    .t_RTO_R = 4.0,
    .t_gran = TFRC_MSEC / 2,
    .q = 0.9,
    .oscillation_reduction = true,
    .history_discounting = true,
    .feedbacks_per_rtt = 1,
    .byte_mode_factor = 1.0,
    .S = 1460,
  };
}
