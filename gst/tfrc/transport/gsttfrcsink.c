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
 * An encoder learns what it may use from the upstream event
 * application/x-tfrc-rate (see #rtptfrcsend), an application from the property
 * #GstRtpTfrcSend:allowed-bitrate, which is notified.
 *
 * RTP and RTCP share one port unless #GstTfrcBaseBin:rtcp-mux is FALSE. RTCP is
 * accepted from the host that RTP is sent to and from no other; with rtcp-mux, from
 * that port alone. With a #GstTfrcBaseBin:srtp-key RTP and RTCP are encrypted and
 * authenticated.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004 mode=tfrc-sp
 * ]| A voice call to port 5004 of this machine.
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true ! audioconvert ! opusenc ! rtpopuspay ! tfrcsink uri="tfrc://127.0.0.1:5004?mode=tfrc-sp"
 * ]| The same with stock elements; the encoder does not adapt.
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 mode=tfrc-sp ! tfrcdecodebin ! autoaudiosink
 * ]| The receiver.
 *
 * Since: 0.1
 */
#include "transport/gsttfrcsink.h"

#include "base/pads.h"
#include "transport/binproperties.h"
#include "transport/gsocket.h"
#include "transport/tfrcuri.h"

GST_DEBUG_CATEGORY_STATIC (tfrcsink_debug);
#define GST_CAT_DEFAULT tfrcsink_debug

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT 5004
#define DEFAULT_BIND_PORT 0
#define DEFAULT_SYNC TRUE

/* The longest time that EOS waits for the BYE, which the RTP session sends from a thread of
 * its own. */
#define BYE_TIMEOUT (500 * GST_MSECOND)

enum
{
  PROP_HOST = GST_TFRC_BASE_BIN_FIRST_PROP,
  PROP_PORT,
  PROP_BIND_ADDRESS,
  PROP_BIND_PORT,
  PROP_SYNC,
  PROP_URI,
  PROP_FILTER                   /* first of the properties of the filter */
};

/* Properties of rtptfrcsend that the bin has as well. */
static const gchar *const filter_properties[] = {
  "mode", "mtu", "header-size", "extension-id",
  "feedback-fmt", "min-bitrate", "max-bitrate", "max-queue-time",
  "max-queue-packets", "context", "experimental", "circuit-breaker",
  "max-loss", "connection",
  "allowed-bitrate", "allowed-packet-size", "max-packet-rate",
  "allowed-rate", "loss-event-rate", "round-trip-time", "suspended", NULL
};

struct _GstTfrcSink
{
  GstTfrcBaseBin parent;

  /* under the object lock */
  gchar *host, *bind_address;
  guint port, bind_port;
  GstMessage *eos;              /* the EOS message that waits for the BYE */
  gboolean bye_sent;
  GstClockID bye_timeout;

  GSocketAddress *destination;
  GstElement *udpsink;
  GstPad *filter_pad;           /* sink pad of the filter */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static void gst_tfrc_sink_uri_init (gpointer iface, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSink, gst_tfrc_sink,
    GST_TYPE_TFRC_BASE_BIN, G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER,
        gst_tfrc_sink_uri_init);
    GST_DEBUG_CATEGORY_INIT (tfrcsink_debug, "tfrcsink", 0, "TFRC sink"));
GST_ELEMENT_REGISTER_DEFINE (tfrcsink, "tfrcsink", GST_RANK_PRIMARY,
    GST_TYPE_TFRC_SINK);

/* Addresses and sockets. */

