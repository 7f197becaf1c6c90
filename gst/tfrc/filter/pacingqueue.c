/* gst-tfrc: the packets that wait for their departure, and which do so in vain
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/pacingqueue.h"

void
gst_tfrc_pacing_queue_init (GstTfrcPacingQueue * backlog)
{
  gst_tfrc_packet_queue_init (&backlog->queue);
}

void
gst_tfrc_pacing_queue_free (GstTfrcPacingQueue * backlog)
{
  gst_tfrc_packet_queue_free (&backlog->queue);
}

void
gst_tfrc_pacing_queue_reset (GstTfrcPacingQueue * backlog)
{
  GstTfrcPacketQueue queue = backlog->queue;

  gst_tfrc_packet_queue_flush (&queue);
  *backlog = (GstTfrcPacingQueue) {
  .queue = queue};
}

const GstTfrcItem *
gst_tfrc_pacing_queue_peek_expired (GstTfrcPacingQueue * backlog, guint64 time,
    guint packets, TfrcTime now)
{
  const GstTfrcItem *item = gst_tfrc_packet_queue_peek_packet (&backlog->queue);

  if (item == NULL)
    return NULL;
  if (time > 0 && now > item->queued && now - item->queued > time)
    backlog->dropped_late++;
  else if (backlog->queue.packets > packets)
    backlog->dropped_full++;
  else
    return NULL;
  return item;
}

void
gst_tfrc_pacing_queue_drop_all (GstTfrcPacingQueue * backlog)
{
  backlog->dropped_late += backlog->queue.packets;
  while (backlog->queue.packets > 0)
    gst_tfrc_packet_queue_drop_packet (&backlog->queue);
}

void
gst_tfrc_pacing_queue_measure (GstTfrcPacingQueue * backlog,
    const GstTfrcItem * item, TfrcTime due, TfrcTime now)
{
  backlog->last_wait = now - MIN (item->queued, now);
  if (due > item->queued) {
    gst_tfrc_histogram_add (&backlog->errors, now - MIN (due, now));
    gst_tfrc_histogram_add (&backlog->waits, backlog->last_wait);
  }
}

TfrcTime
gst_tfrc_pacing_queue_get_delay (const GstTfrcPacingQueue * backlog,
    TfrcTime now)
{
  const GstTfrcItem *item = gst_tfrc_packet_queue_peek_packet (&backlog->queue);

  if (item == NULL)
    return 0;
  return MAX (now - MIN (item->queued, now), backlog->last_wait);
}

guint64
gst_tfrc_pacing_queue_get_dropped (const GstTfrcPacingQueue * backlog)
{
  return backlog->dropped_late + backlog->dropped_full;
}

void
gst_tfrc_pacing_queue_add_stats (const GstTfrcPacingQueue * backlog,
    TfrcTime now, GstStructure * stats)
{
  gst_structure_set (stats,
      "queued-packets", G_TYPE_UINT, backlog->queue.packets,
      "queue-delay", G_TYPE_UINT64, gst_tfrc_pacing_queue_get_delay (backlog,
          now), "dropped", G_TYPE_UINT64,
      gst_tfrc_pacing_queue_get_dropped (backlog), "dropped-late",
      G_TYPE_UINT64, backlog->dropped_late, "dropped-full", G_TYPE_UINT64,
      backlog->dropped_full, "waited-packets", G_TYPE_UINT64,
      backlog->waits.count, NULL);
  gst_tfrc_histogram_add_stats (&backlog->waits, "wait", stats);
  gst_tfrc_histogram_add_stats (&backlog->errors, "departure-error", stats);
}
