/* gst-tfrc: takes the packets and events of rtptfrcsend that may depart
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowdriverprivate.h"

/* Packets that may depart at the same time are pushed as a list of at most so many. */
#define LIST_MAX 64

/* A retransmission names the packet by the number with which it departed. */
static GstBuffer *
rewrite_osn (const GstTfrcSsrcFlow * flow, const GstTfrcDeparture * departure,
    GstBuffer * buffer)
{
  guint8 osn[OSN_SIZE];
  guint16 departed;

  if (gst_buffer_extract (buffer, departure->packet.header_size, osn,
          sizeof osn) != sizeof osn
      || !gst_tfrc_seqnum_translation_get_departed (&flow->map,
          GST_READ_UINT16_BE (osn), &departed)
      || departed == GST_READ_UINT16_BE (osn))
    return buffer;
  GST_WRITE_UINT16_BE (osn, departed);
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_fill (buffer, departure->packet.header_size, osn, sizeof osn);
  return buffer;
}

static GstBuffer *
finish_departure (GstTfrcSsrcFlow * flow, const GstTfrcDeparture * departure)
{
  GstBuffer *buffer = gst_tfrc_stamped_packet_depart (&departure->packet,
      departure->buffer, departure->seq, &departure->stamp);

  if (departure->repair == NULL)
    gst_tfrc_seqnum_translation_add (&flow->map, departure->packet.seq,
        departure->seq);
  else if (departure->repair->is_rtx)
    buffer = rewrite_osn (flow, departure, buffer);
  return buffer;
}

gboolean
gst_tfrc_flow_driver_find_requested (GstTfrcFlowDriver * driver, guint32 ssrc,
    guint16 * seq)
{
  GstTfrcSsrcFlow *flow = gst_tfrc_flow_table_find (&driver->table, ssrc);

  return flow != NULL && flow->sender.ssrc == ssrc
      && gst_tfrc_seqnum_translation_get_original (&flow->map, *seq, seq)
      && !gst_tfrc_pacing_queue_has_retransmission (&flow->sender.queue, *seq);
}

/* Returns caps or a segment that `item` needs in front of it; NULL: it may follow the packet before. */
static GstMiniObject *
take_sticky (GstTfrcFlowDriver * driver, GstEvent * caps, GstEvent * segment)
{
  if (caps != NULL && caps != driver->caps_out) {
    gst_event_replace (&driver->caps_out, caps);
    return GST_MINI_OBJECT_CAST (gst_event_ref (caps));
  }
  if (segment != NULL && segment != driver->segment_out) {
    gst_event_replace (&driver->segment_out, segment);
    return GST_MINI_OBJECT_CAST (gst_event_ref (segment));
  }
  return NULL;
}

/* Returns the first item of the queue when it is an event. */
static GstMiniObject *
take_event (GstTfrcFlowDriver * driver, GstTfrcPacingQueue * queue)
{
  const GstTfrcItem *first = gst_tfrc_pacing_queue_peek (queue);

  if (first != NULL && !GST_IS_BUFFER (first->object))
    return gst_tfrc_pacing_queue_pop (queue).object;
  return NULL;
}

/* Returns the first packet of the flow when it may depart now, or what has to be pushed in front of it. */
static GstMiniObject *
take_of_flow (GstTfrcFlowDriver * driver, GstTfrcSsrcFlow * flow, TfrcTime now)
{
  GstTfrcDeparture departure;
  GstMiniObject *event;
  const GstTfrcItem *first;

  gst_tfrc_data_flow_sender_drop_expired (&flow->sender, now);
  event = take_event (driver, &flow->sender.queue);
  first = gst_tfrc_pacing_queue_peek (&flow->sender.queue);
  if (event != NULL || first == NULL)
    return event;
  if (!gst_tfrc_data_flow_sender_may_depart (&flow->sender, now))
    return NULL;
  event = take_sticky (driver, first->caps, first->segment);
  if (event != NULL || !gst_tfrc_data_flow_sender_take (&flow->sender,
          &departure, now))
    return event;
  return GST_MINI_OBJECT_CAST (finish_departure (flow, &departure));
}

