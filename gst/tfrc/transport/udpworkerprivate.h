/* gst-tfrc: what a worker and the sockets that it serves know of each other
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UDPWORKERPRIVATE_H
#define GST_TFRC_UDPWORKERPRIVATE_H

#include "transport/standin.h"
#include "transport/udppoll.h"
#include "transport/udpreceive.h"
#include "transport/udpsend.h"
#include "transport/udpworkersocket.h"
#include "transport/udpworker.h"

G_BEGIN_DECLS

/* One datagram that waits until the round ends. */
typedef struct
{
  GstTfrcUdpWorkerSocket *socket;
  gboolean begins_run;          /* the one before is another socket's; counted in `queued` */
  GstTfrcUdpRoute route;
  gsize size;
  guint8 *data;                 /* in the worker's `bytes` */
} GstTfrcUdpOutgoing;

typedef struct _GstTfrcUdpContext GstTfrcUdpContext;

struct _GstTfrcUdpWorker
{
  GstTfrcUdpContext *context;
  guint index;                  /* in the context */
  guint members;                /* under the lock of all contexts */
  gint refs;                    /* the members together, and each thread */
  gint pausing;                 /* it waits for the gap to end, atomic */
  GstTfrcStandIn stand_in;      /* which of the threads is on duty */
  GstTfrcUdpPoll *poll;

  GMutex lock;                  /* for what follows up to the empty line */
  GCond cond;                   /* a call was answered */
  GQueue calls;
  GPtrArray *wishes;            /* timers that other threads have set */
  GstClockTime sleeps_until;    /* when the thread wakes by itself; 0: it is awake */
  GstTfrcUdpWorkerStats stats;
  gboolean quit;
  GThread *threads[2];          /* the second one starts when it is needed */
  GThread *last;                /* the thread that has ended the duty; NULL: it goes on */
  gboolean both_free;           /* the other thread was then in no push */
  GQueue light;                 /* GstTfrcPadQueue that it is pushing itself */

  /* of the thread on duty alone */
  GArray *heap;              /* GstTfrcUdpTimer that wait for their time */
  GQueue due;                   /* GstTfrcUdpTimer whose time has come, in their order */
  GstTfrcUdpReady ready[GST_TFRC_UDP_BATCH];    /* sockets to be served this round */
  guint n_ready;
  GstClockTime gap;
  GstClockTime last_round;      /* when it began */
  gboolean busy;                /* the last round had to wait for the gap */
  gboolean backlog;             /* a socket has more than was read */
  GQueue held;                  /* GstTfrcPadQueue that wait for the end of the round */
  GstTfrcUdpArrivalClock clock;
  GstTfrcUdpReceiver *receiver;
  GstTfrcUdpSender *sender;
  GstTfrcUdpOutgoing outgoing[GST_TFRC_UDP_BATCH];
  guint n_outgoing;
  /* Datagrams that wait follow each other in memory, so that few lines of the processor's cache hold
   * them; each begins with a line. */
  gsize used;
  guint8 bytes[GST_TFRC_UDP_BATCH * GST_TFRC_UDP_ROOM];
};

/* Starts the thread of a worker without members. NULL and an error when the process has no descriptors or threads
 * left. */
GstTfrcUdpWorker *gst_tfrc_udp_worker_new (GstTfrcUdpContext * context,
    guint index, GError ** error);

/* Ends the thread of a worker that has lost its last member, once all calls were answered. */
void gst_tfrc_udp_worker_stop (GstTfrcUdpWorker * worker);

/* The timer of the worker that has to fire first, or NULL. In the worker's thread. */
GstTfrcUdpTimer *gst_tfrc_udp_timers_get_first (GstTfrcUdpWorker * worker);

/* Sets the timers that other threads have set. In the worker's thread, with its lock. */
void gst_tfrc_udp_timers_grant_wishes (GstTfrcUdpWorker * worker);

/* Fires the timers whose time has come and returns how many they were: at most as many as
 * the worker has, so that a timer whose function sets it to the present time fires once per
 * call. In the worker's thread. */
guint gst_tfrc_udp_timers_fire (GstTfrcUdpWorker * worker);

/* Reads and delivers what waits in the socket; TRUE: there may be more. In the thread of
 * its home worker. */
gboolean gst_tfrc_udp_worker_socket_serve (GstTfrcUdpWorkerSocket * socket,
    gboolean has_error);

/* Sends all that waits in the worker; in its thread. */
void gst_tfrc_udp_worker_flush (GstTfrcUdpWorker * worker);

G_END_DECLS

#endif
