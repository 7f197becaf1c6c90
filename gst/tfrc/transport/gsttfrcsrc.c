/* gst-tfrc: RTP from the network, reported to its sender
 * SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-tfrcsrc
 * @title: tfrcsrc
 * @see_also: tfrcsink, tfrcdecodebin, rtptfrcreceive
 *
 * tfrcsrc receives an RTP stream that #tfrcsink sends, measures what the network
 * lost and delivered as RFC 5348 (or, with mode=tfrc-sp, RFC 4828) says, and
 * reports it by RTCP to where the stream comes from. Behind a jitter buffer of
 * #GstTfrcSrc:latency it comes out of one pad; losses are announced, so that a
 * decoder can conceal them.
 *
 * One sender at a time is followed. When it has said BYE, or has been silent for
 * half a second, the next one takes its place on the same pad: a sender that is
 * restarted goes on playing.
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
 * When the sender leaves, an element message application/x-tfrc-bye with its `ssrc`
 * tells the application. The element goes on and follows whoever sends next.
 *
 * Since: 0.1
 */
#include "transport/gsttfrcsrc.h"

#include "codec/codectable.h"
#include "transport/gsttfrcssrcfilter.h"
#include "base/binpads.h"
#include "transport/childproperties.h"
#include "transport/udpsockets.h"
#include "transport/tfrcuri.h"
#include "base/warnings.h"

GST_DEBUG_CATEGORY_EXTERN (tfrcbin_debug);
#define GST_CAT_DEFAULT tfrcbin_debug

#define DEFAULT_PORT 5004
#define DEFAULT_LATENCY 100

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define DEFAULT_EXTMAP "extmap-3"

enum
{
  PROP_ADDRESS = GST_TFRC_BASE_BIN_FIRST_PROP,
  PROP_PORT,
  PROP_CAPS,
  PROP_LATENCY,
  PROP_REMOTE_ADDRESS,
  PROP_URI,
  PROP_PROXY                    /* the filter's follow */
};

/* Properties that live on the filter. */
static const gchar *const proxies[] = {
  "mode", "mtu", "header-size", "loss-measure", "extension-id",
  "feedback-fmt", "receive-rate", "loss-event-rate", "round-trip-time", NULL
};

struct _GstTfrcSrc
{
  GstTfrcBaseBin parent;

  /* under the object lock */
  gchar *address, *remote;
  guint port, latency;          /* latency: ms */
  GstCaps *caps;
  GstTfrcSsrcFilter *follow;    /* owned */
  GstElement *jitterbuffer;
  gboolean rtcp_guessed;        /* the sender's RTCP has not shown its port */
  guint64 refused;              /* packets, by what is linked behind */
  GstTfrcWarning refusal;       /* that tells of them */

  GMutex restart_lock;
  gboolean running;             /* under restart_lock: in PAUSED or PLAYING */

  /* thread of the jitter buffer alone */
  GstClockTime last;            /* time of the last packet that left */

  GstPad *srcpad;
};

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static void gst_tfrc_src_uri_init (gpointer iface, gpointer data);

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSrc, gst_tfrc_src, GST_TYPE_TFRC_BASE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, gst_tfrc_src_uri_init));
GST_ELEMENT_REGISTER_DEFINE (tfrcsrc, "tfrcsrc", GST_RANK_PRIMARY,
    GST_TYPE_TFRC_SRC);

/* Caps. */

/* FALSE, which ends the search, at the field that maps the header extension. */
static gboolean
is_not_stamp (GQuark field, const GValue * value, gpointer user_data)
{
  return !g_str_has_prefix (g_quark_to_string (field), "extmap-") ||
      !G_VALUE_HOLDS_STRING (value) ||
      g_strcmp0 (g_value_get_string (value), STAMP_URI) != 0;
}

/* FALSE, which ends the search, at feedback of any kind. */
static gboolean
is_no_feedback (GQuark field, const GValue * value, gpointer user_data)
{
  return !g_str_has_prefix (g_quark_to_string (field), "rtcp-fb-");
}

/* What every tfrcsink does: TFRC; and key frames on request. */
static void
complete_structure (GstStructure * s)
{
  gboolean no_feedback = gst_structure_foreach (s, is_no_feedback, NULL);

  if (gst_structure_foreach (s, is_not_stamp, NULL) &&
      !gst_structure_has_field (s, DEFAULT_EXTMAP)) {
    gst_structure_set (s, DEFAULT_EXTMAP, G_TYPE_STRING, STAMP_URI, NULL);
    no_feedback = TRUE;
  }
  if (no_feedback)
    gst_structure_set (s, "rtcp-fb-tfrc", G_TYPE_BOOLEAN, TRUE, NULL);
  if (g_strcmp0 (gst_structure_get_string (s, "media"), "video") == 0)
    gst_structure_set (s, "rtcp-fb-nack-pli", G_TYPE_BOOLEAN, TRUE, NULL);
}

