/* gst-tfrc: element rtptfrcreceive, the data receiver as a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtptfrcreceive
 * @title: rtptfrcreceive
 * @short_description: Measures what arrives for TCP-friendly rate control
 *
 * The data receiver of TFRC (RFC 5348) and TFRC-SP (RFC 4828) as a filter for RTP
 * packets. The element reads the stamp in the header extension
 * `urn:ietf:params:rtp-hdrext:rtt-sendts`, keeps the history of losses, and sends
 * reports to the data sender in the RTCP of the session that it is linked to. Packets
 * pass at once. The stamp is removed from them; nothing else of a packet changes.
 *
 * The element must see the packets as they arrive: behind rtpsession and in front of
 * rtpjitterbuffer. It measures each SSRC by itself, 32 at most. In rtpbin that is the place of an
 * auxiliary receiver (#GstRtpBin::request-aux-receiver).
 *
 * When the request pad `rtcp_src` is linked and the data sender accepts reduced-size RTCP
 * (RFC 5506), most reports are pushed from that pad as RTCP packets of their own, in the
 * thread of the packet that causes the report. Join them with the RTCP of the session by a
 * funnel. Otherwise the element asks the session to send each report.
 *
 * |[
 * gst-launch-1.0 rtpsession name=s udpsrc port=5004 caps="application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS,payload=96" ! s.recv_rtp_sink s.recv_rtp_src ! rtptfrcreceive name=t ! rtpjitterbuffer ! rtpopusdepay ! opusdec ! autoaudiosink udpsrc port=5005 ! s.recv_rtcp_sink s.send_rtcp_src ! funnel name=f forward-sticky-events=false ! udpsink host=127.0.0.1 port=5007 sync=false async=false t.rtcp_src ! f.
 * ]| Receives what the example of rtptfrcsend sends, and reports to it.
 *
 * ## Messages
 *
 * The element posts a message application/x-tfrc-connection, with the fields `state` (string:
 * `waiting`, `connected`, `lost`, `regained`) and `silence` (guint64, ns for which neither
 * packets nor RTCP of the data sender had come).
 *
 * Since: 0.1
 */
#include "filter/gstrtptfrcreceiveprivate.h"

#include "base/enums.h"
#include "base/json.h"
#include "base/messages.h"
#include "base/storedpacketsquery.h"
#include "base/tfrccaps.h"
#include "filter/engineconfig.h"
#include "base/pads.h"
#include "base/propertymutability.h"

GST_DEBUG_CATEGORY_STATIC (rtptfrcreceive_debug);
#define GST_CAT_DEFAULT rtptfrcreceive_debug

/* The interval that the bandwidth of RTCP allows is computed again after this time, also when R
 * has not changed. */
#define PATH_PERIOD (500 * TFRC_MSEC)

enum
{
  PROP_RECEIVE_RATE = GST_TFRC_N_SETTINGS,
  PROP_LOSS_EVENT_RATE,
  PROP_ROUND_TRIP_TIME,
  PROP_STATS,
  PROP_STATS_JSON,
  PROP_CONNECTION
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate rtcp_src_template =
GST_STATIC_PAD_TEMPLATE ("rtcp_src",
    GST_PAD_SRC, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpTfrcReceive, gst_rtp_tfrc_receive,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (rtptfrcreceive_debug,
        "rtptfrcreceive", 0, "TFRC receiver"));
GST_ELEMENT_REGISTER_DEFINE (rtptfrcreceive, "rtptfrcreceive", GST_RANK_NONE,
    GST_TYPE_RTP_TFRC_RECEIVE);

/* --- the session, without the lock --- */

static void
attach (GstRtpTfrcReceive * self, GstTfrcDataReceiverRtcp * rtcp)
{
  GObject *session = NULL;
  gboolean attached, warn;

  GST_OBJECT_LOCK (self);
  if (self->settings.rtp_session != NULL)
    session = g_object_ref (self->settings.rtp_session);
  GST_OBJECT_UNLOCK (self);
  /* the session is upstream as a rule, and downstream inside webrtcbin */
  attached = gst_tfrc_data_receiver_rtcp_attach (rtcp, session, self->sinkpad)
      || gst_tfrc_data_receiver_rtcp_attach (rtcp, session, self->srcpad)
      || gst_tfrc_attached_session_is_attached (rtcp);
  g_clear_object (&session);

  g_mutex_lock (&self->lock);
  self->attached = attached;
  warn = !attached && !self->warned && self->flows.n > 0;
  self->warned |= warn;
  g_mutex_unlock (&self->lock);
  if (warn)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No RTP session to report through. Put rtptfrcreceive behind "
            "rtpsession or set rtp-session."), (NULL));
}

