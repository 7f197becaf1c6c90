/* gst-tfrc: many callers of a relay in one thread, by one socket
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A caller sends an RTP packet of CALLER_PACKET bytes every 20 ms, stamped as a TFRC data sender
 * stamps it with a round-trip time of 100 ms, and an RTCP report for what it receives ten times a
 * second. All callers share the port of one socket; each has an address of its own in 127.0.0.0/8.
 * Two callers in sequence, 0 and 1, 2 and 3, ..., are partners: the last byte of their addresses
 * differs in its lowest bit alone. Times are ns of the monotonic clock. */
#ifndef CALLERS_H
#define CALLERS_H

#include <gst/gst.h>

#define CALLER_PACKET 160       /* bytes at the RTP layer */
#define CALLER_INTERVAL (20 * GST_MSECOND)

typedef struct
{
  guint64 sent;                 /* packets that left in the measured time */
  guint64 received;             /* of these, those that arrived at a caller */
  GArray *delays;               /* guint64 ns, from sending to the arrival stamp of the system */
  gdouble worst;                /* share of its packets that the caller with the most losses misses */
  gdouble slowest;              /* ms: mean delay of the packets of the caller that has the longest */
} CallersResult;

/* Encrypts what the callers send by SRTP, and decrypts what they receive; hexadecimal keys. Called before they begin. */
void callers_encrypt (const gchar * key, const gchar * remote_key);

/* The address of caller `i`. */
gchar *callers_get_host (guint i);

/* Begins `n` callers of 127.0.0.1:`port`, one every `join_interval` ns. They have the port
 * `own_port` and are never stopped. */
void callers_start (guint n, guint port, guint own_port,
    GstClockTime join_interval);

/* Begins to send `rate` packets per second from addresses that are no caller's, each with an SSRC of
 * its own. */
void callers_flood (guint rate);

/* A packet that takes longer is lost. */
#define CALLERS_FLIGHT (500 * GST_MSECOND)

/* Counts the packets that are sent in the next `duration` ns. Returns CALLERS_FLIGHT later. */
void callers_measure (GstClockTime duration, CallersResult * result);

/* Callers that have received a packet. */
guint callers_count_connected (void);

#endif
