/* gst-tfrc: the peers of tfrcbin: their numbers, their pads, and who joins
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerlistprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerlist", "who are the peers of tfrcbin");

#define MAX_ID (G_MAXUINT - 1)

/* How long the end of a stream may take downstream. One that takes longer holds up its thread, and
 * is flushed. */
#define PATIENCE (200 * GST_MSECOND)

/* --- members --- */

/* The pads may be there for longer, and nothing else reaches them from here. */
static void
member_free (gpointer data)
{
  GstTfrcMember *member = data;

  gst_tfrc_peer_pads_abandon (member->pads);
  gst_tfrc_peer_pads_unref (member->pads);
  gst_tfrc_peer_options_clear (&member->options);
  gst_clear_event (&member->stream_start);
  g_free (member);
}

/* With the lock. */
GstTfrcMember *
gst_tfrc_peer_list_find (GstTfrcPeerList * self, guint id)
{
  return g_hash_table_lookup (self->members, GUINT_TO_POINTER (id));
}

/* With the lock. */
static GstTfrcMember *
ensure_member (GstTfrcPeerList * self, guint id)
{
  GstTfrcMember *member = gst_tfrc_peer_list_find (self, id);

  if (member != NULL)
    return member;
  member = g_new0 (GstTfrcMember, 1);
  member->id = id;
  member->pads = gst_tfrc_peer_pads_new (id, &self->owner);
  gst_tfrc_peer_pads_set_playing (member->pads, self->playing);
  g_hash_table_insert (self->members, GUINT_TO_POINTER (id), member);
  return member;
}

/* With the lock. Numbers are not used again soon, so that nobody takes one peer for another. */
static guint
get_free_id (GstTfrcPeerList * self)
{
  do
    self->next_id = self->next_id % MAX_ID + 1;
  while (gst_tfrc_peer_list_find (self, self->next_id) != NULL);
  return self->next_id;
}

GstTfrcMember *
gst_tfrc_peer_list_add_member (GstTfrcPeerList * self)
{
  return ensure_member (self, get_free_id (self));
}

gboolean
gst_tfrc_peer_list_connect (GstTfrcPeerList * self, GstTfrcMember * member)
{
  GstTfrcPeerSettings *settings =
      gst_tfrc_peer_options_apply (&member->options, &self->settings,
      member->called);

  member->peer = gst_tfrc_bin_port_add (self->port, member->id,
      member->options.label, &member->address, settings,
      gst_tfrc_peer_pads_serve, member->pads);
  if (member->peer == NULL)
    return FALSE;
  gst_tfrc_peer_pads_set_peer (member->pads, member->peer);
  if (member->called)
    gst_tfrc_peer_expect (member->peer);
  gst_tfrc_peer_set_playing (member->peer, self->playing);
  return TRUE;
}

/* With the lock. Takes a member from the port; the caller gets the peer and has to stop it. */
static GstTfrcPeer *
disconnect_member (GstTfrcPeerList * self, GstTfrcMember * member)
{
  GstTfrcPeer *peer = g_steal_pointer (&member->peer);

  if (peer == NULL)
    return NULL;
  gst_tfrc_peer_pads_set_peer (member->pads, NULL);
  gst_tfrc_bin_port_remove (self->port, peer);
  return peer;
}

static void
stop_peer (GstTfrcPeer * peer)
{
  if (peer == NULL)
    return;
  gst_tfrc_peer_stop (peer);
  gst_tfrc_peer_unref (peer);
}

GstTfrcPeerList *
gst_tfrc_peer_list_new (GstElement * element,
    const GstTfrcPeerListCallbacks * callbacks)
{
  GstTfrcPeerList *self = g_new0 (GstTfrcPeerList, 1);

  self->element = element;
  self->callbacks = *callbacks;
  self->settings.element = element;
  self->owner.element = element;
  self->owner.on_state = gst_tfrc_peer_list_on_state;
  self->owner.on_stream_start = gst_tfrc_peer_list_on_stream_start;
  self->owner.data = self;
  self->owner.goes_on = TRUE;
  self->next_id = GST_TFRC_FIRST_PEER;
  self->members = g_hash_table_new_full (NULL, NULL, NULL, member_free);
  gst_tfrc_running_time_map_init (&self->owner.time, element);
  g_mutex_init (&self->lock);
  return self;
}

