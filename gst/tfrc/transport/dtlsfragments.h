/* gst-tfrc: which fragments of handshake messages GnuTLS may see
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Handshake messages of DTLS come in fragments (RFC 6347 4.2.3), which anybody can forge until keys are
 * agreed on. GnuTLS (3.7.9) puts fragments of one message type together whatever length each of them gives
 * the message, and then reads beyond the end of its buffer. A datagram is only passed on when its fragments
 * lie within their messages, and when they agree with the fragments of that type before them.
 *
 * Plain state without a lock, part of a session, zero to begin with. */
#ifndef GST_TFRC_DTLSFRAGMENTS_H
#define GST_TFRC_DTLSFRAGMENTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Handshake types in use are below this number. */
#define GST_TFRC_DTLS_TYPES 32

typedef struct
{
  struct
  {
    gboolean seen;              /* a fragment that was not the whole message */
    guint16 seq;                /* message_seq */
    guint32 length;             /* bytes of the whole message */
  } types[GST_TFRC_DTLS_TYPES];
} GstTfrcDtlsFragments;

/* Whether the datagram may be passed on. `message_max` bytes is the longest message. Only records that
 * are not encrypted (epoch 0) are looked into. */
gboolean gst_tfrc_dtls_fragments_check (GstTfrcDtlsFragments * fragments,
    const guint8 * data, gsize size, guint32 message_max);

G_END_DECLS

#endif
