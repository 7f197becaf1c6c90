/* gst-tfrc: separates RTP from RTCP on one socket, and drops RTCP of strangers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsttfrcrtcpdemux.h"

#include <gst/net/net.h>
#include <gst/rtp/rtp.h>

#include "base/rtpheader.h"
#include "transport/gsocket.h"

GST_DEBUG_CATEGORY_STATIC (tfrcrtcpdemux_debug);
#define GST_CAT_DEFAULT tfrcrtcpdemux_debug

#define RTP_HEADER_SIZE 12
#define RTCP_HEADER_SIZE 8

struct _GstTfrcRtcpDemux
{
  GstElement parent;

  GstPad *sinkpad;
  GstPad *rtp_srcpad, *rtcp_srcpad;     /* NULL once a pad has been removed */
  gboolean encrypted;

  /* under the object lock */
  GstCaps *caps;
  GSocketAddress *remote;       /* RTCP is accepted from here; NULL: from everywhere */
  gboolean remote_with_port;
  GSocketAddress *rtcp_address; /* where the last accepted RTCP came from */
  GstTfrcRtcpDemuxStats stats;
};

enum
{
  SIGNAL_RTCP_ADDRESS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate rtp_template = GST_STATIC_PAD_TEMPLATE ("rtp_src",
    GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS ("application/x-rtp; application/x-srtp"));
static GstStaticPadTemplate rtcp_template = GST_STATIC_PAD_TEMPLATE ("rtcp_src",
    GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS ("application/x-rtcp; application/x-srtcp"));

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcRtcpDemux, gst_tfrc_rtcp_demux,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (tfrcrtcpdemux_debug,
        "tfrcrtcpdemux", 0, "RTP and RTCP on one socket"));

typedef enum
{
  KIND_NONE,
  KIND_RTP,
  KIND_RTCP
} Kind;

static gboolean
is_expected (GstPad * srcpad)
{
  return srcpad != NULL && gst_pad_is_linked (srcpad);
}

/* Whether header, contributing sources and header extension fit into `size` bytes. The RTP
 * session checks the padding, because SRTP encrypts it. `data` has the first `header_size`
 * bytes. */
static gboolean
rtp_fits (const guint8 * data, gsize header_size, gsize size)
{
  gsize header = RTP_HEADER_SIZE + 4 * (data[0] & 0x0f);

  if ((data[0] & 0x10) != 0) {
    if (header_size < header + 4)
      return FALSE;
    header += 4 + 4 * GST_READ_UINT16_BE (data + header + 2);
  }
  return size >= header;
}

/* RFC 5761 4 */
static Kind
find_kind (const guint8 * data, gsize header_size, gsize size)
{
  if (header_size < RTCP_HEADER_SIZE || data[0] >> 6 != 2)
    return KIND_NONE;
  if (data[1] >= 192 && data[1] <= 223)
    return KIND_RTCP;
  return header_size >= RTP_HEADER_SIZE && rtp_fits (data, header_size, size) ?
      KIND_RTP : KIND_NONE;
}

static void
count (GstTfrcRtcpDemux * self, guint64 * counter)
{
  GST_OBJECT_LOCK (self);
  (*counter)++;
  GST_OBJECT_UNLOCK (self);
}

/* RFC 5348 10: a data sender accepts feedback from its data receiver alone. */
static gboolean
rtcp_is_accepted (GstTfrcRtcpDemux * self, GstBuffer * buffer)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  gboolean accepted, moved = FALSE;

  GST_OBJECT_LOCK (self);
  accepted = self->remote == NULL || (meta != NULL &&
      gst_tfrc_gsocket_address_equal (self->remote, meta->addr,
          self->remote_with_port));
  if (!accepted)
    self->stats.foreign++;
  else if (meta != NULL)
    moved = g_set_object (&self->rtcp_address, meta->addr);
  GST_OBJECT_UNLOCK (self);
  if (moved)
    g_signal_emit (self, signals[SIGNAL_RTCP_ADDRESS], 0);
  return accepted;
}

