/* gst-tfrc: one RTP stream of what several payloaders make in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tail of tfrcencodebin: one sequence of sequence numbers, timestamps that go
 * on across a change of codec (and of its clock rate, as RFC 7160 4.2 has it), and
 * copies of earlier packets. */
#include "codec/gsttfrcpayloaderjoin.h"

#include <gst/rtp/rtp.h>
#include <tfrcadapt/operating-point.h>

#include "codec/redpacket.h"

/* Packets: copies of 10 ms that are far apart. */
#define SENT_MAX 32

typedef struct
{
  GstPad *pad;                  /* owned by the element */
  gint clock_rate;              /* Hz */
  guint red_pt;
} Input;

struct _GstTfrcPayloaderJoin
{
  GstElement parent;
  GstPad *srcpad;
  GArray *inputs;               /* Input */
  GstTfrcPayloaderJoinFunc func;
  gpointer user_data;

  gint active;                  /* atomic: events come from other threads */

  /* streaming thread */
  gboolean started;             /* a packet was sent: the next is known */
  guint16 next_seq;
  guint32 next_timestamp;       /* RTP, where the last packet's sound ends */
  guint32 timestamp_shift;      /* to add to the active payloader's */
  gboolean shift_unknown;       /* until its first packet */
  GstClockTimeDiff late;        /* to take off the time of its packets */
  gboolean warm;                /* its first packet carries what is in `sent` */
  GstClockTime end;             /* of the sound that was sent */
  GstClockTime from;            /* what lies before it was sent by another */
  guint redundancy, spacing;
  GstTfrcRedBlock sent[SENT_MAX];       /* the newest first */
  gboolean silent, mark;
  guint idle_size;              /* bytes */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink_%u",
    GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE (GstTfrcPayloaderJoin, gst_tfrc_payloader_join, GST_TYPE_ELEMENT);

static Input *
get_active (GstTfrcPayloaderJoin * self)
{
  return &g_array_index (self->inputs, Input, g_atomic_int_get (&self->active));
}

static void
forget_sent (GstTfrcPayloaderJoin * self)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->sent); i++)
    gst_tfrc_red_block_clear (&self->sent[i]);
}

static void
reset (GstTfrcPayloaderJoin * self)
{
  forget_sent (self);
  self->started = self->shift_unknown = self->warm = FALSE;
  self->silent = self->mark = FALSE;
  self->late = 0;
  self->idle_size = 0;
  self->timestamp_shift = 0;
  self->end = self->from = GST_CLOCK_TIME_NONE;
  self->redundancy = 0;
  self->spacing = 1;
  g_atomic_int_set (&self->active, 0);
}

/* --- packets ------------------------------------------------------------------ */

/* Of the active payloader's timestamps; those it made before it was known, too. */
static void
set_shift (GstTfrcPayloaderJoin * self, guint32 shift)
{
  guint i;

  self->timestamp_shift = shift;
  self->shift_unknown = FALSE;
  for (i = 0; self->warm && i < G_N_ELEMENTS (self->sent); i++)
    self->sent[i].timestamp += shift;
}

/* Sequence number, timestamp and marker of a packet that will be sent. */
static GstBuffer *
number_packet (GstTfrcPayloaderJoin * self, GstBuffer * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint32 timestamp;

  packet = gst_buffer_make_writable (packet);
  if (!gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp))
    return packet;
  if (!self->started)
    self->next_seq = gst_rtp_buffer_get_seq (&rtp);
  self->started = TRUE;
  gst_rtp_buffer_set_seq (&rtp, self->next_seq++);

  timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  if (self->shift_unknown)
    set_shift (self, self->next_timestamp - timestamp);
  timestamp += self->timestamp_shift;
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  self->next_timestamp = timestamp +
      gst_util_uint64_scale_int_round (GST_BUFFER_DURATION (packet),
      get_active (self)->clock_rate, GST_SECOND);

  /* RFC 3551 4.1: the first packet after a silence */
  if (self->mark)
    gst_rtp_buffer_set_marker (&rtp, TRUE);
  self->mark = FALSE;
  gst_rtp_buffer_unmap (&rtp);
  return packet;
}

static void
remember (GstTfrcPayloaderJoin * self, GstBuffer * packet)
{
  guint last = G_N_ELEMENTS (self->sent) - 1;

  gst_tfrc_red_block_clear (&self->sent[last]);
  memmove (self->sent + 1, self->sent, last * sizeof (self->sent[0]));
  self->sent[0] = (GstTfrcRedBlock) {
  0};
  gst_tfrc_red_block_from_packet (&self->sent[0], packet);
}

/* With copies of packets before it, the oldest first. A new decoder begins with those
 * right before it. */
