/* gst-tfrc: the UDP port of tfrcbin, as its files share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_TFRCBINPORTPRIVATE_H
#define GST_TFRC_TFRCBINPORTPRIVATE_H

#include "transport/datagraminbox.h"
#include "transport/tfrcbinport.h"

G_BEGIN_DECLS

/* A peer's place at the port. The worker of the peer runs its timer, sends, and takes what arrives: out
 * of the inbox, where it is not the worker that reads the socket. */
typedef struct
{
  GstTfrcBinPort *port;
  GstTfrcPeer *peer;            /* owned */
  GstTfrcUdpWorker *worker;
  GstTfrcUdpTimer timer;
  GstTfrcUdpTimer inbox_timer;  /* of the peer's worker: the inbox is not empty */
  GstTfrcDatagramInbox inbox;
  GstTfrcUdpAddress address;    /* in the table; of the worker's thread */
  gboolean taken;               /* the table has it */
  GstTfrcUdpAddress rtcp_address;       /* where RTCP comes from; not set: from `address` */
  gboolean rtcp_taken;          /* the table has that, too */
} GstTfrcPlace;

struct _GstTfrcBinPort
{
  GstTfrcBinPortSettings settings;   /* without socket and context */
  GstTfrcUdpWorker *worker;
  GstTfrcUdpWorkerSocket *socket;

  /* of the worker's thread */
  GstTfrcAdmissionTable *table;
  GPtrArray *places;            /* GstTfrcPlace */
  guint64 malformed, moved;
  guint64 stun, stun_dropped;
  guint64 inbox_dropped;        /* datagrams of peers that are gone */
};

/* Gives a datagram to its peer. Called in the worker of the port; the peer takes the datagram in its own worker. */
void gst_tfrc_place_deliver (GstTfrcPlace * place, GstTfrcUdpDatagram * datagram);

/* The table has the address that RTCP comes from, if there is one, or has it no more. Called in the worker of the port. */
void gst_tfrc_place_take_rtcp (GstTfrcPlace * place);
void gst_tfrc_place_give_rtcp_up (GstTfrcPlace * place);

G_END_DECLS

#endif
