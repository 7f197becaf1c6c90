/* gst-tfrc: one piece of sound of what several decoders make in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tail of tfrcdecodebin. Where another decoder takes over, its sound is set to
 * go on where the last one's ended, and is faded over to from what the last one would
 * have gone on with: two codecs never meet at the same value, and a step is a click. */
#include "codec/gsttfrcdecoderjoin.h"

#include <gst/audio/audio.h>
#include <string.h>

#include "codec/extrapolate.h"
#include "codec/playouttimeline.h"

/* Two decoders' ideas of the time differ by their look-ahead; more is a gap of
 * the stream itself. */
#define JOIN_MAX (30 * GST_MSECOND)

#define FADE_FRAMES 240         /* 5 ms at 48 kHz */

#define CHANNELS_MAX 2

struct _GstTfrcDecoderJoin
{
  GstElement parent;
  GstPad *srcpad;

  /* streaming thread */
  guint n_pads;                 /* that ever were, for their names */
  GstPad *last;                 /* that a buffer came from, owned */
  GstAudioInfo info;
  GstClockTime end;             /* of what was pushed */
  GstTfrcPlayoutTimeline timeline;      /* of it, counted in frames */
  guint32 pushed;               /* frames */
  GstClockTime until;           /* more of the old decoder is made up; GST_CLOCK_TIME_NONE */
  gboolean draining;            /* what comes is the end of a filter, bent to zero */
  gint faded;                   /* frames of FADE_FRAMES */
  guint old_channels;
  gint16 old[FADE_FRAMES * CHANNELS_MAX];
  guint past_channels, past_frames;
  gint16 past[GST_TFRC_EXTRAPOLATE_PAST * CHANNELS_MAX];        /* of what was pushed, the last */
};

