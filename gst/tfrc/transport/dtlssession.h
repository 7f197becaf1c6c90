/* gst-tfrc: one DTLS handshake and the keys of SRTP that it gives
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A session is one end of a DTLS 1.2 association (RFC 6347) that negotiates SRTP (RFC 5764), by
 * GnuTLS. It has no socket, no clock, no thread and no lock: datagrams come by
 * gst_tfrc_dtls_session_on_datagram(), leave by the function that the session was made with, and
 * gst_tfrc_dtls_session_next_time() says when the session has to be called to send a flight again
 * or to give up. `now` is the last argument, in ns, and never decreases. One thread at a time
 * uses a session.
 *
 * The session opens only when the hash of the remote's certificate is in the list of fingerprints
 * and the remote has shown that it owns the private key. A certificate that is not in the list ends the
 * handshake before any other work is spent on it. Tickets, resumption and renegotiation are
 * switched off, so that each handshake has an exchange of keys (ECDHE) and keys of SRTP of its own. */
#ifndef GST_TFRC_DTLSSESSION_H
#define GST_TFRC_DTLSSESSION_H

#include "transport/dtlscontext.h"

G_BEGIN_DECLS

typedef struct _GstTfrcDtlsSession GstTfrcDtlsSession;

/* @GST_TFRC_DTLS_HANDSHAKE: flights are exchanged
 * @GST_TFRC_DTLS_OPEN: there are keys
 * @GST_TFRC_DTLS_REFUSED: the remote has a certificate with another fingerprint
 * @GST_TFRC_DTLS_FAILED: the remote sent an alert or nonsense, or too little came in time
 * @GST_TFRC_DTLS_CLOSED: the remote has ended an open association (close_notify or a fatal alert) */
typedef enum
{
  GST_TFRC_DTLS_HANDSHAKE,
  GST_TFRC_DTLS_OPEN,
  GST_TFRC_DTLS_REFUSED,
  GST_TFRC_DTLS_FAILED,
  GST_TFRC_DTLS_CLOSED
} GstTfrcDtlsState;

typedef struct
{
  GstTfrcDtlsContext *context;
  const gchar *fingerprints;    /* a list of what the remote may have; NULL: nothing */
  GstTfrcSrtpAuth auth;         /* the tag of RTP packets that is wanted first */
  const GstTfrcDtlsHello *hello;        /* of the ClientHello that begins the handshake; NULL: this
                                         * end is the client */
  const GstTfrcUdpAddress *caller;      /* who sent that ClientHello; NULL without one */
  GstTfrcDtlsSendFunc send;
  gpointer user_data;
} GstTfrcDtlsSessionConfig;

/* A client sends its ClientHello at gst_tfrc_dtls_session_next_time(); a server is given the
 * ClientHello as its first datagram. NULL: GnuTLS has no memory, or there are too many handshakes. */
GstTfrcDtlsSession *gst_tfrc_dtls_session_new (const GstTfrcDtlsSessionConfig *
    config, GstClockTime now);
void gst_tfrc_dtls_session_free (GstTfrcDtlsSession * session);

GstTfrcDtlsState gst_tfrc_dtls_session_get_state (const GstTfrcDtlsSession *
    session);
gboolean gst_tfrc_dtls_session_is_client (const GstTfrcDtlsSession * session);

/* The remote has answered to this handshake. */
gboolean gst_tfrc_dtls_session_is_answered (const GstTfrcDtlsSession * session);

/* The random bytes of the ClientHello of this handshake, as each end knows them; zeros before it was
 * sent. */
void gst_tfrc_dtls_session_get_random (const GstTfrcDtlsSession * session,
    guint8 random[GST_TFRC_DTLS_RANDOM_SIZE]);

/* FALSE: the datagram was dropped, since its records or fragments are malformed or contradict each other, or the remote
 * has sent more than a handshake takes. */
gboolean gst_tfrc_dtls_session_on_datagram (GstTfrcDtlsSession * session,
    const guint8 * data, gsize size, GstClockTime now);
void gst_tfrc_dtls_session_on_time (GstTfrcDtlsSession * session,
    GstClockTime now);
/* GST_CLOCK_TIME_NONE: never. */
GstClockTime gst_tfrc_dtls_session_next_time (const GstTfrcDtlsSession *
    session);

/* Sends a close_notify if the session is open. */
void gst_tfrc_dtls_session_close (GstTfrcDtlsSession * session);

/* The keys of an open session, to be wiped. */
void gst_tfrc_dtls_session_get_keys (const GstTfrcDtlsSession * session,
    GstTfrcSrtpKeys * keys);

/* The fingerprint of the remote's certificate, "" before it came. */
const gchar *gst_tfrc_dtls_session_get_remote_fingerprint (const
    GstTfrcDtlsSession * session);

/* The round-trip time of the path as the handshake has shown it, or longer where datagrams were lost or the remote was
 * slow to answer; GST_CLOCK_TIME_NONE: nothing was answered. */
GstClockTime gst_tfrc_dtls_session_get_rtt (const GstTfrcDtlsSession *
    session);

/* Why the session failed, in the words of GnuTLS; NULL: it did not. */
const gchar *gst_tfrc_dtls_session_get_error (const GstTfrcDtlsSession *
    session);

G_END_DECLS

#endif
