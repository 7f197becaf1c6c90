/* gst-tfrc: element tfrcsink, the data sender's end of a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-tfrcsink
 * @title: tfrcsink
 * @see_also: tfrcsrc, tfrcencodebin, rtptfrcsend
 *
 * tfrcsink sends an RTP stream over UDP at the rate that TCP-friendly rate
 * control allows: TFRC (RFC 5348) or, with mode=tfrc-sp, its variant for small
 * packets such as voice (RFC 4828). The data receiver, a #tfrcsrc, measures losses
 * and the receive rate, and reports them by RTCP. The packets are paced; a packet
 * that has waited longer than #GstRtpTfrcSend:max-queue-time is dropped.
 *
 * Like other sinks, tfrcsink reaches PAUSED when its first packet has come, or in a live
 * pipeline PLAYING (#GstTfrcSink:async), and it sends no RTP before PLAYING. STREAM_START is
 * posted when a stream begins, and EOS when the last packet has left.
 *
 * An encoder learns what it may use from the upstream event
 * application/x-tfrc-rate (see #rtptfrcsend), an application from the property
 * #GstRtpTfrcSend:allowed-bitrate, which is notified.
 *
 * RTP and RTCP share one port unless #GstTfrcEnd:rtcp-mux is FALSE. RTCP is
 * accepted from the host that RTP is sent to and from no other; with rtcp-mux, from
 * that port alone. With #GstTfrcEnd:dtls, or with a #GstTfrcEnd:srtp-key, RTP and
 * RTCP are encrypted and authenticated.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004
 * ]| A voice call to port 5004 of this machine.
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true ! audioconvert ! opusenc ! rtpopuspay ! tfrcsink uri="tfrc://127.0.0.1:5004"
 * ]| The same with stock elements; the encoder does not adapt.
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 ! tfrcdecodebin ! autoaudiosink
 * ]| The receiver.
 *
 * ## Messages
 *
 * With #GstTfrcEnd:dtls, tfrcsink posts an element message with a structure
 * application/x-tfrc-peer whenever there are new keys. The field `state` (string) is
 * `encrypted`, and `fingerprint` (string) has that of the data receiver's certificate.
 *
 * Since: 0.1
 */
#include "transport/gsttfrcsink.h"

#include "base/messages.h"
#include "base/propertymutability.h"
#include "base/tfrccaps.h"
#include "filter/encoderallowance.h"
#include "transport/endproperties.h"
#include "transport/gsocketsetup.h"
#include "transport/hostlookup.h"
#include "transport/preroll.h"
#include "transport/tfrcuri.h"

GST_DEBUG_CATEGORY_STATIC (tfrcsink_debug);
#define GST_CAT_DEFAULT tfrcsink_debug

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT 5004
#define DEFAULT_BIND_PORT 0

enum
{
  PROP_HOST = GST_TFRC_END_FIRST_PROP,
  PROP_PORT,
  PROP_BIND_ADDRESS,
  PROP_BIND_PORT,
  PROP_SYNC,
  PROP_URI,
  PROP_ASYNC,
  PROP_FILTER                   /* first of the properties of rtptfrcsend */
};

/* Properties of rtptfrcsend that tfrcsink has as well. */
static const gchar *const filter_properties[] = {
  "mode", "mtu", "header-size", "extension-id",
  "feedback-fmt", "min-bitrate", "max-bitrate", "max-queue-time",
  "max-queue-packets", "context", "experimental", "circuit-breaker",
  "max-loss", "initial-rtt", "connection",
  "allowed-bitrate", "allowed-packet-size", "max-packet-rate",
  "allowed-rate", "loss-event-rate", "round-trip-time", "suspended", NULL
};

/* The same of tfrcbin. */
static const gchar *const call_properties[] = { "ecn", NULL };

struct _GstTfrcSink
{
  GstTfrcEnd parent;

  /* under the object lock */
  gchar *host, *bind_address;
  guint port, bind_port;
  gchar *used_host;             /* host and port that packets are sent to; NULL: no socket was open yet */
  guint used_port;