/* Sets the bandwidth of RTCP by R and the rate of the data, and the report interval of the engine
 * by that bandwidth. */
static void
update_path (GstRtpTfrcReceive * self, GstTfrcDataReceiverRtcp * rtcp)
{
  TfrcTime interval, now;
  gdouble R, rate;
  guint i;

  g_mutex_lock (&self->lock);
  R = gst_tfrc_measured_flows_get_R (&self->flows);
  rate = gst_tfrc_measured_flows_get_byte_rate (&self->flows, self->H,
      gst_rtp_tfrc_receive_get_now (self));
  g_mutex_unlock (&self->lock);

  interval = gst_tfrc_data_receiver_rtcp_set_path (rtcp, R * TFRC_SEC, rate);

  g_mutex_lock (&self->lock);
  if (self->running) {
    now = gst_rtp_tfrc_receive_get_now (self);
    self->path_set = now;
    if (interval != self->interval)
      GST_DEBUG_OBJECT (self, "reports at least %" GST_TIME_FORMAT " apart",
          GST_TIME_ARGS (interval));
    self->interval = interval;
    for (i = 0; i < self->flows.n; i++)
      gst_rtp_tfrc_receive_on_bits (self, self->flows.flows[i],
          tfrc_receiver_set_report_interval (self->flows.flows[i]->receiver,
              interval, now), now);
  }
  g_mutex_unlock (&self->lock);
}

/* A reference on the pad for reports, or NULL when the pad is not linked. */
static GstPad *
get_rtcp_pad (GstRtpTfrcReceive * self)
{
  GstPad *pad = gst_tfrc_rtcp_pad_get (GST_ELEMENT (self), &self->rtcp_srcpad);

  if (pad != NULL && !gst_pad_is_linked (pad))
    gst_clear_object (&pad);
  return pad;
}

static void
push_rtcp (GstRtpTfrcReceive * self, GstPad * pad, GstBuffer * packet)
{
  GstFlowReturn ret;

  if (!gst_pad_has_current_caps (pad)) {
    gchar *id = gst_pad_create_stream_id (pad, GST_ELEMENT (self), "rtcp");
    GstCaps *caps = gst_pad_get_pad_template_caps (pad);
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_push_event (pad, gst_event_new_stream_start (id));
    gst_pad_push_event (pad, gst_event_new_caps (caps));
    gst_pad_push_event (pad, gst_event_new_segment (&segment));
    gst_caps_unref (caps);
    g_free (id);
  }
  ret = gst_pad_push (pad, packet);
  if (ret != GST_FLOW_OK)
    GST_DEBUG_OBJECT (self, "the report was not sent: %s",
        gst_flow_get_name (ret));
}

/* Requests a report. `here`: the report may be pushed in this thread, which may block. */
static void
request_report (GstRtpTfrcReceive * self, GstTfrcDataReceiverRtcp * rtcp,
    gboolean here)
{
  GstPad *pad = here ? get_rtcp_pad (self) : NULL;
  GstBuffer *packet = NULL;
  gboolean done;
  guint i;

  done = gst_tfrc_data_receiver_rtcp_request (rtcp,
      pad != NULL ? &packet : NULL);
  if (packet != NULL)
    push_rtcp (self, pad, packet);
  gst_clear_object (&pad);
  if (done)
    return;
  /* the next packet requests the report again */
  g_mutex_lock (&self->lock);
  for (i = 0; i < self->flows.n; i++)
    self->flows.flows[i]->asked = 0;
  g_mutex_unlock (&self->lock);
}

static void
post_messages (GstElement * element, gpointer data)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  GQueue messages;

  g_mutex_lock (&self->lock);
  messages = self->messages;
  g_queue_init (&self->messages);
  g_mutex_unlock (&self->lock);
  g_object_notify (G_OBJECT (self), "connection");
  gst_tfrc_structures_post (&messages, element);
}

