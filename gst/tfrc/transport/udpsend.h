/* gst-tfrc: sends datagrams, many in one call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UDPSEND_H
#define GST_TFRC_UDPSEND_H

#include "transport/udpaddress.h"

G_BEGIN_DECLS

/* How one datagram leaves. */
typedef struct
{
  GstTfrcUdpAddress remote;     /* where to */
  GstTfrcUdpAddress local;      /* our address on it; not set: the system chooses. The port
                                 * is the socket's in any case. */
  guint8 tos;                   /* DSCP and ECN; 0: what is set on the socket, if anything */
} GstTfrcUdpRoute;

typedef struct
{
  const guint8 *data;
  gsize size;                   /* bytes */
  const GstTfrcUdpRoute *route;
  gint error;                   /* out: 0 when the system took it, else errno */
} GstTfrcUdpMessage;

/* The structures that the system call reads; one thread at a time. */
typedef struct _GstTfrcUdpSender GstTfrcUdpSender;

GstTfrcUdpSender *gst_tfrc_udp_sender_new (void);
void gst_tfrc_udp_sender_free (GstTfrcUdpSender * sender);

/* Sends up to GST_TFRC_UDP_BATCH messages from the socket `fd` of `family`, in their
 * order, without waiting. A message that fails does not keep the rest back, but a full
 * socket (EAGAIN) does. An error that the path reported about an earlier datagram makes
 * the system fail the next one, whose fault it is not: each message has two attempts. */
void gst_tfrc_udp_sender_send (GstTfrcUdpSender * sender, gint fd, gint family,
    GstTfrcUdpMessage * messages, guint n_messages);

/* Sends one message in the same way, with a system call of its own; from any thread. */
void gst_tfrc_udp_send_one (gint fd, gint family, GstTfrcUdpMessage * message);

G_END_DECLS

#endif
