/* gst-tfrc: element tfrcbin, both directions of calls with any number of peers on one port
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-tfrcbin
 * @title: tfrcbin
 * @see_also: tfrcencodebin, tfrcdecodebin, tfrcsink, tfrcsrc
 *
 * tfrcbin makes calls: it sends RTP to any number of peers and receives RTP from them, by
 * one UDP port for RTP and RTCP of both directions (RFC 5761, RFC 4961). What is sent
 * to a peer follows TFRC (RFC 5348; with mode=tfrc-sp, RFC 4828), and what arrives is
 * measured and reported for the peer's TFRC.
 *
 * Each peer has a number. What comes into the request pad `send_sink_<number>` is sent to
 * the peer; the pad `recv_src_<number>` appears when the peer's first packet has come. The
 * property #GstTfrcBin:peer makes peer 0, the signal #GstTfrcBin::add-peer makes others, and
 * with #GstTfrcBin:accept=any whoever calls becomes a peer. Streams that are not live
 * go out at their own pace (#GstTfrcBin:sync). Events application/x-tfrc-rate say
 * upstream how much may be sent; tfrcencodebin follows them.
 *
 * What arrives passes a playout buffer of #GstTfrcBin:latency. Lost packets are announced by
 * events GstRTPPacketLost, so that a decoder can conceal them; packets have a
 * #GstReferenceTimestampMeta timestamp/x-ntp, the time of capture by the peer's clock. A few
 * threads, which all elements tfrcbin of the process share, push what arrived, and decode
 * it where a decoder follows without a queue. A peer whose downstream blocks loses
 * packets, which are counted, and holds up nobody else.
 *
 * With #GstTfrcBin:dtls, all calls are encrypted by keys that each call agrees on (DTLS-SRTP, RFC
 * 5764). Two people tell each other the #GstTfrcBin:fingerprint of their certificates on another way, and
 * each sets #GstTfrcBin:peer-fingerprint to that of the other. Nothing is sent or taken before the
 * certificate of the peer has that fingerprint.
 *
 * With keys of the application's, RTP and RTCP of a peer are encrypted too (SRTP, RFC 3711), and what is
 * not authentic has no effect. #GstTfrcBin:srtp-key is the key of what is sent to peer 0, #GstTfrcBin:srtp-remote-key
 * that of what it sends. Other peers have theirs by the options of #GstTfrcBin::add-peer.
 *
 * An application that does ICE (RFC 8445) takes and sends its STUN messages by the same port, with the signals
 * #GstTfrcBin::stun and #GstTfrcBin::send-stun.
 *
 * The signal #GstTfrcBin::forward sends what arrives from one peer to others without any pad.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 tfrcbin name=call port=5004 peer=127.0.0.1:5006 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! call.send_sink_0 call.recv_src_0 ! tfrcdecodebin ! autoaudiosink
 * ]| A two-way voice call.
 * |[
 * gst-launch-1.0 tfrcbin name=call port=5006 peer=127.0.0.1:5004 audiotestsrc is-live=true ! tfrcencodebin ! call.send_sink_0 call.recv_src_0 ! tfrcdecodebin ! autoaudiosink
 * ]| The other end of it.
 * |[
 * gst-launch-1.0 tfrcbin dtls=true certificate=alice.pem
 * ]| With the option -v of gst-launch-1.0, prints the fingerprint of the certificate in alice.pem, which is made when there is no such file.
 *
 * ## Messages
 *
 * When the connection of a peer changes, tfrcbin posts an element message with a structure
 * application/x-tfrc-connection, which has the fields `id` (guint), `state` (string), `silence`
 * (guint64, ns for which nothing of the peer had come), `address` (string, host:port) and
 * `label` (string). The states are `waiting` (nothing came yet), `connected` (RTP or RTCP of
 * the peer came), `lost` (none came for 5 s), `regained` (some came again) and `gone` (the
 * peer has sent a BYE, or nothing of it came for a minute, or it has called and nothing came in
 * the ten seconds after that). A peer that called is removed when it is gone; one that was added
 * stays. A structure application/x-tfrc-peer, with `id`, `address` and `label`, has the states
 * `moved` (the peer speaks from another port now), `drained` (all packets of a stream that
 * has ended have departed) and `encrypted` (there are new keys by DTLS; the field `fingerprint`
 * (string) has that of the peer's certificate). When #GstRtpTfrcSend:circuit-breaker changes what may be sent to a
 * peer, a structure application/x-tfrc-circuit-breaker has `id`, `address` and `label`, `state`
 * (string: `closed`, `reduced`, `paused`, `stopped`), `reason` (string: `rtcp-timeout`,
 * `media-timeout`, `congestion`, `usability`) and `max-bitrate` (guint64, bit/s of RTP packets).
 *
 * As a sink does, tfrcbin posts STREAM_START when a stream has begun at every pad send_sink, and EOS
 * when all of them have ended and their last packets have left.
 *
 * Since: 0.1
 */
