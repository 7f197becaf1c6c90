/* libtfrc: the share of packets lost, from RTCP's receiver reports (RFC 3550 6.4.1)
 *
 * p counts loss events, of which a round-trip time holds one however many packets it
 * loses. What a listener misses, and what copies must make good, is packets.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_LOSS_SHARE_H
#define TFRC_ADAPT_LOSS_SHARE_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct
{
  uint32_t highest;             /* extended sequence number, of the last report */
  int32_t lost;                 /* cumulative, of the last report */
  double share;                 /* of packets, mean */
  double packets;               /* that the mean is of */
  bool started;
} TfrcAdaptLossShare;

void tfrc_adapt_loss_share_init (TfrcAdaptLossShare * share);

/* The fields of a report block. */
void tfrc_adapt_loss_share_update (TfrcAdaptLossShare * share, uint32_t highest, int32_t lost);

/* 0 to 1; -1 while too little is known. */
double tfrc_adapt_loss_share_get (const TfrcAdaptLossShare * share);

#ifdef __cplusplus
}
#endif
#endif
