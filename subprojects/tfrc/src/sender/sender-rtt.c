/* libtfrc: the time of the sender, and the round-trip time that it knows of (RFC 5348 4.2, 4.3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-private.h"

#include <tfrc/wire.h>

#define RTT_MAX (TFRC_RTT_MAX * TFRC_USEC)
#define NOW_MAX ((TfrcTime) INT64_MAX / 2)      /* ns, so that sums of times do not overflow */

TfrcTime
tfrc_sender_advance (TfrcSender * sender, TfrcTime now)
{
  if (now < sender->now) {
    sender->clock_steps++;
    return sender->now;
  }
  return sender->now = now < NOW_MAX ? now : NOW_MAX;
}

void
tfrc_sender_follow_rtt (TfrcSender * sender)
{
  TfrcTime R = to_time (sender->rtt.R);

  sender->R_us =
      sender->rtt.R > 0.0 ? tfrc_stamp_encode_rtt (R) : TFRC_RTT_UNKNOWN;
  tfrc_rate_limited_times_set_rtt (&sender->limited, R);
}

void
tfrc_sender_start_rtt (TfrcSender * sender, double R, TfrcTime now)
{
  TfrcPath path;

  tfrc_rtt_start (&sender->rtt, R);
  tfrc_sender_follow_rtt (sender);
  path = tfrc_sender_get_path (sender, 0.0);
  tfrc_transmit_rate_start (&sender->rate, &path, now);
}

void
tfrc_sender_on_rtt_sample (TfrcSender * sender, const TfrcReport * times,
    TfrcTime now)
{
  double R_sample;

  now = tfrc_sender_advance (sender, now);
  if (!sender->rtt.sampled
      || !tfrc_screen_check_times (&sender->screen, times, &sender->rtt,
          &sender->history, sender->ring, now, &R_sample))
    return;
  tfrc_rtt_add_sample (&sender->rtt, R_sample);
  tfrc_sender_follow_rtt (sender);
}

unsigned
tfrc_sender_set_initial_rtt (TfrcSender * sender, TfrcTime rtt, TfrcTime now)
{
  now = tfrc_sender_advance (sender, now);
  if (rtt == 0 || rtt > RTT_MAX || sender->rate.started)
    return 0;
  tfrc_sender_start_rtt (sender, (double) rtt / (double) TFRC_SEC, now);
  return tfrc_sender_apply_rate (sender, now);
}

unsigned
tfrc_sender_on_rtt (TfrcSender * sender, TfrcTime rtt, TfrcTime now)
{
  if (rtt > 0 && rtt <= RTT_MAX)
    tfrc_rtt_add_bound (&sender->rtt, (double) rtt / (double) TFRC_SEC);
  return tfrc_sender_set_initial_rtt (sender, rtt, now);
}
