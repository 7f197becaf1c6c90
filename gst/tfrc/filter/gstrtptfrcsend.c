/* gst-tfrc: element rtptfrcsend, the data sender as a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtptfrcsend
 * @title: rtptfrcsend
 * @short_description: Sends RTP packets at the rate that TFRC allows
 *
 * The data sender of TFRC (RFC 5348) and TFRC-SP (RFC 4828) as a filter for RTP
 * packets. A packet passes at once when the allowed rate permits it. Other packets
 * wait in a bounded queue; when they wait too long, the oldest are dropped before
 * they get a sequence number. As it departs, a packet gets its sequence number and
 * the stamp (round-trip time and send time) in the header extension
 * `urn:ietf:params:rtp-hdrext:rtt-sendts`, which is added when the payloader did
 * not reserve it. Reports arrive in the RTCP of the session that the element is
 * linked to. No element between rtptfrcsend and the socket may queue packets.
 *
 * RTCP on its way to the session may go through the request pads `rtcp_sink` and
 * `rtcp_src`. RTCP packets that are one report of the known receiver and nothing else then
 * end in rtptfrcsend, and all other packets pass, so that the session has no work with most
 * reports. When the pads are not linked, the element gets all reports from the session.
 *
 * EOS follows the last packet. Once no report has come for half a second, or for four
 * round-trip times if that is longer (4 s at most), EOS waits no longer: packets that
 * have not departed are dropped and counted in `dropped-late`, also without a limit of
 * #GstRtpTfrcSend:max-queue-time.
 *
 * The allowance of the encoder goes upstream in `application/x-tfrc-rate` events, and is in
 * read-only properties with notify. Input that is not live needs `sync`.
 *
 * |[
 * gst-launch-1.0 rtpsession name=s audiotestsrc is-live=true ! opusenc ! rtpopuspay ! rtptfrcsend name=t ! s.send_rtp_sink s.send_rtp_src ! udpsink host=127.0.0.1 port=5004 sync=false async=false s.send_rtcp_src ! udpsink host=127.0.0.1 port=5005 sync=false async=false udpsrc port=5007 caps=application/x-rtcp ! t.rtcp_sink t.rtcp_src ! s.recv_rtcp_sink
 * ]| Sends to the example of rtptfrcreceive and takes its reports.
 *
 * ## Messages
 *
 * The element posts a message application/x-tfrc-connection, with the fields `state` (string:
 * `waiting`, `connected`, `lost`, `regained`) and `silence` (guint64, ns for which no
 * RTCP of the data receiver had come), and, when #GstRtpTfrcSend:circuit-breaker changes what
 * may be sent, application/x-tfrc-circuit-breaker, with `state` (string: `closed`, `reduced`,
 * `paused`, `stopped`), `reason` (string: `rtcp-timeout`, `media-timeout`, `congestion`,
 * `usability`) and `max-bitrate` (guint64, bit/s of RTP packets).
 *
 * Since: 0.1
 */
#include "filter/gstrtptfrcsendprivate.h"

#include "base/json.h"
#include "base/messages.h"
#include "filter/engineconfig.h"
#include "base/pads.h"
#include "base/propertymutability.h"
#include "base/expectedqualityquery.h"
#include "rtcp/rtpsession.h"

GST_DEBUG_CATEGORY_STATIC (rtptfrcsend_debug);
#define GST_CAT_DEFAULT rtptfrcsend_debug

