/* gst-tfrc: the wall clock of a data sender, from its RTCP sender reports
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/senderclock.h"

#define FRACTION G_GUINT64_CONSTANT (0xFFFFFFFF)

guint64
gst_tfrc_ntp_from_time (guint64 time)
{
  return time / GST_SECOND << 32 | (time % GST_SECOND << 32) / GST_SECOND;
}

guint64
gst_tfrc_ntp_to_time (guint64 ntp)
{
  return (ntp >> 32) * GST_SECOND + ((ntp & FRACTION) * GST_SECOND >> 32);
}

guint32
gst_tfrc_ntp_short_from_duration (TfrcTime duration)
{
  return MIN (gst_util_uint64_scale_int (duration, 65536, GST_SECOND),
      G_MAXUINT32);
}

TfrcTime
gst_tfrc_ntp_short_to_duration (guint32 units)
{
  return (units * (guint64) GST_SECOND) >> 16;
}

void
gst_tfrc_sender_clock_on_report (GstTfrcSenderClock * clock, guint32 ssrc,
    guint64 ntp, guint32 rtptime, TfrcTime now)
{
  if (!clock->known || clock->ssrc != ssrc)
    clock->era = 0;
  else if (ntp < clock->ntp && ntp - clock->ntp < G_MAXINT64)
    clock->era++;
  else if (ntp > clock->ntp && clock->ntp - ntp < G_MAXINT64)
    clock->era--;               /* an older report, from before the wrap */
  clock->ssrc = ssrc;
  clock->known = TRUE;
  clock->ntp = ntp;
  clock->rtptime = rtptime;
  clock->arrival = now;
}

gboolean
gst_tfrc_sender_clock_get_time (const GstTfrcSenderClock * clock, guint32 ssrc,
    guint32 rtptime, guint32 clock_rate, guint64 * time)
{
  gint64 units = (gint32) (rtptime - clock->rtptime);
  guint64 distance;

  if (!clock->known || clock->ssrc != ssrc || clock_rate == 0)
    return FALSE;
  distance = gst_util_uint64_scale (ABS (units), GST_SECOND, clock_rate);
  *time =
      gst_tfrc_ntp_to_time (clock->ntp) +
      ((guint64) clock->era << 32) * GST_SECOND;
  *time += units < 0 ? -distance : distance;
  return TRUE;
}

void
gst_tfrc_sender_clock_get_lsr (const GstTfrcSenderClock * clock, guint32 ssrc,
    guint32 * lsr, guint32 * dlsr, TfrcTime now)
{
  *lsr = *dlsr = 0;
  if (!clock->known || clock->ssrc != ssrc)
    return;
  *lsr = clock->ntp >> 16;
  *dlsr = gst_tfrc_ntp_short_from_duration (now - clock->arrival);
}
