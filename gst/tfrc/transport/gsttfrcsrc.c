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
 * to the host that the stream comes from. The stream passes a jitter buffer of
 * #GstTfrcSrc:latency and leaves by one pad. Lost packets are announced by events
 * GstRTPPacketLost, so that a decoder can conceal them.
 *
 * tfrcsrc follows one data sender at a time. When that one has sent a BYE, or has
 * been silent for half a second, another data sender takes its place on the same pad,
 * so that a sender that was restarted is heard again.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 mode=tfrc-sp ! tfrcdecodebin ! autoaudiosink
 * ]| Plays a voice call that comes to port 5004.
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 caps="application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96" ! rtpopusdepay ! opusdec ! autoaudiosink
 * ]| The same with stock elements.
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004 mode=tfrc-sp
 * ]| The sender.
 *
 * ## Messages
 *
 * When the data sender that is followed sends a BYE, tfrcsrc posts an element message
 * with a structure application/x-tfrc-bye, which has the field `ssrc` (guint): the SSRC
 * of that sender. tfrcsrc does not end the stream, and follows the next data sender.
 *
 * Since: 0.1
 */
#include "transport/gsttfrcsrc.h"

#include "codec/codectable.h"
#include "transport/gsttfrcssrcfilter.h"
#include "base/pads.h"
#include "transport/payloadcaps.h"
#include "transport/binproperties.h"
#include "transport/gsocket.h"
#include "transport/tfrcuri.h"
#include "base/messages.h"

GST_DEBUG_CATEGORY_STATIC (tfrcsrc_debug);
#define GST_CAT_DEFAULT tfrcsrc_debug

#define DEFAULT_PORT 5004
#define DEFAULT_LATENCY 100

enum
{
  PROP_ADDRESS = GST_TFRC_BASE_BIN_FIRST_PROP,
  PROP_PORT,
  PROP_CAPS,
  PROP_LATENCY,
  PROP_REMOTE_ADDRESS,
  PROP_URI,
  PROP_FILTER                   /* first of the properties of the filter */
};

/* Properties of rtptfrcreceive that the bin has as well. */
static const gchar *const filter_properties[] = {
  "mode", "mtu", "header-size", "extension-id",
  "feedback-fmt", "experimental", "receive-rate", "loss-event-rate",
  "round-trip-time", NULL
};

struct _GstTfrcSrc
{
  GstTfrcBaseBin parent;

  /* under the object lock */
  gchar *address, *remote;
  guint port, latency;          /* latency: ms */
  GstCaps *caps;
  GstTfrcSsrcFilter *ssrc_filter;       /* owned */
  GstElement *jitterbuffer;
  gboolean rtcp_guessed;        /* no RTCP of the data sender has arrived yet */
  guint64 refused;              /* packets that the next element did not take */
  GstTfrcWarning refused_warning;
  GstTfrcWarning source_log;    /* limits the log lines on new data senders */

  GMutex restart_lock;
  gboolean running;             /* in PAUSED or PLAYING; under restart_lock */

  /* used by the thread of the jitter buffer alone */
  GstClockTime last_pts;        /* of the last packet that left the bin */

  GstPad *srcpad;
};

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static void gst_tfrc_src_uri_init (gpointer iface, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSrc, gst_tfrc_src, GST_TYPE_TFRC_BASE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, gst_tfrc_src_uri_init);
    GST_DEBUG_CATEGORY_INIT (tfrcsrc_debug, "tfrcsrc", 0, "TFRC source"));
GST_ELEMENT_REGISTER_DEFINE (tfrcsrc, "tfrcsrc", GST_RANK_PRIMARY,
    GST_TYPE_TFRC_SRC);

/* Caps. */

static gboolean
set_up_caps (GstTfrcSrc * self, GstTfrcBaseBinParts * parts)
{
  const gchar *problem = gst_tfrc_payload_caps_check (self->caps);
  GstCaps *caps, *first;

  if (problem != NULL) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("The property \"caps\" cannot be used: %s. Set it to something like "
            "application/x-rtp, media=audio, encoding-name=OPUS, "
            "clock-rate=48000, payload=96.", problem), (NULL));
    return FALSE;
  }
  caps = gst_tfrc_payload_caps_complete (self->caps);
  first = gst_caps_copy_nth (caps, 0);
  if (parts->srtpdec != NULL)
    gst_structure_set_name (gst_caps_get_structure (first, 0),
        "application/x-srtp");
  gst_tfrc_rtcp_demux_set_caps (parts->rtp_demux, first);
  gst_tfrc_ssrc_filter_set_caps (self->ssrc_filter, caps);
  gst_caps_unref (first);
  gst_caps_unref (caps);
  return TRUE;
}

