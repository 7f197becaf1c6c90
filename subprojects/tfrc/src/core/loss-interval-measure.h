/* libtfrc: the loss measures, which are ways to measure the length of a loss interval
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * No other file of the receiver depends on the mode and the loss measure of the flow. RFC 5348 and
 * RFC 4828 count packets. The measures of WBL04 (tfrc/tfrc.h) count in such a way that a flow of
 * small packets has the loss intervals that a flow of packets of S bytes would have. What is counted
 * is called units. */
#ifndef TFRC_LOSS_INTERVAL_MEASURE_H
#define TFRC_LOSS_INTERVAL_MEASURE_H

#include <tfrc/tfrc.h>
#include "sequence-gap.h"

#define TFRC_INTERVALS_N 8      /* n, the number of intervals in the mean (RFC 5348 5.4) */
#define TFRC_INTERVALS_MAX 128  /* the most intervals that are kept, for scaled loss-insensitive periods */

/* What was counted in a loss interval, of which its length is computed. */
typedef struct
{
  uint64_t units;               /* of the packets after the loss that starts it, up to the loss that ends it */
  uint64_t K;                   /* packets lost or marked in it */
  TfrcTime duration;            /* ns, from the start of its loss event to that of the next */
} TfrcSpan;

/* The units of a packet: one, or its bytes, or one if the packet is in the sample and else none. */
uint64_t tfrc_loss_measure_count_received (const TfrcConfig * config, uint64_t seq, uint32_t size);
uint64_t tfrc_loss_measure_count_lost (const TfrcConfig * config, uint64_t seq, uint32_t size);

/* The units of all packets of a gap. */
uint64_t tfrc_loss_measure_count_gap (const TfrcConfig * config, const TfrcSequenceGap * gap);

/* Whether the lost packets of a gap differ in their units, so that each has to be looked at. */
bool tfrc_loss_measure_samples_losses (const TfrcConfig * config);

/* The units that have to be lost after the loss-insensitive period to make a loss event. */
uint64_t tfrc_loss_measure_get_threshold (const TfrcConfig * config);

/* The loss-insensitive period: how long after the start of a loss event losses belong to it, in ns. */
TfrcTime tfrc_loss_measure_get_period (const TfrcConfig * config, const TfrcContext * context);

/* The length of a loss interval: in packets, or in packets of S bytes for the WBL04 measures. */
double tfrc_loss_measure_get_length (const TfrcConfig * config, const TfrcContext * context,
    const TfrcSpan * span);

/* The units of the next packet. The open interval is as long as it would be if that packet were
 * lost. */
uint64_t tfrc_loss_measure_get_unit (const TfrcConfig * config, const TfrcContext * context);

/* Whether an open interval that began `age` ns ago is left out of the mean. */
bool tfrc_loss_measure_leaves_out (const TfrcConfig * config, const TfrcContext * context, TfrcTime age);

/* The most closed intervals that the mean can take with this loss measure. */
unsigned tfrc_loss_measure_get_most (const TfrcConfig * config);

/* The number n of closed intervals that make the mean. */
unsigned tfrc_loss_measure_get_n (const TfrcConfig * config, const TfrcContext * context);

#endif