static gboolean
gst_tfrc_sink_open (GstTfrcBaseBin * bin)
{
  GstTfrcSink *self = GST_TFRC_SINK (bin);
  GstElement *element = GST_ELEMENT (bin);
  GstTfrcBaseBinParts *parts = gst_tfrc_base_bin_get_parts (bin);
  GInetAddress *address;

  g_clear_object (&self->destination);
  self->destination = gst_tfrc_gsocket_resolve (element, "host", self->host,
      self->port);
  if (self->destination == NULL)
    return FALSE;
  address = g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (self->destination));
  if (g_inet_address_get_is_multicast (address)) {
    GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
        ("%s is a multicast address; TFRC controls flows from one sender to "
            "one receiver. Set the property \"host\" to a unicast address.",
            self->host), (NULL));
    return FALSE;
  }
  return gst_tfrc_gsocket_open (element, "bind-address", self->bind_address,
      g_inet_address_get_family (address), "bind-port", self->bind_port,
      !parts->rtcp_mux, parts->sockets);
}

/* Sends RTCP to the port of RTP or, without rtcp-mux, to the port after it. */
static gboolean
set_rtcp_remote (GstTfrcSink * self, gboolean rtcp_mux)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (self->destination);
  guint port = g_inet_socket_address_get_port (inet);
  GSocketAddress *remote;

  if (!rtcp_mux && port == G_MAXUINT16) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("RTCP needs the port after %u, and there is none. Set the property "
            "\"port\" to another or \"rtcp-mux\" to true.", port), (NULL));
    return FALSE;
  }
  remote = gst_tfrc_gsocket_address_with_port (self->destination,
      rtcp_mux ? port : port + 1);
  gst_tfrc_base_bin_set_rtcp_remote (GST_TFRC_BASE_BIN (self), remote);
  g_object_unref (remote);
  return TRUE;
}

/* Probe in front of srtpenc that hands flush events to the udpsink. A flush would reset
 * srtpenc, which would then use its key stream a second time. */
static GstPadProbeReturn
on_flush (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstElement *udpsink = user_data;
  GstPad *sink = gst_element_get_static_pad (udpsink, "sink");

  gst_pad_send_event (sink, gst_event_ref (GST_PAD_PROBE_INFO_EVENT (info)));
  gst_object_unref (sink);
  return GST_PAD_PROBE_DROP;
}

static gboolean
link_through_srtp (GstTfrcSink * self, GstTfrcBaseBinParts * parts)
{
  GstElement *bin = GST_ELEMENT (self);
  GstPad *in;

  if (!gst_tfrc_bin_pads_link_named (bin, parts->session, "send_rtp_src",
          parts->srtpenc, "rtp_sink_0")
      || !gst_tfrc_bin_pads_link_named (bin, parts->srtpenc, "rtp_src_0",
          self->udpsink, "sink"))
    return FALSE;
  in = gst_element_get_static_pad (parts->srtpenc, "rtp_sink_0");
  gst_pad_add_probe (in, GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_flush,
      self->udpsink, NULL);
  gst_object_unref (in);
  return TRUE;
}

static gboolean
link_rtp (GstTfrcSink * self, GstTfrcBaseBinParts * parts)
{
  GstElement *bin = GST_ELEMENT (self);

  if (!gst_tfrc_bin_pads_link_named (bin, parts->filter, "src", parts->session,
          "send_rtp_sink"))
    return FALSE;
  return parts->srtpenc != NULL ? link_through_srtp (self, parts) :
      gst_tfrc_bin_pads_link_named (bin, parts->session, "send_rtp_src",
      self->udpsink, "sink");
}

/*
 *        .-------------.   .------------.   .---------.   .---------.
 * sink > | rtptfrcsend | > | rtpsession | > | srtpenc | > | udpsink |
 *        '-------------'   '------------'   '---------'   '---------'
 *                                ^ RTCP: see transport/gsttfrcbasebin.c
 *
 * Packets wait in rtptfrcsend and nowhere behind it.
 */