/* The filter looks for a session again after so many packets. */
#define ATTACH_PACKETS 50

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate rtcp_sink_template =
GST_STATIC_PAD_TEMPLATE ("rtcp_sink",
    GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate rtcp_src_template =
GST_STATIC_PAD_TEMPLATE ("rtcp_src",
    GST_PAD_SRC, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpTfrcSend, gst_rtp_tfrc_send, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (rtptfrcsend_debug, "rtptfrcsend", 0,
        "TFRC sender"));
GST_ELEMENT_REGISTER_DEFINE (rtptfrcsend, "rtptfrcsend", GST_RANK_NONE,
    GST_TYPE_RTP_TFRC_SEND);

static TfrcTime
get_now (GstRtpTfrcSend * self)
{
  return gst_tfrc_flow_driver_get_now (&self->driver);
}

/* --- notifications, without the lock --- */

void
gst_rtp_tfrc_send_unlock_and_notify (GstRtpTfrcSend * self)
{
  GstTfrcNotifier *notifiers[GST_TFRC_FLOWS_MAX];
  guint i, n = gst_tfrc_flow_driver_get_pending (&self->driver, notifiers);
  guint warnings = gst_tfrc_send_warnings_take (&self->warnings);
  GQueue messages = G_QUEUE_INIT;

  gst_tfrc_flow_driver_take_messages (&self->driver, &messages);
  g_mutex_unlock (&self->lock);
  gst_tfrc_send_warnings_post (warnings, GST_ELEMENT (self));
  if (!g_queue_is_empty (&messages))
    g_object_notify (G_OBJECT (self), "connection");
  gst_tfrc_structures_post (&messages, GST_ELEMENT (self));
  for (i = 0; i < n; i++)
    gst_tfrc_notifier_run (notifiers[i], GST_ELEMENT (self), self->sinkpad,
        &self->lock);
}

static void
notify_async (GstElement * element, gpointer data)
{
  g_mutex_lock (&GST_RTP_TFRC_SEND (element)->lock);
  gst_rtp_tfrc_send_unlock_and_notify (GST_RTP_TFRC_SEND (element));
}

/* --- departures --- */

static GstFlowReturn
push_object (GstRtpTfrcSend * self, GstMiniObject * object)
{
  if (GST_IS_BUFFER (object))
    return gst_pad_push (self->srcpad, GST_BUFFER_CAST (object));
  if (GST_IS_BUFFER_LIST (object))
    return gst_pad_push_list (self->srcpad, GST_BUFFER_LIST_CAST (object));
  gst_pad_push_event (self->srcpad, GST_EVENT_CAST (object));
  return GST_FLOW_OK;
}

void
gst_rtp_tfrc_send_depart (GstRtpTfrcSend * self, TfrcTime now)
{
  GstMiniObject *object;
  GstFlowReturn ret;

  if (self->driver.departing)
    return;
  self->driver.departing = TRUE;
  while (self->running && !self->flushing && self->pushed == GST_FLOW_OK &&
      (object = gst_tfrc_flow_driver_take (&self->driver, now)) != NULL) {
    g_mutex_unlock (&self->lock);
    ret = push_object (self, object);
    now = TFRC_TIME_NONE;
    g_mutex_lock (&self->lock);
    if (self->pushed == GST_FLOW_OK)
      self->pushed = ret;
  }
  self->driver.departing = FALSE;
  if (self->pushed != GST_FLOW_OK)
    gst_tfrc_flow_driver_flush (&self->driver);
}

static void
on_departure_time (gpointer data)
{
  GstRtpTfrcSend *self = data;
  GstFlowReturn ret;
  gboolean eos;

  g_mutex_lock (&self->lock);
  gst_rtp_tfrc_send_depart (self, TFRC_TIME_NONE);
  ret = self->pushed;
  eos = self->eos && !self->flushing;
  gst_rtp_tfrc_send_unlock_and_notify (self);
  /* after EOS there is no chain call any more that could return the error upstream */
  if (eos && (ret == GST_FLOW_NOT_LINKED || ret < GST_FLOW_EOS)) {
    GST_ELEMENT_FLOW_ERROR (self, ret);
    gst_pad_push_event (self->srcpad, gst_event_new_eos ());
  }
}

/* --- the session --- */

static gboolean
on_report (GstElement * element, guint32 media_ssrc,
    const TfrcReport * report, gboolean is_new_receiver)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean accepted;

  g_mutex_lock (&self->lock);
  accepted = self->running &&
      gst_tfrc_flow_driver_on_report (&self->driver, media_ssrc, report,
      is_new_receiver);
  gst_rtp_tfrc_send_unlock_and_notify (self);
  return accepted;
}

static void
on_receiver_report (GstElement * element, const GstTfrcReceiverReport * report)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);

  g_mutex_lock (&self->lock);
  if (self->running)
    gst_tfrc_flow_driver_on_receiver_report (&self->driver, report);
  gst_rtp_tfrc_send_unlock_and_notify (self);
}

