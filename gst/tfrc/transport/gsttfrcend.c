/* gst-tfrc: base class of tfrcsink and tfrcsrc, the two ends of a call in one direction
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsttfrcend.h"

#include <gio/gnetworking.h>
#include <string.h>

#include "base/json.h"
#include "base/messages.h"
#include "base/propertymutability.h"
#include "transport/endproperties.h"
#include "transport/dtlsidentity.h"
#include "transport/gsocketsetup.h"
#include "transport/payloadcaps.h"
#include "transport/sdesitems.h"
#include "transport/tfrcuri.h"

GST_DEBUG_CATEGORY_STATIC (tfrcend_debug);
#define GST_CAT_DEFAULT tfrcend_debug

enum
{
  PROP_LOCAL_PORT = GST_TFRC_N_TRANSPORT_SETTINGS,
  PROP_STATS,
  PROP_STATS_JSON,
  PROP_DTLS,
  PROP_CERTIFICATE,
  PROP_FINGERPRINT,
  PROP_PEER_FINGERPRINT
};

G_STATIC_ASSERT (PROP_PEER_FINGERPRINT < GST_TFRC_END_FIRST_PROP);

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

typedef struct
{
  /* under the object lock */
  GstTfrcTransportSettings settings;
  GstTfrcPeerOptions options;
  guint local_port;             /* of RTP; 0: no socket is open */
  GError *uri_error;
  GstTfrcDtlsIdentity identity; /* open from READY on, with DTLS */
  GstTfrcWarning send_warning;

  GstTfrcPeerPadsOwner owner;
  GstTfrcPeerPads *pads;
  gint refused_types[GST_TFRC_N_PAYLOAD_TYPES];
  GstTfrcPeerSettings common;   /* what the peer's settings are made of */
  GstTfrcPeer *peer;            /* NULL below PAUSED */

  GMutex port_lock;             /* for what follows */
  GstTfrcEndPort *port;         /* NULL below READY */
  GstStructure *last_stats;     /* of the last peer; NULL while there is one */
} GstTfrcEndPrivate;

static void gst_tfrc_end_uri_init (gpointer g_iface, gpointer data);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstTfrcEnd, gst_tfrc_end, GST_TYPE_ELEMENT,
    G_ADD_PRIVATE (GstTfrcEnd);
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, gst_tfrc_end_uri_init);
    GST_DEBUG_CATEGORY_INIT (tfrcend_debug, "tfrcend", 0,
        "what tfrcsink and tfrcsrc have in common"));

static GstTfrcEndPrivate *
get_private (GstTfrcEnd * self)
{
  return gst_tfrc_end_get_instance_private (self);
}

GstTfrcPeerPads *
gst_tfrc_end_get_pads (GstTfrcEnd * self)
{
  return get_private (self)->pads;
}

GstTfrcPeerPadsOwner *
gst_tfrc_end_get_owner (GstTfrcEnd * self)
{
  return &get_private (self)->owner;
}

GstTfrcPeer *
gst_tfrc_end_get_peer (GstTfrcEnd * self)
{
  return gst_tfrc_peer_pads_get_peer (get_private (self)->pads);
}

void
gst_tfrc_end_flush (GstTfrcEnd * self)
{
  gst_tfrc_end_port_flush (get_private (self)->port);
}

GstTfrcPeerOptions *
gst_tfrc_end_get_options (GstTfrcEnd * self)
{
  return &get_private (self)->options;
}

gint *
gst_tfrc_end_get_refused_types (GstTfrcEnd * self)
{
  return get_private (self)->refused_types;
}

/* --- messages --- */

static gboolean
on_message (GstTfrcPeerPads * pads, GstMessage * message, gpointer data)
{
  const GstStructure *s = gst_message_get_structure (message);

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT)
    return FALSE;
  if (gst_structure_has_name (s, GST_TFRC_PEER_MESSAGE) &&
      g_str_equal (gst_structure_get_string (s, "state"), "encrypted"))
    return FALSE;
  return GST_TFRC_END_GET_CLASS (data)->on_message (data,
      gst_structure_get_name (s), s);
}

