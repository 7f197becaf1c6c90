/* gst-tfrc: the jitter buffer of tfrcbin, which orders the RTP packets of one remote end and times them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcbin has a playout buffer in place of rtpjitterbuffer. It takes the packets of one RTP stream as they arrive, and hands them out in
 * the order of their sequence numbers. A packet that is next in order leaves at once. Behind a
 * gap packets wait for what is missing, for as long as it could still be played: until the
 * time of the missing packet plus the latency. Then the gap is handed out as a loss with its
 * time and its duration, and what waited follows.
 *
 * Times. `now` and arrivals are in ns of one monotonic clock. The time of a packet (its PTS)
 * is the arrival that it would have had on the fastest way that packets take of late: the
 * RTP timestamp in ns plus the least transit time of the last two to four seconds. That
 * takes jitter out, and follows a drift of the sender's clock. The transit time that times
 * are made with moves towards a shorter one by at most 0.5 % of the time that passes, towards a longer
 * one, which may be that of a queue, by 0.05 % while few packets come too late, and by 4 % in the first two seconds. Whoever plays the sound adds the latency to the time. With an
 * adaptive delay (playoutdelay.h) times are earlier, by what the delay is less than the latency.
 *
 * Jumps. Where sequence numbers or times jump by more than a network can make them (a sender
 * that began anew, or whose machine was held) and the next packet confirms it, the buffer drops and counts what still
 * waits, and begins anew. Where all packets of 200 ms come later than the latency allows (a
 * sender whose machine was held, a path that became longer), times are made with their
 * transit time at once. Where all of them come that much earlier (the first packet was held, or
 * the path became shorter), times go back at once, and the buffer drops and counts the packets
 * whose time was played already. The first packet after either is marked as a discontinuity.
 *
 * The buffer has no thread, lock, clock or timer of its own; one thread at a time uses it.
 * `next_time` is a pure question. Nothing is allocated after the creation. */
#ifndef GST_TFRC_PLAYOUTBUFFER_H
#define GST_TFRC_PLAYOUTBUFFER_H

#include <gst/gst.h>

#include "transport/playoutdelay.h"

G_BEGIN_DECLS

typedef struct _GstTfrcPlayoutBuffer GstTfrcPlayoutBuffer;

typedef enum
{
  GST_TFRC_PLAYOUT_NOTHING,     /* nothing is due */
  GST_TFRC_PLAYOUT_PACKET,      /* `buffer` is next */
  GST_TFRC_PLAYOUT_LOSS         /* packets are missing here and will not be waited for */
} GstTfrcPlayoutKind;

/* What leaves the buffer. */
typedef struct
{
  GstTfrcPlayoutKind kind;
  GstBuffer *buffer;            /* (transfer full) of a packet; NULL of a loss */
  guint16 seq;                  /* of the packet, or of the first one that is missing */
  guint packets;                /* that are missing; 0 of a packet */
  GstClockTime pts;             /* of the packet, or where the missing sound begins; ns */
  GstClockTime duration;        /* of the missing sound, ns, above 0; of a packet NONE */
  gboolean discont;             /* the packet does not follow the one before it */
} GstTfrcPlayoutItem;

typedef struct
{
  guint64 packets;              /* that were handed out */
  guint64 lost;                 /* that were given up */
  guint64 late;                 /* that came after they had been given up; dropped */
  guint64 duplicates;           /* that were there already; dropped */
  guint64 dropped;              /* packets that jumped, or waited when the stream began anew
                                 * or too many waited, or whose time was played already */
  guint64 restarts;             /* jumps after which it counted anew */
  guint64 delays;               /* times that the path had become longer than the latency */
  guint64 advances;             /* times that it had become shorter by more than the latency */
  guint waiting;                /* packets in the buffer now */
  GstClockTime jitter;          /* mean deviation of the transit time, RFC 3550 A.8; ns */
  GstClockTime delay;           /* after which packets are played, from the fastest way on; ns */
} GstTfrcPlayoutStats;

/* The most packets that wait in a buffer. */
#define GST_TFRC_PLAYOUT_MAX 256

/* Missing packets are waited for until their time plus `latency` (ns). */
GstTfrcPlayoutBuffer *gst_tfrc_playout_buffer_new (GstClockTime latency);

/* Drops what is still in it. */
void gst_tfrc_playout_buffer_free (GstTfrcPlayoutBuffer * playout);

/* From now on packets are played after a delay that follows the path, between `least` and the latency
 * (ns). Before the first packet. */
void gst_tfrc_playout_buffer_adapt (GstTfrcPlayoutBuffer * playout,
    GstClockTime least);

/* The adaptive delay, owned by the buffer; NULL: there is none. */
GstTfrcPlayoutDelay *gst_tfrc_playout_buffer_get_delay (GstTfrcPlayoutBuffer *
    playout);

/* Takes effect for gaps that are not given up yet. Not with an adaptive delay. */
void gst_tfrc_playout_buffer_set_latency (GstTfrcPlayoutBuffer * playout,
    GstClockTime latency);

/* The next packet begins a new stream (another SSRC, or the same that began anew). A caller
 * that wants what still waits takes it before, at GST_CLOCK_TIME_NONE - 1. */
void gst_tfrc_playout_buffer_restart (GstTfrcPlayoutBuffer * playout);

/* Drops all that waits and forgets the stream. */
void gst_tfrc_playout_buffer_flush (GstTfrcPlayoutBuffer * playout);

/* A packet arrived; takes `buffer`. FALSE: it was dropped and counted. */
gboolean gst_tfrc_playout_buffer_add (GstTfrcPlayoutBuffer * playout,
    const GstTfrcPlayoutPacket * packet, GstBuffer * buffer);

/* Makes the buffer of a packet that has to wait. */
typedef GstBuffer *(*GstTfrcPlayoutMakeFunc) (gpointer data);

/* A packet arrived that needs a buffer only when it has to wait, for which `make` is called then. TRUE: it leaves at once,
 * and `item` is the packet, without a buffer. */
gboolean gst_tfrc_playout_buffer_pass (GstTfrcPlayoutBuffer * playout,
    const GstTfrcPlayoutPacket * packet, GstTfrcPlayoutMakeFunc make,
    gpointer data, GstTfrcPlayoutItem * item);

/* When something leaves next: 0 at once, GST_CLOCK_TIME_NONE while nothing waits. */
GstClockTime gst_tfrc_playout_buffer_next_time (const GstTfrcPlayoutBuffer *
    playout);

/* The next that is due at `now`; the caller asks again until `kind` is
 * GST_TFRC_PLAYOUT_NOTHING. */
GstTfrcPlayoutKind gst_tfrc_playout_buffer_take (GstTfrcPlayoutBuffer *
    playout, GstTfrcPlayoutItem * item, GstClockTime now);

/* References to the packets that wait, in the order of their sequence numbers, are added
 * to `list`. They carry the redundant copies of what is missing before them. */
void gst_tfrc_playout_buffer_get_waiting (const GstTfrcPlayoutBuffer * playout,
    GstBufferList * list);

void gst_tfrc_playout_buffer_get_stats (const GstTfrcPlayoutBuffer * playout,
    GstTfrcPlayoutStats * stats);

G_END_DECLS

#endif
