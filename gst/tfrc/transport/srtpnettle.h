/* gst-tfrc: AES in counter mode and HMAC-SHA1 for libsrtp, by nettle
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libsrtp has a cipher and a message authentication code for the RTP of a session, and both again for its RTCP. Where
 * libsrtp is built with NSS, as in Debian, each of the four takes 7 kB, and the cipher makes a context of NSS anew for
 * each packet. Those of nettle take less than 0.5 kB each. The key derivation, the replay check and everything else of
 * SRTP stay with libsrtp. */
#ifndef GST_TFRC_SRTPNETTLE_H
#define GST_TFRC_SRTPNETTLE_H

#include <glib.h>

G_BEGIN_DECLS

/* Replaces AES-128 and AES-256 in counter mode (RFC 3711 4.1.1, RFC 6188) and HMAC-SHA1 in libsrtp, for the whole process
 * and for what is made from now on. Call it once, after srtp_init(). libsrtp compares them with its own test vectors
 * first, and keeps its own where they differ. Returns whether all three were replaced. */
gboolean gst_tfrc_srtp_nettle_install (void);

G_END_DECLS

#endif