static GstCaps *
complete_caps (GstCaps * caps)
{
  GstCaps *complete = gst_caps_copy (caps);
  guint i;

  for (i = 0; i < gst_caps_get_size (complete); i++)
    complete_structure (gst_caps_get_structure (complete, i));
  return complete;
}

/* What is wrong with caps that nothing could be decoded with, or NULL. */
static const gchar *
check_caps (GstCaps * caps)
{
  guint i;

  if (caps == NULL || gst_caps_is_any (caps) || gst_caps_is_empty (caps))
    return "they are empty";
  for (i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_caps_get_structure (caps, i);
    gint rate;

    if (!gst_structure_has_name (s, "application/x-rtp"))
      return "a structure is not application/x-rtp";
    if (!gst_structure_get_int (s, "clock-rate", &rate) || rate <= 0)
      return "a structure has no clock-rate";
  }
  return NULL;
}

static gboolean
set_up_caps (GstTfrcSrc * self, GstTfrcBaseBinParts * parts)
{
  const gchar *problem = check_caps (self->caps);
  GstCaps *caps, *first;

  if (problem != NULL) {
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
        ("The property \"caps\" cannot be used: %s. Set it to something like "
            "application/x-rtp, media=audio, encoding-name=OPUS, "
            "clock-rate=48000, payload=96.", problem), (NULL));
    return FALSE;
  }
  caps = complete_caps (self->caps);
  first = gst_caps_copy_nth (caps, 0);
  if (parts->srtpdec != NULL)
    gst_structure_set_name (gst_caps_get_structure (first, 0),
        "application/x-srtp");
  gst_tfrc_rtcp_demux_set_caps (parts->rtp_demux, first);
  gst_tfrc_ssrc_filter_set_caps (self->follow, caps);
  gst_caps_unref (first);
  gst_caps_unref (caps);
  return TRUE;
}

static GstCaps *
on_request_pt_map (GstElement * session, guint payload_type,
    GstTfrcSsrcFilter * follow)
{
  return gst_tfrc_ssrc_filter_get_caps (follow, payload_type);
}

/* The sender. */

/* RTCP of the same host if it has shown its port, else the port after RTP's. */
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
  if (seen != NULL && gst_tfrc_socket_address_equal (seen, media, FALSE))
    return seen;
  g_clear_object (&seen);
  *guessed = TRUE;
  return gst_tfrc_socket_address_with_port (media,
      MIN (g_inet_socket_address_get_port (inet) + 1, G_MAXUINT16));
}

static void
set_rtcp_peer (GstTfrcSrc * self, GSocketAddress * media)
{
  GstTfrcBaseBinParts *parts =
      gst_tfrc_base_bin_get_parts (GST_TFRC_BASE_BIN (self));
  gboolean guessed;
  GSocketAddress *rtcp = guess_rtcp_address (parts, media, &guessed);

  GST_OBJECT_LOCK (self);
  self->rtcp_guessed = guessed;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_base_bin_set_peer (GST_TFRC_BASE_BIN (self), rtcp);
  g_object_unref (rtcp);
}

/* A NAT may have given RTCP any port: the first that comes ends the guess, and no
 * other after it may. */
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
  gst_tfrc_base_bin_set_peer (GST_TFRC_BASE_BIN (self), seen);
  g_object_unref (seen);
}

static GstPadProbeReturn
drop_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return GST_PAD_PROBE_DROP;
}

/* Events wait among the packets: one that did not get out before the flush is told
 * again, as is the segment, which a flush ends. */
static gboolean
tell_again (GstPad * feeder, GstEvent ** event, gpointer user_data)
{
  GstPad *out = user_data, *in = gst_pad_get_peer (feeder);
  GstEvent *told = gst_pad_get_sticky_event (out, GST_EVENT_TYPE (*event), 0);

  if (told != *event)
    gst_pad_send_event (in, gst_event_ref (*event));
  gst_clear_event (&told);
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
  gst_pad_sticky_events_foreach (feeder, tell_again, out);
  gst_object_unref (feeder);
  gst_object_unref (in);
  gst_object_unref (out);
}

