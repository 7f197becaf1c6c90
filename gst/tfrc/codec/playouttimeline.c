/* gst-tfrc: times of packets, or of sound, that go on where those given jump
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpjitterbuffer makes times from RTP timestamps and arrivals. When the payload type
 * changes it begins anew with the next arrival, which is some milliseconds early or
 * late: a gap or an overlap of sound where the sender had none. RTP timestamps go on
 * across the change (RFC 7160 4.2), so they say where a packet belongs; from there the
 * times approach the jitter buffer's slowly. */
#include "codec/playouttimeline.h"

/* What a sound may be played faster or slower without being heard: 1 %. */
#define SLEW 100

/* A difference of more is a jump of the stream. */
#define JUMP (100 * GST_MSECOND)

static GstClockTimeDiff
get_elapsed (const GstTfrcPlayoutTimeline * timeline, guint32 timestamp)
{
  gint64 ticks = (gint32) (timestamp - timeline->timestamp);

  return ticks * (gint64) GST_SECOND / timeline->clock_rate;
}

GstClockTime
gst_tfrc_playout_timeline_place (GstTfrcPlayoutTimeline * timeline,
    guint32 timestamp, gint clock_rate, GstClockTime pts)
{
  GstClockTimeDiff shift = 0;

  if (!GST_CLOCK_TIME_IS_VALID (pts) || clock_rate <= 0)
    return pts;
  if (timeline->started) {
    GstClockTimeDiff elapsed = get_elapsed (timeline, timestamp);
    GstClockTimeDiff slew = ABS (elapsed) / SLEW;

    shift = (GstClockTimeDiff) timeline->pts + elapsed - (GstClockTimeDiff) pts;
    if (ABS (shift) > JUMP)
      shift = 0;
    else
      shift -= CLAMP (shift, -slew, slew);
    if (shift < 0 && (GstClockTime) - shift > pts)
      shift = 0;
  }
  *timeline = (GstTfrcPlayoutTimeline) {
  TRUE, timestamp, clock_rate, pts + shift, shift};
  return timeline->pts;
}

GstClockTime
gst_tfrc_playout_timeline_shift (const GstTfrcPlayoutTimeline * timeline,
    GstClockTime pts)
{
  if (!GST_CLOCK_TIME_IS_VALID (pts)
      || (timeline->shift < 0 && (GstClockTime) - timeline->shift > pts))
    return pts;
  return pts + timeline->shift;
}
