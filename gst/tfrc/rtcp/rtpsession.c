/* gst-tfrc: finds the RTP session that a filter is linked to, and sets its properties
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtpsession.h"

#include <gst/rtp/rtp.h>

/* How many elements may be between a filter and its session. */
#define DEPTH 16

/* T_rr_interval of RFC 4585 3.4: compound packets come about so often, reports in
 * between travel early. RFC 8083 4.1 wants at most 4 s. */
#define REGULAR_INTERVAL (2 * GST_SECOND)
#define DEFAULT_REGULAR_INTERVAL (5 * GST_SECOND)

/* Before the first report TFRC sends one packet a second: a session that holds a
 * source back until its second packet would cost that second, and the first sample
 * of R would be wrong by it. */
#define PROBATION 1
#define DEFAULT_PROBATION 2

static gboolean
is_rtpsession (gpointer object)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (object),
      "internal-session") != NULL;
}

/* The pad of an element that `pad` is linked to, also across the ghost pads of bins. */
static GstPad *
get_linked_pad (GstPad * pad)
{
  GstPad *peer = gst_pad_get_peer (pad), *next;

  while (peer != NULL) {
    if (GST_IS_GHOST_PAD (peer)) {      /* into a bin */
      next = gst_ghost_pad_get_target (GST_GHOST_PAD (peer));
    } else if (GST_IS_PROXY_PAD (peer)) {       /* out of one */
      GstProxyPad *ghost = gst_proxy_pad_get_internal (GST_PROXY_PAD (peer));

      next = ghost != NULL ? gst_pad_get_peer (GST_PAD (ghost)) : NULL;
      gst_clear_object (&ghost);
    } else {
      return peer;
    }
    gst_object_unref (peer);
    peer = next;
  }
  return NULL;
}

static GstElement *find_session (GstPad * pad, guint depth);

static GstElement *
find_session_beyond (GstPad * pad, guint depth)
{
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue item = G_VALUE_INIT;
  GstElement *session = NULL;

  while (it != NULL && session == NULL &&
      gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    session = find_session (g_value_get_object (&item), depth);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  if (it != NULL)
    gst_iterator_free (it);
  return session;
}

static GstElement *
find_session (GstPad * pad, guint depth)
{
  GstPad *linked = depth > 0 ? get_linked_pad (pad) : NULL;
  GstElement *element =
      linked != NULL ? gst_pad_get_parent_element (linked) : NULL;

  if (element != NULL && !is_rtpsession (element)) {
    gst_object_unref (element);
    element = find_session_beyond (linked, depth - 1);
  }
  gst_clear_object (&linked);
  return element;
}

GObject *
gst_tfrc_rtp_session_find (GObject * object, GstPad * pad)
{
  GObject *element = NULL, *session = NULL;

  if (object == NULL)
    element = (GObject *) find_session (pad, DEPTH);
  else if (is_rtpsession (object))
    element = g_object_ref (object);
  else
    session = g_object_ref (object);
  if (element != NULL)
    g_object_get (element, "internal-session", &session, NULL);
  g_clear_object (&element);
  if (session != NULL &&
      g_signal_lookup ("send-rtcp-full", G_OBJECT_TYPE (session)) == 0)
    g_clear_object (&session);
  return session;
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
gst_tfrc_rtp_session_set_rate (GObject * session, gdouble rate, gboolean now)
{
  guint64 min_interval;

  g_object_set (session, "rtcp-fraction", rate, NULL);
  if (!now)
    return;
  g_object_get (session, "rtcp-min-interval", &min_interval, NULL);
  g_object_set (session, "rtcp-min-interval", min_interval, NULL);
}

void
gst_tfrc_rtp_session_set_reduced (GObject * session, gboolean reduced)
{
  g_object_set (session, "rtcp-reduced-size", reduced, NULL);
}