/* What a new sender numbers and stamps has nothing to do with what the old one
 * did: the jitter buffer begins anew, and nobody behind it notices. A flush while it is
 * shut down would start its thread again, and whoever waits for that to end would wait
 * for ever. */
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

/* The jitter buffer stops for good at what a push returns. Downstream may have said that
 * it takes some caps and then refuse them, or may not be linked for a while: that costs
 * the packets of that time and no more. What downstream fails at is another thing, which
 * it has put on the bus. */
static GstFlowReturn
count_refused (GstTfrcSrc * self, GstFlowReturn ret)
{
  if (ret != GST_FLOW_NOT_NEGOTIATED && ret != GST_FLOW_NOT_LINKED)
    return ret;
  GST_OBJECT_LOCK (self);
  self->refused++;
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_warning_post (&self->refusal, GST_ELEMENT (self), GST_CORE_ERROR,
      GST_CORE_ERROR_PAD, "Packets are dropped: %s.",
      ret == GST_FLOW_NOT_LINKED ? "nothing is linked behind tfrcsrc" :
      "the elements behind tfrcsrc do not take them");
  return GST_FLOW_OK;
}

/* Caps that downstream refuses are no error of the jitter buffer's pad, whose packets
 * would then come to chain_out() no more. */
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

/* Times may be ahead of arrivals, when those of the first packets were late: the next
 * sender's begin where it arrives, which can be before. As within one sender, they wait. */
static GstFlowReturn
chain_out (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcSrc *self = pad->chaindata;

  if (GST_BUFFER_PTS_IS_VALID (buffer)) {
    if (GST_CLOCK_TIME_IS_VALID (self->last)
        && GST_BUFFER_PTS (buffer) < self->last) {
      buffer = gst_buffer_make_writable (buffer);
      GST_BUFFER_PTS (buffer) = self->last;
    }
    self->last = GST_BUFFER_PTS (buffer);
  }
  return count_refused (self, gst_pad_push (self->srcpad, buffer));
}

static void
set_remote (GstTfrcSrc * self, gchar * remote)
{
  GST_OBJECT_LOCK (self);
  g_free (self->remote);
  self->remote = remote;
  GST_OBJECT_UNLOCK (self);
  g_object_notify (G_OBJECT (self), "remote-address");
}

static void
on_source (GstTfrcSsrcFilter * follow, guint ssrc, GSocketAddress * from,
    gboolean changed, GstTfrcSrc * self)
{
  GST_INFO_OBJECT (self, "following SSRC %08x", ssrc);
  if (changed)
    restart_jitterbuffer (self);
  if (from == NULL)
    return;
  set_remote (self, gst_tfrc_socket_address_to_string (from));
  set_rtcp_peer (self, from);
}

static void
on_bye_ssrc (GstElement * session, guint ssrc, GstTfrcSrc * self)
{
  if (!gst_tfrc_ssrc_filter_bye (self->follow, ssrc))
    return;
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("application/x-tfrc-bye", "ssrc", G_TYPE_UINT,
              ssrc, NULL)));
}

/* The inside. */

static gboolean
gst_tfrc_src_open (GstTfrcBaseBin * bin)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcBaseBinParts *parts = gst_tfrc_base_bin_get_parts (bin);

  return gst_tfrc_socket_open (GST_ELEMENT (bin), "address", self->address,
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
  self->last = GST_CLOCK_TIME_NONE;
  ok = gst_tfrc_bin_pads_set_target (GST_ELEMENT (self), self->srcpad, pad);
  gst_object_unref (pad);
  return ok;
}

static gboolean
link_rtp (GstTfrcSrc * self, GstTfrcBaseBinParts * parts)
{
  GstElement *bin = GST_ELEMENT (self);
  GstElement *from = GST_ELEMENT (parts->rtp_demux);
  GstElement *follow = GST_ELEMENT (self->follow);

  if (parts->srtpdec != NULL && !gst_tfrc_bin_pads_link_named (bin, from,
          "rtp_src", parts->srtpdec, "rtp_sink"))
    return FALSE;
  if (parts->srtpdec != NULL)
    from = parts->srtpdec;
  return gst_tfrc_bin_pads_link_named (bin, from, "rtp_src", parts->session,
      "recv_rtp_sink")
      && gst_tfrc_bin_pads_link_named (bin, parts->session, "recv_rtp_src",
      follow, "sink")
      && gst_tfrc_bin_pads_link_named (bin, follow, "src", parts->filter,
      "sink")
      && gst_tfrc_bin_pads_link_named (bin, parts->filter, "src",
      self->jitterbuffer, "sink");
}

