/* gst-tfrc: what waits for its departure: packets, and events in order with them
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/packetqueue.h"

/* Few packets wait as a rule, and a small ring stays in the cache. */
#define FIRST_SIZE 4

void
gst_tfrc_packet_queue_init (GstTfrcPacketQueue * queue)
{
  queue->items = gst_queue_array_new_for_struct (sizeof (GstTfrcItem),
      FIRST_SIZE);
  queue->packets = 0;
}

void
gst_tfrc_packet_queue_flush (GstTfrcPacketQueue * queue)
{
  GstTfrcItem *item;

  while ((item = gst_queue_array_pop_head_struct (queue->items)) != NULL)
    gst_mini_object_unref (item->object);
  queue->packets = 0;
}

void
gst_tfrc_packet_queue_free (GstTfrcPacketQueue * queue)
{
  gst_tfrc_packet_queue_flush (queue);
  gst_queue_array_free (queue->items);
  queue->items = NULL;
}

void
gst_tfrc_packet_queue_push (GstTfrcPacketQueue * queue,
    const GstTfrcItem * item)
{
  gst_queue_array_push_tail_struct (queue->items, (gpointer) item);
  queue->packets += GST_IS_BUFFER (item->object);
}

const GstTfrcItem *
gst_tfrc_packet_queue_peek (const GstTfrcPacketQueue * queue)
{
  return gst_queue_array_peek_head_struct (queue->items);
}

GstTfrcItem
gst_tfrc_packet_queue_pop (GstTfrcPacketQueue * queue)
{
  GstTfrcItem item =
      *(GstTfrcItem *) gst_queue_array_pop_head_struct (queue->items);

  queue->packets -= GST_IS_BUFFER (item.object);
  return item;
}

/* Events in front of the first packet are about to leave and few. */
static guint
find_packet (const GstTfrcPacketQueue * queue)
{
  guint i = 0;

  while (!GST_IS_BUFFER (((GstTfrcItem *)
              gst_queue_array_peek_nth_struct (queue->items, i))->object))
    i++;
  return i;
}

const GstTfrcItem *
gst_tfrc_packet_queue_peek_packet (const GstTfrcPacketQueue * queue)
{
  if (queue->packets == 0)
    return NULL;
  return gst_queue_array_peek_nth_struct (queue->items, find_packet (queue));
}

void
gst_tfrc_packet_queue_drop_packet (GstTfrcPacketQueue * queue)
{
  GstTfrcItem item;

  gst_queue_array_drop_struct (queue->items, find_packet (queue), &item);
  gst_mini_object_unref (item.object);
  queue->packets--;
}