#include "transport/gsttfrcbin.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/messages.h"
#include "base/propertymutability.h"
#include "transport/dtlsidentity.h"
#include "transport/peerlist.h"
#include "transport/hostlookup.h"
#include "transport/gsocketsetup.h"
#include "transport/tfrcbinstunsignals.h"

GST_DEBUG_CATEGORY_STATIC (tfrcbin_debug);
#define GST_CAT_DEFAULT tfrcbin_debug

#define DEFAULT_PORT 5004
#define DEFAULT_ACCEPT GST_TFRC_ACCEPT_KNOWN
#define DEFAULT_MAX_PEERS 1000
#define DEFAULT_THREADS 1
#define MAX_THREADS 64

enum
{
  PROP_ADDRESS = 1,
  PROP_PORT,
  PROP_LOCAL_PORT,
  PROP_CONTEXT,
  PROP_THREADS,
  PROP_PEER,
  PROP_ACCEPT,
  PROP_MAX_PEERS,
  PROP_STATS,
  PROP_STATS_JSON,
  PROP_DTLS,
  PROP_CERTIFICATE,
  PROP_FINGERPRINT,
  PROP_PEER_OPTIONS             /* as many as GST_TFRC_N_PEER_PROPS */
};

struct _GstTfrcBin
{
  GstElement parent;

  /* what properties are set to; under the object lock */
  gchar *address, *context, *first_peer;
  gboolean has_dtls;
  GstTfrcPeerOptions options;
  guint port, max_peers, threads;
  GstTfrcAccept accept;

  GstTfrcPeerList *peers;       /* does not change */
  GstTfrcBinStunSignals stun;
  GstTfrcDtlsIdentity identity; /* open from READY on, if has_dtls */
};

static GstStaticPadTemplate sink_template =
GST_STATIC_PAD_TEMPLATE ("send_sink_%u",
    GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template =
GST_STATIC_PAD_TEMPLATE ("recv_src_%u",
    GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcBin, gst_tfrc_bin, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (tfrcbin_debug, "tfrcbin", 0, "TFRC calls"));
GST_ELEMENT_REGISTER_DEFINE (tfrcbin, "tfrcbin", GST_RANK_NONE,
    GST_TYPE_TFRC_BIN);

static GType
gst_tfrc_accept_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_ACCEPT_NONE, "Peers at their own addresses only", "none"},
    {GST_TFRC_ACCEPT_KNOWN, "Peers from another port of their host, too",
        "known"},
    {GST_TFRC_ACCEPT_ANY, "Whoever calls becomes a peer", "any"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcAccept", values));
  return type;
}

/* --- peers come and go --- */

/* What a peer that is added has unless its options say otherwise: what the properties say, but
 * for the keys and the fingerprint, which are those of peer 0. */
static void
init_options (GstTfrcBin * self, GstTfrcPeerOptions * options)
{
  GST_OBJECT_LOCK (self);
  gst_tfrc_peer_options_copy (options, &self->options);
  options->has_dtls = self->has_dtls;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_srtp_settings_clear (&options->srtp);
  gst_tfrc_srtp_settings_init (&options->srtp);
  gst_tfrc_dtls_settings_clear (&options->dtls);
}

/* FALSE: a warning was posted. */
static gboolean
read_options (GstTfrcBin * self, GstTfrcPeerOptions * options,
    const GstStructure * fields)
{
  gchar *error = gst_tfrc_peer_options_read (options, G_OBJECT_GET_CLASS (self),
      fields);

  if (error == NULL)
    error = gst_tfrc_peer_options_check (options);
  if (error == NULL)
    return TRUE;
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
      ("A peer cannot be added. %s", error), (NULL));
  g_free (error);
  return FALSE;
}

