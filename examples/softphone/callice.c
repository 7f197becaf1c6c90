/* gst-tfrc: ICE of a call, by the port of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcbin hands STUN messages to the signal "stun" and sends those of "send-stun"; ice.c makes and reads them; the main
 * loop has the timer. */
#include <gio/gio.h>
#include <string.h>

#include "callprivate.h"

#define WAITING_MAX 64          /* messages for the main loop; more are dropped */

typedef struct
{
  gchar *host;
  guint port;
  GBytes *data;
} Arrival;

/* Shared with tfrcbin's thread, which may still be in the signal when the call is gone. */
struct _CallInbox
{
  gint references;              /* atomic */
  GMutex lock;
  Call *call;                   /* NULL: it is gone */
  GQueue arrivals;
};

static gboolean on_timer (gpointer user_data);

static void
arrival_free (gpointer data)
{
  Arrival *arrival = data;

  g_free (arrival->host);
  g_bytes_unref (arrival->data);
  g_free (arrival);
}

static void
inbox_unref (CallInbox * inbox)
{
  if (!g_atomic_int_dec_and_test (&inbox->references))
    return;
  g_queue_clear_full (&inbox->arrivals, arrival_free);
  g_mutex_clear (&inbox->lock);
  g_free (inbox);
}

static void
set_timer (Call * call)
{
  gint64 due = call->ice ? ice_get_due (call->ice) : G_MAXINT64, now;

  g_clear_handle_id (&call->ice_timer, g_source_remove);
  if (due == G_MAXINT64)
    return;
  now = g_get_monotonic_time ();
  call->ice_timer = g_timeout_add (due > now ? (due - now + 999) / 1000 : 0,
      on_timer, call);
}

static gboolean
on_timer (gpointer user_data)
{
  Call *call = user_data;

  call->ice_timer = 0;
  ice_on_timer (call->ice, g_get_monotonic_time ());
  set_timer (call);
  return G_SOURCE_REMOVE;
}

/* --- messages --- */

static Arrival *
take_arrival (CallInbox * inbox)
{
  Arrival *arrival;

  g_mutex_lock (&inbox->lock);
  arrival = g_queue_pop_head (&inbox->arrivals);
  g_mutex_unlock (&inbox->lock);
  return arrival;
}

static gboolean
on_arrivals (gpointer user_data)
{
  Call *call = user_data;
  Arrival *arrival;

  while ((arrival = take_arrival (call->inbox)) != NULL) {
    gsize size;
    const guint8 *data = g_bytes_get_data (arrival->data, &size);

    if (call->ice)
      ice_receive (call->ice, arrival->host, arrival->port, data, size,
          g_get_monotonic_time ());
    arrival_free (arrival);
  }
  set_timer (call);
  return G_SOURCE_REMOVE;
}

/* In a thread of tfrcbin. */
static void
on_stun (GstElement * bin, GInetSocketAddress * address, GBytes * data,
    gpointer user_data)
{
  CallInbox *inbox = user_data;
  Arrival *arrival;

  g_mutex_lock (&inbox->lock);
  if (inbox->call && inbox->arrivals.length < WAITING_MAX) {
    arrival = g_new (Arrival, 1);
    arrival->host =
        g_inet_address_to_string (g_inet_socket_address_get_address (address));
    arrival->port = g_inet_socket_address_get_port (address);
    arrival->data = g_bytes_ref (data);
    if (inbox->arrivals.length == 0)
      g_idle_add (on_arrivals, inbox->call);
    g_queue_push_tail (&inbox->arrivals, arrival);
  }
  g_mutex_unlock (&inbox->lock);
}

static void
on_send (const gchar * host, guint port, const guint8 * data, gsize size,
    gpointer user_data)
{
  Call *call = user_data;
  GSocketAddress *address = g_inet_socket_address_new_from_string (host, port);
  GBytes *message = g_bytes_new (data, size);
  gboolean sent;

  if (address)
    g_signal_emit_by_name (call->bin, "send-stun", address, message, &sent);
  g_clear_object (&address);
  g_bytes_unref (message);
}

/* --- what comes of it --- */

static void
on_gathered (gpointer user_data)
{
  Call *call = user_data;

  call->settings.gathered (call, call->settings.user_data);
}

static gboolean
has_stun_server (Call * call)
{
  return call->settings.stun_server || call->settings.stun_server6;
}

