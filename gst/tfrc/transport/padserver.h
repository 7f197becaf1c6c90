/* gst-tfrc: a few threads of the process that push what peers have to say downstream
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The thread that reads a socket serves all peers, so it must not wait for a pad. Therefore
 * each peer has a queue, and threads that all peers of the process share serve these queues:
 * the objects of one queue in their order and by one thread at a time, different queues at
 * the same time. A decoder behind a pad runs in these threads.
 *
 * One thread serves what takes little time, because a wake-up costs more than to push a packet of
 * voice: a second one helps as soon as the queues that wait will take more than 0.5 ms, and looks after
 * 20 ms at most whether the first one is stuck.
 *
 * There are GST_TFRC_PAD_SERVER_THREADS threads as long as that is enough. When a queue has
 * waited for more than 20 ms because all threads are inside of a push, the pool grows by one
 * thread, up to 64; it shrinks again when threads are left over. So a peer whose downstream
 * blocks costs only its own packets. Whether the pool has to grow is looked at whenever an
 * object is added: nothing polls.
 *
 * A thread that adds to queues may also serve them itself, as a worker does with those that take little time
 * (udpworker.h). Each queue knows what it took lately; it is taken to be slow until it was served some ten times. */
#ifndef GST_TFRC_PADSERVER_H
#define GST_TFRC_PADSERVER_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_PAD_SERVER_THREADS 2
/* Objects that wait in one queue at most: 4 s of packets of 20 ms. */
#define GST_TFRC_PAD_QUEUE_MAX 200

typedef struct _GstTfrcPadQueue GstTfrcPadQueue;

/* Pushes or posts `object`, which is a reference of the function's. Runs in the thread that serves,
 * without a lock, and may block. */
typedef void (*GstTfrcServeFunc) (GstMiniObject * object, gpointer data);

/* What follows is called from any thread. `data` is good until the queue was stopped. */
GstTfrcPadQueue *gst_tfrc_pad_queue_new (GstTfrcServeFunc serve, gpointer data);

/* Stops the queue and gives up the caller's reference. */
void gst_tfrc_pad_queue_free (GstTfrcPadQueue * queue);

/* Adds `object`, which the queue takes, and never waits. FALSE: the queue was full or was
 * stopped, and the object was dropped; of a full queue that is counted. */
gboolean gst_tfrc_pad_queue_add (GstTfrcPadQueue * queue,
    GstMiniObject * object);

/* Adds `last`, which the queue takes, full or not. FALSE: the queue was stopped, and the object was dropped. */
gboolean gst_tfrc_pad_queue_end (GstTfrcPadQueue * queue, GstMiniObject * last);

/* Waits until all is served, or the monotonic time `until` in us. FALSE: something is still being served, or this was
 * called by the function that serves. */
gboolean gst_tfrc_pad_queue_wait (GstTfrcPadQueue * queue, gint64 until);

/* gst_tfrc_pad_queue_end() and gst_tfrc_pad_queue_wait() in one, for `patience` ns at most. */
gboolean gst_tfrc_pad_queue_finish (GstTfrcPadQueue * queue,
    GstMiniObject * last, GstClockTime patience);

/* Drops what waits. When this returns, nothing is being served any more, unless it was called
 * by the function that serves. Whoever holds up the pad must let go of it before. */
void gst_tfrc_pad_queue_stop (GstTfrcPadQueue * queue);

/* Objects dropped so far because the queue was full. */
guint64 gst_tfrc_pad_queue_get_dropped (GstTfrcPadQueue * queue);

/* Queues that the calling thread adds to between these two calls are served from the second one on:
 * whoever adds to many queues wakes a thread once. `held` is memory for the queues. The calls are not
 * nested, and between them the thread waits for no queue. */
void gst_tfrc_pad_server_hold (GQueue * held);
void gst_tfrc_pad_server_release (GQueue * held);

/* The queues in `held` stay there, and those that the thread adds to are held no more. */
void gst_tfrc_pad_server_keep (void);

/* What the queues in `held` will take, ns. */
GstClockTime gst_tfrc_pad_server_get_cost (const GQueue * held);

/* Takes the first of the queues in `held`, which the caller may change again from then on. */
GstTfrcPadQueue *gst_tfrc_pad_server_take (GQueue * held);

/* Serves a queue that was taken, in the calling thread. */
void gst_tfrc_pad_server_serve (GstTfrcPadQueue * queue);

/* Threads that the pool may have at this moment. */
guint gst_tfrc_pad_server_get_threads (void);

G_END_DECLS

#endif
