/* libtfrc: the loss history, RFC 5348 5, that late packets can correct
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Gaps go through the detector's log into the loss intervals. Two states of the
 * intervals are kept: `base` holds the gaps that the log has forgotten, `current`
 * those of the log too. When a late packet changes a gap that was counted, the
 * log is counted again from `base`: the history then is what it would have been
 * had that packet never been lost. */
#ifndef TFRC_LOSS_HISTORY_H
#define TFRC_LOSS_HISTORY_H

#include "loss-detector.h"
#include "loss-intervals.h"

typedef enum
{
  TFRC_HISTORY_EVENT = 1 << 0,  /* a new loss event */
  TFRC_HISTORY_UNDONE = 1 << 1, /* a loss event less */
} TfrcHistoryBits;

typedef struct
{
  TfrcDetector detector;
  TfrcIntervals base, current;
  TfrcFirstInterval first;
} TfrcHistory;

/* Begins with the packet `seq`; call on_packet for it. */
void tfrc_history_init (TfrcHistory * history, const TfrcArrival * arrival, TfrcTime now);

/* Returns TfrcHistoryBits. */
unsigned tfrc_history_on_packet (TfrcHistory * history, const TfrcConfig * config,
    const TfrcArrival * arrival, const TfrcContext * context, TfrcArrivalKind * kind,
    TfrcTime now);

TfrcLossRate tfrc_history_get_rate (const TfrcHistory * history, const TfrcConfig * config,
    const TfrcContext * context, TfrcTime now);

#endif
