/* libtfrc: a gap, which is a run of packets that did not arrive, or one packet that arrived with an
 * ECN mark
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sequence-gap.h"

/* ns: the longest time that a gap is spread over, 19.5 hours. Its product with the longest span, the
 * range of sequence numbers, fits into 64 bits. */
#define T_SPAN_MAX ((TfrcTime) 1 << 46)

void
tfrc_sequence_gap_open (TfrcSequenceGap * gap, uint64_t S_before,
    TfrcTime T_before, uint64_t S_after, TfrcTime T_after)
{
  if (T_after - T_before > T_SPAN_MAX)
    T_before = T_after - T_SPAN_MAX;
  gap->first = S_before + 1;
  gap->count = (uint32_t) (S_after - S_before - 1);
  gap->distance = 1;
  gap->T_before = T_before;
  gap->span = (uint32_t) (S_after - S_before);
  gap->T_span = T_after - T_before;
}

void
tfrc_sequence_gap_mark (TfrcSequenceGap * gap, uint64_t seq, uint32_t size,
    TfrcTime T)
{
  gap->first = seq;
  gap->distance = 0;
  gap->count = gap->span = 1;
  gap->size = size;
  gap->T_before = T;
  gap->T_span = 0;
}

TfrcTime
tfrc_sequence_gap_get_time (const TfrcSequenceGap * gap, uint32_t k)
{
  uint64_t distance = (uint64_t) gap->distance + k;

  /* RFC 5348 5.2: T_before + (T_after - T_before) * Dist (S_loss, S_before) /
   * Dist (S_after, S_before), rounded down. */
  return gap->T_before + gap->T_span * distance / gap->span;
}

uint32_t
tfrc_sequence_gap_find_after (const TfrcSequenceGap * gap, uint32_t from,
    TfrcTime T)
{
  uint64_t distance, k;

  if (T < gap->T_before)
    return from;
  if (T - gap->T_before >= gap->T_span)
    return gap->count;
  /* The smallest distance with T_span * distance / span > T - T_before. */
  distance =
      ((T - gap->T_before + 1) * gap->span + gap->T_span - 1) / gap->T_span;
  k = distance > gap->distance ? distance - gap->distance : 0;
  if (k < from)
    return from;
  return k < gap->count ? (uint32_t) k : gap->count;
}