/* Runs the deferred actions after unlocking. Takes `rtcp`. */
static void
act (GstRtpTfrcReceive * self, GstTfrcDataReceiverRtcp * rtcp,
    guint32 rtt_us, guint actions)
{
  if (actions & ACT_ATTACH)
    attach (self, rtcp);
  if (actions & ACT_CONFIRM)
    gst_tfrc_data_receiver_rtcp_confirm (rtcp, rtt_us);
  if (actions & ACT_PATH)
    update_path (self, rtcp);
  if (actions & ACT_REQUEST)
    request_report (self, rtcp, (actions & ACT_HERE) != 0);
  if (actions & ACT_POST)
    post_messages (GST_ELEMENT (self), NULL);
  gst_tfrc_attached_session_unref (rtcp);
}

static void
unlock_and_act (GstRtpTfrcReceive * self, guint actions)
{
  GstTfrcDataReceiverRtcp *rtcp =
      actions != 0 ? gst_tfrc_attached_session_ref (self->rtcp) : NULL;
  guint32 rtt_us = self->flows.flows[0] == NULL ? TFRC_RTT_UNKNOWN :
      gst_tfrc_measured_flows_get_main (&self->flows)->rtt_us;

  g_mutex_unlock (&self->lock);
  if (rtcp != NULL)
    act (self, rtcp, rtt_us, actions);
}

static guint
serve_timer (GstRtpTfrcReceive * self, GstTfrcMeasuredFlow * flow, TfrcTime now)
{
  if (now < tfrc_receiver_next_timer (flow->receiver))
    return 0;
  return gst_rtp_tfrc_receive_on_bits (self, flow,
      tfrc_receiver_on_timer (flow->receiver, now), now);
}

static void
on_timer (GstElement * element)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  guint i, actions = 0;

  g_mutex_lock (&self->lock);
  gst_tfrc_timer_disarm (&self->timer);
  if (self->running) {
    TfrcTime now = gst_rtp_tfrc_receive_get_now (self);

    for (i = 0; i < self->flows.n; i++)
      actions |= serve_timer (self, self->flows.flows[i], now);
    actions |= gst_rtp_tfrc_receive_note_connection (self,
        gst_tfrc_remote_liveness_on_time (&self->connection, now));
    gst_rtp_tfrc_receive_arm_timer (self);
  }
  unlock_and_act (self, actions & ~ACT_POST);
  /* the thread of the clock serves other timers and must not block */
  if (actions & ACT_POST)
    gst_element_call_async (element, post_messages, NULL, NULL);
}

static gboolean
is_path_old (GstRtpTfrcReceive * self, TfrcTime now)
{
  return now - self->path_set >= PATH_PERIOD;
}

static void
on_active (GstElement * element, guint32 ssrc)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  guint actions = 0;

  g_mutex_lock (&self->lock);
  if (self->running
      && gst_tfrc_measured_flows_find (&self->flows, ssrc) != NULL)
    actions =
        gst_rtp_tfrc_receive_hear (self, gst_rtp_tfrc_receive_get_now (self));
  unlock_and_act (self, actions);
}

/* What an APP packet of the data sender says holds when that packet is authentic, or has the send time of a packet that
 * arrived not long ago. */
static gboolean
on_settings (GstElement * element, guint32 ssrc, const GstTfrcApp * app,
    gboolean is_secure)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  GstTfrcDataReceiverRtcp *rtcp = NULL;
  GstTfrcMeasuredFlow *flow;
  gboolean known;

  g_mutex_lock (&self->lock);
  flow = self->running ?
      gst_tfrc_measured_flows_find (&self->flows, ssrc) : NULL;
  known = flow != NULL && (is_secure
      || gst_tfrc_app_is_known (app, &flow->stamps));
  if (known && self->chooses_mode && app->mode <= TFRC_MODE_TFRC_SP) {
    gst_rtp_tfrc_receive_set_mode (self, flow, app->mode);
    rtcp = gst_tfrc_attached_session_ref (self->rtcp);
  }
  g_mutex_unlock (&self->lock);
  if (rtcp != NULL) {
    gst_tfrc_data_receiver_rtcp_set_mode (rtcp, app->mode);
    gst_tfrc_attached_session_unref (rtcp);
  }
  return known;
}

