/* gst-tfrc: element tfrcsrc, the data receiver's end of a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-tfrcsrc
 * @title: tfrcsrc
 * @see_also: tfrcsink, tfrcdecodebin, rtptfrcreceive
 *
 * tfrcsrc receives an RTP stream that a #tfrcsink sends, measures losses and the
 * receive rate by RFC 5348 (with mode=tfrc-sp, RFC 4828), and reports them by RTCP
 * to the host that the stream comes from. The stream passes a playout buffer of
 * #GstTfrcSrc:latency and leaves by one pad. Lost packets are announced by events
 * GstRTPPacketLost, so that a decoder can conceal them. A few threads, which all
 * elements tfrcsrc and tfrcbin of the process share, push what arrived, and decode it
 * where a decoder follows without a queue.
 *
 * tfrcsrc follows one data sender at a time. When that one has sent a BYE, or has
 * been silent for half a second, another data sender takes its place on the same pad,
 * so that a sender that was restarted is heard again. After a silence, one from
 * another address has to send packets in sequence first, and whoever lost its place
 * takes it back with its first packet. With #GstTfrcEnd:dtls, or with a
 * #GstTfrcEnd:srtp-key, only packets that are authentic count.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 ! tfrcdecodebin ! autoaudiosink
 * ]| Plays a voice call that comes to port 5004.
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 caps="application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96" ! rtpopusdepay ! opusdec ! autoaudiosink
 * ]| The same with stock elements.
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004
 * ]| The sender.
 *
 * ## Messages
 *
 * When the data sender that is followed sends a BYE, tfrcsrc posts an element message
 * with a structure application/x-tfrc-bye, which has the field `ssrc` (guint): the SSRC
 * of that sender. tfrcsrc does not end the stream, and follows the next data sender.
 *
 * With #GstTfrcEnd:dtls, a structure application/x-tfrc-peer tells that there are new
 * keys. The field `state` (string) is `encrypted`, and `fingerprint` (string) has that of
 * the data sender's certificate.
 *
 * Since: 0.1
 */
#include "transport/gsttfrcsrc.h"

#include "base/messages.h"
#include "base/propertymutability.h"
#include "codec/codectable.h"
#include "transport/endproperties.h"
#include "transport/gsocketsetup.h"
#include "transport/payloadcaps.h"
#include "transport/tfrcuri.h"

GST_DEBUG_CATEGORY_STATIC (tfrcsrc_debug);
#define GST_CAT_DEFAULT tfrcsrc_debug

#define DEFAULT_PORT 5004
#define DEFAULT_LATENCY 100
#define DEFAULT_MIN_LATENCY 10

enum
{
  PROP_ADDRESS = GST_TFRC_END_FIRST_PROP,
  PROP_PORT,
  PROP_CAPS,
  PROP_LATENCY,
  PROP_MIN_LATENCY,
  PROP_MAX_LATENCY,
  PROP_REMOTE_ADDRESS,
  PROP_CONTEXT,
  PROP_URI,
  PROP_FILTER                   /* first of the properties of rtptfrcreceive */
};

/* Properties of rtptfrcreceive that tfrcsrc has as well. */
static const gchar *const filter_properties[] = {
  "mode", "mtu", "header-size", "extension-id",
  "feedback-fmt", "experimental", "receive-rate", "loss-event-rate",
  "round-trip-time", NULL
};

/* The same of tfrcbin. */
static const gchar *const call_properties[] = { "ecn", NULL };

struct _GstTfrcSrc
{
  GstTfrcEnd parent;

  /* under the object lock */
  gchar *address, *remote;
  guint port;
  guint64 refused;              /* packets that the next element did not take */
  GstTfrcWarning refused_warning;

  GstCaps *peer_caps;           /* of the payload types; of the peer's settings */
  GstPad *srcpad;
};

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSrc, gst_tfrc_src, GST_TYPE_TFRC_END,
    GST_DEBUG_CATEGORY_INIT (tfrcsrc_debug, "tfrcsrc", 0, "TFRC source"));
GST_ELEMENT_REGISTER_DEFINE (tfrcsrc, "tfrcsrc", GST_RANK_PRIMARY,
    GST_TYPE_TFRC_SRC);

static gboolean
gst_tfrc_src_open (GstTfrcEnd * end, gboolean apart,
    GstTfrcEndPortSettings * settings)
{
  GstTfrcSrc *self = GST_TFRC_SRC (end);

  return gst_tfrc_gsocket_open (GST_ELEMENT (end), "address", self->address,
      G_SOCKET_FAMILY_INVALID, "port", self->port, apart, settings->sockets);
}

/* --- downstream --- */

