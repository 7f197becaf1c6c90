/* gst-tfrc: a pre-shared key for both directions of a flow
 * SPDX-License-Identifier: LGPL-2.1-or-later */
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

/* RFC 3711 9.5: no null authentication here. RTCP always has the long tag. */
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

/* `key` is master key and salt in hexadecimal digits. NULL, and an error that
 * names the remedy on `owner`, when it does not fit the cipher. */
GstTfrcSrtp *gst_tfrc_srtp_new (GstElement * owner, const gchar * key,
    GstTfrcSrtpCipher cipher, GstTfrcSrtpAuth auth);
/* After the elements it was given to are gone. */
void gst_tfrc_srtp_free (GstTfrcSrtp * self);

void gst_tfrc_srtp_set_up_encoder (GstTfrcSrtp * self, GstElement * srtpenc);
/* Posts a warning on the owner when packets come and none is authentic. */
void gst_tfrc_srtp_set_up_decoder (GstTfrcSrtp * self, GstElement * srtpdec);

/* Packets that came and were not authentic, or had come before. */
guint64 gst_tfrc_srtp_get_failures (GstTfrcSrtp * self);

G_END_DECLS

#endif