static guint
add_peer (GstTfrcBin * self, const gchar * host, guint port,
    const GstTfrcPeerOptions * options)
{
  GstTfrcUdpAddress address;
  guint id;

  if (host == NULL || !gst_tfrc_host_port_resolve (host, port, &address)) {
    GST_WARNING_OBJECT (self, "the host \"%s\" cannot be found", host);
    return 0;
  }
  id = gst_tfrc_peer_list_add (self->peers, &address, options);
  if (id != 0)
    GST_INFO_OBJECT (self, "peer %u is %s, port %u", id, host, port);
  else
    GST_WARNING_OBJECT (self, "no peer for %s, port %u: there is one already, "
        "or there are max-peers of them", host, port);
  return id;
}

guint
gst_tfrc_bin_add_peer (GstTfrcBin * self, const gchar * host, guint port,
    const GstStructure * fields)
{
  GstTfrcPeerOptions options;
  guint id = 0;

  init_options (self, &options);
  if (read_options (self, &options, fields))
    id = add_peer (self, host, port, &options);
  gst_tfrc_peer_options_clear (&options);
  return id;
}

gboolean
gst_tfrc_bin_move_peer (GstTfrcBin * self, guint id, const gchar * host,
    guint port)
{
  GstTfrcUdpAddress address;
  gboolean moved;

  if (host == NULL || !gst_tfrc_host_port_resolve (host, port, &address)) {
    GST_WARNING_OBJECT (self, "the host \"%s\" cannot be found",
        GST_STR_NULL (host));
    return FALSE;
  }
  if (port == 0 || gst_tfrc_udp_address_is_multicast (&address)) {
    GST_WARNING_OBJECT (self, "%s, port %u is no address of a peer", host,
        port);
    return FALSE;
  }
  moved = gst_tfrc_peer_list_move (self->peers, id, &address);
  if (moved)
    GST_INFO_OBJECT (self, "peer %u is %s, port %u from now on", id, host,
        port);
  else
    GST_WARNING_OBJECT (self, "no peer %u, or another one is at %s, port %u",
        id, host, port);
  return moved;
}

GstTfrcPeerList *
gst_tfrc_bin_get_peers (GstTfrcBin * self)
{
  return self->peers;
}

static void
on_ended (GstElement * element)
{
  gst_element_post_message (element, gst_message_new_eos (GST_OBJECT
          (element)));
}

/* --- start and stop --- */

/* Takes the sentence. FALSE: it is NULL, and nothing is wrong. */
static gboolean
post_settings_error (GstTfrcBin * self, gchar * error)
{
  if (error == NULL)
    return FALSE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error), (NULL));
  g_free (error);
  return TRUE;
}

/* DTLS may be switched on in READY, too. */
static gboolean
open_identity (GstTfrcBin * self)
{
  return !self->has_dtls || !post_settings_error (self,
      gst_tfrc_dtls_identity_open (&self->identity, GST_ELEMENT (self)));
}

static gboolean
set_up_settings (GstTfrcBin * self)
{
  GstTfrcPeerSettings *settings = gst_tfrc_peer_list_get_settings (self->peers);

  if (post_settings_error (self,
          gst_tfrc_peer_options_fill (&self->options, settings)))
    return FALSE;
  g_clear_pointer (&settings->dtls, gst_tfrc_dtls_context_unref);
  if (self->has_dtls)
    settings->dtls = gst_tfrc_dtls_context_ref (self->identity.context);
  /* these are the settings of peers that call, and so begin the handshake */
  if (settings->dtls_setup == GST_TFRC_DTLS_AUTO)
    settings->dtls_setup = GST_TFRC_DTLS_PASSIVE;
  /* RFC 7022 4.2: 96 random bits */
  g_snprintf (settings->cname, sizeof settings->cname, "%08x%08x%08x",
      g_random_int (), g_random_int (), g_random_int ());
  return TRUE;
}