static void
on_bye (GstElement * element, guint32 ssrc)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  gboolean left;

  g_mutex_lock (&self->lock);
  left = gst_tfrc_measured_flows_bye (&self->flows, ssrc);
  g_mutex_unlock (&self->lock);
  if (left)
    GST_INFO_OBJECT (self, "SSRC %08x has sent a BYE", ssrc);
}

/* Whether the flow gets a report in an RTCP packet that leaves now. A report that rides along with those of other
 * flows may come no more often than the flow would ask for it, since the data sender refuses a flood of reports. */
static gboolean
is_due (GstRtpTfrcReceive * self, const GstTfrcMeasuredFlow * flow,
    TfrcTime now)
{
  return self->flows.n == 1 || tfrc_receiver_wants_report (flow->receiver)
      || now - flow->reported >= gst_rtp_tfrc_receive_get_period (self, flow);
}

/* The flows take turns to be first, because an RTCP packet may have no room for the last. */
static guint
make_reports (GstElement * element,
    GstTfrcMadeReport reports[GST_TFRC_REPORTED_MAX], guint64 * received)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  guint i, n = 0, actions = 0;
  TfrcTime now;

  g_mutex_lock (&self->lock);
  now = gst_rtp_tfrc_receive_get_now (self);
  for (i = 0; i < self->flows.n && self->running && !self->off; i++) {
    GstTfrcMeasuredFlow *flow =
        self->flows.flows[(self->turn + i) % self->flows.n];

    if (!is_due (self, flow, now) || !tfrc_receiver_make_report (flow->receiver,
            &reports[n].report, now))
      continue;
    flow->reported = now;
    reports[n++].media_ssrc = flow->ssrc;
  }
  self->turn++;
  if (n > 0) {
    *received = self->flows.received;
    if (is_path_old (self, now))
      actions = ACT_PATH;
    gst_rtp_tfrc_receive_arm_timer (self);
  }
  unlock_and_act (self, actions);
  return n;
}

/* --- data and events --- */

static GstFlowReturn
gst_rtp_tfrc_receive_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (parent);
  guint actions = 0;

  g_mutex_lock (&self->lock);
  if (self->running)
    actions =
        gst_rtp_tfrc_receive_take_buffer (self, &buffer,
        gst_rtp_tfrc_receive_get_now (self));
  unlock_and_act (self, actions != 0 ? actions | ACT_HERE : 0);
  return gst_pad_push (self->srcpad, buffer);
}

typedef struct
{
  GstRtpTfrcReceive *self;
  TfrcTime now;
  guint actions;
} List;

static gboolean
take_listed (GstBuffer ** buffer, guint i, gpointer user_data)
{
  List *list = user_data;

  list->actions |=
      gst_rtp_tfrc_receive_take_buffer (list->self, buffer, list->now);
  return TRUE;
}

static GstFlowReturn
gst_rtp_tfrc_receive_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * buffers)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (parent);
  List list = { .self = self };

  buffers = gst_buffer_list_make_writable (buffers);
  g_mutex_lock (&self->lock);
  if (self->running) {
    list.now = gst_rtp_tfrc_receive_get_now (self);
    gst_buffer_list_foreach (buffers, take_listed, &list);
  }
  unlock_and_act (self, list.actions != 0 ? list.actions | ACT_HERE : 0);
  return gst_pad_push_list (self->srcpad, buffers);
}

/* A pad upstream or downstream was linked: the next packet looks for the session. */
static void
look_for_session (GstRtpTfrcReceive * self)
{
  g_mutex_lock (&self->lock);
  self->attached = FALSE;
  self->attach_in = 0;
  g_mutex_unlock (&self->lock);
}

static gboolean
gst_rtp_tfrc_receive_src_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    look_for_session (GST_RTP_TFRC_RECEIVE (parent));
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_rtp_tfrc_receive_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    look_for_session (self);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    GstCaps *caps;
    gboolean off, by_caps, agreed;
    guint id;
    gint mode;

    gst_event_parse_caps (event, &caps);
    GST_OBJECT_LOCK (self);
    id = gst_tfrc_filter_settings_get_extension_id (&self->settings, caps);
    by_caps = self->settings.extension_id == 0;
    mode = self->settings.mode;
    GST_OBJECT_UNLOCK (self);
    off = !gst_tfrc_caps_judge_received (caps, mode, GST_ELEMENT (self),
        &self->half);
    g_mutex_lock (&self->lock);
    self->id = id;
    self->by_caps = by_caps;
    self->off = off;
    self->caps_mode = gst_tfrc_caps_get_mode (caps, &agreed);
    self->roles = (GstTfrcPayloadRoles) { { {
        0,}
        }
    };
    g_mutex_unlock (&self->lock);
  }
  return gst_pad_event_default (pad, parent, event);
}

