/* gst-tfrc: the link to the RTP session, outward: reports, and this end's settings
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/sessionreportsprivate.h"

#include <tfrc/wire.h>

#include "rtcp/reportpacket.h"
#include "rtcp/rtpsessionsettings.h"

/* Reduced-size reports may leave as packets of their own from now on, or not. */
static void
set_reduced (GstTfrcSessionReports * link, GObject * session, gboolean reduced)
{
  GstElement *rtpsession;
  GstPad *pad = NULL, *old;

  GST_DEBUG ("reduced-size RTCP %s", reduced ? "on" : "off");
  gst_tfrc_rtp_session_set_reduced (session, reduced);
  g_mutex_lock (&link->lock);
  rtpsession = link->rtpsession != NULL ? gst_object_ref (link->rtpsession) :
      NULL;
  g_mutex_unlock (&link->lock);
  if (rtpsession != NULL && reduced)
    pad = gst_element_get_static_pad (rtpsession, "send_rtcp_src");
  g_mutex_lock (&link->lock);
  old = link->rtcp_pad;
  link->rtcp_pad = link->session != NULL ? g_steal_pointer (&pad) : NULL;
  g_mutex_unlock (&link->lock);
  gst_clear_object (&old);
  gst_clear_object (&pad);
  gst_clear_object (&rtpsession);
}

static void
count_report (GstTfrcSessionReports * link, GObject * session,
    gboolean compound, gsize rtcp_size)
{
  GstClockTime now = gst_util_get_timestamp ();
  gboolean changed, reduced;

  g_mutex_lock (&link->lock);
  link->sent++;
  gst_tfrc_report_interval_add (&link->spacing, rtcp_size, compound, now);
  changed = gst_tfrc_reduced_size_choose (&link->reduced, compound, now);
  reduced = link->reduced.on;
  if (changed)
    gst_tfrc_report_interval_set_reduced (&link->spacing, reduced);
  g_mutex_unlock (&link->lock);
  if (changed)
    set_reduced (link, session, reduced);
}

/* With the lock. */
static gboolean
takes_app (GstTfrcSessionReports * link, const GstTfrcRtcpContents * contents)
{
  if (contents->ssrc == 0 || link->app_left == 0)
    return FALSE;
  if (link->config.role == GST_TFRC_SESSION_REPORTS_SENDER &&
      !gst_tfrc_remote_receiver_is_media (&link->peer, contents->ssrc))
    return FALSE;
  link->app_left--;
  return TRUE;
}

static guint32
get_own_ssrc (GstTfrcSessionReports * link, GObject * session)
{
  guint32 ssrc = gst_tfrc_rtp_session_get_ssrc (session);

  g_mutex_lock (&link->lock);
  link->own_ssrc = ssrc;
  g_mutex_unlock (&link->lock);
  return ssrc;
}

/* A report of this moment, and from whom it is about what; FALSE: there is none. */
static gboolean
make_report (GstTfrcSessionReports * link, GstElement * owner, guint32 ssrc,
    GstTfrcRtcpReport * header, TfrcReport * report)
{
  header->fmt = link->config.fmt;
  header->sender_ssrc = ssrc;
  return link->handlers.make_report != NULL &&
      link->handlers.make_report (owner, report, &header->media_ssrc);
}

static gboolean
on_sending (GObject * session, GstBuffer * buffer, gboolean early,
    gpointer data)
{
  GstTfrcSessionReports *link = data;
  GstElement *owner = g_weak_ref_get (&link->owner);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstTfrcRtcpContents contents;
  GstTfrcRtcpReport header;
  TfrcReport report;
  guint32 ssrc;
  gboolean app, reported = FALSE;

  if (owner == NULL)
    return FALSE;
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  contents = gst_tfrc_rtcp_get_contents (&rtcp);
  ssrc = contents.ssrc;
  if (ssrc == 0)
    ssrc = get_own_ssrc (link, session);

  /* RFC 3550 6.1: BYE is the last packet */
  if (!contents.bye && make_report (link, owner, ssrc, &header, &report))
    reported = gst_tfrc_rtcp_append_report (&rtcp, &header, &report);
  g_mutex_lock (&link->lock);
  app = !contents.bye && takes_app (link, &contents);
  g_mutex_unlock (&link->lock);
  if (app)
    gst_tfrc_app_append (&link->own, &rtcp, ssrc);
  gst_rtcp_buffer_unmap (&rtcp);

  if (reported)
    count_report (link, session, contents.ssrc != 0,
        gst_buffer_get_size (buffer));
  gst_object_unref (owner);
  return reported || app;
}