/* Asks downstream which payload types it takes. */
static void
query_types (GstTfrcSrc * self)
{
  gint *refused = gst_tfrc_end_get_refused_types (GST_TFRC_END (self));
  guint type;

  for (type = 0; type < GST_TFRC_N_PAYLOAD_TYPES; type++) {
    GstCaps *caps = gst_tfrc_payload_caps_get (self->peer_caps, type);

    if (caps == NULL)
      continue;
    g_atomic_int_set (&refused[type],
        !gst_pad_peer_query_accept_caps (self->srcpad, caps));
    gst_caps_unref (caps);
  }
}

static void
on_reconfigure (GstTfrcPeerPads * pads, gpointer data)
{
  query_types (data);
}

/* Downstream that refuses caps which it had accepted, or that is not linked for a while, costs the
 * packets of that time and no more. Downstream that fails has posted an error. */
static void
on_pushed (GstTfrcPeerPads * pads, GstFlowReturn ret, gpointer data)
{
  GstTfrcSrc *self = data;

  if (ret >= GST_FLOW_OK || ret == GST_FLOW_FLUSHING || ret == GST_FLOW_EOS)
    return;
  GST_OBJECT_LOCK (self);
  self->refused++;
  GST_OBJECT_UNLOCK (self);
  if (ret == GST_FLOW_ERROR)
    return;
  gst_tfrc_warning_post (&self->refused_warning, GST_ELEMENT (self),
      GST_CORE_ERROR, GST_CORE_ERROR_PAD, "Packets are dropped: %s.",
      ret ==
      GST_FLOW_NOT_LINKED ? "nothing is linked behind tfrcsrc" :
      "the elements behind tfrcsrc do not take them");
}

static void
gst_tfrc_src_start (GstTfrcEnd * end, const GstTfrcPeerSettings * settings)
{
  GstTfrcSrc *self = GST_TFRC_SRC (end);

  gst_caps_replace (&self->peer_caps, settings->caps);
  GST_OBJECT_LOCK (self);
  self->refused = 0;
  self->refused_warning = (GstTfrcWarning) {FALSE};
  GST_OBJECT_UNLOCK (self);
  query_types (self);
}

/* --- what the peer tells --- */

/* Takes the text. */
static void
set_remote (GstTfrcSrc * self, gchar * remote)
{
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = g_strcmp0 (self->remote, remote) != 0;
  g_free (self->remote);
  self->remote = remote;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    g_object_notify (G_OBJECT (self), "remote-address");
}

static gboolean
gst_tfrc_src_on_message (GstTfrcEnd * end, const gchar * name,
    const GstStructure * s)
{
  if (g_str_equal (name, GST_TFRC_PEER_MESSAGE))
    set_remote (GST_TFRC_SRC (end), g_strdup (gst_structure_get_string (s,
                "address")));
  return !g_str_equal (name, GST_TFRC_BYE_MESSAGE);
}

static void
gst_tfrc_src_stopped (GstTfrcEnd * end)
{
  set_remote (GST_TFRC_SRC (end), NULL);
}

static GstStateChangeReturn
gst_tfrc_src_change_state (GstElement * element, GstStateChange transition)
{
  GstStateChangeReturn ret;

  ret = GST_ELEMENT_CLASS (gst_tfrc_src_parent_class)->change_state (element,
      transition);
  /* what arrives is live */
  if (ret == GST_STATE_CHANGE_SUCCESS && GST_STATE_TRANSITION_NEXT (transition)
      == GST_STATE_PAUSED)
    ret = GST_STATE_CHANGE_NO_PREROLL;
  return ret;
}

/* How long EOS may wait for what the next elements have not taken yet. */
#define EOS_PATIENCE (200 * GST_MSECOND)

/* An application ends a recording by EOS, which it sends to the pipeline. */
static gboolean
gst_tfrc_src_send_event (GstElement * element, GstEvent * event)
{
  GstTfrcPeer *peer;

  if (GST_EVENT_TYPE (event) != GST_EVENT_EOS)
    return GST_ELEMENT_CLASS (gst_tfrc_src_parent_class)->send_event (element,
        event);
  gst_event_unref (event);
  peer = gst_tfrc_end_get_peer (GST_TFRC_END (element));
  if (peer == NULL)
    return FALSE;
  GST_INFO_OBJECT (element, "EOS of the application");
  gst_tfrc_peer_finish (peer, EOS_PATIENCE);
  gst_tfrc_peer_unref (peer);
  return TRUE;
}