static GstCaps *
on_request_pt_map (GstElement * session, guint payload_type,
    GstTfrcSsrcFilter * ssrc_filter)
{
  return gst_tfrc_ssrc_filter_get_caps (ssrc_filter, payload_type);
}

/* The data sender that is followed. */

/* Returns the address for RTCP to the data sender at `media`: with rtcp-mux the same address,
 * else the address that RTCP of that host came from, else a guess, the next port. */
static GSocketAddress *
guess_rtcp_address (GstTfrcBaseBinParts * parts, GSocketAddress * media,
    gboolean * guessed)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (media);
  GSocketAddress *seen;

  *guessed = FALSE;
  if (parts->rtcp_mux)
    return g_object_ref (media);
  seen = gst_tfrc_rtcp_demux_get_rtcp_address (parts->rtcp_demux);
  if (seen != NULL && gst_tfrc_gsocket_address_equal (seen, media, FALSE))
    return seen;
  g_clear_object (&seen);
  *guessed = TRUE;
  return gst_tfrc_gsocket_address_with_port (media,
      MIN (g_inet_socket_address_get_port (inet) + 1, G_MAXUINT16));
}

static void
set_rtcp_remote (GstTfrcSrc * self, GSocketAddress * media)
{
  GstTfrcBaseBinParts *parts =
      gst_tfrc_base_bin_get_parts (GST_TFRC_BASE_BIN (self));
  gboolean guessed;
  GSocketAddress *rtcp = guess_rtcp_address (parts, media, &guessed);

  GST_OBJECT_LOCK (self);
  self->rtcp_guessed = guessed;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_base_bin_set_rtcp_remote (GST_TFRC_BASE_BIN (self), rtcp);
  g_object_unref (rtcp);
}

/* Replaces a guessed RTCP address by the one that RTCP came from, which a NAT may have changed
 * to any port. Only the first RTCP packet may do so. */
static void
on_rtcp_address (GstTfrcRtcpDemux * demux, GstTfrcSrc * self)
{
  gboolean guessed;
  GSocketAddress *seen;

  GST_OBJECT_LOCK (self);
  guessed = self->rtcp_guessed;
  self->rtcp_guessed = FALSE;
  GST_OBJECT_UNLOCK (self);
  if (!guessed)
    return;
  seen = gst_tfrc_rtcp_demux_get_rtcp_address (demux);
  gst_tfrc_base_bin_set_rtcp_remote (GST_TFRC_BASE_BIN (self), seen);
  g_object_unref (seen);
}

static GstPadProbeReturn
drop_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return GST_PAD_PROBE_DROP;
}

/* Sends a sticky event to the jitter buffer again when the flush has dropped it: an event that
 * waited there among packets, or the segment. */
static gboolean
send_event_again (GstPad * feeder, GstEvent ** event, gpointer user_data)
{
  GstPad *out = user_data, *in = gst_pad_get_peer (feeder);
  GstEvent *sent = gst_pad_get_sticky_event (out, GST_EVENT_TYPE (*event), 0);

  if (sent != *event)
    gst_pad_send_event (in, gst_event_ref (*event));
  gst_clear_event (&sent);
  gst_object_unref (in);
  return TRUE;
}

static void
flush_jitterbuffer (GstTfrcSrc * self)
{
  GstPad *in = gst_element_get_static_pad (self->jitterbuffer, "sink");
  GstPad *out = gst_element_get_static_pad (self->jitterbuffer, "src");
  GstPad *feeder = gst_pad_get_peer (in);
  gulong probe = gst_pad_add_probe (out, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      drop_event, NULL, NULL);

  gst_pad_send_event (in, gst_event_new_flush_start ());
  gst_pad_send_event (in, gst_event_new_flush_stop (FALSE));
  gst_pad_remove_probe (out, probe);
  gst_pad_sticky_events_foreach (feeder, send_event_again, out);
  gst_object_unref (feeder);
  gst_object_unref (in);
  gst_object_unref (out);
}

/* Flushes the jitter buffer, because sequence numbers and timestamps of a new data sender have
 * nothing to do with those of the old one. The flush does not go downstream. While the jitter
 * buffer is being shut down there is no flush: it would start the thread of the jitter buffer
 * again, and the state change would wait for that thread for ever. */
