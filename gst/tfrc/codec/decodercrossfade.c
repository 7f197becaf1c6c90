/* gst-tfrc: joins the sound of one decoder to that of the next
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/decodercrossfade.h"

#include <gst/audio/audio.h>
#include <string.h>

#include "base/debugcategory.h"
#include "codec/soundextrapolation.h"
#include "codec/soundstretch.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdecodercrossfade", "TFRC decoder join");

/* The times of two decoders differ by their look-ahead; a longer gap is one of the stream,
 * and is not crossfaded. */
#define CROSSFADE_GAP_MAX (30 * GST_MSECOND)

/* A greater difference is a jump of the stream. */
#define JUMP (100 * GST_MSECOND)

#define FADE_FRAMES 240         /* 5 ms at 48 kHz */

#define CHANNELS_MAX 2

/* Sound is made longer or shorter by this share (percent): listeners do not notice it. */
#define STRETCH_MAX 3

struct _GstTfrcDecoderCrossfade
{
  GstTfrcDecoderTimeline *timeline;
  GstAudioInfo info;
  GstClockTime end;             /* media time, of the last sound as its decoder has it */
  gboolean switched;            /* the next sound is from another decoder */
  gboolean draining_resampler;
  GstClockTime until;           /* media time; GST_CLOCK_TIME_NONE: not draining */
  gint faded;                   /* frames of FADE_FRAMES */
  guint unstretched;            /* frames that have to pass before sound is stretched again */
  guint old_channels;
  gint16 old[FADE_FRAMES * CHANNELS_MAX];       /* how the last decoder would have gone on */
  guint past_channels, past_frames;
  gint16 past[GST_TFRC_DECODER_CROSSFADE_PAST * CHANNELS_MAX];  /* the last that was heard */
};

/* --- sound -------------------------------------------------------------------- */

static void
start_crossfade (GstTfrcDecoderCrossfade * self)
{
  gst_tfrc_sound_extrapolate (self->past, self->past_frames,
      self->past_channels, self->old, FADE_FRAMES);
  self->old_channels = self->past_channels;
  self->faded = 0;
}

/* The crossfade may take several buffers. The last decoder's sound gets the channels of
 * the new one. */
static void
crossfade (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  guint channels = GST_AUDIO_INFO_CHANNELS (&self->info), i, c;
  GstMapInfo map;
  gint16 *new;

  gst_buffer_map (buffer, &map, GST_MAP_READWRITE);
  new = (gint16 *) map.data;
  for (i = map.size / GST_AUDIO_INFO_BPF (&self->info);
      i > 0 && self->faded < FADE_FRAMES; i--, self->faded++) {
    for (c = 0; c < channels; c++, new++) {
      gint old = self->old[self->faded * self->old_channels
          + MIN (c, self->old_channels - 1)];

      *new = (old * (FADE_FRAMES - self->faded) + *new * self->faded)
          / FADE_FRAMES;
    }
  }
  gst_buffer_unmap (buffer, &map);
}

static void
overwrite_with_extrapolation (GstTfrcDecoderCrossfade * self,
    GstBuffer * buffer)
{
  GstMapInfo map;

  if (self->past_frames == 0
      || self->past_channels != (guint) GST_AUDIO_INFO_CHANNELS (&self->info))
    return;
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  gst_tfrc_sound_extrapolate (self->past, self->past_frames,
      self->past_channels, (gint16 *) map.data,
      map.size / GST_AUDIO_INFO_BPF (&self->info));
  gst_buffer_unmap (buffer, &map);
}

static void
remember_past (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  guint bpf = GST_AUDIO_INFO_BPF (&self->info);
  guint channels = GST_AUDIO_INFO_CHANNELS (&self->info);
  guint size = gst_buffer_get_size (buffer) / bpf;
  guint new = MIN (size, GST_TFRC_DECODER_CROSSFADE_PAST), kept;

  if (self->past_channels != channels)
    self->past_frames = 0;
  self->past_channels = channels;
  kept = MIN (self->past_frames, GST_TFRC_DECODER_CROSSFADE_PAST - new);
  memmove (self->past, self->past + (self->past_frames - kept) * channels,
      kept * bpf);
  gst_buffer_extract (buffer, (size - new) * bpf, self->past + kept * channels,
      new * bpf);
  self->past_frames = kept + new;
}

/* --- times -------------------------------------------------------------------- */

static gsize
get_size (GstTfrcDecoderCrossfade * self, GstClockTime duration)
{
  return gst_util_uint64_scale_int_round (duration,
      GST_AUDIO_INFO_RATE (&self->info), GST_SECOND) *
      GST_AUDIO_INFO_BPF (&self->info);
}

