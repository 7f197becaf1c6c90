/* gst-tfrc: the peers of tfrcbin: their numbers, their pads, and who joins
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A member of the list is a peer with its number and its pads. It may be without a place at
 * the port: while the element is not running, when the application has requested its pad and
 * has not added it yet, and while the application is asked whether a stranger may join.
 *
 * Functions may be called from any thread but the worker's. The list has a lock of its own, and
 * calls nobody with it. */
#ifndef GST_TFRC_PEERLIST_H
#define GST_TFRC_PEERLIST_H

#include "transport/peeroptions.h"
#include "transport/peerpads.h"
#include "transport/tfrcbinport.h"

G_BEGIN_DECLS

typedef struct _GstTfrcPeerList GstTfrcPeerList;

/* The number of the peer that exists without a signal, which others never get. */
#define GST_TFRC_FIRST_PEER 0

typedef struct
{
  /* Whether the stranger at `address` may become peer `id`. In a thread that may block. */
  gboolean (*on_new_peer) (GstElement * element, guint id,
      const gchar * address);
  /* Every stream to a peer has ended, and its packets have departed. */
  void (*on_ended) (GstElement * element);
  /* A stream has begun at every sink pad; `group_id` is that of all of them, or NULL. */
  void (*on_started) (GstElement * element, guint32 seqnum,
      const guint * group_id);
} GstTfrcPeerListCallbacks;

GstTfrcPeerList *gst_tfrc_peer_list_new (GstElement * element,
    const GstTfrcPeerListCallbacks * callbacks);
void gst_tfrc_peer_list_free (GstTfrcPeerList * list);

/* What peers have in common, to be filled in before the list is opened. */
GstTfrcPeerSettings *gst_tfrc_peer_list_get_settings (GstTfrcPeerList * list);

/* Opens the port, and gives all members with an address their place. `settings` are without
 * on_stranger and data. */
gboolean gst_tfrc_peer_list_open (GstTfrcPeerList * list,
    GstTfrcBinPortSettings * settings, GError ** error);

/* Says BYE to all and closes the port. Peers are still to be stopped, once their pads are
 * flushing; that also removes source pads, and members that have called. */
void gst_tfrc_peer_list_close (GstTfrcPeerList * list);
void gst_tfrc_peer_list_stop (GstTfrcPeerList * list);

void gst_tfrc_peer_list_set_playing (GstTfrcPeerList * list, gboolean playing);

/* The port; 0: closed. */
guint gst_tfrc_peer_list_get_port (GstTfrcPeerList * list);

/* Address and options of GST_TFRC_FIRST_PEER, which joins when the list is opened. */
void gst_tfrc_peer_list_set_first (GstTfrcPeerList * list,
    const GstTfrcUdpAddress * address, const GstTfrcPeerOptions * options);

/* Adds a peer. 0: the address is that of another one, or there are too many. The options have
 * passed their check. */
guint gst_tfrc_peer_list_add (GstTfrcPeerList * list,
    const GstTfrcUdpAddress * address, const GstTfrcPeerOptions * options);

/* The peer is at `address` from now on. FALSE: there is no such peer, or another one is there. */
gboolean gst_tfrc_peer_list_move (GstTfrcPeerList * list, guint id,
    const GstTfrcUdpAddress * address);

/* Ends the streams of all source pads with EOS, which an application sends to the element. */
void gst_tfrc_peer_list_finish (GstTfrcPeerList * list);

/* Says BYE to a peer and removes it and its source pad. FALSE: there is none. */
gboolean gst_tfrc_peer_list_remove (GstTfrcPeerList * list, guint id);

/* What peer `from` sends is forwarded to peer `to`, or no longer. FALSE: it is so already, or one of
 * them is not at the port. */
gboolean gst_tfrc_peer_list_forward (GstTfrcPeerList * list, guint from,
    guint to, gboolean forward);

/* Sends a datagram of the application's by the port. FALSE: the port is not open. */
gboolean gst_tfrc_peer_list_send (GstTfrcPeerList * list,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size);

/* A new sink pad of peer `id`, which need not have been added yet; NULL: it has one. */
GstPad *gst_tfrc_peer_list_add_sink (GstTfrcPeerList * list, guint id,
    GstPadTemplate * templ);
void gst_tfrc_peer_list_remove_sink (GstTfrcPeerList * list, GstPad * pad);

/* New structures; the first is NULL when there is no such peer at the port. */
GstStructure *gst_tfrc_peer_list_get_peer_stats (GstTfrcPeerList * list,
    guint id);
GstStructure *gst_tfrc_peer_list_get_stats (GstTfrcPeerList * list);

G_END_DECLS

#endif
