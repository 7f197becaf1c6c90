/* gst-tfrc: the keys of SRTP, one for each direction, and the properties that set them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A key of SRTP (RFC 3711) is a master key with its salt. Each direction of a call has a key of
 * its own, so that nobody can send an end its own packets back as the remote's, and so that two
 * ends that draw one SSRC do not use one key stream twice. GstTfrcSrtpSettings has the values of
 * the properties, GstTfrcSrtpKeys what they come to.
 *
 * Where the application gives one key for both directions, the keys are derived from it by HKDF
 * (RFC 5869) with SHA-256 of libnettle. The two ends have to be distinguished for that: one sends
 * the data and the other receives them. */
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

/* The cipher's name, as srtpenc and srtpdec have it, too. */
const gchar *gst_tfrc_srtp_cipher_get_name (GstTfrcSrtpCipher cipher);
/* The cipher is AEAD and has a tag of its own, of 16 bytes. */
gboolean gst_tfrc_srtp_cipher_authenticates (GstTfrcSrtpCipher cipher);

/* --- properties --- */

/* The properties, in the order of their ids from the one on that an element chooses. */
enum
{
  GST_TFRC_SRTP_PROP_KEY,
  GST_TFRC_SRTP_PROP_REMOTE_KEY,
  GST_TFRC_SRTP_PROP_CIPHER,
  GST_TFRC_SRTP_PROP_AUTH,
  GST_TFRC_N_SRTP_PROPS
};

/* The values of the properties. The owner reads and writes them under a lock of its own. */
typedef struct
{
  gchar *key, *remote_key;      /* hexadecimal digits; NULL or empty: not set */
  GstTfrcSrtpCipher cipher;
  GstTfrcSrtpAuth auth;
} GstTfrcSrtpSettings;

void gst_tfrc_srtp_settings_install (GObjectClass * klass, guint first_id);
void gst_tfrc_srtp_settings_init (GstTfrcSrtpSettings * settings);
void gst_tfrc_srtp_settings_copy (GstTfrcSrtpSettings * to,
    const GstTfrcSrtpSettings * from);
/* Overwrites the keys and frees them. */
void gst_tfrc_srtp_settings_clear (GstTfrcSrtpSettings * settings);

/* `prop` is one of the properties above. FALSE: it is none, or cannot be read. */
gboolean gst_tfrc_srtp_settings_set (GstTfrcSrtpSettings * settings, guint prop,
    const GValue * value);
gboolean gst_tfrc_srtp_settings_get (const GstTfrcSrtpSettings * settings,
    guint prop, GValue * value);

/* A key is set. */
gboolean gst_tfrc_srtp_settings_encrypt (const GstTfrcSrtpSettings * settings);

/* --- keys --- */

#define GST_TFRC_SRTP_KEY_SIZE_MAX 46

typedef struct
{
  GstTfrcSrtpCipher cipher;
  GstTfrcSrtpAuth auth;
  guint size;                   /* of a key, bytes */
  guint8 local[GST_TFRC_SRTP_KEY_SIZE_MAX];     /* protects what leaves */
  guint8 remote[GST_TFRC_SRTP_KEY_SIZE_MAX];    /* protects what arrives */
} GstTfrcSrtpKeys;

/* Which end of a call this is, where one key is for both. */
typedef enum
{
  GST_TFRC_SRTP_EITHER_END,     /* nobody knows which end it is: two keys are needed */
  GST_TFRC_SRTP_DATA_SENDER,
  GST_TFRC_SRTP_DATA_RECEIVER
} GstTfrcSrtpEnd;

/* The keys of settings in which a key is set. Returns NULL, or a sentence for the user that
 * names what is wrong and the remedy. */
gchar *gst_tfrc_srtp_keys_read (GstTfrcSrtpKeys * keys,
    const GstTfrcSrtpSettings * settings, GstTfrcSrtpEnd end);

void gst_tfrc_srtp_keys_wipe (GstTfrcSrtpKeys * keys);

G_END_DECLS

#endif