/* --- pads --- */

/* The pads for packets lead to each other, the pad for reports to none. */
static GstIterator *
gst_rtp_tfrc_receive_iterate_internal_links (GstPad * pad, GstObject * parent)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (parent);

  if (pad == self->sinkpad)
    return gst_tfrc_rtcp_pad_links_to (self->srcpad);
  return gst_tfrc_rtcp_pad_links_to (pad == self->srcpad ? self->sinkpad :
      NULL);
}

static GstPad *
gst_rtp_tfrc_receive_request_new_pad (GstElement * element,
    GstPadTemplate * templ, const gchar * name, const GstCaps * caps)
{
  return gst_tfrc_rtcp_pad_request (element,
      &GST_RTP_TFRC_RECEIVE (element)->rtcp_srcpad, templ, NULL,
      gst_rtp_tfrc_receive_iterate_internal_links);
}

static void
gst_rtp_tfrc_receive_release_pad (GstElement * element, GstPad * pad)
{
  gst_tfrc_rtcp_pad_release (element,
      &GST_RTP_TFRC_RECEIVE (element)->rtcp_srcpad);
}

/* --- start and stop --- */

static void
reset (GstRtpTfrcReceive * self)
{
  self->attached = self->warned = self->off = FALSE;
  self->roles = (GstTfrcPayloadRoles) { { {
      0,}}};
  self->attach_in = 0;
  self->interval = self->path_set = 0;
  self->not_rtp = self->bad_extensions = 0;
}

static gboolean
start (GstRtpTfrcReceive * self)
{
  GstTfrcRtcpConfig rtcp;
  gboolean chooses_mode;
  TfrcConfig config;
  gchar *error;

  GST_OBJECT_LOCK (self);
  error = gst_tfrc_engine_config_from_settings (&self->settings, &config);
  config.report_with_packet = TRUE;
  chooses_mode = gst_tfrc_engine_config_chooses_mode (&self->settings, &config);
  rtcp = (GstTfrcRtcpConfig) {
      .mode = config.mode,
      .chooses_mode = chooses_mode,
      .measure = config.measure,
      .H = config.H,
      .fmt = self->settings.feedback_fmt};
  self->id = gst_tfrc_filter_settings_get_extension_id (&self->settings, NULL);
  self->by_caps = self->settings.extension_id == 0;
  GST_OBJECT_UNLOCK (self);
  if (error != NULL) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", error), (NULL));
    g_free (error);
    return FALSE;
  }

  g_mutex_lock (&self->lock);
  reset (self);
  self->H = config.H;
  self->chooses_mode = chooses_mode;
  self->caps_mode = -1;
  g_clear_pointer (&self->rtcp, gst_tfrc_attached_session_unref);
  self->rtcp = gst_tfrc_data_receiver_rtcp_new (GST_ELEMENT (self), &rtcp,
      make_reports, on_active, on_bye, on_settings);
  gst_tfrc_measured_flows_start (&self->flows, &config,
      gst_rtp_tfrc_receive_get_now (self));
  gst_tfrc_remote_liveness_init (&self->connection,
      gst_rtp_tfrc_receive_get_now (self));
  gst_rtp_tfrc_receive_note_connection (self,
      gst_tfrc_remote_liveness_state_get_nick (self->connection.state));
  self->running = TRUE;
  GST_INFO_OBJECT (self, "receives in mode %s, measure %s, H %u",
      gst_tfrc_mode_get_nick (chooses_mode ? GST_TFRC_MODE_AUTO : config.mode),
      gst_tfrc_measure_get_nick (config.measure), config.H);
  unlock_and_act (self, ACT_ATTACH | ACT_POST);
  return TRUE;
}

static void
stop (GstRtpTfrcReceive * self)
{
  g_mutex_lock (&self->lock);
  self->running = FALSE;
  gst_tfrc_timer_disarm (&self->timer);
  g_mutex_unlock (&self->lock);
  gst_tfrc_attached_session_detach (self->rtcp);
}

