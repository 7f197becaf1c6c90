/* gst-tfrc: the statistics of the peers of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerlistprivate.h"

GstStructure *
gst_tfrc_peer_list_get_peer_stats (GstTfrcPeerList * self, guint id)
{
  GstStructure *stats = NULL;
  GstTfrcMember *member;

  g_mutex_lock (&self->lock);
  member = gst_tfrc_peer_list_find (self, id);
  if (member != NULL && member->peer != NULL)
    stats = gst_tfrc_peer_get_stats (member->peer);
  g_mutex_unlock (&self->lock);
  return stats;
}

GstStructure *
gst_tfrc_peer_list_get_stats (GstTfrcPeerList * self)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-bin-stats");
  GValue peers = G_VALUE_INIT;
  GHashTableIter iter;
  gpointer member;

  g_value_init (&peers, GST_TYPE_ARRAY);
  g_mutex_lock (&self->lock);
  if (self->port != NULL)
    gst_tfrc_bin_port_add_stats (self->port, stats);
  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member)) {
    GValue value = G_VALUE_INIT;

    if (((GstTfrcMember *) member)->peer == NULL)
      continue;
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value,
        gst_tfrc_peer_get_stats (((GstTfrcMember *) member)->peer));
    gst_value_array_append_and_take_value (&peers, &value);
  }
  g_mutex_unlock (&self->lock);
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
