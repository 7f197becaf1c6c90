/* gst-tfrc: the statistics of the peers of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerlistprivate.h"

/* The statistics of one peer, and its pads, of which this is a reference. */
typedef struct
{
  GstStructure *stats;
  GstTfrcPeerPads *pads;
} PeerStats;

/* With the lock of the list. */
static PeerStats
get_peer (const GstTfrcMember * member)
{
  return (PeerStats) {gst_tfrc_peer_get_stats (member->peer),
      gst_tfrc_peer_pads_ref (member->pads)};
}

/* Without the lock of the list: the peer's encoder is asked. Returns the complete statistics. */
static GstStructure *
complete (PeerStats peer)
{
  GstStructure *sender = NULL;

  gst_structure_get (peer.stats, "data-sender", GST_TYPE_STRUCTURE, &sender,
      NULL);
  gst_tfrc_peer_pads_add_expected_quality (peer.pads, sender);
  gst_structure_set (peer.stats, "data-sender", GST_TYPE_STRUCTURE, sender,
      NULL);
  gst_structure_free (sender);
  gst_tfrc_peer_pads_unref (peer.pads);
  return peer.stats;
}

GstStructure *
gst_tfrc_peer_list_get_peer_stats (GstTfrcPeerList * self, guint id)
{
  PeerStats peer = { NULL };
  GstTfrcMember *member;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  if (member != NULL && member->peer != NULL)
    peer = get_peer (member);
  g_mutex_unlock (&self->lock);
  return peer.stats != NULL ? complete (peer) : NULL;
}

static void
append_peer (GValue * peers, PeerStats peer)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, complete (peer));
  gst_value_array_append_and_take_value (peers, &value);
}

GstStructure *
gst_tfrc_peer_list_get_stats (GstTfrcPeerList * self)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-bin-stats");
  GArray *all = g_array_new (FALSE, FALSE, sizeof (PeerStats));
  GValue peers = G_VALUE_INIT;
  GHashTableIter iter;
  gpointer member;
  guint i;

  g_value_init (&peers, GST_TYPE_ARRAY);
  g_mutex_lock (&self->lock);
  if (self->port != NULL)
    gst_tfrc_bin_port_add_stats (self->port, stats);
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member)) {
    if (((GstTfrcMember *) member)->peer != NULL) {
      PeerStats peer = get_peer (member);

      g_array_append_val (all, peer);
    }
  }
  g_mutex_unlock (&self->lock);
  for (i = 0; i < all->len; i++)
    append_peer (&peers, g_array_index (all, PeerStats, i));
  g_array_unref (all);
  gst_structure_take_value (stats, "peers", &peers);
  return stats;
}

guint
gst_tfrc_peer_list_get_port (GstTfrcPeerList * self)
{
  guint port = 0;

  g_mutex_lock (&self->lock);
  if (self->port != NULL)
    port = gst_tfrc_bin_port_get_number (self->port);
  g_mutex_unlock (&self->lock);
  return port;
}