static void
on_playout (GstElement * element, guint32 media_ssrc, GstClockTime playout)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  GstTfrcSsrcFlow *flow;

  g_mutex_lock (&self->lock);
  flow = gst_tfrc_flow_table_find (&self->driver.table, media_ssrc);
  if (flow != NULL)
    gst_tfrc_data_flow_sender_set_playout (&flow->sender, playout);
  g_mutex_unlock (&self->lock);
}

static void
fill_stamp (GstElement * element, guint32 media_ssrc, GstTfrcApp * app)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  GstTfrcSsrcFlow *flow;

  g_mutex_lock (&self->lock);
  flow = gst_tfrc_flow_table_find (&self->driver.table, media_ssrc);
  app->takes_arrivals = flow != NULL && flow->sender.encoder.redundant;
  app->has_t_i = flow != NULL && flow->sender.has_t_i;
  if (app->has_t_i)
    app->t_i_us = flow->sender.t_i_us;
  g_mutex_unlock (&self->lock);
}

static gboolean
on_arrivals (GstElement * element, guint fmt, const guint8 * data, gsize size,
    gboolean is_new_receiver)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean accepted;

  g_mutex_lock (&self->lock);
  accepted = self->running &&
      gst_tfrc_flow_driver_on_arrivals (&self->driver, fmt, data, size,
      is_new_receiver);
  gst_rtp_tfrc_send_unlock_and_notify (self);
  return accepted;
}

static void
on_number (GstElement * element, const GstTfrcTwccSeqnum * number)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);

  g_mutex_lock (&self->lock);
  if (self->running)
    gst_tfrc_flow_driver_on_number (&self->driver, number);
  g_mutex_unlock (&self->lock);
}

static void
on_timer (GstElement * element)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean notifying = FALSE;

  g_mutex_lock (&self->lock);
  gst_tfrc_timer_disarm (&self->driver.timer);
  if (self->running) {
    gst_tfrc_flow_driver_on_timer (&self->driver);
    notifying = gst_tfrc_flow_driver_has_news (&self->driver);
  }
  g_mutex_unlock (&self->lock);
  /* the thread of the clock serves other timers and must not block */
  if (notifying)
    gst_element_call_async (element, notify_async, NULL, NULL);
}

void
gst_rtp_tfrc_send_attach (GstRtpTfrcSend * self)
{
  GObject *session = NULL;
  GstTfrcSessionArrivalFeedback *arrivals;
  GstTfrcDataSenderRtcp *rtcp;
  gboolean attached;
  guint id;

  g_mutex_lock (&self->lock);
  if (self->settings.rtp_session != NULL)
    session = g_object_ref (self->settings.rtp_session);
  rtcp = gst_tfrc_attached_session_ref (self->driver.rtcp);
  arrivals = gst_tfrc_session_arrival_feedback_ref (self->arrivals);
  id = self->transport_id;
  g_mutex_unlock (&self->lock);

  attached = gst_tfrc_data_sender_rtcp_attach (rtcp, session, self->srcpad)
      || gst_tfrc_attached_session_is_attached (rtcp);
  gst_tfrc_session_arrival_feedback_attach (arrivals, session, self->srcpad,
      id);
  g_clear_object (&session);
  gst_tfrc_attached_session_unref (rtcp);
  gst_tfrc_session_arrival_feedback_unref (arrivals);

  g_mutex_lock (&self->lock);
  self->attached = attached;
  if (!attached && self->driver.table.main.following)
    gst_tfrc_send_warnings_note (&self->warnings, GST_TFRC_WARN_SESSION);
  g_mutex_unlock (&self->lock);
}

/* --- arriving packets --- */

/* Whether the feedback of the payload type is about transport-wide sequence numbers, which are not read yet. */
static gboolean
needs_numbers (GstRtpTfrcSend * self, const GstTfrcPayloadRole * role)
{
  return self->settings.feedback == GST_TFRC_FEEDBACK_AUTO && role->known
      && role->kind == GST_TFRC_PAYLOAD_CONTROLLED
      && role->feedback == GST_TFRC_FEEDBACK_TWCC && self->transport_id == 0;
}

/* Asks the session what the payload type of a packet is for, when its SSRC is not known. Called with the lock, which
 * is released meanwhile. */
