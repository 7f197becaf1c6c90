/* libtfrc: which packets are lost, RFC 5348 5.1
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A missing packet is lost when NDUPACK = 3 later ones have arrived. The third
 * highest sequence number that arrived is thus the frontier: what is missing
 * below it is lost, what is missing above it may still come.
 *
 * Gaps are kept in order of their sequence numbers; the first n_decided of them
 * are lost (or marked). The log reaches back over TFRC_DETECTOR_GAPS gaps and at
 * most TFRC_SEQUENCE_MAX_JUMP packets: so far a late packet is told from a
 * duplicate and can take its loss back. */
#ifndef TFRC_LOSS_DETECTOR_H
#define TFRC_LOSS_DETECTOR_H

#include <tfrc/tfrc.h>
#include "../core/loss-gap.h"

#ifndef TFRC_NDUPACK            /* the lab shows what another one would do */
#define TFRC_NDUPACK 3
#endif
#define TFRC_DETECTOR_GAPS 64   /* a power of two */

typedef struct
{
  uint64_t seq;                 /* extended */
  uint32_t size;                /* bytes */
  bool ce;
  uint64_t units;               /* what it counts for the measure */
} TfrcArrival;

typedef enum
{
  TFRC_ARRIVAL_NEXT,            /* the highest so far */
  TFRC_ARRIVAL_LATE,            /* it was missing, and not lost yet */
  TFRC_ARRIVAL_HEALED,          /* it was lost */
  TFRC_ARRIVAL_DUPLICATE,
  TFRC_ARRIVAL_TOO_LATE         /* from before the log: late or a duplicate, nobody knows */
} TfrcArrivalKind;

typedef struct
{
  uint64_t top[TFRC_NDUPACK];   /* the highest sequence numbers that arrived; 0: none yet */
  uint64_t horizon;             /* where the log begins */
  TfrcTime T_top;               /* when top[0] arrived, and its size */
  uint32_t size_top;

  uint64_t units;               /* of all packets received */
  uint64_t lost, healed;        /* packets */
  unsigned first, n, n_decided; /* the log is a ring */
  TfrcGap gaps[TFRC_DETECTOR_GAPS];
} TfrcDetector;

/* Begins with the packet. */
void tfrc_detector_init (TfrcDetector * detector, const TfrcArrival * arrival, TfrcTime now);

TfrcGap *tfrc_detector_get_gap (TfrcDetector * detector, unsigned i);

/* A packet may need room for two gaps more, or be out of reach of the oldest. */
bool tfrc_detector_is_full (const TfrcDetector * detector);
void tfrc_detector_forget_oldest (TfrcDetector * detector);

/* Takes the packet in if it is the next one and nothing is missing: the usual
 * case, in which no gap changes. */
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

/* Takes a packet in. *changed is the first gap that was decided before and is not
 * what it was, or n_decided as it was. */
TfrcArrivalKind tfrc_detector_on_packet (TfrcDetector * detector, const TfrcArrival * arrival,
    const TfrcContext * context, unsigned *changed, TfrcTime now);

#endif
