/* gst-tfrc: the interval of reports, and whether they are sent in reduced-size RTCP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/reportinterval.h"

#include <tfrc/wire.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcreportschedule",
    "TFRC report interval and size");

/* Share of the rate on the wire that reports may take; RTCP and data are both counted with the
 * headers below them. The rest up to a tenth is for the RTCP of the data sender. */
#define REPORT_SHARE 0.085
/* The same where p is above MANY_LOSSES and reports list arrivals. */
#define REPORT_SHARE_OF_LISTS (2 * REPORT_SHARE)
#define MANY_LOSSES 0.05
/* The same where p is above MOST_LOSSES. The rate is of what arrives: where half of the packets are lost, this is a third of what is
 * sent. There X is so low that it takes as much for a report in each R (RFC 5348 6.2), and reports do not come faster. */
#define REPORT_SHARE_OF_MOST (8 * REPORT_SHARE)
#define MOST_LOSSES 0.15
/* With a longer R, as beside a queue of TCP, a list comes too late to save copies. */
#define MOST_R (250 * GST_MSECOND)
#define REPORT_INTERVAL_MIN (10 * GST_MSECOND)
#define REPORT_INTERVAL_MAX GST_SECOND

/* A compound packet is three times as large as a report alone, and tells little that is urgent. On a thin path it takes
 * the place of three reports. */
#define COMPOUND_SHARE (REPORT_SHARE / 8)
#define COMPOUND_INTERVAL_MIN GST_SECOND
#define COMPOUND_INTERVAL_MAX (3 * GST_SECOND)

/* The session sends an early packet when T_rr, 0.41 to 1.23 times
 * 8 avg_rtcp_size members / bandwidth, has passed since the last. With T_rr well below the interval
 * of the reports the session delays no report, and a loss can be reported at once. */
#define RTCP_INTERVAL_SHARE 0.5
#define RTCP_SIZE_GUESS 100.0   /* bytes, of a mix of compound and reduced-size */
#define RTCP_RATE_STEP 1.25     /* smaller changes set no new bandwidth */
#define FIRST_INTERVAL (100 * GST_MSECOND)

/* Reduced size is given up after more reports than this without an effect. Reports are then sent in
 * compound packets for this time, which doubles each time. */
#define UNCONFIRMED_MAX 5
#define RETRY_AFTER (30 * GST_SECOND)
/* The time when compound packets have no effect either. */
#define RETRY_STARVING_AFTER GST_SECOND
/* The nofeedback timer of the data sender lasts for RATE_REPORTS reports. In that time rate_max is
 * multiplied by RATE_FADE, since a flow may also become slower for other reasons. */
#define RATE_REPORTS 4
#define RATE_FADE 0.97
/* A change of R before this many reduced-size reports were sent behind a compound packet is the
 * effect of the compound packet. */
#define COMPOUND_EFFECT 2
/* us. R is a mean with the weight 0.9 for its old value (RFC 5348 4.3), rounded to 1 us. When one report
 * has moved R by more than this, the next four take back a third of it, more than 1 us, if they arrive. */
#define ROUNDING 3