static GstStructure *
gst_tfrc_src_make_stats (GstTfrcEnd * end, GstTfrcPeer * peer,
    const GstTfrcEndPortStats * port)
{
  GstTfrcSrc *self = GST_TFRC_SRC (end);
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-receiver-stats");
  GstTfrcPeerDrops drops = { 0 };
  guint64 refused;

  if (peer != NULL)
    gst_tfrc_peer_get_drops (peer, &drops);
  GST_OBJECT_LOCK (self);
  refused = self->refused;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_peer_add_receiver_stats (peer, stats);
  gst_structure_set (stats, "ssrc", G_TYPE_UINT, port->ssrc,
      "source-changes", G_TYPE_UINT64, port->changes,
      "packets-of-others", G_TYPE_UINT64, port->others,
      "packets-refused", G_TYPE_UINT64, refused + drops.refused,
      "packets-unknown-payload", G_TYPE_UINT64, drops.unknown_payload,
      "playout-delay", G_TYPE_UINT64, drops.playout_delay,
      "playout-late", G_TYPE_UINT64, drops.playout_late,
      "playout-dropped", G_TYPE_UINT64, drops.playout_dropped,
      "playout-blocked", G_TYPE_UINT64, drops.playout_blocked, NULL);
  return stats;
}

/* --- properties --- */

static void
set_latency (GstTfrcSrc * self, const GValue * value)
{
  GstClockTime latency = g_value_get_uint (value) * GST_MSECOND;
  GstTfrcPeer *peer = gst_tfrc_end_get_peer (GST_TFRC_END (self));

  gst_tfrc_end_set_option (GST_TFRC_END (self), "latency", value);
  if (peer == NULL)
    return;
  if (gst_tfrc_peer_is_adaptive (peer)) {
    gst_tfrc_peer_unref (peer);
    return;
  }
  gst_tfrc_peer_set_latency (peer, latency);
  gst_tfrc_peer_unref (peer);
  gst_tfrc_peer_pads_set_latency (gst_tfrc_end_get_pads (GST_TFRC_END (self)),
      latency);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_latency (GST_OBJECT (self)));
}