static GstBuffer *
add_copies (GstTfrcPayloaderJoin * self, GstBuffer * packet)
{
  GstTfrcRedBlock copies[TFRC_ADAPT_REDUNDANCY_MAX];
  guint most = self->warm ? TFRC_ADAPT_REDUNDANCY_MAX : self->redundancy;
  guint i, n = 0, spacing = self->warm ? 1 : self->spacing;

  self->warm = FALSE;
  for (i = MIN (most, TFRC_ADAPT_REDUNDANCY_MAX); i > 0; i--) {
    guint back = i * spacing;

    if (back <= SENT_MAX && self->sent[back - 1].payload != NULL)
      copies[n++] = self->sent[back - 1];
  }
  return n > 0 ? gst_tfrc_red_wrap (packet, get_active (self)->red_pt, copies,
      n) : packet;
}

static gsize
get_payload_size (GstBuffer * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gsize size = 0;

  if (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp)) {
    size = gst_rtp_buffer_get_payload_len (&rtp);
    gst_rtp_buffer_unmap (&rtp);
  }
  return size;
}

static gboolean
was_sent (GstTfrcPayloaderJoin * self, GstBuffer * packet)
{
  /* A quarter of the shortest frame: clock rates differ, and so does rounding. */
  return GST_CLOCK_TIME_IS_VALID (self->from) &&
      GST_BUFFER_PTS_IS_VALID (packet) &&
      GST_BUFFER_PTS (packet) + 2 * GST_MSECOND < self->from;
}

/* Nobody speaks, or nothing may be sent. What was said before the pause is of no use
 * behind it. */
static void
hold_back (GstTfrcPayloaderJoin * self, GstBuffer * packet)
{
  self->mark = TRUE;
  forget_sent (self);
  gst_buffer_unref (packet);
}

static GstBuffer *
take_late_off (GstTfrcPayloaderJoin * self, GstBuffer * packet)
{
  if (!GST_BUFFER_PTS_IS_VALID (packet))
    return packet;
  if (self->late == GST_TFRC_PAYLOADER_JOIN_ALIGN)
    self->late = GST_CLOCK_TIME_IS_VALID (self->from) ?
        GST_CLOCK_DIFF (self->from, GST_BUFFER_PTS (packet)) : 0;
  if (self->late != 0) {
    packet = gst_buffer_make_writable (packet);
    GST_BUFFER_PTS (packet) -= MIN (self->late,
        (GstClockTimeDiff) GST_BUFFER_PTS (packet));
  }
  return packet;
}

static GstFlowReturn
gst_tfrc_payloader_join_chain (GstPad * pad, GstObject * parent,
    GstBuffer * packet)
{
  GstTfrcPayloaderJoin *self = GST_TFRC_PAYLOADER_JOIN (parent);
  GstBuffer *red;
  gsize size;

  if (pad != get_active (self)->pad) {
    gst_buffer_unref (packet);
    return GST_FLOW_OK;
  }
  packet = take_late_off (self, packet);
  if (was_sent (self, packet)) {
    if (self->warm)
      remember (self, packet);
    gst_buffer_unref (packet);
    return GST_FLOW_OK;
  }
  size = get_payload_size (packet);
  if (size > self->idle_size)
    self->func (size, self->user_data);
  if (GST_BUFFER_PTS_IS_VALID (packet))
    self->end = GST_BUFFER_PTS (packet) + GST_BUFFER_DURATION (packet);
  if (self->silent || size <= self->idle_size) {
    hold_back (self, packet);
    return GST_FLOW_OK;
  }
  packet = number_packet (self, packet);
  red = add_copies (self, gst_buffer_ref (packet));
  remember (self, packet);
  gst_buffer_unref (packet);
  return gst_pad_push (self->srcpad, red);
}

/* --- events ------------------------------------------------------------------- */

/* The stream began with the first payloader's random origins. */
static GstCaps *
keep_origins (GstTfrcPayloaderJoin * self, GstCaps * caps)
{
  GstCaps *old = gst_pad_get_current_caps (self->srcpad);
  GstStructure *s;
  guint seq, timestamp;

  caps = gst_caps_copy (caps);
  if (old == NULL)
    return caps;
  s = gst_caps_get_structure (old, 0);
  if (gst_structure_get_uint (s, "seqnum-offset", &seq) &&
      gst_structure_get_uint (s, "timestamp-offset", &timestamp))
    gst_caps_set_simple (caps, "seqnum-offset", G_TYPE_UINT, seq,
        "timestamp-offset", G_TYPE_UINT, timestamp, NULL);
  gst_caps_unref (old);
  return caps;
}

static gboolean
push_caps (GstTfrcPayloaderJoin * self, GstCaps * caps)
{
  gboolean ret;

  caps = keep_origins (self, caps);
  ret = gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  return ret;
}

