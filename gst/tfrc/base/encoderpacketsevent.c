/* gst-tfrc: the downstream event by which an encoder says what its packets are like
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/encoderpacketsevent.h"

#define EVENT_NAME "application/x-tfrc-packets"
#define LARGEST "largest"
#define QUEUE_TIME "queue-time"
#define REDUNDANT_TYPE "redundant-type"

GstEvent *
gst_tfrc_encoder_packets_event_new (const GstTfrcEncoderPackets * packets)
{
  GstStructure *structure = gst_structure_new_empty (EVENT_NAME);

  if (packets->largest > 0)
    gst_structure_set (structure, LARGEST, G_TYPE_UINT, packets->largest, NULL);
  if (packets->queue_time > 0)
    gst_structure_set (structure, QUEUE_TIME, G_TYPE_UINT64,
        packets->queue_time, NULL);
  if (packets->redundant)
    gst_structure_set (structure, REDUNDANT_TYPE, G_TYPE_UINT,
        packets->redundant_type, NULL);
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, structure);
}

gboolean
gst_tfrc_encoder_packets_event_parse (GstEvent * event,
    GstTfrcEncoderPackets * packets)
{
  const GstStructure *structure = gst_event_get_structure (event);

  if (!gst_event_has_name (event, EVENT_NAME))
    return FALSE;
  *packets = (GstTfrcEncoderPackets) {0};
  gst_structure_get_uint (structure, LARGEST, &packets->largest);
  gst_structure_get_uint64 (structure, QUEUE_TIME, &packets->queue_time);
  packets->redundant = gst_structure_get_uint (structure, REDUNDANT_TYPE,
      &packets->redundant_type);
  return TRUE;
}

/* Pads keep the events of each name. */
GstTfrcEncoderPackets
gst_tfrc_encoder_packets_event_get_last (GstPad * pad)
{
  GstTfrcEncoderPackets packets = { 0 };
  gboolean found = FALSE;
  GstEvent *event;
  guint i;

  for (i = 0; !found; i++) {
    event = gst_pad_get_sticky_event (pad, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY,
        i);
    if (event == NULL)
      break;
    found = gst_tfrc_encoder_packets_event_parse (event, &packets);
    gst_event_unref (event);
  }
  return packets;
}
