/* gst-tfrc: lets the RTP packets of one data sender pass, and of the next when that one left
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsttfrcssrcfilter.h"

#include <gst/net/net.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/followedssrc.h"
#include "base/rtpheader.h"
#include "transport/payloadcaps.h"
#include "transport/gsocket.h"
#include "base/messages.h"

GST_DEBUG_CATEGORY_STATIC (tfrcssrcfilter_debug);
#define GST_CAT_DEFAULT tfrcssrcfilter_debug

#define N_PAYLOAD_TYPES GST_TFRC_N_PAYLOAD_TYPES
#define NO_PAYLOAD_TYPE N_PAYLOAD_TYPES
#define RTP_HEADER_SIZE 12

typedef enum
{
  CAPS_UNKNOWN,                 /* downstream has not been asked yet */
  CAPS_MISSING,                 /* there are no caps for the payload type */
  CAPS_REFUSED,                 /* downstream does not accept the caps */
  CAPS_ACCEPTED
} CapsState;

struct _GstTfrcSsrcFilter
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstPad *caps_query_pad;       /* its peer is asked for caps; not owned */

  /* used by the streaming thread alone */
  GSocketAddress *address;      /* where the last packet that passed came from */

  /* under the object lock */
  guint payload_type;           /* of the last packet; set by the streaming thread */
  GstTfrcFollowedSsrc followed;
  GstCaps *caps;
  guint8 caps_states[N_PAYLOAD_TYPES];
  guint negotiation;            /* counts how often caps_states was cleared */
  GstTfrcWarning missing_warning, refused_warning;
  guint64 unknown_payload;      /* packets of payload types that cannot be used */
};

enum
{
  SIGNAL_SOURCE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSsrcFilter, gst_tfrc_ssrc_filter,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (tfrcssrcfilter_debug,
        "tfrcssrcfilter", 0, "the data sender that tfrcsrc follows"));

static void
set_payload_type (GstTfrcSsrcFilter * self, guint payload_type)
{
  GST_OBJECT_LOCK (self);
  self->payload_type = payload_type;
  GST_OBJECT_UNLOCK (self);
}

GstCaps *
gst_tfrc_ssrc_filter_get_caps (GstTfrcSsrcFilter * self, guint payload_type)
{
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  caps = gst_tfrc_payload_caps_get (self->caps, payload_type);
  GST_OBJECT_UNLOCK (self);
  return caps;
}

static void
clear_caps_states (GstTfrcSsrcFilter * self)
{
  GST_OBJECT_LOCK (self);
  memset (self->caps_states, CAPS_UNKNOWN, sizeof (self->caps_states));
  self->negotiation++;
  GST_OBJECT_UNLOCK (self);
}

static CapsState
query_caps_state (GstTfrcSsrcFilter * self, guint payload_type)
{
  GstCaps *caps = gst_tfrc_ssrc_filter_get_caps (self, payload_type);
  CapsState state;

  if (caps == NULL)
    return CAPS_MISSING;
  state = gst_pad_peer_query_accept_caps (self->caps_query_pad, caps) ?
      CAPS_ACCEPTED : CAPS_REFUSED;
  GST_DEBUG_OBJECT (self, "payload type %u is %s: %" GST_PTR_FORMAT,
      payload_type, state == CAPS_ACCEPTED ? "accepted" : "refused", caps);
  gst_caps_unref (caps);
  return state;
}

/* Queries downstream once for each payload type, and again after an event RECONFIGURE, so that
 * a flood of packets causes no flood of queries. */
static CapsState
get_caps_state (GstTfrcSsrcFilter * self, guint payload_type)
{
  CapsState state;
  guint negotiation;

  GST_OBJECT_LOCK (self);
  state = self->caps_states[payload_type];
  negotiation = self->negotiation;
  GST_OBJECT_UNLOCK (self);
  if (state != CAPS_UNKNOWN)
    return state;
  state = query_caps_state (self, payload_type);
  GST_OBJECT_LOCK (self);
  if (negotiation == self->negotiation)
    self->caps_states[payload_type] = state;
  GST_OBJECT_UNLOCK (self);
  return state;
}

static GstTfrcSsrcVerdict
follow_ssrc (GstTfrcSsrcFilter * self, guint ssrc, GstClockTime now)
{
  GstTfrcSsrcVerdict verdict;

  GST_OBJECT_LOCK (self);
  verdict = gst_tfrc_followed_ssrc_check (&self->followed, ssrc, now);
  GST_OBJECT_UNLOCK (self);
  return verdict;
}

