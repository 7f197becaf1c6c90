/* gst-tfrc: the link to the RTP session, inward: reports, and the far end's settings
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/sessionreportsprivate.h"

#include "rtcp/reportpacket.h"

/* With the lock. */
static void
bind_peer (GstTfrcSessionReports * link, guint32 ssrc)
{
  if (gst_tfrc_remote_receiver_bind (&link->peer, ssrc,
          gst_util_get_timestamp ()))
    link->app_left = GST_TFRC_SESSION_REPORTS_APP_TIMES;
}

/* Without the lock, which the owner's handler must not be called under. */
static void
hand_over (GstTfrcSessionReports * link, const TfrcReport * report,
    guint32 ssrc, gboolean new_peer)
{
  GstElement *owner = g_weak_ref_get (&link->owner);

  if (owner == NULL)
    return;
  GST_LOG_OBJECT (owner, "report of %08x: t_i %u t_delay %u X_recv %u p %u",
      ssrc, report->t_i_us, report->t_delay_us, report->x_recv_Bps,
      report->p_q32);
  if (link->handlers.on_report (owner, report, new_peer)) {
    g_mutex_lock (&link->lock);
    bind_peer (link, ssrc);
    g_mutex_unlock (&link->lock);
  }
  gst_object_unref (owner);
}

static gboolean
on_lone_report (gpointer data, guint32 sender_ssrc, guint32 media_ssrc,
    const TfrcReport * report)
{
  GstTfrcSessionReports *link = data;
  gboolean mine;

  g_mutex_lock (&link->lock);
  mine =
      gst_tfrc_remote_receiver_may_pass_session (&link->peer, sender_ssrc,
      media_ssrc, gst_util_get_timestamp ());
  link->received += mine;
  g_mutex_unlock (&link->lock);
  if (mine)
    hand_over (link, report, sender_ssrc, FALSE);
  return mine;
}

/* The session costs a report many times what the engine does. */
static void
open_shortcut (GstTfrcSessionReports * link)
{
  GstElement *rtpsession;
  GstPad *pad = NULL;

  g_mutex_lock (&link->lock);
  rtpsession = link->shortcut.pad == NULL && link->rtpsession != NULL ?
      gst_object_ref (link->rtpsession) : NULL;
  g_mutex_unlock (&link->lock);
  if (rtpsession == NULL)
    return;
  pad = gst_element_get_static_pad (rtpsession, "recv_rtcp_sink");
  g_mutex_lock (&link->lock);
  if (pad != NULL && link->session != NULL && link->shortcut.pad == NULL)
    gst_tfrc_report_shortcut_open (&link->shortcut, pad, link->config.fmt,
        on_lone_report, gst_tfrc_session_reports_ref (link),
        (GDestroyNotify) gst_tfrc_session_reports_unref);
  g_mutex_unlock (&link->lock);
  gst_clear_object (&pad);
  gst_object_unref (rtpsession);
}

static void
on_feedback (GObject * session, guint type, guint fmt, guint sender_ssrc,
    guint media_ssrc, GstBuffer * fci, gpointer data)
{
  GstTfrcSessionReports *link = data;
  GstClockTime now;
  TfrcReport report;
  gboolean pass, new_peer;

  if (type != GST_RTCP_TYPE_RTPFB || fmt != link->config.fmt)
    return;
  now = gst_util_get_timestamp ();
  g_mutex_lock (&link->lock);
  link->received++;
  pass =
      gst_tfrc_remote_receiver_check (&link->peer, sender_ssrc, media_ssrc,
      now);
  if (pass && !gst_tfrc_rtcp_parse_fci (fci, &report)) {
    link->malformed++;
    pass = FALSE;
  }
  new_peer = gst_tfrc_remote_receiver_is_other (&link->peer, sender_ssrc);
  if (pass)
    link->peer.told = now;
  g_mutex_unlock (&link->lock);
  if (!pass)
    return;
  hand_over (link, &report, sender_ssrc, new_peer);
  open_shortcut (link);
}

/* What the peer's report block says of our packets. */
static void
note_losses (GstTfrcSessionReports * link, const GstStructure * stats)
{
  guint highest = 0;
  gint lost = 0;

  if (!gst_structure_get (stats, "rb-exthighestseq", G_TYPE_UINT, &highest,
          "rb-packetslost", G_TYPE_INT, &lost, NULL))
    return;
  g_mutex_lock (&link->lock);
  tfrc_adapt_loss_share_update (&link->loss, highest, lost);
  g_mutex_unlock (&link->lock);
}

