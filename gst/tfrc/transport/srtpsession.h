/* gst-tfrc: SRTP of one direction with one key
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A session is one of libsrtp: it holds the cryptographic contexts of RFC 3711 3.2.3, one for each SSRC. It encrypts what leaves, or decrypts what arrives and says whether it is authentic and
 * has not come before (RFC 3711), by libsrtp. It knows any number of SSRCs, one after the other:
 *
 *  - The state of an SSRC (rollover counter, replay window) is kept for the 16 latest SSRCs at
 *    least and the 32 latest at most. Only authentic packets bring a new SSRC in, so that a flood
 *    of SSRCs of somebody without the key costs no memory.
 *  - An SSRC whose state was given up is refused from then on, for its packets could be played
 *    to this end a second time, or a key stream be used a second time. After 4096 such SSRCs all
 *    new ones are refused.
 *
 * One thread at a time uses a session; the owner has a lock. A session takes 2.7 kB with the ciphers of
 * transport/srtpnettle.h, some 18 kB with AES-GCM where libsrtp is built with NSS, and 1 kB for each SSRC. */
#ifndef GST_TFRC_SRTPSESSION_H
#define GST_TFRC_SRTPSESSION_H

#include "transport/srtpkeys.h"

G_BEGIN_DECLS

/* Bytes by which a packet may grow: the tag and, of RTCP, the index. */
#define GST_TFRC_SRTP_GROWTH 32

typedef struct _GstTfrcSrtpSession GstTfrcSrtpSession;

/* For what leaves (the local key) or for what arrives (the remote key). */
GstTfrcSrtpSession *gst_tfrc_srtp_session_new (const GstTfrcSrtpKeys * keys,
    gboolean outbound);
void gst_tfrc_srtp_session_free (GstTfrcSrtpSession * session);

/* Encrypts a packet in place, behind which there are GST_TFRC_SRTP_GROWTH bytes of room. FALSE:
 * it must not leave. */
gboolean gst_tfrc_srtp_session_protect (GstTfrcSrtpSession * session,
    guint8 * data, gsize * size, gboolean rtcp);

/* Decrypts a packet in place. FALSE: it is not authentic, or was here before; its bytes are of no
 * use then. */
gboolean gst_tfrc_srtp_session_unprotect (GstTfrcSrtpSession * session,
    guint8 * data, gsize * size, gboolean rtcp);

/* An SSRC that this process has not drawn before, so that no key stream is used twice, however
 * often a key is used again by the process (2^32 draws). The first one is random. */
guint32 gst_tfrc_srtp_draw_ssrc (void);

G_END_DECLS

#endif