static void
learn_payload_type (GstRtpTfrcSend * self, GstBuffer * buffer)
{
  GObject *session = NULL;
  GstCaps *caps;
  guint pt;

  if (!self->running || !gst_tfrc_flow_driver_wants_caps (&self->driver,
          buffer, &pt))
    return;
  if (self->settings.rtp_session != NULL)
    session = g_object_ref (self->settings.rtp_session);
  g_mutex_unlock (&self->lock);
  caps = gst_tfrc_rtp_session_request_caps (session, self->srcpad, pt);
  g_clear_object (&session);
  g_mutex_lock (&self->lock);
  gst_tfrc_payload_roles_set_caps (&self->driver.roles, pt, caps);
  gst_clear_caps (&caps);
  if (!needs_numbers (self, &self->driver.roles.roles[pt]))
    return;
  /* the number of the first packet is needed */
  self->transport_id = self->driver.roles.roles[pt].transport_id;
  g_mutex_unlock (&self->lock);
  gst_rtp_tfrc_send_attach (self);
  g_mutex_lock (&self->lock);
}

/* Called with the lock. Takes the buffer, and sets `now` to the time of its arrival. */
static GstFlowReturn
add_buffer (GstRtpTfrcSend * self, GstBuffer * buffer, TfrcTime * now)
{
  GstFlowReturn ret = GST_FLOW_FLUSHING;
  GstTfrcDataFlowSender *flow;

  learn_payload_type (self, buffer);
  *now = get_now (self);
  if (self->settings.sync
      && gst_tfrc_running_time_wait_wait (&self->sync, buffer,
          GST_ELEMENT (self), &self->driver.time, *now, &self->lock))
    *now = get_now (self);
  if (self->running && !self->flushing)
    ret = self->eos ? GST_FLOW_EOS : self->pushed;
  if (ret == GST_FLOW_OK && self->transport_id != 0)
    buffer = gst_tfrc_twcc_seqnum_reserve (buffer, self->transport_id);
  if (ret != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return ret;
  }
  flow = gst_tfrc_flow_driver_add (&self->driver, buffer, *now);
  if (flow != NULL)
    gst_tfrc_send_warnings_check_size (&self->warnings, flow);
  else if (self->driver.refused > 0)
    gst_tfrc_send_warnings_note (&self->warnings, GST_TFRC_WARN_FLOWS);
  return ret;
}

/* Whether it is time to look for a session. Called with the lock. */
static gboolean
wants_attach (GstRtpTfrcSend * self)
{
  if (self->attached || self->attach_in-- > 0)
    return FALSE;
  self->attach_in = ATTACH_PACKETS;
  return TRUE;
}

/* Ends a chain call whose packets are in the queue. Called with the lock, which is released. `ret`
 * is the flow return so far, `now` the time when the last packet arrived. */
static GstFlowReturn
finish_chain (GstRtpTfrcSend * self, GstFlowReturn ret, TfrcTime now)
{
  gboolean wants;

  if (ret == GST_FLOW_OK) {
    gst_rtp_tfrc_send_depart (self, now);
    ret = self->pushed;
  }
  wants = wants_attach (self);
  gst_rtp_tfrc_send_unlock_and_notify (self);
  if (wants)
    gst_rtp_tfrc_send_attach (self);
  return ret;
}

static GstFlowReturn
gst_rtp_tfrc_send_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  TfrcTime now = TFRC_TIME_NONE;
  GstFlowReturn ret;

  g_mutex_lock (&self->lock);
  ret = add_buffer (self, buffer, &now);
  return finish_chain (self, ret, now);
}

static GstFlowReturn
gst_rtp_tfrc_send_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  GstFlowReturn ret = GST_FLOW_OK;
  guint i, n = gst_buffer_list_length (list);
  TfrcTime now = TFRC_TIME_NONE;

  g_mutex_lock (&self->lock);
  for (i = 0; i < n && ret == GST_FLOW_OK; i++)
    ret =
        add_buffer (self, gst_buffer_ref (gst_buffer_list_get (list, i)), &now);
  gst_buffer_list_unref (list);
  return finish_chain (self, ret, now);
}

/* --- the pads for RTCP --- */