static gboolean
gst_tfrc_sink_build (GstTfrcBaseBin * bin)
{
  GstTfrcSink *self = GST_TFRC_SINK (bin);
  GstTfrcBaseBinParts *parts = gst_tfrc_base_bin_get_parts (bin);
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (self->destination);
  gchar *host;

  self->udpsink = gst_tfrc_base_bin_add_udpsink (bin, "udpsink", "rtp-udpsink",
      parts->sockets[0]);
  if (self->udpsink == NULL)
    return FALSE;
  host = g_inet_address_to_string (g_inet_socket_address_get_address (inet));
  g_object_set (self->udpsink, "host", host,
      "port", (gint) g_inet_socket_address_get_port (inet), NULL);
  GST_INFO_OBJECT (self, "sending RTP to %s, port %u", host,
      g_inet_socket_address_get_port (inet));
  g_free (host);
  return set_rtcp_remote (self, parts->rtcp_mux) && link_rtp (self, parts);
}

static void
gst_tfrc_sink_closed (GstTfrcBaseBin * bin)
{
  GstTfrcSink *self = GST_TFRC_SINK (bin);

  self->udpsink = NULL;
  g_clear_object (&self->destination);
}

/* EOS and BYE. The RTP session sends a BYE after EOS, but not at once. The EOS message waits
 * for the BYE, because an application that stops the pipeline at EOS would prevent it. */

static void
forward_eos (GstTfrcSink * self)
{
  GstMessage *eos;

  GST_OBJECT_LOCK (self);
  eos = g_steal_pointer (&self->eos);
  GST_OBJECT_UNLOCK (self);
  if (eos != NULL)
    GST_BIN_CLASS (gst_tfrc_sink_parent_class)->handle_message (GST_BIN (self),
        eos);
}

static gboolean
on_bye_timeout (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer user_data)
{
  GST_DEBUG_OBJECT (user_data, "EOS is posted without a BYE");
  forward_eos (user_data);
  return TRUE;
}

static void
gst_tfrc_sink_bye_sent (GstTfrcBaseBin * bin)
{
  GstTfrcSink *self = GST_TFRC_SINK (bin);

  GST_OBJECT_LOCK (self);
  self->bye_sent = TRUE;
  GST_OBJECT_UNLOCK (self);
  forward_eos (self);
}

/* Keeps the message until the BYE has been sent. Returns FALSE when there is no need to, and
 * the message is the caller's. */
static gboolean
delay_eos (GstTfrcSink * self, GstMessage * message)
{
  GstClock *clock;
  GstClockID id;

  clock = gst_system_clock_obtain ();
  id = gst_clock_new_single_shot_id (clock, gst_clock_get_time (clock) +
      BYE_TIMEOUT);
  gst_object_unref (clock);
  GST_OBJECT_LOCK (self);
  if (self->bye_sent || self->eos != NULL) {
    GST_OBJECT_UNLOCK (self);
    gst_clock_id_unref (id);
    return FALSE;
  }
  self->eos = message;
  g_clear_pointer (&self->bye_timeout, gst_clock_id_unref);
  self->bye_timeout = gst_clock_id_ref (id);
  GST_OBJECT_UNLOCK (self);
  gst_clock_id_wait_async (id, on_bye_timeout, gst_object_ref (self),
      gst_object_unref);
  gst_clock_id_unref (id);
  return TRUE;
}

static void
gst_tfrc_sink_handle_message (GstBin * bin, GstMessage * message)
{
  GstTfrcSink *self = GST_TFRC_SINK (bin);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS &&
      GST_MESSAGE_SRC (message) == GST_OBJECT (self->udpsink) &&
      delay_eos (self, message))
    return;
  GST_BIN_CLASS (gst_tfrc_sink_parent_class)->handle_message (bin, message);
}

static void
forget_eos (GstTfrcSink * self)
{
  GstMessage *eos;
  GstClockID id;

  GST_OBJECT_LOCK (self);
  eos = g_steal_pointer (&self->eos);
  id = g_steal_pointer (&self->bye_timeout);
  self->bye_sent = FALSE;
  GST_OBJECT_UNLOCK (self);
  gst_clear_message (&eos);
  if (id != NULL) {
    gst_clock_id_unschedule (id);
    gst_clock_id_unref (id);
  }
}

