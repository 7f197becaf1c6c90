/* gst-tfrc: the interval of reports, and whether they are sent in reduced-size RTCP
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/reportschedule.h"

#include <tfrc/wire.h>

/* Share of the rate on the wire that reports may take; RTCP and data are both counted with the
 * headers below them. The rest up to a tenth is for the RTCP of the data sender. */
#define REPORT_SHARE 0.085
#define REPORT_INTERVAL_MIN (10 * GST_MSECOND)
#define REPORT_INTERVAL_MAX GST_SECOND

/* The session sends an early packet when T_rr, 0.41 to 1.23 times
 * 8 avg_rtcp_size members / bandwidth, has passed since the last. With T_rr well below the interval
 * of the reports the session delays no report, and a loss can be reported at once. */
#define RTCP_INTERVAL_SHARE 0.5
#define RTCP_SIZE_GUESS 100.0   /* bytes, of a mix of compound and reduced-size */
#define RTCP_RATE_STEP 1.25     /* smaller changes set no new bandwidth */
#define FIRST_INTERVAL (100 * GST_MSECOND)

/* RFC 5506 4.2.1: after so many reports in reduced-size packets without an effect, reports
 * are compound for a while, and for twice as long each further time. */
#define UNCONFIRMED_MAX 5
#define RETRY_AFTER (30 * GST_SECOND)

void
gst_tfrc_report_interval_init (GstTfrcReportInterval * self, guint H)
{
  *self = (GstTfrcReportInterval) {
  .H = H,.interval = FIRST_INTERVAL};
}

void
gst_tfrc_report_interval_add (GstTfrcReportInterval * self, gsize rtcp_size,
    gboolean compound, GstClockTime now)
{
  gdouble size = rtcp_size + self->H;

  self->last = now;
  if (self->report_size == 0)
    self->report_size = size;
  self->report_size += (size - self->report_size) / 16;
  if (compound)
    self->compound_size = size;
}

void
gst_tfrc_report_interval_set_reduced (GstTfrcReportInterval * self,
    gboolean reduced)
{
  self->report_size =
      reduced ? TFRC_REPORT_SIZE + self->H : self->compound_size;
}

gboolean
gst_tfrc_report_interval_has_just_left (const GstTfrcReportInterval * self,
    GstClockTime now)
{
  return now - self->last < RTCP_INTERVAL_SHARE * self->interval;
}

GstClockTime
gst_tfrc_report_interval_get_share (const GstTfrcReportInterval * self,
    TfrcTime R, gdouble wire_rate)
{
  gdouble size = self->report_size;
  GstClockTime interval = 0;

  if (size == 0)
    size = TFRC_REPORT_SIZE + self->H;
  if (wire_rate > 0)
    interval = size / (REPORT_SHARE * wire_rate) * GST_SECOND;
  interval = CLAMP (interval, REPORT_INTERVAL_MIN, REPORT_INTERVAL_MAX);
  /* neither the rate of the data nor the size of reports is known yet */
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
gst_tfrc_report_interval_set (GstTfrcReportInterval * self,
    GstClockTime interval, gdouble rate)
{
  GstTfrcReportIntervalChange change = GST_TFRC_REPORT_INTERVAL_SAME;

  self->interval = interval;
  if (rate > self->rtcp_rate * RTCP_RATE_STEP)
    change = GST_TFRC_REPORT_INTERVAL_FASTER;
  else if (rate * RTCP_RATE_STEP < self->rtcp_rate)
    change = GST_TFRC_REPORT_INTERVAL_SLOWER;
  if (change != GST_TFRC_REPORT_INTERVAL_SAME)
    self->rtcp_rate = rate;
  return change;
}

void
gst_tfrc_reduced_size_init (GstTfrcReducedSize * reduced)
{
  *reduced = (GstTfrcReducedSize) {
  .retry = RETRY_AFTER};
}

static gboolean
may_begin (GstTfrcReducedSize * reduced, GstClockTime now)
{
  /* RFC 5506 4.1, 4.2: the remote accepts reduced size, and a compound packet was sent */
  if (reduced->on || !reduced->remote_takes || !reduced->sent_compound ||
      reduced->unconfirmed > 0)
    return FALSE;
  if (reduced->fallbacks > 0) {
    if (now - reduced->fallback < reduced->retry)
      return FALSE;
    reduced->retry *= 2;
  }
  return TRUE;
}

gboolean
gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced, gboolean compound,
    GstClockTime now)
{
  if (compound) {
    reduced->sent_compound = TRUE;
  } else if (++reduced->unconfirmed > UNCONFIRMED_MAX && reduced->on) {
    /* RFC 5506 4.2.1: reduced-size packets do not reach the data sender */
    reduced->on = FALSE;
    reduced->fallback = now;
    reduced->fallbacks++;
    return TRUE;
  }
  if (!may_begin (reduced, now))
    return FALSE;
  reduced->on = TRUE;
  return TRUE;
}

void
gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced)
{
  reduced->unconfirmed = 0;
}
