/* gst-tfrc: what tfrcsink and tfrcsrc have in common
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sockets, the RTP session, RTCP in both directions, SRTP, and a BYE at the end:
 *
 *            .---------.   .-------.   .---------.   .------------.
 *  socket -> | udpsrc  | > | demux | > | srtpdec | > |            | > RTP in
 *            '---------'   '-------'   '---------'   | rtpsession |
 *            .--------------.          .---------.   |            |
 *  socket <- | multiudpsink |  <-----  | srtpenc | < |            | < RTP out
 *            '--------------'   RTCP   '---------'   '------------'
 *
 * Without rtcp-mux there is a second socket with udpsrc and demux of its own for
 * RTCP. Without a key there is no srtpenc and no srtpdec. */
#include "transport/gsttfrcbasebin.h"

#include <string.h>

#include "transport/byepacket.h"
#include "base/missingelements.h"
#include "base/binpads.h"
#include "transport/childproperties.h"
#include "transport/udpsockets.h"
#include "transport/tfrcuri.h"
#include "base/warnings.h"

GST_DEBUG_CATEGORY (tfrcbin_debug);
#define GST_CAT_DEFAULT tfrcbin_debug

#define DEFAULT_RTCP_MUX TRUE
#define DEFAULT_DSCP -1
#define DEFAULT_TTL 64
#define DEFAULT_BUFFER_SIZE 0
#define DEFAULT_SRTP_CIPHER GST_TFRC_SRTP_AES_128_ICM
#define DEFAULT_SRTP_AUTH GST_TFRC_SRTP_HMAC_SHA1_80

enum
{
  PROP_0,
  PROP_RTCP_MUX,
  PROP_DSCP,
  PROP_TTL,
  PROP_BUFFER_SIZE,
  PROP_SDES,
  PROP_SRTP_KEY,
  PROP_SRTP_CIPHER,
  PROP_SRTP_AUTH,
  PROP_LOCAL_PORT,
  PROP_STATS
};

/* What the user set, under the object lock. */
typedef struct
{
  gboolean rtcp_mux;
  gint dscp, ttl, buffer_size;
  GstStructure *sdes;
  gchar *srtp_key;
  GstTfrcSrtpCipher srtp_cipher;
  GstTfrcSrtpAuth srtp_auth;
} Settings;

typedef struct
{
  Settings settings;
  GstTfrcBaseBinParts parts;
  GPtrArray *plugs;             /* of the pads inside that are not linked */

  GstElement *udpsrc[2];
  GstTfrcSrtp *srtp;
  gboolean was_paused;
  guint local_port;             /* under the object lock */

  /* under the object lock */
  GSocketAddress *peer;
  guint64 send_errors;
  GstTfrcChildWarnings child_warnings;
  GError *uri_error;
} GstTfrcBaseBinPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstTfrcBaseBin, gst_tfrc_base_bin,
    GST_TYPE_BIN, G_ADD_PRIVATE (GstTfrcBaseBin);
    GST_DEBUG_CATEGORY_INIT (tfrcbin_debug, "tfrcbin", 0,
        "tfrcsink and tfrcsrc"));

static GstTfrcBaseBinPrivate *
get_private (GstTfrcBaseBin * self)
{
  return gst_tfrc_base_bin_get_instance_private (self);
}

GstTfrcBaseBinParts *
gst_tfrc_base_bin_get_parts (GstTfrcBaseBin * self)
{
  return &get_private (self)->parts;
}

/* Making and linking. */

GstElement *
gst_tfrc_base_bin_add (GstTfrcBaseBin * self, const gchar * factory,
    const gchar * name)
{
  GstElement *element = gst_element_factory_make (factory, name);

  if (element != NULL) {
    gst_bin_add (GST_BIN (self), element);
    return element;
  }
  gst_tfrc_missing_error (GST_ELEMENT (self), factory, "");
  return NULL;
}

