/* gst-tfrc: what waits for its departure: packets, and events in order with them
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PACKETQUEUE_H
#define GST_TFRC_PACKETQUEUE_H

#include <gst/base/base.h>
#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "filter/stampedpacket.h"

G_BEGIN_DECLS

typedef struct
{
  GstMiniObject *object;        /* a GstBuffer or a GstEvent */
  GstTfrcStampedPacket packet;         /* of a buffer */
  TfrcTime queued;              /* when it came */
} GstTfrcItem;

typedef struct
{
  GstQueueArray *items;
  guint packets;                /* items that are buffers */
} GstTfrcPacketQueue;

void gst_tfrc_packet_queue_init (GstTfrcPacketQueue * queue);
void gst_tfrc_packet_queue_free (GstTfrcPacketQueue * queue);
void gst_tfrc_packet_queue_flush (GstTfrcPacketQueue * queue);

/* Takes the object of `item`. */
void gst_tfrc_packet_queue_push (GstTfrcPacketQueue * queue, const GstTfrcItem * item);

/* The first item or NULL; it stays there. */
const GstTfrcItem *gst_tfrc_packet_queue_peek (const GstTfrcPacketQueue * queue);

/* The first item, whose object is then the caller's. The queue is not empty. */
GstTfrcItem gst_tfrc_packet_queue_pop (GstTfrcPacketQueue * queue);

/* The first item that is a packet, or NULL. */
const GstTfrcItem *gst_tfrc_packet_queue_peek_packet (const GstTfrcPacketQueue * queue);
void gst_tfrc_packet_queue_drop_packet (GstTfrcPacketQueue * queue);

G_END_DECLS

#endif