  gint async;                   /* atomic */
  gint has_ended;               /* atomic: EOS was posted */
  GstTfrcPreroll preroll;
  GstPadChainFunction pads_chain;       /* this and the next: of the peer's pads */
  GstPadEventFunction pads_event;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSink, gst_tfrc_sink, GST_TYPE_TFRC_END,
    GST_DEBUG_CATEGORY_INIT (tfrcsink_debug, "tfrcsink", 0, "TFRC sink"));
GST_ELEMENT_REGISTER_DEFINE (tfrcsink, "tfrcsink", GST_RANK_PRIMARY,
    GST_TYPE_TFRC_SINK);

/* --- addresses and sockets --- */

/* The host and port that are set are those in use. */
static void
note_used (GstTfrcSink * self)
{
  GST_OBJECT_LOCK (self);
  g_free (self->used_host);
  self->used_host = g_strdup (self->host);
  self->used_port = self->port;
  GST_OBJECT_UNLOCK (self);
}

/* RTCP goes to the port of RTP or, without rtcp-mux, to the port after it. */
static gboolean
set_remote (GstTfrcSink * self, GSocketAddress * destination, gboolean apart,
    GstTfrcEndPortSettings * settings)
{
  gst_tfrc_udp_address_from_object (&settings->remote, destination);
  if (!apart)
    return TRUE;
  if (settings->remote.port == G_MAXUINT16) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("RTCP needs the port after %u, and there is none. Set the property "
            "\"port\" to another or \"rtcp-mux\" to true.",
            settings->remote.port), (NULL));
    return FALSE;
  }
  settings->rtcp_remote = settings->remote;
  settings->rtcp_remote.port++;
  return TRUE;
}

static gboolean
open_to (GstTfrcSink * self, GSocketAddress * destination, gboolean apart,
    GstTfrcEndPortSettings * settings)
{
  GInetAddress *address = g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (destination));

  if (g_inet_address_get_is_multicast (address)) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("%s is a multicast address; TFRC controls flows from one sender to "
            "one receiver. Set the property \"host\" to a unicast address.",
            self->host), (NULL));
    return FALSE;
  }
  GST_INFO_OBJECT (self, "sending RTP to %s, port %u", self->host, self->port);
  return set_remote (self, destination, apart, settings) &&
      gst_tfrc_gsocket_open (GST_ELEMENT (self), "bind-address",
      self->bind_address, g_inet_address_get_family (address), "bind-port",
      self->bind_port, apart, settings->sockets);
}

static gboolean
gst_tfrc_sink_open (GstTfrcEnd * end, gboolean apart,
    GstTfrcEndPortSettings * settings)
{
  GstTfrcSink *self = GST_TFRC_SINK (end);
  GSocketAddress *destination = gst_tfrc_gsocket_resolve (GST_ELEMENT (end),
      "host", self->host, self->port);
  gboolean opened;

  if (destination == NULL)
    return FALSE;
  opened = open_to (self, destination, apart, settings);
  g_object_unref (destination);
  if (opened)
    note_used (self);
  return opened;
}

/* --- another remote while the socket is open --- */

/* Why the host cannot be sent to, as a sentence; NULL: packets go there from now on. */
static gchar *
move (GstTfrcSink * self, const gchar * host, guint port)
{
  GstTfrcEnd *end = GST_TFRC_END (self);
  GstTfrcUdpAddress remote, rtcp_remote = { {0} };

  if (host == NULL || !gst_tfrc_host_port_resolve (host, port, &remote))
    return g_strdup_printf ("The host \"%s\" cannot be found.",
        GST_STR_NULL (host));
  if (gst_tfrc_udp_address_is_multicast (&remote))
    return g_strdup_printf ("%s is a multicast address.", host);
  if (gst_tfrc_end_has_rtcp_socket (end)) {
    if (port == G_MAXUINT16)
      return g_strdup ("RTCP needs the port after 65535, and there is none.");
    rtcp_remote = remote;
    rtcp_remote.port++;
  }
  if (!gst_tfrc_end_move (end, &remote, &rtcp_remote))
    return g_strdup_printf ("%s is not of the family of addresses (IPv4, IPv6) "
        "that the socket was opened for. Change it in the state NULL.", host);
  return NULL;
}

