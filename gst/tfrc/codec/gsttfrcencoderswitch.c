/* gst-tfrc: cuts raw audio into short pieces and hands them to one encoder of several
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The head of tfrcencodebin. Sources hand out what suits them: wavparse 128 ms at
 * a time. An encoder that is told something new only between two buffers would be
 * told late, so buffers are cut into pieces of 10 ms.
 *
 * When another codec takes over, it must begin where the last packet of the old
 * one ends, which is in the past: the old encoder has collected a part of its next
 * frame. The last pieces are kept, and the new encoder gets them again. */
#include "codec/gsttfrcencoderswitch.h"

#include <gst/audio/audio.h>

#define PIECE (10 * GST_MSECOND)
#define HISTORY (200 * GST_MSECOND)

struct _GstTfrcEncoderSwitch
{
  GstElement parent;
  GstPad *sinkpad;
  GPtrArray *srcpads;           /* owned by the element */
  GstTfrcEncoderSwitchFunc func;
  gpointer user_data;

  /* streaming thread */
  GstAudioInfo info;
  guint route;
  GQueue history;               /* pieces, the oldest first; empty with one pad */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-raw, layout=(string)interleaved"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src_%u",
    GST_PAD_SRC, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("audio/x-raw, layout=(string)interleaved"));

G_DEFINE_TYPE (GstTfrcEncoderSwitch, gst_tfrc_encoder_switch, GST_TYPE_ELEMENT);

static GstClockTime
get_end (GstBuffer * piece)
{
  return GST_BUFFER_PTS (piece) + GST_BUFFER_DURATION (piece);
}

static void
clear_history (GstTfrcEncoderSwitch * self)
{
  GstBuffer *piece;

  while ((piece = g_queue_pop_head (&self->history)) != NULL)
    gst_buffer_unref (piece);
}

static void
remember (GstTfrcEncoderSwitch * self, GstBuffer * piece)
{
  GstBuffer *oldest;

  if (self->srcpads->len < 2 || !GST_BUFFER_PTS_IS_VALID (piece))
    return;
  g_queue_push_tail (&self->history, gst_buffer_ref (piece));
  while ((oldest = g_queue_peek_head (&self->history)) != NULL
      && get_end (oldest) + HISTORY < get_end (piece))
    gst_buffer_unref (g_queue_pop_head (&self->history));
}

static GstFlowReturn
push_piece (GstTfrcEncoderSwitch * self, GstBuffer * piece)
{
  self->func (self->user_data);
  remember (self, piece);
  return gst_pad_push (g_ptr_array_index (self->srcpads, self->route), piece);
}

/* `frames` sample frames of `buffer` from `first` on. */
static GstBuffer *
copy_piece (GstTfrcEncoderSwitch * self, GstBuffer * buffer, gsize first,
    gsize frames)
{
  gint bpf = GST_AUDIO_INFO_BPF (&self->info);
  gint rate = GST_AUDIO_INFO_RATE (&self->info);
  GstBuffer *piece = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL,
      first * bpf, frames * bpf);

  if (GST_BUFFER_PTS_IS_VALID (buffer))
    GST_BUFFER_PTS (piece) = GST_BUFFER_PTS (buffer)
        + gst_util_uint64_scale_int (first, GST_SECOND, rate);
  GST_BUFFER_DURATION (piece) =
      gst_util_uint64_scale_int (frames, GST_SECOND, rate);
  if (first > 0)
    GST_BUFFER_FLAG_UNSET (piece, GST_BUFFER_FLAG_DISCONT);
  return piece;
}

static gsize
count_frames (GstTfrcEncoderSwitch * self, GstBuffer * buffer)
{
  return gst_buffer_get_size (buffer) / GST_AUDIO_INFO_BPF (&self->info);
}

