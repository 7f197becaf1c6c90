/* gst-tfrc: which DTLS handshakes that others have begun may go on
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A handshake costs memory and time until it is done, and whoever begins one need not go on. So a
 * port has a fixed number of turns. When all are taken, the oldest one of whoever has most of them
 * gives way to a caller who has fewer: networks are compared first (/24 of IPv4, /64 of IPv6), then
 * hosts. So one network does not keep others out, nor one host the others of its network, and
 * whoever calls from everywhere leaves a caller the time in which all turns are taken anew.
 *
 * The turns are plain state, zero to begin with, of the thread that serves the port. */
#ifndef GST_TFRC_DTLSTURNS_H
#define GST_TFRC_DTLSTURNS_H

#include "transport/udpaddress.h"

G_BEGIN_DECLS

#define GST_TFRC_DTLS_TURNS 64

typedef struct
{
  guint64 number;               /* counts the turns; 0: nobody has this one */
  GstTfrcUdpAddress caller;
  guint network, host;          /* turns of the caller's network and host, with this one; each is counted when it begins
                                 * and ends, so that whoever is refused costs little */
} GstTfrcDtlsTurn;

typedef struct
{
  GstTfrcDtlsTurn turns[GST_TFRC_DTLS_TURNS];
  guint64 last;                 /* number of the last turn that began */
} GstTfrcDtlsTurns;

/* Returns the number of the turn that begins; 0: there is none for this caller now. */
guint64 gst_tfrc_dtls_turns_begin (GstTfrcDtlsTurns * self,
    const GstTfrcUdpAddress * caller);

/* Whether the turn has not given way. */
gboolean gst_tfrc_dtls_turns_has (const GstTfrcDtlsTurns * self, guint64 number);

/* The handshake is over. A turn that has given way may end, too. */
void gst_tfrc_dtls_turns_end (GstTfrcDtlsTurns * self, guint64 number);

guint gst_tfrc_dtls_turns_count (const GstTfrcDtlsTurns * self);

G_END_DECLS

#endif
