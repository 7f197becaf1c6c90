/* gst-tfrc: the threads that serve sockets and timers of any number of peers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A worker is one thread. It waits until a datagram arrives at one of its sockets
 * (udpworkersocket.h), a timer is due or a call is made to it, serves all that is there, sends
 * what was submitted meanwhile with as few system calls as there are sockets, pushes what there is for pads
 * (padserver.h) if that takes little time, and waits again. A pad may hold it up all the same: another thread is
 * the worker then (standin.h). Workers belong to a context, which is a name: whoever asks for the same name
 * shares its workers, across all elements of the process.
 *
 * Many peers, one port, several threads. A socket is read by one worker, its home. A peer
 * may live on any worker of the context: its timers run there, and it sends from there by
 * the same socket, which several threads may do at once. The home worker hands what arrives
 * for a peer of another worker over by a queue that the peer locks, and sets a timer of
 * the peer's to the time 0. This is preferred to a socket per thread with SO_REUSEPORT:
 * the system would choose the thread by the address, so it could not be known before the
 * first answer came where a peer that is called must live, a peer whose address changes
 * (NAT) would change threads, and another process of the same user could take a share of
 * the traffic.
 *
 * Threads and locks. Callbacks (of sockets, timers and calls) run in the worker's thread,
 * one at a time, with no lock of the worker's held. They must not block: everybody else on
 * the worker waits. What is pushed to a pad runs there as in any other thread: it may block, and what it calls does not
 * take it for the worker's. A function that waits for a callback to end ("no callback after it
 * returns") must not be called with a lock that the callback takes; called from the
 * worker's own thread it does not wait. A worker's thread never calls such a function for
 * what lives on another worker.
 *
 * Times are in ns of the system's monotonic clock, as of gst_util_get_timestamp(). */
#ifndef GST_TFRC_UDPWORKER_H
#define GST_TFRC_UDPWORKER_H

#include "transport/udptimer.h"

G_BEGIN_DECLS

typedef void (*GstTfrcUdpCallFunc) (GstTfrcUdpWorker * worker, gpointer data);

/* Joins the worker with the fewest members among up to `threads` of the context `name`,
 * and starts its thread if it has none. A context has as many as any of its members asked
 * for. Who does not share uses a name that is nobody else's. NULL and an error when the
 * process has no descriptors or threads left. */
GstTfrcUdpWorker *gst_tfrc_udp_worker_join (const gchar * name, guint threads,
    GError ** error);

/* Joins this very worker, of which the caller knows a member that stays meanwhile. */
GstTfrcUdpWorker *gst_tfrc_udp_worker_share (GstTfrcUdpWorker * worker);

/* The name of the context; good as long as the worker has members. */
const gchar *gst_tfrc_udp_worker_get_context (GstTfrcUdpWorker * worker);

/* The last member to leave ends the thread, after all calls that were made to it; in the
 * worker's own thread it does not wait for the end. All timers and sockets of the member
 * are closed by then. */
void gst_tfrc_udp_worker_leave (GstTfrcUdpWorker * worker);

/* Calls `func` in the worker's thread and returns when it has returned; at once in the
 * worker's own thread. */
void gst_tfrc_udp_worker_call (GstTfrcUdpWorker * worker,
    GstTfrcUdpCallFunc func, gpointer data);

/* Calls `func`, then `destroy` if it is not NULL, in the worker's thread as soon as it can
 * and in the order of the calls. */
void gst_tfrc_udp_worker_invoke (GstTfrcUdpWorker * worker,
    GstTfrcUdpCallFunc func, gpointer data, GDestroyNotify destroy);

/* The worker whose thread this is, or NULL. */
GstTfrcUdpWorker *gst_tfrc_udp_worker_get_current (void);

/* The worker waits for its gap to end: it will have a round soon, without being woken up. From any
 * thread. */
gboolean gst_tfrc_udp_worker_is_pausing (GstTfrcUdpWorker * worker);

/* TRUE in the worker's thread. */
gboolean gst_tfrc_udp_worker_is_current (GstTfrcUdpWorker * worker);

/* The time between two rounds of a busy worker. A worker that was woken up by datagrams or
 * timers within `gap` of its last round waits for the rest of the gap, so that the price of
 * a wake-up is shared by all that became due meanwhile; what comes more rarely is served at
 * once. A departure may be that much late, and an arrival is looked at that much later (its
 * time is that of the system and does not change). Calls do not wait. The default is
 * GST_TFRC_UDP_GAP; 0: never wait. It is a call to the worker. */
void gst_tfrc_udp_worker_set_gap (GstTfrcUdpWorker * worker, GstClockTime gap);

/* CPU per packet against the lateness of departures: the sweep is described at the top of
 * tests/bench/floor.c. */
#define GST_TFRC_UDP_GAP (750 * GST_USECOND)

typedef struct
{
  guint64 rounds;               /* of the thread's loop: wake-ups */
  guint64 timers;               /* that fired */
} GstTfrcUdpWorkerStats;

void gst_tfrc_udp_worker_get_stats (GstTfrcUdpWorker * worker,
    GstTfrcUdpWorkerStats * stats);

G_END_DECLS

#endif