static GstFlowReturn
gst_tfrc_encoder_switch_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstTfrcEncoderSwitch *self = GST_TFRC_ENCODER_SWITCH (parent);
  GstFlowReturn ret = GST_FLOW_OK;
  gsize first, total, piece;

  if (GST_AUDIO_INFO_FORMAT (&self->info) == GST_AUDIO_FORMAT_UNKNOWN) {
    gst_buffer_unref (buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  total = count_frames (self, buffer);
  piece = MAX (1, gst_util_uint64_scale_int (PIECE,
          GST_AUDIO_INFO_RATE (&self->info), GST_SECOND));
  for (first = 0; first < total && ret == GST_FLOW_OK; first += piece)
    ret = push_piece (self, copy_piece (self, buffer, first,
            MIN (piece, total - first)));
  gst_buffer_unref (buffer);
  return ret;
}

/* The part of `piece` from `from` on. */
static GstBuffer *
cut_piece (GstTfrcEncoderSwitch * self, GstBuffer * piece, GstClockTime from)
{
  gsize first = 0, total = count_frames (self, piece);

  if (from > GST_BUFFER_PTS (piece))
    first = gst_util_uint64_scale_int_round (from - GST_BUFFER_PTS (piece),
        GST_AUDIO_INFO_RATE (&self->info), GST_SECOND);
  return first < total ? copy_piece (self, piece, first, total - first) : NULL;
}

void
gst_tfrc_encoder_switch_flush (GstTfrcEncoderSwitch * self, guint route)
{
  GstPad *pad = g_ptr_array_index (self->srcpads, route);
  GstEvent *segment =
      gst_pad_get_sticky_event (self->sinkpad, GST_EVENT_SEGMENT, 0);

  gst_pad_push_event (pad, gst_event_new_flush_start ());
  gst_pad_push_event (pad, gst_event_new_flush_stop (FALSE));
  if (segment != NULL)
    gst_pad_push_event (pad, segment);
}

GstFlowReturn
gst_tfrc_encoder_switch_switch (GstTfrcEncoderSwitch * self, guint route,
    GstClockTime from)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean discont = TRUE;
  GList *l;

  g_return_val_if_fail (route < self->srcpads->len, GST_FLOW_ERROR);
  self->route = route;
  for (l = self->history.head; l != NULL && ret == GST_FLOW_OK; l = l->next) {
    GstBuffer *piece = l->data;

    if (get_end (piece) <= from)
      continue;
    piece = cut_piece (self, piece, from);
    if (piece == NULL)
      continue;
    if (discont)
      GST_BUFFER_FLAG_SET (piece, GST_BUFFER_FLAG_DISCONT);
    discont = FALSE;
    ret = gst_pad_push (g_ptr_array_index (self->srcpads, route), piece);
  }
  return ret;
}

static gboolean
gst_tfrc_encoder_switch_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstTfrcEncoderSwitch *self = GST_TFRC_ENCODER_SWITCH (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:{
      GstCaps *caps;

      gst_event_parse_caps (event, &caps);
      clear_history (self);
      if (!gst_audio_info_from_caps (&self->info, caps)) {
        gst_event_unref (event);
        return FALSE;
      }
      break;
    }
    case GST_EVENT_SEGMENT:
    case GST_EVENT_FLUSH_STOP:
      clear_history (self);
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

static GstStateChangeReturn
gst_tfrc_encoder_switch_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcEncoderSwitch *self = GST_TFRC_ENCODER_SWITCH (element);
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_tfrc_encoder_switch_parent_class)->change_state
      (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_audio_info_init (&self->info);
    clear_history (self);
    self->route = 0;
  }
  return ret;
}

static void
gst_tfrc_encoder_switch_finalize (GObject * object)
{
  GstTfrcEncoderSwitch *self = GST_TFRC_ENCODER_SWITCH (object);

  clear_history (self);
  g_ptr_array_unref (self->srcpads);
  G_OBJECT_CLASS (gst_tfrc_encoder_switch_parent_class)->finalize (object);
}

static void
gst_tfrc_encoder_switch_class_init (GstTfrcEncoderSwitchClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_encoder_switch_finalize;
  element_class->change_state = gst_tfrc_encoder_switch_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC audio router",
      "Filter/Audio",
      "Hands audio in pieces of 10 ms to one of several encoders",
      "The gst-tfrc developers");
}

static void
gst_tfrc_encoder_switch_init (GstTfrcEncoderSwitch * self)
{
  self->srcpads = g_ptr_array_new ();
  g_queue_init (&self->history);
  gst_audio_info_init (&self->info);
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_encoder_switch_chain);
  gst_pad_set_event_function (self->sinkpad,
      gst_tfrc_encoder_switch_sink_event);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
}

GstPad *
gst_tfrc_encoder_switch_add_pad (GstTfrcEncoderSwitch * self)
{
  gchar *name = g_strdup_printf ("src_%u", self->srcpads->len);
  GstPad *pad = gst_pad_new_from_static_template (&src_template, name);

  g_free (name);
  GST_PAD_SET_PROXY_CAPS (pad);
  g_ptr_array_add (self->srcpads, pad);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

void
gst_tfrc_encoder_switch_remove_pads (GstTfrcEncoderSwitch * self)
{
  guint i;

  for (i = 0; i < self->srcpads->len; i++)
    gst_element_remove_pad (GST_ELEMENT (self),
        g_ptr_array_index (self->srcpads, i));
  g_ptr_array_set_size (self->srcpads, 0);
}

GstElement *
gst_tfrc_encoder_switch_new (GstTfrcEncoderSwitchFunc func, gpointer user_data)
{
  GstTfrcEncoderSwitch *self =
      g_object_new (GST_TYPE_TFRC_ENCODER_SWITCH, NULL);

  self->func = func;
  self->user_data = user_data;
  return GST_ELEMENT (self);
}
