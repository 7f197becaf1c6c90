/* gst-tfrc: the certificate of this end of DTLS, made anew or of a PEM file
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A certificate of DTLS-SRTP names nobody: its fingerprint, which goes another way, is what the
 * remote checks (RFC 5763 5). One that is made here has an ECDSA key on the curve P-256, whose
 * signatures cost a twentieth of those of RSA. Functions may be called from any thread. */
#ifndef GST_TFRC_DTLSCERTIFICATE_H
#define GST_TFRC_DTLSCERTIFICATE_H

#include <gnutls/gnutls.h>

#include "transport/dtlsfingerprint.h"

G_BEGIN_DECLS

/* The PEM text that `certificate` stands for: the text itself, the text of the file of that name, a new
 * one that such a file has from now on, or, for NULL, a new one. Returns NULL and a sentence for the user
 * when there is none. Free with gst_tfrc_secret_free(), since
 * the text has the private key. */
gchar *gst_tfrc_dtls_certificate_get_pem (const gchar * certificate,
    gchar ** error);

/* New credentials, and the fingerprint of the first certificate of the text. Returns NULL and a sentence
 * for the user when the text is not a certificate with its key. */
gnutls_certificate_credentials_t gst_tfrc_dtls_certificate_load (const gchar *
    pem, gchar fingerprint[GST_TFRC_DTLS_FINGERPRINT_SIZE], gchar ** error);

/* Whether a signature by the key of a certificate (DER) takes less than a millisecond or so to verify: the
 * key is an ECDSA key or an RSA key of at most 4096 bits with a short exponent. */
gboolean gst_tfrc_dtls_certificate_has_modest_key (const gnutls_datum_t * der);

G_END_DECLS

#endif
