/* gst-tfrc: the link to the RTP session, which carries the reports
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/sessionreportsprivate.h"

#include <string.h>

#include "rtcp/rtpsessionsettings.h"

GST_DEBUG_CATEGORY (gst_tfrc_session_reports_debug);

GstTfrcSessionReports *
gst_tfrc_session_reports_ref (GstTfrcSessionReports * link)
{
  return g_atomic_rc_box_acquire (link);
}

static void
link_clear (gpointer data)
{
  GstTfrcSessionReports *link = data;

  g_weak_ref_clear (&link->owner);
  g_mutex_clear (&link->lock);
}

void
gst_tfrc_session_reports_unref (GstTfrcSessionReports * link)
{
  g_atomic_rc_box_release_full (link, link_clear);
}

static void
link_closed (gpointer data, GClosure * closure)
{
  gst_tfrc_session_reports_unref (data);
}

GstTfrcSessionReports *
gst_tfrc_session_reports_new (GstElement * owner,
    const GstTfrcSessionReportsConfig * config,
    const GstTfrcSessionReportsHandlers * handlers)
{
  static gsize once = 0;
  GstTfrcSessionReports *link = g_atomic_rc_box_new0 (GstTfrcSessionReports);

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (gst_tfrc_session_reports_debug, "tfrclink", 0,
        "TFRC link to the RTP session");
    g_once_init_leave (&once, 1);
  }
  g_weak_ref_init (&link->owner, owner);
  g_mutex_init (&link->lock);
  link->config = *config;
  link->handlers = *handlers;
  link->app_left = GST_TFRC_SESSION_REPORTS_APP_TIMES;
  link->own = (GstTfrcApp) {
  config->mode, config->measure, config->H,
        config->role == GST_TFRC_SESSION_REPORTS_RECEIVER, TRUE};
  gst_tfrc_reduced_size_init (&link->reduced);
  gst_tfrc_report_interval_init (&link->spacing, config->H);
  return link;
}

void
gst_tfrc_session_reports_connect (GstTfrcSessionReports * link,
    GstTfrcSessionReportsSignal signal, const gchar * name, GCallback callback)
{
  link->signals[signal] = g_signal_connect_data (link->session, name, callback,
      gst_tfrc_session_reports_ref (link), link_closed, 0);
}

gboolean
gst_tfrc_session_reports_attach (GstTfrcSessionReports * link,
    GObject * session, GstPad * pad)
{
  GstElement *rtpsession;
  GObject *found;

  g_mutex_lock (&link->lock);
  found = link->session;
  g_mutex_unlock (&link->lock);
  if (found != NULL)
    return TRUE;
  found = gst_tfrc_rtp_session_find (session, pad, &rtpsession);
  if (found == NULL)
    return FALSE;

  g_mutex_lock (&link->lock);
  link->session = g_object_ref (found);
  link->rtpsession = rtpsession;
  link->send_rtcp = g_signal_lookup ("send-rtcp-full", G_OBJECT_TYPE (found));
  gst_tfrc_session_reports_connect_in (link);
  gst_tfrc_session_reports_connect_out (link);
  g_mutex_unlock (&link->lock);
  gst_tfrc_rtp_session_configure (found);
  if (link->config.role == GST_TFRC_SESSION_REPORTS_RECEIVER)
    gst_tfrc_session_reports_set_path (link, 0, 0);
  g_object_unref (found);
  return TRUE;
}

void
gst_tfrc_session_reports_detach (GstTfrcSessionReports * link)
{
  GstElement *rtpsession;
  GObject *session;
  GstPad *pad;
  GstTfrcReportShortcut shortcut;
  gulong signals[GST_TFRC_SESSION_REPORTS_N_SIGNALS];
  guint i;

  g_mutex_lock (&link->lock);
  session = g_steal_pointer (&link->session);
  rtpsession = g_steal_pointer (&link->rtpsession);
  pad = g_steal_pointer (&link->rtcp_pad);
  shortcut = link->shortcut;
  link->shortcut = (GstTfrcReportShortcut) {
  NULL, 0};
  memcpy (signals, link->signals, sizeof signals);
  memset (link->signals, 0, sizeof link->signals);
  g_mutex_unlock (&link->lock);
  if (session == NULL)
    return;
  for (i = 0; i < GST_TFRC_SESSION_REPORTS_N_SIGNALS; i++) {
    if (signals[i] != 0)
      g_signal_handler_disconnect (session, signals[i]);
  }
  gst_tfrc_report_shortcut_close (&shortcut);
  gst_clear_object (&pad);
  gst_clear_object (&rtpsession);
  g_object_unref (session);
}

GObject *
gst_tfrc_session_reports_get_session (GstTfrcSessionReports * link)
{
  GObject *session;

  g_mutex_lock (&link->lock);
  session = link->session != NULL ? g_object_ref (link->session) : NULL;
  g_mutex_unlock (&link->lock);
  return session;
}

void
gst_tfrc_session_reports_set_media_ssrc (GstTfrcSessionReports * link,
    guint32 ssrc)
{
  g_mutex_lock (&link->lock);
  if (gst_tfrc_remote_receiver_set_media_ssrc (&link->peer, ssrc)) {
    link->app_left = GST_TFRC_SESSION_REPORTS_APP_TIMES;
    tfrc_adapt_loss_share_init (&link->loss);
  }
  g_mutex_unlock (&link->lock);
}

void
gst_tfrc_session_reports_add_stats (GstTfrcSessionReports * link,
    GstStructure * stats)
{
  g_mutex_lock (&link->lock);
  gst_structure_set (stats, "rtcp-session", G_TYPE_BOOLEAN,
      link->session != NULL, "rtcp-app-malformed", G_TYPE_UINT64,
      link->apps_malformed, NULL);
  if (link->config.role == GST_TFRC_SESSION_REPORTS_SENDER)
    gst_structure_set (stats,
        "rtcp-reports", G_TYPE_UINT64, link->received,
        "rtcp-malformed", G_TYPE_UINT64, link->malformed,
        "rtcp-wrong-media-ssrc", G_TYPE_UINT64, link->peer.wrong_media_ssrc,
        "rtcp-wrong-sender-ssrc", G_TYPE_UINT64, link->peer.wrong_sender_ssrc,
        "peer-changes", G_TYPE_UINT64, link->peer.rebinds, NULL);
  else
    gst_structure_set (stats,
        "rtcp-reports-sent", G_TYPE_UINT64, link->sent,
        "rtcp-reports-asked", G_TYPE_UINT64, link->requested,
        "rtcp-reports-refused", G_TYPE_UINT64, link->refused,
        "rtcp-reduced-size", G_TYPE_BOOLEAN, link->reduced.on,
        "rtcp-reduced-size-fallbacks", G_TYPE_UINT64, link->reduced.fallbacks,
        "report-interval", G_TYPE_UINT64, link->spacing.interval, NULL);
  g_mutex_unlock (&link->lock);
}