gdouble
gst_tfrc_session_reports_get_loss (GstTfrcSessionReports * link)
{
  gdouble loss;

  g_mutex_lock (&link->lock);
  loss = tfrc_adapt_loss_share_get (&link->loss);
  g_mutex_unlock (&link->lock);
  return loss;
}

/* An SR or RR came. Its source tells all that it knows or nothing, so all that is
 * wanted of it is taken here. */
static void
on_active (GObject * session, GObject * source, gpointer data)
{
  GstTfrcSessionReports *link = data;
  GstElement *owner = g_weak_ref_get (&link->owner);
  GstStructure *stats = NULL;
  gboolean have_rb = FALSE, other;
  guint ssrc = 0, rtt = 0;
  gint lost = 0;

  if (owner == NULL)
    return;
  g_object_get (source, "ssrc", &ssrc, NULL);
  g_mutex_lock (&link->lock);
  other = gst_tfrc_remote_receiver_is_other (&link->peer, ssrc);
  g_mutex_unlock (&link->lock);
  if (!other)
    g_object_get (source, "stats", &stats, NULL);
  /* the round-trip time is in 1/65536 s */
  if (stats != NULL &&
      gst_structure_get (stats, "have-rb", G_TYPE_BOOLEAN, &have_rb,
          "rb-round-trip", G_TYPE_UINT, &rtt,
          "rb-packetslost", G_TYPE_INT, &lost, NULL) && have_rb) {
    note_losses (link, stats);
    link->handlers.on_receiver_report (owner, gst_util_uint64_scale (rtt,
            GST_SECOND, 65536), lost);
  }
  gst_clear_structure (&stats);
  gst_object_unref (owner);
}

static void
on_gone (GObject * session, GObject * source, gpointer data)
{
  GstTfrcSessionReports *link = data;
  guint ssrc = 0;

  g_object_get (source, "ssrc", &ssrc, NULL);
  g_mutex_lock (&link->lock);
  gst_tfrc_remote_receiver_leave (&link->peer, ssrc);
  g_mutex_unlock (&link->lock);
}

/* --- the settings of the far end --- */

/* With the lock. Whether the APP packet of `ssrc` speaks for this flow's far end. */
static gboolean
is_far_end (const GstTfrcSessionReports * link, guint32 ssrc,
    const GstTfrcApp * app)
{
  if (app->is_receiver == (link->config.role ==
          GST_TFRC_SESSION_REPORTS_RECEIVER))
    return FALSE;
  return app->is_receiver ? gst_tfrc_remote_receiver_is (&link->peer, ssrc) :
      gst_tfrc_remote_receiver_is_media (&link->peer, ssrc);
}

static void
on_app (GObject * session, guint subtype, guint ssrc, const gchar * name,
    GstBuffer * buffer, gpointer data)
{
  GstTfrcSessionReports *link = data;
  GstTfrcApp app;
  GstElement *owner;
  gboolean differs = FALSE;

  if (!gst_tfrc_app_is_ours (name, subtype))
    return;
  g_mutex_lock (&link->lock);
  if (!gst_tfrc_app_parse (&app, buffer)) {
    link->apps_malformed++;
  } else if (is_far_end (link, ssrc, &app)) {
    link->reduced.peer_takes = app.takes_reduced;
    differs = !link->mismatch && gst_tfrc_app_differs (&link->own, &app);
    link->mismatch |= differs;
  }
  g_mutex_unlock (&link->lock);

  if (differs && (owner = g_weak_ref_get (&link->owner)) != NULL) {
    gst_tfrc_app_post_mismatch (&link->own, &app, owner);
    gst_object_unref (owner);
  }
}

void
gst_tfrc_session_reports_connect_in (GstTfrcSessionReports * link)
{
  gst_tfrc_session_reports_connect (link, GST_TFRC_SESSION_REPORTS_ON_APP,
      "on-app-rtcp", G_CALLBACK (on_app));
  if (link->config.role == GST_TFRC_SESSION_REPORTS_RECEIVER)
    return;
  gst_tfrc_session_reports_connect (link, GST_TFRC_SESSION_REPORTS_ON_FEEDBACK,
      "on-feedback-rtcp", G_CALLBACK (on_feedback));
  gst_tfrc_session_reports_connect (link, GST_TFRC_SESSION_REPORTS_ON_ACTIVE,
      "on-ssrc-active", G_CALLBACK (on_active));
  gst_tfrc_session_reports_connect (link, GST_TFRC_SESSION_REPORTS_ON_BYE,
      "on-bye-ssrc", G_CALLBACK (on_gone));
  gst_tfrc_session_reports_connect (link, GST_TFRC_SESSION_REPORTS_ON_TIMEOUT,
      "on-timeout", G_CALLBACK (on_gone));
}
