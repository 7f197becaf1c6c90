/* gst-tfrc: base class of the bins tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The elements that the base class adds, and how RTCP takes its way through them:
 *
 *            .---------.   .-------.   .---------.   .------------.
 *  socket -> | udpsrc  | > | demux | > | srtpdec | > |            | > RTP in
 *            '---------'   '-------'   '---------'   | rtpsession |
 *            .--------------.          .---------.   |            |
 *  socket <- | multiudpsink |  <-----  | srtpenc | < |            | < RTP out
 *            '--------------'   RTCP   '---------'   '------------'
 *
 * In tfrcsink, RTCP that comes in goes through rtptfrcsend before the session, by the pads
 * rtcp_sink and rtcp_src. In tfrcsrc, a funnel joins the pad rtcp_src of rtptfrcreceive with
 * the session's RTCP that goes out.
 *
 * Without rtcp-mux RTCP has a second socket with a udpsrc and a demux of its own. Without a
 * key there is neither srtpenc nor srtpdec. */
#include "transport/gsttfrcbasebin.h"

#include <string.h>

#include "rtcp/rtcppackets.h"
#include "base/messages.h"
#include "base/pads.h"
#include "transport/binproperties.h"
#include "transport/gsocket.h"
#include "transport/tfrcuri.h"

GST_DEBUG_CATEGORY_STATIC (tfrcbasebin_debug);
#define GST_CAT_DEFAULT tfrcbasebin_debug

enum
{
  PROP_LOCAL_PORT = GST_TFRC_N_TRANSPORT_SETTINGS,
  PROP_STATS
};

G_STATIC_ASSERT (PROP_STATS < GST_TFRC_BASE_BIN_FIRST_PROP);

typedef struct
{
  GstTfrcTransportSettings settings;    /* under the object lock */
  GstTfrcBaseBinParts parts;
  GPtrArray *plugs;             /* linked to the unused pads inside the bin */

  GstElement *udpsrc[2];
  GstTfrcSrtp *srtp;
  gboolean was_paused;          /* the bin went from PLAYING to PAUSED */

  /* under the object lock */
  guint local_port;             /* of RTP; 0: no socket is open */
  GSocketAddress *rtcp_remote;  /* where RTCP is sent; NULL: nowhere yet */
  guint64 send_errors;
  GstTfrcChildWarnings child_warnings;
  GError *uri_error;
} GstTfrcBaseBinPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstTfrcBaseBin, gst_tfrc_base_bin,
    GST_TYPE_BIN, G_ADD_PRIVATE (GstTfrcBaseBin);
    GST_DEBUG_CATEGORY_INIT (tfrcbasebin_debug, "tfrcbasebin", 0,
        "sockets, RTCP and SRTP of tfrcsink and tfrcsrc"));

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
  GstTfrcTransportSettings *settings = &get_private (self)->settings;

  if (sink != NULL)
    g_object_set (sink, "socket", socket, "close-socket", FALSE,
        "sync", FALSE, "async", FALSE, "enable-last-sample", FALSE,
        "auto-multicast", FALSE, "qos-dscp", settings->dscp,
        "ttl", settings->ttl, "buffer-size", settings->buffer_size, NULL);
  return sink;
}

/* Adds udpsrc and demux for socket `i`. Returns NULL after an error has been posted. */
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

  /* Without rtcp-mux nothing is received on the RTP socket of a data sender. */
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
  /* Sender reports say when the medium was captured (RFC 3550 6.4.1). To say when the medium
   * is sent, the session adds the latency of the pipeline, and the session of GStreamer 1.26
   * sends neither reports nor BYE for a packet that came before it knew the latency: the packet
   * of the preroll, and each packet of a bin that was added to a pipeline that plays. */
  g_object_set (parts->session, "rtcp-sync-send-time", FALSE, NULL);
  if (priv->settings.sdes != NULL)
    g_object_set (parts->session, "sdes", priv->settings.sdes, NULL);
  g_object_get (parts->session, "internal-session", &internal, NULL);
  /* Without SRTP anybody could send a packet with the SSRC of a source, so that a source
   * may move to another address only when its packets are authenticated. */
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

/* Probe on outgoing RTCP. It pushes a packet with a BYE itself, so that the BYE has been sent
 * when bye_sent() is called. */