/* The pads for packets lead to each other, and so do the pads for RTCP. */
static GstIterator *
gst_rtp_tfrc_send_iterate_internal_links (GstPad * pad, GstObject * parent)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  GstPad *rtcp;
  GstIterator *it;

  if (pad == self->sinkpad)
    return gst_tfrc_rtcp_pad_links_to (self->srcpad);
  if (pad == self->srcpad)
    return gst_tfrc_rtcp_pad_links_to (self->sinkpad);
  rtcp = gst_tfrc_rtcp_pad_get (GST_ELEMENT (self),
      GST_PAD_IS_SINK (pad) ? &self->rtcp_srcpad : &self->rtcp_sinkpad);
  it = gst_tfrc_rtcp_pad_links_to (rtcp);
  gst_clear_object (&rtcp);
  return it;
}

/* RTCP passes, except for reports that the session need not see. */
static GstFlowReturn
gst_rtp_tfrc_send_rtcp_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  GstFlowReturn ret;
  GstPad *out;

  if (gst_tfrc_data_sender_rtcp_take (self->driver.rtcp, buffer)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  out = gst_tfrc_rtcp_pad_get (GST_ELEMENT (self), &self->rtcp_srcpad);
  if (out == NULL) {
    gst_buffer_unref (buffer);
    return GST_FLOW_NOT_LINKED;
  }
  ret = gst_pad_push (out, buffer);
  gst_object_unref (out);
  return ret;
}

static GstPad *
gst_rtp_tfrc_send_request_new_pad (GstElement * element,
    GstPadTemplate * templ, const gchar * name, const GstCaps * caps)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean is_sink = GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK;

  return gst_tfrc_rtcp_pad_request (element,
      is_sink ? &self->rtcp_sinkpad : &self->rtcp_srcpad, templ,
      is_sink ? gst_rtp_tfrc_send_rtcp_chain : NULL,
      gst_rtp_tfrc_send_iterate_internal_links);
}

static void
gst_rtp_tfrc_send_release_pad (GstElement * element, GstPad * pad)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);

  gst_tfrc_rtcp_pad_release (element,
      GST_PAD_IS_SINK (pad) ? &self->rtcp_sinkpad : &self->rtcp_srcpad);
}

/* --- start and stop --- */

static void
reset (GstRtpTfrcSend * self)
{
  gst_tfrc_running_time_wait_reset (&self->sync);
  self->flushing = self->eos = self->attached = FALSE;
  self->pushed = GST_FLOW_OK;
  self->attach_in = 0;
  self->warnings = (GstTfrcSendWarnings) {0};
}

static void
join_scheduler (GstRtpTfrcSend * self)
{
  gst_tfrc_scheduler_entry_join (&self->driver.departures,
      self->settings.context, self->driver.time.clock, on_departure_time, self);
  g_mutex_lock (&self->lock);
  self->driver.joined = TRUE;
  g_mutex_unlock (&self->lock);
}

static gboolean
leave_scheduler (GstRtpTfrcSend * self)
{
  gboolean joined;

  g_mutex_lock (&self->lock);
  joined = self->driver.joined;
  self->driver.joined = FALSE;
  g_mutex_unlock (&self->lock);
  gst_tfrc_scheduler_entry_leave (&self->driver.departures);
  return joined;
}

static gboolean
start (GstRtpTfrcSend * self)
{
  static const GstTfrcArrivalHandlers arrival_handlers = {
    .on_arrivals = on_arrivals,
    .on_number = on_number,
  };
  static const GstTfrcDataSenderRtcpHandlers handlers = {
    .on_report = on_report,
    .on_receiver_report = on_receiver_report,
    .on_playout = on_playout,
    .fill_stamp = fill_stamp,
  };
  GstTfrcRtcpConfig rtcp;
  TfrcConfig config;
  gchar *error;

  g_mutex_lock (&self->lock);
  error = gst_tfrc_engine_config_from_settings (&self->settings, &config);
  g_mutex_unlock (&self->lock);
  if (error != NULL) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", error), (NULL));
    g_free (error);
    return FALSE;
  }

  g_mutex_lock (&self->lock);
  reset (self);
  rtcp = (GstTfrcRtcpConfig) {
      .mode = config.mode,
      .measure = config.measure,
      .H = config.H,
      .fmt = self->settings.feedback_fmt};
  gst_tfrc_flow_driver_start (&self->driver, &config,
      gst_tfrc_data_sender_rtcp_new (GST_ELEMENT (self), &rtcp, &handlers));
  g_clear_pointer (&self->arrivals, gst_tfrc_session_arrival_feedback_unref);
  self->arrivals = gst_tfrc_session_arrival_feedback_new (GST_ELEMENT (self),
      &arrival_handlers);
  gst_rtp_tfrc_send_take_feedback (self, NULL);
  self->running = TRUE;
  g_mutex_unlock (&self->lock);
  join_scheduler (self);
  gst_rtp_tfrc_send_attach (self);
  return TRUE;
}

