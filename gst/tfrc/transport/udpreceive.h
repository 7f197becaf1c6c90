/* gst-tfrc: reads datagrams with what the system knows of them, many in one call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UDPRECEIVE_H
#define GST_TFRC_UDPRECEIVE_H

#include <gst/gst.h>

#include "transport/udpaddress.h"

G_BEGIN_DECLS

/* Datagrams read or sent by one system call at most (recvmmsg, sendmmsg). */
#define GST_TFRC_UDP_BATCH 64
/* Bytes of a datagram that is received in one piece, and that is sent without a system
 * call of its own: more than a packet of any Ethernet without jumbo frames. */
#define GST_TFRC_UDP_ROOM 2048

typedef struct _GstTfrcUdpReceiver GstTfrcUdpReceiver;

/* One datagram as it arrived. It belongs to the receiver and is good until its callback
 * returns; gst_tfrc_udp_datagram_take_buffer() keeps its bytes for longer. */
typedef struct
{
  guint8 *data;                 /* may be written, for example by what decrypts in place */
  gsize size;                   /* bytes, 0 to 65,535 */
  GstTfrcUdpAddress remote;     /* who sent it */
  GstTfrcUdpAddress local;      /* where to, with port 0; not set: the system does not say */
  GstClockTime arrival;         /* at this machine, ns, monotonic clock */
  guint8 tos;                   /* DSCP in the upper six bits, ECN in the lower two */
} GstTfrcUdpDatagram;

/* Not-ECT, ECT(1), ECT(0), CE: RFC 3168 5. */
#define GST_TFRC_UDP_ECN(tos) ((tos) & 3)
#define GST_TFRC_UDP_CE 3

/* A new buffer with a copy of the datagram, without timestamps. To copy a packet of voice takes
 * fewer instructions than to acquire, map and release a buffer of a GstBufferPool. */
GstBuffer *gst_tfrc_udp_datagram_take_buffer (GstTfrcUdpDatagram * datagram);

/* The system stamps arrivals by its wall clock, which can be set. This turns them into
 * the time of the monotonic clock, which is also GStreamer's system clock. */
typedef struct
{
  GstClockTime monotonic, realtime;     /* read at one instant */
  GstClockTime trusted_since;   /* of the wall clock, when it was seen to be set */
} GstTfrcUdpArrivalClock;

/* Takes two readings of one instant, ns, and notices when the wall clock was set. */
void gst_tfrc_udp_arrival_clock_update (GstTfrcUdpArrivalClock * clock,
    GstClockTime monotonic, GstClockTime realtime);
/* Reads both clocks of the system, and updates. */
void gst_tfrc_udp_arrival_clock_read (GstTfrcUdpArrivalClock * clock);
/* The monotonic time of `stamp`; the instant of the last update when the stamp cannot be
 * trusted (from the future, or older than the setting of the wall clock). */
GstClockTime gst_tfrc_udp_arrival_clock_convert (const GstTfrcUdpArrivalClock *
    clock, GstClockTime stamp);

/* An error that a datagram of ours met, here or on its path. */
typedef struct
{
  gint code;                    /* errno: EMSGSIZE, ECONNREFUSED, EHOSTUNREACH, ... */
  gboolean from_path;           /* reported by a router or a host (ICMP), which may be forged */
  guint mtu;                    /* of EMSGSIZE from the path: bytes of an IP packet, else 0 */
  GstTfrcUdpAddress remote;     /* where the datagram was to go; may be not set */
} GstTfrcUdpError;

/* One receiver serves all sockets of a thread, and belongs to it. */
GstTfrcUdpReceiver *gst_tfrc_udp_receiver_new (void);
void gst_tfrc_udp_receiver_free (GstTfrcUdpReceiver * receiver);

/* Asks the system for the arrival time, TOS byte, drops and, if `local` is wanted, the
 * local address of each datagram, and the errors that the path reports. */
void gst_tfrc_udp_receiver_set_up_socket (gint fd, gboolean local);

/* Reads up to GST_TFRC_UDP_BATCH datagrams of a socket without waiting. Returns their
 * number, and -1 with `errno` when there is none. `overflow` is set, if any datagram
 * tells, to how many the socket has dropped in all since its buffer was full. */
gint gst_tfrc_udp_receiver_receive (GstTfrcUdpReceiver * receiver, gint fd,
    const GstTfrcUdpArrivalClock * clock, GstTfrcUdpDatagram ** datagrams,
    guint32 * overflow);

/* Takes one error that the path reported for `fd`; FALSE: there is none. */
gboolean gst_tfrc_udp_receiver_get_error (gint fd, GstTfrcUdpError * error);

G_END_DECLS

#endif