static gboolean
gst_tfrc_payloader_join_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstTfrcPayloaderJoin *self = GST_TFRC_PAYLOADER_JOIN (parent);
  gboolean ret;

  if (pad != get_active (self)->pad) {
    /* sticky ones stay on the pad until its turn */
    gst_event_unref (event);
    return TRUE;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    GstCaps *caps;

    gst_event_parse_caps (event, &caps);
    ret = push_caps (self, caps);
    gst_event_unref (event);
    return ret;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    forget_sent (self);
  return gst_pad_push_event (self->srcpad, event);
}

/* The other branches lead to the same source. */
static gboolean
gst_tfrc_payloader_join_src_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  return gst_pad_push_event (get_active (GST_TFRC_PAYLOADER_JOIN (parent))->pad,
      event);
}

/* --- for the bin --------------------------------------------------------------- */

GstPad *
gst_tfrc_payloader_join_add_pad (GstTfrcPayloaderJoin * self, gint clock_rate,
    guint red_pt)
{
  Input input = {.clock_rate = clock_rate,.red_pt = red_pt };
  gchar *name = g_strdup_printf ("sink_%u", self->inputs->len);

  input.pad = gst_pad_new_from_static_template (&sink_template, name);
  g_free (name);
  gst_pad_set_chain_function (input.pad, gst_tfrc_payloader_join_chain);
  gst_pad_set_event_function (input.pad, gst_tfrc_payloader_join_sink_event);
  GST_PAD_SET_PROXY_CAPS (input.pad);
  g_array_append_val (self->inputs, input);
  gst_element_add_pad (GST_ELEMENT (self), input.pad);
  return input.pad;
}

void
gst_tfrc_payloader_join_remove_pads (GstTfrcPayloaderJoin * self)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    gst_element_remove_pad (GST_ELEMENT (self),
        g_array_index (self->inputs, Input, i).pad);
  g_array_set_size (self->inputs, 0);
}

GstClockTime
gst_tfrc_payloader_join_get_end (GstTfrcPayloaderJoin * self)
{
  return self->end;
}

void
gst_tfrc_payloader_join_switch (GstTfrcPayloaderJoin * self, guint active,
    GstClockTime from, GstClockTimeDiff late, gboolean warm)
{
  GstCaps *caps;

  g_atomic_int_set (&self->active, active);
  self->from = from;
  self->late = late;
  self->warm = warm && self->started;
  self->shift_unknown = self->started;
  /* RFC 2198 2: blocks of one clock rate only; and the new codec brings its own */
  forget_sent (self);
  caps = gst_pad_get_current_caps (get_active (self)->pad);
  if (caps != NULL) {
    push_caps (self, caps);
    gst_caps_unref (caps);
  }
}

void
gst_tfrc_payloader_join_set_redundancy (GstTfrcPayloaderJoin * self,
    guint redundancy, guint spacing)
{
  self->redundancy = redundancy;
  self->spacing = spacing;
}

void
gst_tfrc_payloader_join_set_idle_size (GstTfrcPayloaderJoin * self, guint size)
{
  self->idle_size = size;
}

void
gst_tfrc_payloader_join_set_silent (GstTfrcPayloaderJoin * self,
    gboolean silent)
{
  self->silent = silent;
}

/* --- element ------------------------------------------------------------------- */

static GstStateChangeReturn
gst_tfrc_payloader_join_change_state (GstElement * element,
    GstStateChange transition)
{
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_tfrc_payloader_join_parent_class)->change_state
      (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reset (GST_TFRC_PAYLOADER_JOIN (element));
  return ret;
}

static void
gst_tfrc_payloader_join_finalize (GObject * object)
{
  GstTfrcPayloaderJoin *self = GST_TFRC_PAYLOADER_JOIN (object);

  forget_sent (self);
  g_array_unref (self->inputs);
  G_OBJECT_CLASS (gst_tfrc_payloader_join_parent_class)->finalize (object);
}

static void
gst_tfrc_payloader_join_class_init (GstTfrcPayloaderJoinClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_payloader_join_finalize;
  element_class->change_state = gst_tfrc_payloader_join_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC RTP join",
      "Filter/Network/RTP", "One RTP stream of several payloaders' in turn",
      "The gst-tfrc developers");
}

static void
gst_tfrc_payloader_join_init (GstTfrcPayloaderJoin * self)
{
  self->inputs = g_array_new (FALSE, TRUE, sizeof (Input));
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (self->srcpad, gst_tfrc_payloader_join_src_event);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  reset (self);
}

GstElement *
gst_tfrc_payloader_join_new (GstTfrcPayloaderJoinFunc func, gpointer user_data)
{
  GstTfrcPayloaderJoin *self =
      g_object_new (GST_TYPE_TFRC_PAYLOADER_JOIN, NULL);

  self->func = func;
  self->user_data = user_data;
  return GST_ELEMENT (self);
}