/* Nobody needs the options that no peer has yet. */
static gboolean
needs_options (GstTfrcBin * self)
{
  return !self->has_dtls || self->accept == GST_TFRC_ACCEPT_ANY ||
      (self->first_peer != NULL && *self->first_peer != '\0');
}

static gboolean
check_options (GstTfrcBin * self)
{
  gchar *error;

  self->options.has_dtls = self->has_dtls;
  error = needs_options (self) ?
      gst_tfrc_peer_options_check (&self->options) : NULL;
  if (error == NULL && self->accept == GST_TFRC_ACCEPT_ANY &&
      !self->has_dtls && gst_tfrc_srtp_settings_encrypt (&self->options.srtp))
    error = g_strdup ("With accept=any whoever calls becomes a peer without a "
        "key, and \"srtp-key\" is that of peer 0 alone. Set \"accept\" to "
        "known or none, and add peers with keys by the signal add-peer.");
  if (self->has_dtls)
    error = gst_tfrc_dtls_identity_add_to (&self->identity, error);
  return !post_settings_error (self, error);
}

static gboolean
set_up_first_peer (GstTfrcBin * self)
{
  GstTfrcPeerOptions options;
  GstTfrcUdpAddress address;

  if (!check_options (self))
    return FALSE;
  if (self->first_peer == NULL || *self->first_peer == '\0')
    return TRUE;
  if (!gst_tfrc_host_port_parse (GST_ELEMENT (self), self->first_peer,
          DEFAULT_PORT, &address))
    return FALSE;
  gst_tfrc_peer_options_copy (&options, &self->options);
  options.own = gst_tfrc_srtp_settings_encrypt (&options.srtp);
  gst_tfrc_peer_list_set_first (self->peers, &address, &options);
  gst_tfrc_peer_options_clear (&options);
  return TRUE;
}

static gboolean
open_list (GstTfrcBin * self, GSocket * socket)
{
  gboolean shared = self->context != NULL && *self->context != '\0';
  gchar *context = shared ? g_strdup (self->context) :
      g_strdup_printf ("tfrcbin %p", self);
  GstTfrcBinPortSettings settings = {
    .socket = socket,
    .context = context,
    .threads = self->threads,
    .accept = self->accept,
    .max_peers = self->max_peers,
    .dtls = gst_tfrc_peer_list_get_settings (self->peers)->dtls,
    .on_stun = gst_tfrc_bin_stun_signals_on_datagram,
    .stun_data = &self->stun
  };
  GError *error = NULL;

  if (!gst_tfrc_peer_list_open (self->peers, &settings, &error))
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
        ("No thread could be started for the port. Close files and end "
            "threads, or raise the limits of the process (ulimit -n, -u)."),
        ("%s", error->message));
  g_free (context);
  if (error == NULL)
    return TRUE;
  g_error_free (error);
  return FALSE;
}

static gboolean
start (GstTfrcBin * self)
{
  GSocket *sockets[2] = { NULL, };
  gboolean opened;

  if (!open_identity (self) || !set_up_settings (self) ||
      !set_up_first_peer (self)
      || !gst_tfrc_gsocket_open (GST_ELEMENT (self), "address", self->address,
          G_SOCKET_FAMILY_INVALID, "port", self->port, FALSE, sockets))
    return FALSE;
  opened = open_list (self, sockets[0]);
  g_object_unref (sockets[0]);
  if (!opened)
    return FALSE;
  GST_INFO_OBJECT (self, "port %u", gst_tfrc_peer_list_get_port (self->peers));
  g_object_notify (G_OBJECT (self), "local-port");
  return TRUE;
}

