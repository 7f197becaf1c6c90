/* gst-tfrc: cuts raw audio into short pieces, and asks before each
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sources hand out what suits them: wavparse 128 ms at a time. An encoder that is
 * told something new only between two buffers would be told late. This head of
 * tfrcencodebin cuts buffers into pieces of 10 ms; it is no element of its own in
 * the registry. */
#include "gsttfrcslicer.h"

#include <gst/audio/audio.h>

GST_DEBUG_CATEGORY_STATIC (tfrcslicer_debug);
#define GST_CAT_DEFAULT tfrcslicer_debug

#define PIECE (10 * GST_MSECOND)

struct _GstTfrcSlicer
{
  GstElement parent;
  GstPad *sinkpad, *srcpad;
  GstTfrcSlicerFunc func;
  gpointer user_data;

  /* streaming thread */
  GstAudioInfo info;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-raw, layout=(string)interleaved"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-raw, layout=(string)interleaved"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcSlicer, gst_tfrc_slicer, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (tfrcslicer_debug, "tfrcslicer", 0,
        "TFRC audio slicer"));

/* Takes `buffer`, whole or a piece of it. */
static GstFlowReturn
push_piece (GstTfrcSlicer * self, GstBuffer * buffer)
{
  self->func (self->user_data);
  return gst_pad_push (self->srcpad, buffer);
}

/* `frames` sample frames of `buffer` from `first` on. */
static GstBuffer *
copy_piece (GstTfrcSlicer * self, GstBuffer * buffer, gsize first, gsize frames)
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

static GstFlowReturn
gst_tfrc_slicer_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcSlicer *self = GST_TFRC_SLICER (parent);
  GstFlowReturn ret = GST_FLOW_OK;
  gsize first, total, piece;

  if (GST_AUDIO_INFO_FORMAT (&self->info) == GST_AUDIO_FORMAT_UNKNOWN) {
    gst_buffer_unref (buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  total = gst_buffer_get_size (buffer) / GST_AUDIO_INFO_BPF (&self->info);
  piece = MAX (1, gst_util_uint64_scale_int (PIECE,
          GST_AUDIO_INFO_RATE (&self->info), GST_SECOND));
  if (total < 2 * piece)
    return push_piece (self, buffer);

  for (first = 0; first < total && ret == GST_FLOW_OK; first += piece)
    ret = push_piece (self, copy_piece (self, buffer, first,
            MIN (piece, total - first)));
  gst_buffer_unref (buffer);
  return ret;
}

static gboolean
gst_tfrc_slicer_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcSlicer *self = GST_TFRC_SLICER (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    GstCaps *caps;

    gst_event_parse_caps (event, &caps);
    if (!gst_audio_info_from_caps (&self->info, caps)) {
      gst_event_unref (event);
      return FALSE;
    }
  }
  return gst_pad_event_default (pad, parent, event);
}

static GstStateChangeReturn
gst_tfrc_slicer_change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcSlicer *self = GST_TFRC_SLICER (element);
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_tfrc_slicer_parent_class)->change_state (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_audio_info_init (&self->info);
  return ret;
}

static void
gst_tfrc_slicer_class_init (GstTfrcSlicerClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  element_class->change_state = gst_tfrc_slicer_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC audio slicer",
      "Filter/Audio", "Cuts raw audio into pieces of 10 ms",
      "The gst-tfrc developers");
}

static void
gst_tfrc_slicer_init (GstTfrcSlicer * self)
{
  gst_audio_info_init (&self->info);
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_slicer_chain);
  gst_pad_set_event_function (self->sinkpad, gst_tfrc_slicer_sink_event);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

GstElement *
gst_tfrc_slicer_new (GstTfrcSlicerFunc func, gpointer user_data)
{
  GstTfrcSlicer *self = g_object_new (GST_TYPE_TFRC_SLICER, NULL);

  self->func = func;
  self->user_data = user_data;
  return GST_ELEMENT (self);
}