void
gst_tfrc_peer_list_free (GstTfrcPeerList * self)
{
  g_hash_table_unref (self->members);
  g_slist_free_full (self->pending, g_free);
  gst_tfrc_peer_settings_clear (&self->settings);
  gst_tfrc_running_time_map_clear (&self->owner.time);
  g_mutex_clear (&self->lock);
  g_free (self);
}

GstTfrcPeerSettings *
gst_tfrc_peer_list_get_settings (GstTfrcPeerList * self)
{
  return &self->settings;
}

/* --- EOS --- */

/* With the lock. All streams to peers have ended and have departed. */
static gboolean
has_ended (GstTfrcPeerList * self)
{
  GHashTableIter iter;
  gpointer member;
  guint sinks = 0;

  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member)) {
    GstTfrcPeerPads *pads = ((GstTfrcMember *) member)->pads;

    if (gst_tfrc_peer_pads_is_sending (pads))
      return FALSE;
    sinks += gst_tfrc_peer_pads_has_sink (pads);
  }
  return sinks > 0;
}

void
gst_tfrc_peer_list_tell_if_ended (GstTfrcPeerList * self)
{
  gboolean posting;

  g_mutex_lock (&self->lock);
  posting = !self->ended && has_ended (self);
  self->ended |= posting;
  g_mutex_unlock (&self->lock);
  if (posting)
    self->callbacks.on_ended (self->element);
}

void
gst_tfrc_peer_list_finish (GstTfrcPeerList * self)
{
  GSList *peers = NULL, *item;
  GHashTableIter iter;
  gpointer value;
  gint64 until;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    GstTfrcMember *member = value;

    if (member->peer != NULL)
      peers = g_slist_prepend (peers, gst_tfrc_peer_ref (member->peer));
  }
  g_mutex_unlock (&self->lock);
  for (item = peers; item != NULL; item = item->next)
    gst_tfrc_peer_end (item->data);
  until = g_get_monotonic_time () + PATIENCE / GST_USECOND;
  for (item = peers; item != NULL; item = item->next)
    gst_tfrc_peer_wait (item->data, until);
  g_slist_free_full (peers, (GDestroyNotify) gst_tfrc_peer_unref);
}

/* --- peers come and go --- */

static void
set_options (GstTfrcMember * member, const GstTfrcPeerOptions * options)
{
  gst_tfrc_peer_options_clear (&member->options);
  gst_tfrc_peer_options_copy (&member->options, options);
}

/* With the lock. */
static guint
add_member (GstTfrcPeerList * self, const GstTfrcUdpAddress * address,
    const GstTfrcPeerOptions * options)
{
  GstTfrcMember *member = gst_tfrc_peer_list_add_member (self);
  guint id = member->id;

  member->address = *address;
  set_options (member, options);
  if (self->port != NULL && !gst_tfrc_peer_list_connect (self, member)) {
    g_hash_table_remove (self->members, GUINT_TO_POINTER (id));
    return 0;
  }
  return id;
}

guint
gst_tfrc_peer_list_add (GstTfrcPeerList * self,
    const GstTfrcUdpAddress * address, const GstTfrcPeerOptions * options)
{
  guint id;

  g_mutex_lock (&self->lock);
  id = add_member (self, address, options);
  g_mutex_unlock (&self->lock);
  return id;
}

void
gst_tfrc_peer_list_set_first (GstTfrcPeerList * self,
    const GstTfrcUdpAddress * address, const GstTfrcPeerOptions * options)
{
  GstTfrcMember *first;
  g_mutex_lock (&self->lock);
  first = ensure_member (self, GST_TFRC_FIRST_PEER);
  first->address = *address;
  set_options (first, options);
  g_mutex_unlock (&self->lock);
}