void
gst_tfrc_base_bin_plug (GstTfrcBaseBin * self)
{
  gst_tfrc_bin_pads_plug (GST_BIN (self), get_private (self)->plugs);
}

GstElement *
gst_tfrc_base_bin_add_udpsink (GstTfrcBaseBin * self, const gchar * factory,
    const gchar * name, GSocket * socket)
{
  GstElement *sink = gst_tfrc_base_bin_add (self, factory, name);
  Settings *settings = &get_private (self)->settings;

  if (sink != NULL)
    g_object_set (sink, "socket", socket, "close-socket", FALSE,
        "sync", FALSE, "async", FALSE, "enable-last-sample", FALSE,
        "auto-multicast", FALSE, "qos-dscp", settings->dscp,
        "ttl", settings->ttl, "buffer-size", settings->buffer_size, NULL);
  return sink;
}

/* One socket's way in. NULL after an error was posted. */
static GstTfrcRtcpDemux *
add_input (GstTfrcBaseBin * self, guint i, const gchar * name)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  gchar *demux_name = g_strconcat (name, "-demux", NULL);
  gchar *source_name = g_strconcat (name, "-udpsrc", NULL);
  GstElement *demux = gst_tfrc_rtcp_demux_new (demux_name, priv->srtp != NULL);
  gboolean ok = FALSE;

  gst_bin_add (GST_BIN (self), demux);
  priv->udpsrc[i] = gst_tfrc_base_bin_add (self, "udpsrc", source_name);
  if (priv->udpsrc[i] != NULL) {
    g_object_set (priv->udpsrc[i], "socket", priv->parts.sockets[i],
        "close-socket", FALSE, "auto-multicast", FALSE,
        "buffer-size", priv->settings.buffer_size, NULL);
    ok = gst_tfrc_bin_pads_link_elements (GST_ELEMENT (self), priv->udpsrc[i],
        demux);
  }
  g_free (demux_name);
  g_free (source_name);
  return ok ? g_object_ref (GST_TFRC_RTCP_DEMUX (demux)) : NULL;
}

static gboolean
add_inputs (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;

  /* A sender has nothing to hear on a socket that is for RTP alone. */
  if (parts->rtcp_mux || GST_TFRC_BASE_BIN_GET_CLASS (self)->receives) {
    parts->rtp_demux = add_input (self, 0, "rtp");
    if (parts->rtp_demux == NULL)
      return FALSE;
  }
  parts->rtcp_demux = parts->rtcp_mux ? g_object_ref (parts->rtp_demux) :
      add_input (self, 1, "rtcp");
  return parts->rtcp_demux != NULL;
}

static gboolean
add_session (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;
  GObject *internal;

  parts->session = gst_tfrc_base_bin_add (self, "rtpsession", "session");
  if (parts->session == NULL)
    return FALSE;
  gst_util_set_object_arg (G_OBJECT (parts->session), "rtp-profile",
      priv->srtp != NULL ? "savpf" : "avpf");
  if (priv->settings.sdes != NULL)
    g_object_set (parts->session, "sdes", priv->settings.sdes, NULL);
  g_object_get (parts->session, "internal-session", &internal, NULL);
  /* Only an authentic packet may move a source to another address. */
  g_object_set (internal, "favor-new", priv->srtp != NULL, NULL);
  g_object_unref (internal);
  g_object_set (parts->filter, "rtp-session", parts->session, NULL);
  return TRUE;
}

static gboolean
add_srtp (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;

  if (priv->srtp == NULL)
    return TRUE;
  parts->srtpenc = gst_tfrc_base_bin_add (self, "srtpenc", "srtpenc");
  if (parts->srtpenc == NULL)
    return FALSE;
  parts->srtpdec = gst_tfrc_base_bin_add (self, "srtpdec", "srtpdec");
  if (parts->srtpdec == NULL)
    return FALSE;
  gst_tfrc_srtp_set_up_encoder (priv->srtp, parts->srtpenc);
  gst_tfrc_srtp_set_up_decoder (priv->srtp, parts->srtpdec);
  return TRUE;
}

