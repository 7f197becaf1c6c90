/* libtfrc: a gap, which is a run of packets that did not arrive, or one packet that arrived with an
 * ECN mark
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SEQUENCE_GAP_H
#define TFRC_SEQUENCE_GAP_H

#include <tfrc/tfrc.h>

/* What the receiver knew when a gap opened. The loss events and intervals that the gap makes are
 * measured by this, also when they are counted anew later. */
typedef struct
{
  TfrcTime R;                   /* ns, round-trip time */
  double s;                     /* bytes, mean segment */
  double X_target;              /* bytes/s, the highest X_recv so far, for the first interval (RFC 5348
                                 * 6.3.1) */
} TfrcContext;

typedef struct
{
  uint64_t first;               /* extended sequence number of the first missing packet */
  uint32_t count;               /* how many consecutive packets are missing; 1 if marked */
  uint32_t size;                /* bytes of each: the mean size of the packets before and after the gap, or
                                 * the size of the marked packet */
  uint32_t span;                /* S_after - S_before (RFC 5348 5.2) */
  uint32_t distance;            /* first - S_before, where S_before was the last packet before the gap;
                                 * 0: the packet arrived, with an ECN mark */
  TfrcTime T_before;            /* when packet S_before arrived */
  TfrcTime T_span;              /* T_after - T_before, ns */
  uint64_t units;               /* what the loss measure counted of the packets received before the gap */
  TfrcContext context;
} TfrcSequenceGap;

/* The gap has all packets between S_before and S_after, which arrived at T_before and T_after. */
void tfrc_sequence_gap_open (TfrcSequenceGap * gap, uint64_t S_before, TfrcTime T_before,
    uint64_t S_after, TfrcTime T_after);

/* The gap is the marked packet `seq` of `size` bytes, which arrived at `T`. */
void tfrc_sequence_gap_mark (TfrcSequenceGap * gap, uint64_t seq, uint32_t size, TfrcTime T);

/* Leaves `count` packets of the gap, from the packet `first` on. They keep their times. */
static inline void
tfrc_sequence_gap_cut (TfrcSequenceGap * gap, uint64_t first, uint32_t count)
{
  gap->distance += (uint32_t) (first - gap->first);
  gap->first = first;
  gap->count = count;
}

/* Whether the gap is a packet that arrived, with an ECN mark. */
static inline bool
tfrc_sequence_gap_is_marked (const TfrcSequenceGap * gap)
{
  return gap->distance == 0;
}

/* When packet `k` of the gap, counted from 0, would have arrived (RFC 5348 5.2). */
TfrcTime tfrc_sequence_gap_get_time (const TfrcSequenceGap * gap, uint32_t k);

/* The first packet of the gap, from packet `from` on, whose time is after `T`; `count` if there is
 * none. */
uint32_t tfrc_sequence_gap_find_after (const TfrcSequenceGap * gap, uint32_t from, TfrcTime T);

#endif
