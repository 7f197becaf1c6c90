/* libtfrc: the loss history, which gives the loss event rate and which late packets can correct
 * (RFC 5348 5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Gaps go from the log of the loss detector into the loss intervals. Two states of the intervals are
 * kept: `base` with the gaps that the log has forgotten, and `current` with those of the log too.
 * When a late packet changes a gap that had been counted, the log is counted anew from `base`. The
 * history then is the one that there would be if that packet had not been late. */
#ifndef TFRC_LOSS_HISTORY_H
#define TFRC_LOSS_HISTORY_H

#include "loss-detector.h"
#include "loss-intervals.h"

typedef enum
{
  TFRC_LOSS_HISTORY_EVENT = 1 << 0,  /* a new loss event */
  TFRC_LOSS_HISTORY_UNDONE = 1 << 1, /* a loss event less */
  TFRC_LOSS_HISTORY_LATER = 1 << 2,  /* that by a packet which is later than reordering has been */
} TfrcLossHistoryBits;

typedef struct
{
  TfrcDetector detector;
  TfrcIntervals base, current;
  TfrcFirstInterval first;
  TfrcTime reorder;             /* ns: how late the packets were that had been declared lost and arrived,
                                 * with a margin; R at most */
} TfrcLossHistory;

/* Number of closed intervals that the history needs room for. */
size_t tfrc_loss_history_get_room (const TfrcConfig * config);

/* Begins with the packet `arrival`, for which on_packet has to be called next. `room` is memory for
 * tfrc_loss_history_get_room() closed intervals, which the history keeps. */
void tfrc_loss_history_init (TfrcLossHistory * history, const TfrcConfig * config, TfrcInterval * room,
    const TfrcArrival * arrival, TfrcTime now);

/* Lets the memory of reordering fade. To be called with each report. */
void tfrc_loss_history_fade_reordering (TfrcLossHistory * history);

/* Takes a packet. Returns TfrcLossHistoryBits; *kind becomes what kind of arrival it was. */
unsigned tfrc_loss_history_on_packet (TfrcLossHistory * history, const TfrcConfig * config,
    const TfrcArrival * arrival, const TfrcContext * context, TfrcArrivalKind * kind,
    TfrcTime now);

/* The loss event rate at this moment. */
TfrcLossRate tfrc_loss_history_get_rate (const TfrcLossHistory * history, const TfrcConfig * config,
    const TfrcContext * context, TfrcTime now);

#endif