/* Sends the caps of the packet's payload type ahead of the packet. */
static void
update_caps (GstTfrcSsrcFilter * self, guint payload_type, gboolean changed)
{
  GstCaps *caps;

  if (payload_type == self->payload_type && !changed)
    return;
  caps = gst_tfrc_ssrc_filter_get_caps (self, payload_type);
  set_payload_type (self, payload_type);
  GST_DEBUG_OBJECT (self, "caps %" GST_PTR_FORMAT, caps);
  gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

static void
warn_unknown (GstTfrcSsrcFilter * self, guint payload_type, CapsState state)
{
  if (state == CAPS_MISSING)
    gst_tfrc_warning_post (&self->missing_warning, GST_ELEMENT (self),
        GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "RTP packets of payload type %u arrive, and nothing says what they "
        "are. Add a structure with payload=%u to the property \"caps\".",
        payload_type, payload_type);
  else
    gst_tfrc_warning_post (&self->refused_warning, GST_ELEMENT (self),
        GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "RTP packets of payload type %u arrive and are dropped: the next "
        "element does not take them. Link one that does, or let the remote "
        "send something else.", payload_type);
}

/* Counts and drops a packet of a payload type that cannot be used. The followed data sender is
 * not silent when it sends such packets. */
static GstFlowReturn
drop_unknown (GstTfrcSsrcFilter * self, GstBuffer * buffer, guint ssrc,
    guint payload_type, CapsState state)
{
  GST_OBJECT_LOCK (self);
  self->unknown_payload++;
  gst_tfrc_followed_ssrc_hear (&self->followed, ssrc,
      GST_BUFFER_DTS_OR_PTS (buffer));
  GST_OBJECT_UNLOCK (self);
  GST_LOG_OBJECT (self, "dropping packet of SSRC %08x, payload type %u", ssrc,
      payload_type);
  warn_unknown (self, payload_type, state);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Emits the signal "source" when the SSRC or the address differs from the packet before. */
static void
note_source (GstTfrcSsrcFilter * self, GstBuffer * buffer, guint ssrc,
    gboolean changed)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  GSocketAddress *from = meta != NULL ? meta->addr : NULL;

  if (!changed && (from == NULL || (self->address != NULL &&
              gst_tfrc_gsocket_address_equal (from, self->address, TRUE))))
    return;
  if (from != NULL)
    g_set_object (&self->address, from);
  g_signal_emit (self, signals[SIGNAL_SOURCE], 0, ssrc, self->address, changed);
}

/* Returns FALSE when the buffer is too short for an RTP packet. */
static gboolean
read_header (GstBuffer * buffer, guint * payload_type, guint * ssrc)
{
  GstTfrcRtpHeader header;
  gboolean fits;

  gst_tfrc_rtp_header_map (&header, buffer);
  fits = header.size >= RTP_HEADER_SIZE;
  if (fits) {
    *payload_type = header.data[1] & 0x7f;
    *ssrc = GST_READ_UINT32_BE (header.data + 8);
  }
  gst_tfrc_rtp_header_unmap (&header);
  return fits;
}

static GstFlowReturn
gst_tfrc_ssrc_filter_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstTfrcSsrcFilter *self = GST_TFRC_SSRC_FILTER (parent);
  GstTfrcSsrcVerdict verdict;
  guint ssrc, payload_type;
  CapsState state;

  if (!read_header (buffer, &payload_type, &ssrc)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  state = get_caps_state (self, payload_type);
  if (state != CAPS_ACCEPTED)
    return drop_unknown (self, buffer, ssrc, payload_type, state);
  verdict = follow_ssrc (self, ssrc, GST_BUFFER_DTS_OR_PTS (buffer));
  if (verdict == GST_TFRC_SSRC_OTHER) {
    GST_LOG_OBJECT (self, "dropping packet of SSRC %08x, which is not followed",
        ssrc);
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  note_source (self, buffer, ssrc, verdict == GST_TFRC_SSRC_CHANGED);
  update_caps (self, payload_type, verdict == GST_TFRC_SSRC_CHANGED);
  return gst_pad_push (self->srcpad, buffer);
}

/* Sends the first structure of the caps until a packet shows its payload type. The caps from
 * upstream belong to no particular payload type. */
static gboolean
push_first_caps (GstTfrcSsrcFilter * self)
{
  GstCaps *caps;
  gboolean ret;

  GST_OBJECT_LOCK (self);
  caps = self->caps != NULL ? gst_caps_copy_nth (self->caps, 0) :
      gst_caps_new_empty_simple ("application/x-rtp");
  self->payload_type = NO_PAYLOAD_TYPE;
  GST_OBJECT_UNLOCK (self);
  ret = gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  return ret;
}

static gboolean
gst_tfrc_ssrc_filter_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_unref (event);
    return push_first_caps (GST_TFRC_SSRC_FILTER (parent));
  }
  return gst_pad_event_default (pad, parent, event);
}

