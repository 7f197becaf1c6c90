/* gst-tfrc: follows one sender, and the next when that one has gone
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsttfrcssrcfilter.h"

#include <gst/net/net.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/rtpheader.h"
#include "transport/udpsockets.h"
#include "base/warnings.h"

GST_DEBUG_CATEGORY_EXTERN (tfrcbin_debug);
#define GST_CAT_DEFAULT tfrcbin_debug

/* A sender that is silent for so long may be replaced by one that is not: longer
 * than any packet interval of a call that goes on, short for the ear. */
#define SILENCE (500 * GST_MSECOND)

#define N_PAYLOAD_TYPES 128
#define NO_PAYLOAD_TYPE N_PAYLOAD_TYPES
#define RTP_HEADER_SIZE 12

typedef enum
{
  VERDICT_NONE,                 /* not asked yet */
  VERDICT_NAMELESS,             /* there are no caps for it */
  VERDICT_REFUSED,              /* downstream does not take the caps */
  VERDICT_TAKEN
} Verdict;

struct _GstTfrcSsrcFilter
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstPad *exit;                 /* whose peer is downstream; not owned */

  /* streaming thread alone */
  GSocketAddress *address;
  GstClockTime last;            /* arrival of the last packet that passed */

  /* under the object lock */
  guint payload_type;           /* of the last packet; set by the streaming thread */
  gboolean following, gone;     /* there is a sender; it said BYE */
  GstCaps *caps;
  guint8 verdicts[N_PAYLOAD_TYPES];
  guint asked;                  /* counts how often the verdicts were forgotten */
  GstTfrcWarning nameless, refused;
  GstTfrcSsrcFilterStats stats;
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

G_DEFINE_FINAL_TYPE (GstTfrcSsrcFilter, gst_tfrc_ssrc_filter, GST_TYPE_ELEMENT);

/* The structure for `payload_type`: one that names it, else one that names none. */
static const GstStructure *
find_structure (GstCaps * caps, guint payload_type)
{
  const GstStructure *any = NULL;
  guint i;

  for (i = 0; caps != NULL && i < gst_caps_get_size (caps); i++) {
    const GstStructure *s = gst_caps_get_structure (caps, i);
    gint payload;

    if (!gst_structure_get_int (s, "payload", &payload))
      any = any != NULL ? any : s;
    else if ((guint) payload == payload_type)
      return s;
  }
  return any;
}

static void
set_payload_type (GstTfrcSsrcFilter * self, guint payload_type)
{
  GST_OBJECT_LOCK (self);
  self->payload_type = payload_type;
  GST_OBJECT_UNLOCK (self);
}

static GstCaps *
static_caps (guint payload_type)
{
  const GstRTPPayloadInfo *info = gst_rtp_payload_info_for_pt (payload_type);

  if (info == NULL || info->clock_rate == 0)
    return NULL;
  return gst_caps_new_simple ("application/x-rtp",
      "media", G_TYPE_STRING, info->media,
      "encoding-name", G_TYPE_STRING, info->encoding_name,
      "clock-rate", G_TYPE_INT, (gint) info->clock_rate, NULL);
}

GstCaps *
gst_tfrc_ssrc_filter_get_caps (GstTfrcSsrcFilter * self, guint payload_type)
{
  const GstStructure *found;
  GstCaps *caps = NULL;

  GST_OBJECT_LOCK (self);
  found = find_structure (self->caps, payload_type);
  if (found != NULL) {
    caps = gst_caps_new_empty ();
    gst_caps_append_structure (caps, gst_structure_copy (found));
  }
  GST_OBJECT_UNLOCK (self);
  if (caps == NULL)
    caps = static_caps (payload_type);
  if (caps != NULL)
    gst_caps_set_simple (caps, "payload", G_TYPE_INT, (gint) payload_type,
        NULL);
  return caps;
}

static void
forget_verdicts (GstTfrcSsrcFilter * self)
{
  GST_OBJECT_LOCK (self);
  memset (self->verdicts, VERDICT_NONE, sizeof (self->verdicts));
  self->asked++;
  GST_OBJECT_UNLOCK (self);
}