static GstMiniObject *
take_passing (GstTfrcFlowDriver * driver)
{
  const GstTfrcItem *first = gst_tfrc_pacing_queue_peek (&driver->passing);
  GstMiniObject *event;
  GstTfrcItem item;

  if (first == NULL)
    return NULL;
  event = take_event (driver, &driver->passing);
  if (event == NULL)
    event = take_sticky (driver, first->caps, first->segment);
  if (event != NULL)
    return event;
  item = gst_tfrc_pacing_queue_pop (&driver->passing);
  gst_clear_event (&item.caps);
  gst_clear_event (&item.segment);
  return item.object;
}

/* Returns the next packet that may depart now, or an event in front of it. */
static GstMiniObject *
take_next (GstTfrcFlowDriver * driver, TfrcTime now)
{
  GstMiniObject *object = take_passing (driver);
  guint i, at;

  for (i = 0; i < driver->table.n && object == NULL; i++) {
    at = (driver->turn + i) % driver->table.n;
    object = take_of_flow (driver, driver->table.flows[at], now);
    if (object != NULL)
      driver->turn = GST_IS_BUFFER (object) ? at + 1 : at;      /* the packet behind its events */
  }
  return object;
}

/* Returns EOS, and what is due in front of it, when no packet waits. */
static GstMiniObject *
take_eos (GstTfrcFlowDriver * driver)
{
  GstMiniObject *event = NULL;

  if (driver->eos == NULL || !gst_tfrc_flow_driver_is_empty (driver))
    return NULL;
  event = take_sticky (driver, driver->caps_in, driver->segment_in);
  return event != NULL ? event :
      GST_MINI_OBJECT_CAST (g_steal_pointer (&driver->eos));
}

static void
arm_next (GstTfrcFlowDriver * driver)
{
  TfrcTime time = TFRC_TIME_NONE;
  guint i;

  for (i = 0; i < driver->table.n; i++)
    time = MIN (time, gst_tfrc_data_flow_sender_next_departure
        (&driver->table.flows[i]->sender));
  gst_tfrc_flow_driver_arm_departures (driver, time);
  gst_tfrc_flow_driver_arm_timer (driver);
}

/* Returns `object`, or a list of this buffer and the packets that may depart with it. An event that ends the list is
 * held. */
static GstMiniObject *
take_more (GstTfrcFlowDriver * driver, GstMiniObject * object, TfrcTime now)
{
  GstBufferList *list = NULL;
  GstMiniObject *next;

  while (driver->held == NULL && (list == NULL
          || gst_buffer_list_length (list) < LIST_MAX)
      && (next = take_next (driver, now)) != NULL) {
    if (!GST_IS_BUFFER (next)) {
      driver->held = next;
      break;
    }
    if (list == NULL) {
      list = gst_buffer_list_new ();
      gst_buffer_list_add (list, GST_BUFFER_CAST (object));
    }
    gst_buffer_list_add (list, GST_BUFFER_CAST (next));
  }
  return list != NULL ? GST_MINI_OBJECT_CAST (list) : object;
}

GstMiniObject *
gst_tfrc_flow_driver_take (GstTfrcFlowDriver * driver, TfrcTime now)
{
  GstMiniObject *object = g_steal_pointer (&driver->held);

  if (object != NULL)
    return object;
  if (gst_tfrc_flow_driver_is_empty (driver))
    return take_eos (driver);
  if (now == TFRC_TIME_NONE)
    now = gst_tfrc_flow_driver_get_now (driver);
  object = take_next (driver, now);
  if (object == NULL) {
    object = take_eos (driver);
    arm_next (driver);
  } else if (GST_IS_BUFFER (object)) {
    object = take_more (driver, object, now);
    gst_tfrc_flow_driver_arm_timer (driver);
  }
  return object;
}
