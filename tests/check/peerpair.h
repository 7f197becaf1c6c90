/* gst-tfrc tests: two peers of tfrcbin, joined in memory, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Both ends talk from the beginning, a packet each 20 ms; a datagram takes 25 ms to the other end. Time passes in
 * pair_run_to() and pair_run_for() alone, in the thread of the test. What the peers hand out is counted in the threads
 * of the pad server, under the lock of the end. */
#ifndef PEERPAIR_H
#define PEERPAIR_H

#include <gst/check/gstcheck.h>

#include "transport/peer.h"

G_BEGIN_DECLS

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define PAYLOAD_TYPE 96
#define PAYLOAD 60              /* bytes */
/* The wall clock when the peers begin (us since 1970). */
#define WALL (G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC)

typedef struct
{
  GstTfrcPeer *peer;
  GstClockTime timer;
  gboolean talks;
  GstClockTime next_packet;
  guint packets;                /* given to the peer */
  guint sent, dropped;          /* datagrams with data that left; that the path lost */
  guint compound;               /* compound RTCP packets that left */
  guint ssrcs;                  /* different SSRCs in them, one after the other */
  guint32 ssrc;
  GMutex lock;                  /* for what the pad server's threads count */
  guint64 known_after;          /* of the last rate event, ns */
  guint served, losses, rates, key_frames, warnings;
  gdouble loss;                 /* share of packets lost, of the last rate event */
  GstClockTime latest;          /* the latest time of a packet */
  guint timed;                  /* packets with the time of capture */
  guint64 captured;             /* that of the last one, ns since 1900 */
  gboolean even;                /* it was always as much later as the RTP timestamp */
  guint32 rtptime;              /* of the last packet with a time of capture */
  gchar *states;                /* as they were posted, joined */
} End;

extern End ends[2];
extern GQueue flights;          /* datagrams on their way */
extern GstClockTime now;
extern GstTfrcPeerSettings settings;    /* of both peers */
extern guint lose_every;        /* nth data packet of end 0 is lost; 0: none */
extern gboolean cut, marks;     /* the path loses all; it marks each fifth packet that is ECN-capable */
extern gboolean held;           /* the machine of end 1 */
extern gboolean sends_here;     /* the thread that brings a packet may send */
extern guint buffers_made;      /* that were made of datagrams */

/* The fixture. */
void pair_set_up (void);
void pair_tear_down (void);

/* The end gives its peer the next packet. */
void pair_talk (End * end);

/* Whatever is due now is done: packets, timers, arrivals. */
void pair_step (void);

/* Lets time pass until `end`; a peer that does not let it pass fails the test. */
void pair_run_to (GstClockTime end);

/* Lets time pass second by second, and after each the pad server's threads serve what there is. */
void pair_run_for (GstClockTime duration);

/* A field of a part of a peer's statistics. */
gdouble pair_get_stat (guint i, const gchar * part, const gchar * name);

/* A count of `end`, now. */
guint pair_get_count (End * end, const guint * count);

/* Waits until the threads of the pad server have counted up to `value`, which is not passed. */
void pair_wait_count (End * end, guint * count, guint value);

/* Waits for the states of the connection, joined as they were posted. */
void pair_wait_states (End * end, const gchar * states);

G_END_DECLS

#endif