static void
restart_jitterbuffer (GstTfrcSrc * self)
{
  g_mutex_lock (&self->restart_lock);
  if (self->running)
    flush_jitterbuffer (self);
  g_mutex_unlock (&self->restart_lock);
}

static GstStateChangeReturn
gst_tfrc_src_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcSrc *self = GST_TFRC_SRC (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED
      || transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    g_mutex_lock (&self->restart_lock);
    self->running = transition == GST_STATE_CHANGE_READY_TO_PAUSED;
    g_mutex_unlock (&self->restart_lock);
  }
  return GST_ELEMENT_CLASS (gst_tfrc_src_parent_class)->change_state (element,
      transition);
}

/* Returns the flow return that the jitter buffer gets for a push. The jitter buffer stops for good at an error. Downstream
 * that refuses caps which it had accepted, or that is not linked for a while, costs the packets
 * of that time and no more. Any other error of downstream is on the bus and goes on to the
 * jitter buffer. */
static GstFlowReturn
count_refused (GstTfrcSrc * self, GstFlowReturn ret)
{
  if (ret != GST_FLOW_NOT_NEGOTIATED && ret != GST_FLOW_NOT_LINKED)
    return ret;
  GST_OBJECT_LOCK (self);
  self->refused++;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_warning_post (&self->refused_warning, GST_ELEMENT (self),
      GST_CORE_ERROR, GST_CORE_ERROR_PAD, "Packets are dropped: %s.",
      ret ==
      GST_FLOW_NOT_LINKED ? "nothing is linked behind tfrcsrc" :
      "the elements behind tfrcsrc do not take them");
  return GST_FLOW_OK;
}

/* Answers that caps were accepted, also when downstream refused them: otherwise the jitter
 * buffer's pad would be "not negotiated" and packets would no longer reach chain_out(), where
 * they are counted. */
static gboolean
event_out (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gboolean is_caps = GST_EVENT_TYPE (event) == GST_EVENT_CAPS;
  gboolean ret = gst_pad_event_default (pad, parent, event);

  return is_caps || ret;
}

static gboolean
query_out (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_ACCEPT_CAPS)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_accept_caps_result (query, TRUE);
  return TRUE;
}

/* Keeps times from going backwards. The times of a data sender whose first packets were late
 * run ahead of arrivals, and those of the next data sender begin at its first arrival. */
static GstFlowReturn
chain_out (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcSrc *self = pad->chaindata;

  if (GST_BUFFER_PTS_IS_VALID (buffer)) {
    if (GST_CLOCK_TIME_IS_VALID (self->last_pts)
        && GST_BUFFER_PTS (buffer) < self->last_pts) {
      buffer = gst_buffer_make_writable (buffer);
      GST_BUFFER_PTS (buffer) = self->last_pts;
    }
    self->last_pts = GST_BUFFER_PTS (buffer);
  }
  return count_refused (self, gst_pad_push (self->srcpad, buffer));
}

/* Takes the text and notifies the property "remote-address". */
static void
set_remote (GstTfrcSrc * self, gchar * remote)
{
  GST_OBJECT_LOCK (self);
  g_free (self->remote);
  self->remote = remote;
  GST_OBJECT_UNLOCK (self);
  g_object_notify (G_OBJECT (self), "remote-address");
}

/* Whoever sends packets can cause changes: at INFO one is logged in 10 s at most. */
static void
log_source (GstTfrcSrc * self, guint ssrc, const gchar * from, gboolean changed)
{
  guint64 changes = gst_tfrc_warning_note (&self->source_log,
      GST_ELEMENT (self));

  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT,
      changes > 0 ? GST_LEVEL_INFO : GST_LEVEL_DEBUG, self,
      "following SSRC %08x from %s%s", ssrc, from != NULL ? from : "nowhere",
      changed ? "; the jitter buffer starts again" : "");
}

static void
on_source (GstTfrcSsrcFilter * ssrc_filter, guint ssrc, GSocketAddress * from,
    gboolean changed, GstTfrcSrc * self)
{
  gchar *remote = from != NULL ? gst_tfrc_gsocket_address_to_string (from) :
      NULL;

  log_source (self, ssrc, remote, changed);
  if (changed)
    restart_jitterbuffer (self);
  if (from == NULL)
    return;
  set_remote (self, remote);
  set_rtcp_remote (self, from);
}

