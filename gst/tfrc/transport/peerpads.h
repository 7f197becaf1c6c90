/* gst-tfrc: the two pads of a peer of tfrcbin, and what goes through them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The sink pad takes what is sent to the peer; the application requests it. The source pad
 * shows what the peer sends, and is added with the peer's first packet. Both outlive the peer's
 * stay at the port: without it the one refuses packets and the other is silent.
 *
 * The source pad is served by threads of the pad server (transport/padserver.h) or by the worker, so decoders
 * behind it run there. What runs "in the thread that serves" runs in one of these, one at a time. */
#ifndef GST_TFRC_PEERPADS_H
#define GST_TFRC_PEERPADS_H

#include "time/runningtimemap.h"
#include "transport/peer.h"

G_BEGIN_DECLS

typedef struct _GstTfrcPeerPads GstTfrcPeerPads;

/* What the pads of all peers have in common. It belongs to the element. */
typedef struct
{
  GstElement *element;
  GstTfrcRunningTimeMap time;
  /* Called in the thread that serves with each state of a peer, see GST_TFRC_PEER_MESSAGE, before
   * the message is posted. */
  void (*on_state) (GstTfrcPeerPads * pads, const gchar * state,
      gpointer data);
  gpointer data;
  /* The event STREAM_START has come to the sink pad, in its streaming thread; may be NULL. */
  void (*on_stream_start) (GstTfrcPeerPads * pads, GstEvent * event,
      gpointer data);

  /* For an element that has one peer; each may be NULL, and runs in the thread that serves. */
  /* TRUE: the message is not to be posted. */
  gboolean (*on_message) (GstTfrcPeerPads * pads, GstMessage * message,
      gpointer data);
  /* The encoder has been told its allowance. */
  void (*on_rate) (GstTfrcPeerPads * pads, gpointer data);
  /* What the source pad's peer returned for a packet. */
  void (*on_pushed) (GstTfrcPeerPads * pads, GstFlowReturn ret, gpointer data);
  /* Downstream of the source pad has changed. */
  void (*on_reconfigure) (GstTfrcPeerPads * pads, gpointer data);
  gboolean waits_for_playing;   /* packets of every kind wait for the state PLAYING */

  gboolean goes_on;             /* the running time of the element goes on when that of a stream begins anew */
} GstTfrcPeerPadsOwner;

GstTfrcPeerPads *gst_tfrc_peer_pads_new (guint id,
    GstTfrcPeerPadsOwner * owner);
GstTfrcPeerPads *gst_tfrc_peer_pads_ref (GstTfrcPeerPads * pads);
void gst_tfrc_peer_pads_unref (GstTfrcPeerPads * pads);

guint gst_tfrc_peer_pads_get_id (const GstTfrcPeerPads * pads);

/* Adds the sink pad to the element; NULL: it is there already. */
GstPad *gst_tfrc_peer_pads_add_sink (GstTfrcPeerPads * pads,
    GstPadTemplate * templ);

/* The element has made the pad and added it to itself; it stays. */
void gst_tfrc_peer_pads_take_sink (GstTfrcPeerPads * pads, GstPad * pad);
void gst_tfrc_peer_pads_take_src (GstTfrcPeerPads * pads, GstPad * pad);

/* How long the playout buffer waits, as the answer to a query has it, ns. */
void gst_tfrc_peer_pads_set_latency (GstTfrcPeerPads * pads,
    GstClockTime latency);

/* The pads that a sink pad belongs to. */
GstTfrcPeerPads *gst_tfrc_peer_pads_get (GstPad * sinkpad);

/* Packets that wait for their running time do so in the state PLAYING alone; while flushing none
 * waits. */
void gst_tfrc_peer_pads_set_playing (GstTfrcPeerPads * pads,
    gboolean playing);
void gst_tfrc_peer_pads_set_flushing (GstTfrcPeerPads * pads,
    gboolean flushing);

/* The peer was removed and does not come back: what comes to the sink pad, or waits there, is dropped. */
void gst_tfrc_peer_pads_abandon (GstTfrcPeerPads * pads);

/* The sink pad is to be removed from the element. */
void gst_tfrc_peer_pads_forget_sink (GstTfrcPeerPads * pads);

/* TRUE when there is a sink pad whose stream has not ended. */
gboolean gst_tfrc_peer_pads_is_sending (GstTfrcPeerPads * pads);
gboolean gst_tfrc_peer_pads_has_sink (GstTfrcPeerPads * pads);

/* The peer, of which a reference is taken; NULL: it is at no port. */
void gst_tfrc_peer_pads_set_peer (GstTfrcPeerPads * pads, GstTfrcPeer * peer);
/* A reference, or NULL. */
GstTfrcPeer *gst_tfrc_peer_pads_get_peer (GstTfrcPeerPads * pads);

/* Asks the encoder upstream of the sink pad which quality it expects, and puts the answer, if there is one, into the
 * statistics of the data sender. The caller holds no lock. */
void gst_tfrc_peer_pads_add_expected_quality (GstTfrcPeerPads * pads,
    GstStructure * stats);

/* A GstTfrcPeerServeFunc; `data` are the pads. */
void gst_tfrc_peer_pads_serve (GstTfrcPeer * peer, GstMiniObject * object,
    gpointer data);

/* Makes downstream let go of the thread that it holds up. */
void gst_tfrc_peer_pads_flush_src (GstTfrcPeerPads * pads);
/* Removes the source pad, or ends the stream of one that stays. `flushed`: gst_tfrc_peer_pads_flush_src() was called before. */
void gst_tfrc_peer_pads_remove_src (GstTfrcPeerPads * pads, gboolean flushed);

G_END_DECLS

#endif
