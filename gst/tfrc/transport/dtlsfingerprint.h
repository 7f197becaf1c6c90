/* gst-tfrc: fingerprints of certificates, as two people exchange them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A fingerprint is the SHA-256 hash of a certificate, 32 bytes in upper-case hexadecimal digits with
 * colons between them ("4A:AD:B9:..."). SDP writes "sha-256" in front of it (RFC 8122 5); the word is
 * taken and not needed.
 *
 * A list of fingerprints has commas between them. The word "any" in the place of a list stands for
 * every fingerprint. An empty list matches none. The functions keep no state and may be called
 * from any thread. */
#ifndef GST_TFRC_DTLSFINGERPRINT_H
#define GST_TFRC_DTLSFINGERPRINT_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_DTLS_HASH_SIZE 32
/* Characters of a fingerprint and the 0 behind them. */
#define GST_TFRC_DTLS_FINGERPRINT_SIZE (3 * GST_TFRC_DTLS_HASH_SIZE)

/* Writes the fingerprint of a hash. */
void gst_tfrc_dtls_fingerprint_write (const guint8 * hash,
    gchar text[GST_TFRC_DTLS_FINGERPRINT_SIZE]);

/* Whether a text is "any" or a list with at least one fingerprint, and nothing else. */
gboolean gst_tfrc_dtls_fingerprints_are_valid (const gchar * list);

/* Whether the list, which may be NULL, has the fingerprint. */
gboolean gst_tfrc_dtls_fingerprints_have (const gchar * list,
    const gchar * fingerprint);

G_END_DECLS

#endif
