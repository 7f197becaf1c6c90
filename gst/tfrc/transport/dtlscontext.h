/* gst-tfrc: what all DTLS handshakes of an element share: certificate, cookies, limits
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A context has the certificate of this end with its private key (ECDSA P-256 when the context
 * makes them), the secret of its cookies, and the counters that bound what strangers can make
 * this end do:
 *
 *  - A ClientHello without a cookie gets a HelloVerifyRequest (RFC 6347 4.2.1) from the context, which
 *    keeps nothing of it. The cookie is bound to the address and to a minute or two of time. The
 *    answer is smaller than the question, and at most HELLOS of them are given in a second.
 *  - Handshakes that were begun by a ClientHello with a cookie are GST_TFRC_DTLS_HANDSHAKES_MAX at a time at
 *    most, and HANDSHAKES_PER_SECOND in a second.
 *
 * A context is reference-counted from any thread. All other functions but
 * gst_tfrc_dtls_context_get_fingerprint() are for the thread of the worker that serves the port;
 * a context belongs to one port. Times are in ns of a clock that never decreases. */
#ifndef GST_TFRC_DTLSCONTEXT_H
#define GST_TFRC_DTLSCONTEXT_H

#include "transport/dtlsfingerprint.h"
#include "transport/dtlshandshakelimit.h"
#include "transport/srtpkeys.h"
#include "transport/udpaddress.h"

G_BEGIN_DECLS

typedef struct _GstTfrcDtlsContext GstTfrcDtlsContext;

/* `certificate` is the text of a PEM file that has a certificate and its private key, or the name of
 * such a file, which is made when there is none; NULL: a certificate is made that is forgotten with
 * the context. Returns NULL and a sentence for the user when that is not possible. */
GstTfrcDtlsContext *gst_tfrc_dtls_context_new (const gchar * certificate,
    gchar ** error);
GstTfrcDtlsContext *gst_tfrc_dtls_context_ref (GstTfrcDtlsContext * context);
void gst_tfrc_dtls_context_unref (GstTfrcDtlsContext * context);

/* The fingerprint of the certificate; belongs to the context. */
const gchar *gst_tfrc_dtls_context_get_fingerprint (const GstTfrcDtlsContext *
    context);

/* RFC 7983 7: whether the first byte of a datagram is one of DTLS, and not of RTP, RTCP or STUN. */
static inline gboolean
gst_tfrc_dtls_is_record (const guint8 * data, gsize size)
{
  return size > 0 && data[0] >= 20 && data[0] <= 63;
}

#define GST_TFRC_DTLS_RANDOM_SIZE 32

/* The random bytes of a ClientHello; NULL: the datagram does not begin with one. A ClientHello may come in
 * fragments, as dtlssrtpenc of GStreamer sends it. The first one has all that is looked at before there is
 * a session. */
const guint8 *gst_tfrc_dtls_find_hello (const guint8 * data, gsize size);

/* The datagram is a fragment of a ClientHello, and not the first one. */
gboolean gst_tfrc_dtls_is_rest_of_hello (const guint8 * data, gsize size);

typedef void (*GstTfrcDtlsSendFunc) (const guint8 * data, gsize size,
    gpointer user_data);

/* What a ClientHello with a cookie leaves for the handshake that it begins. */
typedef struct
{
  guint record_seq, read_seq, write_seq;
} GstTfrcDtlsHello;

/* Looks at a ClientHello from `address`. TRUE: its cookie is good, so that the sender is at that
 * address. FALSE: a HelloVerifyRequest was sent, or there were too many. */
gboolean gst_tfrc_dtls_context_check_hello (GstTfrcDtlsContext * context,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size,
    GstTfrcDtlsHello * hello, GstTfrcDtlsSendFunc send, gpointer user_data,
    GstClockTime now);

/* A handshake begins by a ClientHello of `caller`. Returns its number, or 0 when there are too many
 * handshakes. What begins has to end. */
guint64 gst_tfrc_dtls_context_begin_handshake (GstTfrcDtlsContext * context,
    const GstTfrcUdpAddress * caller, GstClockTime now);
void gst_tfrc_dtls_context_end_handshake (GstTfrcDtlsContext * context,
    guint64 handshake);

/* FALSE: the handshake has to end, because it has given way to that of another caller. */
gboolean gst_tfrc_dtls_context_has_handshake (const GstTfrcDtlsContext * context,
    guint64 handshake);

typedef struct
{
  guint64 hellos;               /* HelloVerifyRequests that were sent */
  guint64 hellos_limited;       /* ClientHellos that got none, since there were too many */
  guint64 handshakes;           /* begun by a ClientHello with a cookie */
  guint64 handshakes_limited;   /* that did not begin or go on, since there were too many */
  guint running;                /* handshakes of now that strangers have begun */
} GstTfrcDtlsContextStats;

void gst_tfrc_dtls_context_get_stats (const GstTfrcDtlsContext * context,
    GstTfrcDtlsContextStats * stats);

/* The gnutls_certificate_credentials_t. */
gpointer gst_tfrc_dtls_context_get_credentials (GstTfrcDtlsContext * context);

G_END_DECLS

#endif