/* The stream ends with EOS, so that a file that is recorded from it is complete. Takes `peer`, which
 * may be NULL. */
static void
end_stream (GstTfrcPeerPads * pads, GstTfrcPeer * peer)
{
  gboolean flush = peer != NULL && !gst_tfrc_peer_finish (peer, PATIENCE);

  if (flush)
    gst_tfrc_peer_pads_flush_src (pads);
  stop_peer (peer);
  gst_tfrc_peer_pads_remove_src (pads, flush);
}

gboolean
gst_tfrc_peer_list_remove (GstTfrcPeerList * self, guint id)
{
  GstTfrcPeerPads *pads = NULL;
  GstTfrcPeer *peer = NULL;
  GstTfrcMember *member;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  if (member != NULL) {
    pads = gst_tfrc_peer_pads_ref (member->pads);
    peer = disconnect_member (self, member);
    g_hash_table_remove (self->members, GUINT_TO_POINTER (id));
  }
  g_mutex_unlock (&self->lock);
  if (pads == NULL)
    return FALSE;
  GST_INFO_OBJECT (self->element, "peer %u is removed", id);
  end_stream (pads, peer);
  gst_tfrc_peer_pads_unref (pads);
  gst_tfrc_peer_list_tell_if_started (self);
  gst_tfrc_peer_list_tell_if_ended (self);
  return TRUE;
}

gboolean
gst_tfrc_peer_list_move (GstTfrcPeerList * self, guint id,
    const GstTfrcUdpAddress * address)
{
  GstTfrcMember *member;
  gboolean moved = FALSE;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  if (member != NULL && gst_tfrc_udp_address_is_set (&member->address))
    moved = member->peer == NULL
        || gst_tfrc_bin_port_move (self->port, member->peer, address);
  if (moved)
    member->address = *address;
  g_mutex_unlock (&self->lock);
  return moved;
}

/* --- open and closed --- */

/* With the lock. */
static void
connect_members (GstTfrcPeerList * self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    GstTfrcMember *member = value;

    if (gst_tfrc_udp_address_is_set (&member->address) &&
        !gst_tfrc_peer_list_connect (self, member))
      GST_WARNING_OBJECT (self->element,
          "no place for peer %u: its address is that of "
          "another one, or there are max-peers of them", member->id);
  }
}

/* With the lock. */
static void
set_pads (GstTfrcPeerList * self, void (*set) (GstTfrcPeerPads *, gboolean),
    gboolean value)
{
  GHashTableIter iter;
  gpointer member;

  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member))
    set (((GstTfrcMember *) member)->pads, value);
}

gboolean
gst_tfrc_peer_list_open (GstTfrcPeerList * self,
    GstTfrcBinPortSettings * settings, GError ** error)
{
  GstTfrcBinPort *port;

  settings->on_stranger = gst_tfrc_peer_list_on_stranger;
  settings->data = self;
  port = gst_tfrc_bin_port_open (settings, error);
  if (port == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  self->port = port;
  set_pads (self, gst_tfrc_peer_pads_set_flushing, FALSE);
  self->ended = FALSE;
  connect_members (self);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

void
gst_tfrc_peer_list_close (GstTfrcPeerList * self)
{
  GstTfrcBinPort *port;
  GHashTableIter iter;
  gpointer member;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member)) {
    GstTfrcPeer *peer = disconnect_member (self, member);

    if (peer != NULL)
      self->leaving = g_slist_prepend (self->leaving, peer);
  }
  set_pads (self, gst_tfrc_peer_pads_set_flushing, TRUE);
  port = g_steal_pointer (&self->port);
  g_mutex_unlock (&self->lock);
  if (port != NULL)
    gst_tfrc_bin_port_close (port);
}

