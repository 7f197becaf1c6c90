/* gst-tfrc: the RTP session that a filter is attached to
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/attachedsession.h"

#include "base/debugcategory.h"
#include "base/enums.h"
#include "rtcp/rtpsession.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsession", "TFRC filters and their RTP sessions");

void
gst_tfrc_attached_session_init (GstTfrcAttachedSession * self,
    GstElement * owner, const GstTfrcRtcpConfig * config, gboolean is_receiver)
{
  g_weak_ref_init (&self->owner, owner);
  g_mutex_init (&self->lock);
  self->handlers = g_array_new (FALSE, FALSE, sizeof (gulong));
  self->app_left = GST_TFRC_APP_TIMES;
  gst_tfrc_compound_interval_init (&self->compound_interval, is_receiver,
      gst_util_get_timestamp ());
  self->local = (GstTfrcApp) {
      .mode = config->mode,
      .measure = config->measure,
      .H = config->H,
      .is_receiver = is_receiver,
      .takes_reduced = TRUE,
      .takes_timed = !is_receiver,
      .follows = config->chooses_mode};
}

static void
session_clear (gpointer data)
{
  GstTfrcAttachedSession *self = data;

  g_array_unref (self->handlers);
  g_weak_ref_clear (&self->owner);
  g_mutex_clear (&self->lock);
}

gpointer
gst_tfrc_attached_session_ref (gpointer self)
{
  return g_atomic_rc_box_acquire (self);
}

void
gst_tfrc_attached_session_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, session_clear);
}

void
gst_tfrc_attached_session_lock (gpointer self)
{
  g_mutex_lock (&((GstTfrcAttachedSession *) self)->lock);
}

void
gst_tfrc_attached_session_unlock (gpointer self)
{
  g_mutex_unlock (&((GstTfrcAttachedSession *) self)->lock);
}

static void
handler_closed (gpointer data, GClosure * closure)
{
  gst_tfrc_attached_session_unref (data);
}

/* The application has set the profile. A session of GStreamer 1.22 that sends feedback reads as AVPF soon after it was
 * set to SAVPF, and does not notify that, so that only the profile that was set tells whether RTCP is authenticated. */
static void
on_profile (GObject * session, GParamSpec * spec, gpointer user_data)
{
  GstTfrcAttachedSession *self = user_data;
  gboolean is_secure = gst_tfrc_rtp_session_is_secure (session);

  g_mutex_lock (&self->lock);
  self->is_secure = is_secure;
  g_mutex_unlock (&self->lock);
}

/* Called with the lock. */
static void
connect_signal (GstTfrcAttachedSession * self, const gchar * name,
    GCallback handler)
{
  gulong id = g_signal_connect_data (self->session, name, handler,
      gst_tfrc_attached_session_ref (self), handler_closed, 0);

  g_array_append_val (self->handlers, id);
}

/* Called with the lock. */
static void
connect_signals (GstTfrcAttachedSession * self,
    const GstTfrcSessionSignal * signals, guint n)
{
  guint i;

  connect_signal (self, "notify::rtp-profile", G_CALLBACK (on_profile));
  for (i = 0; i < n; i++)
    connect_signal (self, signals[i].name, signals[i].handler);
}

static void
log_attached (GstTfrcAttachedSession * self)
{
  GstElement *owner = g_weak_ref_get (&self->owner);

  if (owner == NULL)
    return;
  GST_INFO_OBJECT (owner, "attached to %" GST_PTR_FORMAT ", as data %s",
      self->session, self->local.is_receiver ? "receiver" : "sender");
  gst_object_unref (owner);
}

/* Returns FALSE when the object is attached to `session` already. */
static gboolean
attach_to (GstTfrcAttachedSession * self, GObject * session,
    const GstTfrcSessionSignal * signals, guint n)
{
  gboolean is_new;

  g_mutex_lock (&self->lock);
  is_new = self->session == NULL;
  if (is_new) {
    self->session = g_object_ref (session);
    self->is_secure = gst_tfrc_rtp_session_is_secure (session);
    connect_signals (self, signals, n);
    gst_tfrc_attached_session_repeat_app (self);
  }
  g_mutex_unlock (&self->lock);
  if (!is_new)
    return FALSE;
  gst_tfrc_attached_session_update_interval (self);
  log_attached (self);
  return TRUE;
}

gboolean
gst_tfrc_attached_session_attach (GstTfrcAttachedSession * self,
    GObject * session, GstPad * pad, const GstTfrcSessionSignal * signals,
    guint n, gboolean * attached)
{
  GObject *found = gst_tfrc_rtp_session_find (session, pad);
  GObject *present = gst_tfrc_attached_session_get (self);

  *attached = FALSE;
  if (found != NULL && found != present) {
    if (present != NULL)
      gst_tfrc_attached_session_detach (self);
    gst_tfrc_rtp_session_configure (found);
    *attached = attach_to (self, found, signals, n);
  }
  g_clear_object (&present);
  if (found == NULL)
    return FALSE;
  g_object_unref (found);
  return TRUE;
}

