/* gst-tfrc: the begin of the streams that tfrcbin sends
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A pipeline posts STREAM_START when each of its sinks has. To it tfrcbin is one sink, with as many streams as it has
 * sink pads, so tfrcbin puts them together as GstBin does those of its sinks: there is a message once all of them have
 * begun, and then all count as not begun. */
#include "transport/peerlistprivate.h"

/* With the lock. The streams that have begun, if all have; and whether they are of one group. */
static gboolean
has_started (GstTfrcPeerList * self, guint32 * seqnum, guint * group_id,
    gboolean * has_group)
{
  GHashTableIter iter;
  gpointer value;
  guint sinks = 0;

  *has_group = TRUE;
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    GstTfrcMember *member = value;
    guint group = 0;

    if (!gst_tfrc_peer_pads_has_sink (member->pads))
      continue;
    if (member->stream_start == NULL)
      return FALSE;
    *has_group &= gst_event_parse_group_id (member->stream_start, &group)
        && (sinks == 0 || group == *group_id);
    *group_id = group;
    *seqnum = gst_event_get_seqnum (member->stream_start);
    sinks++;
  }
  return sinks > 0;
}

/* With the lock. NULL: of all members. */
static void
forget (GstTfrcPeerList * self, GstTfrcPeerPads * pads)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    GstTfrcMember *member = value;

    if (pads == NULL || member->pads == pads)
      gst_clear_event (&member->stream_start);
  }
}

void
gst_tfrc_peer_list_tell_if_started (GstTfrcPeerList * self)
{
  gboolean posting, has_group;
  guint32 seqnum = 0;
  guint group_id = 0;

  g_mutex_lock (&self->lock);
  posting = has_started (self, &seqnum, &group_id, &has_group);
  if (posting)
    forget (self, NULL);
  g_mutex_unlock (&self->lock);
  if (posting)
    self->callbacks.on_started (self->element, seqnum,
        has_group ? &group_id : NULL);
}

void
gst_tfrc_peer_list_on_stream_start (GstTfrcPeerPads * pads, GstEvent * event,
    gpointer list)
{
  GstTfrcPeerList *self = list;
  GstTfrcMember *member;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, gst_tfrc_peer_pads_get_id (pads));
  /* the pad may outlive its peer, and that number may be another's */
  if (member != NULL && member->pads == pads)
    gst_event_replace (&member->stream_start, event);
  g_mutex_unlock (&self->lock);
  gst_tfrc_peer_list_tell_if_started (self);
}

void
gst_tfrc_peer_list_forget_start (GstTfrcPeerList * self, GstTfrcPeerPads * pads)
{
  g_mutex_lock (&self->lock);
  forget (self, pads);
  g_mutex_unlock (&self->lock);
}