/* RTCP passes here on its way out. The BYE is pushed from within the probe, so
 * that it has left when the subclass hears of it. */
static GstPadProbeReturn
on_rtcp_out (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcBaseBin *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstPad *peer;

  if (!gst_tfrc_bye_is_in (buffer) || (peer = gst_pad_get_peer (pad)) == NULL)
    return GST_PAD_PROBE_OK;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = gst_pad_chain (peer, buffer);
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  gst_object_unref (peer);
  GST_TFRC_BASE_BIN_GET_CLASS (self)->said_bye (self);
  return GST_PAD_PROBE_HANDLED;
}

static void
watch_bye (GstTfrcBaseBin * self)
{
  GstElement *session = get_private (self)->parts.session;
  GstPad *out = gst_element_get_static_pad (session, "send_rtcp_src");

  gst_pad_add_probe (out, GST_PAD_PROBE_TYPE_BUFFER, on_rtcp_out, self, NULL);
  gst_object_unref (out);
}

static gboolean
link_rtcp_in (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;
  GstElement *bin = GST_ELEMENT (self);
  GstElement *demux = GST_ELEMENT (parts->rtcp_demux);

  if (parts->srtpdec == NULL)
    return gst_tfrc_bin_pads_link_named (bin, demux, "rtcp_src", parts->session,
        "recv_rtcp_sink");
  return gst_tfrc_bin_pads_link_named (bin, demux, "rtcp_src", parts->srtpdec,
      "rtcp_sink")
      && gst_tfrc_bin_pads_link_named (bin, parts->srtpdec, "rtcp_src",
      parts->session, "recv_rtcp_sink");
}

static gboolean
link_rtcp_out (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;
  GstElement *bin = GST_ELEMENT (self);

  if (parts->srtpenc == NULL)
    return gst_tfrc_bin_pads_link_named (bin, parts->session, "send_rtcp_src",
        parts->rtcp_sink, "sink");
  return gst_tfrc_bin_pads_link_named (bin, parts->session, "send_rtcp_src",
      parts->srtpenc, "rtcp_sink_0")
      && gst_tfrc_bin_pads_link_named (bin, parts->srtpenc, "rtcp_src_0",
      parts->rtcp_sink, "sink");
}

static gboolean
link_rtcp (GstTfrcBaseBin * self)
{
  if (!link_rtcp_in (self) || !link_rtcp_out (self))
    return FALSE;
  if (GST_TFRC_BASE_BIN_GET_CLASS (self)->said_bye != NULL)
    watch_bye (self);
  return TRUE;
}

static gboolean
build (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;

  if (!add_srtp (self) || !add_session (self) || !add_inputs (self))
    return FALSE;
  parts->rtcp_sink = gst_tfrc_base_bin_add_udpsink (self, "multiudpsink",
      "rtcp-udpsink", parts->sockets[parts->rtcp_mux ? 0 : 1]);
  if (parts->rtcp_sink == NULL)
    return FALSE;
  /* The end of RTCP is not the end of the stream. */
  GST_OBJECT_FLAG_UNSET (parts->rtcp_sink, GST_ELEMENT_FLAG_SINK);
  return link_rtcp (self) && GST_TFRC_BASE_BIN_GET_CLASS (self)->build (self);
}

/* Of the kinds of packets that a demuxer knows, some are not expected on its socket. */
static void
close_off (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;

  if (parts->rtp_demux != NULL)
    gst_tfrc_rtcp_demux_remove_unlinked (parts->rtp_demux);
  gst_tfrc_rtcp_demux_remove_unlinked (parts->rtcp_demux);
  gst_tfrc_base_bin_plug (self);
}

/* Opening and closing. */

static gboolean
open_srtp (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  Settings *settings = &priv->settings;

  if (settings->srtp_key == NULL || *settings->srtp_key == '\0')
    return TRUE;
  priv->srtp = gst_tfrc_srtp_new (GST_ELEMENT (self), settings->srtp_key,
      settings->srtp_cipher, settings->srtp_auth);
  return priv->srtp != NULL;
}

