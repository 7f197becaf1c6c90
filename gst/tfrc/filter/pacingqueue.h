/* gst-tfrc: the queue of packets that wait for their departure
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PACINGQUEUE_H
#define GST_TFRC_PACINGQUEUE_H

#include <gst/base/base.h>

#include "filter/flowmeter.h"
#include "filter/stampedpacket.h"

G_BEGIN_DECLS

/* A packet or an event in the queue. */
typedef struct
{
  GstMiniObject *object;        /* a GstBuffer or a GstEvent */
  GstTfrcStampedPacket packet;  /* of a buffer */
  TfrcTime queued;              /* when a buffer arrived */
  gboolean urgent;              /* the buffer goes before all that are not */
  gboolean repair;              /* the buffer repairs others: a retransmission or forward error correction */
  gboolean retransmission;      /* the buffer repeats one that has departed (RFC 4588), and goes before all that are
                                 * neither this nor urgent */
  gboolean is_red;              /* the buffer may have redundant copies of earlier packets (RFC 2198) */
  guint copies;                 /* how many it has */
  GstEvent *caps, *segment;     /* that hold for a buffer, or NULL */
} GstTfrcItem;

/* Drops the references of an item. */
void gst_tfrc_item_clear (GstTfrcItem * item);

/* What the packets of a video frame have in common. */
typedef struct
{
  gboolean is_set;
  guint32 ssrc, rtptime;
  TfrcTime queued;              /* when the packet that was noted arrived */
} GstTfrcFrame;

/* A first-in first-out queue that counts what it drops and measures how long packets wait.
 * Serialized events keep their place among the packets. The owner guards the queue by its
 * lock; no function takes a lock or pushes anything. Times are in ns of the engine's time. */
typedef struct
{
  GstQueueArray *items;         /* GstTfrcItem, which own their objects and events */
  guint packets;                /* items that are buffers */
  GstTfrcHistogram errors;      /* time from when a packet was allowed to depart to its departure, of
                                 * packets that had to wait */
  GstTfrcHistogram waits;       /* time that these packets were in the queue */
  TfrcTime last_wait;           /* of the last packet that departed */
  gboolean whole_frames;        /* packets with one RTP timestamp are a video frame, which expires as one */
  GstTfrcFrame expired;         /* of the last packet of video that expired */
  guint64 dropped_late, dropped_full;
  guint64 dropped_repairs;      /* those of both that repair others */
  guint64 shed_copies;          /* redundant copies that were taken out of packets that had to wait */
  guint64 left_out_copies;      /* and because they were needless */
} GstTfrcPacingQueue;

void gst_tfrc_pacing_queue_init (GstTfrcPacingQueue * queue);
void gst_tfrc_pacing_queue_free (GstTfrcPacingQueue * queue);

/* Empties the queue; the second also sets all counters to zero. */
void gst_tfrc_pacing_queue_flush (GstTfrcPacingQueue * queue);
void gst_tfrc_pacing_queue_reset (GstTfrcPacingQueue * queue);

/* Takes the object and the events of `item`. An urgent one or a retransmission is put before all that have to wait for it,
 * if there is no event in the queue. */
void gst_tfrc_pacing_queue_push (GstTfrcPacingQueue * queue,
    const GstTfrcItem * item);

/* Whether a retransmission (RFC 4588) of the packet with the number `seq` waits. `seq` is that of the payloader. */
gboolean gst_tfrc_pacing_queue_has_retransmission (const GstTfrcPacingQueue * queue, guint16 seq);

/* The first item, which stays in the queue; NULL when the queue is empty. */
const GstTfrcItem *gst_tfrc_pacing_queue_peek (const GstTfrcPacingQueue *
    queue);

/* When the first packet loses a redundant copy by gst_tfrc_pacing_queue_shed(), of packets that may wait for `time` ns (0: no
 * limit); TFRC_TIME_NONE: there is no copy to lose, or an event is first. */
TfrcTime gst_tfrc_pacing_queue_get_shedding (const GstTfrcPacingQueue * queue, guint64 time);

/* Takes as many redundant copies out of the first packet as its wait asks for: a packet that would be dropped carries more without
 * them, and each copy is in other packets, too. Returns whether it took one. */
gboolean gst_tfrc_pacing_queue_shed (GstTfrcPacingQueue * queue, guint64 time, TfrcTime now);

/* Takes the redundant copies out of the first packet that are `needless`, as gst_tfrc_red_leave_out() has it. */
void gst_tfrc_pacing_queue_leave_out (GstTfrcPacingQueue * queue, guint needless);

/* Takes out the first item; the caller owns its object and events. The queue must not be empty. */
GstTfrcItem gst_tfrc_pacing_queue_pop (GstTfrcPacingQueue * queue);

/* When the first packet has waited for `time` ns (0: no limit), or TFRC_TIME_NONE. With `whole_frames` the packets of frames
 * may wait for five times as long, and what comes after an expired packet of its frame expires at once: a frame without
 * one of its packets is of no use. */
TfrcTime gst_tfrc_pacing_queue_get_expiry (const GstTfrcPacingQueue * queue,
    guint64 time);

/* The oldest packet, when it has expired or when more than `packets` packets wait. Such an expired packet is counted here, and the caller drops
 * it by gst_tfrc_pacing_queue_drop_packet(). NULL: no packet has expired. */
const GstTfrcItem *gst_tfrc_pacing_queue_peek_expired (GstTfrcPacingQueue *
    queue, guint64 time, guint packets, TfrcTime now);
void gst_tfrc_pacing_queue_drop_packet (GstTfrcPacingQueue * queue);

/* Drops all packets and counts them in dropped_late. Events stay in the queue. */
void gst_tfrc_pacing_queue_drop_all (GstTfrcPacingQueue * queue);

/* `item` departs at `now`; it was allowed to depart at `due`. */
void gst_tfrc_pacing_queue_measure (GstTfrcPacingQueue * queue,
    const GstTfrcItem * item, TfrcTime due, TfrcTime now);

/* How long the oldest packet has waited, and at least as long as the last one did, in ns;
 * 0: no packet waits. */
TfrcTime gst_tfrc_pacing_queue_get_delay (const GstTfrcPacingQueue * queue,
    TfrcTime now);

/* Packets that were dropped, and those that repair no others. */
guint64 gst_tfrc_pacing_queue_get_dropped (const GstTfrcPacingQueue * queue);
guint64 gst_tfrc_pacing_queue_get_dropped_data (const GstTfrcPacingQueue * queue);

void gst_tfrc_pacing_queue_add_stats (const GstTfrcPacingQueue * queue,
    TfrcTime now, GstStructure * stats);

G_END_DECLS

#endif