static void
post_send_warning (GstElement * element, gpointer text)
{
  GST_ELEMENT_WARNING (element, RESOURCE, WRITE, ("%s", (gchar *) text),
      (NULL));
}

/* In the worker's thread, which must not block. */
static void
on_send_error (const GstTfrcUdpError * error, gpointer data)
{
  GstTfrcEnd *self = data;
  guint64 count = gst_tfrc_warning_note (&get_private (self)->send_warning,
      GST_ELEMENT (self));

  if (count == 0)
    return;
  gst_element_call_async (GST_ELEMENT (self), post_send_warning,
      g_strdup_printf ("%" G_GUINT64_FORMAT " packets could not be sent: %s.",
          count, g_strerror (error->code)), g_free);
}

/* --- the port: NULL and READY --- */

static gboolean
post_settings_error (GstTfrcEnd * self, gchar * error)
{
  if (error == NULL)
    return FALSE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error), (NULL));
  g_free (error);
  return TRUE;
}

static gboolean
check_uri (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);

  return priv->uri_error == NULL || !post_settings_error (self,
      g_strdup_printf ("The property \"uri\" cannot be used: %s.",
          priv->uri_error->message));
}

/* Checks the options. In READY the fingerprint of the peer may still be missing, since an application may read the
 * fingerprint of this end before it sets that of the peer. */
static gchar *
check_options (GstTfrcEnd * self, gboolean complete)
{
  GstTfrcEndPrivate *priv = get_private (self);
  const GstTfrcPeerOptions *options = &priv->options;

  if (options->has_dtls && !priv->settings.rtcp_mux)
    return g_strdup ("With \"dtls\" RTP, RTCP and DTLS share one port. Set "
        "\"rtcp-mux\" to true.");
  if (options->has_dtls && !complete && options->dtls.peer_fingerprint == NULL)
    return NULL;
  return gst_tfrc_dtls_identity_add_to (&priv->identity,
      gst_tfrc_peer_options_check (options));
}

/* What is common to the kinds of ends goes into the options. FALSE after an error. */
static gboolean
complete_options (GstTfrcEnd * self, gboolean complete)
{
  GstTfrcEndPrivate *priv = get_private (self);
  gboolean receives = GST_TFRC_END_GET_CLASS (self)->receives;
  GstTfrcPeerOptions *options = &priv->options;

  options->end = receives ? GST_TFRC_SRTP_DATA_RECEIVER :
      GST_TFRC_SRTP_DATA_SENDER;
  options->only_sends = !receives;
  options->only_receives = receives;
  options->alone = options->own = TRUE;
  options->filter.dscp = priv->settings.dscp;
  gst_tfrc_srtp_settings_clear (&options->srtp);
  gst_tfrc_srtp_settings_copy (&options->srtp, &priv->settings.srtp);
  options->dtls.setup = receives ? GST_TFRC_DTLS_PASSIVE : GST_TFRC_DTLS_ACTIVE;
  return !post_settings_error (self, check_options (self, complete));
}

/* FALSE after an error. */
static gboolean
open_identity (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);

  return !priv->options.has_dtls || !post_settings_error (self,
      gst_tfrc_dtls_identity_open (&priv->identity, GST_ELEMENT (self)));
}

static void
set_ttl (GSocket * socket, gint ttl)
{
  if (socket == NULL)
    return;
  g_socket_set_option (socket, IPPROTO_IP, IP_TTL, ttl, NULL);
  if (g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6)
    g_socket_set_option (socket, IPPROTO_IPV6, IPV6_UNICAST_HOPS, ttl, NULL);
}

static void
set_local_port (GstTfrcEnd * self, guint port)
{
  GST_OBJECT_LOCK (self);
  get_private (self)->local_port = port;
  GST_OBJECT_UNLOCK (self);
  g_object_notify (G_OBJECT (self), "local-port");
}

static void
set_port (GstTfrcEnd * self, GstTfrcEndPort * port)
{
  GstTfrcEndPrivate *priv = get_private (self);

  g_mutex_lock (&priv->port_lock);
  priv->port = port;
  g_mutex_unlock (&priv->port_lock);
}