static void
set_local_port (GstTfrcBaseBin * self, guint port)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);

  GST_OBJECT_LOCK (self);
  priv->local_port = port;
  GST_OBJECT_UNLOCK (self);
  g_object_notify (G_OBJECT (self), "local-port");
}

void
gst_tfrc_base_bin_set_uri (GstTfrcBaseBin * self, const gchar * uri)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GError *error = NULL, *old;

  if (uri != NULL)
    gst_tfrc_uri_apply (G_OBJECT (self),
        GST_TFRC_BASE_BIN_GET_CLASS (self)->host_name, uri, &error);
  GST_OBJECT_LOCK (self);
  old = priv->uri_error;
  priv->uri_error = error;
  GST_OBJECT_UNLOCK (self);
  g_clear_error (&old);
}

static gboolean
check_uri (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);

  if (priv->uri_error != NULL)
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("The property \"uri\" cannot be used: %s.",
            priv->uri_error->message), (NULL));
  return priv->uri_error == NULL;
}

static gboolean
gst_tfrc_base_bin_open (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);

  if (!check_uri (self))
    return FALSE;
  priv->parts.rtcp_mux = priv->settings.rtcp_mux;
  g_ptr_array_set_size (priv->plugs, 0);
  if (!open_srtp (self) || !GST_TFRC_BASE_BIN_GET_CLASS (self)->open (self) ||
      !build (self))
    return FALSE;
  close_off (self);
  set_local_port (self, gst_tfrc_socket_get_port (priv->parts.sockets[0]));
  return TRUE;
}

/* All elements but the filter go. */
static void
remove_elements (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;
  GList *children, *l;

  GST_OBJECT_LOCK (self);
  children = g_list_copy_deep (GST_BIN_CHILDREN (self),
      (GCopyFunc) gst_object_ref, NULL);
  GST_OBJECT_UNLOCK (self);
  for (l = children; l != NULL; l = l->next) {
    if (l->data == parts->filter)
      continue;
    gst_element_set_state (l->data, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (self), l->data);
  }
  g_list_free_full (children, gst_object_unref);
}

static void
gst_tfrc_base_bin_close (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts old = priv->parts;
  GstTfrcSrtp *srtp = priv->srtp;

  GST_TFRC_BASE_BIN_GET_CLASS (self)->closed (self);
  g_object_set (old.filter, "rtp-session", NULL, NULL);
  g_ptr_array_set_size (priv->plugs, 0);
  remove_elements (self);
  gst_tfrc_base_bin_plug (self);
  /* Statistics are read from other threads. */
  GST_OBJECT_LOCK (self);
  priv->parts = (GstTfrcBaseBinParts) {
  .filter = old.filter};
  priv->srtp = NULL;
  g_clear_object (&priv->peer);
  GST_OBJECT_UNLOCK (self);
  g_clear_object (&old.rtp_demux);
  g_clear_object (&old.rtcp_demux);
  g_clear_object (&old.sockets[0]);
  g_clear_object (&old.sockets[1]);
  g_clear_pointer (&srtp, gst_tfrc_srtp_free);
  memset (priv->udpsrc, 0, sizeof (priv->udpsrc));
  priv->was_paused = FALSE;
  set_local_port (self, 0);
}

void
gst_tfrc_base_bin_set_peer (GstTfrcBaseBin * self, GSocketAddress * address)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;
  GInetSocketAddress *inet = (GInetSocketAddress *) address;
  gchar *host;
  guint i;

  GST_OBJECT_LOCK (self);
  g_set_object (&priv->peer, address);
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_rtcp_demux_set_peer (parts->rtcp_demux, address, parts->rtcp_mux);
  g_signal_emit_by_name (parts->rtcp_sink, "clear");
  if (address == NULL)
    return;
  for (i = 0; i < 2; i++)
    if (parts->sockets[i] != NULL)
      gst_tfrc_socket_set_scope (parts->sockets[i], address);
  host = g_inet_address_to_string (g_inet_socket_address_get_address (inet));
  GST_INFO_OBJECT (self, "RTCP goes to %s, port %u", host,
      g_inet_socket_address_get_port (inet));
  g_signal_emit_by_name (parts->rtcp_sink, "add", host,
      (gint) g_inet_socket_address_get_port (inet));
  g_free (host);
}