/* Source pads go; with them whoever called. */
static void
remove_src_pads (GstTfrcPeerList * self)
{
  GSList *all = NULL, *item;
  GHashTableIter iter;
  gpointer value;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    GstTfrcMember *member = value;

    all = g_slist_prepend (all, gst_tfrc_peer_pads_ref (member->pads));
    if (member->called)
      g_hash_table_iter_remove (&iter);
  }
  g_mutex_unlock (&self->lock);
  for (item = all; item != NULL; item = item->next) {
    gst_tfrc_peer_pads_remove_src (item->data, FALSE);
    gst_tfrc_peer_pads_unref (item->data);
  }
  g_slist_free (all);
}

void
gst_tfrc_peer_list_stop (GstTfrcPeerList * self)
{
  g_slist_free_full (self->leaving, (GDestroyNotify) stop_peer);
  self->leaving = NULL;
  gst_tfrc_peer_list_forget_start (self, NULL);
  remove_src_pads (self);
}

void
gst_tfrc_peer_list_set_playing (GstTfrcPeerList * self, gboolean playing)
{
  GHashTableIter iter;
  gpointer member;

  g_mutex_lock (&self->lock);
  self->playing = playing;
  set_pads (self, gst_tfrc_peer_pads_set_playing, playing);
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member))
    if (((GstTfrcMember *) member)->peer != NULL)
      gst_tfrc_peer_set_playing (((GstTfrcMember *) member)->peer, playing);
  /* a pipeline in PAUSED forgets which of its sinks have ended */
  self->ended &= !playing;
  g_mutex_unlock (&self->lock);
  if (playing)
    gst_tfrc_peer_list_tell_if_ended (self);
}

/* --- pads --- */

GstPad *
gst_tfrc_peer_list_add_sink (GstTfrcPeerList * self, guint id,
    GstPadTemplate * templ)
{
  GstTfrcPeerPads *pads;
  GstPad *pad;

  g_mutex_lock (&self->lock);
  pads = gst_tfrc_peer_pads_ref (ensure_member (self, id)->pads);
  g_mutex_unlock (&self->lock);
  pad = gst_tfrc_peer_pads_add_sink (pads, templ);
  gst_tfrc_peer_pads_unref (pads);
  return pad;
}

/* A member that was made for its sink pad alone goes with it: its peer was not added, or has left before. */
static void
drop_if_unused (GstTfrcPeerList * self, GstTfrcPeerPads * pads)
{
  guint id = gst_tfrc_peer_pads_get_id (pads);
  GstTfrcMember *member;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  if (member != NULL && member->pads == pads && member->peer == NULL &&
      !member->called && !gst_tfrc_udp_address_is_set (&member->address) &&
      !gst_tfrc_peer_pads_has_sink (pads))
    g_hash_table_remove (self->members, GUINT_TO_POINTER (id));
  g_mutex_unlock (&self->lock);
}

void
gst_tfrc_peer_list_remove_sink (GstTfrcPeerList * self, GstPad * pad)
{
  GstTfrcPeerPads *pads = gst_tfrc_peer_pads_ref (gst_tfrc_peer_pads_get (pad));

  gst_tfrc_peer_pads_forget_sink (pads);
  gst_pad_set_active (pad, FALSE);
  gst_tfrc_peer_list_forget_start (self, pads);
  gst_element_remove_pad (self->element, pad);
  drop_if_unused (self, pads);
  gst_tfrc_peer_pads_unref (pads);
  gst_tfrc_peer_list_tell_if_started (self);
  gst_tfrc_peer_list_tell_if_ended (self);
}

/* --- the port --- */

gboolean
gst_tfrc_peer_list_send (GstTfrcPeerList * self,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size)
{
  gboolean open;

  g_mutex_lock (&self->lock);
  open = self->port != NULL;
  if (open)
    gst_tfrc_bin_port_send (self->port, address, data, size);
  g_mutex_unlock (&self->lock);
  return open;
}