static GstFlowReturn
drop (GstTfrcRtcpDemux * self, GstBuffer * buffer, guint64 * counter)
{
  GST_LOG_OBJECT (self, "dropping %s packet %" GST_PTR_FORMAT,
      counter == &self->stats.malformed ? "malformed" :
      counter == &self->stats.unexpected ? "unexpected" : "foreign", buffer);
  if (counter != NULL)
    count (self, counter);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Returns only EOS and FLUSHING to udpsrc, which would stop for good at any other error. A
 * packet that an element refuses is counted, since anybody may send such a packet; an element
 * that fails has posted an error of its own. */
static GstFlowReturn
push (GstTfrcRtcpDemux * self, GstPad * pad, GstBuffer * buffer)
{
  GstFlowReturn ret = gst_pad_push (pad, buffer);

  if (ret >= GST_FLOW_OK || ret == GST_FLOW_EOS || ret == GST_FLOW_FLUSHING)
    return ret;
  GST_DEBUG_OBJECT (self, "the next element refused a packet: %s",
      gst_flow_get_name (ret));
  count (self, &self->stats.refused);
  return GST_FLOW_OK;
}

static GstFlowReturn
push_rtcp (GstTfrcRtcpDemux * self, GstBuffer * buffer)
{
  if (!self->encrypted && !gst_rtcp_buffer_validate_reduced (buffer))
    return drop (self, buffer, &self->stats.malformed);
  if (!is_expected (self->rtcp_srcpad))
    return drop (self, buffer, &self->stats.unexpected);
  if (!rtcp_is_accepted (self, buffer))
    return drop (self, buffer, NULL);
  return push (self, self->rtcp_srcpad, buffer);
}

static GstFlowReturn
gst_tfrc_rtcp_demux_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcRtcpDemux *self = GST_TFRC_RTCP_DEMUX (parent);
  GstTfrcRtpHeader header;
  Kind kind;

  gst_tfrc_rtp_header_map (&header, buffer);
  kind = find_kind (header.data, header.size, gst_buffer_get_size (buffer));
  gst_tfrc_rtp_header_unmap (&header);

  switch (kind) {
    case KIND_RTP:
      if (!is_expected (self->rtp_srcpad))
        return drop (self, buffer, &self->stats.unexpected);
      return push (self, self->rtp_srcpad, buffer);
    case KIND_RTCP:
      return push_rtcp (self, buffer);
    default:
      return drop (self, buffer, &self->stats.malformed);
  }
}

static void
push_caps (GstTfrcRtcpDemux * self)
{
  GstCaps *rtp, *rtcp = gst_caps_new_empty_simple (self->encrypted ?
      "application/x-srtcp" : "application/x-rtcp");

  GST_OBJECT_LOCK (self);
  rtp = self->caps != NULL ? gst_caps_ref (self->caps) :
      gst_caps_new_empty_simple ("application/x-rtp");
  GST_OBJECT_UNLOCK (self);
  if (self->rtp_srcpad != NULL)
    gst_pad_push_event (self->rtp_srcpad, gst_event_new_caps (rtp));
  if (self->rtcp_srcpad != NULL)
    gst_pad_push_event (self->rtcp_srcpad, gst_event_new_caps (rtcp));
  gst_caps_unref (rtp);
  gst_caps_unref (rtcp);
}

static gboolean
gst_tfrc_rtcp_demux_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcRtcpDemux *self = GST_TFRC_RTCP_DEMUX (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_unref (event);
      return TRUE;
    case GST_EVENT_SEGMENT:
      push_caps (self);
      break;
    default:
      break;
  }
  /* A source pad that is not linked refuses events, but the event has reached the other one. */
  gst_pad_event_default (pad, parent, event);
  return TRUE;
}

