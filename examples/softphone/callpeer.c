/* gst-tfrc: the peer of a call, and the change from one to the next
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callprivate.h"

/* A change of the peer, which the main loop waits for. */
typedef struct
{
  Call *call;
  const CallMedia *media;
  GMutex lock;
  GCond done_cond;
  gboolean done, good;
} Change;

guint
call_add_peer (Call * call, const gchar * host, guint port,
    GstStructure * options)
{
  guint peer;

  g_signal_emit_by_name (call->bin, "add-peer", host, port, options, &peer);
  gst_structure_free (options);
  return peer == 0 ? CALL_NOBODY : peer;
}

static GstStructure *
make_options (const CallMedia * media)
{
  GstStructure *options = gst_structure_new ("options",
      "caps", G_TYPE_STRING, media->caps,
      "feedback", G_TYPE_STRING, media->tfrc ? "tfrc" : "rr", NULL);

  if (media->rtcp_port)
    gst_structure_set (options, "rtcp-port", G_TYPE_UINT, media->rtcp_port,
        NULL);
  if (media->extension_id)
    gst_structure_set (options, "extension-id", G_TYPE_UINT,
        media->extension_id, NULL);
  if (media->dtls)
    gst_structure_set (options,
        "peer-fingerprint", G_TYPE_STRING, media->fingerprint,
        "dtls-setup", G_TYPE_STRING, media->active ? "active" : "passive",
        NULL);
  if (*media->key)
    gst_structure_set (options, "srtp-key", G_TYPE_STRING, media->key,
        "srtp-remote-key", G_TYPE_STRING, media->remote_key, NULL);
  if (*media->key || media->dtls)
    gst_structure_set (options, "srtp-auth", G_TYPE_STRING,
        media->short_auth ? "hmac-sha1-32" : "hmac-sha1-80", NULL);
  return options;
}

gboolean
call_is_same_peer (const CallMedia * a, const CallMedia * b)
{
  return g_str_equal (a->host, b->host) && a->port == b->port
      && a->rtcp_port == b->rtcp_port && g_str_equal (a->key, b->key)
      && g_str_equal (a->remote_key, b->remote_key)
      && g_str_equal (a->fingerprint, b->fingerprint)
      && g_str_equal (a->caps, b->caps) && a->tfrc == b->tfrc;
}

static guint
add_peer_of (Call * call, const CallMedia * media)
{
  return call_add_peer (call, media->host, media->port, make_options (media));
}

/* The stream of the old peer ends with EOS, which must not reach the loudspeaker. */
static void
remove_peer (Call * call, guint peer)
{
  gboolean removed;

  call_unlink_heard (call, peer);
  g_signal_emit_by_name (call->bin, "remove-peer", peer, &removed);
}

static gboolean
is_same_address (Call * call, const CallMedia * media)
{
  return call->has_media && call->media.port == media->port
      && g_str_equal (call->media.host, media->host);
}

/* tfrcbin has one peer at an address: the old peer makes room for a new one there, and comes back when the new one
 * cannot be added. A peer at another address is removed when its successor is there. */
static gboolean
change_peer (Call * call, const CallMedia * media)
{
  guint before = call->peer, peer;
  gboolean same = is_same_address (call, media);

  if (same)
    remove_peer (call, before);
  peer = add_peer_of (call, media);
  if (peer != CALL_NOBODY)
    call->peer = peer;
  else if (same)
    call->peer = add_peer_of (call, &call->media);
  call->octets_sent = 0;
  call_link (call);
  if (!same && peer != CALL_NOBODY && before != CALL_NOBODY)
    remove_peer (call, before);
  return peer != CALL_NOBODY;
}

static GstPadProbeReturn
on_pad_idle (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Change *change = user_data;

  g_mutex_lock (&change->lock);
  change->good = change_peer (change->call, change->media);
  change->done = TRUE;
  g_cond_signal (&change->done_cond);
  g_mutex_unlock (&change->lock);
  return GST_PAD_PROBE_REMOVE;
}

/* Changes the peer between two packets of the microphone: a packet for a peer that is removed, or for a pad without a
 * link, would end the microphone's stream. */
static gboolean
change_peer_between_packets (Call * call, const CallMedia * media)
{
  Change change = { .call = call, .media = media };
  GstPad *pad = gst_element_get_static_pad (call->said, "src");

  g_mutex_init (&change.lock);
  g_cond_init (&change.done_cond);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_IDLE, on_pad_idle, &change, NULL);
  g_mutex_lock (&change.lock);
  while (!change.done)
    g_cond_wait (&change.done_cond, &change.lock);
  g_mutex_unlock (&change.lock);
  g_mutex_clear (&change.lock);
  g_cond_clear (&change.done_cond);
  gst_object_unref (pad);
  return change.good;
}

gboolean
call_set_peer (Call * call, const CallMedia * media, GError ** error)
{
  if (call->said ? change_peer_between_packets (call, media) :
      change_peer (call, media))
    return TRUE;
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
      "The media of the other phone at %s:%u cannot be used.", media->host,
      media->port);
  return FALSE;
}