/* Makes the threads return that wait in the filter. */
static void
unblock (GstRtpTfrcSend * self)
{
  g_mutex_lock (&self->lock);
  self->running = FALSE;
  self->flushing = TRUE;
  gst_tfrc_timer_disarm (&self->driver.timer);
  gst_tfrc_running_time_wait_set_flushing (&self->sync, TRUE);
  g_mutex_unlock (&self->lock);
}

static void
stop (GstRtpTfrcSend * self)
{
  leave_scheduler (self);
  gst_tfrc_attached_session_detach (self->driver.rtcp);
  gst_tfrc_session_arrival_feedback_detach (self->arrivals);
  g_mutex_lock (&self->lock);
  gst_tfrc_flow_driver_flush (&self->driver);
  gst_tfrc_flow_driver_uncouple (&self->driver);
  g_mutex_unlock (&self->lock);
}

static GstStateChangeReturn
gst_rtp_tfrc_send_change_state (GstElement * element, GstStateChange transition)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      if (!start (self))
        return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_PAUSED_TO_PLAYING:
    case GST_STATE_CHANGE_PLAYING_TO_PAUSED:
      g_mutex_lock (&self->lock);
      gst_tfrc_running_time_wait_set_playing (&self->sync,
          transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING);
      g_mutex_unlock (&self->lock);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      unblock (self);
      break;
    default:
      break;
  }
  ret = GST_ELEMENT_CLASS (gst_rtp_tfrc_send_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  /* With sync no packet departs while paused, as from a live source. */
  if (ret == GST_STATE_CHANGE_SUCCESS && self->settings.sync &&
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED ||
          transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED))
    return GST_STATE_CHANGE_NO_PREROLL;
  return ret;
}

static gboolean
gst_rtp_tfrc_send_set_clock (GstElement * element, GstClock * clock)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean changed, joined = FALSE;

  g_mutex_lock (&self->lock);
  gst_tfrc_timer_disarm (&self->driver.timer);
  changed = gst_tfrc_timebase_set_clock (&self->driver.time, clock);
  g_mutex_unlock (&self->lock);
  if (changed)
    joined = leave_scheduler (self);
  if (joined)
    join_scheduler (self);

  g_mutex_lock (&self->lock);
  if (self->running)
    gst_tfrc_flow_driver_arm (&self->driver);
  g_mutex_unlock (&self->lock);
  return GST_ELEMENT_CLASS (gst_rtp_tfrc_send_parent_class)->set_clock
      (element, clock);
}

/* --- properties --- */

static void
add_flow_quality (GstRtpTfrcSend * self, GstStructure * flow)
{
  guint ssrc;

  gst_structure_get_uint (flow, "ssrc", &ssrc);
  gst_tfrc_expected_quality_query_add_stats (self->sinkpad, &ssrc, flow);
}

/* Without the lock: the encoders of the flows are asked. */
static void
add_expected_quality (GstRtpTfrcSend * self, GstStructure * stats)
{
  const GValue *flows;
  guint i;

  add_flow_quality (self, stats);
  /* a new field may move the others */
  flows = gst_structure_get_value (stats, "flows");
  for (i = 0; i < gst_value_array_get_size (flows); i++)
    add_flow_quality (self,
        g_value_get_boxed (gst_value_array_get_value (flows, i)));
}

static GstStructure *
create_stats (GstRtpTfrcSend * self)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-sender-stats");

  gst_structure_set (stats, "label", G_TYPE_STRING, GST_OBJECT_NAME (self),
      NULL);
  g_mutex_lock (&self->lock);
  gst_tfrc_flow_driver_add_stats (&self->driver, stats);
  g_mutex_unlock (&self->lock);
  add_expected_quality (self, stats);
  return stats;
}