/* The BYE when the bin is stopped without EOS. */

/* Takes the encrypted BYE away from a sink that is paused and would wait. */
static GstPadProbeReturn
on_last_words (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBuffer **caught = user_data;

  *caught = GST_PAD_PROBE_INFO_BUFFER (info);
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  return GST_PAD_PROBE_HANDLED;
}

static GstBuffer *
encrypt (GstTfrcBaseBin * self, GstBuffer * buffer)
{
  GstElement *srtpenc = get_private (self)->parts.srtpenc;
  GstPad *in = gst_element_get_static_pad (srtpenc, "rtcp_sink_0");
  GstPad *out = gst_element_get_static_pad (srtpenc, "rtcp_src_0");
  GstBuffer *caught = NULL;
  gulong probe = gst_pad_add_probe (out, GST_PAD_PROBE_TYPE_BUFFER,
      on_last_words, &caught, NULL);

  /* RTCP that was on its way when the sink was paused still waits there, with
   * the pad's lock. */
  if (GST_PAD_STREAM_TRYLOCK (in)) {
    gst_pad_chain (in, gst_buffer_ref (buffer));
    GST_PAD_STREAM_UNLOCK (in);
  }
  gst_pad_remove_probe (out, probe);
  gst_object_unref (in);
  gst_object_unref (out);
  gst_buffer_unref (buffer);
  return caught;
}

static void
send_and_unref (GSocket * socket, GSocketAddress * to, GstBuffer * buffer)
{
  GstMapInfo map;

  if (gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_socket_send_to (socket, to, (const gchar *) map.data, map.size, NULL,
        NULL);
    gst_buffer_unmap (buffer, &map);
  }
  gst_buffer_unref (buffer);
}

static void
say_bye (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;
  GstPad *out = gst_element_get_static_pad (parts->session, "send_rtcp_src");
  GSocketAddress *peer;
  GstBuffer *bye = NULL;

  GST_OBJECT_LOCK (self);
  peer = priv->peer != NULL ? g_object_ref (priv->peer) : NULL;
  GST_OBJECT_UNLOCK (self);
  /* RFC 3550 6.3.7: no BYE from who never said anything. */
  if (peer != NULL && gst_pad_has_current_caps (out))
    bye = gst_tfrc_bye_new (parts->session);
  if (bye != NULL && parts->srtpenc != NULL)
    bye = encrypt (self, bye);
  if (bye != NULL)
    send_and_unref (parts->sockets[parts->rtcp_mux ? 0 : 1], peer, bye);
  g_clear_object (&peer);
  gst_object_unref (out);
}

static void
drain_sockets (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  guint i;

  for (i = 0; priv->was_paused && i < 2; i++)
    if (priv->parts.sockets[i] != NULL)
      gst_tfrc_socket_drain (priv->parts.sockets[i]);
  priv->was_paused = FALSE;
}

/* A report leaves in the thread of the packet that asks for it, and a sink in PAUSED
 * holds that thread. GstBin stops sinks before what feeds them, but this one is none in
 * its eyes. */
static void
stop_rtcp_sink (GstTfrcBaseBin * self)
{
  gst_element_set_state (get_private (self)->parts.rtcp_sink, GST_STATE_READY);
}

