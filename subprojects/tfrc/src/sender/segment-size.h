/* libtfrc: the mean segment size s of the flow, and its initial window (RFC 5348 4.1, 4.2, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SEGMENT_SIZE_H
#define TFRC_SEGMENT_SIZE_H

#include <tfrc/tfrc.h>

#define TFRC_SEGMENT_INTERVALS 5        /* the current loss interval and four before it */

typedef struct
{
  double bytes[TFRC_SEGMENT_INTERVALS], packets[TFRC_SEGMENT_INTERVALS];        /* sent in each loss
                                 * interval, the current one first */
  double all_bytes, all_packets;        /* sums of these */
  uint32_t s_max;               /* bytes, largest segment so far; 0: none yet */
} TfrcSegment;

void tfrc_segment_init (TfrcSegment * segment);

/* A segment of `size` bytes is sent. */
void tfrc_segment_add (TfrcSegment * segment, uint32_t size);

/* A loss event ends the current loss interval. */
void tfrc_segment_on_loss_event (TfrcSegment * segment);

/* s in bytes, at least 1; `unknown` before the first segment. */
double tfrc_segment_get_mean (const TfrcSegment * segment, double unknown);

/* W_init in bytes for segments of `size` bytes (RFC 5348 4.2). */
double tfrc_segment_get_initial_window (uint32_t size);

#endif
