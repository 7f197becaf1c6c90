/* gst-tfrc: which fragments of handshake messages GnuTLS may see
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Handshake messages of DTLS come in fragments (RFC 6347 4.2.3), which anybody can forge until keys are
 * agreed on. GnuTLS (3.7.9) keeps one message of each type until the message is complete and its turn has come,
 * and puts all fragments of that type into the same buffer. The buffer is too short when a later fragment
 * gives the message another length, and when the fragment that came first is the first byte of the message alone.
 * A datagram is only passed on when its fragments lie within their messages, agree with the fragments of
 * their types before them, and are neither empty nor such a first byte.
 *
 * In a handshake an end sends one message of each type, and the same message again after a loss (RFC 6347
 * 4.2.4), in fragments of other sizes if it likes. Two messages are special. A ClientHello comes without a cookie
 * and then with it; a session gets only what has the cookie. A HelloVerifyRequest may come again with another
 * message_seq; its cookie must not change in length.
 *
 * Plain state without a lock, part of a session, zero to begin with. */
#ifndef GST_TFRC_DTLSFRAGMENTCHECK_H
#define GST_TFRC_DTLSFRAGMENTCHECK_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Handshake types in use are below this number. */
#define GST_TFRC_DTLS_TYPES 32

typedef struct
{
  struct
  {
    gboolean seen;              /* a fragment, or the whole message */
    guint16 seq;                /* message_seq */
    guint32 length;             /* bytes of the whole message */
  } types[GST_TFRC_DTLS_TYPES];
} GstTfrcDtlsFragmentCheck;

/* Whether the datagram may be passed on. `message_max` bytes is the longest message. Only records that
 * are not encrypted (epoch 0) are looked into. */
gboolean gst_tfrc_dtls_fragment_check_may_pass (GstTfrcDtlsFragmentCheck * check,
    const guint8 * data, gsize size, guint32 message_max);

G_END_DECLS

#endif
