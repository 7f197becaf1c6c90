/* gst-tfrc: how often the RTP session of GStreamer sends compound RTCP: more often while nothing is heard
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/compoundinterval.h"

/* RFC 8083 4.1 asks for at most 4 s. */
#define REGULAR_INTERVAL (2 * GST_SECOND)

/* 1.5 times this interval, and the interval that the bandwidth of RTCP allows, are at most a second. */
#define SIGN_INTERVAL (600 * GST_MSECOND)
/* 1.5 times this interval are at most 3 s. */
#define LATE_SIGN_INTERVAL (1900 * GST_MSECOND)

/* A data sender hears reports, which come in each round-trip time. A data receiver hears compound packets
 * alone, which are at most 1.5 regular intervals apart, and a little more. */
#define SENDER_SILENCE (2 * GST_SECOND)
#define RECEIVER_SILENCE (3200 * GST_MSECOND)
/* A minute, and the time in which the sign that ends it is answered. */
#define SIGN_MINUTE (62 * GST_SECOND)

void
gst_tfrc_compound_interval_init (GstTfrcCompoundInterval * self,
    gboolean is_receiver, GstClockTime now)
{
  *self = (GstTfrcCompoundInterval) {is_receiver, now, GST_CLOCK_TIME_NONE};
}

static gboolean
is_silent (const GstTfrcCompoundInterval * self, GstClockTime now)
{
  return self->heard == GST_CLOCK_TIME_NONE || now - self->heard >=
      (self->is_receiver ? RECEIVER_SILENCE : SENDER_SILENCE);
}

gboolean
gst_tfrc_compound_interval_on_heard (GstTfrcCompoundInterval * self,
    GstClockTime now)
{
  gboolean silent = is_silent (self, now);

  self->heard = now;
  return silent;
}

GstClockTime
gst_tfrc_compound_interval_get (const GstTfrcCompoundInterval * self,
    GstClockTime now)
{
  GstClockTime since =
      self->heard == GST_CLOCK_TIME_NONE ? self->begun : self->heard;

  if (self->is_receiver || !is_silent (self, now))
    return REGULAR_INTERVAL;
  return now - since < SIGN_MINUTE ? SIGN_INTERVAL : LATE_SIGN_INTERVAL;
}