static gboolean
open_port (GstTfrcEnd * self, GstTfrcEndPortSettings * settings)
{
  GstTfrcEndPrivate *priv = get_private (self);
  const gchar *name = priv->options.filter.context;
  gboolean shared = name != NULL && *name != '\0';
  gchar *context = shared ? g_strdup (name) :
      g_strdup_printf ("tfrcend %p", self);
  GError *error = NULL;

  settings->context = context;
  settings->on_error = on_send_error;
  settings->data = self;
  settings->buffer_size = priv->settings.buffer_size;
  set_port (self, gst_tfrc_end_port_open (settings, &error));
  g_free (context);
  if (priv->port != NULL)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
      ("No thread could be started for the port. Close files and end threads, "
          "or raise the limits of the process (ulimit -n, -u)."),
      ("%s", error->message));
  g_error_free (error);
  return FALSE;
}

static gboolean
open_end (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GstTfrcEndPortSettings settings = { {NULL}, };
  gboolean opened = FALSE;
  guint i, port = 0;

  if (!check_uri (self) || !open_identity (self)
      || !complete_options (self, FALSE))
    return FALSE;
  if (GST_TFRC_END_GET_CLASS (self)->open (self, !priv->settings.rtcp_mux,
          &settings)) {
    for (i = 0; i < 2; i++)
      set_ttl (settings.sockets[i], priv->settings.ttl);
    port = gst_tfrc_gsocket_get_port (settings.sockets[0]);
    opened = open_port (self, &settings);
  }
  for (i = 0; i < 2; i++)
    g_clear_object (&settings.sockets[i]);
  if (!opened)
    return FALSE;
  set_local_port (self, port);
  GST_INFO_OBJECT (self, "opened UDP port %u, RTCP %s, %s", port,
      priv->settings.rtcp_mux ? "on the same port" : "on the next port",
      priv->identity.context != NULL ? "encrypted by DTLS" :
      gst_tfrc_srtp_settings_encrypt (&priv->settings.srtp) ? "encrypted" :
      "not encrypted");
  return TRUE;
}

static void
close_end (GstTfrcEnd * self)
{
  GstTfrcEndPort *port = get_private (self)->port;

  set_port (self, NULL);
  if (port != NULL)
    gst_tfrc_end_port_close (port);
  gst_tfrc_dtls_identity_close (&get_private (self)->identity,
      GST_ELEMENT (self));
  set_local_port (self, 0);
}

gboolean
gst_tfrc_end_is_open (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);
  gboolean open;

  g_mutex_lock (&priv->port_lock);
  open = priv->port != NULL;
  g_mutex_unlock (&priv->port_lock);
  return open;
}

gboolean
gst_tfrc_end_has_rtcp_socket (GstTfrcEnd * self)
{
  return !get_private (self)->settings.rtcp_mux;
}

gboolean
gst_tfrc_end_move (GstTfrcEnd * self, const GstTfrcUdpAddress * remote,
    const GstTfrcUdpAddress * rtcp_remote)
{
  GstTfrcEndPrivate *priv = get_private (self);
  gboolean moved;

  g_mutex_lock (&priv->port_lock);
  moved = priv->port == NULL
      || gst_tfrc_end_port_move (priv->port, remote, rtcp_remote);
  g_mutex_unlock (&priv->port_lock);
  return moved;
}

/* --- the peer: PAUSED and PLAYING --- */

static gboolean
fill_settings (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GstTfrcPeerSettings *common = &priv->common;
  gchar *error;

  gst_tfrc_peer_settings_clear (common);
  common->element = GST_ELEMENT (self);
  common->refused_types = priv->refused_types;
  if (priv->options.has_dtls)
    common->dtls = gst_tfrc_dtls_context_ref (priv->identity.context);
  /* RFC 7022 4.2: 96 random bits */
  g_snprintf (common->cname, sizeof common->cname, "%08x%08x%08x",
      g_random_int (), g_random_int (), g_random_int ());
  error = gst_tfrc_sdes_items_read (priv->settings.sdes, common->cname,
      sizeof common->cname, &common->sdes);
  return !post_settings_error (self, error);
}

