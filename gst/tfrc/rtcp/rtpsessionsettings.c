/* gst-tfrc: the properties of an RTP session that reports hang on
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtpsessionsettings.h"

#include <gst/rtp/rtp.h>

#include "rtcp/findrtpsession.h"

/* T_rr_interval of RFC 4585 3.4: compound packets come about so often, reports in
 * between travel early. RFC 8083 4.1 wants at most 4 s. */
#define REGULAR_INTERVAL (2 * GST_SECOND)
#define DEFAULT_REGULAR_INTERVAL (5 * GST_SECOND)

/* Before the first report TFRC sends one packet a second: a session that holds a
 * source back until its second packet would cost that second, and the first sample
 * of R would be wrong by it. */
#define PROBATION 1
#define DEFAULT_PROBATION 2

GObject *
gst_tfrc_rtp_session_find (GObject * object, GstPad * pad,
    GstElement ** rtpsession)
{
  GObject *found = NULL;

  *rtpsession = NULL;
  if (object == NULL)
    *rtpsession = gst_tfrc_find_rtpsession (pad);
  else if (GST_IS_ELEMENT (object) && gst_tfrc_is_rtpsession (object))
    *rtpsession = GST_ELEMENT (g_object_ref (object));
  else
    found = g_object_ref (object);
  if (*rtpsession != NULL)
    g_object_get (*rtpsession, "internal-session", &found, NULL);
  if (found == NULL || g_signal_lookup ("send-rtcp-full",
          G_OBJECT_TYPE (found)) == 0) {
    g_clear_object (&found);
    gst_clear_object (rtpsession);
  }
  return found;
}

void
gst_tfrc_rtp_session_configure (GObject * session)
{
  guint64 min_interval;
  guint probation;
  gint profile;

  g_object_get (session, "rtp-profile", &profile, "rtcp-min-interval",
      &min_interval, "probation", &probation, NULL);
  if (profile == GST_RTP_PROFILE_AVP)
    g_object_set (session, "rtp-profile", GST_RTP_PROFILE_AVPF, NULL);
  else if (profile == GST_RTP_PROFILE_SAVP)
    g_object_set (session, "rtp-profile", GST_RTP_PROFILE_SAVPF, NULL);
  if (min_interval == DEFAULT_REGULAR_INTERVAL)
    g_object_set (session, "rtcp-min-interval", REGULAR_INTERVAL, NULL);
  if (probation == DEFAULT_PROBATION)
    g_object_set (session, "probation", PROBATION, NULL);
}

guint32
gst_tfrc_rtp_session_get_ssrc (GObject * session)
{
  guint ssrc = 0;

  g_object_get (session, "internal-ssrc", &ssrc, NULL);
  return ssrc;
}

guint
gst_tfrc_rtp_session_get_members (GObject * session)
{
  guint members = 0;

  g_object_get (session, "num-active-sources", &members, NULL);
  return members;
}

gdouble
gst_tfrc_rtp_session_get_fixed_rate (GObject * session)
{
  gint rr = -1, rs = -1;

  g_object_get (session, "rtcp-rr-bandwidth", &rr, "rtcp-rs-bandwidth", &rs,
      NULL);
  return rr >= 0 && rs >= 0 ? (gdouble) rr + rs : 0;
}

void
gst_tfrc_rtp_session_set_rate (GObject * session, gdouble rate, gboolean anew)
{
  guint64 min_interval;

  g_object_set (session, "rtcp-fraction", rate, NULL);
  if (!anew)
    return;
  g_object_get (session, "rtcp-min-interval", &min_interval, NULL);
  g_object_set (session, "rtcp-min-interval", min_interval, NULL);
}

void
gst_tfrc_rtp_session_set_reduced (GObject * session, gboolean reduced)
{
  g_object_set (session, "rtcp-reduced-size", reduced, NULL);
}