static Verdict
ask_downstream (GstTfrcSsrcFilter * self, guint payload_type)
{
  GstCaps *caps = gst_tfrc_ssrc_filter_get_caps (self, payload_type);
  Verdict verdict;

  if (caps == NULL)
    return VERDICT_NAMELESS;
  verdict = gst_pad_peer_query_accept_caps (self->exit, caps) ?
      VERDICT_TAKEN : VERDICT_REFUSED;
  gst_caps_unref (caps);
  return verdict;
}

/* Asks once for each payload type, and again when downstream wants to negotiate anew:
 * whoever sends many packets causes no more questions. */
static Verdict
get_verdict (GstTfrcSsrcFilter * self, guint payload_type)
{
  Verdict verdict;
  guint asked;

  GST_OBJECT_LOCK (self);
  verdict = self->verdicts[payload_type];
  asked = self->asked;
  GST_OBJECT_UNLOCK (self);
  if (verdict != VERDICT_NONE)
    return verdict;
  verdict = ask_downstream (self, payload_type);
  GST_OBJECT_LOCK (self);
  if (asked == self->asked)
    self->verdicts[payload_type] = verdict;
  GST_OBJECT_UNLOCK (self);
  return verdict;
}

/* Whether a packet of `ssrc` passes; `changed`: it is the first of a new sender. */
static gboolean
choose (GstTfrcSsrcFilter * self, guint ssrc, GstClockTime now,
    gboolean * changed)
{
  gboolean passes = TRUE;

  *changed = FALSE;
  GST_OBJECT_LOCK (self);
  if (!self->following || self->stats.ssrc != ssrc) {
    passes = !self->following || self->gone ||
        (GST_CLOCK_TIME_IS_VALID (now) && GST_CLOCK_TIME_IS_VALID (self->last)
        && now > self->last + SILENCE);
    if (passes) {
      *changed = self->following;
      self->stats.changes += self->following;
      self->stats.ssrc = ssrc;
      self->following = TRUE;
    } else {
      self->stats.others++;
    }
  }
  /* A BYE was not true, or its packets overtook it. */
  if (passes)
    self->gone = FALSE;
  GST_OBJECT_UNLOCK (self);
  return passes;
}

