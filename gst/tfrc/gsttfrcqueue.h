/* gst-tfrc: what waits for its departure: packets, and events in order with them
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_QUEUE_H
#define GST_TFRC_QUEUE_H

#include <gst/base/base.h>
#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "gsttfrcpacket.h"

G_BEGIN_DECLS

typedef struct
{
  GstMiniObject *object;        /* a GstBuffer or a GstEvent */
  GstTfrcPacket packet;         /* of a buffer */
  TfrcTime queued;              /* when it came */
} GstTfrcItem;

typedef struct
{
  GstQueueArray *items;
  guint packets;                /* items that are buffers */
} GstTfrcQueue;

void gst_tfrc_queue_init (GstTfrcQueue * queue);
void gst_tfrc_queue_free (GstTfrcQueue * queue);
void gst_tfrc_queue_flush (GstTfrcQueue * queue);

/* Takes the object of `item`. */
void gst_tfrc_queue_push (GstTfrcQueue * queue, const GstTfrcItem * item);

/* The first item or NULL; it stays there. */
const GstTfrcItem *gst_tfrc_queue_peek (const GstTfrcQueue * queue);

/* The first item, whose object is then the caller's. The queue is not empty. */
GstTfrcItem gst_tfrc_queue_pop (GstTfrcQueue * queue);

/* The first item that is a packet, or NULL. */
const GstTfrcItem *gst_tfrc_queue_peek_packet (const GstTfrcQueue * queue);
void gst_tfrc_queue_drop_packet (GstTfrcQueue * queue);

G_END_DECLS

#endif