static void
keep_remote (GstTfrcSink * self, const gchar * reason)
{
  GST_OBJECT_LOCK (self);
  g_free (self->host);
  self->host = g_strdup (self->used_host);
  self->port = self->used_port;
  GST_OBJECT_UNLOCK (self);
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
      ("%s The properties \"host\" and \"port\" keep their values.", reason),
      (NULL));
}

/* The properties have changed. */
static void
follow_remote (GstTfrcSink * self)
{
  gchar *host, *error;
  gboolean changed;
  guint port;

  GST_OBJECT_LOCK (self);
  host = g_strdup (self->host);
  port = self->port;
  changed = g_strcmp0 (host, self->used_host) != 0 || port != self->used_port;
  GST_OBJECT_UNLOCK (self);
  if (changed && gst_tfrc_end_is_open (GST_TFRC_END (self))) {
    error = move (self, host, port);
    if (error != NULL)
      keep_remote (self, error);
    else
      note_used (self);
    if (error == NULL)
      GST_INFO_OBJECT (self, "sending RTP to %s, port %u from now on", host,
          port);
    g_free (error);
  }
  g_free (host);
}

/* Called once for all properties of one g_object_set(), so that host and port change together. What was set is notified
 * after that, with the values that are in use. */
static void
gst_tfrc_sink_dispatch_properties_changed (GObject * object, guint n,
    GParamSpec ** specs)
{
  gboolean moved = FALSE;
  guint i;

  for (i = 0; i < n; i++)
    moved |= g_str_equal (specs[i]->name, "host")
        || g_str_equal (specs[i]->name, "port");
  if (moved)
    follow_remote (GST_TFRC_SINK (object));
  G_OBJECT_CLASS (gst_tfrc_sink_parent_class)->dispatch_properties_changed
      (object, n, specs);
}

/* --- what the peer tells --- */

static void
post_eos (GstElement * element)
{
  gst_element_post_message (element,
      gst_message_new_eos (GST_OBJECT (element)));
}

/* The BYE leaves with the last packet, before EOS is posted: an application that stops the
 * pipeline at EOS does not prevent it. */
static gboolean
gst_tfrc_sink_on_message (GstTfrcEnd * end, const gchar * name,
    const GstStructure * s)
{
  if (g_str_equal (name, GST_TFRC_CONNECTION_MESSAGE))
    g_object_notify (G_OBJECT (end), "connection");
  if (!g_str_equal (name, GST_TFRC_PEER_MESSAGE))
    return FALSE;
  if (g_str_equal (gst_structure_get_string (s, "state"), "drained")) {
    gst_tfrc_end_flush (end);
    g_atomic_int_set (&GST_TFRC_SINK (end)->has_ended, TRUE);
    post_eos (GST_ELEMENT (end));
  }
  return TRUE;
}

static void
on_rate (GstTfrcPeerPads * pads, gpointer data)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);
  GstTfrcRate before, rate;

  if (peer == NULL)
    return;
  gst_tfrc_peer_take_rate_change (peer, &before, &rate);
  gst_tfrc_peer_unref (peer);
  gst_tfrc_allowance_properties_notify (GST_ELEMENT (data), &before, &rate);
}

static void
begin_playing (GstElement * element)
{
  GST_ELEMENT_CLASS (gst_tfrc_sink_parent_class)->change_state (element,
      GST_STATE_CHANGE_PAUSED_TO_PLAYING);
}

static void
end_playing (GstElement * element)
{
  GST_ELEMENT_CLASS (gst_tfrc_sink_parent_class)->change_state (element,
      GST_STATE_CHANGE_PLAYING_TO_PAUSED);
}

static void
commit (GstTfrcSink * self, GstPad * pad)
{
  gst_tfrc_preroll_commit (&self->preroll, pad, GST_ELEMENT (self),
      begin_playing);
}

static GstFlowReturn
sink_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcSink *self = GST_TFRC_SINK (parent);

  commit (self, pad);
  return self->pads_chain (pad, parent, buffer);
}

