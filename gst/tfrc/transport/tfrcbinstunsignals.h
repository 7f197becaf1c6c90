/* gst-tfrc: the signals by which the application receives and sends STUN at the port of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * STUN shares the port with RTP, RTCP and DTLS (RFC 7983). tfrcbin answers no STUN message and sends none of its own:
 * the application does ICE (RFC 8445) by the signals "stun" and "send-stun". A GstTfrcBinStunSignals is part of a tfrcbin. It
 * keeps the messages that have arrived (256 at most; those that come while it is full are dropped) for one
 * thread at a time, in which it emits the signal. */
#ifndef GST_TFRC_TFRCBINSTUNSIGNALS_H
#define GST_TFRC_TFRCBINSTUNSIGNALS_H

#include <gst/gst.h>

#include "transport/datagraminbox.h"

G_BEGIN_DECLS

typedef struct
{
  /*< private > */
  GstElement *element;          /* not owned */
  GstTfrcDatagramInbox inbox;
  gint draining;                /* atomic: a thread of the element hands messages out */
} GstTfrcBinStunSignals;

void gst_tfrc_bin_stun_signals_init (GstTfrcBinStunSignals * stun, GstElement * element);
void gst_tfrc_bin_stun_signals_clear (GstTfrcBinStunSignals * stun);

/* A STUN message has arrived, in the thread of the port; `stun` is a GstTfrcBinStunSignals. FALSE: it is dropped, because no
 * handler wants it or too many wait. */
gboolean gst_tfrc_bin_stun_signals_on_datagram (const GstTfrcUdpDatagram * datagram,
    gpointer stun);

/* Installs the signals. */
void gst_tfrc_bin_stun_signals_install (GType type);

G_END_DECLS

#endif
