/* gst-tfrc: the packets that wait for their departure, and which do so in vain
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PACINGQUEUE_H
#define GST_TFRC_PACINGQUEUE_H

#include "filter/flowmeter.h"
#include "filter/packetqueue.h"

G_BEGIN_DECLS

typedef struct
{
  GstTfrcPacketQueue queue;
  GstTfrcHistogram errors;      /* of departures that had to wait */
  GstTfrcHistogram waits;       /* in the queue */
  TfrcTime last_wait;
  guint64 dropped_late, dropped_full;
} GstTfrcPacingQueue;

void gst_tfrc_pacing_queue_init (GstTfrcPacingQueue * backlog);
void gst_tfrc_pacing_queue_free (GstTfrcPacingQueue * backlog);

/* Empty, and nothing counted. */
void gst_tfrc_pacing_queue_reset (GstTfrcPacingQueue * backlog);

/* The oldest packet, when it has waited for more than `time` (ns, 0: no limit) or more
 * than `packets` do; counts it, and the caller drops it. NULL: it may go on waiting. */
const GstTfrcItem *gst_tfrc_pacing_queue_peek_expired (GstTfrcPacingQueue * backlog, guint64 time,
    guint packets, TfrcTime now);

/* Drops every packet and counts it in dropped_late. Events stay in the queue. */
void gst_tfrc_pacing_queue_drop_all (GstTfrcPacingQueue * backlog);

/* `item` leaves now; it might have at `due`. */
void gst_tfrc_pacing_queue_measure (GstTfrcPacingQueue * backlog, const GstTfrcItem * item,
    TfrcTime due, TfrcTime now);

/* What the first packet has waited, and will at least as the last one did; 0: none
 * waits. */
TfrcTime gst_tfrc_pacing_queue_get_delay (const GstTfrcPacingQueue * backlog, TfrcTime now);

guint64 gst_tfrc_pacing_queue_get_dropped (const GstTfrcPacingQueue * backlog);

void gst_tfrc_pacing_queue_add_stats (const GstTfrcPacingQueue * backlog, TfrcTime now,
    GstStructure * stats);

G_END_DECLS

#endif
