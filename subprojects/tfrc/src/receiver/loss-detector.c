/* libtfrc: detects which packets are lost (RFC 5348 5.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loss-detector.h"
#include "../core/sequence-number.h"

/* Gaps that one packet can add: one that it opens, or one more when it splits a gap; and one for its
 * ECN mark. */
#define GAPS_PER_PACKET 2

void
tfrc_detector_init (TfrcDetector * detector, const TfrcArrival * arrival,
    TfrcTime now)
{
  for (unsigned i = 0; i < TFRC_NDUPACK; i++)
    detector->top[i] = 0;
  /* No gap opens before the first packet. */
  detector->top[0] = arrival->seq - 1;
  detector->horizon = arrival->seq;
  detector->T_top = now;
  detector->size_top = arrival->size;
  detector->lateness = 0;
  detector->units = detector->lost = detector->healed = 0;
  detector->first = detector->n = detector->n_decided = 0;
}

TfrcSequenceGap *
tfrc_detector_get_gap (TfrcDetector * detector, unsigned i)
{
  return &detector->gaps[(detector->first + i) % TFRC_DETECTOR_GAPS];
}

bool
tfrc_detector_is_full (const TfrcDetector * detector)
{
  const TfrcSequenceGap *oldest =
      &detector->gaps[detector->first % TFRC_DETECTOR_GAPS];

  if (detector->n_decided == 0)
    return false;
  return detector->n > TFRC_DETECTOR_GAPS - GAPS_PER_PACKET
      || oldest->first + oldest->count + TFRC_SEQUENCE_MAX_JUMP <
      detector->top[0];
}

void
tfrc_detector_forget_oldest (TfrcDetector * detector)
{
  const TfrcSequenceGap *oldest = tfrc_detector_get_gap (detector, 0);

  detector->horizon = oldest->first + oldest->count;
  detector->first++;
  detector->n--;
  detector->n_decided--;
}

static TfrcSequenceGap *
insert_gap (TfrcDetector * detector, unsigned at)
{
  for (unsigned i = detector->n++; i > at; i--)
    *tfrc_detector_get_gap (detector, i) =
        *tfrc_detector_get_gap (detector, i - 1);
  return tfrc_detector_get_gap (detector, at);
}

static void
remove_gap (TfrcDetector * detector, unsigned at)
{
  detector->n--;
  for (unsigned i = at; i < detector->n; i++)
    *tfrc_detector_get_gap (detector, i) =
        *tfrc_detector_get_gap (detector, i + 1);
}

/* The index of the first gap that ends after the packet `seq`; n if there is none. */
static unsigned
find_gap (TfrcDetector * detector, uint64_t seq)
{
  unsigned i = detector->n;

  while (i > 0) {
    const TfrcSequenceGap *gap = tfrc_detector_get_gap (detector, i - 1);

    if (gap->first + gap->count <= seq)
      break;
    i--;
  }
  return i;
}

/* RFC 5348 5.1: a packet is lost when three later packets have arrived, however far ahead they are. */
static void
raise_top (TfrcDetector * detector, uint64_t seq)
{
  unsigned i = TFRC_NDUPACK - 1;

  if (seq < detector->top[i])
    return;
  for (; i > 0 && detector->top[i - 1] < seq; i--)
    detector->top[i] = detector->top[i - 1];
  detector->top[i] = seq;
}

/* Declares lost the gaps that the frontier has passed, and at least the first `at_least` gaps. */
static void
decide (TfrcDetector * detector, unsigned at_least, double X_target)
{
  while (detector->n_decided < detector->n) {
    TfrcSequenceGap *gap =
        tfrc_detector_get_gap (detector, detector->n_decided);

    if (gap->first > detector->top[TFRC_NDUPACK - 1]
        && detector->n_decided >= at_least)
      break;
    gap->context.X_target = X_target;
    if (!tfrc_sequence_gap_is_marked (gap))
      detector->lost += gap->count;
    detector->n_decided++;
  }
}

/* Differs from RFC 5348 5.2: S_before is the packet with the highest sequence number before the gap,
 * and not the one that arrived last, which can be a late one. So a late packet does not change the
 * times of the losses around it, and a history that it corrects is the one that there would be
 * without reordering. */