static GstStructure *
make_stats (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GstTfrcEndPortStats port = { 0 };
  GstTfrcPeerDrops drops = { 0 };
  GstTfrcPeer *peer = gst_tfrc_end_get_peer (self);
  GstStructure *stats;

  if (priv->port != NULL)
    gst_tfrc_end_port_get_stats (priv->port, &port);
  if (peer != NULL)
    gst_tfrc_peer_get_drops (peer, &drops);
  stats = GST_TFRC_END_GET_CLASS (self)->make_stats (self, peer, &port);
  gst_structure_set (stats,
      "label", G_TYPE_STRING, GST_OBJECT_NAME (self),
      "packets-malformed", G_TYPE_UINT64, port.malformed + drops.malformed,
      "packets-unexpected", G_TYPE_UINT64, port.unexpected,
      "rtcp-foreign", G_TYPE_UINT64, port.foreign,
      "send-errors", G_TYPE_UINT64, port.send_errors + drops.not_encrypted,
      "srtp-failures", G_TYPE_UINT64, drops.srtp_failures, NULL);
  if (peer != NULL)
    gst_tfrc_peer_unref (peer);
  return stats;
}

/* The statistics of the last peer stay until there is another peer. Of a call that is over nothing is expected. */
static GstStructure *
get_stats (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GstStructure *stats;
  gboolean is_over;

  g_mutex_lock (&priv->port_lock);
  is_over = priv->last_stats != NULL;
  stats = is_over ? gst_structure_copy (priv->last_stats) : make_stats (self);
  g_mutex_unlock (&priv->port_lock);
  if (!is_over)
    gst_tfrc_peer_pads_add_expected_quality (priv->pads, stats);
  return stats;
}

static void
keep_stats (GstTfrcEnd * self, gboolean keep)
{
  GstTfrcEndPrivate *priv = get_private (self);

  g_mutex_lock (&priv->port_lock);
  gst_clear_structure (&priv->last_stats);
  if (keep)
    priv->last_stats = make_stats (self);
  g_mutex_unlock (&priv->port_lock);
}

static gboolean
start (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GstTfrcPeerSettings *settings;

  if (!open_identity (self) || !complete_options (self, TRUE)
      || !fill_settings (self))
    return FALSE;
  keep_stats (self, FALSE);
  priv->send_warning = (GstTfrcWarning) {FALSE};
  settings = gst_tfrc_peer_options_apply (&priv->options, &priv->common, FALSE);
  priv->peer = gst_tfrc_end_port_add_peer (priv->port, settings,
      gst_tfrc_peer_pads_serve, priv->pads);
  gst_tfrc_peer_pads_set_flushing (priv->pads, FALSE);
  gst_tfrc_peer_pads_set_peer (priv->pads, priv->peer);
  if (GST_TFRC_END_GET_CLASS (self)->start != NULL)
    GST_TFRC_END_GET_CLASS (self)->start (self, settings);
  gst_tfrc_end_port_begin (priv->port);
  return TRUE;
}

/* Makes threads that wait in the pad return, before the pad is deactivated. */
static void
unblock (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);

  gst_tfrc_peer_pads_set_flushing (priv->pads, TRUE);
  gst_tfrc_end_port_remove_peer (priv->port);
  keep_stats (self, TRUE);
  gst_tfrc_peer_pads_set_peer (priv->pads, NULL);
}

static void
stop (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);

  gst_tfrc_peer_stop (priv->peer);
  g_clear_pointer (&priv->peer, gst_tfrc_peer_unref);
  gst_tfrc_peer_pads_remove_src (priv->pads, FALSE);
  if (GST_TFRC_END_GET_CLASS (self)->stopped != NULL)
    GST_TFRC_END_GET_CLASS (self)->stopped (self);
}

static void
set_playing (GstTfrcEnd * self, gboolean playing)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GstTfrcPeer *peer = gst_tfrc_end_get_peer (self);

  gst_tfrc_peer_pads_set_playing (priv->pads, playing);
  if (peer == NULL)
    return;
  gst_tfrc_peer_set_playing (peer, playing);
  gst_tfrc_peer_unref (peer);
}