/* FALSE: TFRC was not agreed on in the caps. */
static gboolean
accept_caps (GstTfrcSink * self, GstEvent * event)
{
  GstCaps *caps;
  gint mode;

  GST_OBJECT_LOCK (self);
  mode = gst_tfrc_end_get_options (GST_TFRC_END (self))->filter.mode;
  GST_OBJECT_UNLOCK (self);
  gst_event_parse_caps (event, &caps);
  return gst_tfrc_caps_judge (caps, mode, GST_ELEMENT (self));
}

static void
post_stream_start (GstElement * element, GstEvent * event)
{
  guint group_id;
  gboolean has_group = gst_event_parse_group_id (event, &group_id);

  gst_tfrc_stream_start_post (element, gst_event_get_seqnum (event),
      has_group ? &group_id : NULL);
}

/* The running time begins anew, and so do the pipeline's times (GstBaseSink does the same). */
static void
post_reset_time (GstElement * element, GstEvent * flush_stop)
{
  gboolean resets;

  gst_event_parse_flush_stop (flush_stop, &resets);
  if (resets)
    gst_element_post_message (element,
        gst_message_new_reset_time (GST_OBJECT (element), 0));
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcSink *self = GST_TFRC_SINK (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      if (!accept_caps (self, event)) {
        gst_event_unref (event);
        return FALSE;
      }
      break;
    case GST_EVENT_STREAM_START:
      g_atomic_int_set (&self->has_ended, FALSE);
      post_stream_start (GST_ELEMENT (self), event);
      break;
    case GST_EVENT_FLUSH_START:
      if (g_atomic_int_get (&self->async))
        gst_tfrc_preroll_lose (&self->preroll, GST_ELEMENT (self), end_playing);
      break;
    case GST_EVENT_FLUSH_STOP:
      g_atomic_int_set (&self->has_ended, FALSE);
      post_reset_time (GST_ELEMENT (self), event);
      break;
    case GST_EVENT_EOS:
    case GST_EVENT_GAP:
      commit (self, pad);
      break;
    default:
      break;
  }
  return self->pads_event (pad, parent, event);
}

/* What an application sends to the pipeline, such as a seek, goes to the elements before this one. */
static gboolean
gst_tfrc_sink_send_event (GstElement * element, GstEvent * event)
{
  GstPad *pad;
  gboolean ret;

  if (!GST_EVENT_IS_UPSTREAM (event))
    return GST_ELEMENT_CLASS (gst_tfrc_sink_parent_class)->send_event (element,
        event);
  pad = gst_element_get_static_pad (element, "sink");
  ret = gst_pad_push_event (pad, event);
  gst_object_unref (pad);
  return ret;
}

static GstStructure *
gst_tfrc_sink_make_stats (GstTfrcEnd * end, GstTfrcPeer * peer,
    const GstTfrcEndPortStats * port)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-sender-stats");

  gst_tfrc_peer_add_sender_stats (peer, stats);
  return stats;
}

/* --- states --- */

static GstStateChangeReturn
gst_tfrc_sink_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcSink *self = GST_TFRC_SINK (element);
  gboolean prerolls = transition == GST_STATE_CHANGE_READY_TO_PAUSED
      && g_atomic_int_get (&self->async);
  GstStateChangeReturn ret;

  if (prerolls)
    gst_tfrc_preroll_begin (&self->preroll, element);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING
      || transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    gst_tfrc_preroll_settle (&self->preroll);
  ret = GST_ELEMENT_CLASS (gst_tfrc_sink_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || ret == GST_STATE_CHANGE_FAILURE)
    gst_tfrc_preroll_cancel (&self->preroll, element);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    g_atomic_int_set (&self->has_ended, FALSE);
  /* a pipeline in PAUSED forgets which of its sinks have ended */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING
      && g_atomic_int_get (&self->has_ended))
    post_eos (element);
  return prerolls && ret == GST_STATE_CHANGE_SUCCESS ?
      GST_STATE_CHANGE_ASYNC : ret;
}

/* --- properties --- */

static void
set_string (gchar ** string, const GValue * value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
}