static void
take_way (Call * call, const gchar * host, guint port)
{
  g_strlcpy (call->wanted.host, host, sizeof call->wanted.host);
  call->wanted.port = port;
  call->wanted.rtcp_port = 0;
}

/* A way that is found, or lost, while the call hangs up, or after its end, is too late. */
static gboolean
is_over (Call * call)
{
  return call->hanging_up || call->state >= CALL_ENDED;
}

/* A peer that has moved keeps its pads and its keys. */
static void
move_peer (Call * call)
{
  CallMedia *media = &call->media;
  const CallMedia *wanted = &call->wanted;
  gboolean moved = FALSE;

  if (!call->has_media || (media->port == wanted->port
          && g_str_equal (media->host, wanted->host)))
    return;
  g_signal_emit_by_name (call->bin, "move-peer", call->peer, wanted->host,
      wanted->port, &moved);
  if (!moved)
    return;
  g_strlcpy (media->host, wanted->host, sizeof media->host);
  media->port = wanted->port;
  g_free (call->remote);
  call->remote = g_strdup_printf ("%s:%u", media->host, media->port);
}

static void
on_selected (const gchar * host, guint port, gpointer user_data)
{
  Call *call = user_data;
  GError *error = NULL;

  if (is_over (call))
    return;
  take_way (call, host, port);
  move_peer (call);
  if (!call_apply_media (call, &error))
    call_fail (call, error->message);
  g_clear_error (&error);
}

static void
on_failed (gpointer user_data)
{
  Call *call = user_data;

  if (is_over (call))
    return;
  if (call->state == CALL_TALKING)
    call_fail (call, "The other phone cannot be reached any more (ICE).");
  else if (has_stun_server (call))
    call_fail (call, "There is no way to the other phone (ICE).");
  else
    call_fail (call,
        "There is no way to the other phone (ICE). A phone behind a NAT needs --stun SERVER.");
}

/* --- life and death --- */

void
call_stop_ice (Call * call)
{
  if (!call->ice)
    return;
  ice_stop (call->ice);
  set_timer (call);
}

void
call_clear_ice (Call * call)
{
  g_clear_pointer (&call->ice, ice_free);
  if (!call->inbox)
    return;
  g_mutex_lock (&call->inbox->lock);
  call->inbox->call = NULL;
  g_mutex_unlock (&call->inbox->lock);
  g_clear_pointer (&call->inbox, inbox_unref);
}

static void
open_inbox (Call * call)
{
  call->inbox = g_new0 (CallInbox, 1);
  call->inbox->references = 2;  /* of the call and of the signal */
  call->inbox->call = call;
  g_mutex_init (&call->inbox->lock);
  g_signal_connect_data (call->bin, "stun", G_CALLBACK (on_stun), call->inbox,
      (GClosureNotify) inbox_unref, 0);
}

/* A port of one family reaches servers of that family alone. */
static const gchar *
get_stun_server (Call * call, const gchar * host)
{
  return strchr (host, ':') ? call->settings.stun_server6 :
      call->settings.stun_server;
}

void
call_gather (Call * call, const gchar * host, gboolean controlling)
{
  static const IceCallbacks callbacks =
      { on_send, on_gathered, on_selected, on_failed };

  open_inbox (call);
  call->ice = ice_new (host, call_get_port (call), controlling, &callbacks,
      call);
  ice_gather (call->ice, get_stun_server (call, host),
      call->settings.stun_port, g_get_monotonic_time ());
  set_timer (call);
}

const IceSide *
call_get_ice (Call * call)
{
  return call->ice ? ice_get_side (call->ice) : NULL;
}

void
call_restart_ice (Call * call)
{
  if (call->ice)
    ice_restart (call->ice);
}

gboolean
call_find_way (Call * call)
{
  const IceSide *remote = &call->wanted.ice;
  const gchar *host;
  guint port;

  if (!call->ice)
    return TRUE;
  if (*remote->ufrag == 0) {
    ice_keep_open (call->ice,
        has_stun_server (call) ? call->wanted.host : NULL,
        call->wanted.port, g_get_monotonic_time ());
    set_timer (call);
    return TRUE;
  }
  if (!g_str_equal (remote->ufrag, call->checked.ufrag)) {
    call->checked = *remote;
    ice_check (call->ice, remote, g_get_monotonic_time ());
  }
  set_timer (call);
  if (!ice_get_selected (call->ice, &host, &port))
    return FALSE;
  take_way (call, host, port);
  return TRUE;
}