static GstStateChangeReturn
gst_tfrc_end_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcEnd *self = GST_TFRC_END (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      if (!open_end (self)) {
        close_end (self);
        return GST_STATE_CHANGE_FAILURE;
      }
      break;
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      if (!start (self))
        return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_PAUSED_TO_PLAYING:
    case GST_STATE_CHANGE_PLAYING_TO_PAUSED:
      set_playing (self, transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      unblock (self);
      break;
    default:
      break;
  }
  ret = GST_ELEMENT_CLASS (gst_tfrc_end_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    close_end (self);
  return ret;
}

/* --- properties --- */

void
gst_tfrc_end_set_uri (GstTfrcEnd * self, const gchar * uri)
{
  GstTfrcEndPrivate *priv = get_private (self);
  GError *error = NULL, *old;

  if (uri != NULL)
    gst_tfrc_uri_apply (G_OBJECT (self),
        GST_TFRC_END_GET_CLASS (self)->host_name, uri, &error);
  if (error != NULL && gst_tfrc_end_is_open (self)) {
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("The property \"uri\" cannot be used and nothing has changed: %s.",
            error->message), (NULL));
    g_clear_error (&error);
  }
  GST_OBJECT_LOCK (self);
  old = priv->uri_error;
  priv->uri_error = error;
  GST_OBJECT_UNLOCK (self);
  g_clear_error (&old);
}

/* `type` is that of the subclass. */
static GstURIType
gst_tfrc_end_uri_get_type (GType type)
{
  GstTfrcEndClass *klass = g_type_class_ref (type);
  GstURIType uri_type = klass->receives ? GST_URI_SRC : GST_URI_SINK;

  g_type_class_unref (klass);
  return uri_type;
}

static const gchar *const *
gst_tfrc_end_uri_get_protocols (GType type)
{
  static const gchar *const protocols[] = { GST_TFRC_URI_SCHEME, NULL };

  return protocols;
}

static gchar *
gst_tfrc_end_uri_get_uri (GstURIHandler * handler)
{
  return gst_tfrc_uri_from (G_OBJECT (handler),
      GST_TFRC_END_GET_CLASS (handler)->host_name);
}

static gboolean
gst_tfrc_end_uri_set_uri (GstURIHandler * handler, const gchar * uri,
    GError ** error)
{
  return gst_tfrc_uri_apply (G_OBJECT (handler),
      GST_TFRC_END_GET_CLASS (handler)->host_name, uri, error);
}

static void
gst_tfrc_end_uri_init (gpointer g_iface, gpointer data)
{
  GstURIHandlerInterface *iface = g_iface;

  iface->get_type = gst_tfrc_end_uri_get_type;
  iface->get_protocols = gst_tfrc_end_uri_get_protocols;
  iface->get_uri = gst_tfrc_end_uri_get_uri;
  iface->set_uri = gst_tfrc_end_uri_set_uri;
}

/* The bounds may change at any time. */
static void
update_peer (GstTfrcEnd * self)
{
  GstTfrcPeer *peer = gst_tfrc_end_get_peer (self);
  GstTfrcFilterSettings bounds;

  if (peer == NULL)
    return;
  GST_OBJECT_LOCK (self);
  bounds = get_private (self)->options.filter;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_peer_set_bounds (peer, &bounds);
  gst_tfrc_peer_unref (peer);
}

gboolean
gst_tfrc_end_set_option (GstTfrcEnd * self, const gchar * name,
    const GValue * value)
{
  GstTfrcPeerOptions *options = gst_tfrc_end_get_options (self);
  gboolean known;

  GST_OBJECT_LOCK (self);
  if (g_str_equal (name, "context"))
    known = gst_tfrc_filter_settings_set (&options->filter,
        GST_TFRC_PROP_CONTEXT, value);
  else
    known = gst_tfrc_peer_options_set (options,
        gst_tfrc_peer_options_find (name), value);
  GST_OBJECT_UNLOCK (self);
  update_peer (self);
  return known;
}