static void
gst_tfrc_sink_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  switch (id) {
    case PROP_HOST:
      GST_OBJECT_LOCK (self);
      set_string (&self->host, value);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_PORT:
      self->port = g_value_get_uint (value);
      break;
    case PROP_BIND_ADDRESS:
      GST_OBJECT_LOCK (self);
      set_string (&self->bind_address, value);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_BIND_PORT:
      self->bind_port = g_value_get_uint (value);
      break;
    case PROP_URI:
      gst_tfrc_end_set_uri (GST_TFRC_END (self), g_value_get_string (value));
      break;
    case PROP_ASYNC:
      g_atomic_int_set (&self->async, g_value_get_boolean (value));
      break;
    default:
      if (!gst_tfrc_end_set_option (GST_TFRC_END (self),
              g_param_spec_get_name (pspec), value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

/* A property that the engine has the value of. */
static gboolean
get_reading (GstTfrcSink * self, const gchar * name, GValue * value)
{
  GstTfrcPeer *peer = gst_tfrc_end_get_peer (GST_TFRC_END (self));
  GstTfrcRemoteLivenessState state = GST_TFRC_REMOTE_LIVENESS_WAITING;
  GstTfrcRate rate = { 0 };
  gboolean is_connection = g_str_equal (name, "connection");

  if (peer != NULL) {
    gst_tfrc_peer_get_rate (peer, &rate);
    state = gst_tfrc_peer_get_connection (peer);
    gst_tfrc_peer_unref (peer);
  }
  if (is_connection)
    g_value_set_enum (value, state);
  return is_connection || gst_tfrc_allowance_properties_get (&rate,
      gst_tfrc_allowance_properties_find (name), value);
}

static void
gst_tfrc_sink_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);
  const gchar *name = g_param_spec_get_name (pspec);

  switch (id) {
    case PROP_HOST:
      GST_OBJECT_LOCK (self);
      g_value_set_string (value, self->host);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_PORT:
      g_value_set_uint (value, self->port);
      break;
    case PROP_BIND_ADDRESS:
      GST_OBJECT_LOCK (self);
      g_value_set_string (value, self->bind_address);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_BIND_PORT:
      g_value_set_uint (value, self->bind_port);
      break;
    case PROP_URI:
      g_value_take_string (value, gst_tfrc_uri_from (object, "host"));
      break;
    case PROP_ASYNC:
      g_value_set_boolean (value, g_atomic_int_get (&self->async));
      break;
    default:
      if (!gst_tfrc_end_get_option (GST_TFRC_END (self), name, value) &&
          !get_reading (self, name, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_tfrc_sink_finalize (GObject * object)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);

  g_free (self->host);
  g_free (self->used_host);
  g_free (self->bind_address);
  gst_tfrc_preroll_clear (&self->preroll);
  G_OBJECT_CLASS (gst_tfrc_sink_parent_class)->finalize (object);
}

/* The sockets open on the way to READY: what they are opened with can be changed in NULL alone. */
#define IN_NULL (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define READY (IN_NULL | GST_PARAM_MUTABLE_READY)
#define PLAYING (IN_NULL | GST_PARAM_MUTABLE_PLAYING)

static void
install_properties (GObjectClass * klass)
{
  guint next;

  /**
   * GstTfrcSink:host:
   *
   * Host name or IP address to send to. A name is resolved when the element
   * goes to READY. A multicast address is an error: TFRC controls the flow
   * from one sender to one receiver.
   *
   * It may be changed at any time, as after a re-INVITE of SIP: packets go to the new remote from then on, in
   * slow start, with neither R nor p, as RFC 5348 4.2 has it for a new path. Set #GstTfrcSink:port with the
   * same g_object_set(), and both are one change. With DTLS a new handshake begins; until it is over, packets are
   * encrypted with the keys that were in use. A host that cannot be used is a warning, and the old one stays. A name
   * is resolved in the thread that sets it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_HOST,
      g_param_spec_string ("host", "Host",
          "Host name or IP address to send to", DEFAULT_HOST, PLAYING));
  /**
   * GstTfrcSink:port:
   *
   * UDP port to send to; without rtcp-mux RTCP goes to the next one. 5004 is
   * the default port of RTP (RFC 3551 8). It may be changed at any time, as
   * #GstTfrcSink:host.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port",
          "UDP port to send to; without rtcp-mux RTCP goes to the next one", 1,
          G_MAXUINT16, DEFAULT_PORT, PLAYING));
  /**
   * GstTfrcSink:bind-address:
   *
   * Local address to send from (not set: any).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BIND_ADDRESS,
      g_param_spec_string ("bind-address", "Bind address",
          "Local address to send from (not set: any)", NULL, IN_NULL));
  /**
   * GstTfrcSink:bind-port:
   *
   * Local UDP port to send from (0: any that is free).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BIND_PORT,
      g_param_spec_uint ("bind-port", "Bind port",
          "Local UDP port to send from (0: any that is free)", 0, G_MAXUINT16,
          DEFAULT_BIND_PORT, IN_NULL));
  /**
   * GstTfrcSink:sync:
   *
   * Wait for the running time of each packet, so that files go out at their
   * own pace; input that is live is not delayed by it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_SYNC,
      g_param_spec_boolean ("sync", "Sync",
          "Wait for the running time of each packet, so that files go out at "
          "their own pace; input that is live is not delayed by it",
          TRUE, READY));
  /**
   * GstTfrcSink:uri:
   *
   * tfrc://host:port?property=value&property=value, for example
   * tfrc://192.0.2.1:5004?mode=tfrc-sp. Every property but the keys can be
   * part of a URI, which shows in logs. Each property of it can be changed in the states in which it can be changed
   * by itself.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_URI,
      g_param_spec_string ("uri", "URI",
          "tfrc://host:port?property=value&property=value, for example "
          "tfrc://192.0.2.1:5004?mode=tfrc-sp", NULL, PLAYING));
  /**
   * GstTfrcSink:async:
   *
   * Wait in PAUSED for the first packet, as other sinks do. An application
   * that plays the pipeline before it has packets, and waits for PLAYING, sets
   * it to FALSE.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ASYNC,
      g_param_spec_boolean ("async", "Async",
          "Wait in PAUSED for the first packet, as other sinks do", TRUE,
          READY));
  next = gst_tfrc_child_properties_install (klass, PROP_FILTER, "rtptfrcsend",
      filter_properties, 0);
  /* the thread of the context opens the sockets */
  g_object_class_find_property (klass, "context")->flags &=
      ~GST_PARAM_MUTABLE_READY;
  gst_tfrc_child_properties_install (klass, next, "tfrcbin", call_properties,
      0);
}

static void
gst_tfrc_sink_class_init (GstTfrcSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstTfrcEndClass *end_class = GST_TFRC_END_CLASS (klass);

  object_class->set_property = gst_tfrc_sink_set_property;
  object_class->get_property = gst_tfrc_sink_get_property;
  object_class->finalize = gst_tfrc_sink_finalize;
  object_class->dispatch_properties_changed =
      gst_tfrc_sink_dispatch_properties_changed;
  element_class->change_state = gst_tfrc_sink_change_state;
  element_class->send_event = gst_tfrc_sink_send_event;
  end_class->host_name = "host";
  end_class->open = gst_tfrc_sink_open;
  end_class->on_message = gst_tfrc_sink_on_message;
  end_class->make_stats = gst_tfrc_sink_make_stats;

  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_set_static_metadata (element_class, "TFRC sink",
      "Sink/Network/RTP",
      "Sends RTP over UDP with TCP-friendly rate control (RFC 5348, RFC 4828)",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_tfrc_sink_init (GstTfrcSink * self)
{
  GstTfrcPeerPadsOwner *owner = gst_tfrc_end_get_owner (GST_TFRC_END (self));
  GstPad *pad = gst_pad_new_from_static_template (&sink_template, "sink");

  self->host = g_strdup (DEFAULT_HOST);
  self->port = DEFAULT_PORT;
  self->bind_port = DEFAULT_BIND_PORT;
  owner->on_rate = on_rate;
  owner->waits_for_playing = TRUE;
  gst_tfrc_peer_pads_take_sink (gst_tfrc_end_get_pads (GST_TFRC_END (self)),
      pad);
  self->async = TRUE;
  gst_tfrc_preroll_init (&self->preroll);
  self->pads_chain = GST_PAD_CHAINFUNC (pad);
  gst_pad_set_chain_function (pad, sink_chain);
  self->pads_event = GST_PAD_EVENTFUNC (pad);
  gst_pad_set_event_function (pad, sink_event);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
}