static void
open_gap (TfrcDetector * detector, const TfrcArrival * arrival,
    const TfrcContext * context, TfrcTime now)
{
  TfrcSequenceGap *gap = insert_gap (detector, detector->n);

  tfrc_sequence_gap_open (gap, detector->top[0], detector->T_top, arrival->seq,
      now);
  gap->size = (uint32_t) (((uint64_t) detector->size_top + arrival->size) / 2);
  gap->units = detector->units;
  gap->context = *context;
}

/* Takes the packet `seq` out of gap `at`. The other packets of the gap keep their times. */
static void
fill (TfrcDetector * detector, unsigned at, uint64_t seq)
{
  TfrcSequenceGap *gap = tfrc_detector_get_gap (detector, at), *rest;
  uint32_t before = (uint32_t) (seq - gap->first), after =
      gap->count - before - 1;
  bool decided = at < detector->n_decided;

  if (before > 0 && after > 0) {
    rest = insert_gap (detector, at + 1);
    gap = tfrc_detector_get_gap (detector, at);
    *rest = *gap;
    tfrc_sequence_gap_cut (rest, seq + 1, after);
    gap->count = before;
    detector->n_decided += decided;
  } else if (before > 0) {
    gap->count = before;
  } else if (after > 0) {
    tfrc_sequence_gap_cut (gap, seq + 1, after);
  } else {
    remove_gap (detector, at);
    detector->n_decided -= decided;
  }
  if (decided) {
    detector->lost--;
    detector->healed++;
  }
}

/* RFC 5348 5.2: a marked packet is a congestion event when it arrives. The packets missing before it
 * are declared lost together with it, so that the loss event begins with them. */
static void
mark (TfrcDetector * detector, const TfrcArrival * arrival, uint64_t units,
    const TfrcContext * context, TfrcTime now)
{
  unsigned at = find_gap (detector, arrival->seq);
  TfrcSequenceGap *gap = insert_gap (detector, at);

  tfrc_sequence_gap_mark (gap, arrival->seq, arrival->size, now);
  gap->units = units;
  gap->context = *context;
  detector->n_decided += at < detector->n_decided;
  decide (detector, at + 1, context->X_target);
}

/* Takes a packet whose sequence number is not the highest. *units becomes what was counted of the
 * packets received before it. */
static TfrcArrivalKind
on_late (TfrcDetector * detector, const TfrcArrival * arrival, uint64_t * units,
    unsigned *changed, TfrcTime now)
{
  unsigned at = find_gap (detector, arrival->seq);
  TfrcSequenceGap *gap = tfrc_detector_get_gap (detector, at);
  TfrcArrivalKind kind = TFRC_ARRIVAL_LATE;

  if (arrival->seq < detector->horizon)
    return TFRC_ARRIVAL_TOO_LATE;
  if (at == detector->n || arrival->seq < gap->first
      || tfrc_sequence_gap_is_marked (gap))
    return TFRC_ARRIVAL_DUPLICATE;

  *units = gap->units;
  if (at < detector->n_decided) {
    *changed = at;
    kind = TFRC_ARRIVAL_HEALED;
    detector->lateness =
        now - tfrc_sequence_gap_get_time (gap,
        (uint32_t) (arrival->seq - gap->first));
  }
  fill (detector, at, arrival->seq);
  for (unsigned i = find_gap (detector, arrival->seq); i < detector->n; i++)
    tfrc_detector_get_gap (detector, i)->units += arrival->units;
  return kind;
}

TfrcArrivalKind
tfrc_detector_on_packet (TfrcDetector * detector, const TfrcArrival * arrival,
    const TfrcContext * context, unsigned *changed, TfrcTime now)
{
  TfrcArrivalKind kind = TFRC_ARRIVAL_NEXT;
  uint64_t units = detector->units;     /* of the packets received before this one */

  *changed = detector->n_decided;
  if (arrival->seq <= detector->top[0]) {
    kind = on_late (detector, arrival, &units, changed, now);
    if (kind == TFRC_ARRIVAL_DUPLICATE || kind == TFRC_ARRIVAL_TOO_LATE)
      return kind;
  } else {
    if (arrival->seq > detector->top[0] + 1)
      open_gap (detector, arrival, context, now);
    detector->T_top = now;
    detector->size_top = arrival->size;
  }

  raise_top (detector, arrival->seq);
  decide (detector, 0, context->X_target);
  if (arrival->ce)
    mark (detector, arrival, units, context, now);
  detector->units += arrival->units;
  return kind;
}