/* The packet's caps go before it. */
static void
update_caps (GstTfrcSsrcFilter * self, guint payload_type, gboolean changed)
{
  GstCaps *caps;

  if (payload_type == self->payload_type && !changed)
    return;
  caps = gst_tfrc_ssrc_filter_get_caps (self, payload_type);
  set_payload_type (self, payload_type);
  gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

static void
warn_unknown (GstTfrcSsrcFilter * self, guint payload_type, Verdict verdict)
{
  if (verdict == VERDICT_NAMELESS)
    gst_tfrc_warning_post (&self->nameless, GST_ELEMENT (self),
        GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "RTP packets of payload type %u arrive, and nothing says what they "
        "are. Add a structure with payload=%u to the property \"caps\".",
        payload_type, payload_type);
  else
    gst_tfrc_warning_post (&self->refused, GST_ELEMENT (self),
        GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
        "RTP packets of payload type %u arrive and are dropped: the next "
        "element does not take them. Link one that does, or let the far "
        "end send something else.", payload_type);
}

/* The sender that is followed is not silent for it. */
static GstFlowReturn
drop_unknown (GstTfrcSsrcFilter * self, GstBuffer * buffer, guint ssrc,
    guint payload_type, Verdict verdict)
{
  GST_OBJECT_LOCK (self);
  self->stats.unknown_payload++;
  if (self->following && self->stats.ssrc == ssrc)
    self->last = GST_BUFFER_DTS_OR_PTS (buffer);
  GST_OBJECT_UNLOCK (self);
  warn_unknown (self, payload_type, verdict);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
note_address (GstTfrcSsrcFilter * self, GstBuffer * buffer, guint ssrc,
    gboolean changed)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  GSocketAddress *from = meta != NULL ? meta->addr : NULL;

  if (!changed && (from == NULL || (self->address != NULL &&
              gst_tfrc_socket_address_equal (from, self->address, TRUE))))
    return;
  if (from != NULL)
    g_set_object (&self->address, from);
  g_signal_emit (self, signals[SIGNAL_SOURCE], 0, ssrc, self->address, changed);
}

/* FALSE: it is no RTP packet. */
static gboolean
read_header (GstBuffer * buffer, guint * payload_type, guint * ssrc)
{
  GstTfrcRtpHeader head;
  gboolean fits;

  gst_tfrc_rtp_header_map (&head, buffer);
  fits = head.size >= RTP_HEADER_SIZE;
  if (fits) {
    *payload_type = head.data[1] & 0x7f;
    *ssrc = GST_READ_UINT32_BE (head.data + 8);
  }
  gst_tfrc_rtp_header_unmap (&head);
  return fits;
}

static GstFlowReturn
gst_tfrc_ssrc_filter_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstTfrcSsrcFilter *self = GST_TFRC_SSRC_FILTER (parent);
  GstClockTime now = GST_BUFFER_DTS_OR_PTS (buffer);
  guint ssrc, payload_type;
  gboolean changed;
  Verdict verdict;

  if (!read_header (buffer, &payload_type, &ssrc)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  verdict = get_verdict (self, payload_type);
  if (verdict != VERDICT_TAKEN)
    return drop_unknown (self, buffer, ssrc, payload_type, verdict);
  if (!choose (self, ssrc, now, &changed)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  self->last = now;
  note_address (self, buffer, ssrc, changed);
  update_caps (self, payload_type, changed);
  return gst_pad_push (self->srcpad, buffer);
}

/* The caps from upstream are those of no payload type in particular: the first
 * structure stands in until a packet tells its own. */
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

/* A decoder asks for a key frame; the session asks the sender for it when it is told
 * of whom, and of which payload type. */
static GstEvent *
name_sender (GstTfrcSsrcFilter * self, GstEvent * event)
{
  guint ssrc, payload_type;

  GST_OBJECT_LOCK (self);
  ssrc = self->stats.ssrc;
  payload_type = self->following ? self->payload_type : NO_PAYLOAD_TYPE;
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
    event = name_sender (GST_TFRC_SSRC_FILTER (parent), event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    forget_verdicts (GST_TFRC_SSRC_FILTER (parent));
  return gst_pad_event_default (pad, parent, event);
}

static GstStateChangeReturn
gst_tfrc_ssrc_filter_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcSsrcFilter *self = GST_TFRC_SSRC_FILTER (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    GST_OBJECT_LOCK (self);
    self->following = self->gone = FALSE;
    self->payload_type = NO_PAYLOAD_TYPE;
    self->nameless = self->refused = (GstTfrcWarning) {
    FALSE};
    GST_OBJECT_UNLOCK (self);
    forget_verdicts (self);
    self->last = GST_CLOCK_TIME_NONE;
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
  gst_element_class_set_static_metadata (element_class, "RTP sender choice",
      "Filter/Network/RTP", "Follows one SSRC, and the next when it has gone",
      "The gst-tfrc developers");
}

static void
gst_tfrc_ssrc_filter_init (GstTfrcSsrcFilter * self)
{
  self->payload_type = NO_PAYLOAD_TYPE;
  self->last = GST_CLOCK_TIME_NONE;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_ssrc_filter_chain);
  gst_pad_set_event_function (self->sinkpad, gst_tfrc_ssrc_filter_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->srcpad);
  gst_pad_set_event_function (self->srcpad, gst_tfrc_ssrc_filter_src_event);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  self->exit = self->srcpad;
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
  forget_verdicts (self);
}

void
gst_tfrc_ssrc_filter_set_exit (GstTfrcSsrcFilter * self, GstPad * pad)
{
  self->exit = pad;
}

gboolean
gst_tfrc_ssrc_filter_bye (GstTfrcSsrcFilter * self, guint ssrc)
{
  gboolean followed;

  GST_OBJECT_LOCK (self);
  followed = self->following && self->stats.ssrc == ssrc;
  self->gone |= followed;
  GST_OBJECT_UNLOCK (self);
  return followed;
}

void
gst_tfrc_ssrc_filter_get_stats (GstTfrcSsrcFilter * self,
    GstTfrcSsrcFilterStats * stats)
{
  GST_OBJECT_LOCK (self);
  *stats = self->stats;
  GST_OBJECT_UNLOCK (self);
}