gboolean
gst_tfrc_end_get_option (GstTfrcEnd * self, const gchar * name, GValue * value)
{
  GstTfrcPeerOptions *options = gst_tfrc_end_get_options (self);
  gboolean known;

  GST_OBJECT_LOCK (self);
  if (g_str_equal (name, "context"))
    known = gst_tfrc_filter_settings_get (&options->filter,
        GST_TFRC_PROP_CONTEXT, value);
  else
    known = gst_tfrc_peer_options_get (options,
        gst_tfrc_peer_options_find (name), value);
  GST_OBJECT_UNLOCK (self);
  return known;
}

/* In READY, another certificate has another fingerprint. */
static void
renew_identity (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);

  if (priv->identity.context == NULL)
    return;
  gst_tfrc_dtls_identity_close (&priv->identity, GST_ELEMENT (self));
  open_identity (self);
}

static void
gst_tfrc_end_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEndPrivate *priv = get_private (GST_TFRC_END (object));
  gboolean found = TRUE;

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  if (id == PROP_PEER_FINGERPRINT) {
    gst_tfrc_end_set_option (GST_TFRC_END (object), "peer-fingerprint", value);
    return;
  }
  GST_OBJECT_LOCK (object);
  if (id == PROP_DTLS)
    priv->options.has_dtls = g_value_get_boolean (value);
  else if (id == PROP_CERTIFICATE)
    gst_tfrc_dtls_identity_set (&priv->identity, g_value_get_string (value));
  else
    found = gst_tfrc_transport_settings_set (&priv->settings, id, value);
  GST_OBJECT_UNLOCK (object);
  if (id == PROP_CERTIFICATE)
    renew_identity (GST_TFRC_END (object));
  if (!found)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_tfrc_end_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEndPrivate *priv = get_private (GST_TFRC_END (object));
  gboolean found = TRUE;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, get_stats (GST_TFRC_END (object)));
    return;
  }
  if (id == PROP_STATS_JSON) {
    gst_tfrc_json_get_stats (object, value);
    return;
  }
  GST_OBJECT_LOCK (object);
  if (id == PROP_LOCAL_PORT)
    g_value_set_uint (value, priv->local_port);
  else if (id == PROP_DTLS)
    g_value_set_boolean (value, priv->options.has_dtls);
  else if (id == PROP_FINGERPRINT)
    g_value_set_string (value,
        gst_tfrc_dtls_identity_get_fingerprint (&priv->identity));
  else if (id == PROP_PEER_FINGERPRINT)
    g_value_set_string (value, priv->options.dtls.peer_fingerprint);
  else
    found = gst_tfrc_transport_settings_get (&priv->settings, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!found)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_tfrc_end_finalize (GObject * object)
{
  GstTfrcEndPrivate *priv = get_private (GST_TFRC_END (object));

  gst_tfrc_transport_settings_clear (&priv->settings);
  gst_tfrc_dtls_identity_set (&priv->identity, NULL);
  gst_tfrc_peer_options_clear (&priv->options);
  gst_tfrc_peer_settings_clear (&priv->common);
  gst_tfrc_peer_pads_unref (priv->pads);
  gst_tfrc_running_time_map_clear (&priv->owner.time);
  gst_clear_structure (&priv->last_stats);
  g_clear_error (&priv->uri_error);
  g_mutex_clear (&priv->port_lock);
  G_OBJECT_CLASS (gst_tfrc_end_parent_class)->finalize (object);
}