#define CAPS "audio/x-raw, format=(string)" GST_AUDIO_NE (S16) \
    ", layout=(string)interleaved, channels=(int)[ 1, 2 ]"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink_%u",
    GST_PAD_SINK, GST_PAD_SOMETIMES, GST_STATIC_CAPS (CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

G_DEFINE_TYPE (GstTfrcDecoderJoin, gst_tfrc_decoder_join, GST_TYPE_ELEMENT);

static void
reset (GstTfrcDecoderJoin * self)
{
  gst_clear_object (&self->last);
  gst_audio_info_init (&self->info);
  self->end = self->until = GST_CLOCK_TIME_NONE;
  self->faded = FADE_FRAMES;
  self->past_frames = self->past_channels = 0;
  self->timeline = (GstTfrcPlayoutTimeline) {
  FALSE};
}

/* What the old decoder would have gone on with. */
static void
start_fade (GstTfrcDecoderJoin * self)
{
  gst_tfrc_extrapolate (self->past, self->past_frames, self->past_channels,
      self->old, FADE_FRAMES);
  self->old_channels = self->past_channels;
  self->faded = 0;
}

/* From that to the new one, in its channels; it may take several buffers. */
static void
fade_over (GstTfrcDecoderJoin * self, GstBuffer * buffer)
{
  guint channels = GST_AUDIO_INFO_CHANNELS (&self->info), i, c;
  GstMapInfo map;
  gint16 *data;
  gint at;

  gst_buffer_map (buffer, &map, GST_MAP_READWRITE);
  data = (gint16 *) map.data;
  for (i = 0; i < map.size / GST_AUDIO_INFO_BPF (&self->info)
      && self->faded < FADE_FRAMES; i++) {
    at = self->faded++;
    for (c = 0; c < channels; c++) {
      gint old = self->old[at * self->old_channels
          + MIN (c, self->old_channels - 1)];

      data[i * channels + c] =
          (old * (FADE_FRAMES - at) + data[i * channels +
              c] * at) / FADE_FRAMES;
    }
  }
  gst_buffer_unmap (buffer, &map);
}

/* In place of what a drained filter makes of the zeros behind its last samples. */
static void
straighten (GstTfrcDecoderJoin * self, GstBuffer * buffer)
{
  GstMapInfo map;

  if (self->past_frames == 0
      || self->past_channels != (guint) GST_AUDIO_INFO_CHANNELS (&self->info))
    return;
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  gst_tfrc_extrapolate (self->past, self->past_frames, self->past_channels,
      (gint16 *) map.data, map.size / GST_AUDIO_INFO_BPF (&self->info));
  gst_buffer_unmap (buffer, &map);
}

/* The part of `buffer` after the first `overlap`; NULL: nothing. */
static GstBuffer *
cut_overlap (GstTfrcDecoderJoin * self, GstBuffer * buffer,
    GstClockTime overlap)
{
  gsize frames = gst_util_uint64_scale_int_round (overlap,
      GST_AUDIO_INFO_RATE (&self->info), GST_SECOND);
  gsize size = frames * GST_AUDIO_INFO_BPF (&self->info);

  if (size >= gst_buffer_get_size (buffer)) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  gst_buffer_resize (buffer, size, -1);
  return buffer;
}

/* The first buffer of another decoder. Its time is to be compared with that of the last
 * one's sound as it came, not as it was pushed. */
static GstBuffer *
splice (GstTfrcDecoderJoin * self, GstBuffer * buffer)
{
  GstClockTimeDiff gap, end;

  if (!GST_CLOCK_TIME_IS_VALID (self->end) || !GST_BUFFER_PTS_IS_VALID (buffer))
    return buffer;
  end = (GstClockTimeDiff) self->end - self->timeline.shift;
  gap = GST_CLOCK_DIFF (end, GST_BUFFER_PTS (buffer));
  if (gap > (GstClockTimeDiff) JOIN_MAX)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  if (gap < 0)
    buffer = cut_overlap (self, buffer, -gap);
  if (buffer == NULL)
    return NULL;
  GST_BUFFER_PTS (buffer) = MAX (0, end);
  GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (self->past_frames > 0)
    start_fade (self);
  return buffer;
}

/* The part of `buffer` before what is made up; NULL: nothing. */
static GstBuffer *
cut_end (GstTfrcDecoderJoin * self, GstBuffer * buffer)
{
  gint bpf = GST_AUDIO_INFO_BPF (&self->info);
  gsize frames;

  if (!GST_CLOCK_TIME_IS_VALID (self->until)
      || !GST_BUFFER_PTS_IS_VALID (buffer))
    return buffer;
  frames = self->until <= GST_BUFFER_PTS (buffer) ? 0 :
      gst_util_uint64_scale_int_round (self->until - GST_BUFFER_PTS (buffer),
      GST_AUDIO_INFO_RATE (&self->info), GST_SECOND);
  if (frames == 0) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  if (frames * bpf < gst_buffer_get_size (buffer)) {
    buffer = gst_buffer_make_writable (buffer);
    gst_buffer_resize (buffer, 0, frames * bpf);
  }
  return buffer;
}

/* Keeps the last of what was heard. */
static void
remember_past (GstTfrcDecoderJoin * self, GstBuffer * buffer)
{
  guint bpf = GST_AUDIO_INFO_BPF (&self->info);
  guint channels = GST_AUDIO_INFO_CHANNELS (&self->info);
  guint size = gst_buffer_get_size (buffer) / bpf;
  guint new = MIN (size, GST_TFRC_EXTRAPOLATE_PAST), kept;

  if (self->past_channels != channels)
    self->past_frames = 0;
  self->past_channels = channels;
  kept = MIN (self->past_frames, GST_TFRC_EXTRAPOLATE_PAST - new);
  memmove (self->past, self->past + (self->past_frames - kept) * channels,
      kept * bpf);
  gst_buffer_extract (buffer, (size - new) * bpf, self->past + kept * channels,
      new * bpf);
  self->past_frames = kept + new;
}

/* The times go with the samples and approach those that came slowly, so that what the
 * decoders' times differ by does not show when another takes over. */
static void
remember_end (GstTfrcDecoderJoin * self, GstBuffer * buffer)
{
  gint rate = GST_AUDIO_INFO_RATE (&self->info);
  guint frames =
      gst_buffer_get_size (buffer) / GST_AUDIO_INFO_BPF (&self->info);

  GST_BUFFER_PTS (buffer) = gst_tfrc_playout_timeline_place (&self->timeline,
      self->pushed, rate, GST_BUFFER_PTS (buffer));
  self->pushed += frames;
  GST_BUFFER_DURATION (buffer) =
      gst_util_uint64_scale_int (frames, GST_SECOND, rate);
  self->end = GST_BUFFER_PTS_IS_VALID (buffer) ?
      GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer) :
      GST_CLOCK_TIME_NONE;
  remember_past (self, buffer);
}

/* Another decoder may have another number of channels: its caps come with its
 * first buffer. */
static void
take_over (GstTfrcDecoderJoin * self, GstPad * pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstCaps *old = gst_pad_get_current_caps (self->srcpad);

  if (caps != NULL && gst_audio_info_from_caps (&self->info, caps)
      && (old == NULL || !gst_caps_is_equal (caps, old)))
    gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
  gst_clear_caps (&caps);
  gst_clear_caps (&old);
}