static GstPadProbeReturn
on_rtcp_out (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcBaseBin *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstPad *next;

  if (!gst_tfrc_bye_is_in (buffer) || (next = gst_pad_get_peer (pad)) == NULL)
    return GST_PAD_PROBE_OK;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = gst_pad_chain (next, buffer);
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  gst_object_unref (next);
  GST_INFO_OBJECT (self, "the RTP session sent its BYE");
  GST_TFRC_BASE_BIN_GET_CLASS (self)->bye_sent (self);
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

/* The data sender's filter is in front of the session, and takes reports out of RTCP. */
static gboolean
link_rtcp_in (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;
  GstElement *bin = GST_ELEMENT (self), *from = GST_ELEMENT (parts->rtcp_demux);

  if (parts->srtpdec != NULL) {
    if (!gst_tfrc_bin_pads_link_named (bin, from, "rtcp_src", parts->srtpdec,
            "rtcp_sink"))
      return FALSE;
    from = parts->srtpdec;
  }
  if (!GST_TFRC_BASE_BIN_GET_CLASS (self)->receives) {
    if (!gst_tfrc_bin_pads_link_named (bin, from, "rtcp_src", parts->filter,
            "rtcp_sink"))
      return FALSE;
    from = parts->filter;
  }
  return gst_tfrc_bin_pads_link_named (bin, from, "rtcp_src", parts->session,
      "recv_rtcp_sink");
}

/* The session's RTCP and the reports of the data receiver's filter leave by one way. NULL
 * after an error was posted. */
static GstElement *
add_rtcp_funnel (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;
  GstElement *bin = GST_ELEMENT (self);
  GstElement *funnel = gst_tfrc_base_bin_add (self, "funnel", "rtcp-funnel");

  if (funnel == NULL)
    return NULL;
  g_object_set (funnel, "forward-sticky-events", FALSE, NULL);
  return gst_tfrc_bin_pads_link_named (bin, parts->session, "send_rtcp_src",
      funnel, "sink_0")
      && gst_tfrc_bin_pads_link_named (bin, parts->filter, "rtcp_src", funnel,
      "sink_1") ? funnel : NULL;
}

static gboolean
link_rtcp_out (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinParts *parts = &get_private (self)->parts;
  GstElement *bin = GST_ELEMENT (self), *from = parts->session;
  const gchar *src = "send_rtcp_src";

  if (GST_TFRC_BASE_BIN_GET_CLASS (self)->receives) {
    from = add_rtcp_funnel (self);
    if (from == NULL)
      return FALSE;
    src = "src";
  }
  if (parts->srtpenc == NULL)
    return gst_tfrc_bin_pads_link_named (bin, from, src, parts->rtcp_sink,
        "sink");
  return gst_tfrc_bin_pads_link_named (bin, from, src, parts->srtpenc,
      "rtcp_sink_0")
      && gst_tfrc_bin_pads_link_named (bin, parts->srtpenc, "rtcp_src_0",
      parts->rtcp_sink, "sink");
}

static gboolean
link_rtcp (GstTfrcBaseBin * self)
{
  if (!link_rtcp_in (self) || !link_rtcp_out (self))
    return FALSE;
  if (GST_TFRC_BASE_BIN_GET_CLASS (self)->bye_sent != NULL)
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
  /* As a sink, the RTCP udpsink would have to receive EOS before the bin posts EOS, and RTCP
   * goes on after the last RTP packet. */
  GST_OBJECT_FLAG_UNSET (parts->rtcp_sink, GST_ELEMENT_FLAG_SINK);
  return link_rtcp (self) && GST_TFRC_BASE_BIN_GET_CLASS (self)->build (self);
}

/* Removes the demux pads for kinds of packets that are not expected on their socket, and
 * plugs the other unused pads. */
static void
close_unused_pads (GstTfrcBaseBin * self)
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
  GstTfrcSrtpSettings *settings = &priv->settings.srtp;

  if (!gst_tfrc_srtp_settings_encrypt (settings))
    return TRUE;
  priv->srtp = gst_tfrc_srtp_new (GST_ELEMENT (self), settings,
      GST_TFRC_BASE_BIN_GET_CLASS (self)->receives ?
      GST_TFRC_SRTP_DATA_RECEIVER : GST_TFRC_SRTP_DATA_SENDER);
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
  close_unused_pads (self);
  set_local_port (self, gst_tfrc_gsocket_get_port (priv->parts.sockets[0]));
  GST_INFO_OBJECT (self, "opened UDP port %u, RTCP %s, %s", priv->local_port,
      priv->parts.rtcp_mux ? "on the same port" : "on the next port",
      priv->srtp != NULL ? "encrypted" : "not encrypted");
  return TRUE;
}

