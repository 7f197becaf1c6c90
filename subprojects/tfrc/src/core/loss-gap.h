/* libtfrc: a gap, a run of packets that did not arrive, or one that arrived marked
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_LOSS_GAP_H
#define TFRC_LOSS_GAP_H

#include <tfrc/tfrc.h>

/* What the receiver knew when a gap opened: the loss events and intervals that
 * it makes are measured by these, also when they are counted anew. */
typedef struct
{
  TfrcTime R;                   /* ns, the sender's round-trip time */
  double s;                     /* bytes, mean segment */
  double X_target;              /* bytes/s, the most so far, for the first interval (RFC 5348 6.3.1) */
} TfrcContext;

typedef struct
{
  uint64_t first;               /* extended sequence number of the first missing packet */
  uint32_t count;               /* packets missing, all next to one another; 1 if marked */
  uint32_t size;                /* bytes of each: the mean of its neighbours; a marked one's own */
  bool marked;                  /* it arrived, with a congestion mark */
  uint32_t span;                /* S_after - S_before */
  uint64_t S_before;
  TfrcTime T_before;
  TfrcTime T_span;              /* T_after - T_before, ns */
  uint64_t units;               /* what the measure counted of the packets received before it */
  TfrcContext context;
} TfrcGap;

/* All packets between two that arrived. */
void tfrc_gap_open (TfrcGap * gap, uint64_t S_before, TfrcTime T_before,
    uint64_t S_after, TfrcTime T_after);
void tfrc_gap_mark (TfrcGap * gap, uint64_t seq, uint32_t size, TfrcTime T);

/* When the k-th of its packets would have arrived. RFC 5348 5.2. */
TfrcTime tfrc_gap_get_time (const TfrcGap * gap, uint32_t k);

/* The first k >= `from` whose time is after T; `count` if there is none. */
uint32_t tfrc_gap_find_after (const TfrcGap * gap, uint32_t from, TfrcTime T);

#endif