gboolean
gst_tfrc_attached_session_is_attached (gpointer object)
{
  GObject *session = gst_tfrc_attached_session_get (object);

  if (session == NULL)
    return FALSE;
  g_object_unref (session);
  return TRUE;
}

gboolean
gst_tfrc_attached_session_on_heard (GstTfrcAttachedSession * self)
{
  gboolean answer;

  g_mutex_lock (&self->lock);
  answer = gst_tfrc_compound_interval_on_heard (&self->compound_interval,
      gst_util_get_timestamp ());
  g_mutex_unlock (&self->lock);
  if (answer)
    gst_tfrc_attached_session_update_interval (self);
  return answer;
}

void
gst_tfrc_attached_session_update_interval (GstTfrcAttachedSession * self)
{
  GObject *session = gst_tfrc_attached_session_get (self);
  GstClockTime interval;

  if (session == NULL)
    return;
  g_mutex_lock (&self->lock);
  interval = gst_tfrc_compound_interval_get (&self->compound_interval,
      gst_util_get_timestamp ());
  g_mutex_unlock (&self->lock);
  gst_tfrc_rtp_session_set_interval (session, interval);
  g_object_unref (session);
}

void
gst_tfrc_attached_session_detach (gpointer object)
{
  GstTfrcAttachedSession *self = object;
  GObject *session;
  GArray *handlers;
  guint i;

  g_mutex_lock (&self->lock);
  session = g_steal_pointer (&self->session);
  handlers = self->handlers;
  self->handlers = g_array_new (FALSE, FALSE, sizeof (gulong));
  g_mutex_unlock (&self->lock);
  if (session != NULL)
    GST_INFO ("detached from %" GST_PTR_FORMAT, session);
  for (i = 0; i < handlers->len; i++)
    g_signal_handler_disconnect (session, g_array_index (handlers, gulong, i));
  g_array_unref (handlers);
  g_clear_object (&session);
}

GObject *
gst_tfrc_attached_session_get (GstTfrcAttachedSession * self)
{
  GObject *session;

  g_mutex_lock (&self->lock);
  session = self->session != NULL ? g_object_ref (self->session) : NULL;
  g_mutex_unlock (&self->lock);
  return session;
}

gboolean
gst_tfrc_attached_session_parse_app (GstTfrcAttachedSession * self,
    const gchar * name, guint subtype, GstBuffer * data, GstTfrcApp * app)
{
  gboolean parsed;

  if (!gst_tfrc_app_is_ours (name, subtype))
    return FALSE;
  parsed = gst_tfrc_app_parse (app, data);
  g_mutex_lock (&self->lock);
  self->apps_malformed += !parsed;
  g_mutex_unlock (&self->lock);
  return parsed;
}

void
gst_tfrc_attached_session_compare_app (GstTfrcAttachedSession * self,
    TfrcMode mode, const GstTfrcApp * app)
{
  GstTfrcApp local = self->local;
  GstElement *owner;
  gboolean post, is_secure;

  owner = g_weak_ref_get (&self->owner);
  if (owner == NULL)
    return;
  local.mode = mode;
  g_mutex_lock (&self->lock);
  post = !self->mismatch_posted && gst_tfrc_app_differs (&local, app);
  self->mismatch_posted |= post;
  is_secure = self->is_secure;
  g_mutex_unlock (&self->lock);
  GST_DEBUG_OBJECT (owner, "the remote data %s has mode %s, measure %s, H %u, "
      "and takes %s RTCP", app->is_receiver ? "receiver" : "sender",
      gst_tfrc_mode_get_nick (app->mode),
      gst_tfrc_measure_get_nick (app->measure), app->H,
      app->takes_reduced ? "reduced-size" : "compound");
  if (post)
    gst_tfrc_app_post_mismatch (&local, app, owner,
        is_secure ? GST_MESSAGE_ERROR : GST_MESSAGE_WARNING);
  gst_object_unref (owner);
}

void
gst_tfrc_attached_session_repeat_app (GstTfrcAttachedSession * self)
{
  self->app_left = GST_TFRC_APP_TIMES;
}

void
gst_tfrc_attached_session_add_stats (const GstTfrcAttachedSession * self,
    GstStructure * stats)
{
  gst_structure_set (stats, "rtcp-session", G_TYPE_BOOLEAN,
      self->session != NULL, "rtcp-app-malformed", G_TYPE_UINT64,
      self->apps_malformed, NULL);
}