static void
gst_tfrc_src_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSrc *self = GST_TFRC_SRC (object);

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  switch (id) {
    case PROP_ADDRESS:
      GST_OBJECT_LOCK (self);
      g_free (self->address);
      self->address = g_value_dup_string (value);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_PORT:
      self->port = g_value_get_uint (value);
      break;
    case PROP_LATENCY:
      set_latency (self, value);
      break;
    case PROP_URI:
      gst_tfrc_end_set_uri (GST_TFRC_END (self), g_value_get_string (value));
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
get_reading (GstTfrcSrc * self, const gchar * name, GValue * value)
{
  GstTfrcPeer *peer = gst_tfrc_end_get_peer (GST_TFRC_END (self));
  TfrcReceiverStats stats = { 0 };

  if (peer != NULL) {
    gst_tfrc_peer_get_receiver_stats (peer, &stats);
    gst_tfrc_peer_unref (peer);
  }
  if (g_str_equal (name, "receive-rate"))
    g_value_set_double (value, 8 * stats.X_recv);
  else if (g_str_equal (name, "loss-event-rate"))
    g_value_set_double (value, stats.p);
  else if (g_str_equal (name, "round-trip-time"))
    g_value_set_uint64 (value, stats.R * GST_SECOND);
  else
    return FALSE;
  return TRUE;
}

static void
gst_tfrc_src_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSrc *self = GST_TFRC_SRC (object);
  const gchar *name = g_param_spec_get_name (pspec);

  switch (id) {
    case PROP_ADDRESS:
      GST_OBJECT_LOCK (self);
      g_value_set_string (value, self->address);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_PORT:
      g_value_set_uint (value, self->port);
      break;
    case PROP_REMOTE_ADDRESS:
      GST_OBJECT_LOCK (self);
      g_value_set_string (value, self->remote);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_URI:
      g_value_take_string (value, gst_tfrc_uri_from (object, "address"));
      break;
    default:
      if (!gst_tfrc_end_get_option (GST_TFRC_END (self), name, value) &&
          !get_reading (self, name, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_tfrc_src_finalize (GObject * object)
{
  GstTfrcSrc *self = GST_TFRC_SRC (object);

  g_free (self->address);
  g_free (self->remote);
  gst_clear_caps (&self->peer_caps);
  G_OBJECT_CLASS (gst_tfrc_src_parent_class)->finalize (object);
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
   * GstTfrcSrc:address:
   *
   * Local address to receive on (not set: any, IPv4 and IPv6). It can be
   * changed in the state NULL.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ADDRESS,
      g_param_spec_string ("address", "Address",
          "Local address to receive on (not set: any, IPv4 and IPv6)", NULL,
          IN_NULL));
  /**
   * GstTfrcSrc:port:
   *
   * UDP port to receive on, without rtcp-mux RTCP on the next one (0: any that
   * is free). 5004 is the default port of RTP (RFC 3551 8). It can be changed in
   * the state NULL.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port",
          "UDP port to receive on, without rtcp-mux RTCP on the next one (0: "
          "any that is free)", 0, G_MAXUINT16, DEFAULT_PORT, IN_NULL));
  /**
   * GstTfrcSrc:caps:
   *
   * What arrives: one structure for each RTP payload type, each with its
   * clock-rate. Static payload types of RFC 3551 need none. The default has
   * the codecs that tfrcencodebin may send. TFRC's fields (extmap-3,
   * rtcp-fb-tfrc) are added where they are missing.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps",
          "What arrives: one structure for each RTP payload type, each with "
          "its clock-rate. Static payload types of RFC 3551 need none",
          GST_TYPE_CAPS, READY));
  /**
   * GstTfrcSrc:latency:
   *
   * How long the jitter buffer waits for late packets (ms). The default is
   * enough for the first redundant copy of a packet that tfrcencodebin sends
   * (#GstTfrcEncodeBin:copy-distance). The data sender is told, and lets packets
   * wait for their departure where they still come in time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LATENCY,
      g_param_spec_uint ("latency", "Latency",
          "How long the jitter buffer waits for late packets (ms)", 0,
          G_MAXUINT, DEFAULT_LATENCY, PLAYING));
  /**
   * GstTfrcSrc:min-latency:
   *
   * The least delay after which packets are played when max-latency is set (ms).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_LATENCY,
      g_param_spec_uint ("min-latency", "Min latency",
          "The least delay after which packets are played when max-latency is "
          "set (ms)", 0, 10000, DEFAULT_MIN_LATENCY, READY));
  /**
   * GstTfrcSrc:max-latency:
   *
   * Play packets after a delay that follows jitter and redundant copies, and is
   * at most this long (ms, 0: always after latency). As #GstTfrcBin:max-latency.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_LATENCY,
      g_param_spec_uint ("max-latency", "Max latency",
          "Play packets after a delay that follows jitter and redundant copies, "
          "and is at most this long (ms, 0: always after latency)", 0, 10000, 0,
          READY));
  /**
   * GstTfrcSrc:remote-address:
   *
   * Where the media come from, host:port (not set: nothing has come yet). The
   * property is notified when the data sender, or its address, changes.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_REMOTE_ADDRESS,
      g_param_spec_string ("remote-address", "Remote address",
          "Where the media come from, host:port (not set: nothing has come yet)",
          NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcSrc:context:
   *
   * Elements with the same name share one thread for their ports and timers
   * (empty: a thread of its own).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CONTEXT,
      g_param_spec_string ("context", "Context",
          "Elements with the same name share one thread for their ports and "
          "timers (empty: a thread of its own)", "", IN_NULL));
  /**
   * GstTfrcSrc:uri:
   *
   * tfrc://address:port?property=value&property=value, for example
   * tfrc://0.0.0.0:5004?mode=tfrc-sp. Every property but the keys can be part
   * of a URI, which shows in logs.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_URI,
      g_param_spec_string ("uri", "URI",
          "tfrc://address:port?property=value&property=value, for example "
          "tfrc://0.0.0.0:5004?mode=tfrc-sp", NULL, PLAYING));
  next =
      gst_tfrc_child_properties_install (klass, PROP_FILTER, "rtptfrcreceive",
      filter_properties, 0);
  gst_tfrc_child_properties_install (klass, next, "tfrcbin", call_properties,
      0);
}

static void
gst_tfrc_src_class_init (GstTfrcSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstTfrcEndClass *end_class = GST_TFRC_END_CLASS (klass);

  object_class->set_property = gst_tfrc_src_set_property;
  object_class->get_property = gst_tfrc_src_get_property;
  object_class->finalize = gst_tfrc_src_finalize;
  end_class->receives = TRUE;
  end_class->host_name = "address";
  end_class->open = gst_tfrc_src_open;
  end_class->start = gst_tfrc_src_start;
  end_class->stopped = gst_tfrc_src_stopped;
  end_class->on_message = gst_tfrc_src_on_message;
  end_class->make_stats = gst_tfrc_src_make_stats;

  install_properties (object_class);
  element_class->change_state = gst_tfrc_src_change_state;
  element_class->send_event = gst_tfrc_src_send_event;
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC source",
      "Source/Network/RTP",
      "Receives RTP over UDP and reports to the sender for TCP-friendly rate "
      "control (RFC 5348, RFC 4828)", "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_tfrc_src_init (GstTfrcSrc * self)
{
  GstTfrcPeerPadsOwner *owner = gst_tfrc_end_get_owner (GST_TFRC_END (self));

  self->port = DEFAULT_PORT;
  owner->on_pushed = on_pushed;
  owner->on_reconfigure = on_reconfigure;
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_tfrc_peer_pads_take_src (gst_tfrc_end_get_pads (GST_TFRC_END (self)),
      self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SOURCE);
}