/*
 * .--------.   .---------.   .------------.   .--------.   .----------------.   .-----------------.
 * | udpsrc | > | srtpdec | > | rtpsession | > | follow | > | rtptfrcreceive | > | rtpjitterbuffer | > src
 * '--------'   '---------'   '------------'   '--------'   '----------------'   '-----------------'
 *                                  v RTCP: see transport/gsttfrcbasebin.c
 *
 * The filter stamps arrivals before the jitter buffer holds them back.
 */
static gboolean
gst_tfrc_src_build (GstTfrcBaseBin * bin)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcBaseBinParts *parts = gst_tfrc_base_bin_get_parts (bin);
  GstElement *follow;

  if (!add_jitterbuffer (self))
    return FALSE;
  follow = gst_tfrc_ssrc_filter_new ("follow");
  gst_tfrc_ssrc_filter_set_exit (GST_TFRC_SSRC_FILTER (follow), self->srcpad);
  gst_bin_add (GST_BIN (bin), follow);
  GST_OBJECT_LOCK (self);
  self->follow = g_object_ref (GST_TFRC_SSRC_FILTER (follow));
  GST_OBJECT_UNLOCK (self);
  if (!set_up_caps (self, parts))
    return FALSE;
  g_signal_connect (follow, "source", G_CALLBACK (on_source), self);
  g_signal_connect (parts->rtcp_demux, "rtcp-address",
      G_CALLBACK (on_rtcp_address), self);
  g_signal_connect (parts->session, "on-bye-ssrc", G_CALLBACK (on_bye_ssrc),
      self);
  g_signal_connect (parts->session, "request-pt-map",
      G_CALLBACK (on_request_pt_map), follow);
  return link_rtp (self, parts);
}

static void
gst_tfrc_src_closed (GstTfrcBaseBin * bin)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcSsrcFilter *follow;

  gst_ghost_pad_set_target (GST_GHOST_PAD (self->srcpad), NULL);
  GST_OBJECT_LOCK (self);
  self->jitterbuffer = NULL;
  follow = g_steal_pointer (&self->follow);
  g_clear_pointer (&self->remote, g_free);
  self->refused = 0;
  self->refusal = (GstTfrcWarning) {
  FALSE};
  GST_OBJECT_UNLOCK (self);
  g_clear_object (&follow);
}

static void
gst_tfrc_src_add_stats (GstTfrcBaseBin * bin, GstStructure * stats)
{
  GstTfrcSrc *self = GST_TFRC_SRC (bin);
  GstTfrcSsrcFilterStats counts = { 0, };
  guint64 refused;
  GstTfrcSsrcFilter *follow;

  gst_structure_get_uint64 (stats, "packets-refused", &refused);
  GST_OBJECT_LOCK (self);
  refused += self->refused;
  follow = self->follow != NULL ? g_object_ref (self->follow) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (follow != NULL)
    gst_tfrc_ssrc_filter_get_stats (follow, &counts);
  g_clear_object (&follow);
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
  g_clear_object (&self->follow);
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
  g_object_class_install_property (klass, PROP_ADDRESS,
      g_param_spec_string ("address", "Address",
          "Local address to receive on (not set: any, IPv4 and IPv6)", NULL,
          READY));
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port",
          "UDP port to receive on, without rtcp-mux RTCP on the next one (0: "
          "any that is free)", 0, G_MAXUINT16, DEFAULT_PORT, READY));
  g_object_class_install_property (klass, PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps",
          "What arrives: one structure for each RTP payload type, each with "
          "its clock-rate. Static payload types of RFC 3551 need none",
          GST_TYPE_CAPS, READY));
  g_object_class_install_property (klass, PROP_LATENCY,
      g_param_spec_uint ("latency", "Latency",
          "How long the jitter buffer waits for late packets (ms)", 0,
          G_MAXUINT, DEFAULT_LATENCY, G_PARAM_READWRITE |
          G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_REMOTE_ADDRESS,
      g_param_spec_string ("remote-address", "Remote address",
          "Where the media come from, host:port (not set: nothing has come yet)",
          NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, PROP_URI,
      g_param_spec_string ("uri", "URI",
          "tfrc://address:port?property=value&property=value, for example "
          "tfrc://0.0.0.0:5004?mode=tfrc-sp", NULL, READY));
  gst_tfrc_child_properties_install (klass, PROP_PROXY, "rtptfrcreceive",
      proxies);
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
  /* what tfrcencodebin sends */
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