/* Takes away the part of the buffer after self->until. FALSE: that is all of it. */
static gboolean
cut_end (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer);
  gsize size = self->until > pts ? get_size (self, self->until - pts) : 0;

  if (size < gst_buffer_get_size (buffer))
    gst_buffer_resize (buffer, 0, size);
  return size > 0;
}

/* Takes away what the last decoder has played. FALSE: that is all of the buffer. */
static gboolean
cut_overlap (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  gsize size = get_size (self, self->end - GST_BUFFER_PTS (buffer));

  if (size >= gst_buffer_get_size (buffer))
    return FALSE;
  gst_buffer_resize (buffer, size, -1);
  GST_BUFFER_PTS (buffer) = self->end;
  return TRUE;
}

/* The first sound of another decoder. FALSE: none of it is heard. Media time that goes back further than decoders overlap has
 * begun anew, and all of that sound is heard. */
static gboolean
take_over (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  GstClockTimeDiff gap = GST_CLOCK_DIFF (self->end, GST_BUFFER_PTS (buffer));

  if (gap >= -(GstClockTimeDiff) JUMP
      && gap <= (GstClockTimeDiff) CROSSFADE_GAP_MAX) {
    if (gap < 0 && !cut_overlap (self, buffer))
      return FALSE;
    GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_DISCONT);
    if (self->past_frames > 0)
      start_crossfade (self);
  }
  GST_DEBUG ("another decoder takes over, %" GST_STIME_FORMAT
      " after the end of the last one", GST_STIME_ARGS (gap));
  self->switched = FALSE;
  return TRUE;
}

/* Places the buffer where the last one ended, and remembers where the buffer ends. */
static void
place (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer);
  guint frames =
      gst_buffer_get_size (buffer) / GST_AUDIO_INFO_BPF (&self->info);
  GstClockTimeDiff gap = GST_CLOCK_DIFF (self->end, pts);

  GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale_int (frames, GST_SECOND,
      GST_AUDIO_INFO_RATE (&self->info));
  if (GST_CLOCK_TIME_IS_VALID (self->end) && GST_CLOCK_TIME_IS_VALID (pts)
      && ABS (gap) <= (GstClockTimeDiff) JUMP)
    gst_tfrc_decoder_timeline_join (self->timeline, self->end, pts);
  GST_BUFFER_PTS (buffer) =
      gst_tfrc_decoder_timeline_get_joined_time (self->timeline, pts);
  self->end = GST_CLOCK_TIME_IS_VALID (pts) ? pts +
      GST_BUFFER_DURATION (buffer) : GST_CLOCK_TIME_NONE;
}

/* --- duration ------------------------------------------------------------------- */