static void
gst_rtp_tfrc_send_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);
  gboolean known;

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  g_mutex_lock (&self->lock);
  known = gst_tfrc_filter_settings_set (&self->settings, id, value);
  if (known && self->running)
    gst_tfrc_flow_driver_note_rates (&self->driver);
  gst_rtp_tfrc_send_unlock_and_notify (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static gboolean
get_reading (GstRtpTfrcSend * self, guint id, GValue * value)
{
  GstTfrcRate rate;

  if (id == GST_TFRC_PROP_STATS_JSON) {
    gst_tfrc_json_get_stats (G_OBJECT (self), value);
    return TRUE;
  }
  if (id == GST_TFRC_PROP_STATS) {
    g_value_take_boxed (value, create_stats (self));
    return TRUE;
  }
  g_mutex_lock (&self->lock);
  gst_tfrc_data_flow_sender_get_rate (gst_tfrc_flow_driver_get_main
      (&self->driver), &rate, get_now (self));
  if (id == GST_TFRC_PROP_CONNECTION)
    g_value_set_enum (value, self->driver.connection.state);
  g_mutex_unlock (&self->lock);
  return id == GST_TFRC_PROP_CONNECTION
      || gst_tfrc_allowance_properties_get (&rate, id, value);
}

static void
gst_rtp_tfrc_send_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);
  gboolean known;

  g_mutex_lock (&self->lock);
  known = gst_tfrc_filter_settings_get (&self->settings, id, value);
  g_mutex_unlock (&self->lock);
  if (!known && !get_reading (self, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_rtp_tfrc_send_finalize (GObject * object)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);

  gst_tfrc_filter_settings_clear (&self->settings);
  gst_tfrc_flow_driver_clear (&self->driver);
  g_clear_pointer (&self->arrivals, gst_tfrc_session_arrival_feedback_unref);
  gst_tfrc_running_time_wait_clear (&self->sync);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_rtp_tfrc_send_parent_class)->finalize (object);
}

static void
gst_rtp_tfrc_send_class_init (GstRtpTfrcSendClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_rtp_tfrc_send_set_property;
  object_class->get_property = gst_rtp_tfrc_send_get_property;
  object_class->finalize = gst_rtp_tfrc_send_finalize;
  element_class->change_state = gst_rtp_tfrc_send_change_state;
  element_class->set_clock = gst_rtp_tfrc_send_set_clock;
  element_class->request_new_pad = gst_rtp_tfrc_send_request_new_pad;
  element_class->release_pad = gst_rtp_tfrc_send_release_pad;

  gst_tfrc_filter_settings_install (object_class, TRUE);
  gst_tfrc_allowance_properties_install (object_class);
  gst_tfrc_json_install (object_class, GST_TFRC_PROP_STATS_JSON);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class,
      &rtcp_sink_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_src_template);
  gst_element_class_set_static_metadata (element_class,
      "TFRC sender", "Filter/Network/RTP",
      "Sends RTP packets at the rate that TCP-friendly rate control (RFC 5348, "
      "RFC 4828) allows, and sends the encoder its allowance upstream",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_rtp_tfrc_send_init (GstRtpTfrcSend * self)
{
  g_mutex_init (&self->lock);
  gst_tfrc_filter_settings_init (&self->settings, TRUE);
  gst_tfrc_running_time_wait_init (&self->sync);
  gst_tfrc_flow_driver_init (&self->driver, GST_ELEMENT (self), &self->settings,
      on_timer);
  reset (self);

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_rtp_tfrc_send_chain);
  gst_pad_set_chain_list_function (self->sinkpad, gst_rtp_tfrc_send_chain_list);
  gst_pad_set_event_function (self->sinkpad, gst_rtp_tfrc_send_sink_event);
  gst_pad_set_query_function (self->sinkpad, gst_rtp_tfrc_send_sink_query);
  gst_pad_set_iterate_internal_links_function (self->sinkpad,
      gst_rtp_tfrc_send_iterate_internal_links);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (self->srcpad, gst_rtp_tfrc_send_src_query);
  gst_pad_set_event_function (self->srcpad, gst_rtp_tfrc_send_src_event);
  gst_pad_set_iterate_internal_links_function (self->srcpad,
      gst_rtp_tfrc_send_iterate_internal_links);
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
