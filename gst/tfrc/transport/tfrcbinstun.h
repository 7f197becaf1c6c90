/* gst-tfrc: STUN messages of the application by the UDP port of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * STUN shares the port with RTP, RTCP and DTLS (RFC 7983). tfrcbin answers no STUN message and sends none of its own:
 * the application does ICE (RFC 8445) by the signals "stun" and "send-stun". A GstTfrcBinStun is part of a tfrcbin. It
 * keeps the messages that have arrived (256 at most; those that come while it is full are dropped) for one
 * thread at a time, in which it emits the signal. */
#ifndef GST_TFRC_TFRCBINSTUN_H
#define GST_TFRC_TFRCBINSTUN_H

#include <gst/gst.h>

#include "transport/datagraminbox.h"

G_BEGIN_DECLS

typedef struct
{
  /*< private > */
  GstElement *element;          /* not owned */
  GstTfrcDatagramInbox inbox;
  gint draining;                /* atomic: a thread of the element hands messages out */
} GstTfrcBinStun;

void gst_tfrc_bin_stun_init (GstTfrcBinStun * stun, GstElement * element);
void gst_tfrc_bin_stun_clear (GstTfrcBinStun * stun);

/* A STUN message has arrived, in the thread of the port; `stun` is a GstTfrcBinStun. FALSE: it is dropped, because no
 * handler wants it or too many wait. */
gboolean gst_tfrc_bin_stun_on_datagram (const GstTfrcUdpDatagram * datagram,
    gpointer stun);

/* Installs the signals. */
void gst_tfrc_bin_stun_install (GType type);

G_END_DECLS

#endif