static GstStateChangeReturn
gst_tfrc_sink_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcSink *self = GST_TFRC_SINK (element);
  GstStateChangeReturn ret;

  ret = GST_ELEMENT_CLASS (gst_tfrc_sink_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    forget_eos (self);
  /* The udpsrc of RTCP is a live source and makes the bin say NO_PREROLL, but the pipeline
   * that the bin ends need not be live. */
  return ret == GST_STATE_CHANGE_NO_PREROLL ? GST_STATE_CHANGE_SUCCESS : ret;
}

/* Properties. */

static void
gst_tfrc_sink_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);
  GObject *filter = G_OBJECT (gst_tfrc_base_bin_get_parts
      (GST_TFRC_BASE_BIN (object))->filter);

  switch (id) {
    case PROP_HOST:
      GST_OBJECT_LOCK (self);
      g_free (self->host);
      self->host = g_value_dup_string (value);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_PORT:
      self->port = g_value_get_uint (value);
      break;
    case PROP_BIND_ADDRESS:
      GST_OBJECT_LOCK (self);
      g_free (self->bind_address);
      self->bind_address = g_value_dup_string (value);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_BIND_PORT:
      self->bind_port = g_value_get_uint (value);
      break;
    case PROP_SYNC:
      g_object_set_property (filter, "sync", value);
      break;
    case PROP_URI:
      gst_tfrc_base_bin_set_uri (GST_TFRC_BASE_BIN (self),
          g_value_get_string (value));
      break;
    default:
      g_object_set_property (filter, g_param_spec_get_name (pspec), value);
      break;
  }
}

static void
gst_tfrc_sink_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);
  GObject *filter = G_OBJECT (gst_tfrc_base_bin_get_parts
      (GST_TFRC_BASE_BIN (object))->filter);

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
    default:
      g_object_get_property (filter, g_param_spec_get_name (pspec), value);
      break;
  }
}

static void
gst_tfrc_sink_finalize (GObject * object)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);

  g_free (self->host);
  g_free (self->bind_address);
  g_clear_object (&self->destination);
  gst_clear_object (&self->filter_pad);
  G_OBJECT_CLASS (gst_tfrc_sink_parent_class)->finalize (object);
}

/* Calls the filter without the pad inside the ghost pad, which costs as much as an element. */
static GstFlowReturn
chain_in (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  return gst_pad_chain (GST_TFRC_SINK (parent)->filter_pad, buffer);
}

static GstFlowReturn
chain_list_in (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  return gst_pad_chain_list (GST_TFRC_SINK (parent)->filter_pad, list);
}

static void
gst_tfrc_sink_constructed (GObject * object)
{
  GstTfrcSink *self = GST_TFRC_SINK (object);
  GstElement *filter;
  GstPad *ghost;

  G_OBJECT_CLASS (gst_tfrc_sink_parent_class)->constructed (object);
  filter = gst_tfrc_base_bin_get_parts (GST_TFRC_BASE_BIN (self))->filter;
  g_object_set (filter, "sync", DEFAULT_SYNC, NULL);
  self->filter_pad = gst_element_get_static_pad (filter, "sink");
  ghost = gst_ghost_pad_new_from_template ("sink", self->filter_pad,
      gst_element_get_pad_template (GST_ELEMENT (self), "sink"));
  gst_pad_set_chain_function (ghost, chain_in);
  gst_pad_set_chain_list_function (ghost, chain_list_in);
  gst_element_add_pad (GST_ELEMENT (self), ghost);
  gst_tfrc_base_bin_plug (GST_TFRC_BASE_BIN (self));
}

static GstURIType
gst_tfrc_sink_uri_get_type (GType type)
{
  return GST_URI_SINK;
}

static const gchar *const *
gst_tfrc_sink_uri_get_protocols (GType type)
{
  static const gchar *const protocols[] = { GST_TFRC_URI_SCHEME, NULL };

  return protocols;
}

static gchar *
gst_tfrc_sink_uri_get_uri (GstURIHandler * handler)
{
  return gst_tfrc_uri_from (G_OBJECT (handler), "host");
}