static GstStateChangeReturn
gst_tfrc_base_bin_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcBaseBin *self = GST_TFRC_BASE_BIN (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      if (!gst_tfrc_base_bin_open (self)) {
        gst_tfrc_base_bin_close (self);
        return GST_STATE_CHANGE_FAILURE;
      }
      break;
    case GST_STATE_CHANGE_PAUSED_TO_PLAYING:
      drain_sockets (self);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      say_bye (self);
      stop_rtcp_sink (self);
      break;
    default:
      break;
  }
  ret =
      GST_ELEMENT_CLASS (gst_tfrc_base_bin_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    get_private (self)->was_paused = TRUE;
  if (transition == GST_STATE_CHANGE_READY_TO_NULL || (ret ==
          GST_STATE_CHANGE_FAILURE &&
          transition == GST_STATE_CHANGE_NULL_TO_READY))
    gst_tfrc_base_bin_close (self);
  return ret;
}

/* The sinks of RTP and of RTCP are named so by this bin and its subclass. */
static gboolean
is_send_error (GstMessage * message)
{
  return g_str_has_suffix (GST_MESSAGE_SRC_NAME (message), "-udpsink");
}

/* A path that is down makes every packet fail, RTP and RTCP: they are of one kind. */
static GstMessage *
filter_warning (GstTfrcBaseBin * self, GstMessage * message)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  gboolean send_error = is_send_error (message);

  GST_OBJECT_LOCK (self);
  priv->send_errors += send_error;
  GST_OBJECT_UNLOCK (self);
  return gst_tfrc_child_warnings_filter (&priv->child_warnings, GST_BIN (self),
      send_error ? "send error" : NULL, message);
}

/* The filter's warnings come once each, or are counted there. */
static void
gst_tfrc_base_bin_handle_message (GstBin * bin, GstMessage * message)
{
  GstTfrcBaseBin *self = GST_TFRC_BASE_BIN (bin);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING &&
      GST_MESSAGE_SRC (message) !=
      GST_OBJECT (gst_tfrc_base_bin_get_parts (self)->filter))
    message = filter_warning (self, message);
  if (message != NULL)
    GST_BIN_CLASS (gst_tfrc_base_bin_parent_class)->handle_message (bin,
        message);
}

/* Properties. */

static void
take_demux_stats (GstTfrcRtcpDemux * demux, GstTfrcRtcpDemuxStats * stats)
{
  if (demux == NULL)
    return;
  gst_tfrc_rtcp_demux_get_stats (demux, stats);
  g_object_unref (demux);
}

static GstStructure *
create_stats (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;
  GstTfrcBaseBinClass *klass = GST_TFRC_BASE_BIN_GET_CLASS (self);
  GstTfrcRtcpDemuxStats rtp = { 0, }, rtcp = { 0, };
  GstTfrcRtcpDemux *first = NULL, *second = NULL;
  GstStructure *stats;
  guint64 send_errors, failures;

  g_object_get (parts->filter, "stats", &stats, NULL);
  GST_OBJECT_LOCK (self);
  if (parts->rtp_demux != NULL)
    first = g_object_ref (parts->rtp_demux);
  if (parts->rtcp_demux != NULL && parts->rtcp_demux != first)
    second = g_object_ref (parts->rtcp_demux);
  send_errors = priv->send_errors;
  failures = priv->srtp != NULL ? gst_tfrc_srtp_get_failures (priv->srtp) : 0;
  GST_OBJECT_UNLOCK (self);
  take_demux_stats (first, &rtp);
  take_demux_stats (second, &rtcp);
  gst_structure_set (stats,
      "packets-malformed", G_TYPE_UINT64, rtp.malformed + rtcp.malformed,
      "packets-unexpected", G_TYPE_UINT64, rtp.unexpected + rtcp.unexpected,
      "packets-refused", G_TYPE_UINT64, rtp.refused + rtcp.refused,
      "rtcp-foreign", G_TYPE_UINT64, rtp.foreign + rtcp.foreign,
      "send-errors", G_TYPE_UINT64, send_errors,
      "srtp-failures", G_TYPE_UINT64, failures, NULL);
  if (klass->add_stats != NULL)
    klass->add_stats (self, stats);
  return stats;
}