/* Adds SSRC and payload type to a decoder's request for a key frame. The RTP session needs both
 * to send the request to the data sender. */
static GstEvent *
add_source (GstTfrcSsrcFilter * self, GstEvent * event)
{
  guint ssrc, payload_type;

  GST_OBJECT_LOCK (self);
  ssrc = self->followed.ssrc;
  payload_type =
      self->followed.following ? self->payload_type : NO_PAYLOAD_TYPE;
  GST_OBJECT_UNLOCK (self);
  if (payload_type == NO_PAYLOAD_TYPE)
    return event;
  event = gst_event_make_writable (event);
  gst_structure_set (gst_event_writable_structure (event),
      "ssrc", G_TYPE_UINT, ssrc, "payload", G_TYPE_UINT, payload_type, NULL);
  return event;
}

static gboolean
gst_tfrc_ssrc_filter_src_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  if (gst_event_has_name (event, "GstForceKeyUnit"))
    event = add_source (GST_TFRC_SSRC_FILTER (parent), event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    clear_caps_states (GST_TFRC_SSRC_FILTER (parent));
  return gst_pad_event_default (pad, parent, event);
}

static GstStateChangeReturn
gst_tfrc_ssrc_filter_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcSsrcFilter *self = GST_TFRC_SSRC_FILTER (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    GST_OBJECT_LOCK (self);
    self->followed.following = self->followed.left = FALSE;
    self->followed.last_arrival = GST_CLOCK_TIME_NONE;
    self->payload_type = NO_PAYLOAD_TYPE;
    self->missing_warning = self->refused_warning = (GstTfrcWarning) {FALSE};
    GST_OBJECT_UNLOCK (self);
    clear_caps_states (self);
    g_clear_object (&self->address);
  }
  return GST_ELEMENT_CLASS (gst_tfrc_ssrc_filter_parent_class)->change_state
      (element, transition);
}

static void
gst_tfrc_ssrc_filter_finalize (GObject * object)
{
  GstTfrcSsrcFilter *self = GST_TFRC_SSRC_FILTER (object);

  gst_clear_caps (&self->caps);
  g_clear_object (&self->address);
  G_OBJECT_CLASS (gst_tfrc_ssrc_filter_parent_class)->finalize (object);
}

static void
gst_tfrc_ssrc_filter_class_init (GstTfrcSsrcFilterClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_ssrc_filter_finalize;
  element_class->change_state = gst_tfrc_ssrc_filter_change_state;
  signals[SIGNAL_SOURCE] = g_signal_new ("source", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_UINT,
      G_TYPE_SOCKET_ADDRESS, G_TYPE_BOOLEAN);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "RTP SSRC filter",
      "Filter/Network/RTP",
      "Lets packets of one SSRC pass, and of the next when that one left",
      "The gst-tfrc developers");
}

static void
gst_tfrc_ssrc_filter_init (GstTfrcSsrcFilter * self)
{
  self->payload_type = NO_PAYLOAD_TYPE;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_ssrc_filter_chain);
  gst_pad_set_event_function (self->sinkpad, gst_tfrc_ssrc_filter_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->srcpad);
  gst_pad_set_event_function (self->srcpad, gst_tfrc_ssrc_filter_src_event);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  self->caps_query_pad = self->srcpad;
}

GstElement *
gst_tfrc_ssrc_filter_new (const gchar * name)
{
  return g_object_new (GST_TYPE_TFRC_SSRC_FILTER, "name", name, NULL);
}

void
gst_tfrc_ssrc_filter_set_caps (GstTfrcSsrcFilter * self, GstCaps * caps)
{
  GST_OBJECT_LOCK (self);
  gst_caps_replace (&self->caps, caps);
  GST_OBJECT_UNLOCK (self);
  clear_caps_states (self);
}

void
gst_tfrc_ssrc_filter_set_caps_query_pad (GstTfrcSsrcFilter * self, GstPad * pad)
{
  self->caps_query_pad = pad;
}

gboolean
gst_tfrc_ssrc_filter_bye (GstTfrcSsrcFilter * self, guint ssrc)
{
  gboolean followed;

  GST_OBJECT_LOCK (self);
  followed = gst_tfrc_followed_ssrc_bye (&self->followed, ssrc);
  GST_OBJECT_UNLOCK (self);
  return followed;
}

void
gst_tfrc_ssrc_filter_get_stats (GstTfrcSsrcFilter * self,
    GstTfrcSsrcFilterStats * stats)
{
  GST_OBJECT_LOCK (self);
  *stats =
      (GstTfrcSsrcFilterStats) {self->followed.ssrc, self->followed.changes,
      self->followed.others, self->unknown_payload};
  GST_OBJECT_UNLOCK (self);
}
