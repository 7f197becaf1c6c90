/* libtfrc: the loss history, which late packets can correct (RFC 5348 5)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loss-history.h"

/* The memory of reordering has a margin of one part in REORDER_MARGIN, and loses one part in REORDER_FADE
 * with each report: without reordering, half of it in some 44 round-trip times. */
#define REORDER_MARGIN 4
#define REORDER_FADE 64

size_t
tfrc_loss_history_get_room (const TfrcConfig * config)
{
  return 2 * tfrc_loss_measure_get_most (config);
}

void
tfrc_loss_history_init (TfrcLossHistory * history, const TfrcConfig * config,
    TfrcInterval * room, const TfrcArrival * arrival, TfrcTime now)
{
  unsigned most = tfrc_loss_measure_get_most (config);

  tfrc_detector_init (&history->detector, arrival, now);
  tfrc_intervals_init (&history->base, room, most);
  tfrc_intervals_init (&history->current, room + most, most);
  history->first.I = 0.0;
  history->reorder = 0;
}

/* A packet arrived `late` ns after the time of its loss. Returns whether it is later than reordering has
 * been. More than R makes no difference, as each R has its report. */
static bool
note_reordering (TfrcLossHistory * history, TfrcTime late, TfrcTime R)
{
  TfrcTime reorder = late + late / REORDER_MARGIN;
  bool later = late > history->reorder;

  if (reorder > R)
    reorder = R;
  if (reorder > history->reorder)
    history->reorder = reorder;
  return later;
}

void
tfrc_loss_history_fade_reordering (TfrcLossHistory * history)
{
  history->reorder -= history->reorder / REORDER_FADE;
}

static void
forget_oldest (TfrcLossHistory * history, const TfrcConfig * config)
{
  tfrc_intervals_add (&history->base, config, &history->first,
      tfrc_detector_get_gap (&history->detector, 0));
  tfrc_detector_forget_oldest (&history->detector);
}

unsigned
tfrc_loss_history_on_packet (TfrcLossHistory * history,
    const TfrcConfig * config, const TfrcArrival * arrival,
    const TfrcContext * context, TfrcArrivalKind * kind, TfrcTime now)
{
  TfrcDetector *detector = &history->detector;
  uint64_t events = history->current.events;
  unsigned counted, changed;
  bool later = false;

  if (tfrc_detector_on_next_packet (detector, arrival, now)) {
    *kind = TFRC_ARRIVAL_NEXT;
    return 0;
  }
  while (tfrc_detector_is_full (detector))
    forget_oldest (history, config);

  counted = detector->n_decided;
  *kind = tfrc_detector_on_packet (detector, arrival, context, &changed, now);
  if (changed < counted) {
    tfrc_intervals_copy (&history->current, &history->base);
    counted = 0;
  }
  for (; counted < detector->n_decided; counted++)
    tfrc_intervals_add (&history->current, config, &history->first,
        tfrc_detector_get_gap (detector, counted));
  if (*kind == TFRC_ARRIVAL_HEALED)
    later = note_reordering (history, detector->lateness, context->R);

  if (history->current.events == events)
    return 0;
  if (history->current.events > events)
    return TFRC_LOSS_HISTORY_EVENT;
  return TFRC_LOSS_HISTORY_UNDONE | (later ? TFRC_LOSS_HISTORY_LATER : 0u);
}

TfrcLossRate
tfrc_loss_history_get_rate (const TfrcLossHistory * history,
    const TfrcConfig * config, const TfrcContext * context, TfrcTime now)
{
  const TfrcDetector *detector = &history->detector;
  uint64_t units = detector->units + history->current.lost;

  /* The packets of open gaps are not received yet, but the interval reaches to the highest packet. */
  for (unsigned i = detector->n_decided; i < detector->n; i++)
    units += tfrc_loss_measure_count_gap (config,
        &detector->gaps[(detector->first + i) % TFRC_DETECTOR_GAPS]);
  return tfrc_intervals_get_rate (&history->current, config, context, units,
      now);
}
