/* gst-tfrc: a two-way voice call by one UDP port on tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

#include <string.h>

#include "callprivate.h"
#include "devices.h"

#define HANG_UP_MS 1000         /* until BYE has left and files have their length */
#define FIRST_PEER 0            /* the number of the property "peer" */
#define PROOF_S 5               /* in which whoever calls has to show the key */
#define DECLINED_S 60           /* in which whoever was declined does not ring again */
#define BYE_MS 1500             /* of silence behind a BYE: it was not forged */

void
call_set_state (Call * call, CallState state)
{
  if (call->state == state || call->state >= CALL_ENDED)
    return;
  call->state = state;
  call->settings.changed (call, call->settings.user_data);
}

void
call_fail (Call * call, const gchar * message)
{
  if (call->state >= CALL_ENDED)
    return;
  call->error = g_strdup (message);
  call_set_state (call, CALL_FAILED);
}

/* --- who calls --- */

/* `address` is HOST:PORT or [HOST]:PORT. */
static guint
add_peer_at (Call * call, const gchar * address, GstStructure * options)
{
  gchar *host = g_strdup (address), *colon = strrchr (host, ':');
  gboolean bracket = *host == '[';
  guint peer;

  colon[-bracket] = 0;
  peer = call_add_peer (call, host + bracket,
      (guint) g_ascii_strtoull (colon + 1, NULL, 10), options);
  g_free (host);
  return peer;
}

/* The caller has shown the key, or there is none: the phone rings. */
static void
ring (Call * call, const gchar * address)
{
  g_free (call->remote);
  call->remote = g_strdup (address);
  call_set_state (call, CALL_INCOMING);
}

void
call_forget_stranger (Call * call)
{
  call->stranger_at = 0;
  call_set_state (call, CALL_WAITING);
}

/* Whoever calls with keys becomes a peer, so that it can show that it has the key. It hears nothing. */
static void
test_caller (Call * call, const gchar * address)
{
  call->peer = add_peer_at (call, address, gst_structure_new ("keys",
          "srtp-key", G_TYPE_STRING, call->key,
          "srtp-remote-key", G_TYPE_STRING, call->remote_key, NULL));
  if (call->peer != CALL_NOBODY)
    call->proof_end = g_get_monotonic_time () + PROOF_S * G_USEC_PER_SEC;
}

static gboolean
on_stranger (gpointer user_data)
{
  Call *call = user_data;
  gchar *address = call_take_stranger (call);
  gint64 now = g_get_monotonic_time ();

  if (call->state == CALL_INCOMING && call->stranger_at != 0
      && g_str_equal (address, call->remote)) {
    call->stranger_at = now;
  } else if (call->state == CALL_WAITING && call->peer == CALL_NOBODY
      && (g_strcmp0 (address, call->declined) != 0
          || now > call->declined_until)) {
    if (call->key) {
      test_caller (call, address);
    } else {
      call->stranger_at = now;
      ring (call, address);
    }
  }
  g_free (address);
  return G_SOURCE_REMOVE;
}

/* The microphone is opened here. */
static gboolean
begin (Call * call, GError ** error)
{
  call->heard_at = g_get_monotonic_time ();
  call->accepted = TRUE;
  if (!call->said && !call_add_said (call, error))
    return FALSE;
  call_link (call);
  gst_element_sync_state_with_parent (call->said);
  return TRUE;
}

void
call_accept (Call * call)
{
  GError *error = NULL;

  if (call->state != CALL_INCOMING)
    return;
  if (call->stranger_at != 0)
    call->peer = add_peer_at (call, call->remote,
        gst_structure_new_empty ("options"));
  call->stranger_at = 0;
  if (!begin (call, &error))
    call_fail (call, error->message);
  g_clear_error (&error);
  call_set_state (call, CALL_TALKING);
}

void
call_decline (Call * call)
{
  gboolean removed;

  if (call->state != CALL_INCOMING)
    return;
  g_free (call->declined);
  call->declined = g_strdup (call->remote);
  call->declined_until = g_get_monotonic_time () + DECLINED_S * G_USEC_PER_SEC;
  if (call->stranger_at == 0 && call->peer != FIRST_PEER) {
    g_signal_emit_by_name (call->bin, "remove-peer", call->peer, &removed);
    call->peer = CALL_NOBODY;
  }
  call_forget_stranger (call);
}

/* --- signalling --- */

gboolean
call_open (Call * call, GError ** error)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);
  GstMessage *message;
  gboolean opened = gst_element_set_state (call->pipeline, GST_STATE_PAUSED) !=
      GST_STATE_CHANGE_FAILURE;

  if (!opened) {
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    gst_message_parse_error (message, error, NULL);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return opened;
}

guint
call_get_port (Call * call)
{
  guint port;

  g_object_get (call->bin, "local-port", &port, NULL);
  return port;
}

gchar *
call_get_fingerprint (Call * call)
{
  gchar *fingerprint = NULL;

  if (call->settings.dtls)
    g_object_get (call->bin, "fingerprint", &fingerprint, NULL);
  return fingerprint;
}

