/* libtfrc: the statistics of a receiver
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "receiver-private.h"

void
tfrc_receiver_keep_counters (TfrcReceiverStats * stats,
    const TfrcLossHistory * history)
{
  stats->lost += history->detector.lost;
  stats->healed += history->detector.healed;
  stats->loss_events += history->current.events;
}

void
tfrc_receiver_get_stats (const TfrcReceiver * receiver,
    TfrcReceiverStats * stats)
{
  const TfrcLossHistory *history = &receiver->history;
  unsigned n = tfrc_loss_measure_get_n (&receiver->config, &receiver->context);
  TfrcLossRate rate = { 0 };

  *stats = receiver->stats;
  if (receiver->sequence.started)
    rate = tfrc_receiver_get_loss_rate (receiver, receiver->now);
  stats->p = rate.p;
  stats->I_mean = rate.I_mean;
  stats->I_0 = rate.I_0;
  stats->X_recv = receiver->X_recv;
  stats->R = (double) receiver->stamp.R_known / (double) TFRC_SEC;
  stats->intervals = history->current.n < n ? history->current.n : n;
  if (stats->intervals > 0)
    stats->I_1 = tfrc_intervals_get_closed (&history->current, 1)->I;
  tfrc_receiver_keep_counters (stats, history);
  stats->unstamped = receiver->stamp.unstamped;
  stats->bad_stamps = receiver->stamp.bad;
}