/* A report of its own, past the session's thread, which would take longer over it
 * than all else that is done for a report. The session made the first, compound one
 * and goes on to make those; its pad is the flow's way out. */
static void
send_report (GstTfrcSessionReports * link, GObject * session, GstPad * pad,
    GstElement * owner)
{
  GstTfrcRtcpReport header;
  TfrcReport report;
  guint32 own_ssrc;

  g_mutex_lock (&link->lock);
  own_ssrc = link->own_ssrc;
  g_mutex_unlock (&link->lock);
  if (own_ssrc == 0)
    own_ssrc = get_own_ssrc (link, session);
  if (!make_report (link, owner, own_ssrc, &header, &report))
    return;
  gst_pad_push (pad, gst_tfrc_rtcp_new_report (&header, &report));
  count_report (link, session, FALSE, TFRC_REPORT_SIZE);
}

gboolean
gst_tfrc_session_reports_request_report (GstTfrcSessionReports * link,
    gboolean here)
{
  GObject *session = gst_tfrc_session_reports_get_session (link);
  GstElement *owner = NULL;
  GstPad *pad = NULL;
  GstClockTime interval;
  gboolean granted = FALSE, wait;

  if (session == NULL)
    return TRUE;
  g_mutex_lock (&link->lock);
  if (here && link->rtcp_pad != NULL)
    pad = gst_object_ref (link->rtcp_pad);
  wait = pad != NULL && gst_tfrc_report_interval_has_just_left (&link->spacing,
      gst_util_get_timestamp ());
  interval = link->spacing.interval;
  link->requested += !wait;
  g_mutex_unlock (&link->lock);

  if (pad == NULL)
    g_signal_emit (session, link->send_rtcp, 0, (guint64) interval, &granted);
  else if (!wait && (owner = g_weak_ref_get (&link->owner)) != NULL)
    send_report (link, session, pad, owner);
  g_mutex_lock (&link->lock);
  link->refused += pad == NULL && !granted;
  g_mutex_unlock (&link->lock);
  g_clear_object (&owner);
  gst_clear_object (&pad);
  g_object_unref (session);
  return !wait;
}

TfrcTime
gst_tfrc_session_reports_set_path (GstTfrcSessionReports * link, TfrcTime R,
    gdouble wire_rate)
{
  GObject *session = gst_tfrc_session_reports_get_session (link);
  GstTfrcReportIntervalChange change;
  GstClockTime interval, share;
  gdouble rate, fixed;

  if (session == NULL)
    return 0;
  g_mutex_lock (&link->lock);
  share = gst_tfrc_report_interval_get_share (&link->spacing, R, wire_rate);
  g_mutex_unlock (&link->lock);
  interval = MAX (share, R);

  rate = gst_tfrc_report_interval_get_rtcp_rate (interval,
      gst_tfrc_rtp_session_get_members (session));
  fixed = gst_tfrc_rtp_session_get_fixed_rate (session);
  if (fixed > 0 && fixed < rate)
    share = interval = gst_tfrc_report_interval_stretch (interval, rate, fixed);

  g_mutex_lock (&link->lock);
  change = gst_tfrc_report_interval_set (&link->spacing, interval, rate);
  g_mutex_unlock (&link->lock);
  if (change != GST_TFRC_REPORT_INTERVAL_SAME)
    gst_tfrc_rtp_session_set_rate (session, rate,
        change == GST_TFRC_REPORT_INTERVAL_FASTER);
  g_object_unref (session);
  return share;
}

void
gst_tfrc_session_reports_confirm (GstTfrcSessionReports * link)
{
  g_mutex_lock (&link->lock);
  gst_tfrc_reduced_size_confirm (&link->reduced);
  g_mutex_unlock (&link->lock);
}

void
gst_tfrc_session_reports_connect_out (GstTfrcSessionReports * link)
{
  gst_tfrc_session_reports_connect (link, GST_TFRC_SESSION_REPORTS_ON_SENDING,
      "on-sending-rtcp", G_CALLBACK (on_sending));
}