/* DTLS is a setting of the whole port. It is switched off when the remote has none. */
static gboolean
set_dtls (Call * call, gboolean dtls, GError ** error)
{
  guint port = call_get_port (call);

  if (call->settings.dtls == dtls || call->has_media)
    return TRUE;
  call->settings.dtls = dtls;
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
  g_object_set (call->bin, "dtls", dtls, "port", port, NULL);
  return call_open (call, error);
}

gboolean
call_apply_media (Call * call, GError ** error)
{
  const CallMedia *media = &call->wanted;
  gboolean same = call->has_media && call_is_same_peer (&call->media, media);
  gboolean first = !call->has_media;

  if (!same && !call_set_peer (call, media, error))
    return FALSE;
  call->media = *media;
  call->has_media = TRUE;
  g_atomic_int_set (&call->dtmf_type_in, media->dtmf_type_in);
  call->heard_at = g_get_monotonic_time ();
  call_update_said (call);
  if (!first)
    return TRUE;
  if (!begin (call, error))
    return FALSE;
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
  g_free (call->remote);
  call->remote = g_strdup_printf ("%s:%u", media->host, media->port);
  call_set_state (call, CALL_TALKING);
  return TRUE;
}

static gboolean
has_keys (const CallMedia * media)
{
  return media->dtls || *media->key;
}

gboolean
call_can_set_media (Call * call, const CallMedia * media, GError ** error)
{
  if (has_keys (call->has_media ? &call->media : &call->wanted)
      && !has_keys (media)) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "A call that is encrypted cannot go on in clear.");
    return FALSE;
  }
  if (!call_can_say (call, media)) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "The codec of a call, and its payload type, cannot be changed.");
    return FALSE;
  }
  return TRUE;
}

gboolean
call_set_media (Call * call, const CallMedia * media, GError ** error)
{
  if (!call_can_set_media (call, media, error)
      || !set_dtls (call, media->dtls, error))
    return FALSE;
  call->wanted = *media;
#ifdef HAVE_ICE
  if (!call_find_way (call))
    return TRUE;
#endif
  return call_apply_media (call, error);
}

/* --- the pipeline --- */

/* Whoever was called answers when it is heard; RTCP alone comes from a phone that rings. */
static gboolean
on_heard (gpointer user_data)
{
  Call *call = user_data;

  call_link (call);
  if (call->state == CALL_RINGING)
    call_set_state (call, CALL_TALKING);
  return G_SOURCE_REMOVE;
}

/* Who is called or named may answer from another port of the same host, as behind a NAT. */
static gboolean
add_bin (Call * call, GError ** error)
{
  const CallSettings *settings = &call->settings;

  call->bin = gst_element_factory_make ("tfrcbin", NULL);
  if (!call->bin) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "There is no element tfrcbin. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.");
    return FALSE;
  }
  /* one that comes, and one that goes when the remote moves */
  g_object_set (call->bin, "port", settings->port, "peer", call->address,
      "latency", settings->latency, "max-peers", 2, "dtls",
      settings->signalled && settings->dtls, NULL);
  gst_util_set_object_arg (G_OBJECT (call->bin), "mode", "tfrc-sp");
  gst_util_set_object_arg (G_OBJECT (call->bin), "accept",
      call->address || settings->signalled ? "known" : "any");
  if (call->address)
    g_object_set (call->bin, "srtp-key", call->key, "srtp-remote-key",
        call->remote_key, NULL);
  call_watch_bin (call, on_stranger, on_heard);
  gst_bin_add (GST_BIN (call->pipeline), call->bin);
  return TRUE;
}

/* --- the bus --- */

static gboolean
on_gone (gpointer user_data)
{
  Call *call = user_data;

  call->gone = 0;
  call_hang_up (call);
  return G_SOURCE_REMOVE;
}

/* A BYE ends a call, unless more is heard of the remote behind it: anybody can forge one. Signalling has a BYE of its own. */
static void
on_bye (Call * call)
{
  if (call->settings.signalled)
    return;
  if (call->state == CALL_INCOMING)
    call_decline (call);
  else if (call->state == CALL_TALKING && call->gone == 0)
    call->gone = g_timeout_add (BYE_MS, on_gone, call);
}

static void
on_connected (Call * call, const gchar * address)
{
  call->proof_end = 0;
  if (call->gone != 0)
    g_source_remove (call->gone);
  call->gone = 0;
  if (call->settings.listen && call->state == CALL_WAITING)
    ring (call, address);
}

static void
on_peer (Call * call, const GstStructure * s)
{
  const gchar *state = gst_structure_get_string (s, "state");
  const gchar *address = gst_structure_get_string (s, "address");
  guint peer;

  gst_structure_get_uint (s, "id", &peer);
  if (call->state >= CALL_ENDED || call->peer != peer)
    return;
  g_free (call->remote);
  call->remote = g_strdup (address);
  if (g_str_equal (state, "connected"))
    on_connected (call, address);
  else if (g_str_equal (state, "gone"))
    on_bye (call);
}