static void
on_bye_ssrc (GstElement * session, guint ssrc, GstTfrcSrc * self)
{
  if (!gst_tfrc_ssrc_filter_bye (self->ssrc_filter, ssrc))
    return;
  GST_DEBUG_OBJECT (self, "BYE of SSRC %08x, which was followed", ssrc);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("application/x-tfrc-bye", "ssrc", G_TYPE_UINT,
              ssrc, NULL)));
}

/* Opening and closing. */

static gboolean
gst_tfrc_src_open (GstTfrcBaseBin * bin)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcBaseBinParts *parts = gst_tfrc_base_bin_get_parts (bin);

  return gst_tfrc_gsocket_open (GST_ELEMENT (bin), "address", self->address,
      G_SOCKET_FAMILY_INVALID, "port", self->port, !parts->rtcp_mux,
      parts->sockets);
}

static void
set_latency (GstTfrcSrc * self, guint latency)
{
  GstElement *jitterbuffer;

  GST_OBJECT_LOCK (self);
  self->latency = latency;
  jitterbuffer = self->jitterbuffer != NULL ?
      gst_object_ref (self->jitterbuffer) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (jitterbuffer == NULL)
    return;
  g_object_set (jitterbuffer, "latency", latency, NULL);
  gst_object_unref (jitterbuffer);
}

static gboolean
add_jitterbuffer (GstTfrcSrc * self)
{
  GstElement *element = gst_tfrc_base_bin_add (GST_TFRC_BASE_BIN (self),
      "rtpjitterbuffer", "jitterbuffer");
  GstPad *pad;
  gboolean ok;

  if (element == NULL)
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->jitterbuffer = element;
  GST_OBJECT_UNLOCK (self);
  g_object_set (element, "do-lost", TRUE, NULL);
  set_latency (self, self->latency);
  pad = gst_element_get_static_pad (element, "src");
  self->last_pts = GST_CLOCK_TIME_NONE;
  ok = gst_tfrc_bin_pads_set_target (GST_ELEMENT (self), self->srcpad, pad);
  gst_object_unref (pad);
  return ok;
}

static gboolean
link_rtp (GstTfrcSrc * self, GstTfrcBaseBinParts * parts)
{
  GstElement *bin = GST_ELEMENT (self);
  GstElement *from = GST_ELEMENT (parts->rtp_demux);
  GstElement *ssrc_filter = GST_ELEMENT (self->ssrc_filter);

  if (parts->srtpdec != NULL && !gst_tfrc_bin_pads_link_named (bin, from,
          "rtp_src", parts->srtpdec, "rtp_sink"))
    return FALSE;
  if (parts->srtpdec != NULL)
    from = parts->srtpdec;
  return gst_tfrc_bin_pads_link_named (bin, from, "rtp_src", parts->session,
      "recv_rtp_sink")
      && gst_tfrc_bin_pads_link_named (bin, parts->session, "recv_rtp_src",
      ssrc_filter, "sink")
      && gst_tfrc_bin_pads_link_named (bin, ssrc_filter, "src", parts->filter,
      "sink")
      && gst_tfrc_bin_pads_link_named (bin, parts->filter, "src",
      self->jitterbuffer, "sink");
}

/*
 * .---------.   .------------.   .-------------.   .----------------.   .-----------------.
 * | srtpdec | > | rtpsession | > | ssrc-filter | > | rtptfrcreceive | > | rtpjitterbuffer | > src
 * '---------'   '------------'   '-------------'   '----------------'   '-----------------'
 *                     v RTCP: see transport/gsttfrcbasebin.c
 *
 * rtptfrcreceive is in front of the jitter buffer, because it measures arrivals.
 */
static gboolean
gst_tfrc_src_build (GstTfrcBaseBin * bin)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcBaseBinParts *parts = gst_tfrc_base_bin_get_parts (bin);
  GstElement *ssrc_filter;

  if (!add_jitterbuffer (self))
    return FALSE;
  ssrc_filter = gst_tfrc_ssrc_filter_new ("ssrc-filter");
  gst_tfrc_ssrc_filter_set_caps_query_pad (GST_TFRC_SSRC_FILTER (ssrc_filter),
      self->srcpad);
  gst_bin_add (GST_BIN (bin), ssrc_filter);
  GST_OBJECT_LOCK (self);
  self->ssrc_filter = g_object_ref (GST_TFRC_SSRC_FILTER (ssrc_filter));
  GST_OBJECT_UNLOCK (self);
  if (!set_up_caps (self, parts))
    return FALSE;
  g_signal_connect (ssrc_filter, "source", G_CALLBACK (on_source), self);
  g_signal_connect (parts->rtcp_demux, "rtcp-address",
      G_CALLBACK (on_rtcp_address), self);
  g_signal_connect (parts->session, "on-bye-ssrc", G_CALLBACK (on_bye_ssrc),
      self);
  g_signal_connect (parts->session, "request-pt-map",
      G_CALLBACK (on_request_pt_map), ssrc_filter);
  return link_rtp (self, parts);
}

