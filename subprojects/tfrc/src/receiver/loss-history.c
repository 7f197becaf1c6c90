/* libtfrc: the loss history, which late packets can correct (RFC 5348 5)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loss-history.h"

void
tfrc_loss_history_init (TfrcLossHistory * history, const TfrcArrival * arrival, TfrcTime now)
{
  tfrc_detector_init (&history->detector, arrival, now);
  tfrc_intervals_init (&history->base);
  tfrc_intervals_init (&history->current);
  history->first.I = 0.0;
}

static void
forget_oldest (TfrcLossHistory * history, const TfrcConfig * config)
{
  tfrc_intervals_add (&history->base, config, &history->first,
      tfrc_detector_get_gap (&history->detector, 0));
  tfrc_detector_forget_oldest (&history->detector);
}

unsigned
tfrc_loss_history_on_packet (TfrcLossHistory * history, const TfrcConfig * config,
    const TfrcArrival * arrival, const TfrcContext * context, TfrcArrivalKind * kind, TfrcTime now)
{
  TfrcDetector *detector = &history->detector;
  uint64_t events = history->current.events;
  unsigned counted, changed;

  if (tfrc_detector_on_next_packet (detector, arrival, now)) {
    *kind = TFRC_ARRIVAL_NEXT;
    return 0;
  }
  while (tfrc_detector_is_full (detector))
    forget_oldest (history, config);

  counted = detector->n_decided;
  *kind = tfrc_detector_on_packet (detector, arrival, context, &changed, now);
  if (changed < counted) {
    history->current = history->base;
    counted = 0;
  }
  for (; counted < detector->n_decided; counted++)
    tfrc_intervals_add (&history->current, config, &history->first,
        tfrc_detector_get_gap (detector, counted));

  if (history->current.events == events)
    return 0;
  return history->current.events > events ? TFRC_LOSS_HISTORY_EVENT : TFRC_LOSS_HISTORY_UNDONE;
}

TfrcLossRate
tfrc_loss_history_get_rate (const TfrcLossHistory * history, const TfrcConfig * config,
    const TfrcContext * context, TfrcTime now)
{
  const TfrcDetector *detector = &history->detector;
  uint64_t units = detector->units + history->current.lost;

  /* The packets of open gaps are not received yet, but the interval reaches to the highest packet. */
  for (unsigned i = detector->n_decided; i < detector->n; i++)
    units += tfrc_measure_count_gap (config,
        &detector->gaps[(detector->first + i) % TFRC_DETECTOR_GAPS]);
  return tfrc_intervals_get_rate (&history->current, config, context, units, now);
}