static GstStateChangeReturn
gst_tfrc_bin_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcBin *self = GST_TFRC_BIN (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_identity (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    gst_tfrc_peer_list_set_playing (self->peers, TRUE);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    gst_tfrc_peer_list_set_playing (self->peers, FALSE);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_tfrc_peer_list_close (self->peers);
  ret = GST_ELEMENT_CLASS (gst_tfrc_bin_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_tfrc_peer_list_stop (self->peers);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_tfrc_dtls_identity_close (&self->identity, element);
  /* what arrives is live */
  if (ret == GST_STATE_CHANGE_SUCCESS && GST_STATE_TRANSITION_NEXT (transition)
      == GST_STATE_PAUSED)
    ret = GST_STATE_CHANGE_NO_PREROLL;
  return ret;
}

/* --- pads --- */

static GstPad *
gst_tfrc_bin_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  guint id = GST_TFRC_FIRST_PEER;
  GstPad *pad;

  if (name != NULL && sscanf (name, "send_sink_%u", &id) != 1)
    return NULL;
  /* EOS and STREAM_START of the pipeline wait for what is sent */
  GST_OBJECT_FLAG_SET (element, GST_ELEMENT_FLAG_SINK);
  pad = gst_tfrc_peer_list_add_sink (GST_TFRC_BIN (element)->peers, id, templ);
  if (pad == NULL)
    GST_WARNING_OBJECT (element, "there is a pad send_sink_%u already", id);
  return pad;
}

static void
gst_tfrc_bin_release_pad (GstElement * element, GstPad * pad)
{
  gst_tfrc_peer_list_remove_sink (GST_TFRC_BIN (element)->peers, pad);
}

typedef struct
{
  GstEvent *event;
  gboolean taken;               /* by an element before one of the pads */
} Upstream;

static gboolean
push_upstream (GstElement * element, GstPad * pad, gpointer data)
{
  Upstream *upstream = data;

  upstream->taken |= gst_pad_push_event (pad, gst_event_ref (upstream->event));
  return TRUE;
}

/* What an application sends to the pipeline, such as a seek, goes to the elements before this one: what arrives has
 * nobody before it. */
static gboolean
send_upstream (GstElement * element, GstEvent * event)
{
  Upstream upstream = { event, FALSE };

  gst_element_foreach_sink_pad (element, push_upstream, &upstream);
  gst_event_unref (event);
  return upstream.taken;
}

static gboolean
is_for_senders (GstElement * element, GstEvent * event)
{
  return GST_EVENT_IS_UPSTREAM (event) && !GST_EVENT_IS_DOWNSTREAM (event) &&
      GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK);
}

/* An application ends a recording by EOS, which it sends to the pipeline: the pipeline passes it to its sources, and
 * tfrcbin is one of them for what arrives. */
static gboolean
gst_tfrc_bin_send_event (GstElement * element, GstEvent * event)
{
  if (is_for_senders (element, event))
    return send_upstream (element, event);
  if (GST_EVENT_TYPE (event) != GST_EVENT_EOS)
    return GST_ELEMENT_CLASS (gst_tfrc_bin_parent_class)->send_event (element,
        event);
  gst_event_unref (event);
  GST_INFO_OBJECT (element, "EOS of the application");
  gst_tfrc_peer_list_finish (GST_TFRC_BIN (element)->peers);
  return TRUE;
}