static void
gst_tfrc_src_closed (GstTfrcBaseBin * bin)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcSsrcFilter *ssrc_filter;

  gst_ghost_pad_set_target (GST_GHOST_PAD (self->srcpad), NULL);
  GST_OBJECT_LOCK (self);
  self->jitterbuffer = NULL;
  ssrc_filter = g_steal_pointer (&self->ssrc_filter);
  g_clear_pointer (&self->remote, g_free);
  self->refused = 0;
  self->refused_warning = self->source_log = (GstTfrcWarning) {FALSE};
  GST_OBJECT_UNLOCK (self);
  g_clear_object (&ssrc_filter);
}

static void
gst_tfrc_src_add_stats (GstTfrcBaseBin * bin, GstStructure * stats)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcSsrcFilterStats counts = { 0, };
  guint64 refused;
  GstTfrcSsrcFilter *ssrc_filter;

  gst_structure_get_uint64 (stats, "packets-refused", &refused);
  GST_OBJECT_LOCK (self);
  refused += self->refused;
  ssrc_filter = self->ssrc_filter != NULL ? g_object_ref (self->ssrc_filter) :
      NULL;
  GST_OBJECT_UNLOCK (self);
  if (ssrc_filter != NULL)
    gst_tfrc_ssrc_filter_get_stats (ssrc_filter, &counts);
  g_clear_object (&ssrc_filter);
  gst_structure_set (stats, "ssrc", G_TYPE_UINT, counts.ssrc,
      "source-changes", G_TYPE_UINT64, counts.changes,
      "packets-of-others", G_TYPE_UINT64, counts.others,
      "packets-refused", G_TYPE_UINT64, refused,
      "packets-unknown-payload", G_TYPE_UINT64, counts.unknown_payload, NULL);
}

/* Properties. */

static void
gst_tfrc_src_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSrc *self = GST_TFRC_SRC (object);

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
    case PROP_CAPS:
      GST_OBJECT_LOCK (self);
      gst_caps_replace (&self->caps, (GstCaps *) gst_value_get_caps (value));
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_LATENCY:
      set_latency (self, g_value_get_uint (value));
      break;
    case PROP_URI:
      gst_tfrc_base_bin_set_uri (GST_TFRC_BASE_BIN (self),
          g_value_get_string (value));
      break;
    default:
      g_object_set_property (G_OBJECT (gst_tfrc_base_bin_get_parts
              (GST_TFRC_BASE_BIN (object))->filter),
          g_param_spec_get_name (pspec), value);
      break;
  }
}

static void
gst_tfrc_src_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcSrc *self = GST_TFRC_SRC (object);

  switch (id) {
    case PROP_ADDRESS:
      GST_OBJECT_LOCK (self);
      g_value_set_string (value, self->address);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_PORT:
      g_value_set_uint (value, self->port);
      break;
    case PROP_CAPS:
      GST_OBJECT_LOCK (self);
      gst_value_set_caps (value, self->caps);
      GST_OBJECT_UNLOCK (self);
      break;
    case PROP_LATENCY:
      g_value_set_uint (value, self->latency);
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
      g_object_get_property (G_OBJECT (gst_tfrc_base_bin_get_parts
              (GST_TFRC_BASE_BIN (object))->filter),
          g_param_spec_get_name (pspec), value);
      break;
  }
}

static void
gst_tfrc_src_constructed (GObject * object)
{
  G_OBJECT_CLASS (gst_tfrc_src_parent_class)->constructed (object);
  gst_tfrc_base_bin_plug (GST_TFRC_BASE_BIN (object));
}

static void
gst_tfrc_src_finalize (GObject * object)
{
  GstTfrcSrc *self = GST_TFRC_SRC (object);

  g_free (self->address);
  g_free (self->remote);
  gst_clear_caps (&self->caps);
  g_clear_object (&self->ssrc_filter);
  g_mutex_clear (&self->restart_lock);
  G_OBJECT_CLASS (gst_tfrc_src_parent_class)->finalize (object);
}

static GstURIType
gst_tfrc_src_uri_get_type (GType type)
{
  return GST_URI_SRC;
}

