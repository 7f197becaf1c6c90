/* gst-tfrc: the state of the list of peers, as the files of peerlist.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PEERLISTPRIVATE_H
#define GST_TFRC_PEERLISTPRIVATE_H

#include "transport/peerlist.h"

G_BEGIN_DECLS

typedef struct
{
  guint id;
  GstTfrcPeerOptions options;
  GstTfrcUdpAddress address;    /* not set: it was not added yet */
  gboolean called;              /* it came as a stranger */
  GstTfrcPeerPads *pads;
  GstTfrcPeer *peer;            /* NULL: no place at the port */
  GstEvent *stream_start;       /* of its sink pad, and no message has told of it; NULL: none */
} GstTfrcMember;

struct _GstTfrcPeerList
{
  GstElement *element;          /* not owned */
  GstTfrcPeerListCallbacks callbacks;
  GstTfrcPeerSettings settings;
  GstTfrcPeerPadsOwner owner;

  GMutex lock;                  /* for what follows */
  GHashTable *members;          /* number to GstTfrcMember */
  guint next_id;
  GstTfrcBinPort *port;        /* NULL: closed */
  gboolean playing;
  GSList *pending;              /* GstTfrcUdpAddress of strangers */
  GSList *leaving;              /* peers to be stopped */
  gboolean ended;               /* on_ended was called */
};

/* With the lock. */
GstTfrcMember *gst_tfrc_peer_list_find (GstTfrcPeerList * list, guint id);
/* With the lock. A new member with a number of its own. */
GstTfrcMember *gst_tfrc_peer_list_add_member (GstTfrcPeerList * list);
/* With the lock. Gives a member its place at the port; FALSE: its address is taken, or there are
 * too many peers. */
gboolean gst_tfrc_peer_list_connect (GstTfrcPeerList * list,
    GstTfrcMember * member);
/* Calls on_ended once all streams have ended. */
void gst_tfrc_peer_list_tell_if_ended (GstTfrcPeerList * list);

/* peerliststreamstart.c: what GstTfrcPeerPadsOwner has it for. */
void gst_tfrc_peer_list_on_stream_start (GstTfrcPeerPads * pads,
    GstEvent * event, gpointer list);
/* Calls on_started when the streams of all sink pads have begun since it was called last. */
void gst_tfrc_peer_list_tell_if_started (GstTfrcPeerList * list);
/* The sink pad of these pads, or NULL: every sink pad, is gone or has stopped. */
void gst_tfrc_peer_list_forget_start (GstTfrcPeerList * list,
    GstTfrcPeerPads * pads);

/* peeradmission.c: a stranger asks to join, in the worker's thread; a peer has another state. */
void gst_tfrc_peer_list_on_stranger (const GstTfrcUdpAddress * address,
    gpointer list);
void gst_tfrc_peer_list_on_state (GstTfrcPeerPads * pads, const gchar * state,
    gpointer list);

G_END_DECLS

#endif
