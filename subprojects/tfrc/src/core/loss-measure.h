/* libtfrc: what a loss interval is measured in
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The one place where the receiver asks for its mode and its loss measure.
 * RFC 5348 and RFC 4828 count packets. The measures of Widmer, Boutremans and
 * Le Boudec 2004 (WBL04) count so that a flow of small packets sees the loss
 * intervals that one of packets of S bytes would see. */
#ifndef TFRC_LOSS_MEASURE_H
#define TFRC_LOSS_MEASURE_H

#include <tfrc/tfrc.h>
#include "loss-gap.h"

#define TFRC_INTERVALS_N 8      /* n, RFC 5348 5.4 */
#define TFRC_INTERVALS_MAX 128  /* the longest history, of scaled loss-insensitive periods */

/* A loss interval as it was counted, before it is made a length. */
typedef struct
{
  uint64_t units;               /* from after the loss that starts it up to the one that ends it */
  uint64_t K;                   /* packets lost or marked in it */
  TfrcTime duration;            /* ns, start to start */
} TfrcSpan;

/* What a packet counts: one, its bytes, or one if it is in the sample. */
uint64_t tfrc_measure_count_received (const TfrcConfig * config, uint64_t seq, uint32_t size);
uint64_t tfrc_measure_count_lost (const TfrcConfig * config, uint64_t seq, uint32_t size);

uint64_t tfrc_measure_count_gap (const TfrcConfig * config, const TfrcGap * gap);

/* Lost packets do not all count the same: they must be walked one by one. */
bool tfrc_measure_samples_losses (const TfrcConfig * config);

/* The units that must be lost after the loss-insensitive period to make an event. */
uint64_t tfrc_measure_get_threshold (const TfrcConfig * config);

/* How long after a loss event further losses belong to it. */
TfrcTime tfrc_measure_get_period (const TfrcConfig * config, const TfrcContext * context);

/* Packets, or packets of S bytes. */
double tfrc_measure_get_length (const TfrcConfig * config, const TfrcContext * context,
    const TfrcSpan * span);

/* What the packet that would come next counts: the open interval is as long as
 * it would be if that one were lost. */
uint64_t tfrc_measure_get_unit (const TfrcConfig * config, const TfrcContext * context);

/* An open interval that began `age` ago takes no part in the mean. */
bool tfrc_measure_leaves_out (const TfrcConfig * config, const TfrcContext * context, TfrcTime age);

/* n, the closed intervals that make the mean. */
unsigned tfrc_measure_get_n (const TfrcConfig * config, const TfrcContext * context);

#endif