/* What is sent waits for no running time. */
static gboolean
gst_tfrc_bin_query (GstElement * element, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return GST_ELEMENT_CLASS (gst_tfrc_bin_parent_class)->query (element,
        query);
  gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

/* --- properties --- */

static void
set_string (gchar ** string, const GValue * value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
}

/* In READY, another certificate has another fingerprint. */
static void
renew_identity (GstTfrcBin * self)
{
  if (self->identity.context == NULL)
    return;
  gst_tfrc_dtls_identity_close (&self->identity, GST_ELEMENT (self));
  open_identity (self);
}

static void
gst_tfrc_bin_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcBin *self = GST_TFRC_BIN (object);

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_ADDRESS:
      set_string (&self->address, value);
      break;
    case PROP_PORT:
      self->port = g_value_get_uint (value);
      break;
    case PROP_CONTEXT:
      set_string (&self->context, value);
      break;
    case PROP_THREADS:
      self->threads = g_value_get_uint (value);
      break;
    case PROP_PEER:
      set_string (&self->first_peer, value);
      break;
    case PROP_ACCEPT:
      self->accept = g_value_get_enum (value);
      break;
    case PROP_MAX_PEERS:
      self->max_peers = g_value_get_uint (value);
      break;
    case PROP_DTLS:
      self->has_dtls = g_value_get_boolean (value);
      break;
    case PROP_CERTIFICATE:
      gst_tfrc_dtls_identity_set (&self->identity, g_value_get_string (value));
      break;
    default:
      if (!gst_tfrc_peer_options_set (&self->options, id - PROP_PEER_OPTIONS,
              value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
  if (id == PROP_CERTIFICATE)
    renew_identity (self);
}

static void
gst_tfrc_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcBin *self = GST_TFRC_BIN (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_tfrc_peer_list_get_stats (self->peers));
    return;
  }
  if (id == PROP_STATS_JSON) {
    gst_tfrc_json_get_stats (object, value);
    return;
  }
  if (id == PROP_LOCAL_PORT) {
    g_value_set_uint (value, gst_tfrc_peer_list_get_port (self->peers));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_ADDRESS:
      g_value_set_string (value, self->address);
      break;
    case PROP_PORT:
      g_value_set_uint (value, self->port);
      break;
    case PROP_CONTEXT:
      g_value_set_string (value, self->context);
      break;
    case PROP_THREADS:
      g_value_set_uint (value, self->threads);
      break;
    case PROP_PEER:
      g_value_set_string (value, self->first_peer);
      break;
    case PROP_ACCEPT:
      g_value_set_enum (value, self->accept);
      break;
    case PROP_MAX_PEERS:
      g_value_set_uint (value, self->max_peers);
      break;
    case PROP_DTLS:
      g_value_set_boolean (value, self->has_dtls);
      break;
    case PROP_FINGERPRINT:
      g_value_set_string (value,
          gst_tfrc_dtls_identity_get_fingerprint (&self->identity));
      break;
    default:
      if (!gst_tfrc_peer_options_get (&self->options, id - PROP_PEER_OPTIONS,
              value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)
#define READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
install_network (GObjectClass * klass)
{
  /**
   * GstTfrcBin:address:
   *
   * Address of this machine to use (not set: all of IPv4 and IPv6).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ADDRESS,
      g_param_spec_string ("address", "Address",
          "Address of this machine to use (not set: all of IPv4 and IPv6)",
          NULL, SETTING));
  /**
   * GstTfrcBin:port:
   *
   * UDP port for all peers, RTP and RTCP, both directions (0: any that is
   * free). #GstTfrcBin:local-port has the number.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port",
          "UDP port for all peers, RTP and RTCP, both directions (0: any that "
          "is free)", 0, G_MAXUINT16, DEFAULT_PORT, SETTING));
  /**
   * GstTfrcBin:local-port:
   *
   * UDP port in use (0: none yet). The property is notified on the way to
   * PAUSED.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LOCAL_PORT,
      g_param_spec_uint ("local-port", "Local port",
          "UDP port in use (0: none yet)", 0, G_MAXUINT16, 0, READING));
  /**
   * GstTfrcBin:context:
   *
   * Elements tfrcbin with the same name share threads for their ports and
   * timers (not set: threads of its own).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CONTEXT,
      g_param_spec_string ("context", "Context",
          "Elements tfrcbin with the same name share threads for their "
          "ports and timers (not set: threads of its own)", NULL, SETTING));
  /**
   * GstTfrcBin:threads:
   *
   * Threads of the context, over which ports and peers are spread.
   *
   * One thread carries a thousand calls or more ([calls.md](calls.md)). A context has as many threads as
   * any of its elements asks for, and starts them as peers come. One thread reads the port, and each
   * peer has all else done by one thread, so that its packets keep their order. With #GstTfrcBin:dtls the
   * peers of a port stay with its thread.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_THREADS,
      g_param_spec_uint ("threads", "Threads",
          "Threads of the context, over which ports and peers are spread", 1,
          MAX_THREADS, DEFAULT_THREADS, SETTING));
}

static void
install_peers (GObjectClass * klass)
{
  /**
   * GstTfrcBin:peer:
   *
   * Address of peer 0, HOST:PORT (not set: there is no peer 0).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PEER,
      g_param_spec_string ("peer", "Peer",
          "Address of peer 0, HOST:PORT (not set: there is no peer 0)", NULL,
          SETTING));
  /**
   * GstTfrcBin:accept:
   *
   * Who may speak besides peers at their own addresses. With "known", a peer
   * that speaks from another port of its host is answered there (symmetric
   * RTP, RFC 4961), as a NAT needs; without encryption, whoever can send from
   * that host can take a silent peer's place. With "any", whoever calls becomes
   * a peer unless #GstTfrcBin::new-peer refuses.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ACCEPT,
      g_param_spec_enum ("accept", "Accept",
          "Who may speak besides peers at their own addresses",
          gst_tfrc_accept_get_type (), DEFAULT_ACCEPT, SETTING));
  /**
   * GstTfrcBin:max-peers:
   *
   * How many peers there may be. Who comes after them is refused.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_PEERS,
      g_param_spec_uint ("max-peers", "Max peers",
          "How many peers there may be", 1, 1000000, DEFAULT_MAX_PEERS,
          SETTING));
  /**
   * GstTfrcBin:stats:
   *
   * Statistics: application/x-tfrc-bin-stats, with the port's counters and an
   * array `peers` of application/x-tfrc-peer-stats, as of
   * #GstTfrcBin::get-peer-stats.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Statistics: application/x-tfrc-bin-stats", GST_TYPE_STRUCTURE,
          READING));
  gst_tfrc_json_install (klass, PROP_STATS_JSON);
}

static void
install_dtls (GObjectClass * klass)
{
  /**
   * GstTfrcBin:dtls:
   *
   * Encrypt all calls by keys that each call agrees on (DTLS-SRTP, RFC 5764).
   * Each peer needs #GstTfrcBin:peer-fingerprint. RTP, RTCP and DTLS share the
   * port.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_DTLS,
      g_param_spec_boolean ("dtls", "DTLS",
          "Encrypt all calls by keys that each call agrees on (DTLS-SRTP, RFC "
          "5764)", FALSE, SETTING));
  gst_tfrc_dtls_identity_install (klass, PROP_CERTIFICATE, PROP_FINGERPRINT);
}

static void
gst_tfrc_bin_finalize (GObject * object)
{
  GstTfrcBin *self = GST_TFRC_BIN (object);

  gst_tfrc_peer_list_free (self->peers);
  gst_tfrc_bin_stun_signals_clear (&self->stun);
  g_free (self->address);
  g_free (self->context);
  g_free (self->first_peer);
  gst_tfrc_dtls_identity_set (&self->identity, NULL);
  gst_tfrc_peer_options_clear (&self->options);
  G_OBJECT_CLASS (gst_tfrc_bin_parent_class)->finalize (object);
}

static void
gst_tfrc_bin_class_init (GstTfrcBinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_tfrc_bin_set_property;
  object_class->get_property = gst_tfrc_bin_get_property;
  object_class->finalize = gst_tfrc_bin_finalize;
  element_class->change_state = gst_tfrc_bin_change_state;
  element_class->request_new_pad = gst_tfrc_bin_request_new_pad;
  element_class->release_pad = gst_tfrc_bin_release_pad;
  element_class->query = gst_tfrc_bin_query;
  element_class->send_event = gst_tfrc_bin_send_event;
  install_network (object_class);
  install_peers (object_class);
  install_dtls (object_class);
  gst_tfrc_peer_options_install (object_class, PROP_PEER_OPTIONS);
  gst_tfrc_bin_install_signals (G_TYPE_FROM_CLASS (klass));
  gst_tfrc_bin_stun_signals_install (G_TYPE_FROM_CLASS (klass));
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC calls",
      "Network/RTP/Filter",
      "Sends to peers and receives from them by one UDP port at the rate that "
      "TFRC allows (RFC 5348, RFC 4828)", "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
  gst_type_mark_as_plugin_api (gst_tfrc_accept_get_type (), 0);
}

static void
gst_tfrc_bin_init (GstTfrcBin * self)
{
  static const GstTfrcPeerListCallbacks callbacks =
      { gst_tfrc_bin_ask_new_peer, on_ended, gst_tfrc_stream_start_post };

  self->port = DEFAULT_PORT;
  self->accept = DEFAULT_ACCEPT;
  self->max_peers = DEFAULT_MAX_PEERS;
  self->threads = DEFAULT_THREADS;
  gst_tfrc_peer_options_init (&self->options);
  self->peers = gst_tfrc_peer_list_new (GST_ELEMENT (self), &callbacks);
  gst_tfrc_bin_stun_signals_init (&self->stun, GST_ELEMENT (self));
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SOURCE);
}
