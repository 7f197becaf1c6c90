/* gst-tfrc: finds the RTP session of GStreamer, and reads and sets its properties
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtpsession.h"

#include <gst/rtp/rtp.h>

/* How many elements may be between a filter and its session. */
#define DEPTH 16

#define DEFAULT_REGULAR_INTERVAL (5 * GST_SECOND)
/* Data of a session whose T_rr_interval this plugin sets. */
#define INTERVAL_KEY "gst-tfrc-sets-interval"

/* bit/s: a compound packet of 150 bytes each 0.15 s on average. T_rr_interval makes them fewer. */
#define SIGN_RATE 16000.0

/* How many packets in sequence make a session accept a source, unless the application sets another number. */
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

GstPad *
gst_tfrc_rtp_session_find_output (GObject * object, GstPad * pad)
{
  GstElement *element = object != NULL && GST_IS_ELEMENT (object) ?
      gst_object_ref (object) : find_session (pad, DEPTH);
  GstPad *output = element != NULL ?
      gst_element_get_static_pad (element, "send_rtp_src") : NULL;

  gst_clear_object (&element);
  return output;
}

GstCaps *
gst_tfrc_rtp_session_request_caps (GObject * object, GstPad * pad, guint pt)
{
  GObject *element;
  GstCaps *caps = NULL;

  element = object != NULL ? g_object_ref (object) :
      (GObject *) find_session (pad, DEPTH);
  if (element != NULL &&
      g_signal_lookup ("request-pt-map", G_OBJECT_TYPE (element)) != 0)
    g_signal_emit_by_name (element, "request-pt-map", pt, &caps);
  g_clear_object (&element);
  return caps;
}

void
gst_tfrc_rtp_session_configure (GObject * session)
{
  guint64 min_interval;
  gint profile;

  g_object_get (session, "rtp-profile", &profile, "rtcp-min-interval",
      &min_interval, NULL);
  if (profile == GST_RTP_PROFILE_AVP)
    g_object_set (session, "rtp-profile", GST_RTP_PROFILE_AVPF, NULL);
  else if (profile == GST_RTP_PROFILE_SAVP)
    g_object_set (session, "rtp-profile", GST_RTP_PROFILE_SAVPF, NULL);
  if (min_interval == DEFAULT_REGULAR_INTERVAL)
    g_object_set_data (session, INTERVAL_KEY, session);
}

gboolean
gst_tfrc_rtp_source_is_on_probation (GObject * source)
{
  gboolean is_csrc;
  guint probation;

  g_object_get (source, "is-csrc", &is_csrc, "probation", &probation, NULL);
  return !is_csrc && probation == DEFAULT_PROBATION;
}

void
gst_tfrc_rtp_source_end_probation (GObject * source)
{
  g_object_set (source, "probation", 1, NULL);
}

gboolean
gst_tfrc_rtp_session_is_secure (GObject * session)
{
  gint profile;

  g_object_get (session, "rtp-profile", &profile, NULL);
  return profile == GST_RTP_PROFILE_SAVP || profile == GST_RTP_PROFILE_SAVPF;
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
gst_tfrc_rtp_session_set_interval (GObject * session, GstClockTime interval)
{
  guint64 present;

  if (g_object_get_data (session, INTERVAL_KEY) == NULL)
    return;
  g_object_get (session, "rtcp-min-interval", &present, NULL);
  if (present != interval)
    g_object_set (session, "rtcp-min-interval", interval, NULL);
}

void
gst_tfrc_rtp_session_ensure_rate (GObject * session)
{
  gdouble fraction;

  g_object_get (session, "rtcp-fraction", &fraction, NULL);
  if (fraction <= 1 && gst_tfrc_rtp_session_get_fixed_rate (session) == 0)
    gst_tfrc_rtp_session_set_rate (session, SIGN_RATE, FALSE);
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