static void
install_dtls (GObjectClass * klass)
{
  /**
   * GstTfrcEnd:dtls:
   *
   * Encrypt the call by keys that both ends agree on (DTLS-SRTP, RFC 5764).
   * Needs #GstTfrcEnd:peer-fingerprint, and #GstTfrcEnd:rtcp-mux, since RTP,
   * RTCP and DTLS share the port. tfrcsink begins the handshake. Each time that
   * an element starts there are other keys.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_DTLS,
      g_param_spec_boolean ("dtls", "DTLS",
          "Encrypt the call by keys that both ends agree on (DTLS-SRTP, RFC "
          "5764)", FALSE, SETTING));
  gst_tfrc_dtls_identity_install (klass, PROP_CERTIFICATE, PROP_FINGERPRINT);
  /**
   * GstTfrcEnd:peer-fingerprint:
   *
   * Fingerprint that the certificate of the other end must have with dtls: its
   * property fingerprint. Several have commas between them, and "any" lets
   * everybody in. With "any" the call is encrypted, but nothing tells who the
   * other end is unless the application compares the fingerprint in the
   * message.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PEER_FINGERPRINT,
      g_param_spec_string ("peer-fingerprint", "Peer fingerprint",
          "Fingerprint that the certificate of the other end must have with "
          "dtls: its property fingerprint. Several have commas between them, "
          "and \"any\" lets everybody in", NULL, SETTING));
}

static void
gst_tfrc_end_class_init (GstTfrcEndClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_tfrc_end_set_property;
  object_class->get_property = gst_tfrc_end_get_property;
  object_class->finalize = gst_tfrc_end_finalize;
  GST_ELEMENT_CLASS (klass)->change_state = gst_tfrc_end_change_state;

  gst_tfrc_transport_settings_install (object_class);
  install_dtls (object_class);
  /**
   * GstTfrcEnd:local-port:
   *
   * UDP port in use for RTP (0: none). The property is notified when the
   * socket is open, which tells the port that the system chose.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_LOCAL_PORT,
      g_param_spec_uint ("local-port", "Local port",
          "UDP port in use for RTP (0: none)", 0, G_MAXUINT16, 0,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcEnd:stats:
   *
   * Counters and state of the flow and of the sockets.
   *
   * The structure of tfrcsink is application/x-tfrc-sender-stats, that of
   * tfrcsrc application/x-tfrc-receiver-stats. The fields of the flow are those
   * of #GstRtpTfrcSend:stats and #GstRtpTfrcReceive:stats, but for those about
   * an RTP session of GStreamer. Both have these counters of type guint64:
   *
   * - `packets-malformed`: packets that were neither RTP nor RTCP, or whose
   *   lengths contradict each other
   * - `packets-unexpected`: packets of a kind that the socket is not for, and
   *   DTLS that did not come from the remote host
   * - `rtcp-foreign`: RTCP packets that did not come from the remote host
   * - `send-errors`: packets that the system could not send, or that could not
   *   be encrypted, also since DTLS had no keys yet
   * - `srtp-failures`: SRTP and SRTCP packets that were not authentic, or were
   *   repeated
   *
   * With #GstTfrcEnd:dtls both have `handshakes`, `handshakes-failed` and
   * `dtls-malformed` (guint64: datagrams of DTLS that were dropped, because
   * they were malformed, contradicted each other, or were more than a handshake
   * takes) and, once there are keys, `fingerprint` (string), that of the other
   * end's certificate.
   *
   * tfrcsrc adds `ssrc` (guint, the SSRC of the data sender that is followed),
   * `source-changes` (changes of the data sender), `packets-of-others`
   * (packets of other senders), `packets-unknown-payload` (packets of a payload
   * type that is not in #GstTfrcSrc:caps or that the next element does not
   * take), `packets-refused` (packets that the next element did not take), and
   * of the playout buffer `playout-delay` (guint64, ns: how long after the
   * fastest way that packets take they are played), `playout-late`,
   * `playout-dropped` and `playout-blocked` (packets that came too late, that
   * jumped, and that the next elements held up). The statistics of the last call stay until the next
   * one begins.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counters and state of the flow and of the sockets",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_tfrc_json_install (object_class, PROP_STATS_JSON);
  gst_type_mark_as_plugin_api (GST_TYPE_TFRC_END, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_TFRC_SRTP_CIPHER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_TFRC_SRTP_AUTH, 0);
}

static void
gst_tfrc_end_init (GstTfrcEnd * self)
{
  GstTfrcEndPrivate *priv = get_private (self);

  g_mutex_init (&priv->port_lock);
  gst_tfrc_transport_settings_init (&priv->settings);
  gst_tfrc_peer_options_init (&priv->options);
  priv->owner.element = GST_ELEMENT (self);
  priv->owner.data = self;
  priv->owner.on_message = on_message;
  gst_tfrc_running_time_map_init (&priv->owner.time, GST_ELEMENT (self));
  priv->pads = gst_tfrc_peer_pads_new (0, &priv->owner);
}
