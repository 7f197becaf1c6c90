/* gst-tfrc: what a DTLS handshake may agree on, and the keys of SRTP that come of it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A handshake agrees on DTLS 1.2, a cipher, a group and a profile of SRTP (RFC 5764 4.1.2). The functions work on
 * a session of GnuTLS, which the caller owns, and keep no state of their own. */
#ifndef GST_TFRC_DTLSPROFILE_H
#define GST_TFRC_DTLSPROFILE_H

#include <gnutls/gnutls.h>

#include "transport/srtpkeys.h"

G_BEGIN_DECLS

/* Sets what the session may agree on, before its handshake. `auth` is the tag of RTP packets that is wanted first.
 * Returns an error of GnuTLS, or 0. */
gint gst_tfrc_dtls_profile_offer (gnutls_session_t session, GstTfrcSrtpAuth auth);

/* Whether the handshake, which is done, has agreed on a profile of SRTP. */
gboolean gst_tfrc_dtls_profile_is_agreed (gnutls_session_t session);

/* The keys of SRTP of a session that has agreed on a profile, to be wiped. `client`: this end was the client of
 * the handshake. */
void gst_tfrc_dtls_profile_get_keys (gnutls_session_t session, gboolean client,
    GstTfrcSrtpKeys * keys);

G_END_DECLS

#endif