static gboolean
gst_tfrc_sink_uri_set_uri (GstURIHandler * handler, const gchar * uri,
    GError ** error)
{
  return gst_tfrc_uri_apply (G_OBJECT (handler), "host", uri, error);
}

static void
gst_tfrc_sink_uri_init (gpointer g_iface, gpointer data)
{
  GstURIHandlerInterface *iface = g_iface;

  iface->get_type = gst_tfrc_sink_uri_get_type;
  iface->get_protocols = gst_tfrc_sink_uri_get_protocols;
  iface->get_uri = gst_tfrc_sink_uri_get_uri;
  iface->set_uri = gst_tfrc_sink_uri_set_uri;
}

#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

static void
install_properties (GObjectClass * klass)
{
  /**
   * GstTfrcSink:host:
   *
   * Host name or IP address to send to. A name is resolved when the element
   * goes to READY. A multicast address is an error: TFRC controls the flow
   * from one sender to one receiver.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_HOST,
      g_param_spec_string ("host", "Host",
          "Host name or IP address to send to", DEFAULT_HOST, READY));
  /**
   * GstTfrcSink:port:
   *
   * UDP port to send to; without rtcp-mux RTCP goes to the next one. 5004 is
   * the default port of RTP (RFC 3551 8).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port",
          "UDP port to send to; without rtcp-mux RTCP goes to the next one", 1,
          G_MAXUINT16, DEFAULT_PORT, READY));
  /**
   * GstTfrcSink:bind-address:
   *
   * Local address to send from (not set: any).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BIND_ADDRESS,
      g_param_spec_string ("bind-address", "Bind address",
          "Local address to send from (not set: any)", NULL, READY));
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
          DEFAULT_BIND_PORT, READY));
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
          DEFAULT_SYNC, READY));
  /**
   * GstTfrcSink:uri:
   *
   * tfrc://host:port?property=value&property=value, for example
   * tfrc://192.0.2.1:5004?mode=tfrc-sp. Every property but the keys can be
   * part of a URI, which shows in logs.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_URI,
      g_param_spec_string ("uri", "URI",
          "tfrc://host:port?property=value&property=value, for example "
          "tfrc://192.0.2.1:5004?mode=tfrc-sp", NULL, READY));
  gst_tfrc_child_properties_install (klass, PROP_FILTER, "rtptfrcsend",
      filter_properties, 0);
}

static void
gst_tfrc_sink_class_init (GstTfrcSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstTfrcBaseBinClass *bin_class = GST_TFRC_BASE_BIN_CLASS (klass);

  object_class->set_property = gst_tfrc_sink_set_property;
  object_class->get_property = gst_tfrc_sink_get_property;
  object_class->constructed = gst_tfrc_sink_constructed;
  object_class->finalize = gst_tfrc_sink_finalize;
  element_class->change_state = gst_tfrc_sink_change_state;
  GST_BIN_CLASS (klass)->handle_message = gst_tfrc_sink_handle_message;
  bin_class->filter = "rtptfrcsend";
  bin_class->host_name = "host";
  bin_class->open = gst_tfrc_sink_open;
  bin_class->build = gst_tfrc_sink_build;
  bin_class->closed = gst_tfrc_sink_closed;
  bin_class->bye_sent = gst_tfrc_sink_bye_sent;

  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_set_static_metadata (element_class, "TFRC sink",
      "Sink/Network/RTP",
      "Sends RTP over UDP with TCP-friendly rate control (RFC 5348, RFC 4828)",
      "The gst-tfrc developers");
}

static void
gst_tfrc_sink_init (GstTfrcSink * self)
{
  self->host = g_strdup (DEFAULT_HOST);
  self->port = DEFAULT_PORT;
  self->bind_port = DEFAULT_BIND_PORT;
  gst_bin_set_suppressed_flags (GST_BIN (self),
      GST_ELEMENT_FLAG_SOURCE | GST_ELEMENT_FLAG_SINK);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
}
