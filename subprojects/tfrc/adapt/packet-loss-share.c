/* tfrcadapt: the share of packets lost on the path, from RTCP receiver reports (RFC 3550 6.4.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/loss-share.h>

#include <math.h>

/* Packets that the mean is taken over. With 10 % of loss its standard deviation is 2 %, and with
 * packets of 20 ms it covers six seconds, so that it follows a path that changes. */
#define MEMORY 300.0

/* The mean over fewer packets is not given out. */
#define ENOUGH 24.0

/* A report that covers more packets comes from a receiver, or is about a sender, that began anew. */
#define JUMP 3000u

void
tfrc_adapt_loss_share_init (TfrcAdaptLossShare * share)
{
  *share = (TfrcAdaptLossShare) {.share = 0.0};
}

void
tfrc_adapt_loss_share_update (TfrcAdaptLossShare * share, uint32_t highest,
    int32_t lost)
{
  uint32_t packets = highest - share->highest;
  double missing = (double) lost - (double) share->lost;

  if (share->started && packets == 0)
    return;
  share->highest = highest;
  share->lost = lost;
  /* A report that was overtaken has a lower number, which is a huge difference here. */
  if (!share->started || packets > JUMP) {
    share->started = true;
    return;
  }
  /* The number of lost packets falls when packets arrive that the last report counted as lost. */
  missing = fmin (fmax (missing, 0.0), packets);
  share->packets = fmin (share->packets + packets, fmax (MEMORY, packets));
  share->share += (missing - packets * share->share) / share->packets;
}

double
tfrc_adapt_loss_share_get (const TfrcAdaptLossShare * share)
{
  return share->packets < ENOUGH ? -1.0 : share->share;
}