static const gchar *const *
gst_tfrc_src_uri_get_protocols (GType type)
{
  static const gchar *const protocols[] = { GST_TFRC_URI_SCHEME, NULL };

  return protocols;
}

static gchar *
gst_tfrc_src_uri_get_uri (GstURIHandler * handler)
{
  return gst_tfrc_uri_from (G_OBJECT (handler), "address");
}

static gboolean
gst_tfrc_src_uri_set_uri (GstURIHandler * handler, const gchar * uri,
    GError ** error)
{
  return gst_tfrc_uri_apply (G_OBJECT (handler), "address", uri, error);
}

static void
gst_tfrc_src_uri_init (gpointer g_iface, gpointer data)
{
  GstURIHandlerInterface *iface = g_iface;

  iface->get_type = gst_tfrc_src_uri_get_type;
  iface->get_protocols = gst_tfrc_src_uri_get_protocols;
  iface->get_uri = gst_tfrc_src_uri_get_uri;
  iface->set_uri = gst_tfrc_src_uri_set_uri;
}

#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

static void
install_properties (GObjectClass * klass)
{
  /**
   * GstTfrcSrc:address:
   *
   * Local address to receive on (not set: any, IPv4 and IPv6).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ADDRESS,
      g_param_spec_string ("address", "Address",
          "Local address to receive on (not set: any, IPv4 and IPv6)", NULL,
          READY));
  /**
   * GstTfrcSrc:port:
   *
   * UDP port to receive on, without rtcp-mux RTCP on the next one (0: any that
   * is free). 5004 is the default port of RTP (RFC 3551 8).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port",
          "UDP port to receive on, without rtcp-mux RTCP on the next one (0: "
          "any that is free)", 0, G_MAXUINT16, DEFAULT_PORT, READY));
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
   * (#GstTfrcEncodeBin:copy-distance).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LATENCY,
      g_param_spec_uint ("latency", "Latency",
          "How long the jitter buffer waits for late packets (ms)", 0,
          G_MAXUINT, DEFAULT_LATENCY, G_PARAM_READWRITE |
          G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
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
          "tfrc://0.0.0.0:5004?mode=tfrc-sp", NULL, READY));
  gst_tfrc_child_properties_install (klass, PROP_FILTER, "rtptfrcreceive",
      filter_properties, 0);
}

static void
gst_tfrc_src_class_init (GstTfrcSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstTfrcBaseBinClass *bin_class = GST_TFRC_BASE_BIN_CLASS (klass);

  object_class->set_property = gst_tfrc_src_set_property;
  object_class->get_property = gst_tfrc_src_get_property;
  object_class->constructed = gst_tfrc_src_constructed;
  object_class->finalize = gst_tfrc_src_finalize;
  bin_class->filter = "rtptfrcreceive";
  bin_class->receives = TRUE;
  bin_class->host_name = "address";
  bin_class->open = gst_tfrc_src_open;
  bin_class->build = gst_tfrc_src_build;
  bin_class->closed = gst_tfrc_src_closed;
  bin_class->add_stats = gst_tfrc_src_add_stats;

  install_properties (object_class);
  element_class->change_state = gst_tfrc_src_change_state;
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC source",
      "Source/Network/RTP",
      "Receives RTP over UDP and reports to the sender for TCP-friendly rate "
      "control (RFC 5348, RFC 4828)", "The gst-tfrc developers");
}

static void
gst_tfrc_src_init (GstTfrcSrc * self)
{
  GstProxyPad *inside;

  g_mutex_init (&self->restart_lock);
  self->port = DEFAULT_PORT;
  self->latency = DEFAULT_LATENCY;
  /* The caps of the codecs that tfrcencodebin may send. */
  self->caps = gst_tfrc_codec_get_default_caps ();
  self->srcpad = gst_ghost_pad_new_no_target_from_template ("src",
      gst_element_class_get_pad_template (GST_ELEMENT_GET_CLASS (self), "src"));
  inside = gst_proxy_pad_get_internal (GST_PROXY_PAD (self->srcpad));
  gst_pad_set_chain_function_full (GST_PAD (inside), chain_out, self, NULL);
  gst_pad_set_event_function (GST_PAD (inside), event_out);
  gst_pad_set_query_function (GST_PAD (inside), query_out);
  gst_object_unref (inside);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  gst_bin_set_suppressed_flags (GST_BIN (self),
      GST_ELEMENT_FLAG_SOURCE | GST_ELEMENT_FLAG_SINK);
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SOURCE);
}