static void
gst_tfrc_rtcp_demux_finalize (GObject * object)
{
  GstTfrcRtcpDemux *self = GST_TFRC_RTCP_DEMUX (object);

  gst_clear_caps (&self->caps);
  g_clear_object (&self->remote);
  g_clear_object (&self->rtcp_address);
  G_OBJECT_CLASS (gst_tfrc_rtcp_demux_parent_class)->finalize (object);
}

static void
gst_tfrc_rtcp_demux_class_init (GstTfrcRtcpDemuxClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_rtcp_demux_finalize;
  signals[SIGNAL_RTCP_ADDRESS] = g_signal_new ("rtcp-address",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 0);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &rtp_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_template);
  gst_element_class_set_static_metadata (element_class, "RTP/RTCP demuxer",
      "Demux/Network/RTP", "Separates RTP from RTCP on one socket (RFC 5761)",
      "The gst-tfrc developers");
}

static GstPad *
add_pad (GstTfrcRtcpDemux * self, GstStaticPadTemplate * template)
{
  GstPad *pad = gst_pad_new_from_static_template (template,
      template->name_template);

  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

static void
gst_tfrc_rtcp_demux_init (GstTfrcRtcpDemux * self)
{
  self->sinkpad = add_pad (self, &sink_template);
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_rtcp_demux_chain);
  gst_pad_set_event_function (self->sinkpad, gst_tfrc_rtcp_demux_event);
  self->rtp_srcpad = add_pad (self, &rtp_template);
  self->rtcp_srcpad = add_pad (self, &rtcp_template);
  gst_pad_use_fixed_caps (self->rtp_srcpad);
  gst_pad_use_fixed_caps (self->rtcp_srcpad);
}

GstElement *
gst_tfrc_rtcp_demux_new (const gchar * name, gboolean encrypted)
{
  GstTfrcRtcpDemux *self =
      g_object_new (GST_TYPE_TFRC_RTCP_DEMUX, "name", name, NULL);

  self->encrypted = encrypted;
  return GST_ELEMENT (self);
}

static void
remove_unlinked (GstTfrcRtcpDemux * self, GstPad ** srcpad)
{
  if (*srcpad == NULL || gst_pad_is_linked (*srcpad))
    return;
  gst_element_remove_pad (GST_ELEMENT (self), *srcpad);
  *srcpad = NULL;
}

void
gst_tfrc_rtcp_demux_remove_unlinked (GstTfrcRtcpDemux * self)
{
  remove_unlinked (self, &self->rtp_srcpad);
  remove_unlinked (self, &self->rtcp_srcpad);
}

void
gst_tfrc_rtcp_demux_set_caps (GstTfrcRtcpDemux * self, GstCaps * caps)
{
  GST_OBJECT_LOCK (self);
  gst_caps_replace (&self->caps, caps);
  GST_OBJECT_UNLOCK (self);
}

void
gst_tfrc_rtcp_demux_set_remote (GstTfrcRtcpDemux * self,
    GSocketAddress * remote, gboolean with_port)
{
  GST_OBJECT_LOCK (self);
  g_set_object (&self->remote, remote);
  self->remote_with_port = with_port;
  GST_OBJECT_UNLOCK (self);
}

GSocketAddress *
gst_tfrc_rtcp_demux_get_rtcp_address (GstTfrcRtcpDemux * self)
{
  GSocketAddress *address;

  GST_OBJECT_LOCK (self);
  address = self->rtcp_address != NULL ? g_object_ref (self->rtcp_address) :
      NULL;
  GST_OBJECT_UNLOCK (self);
  return address;
}

void
gst_tfrc_rtcp_demux_get_stats (GstTfrcRtcpDemux * self,
    GstTfrcRtcpDemuxStats * stats)
{
  GST_OBJECT_LOCK (self);
  *stats = self->stats;
  GST_OBJECT_UNLOCK (self);
}