static GstFlowReturn
gst_tfrc_decoder_join_chain (GstPad * pad, GstObject * parent,
    GstBuffer * buffer)
{
  GstTfrcDecoderJoin *self = GST_TFRC_DECODER_JOIN (parent);

  if (self->last != pad && self->last != NULL)
    take_over (self, pad);
  if (GST_AUDIO_INFO_FORMAT (&self->info) == GST_AUDIO_FORMAT_UNKNOWN) {
    gst_buffer_unref (buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  if (self->last != pad && self->last != NULL)
    buffer = splice (self, buffer);
  else
    buffer = cut_end (self, buffer);
  if (buffer == NULL)
    return GST_FLOW_OK;
  gst_object_replace ((GstObject **) & self->last, GST_OBJECT (pad));
  buffer = gst_buffer_make_writable (buffer);
  if (self->draining)
    straighten (self, buffer);
  if (self->faded < FADE_FRAMES)
    fade_over (self, buffer);
  remember_end (self, buffer);
  return gst_pad_push (self->srcpad, buffer);
}

/* A segment that comes again drains the decoders' side; there is nothing of it
 * here. */
static gboolean
is_known (GstTfrcDecoderJoin * self, GstEvent * event)
{
  const GstSegment *segment, *old_segment;
  gboolean known = FALSE;
  GstEvent *old;

  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return FALSE;
  old = gst_pad_get_sticky_event (self->srcpad, GST_EVENT_SEGMENT, 0);
  if (old != NULL) {
    gst_event_parse_segment (event, &segment);
    gst_event_parse_segment (old, &old_segment);
    known = gst_segment_is_equal (segment, old_segment);
    gst_event_unref (old);
  }
  return known;
}

/* The stream's events come once from each decoder; the first one's are handed on,
 * and of the others what is new. */
static gboolean
gst_tfrc_decoder_join_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstTfrcDecoderJoin *self = GST_TFRC_DECODER_JOIN (parent);
  gboolean first = self->last == NULL || self->last == pad;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:{
      GstCaps *caps;

      gst_event_parse_caps (event, &caps);
      if (first && !gst_audio_info_from_caps (&self->info, caps)) {
        gst_event_unref (event);
        return FALSE;
      }
      break;
    }
    case GST_EVENT_FLUSH_STOP:
      if (first) {
        self->end = GST_CLOCK_TIME_NONE;
        self->timeline = (GstTfrcPlayoutTimeline) {
        FALSE};
      }
      break;
    default:
      break;
  }
  if (!first || is_known (self, event)) {
    gst_event_unref (event);
    return TRUE;
  }
  return gst_pad_push_event (self->srcpad, event);
}

GstPad *
gst_tfrc_decoder_join_add_pad (GstTfrcDecoderJoin * self)
{
  gchar *name = g_strdup_printf ("sink_%u", self->n_pads++);
  GstPad *pad = gst_pad_new_from_static_template (&sink_template, name);

  g_free (name);
  gst_pad_set_chain_function (pad, gst_tfrc_decoder_join_chain);
  gst_pad_set_event_function (pad, gst_tfrc_decoder_join_sink_event);
  GST_PAD_SET_PROXY_ALLOCATION (pad);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

void
gst_tfrc_decoder_join_finish (GstTfrcDecoderJoin * self, GstClockTime until,
    gboolean draining)
{
  self->until = until;
  self->draining = draining;
}

static GstStateChangeReturn
gst_tfrc_decoder_join_change_state (GstElement * element,
    GstStateChange transition)
{
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_tfrc_decoder_join_parent_class)->change_state
      (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reset (GST_TFRC_DECODER_JOIN (element));
  return ret;
}

static void
gst_tfrc_decoder_join_finalize (GObject * object)
{
  reset (GST_TFRC_DECODER_JOIN (object));
  G_OBJECT_CLASS (gst_tfrc_decoder_join_parent_class)->finalize (object);
}

static void
gst_tfrc_decoder_join_class_init (GstTfrcDecoderJoinClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_decoder_join_finalize;
  element_class->change_state = gst_tfrc_decoder_join_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC audio splice",
      "Filter/Audio", "Joins the sound of several decoders without a click",
      "The gst-tfrc developers");
}

static void
gst_tfrc_decoder_join_init (GstTfrcDecoderJoin * self)
{
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  reset (self);
}

GstElement *
gst_tfrc_decoder_join_new (void)
{
  return g_object_new (GST_TYPE_TFRC_DECODER_JOIN, NULL);
}