static GstStateChangeReturn
gst_rtp_tfrc_receive_change_state (GstElement * element,
    GstStateChange transition)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  ret = GST_ELEMENT_CLASS (gst_rtp_tfrc_receive_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  return ret;
}

static gboolean
gst_rtp_tfrc_receive_set_clock (GstElement * element, GstClock * clock)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (element);

  g_mutex_lock (&self->lock);
  gst_tfrc_timer_disarm (&self->timer);
  gst_tfrc_timebase_set_clock (&self->time, clock);
  if (self->running)
    gst_rtp_tfrc_receive_arm_timer (self);
  g_mutex_unlock (&self->lock);
  return GST_ELEMENT_CLASS (gst_rtp_tfrc_receive_parent_class)->set_clock
      (element, clock);
}

/* --- properties --- */

static void
get_stats (GstRtpTfrcReceive * self, TfrcReceiverStats * stats)
{
  *stats = (TfrcReceiverStats) {0};
  g_mutex_lock (&self->lock);
  if (self->flows.flows[0] != NULL)
    tfrc_receiver_get_stats (gst_tfrc_measured_flows_get_main
        (&self->flows)->receiver, stats);
  g_mutex_unlock (&self->lock);
}

static GstStructure *
create_stats (GstRtpTfrcReceive * self)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-receiver-stats");

  g_mutex_lock (&self->lock);
  gst_tfrc_measured_flows_add_stats (&self->flows, stats);
  gst_structure_set (stats,
      "label", G_TYPE_STRING, GST_OBJECT_NAME (self),
      "mode", G_TYPE_STRING, gst_tfrc_mode_get_nick
      (gst_tfrc_measured_flows_get_mode (&self->flows)),
      "ssrc", G_TYPE_UINT, self->flows.main.ssrc,
      "ssrc-changes", G_TYPE_UINT64, self->flows.main.changes,
      "other-ssrc", G_TYPE_UINT64, self->flows.others,
      "not-rtp", G_TYPE_UINT64, self->not_rtp,
      "bad-extensions", G_TYPE_UINT64, self->bad_extensions,
      "connection", G_TYPE_STRING,
      gst_tfrc_remote_liveness_state_get_nick (self->connection.state), NULL);
  if (self->rtcp != NULL)
    gst_tfrc_data_receiver_rtcp_add_stats (self->rtcp, stats);
  g_mutex_unlock (&self->lock);
  return stats;
}

static void
gst_rtp_tfrc_receive_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (object);
  gboolean known;

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  GST_OBJECT_LOCK (self);
  known = gst_tfrc_filter_settings_set (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
get_reading (GstRtpTfrcReceive * self, guint id, GValue * value,
    GParamSpec * pspec)
{
  TfrcReceiverStats stats;

  get_stats (self, &stats);
  switch (id) {
    case PROP_RECEIVE_RATE:
      g_value_set_double (value, 8 * stats.X_recv);
      break;
    case PROP_LOSS_EVENT_RATE:
      g_value_set_double (value, stats.p);
      break;
    case PROP_ROUND_TRIP_TIME:
      g_value_set_uint64 (value, stats.R * GST_SECOND);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, create_stats (self));
      break;
    case PROP_STATS_JSON:
      gst_tfrc_json_get_stats (G_OBJECT (self), value);
      break;
    case PROP_CONNECTION:
      g_mutex_lock (&self->lock);
      g_value_set_enum (value, self->connection.state);
      g_mutex_unlock (&self->lock);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
      break;
  }
}

static void
gst_rtp_tfrc_receive_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = gst_tfrc_filter_settings_get (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    get_reading (self, id, value, pspec);
}

static void
gst_rtp_tfrc_receive_finalize (GObject * object)
{
  GstRtpTfrcReceive *self = GST_RTP_TFRC_RECEIVE (object);

  gst_tfrc_filter_settings_clear (&self->settings);
  g_queue_clear_full (&self->messages, (GDestroyNotify) gst_structure_free);
  g_clear_pointer (&self->rtcp, gst_tfrc_attached_session_unref);
  gst_tfrc_measured_flows_clear (&self->flows);
  gst_tfrc_timebase_clear (&self->time);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_rtp_tfrc_receive_parent_class)->finalize (object);
}

