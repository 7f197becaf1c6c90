/* gst-tfrc: what the peers of tfrcbin forward to each other
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerlistprivate.h"

/* With the lock; NULL: it is not at the port. */
static GstTfrcPeer *
find_peer (GstTfrcPeerList * self, guint id)
{
  GstTfrcMember *member = gst_tfrc_peer_list_find (self, id);

  return member != NULL ? member->peer : NULL;
}

gboolean
gst_tfrc_peer_list_forward (GstTfrcPeerList * self, guint from, guint to,
    gboolean forward)
{
  GstTfrcPeer *peer, *target;
  gboolean changed;

  g_mutex_lock (&self->lock);
  peer = find_peer (self, from);
  target = find_peer (self, to);
  changed = peer != NULL && target != NULL && peer != target &&
      gst_tfrc_bin_port_forward (self->port, peer, target, forward);
  g_mutex_unlock (&self->lock);
  return changed;
}