static void
free_key (Settings * settings)
{
  if (settings->srtp_key != NULL)
    memset (settings->srtp_key, 0, strlen (settings->srtp_key));
  g_clear_pointer (&settings->srtp_key, g_free);
}

static void
gst_tfrc_base_bin_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstTfrcBaseBinPrivate *priv = get_private (GST_TFRC_BASE_BIN (object));
  Settings *settings = &priv->settings;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_RTCP_MUX:
      settings->rtcp_mux = g_value_get_boolean (value);
      break;
    case PROP_DSCP:
      settings->dscp = g_value_get_int (value);
      break;
    case PROP_TTL:
      settings->ttl = g_value_get_int (value);
      break;
    case PROP_BUFFER_SIZE:
      settings->buffer_size = g_value_get_int (value);
      break;
    case PROP_SDES:
      gst_clear_structure (&settings->sdes);
      settings->sdes = g_value_dup_boxed (value);
      break;
    case PROP_SRTP_KEY:
      free_key (settings);
      settings->srtp_key = g_value_dup_string (value);
      break;
    case PROP_SRTP_CIPHER:
      settings->srtp_cipher = g_value_get_enum (value);
      break;
    case PROP_SRTP_AUTH:
      settings->srtp_auth = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
  /* The rate that the network guarantees hangs on the code point. */
  if (id == PROP_DSCP && g_object_class_find_property
      (G_OBJECT_GET_CLASS (priv->parts.filter), "dscp") != NULL)
    g_object_set_property (G_OBJECT (priv->parts.filter), "dscp", value);
}

static void
gst_tfrc_base_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcBaseBinPrivate *priv = get_private (GST_TFRC_BASE_BIN (object));
  Settings *settings = &priv->settings;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, create_stats (GST_TFRC_BASE_BIN (object)));
    return;
  }
  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_RTCP_MUX:
      g_value_set_boolean (value, settings->rtcp_mux);
      break;
    case PROP_DSCP:
      g_value_set_int (value, settings->dscp);
      break;
    case PROP_TTL:
      g_value_set_int (value, settings->ttl);
      break;
    case PROP_BUFFER_SIZE:
      g_value_set_int (value, settings->buffer_size);
      break;
    case PROP_SDES:
      g_value_set_boxed (value, settings->sdes);
      break;
    case PROP_SRTP_CIPHER:
      g_value_set_enum (value, settings->srtp_cipher);
      break;
    case PROP_SRTP_AUTH:
      g_value_set_enum (value, settings->srtp_auth);
      break;
    case PROP_LOCAL_PORT:
      g_value_set_uint (value, priv->local_port);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_tfrc_base_bin_finalize (GObject * object)
{
  GstTfrcBaseBinPrivate *priv = get_private (GST_TFRC_BASE_BIN (object));

  free_key (&priv->settings);
  gst_clear_structure (&priv->settings.sdes);
  g_clear_error (&priv->uri_error);
  g_ptr_array_unref (priv->plugs);
  gst_tfrc_child_warnings_clear (&priv->child_warnings);
  G_OBJECT_CLASS (gst_tfrc_base_bin_parent_class)->finalize (object);
}

static void
gst_tfrc_base_bin_constructed (GObject * object)
{
  GstTfrcBaseBinClass *klass = GST_TFRC_BASE_BIN_GET_CLASS (object);
  GstTfrcBaseBinParts *parts =
      gst_tfrc_base_bin_get_parts (GST_TFRC_BASE_BIN (object));

  G_OBJECT_CLASS (gst_tfrc_base_bin_parent_class)->constructed (object);
  /* The plugin that has this bin has the filter too. */
  parts->filter = gst_element_factory_make (klass->filter, "tfrc");
  g_assert (parts->filter != NULL);
  gst_bin_add (GST_BIN (object), parts->filter);
  gst_tfrc_child_properties_notify (object, G_OBJECT (parts->filter));
}

#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