static void
release_rtcp_pads (GstElement * filter)
{
  static const gchar *const names[] = { "rtcp_sink", "rtcp_src" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstPad *pad = gst_element_get_static_pad (filter, names[i]);

    if (pad != NULL)
      gst_element_release_request_pad (filter, pad);
    gst_clear_object (&pad);
  }
}

/* Stops and removes all elements but the filter. */
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

  GST_DEBUG_OBJECT (self, "closing");
  GST_TFRC_BASE_BIN_GET_CLASS (self)->closed (self);
  g_object_set (old.filter, "rtp-session", NULL, NULL);
  g_ptr_array_set_size (priv->plugs, 0);
  remove_elements (self);
  release_rtcp_pads (old.filter);
  gst_tfrc_base_bin_plug (self);
  /* The lock protects readers of the property "stats" in other threads. */
  GST_OBJECT_LOCK (self);
  priv->parts = (GstTfrcBaseBinParts) {
      .filter = old.filter};
  priv->srtp = NULL;
  g_clear_object (&priv->rtcp_remote);
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
gst_tfrc_base_bin_set_rtcp_remote (GstTfrcBaseBin * self,
    GSocketAddress * address)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;
  GInetSocketAddress *inet = (GInetSocketAddress *) address;
  gchar *host;
  guint i;

  GST_OBJECT_LOCK (self);
  g_set_object (&priv->rtcp_remote, address);
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_rtcp_demux_set_remote (parts->rtcp_demux, address, parts->rtcp_mux);
  g_signal_emit_by_name (parts->rtcp_sink, "clear");
  if (address == NULL)
    return;
  for (i = 0; i < 2; i++)
    if (parts->sockets[i] != NULL)
      gst_tfrc_gsocket_set_scope (parts->sockets[i], address);
  host = g_inet_address_to_string (g_inet_socket_address_get_address (inet));
  GST_DEBUG_OBJECT (self, "RTCP is sent to %s, port %u", host,
      g_inet_socket_address_get_port (inet));
  g_signal_emit_by_name (parts->rtcp_sink, "add", host,
      (gint) g_inet_socket_address_get_port (inet));
  g_free (host);
}

/* The BYE of a bin that is stopped without EOS. The RTP session no longer runs then, so that
 * the bin makes the packet and sends it on the socket. */

/* Probe behind srtpenc that takes the encrypted BYE. The RTCP udpsink is paused and would
 * block. */
static GstPadProbeReturn
on_encrypted_bye (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
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
      on_encrypted_bye, &caught, NULL);

  /* RTCP that was being sent when the udpsink was paused is still blocked there and holds
   * the stream lock of this pad. Then the bin ends without a BYE. */
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
send_bye (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  GstTfrcBaseBinParts *parts = &priv->parts;
  GstPad *out = gst_element_get_static_pad (parts->session, "send_rtcp_src");
  GSocketAddress *remote;
  GstBuffer *bye = NULL;

  GST_OBJECT_LOCK (self);
  remote = priv->rtcp_remote != NULL ? g_object_ref (priv->rtcp_remote) : NULL;
  GST_OBJECT_UNLOCK (self);
  /* RFC 3550 6.3.7: a participant that never sent RTP or RTCP must not send a BYE. */
  if (remote != NULL && gst_pad_has_current_caps (out))
    bye = gst_tfrc_bye_new (parts->session);
  if (bye != NULL && parts->srtpenc != NULL)
    bye = encrypt (self, bye);
  GST_INFO_OBJECT (self, "%s", bye != NULL ? "stopped; sending BYE" :
      "stopped; there is no BYE to send");
  if (bye != NULL)
    send_and_unref (parts->sockets[parts->rtcp_mux ? 0 : 1], remote, bye);
  g_clear_object (&remote);
  gst_object_unref (out);
}

