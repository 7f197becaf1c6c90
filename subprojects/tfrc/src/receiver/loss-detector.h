/* libtfrc: detects which packets are lost (RFC 5348 5.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A missing packet is lost when NDUPACK = 3 packets with higher sequence numbers have arrived. So
 * the third highest sequence number that arrived is the frontier: packets missing below it are lost,
 * packets missing above it may still arrive.
 *
 * A log holds the gaps in the order of their sequence numbers. The first n_decided of them are lost,
 * or marked packets; the others are open. The log has at most TFRC_DETECTOR_GAPS gaps and reaches
 * back over at most TFRC_SEQUENCE_MAX_JUMP packets. Within it, a late packet can be told from a
 * duplicate, and its loss can be undone. */
#ifndef TFRC_LOSS_DETECTOR_H
#define TFRC_LOSS_DETECTOR_H

#include <tfrc/tfrc.h>
#include "../core/sequence-gap.h"

#ifndef TFRC_NDUPACK            /* the lab is built with another value too */
#define TFRC_NDUPACK 3
#endif
#define TFRC_DETECTOR_GAPS 64   /* a power of two */

typedef struct
{
  uint64_t seq;                 /* extended sequence number */
  uint32_t size;                /* bytes of the segment */
  bool ce;                      /* it carries the ECN mark "congestion experienced" */
  uint64_t units;               /* what it counts in the loss measure */
} TfrcArrival;

typedef enum
{
  TFRC_ARRIVAL_NEXT,            /* the highest sequence number so far */
  TFRC_ARRIVAL_LATE,            /* the packet was missing, and not declared lost yet */
  TFRC_ARRIVAL_HEALED,          /* the packet was declared lost */
  TFRC_ARRIVAL_DUPLICATE,       /* the packet had arrived before */
  TFRC_ARRIVAL_TOO_LATE         /* the log does not reach back to the packet: it is late or a duplicate */
} TfrcArrivalKind;

typedef struct
{
  uint64_t top[TFRC_NDUPACK];   /* the highest sequence numbers that arrived; 0: none yet */
  uint64_t horizon;             /* the sequence number at which the log begins */
  TfrcTime T_top;               /* when top[0] arrived */
  uint32_t size_top;            /* bytes of top[0] */

  TfrcTime lateness;            /* of the last packet healed: its arrival less the time of its loss */

  uint64_t units;               /* of all packets received */
  uint64_t lost, healed;        /* packets: declared lost and still missing; declared lost and arrived */
  unsigned first;               /* the log is a ring that begins here */
  unsigned n, n_decided;        /* gaps in the log, and how many of them are lost or marked */
  TfrcSequenceGap gaps[TFRC_DETECTOR_GAPS];
} TfrcDetector;

/* Begins with the packet, for which on_packet has to be called next. */
void tfrc_detector_init (TfrcDetector * detector, const TfrcArrival * arrival, TfrcTime now);

/* Gap `i` of the log, from 0 for the oldest. */
TfrcSequenceGap *tfrc_detector_get_gap (TfrcDetector * detector, unsigned i);

/* Whether the oldest gap has to be forgotten before the next packet: a packet can add two gaps, and the
 * log must not reach back further than TFRC_SEQUENCE_MAX_JUMP. */
bool tfrc_detector_is_full (const TfrcDetector * detector);
void tfrc_detector_forget_oldest (TfrcDetector * detector);

/* Takes the packet, and returns true, in the usual case: it follows the highest one, is not marked, and
 * no gap is open, so that no gap changes. */
static inline bool
tfrc_detector_on_next_packet (TfrcDetector * detector, const TfrcArrival * arrival, TfrcTime now)
{
  if (arrival->seq != detector->top[0] + 1 || arrival->ce || detector->n_decided < detector->n)
    return false;
  for (unsigned i = TFRC_NDUPACK - 1; i > 0; i--)
    detector->top[i] = detector->top[i - 1];
  detector->top[0] = arrival->seq;
  detector->T_top = now;
  detector->size_top = arrival->size;
  detector->units += arrival->units;
  return true;
}

/* Takes a packet. *changed becomes the index of the first gap that had been decided and is another one
 * now; when there is none, it becomes n_decided as it was before. */
TfrcArrivalKind tfrc_detector_on_packet (TfrcDetector * detector, const TfrcArrival * arrival,
    const TfrcContext * context, unsigned *changed, TfrcTime now);

#endif