static void
install_transport (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_RTCP_MUX,
      g_param_spec_boolean ("rtcp-mux", "RTCP mux",
          "RTP and RTCP share one port, both ways: works through NAT (RFC "
          "5761). Otherwise RTCP uses the port after that of RTP. Both ends "
          "must use the same", DEFAULT_RTCP_MUX, READY));
  g_object_class_install_property (klass, PROP_DSCP,
      g_param_spec_int ("dscp", "DSCP",
          "Code point that packets are marked with (-1: unmarked)", -1, 63,
          DEFAULT_DSCP, READY));
  g_object_class_install_property (klass, PROP_TTL,
      g_param_spec_int ("ttl", "TTL", "Time to live of packets (hops)", 1, 255,
          DEFAULT_TTL, READY));
  g_object_class_install_property (klass, PROP_BUFFER_SIZE,
      g_param_spec_int ("buffer-size", "Buffer size",
          "Size of the kernel's socket buffers (bytes, 0: as the system has "
          "it)", 0, G_MAXINT, DEFAULT_BUFFER_SIZE, READY));
  g_object_class_install_property (klass, PROP_SDES,
      g_param_spec_boxed ("sdes", "SDES",
          "What RTCP says of this end, application/x-rtp-source-sdes with "
          "cname, name, tool, ... (not set: a random cname)",
          GST_TYPE_STRUCTURE, READY));
  g_object_class_install_property (klass, PROP_LOCAL_PORT,
      g_param_spec_uint ("local-port", "Local port",
          "UDP port in use for RTP (0: none)", 0, G_MAXUINT16, 0,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
install_srtp (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_SRTP_KEY,
      g_param_spec_string ("srtp-key", "SRTP key",
          "Master key and salt in hexadecimal digits, shared by both ends; "
          "60 digits for aes-128-icm (not set: no encryption). Cannot be read",
          NULL, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_SRTP_CIPHER,
      g_param_spec_enum ("srtp-cipher", "SRTP cipher",
          "Encryption of RTP and RTCP when there is a key",
          GST_TYPE_TFRC_SRTP_CIPHER, DEFAULT_SRTP_CIPHER, READY));
  g_object_class_install_property (klass, PROP_SRTP_AUTH,
      g_param_spec_enum ("srtp-auth", "SRTP authentication",
          "Authentication of RTP when there is a key; RTCP always has the "
          "10-byte tag. Of no effect with the GCM ciphers",
          GST_TYPE_TFRC_SRTP_AUTH, DEFAULT_SRTP_AUTH, READY));
}

static void
gst_tfrc_base_bin_class_init (GstTfrcBaseBinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_tfrc_base_bin_set_property;
  object_class->get_property = gst_tfrc_base_bin_get_property;
  object_class->constructed = gst_tfrc_base_bin_constructed;
  object_class->finalize = gst_tfrc_base_bin_finalize;
  GST_ELEMENT_CLASS (klass)->change_state = gst_tfrc_base_bin_change_state;
  GST_BIN_CLASS (klass)->handle_message = gst_tfrc_base_bin_handle_message;

  install_transport (object_class);
  install_srtp (object_class);
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counters and state of the filter inside and of the sockets",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_type_mark_as_plugin_api (GST_TYPE_TFRC_BASE_BIN, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_TFRC_SRTP_CIPHER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_TFRC_SRTP_AUTH, 0);
}

static void
gst_tfrc_base_bin_init (GstTfrcBaseBin * self)
{
  get_private (self)->plugs = gst_tfrc_bin_pads_new_plugs ();
  get_private (self)->settings = (Settings) {
  .rtcp_mux = DEFAULT_RTCP_MUX,.dscp = DEFAULT_DSCP,.ttl =
        DEFAULT_TTL,.buffer_size = DEFAULT_BUFFER_SIZE,.srtp_cipher =
        DEFAULT_SRTP_CIPHER,.srtp_auth = DEFAULT_SRTP_AUTH,};
}
