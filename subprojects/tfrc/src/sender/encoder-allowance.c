/* libtfrc: the allowance, which is what an encoder may use
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-private.h"

#include <math.h>

#include "../core/minmax.h"

double
tfrc_allowance_get_bitrate (const TfrcAllowance * allowance, TfrcMode mode,
    uint32_t H, double packet_rate, uint32_t overhead)
{
  double headers = overhead, X = allowance->X;

  /* RFC 4828 6: under TFRC-SP the rate with all headers stays the same when the packet size changes. */
  if (mode == TFRC_MODE_TFRC_SP) {
    X = allowance->X_wire;
    headers += H;
  } else if (allowance->s > 0.0) {
    /* RFC 5348 1: packets keep their size, and X sets their number. No more than X / s packets depart in a
     * second, so that headers are only counted for these. */
    packet_rate = tfrc_min (packet_rate, X / allowance->s);
  }
  return tfrc_max (8.0 * (X - packet_rate * headers), 0.0);
}

void
tfrc_sender_get_allowance (const TfrcSender * sender, TfrcAllowance * allowance)
{
  double X = tfrc_sender_get_X (sender), s = sender->s;

  if (tfrc_sender_is_guaranteed (sender))
    X = tfrc_max (X, sender->config.g);
  *allowance = (TfrcAllowance) {
      .X = X,
      .X_wire = X * (s + sender->config.H) / s,
      .max_packet_rate = sender->pacer.t_min > 0 ? (double) TFRC_SEC / (double) sender->pacer.t_min : (double) INFINITY,
      .s = s,
      .p = sender->rate.p,
      .R = sender->rtt.R,
      .R_sample = sender->rtt.R_sqsample * sender->rtt.R_sqsample,
      .X_Bps = tfrc_sender_get_X_Bps (sender),
      .X_recv = sender->X_recv,
      .slow_start = !(sender->rate.p > 0.0),
      .timed = sender->timed,
      .transit = sender->transit,
      .capacity = tfrc_path_capacity_get (&sender->capacity),
  };
}
