/* gst-tfrc: gives decoders media time, and their sound playout time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/decodertimeline.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdecodertimeline", "TFRC decoder timeline");

/* Sound may be played faster or slower by 1 % without being heard. */
#define SLEW 100

/* A greater difference is closed by changing the duration of sound. Jitter buffers place the same packet
 * by a few ms differently after a change of the payload type. */
#define STRETCH (5 * GST_MSECOND)

/* A greater difference is a jump of the stream. */
#define JUMP (100 * GST_MSECOND)

struct _GstTfrcDecoderTimeline
{
  gboolean started;
  guint32 timestamp;            /* RTP, of the last packet */
  gint clock_rate;              /* Hz, of the last packet */
  GstClockTime media;           /* media time of the last packet */
  GstClockTimeDiff offset;      /* that sound was moved by where decoders join */
  GstClockTimeDiff shift;       /* from media time to playout time */
  GstClockTimeDiff early;       /* by which the last packet is played too early */
};

/* GST_CLOCK_TIME_NONE stays, and no time becomes negative. */
static GstClockTime
add (GstClockTime time, GstClockTimeDiff difference)
{
  if (!GST_CLOCK_TIME_IS_VALID (time))
    return time;
  return difference < 0 && (GstClockTime) - difference > time ? 0 :
      time + difference;
}

static GstClockTimeDiff
get_elapsed (const GstTfrcDecoderTimeline * timeline, guint32 timestamp)
{
  gint64 ticks = (gint32) (timestamp - timeline->timestamp);

  return ticks * (gint64) GST_SECOND / timeline->clock_rate;
}

GstTfrcDecoderTimeline *
gst_tfrc_decoder_timeline_new (void)
{

  return g_atomic_rc_box_new0 (GstTfrcDecoderTimeline);
}

GstTfrcDecoderTimeline *
gst_tfrc_decoder_timeline_ref (GstTfrcDecoderTimeline * timeline)
{
  return g_atomic_rc_box_acquire (timeline);
}

void
gst_tfrc_decoder_timeline_unref (gpointer timeline)
{
  g_atomic_rc_box_release (timeline);
}

void
gst_tfrc_decoder_timeline_reset (GstTfrcDecoderTimeline * timeline)
{
  *timeline = (GstTfrcDecoderTimeline) {FALSE};
}

/* FALSE: the packet does not go on from the last one. */
static gboolean
go_on (GstTfrcDecoderTimeline * timeline, guint32 timestamp, GstClockTime pts)
{
  GstClockTimeDiff elapsed = get_elapsed (timeline, timestamp);
  GstClockTimeDiff slew = ABS (elapsed) / SLEW, off;

  off = (GstClockTimeDiff) pts - ((GstClockTimeDiff) timeline->media + elapsed +
      timeline->offset + timeline->shift);
  if (ABS (off) > JUMP || elapsed < -(GstClockTimeDiff) timeline->media) {
    GST_DEBUG ("RTP timestamp %u is %" GST_STIME_FORMAT " from where the last "
        "packet leads to", timestamp, GST_STIME_ARGS (off));
    return FALSE;
  }
  timeline->media += elapsed;
  timeline->early = off;
  if (ABS (off) < (GstClockTimeDiff) STRETCH)
    timeline->shift += CLAMP (off, -slew, slew);
  return TRUE;
}

GstClockTime
gst_tfrc_decoder_timeline_place (GstTfrcDecoderTimeline * timeline,
    guint32 timestamp, gint clock_rate, GstClockTime pts)
{
  if (!GST_CLOCK_TIME_IS_VALID (pts) || clock_rate <= 0)
    return pts;
  if (!timeline->started || !go_on (timeline, timestamp, pts)) {
    timeline->media = pts;
    timeline->shift = -timeline->offset;
    timeline->early = 0;
  }
  timeline->started = TRUE;
  timeline->timestamp = timestamp;
  timeline->clock_rate = clock_rate;
  return timeline->media;
}

GstClockTime
gst_tfrc_decoder_timeline_get_media_time (const
    GstTfrcDecoderTimeline * timeline, GstClockTime pts)
{
  return add (pts, -timeline->shift - timeline->offset);
}

void
gst_tfrc_decoder_timeline_join (GstTfrcDecoderTimeline * timeline,
    GstClockTime end, GstClockTime pts)
{
  timeline->offset += GST_CLOCK_DIFF (pts, end);
}

GstClockTimeDiff
gst_tfrc_decoder_timeline_get_early (const GstTfrcDecoderTimeline * timeline)
{
  return ABS (timeline->early) < (GstClockTimeDiff) STRETCH ?
      0 : timeline->early;
}

void
gst_tfrc_decoder_timeline_stretch (GstTfrcDecoderTimeline * timeline,
    GstClockTimeDiff difference)
{
  timeline->offset += difference;
  timeline->early -= difference;
}

GstClockTime
gst_tfrc_decoder_timeline_get_joined_time (const
    GstTfrcDecoderTimeline * timeline, GstClockTime pts)
{
  return add (pts, timeline->offset);
}

static GstEvent *
move_gap (GstTfrcDecoderTimeline * timeline, GstEvent * event)
{
  GstClockTime time, duration;
  GstEvent *moved;

  gst_event_parse_gap (event, &time, &duration);
  moved = gst_event_new_gap (add (time, timeline->shift), duration);
  gst_event_unref (event);
  return moved;
}

static GstPadProbeReturn
on_output (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcDecoderTimeline *timeline = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    GstBuffer *buffer =
        gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

    GST_BUFFER_PTS (buffer) = add (GST_BUFFER_PTS (buffer), timeline->shift);
    GST_PAD_PROBE_INFO_DATA (info) = buffer;
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_GAP) {
    GST_PAD_PROBE_INFO_DATA (info) =
        move_gap (timeline, GST_PAD_PROBE_INFO_EVENT (info));
  }
  return GST_PAD_PROBE_OK;
}

void
gst_tfrc_decoder_timeline_attach (GstTfrcDecoderTimeline * timeline,
    GstPad * srcpad)
{
  gst_pad_add_probe (srcpad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_output,
      gst_tfrc_decoder_timeline_ref (timeline),
      gst_tfrc_decoder_timeline_unref);
}
