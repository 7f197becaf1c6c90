/* gst-tfrc: a filter's hold on an RTP session, and the APP packet that both sides exchange
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/attachedsession.h"

#include "rtcp/rtpsession.h"

GST_DEBUG_CATEGORY_STATIC (tfrcsession_debug);
#define GST_CAT_DEFAULT tfrcsession_debug

/* The APP packet goes beside so many compound packets: one may be lost. */
#define APP_TIMES 5

static void
init_debug (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (tfrcsession_debug, "tfrcsession", 0,
        "TFRC filters and their RTP sessions");
    g_once_init_leave (&once, 1);
  }
}

void
gst_tfrc_attached_session_init (GstTfrcAttachedSession * self,
    GstElement * owner, const GstTfrcRtcpConfig * config, gboolean is_receiver)
{
  init_debug ();
  g_weak_ref_init (&self->owner, owner);
  g_mutex_init (&self->lock);
  self->handlers = g_array_new (FALSE, FALSE, sizeof (gulong));
  self->app_left = APP_TIMES;
  self->own = (GstTfrcApp) {
  config->mode, config->measure, config->H, is_receiver, TRUE};
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

static void
handler_closed (gpointer data, GClosure * closure)
{
  gst_tfrc_attached_session_unref (data);
}

/* With the lock. */
static void
connect_signals (GstTfrcAttachedSession * self,
    const GstTfrcSessionSignal * signals, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    gulong id = g_signal_connect_data (self->session, signals[i].name,
        signals[i].handler, gst_tfrc_attached_session_ref (self),
        handler_closed, 0);

    g_array_append_val (self->handlers, id);
  }
}

static void
log_attached (GstTfrcAttachedSession * self)
{
  GstElement *owner = g_weak_ref_get (&self->owner);

  if (owner == NULL)
    return;
  GST_INFO_OBJECT (owner, "attached to %" GST_PTR_FORMAT ", as data %s",
      self->session, self->own.is_receiver ? "receiver" : "sender");
  gst_object_unref (owner);
}

gboolean
gst_tfrc_attached_session_attach (GstTfrcAttachedSession * self,
    GObject * session, GstPad * pad, const GstTfrcSessionSignal * signals,
    guint n, gboolean * attached)
{
  GObject *found = gst_tfrc_attached_session_get (self);

  *attached = FALSE;
  if (found == NULL) {
    found = gst_tfrc_rtp_session_find (session, pad);
    if (found == NULL)
      return FALSE;
    gst_tfrc_rtp_session_configure (found);
    g_mutex_lock (&self->lock);
    self->session = g_object_ref (found);
    connect_signals (self, signals, n);
    g_mutex_unlock (&self->lock);
    log_attached (self);
    *attached = TRUE;
  }
  g_object_unref (found);
  return TRUE;
}

void
gst_tfrc_attached_session_detach (GstTfrcAttachedSession * self)
{
  GObject *session;
  GArray *handlers;
  guint i;

  g_mutex_lock (&self->lock);
  session = g_steal_pointer (&self->session);
  handlers = self->handlers;
  self->handlers = g_array_new (FALSE, FALSE, sizeof (gulong));
  g_mutex_unlock (&self->lock);
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
    const GstTfrcApp * app)
{
  GstElement *owner;
  gboolean post;

  g_mutex_lock (&self->lock);
  post = !self->mismatch_posted && gst_tfrc_app_differs (&self->own, app);
  self->mismatch_posted |= post;
  g_mutex_unlock (&self->lock);
  if (!post || (owner = g_weak_ref_get (&self->owner)) == NULL)
    return;
  gst_tfrc_app_post_mismatch (&self->own, app, owner);
  gst_object_unref (owner);
}

gboolean
gst_tfrc_attached_session_append_app (GstTfrcAttachedSession * self,
    GstRTCPBuffer * rtcp, guint32 ssrc)
{
  gboolean wanted;

  g_mutex_lock (&self->lock);
  wanted = self->app_left > 0;
  self->app_left -= wanted;
  g_mutex_unlock (&self->lock);
  if (wanted)
    gst_tfrc_app_append (&self->own, rtcp, ssrc);
  return wanted;
}

void
gst_tfrc_attached_session_repeat_app (GstTfrcAttachedSession * self)
{
  self->app_left = APP_TIMES;
}

void
gst_tfrc_attached_session_add_stats (const GstTfrcAttachedSession * self,
    GstStructure * stats)
{
  gst_structure_set (stats, "rtcp-session", G_TYPE_BOOLEAN,
      self->session != NULL, "rtcp-app-malformed", G_TYPE_UINT64,
      self->apps_malformed, NULL);
}