static void
install_readings (GObjectClass * klass)
{
  /**
   * GstRtpTfrcReceive:receive-rate:
   *
   * X_recv of RFC 5348: rate of the RTP packets that arrive, as last
   * reported (bit/s).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_RECEIVE_RATE,
      g_param_spec_double ("receive-rate", "Receive rate",
          "X_recv of RFC 5348: rate of the RTP packets that arrive, as last "
          "reported (bit/s)", 0, G_MAXDOUBLE, 0, GST_TFRC_READING));
  /**
   * GstRtpTfrcReceive:loss-event-rate:
   *
   * p of RFC 5348: loss events per packet (ratio).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LOSS_EVENT_RATE,
      g_param_spec_double ("loss-event-rate", "Loss event rate",
          "p of RFC 5348: loss events per packet (ratio)", 0, 1, 0,
          GST_TFRC_READING));
  /**
   * GstRtpTfrcReceive:round-trip-time:
   *
   * R of RFC 5348, from the stamps of the sender (ns, 0: unknown).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ROUND_TRIP_TIME,
      g_param_spec_uint64 ("round-trip-time", "Round-trip time",
          "R of RFC 5348, from the stamps of the sender (ns, 0: unknown)", 0,
          G_MAXUINT64, 0, GST_TFRC_READING));
  /**
   * GstRtpTfrcReceive:stats:
   *
   * Counters and state: structure application/x-tfrc-receiver-stats, rates in
   * bit/s, times in ns; in `rfc` those of the RFC in bytes/s and s. The field `flows` is an array of
   * application/x-tfrc-flow, one for each SSRC, with its `ssrc`, its `mode` and the
   * fields of the engine. Outside of it these fields are those of the SSRC that the
   * properties are about.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counters and state: structure application/x-tfrc-receiver-stats, "
          "rates in bit/s, times in ns; in `rfc` those of the RFC in bytes/s "
          "and s", GST_TYPE_STRUCTURE, GST_TFRC_READING));
  gst_tfrc_json_install (klass, PROP_STATS_JSON);
  /**
   * GstRtpTfrcReceive:connection:
   *
   * Whether packets or RTCP of the data sender come. Each change is an
   * element message application/x-tfrc-connection as well.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CONNECTION,
      g_param_spec_enum ("connection", "Connection",
          "Whether packets or RTCP of the data sender come",
          GST_TYPE_TFRC_REMOTE_CONNECTION, GST_TFRC_REMOTE_LIVENESS_WAITING,
          GST_TFRC_READING));
}

static void
gst_rtp_tfrc_receive_class_init (GstRtpTfrcReceiveClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_rtp_tfrc_receive_set_property;
  object_class->get_property = gst_rtp_tfrc_receive_get_property;
  object_class->finalize = gst_rtp_tfrc_receive_finalize;
  element_class->change_state = gst_rtp_tfrc_receive_change_state;
  element_class->set_clock = gst_rtp_tfrc_receive_set_clock;
  element_class->request_new_pad = gst_rtp_tfrc_receive_request_new_pad;
  element_class->release_pad = gst_rtp_tfrc_receive_release_pad;

  gst_tfrc_filter_settings_install (object_class, FALSE);
  install_readings (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC receiver",
      "Filter/Network/RTP",
      "Measures what arrives for TCP-friendly rate control (RFC 5348, "
      "RFC 4828) and has it reported to the sender by RTCP",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_rtp_tfrc_receive_init (GstRtpTfrcReceive * self)
{
  g_mutex_init (&self->lock);
  g_queue_init (&self->messages);
  gst_tfrc_filter_settings_init (&self->settings, FALSE);
  gst_tfrc_timebase_init (&self->time);
  gst_tfrc_timer_init (&self->timer, GST_ELEMENT (self), on_timer);

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_rtp_tfrc_receive_chain);
  gst_pad_set_chain_list_function (self->sinkpad,
      gst_rtp_tfrc_receive_chain_list);
  gst_pad_set_event_function (self->sinkpad, gst_rtp_tfrc_receive_sink_event);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sinkpad);
  gst_pad_set_iterate_internal_links_function (self->sinkpad,
      gst_rtp_tfrc_receive_iterate_internal_links);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_pad_set_event_function (self->srcpad, gst_rtp_tfrc_receive_src_event);
  gst_pad_set_iterate_internal_links_function (self->srcpad,
      gst_rtp_tfrc_receive_iterate_internal_links);
  gst_tfrc_stored_packets_query_answer (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
