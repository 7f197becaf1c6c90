/* gst-tfrc: the events and queries of rtptfrcsend
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/gstrtptfrcsendprivate.h"

#include <tfrc/arrival-feedback.h>

#include "base/debugcategory.h"
#include "base/encoderpacketsevent.h"
#include "base/tfrccaps.h"

GST_TFRC_DEFINE_CATEGORY ("rtptfrcsendevents", "events of TFRC senders");

static void
set_flushing (GstRtpTfrcSend * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  gst_tfrc_running_time_wait_set_flushing (&self->sync, flushing);
  if (!flushing) {
    gst_tfrc_flow_driver_flush (&self->driver);
    gst_segment_init (&self->sync.segment, GST_FORMAT_UNDEFINED);
    self->pushed = GST_FLOW_OK;
    self->eos = FALSE;
  }
  g_mutex_unlock (&self->lock);
}

GstTfrcFeedback
gst_rtp_tfrc_send_take_feedback (GstRtpTfrcSend * self, const GstCaps * caps)
{
  GstTfrcFeedback kind =
      gst_tfrc_filter_settings_get_feedback (&self->settings, caps);
  guint id = kind == GST_TFRC_FEEDBACK_TWCC ?
      gst_tfrc_feedback_find_transport_id (caps) : 0;

  if (self->running)
    gst_tfrc_flow_driver_set_feedback (&self->driver, kind, caps);
  /* flows that the caps are not about may still need the numbers */
  if (id != 0
      || !gst_tfrc_flow_driver_listens_to (&self->driver, TFRC_TWCC_FMT))
    self->transport_id = id;
  self->attached = FALSE;
  self->attach_in = 0;
  return kind;
}

/* Adds the ID of the header extension to the caps, also when the filter adds the extension. Takes
 * `event`. Returns NULL when TFRC was not agreed on in the caps. */
static GstEvent *
take_caps (GstRtpTfrcSend * self, GstEvent * event)
{
  GstStructure *structure;
  GstTfrcFeedback feedback;
  GstCaps *caps;
  gint payload, mode;
  guint id;

  gst_event_parse_caps (event, &caps);
  structure = gst_caps_get_structure (caps, 0);
  g_mutex_lock (&self->lock);
  /* RFC 5761 4 */
  if (gst_structure_get_int (structure, "payload", &payload) &&
      payload >= 64 && payload <= 95)
    gst_tfrc_send_warnings_note (&self->warnings, GST_TFRC_WARN_PAYLOAD);
  id = gst_tfrc_filter_settings_get_extension_id (&self->settings, caps);
  mode = self->settings.mode;
  feedback = gst_rtp_tfrc_send_take_feedback (self, caps);
  if (self->running)
    gst_tfrc_flow_driver_set_caps (&self->driver, caps);
  g_mutex_unlock (&self->lock);
  if (feedback != GST_TFRC_FEEDBACK_TFRC) {
    gst_rtp_tfrc_send_attach (self);    /* the number of the first packet may be needed */
    return event;
  }
  if (gst_tfrc_caps_judge (caps, mode, GST_ELEMENT (self)))
    return gst_tfrc_caps_complete (event, id, mode);
  gst_event_unref (event);
  return NULL;
}

/* An encoder says what its packets are like; the event goes no further. Takes `event`; FALSE: it is another one. */
static gboolean
take_encoder_packets (GstRtpTfrcSend * self, GstEvent * event)
{
  GstTfrcEncoderPackets packets;

  if (!gst_tfrc_encoder_packets_event_parse (event, &packets))
    return FALSE;
  GST_DEBUG_OBJECT (self, "packets of up to %u bytes may wait %"
      GST_TIME_FORMAT, packets.largest, GST_TIME_ARGS (packets.queue_time));
  g_mutex_lock (&self->lock);
  gst_tfrc_flow_driver_set_encoder (&self->driver, &packets);
  gst_rtp_tfrc_send_depart (self, TFRC_TIME_NONE);
  gst_rtp_tfrc_send_unlock_and_notify (self);
  gst_event_unref (event);
  return TRUE;
}

/* Serialized events keep their place among the packets. */
static gboolean
send_event (GstRtpTfrcSend * self, GstEvent * event)
{
  gboolean ret = TRUE;

  g_mutex_lock (&self->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS && self->running) {
    self->eos = TRUE;
    gst_tfrc_flow_driver_drain (&self->driver);
  }
  if (self->flushing) {
    gst_event_unref (event);
    ret = FALSE;
  } else if (gst_tfrc_flow_driver_add_event (&self->driver, event)) {
    gst_rtp_tfrc_send_depart (self, TFRC_TIME_NONE);
  } else {
    self->driver.departing = TRUE;
    g_mutex_unlock (&self->lock);
    ret = gst_pad_push_event (self->srcpad, event);
    g_mutex_lock (&self->lock);
    self->driver.departing = FALSE;
    gst_rtp_tfrc_send_depart (self, TFRC_TIME_NONE);
  }
  gst_rtp_tfrc_send_unlock_and_notify (self);
  return ret;
}

