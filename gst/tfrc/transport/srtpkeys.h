/* gst-tfrc: SRTP with one pre-shared key for both directions
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstTfrcSrtp holds the key and the settings of SRTP (RFC 3711), gives them to srtpenc and
 * srtpdec, and watches at srtpdec whether packets are authentic. The bin owns the object and
 * frees it after the two elements are gone. A lock of its own protects the counters. */
#ifndef GST_TFRC_SRTPKEYS_H
#define GST_TFRC_SRTPKEYS_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  GST_TFRC_SRTP_AES_128_ICM,
  GST_TFRC_SRTP_AES_256_ICM,
  GST_TFRC_SRTP_AES_128_GCM,
  GST_TFRC_SRTP_AES_256_GCM
} GstTfrcSrtpCipher;

/* The tag of RTP packets; that of RTCP packets always has 80 bits. There is no choice without
 * authentication (RFC 3711 9.5). */
typedef enum
{
  GST_TFRC_SRTP_HMAC_SHA1_80,
  GST_TFRC_SRTP_HMAC_SHA1_32
} GstTfrcSrtpAuth;

#define GST_TYPE_TFRC_SRTP_CIPHER (gst_tfrc_srtp_cipher_get_type ())
GType gst_tfrc_srtp_cipher_get_type (void);
#define GST_TYPE_TFRC_SRTP_AUTH (gst_tfrc_srtp_auth_get_type ())
GType gst_tfrc_srtp_auth_get_type (void);

typedef struct _GstTfrcSrtp GstTfrcSrtp;

/* `key` is master key and salt in hexadecimal digits. When it does not fit the cipher, the
 * function posts an error that names the remedy on `owner` and returns NULL. `owner` outlives
 * the object. */
GstTfrcSrtp *gst_tfrc_srtp_new (GstElement * owner, const gchar * key,
    GstTfrcSrtpCipher cipher, GstTfrcSrtpAuth auth);
void gst_tfrc_srtp_free (GstTfrcSrtp * self);

void gst_tfrc_srtp_set_up_encoder (GstTfrcSrtp * self, GstElement * srtpenc);
/* From then on the owner posts a warning when packets arrive and none is authentic. */
void gst_tfrc_srtp_set_up_decoder (GstTfrcSrtp * self, GstElement * srtpdec);

/* Returns the number of packets that arrived and were not authentic, or were repeated. */
guint64 gst_tfrc_srtp_get_failures (GstTfrcSrtp * self);

G_END_DECLS

#endif
