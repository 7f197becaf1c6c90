/* gst-tfrc: the times at which the packets of one RTP stream are played
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/playouttimes.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcplayouttimes", "TFRC playout times");

/* The least transit time is that of the present window and the one before. */
#define WINDOW (2 * GST_SECOND)

/* How fast times may be moved against the clock, as a divisor. Clocks of sound cards drift
 * by 0.05 % at most, and a queue that others keep in the path shall not look like a drift: a sink
 * fills what has gathered with silence. A first packet that came late by a jitter of 80 ms is made good in the
 * first window. */
#define SLOPE 200
#define LATER_SLOPE 2000        /* when packets take longer, and few of them come too late */
#define FIRST_SLOPE 25          /* in the first window */

/* Share of the last packets, some LATE_MEMORY, that come too late, from which on times follow a queue. */
#define MANY_LATE 0.125
#define LATE_MEMORY 32

/* Packets that come too late, or much too early, for so long show the path as it is now. */
#define PATIENCE (200 * GST_MSECOND)

static GstClockTimeDiff
units_to_ns (gint64 units, guint32 clock_rate)
{
  return units >= 0 ? (GstClockTimeDiff) gst_util_uint64_scale (units,
      GST_SECOND, clock_rate) :
      -(GstClockTimeDiff) gst_util_uint64_scale (-units, GST_SECOND,
      clock_rate);
}

static gint64
extend_rtptime (const GstTfrcPlayoutTimes * times, guint32 rtptime)
{
  return times->rtptime + (gint32) (rtptime - (guint32) times->rtptime);
}

gint64
gst_tfrc_playout_times_get_sent (const GstTfrcPlayoutTimes * times,
    guint32 rtptime)
{
  return (gint64) times->origin + units_to_ns (extend_rtptime (times,
          rtptime) - times->origin_rtptime, times->clock_rate);
}

GstClockTime
gst_tfrc_playout_times_get_pts (const GstTfrcPlayoutTimes * times, gint64 sent)
{
  return MAX (sent + times->offset, 0);
}

static void
set_offset (GstTfrcPlayoutTimes * times, gint64 offset, GstClockTime arrival)
{
  times->offset = times->least[0] = times->least[1] = offset;
  times->window_start = times->moved = arrival;
  times->late.since = times->early.since = GST_CLOCK_TIME_NONE;
}

void
gst_tfrc_playout_times_start (GstTfrcPlayoutTimes * times, guint32 rtptime,
    guint32 clock_rate, GstClockTime arrival)
{
  times->rtptime = times->origin_rtptime = rtptime;
  times->clock_rate = clock_rate;
  times->origin = arrival;
  times->first_window = TRUE;
  times->late_share = 0;
  times->last_transit = 0;
  set_offset (times, 0, arrival);
}

void
gst_tfrc_playout_times_set_clock_rate (GstTfrcPlayoutTimes * times,
    guint32 rtptime, guint32 clock_rate, GstClockTime arrival)
{
  if (clock_rate == times->clock_rate)
    return;
  GST_DEBUG ("timestamps are of %u Hz now", clock_rate);
  times->origin = MAX ((gint64) arrival - times->offset, 0);
  times->origin_rtptime = times->rtptime = rtptime;
  times->clock_rate = clock_rate;
}

static void
note_transit (GstTfrcPlayoutTimes * times, gint64 transit, GstClockTime arrival)
{
  if (GST_CLOCK_DIFF (times->window_start, arrival) >= (gint64) WINDOW) {
    times->least[0] = times->least[1];
    times->least[1] = transit;
    times->window_start = arrival;
    times->first_window = FALSE;
  }
  times->least[1] = MIN (times->least[1], transit);
  /* RFC 3550 A.8 */
  times->jitter += (ABS (transit - times->last_transit) - times->jitter) / 16;
  times->last_transit = transit;
}

/* Moves the offset towards the least transit time. */
static void
move_offset (GstTfrcPlayoutTimes * times, GstClockTime arrival)
{
  gint64 least = MIN (times->least[0], times->least[1]);
  gboolean slowly = least > times->offset && times->late_share < MANY_LATE;
  gint64 slope = slowly ? LATER_SLOPE : SLOPE, most;

  if (arrival <= times->moved)
    return;
  most = (arrival - times->moved) / (times->first_window ? FIRST_SLOPE : slope);
  times->offset += CLAMP (least - times->offset, -most, most);
  times->moved = arrival;
}

/* TRUE: all packets of PATIENCE were out of what is played. */
static gboolean
has_shifted (GstTfrcPlayoutOutliers * outliers, gboolean is_out, gint64 transit,
    GstClockTime arrival)
{
  if (!is_out) {
    outliers->since = GST_CLOCK_TIME_NONE;
    return FALSE;
  }
  if (outliers->since == GST_CLOCK_TIME_NONE)
    *outliers = (GstTfrcPlayoutOutliers) {arrival, transit};
  outliers->least = MIN (outliers->least, transit);
  return GST_CLOCK_DIFF (outliers->since, arrival) >= (gint64) PATIENCE;
}

/* A burst after a path was held comes late in no time; packets that come late for long
 * show that the path has become longer. Packets that come early for long show that it has
 * become shorter, or that the packet which times began with was held. */
static GstTfrcPlayoutShift
note_shift (GstTfrcPlayoutTimes * times, gint64 transit, GstClockTime arrival,
    gint64 latency)
{
  gboolean late = transit > times->offset + latency;

  times->late_share += ((late ? 1 : 0) - times->late_share) / LATE_MEMORY;
  if (has_shifted (&times->late, late, transit, arrival)) {
    GST_INFO ("packets come %" G_GINT64_FORMAT " ms later than before",
        (times->late.least - times->offset) / (gint64) GST_MSECOND);
    set_offset (times, times->late.least, arrival);
    return GST_TFRC_PLAYOUT_LATER;
  }
  if (has_shifted (&times->early, transit < times->offset - latency, transit,
          arrival)) {
    GST_INFO ("packets come %" G_GINT64_FORMAT " ms earlier than before",
        (times->offset - times->early.least) / (gint64) GST_MSECOND);
    set_offset (times, times->early.least, arrival);
    return GST_TFRC_PLAYOUT_EARLIER;
  }
  return GST_TFRC_PLAYOUT_STEADY;
}

GstTfrcPlayoutShift
gst_tfrc_playout_times_on_packet (GstTfrcPlayoutTimes * times, guint32 rtptime,
    GstClockTime arrival, GstClockTime latency)
{
  gint64 transit =
      (gint64) arrival - gst_tfrc_playout_times_get_sent (times, rtptime);
  GstTfrcPlayoutShift shift;

  times->rtptime = extend_rtptime (times, rtptime);
  note_transit (times, transit, arrival);
  shift = note_shift (times, transit, arrival, latency);
  move_offset (times, arrival);
  return shift;
}
