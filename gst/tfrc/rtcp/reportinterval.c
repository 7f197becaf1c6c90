/* gst-tfrc: how far apart reports are, and the RTCP bandwidth for that
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/reportinterval.h"

#include <tfrc/wire.h>

/* Share of the wire rate that reports may take, RTCP and data both counted with
 * the headers below them. The rest up to a tenth is the sender's own RTCP. */
#define REPORT_SHARE 0.085
#define REPORT_INTERVAL_MIN (10 * GST_MSECOND)
#define REPORT_INTERVAL_MAX GST_SECOND

/* The session grants an early packet when T_rr, 0.41 to 1.23 times
 * 8 avg_rtcp_size members / bandwidth, has passed since the last. With T_rr well
 * below the interval of the reports, the session is never what delays one, and a
 * loss can be told at once. */
#define RTCP_INTERVAL_SHARE 0.5
#define RTCP_SIZE_GUESS 100.0   /* bytes, of a mix of compound and reduced-size */
#define RTCP_RATE_STEP 1.25     /* smaller changes are not worth a new setting */
#define FIRST_INTERVAL (100 * GST_MSECOND)

void
gst_tfrc_report_interval_init (GstTfrcReportInterval * spacing, guint H)
{
  *spacing = (GstTfrcReportInterval) {
  .H = H,.interval = FIRST_INTERVAL};
}

void
gst_tfrc_report_interval_add (GstTfrcReportInterval * spacing, gsize rtcp_size,
    gboolean compound, GstClockTime now)
{
  gdouble size = rtcp_size + spacing->H;

  spacing->left = now;
  if (spacing->report_size == 0)
    spacing->report_size = size;
  spacing->report_size += (size - spacing->report_size) / 16;
  if (compound)
    spacing->compound_size = size;
}

void
gst_tfrc_report_interval_set_reduced (GstTfrcReportInterval * spacing,
    gboolean reduced)
{
  spacing->report_size =
      reduced ? TFRC_REPORT_SIZE + spacing->H : spacing->compound_size;
}

gboolean
gst_tfrc_report_interval_has_just_left (const GstTfrcReportInterval * spacing,
    GstClockTime now)
{
  return now - spacing->left < RTCP_INTERVAL_SHARE * spacing->interval;
}

GstClockTime
gst_tfrc_report_interval_get_share (const GstTfrcReportInterval * spacing,
    TfrcTime R, gdouble wire_rate)
{
  gdouble size = spacing->report_size;
  GstClockTime interval = 0;

  if (size == 0)
    size = TFRC_REPORT_SIZE + spacing->H;
  if (wire_rate > 0)
    interval = size / (REPORT_SHARE * wire_rate) * GST_SECOND;
  interval = CLAMP (interval, REPORT_INTERVAL_MIN, REPORT_INTERVAL_MAX);
  /* the share is not known yet, nor how large reports are */
  if (R == 0 || wire_rate <= 0)
    interval = MAX (interval, FIRST_INTERVAL);
  return interval;
}

gdouble
gst_tfrc_report_interval_get_rtcp_rate (GstClockTime interval, guint members)
{
  return 8 * RTCP_SIZE_GUESS * MAX (members, 2) * GST_SECOND /
      (RTCP_INTERVAL_SHARE * interval);
}

GstClockTime
gst_tfrc_report_interval_stretch (GstClockTime interval, gdouble rate,
    gdouble fixed)
{
  return MAX (interval, interval * rate * RTCP_INTERVAL_SHARE / fixed);
}

GstTfrcReportIntervalChange
gst_tfrc_report_interval_set (GstTfrcReportInterval * spacing,
    GstClockTime interval, gdouble rate)
{
  GstTfrcReportIntervalChange change = GST_TFRC_REPORT_INTERVAL_SAME;

  spacing->interval = interval;
  if (rate > spacing->rtcp_rate * RTCP_RATE_STEP)
    change = GST_TFRC_REPORT_INTERVAL_FASTER;
  else if (rate * RTCP_RATE_STEP < spacing->rtcp_rate)
    change = GST_TFRC_REPORT_INTERVAL_SLOWER;
  if (change != GST_TFRC_REPORT_INTERVAL_SAME)
    spacing->rtcp_rate = rate;
  return change;
}
