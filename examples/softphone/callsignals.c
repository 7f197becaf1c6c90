/* Softphone: what threads of tfrcbin tell a call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcbin may outlive the call, and a thread of it may be on its way with a signal while the call is freed. */
#include "callprivate.h"

struct _CallSignals
{
  gint references;              /* of the call and of the signals; atomic */
  GSourceFunc on_stranger, on_heard;
  GMutex lock;                  /* for what follows */
  Call *call;                   /* NULL: it is gone */
  gchar *stranger;              /* who calls, and the call has not yet looked at; NULL: nobody */
};

static void
signals_unref (CallSignals * signals)
{
  if (!g_atomic_int_dec_and_test (&signals->references))
    return;
  g_free (signals->stranger);
  g_mutex_clear (&signals->lock);
  g_free (signals);
}

/* Somebody calls. It becomes a peer by add-peer, if ever. */
static gboolean
on_new_peer (GstElement * bin, guint id, const gchar * address,
    gpointer user_data)
{
  CallSignals *signals = user_data;

  g_mutex_lock (&signals->lock);
  if (signals->call && !signals->stranger) {
    signals->stranger = g_strdup (address);
    g_idle_add (signals->on_stranger, signals->call);
  }
  g_mutex_unlock (&signals->lock);
  return FALSE;
}

static void
on_pad_added (GstElement * bin, GstPad * pad, gpointer user_data)
{
  CallSignals *signals = user_data;

  g_mutex_lock (&signals->lock);
  if (signals->call && GST_PAD_IS_SRC (pad))
    g_idle_add (signals->on_heard, signals->call);
  g_mutex_unlock (&signals->lock);
}

static void
connect (Call * call, const gchar * name, GCallback handler)
{
  g_atomic_int_inc (&call->signals->references);
  g_signal_connect_data (call->bin, name, handler, call->signals,
      (GClosureNotify) signals_unref, 0);
}

void
call_watch_bin (Call * call, GSourceFunc on_stranger, GSourceFunc on_heard)
{
  call->signals = g_new0 (CallSignals, 1);
  call->signals->references = 1;
  call->signals->on_stranger = on_stranger;
  call->signals->on_heard = on_heard;
  g_mutex_init (&call->signals->lock);
  call->signals->call = call;
  connect (call, "new-peer", G_CALLBACK (on_new_peer));
  connect (call, "pad-added", G_CALLBACK (on_pad_added));
}

gchar *
call_take_stranger (Call * call)
{
  gchar *stranger;

  g_mutex_lock (&call->signals->lock);
  stranger = g_steal_pointer (&call->signals->stranger);
  g_mutex_unlock (&call->signals->lock);
  return stranger;
}

void
call_unwatch_bin (Call * call)
{
  if (!call->signals)
    return;
  g_mutex_lock (&call->signals->lock);
  call->signals->call = NULL;
  g_mutex_unlock (&call->signals->lock);
  g_clear_pointer (&call->signals, signals_unref);
}
