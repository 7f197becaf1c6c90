/* tfrcadapt: the fraction of packets lost on the path, from RTCP receiver reports (RFC 3550 6.4.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The loss event rate p is another quantity: one loss event covers all packets that are lost within
 * a round-trip time. What a listener misses, and what redundant copies have to recover, is counted
 * in packets. Rules 1, 5 and 7 of the contract in tfrc/tfrc.h hold; there is no time. */
#ifndef TFRC_ADAPT_LOSS_SHARE_H
#define TFRC_ADAPT_LOSS_SHARE_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

/* The mean over about the last 300 packets. The members are private. */
typedef struct
{
  uint32_t highest;             /* extended highest sequence number of the last report */
  int32_t lost;                 /* cumulative number of packets lost, of the last report */
  double share;                 /* mean fraction of packets lost */
  double packets;               /* packets that the mean is taken over */
  bool started;                 /* there was a report */
} TfrcAdaptLossShare;

/* There was no report yet: the fraction is unknown. */
void tfrc_adapt_loss_share_init (TfrcAdaptLossShare * share);

/* A receiver report came: `highest` is its extended highest sequence number received, `lost` its
 * cumulative number of packets lost. A report that was overtaken, or is more than 3000 packets ahead, counts as
 * the first one, and the mean stays. */
void tfrc_adapt_loss_share_update (TfrcAdaptLossShare * share, uint32_t highest, int32_t lost);

/* The fraction of packets lost, 0 to 1; -1 until the reports have covered 24 packets. */
double tfrc_adapt_loss_share_get (const TfrcAdaptLossShare * share);

TFRC_END_DECLS
#endif