/* Drops the packets that arrived while the bin was paused: their arrival times say nothing
 * about the path. */
static void
drain_sockets (GstTfrcBaseBin * self)
{
  GstTfrcBaseBinPrivate *priv = get_private (self);
  guint i;

  for (i = 0; priv->was_paused && i < 2; i++)
    if (priv->parts.sockets[i] != NULL)
      gst_tfrc_gsocket_drain (priv->parts.sockets[i]);
  priv->was_paused = FALSE;
}

/* A report is sent in the thread of the packet that called for it, and the udpsink blocks
 * that thread while it is in PAUSED. GstBin stops sinks before their sources, but does not
 * take this element for a sink (see build()). */
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
      send_bye (self);
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

/* Takes a warning of a child. Returns NULL when it is not to be posted. Failures to send RTP
 * and RTCP are one kind of warning: when a path is down, every packet fails. */
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

/* Warnings of the children are rate-limited, except those of the filter, which limits its
 * own. */
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
gst_tfrc_base_bin_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstTfrcBaseBinPrivate *priv = get_private (GST_TFRC_BASE_BIN (object));
  gboolean found;

  GST_OBJECT_LOCK (object);
  found = gst_tfrc_transport_settings_set (&priv->settings, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!found)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  /* rtptfrcsend has a property "dscp", because a guaranteed rate belongs to a code point. */
  if (id == GST_TFRC_TRANSPORT_PROP_DSCP && g_object_class_find_property
      (G_OBJECT_GET_CLASS (priv->parts.filter), "dscp") != NULL)
    g_object_set_property (G_OBJECT (priv->parts.filter), "dscp", value);
}

static void
gst_tfrc_base_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcBaseBinPrivate *priv = get_private (GST_TFRC_BASE_BIN (object));
  gboolean found = TRUE;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, create_stats (GST_TFRC_BASE_BIN (object)));
    return;
  }
  GST_OBJECT_LOCK (object);
  if (id == PROP_LOCAL_PORT)
    g_value_set_uint (value, priv->local_port);
  else
    found = gst_tfrc_transport_settings_get (&priv->settings, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!found)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_tfrc_base_bin_finalize (GObject * object)
{
  GstTfrcBaseBinPrivate *priv = get_private (GST_TFRC_BASE_BIN (object));

  gst_tfrc_transport_settings_clear (&priv->settings);
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
  /* The filter is in the same plugin as this bin. */
  parts->filter = gst_element_factory_make (klass->filter, "tfrc");
  g_assert (parts->filter != NULL);
  gst_bin_add (GST_BIN (object), parts->filter);
  gst_tfrc_child_properties_notify (object, G_OBJECT (parts->filter));
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

  gst_tfrc_transport_settings_install (object_class);
  /**
   * GstTfrcBaseBin:local-port:
   *
   * UDP port in use for RTP (0: none). The property is notified when the
   * socket is open, with the port that the system chose.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_LOCAL_PORT,
      g_param_spec_uint ("local-port", "Local port",
          "UDP port in use for RTP (0: none)", 0, G_MAXUINT16, 0,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcBaseBin:stats:
   *
   * Counters and state of the filter inside and of the sockets.
   *
   * The structure has the fields of the filter's property "stats"
   * (#GstRtpTfrcSend:stats, #GstRtpTfrcReceive:stats) and these counters of
   * type guint64:
   *
   * - `packets-malformed`: packets that were neither RTP nor RTCP, or whose
   *   lengths contradict each other
   * - `packets-unexpected`: packets of a kind that the socket is not for
   * - `packets-refused`: packets that an element inside the bin did not take
   * - `rtcp-foreign`: RTCP packets that did not come from the remote host
   * - `send-errors`: packets that the system could not send
   * - `srtp-failures`: SRTP and SRTCP packets that were not authentic, or were
   *   repeated
   *
   * tfrcsrc adds `ssrc` (guint, the SSRC of the data sender that is followed),
   * `source-changes` (changes of the data sender), `packets-of-others`
   * (packets of other senders), and `packets-unknown-payload` (packets of a
   * payload type that is not in #GstTfrcSrc:caps or that the next element does
   * not take); its `packets-refused` includes packets that the next element
   * did not take.
   *
   * Since: 0.1
   */
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
  gst_tfrc_transport_settings_init (&get_private (self)->settings);
}