/* Takes `buffer` and `sound`, which has `change` frames more. */
static GstBuffer *
replace_sound (GstTfrcDecoderCrossfade * self, GstBuffer * buffer,
    gint16 * sound, guint frames, gint change)
{
  GstBuffer *stretched = gst_buffer_new_wrapped (sound,
      frames * GST_AUDIO_INFO_BPF (&self->info));
  GstClockTimeDiff difference = change * (gint64) GST_SECOND / 48000;

  gst_buffer_copy_into (stretched, buffer, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_unref (buffer);
  GST_BUFFER_DURATION (stretched) += difference;
  gst_tfrc_decoder_timeline_stretch (self->timeline, difference);
  GST_DEBUG ("sound is %d frames %s", ABS (change),
      change < 0 ? "shorter" : "longer");
  return stretched;
}

/* Takes `buffer`. Returns it with a period of its pitch more or less when it is played too early or too
 * late. */
static GstBuffer *
stretch (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  GstClockTimeDiff early = gst_tfrc_decoder_timeline_get_early (self->timeline);
  guint channels = GST_AUDIO_INFO_CHANNELS (&self->info), frames, change;
  guint bpf = GST_AUDIO_INFO_BPF (&self->info);
  GstMapInfo map;
  gint16 *out;

  frames = gst_buffer_get_size (buffer) / bpf;
  self->unstretched -= MIN (self->unstretched, frames);
  if (early == 0 || self->unstretched > 0
      || GST_AUDIO_INFO_RATE (&self->info) != 48000)
    return buffer;
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  out = g_malloc (map.size + GST_TFRC_SOUND_STRETCH_LONGEST / 2 * bpf);
  change = gst_tfrc_sound_stretch ((gint16 *) map.data, frames, channels,
      early > 0, out);
  gst_buffer_unmap (buffer, &map);
  if (change == 0) {
    g_free (out);
    return buffer;
  }
  self->unstretched = change * 100 / STRETCH_MAX;
  frames += early > 0 ? (gint) change : -(gint) change;
  return replace_sound (self, buffer, out, frames, early > 0 ? change :
      -(gint) change);
}

/* --- the pad ------------------------------------------------------------------ */

/* Takes `buffer`, and returns it as it is heard; NULL: nothing of it is. */
static GstBuffer *
on_buffer (GstTfrcDecoderCrossfade * self, GstBuffer * buffer)
{
  gboolean timed = GST_BUFFER_PTS_IS_VALID (buffer);

  if ((GST_CLOCK_TIME_IS_VALID (self->until) && timed
          && !cut_end (self, buffer))
      || (self->switched && timed && GST_CLOCK_TIME_IS_VALID (self->end)
          && !take_over (self, buffer))) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  self->switched = FALSE;
  if (self->draining_resampler)
    overwrite_with_extrapolation (self, buffer);
  if (self->faded < FADE_FRAMES)
    crossfade (self, buffer);
  place (self, buffer);
  if (timed)
    buffer = stretch (self, buffer);
  remember_past (self, buffer);
  return buffer;
}

static gboolean
is_equal (GstEvent * event, GstEvent * other)
{
  const GstSegment *segment, *other_segment;

  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    return gst_structure_is_equal (gst_event_get_structure (event),
        gst_event_get_structure (other));
  gst_event_parse_segment (event, &segment);
  gst_event_parse_segment (other, &other_segment);
  return gst_segment_is_equal (segment, other_segment);
}

/* Each decoder brings the events of the stream. An event that has come from the last
 * decoder is not handed on again: a segment makes a resampler start anew. */
static gboolean
is_repeated (GstPad * pad, GstEvent * event)
{
  GstEvent *last;
  gboolean repeated;

  if (GST_EVENT_TYPE (event) != GST_EVENT_STREAM_START
      && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return FALSE;
  last = gst_pad_get_sticky_event (pad, GST_EVENT_TYPE (event), 0);
  repeated = last != NULL && is_equal (event, last);
  gst_clear_event (&last);
  return repeated;
}

static GstPadProbeReturn
on_event (GstTfrcDecoderCrossfade * self, GstPad * pad, GstEvent * event)
{
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    if (!gst_audio_info_from_caps (&self->info, caps))
      gst_audio_info_init (&self->info);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    gst_tfrc_decoder_crossfade_reset (self);
  }
  return is_repeated (pad, event) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_input (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcDecoderCrossfade *self = user_data;
  GstBuffer *buffer;

  if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER))
    return on_event (self, pad, GST_PAD_PROBE_INFO_EVENT (info));
  if (GST_AUDIO_INFO_FORMAT (&self->info) != GST_AUDIO_FORMAT_S16
      || GST_AUDIO_INFO_CHANNELS (&self->info) > CHANNELS_MAX)
    return GST_PAD_PROBE_OK;
  buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  buffer = on_buffer (self, buffer);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return buffer != NULL ? GST_PAD_PROBE_OK : GST_PAD_PROBE_HANDLED;
}

static void
crossfade_free (gpointer crossfade)
{
  gst_tfrc_decoder_timeline_unref (((GstTfrcDecoderCrossfade *)
          crossfade)->timeline);
}

void
gst_tfrc_decoder_crossfade_unref (gpointer crossfade)
{
  g_atomic_rc_box_release_full (crossfade, crossfade_free);
}

GstTfrcDecoderCrossfade *
gst_tfrc_decoder_crossfade_new (GstPad * sinkpad,
    GstTfrcDecoderTimeline * timeline)
{
  GstTfrcDecoderCrossfade *self =
      g_atomic_rc_box_new0 (GstTfrcDecoderCrossfade);

  self->timeline = gst_tfrc_decoder_timeline_ref (timeline);
  gst_audio_info_init (&self->info);
  gst_tfrc_decoder_crossfade_reset (self);
  gst_pad_add_probe (sinkpad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_input, g_atomic_rc_box_acquire (self),
      gst_tfrc_decoder_crossfade_unref);
  return self;
}

/* --- for the bin -------------------------------------------------------------- */

void
gst_tfrc_decoder_crossfade_reset (GstTfrcDecoderCrossfade * self)
{
  self->end = self->until = GST_CLOCK_TIME_NONE;
  self->switched = self->draining_resampler = FALSE;
  self->faded = FADE_FRAMES;
  self->unstretched = 0;
  self->past_frames = self->past_channels = 0;
}

void
gst_tfrc_decoder_crossfade_drain (GstTfrcDecoderCrossfade * self,
    GstClockTime until)
{
  self->until = until;
}

void
gst_tfrc_decoder_crossfade_drain_resampler (GstTfrcDecoderCrossfade * self)
{
  self->draining_resampler = TRUE;
}

void
gst_tfrc_decoder_crossfade_switch (GstTfrcDecoderCrossfade * self)
{
  self->until = GST_CLOCK_TIME_NONE;
  self->draining_resampler = FALSE;
  self->switched = TRUE;
}