void
gst_tfrc_report_interval_init (GstTfrcReportInterval * self, guint H)
{
  *self = (GstTfrcReportInterval) {
      .H = H,
      .share = REPORT_SHARE,
      .interval = FIRST_INTERVAL};
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

void
gst_tfrc_report_interval_set_losses (GstTfrcReportInterval * self, gdouble p,
    gboolean lists_arrivals)
{
  if (!lists_arrivals || !(p > MANY_LOSSES))
    self->share = REPORT_SHARE;
  else
    self->share =
        p > MOST_LOSSES ? REPORT_SHARE_OF_MOST : REPORT_SHARE_OF_LISTS;
}

GstClockTime
gst_tfrc_report_interval_get_share (const GstTfrcReportInterval * self,
    TfrcTime R, gdouble wire_rate)
{
  gdouble share = R > MOST_R ? MIN (self->share,
      REPORT_SHARE_OF_LISTS) : self->share;
  gdouble size = self->report_size;
  GstClockTime interval = 0;

  if (size == 0)
    size = TFRC_REPORT_SIZE + self->H;
  if (wire_rate > 0)
    interval = size / (share * wire_rate) * GST_SECOND;
  interval = CLAMP (interval, REPORT_INTERVAL_MIN, REPORT_INTERVAL_MAX);
  /* neither the rate of the data nor the size of reports is known yet */
  if (R == 0 || wire_rate <= 0)
    interval = MAX (interval, FIRST_INTERVAL);
  return interval;
}

GstClockTime
gst_tfrc_report_interval_get_compound (const GstTfrcReportInterval * self,
    gdouble wire_rate)
{
  gdouble interval = COMPOUND_INTERVAL_MIN;

  if (wire_rate > 0)
    interval = self->compound_size / (COMPOUND_SHARE * wire_rate) * GST_SECOND;
  return CLAMP (interval, COMPOUND_INTERVAL_MIN, COMPOUND_INTERVAL_MAX);
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

/* Whether a report that is sent now is one of those whose effect is awaited. */
static gboolean
is_awaited (const GstTfrcReducedSize * reduced, gboolean compound)
{
  return !compound || (!reduced->on && reduced->fallbacks > 0);
}

/* The rate of the data since the last call, which was four reports ago. */
static void
measure_rate (GstTfrcReducedSize * reduced, guint64 received, GstClockTime now)
{
  if (reduced->unconfirmed > 0 && now > reduced->received_at &&
      received >= reduced->received) {
    reduced->rate = (gdouble) (received - reduced->received) * GST_SECOND /
        (now - reduced->received_at);
    reduced->rate_max = MAX (reduced->rate, RATE_FADE * reduced->rate_max);
  }
  reduced->received = received;
  reduced->received_at = now;
}

static void
count (GstTfrcReducedSize * reduced, guint64 received, GstClockTime now)
{
  if (reduced->unconfirmed % RATE_REPORTS == 0)
    measure_rate (reduced, received, now);
  reduced->unconfirmed++;
}

static void
begin_count (GstTfrcReducedSize * reduced)
{
  reduced->unconfirmed = 0;
  reduced->rate = reduced->rate_max = 0;
}

/* Whether the rate of the data has fallen as it does when no report arrives. */
static gboolean
is_starving (const GstTfrcReducedSize * reduced)
{
  return reduced->rate < reduced->rate_max / 2;
}

static gboolean
has_failed (const GstTfrcReducedSize * reduced)
{
  return is_starving (reduced) ||
      (reduced->suspect && reduced->unconfirmed > UNCONFIRMED_MAX);
}

static gboolean
may_begin (GstTfrcReducedSize * reduced, GstClockTime now)
{
  /* RFC 5506 4.1, 4.2: the remote accepts reduced size, and a compound packet was sent */
  if (!reduced->remote_takes || !reduced->sent_compound)
    return FALSE;
  if (reduced->fallbacks == 0)
    return reduced->unconfirmed == 0;
  if (is_starving (reduced))
    return now - reduced->fallback >= RETRY_STARVING_AFTER;
  if (now - reduced->fallback < reduced->retry)
    return FALSE;
  reduced->retry *= 2;
  return TRUE;
}

static void
fall_back (GstTfrcReducedSize * reduced, GstClockTime now)
{
  GST_DEBUG ("reduced size is given up: %s", is_starving (reduced) ?
      "the rate of the data fell below half" :
      "R moves behind compound packets alone");
  reduced->on = FALSE;
  reduced->fallback = now;
  reduced->fallbacks++;
}

gboolean
gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced, gboolean compound,
    guint64 received, GstClockTime now)
{
  gboolean was_on = reduced->on;

  reduced->sent_compound |= compound;
  reduced->since_compound = compound ? 0 : reduced->since_compound + 1;
  if (is_awaited (reduced, compound))
    count (reduced, received, now);
  if (!was_on)
    reduced->on = may_begin (reduced, now);
  else if (has_failed (reduced))
    fall_back (reduced, now);
  if (reduced->on == was_on)
    return FALSE;
  begin_count (reduced);
  reduced->suspect = FALSE;
  return TRUE;
}

void
gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced, guint32 R)
{
  gint64 change = (gint64) R - reduced->R;

  if (!reduced->on || reduced->since_compound >= COMPOUND_EFFECT)
    reduced->suspect = FALSE;
  else if (reduced->unconfirmed > UNCONFIRMED_MAX && ABS (change) > ROUNDING)
    reduced->suspect = TRUE;
  reduced->R = R;
  begin_count (reduced);
}
