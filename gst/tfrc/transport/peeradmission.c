/* gst-tfrc: strangers who call tfrcbin, and callers who are gone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerlistprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeeradmission", "who calls tfrcbin");

/* Strangers at one time about whom the application was asked and has not answered. */
#define MAX_PENDING 16

/* Argument of the functions that run in a thread of the element: the peer, or the stranger who calls. */
typedef struct
{
  GstTfrcPeerList *list;
  guint id;
  GstTfrcUdpAddress address;
} Caller;

static void
call_async (GstTfrcPeerList * self, GstElementCallAsyncFunc func, guint id,
    const GstTfrcUdpAddress * address)
{
  Caller *caller = g_new0 (Caller, 1);

  caller->list = self;
  caller->id = id;
  if (address != NULL)
    caller->address = *address;
  gst_element_call_async (self->element, func, caller, g_free);
}

/* With the lock. */
static GSList *
find_pending (GstTfrcPeerList * self, const GstTfrcUdpAddress * address)
{
  GSList *item;

  for (item = self->pending; item != NULL; item = item->next)
    if (gst_tfrc_udp_address_equal (item->data, address))
      return item;
  return NULL;
}

/* Returns the number that a stranger will have as a peer, or 0 when the element stops. */
static guint
reserve_member (GstTfrcPeerList * self)
{
  GstTfrcMember *member = NULL;

  g_mutex_lock (&self->lock);
  if (self->port != NULL) {
    member = gst_tfrc_peer_list_add_member (self);
    member->called = TRUE;
  }
  g_mutex_unlock (&self->lock);
  return member != NULL ? member->id : 0;
}

static gboolean
ask_application (GstTfrcPeerList * self, guint id,
    const GstTfrcUdpAddress * address)
{
  gchar *text = gst_tfrc_udp_address_to_string (address);
  gboolean accepted = self->callbacks.on_new_peer (self->element, id, text);

  GST_INFO_OBJECT (self->element, "%s calls: peer %u, %s", text, id,
      accepted ? "accepted" : "refused");
  g_free (text);
  return accepted;
}

static void
welcome (GstTfrcPeerList * self, guint id, const GstTfrcUdpAddress * address)
{
  gboolean connected = FALSE;
  GstTfrcMember *member;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  if (member != NULL && self->port != NULL) {
    member->address = *address;
    connected = gst_tfrc_peer_list_connect (self, member);
  }
  g_mutex_unlock (&self->lock);
  if (!connected)
    gst_tfrc_peer_list_remove (self, id);
}

/* In a thread of its own, in which the application may do as it likes. */
static void
admit_stranger (GstElement * element, gpointer user_data)
{
  Caller *caller = user_data;
  GstTfrcPeerList *self = caller->list;
  guint id = reserve_member (self);
  GSList *item;

  if (id != 0 && ask_application (self, id, &caller->address))
    welcome (self, id, &caller->address);
  else if (id != 0)
    gst_tfrc_peer_list_remove (self, id);
  g_mutex_lock (&self->lock);
  item = find_pending (self, &caller->address);
  g_free (item->data);
  self->pending = g_slist_delete_link (self->pending, item);
  g_mutex_unlock (&self->lock);
}

/* Called in the worker's thread. A stranger who comes while MAX_PENDING wait is dropped, and may call again. */
void
gst_tfrc_peer_list_on_stranger (const GstTfrcUdpAddress * address,
    gpointer data)
{
  GstTfrcPeerList *self = data;
  gboolean admits;

  /* the lock's owner may wait for this thread, so this thread does not wait for the lock */
  if (!g_mutex_trylock (&self->lock))
    return;
  admits = find_pending (self, address) == NULL &&
      g_slist_length (self->pending) < MAX_PENDING;
  if (admits)
    self->pending = g_slist_prepend (self->pending,
        g_memdup2 (address, sizeof *address));
  g_mutex_unlock (&self->lock);
  if (admits)
    call_async (self, admit_stranger, 0, address);
}

static void
remove_caller (GstElement * element, gpointer user_data)
{
  Caller *caller = user_data;

  gst_tfrc_peer_list_remove (caller->list, caller->id);
}

/* In the thread that serves. Whoever has called and is gone is removed. */
void
gst_tfrc_peer_list_on_state (GstTfrcPeerPads * pads, const gchar * state,
    gpointer data)
{
  GstTfrcPeerList *self = data;
  guint id = gst_tfrc_peer_pads_get_id (pads);
  gboolean called;
  GstTfrcMember *member;

  if (g_str_equal (state, "drained"))
    gst_tfrc_peer_list_tell_if_ended (self);
  if (!g_str_equal (state, "gone"))
    return;
  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  called = member != NULL && member->called;
  g_mutex_unlock (&self->lock);
  if (called)
    call_async (self, remove_caller, id, NULL);
}