gboolean
gst_rtp_tfrc_send_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  gboolean ret;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      set_flushing (self, TRUE);
      ret = gst_pad_push_event (self->srcpad, event);
      gst_tfrc_scheduler_entry_cancel (&self->driver.departures);
      return ret;
    case GST_EVENT_FLUSH_STOP:
      set_flushing (self, FALSE);
      return gst_pad_push_event (self->srcpad, event);
    case GST_EVENT_CAPS:
      event = take_caps (self, event);
      if (event == NULL)
        return FALSE;
      break;
    case GST_EVENT_SEGMENT:
      g_mutex_lock (&self->lock);
      gst_event_copy_segment (event, &self->sync.segment);
      g_mutex_unlock (&self->lock);
      break;
    case GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
      if (take_encoder_packets (self, event))
        return TRUE;
      break;
    default:
      break;
  }
  if (GST_EVENT_IS_SERIALIZED (event))
    return send_event (self, event);
  return gst_pad_event_default (pad, parent, event);
}

/* A serialized query would have to wait for the queue, so that the filter refuses such queries. */
gboolean
gst_rtp_tfrc_send_sink_query (GstPad * pad, GstObject * parent,
    GstQuery * query)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  gboolean busy;

  if (GST_QUERY_IS_SERIALIZED (query)) {
    g_mutex_lock (&self->lock);
    busy = gst_tfrc_flow_driver_is_busy (&self->driver);
    g_mutex_unlock (&self->lock);
    if (busy)
      return FALSE;
  }
  return gst_pad_query_default (pad, parent, query);
}

/* The minimum is 0, since packets that may depart pass at once; the maximum is the time that
 * packets may wait. */
static gboolean
query_latency (GstRtpTfrcSend * self, GstQuery * query)
{
  GstClockTime min, max, queue_time;
  gboolean live;

  if (!gst_pad_peer_query (self->sinkpad, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  g_mutex_lock (&self->lock);
  queue_time = gst_tfrc_data_flow_sender_get_queue_time
      (gst_tfrc_flow_driver_get_main (&self->driver));
  if (queue_time == 0)
    max = GST_CLOCK_TIME_NONE;
  else if (max != GST_CLOCK_TIME_NONE)
    max += queue_time;
  live |= self->settings.sync;
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

gboolean
gst_rtp_tfrc_send_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_TYPE (query) == GST_QUERY_LATENCY ?
      query_latency (GST_RTP_TFRC_SEND (parent), query) :
      gst_pad_query_default (pad, parent, query);
}

/* The data receiver requests a retransmission by the sequence number with which the packet departed, and the
 * retransmitter upstream has stored the packet by its original number. Takes `event`; returns NULL when no
 * packet is known that departed with that number, or when its retransmission waits in the queue: a receiver requests
 * a packet once in each round-trip time until it comes. */
static GstEvent *
translate_request (GstRtpTfrcSend * self, GstEvent * event)
{
  const GstStructure *request = gst_event_get_structure (event);
  guint seqnum, ssrc;
  gboolean wanted;
  guint16 seq;

  if (request == NULL
      || !gst_structure_has_name (request, "GstRTPRetransmissionRequest")
      || !gst_structure_get_uint (request, "seqnum", &seqnum)
      || !gst_structure_get_uint (request, "ssrc", &ssrc))
    return event;
  seq = seqnum;
  g_mutex_lock (&self->lock);
  wanted = gst_tfrc_flow_table_find (&self->driver.table, ssrc) == NULL
      || gst_tfrc_flow_driver_find_requested (&self->driver, ssrc, &seq);
  g_mutex_unlock (&self->lock);
  GST_LOG_OBJECT (self, "#%u of %08x is requested again: #%u, %s", seqnum,
      ssrc, seq, wanted ? "sent again" : "not known, or on its way");
  if (!wanted) {
    gst_event_unref (event);
    return NULL;
  }
  event = gst_event_make_writable (event);
  gst_structure_set (gst_event_writable_structure (event), "seqnum",
      G_TYPE_UINT, seq, NULL);
  return event;
}

/* A pad downstream was linked: the next packet looks for the session, and passes. */
static void
on_link (GstRtpTfrcSend * self)
{
  g_mutex_lock (&self->lock);
  if (self->pushed == GST_FLOW_NOT_LINKED)
    self->pushed = GST_FLOW_OK;
  self->attached = FALSE;
  self->attach_in = 0;
  g_mutex_unlock (&self->lock);
}

gboolean
gst_rtp_tfrc_send_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM)
    event = translate_request (self, event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    on_link (self);
  return event == NULL || gst_pad_event_default (pad, parent, event);
}
