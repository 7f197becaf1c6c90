/* libtfrc: the statistics of the sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-private.h"

#include <tfrc/equation.h>

void
tfrc_sender_get_stats (const TfrcSender * sender, TfrcSenderStats * stats)
{
  const TfrcTransmitRate *rate = &sender->rate;
  const TfrcScreen *screen = &sender->screen;

  *stats = (TfrcSenderStats) {
      .X = tfrc_sender_get_X (sender),
      .X_inst = sender->X_inst,
      .G = sender->X_paced,
      .X_Bps = tfrc_sender_get_X_Bps (sender),
      .X_recv = sender->X_recv,
      .recv_limit = rate->recv_limit,
      .p = rate->p,
      .R = sender->rtt.R,
      .t_RTO = sender->rtt.R > 0.0 ? tfrc_equation_t_RTO (&sender->config, sender->rtt.R) : 0.0,
      .R_sqmean = sender->rtt.R_sqmean,
      .s = sender->s,
      .s_max = sender->segment.s_max,
      .T_report = screen->T_report,
      .packets = sender->history.n,
      .bytes = sender->bytes,
      .reports = sender->reports,
      .limited_x_recv = screen->limited_x_recv,
      .limited_p = screen->limited_p,
      .limited_t_delay = screen->limited_t_delay,
      .expiries = sender->expiries,
      .regained = sender->regained,
      .loss_reports = sender->loss_reports,
      .data_limited_reports = sender->data_limited_reports,
      .clock_steps = sender->clock_steps,
      .data_limited = sender->data_limited,
      .slow_start = !(rate->p > 0.0),
  };
  for (unsigned i = 0; i < TFRC_N_REJECTS; i++)
    stats->rejected[i] = screen->rejected[i];
}
