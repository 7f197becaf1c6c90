/* gst-tfrc: which DTLS handshakes that others have begun may go on
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A handshake costs memory and time until it is done, and whoever begins one need not go on. So a
 * port has a fixed number of handshakes that others have begun. When there are as many, the oldest
 * one of whoever has most of them gives way to a caller who has fewer: networks are compared first
 * (/24 of IPv4, /64 of IPv6), then hosts. So one network does not keep others out, nor one host the
 * others of its network, and whoever calls from everywhere leaves a caller the time in which as many
 * other handshakes begin.
 *
 * The limit is plain state, zero to begin with, of the thread that serves the port. */
#ifndef GST_TFRC_DTLSHANDSHAKELIMIT_H
#define GST_TFRC_DTLSHANDSHAKELIMIT_H

#include "transport/udpaddress.h"

G_BEGIN_DECLS

#define GST_TFRC_DTLS_HANDSHAKES_MAX 64

typedef struct
{
  guint64 number;               /* counts the handshakes; 0: the place is free */
  GstTfrcUdpAddress caller;
  guint network, host;          /* handshakes of the caller's network and host, with this one; each is counted when it
                                 * begins and ends, so that whoever is refused costs little */
} GstTfrcDtlsHandshake;

typedef struct
{
  GstTfrcDtlsHandshake handshakes[GST_TFRC_DTLS_HANDSHAKES_MAX];
  guint64 last;                 /* number of the last handshake that began */
} GstTfrcDtlsHandshakeLimit;

/* Returns the number of the handshake that begins; 0: this caller may not begin one now. */
guint64 gst_tfrc_dtls_handshake_limit_begin (GstTfrcDtlsHandshakeLimit * self,
    const GstTfrcUdpAddress * caller);

/* Whether the handshake has not given way. */
gboolean gst_tfrc_dtls_handshake_limit_has (const GstTfrcDtlsHandshakeLimit * self, guint64 number);

/* The handshake is over. One that has given way may end, too. */
void gst_tfrc_dtls_handshake_limit_end (GstTfrcDtlsHandshakeLimit * self, guint64 number);

guint gst_tfrc_dtls_handshake_limit_count (const GstTfrcDtlsHandshakeLimit * self);

G_END_DECLS

#endif