static void
on_digit (Call * call, const GstStructure * s)
{
  CallSettings *settings = &call->settings;
  gchar digit = g_value_get_schar (gst_structure_get_value (s, "digit"));

  if (settings->digit)
    settings->digit (call, digit, settings->user_data);
}

/* Packets that come and are not authentic may be anybody's: the user reads of them, and the call goes on. */
static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Call *call = user_data;
  GError *error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      call_fail (call, error->message);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      g_printerr ("\n%s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
      break;
    case GST_MESSAGE_ELEMENT:
      if (gst_message_has_name (message, "application/x-tfrc-connection") ||
          gst_message_has_name (message, "application/x-tfrc-peer"))
        on_peer (call, gst_message_get_structure (message));
      break;
    case GST_MESSAGE_APPLICATION:
      on_digit (call, gst_message_get_structure (message));
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (call->pipeline));
      break;
    default:
      break;
  }
  g_clear_error (&error);
  return G_SOURCE_CONTINUE;
}

/* --- life and death --- */

/* Whoever calls has the first key. */
static void
set_keys (Call * call, const gchar * keys)
{
  gchar *first = g_strndup (keys, CALL_KEY_LENGTH);
  gchar *second = g_strdup (keys + CALL_KEY_LENGTH);

  call->key = call->settings.listen ? second : first;
  call->remote_key = call->settings.listen ? first : second;
}

static void
take_settings (Call * call, const CallSettings * settings)
{
  call->settings = *settings;
  call->address = settings->signalled ? NULL : g_strdup (settings->peer);
  if (settings->keys)
    set_keys (call, settings->keys);
  call->settings.speak = call->speak = g_strdup (settings->speak);
  call->settings.record = call->record = g_strdup (settings->record);
  call->peer = call->address ? FIRST_PEER : CALL_NOBODY;
  call->dtmf_type_in = -1;
  call->state = settings->listen ? CALL_WAITING : CALL_RINGING;
}

Call *
call_new (const CallSettings * settings, GError ** error)
{
  Call *call = g_new0 (Call, 1);
  gboolean calls = !settings->listen && !settings->signalled;
  GstBus *bus;

  take_settings (call, settings);
  call->pipeline = gst_pipeline_new ("call");
  bus = gst_element_get_bus (call->pipeline);
  gst_bus_add_watch (bus, on_message, call);
  gst_object_unref (bus);
  if (!devices_check (&call->settings, error) || !add_bin (call, error)
      || !call_add_heard (call, error) || (calls && !begin (call, error))) {
    call_free (call);
    return NULL;
  }
  return call;
}

void
call_start (Call * call)
{
  call->measured = call->heard_at = g_get_monotonic_time ();
  /* Why it failed is on the bus. */
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
}

static gboolean
on_hung_up (gpointer user_data)
{
  Call *call = user_data;
  gboolean removed;

  if (call->peer != CALL_NOBODY)
    g_signal_emit_by_name (call->bin, "remove-peer", call->peer, &removed);
  call_set_state (call, CALL_ENDED);
  return G_SOURCE_REMOVE;
}

/* A file gets its length. A call that nobody answered is in PAUSED, where a file waits with what it is given. */
static void
end_heard (Call * call)
{
  GstPad *sink;

  if (GST_STATE_TARGET (call->pipeline) != GST_STATE_PLAYING)
    return;
  sink = gst_element_get_static_pad (call->heard, "sink");
  gst_pad_send_event (sink, gst_event_new_eos ());
  gst_object_unref (sink);
}

void
call_hang_up (Call * call)
{
  if (call->hanging_up || call->state >= CALL_ENDED)
    return;
  call->hanging_up = TRUE;
#ifdef HAVE_ICE
  call_stop_ice (call);
#endif
  if (call->said)
    gst_element_send_event (call->said, gst_event_new_eos ());
  end_heard (call);
  g_timeout_add (HANG_UP_MS, on_hung_up, call);
}

void
call_set_muted (Call * call, gboolean muted)
{
  call->muted = muted;
  call_update_said (call);
}

void
call_free (Call * call)
{
  call_unwatch_bin (call);
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
#ifdef HAVE_ICE
  call_clear_ice (call);
#endif
  while (g_source_remove_by_user_data (call));  /* the bus watch and what still waits */
  flow_unwatch (&call->said_flow);
  flow_unwatch (&call->heard_flow);
  gst_object_unref (call->pipeline);
  g_free (call->address);
  g_free (call->remote);
  g_free (call->declined);
  g_free (call->key);
  g_free (call->remote_key);
  g_free (call->speak);
  g_free (call->record);
  g_free (call->error);
  g_free (call);
}

CallState
call_get_state (Call * call)
{
  return call->state;
}

const gchar *
call_get_error (Call * call)
{
  return call->error;
}

const gchar *
call_get_remote (Call * call)
{
  return call->remote;
}
