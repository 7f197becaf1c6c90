/* libtfrc: the share of packets lost, from RTCP's receiver reports (RFC 3550 6.4.1)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/loss-share.h>

#include <math.h>

/* Packets that the mean is of: of 10 % lost it is right within 2 %, and six seconds
 * of packets of 20 ms are not too many for a path that changes. */
#define MEMORY 300.0

/* A share of fewer packets is no share. */
#define ENOUGH 24.0

/* More in one report is a receiver that began anew, or a sender. */
#define JUMP 3000u

void
tfrc_adapt_loss_share_init (TfrcAdaptLossShare * share)
{
  *share = (TfrcAdaptLossShare) {.share = 0.0 };
}

void
tfrc_adapt_loss_share_update (TfrcAdaptLossShare * share, uint32_t highest, int32_t lost)
{
  uint32_t packets = highest - share->highest;
  double missing = (double) lost - (double) share->lost;

  if (share->started && packets == 0)
    return;
  share->highest = highest;
  share->lost = lost;
  /* Reports overtake each other, and begin anew. */
  if (!share->started || packets > JUMP) {
    share->started = true;
    return;
  }
  /* Late packets heal what the last report called lost. */
  missing = fmin (fmax (missing, 0.0), packets);
  share->packets = fmin (share->packets + packets, fmax (MEMORY, packets));
  share->share += (missing - packets * share->share) / share->packets;
}

double
tfrc_adapt_loss_share_get (const TfrcAdaptLossShare * share)
{
  return share->packets < ENOUGH ? -1.0 : share->share;
}
